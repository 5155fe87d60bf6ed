"""The verbs and where each lives. A verb's module is imported when it is called, so that ``--help`` starts at once."""

from typing import Any

import typer
from typer.core import TyperGroup

from tracewitness.wiring.loading import load_object

VERBS: dict[str, str] = {
    "audit": "Audit runs: which success reports do their traces not support?",
    "explain": "Show why an audited run got its outcome, with the lines cited.",
    "replay": "Decide stored audits anew under another policy, with no model.",
    "isolation": "Show what was hidden in a run, and prove that it made no difference.",
    "policy": "Check, show, compare and test policies.",
    "formats": "List the log formats that can be read, or show one's page.",
    "convert": "Write runs in the neutral run format.",
    "bench": "Score stored audits against gold labels: tables with intervals.",
    "leak": "Does the agent's report bias a judge? Measure it on labelled runs.",
    "lab": "Make runs with known truth in real web apps, and score judges on them.",
    "store": "Verify, export, import and count stored audits.",
    "doctor": "Check this installation.",
}


class VerbGroup(TyperGroup):
    """A command group that knows its verbs by name and loads the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the verbs in the order of use."""
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the verb's command, or None for an unknown word."""
        if cmd_name not in VERBS:
            return None
        app: typer.Typer = load_object(f"tracewitness.cli.{cmd_name}:app")
        return typer.main.get_command(app)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of verbs without loading any."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


def verb_app(**settings: Any) -> typer.Typer:
    """Return the application of one verb, with the settings that all verbs share."""
    return typer.Typer(
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
        **settings,
    )

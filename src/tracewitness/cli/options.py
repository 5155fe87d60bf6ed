"""Options that several verbs share, and what they choose."""

from pathlib import Path
from typing import Annotated

import typer

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain
from tracewitness.cli.terminal import short_digest
from tracewitness.findings.decision import PolicyRef
from tracewitness.intake.errors import IntakeError, UnknownFormatError
from tracewitness.intake.format import Format
from tracewitness.intake.limits import Tasks
from tracewitness.intake.registry import Registry
from tracewitness.policy.analysis import check
from tracewitness.policy.parsing import PolicyError
from tracewitness.policy.rules import Policy
from tracewitness.wiring.formats import known_formats
from tracewitness.wiring.inputs import known_tasks
from tracewitness.wiring.policies import UnknownPolicyError, builtin_names, find_policy, policy_by_digest
from tracewitness.wiring.settings import POLICY_VARIABLE, STORE_VARIABLE, settings

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors; the exit code says the rest.")]
PolicyOption = Annotated[
    str | None,
    typer.Option("--policy", metavar="NAME|PATH", help=f"The policy that decides [env {POLICY_VARIABLE}; default]."),
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PATH|URL",
        help=f"The store of audit records [env {STORE_VARIABLE}; .tracewitness/audits.db].",
    ),
]
FormatOption = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="Take everything as this format, without asking.")
]
TaskOption = Annotated[
    str | None, typer.Option("--task", metavar="TEXT", help="The task, for logs that do not hold it.")
]
TasksOption = Annotated[
    Path | None,
    typer.Option(
        "--tasks",
        metavar="PATH",
        help="The tasks by id, for logs that name theirs: a folder of <id>.json, or one JSON file.",
    ),
]
EvidenceOption = Annotated[
    Path | None,
    typer.Option(
        "--evidence",
        metavar="FILE",
        help="A Playwright trace.zip of the same run, joined by time [<stem>.trace.zip or trace.zip beside a log].",
    ),
]


def chosen_formats(format_name: str | None) -> Registry:
    """Return the formats, after a line for each plug-in that is left out.

    Raises:
        Stop: None has the name that the user told.
    """
    registry, broken = known_formats()
    for plugin in broken:
        complain(f"the {plugin.what} {plugin.name!r} is left out: {plugin.problem}")
    if format_name is not None:
        named_format(registry, format_name)
    return registry


def named_format(registry: Registry, name: str) -> Format:
    """Return a format by name.

    Raises:
        Stop: There is none of this name.
    """
    try:
        return registry.named(name)
    except UnknownFormatError as error:
        raise Stop(f"{error.problem}; {error.remedy}") from error


def chosen_tasks(path: Path | None) -> Tasks | None:
    """Return the tasks of an option.

    Raises:
        Stop: They cannot be read.
    """
    try:
        return known_tasks(path)
    except IntakeError as error:
        raise Stop(error.at(str(path)).line()) from error


def told_policy(policy: Policy | PolicyRef, *others: Policy | PolicyRef | None) -> str:
    """Return a policy's name and version, with its short digest where another one, or a built-in one, has the same."""
    named = f"{policy.name} {policy.version}"
    built_in = find_policy(policy.name) if policy.name in builtin_names() else None
    same = (
        one
        for one in (built_in, *others)
        if one is not None and (one.name, one.version) == (policy.name, policy.version)
    )
    return f"{named} ({short_digest(policy.digest)})" if any(one.digest != policy.digest for one in same) else named


def warn_if_unsound(policy: Policy) -> None:
    """Write one line where a policy is not built in and a property that ``policy check`` proves does not hold."""
    if policy_by_digest(policy.digest) is not None:
        return
    failing = [proof.subject for proof in check(policy).proofs if not proof.holds]
    if failing:
        failed = ", ".join(failing)
        complain(
            f"the policy {policy.name} {policy.version} fails its check ({failed}); see `tracewitness policy check`"
        )


def chosen_policy(name_or_path: str | None) -> Policy:
    """Return the policy of an option, or of the settings.

    Raises:
        Stop: There is none of that name, or it is badly written (the line names file, line and key).
    """
    try:
        return find_policy(name_or_path or settings().policy)
    except UnknownPolicyError as error:
        raise Stop(str(error)) from error
    except PolicyError as error:
        raise Stop(f"badly written policy: {error}", ExitCode.USAGE) from error

"""Options that several verbs share, and what they choose."""

from typing import Annotated

import typer

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop
from tracewitness.policy.parsing import PolicyError
from tracewitness.policy.rules import Policy
from tracewitness.wiring.policies import UnknownPolicyError, find_policy
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

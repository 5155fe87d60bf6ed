"""``tracewitness policy``: check, show, compare and test policies."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, guarded
from tracewitness.cli.options import JsonOption, QuietOption, chosen_policy, told_policy
from tracewitness.cli.terminal import STYLES, line, print_json, stdout, styled, table
from tracewitness.cli.verbs import verb_app
from tracewitness.policy.analysis import CheckReport, DiffReport, Proof, check, diff
from tracewitness.policy.cases import CaseResult, CasesReport, CaseStatus, PolicyCase, parse_cases, run_cases
from tracewitness.policy.documents import PolicyError
from tracewitness.policy.rules import Policy, Row
from tracewitness.values.folding import printable
from tracewitness.wiring.policies import UnknownPolicyError, builtin_cases, builtin_names, policy_text, read_policy_text

app = verb_app(no_args_is_help=True, help="Check, show, compare and test policies.")

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME|PATH", help="A built-in policy, or the path of a policy file.")
]
_MOST_BOXES = 6
_INDENT = (0, 0, 0, 4)


@app.command("list")
def list_policies(as_json: JsonOption = False) -> None:
    """List the built-in policies.

    With --json: an array of name, version, digest and summary.
    """
    with guarded():
        policies = [chosen_policy(name) for name in builtin_names()]
        if as_json:
            print_json([{**_ref(policy), "summary": policy.summary} for policy in policies])
        else:
            rows = [(policy.name, policy.version, policy.summary) for policy in policies]
            stdout().print(table(("policy", "version", "summary"), rows))


@app.command("show")
def show_policy(
    name: NameArgument = "default",
    toml: Annotated[
        bool, typer.Option("--toml", help="Print the policy file itself, as a start for a policy of your own.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a policy: the fields each task class requires, and the disposition table.

    With --json: the same as one object.
    """
    with guarded():
        policy = chosen_policy(name)
        if toml:
            typer.echo(printable(policy_text(name)), nl=False)
        elif as_json:
            print_json(_policy_json(policy))
        else:
            _show(stdout(), policy)


@app.command("check")
def check_policy(name: NameArgument = "default", as_json: JsonOption = False, quiet: QuietOption = False) -> None:
    """Prove a policy total, closed-world, monotone and report-blind, or show where it is not.

    Exit code 0 where every property holds, 10 where one fails; a badly written policy is wrong usage (2). With --json:
    one object with every proof and its counter-example.
    """
    with guarded():
        report = check(chosen_policy(name))
        if as_json:
            print_json(_check_json(report))
        elif not quiet:
            _print_check(stdout(), report)
        raise typer.Exit(ExitCode.CLEAR if report.ok else ExitCode.FLAGGED)


@app.command("diff")
def diff_policies(
    first: NameArgument,
    second: NameArgument,
    every: Annotated[bool, typer.Option("--all", help="List every group of combinations in full.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List exactly the combinations on which two policies give different outcomes.

    With --json: one object with every group of combinations.
    """
    with guarded():
        report = diff(chosen_policy(first), chosen_policy(second))
        if as_json:
            print_json(_diff_json(report))
        else:
            _print_diff(stdout(), report, every=every)


@app.command("test")
def run_policy_cases(
    name: NameArgument = "default",
    cases: Annotated[
        str | None, typer.Option("--cases", metavar="PATH", help="The case file [a built-in policy's own cases].")
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Run policy cases, each with the outcome and the reasons it expects.

    Exit code 0 where all that ran passed, 10 where a case failed or is an error, 3 where no case ran. With
    --json: one object with the counts and every case.
    """
    with guarded():
        policy = chosen_policy(name)
        report = run_cases(policy, _parsed_cases(name, cases))
        if as_json:
            print_json(_cases_json(report))
        elif not quiet:
            _print_cases(stdout(), report)
        raise typer.Exit(_cases_code(report))


def _parsed_cases(name: str, path: str | None) -> tuple[PolicyCase, ...]:
    try:
        if path is not None:
            return parse_cases(read_policy_text(path), path)
        if (text := builtin_cases(name)) is not None:
            return parse_cases(text, f"{name} (built-in cases)")
    except UnknownPolicyError as error:
        raise Stop(f"{path}: there is no such case file") from error
    except PolicyError as error:
        raise Stop(f"badly written cases: {error}") from error
    raise Stop("name the case file of your own policy with --cases")


def _cases_code(report: CasesReport) -> ExitCode:
    if report.ok:
        return ExitCode.CLEAR
    ran = report.count(CaseStatus.PASSED) + report.count(CaseStatus.FAILED) + report.count(CaseStatus.ERROR)
    return ExitCode.FLAGGED if ran else ExitCode.NOTHING_AUDITED


def _show(console: Console, policy: Policy) -> None:
    console.print(f"{policy.name} {policy.version}  {policy.digest[:19]}")
    console.print(Text(policy.summary))
    console.print(f"closed world: {_yes(policy.closed_world)}; standing goals: {_yes(policy.standing_goals)}\n")
    classes = [
        (
            rule.task_class,
            ", ".join(f"{name} (may be UNKNOWN)" if name in rule.tolerated else name for name in rule.required),
        )
        for rule in policy.classes
    ]
    console.print(table(("task class", "required fields"), classes))
    rows = [(row.id, _conditions(row), _outcome(row), row.reason) for row in policy.rows]
    console.print()
    console.print(table(("row", "where", "outcome", "why"), rows))


def _outcome(row: Row) -> Text:
    text = styled(row.disposition)
    return Text.assemble(text, f"\n{row.mark}") if row.mark else text


def _conditions(row: Row) -> str:
    return "; ".join(f"{c.axis}: {' or '.join(c.values)}" for c in row.conditions) or "always"


def _print_check(console: Console, report: CheckReport) -> None:
    console.print(f"{told_policy(report.policy)}: {report.combinations:,} combinations enumerated")
    for proof in report.proofs:
        console.print(Text.assemble((_mark(proof), "green" if proof.holds else "bold red"), f"  {proof.subject}"))
        if proof.counter_example is not None:
            console.print(Padding(Text(proof.counter_example.explanation), _INDENT))
            for combination in proof.counter_example.combinations:
                console.print(Padding(Text(str(combination)), _INDENT))
    for warning in report.warnings:
        console.print(Text.assemble(("note ", "yellow"), f" row {warning.row}: {warning.message}"))


def _mark(proof: Proof) -> str:
    return "holds" if proof.holds else "FAILS"


def _print_diff(console: Console, report: DiffReport, *, every: bool) -> None:
    names = (told_policy(report.first, report.second), told_policy(report.second, report.first))
    if report.same:
        console.print(f"{names[0]} and {names[1]} give the same outcome for every run")
        return
    console.print(f"{len(report.differing):,} of {report.total:,} combinations differ from {names[0]} to {names[1]}\n")
    for group in report.groups:
        rows = f"{group.row_before or 'no row'} to {group.row_after or 'no row'}"
        console.print(Text.assemble(styled(group.before), " to ", styled(group.after), f"  {group.count:,}  ({rows})"))
        shown = group.boxes if every else group.boxes[:_MOST_BOXES]
        for box in shown:
            console.print(Padding(Text(f"{box}  [{box.count:,}]"), _INDENT))
        if len(shown) < len(group.boxes):
            console.print(f"    and {len(group.boxes) - len(shown)} more groups (--all shows them)")
    for kind in report.several_parts:
        console.print(Text(f"only with several parts: {kind}"))


def _print_cases(console: Console, report: CasesReport) -> None:
    for result in report.results:
        if result.status is not CaseStatus.PASSED:
            console.print(Text.assemble((result.status.upper(), _STATUS_STYLE[result.status]), f"  {result.case}"))
            for detail in result.details:
                console.print(Padding(Text(line(detail)), _INDENT))
    console.print(", ".join(f"{report.count(status)} {status}" for status in CaseStatus))
    if report.uncovered:
        console.print(Text(f"rows that no passed case shows at work: {', '.join(report.uncovered)}"))


_STATUS_STYLE = {CaseStatus.FAILED: STYLES["FLAG"], CaseStatus.ERROR: STYLES["FLAG"], CaseStatus.SKIPPED: "yellow"}


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def _ref(policy: Policy) -> dict[str, Any]:
    return {"name": policy.name, "version": policy.version, "digest": policy.digest}


def _policy_json(policy: Policy) -> dict[str, Any]:
    return {
        **_ref(policy),
        "summary": policy.summary,
        "closed_world": policy.closed_world,
        "standing_goals": policy.standing_goals,
        "classes": {
            rule.task_class: {"required": list(rule.required), "tolerated": list(rule.tolerated)}
            for rule in policy.classes
        },
        "rows": [
            {
                "id": row.id,
                "conditions": {condition.axis: list(condition.values) for condition in row.conditions},
                "disposition": row.disposition,
                "mark": row.mark,
                "reason": row.reason,
            }
            for row in policy.rows
        ],
    }


def _check_json(report: CheckReport) -> dict[str, Any]:
    return {
        "policy": {"name": report.policy.name, "version": report.policy.version, "digest": report.policy.digest},
        "ok": report.ok,
        "combinations": report.combinations,
        "proofs": [
            {
                "property": proof.subject,
                "holds": proof.holds,
                "counter_example": None
                if proof.counter_example is None
                else {
                    "explanation": proof.counter_example.explanation,
                    "combinations": [str(combination) for combination in proof.counter_example.combinations],
                },
            }
            for proof in report.proofs
        ],
        "warnings": [{"row": warning.row, "message": warning.message} for warning in report.warnings],
    }


def _diff_json(report: DiffReport) -> dict[str, Any]:
    return {
        "first": report.first.name,
        "second": report.second.name,
        "same": report.same,
        "total": report.total,
        "differing": len(report.differing),
        "other_state": report.other_state,
        "groups": [
            {
                "before": group.before,
                "after": group.after,
                "row_before": group.row_before,
                "row_after": group.row_after,
                "count": group.count,
                "boxes": [{"where": str(box), "count": box.count} for box in group.boxes],
            }
            for group in report.groups
        ],
        "several_parts": list(report.several_parts),
    }


def _cases_json(report: CasesReport) -> dict[str, Any]:
    return {
        "ok": report.ok,
        **{status: report.count(status) for status in CaseStatus},
        "results": list(_results_json(report.results)),
        "uncovered": list(report.uncovered),
    }


def _results_json(results: tuple[CaseResult, ...]) -> Iterator[dict[str, Any]]:
    for result in results:
        yield {"case": result.case, "status": result.status, "details": list(result.details)}

"""``tracewitness replay``: stored audits under another policy."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from tracewitness.auditing.replay import Change, Replay, changes, replay
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, guarded
from tracewitness.cli.options import JsonOption, QuietOption, StoreOption, chosen_policy, told_policy
from tracewitness.cli.stores import opened_store
from tracewitness.cli.terminal import print_json, shortened, stdout, table
from tracewitness.cli.verbs import verb_app
from tracewitness.findings.labels import Disposition
from tracewitness.policy.rules import Policy
from tracewitness.policy.table import compile_policy
from tracewitness.values.plurals import plural

app = verb_app()


@app.command("replay")
def replay_store(
    policy: Annotated[str, typer.Option("--policy", metavar="NAME|PATH", help="The policy to decide under.")],
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME|PATH", help="Compare with this policy [what was decided at the time]."),
    ] = None,
    store: StoreOption = None,
    limit: Annotated[int | None, typer.Option(min=1, help="List at most so many changes.")] = None,
    json_lines: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Decide stored audits anew under a policy, with no model, and list every changed outcome and why.

    The latest audit of each run counts. Exit codes as for audit, after the new outcomes. With --json: one
    object a line, of type change, and a last one of type summary.
    """
    with guarded():
        new, old = chosen_policy(policy), chosen_policy(against) if against else None
        table_of = compile_policy(new), compile_policy(old) if old else None
        with opened_store(store) as opened:
            found = replay(opened.columns(), *table_of)
            if not found.record_ids:
                raise Stop(f"{opened.place}: no decided audits in it", ExitCode.NOTHING_AUDITED)
            changed = islice(changes(opened, found, *table_of), limit)
            if json_lines:
                _print_json(found, changed, new, old)
            elif not quiet:
                _print(stdout(), found, changed, new, old, limit)
        raise typer.Exit(_exit_code(found))


def _print(
    console: Console, found: Replay, changed: Iterator[Change], new: Policy, old: Policy | None, limit: int | None
) -> None:
    rows = [
        (
            shortened(change.run_id, 60),
            Text(f"{change.before.disposition}\n{change.before.row}"),
            Text(f"{change.after.disposition}\n{change.after.row}"),
            change.reason,
        )
        for change in changed
    ]
    was = f"under {told_policy(old, new)}" if old else "as audited"
    if rows:
        console.print(table(("run", was, f"under {told_policy(new, old)}", "why"), rows))
        console.print()
    if limit is not None and len(found.changed) > limit:
        console.print(f"{len(found.changed) - limit} more changes are not listed (--limit)")
    moves = ", ".join(f"{count} {before} to {after}" for (before, after), count in sorted(found.moves().items()))
    console.print(
        f"{plural(len(found.record_ids), 'audit')}, {len(found.changed)} changed{': ' + moves if moves else ''}"
    )
    counts = found.dispositions()
    console.print(
        f"under {told_policy(new, old)}: "
        + ", ".join(f"{name} {counts[name]}" for name in (Disposition.FLAG, Disposition.REVIEW, Disposition.PASS))
    )


def _print_json(found: Replay, changed: Iterator[Change], new: Policy, old: Policy | None) -> None:
    for change in changed:
        print_json({"type": "change", **asdict(change)})
    print_json(
        {
            "type": "summary",
            "policy": _ref(new),
            "against": _ref(old) if old else None,
            "audits": len(found.record_ids),
            "changed": len(found.changed),
            "moves": [{"from": a, "to": b, "count": n} for (a, b), n in sorted(found.moves().items())],
            "dispositions": {name: found.dispositions()[name] for name in Disposition},
        }
    )


def _ref(policy: Policy) -> dict[str, Any]:
    return {"name": policy.name, "version": policy.version, "digest": policy.digest}


def _exit_code(found: Replay) -> ExitCode:
    counts = found.dispositions()
    if counts[Disposition.FLAG]:
        return ExitCode.FLAGGED
    return ExitCode.TO_REVIEW if counts[Disposition.REVIEW] else ExitCode.CLEAR

"""``tracewitness store``: verify, export, import and count stored audits."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from tracewitness.auditing.rederive import Rederiver
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.options import JsonOption, QuietOption, StoreOption, chosen_policy
from tracewitness.cli.stores import opened_store
from tracewitness.cli.terminal import print_json, stdout, table
from tracewitness.cli.verbs import verb_app
from tracewitness.policy.rules import Policy
from tracewitness.policy.table import DecisionTable, compile_policy
from tracewitness.store.transfer import TransferCount, export_jsonl, import_jsonl
from tracewitness.store.verify import Verification, verify
from tracewitness.values.digests import Digest
from tracewitness.values.plurals import plural
from tracewitness.wiring.policies import policy_by_digest

app = verb_app(no_args_is_help=True, help="Verify, export, import and count stored audits.")


@app.command("verify")
def verify_store(
    store: StoreOption = None,
    policy: Annotated[
        list[str] | None,
        typer.Option("--policy", metavar="NAME|PATH", help="A policy that is not built in, to derive its decisions."),
    ] = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Derive every digest and every decision of a store anew.

    Exit code 0 where all agrees, 10 where something does not. With --json: one object with the counts, every
    disagreement and the policies that were not at hand.
    """
    with guarded():
        extra = [chosen_policy(name) for name in policy or []]
        rederiver = Rederiver(lambda digest: _table(digest, extra))
        with opened_store(store) as opened:
            found = verify(opened, rederiver)
        if as_json:
            missing = list(rederiver.missing)
            print_json({**asdict(found), "clean": found.clean, "policies_not_at_hand": missing})
        elif not quiet:
            _print_verification(found, rederiver.missing)
        raise typer.Exit(ExitCode.CLEAR if found.clean else ExitCode.FLAGGED)


def _table(digest: Digest, extra: list[Policy]) -> DecisionTable | None:
    policy = policy_by_digest(digest, *extra)
    return compile_policy(policy) if policy is not None else None


def _amounts(found: Verification | TransferCount) -> str:
    kinds = ((found.audits, "audit"), (found.evidence, "kept text"), (found.answers, "model answer"))
    return ", ".join(plural(count, noun) for count, noun in kinds)


def _print_verification(found: Verification, missing: tuple[Digest, ...]) -> None:
    console = stdout()
    console.print(f"{_amounts(found)} looked at")
    for digest in missing:
        console.print(Text(f"decisions of the policy {digest[:19]} are not derived: it is not at hand (--policy)"))
    rows = [(one.fault, one.where, one.problem) for one in found.disagreements]
    if rows:
        console.print(table(("fault", "where", "problem"), rows))
    console.print("everything agrees" if found.clean else f"{plural(len(rows), 'disagreement')}")


@app.command("export")
def export_store(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write [standard output].")
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write a whole store as JSON Lines.

    With --json, which needs --output: one object with the counts of what was written.
    """
    with guarded():
        if as_json and output is None:
            raise Stop("--json tells what was written; name the file with --output")
        with opened_store(store) as opened:
            count = export_jsonl(opened, output if output is not None else sys.stdout)
        if as_json:
            print_json({"output": str(output), **_counts(count)})
        elif not quiet:
            complain(f"{_amounts(count)} written")


def _counts(count: TransferCount) -> dict[str, int]:
    return {"audits": count.audits, "evidence": count.evidence, "answers": count.answers}


@app.command("import")
def import_store(
    source: Annotated[str, typer.Argument(metavar="FILE", help="An export; - for standard input.")],
    store: StoreOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Read an export into a store: all of it or, where a line is not as it was written, nothing.

    With --json: one object with the counts of what was read, and how many audits are new.
    """
    with guarded():
        with opened_store(store, create=True) as opened:
            place, count = opened.place, import_jsonl(opened, sys.stdin if source == "-" else source)
        if as_json:
            print_json({"store": place, **_counts(count), "new_audits": count.new_audits})
        elif not quiet:
            complain(f"{plural(count.audits, 'audit')} read, {count.new_audits} of them new")


@app.command("stats")
def store_stats(store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Count what a store holds.

    With --json: one object with the counts.
    """
    with guarded():
        with opened_store(store) as opened:
            place, found = opened.place, opened.stats()
        if as_json:
            print_json({"store": place, **asdict(found)})
            return
        rows = [
            ("audits", str(found.audits)),
            *((f"  {name}", str(count)) for name, count in found.dispositions.items()),
            ("runs", str(found.runs)),
            ("kept texts", str(found.evidence)),
            ("model answers", str(found.answers)),
        ]
        console = stdout()
        console.print(Text(place))
        console.print(table(("", "number"), rows, right=("number",)))

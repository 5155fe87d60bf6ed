"""``tracewitness isolation``: what was hidden in a run, and the proof that it made no difference."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from tracewitness.auditing.isolation import HiddenText, Isolation, Trial
from tracewitness.auditing.one_run import Run
from tracewitness.auditing.retold import isolate_source
from tracewitness.auditing.setup import Setup
from tracewitness.auditing.words import ROUTE_WORDS
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.options import (
    EvidenceOption,
    FormatOption,
    JsonOption,
    QuietOption,
    TaskOption,
    TasksOption,
    chosen_formats,
    chosen_policy,
    chosen_tasks,
)
from tracewitness.cli.terminal import line, print_json, stdout, table
from tracewitness.cli.verbs import verb_app
from tracewitness.intake.discover import Skipped
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.limits import ReadOptions
from tracewitness.values.plurals import plural
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.inputs import read_sources

app = verb_app()

_MOST_HIDDEN = 40
_MOST_IDS = 5


@app.command("isolation")
def isolation(
    path: Annotated[str, typer.Argument(metavar="RUN", help="The file or folder of a run, or of several.")],
    run_id: Annotated[
        str | None, typer.Option("--run-id", metavar="ID", help="This run alone, where the file holds several.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show every run in full, where there are several.")] = False,
    task: TaskOption = None,
    tasks: TasksOption = None,
    evidence: EvidenceOption = None,
    format_name: FormatOption = None,
    json_lines: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Show what was hidden in a run, from whom and where it stood, and prove that it made no difference.

    The log itself is retold in other words of the agent and read again, and must give the same trace side; so must the
    run as it was read, with another report, narration and flag. Then the trace is replaced and the claim is read again.
    Several runs get a line each; --run-id shows one in full, --all every one. Exit code 0 where all stays the same byte
    for byte, 10 where anything does not (and it is said what differs first), 11 where nothing differs but a run is not
    proved from its log on, since the reader of its format cannot retell one. With --json: one object a line for each
    run; "holds" where nothing differs, "proved" where that is so from the log on.
    """
    with guarded():
        setup = rules_setup(chosen_policy(None), True)
        options = ReadOptions(task=task, tasks=chosen_tasks(tasks), evidence=evidence)
        others = list[str]()
        found = list(_isolations(path, run_id, options, format_name, setup, others))
        if not found:
            if run_id is not None and others:
                raise Stop(f"{path}: no run {run_id!r} in it; it holds {_few(others)}", ExitCode.NOTHING_AUDITED)
            raise typer.Exit(ExitCode.NOTHING_AUDITED)  # a line of each input says why
        if json_lines:
            for one in found:
                print_json({**asdict(one), "holds": one.holds, "proved": one.proved})
        elif not quiet:
            _print_all(stdout(), found, in_full=everything or len(found) == 1)
        raise typer.Exit(_exit_code(found))


def _exit_code(found: Sequence[Isolation]) -> ExitCode:
    if not all(one.holds for one in found):
        return ExitCode.FLAGGED
    return ExitCode.CLEAR if all(one.proved for one in found) else ExitCode.TO_REVIEW


def _isolations(
    path: str, run_id: str | None, options: ReadOptions, format_name: str | None, setup: Setup, others: list[str]
) -> Iterator[Isolation]:
    """Yield what is found of each run; the ids of those that were not asked for go into ``others``."""
    for source in read_sources([path], chosen_formats(format_name), options, format_name):
        if isinstance(source, IntakeFailure):
            complain(source.line())
            continue
        runs: list[Run] = []
        for item in source.outcomes:
            if isinstance(item, IntakeFailure):
                complain(item.line())
            elif isinstance(item, Skipped):
                complain(f"{item.path}: {item.why}")
            elif run_id in (None, item.run_id):
                runs.append(item)
            else:
                others.append(item.run_id)
        if runs:
            yield from isolate_source(source.found, runs, setup, options, source.own_ids)


def _few(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else ""
    return ", ".join(map(line, ids[:_MOST_IDS])) + more


def _print_all(console: Console, found: Sequence[Isolation], *, in_full: bool) -> None:
    for one in found:
        if in_full:
            _print(console, one)
        else:
            style = "bold red" if not one.holds else "green" if one.proved else "yellow"
            told = _amount(one) if one.holds else _first_difference(one)
            console.print(Text.assemble((_said(one), style), f"  {line(one.run_id)}: {told}"), soft_wrap=True)
    if not in_full:
        broken = sum(not one.holds for one in found)
        console.print(f"{plural(len(found), 'run')}, {broken} where something hidden made a difference")
        for reason in sorted({one.unproved for one in found if one.unproved}):
            number = sum(one.unproved == reason for one in found)
            console.print(f"NOT proved for the reading of {plural(number, 'run')}: {line(reason)}")
        console.print("(--run-id ID shows one in full, --all every one)")


def _said(found: Isolation) -> str:
    if not found.holds:
        return "differs   "
    return "same      " if found.proved else "not proved"


def _first_difference(found: Isolation) -> str:
    trial = next(trial for trial in found.trials if not trial.same)
    return f"{trial.change}, and of the {trial.product} differs: {trial.differs}"


def _amount(found: Isolation) -> str:
    return _nothing_hidden(found) or f"{plural(len(_kept_away(found)), 'text')} hidden from the trace side"


def _kept_away(found: Isolation) -> list[HiddenText]:
    return [one for one in found.hidden if one.plane != "evidence"]


def _nothing_hidden(found: Isolation) -> str:
    """Return in words that a run had no report, or nothing at all, to hide; empty where it had one."""
    planes = {one.plane for one in found.hidden}
    if "report" in planes:
        return ""
    if "narration" in planes:
        return "it has no report; only the agent's words on the way were hidden"
    return "there was nothing to hide: it has neither a report nor words of the agent on the way"


def _print(console: Console, found: Isolation) -> None:
    console.print(Text(f"run {line(found.run_id)}\n", "bold"))
    if nothing := _nothing_hidden(found):
        console.print(f"{nothing}\n")
    shown = found.hidden[:_MOST_HIDDEN]
    rows = [
        (one.where, one.plane, one.hidden_from, "" if one.route == "none" else one.route, str(one.characters))
        for one in shown
    ]
    console.print(table(("where", "plane", "hidden from", "leak", "characters"), rows, right=("characters",)))
    if len(shown) < len(found.hidden):
        console.print(f"and {len(found.hidden) - len(shown)} more (--json lists them)")
    for route in sorted({one.route for one in shown} & set(ROUTE_WORDS)):
        console.print(f"{route}: {ROUTE_WORDS[route]}")
    console.print()
    console.print(table(("change", "must stay the same", "proved"), _trial_rows(found.trials)))
    same = (
        "no report or narration put in makes a difference" if nothing else "nothing that was hidden made a difference"
    )
    said = same if found.holds else "SOMETHING HIDDEN MADE A DIFFERENCE"
    console.print(Text(f"\n{len(found.trials)} comparisons, byte for byte: {said}"))
    console.print(f"{_reach(found)}\n")


def _reach(found: Isolation) -> str:
    if not found.unproved:
        return "the log itself was changed and read again"
    return f"NOT proved for the reading of the log, only from the run as it was read on: {line(found.unproved)}"


def _trial_rows(trials: Sequence[Trial]) -> list[tuple[str, str, Text]]:
    rows: list[tuple[str, str, Text]] = []
    for change in dict.fromkeys(trial.change for trial in trials):
        mine = [trial for trial in trials if trial.change == change]
        different = [f"{trial.product} ({trial.differs})" for trial in mine if not trial.same]
        proved = Text(f"differs: {', '.join(different)}", "bold red") if different else Text("same", "green")
        rows.append((change, ", ".join(trial.product for trial in mine), proved))
    return rows

"""``tracewitness bench calibrate``: a policy with a promise about what passes silently."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from tracewitness.benchmark.calibrating import Calibration, calibrate, risk_of, why_none
from tracewitness.benchmark.policy_file import calibrated, policy_toml
from tracewitness.benchmark.provenance import Inputs
from tracewitness.benchmark.rendering import shown
from tracewitness.benchmark.scores import SEED, score
from tracewitness.benchmark.scoring import Scoring, Wanted
from tracewitness.benchmark.tables import Cell, Table
from tracewitness.benchmark.view_tables import calibration_table, check_table
from tracewitness.cli.bench_options import (
    Asked,
    GoldOption,
    Outcome,
    PoliciesOption,
    Side,
    SplitOption,
    StoresArgument,
    SuspectOption,
    chosen_split,
    compiled_policies,
    loaded,
    refs_of,
    write_outcome,
)
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, guarded
from tracewitness.cli.options import QuietOption, chosen_policy
from tracewitness.cli.tabled import Destination, Form, FormChoice, PageOption, command_line, explained, write_text
from tracewitness.stats.risk import Promise
from tracewitness.values.plurals import plural
from tracewitness.wiring.policies import builtin_names


def calibrate_policy(
    gold: GoldOption,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where the policy is written.")],
    stores: StoresArgument = None,
    silent_pass: Annotated[
        float, typer.Option("--silent-pass", metavar="SHARE", help="The most misreports that may pass silently.")
    ] = 0.05,
    confidence: Annotated[float, typer.Option("--confidence", help="With which confidence.")] = 0.95,
    policy: PoliciesOption = None,
    in_order: Annotated[
        bool,
        typer.Option("--in-order", help="The policies were put in order, safest first, before anyone saw a label."),
    ] = False,
    split: SplitOption = None,
    form: FormChoice = Form.TERMINAL,
    page: PageOption = None,
    suspect: SuspectOption = False,
    quiet: QuietOption = False,
) -> None:
    """Choose the policy with the least load whose silent passes are bounded, and write it with its numbers.

    The bound holds with the stated confidence, whatever the number of policies tried (Learn then Test). Without
    --policy all built-in ones are tried; for audits with --every-run (or --agree) also how many runs of a vote have to
    agree, for those with --vote logits also higher thresholds of probability. With --split the choice is made on its
    calibration side and checked on the other one. Exit code 3 where the labels cannot carry the promise; the line says
    how many it would need.
    """
    with guarded(), explained():
        promise = _promise(silent_pass, confidence)
        asked = Asked(stores or [None], gold, suspect, chosen_split(split), Side.CALIBRATION)
        compiled = compiled_policies([chosen_policy(name) for name in policy or builtin_names()])
        with loaded(asked, quiet=quiet) as experiment:
            candidates = Scoring(experiment, Wanted()).points(compiled)
            found = calibrate(experiment.labelled, candidates, promise, in_order=in_order)
            if found.chosen is None:
                raise Stop(why_none(found), ExitCode.NOTHING_AUDITED)
            tables = [calibration_table(found), *_checked(found, asked)]
            told = refs_of(compiled)
            inputs = Inputs(gold, command_line(), SEED, asked.split, Side.CALIBRATION, policies=told)
            outcome = Outcome("Calibration", tables, iter(()), experiment, inputs)
            write_text(_policy_text(found, asked, tables), output)
            write_outcome(outcome, Destination(form, page=page))


def _promise(silent_pass: float, confidence: float) -> Promise:
    try:
        return Promise(silent_pass, confidence)
    except ValueError as error:
        name = "--silent-pass" if str(error).startswith("most") else "--confidence"
        raise Stop(f"{name} {str(error).partition(': ')[2]}", ExitCode.USAGE) from error


def _checked(found: Calibration, asked: Asked) -> Iterator[Table]:
    """Yield how the chosen candidate does on the other side of the split, where there is one."""
    if asked.split is None or found.chosen is None:
        return
    with loaded(asked.on(Side.TEST), quiet=True) as experiment:
        method = Scoring(experiment, Wanted()).decided_like(found.chosen.point)
        load = score(experiment.labelled, method, intervals=False).load.value
        yield check_table(found, risk_of(experiment.labelled, method), load)


def _policy_text(found: Calibration, asked: Asked, tables: Sequence[Table]) -> str:
    """Return the chosen policy as TOML, with the numbers behind it."""
    chosen = found.chosen
    assert chosen is not None
    promise, risk, point = found.promise, chosen.risk, chosen.point
    over = ", averaged over tasks" if risk.by_task else ""
    told = (
        f"Calibrated: at most {promise.most:g} of dangerous misreports pass silently, with confidence "
        f"{promise.confidence:g}{over} ({risk.share.hits} of {risk.share.total} passed, load "
        f"{point.score.load.value:.3f})."
    )
    if point.level is not None:
        told += f" It holds for audits with {point.level.option}, and for no others."
    comments = [
        told,
        f"Chosen among {len(found.tested)} candidates in {plural(found.sequences, 'sequence')}, each tested at "
        f"{1 - found.confidence:g}.",
        f"Holds for findings by {point.finder}, on runs like those of the calibration side.",
        f"Command: {command_line()}",
        f"Split: {asked.split.digest if asked.split else 'none, so nothing was checked on other runs'}",
    ]
    comments += [f"{one.title}: {_told(one.columns, row)}" for one in tables[1:] for row in one.rows]
    return policy_toml(calibrated(point.table.policy, told), comments)


def _told(columns: Sequence[str], row: Sequence[Cell]) -> str:
    return ", ".join(f"{name} {shown(cell)}" for name, cell in zip(columns, row, strict=True))

"""``tracewitness bench``: stored audits against gold labels."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from tracewitness.benchmark.loading import Experiment
from tracewitness.benchmark.plotting import plots_of
from tracewitness.benchmark.provenance import Inputs
from tracewitness.benchmark.scores import SEED
from tracewitness.benchmark.scoring import Scoring, Wanted
from tracewitness.benchmark.splits import split_by_task, write_split
from tracewitness.benchmark.verdicts import read_verdicts
from tracewitness.benchmark.views import View, tables_of
from tracewitness.cli.bench_calibrate import calibrate_policy
from tracewitness.cli.bench_judge import judge_runs
from tracewitness.cli.bench_options import (
    Asked,
    GoldOption,
    Outcome,
    OutputOption,
    PoliciesOption,
    SeedOption,
    Side,
    SideOption,
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
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.options import QuietOption, chosen_policy
from tracewitness.cli.stores import opened_store
from tracewitness.cli.tabled import (
    Destination,
    Form,
    FormChoice,
    PageOption,
    PlotsOption,
    command_line,
    explained,
)
from tracewitness.cli.terminal import print_json, stdout
from tracewitness.cli.verbs import verb_app
from tracewitness.policy.rules import Policy
from tracewitness.policy.table import DecisionTable, compile_policy
from tracewitness.store.run_rows import run_rows
from tracewitness.values.digests import Digest
from tracewitness.values.plurals import plural
from tracewitness.wiring.policies import builtin_names, policy_by_digest

_LEAST_COMPARED = 2

app = verb_app(
    no_args_is_help=True,
    help="Measure stored audits, policies and judges against gold labels: tables with intervals, plots, a page.",
)


@app.command("score")
def score_stores(
    gold: GoldOption,
    stores: StoresArgument = None,
    policy: PoliciesOption = None,
    verdicts: Annotated[
        list[Path] | None,
        typer.Option("--verdicts", metavar="FILE", help="Results of a judge, see 'bench judge'; may be repeated."),
    ] = None,
    view: Annotated[list[View] | None, typer.Option("--view", help="Which tables [all].")] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            "--compare",
            metavar="METHOD",
            help="Compare these methods alone, so that p is corrected for their pairs alone; name two or more [all].",
        ),
    ] = None,
    split: SplitOption = None,
    side: SideOption = Side.TEST,
    form: FormChoice = Form.TERMINAL,
    output: OutputOption = None,
    plots: PlotsOption = None,
    page: PageOption = None,
    suspect: SuspectOption = False,
    with_controls: Annotated[bool, typer.Option("--controls/--no-controls", help="Trivial controls beside.")] = True,
    seed: SeedOption = SEED,
    quiet: QuietOption = False,
) -> None:
    """Score stored audits against labels, in both views, with intervals and paired comparisons.

    Every maker of audits is a method; so is every --policy on what was found, every file of --verdicts, people who saw
    the trace alone, and the trivial controls. No model is asked. What is left out is said, with the reason; a figure
    that the data cannot carry is a dash.
    """
    with guarded(), explained():
        if compare and len(set(compare)) < _LEAST_COMPARED:
            raise Stop("--compare: name two methods or more", ExitCode.USAGE)
        asked = Asked(stores or [None], gold, suspect, chosen_split(split), side)
        given = [read_verdicts(path) for path in verdicts or ()]
        replays = [chosen_policy(name) for name in policy or ()]
        with loaded(asked, quiet=quiet) as experiment:
            own = _own_policies(experiment, replays, quiet=quiet)
            compiled = compiled_policies(replays)
            wanted = Wanted(with_controls, compiled, own, given, seed, compare or ())
            scoring = Scoring(experiment, wanted)
            scoring.check()
            files = [*gold, *(verdicts or ())]
            inputs = Inputs(files, command_line(), seed, asked.split, side, given, refs_of(compiled))
            views = {*view, *([View.COMPARISON] if compare else [])} if view else set(View)
            tables = list(tables_of(scoring, tuple(views)))
            remarks = list(scoring.remarks())
            for remark in () if quiet else remarks:
                complain(remark)
            outcome = Outcome("Methods against gold labels", tables, plots_of(scoring), experiment, inputs, remarks)
            write_outcome(outcome, Destination(form, output, plots, page))


@app.command("policies")
def compare_policies(
    gold: GoldOption,
    stores: StoresArgument = None,
    policy: PoliciesOption = None,
    split: SplitOption = None,
    side: SideOption = Side.TEST,
    form: FormChoice = Form.TERMINAL,
    output: OutputOption = None,
    plots: PlotsOption = None,
    page: PageOption = None,
    suspect: SuspectOption = False,
    quiet: QuietOption = False,
) -> None:
    """Decide stored findings under any number of policies, and show what each costs: load against silent passes.

    Without --policy all built-in ones. Where a model voted, also with firmer votes, or higher token probabilities.
    """
    with guarded(), explained():
        asked = Asked(stores or [None], gold, suspect, chosen_split(split), side)
        compiled = compiled_policies([chosen_policy(name) for name in policy or builtin_names()])
        with loaded(asked, quiet=quiet) as experiment:
            scoring = Scoring(experiment, Wanted(policies=compiled))
            tables = list(tables_of(scoring, (View.POLICIES,)))
            inputs = Inputs(gold, command_line(), SEED, asked.split, side, policies=refs_of(compiled))
            outcome = Outcome("Policies on the same findings", tables, plots_of(scoring), experiment, inputs)
            write_outcome(outcome, Destination(form, output, plots, page))


app.command("calibrate")(calibrate_policy)
app.command("judge")(judge_runs)


@app.command("split")
def split_runs(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where the split is written.")],
    stores: StoresArgument = None,
    share: Annotated[float, typer.Option(help="The share of tasks to calibrate on.")] = 0.5,
    salt: Annotated[str, typer.Option(help="Another text gives another split.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Tell it as JSON.")] = False,
) -> None:
    """Put stored runs on two sides by a hash of their task text, and write that down before anything is scored."""
    with guarded(), explained():
        tasks: dict[str, str] = {}
        for address in stores or [None]:
            with opened_store(address) as store:
                tasks |= {row.run_id: row.task_key or row.run_id for row in run_rows(store)}
        if not tasks:
            raise Stop("the stores hold no audits", ExitCode.NOTHING_AUDITED)
        split = split_by_task(tasks, share, salt)
        write_split(split, output)
        sides = len(split.calibration), len(split.test)
        if as_json:
            told = {"calibration": sides[0], "test": sides[1], "digest": split.digest}
            print_json({"output": str(output), **told})
        else:
            counts = f"{plural(sides[0], 'run')} to calibrate on, {sides[1]} to test on"
            stdout().print(f"{counts}; {split.digest}", soft_wrap=True)


def _own_policies(experiment: Experiment, extra: Sequence[Policy], *, quiet: bool) -> Mapping[Digest, DecisionTable]:
    """Return the policies that stored audits were decided under, and say which are not at hand."""
    found: dict[Digest, DecisionTable] = {}
    for one in experiment.audited:
        digest = one.makers.policy_digest
        known = policy_by_digest(digest, *extra)
        if known is not None and digest not in found:
            found[digest] = compile_policy(known)
        elif known is None and not quiet:
            complain(f"{one.name}: its policy is not at hand (--policy FILE), so it is in no view by gold claims")
    return found

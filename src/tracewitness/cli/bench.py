"""``tracewitness bench``: stored audits against gold labels."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from tracewitness.benchmark.gold import read_gold
from tracewitness.benchmark.loading import Experiment, load
from tracewitness.benchmark.scores import SEED
from tracewitness.benchmark.scoring import View, tables_of
from tracewitness.benchmark.splits import split_by_task, write_split
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.options import QuietOption
from tracewitness.cli.stores import opened_store
from tracewitness.cli.tabled import Form, explained, write_tables
from tracewitness.cli.terminal import print_json, stdout
from tracewitness.cli.verbs import verb_app
from tracewitness.store.run_rows import run_rows
from tracewitness.values.plurals import plural

app = verb_app(no_args_is_help=True)


StoresArgument = Annotated[
    list[str] | None, typer.Argument(metavar="[STORE...]", help="Stores of audits [the default store].")
]
GoldOption = Annotated[
    list[Path],
    typer.Option(
        "--gold",
        metavar="FILE",
        help="Labels: gold.jsonl, AgentRewardBench annotations (.csv), Online-Mind2Web human labels (.json).",
    ),
]


@app.command("score")
def score_stores(
    gold: GoldOption,
    stores: StoresArgument = None,
    view: Annotated[list[View] | None, typer.Option("--view", help="Which tables [all].")] = None,
    form: Annotated[Form, typer.Option("--form", help="How tables are written.")] = Form.TERMINAL,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write.")] = None,
    suspect: Annotated[bool, typer.Option("--suspect", help="Keep runs whose task or checker is suspect.")] = False,
    with_controls: Annotated[bool, typer.Option("--controls/--no-controls", help="Trivial controls beside.")] = True,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the bootstrap.")] = SEED,
    quiet: QuietOption = False,
) -> None:
    """Score every maker of stored audits against labels, in both views, with intervals and paired comparisons.

    No model is asked. What is left out is said, with the reason; a figure that the data cannot carry is a dash.
    """
    with guarded(), explained():
        experiment = _loaded(stores or [None], gold, suspect=suspect)
        if not quiet:
            for remark in experiment.remarks:
                complain(remark)
        write_tables(
            list(tables_of(experiment, view or tuple(View), with_controls=with_controls, seed=seed)), form, output
        )


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


def _loaded(addresses: Sequence[str | None], gold: Sequence[Path], *, suspect: bool) -> Experiment:
    labels = read_gold(*gold)
    with ExitStack() as stack:
        return load([stack.enter_context(opened_store(address)) for address in addresses], labels, suspect=suspect)

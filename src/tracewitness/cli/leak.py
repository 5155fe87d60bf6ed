"""``tracewitness leak``: does the agent's report bias a judge?"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from tracewitness.asking.vote import RUNS
from tracewitness.benchmark.leakage.analysis import analyse
from tracewitness.benchmark.leakage.plan import Plan, kept_showings, read_plan, write_plan
from tracewitness.benchmark.leakage.tables import leakage_tables
from tracewitness.benchmark.leakage.telling import leakage_made_of, leakage_plots
from tracewitness.benchmark.scores import SEED
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.judged import Judging, foresee, unsaid, working_folder
from tracewitness.cli.model_options import (
    AgreeOption,
    AtOnceOption,
    BudgetTokensOption,
    BudgetUsdOption,
    CallTimeoutOption,
    DryRunOption,
    ImagesOption,
    JudgeEveryRunOption,
    JudgeModelOption,
    JudgeRetryFailedOption,
    LogitThresholdOption,
    OcrOption,
    PriceOption,
    RecordOption,
    ReplayAnswersOption,
    RunsOption,
    TemperatureOption,
    ThinkingOption,
    VoteOption,
    WindowOption,
    chosen_models,
    named_models,
    read_price,
)
from tracewitness.cli.options import FormatOption, QuietOption, chosen_formats
from tracewitness.cli.stores import opened_store
from tracewitness.cli.tabled import (
    Destination,
    Form,
    FormChoice,
    PageOption,
    PlotsOption,
    Told,
    command_line,
    explained,
    write_told,
)
from tracewitness.cli.verbs import verb_app
from tracewitness.intake.errors import IntakeFailure
from tracewitness.judges.book import Book, BookError, read_judgements
from tracewitness.judges.builtin import JUDGES
from tracewitness.judges.judgement import Judgement
from tracewitness.judges.showing import Showing
from tracewitness.trace_side.window import DEFAULT_BUDGET
from tracewitness.wiring.choices import AT_ONCE, CALL_SECONDS, IMAGES, LOGIT_THRESHOLD, VoteKind
from tracewitness.wiring.experiment import Draw, Sources, planned, runs_of

app = verb_app(
    no_args_is_help=True,
    help="Does the agent's report bias a judge? The same judge, the same traces, with and without it.",
)

PLAN = "plan.json"
JUDGEMENTS = "judgements.jsonl"
ANSWERS = "answers.db"

_SHOWINGS = (Showing.BLIND, Showing.REPORT, Showing.NARRATION)

FolderOption = Annotated[
    Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where the experiment is kept; one there goes on.")
]


@app.command("run")
def run_experiment(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders or patterns that hold runs.")],
    gold: Annotated[list[Path], typer.Option("--gold", metavar="FILE", help="Labels of the runs; see 'bench score'.")],
    output: FolderOption,
    judge: Annotated[
        str, typer.Option("--judge", metavar="NAME", help=f"The judge: {', '.join(JUDGES)}.")
    ] = "claim-aware",
    show: Annotated[
        list[Showing] | None,
        typer.Option("--show", help="What stands beside task and trace [blind, report, narration; or as planned]."),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(min=2, metavar="N", help="Draw N runs: half misreports, each source alike."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed draws other runs.")] = 0,
    all_claims: Annotated[
        bool, typer.Option("--all-claims", help="Also runs whose report does not claim success.")
    ] = False,
    suspect: Annotated[bool, typer.Option("--suspect", help="Keep runs whose task or checker is suspect.")] = False,
    form: FormChoice = Form.TERMINAL,
    plots: PlotsOption = None,
    page: PageOption = None,
    format_name: FormatOption = None,
    quiet: QuietOption = False,
    model: JudgeModelOption = None,
    votes: RunsOption = RUNS,
    agree: AgreeOption = None,
    every_run: JudgeEveryRunOption = False,
    vote: VoteOption = VoteKind.MAJORITY,
    logit_threshold: LogitThresholdOption = LOGIT_THRESHOLD,
    thinking: ThinkingOption = None,
    temperature: TemperatureOption = None,
    window_tokens: WindowOption = DEFAULT_BUDGET,
    images: ImagesOption = IMAGES,
    ocr: OcrOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_tokens: BudgetTokensOption = None,
    price: PriceOption = None,
    at_once: AtOnceOption = AT_ONCE,
    call_timeout: CallTimeoutOption = CALL_SECONDS,
    dry_run: DryRunOption = False,
    record: RecordOption = None,
    replay_answers: ReplayAnswersOption = None,
    retry_failed: JudgeRetryFailedOption = False,
) -> None:
    """Let one judge read the same traces with the agent's words beside them and without, and compare.

    What it would cost is said first; --dry-run stops there. The plan is written down before anything is asked. An
    interrupted experiment goes on where it stopped, and no call is paid for twice.
    """
    with guarded(), explained(), ExitStack() as stack:
        if judge not in JUDGES:
            raise Stop(f"--judge: there is no {judge!r}; there are {', '.join(JUDGES)}", ExitCode.USAGE)
        named, _ = named_models(model, None, None)
        choice = chosen_models(
            report=named,
            trace=named,
            extractor=None,
            runs=votes,
            agree=agree,
            early_stop=not every_run,
            vote=vote,
            logit_threshold=logit_threshold,
            thinking=thinking,
            temperature=temperature,
            window_tokens=window_tokens,
            images=images,
            ocr=ocr,
            admit_narration=False,
            budget_usd=budget_usd,
            budget_tokens=budget_tokens,
            price=read_price(price),
            at_once=at_once,
            call_seconds=call_timeout,
            record=record,
            replay=replay_answers,
        )
        if not choice.asks:
            raise Stop("a judge needs a model (--model NAME)", ExitCode.USAGE)
        sources = Sources(paths, chosen_formats(format_name), gold, format_name)
        showings = _showings(show or (), output / PLAN, quiet=quiet)
        plan = planned(sources, judge, showings, Draw(sample, seed, suspect, all_claims), _complain)
        seats = [(JUDGES[judge], showing) for showing in showings]
        kept = stack.enter_context(opened_store(str(output / ANSWERS), create=True)) if output.is_dir() else None
        say = typer.echo if dry_run else complain
        foresee(choice, seats, runs_of(plan, sources), kept, say if dry_run or not quiet else unsaid)
        if dry_run:
            raise typer.Exit(ExitCode.CLEAR)
        store = kept or stack.enter_context(opened_store(str(working_folder(output) / ANSWERS), create=True))
        with opened_book(output / JUDGEMENTS) as book:
            judging = Judging(choice, seats, store, book, retry_failed, quiet)
            runs = runs_of(plan, sources)
            whole = judging.judge(
                runs, len(plan.runs), lambda court: write_plan(plan.by(court.benches[0]), output / PLAN)
            )
        _show(output, Destination(form, None, plots, page))
        raise typer.Exit(ExitCode.CLEAR if whole else ExitCode.INTERNAL)


@app.command("show")
def show_experiment(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of an experiment.")],
    form: FormChoice = Form.TERMINAL,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write.")] = None,
    plots: PlotsOption = None,
    page: PageOption = None,
) -> None:
    """Make the tables of an experiment again. No model is asked, and no run is read."""
    with guarded(), explained():
        _show(folder, Destination(form, output, plots, page))


def _show(folder: Path, destination: Destination) -> None:
    plan = read_plan(folder / PLAN)
    found = analyse(plan.runs, said_by_showing(plan, folder / JUDGEMENTS), SEED)
    title = f"Does what the agent says bias the judge {plan.judge}?"
    tables = list(leakage_tables(plan, found))
    made_of = list(leakage_made_of(plan, command_line()))
    write_told(Told(title, tables, leakage_plots(found), made_of), destination)


def _showings(asked: Sequence[Showing], plan: Path, *, quiet: bool) -> tuple[Showing, ...]:
    """Return what judges are shown: all that is planned already, and what is asked for; blind is always among it.

    An arm may be added to an experiment later. One that is planned is never dropped, whatever is asked for.
    """
    kept = kept_showings(plan)
    showings = tuple(dict.fromkeys((Showing.BLIND, *kept, *(asked or kept or _SHOWINGS))))
    if kept and asked and not quiet and not set(showings) == {Showing.BLIND, *asked}:
        complain(f"{plan}: shows {', '.join(kept)} already; goes on with {', '.join(showings)}")
    return showings


def said_by_showing(plan: Plan, path: Path) -> Mapping[Showing, Mapping[str, Judgement]]:
    """Return what was judged so far of the runs of a plan, by showing; the latest where there are several.

    Raises:
        Stop: The judgements cannot be read.
    """
    wanted = {run.run_id for run in plan.runs}
    made_by = plan.maker.digest if plan.maker is not None else None
    said: dict[Showing, dict[str, Judgement]] = {showing: {} for showing in plan.showings}
    try:
        for one in read_judgements(path):
            if one.run_id in wanted and one.key.makers == made_by and one.key.showing in said:
                said[one.key.showing][one.run_id] = one
    except BookError as error:
        raise Stop(str(error), ExitCode.NOTHING_AUDITED) from error
    return said


def opened_book(path: Path) -> Book:
    """Open a file of judgements.

    Raises:
        Stop: It cannot be used.
    """
    try:
        return Book(path)
    except BookError as error:
        raise Stop(str(error), ExitCode.NOTHING_AUDITED) from error


def _complain(failure: IntakeFailure) -> None:
    complain(failure.line())

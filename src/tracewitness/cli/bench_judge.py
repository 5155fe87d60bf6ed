"""``tracewitness bench judge``: what a judge says of runs, as verdicts for ``bench score``."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from tracewitness.asking.vote import RUNS
from tracewitness.auditing.one_run import Run, is_audited, read_report_alone
from tracewitness.auditing.setup import Setup
from tracewitness.benchmark.judged import verdicts_of
from tracewitness.benchmark.verdicts import check_place, write_verdicts
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.judged import Judging, foresee, unsaid, working_folder
from tracewitness.cli.leak import ANSWERS, JUDGEMENTS, opened_book
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
from tracewitness.cli.tabled import explained
from tracewitness.findings.labels import Claim
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.registry import Registry
from tracewitness.intake.triage import triage
from tracewitness.judges.builtin import JUDGES
from tracewitness.judges.judgement import Judgement
from tracewitness.judges.showing import Showing
from tracewitness.trace_side.window import DEFAULT_BUDGET
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.choices import AT_ONCE, CALL_SECONDS, IMAGES, LOGIT_THRESHOLD, VoteKind
from tracewitness.wiring.inputs import read_inputs
from tracewitness.wiring.judging import Court
from tracewitness.wiring.policies import find_policy


def judge_runs(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders or patterns that hold runs.")],
    judge: Annotated[str, typer.Option("--judge", metavar="NAME", help=f"The judge: {', '.join(JUDGES)}.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where the verdicts are written (.jsonl).")
    ],
    show: Annotated[
        Showing | None, typer.Option("--show", help="What stands beside task and trace [as the judge's source has it].")
    ] = None,
    work: Annotated[
        Path | None,
        typer.Option("--work", metavar="FOLDER", help="Where answers are kept, so none is paid twice [FILE.work]."),
    ] = None,
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
    """Ask a judge about runs and write down what it says, for 'bench score --verdicts'.

    Judged are the runs that an audit would audit. What the judge makes of the trace is put together with the claim,
    which is read from the report alone, by rules. What it would cost is said first; --dry-run stops there. An
    interrupted start goes on where it stopped.
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
        check_place(output)
        targets = _Targets(paths, chosen_formats(format_name), format_name)
        folder = work or output.with_name(f"{output.name}.work")
        seats = [(JUDGES[judge], show or JUDGES[judge].shows)]
        kept = stack.enter_context(opened_store(str(folder / ANSWERS), create=True)) if folder.is_dir() else None
        say = typer.echo if dry_run else complain
        foresee(choice, seats, targets.runs(), kept, say if dry_run or not quiet else unsaid)
        if dry_run:
            raise typer.Exit(ExitCode.CLEAR)
        store = kept or stack.enter_context(opened_store(str(working_folder(folder) / ANSWERS), create=True))
        courts: list[Court] = []
        said: list[Judgement] = []
        with opened_book(folder / JUDGEMENTS) as book:
            judging = Judging(choice, seats, store, book, retry_failed, quiet)
            whole = judging.judge(targets.runs(), len(targets.claims), courts.append, said.append)
        write_verdicts(verdicts_of(courts[0].benches[0], said, targets.claims), output)
        raise typer.Exit(ExitCode.CLEAR if whole else ExitCode.INTERNAL)


class _Targets:
    """The runs that an audit would audit, and what their reports claim."""

    def __init__(self, paths: list[str], registry: Registry, format_name: str | None) -> None:
        self._paths = paths
        self._registry = registry
        self._format_name = format_name
        self._setup: Setup = rules_setup(find_policy("paper"))
        self._told = False
        self.claims: dict[str, Claim] = {}

    def runs(self) -> Iterator[Run]:
        """Yield them, anew at every call; what cannot be read is told at the first."""
        for run in read_inputs(self._paths, self._registry, format_name=self._format_name):
            if isinstance(run, IntakeFailure):
                if not self._told:
                    complain(run.line())
            elif is_audited(triage(run), self._setup):
                if run.run_id not in self.claims:
                    self.claims[run.run_id] = read_report_alone(run, self._setup).reading.finding.claim
                yield run
        self._told = True

"""``tracewitness audit``: which success reports do the traces not support?"""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tracewitness.asking.vote import RUNS
from tracewitness.auditing.many_runs import Sharing, audit_many
from tracewitness.auditing.outcome import Audit, Audited
from tracewitness.auditing.results import result_json
from tracewitness.auditing.summary import Summary
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.model_options import (
    AdmitOption,
    AgreeOption,
    AtOnceOption,
    BudgetTokensOption,
    BudgetUsdOption,
    CallTimeoutOption,
    DryRunOption,
    EveryRunOption,
    ExtractorOption,
    ImagesOption,
    LogitThresholdOption,
    ModelOption,
    OcrOption,
    PriceOption,
    RecordOption,
    ReplayAnswersOption,
    ReportModelOption,
    RetryFailedOption,
    RunsOption,
    TemperatureOption,
    ThinkingOption,
    TraceModelOption,
    VoteOption,
    WindowOption,
    admitted,
    chosen_models,
    named_models,
    read_price,
)
from tracewitness.cli.options import (
    EvidenceOption,
    FormatOption,
    JsonOption,
    PolicyOption,
    QuietOption,
    StoreOption,
    TaskOption,
    TasksOption,
    chosen_formats,
    chosen_policy,
    chosen_tasks,
    warn_if_unsound,
)
from tracewitness.cli.progress import progress
from tracewitness.cli.remarks import Remarks
from tracewitness.cli.showing import AuditRow, print_audits, print_summary, row_of
from tracewitness.cli.sources import Sources
from tracewitness.cli.stores import opened_store
from tracewitness.cli.terminal import print_json, stdout
from tracewitness.cli.verbs import verb_app
from tracewitness.findings.labels import Disposition
from tracewitness.intake.discover import Skipped
from tracewitness.intake.errors import FailureKind, IntakeFailure
from tracewitness.policy.rules import Policy
from tracewitness.store.store import Store
from tracewitness.trace_side.window import DEFAULT_BUDGET
from tracewitness.values.plurals import plural
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.choices import AT_ONCE, CALL_SECONDS, IMAGES, LOGIT_THRESHOLD, ModelChoice, VoteKind
from tracewitness.wiring.inputs import read_inputs

if TYPE_CHECKING:
    from tracewitness.cli.asked import Asked

app = verb_app()

_SECONDS_PER_RUN = 120.0

WideOption = Annotated[bool, typer.Option("--wide", help="Print run ids in full and lines of any length.")]


@dataclass(slots=True)
class _Seen:
    """What went by in a batch, decided by a policy."""

    policy: Policy
    evidence: str | None = None
    summary: Summary = field(default_factory=Summary)
    rows: list[AuditRow] = field(default_factory=list[AuditRow])
    formats: Counter[str] = field(default_factory=Counter[str])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    told: int = 0
    remarks: Remarks = field(default_factory=Remarks)
    broken_reader: bool = False

    def add(self, outcome: Audit) -> None:
        if isinstance(outcome, IntakeFailure):
            self.broken_reader |= outcome.kind is FailureKind.INTERNAL
            self.summary.add(outcome)
            return
        self.summary.add(outcome.record, resumed=outcome.resumed)
        self.remarks.add(outcome.record)
        self.formats[outcome.record.makers.format_name] += 1
        if (row := row_of(outcome.record, self.policy)) is not None:
            self.rows.append(row)

    def tell_skipped(self) -> None:
        """Print the files that were skipped since this was last asked for."""
        for one in self.skipped[self.told :]:
            print_json({"type": "skipped", "path": one.path, "why": one.why})
        self.told = len(self.skipped)

    def exit_code(self, *, strict: bool) -> ExitCode:
        """Return the code of the batch: an unusable input or, if strict, an open run never leaves it at 0."""
        if self.summary.dispositions[Disposition.FLAG]:
            return ExitCode.FLAGGED
        if self.summary.dispositions[Disposition.REVIEW]:
            return ExitCode.TO_REVIEW
        if self.broken_reader:
            return ExitCode.INTERNAL
        if self.summary.failures or not self.summary.audited or (strict and self.summary.unsettled):
            return ExitCode.NOTHING_AUDITED
        return ExitCode.CLEAR


@app.command()
def audit(
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files, folders or patterns that hold runs.")],
    policy: PolicyOption = None,
    store: StoreOption = None,
    no_store: Annotated[bool, typer.Option("--no-store", help="Keep no records.")] = False,
    json_lines: JsonOption = False,
    audit_all: Annotated[bool, typer.Option("--audit-all", help="Audit also settled and not auditable runs.")] = False,
    task: TaskOption = None,
    tasks: TasksOption = None,
    evidence: EvidenceOption = None,
    format_name: FormatOption = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes [one; all processors once a batch takes longer].")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Audit at most so many runs.")] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="SECONDS",
            help="Give up a run that takes longer, as REVIEW; 0 for no limit [120; no limit where models are asked].",
        ),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Audit again what is in the store already.")] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Exit code 3 instead of 0 where a run was not auditable or settled as failed."),
    ] = False,
    wide: WideOption = False,
    quiet: QuietOption = False,
    model: ModelOption = None,
    report_model: ReportModelOption = None,
    trace_model: TraceModelOption = None,
    extractor: ExtractorOption = None,
    votes: RunsOption = RUNS,
    agree: AgreeOption = None,
    every_run: EveryRunOption = False,
    vote: VoteOption = VoteKind.MAJORITY,
    logit_threshold: LogitThresholdOption = LOGIT_THRESHOLD,
    thinking: ThinkingOption = None,
    temperature: TemperatureOption = None,
    window_tokens: WindowOption = DEFAULT_BUDGET,
    images: ImagesOption = IMAGES,
    ocr: OcrOption = None,
    admit: AdmitOption = None,
    budget_usd: BudgetUsdOption = None,
    budget_tokens: BudgetTokensOption = None,
    price: PriceOption = None,
    at_once: AtOnceOption = AT_ONCE,
    call_timeout: CallTimeoutOption = CALL_SECONDS,
    dry_run: DryRunOption = False,
    record: RecordOption = None,
    replay_answers: ReplayAnswersOption = None,
    retry_failed: RetryFailedOption = False,
) -> None:
    """Audit runs: which success reports do their traces not support?

    With --json: one JSON object a line, of type run, failure or skipped (a file in a folder that holds no run), and a
    last one of type summary.

    Exit code 10: a run got FLAG. 11: none did, and a run got REVIEW. Otherwise 1 where a reader broke down; 3 where an
    input or the store could not be used, or no run was audited; and 0 only where every input was used and every audited
    run got PASS. Runs that triage settles or finds not auditable leave the code alone; with --strict it is 3 instead of
    0 where one was not auditable or was failed by an independent check.
    """
    with guarded(), ExitStack() as stack:
        chosen, registry = chosen_policy(policy), chosen_formats(format_name)
        warn_if_unsound(chosen)
        report, trace = named_models(model, report_model, trace_model)
        choice = chosen_models(
            report=report,
            trace=trace,
            extractor=extractor,
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
            admit_narration=admitted(admit),
            budget_usd=budget_usd,
            budget_tokens=budget_tokens,
            price=read_price(price),
            at_once=at_once,
            call_seconds=call_timeout,
            record=record,
            replay=replay_answers,
        )
        kept = None if no_store or dry_run else stack.enter_context(opened_store(store, create=True))
        seen = _Seen(chosen, None if evidence is None else str(evidence))
        runs = read_inputs(
            paths,
            registry,
            format_name=format_name,
            task=task,
            tasks=chosen_tasks(tasks),
            evidence=evidence,
            limit=limit,
            on_skipped=seen.skipped.append,
        )
        seconds = (None if choice.needs_models else _SECONDS_PER_RUN) if timeout is None else timeout or None
        if not choice.needs_models:
            factory = partial(rules_setup, chosen, audit_all, seconds)
            outcomes = audit_many(runs, factory(), store=kept, fresh=fresh, sharing=Sharing(jobs, factory))
            asked = None
        else:
            # Loaded here, so that audits by rules start as fast as if there were no models.
            from tracewitness.cli.asked import Terms, ask_models  # noqa: PLC0415

            terms = Terms(chosen, kept, audit_all, seconds, rehearse=dry_run)
            asked = ask_models(runs, choice, terms, stack, fresh=fresh, retry_failed=retry_failed, quiet=quiet)
            outcomes = asked.outcomes
        if dry_run:
            readable = _foresee(asked, choice, json_lines=json_lines)
            raise typer.Exit(ExitCode.CLEAR if readable else ExitCode.NOTHING_AUDITED)
        _go_through(outcomes, seen, paths, json_lines=json_lines, quiet=quiet)
        _finish(seen, kept, asked, json_lines=json_lines, quiet=quiet, wide=wide)
        raise typer.Exit(seen.exit_code(strict=strict))


def _foresee(asked: "Asked | None", choice: ModelChoice, *, json_lines: bool) -> bool:
    if asked is None:
        raise Stop("--dry-run says what models would cost; name one with --model")
    return asked.foresee(choice.voting.asked, json_lines=json_lines)


def _go_through(outcomes: Iterator[Audit], seen: _Seen, paths: list[str], *, json_lines: bool, quiet: bool) -> None:
    sources = Sources.of(paths, lambda line: None if quiet else complain(line))
    with progress(paths, quiet=quiet) as advance:
        for outcome in outcomes:
            seen.add(outcome)
            if isinstance(outcome, Audited):
                sources.add(outcome.record.origin_path, outcome.record.makers.format_name)
            advance(outcome.path if isinstance(outcome, IntakeFailure) else outcome.record.origin_path)
            if isinstance(outcome, IntakeFailure):
                complain(outcome.line())
            if json_lines:
                print_json(_json(outcome))
                seen.tell_skipped()
        sources.finish()
    if json_lines:
        seen.tell_skipped()


def _json(outcome: Audit) -> dict[str, object]:
    if isinstance(outcome, Audited):
        return {"type": "run", **result_json(outcome.record), "resumed": outcome.resumed}
    return {
        "type": "failure",
        "kind": outcome.kind,
        "path": outcome.path,
        "where": outcome.where,
        "problem": outcome.problem,
        "remedy": outcome.remedy,
        "run_id": outcome.run_id,
        **({"tried": dict(outcome.tried)} if outcome.tried else {}),
    }


def _finish(
    seen: _Seen, store: Store | None, asked: "Asked | None", *, json_lines: bool, quiet: bool, wide: bool
) -> None:
    place = store.place if store is not None else None
    if asked is not None:
        asked.say_what_stopped()
    if json_lines:
        spent = {} if asked is None else {"spent": asked.spent_json()}
        told = {
            **seen.summary.to_json(),
            "skipped": len(seen.skipped),
            "formats": dict(seen.formats),
            "store": place,
            **spent,
        }
        print_json({"type": "summary", **told})
        return
    if quiet:
        return
    if asked is not None:
        asked.say_why_not()
    _say_what_was_read(seen)
    console = stdout(wide=wide)
    print_audits(console, seen.rows, wide=wide)
    seen.remarks.not_audited.tell(lambda text: console.print(Text(text), soft_wrap=True))
    print_summary(console, seen.summary)
    if asked is not None:
        console.print(Text(f"spent: {asked.spent()}"), soft_wrap=True)
    if place is not None and seen.rows:
        console.print(f"kept in {place}; `tracewitness explain RUN` shows why", soft_wrap=True)


def _say_what_was_read(seen: _Seen) -> None:
    took = ", ".join(f"{count} as {name}" for name, count in sorted(seen.formats.items()))
    if took:
        typer.echo(f"tracewitness: runs taken: {took}", err=True)
    seen.remarks.missing_files.tell(complain, "runs with missing files")
    seen.remarks.tell_pressing(complain, seen.evidence, seen.formats.total())
    if seen.skipped:
        first = seen.skipped[0]
        rest = " (--json lists them)" if len(seen.skipped) > 1 else ""
        complain(f"{plural(len(seen.skipped), 'file')} left alone{rest}, such as {first.path}: {first.why}")
    sys.stderr.flush()

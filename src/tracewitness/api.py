"""The library's face: audit runs from Python, synchronously and asynchronously, with typed results."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack, ExitStack
from os import PathLike
from typing import TypeAlias, overload

from tracewitness.asking.budget import Budget, Stopped
from tracewitness.auditing.many_runs import Pace, audit_many, audit_many_async
from tracewitness.auditing.one_run import Run
from tracewitness.auditing.outcome import Audit, Item
from tracewitness.auditing.results import AuditBatch, AuditInputError, AuditResult
from tracewitness.auditing.summary import Summary
from tracewitness.intake.errors import IntakeError, IntakeFailure
from tracewitness.policy.rules import Policy
from tracewitness.store.store import Store, open_store
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.choices import ModelChoice
from tracewitness.wiring.formats import known_formats
from tracewitness.wiring.inputs import known_tasks, read_inputs
from tracewitness.wiring.policies import find_policy
from tracewitness.wiring.settings import capabilities_file

Path: TypeAlias = str | PathLike[str]


@overload
def audit(
    source: Run,
    *,
    policy: str | Policy = ...,
    store: Path | Store | None = ...,
    audit_all: bool = ...,
    fresh: bool = ...,
    models: str | ModelChoice | None = ...,
) -> AuditResult: ...
@overload
def audit(
    source: Path | Sequence[Path],
    *,
    policy: str | Policy = ...,
    store: Path | Store | None = ...,
    audit_all: bool = ...,
    fresh: bool = ...,
    models: str | ModelChoice | None = ...,
    task: str | None = ...,
    tasks: Path | None = ...,
    evidence: Path | None = ...,
    format_name: str | None = ...,
) -> AuditBatch: ...
def audit(
    source: Run | Path | Sequence[Path],
    *,
    policy: str | Policy = "default",
    store: Path | Store | None = None,
    audit_all: bool = False,
    fresh: bool = False,
    models: str | ModelChoice | None = None,
    task: str | None = None,
    tasks: Path | None = None,
    evidence: Path | None = None,
    format_name: str | None = None,
) -> AuditResult | AuditBatch:
    """Audit a run, or all runs that files, folders or patterns hold.

    Args:
        source: A run (from ``tracewitness.testing.RunBuilder`` or a format's reader), a path, or several paths.
        policy: The name of a built-in policy, the path of a policy file, or a policy.
        store: Where records are kept: a path, an SQLAlchemy URL or an open store; None keeps none. What is in the store
            already is not audited again.
        audit_all: Audit also settled and not auditable runs.
        fresh: Audit again what is in the store already.
        models: The name of a model that reads reports and traces (``openai:gpt-5-mini``,
            ``http://127.0.0.1:8080/v1#NAME``, ``local:FILE.gguf``), or a whole choice; None for rules.
        task: The instruction, for logs that do not hold one.
        tasks: A folder of task files named after the id of their task, or a JSON file of instructions by id, for logs
            that name their task and do not hold it.
        evidence: A browser's trace of the same run (Playwright's ``trace.zip``), whose pages are joined by time to the
            steps of the logs; by default ``<stem>.trace.zip`` or ``trace.zip`` beside a log.
        format_name: Take every path as this format, without asking.

    Returns:
        One result for a run; for paths a batch: a sequence of results, with the inputs that could not be read in
        ``failures`` and the counts in ``summary``.

    Raises:
        AuditInputError: No run could be read from any of the paths; its ``failures`` say why.
        UnknownPolicyError: There is no such policy.
        PolicyError: The policy file is badly written.
        StoreError: The store cannot be opened or written.
        ChoiceError: A choice about models cannot be met.
        ModelError: A model cannot be asked: its name is none, a key or a package is missing, it is out of reach.
        RuntimeError: A model is to be asked from within a running event loop, where only ``audit_async`` can.
    """
    chosen, choice = _policy(policy), _choice(models)
    if choice is not None and _in_a_running_loop():
        raise RuntimeError(
            "models cannot be asked by audit() inside a running event loop, such as a notebook's; "
            "use `await audit_async(...)` there"
        )
    items, stopped = _items(source, task, tasks, evidence, format_name), None
    with ExitStack() as stack:
        kept = _opened(store, stack)
        if choice is None:
            outcomes = list(audit_many(items, rules_setup(chosen, audit_all), store=kept, fresh=fresh))
        else:
            # Loaded here and below, so that audits by rules start as fast as if there were no models.
            from tracewitness.wiring.driving import Terms, model_batch  # noqa: PLC0415

            batch = stack.enter_context(model_batch(choice, Terms(chosen, kept, audit_all)))
            outcomes = list(batch.audit(items, fresh=fresh))
            stopped = batch.auditor.budget.stopped
    return _results(source, outcomes, chosen, stopped)


@overload
async def audit_async(
    source: Run,
    *,
    policy: str | Policy = ...,
    store: Path | Store | None = ...,
    audit_all: bool = ...,
    fresh: bool = ...,
    models: str | ModelChoice | None = ...,
) -> AuditResult: ...
@overload
async def audit_async(
    source: Path | Sequence[Path],
    *,
    policy: str | Policy = ...,
    store: Path | Store | None = ...,
    audit_all: bool = ...,
    fresh: bool = ...,
    models: str | ModelChoice | None = ...,
    task: str | None = ...,
    tasks: Path | None = ...,
    evidence: Path | None = ...,
    format_name: str | None = ...,
) -> AuditBatch: ...
async def audit_async(
    source: Run | Path | Sequence[Path],
    *,
    policy: str | Policy = "default",
    store: Path | Store | None = None,
    audit_all: bool = False,
    fresh: bool = False,
    models: str | ModelChoice | None = None,
    task: str | None = None,
    tasks: Path | None = None,
    evidence: Path | None = None,
    format_name: str | None = None,
) -> AuditResult | AuditBatch:
    """Audit inside a running event loop; otherwise equal to ``audit``."""
    chosen, choice = _policy(policy), _choice(models)
    async with AsyncExitStack() as stack:
        kept = store if store is None or isinstance(store, Store) else stack.enter_context(open_store(str(store)))
        setup, pace, budget = rules_setup(chosen, audit_all), Pace(), Budget()
        if choice is not None:
            from tracewitness.wiring.models import Terms, opened_models  # noqa: PLC0415

            auditor = await stack.enter_async_context(opened_models(choice, Terms(chosen, kept, audit_all)))
            setup, budget = auditor.setup, auditor.budget
            pace = Pace(choice.at_once, lambda: budget.stopped is not None)
        items = _items(source, task, tasks, evidence, format_name)
        outcomes = [outcome async for outcome in audit_many_async(items, setup, store=kept, fresh=fresh, pace=pace)]
    return _results(source, outcomes, chosen, budget.stopped)


def _choice(models: str | ModelChoice | None) -> ModelChoice | None:
    """Return the choice of models; None where nothing is asked."""
    choice = ModelChoice(models, models, capabilities=capabilities_file()) if isinstance(models, str) else models
    return choice if choice is not None and choice.needs_models else None


def _in_a_running_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _policy(policy: str | Policy) -> Policy:
    return policy if isinstance(policy, Policy) else find_policy(policy)


def _opened(store: Path | Store | None, stack: ExitStack) -> Store | None:
    if store is None or isinstance(store, Store):
        return store
    return stack.enter_context(open_store(str(store)))


def _items(
    source: Run | Path | Sequence[Path],
    task: str | None,
    tasks: Path | None,
    evidence: Path | None,
    format_name: str | None,
) -> Iterable[Item]:
    if isinstance(source, Run):
        return (source,)
    paths = [str(path) for path in ([source] if isinstance(source, str | PathLike) else source)]
    try:
        told = known_tasks(tasks)
    except IntakeError as error:
        raise AuditInputError([error.at(str(tasks)).failure()]) from error
    return read_inputs(paths, known_formats()[0], format_name=format_name, task=task, tasks=told, evidence=evidence)


def _results(
    source: Run | Path | Sequence[Path], outcomes: list[Audit], policy: Policy, stopped: Stopped | None
) -> AuditResult | AuditBatch:
    summary = Summary()
    results: list[AuditResult] = []
    failures: list[IntakeFailure] = []
    for outcome in outcomes:
        if isinstance(outcome, IntakeFailure):
            failures.append(outcome)
            summary.add(outcome)
        else:
            results.append(AuditResult(outcome.record, policy))
            summary.add(outcome.record, resumed=outcome.resumed)
    if isinstance(source, Run) and results:
        return results[0]
    if not results and stopped is None:
        raise AuditInputError(failures)
    return AuditBatch(tuple(results), tuple(failures), summary, stopped)


__all__ = ["audit", "audit_async"]

"""The extractor by a model, over the model port. It is shown the task and the window of the trace, nothing else.

What it is shown is without secrets, and what it quotes is looked for in the trace without secrets. (A picture is shown
as it is: secrets in pictures cannot be found.)

Its output type has no verdict. Each field is voted on over several runs; a field without a majority is UNKNOWN, and a
citation that does not hold in the trace degrades the field to UNKNOWN.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.fences import fence
from tracewitness.asking.port import Answer, Question, Side
from tracewitness.asking.prompts import Prompt, load_prompt
from tracewitness.asking.vote import VOTING, Ballots, Outcome, Spot, Voting, conduct
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.evidence_causes import EvidenceCause, Notice
from tracewitness.findings.labels import FieldValue, Language, TaskClass
from tracewitness.findings.records import Evidence, FieldFinding, TraceFinding
from tracewitness.language.detect import detect
from tracewitness.task_side.goal import Goal, Wanted
from tracewitness.task_side.task import Task
from tracewitness.trace_side.answer_form import ANSWER, FIELDS, VALUES, ToldPart, answer_schema, read_part
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.exhibits import NO_EXHIBITS, Exhibits
from tracewitness.trace_side.extraction import Extraction, Scribe
from tracewitness.trace_side.injection import find_judge_addressed
from tracewitness.trace_side.showing import Room, Shown, show
from tracewitness.trace_side.speakers import Bench, named_prose
from tracewitness.trace_side.trace import Trace
from tracewitness.trace_side.window import (
    DEFAULT_BUDGET,
    TokenCounter,
    WindowTooSmallError,
    rough_tokens,
)
from tracewitness.values.answer_words import answer_words
from tracewitness.values.answers import AnswerValue
from tracewitness.values.redaction import redact

Label: TypeAlias = FieldValue | tuple[AnswerValue, ...]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is asked about a trace.

    Attributes:
        voting: How labels are voted on.
        window_tokens: Most tokens of the window.
        count: Counts tokens, as the model does where that is known.
        pictures: Most pictures that go with a question; 0 where the model takes none.
        answer_tokens: Most tokens of an answer.
    """

    voting: Voting = VOTING
    window_tokens: int = DEFAULT_BUDGET
    count: TokenCounter = rough_tokens
    pictures: int = 0
    answer_tokens: int = 2000


_DEFAULTS = ModelOptions()


@dataclass(slots=True)
class _Asked:
    """What the model is shown, and what came back besides the fields."""

    shown: Shown
    scribe: Scribe = field(default_factory=Scribe)
    ballots: list[Ballots] = field(default_factory=list[Ballots])
    instructions: list[bool] = field(default_factory=list[bool])


@cache
def prompt() -> Prompt:
    """Return the prompt of the extractor."""
    return load_prompt("tracewitness.trace_side.prompts", "evidence-2.toml")


def extract(
    task: Task,
    goals: Sequence[Goal],
    task_class: TaskClass,
    trace: Trace,
    options: ModelOptions = _DEFAULTS,
    exhibits: Exhibits = NO_EXHIBITS,
) -> Dialogue[Extraction]:
    """Return the evidence that a model reads out of the window, one vote per part of the task.

    A model that cannot be asked, or whose answers do not parse, makes the finding unavailable, never a verdict. So does
    a task that does not fit the window.
    """
    try:
        asked = _Asked(show(task, trace, Room(options.window_tokens, options.count, options.pictures), exhibits))
    except WindowTooSmallError:
        notices = (Notice.JUDGE_ADDRESSED,) if find_judge_addressed(trace) else ()
        return Extraction(TraceFinding((), build_ledger(trace).gaps, notices, UnavailableCause.CONTEXT_OVERFLOW))
    parts: list[Evidence] = []
    for number, goal in enumerate(goals):
        if asked.shown.pictures.none_readable:
            parts.append(_unseen())
            continue
        evidence, cause = yield from _examine(goal, number, task_class, asked, options)
        if evidence is None:
            return _extraction((), asked, cause)
        parts.append(evidence)
    return _extraction(tuple(parts), asked)


def _examine(
    goal: Goal, number: int, task_class: TaskClass, asked: _Asked, options: ModelOptions
) -> Dialogue[tuple[Evidence | None, UnavailableCause | None]]:
    asks = goal.wanted is Wanted.ANSWER or task_class is TaskClass.QUERY
    language = detect(goal.text)
    shown = asked.shown
    bench = Bench(shown.trace, asked.scribe, shown.narration, shown.pictures.places)

    def read(answer: Answer) -> Sequence[Label | UnavailableCause]:
        return _labels(read_part(answer.value, language), asks, bench)

    def ask(run: int) -> Question:
        return _question(redact(goal.text, shown.known).text, task_class, shown, options, asks, run)

    outcomes = yield from conduct(options.voting, ask, read, _spots(asks), number)
    asked.ballots += [outcome.ballots for outcome in outcomes]
    asked.instructions.append(bench.saw_instructions)
    votes = [outcome.vote for outcome in outcomes]
    cause = next((vote.unavailable for vote in votes if vote.unavailable is not None), None)
    if cause is not None:
        return None, cause
    return _evidence(outcomes, bench, goal, language), None


def _labels(told: ToldPart | None, asks: bool, bench: Bench) -> Sequence[Label | UnavailableCause]:
    if told is None:
        return [UnavailableCause.SCHEMA_VIOLATION] * (len(FIELDS) + asks)
    bench.speakers.append(told)
    labels: list[Label | UnavailableCause] = [told.fields[name].value for name in FIELDS]
    return [*labels, told.answer.values] if asks else labels


def _answer_word(label: Label) -> str:
    return "; ".join(map(answer_words, label)) if isinstance(label, tuple) else str(label)


def _spots(asks: bool) -> list[Spot[Label]]:
    spots: list[Spot[Label]] = [Spot(name, (name, "value"), VALUES) for name in FIELDS]
    return [*spots, Spot(ANSWER, word=_answer_word)] if asks else spots


def _question(goal: str, task_class: TaskClass, shown: Shown, options: ModelOptions, asks: bool, run: int) -> Question:
    window = "\n".join(filter(None, (shown.window.text, shown.told)))
    return Question(
        side=Side.TRACE,
        prompt_id=prompt().prompt_id,
        system=prompt().system,
        user=prompt().fill(task_class=task_class.value, part=fence(goal, "task"), window=window),
        schema=answer_schema(asks, bool(shown.narration)),
        run_number=run,
        pictures=shown.pictures.pictures,
        answer_tokens=options.answer_tokens,
    )


def _evidence(outcomes: Sequence[Outcome[Label]], bench: Bench, goal: Goal, language: Language) -> Evidence:
    labels = {outcome.ballots.subject: outcome.vote.label for outcome in outcomes}
    action, target, transition, commitment, final_support, prior_state = (
        bench.finding(name, _value(labels[name])) for name in FIELDS
    )
    answers = labels.get(ANSWER)
    settled = bench.answers(answers, goal, language) if isinstance(answers, tuple) else ()
    return Evidence(action, target, transition, commitment, final_support, prior_state, settled)


def _value(label: Label | None) -> FieldValue | None:
    return label if isinstance(label, FieldValue) else None


def _unseen() -> Evidence:
    unknown = FieldFinding(FieldValue.UNKNOWN, EvidenceCause.NOT_VISIBLE)
    return Evidence(unknown, unknown, unknown, unknown, unknown, unknown)


def _extraction(parts: tuple[Evidence, ...], asked: _Asked, cause: UnavailableCause | None = None) -> Extraction:
    shown = asked.shown
    notices = {
        Notice.JUDGE_ADDRESSED: shown.warned,
        Notice.INSTRUCTIONS_SEEN: any(asked.instructions),
        Notice.NARRATION_ADMITTED: bool(shown.narration),
        Notice.PICTURES_LEFT_OUT: shown.pictures.left_out > 0,
    }
    finding = TraceFinding(parts, shown.gaps, tuple(notice for notice, given in notices.items() if given), cause)
    return Extraction(finding, named_prose(parts, asked.scribe.prose), tuple(asked.ballots))

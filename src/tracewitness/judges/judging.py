"""One judge on one run: a dialogue that yields questions and ends in a judgement."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.fences import fence
from tracewitness.asking.port import Answer, Question, Side
from tracewitness.asking.prompts import Prompt
from tracewitness.asking.vote import VOTING, Outcome, Spot, Voting, conduct
from tracewitness.auditing.screen_texts import ScreenTexts
from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.labels import TraceState
from tracewitness.intake.sealed import SealedRun
from tracewitness.judges.judge import Judge, points_schema, read_points
from tracewitness.judges.judgement import Judgement, Key
from tracewitness.judges.material import Material, material
from tracewitness.judges.showing import Showing
from tracewitness.trace_side.showing import Room
from tracewitness.trace_side.window import DEFAULT_BUDGET, TokenCounter, WindowTooSmallError, rough_tokens
from tracewitness.values.digests import Digest, digest_json
from tracewitness.values.redaction import redact

_VERDICT = "verdict"


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How a judge is asked.

    Attributes:
        voting: How verdicts are voted on.
        window_tokens: Most tokens of the window of the trace.
        count: Counts tokens, as the model does where that is known.
        pictures: Most pictures that go with a question; 0 where the model takes none.
        answer_tokens: Most tokens of an answer.
        texts: Gives the text of screenshots that have no other; None to do without.
    """

    voting: Voting = VOTING
    window_tokens: int = DEFAULT_BUDGET
    count: TokenCounter = rough_tokens
    pictures: int = 0
    answer_tokens: int = 600
    texts: ScreenTexts | None = None


@dataclass(frozen=True, slots=True)
class Bench:
    """Who judges: a judge with a model.

    Attributes:
        judge: The judge.
        showing: What stands beside the task and the trace.
        options: How it is asked.
        model: The name of the model.
        parameters: What else bears on its answers, as canonical JSON text.
    """

    judge: Judge
    showing: Showing
    options: JudgeOptions
    model: str
    parameters: str

    @property
    def makers(self) -> Digest:
        """Return the digest of everything that bears on what it says, apart from the run and what stands beside it."""
        voting = self.options.voting
        prompts = [[prompt.prompt_id, prompt.digest] for prompt in self.judge.prompts]
        # A vote that asks for no more than the majority is known as it always was, so that what it said is found again.
        vote = [voting.runs, voting.threshold, *([] if voting.agree is None else [voting.agree])]
        reader = self.options.texts.reader if self.options.texts is not None else None
        shown = [self.options.window_tokens, self.options.pictures, reader and [reader.name, reader.version]]
        return digest_json([prompts, self.judge.schema, vote, shown, self.model, self.parameters])

    def key(self, run: Digest) -> Key:
        """Return the key of what it says of a run."""
        return Key(run, self.judge.name, self.showing, self.makers)


@dataclass(slots=True)
class _Cost:
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    microusd: int | None = 0

    def add(self, answer: Answer) -> None:
        self.calls += 1
        self.input_tokens += answer.input_tokens
        self.output_tokens += answer.output_tokens
        unknown = self.microusd is None or answer.microusd is None
        self.microusd = None if unknown else (self.microusd or 0) + (answer.microusd or 0)


def judge_run(run: SealedRun, key: Key, bench: Bench) -> Dialogue[Judgement]:
    """Return what a judge says of a run. A model that gives no usable answer makes it unavailable, never a verdict.

    Args:
        run: The run.
        key: The key of the judgement; see ``Bench.key``.
        bench: Who judges.
    """
    told = Judgement(run.run_id, key, bench.model, None, None, ())
    room = Room(bench.options.window_tokens, bench.options.count, bench.options.pictures)
    try:
        shown = material(run, bench.showing, room, bench.options.texts)
    except WindowTooSmallError:
        return replace(told, unavailable=UnavailableCause.CONTEXT_OVERFLOW)
    cost = _Cost()
    texts = {"task": shown.task, "trace": shown.trace, "beside": shown.beside}
    if bench.judge.points_file is not None:
        points = yield from _points(bench.judge.prompts[0], shown, bench.options, cost)
        if isinstance(points, UnavailableCause):
            return _with_cost(replace(told, unavailable=points), cost)
        texts["points"] = points
    outcome, reasons = yield from _vote(bench, texts, shown, cost)
    vote, ballots = outcome.vote, outcome.ballots
    state = None if vote.unavailable is not None else _state(bench.judge, vote.firm_label)
    return _with_cost(
        replace(
            told,
            state=state,
            unavailable=vote.unavailable,
            ballots=ballots.labels,
            shares=tuple((one.label, one.share) for one in ballots.probabilities),
            reasons=reasons.get(vote.firm_label or "", ""),
            beside=bool(shown.beside),
        ),
        cost,
    )


def _state(judge: Judge, label: str | None) -> TraceState:
    return TraceState.UNKNOWN if label is None else judge.states[label]


def _with_cost(told: Judgement, cost: _Cost) -> Judgement:
    return replace(
        told,
        calls=cost.calls,
        input_tokens=cost.input_tokens,
        output_tokens=cost.output_tokens,
        microusd=cost.microusd if cost.calls else None,
    )


def _points(prompt: Prompt, shown: Material, options: JudgeOptions, cost: _Cost) -> Dialogue[str | UnavailableCause]:
    """Ask for the key points of the task, once for all runs of the vote."""
    question = Question(
        Side.WHOLE,
        prompt.prompt_id,
        prompt.system,
        prompt.fill(task=shown.task),
        points_schema(),
        answer_tokens=options.answer_tokens,
    )
    (reply,) = yield (question,)
    if not isinstance(reply, Answer):
        return reply.cause
    cost.add(reply)
    points = read_points(reply.value)
    if points is None:
        return UnavailableCause.SCHEMA_VIOLATION
    return fence("\n".join(f"{number}. {point}" for number, point in enumerate(points, 1)), "points")


def _vote(
    bench: Bench, texts: dict[str, str], shown: Material, cost: _Cost
) -> Dialogue[tuple[Outcome[str], dict[str, str]]]:
    """Vote on the verdict, and keep the reasoning of the first run that gave each."""
    judge, prompt = bench.judge, bench.judge.prompt
    user = prompt.fill(**texts)
    reasons: dict[str, str] = {}

    def ask(run_number: int) -> Question:
        return Question(
            Side.WHOLE,
            prompt.prompt_id,
            prompt.system,
            user,
            judge.schema,
            run_number,
            shown.pictures,
            bench.options.answer_tokens,
        )

    def read(answer: Answer) -> Sequence[str | UnavailableCause]:
        cost.add(answer)
        if judge.state(answer.value) is None:
            return [UnavailableCause.SCHEMA_VIOLATION]
        said = str(answer.value[judge.verdict])
        reasons.setdefault(said, redact(judge.reasons(answer.value)).text)
        return [said]

    spot: Spot[str] = Spot(_VERDICT, (judge.verdict,), tuple(judge.states))
    (outcome,) = yield from conduct(bench.options.voting, ask, read, [spot])
    return outcome, reasons

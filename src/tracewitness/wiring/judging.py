"""Judges with a model as a user chose it, set up to be measured."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from tracewitness.asking.budget import Budget
from tracewitness.asking.capabilities import Capabilities
from tracewitness.asking.port import Askers, Side
from tracewitness.asking.rehearsal import Foreseen
from tracewitness.auditing.screen_texts import ScreenTexts
from tracewitness.backends.ocr import RapidOcrReader
from tracewitness.judges.judge import Judge
from tracewitness.judges.judging import Bench, JudgeOptions
from tracewitness.judges.showing import Showing
from tracewitness.store.store import Store
from tracewitness.wiring.choices import ChoiceError, ModelChoice
from tracewitness.wiring.models import OpenedModel, Workshop, model_options, reads_screens

_ANSWER_TOKENS = 600


@dataclass(frozen=True, slots=True)
class Court:
    """Judges with their model.

    Attributes:
        benches: Each judge with what it is shown, in the order in which they were asked for.
        askers: The model.
        budget: What may be spent, and what was.
        foreseen: What the questions would cost, where they are only rehearsed.
        taken: What was found out about the model, by name.
    """

    benches: tuple[Bench, ...]
    askers: Askers
    budget: Budget
    foreseen: Foreseen
    taken: dict[str, Capabilities]


@asynccontextmanager
async def opened_judges(
    choice: ModelChoice, seats: Sequence[tuple[Judge, Showing]], store: Store | None = None, *, rehearse: bool = False
) -> AsyncGenerator[Court]:
    """Give judges with the chosen model; its connection is closed at the end.

    Args:
        choice: What the user chose; the model that reads traces is the one that judges.
        seats: Each judge with what it is shown.
        store: Where answers are kept; None to keep none.
        rehearse: Ask nothing and count what it would cost.

    Raises:
        ChoiceError: A choice cannot be met, or no model is named.
        MissingKeyError: A provider needs a key and none is set.
        MissingPackageError: A package is not installed.
        ProbeError: An endpoint could not be reached while it was asked what it can do.
        RecordedAnswersError: A file of recorded answers cannot be used.
    """
    async with AsyncExitStack() as stack:
        workshop = Workshop(choice, stack, store=store, rehearse=rehearse)
        model = await workshop.model(Side.WHOLE, choice.trace_name)
        if model is None:
            raise ChoiceError("a judge needs a model (--model NAME)")
        options = _options(choice, model, store)
        asker = model.asker
        benches = tuple(Bench(judge, showing, options, asker.model, asker.parameters) for judge, showing in seats)
        yield Court(benches, Askers(whole=asker), workshop.budget, workshop.foreseen, workshop.taken)


def _options(choice: ModelChoice, model: OpenedModel, store: Store | None) -> JudgeOptions:
    traced = model_options(choice, model)
    return JudgeOptions(
        voting=traced.voting,
        window_tokens=traced.window_tokens,
        count=traced.count,
        pictures=traced.pictures,
        answer_tokens=min(_ANSWER_TOKENS, traced.answer_tokens),
        texts=ScreenTexts(RapidOcrReader(), store) if reads_screens(choice, model) else None,
    )

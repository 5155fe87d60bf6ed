"""Models as a user chose them, set up for an audit: connected, within the budget, kept, recorded or played back."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from tracewitness.asking.budget import Budget, BudgetedAsker, Price, Tariff
from tracewitness.asking.capabilities import AnswerForm, Capabilities
from tracewitness.asking.port import Asker, Askers, Side
from tracewitness.asking.rehearsal import Foreseen, RehearsalAsker
from tracewitness.auditing.kept_answers import FoundAnswers, KeptAnswers
from tracewitness.auditing.model_readers import HybridExtractor, ModelClaimReader, ModelExtractor
from tracewitness.auditing.readers import ClaimReader, EvidenceExtractor, RulesClaimReader, RulesExtractor
from tracewitness.auditing.recorded_answers import AnswersFile, RecordedAnswers, RecordingAsker, read_answers
from tracewitness.auditing.screen_texts import WithScreenText
from tracewitness.auditing.setup import Setup
from tracewitness.backends.connecting import Connected, connect
from tracewitness.backends.keys import MissingKeyError
from tracewitness.backends.local import LocalAsker, LocalOptions
from tracewitness.backends.naming import ModelName, Provider
from tracewitness.backends.ocr import RapidOcrReader
from tracewitness.backends.options import THINKING_TOKENS
from tracewitness.backends.prices import known_price
from tracewitness.backends.remembering import recall
from tracewitness.policy.rules import Policy
from tracewitness.policy.table import compile_policy
from tracewitness.store.store import Store
from tracewitness.trace_side.by_model import ModelOptions
from tracewitness.trace_side.window import TokenCounter, rough_tokens
from tracewitness.wiring.choices import LEAST_WINDOW, ChoiceError, ExtractorKind, ModelChoice, VoteKind

ANSWER_TOKENS = 2000
"""Most tokens of an answer about a trace; less where the model's context is small."""

_ANSWER_SHARE = 3
_BESIDE_WINDOW = 1400
"""Tokens of the prompt and of the form of the answer, which stand beside the window."""

_UNKNOWN_CAPABILITIES = Capabilities(AnswerForm.JSON_SCHEMA)


@dataclass(frozen=True, slots=True)
class Auditor:
    """What audits with models.

    Attributes:
        setup: With what to audit.
        budget: What may be spent, and what was.
        foreseen: What the questions would cost, where they are only rehearsed.
        taken: What was found out about the models that are asked, by name.
    """

    setup: Setup
    budget: Budget
    foreseen: Foreseen
    taken: dict[str, Capabilities]


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """One model, connected, played back or rehearsed."""

    asker: Asker
    capabilities: Capabilities
    count: TokenCounter


@dataclass(frozen=True, slots=True)
class Terms:
    """What an audit with models is set up for.

    Attributes:
        policy: The policy that decides.
        store: Where answers are kept; None to keep none.
        audit_all: Audit also what triage would sort out.
        seconds: How long one run may take; None for as long as it takes.
        rehearse: Ask nothing and count what it would cost.
    """

    policy: Policy
    store: Store | None = None
    audit_all: bool = False
    seconds: float | None = None
    rehearse: bool = False


@asynccontextmanager
async def opened_models(choice: ModelChoice, terms: Terms) -> AsyncGenerator[Auditor]:
    """Give what audits with the chosen models; their connections are closed at the end.

    Args:
        choice: What the user chose.
        terms: What it is set up for.

    Raises:
        ChoiceError: A choice cannot be met.
        MissingKeyError: A provider needs a key and none is set.
        MissingPackageError: A package is not installed.
        ProbeError: An endpoint could not be reached while it was asked what it can do.
        RecordedAnswersError: A file of recorded answers cannot be used.
    """
    async with AsyncExitStack() as stack:
        workshop = Workshop(choice, stack, store=terms.store, rehearse=terms.rehearse)
        report = await workshop.model(Side.REPORT, choice.report_name)
        trace = await workshop.model(Side.TRACE, choice.trace_name)
        extractor = _extractor(choice, trace, terms.store)
        setup = Setup(
            claim_reader=_claim_reader(choice, report),
            extractor=extractor,
            table=compile_policy(terms.policy),
            askers=Askers(report and report.asker, trace and trace.asker),
            audit_all=terms.audit_all,
            seconds=terms.seconds,
            admit_narration=choice.admit_narration and trace is not None,
            slow_reading=isinstance(extractor, WithScreenText),
        )
        yield Auditor(setup, workshop.budget, workshop.foreseen, workshop.taken)


class Workshop:
    """Sets models up, one for each side, or one for both.

    Args:
        choice: What the user chose.
        stack: Closes their connections.
        store: Where answers are kept; None to keep none.
        rehearse: Ask nothing and count what it would cost.
    """

    def __init__(self, choice: ModelChoice, stack: AsyncExitStack, *, store: Store | None, rehearse: bool) -> None:
        self._choice = choice
        self._store = store
        self._rehearse = rehearse
        self._stack = stack
        self._models: dict[ModelName, OpenedModel] = {}
        self._played: RecordedAnswers | None = read_answers(choice.replay) if choice.replay is not None else None
        record = None if rehearse else choice.record
        self._file = None if record is None else stack.enter_context(AnswersFile(record))
        self.budget = choice.budget()
        self.foreseen = Foreseen()
        self.taken: dict[str, Capabilities] = {}

    async def model(self, side: Side, name: ModelName) -> OpenedModel | None:
        """Return the model of a side; None where it is read by rules."""
        if name.provider is Provider.RULES:
            return None
        if self._played is not None:
            return await self._played_back(side, name, self._played)
        if name not in self._models:
            self._models[name] = self._guarded(name, await self._opened(name))
        model = self._models[name]
        if self._file is not None:
            self._file.introduce(side, model.asker, model.capabilities)
        return model

    async def _opened(self, name: ModelName) -> OpenedModel:
        if self._rehearse:
            return await self._rehearsed(name)
        connected = await self._connected(name)
        self.taken[connected.asker.model] = connected.capabilities
        if self._choice.vote is VoteKind.LOGITS and not connected.capabilities.logprobs:
            raise ChoiceError(f"{connected.asker.model} gives no token probabilities; --vote majority needs none")
        return OpenedModel(connected.asker, connected.capabilities, connected.count or rough_tokens)

    async def _connected(self, name: ModelName) -> Connected:
        if name.provider is Provider.LOCAL:
            connected = connect_local(name, self._choice)
        else:
            connected = await connect(name, self._choice.remote_options, self._choice.capabilities)
        self._stack.push_async_callback(connected.aclose)
        return connected

    def _guarded(self, name: ModelName, model: OpenedModel) -> OpenedModel:
        """Put a model behind the budget, the store and the record, so that what is kept costs nothing."""
        asker = model.asker
        if not self._rehearse:
            asker = BudgetedAsker(asker, self.budget, self._tariff(name, model.count))
            if self._store is not None:
                asker = KeptAnswers(asker, self._store)
            if self._file is not None:
                asker = RecordingAsker(asker, self._file)
        return replace(model, asker=asker)

    async def _rehearsed(self, name: ModelName) -> OpenedModel:
        """Return what counts the questions; where the model was asked before, without those whose answers are kept."""
        remembered = self._choice.capabilities
        found = recall(remembered, name) if remembered is not None else None
        tariff = self._tariff(name, rough_tokens)
        store, asker = self._store, RehearsalAsker(name.text, "{}", tariff, self.foreseen)
        if found is None or store is None or not name.model:
            return OpenedModel(asker, found or _UNKNOWN_CAPABILITIES, rough_tokens)
        try:
            real = (await self._connected(name)).asker
        except MissingKeyError:
            return OpenedModel(asker, found, rough_tokens)
        asker = RehearsalAsker(real.model, real.parameters, tariff, self.foreseen)
        return OpenedModel(FoundAnswers(asker, store, self.foreseen), found, rough_tokens)

    def _tariff(self, name: ModelName, count: TokenCounter) -> Tariff:
        thinks = self._choice.thinking or (self._choice.thinking is None and not name.loopback and name.remote)
        return Tariff(count, self._price(name), THINKING_TOKENS if thinks else 0)

    def _price(self, name: ModelName) -> Price | None:
        price = self._choice.price or known_price(name)
        if price is None and self._choice.budget_usd is not None:
            raise ChoiceError(f"no price of {name.text} is known, so a budget in dollars needs --price IN,OUT")
        return price

    async def _played_back(self, side: Side, name: ModelName, played: RecordedAnswers) -> OpenedModel:
        _check_speaker(side, name, played)
        asker = played.asker(side)
        count = rough_tokens
        if name.provider is Provider.LOCAL:
            count = (await self._connected(name)).count or rough_tokens
        return OpenedModel(asker, played.speaker(side).capabilities, count)


def _check_speaker(side: Side, name: ModelName, played: RecordedAnswers) -> None:
    """Refuse to play the answers of one model back as those of another."""
    read = {Side.REPORT: "reports", Side.TRACE: "traces", Side.WHOLE: "whole runs"}[side]
    if side not in played.speakers:
        raise ChoiceError(f"the recorded answers name no model that reads {read}, so none can be played back")
    recorded = played.speakers[side].model
    file = name.provider is Provider.LOCAL
    named = f"{name.provider}:{Path(name.model).name}" if file else name.text
    if named != recorded and not (not name.model and recorded.startswith(named)):
        raise ChoiceError(f"the recorded answers about {read} are those of {recorded}, not of {named}")


def connect_local(name: ModelName, choice: ModelChoice) -> Connected:
    """Return a local model, ready to be asked.

    Raises:
        LocalModelError: The file is missing or no model.
        MissingPackageError: The package that runs it is not installed.
    """
    options = LocalOptions(temperature=choice.sampling_temperature, thinking=choice.thinking)
    asker = LocalAsker(name.model, options)
    return Connected(asker, asker.capabilities, asker.count, _nothing_to_close)


async def _nothing_to_close() -> None:
    return None


def _claim_reader(choice: ModelChoice, model: OpenedModel | None) -> ClaimReader:
    return RulesClaimReader() if model is None else ModelClaimReader(choice.voting)


def _extractor(choice: ModelChoice, model: OpenedModel | None, store: Store | None) -> EvidenceExtractor:
    extractor: EvidenceExtractor = RulesExtractor()
    if model is not None:
        options = model_options(choice, model)
        both = choice.extractor_kind is ExtractorKind.BOTH
        extractor = HybridExtractor(options) if both else ModelExtractor(options)
    return WithScreenText(extractor, RapidOcrReader(), store) if reads_screens(choice, model) else extractor


def reads_screens(choice: ModelChoice, model: OpenedModel | None) -> bool:
    """Return whether text is read off screenshots: where it is asked for, or a model sees none and it can be done."""
    if choice.ocr is not None:
        return choice.ocr
    return model is not None and not _pictures(choice, model) and _has_ocr()


def _pictures(choice: ModelChoice, model: OpenedModel) -> int:
    return choice.images if model.capabilities.images else 0


def _has_ocr() -> bool:
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def model_options(choice: ModelChoice, model: OpenedModel) -> ModelOptions:
    """Return how a model is asked about a trace.

    Raises:
        ChoiceError: It reads too little.
    """
    window, answer, context = choice.window_tokens, ANSWER_TOKENS, model.capabilities.context_tokens
    if context is not None:
        answer = min(answer, context // _ANSWER_SHARE)
        window = min(window, context - answer - _BESIDE_WINDOW)
        if window < LEAST_WINDOW:
            raise ChoiceError(f"{model.asker.model} reads no more than {context} tokens, too few to audit a trace")
    return ModelOptions(choice.voting, window, model.count, _pictures(choice, model), answer)

"""What a user chooses about models, in one place for the command line and for Python."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from tracewitness.asking.budget import MICROUSD, Budget, Price
from tracewitness.asking.vote import MOST_RUNS, RUNS, Voting
from tracewitness.backends.naming import ModelName, Provider, parse_model_name
from tracewitness.backends.options import TEMPERATURE, RemoteOptions
from tracewitness.trace_side.window import DEFAULT_BUDGET

RULES = "rules"
LOGIT_THRESHOLD = 0.5
IMAGES = 8
AT_ONCE = 16
CALL_SECONDS = 120.0


class ChoiceError(ValueError):
    """A choice about models cannot be met; the message is one line for a person."""


class ExtractorKind(StrEnum):
    """Who extracts the evidence."""

    RULES = "rules"
    MODEL = "model"
    BOTH = "both"


class VoteKind(StrEnum):
    """How labels are settled: by a majority of runs, or by the token probabilities of one."""

    MAJORITY = "majority"
    LOGITS = "logits"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What a user chooses about models.

    Attributes:
        report: The model that reads reports; ``rules`` for none.
        trace: The model that reads traces; ``rules`` for none.
        extractor: Who extracts the evidence; None for rules and model together where there is a model.
        runs: Runs per label, 1 to 9.
        early_stop: Stop a vote as soon as its outcome is fixed; the outcome is the same without it.
        vote: How labels are settled.
        logit_threshold: The probability from which a label counts, 0.5 to 1, where settled by token probabilities.
        thinking: Switch a reasoning model's thinking on or off; None leaves it alone.
        temperature: Sampling temperature; None for 0.7, or 0 where one run is weighed by its token probabilities.
        window_tokens: Most tokens of the window of a trace.
        images: Most screenshots that go with a question to a model that takes images.
        ocr: Read the text off screenshots where there is no other; None where the model takes no images and text
            recognition is installed.
        admit_narration: Show the agent's own words to the extractor.
        budget_usd: Most US dollars; None for no limit.
        budget_tokens: Most tokens; None for no limit.
        price: The price of the models; None to look it up.
        at_once: Most calls at once to an endpoint, and most runs audited at once.
        call_seconds: Most seconds for one call.
        record: A file that takes every answer; None for none.
        replay: A file of recorded answers that are played back instead of asking; None to ask.
        capabilities: The file that keeps what was found out about models; None to keep nothing.
    """

    report: str = RULES
    trace: str = RULES
    extractor: ExtractorKind | None = None
    runs: int = RUNS
    early_stop: bool = True
    vote: VoteKind = VoteKind.MAJORITY
    logit_threshold: float = LOGIT_THRESHOLD
    thinking: bool | None = None
    temperature: float | None = None
    window_tokens: int = DEFAULT_BUDGET
    images: int = IMAGES
    ocr: bool | None = None
    admit_narration: bool = False
    budget_usd: float | None = None
    budget_tokens: int | None = None
    price: Price | None = None
    at_once: int = AT_ONCE
    call_seconds: float = CALL_SECONDS
    record: Path | None = None
    replay: Path | None = None
    capabilities: Path | None = field(default=None)

    def __post_init__(self) -> None:
        if not 1 <= self.runs <= MOST_RUNS:
            raise ChoiceError(f"runs: expected 1 to {MOST_RUNS}, found {self.runs}")
        if not LOGIT_THRESHOLD <= self.logit_threshold <= 1:
            raise ChoiceError(f"logit threshold: expected 0.5 to 1, found {self.logit_threshold:g}")
        if self.trace_name.provider is Provider.RULES and self.extractor in (ExtractorKind.MODEL, ExtractorKind.BOTH):
            raise ChoiceError(f"the extractor {self.extractor} needs a model that reads traces (--model NAME)")

    @property
    def report_name(self) -> ModelName:
        """Return the model that reads reports, taken apart.

        Raises:
            UnknownModelError: The text names no model.
        """
        return parse_model_name(self.report)

    @property
    def trace_name(self) -> ModelName:
        """Return the model that reads traces, taken apart; rules where the extractor is rules.

        Raises:
            UnknownModelError: The text names no model.
        """
        return parse_model_name(RULES if self.extractor is ExtractorKind.RULES else self.trace)

    @property
    def asks(self) -> bool:
        """Return whether any side asks a model."""
        return self.report_name.provider is not Provider.RULES or self.trace_name.provider is not Provider.RULES

    @property
    def needs_models(self) -> bool:
        """Return whether something beyond the rules is at work: a model, or text recognition."""
        return self.asks or bool(self.ocr)

    @property
    def extractor_kind(self) -> ExtractorKind:
        """Return who extracts the evidence."""
        if self.trace_name.provider is Provider.RULES:
            return ExtractorKind.RULES
        return self.extractor or ExtractorKind.BOTH

    @property
    def voting(self) -> Voting:
        """Return how labels are voted on."""
        return Voting(self.runs, self.logit_threshold if self.vote is VoteKind.LOGITS else None, self.early_stop)

    @property
    def remote_options(self) -> RemoteOptions:
        """Return how a remote model is asked."""
        return RemoteOptions(
            temperature=self.sampling_temperature,
            thinking=self.thinking,
            timeout=self.call_seconds,
            price=self.price,
            concurrency=self.at_once,
        )

    @property
    def sampling_temperature(self) -> float:
        """Return the sampling temperature."""
        if self.temperature is not None:
            return self.temperature
        return 0.0 if self.vote is VoteKind.LOGITS else TEMPERATURE

    def budget(self) -> Budget:
        """Return the budget, with nothing spent yet."""
        money = None if self.budget_usd is None else round(self.budget_usd * MICROUSD)
        return Budget(self.budget_tokens, money)

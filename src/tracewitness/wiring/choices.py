"""What a user chooses about models, in one place for the command line and for Python."""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from tracewitness.asking.budget import MICROUSD, Budget, Price
from tracewitness.asking.vote import MOST_RUNS, RUNS, Voting, majority
from tracewitness.backends.naming import ModelName, Provider, parse_model_name
from tracewitness.backends.options import TEMPERATURE, RemoteOptions
from tracewitness.trace_side.window import DEFAULT_BUDGET

K = TypeVar("K", bound=StrEnum)

RULES = "rules"
LOGIT_THRESHOLD = 0.5
IMAGES = 8
AT_ONCE = 16
CALL_SECONDS = 120.0


LEAST_CALL_SECONDS = 1.0
LEAST_WINDOW = 300
MOST_TEMPERATURE = 2.0


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
        agree: How many runs have to give a label for it to count, more than half of them; None for the majority.
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
    agree: int | None = None
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
        self._take_plain_words()
        self._check_numbers()
        for name in (self.report, self.trace):
            parse_model_name(name)
        self._check_extractor()
        if self.record is not None and self.replay is not None:
            raise ChoiceError("answers are either recorded (--record) or played back (--replay-answers)")
        if (self.record is not None or self.replay is not None) and not self.asks:
            raise ChoiceError("answers to record or to play back come from a model (--model NAME)")
        if self.admit_narration and self.trace_name.provider is Provider.RULES:
            raise ChoiceError("--admit narration needs a model that reads traces (--model NAME)")

    def _check_extractor(self) -> None:
        named = parse_model_name(self.trace).provider is not Provider.RULES
        if not named and self.extractor in (ExtractorKind.MODEL, ExtractorKind.BOTH):
            raise ChoiceError(f"the extractor {self.extractor} needs a model that reads traces (--model NAME)")
        if named and self.extractor is ExtractorKind.RULES and self.trace != self.report:
            raise ChoiceError(f"--extractor rules never asks {self.trace}; leave out one of the two")

    def _take_plain_words(self) -> None:
        """Take a word or a path that was given as plain text, as Python lets a user do, for what it means."""
        for name, kind in (("extractor", ExtractorKind), ("vote", VoteKind)):
            if (word := getattr(self, name)) is not None:
                object.__setattr__(self, name, _member(kind, word, name))
        for name in ("record", "replay", "capabilities"):
            if (path := getattr(self, name)) is not None:
                object.__setattr__(self, name, Path(path))

    def _check_numbers(self) -> None:
        _within("runs", self.runs, 1, MOST_RUNS)
        if self.agree is not None:
            _within("agree", self.agree, majority(self.runs), self.runs)
            if self.vote is VoteKind.LOGITS:
                raise ChoiceError("--agree counts runs; with --vote logits it is --logit-threshold that makes firmer")
        _within("logit threshold", self.logit_threshold, LOGIT_THRESHOLD, 1)
        _within("temperature", self.temperature, 0, MOST_TEMPERATURE)
        _within("window tokens", self.window_tokens, LEAST_WINDOW)
        _within("images", self.images, 0)
        _within("at once", self.at_once, 1)
        _within("call seconds", self.call_seconds, LEAST_CALL_SECONDS)
        _within("budget in dollars", self.budget_usd, 0)
        _within("budget in tokens", self.budget_tokens, 0)

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
        if self.vote is VoteKind.LOGITS:
            return Voting(self.runs, self.logit_threshold, self.early_stop)
        asked_for = None if self.agree == majority(self.runs) else self.agree
        return Voting(self.runs, None, self.early_stop, asked_for)

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


def _member(kind: type[K], word: str, name: str) -> K:
    try:
        return kind(word)
    except ValueError:
        raise ChoiceError(f"{name}: expected {' or '.join(kind)}, found {word!r}") from None


def _within(name: str, number: float | None, least: float, most: float | None = None) -> None:
    if number is None:
        return
    expected = f"{least:g} or more" if most is None else f"{least:g} to {most:g}"
    if not math.isfinite(number) or number < least or (most is not None and number > most):
        raise ChoiceError(f"{name}: expected {expected}, found {number:g}")

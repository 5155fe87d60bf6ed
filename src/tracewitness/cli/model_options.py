"""The options of ``audit`` that choose models, and the choice they amount to."""

from pathlib import Path
from typing import Annotated, TypedDict, Unpack

import typer

from tracewitness.asking.budget import Price
from tracewitness.backends.errors import ModelError
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop
from tracewitness.wiring.choices import (
    LOGIT_THRESHOLD,
    RULES,
    ChoiceError,
    ExtractorKind,
    ModelChoice,
    VoteKind,
)
from tracewitness.wiring.settings import MODEL_VARIABLE, capabilities_file, settings

_PANEL = "Models"


class Choices(TypedDict):
    """The options, by the names of ``ModelChoice``."""

    report: str
    trace: str
    extractor: ExtractorKind | None
    runs: int
    agree: int | None
    early_stop: bool
    vote: VoteKind
    logit_threshold: float
    thinking: bool | None
    temperature: float | None
    window_tokens: int
    images: int
    ocr: bool | None
    admit_narration: bool
    budget_usd: float | None
    budget_tokens: int | None
    price: Price | None
    at_once: int
    call_seconds: float
    record: Path | None
    replay: Path | None


ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        rich_help_panel=_PANEL,
        help=f"The model that reads reports and traces, such as openai:gpt-5-mini, http://127.0.0.1:8080/v1#NAME, "
        f"local:FILE.gguf; rules for none [env {MODEL_VARIABLE}; rules].",
    ),
]
JudgeModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        rich_help_panel=_PANEL,
        help=f"The model that judges, such as openai:gpt-5-mini, http://127.0.0.1:8080/v1#NAME, local:FILE.gguf "
        f"[env {MODEL_VARIABLE}].",
    ),
]
ReportModelOption = Annotated[
    str | None, typer.Option(metavar="NAME", rich_help_panel=_PANEL, help="Another model for the reports.")
]
TraceModelOption = Annotated[
    str | None, typer.Option(metavar="NAME", rich_help_panel=_PANEL, help="Another model for the traces.")
]
ExtractorOption = Annotated[
    ExtractorKind | None,
    typer.Option(
        "--extractor", rich_help_panel=_PANEL, help="Who extracts the evidence [both where a model is named]."
    ),
]
RunsOption = Annotated[
    int, typer.Option("--runs", min=1, max=9, rich_help_panel=_PANEL, help="Runs per label; the majority counts.")
]
AgreeOption = Annotated[
    int | None,
    typer.Option(
        "--agree",
        min=1,
        max=9,
        metavar="N",
        rich_help_panel=_PANEL,
        help="So many of the runs have to give a label for it to count [more than half].",
    ),
]
EveryRunOption = Annotated[
    bool,
    typer.Option(
        "--every-run",
        rich_help_panel=_PANEL,
        help="Ask all runs of a vote, even where the rest cannot change it; 'bench' can then tell of firmer votes.",
    ),
]
JudgeEveryRunOption = Annotated[
    bool,
    typer.Option(
        "--every-run", rich_help_panel=_PANEL, help="Ask all runs of a vote, even where the rest cannot change it."
    ),
]
VoteOption = Annotated[
    VoteKind,
    typer.Option("--vote", rich_help_panel=_PANEL, help="Majority of runs, or token probabilities of a single one."),
]
LogitThresholdOption = Annotated[
    float,
    typer.Option(min=LOGIT_THRESHOLD, max=1.0, rich_help_panel=_PANEL, help="With --vote logits: when a label counts."),
]
ThinkingOption = Annotated[
    bool | None,
    typer.Option("--thinking/--no-thinking", rich_help_panel=_PANEL, help="Switch a reasoning model's thinking."),
]
TemperatureOption = Annotated[
    float | None, typer.Option(min=0.0, max=2.0, rich_help_panel=_PANEL, help="Sampling temperature [0.7; logits: 0].")
]
WindowOption = Annotated[
    int, typer.Option("--window-tokens", min=300, rich_help_panel=_PANEL, help="Most tokens of a trace's window.")
]
ImagesOption = Annotated[
    int,
    typer.Option(
        min=0, max=100, rich_help_panel=_PANEL, help="Most screenshots with a question, if the model takes any."
    ),
]
OcrOption = Annotated[
    bool | None,
    typer.Option(
        "--ocr/--no-ocr",
        rich_help_panel=_PANEL,
        help="Read text off screenshots that have none [where a model is named that takes no images].",
    ),
]
AdmitOption = Annotated[
    str | None,
    typer.Option(
        "--admit",
        metavar="narration",
        rich_help_panel=_PANEL,
        help="Show the agent's own words to the model; they are marked.",
    ),
]
BudgetUsdOption = Annotated[
    float | None,
    typer.Option("--budget-usd", min=0.0, rich_help_panel=_PANEL, help="Spend at most so many US dollars."),
]
BudgetTokensOption = Annotated[
    int | None, typer.Option("--budget-tokens", min=0, rich_help_panel=_PANEL, help="Spend at most so many tokens.")
]
PriceOption = Annotated[
    str | None,
    typer.Option(
        "--price",
        metavar="IN,OUT",
        rich_help_panel=_PANEL,
        help="US dollars per million tokens, where no price is known.",
    ),
]
AtOnceOption = Annotated[
    int, typer.Option("--at-once", min=1, max=2000, rich_help_panel=_PANEL, help="Most calls at once to an endpoint.")
]
CallTimeoutOption = Annotated[
    float, typer.Option("--call-timeout", min=1.0, rich_help_panel=_PANEL, help="Most seconds for one call.")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", rich_help_panel=_PANEL, help="Ask nothing: say what it would cost.")
]
RecordOption = Annotated[
    Path | None, typer.Option("--record", rich_help_panel=_PANEL, help="Write every answer into this file as well.")
]
ReplayAnswersOption = Annotated[
    Path | None,
    typer.Option("--replay-answers", rich_help_panel=_PANEL, help="Take the answers from such a file; ask nothing."),
]
RetryFailedOption = Annotated[
    bool,
    typer.Option("--retry-failed", rich_help_panel=_PANEL, help="Audit again the runs that a model did not answer."),
]

JudgeRetryFailedOption = Annotated[
    bool,
    typer.Option("--retry-failed", rich_help_panel=_PANEL, help="Ask again about runs that the model did not answer."),
]


def named_models(both: str | None, report: str | None, trace: str | None) -> tuple[str, str]:
    """Return the names of the models for the reports and for the traces."""
    # An empty name is none that was left out, but one that went missing, as from an unset variable: it is refused.
    named = both if both is not None else settings().model or RULES
    return named if report is None else report, named if trace is None else trace


def admitted(plane: str | None) -> bool:
    """Return whether narration is admitted.

    Raises:
        Stop: Another plane was named.
    """
    if plane not in {None, "narration"}:
        raise Stop(f"--admit: only narration can be admitted, not {plane!r}", ExitCode.USAGE)
    return plane is not None


def read_price(text: str | None) -> Price | None:
    """Return the price of an option.

    Raises:
        Stop: The text is no price.
    """
    if text is None:
        return None
    try:
        asked, answered = (float(each) for each in text.split(","))
    except ValueError:
        raise Stop("--price: expected two numbers, such as 0.25,2.00", ExitCode.USAGE) from None
    if not (0 <= asked < float("inf") and 0 <= answered < float("inf")):
        raise Stop("--price: expected two amounts of 0 or more", ExitCode.USAGE)
    return Price(asked, answered)


def chosen_models(**chosen: Unpack[Choices]) -> ModelChoice:
    """Return the choice of models that options amount to.

    Raises:
        Stop: A choice cannot be met, or a name names no model.
    """
    try:
        return ModelChoice(**chosen, capabilities=capabilities_file())
    except (ChoiceError, ModelError) as error:
        raise Stop(str(error), ExitCode.USAGE) from error

"""The neutral run format as typed models: the published schema and the check of every run file.

Keys without a default are required; unknown keys are an error everywhere except below ``extra``.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from tracewitness.findings.labels import TaskClass
from tracewitness.intake.formats.neutral.detect import FORMAT
from tracewitness.intake.sealed import HarnessStatus
from tracewitness.report_side.report import DeclaredStatus

FINISH = "finish"


def _is_time(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise PydanticCustomError("time", "expected an ISO 8601 time such as 2026-01-31T12:00:00Z") from None
    return text


def _names_something(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "must not be blank")
    return text


Named = Annotated[str, Field(min_length=1), AfterValidator(_names_something)]
Time = Annotated[str, AfterValidator(_is_time)]


class Strict(BaseModel):
    """Base of all parts: exact types, no unknown keys."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NeutralTask(Strict):
    """What was asked (task plane)."""

    instruction: Named = Field(description="What was asked, verbatim.")
    app: str | None = Field(default=None, description="The app it concerns.")
    start_url: str | None = Field(default=None, description="The page the run starts on.")
    locale: str | None = Field(default=None, description="A locale such as de-DE.")
    task_class: Annotated[TaskClass, Field(strict=False)] | None = Field(
        default=None, alias="class", description="Overrides the frozen class rule; the record says so."
    )


class NeutralObservation(Strict):
    """What the environment showed (evidence plane)."""

    text: str | None = Field(default=None, description="Plain text.")
    ui_tree: str | None = Field(
        default=None,
        description="UI dump, inline or as a relative path (.xml, .txt, .json, .html) in the run's folder.",
    )
    url: str | None = Field(default=None, description="URL or activity name.")
    screenshot: Named | None = Field(default=None, description="Relative path of an image in the run's folder.")


class NeutralAction(Strict):
    """One action (evidence plane)."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"kind": {"const": FINISH}}},
            "then": {"properties": {key: {"type": "null"} for key in ("target", "text", "raw")}},
        }
    )

    kind: Named = Field(
        description="click, type, scroll, navigate, tool, ... or finish (the agent ended here; carries nothing else)."
    )
    target: str | None = Field(default=None, description="The widget or tool acted on.")
    text: str | None = Field(default=None, description="What was typed.")
    raw: str | None = Field(default=None, description="The action as logged, without narration.")

    @model_validator(mode="after")
    def _finish_is_bare(self) -> "NeutralAction":
        if self.kind == FINISH and not (self.target is self.text is self.raw is None):
            raise PydanticCustomError(
                "finish", "a finish action carries nothing else; final words belong to report.text, flags to report"
            )
        return self


class NeutralStep(Strict):
    """One round."""

    index: int = Field(ge=0, description="Strictly increasing; 0 or 1 first, as in the source. Citations use it.")
    time: Time | None = Field(default=None, description="ISO 8601.")
    action: NeutralAction
    before: NeutralObservation | None = Field(default=None, description="What was shown just before the action.")
    after: NeutralObservation | None = Field(default=None, description="What was shown just after the action.")
    error: str | None = Field(default=None, description="The environment's error for this action.")
    narration: str | None = Field(default=None, description="The agent's own words at this step (narration plane).")


class NeutralReport(Strict):
    """The final report (report plane)."""

    text: str | None = Field(default=None, description="The final report; null where the agent ended without one.")
    declared_status: Annotated[DeclaredStatus, Field(strict=False)] | None = Field(
        default=None, description="The agent's own flag."
    )


class NeutralHarness(Strict):
    """The harness's coarse view (triage only, shown to no side)."""

    status: Annotated[HarnessStatus, Field(strict=False)] = Field(
        default=HarnessStatus.UNKNOWN,
        description="passed/failed: an independent check settled it; completed: the agent ended, nothing settled it.",
    )


class NeutralRun(Strict):
    """One run."""

    model_config = ConfigDict(title="tracewitness run", json_schema_extra={"$id": f"urn:{FORMAT}"})

    format: Literal["tracewitness.run/1"]
    run_id: Named = Field(description="Unique in a batch; never shown to a model.")
    agent: str | None = Field(default=None, description="Who ran; for grouping only.")
    source: str | None = Field(default=None, description="Where the file came from; for grouping only.")
    task: NeutralTask
    steps: tuple[NeutralStep, ...] = Field(strict=False)
    report: NeutralReport
    harness: NeutralHarness = Field(default_factory=NeutralHarness)
    complete: bool = Field(default=True, description="False: the record is known to have gaps.")
    extra: dict[str, Any] | None = Field(default=None, description="Kept in the store, shown to nobody.")

    @model_validator(mode="after")
    def _indexes_increase(self) -> "NeutralRun":
        for position in range(1, len(self.steps)):
            if self.steps[position].index <= self.steps[position - 1].index:
                raise PydanticCustomError(
                    "index", "steps[{at}].index must be greater than the one before it", {"at": position}
                )
        return self


def json_schema() -> dict[str, Any]:
    """Return the published JSON Schema (draft 2020-12) of one run. Stable within a format version."""
    schema = NeutralRun.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}

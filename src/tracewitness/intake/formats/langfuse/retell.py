"""Retelling exports of Langfuse."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.langfuse.detect import holds_trace, is_observation
from tracewitness.intake.formats.langfuse.observations import span_of
from tracewitness.intake.formats.langfuse.read import read
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say
from tracewitness.intake.spans.called import opened
from tracewitness.intake.spans.retelling import SpanWords, words_of_runs
from tracewitness.intake.spans.retelling_attributes import retold_attributes
from tracewitness.intake.spans.retelling_logs import retell_log
from tracewitness.intake.spans.span import SpanKind
from tracewitness.intake.untyped import list_of, object_of, text_of


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the traces with their outputs, those of models and agents, repeats of them and scores in other words."""
    return retell_log(candidate, folder, _Traces(words_of_runs(read, candidate, say, flag)).told)


@dataclass(frozen=True, slots=True)
class _Traces:
    words: SpanWords

    def told(self, value: Any) -> Any:
        """Return a value of an export with the traces and observations in it in other words."""
        if isinstance(value, list):
            return [self.told(one) for one in cast(list[Any], value)]
        keys = object_of(value)
        if holds_trace(keys):
            return self._trace(keys)
        if is_observation(keys):
            return self._observation(keys)
        return {**keys, "data": self.told(keys["data"])} if isinstance(keys.get("data"), list) else value

    def _trace(self, keys: dict[str, Any]) -> dict[str, Any]:
        told = {**keys, "observations": [self._listed(one) for one in list_of(keys["observations"])]}
        if isinstance(keys.get("trace"), dict) and keys["trace"]:
            return {**told, "trace": self._about(object_of(keys["trace"]))}
        return self._about(told)

    def _about(self, about: dict[str, Any]) -> dict[str, Any]:
        told = dict(about)
        if "input" in about:
            told["input"] = self.words.asked(about["input"])
        if "output" in about:
            told["output"] = self.words.answered(about["output"])
        if isinstance(about.get("scores"), list):
            told["scores"] = [{**object_of(one), "comment": self.words.say(Plane.GRADING)} for one in about["scores"]]
        return told

    def _listed(self, value: Any) -> Any:
        keys = object_of(value)
        return self._observation(keys) if text_of(keys.get("id")) else value

    def _observation(self, keys: dict[str, Any]) -> dict[str, Any]:
        span = span_of(keys, "observation")
        kind = self.words.kind_of(span)
        told = dict(keys)
        if kind is SpanKind.TOOL:
            told["input"] = self.words.done(span.name, opened(keys.get("input")))
            told["output"] = self.words.heard(span.name, keys.get("output"))
        elif span.kind is SpanKind.GRADER:
            told |= {key: self.words.graded(keys.get(key)) for key in ("input", "output")}
        else:
            told["input"] = self.words.asked(keys.get("input"))
            told["output"] = self.words.answered(keys.get("output"))
        metadata = object_of(opened(keys.get("metadata")))
        attributes = object_of(opened(metadata.get("attributes")))
        if attributes:
            retold = retold_attributes(attributes, kind, span.name, self.words)
            told["metadata"] = json.dumps({**metadata, "attributes": retold})
        return told

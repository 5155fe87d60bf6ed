"""Retelling runs of LangSmith."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.langsmith.detect import is_run
from tracewitness.intake.formats.langsmith.read import read
from tracewitness.intake.formats.langsmith.runs import GRADES, span_of
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say
from tracewitness.intake.spans.called import opened
from tracewitness.intake.spans.retelling import SpanWords, words_of_runs
from tracewitness.intake.spans.retelling_logs import retell_log
from tracewitness.intake.spans.span import SpanKind
from tracewitness.intake.untyped import list_of, object_of


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the runs with what models and chains gave back, repeats of it in inputs, and feedback in other words."""
    return retell_log(candidate, folder, _Runs(words_of_runs(read, candidate, say, flag)).told)


@dataclass(frozen=True, slots=True)
class _Runs:
    words: SpanWords

    def told(self, value: Any) -> Any:
        """Return a value of an export with the runs in it in other words."""
        if isinstance(value, list):
            return [self.told(one) for one in cast(list[Any], value)]
        keys = object_of(value)
        if is_run(keys):
            return self._run(keys)
        return {**keys, "runs": self.told(keys["runs"])} if isinstance(keys.get("runs"), list) else value

    def _run(self, run: dict[str, Any]) -> dict[str, Any]:
        span = span_of(run, None, "run")
        kind, name = self.words.kind_of(span), span.name
        told = dict(run)
        if kind is SpanKind.TOOL:
            told["inputs"] = self.words.done(name, opened(run.get("inputs")))
            told["outputs"] = self.words.heard(name, run.get("outputs"))
        else:
            told["inputs"] = self.words.asked(run.get("inputs"))
            told["outputs"] = self.words.answered(run.get("outputs"))
        told |= {key: {"note": self.words.say(Plane.GRADING)} for key in GRADES if run.get(key)}
        if isinstance(run.get("child_runs"), list):
            told["child_runs"] = [self._run(object_of(one)) for one in list_of(run["child_runs"])]
        return told

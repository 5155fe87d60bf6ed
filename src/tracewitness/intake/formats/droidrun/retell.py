"""Retelling DroidRun trajectories."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.formats.droidrun.actions import MACRO
from tracewitness.intake.formats.droidrun.code import calls_in, written_code
from tracewitness.intake.formats.droidrun.detect import LOG
from tracewitness.intake.formats.droidrun.events import SHOWN, SHOWN_OF, Kind, kind_of_event
from tracewitness.intake.formats.droidrun.read import read
from tracewitness.intake.formats.droidrun.split import OF_THE_TOOL, named
from tracewitness.intake.planes import Plane
from tracewitness.intake.reading_files import decode, parse_json, read_bytes
from tracewitness.intake.retelling import Say, copy_files
from tracewitness.intake.retelling_answers import retold_answer
from tracewitness.intake.retelling_files import reports_of, write_list
from tracewitness.intake.spans.retelling import SpanWords
from tracewitness.intake.untyped import object_of, objects_of, text_of

_KEPT = SHOWN | {"instruction"}
_ANSWERS = ("summary", "error")
_NOTHING = "-"
"""What a manager answers that says nothing: that it answers at all is what ends the run."""


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the trajectory with thoughts, plans, notes, answers and the end's reason and flag in other words."""
    whole = candidate.shape is Shape.FOLDER
    root = candidate.path if whole else candidate.path.parent
    log = root / LOG if whole else candidate.path
    words = _Words(SpanWords(say, flag, reports_of(read, candidate)), flag)
    names = (str(one.relative_to(root)) for one in sorted(root.rglob("*")) if one != log and not one.is_symlink())
    copy_files(root, folder, (name for name in names if name != MACRO))
    write_list(log, folder / log.name, candidate.limits, words.event)
    _retell_macro(root / MACRO, folder / MACRO, candidate, say)
    return folder if whole else folder / log.name


def _retell_macro(source: Path, path: Path, candidate: Candidate, say: Say) -> None:
    """Write the macro with other descriptions of the actions; one that cannot be read as it is."""
    try:
        macro = object_of(parse_json(decode(read_bytes(source, candidate.limits.document), MACRO).text))
    except IntakeError:
        copy_files(source.parent, path.parent, (MACRO,))
        return
    actions = objects_of(macro.get("actions"))
    told = [{**one, "description": say(Plane.NARRATION)} if "description" in one else one for one in actions]
    path.write_text(json.dumps({**macro, "actions": told} if "actions" in macro else macro), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Words:
    words: SpanWords
    flag: bool | None

    def event(self, value: Any) -> Any:
        """Return an event in other words."""
        fields = object_of(value)
        if not fields:
            return value
        kind = kind_of_event(fields)
        shown = SHOWN_OF.get(kind, ())
        told = {key: item if key in _KEPT or key in shown else self._said(item) for key, item in fields.items()}
        if kind is Kind.TOOL:
            return self._tool(told)
        if kind is Kind.RESULT:
            return self._result(told)
        if kind is Kind.ANSWER:
            return {**told, "code": self._code(fields["code"])}
        if kind is Kind.PLAN:
            return {**told, **self._flag(fields), "answer": self._answer(fields["answer"])}
        return self._end(told, fields) if kind is Kind.END else told

    def _said(self, value: Any) -> Any:
        return self.words.say(Plane.NARRATION) if isinstance(value, str) and value.strip() else value

    def _tool(self, told: dict[str, Any]) -> dict[str, Any]:
        name = text_of(told.get("tool_name"))
        called = call_of(name, told.get("tool_args"))
        told["tool_args"] = self.words.done(name, told.get("tool_args"))
        return self._answered(told, called, call_of(name, told["tool_args"]))

    def _result(self, told: dict[str, Any]) -> dict[str, Any]:
        action = object_of(told["action"])
        name = text_of(action.get("action")) or text_of(action.get("name"))
        given = {key: item for key, item in action.items() if key not in ("action", "name")}
        retold = object_of(self.words.done(name, given))
        return {**self._answered(told, Call(name, given), Call(name, retold)), "action": {**action, **retold}}

    def _answered(self, told: dict[str, Any], called: Call, retold: Call) -> dict[str, Any]:
        """Return an event with what answered its call in other words where it quotes them."""
        failed = False in (told.get("success"), told.get("outcome"))
        before, after = named(called), named(retold)
        answers = {
            key: retold_answer(before, after, text_of(told[key]), self.words.say, failed=failed)
            for key in _ANSWERS
            if isinstance(told.get(key), str)
        }
        return {**told, **answers}

    def _code(self, code: Any) -> Any:
        if not isinstance(code, str) or not code.strip():
            return code
        calls = [Call(one.name, object_of(self.words.done(one.name, one.arguments))) for one in calls_in(code)]
        return written_code(code, calls, self.words.say(Plane.NARRATION))

    def _answer(self, answer: Any) -> Any:
        return self.words.say(Plane.REPORT) or _NOTHING if text_of(answer).strip() else answer

    def _flag(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {"success": self.flag} if isinstance(fields.get("success"), bool) else {}

    def _end(self, told: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
        """Return an end in other words; what the tool itself says of a limit or a fault stays."""
        if text_of(fields.get("reason")).startswith(OF_THE_TOOL):
            return {**told, "reason": fields["reason"], "success": fields["success"]}
        return {**told, "reason": self.words.say(Plane.REPORT), "success": bool(self.flag)}

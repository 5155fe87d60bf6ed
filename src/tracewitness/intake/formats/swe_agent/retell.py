"""Retelling trajectories of SWE-agent and mini-swe-agent."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.swe_agent.detect import MINI
from tracewitness.intake.formats.swe_agent.mini import MALFORMED, commands_of, fenced_part
from tracewitness.intake.formats.swe_agent.told import patch_in
from tracewitness.intake.formats.swe_agent.trajectory import ends_run
from tracewitness.intake.planes import Plane
from tracewitness.intake.retelling import Say
from tracewitness.intake.retelling_files import write_retold
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

_OWN = ("thought", "response", "reasoning_content", "thinking")
_ASIDE = ("query", "extra_info", "messages")


def retell(candidate: Candidate, say: Say, flag: bool | None, folder: Path) -> Path:
    """Write the trajectory with thoughts, answers of the model, last words and what was handed in, in other words."""
    words = _Words(say)

    def retold(document: Any) -> Any:
        keys = object_of(document)
        mini = text_of(keys.get("trajectory_format")).startswith(MINI)
        return words.mini(keys) if mini else words.trajectory(keys)

    return write_retold(candidate, folder, retold)


@dataclass(frozen=True, slots=True)
class _Words:
    say: Say

    def trajectory(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return a trajectory, or a demonstration, of SWE-agent in other words."""
        status = text_of(object_of(document.get("info")).get("exit_status"))
        told = self._with_info(document)
        rounds = list_of(document.get("trajectory"))
        if rounds:
            last = max((at for at, one in enumerate(rounds) if isinstance(one, dict)), default=-1)
            told["trajectory"] = [
                self._round(object_of(one), ends_run(object_of(one), status, last=at == last))
                if isinstance(one, dict)
                else one
                for at, one in enumerate(rounds)
            ]
        if isinstance(document.get("attempts"), list):
            told["attempts"] = [self.trajectory(object_of(one)) for one in list_of(document["attempts"])]
        if isinstance(document.get("history"), list):
            told["history"] = self._history(list_of(document["history"]), status, alone="trajectory" not in document)
        return told

    def _round(self, one: dict[str, Any], ends: bool) -> dict[str, Any]:
        words = self.say(Plane.REPORT if ends else Plane.NARRATION)
        told = {key: words if key in _OWN and item else item for key, item in one.items()}
        told |= {key: words for key in _ASIDE if one.get(key)}
        shown = text_of(one.get("observation"))
        return {**told, "observation": words} if ends and shown and not patch_in(shown) else told

    def _history(self, history: list[Any], status: str, *, alone: bool) -> list[Any]:
        said = [at for at, one in enumerate(history) if object_of(one).get("role") == "assistant"]
        own = [at for at in said if object_of(history[at]).get("is_demo") is not True]
        told: list[Any] = list(history)
        for at in said:
            one = object_of(history[at])
            ends = alone and own[-1:] == [at] and ends_run(one, status, last=True)
            told[at] = self._round(one, ends)
            if one.get("content"):
                told[at]["content"] = self.say(Plane.REPORT if ends else Plane.NARRATION)
        return told

    def _with_info(self, document: dict[str, Any]) -> dict[str, Any]:
        info = object_of(document.get("info"))
        if not info:
            return dict(document)
        told = {key: item if key == "exit_status" else self.say(Plane.GRADING) for key, item in info.items()}
        if "submission" in info:
            handed_in = text_of(info["submission"])
            told["submission"] = self.say(Plane.REPORT) if handed_in and not patch_in(handed_in) else info["submission"]
        return {**document, "info": told}

    def mini(self, document: dict[str, Any]) -> dict[str, Any]:
        """Return a trajectory of mini-swe-agent in other words."""
        messages = list_of(document.get("messages"))
        last = max((at for at, one in enumerate(messages) if object_of(one).get("role") == "assistant"), default=-1)
        told: list[Any] = []
        unparsed = False
        for at, one in enumerate(messages):
            message = object_of(one)
            role = message.get("role")
            if role == "assistant":
                unparsed = not commands_of(message)
                told.append(self._said(message, Plane.REPORT if at == last else Plane.NARRATION))
            elif role == "exit":
                told.append(self._handed_in(message))
            elif role in ("user", "tool") and (unparsed or _is_malformed(message)):
                told.append({**message, "content": self.say(Plane.NARRATION)})
            else:
                told.append(one)
        return {**self._with_info(document), "messages": told}

    def _said(self, message: dict[str, Any], plane: Plane) -> dict[str, Any]:
        words = self.say(plane)
        told = {key: words if key in _OWN and item else item for key, item in message.items()}
        extra = object_of(message.get("extra"))
        if extra.get("response"):
            told["extra"] = {**extra, "response": words}
        content = message.get("content")
        acting = "" if objects_of(extra.get("actions")) else fenced_part(content)
        if content:
            told["content"] = f"{words}\n\n{acting}" if acting else words
        return told

    def _handed_in(self, message: dict[str, Any]) -> dict[str, Any]:
        if patch_in(text_of(message.get("content"))):
            return message
        words, extra = self.say(Plane.REPORT), object_of(message.get("extra"))
        told = {**message, "content": words}
        return {**told, "extra": {**extra, "submission": words}} if extra.get("submission") else told


def _is_malformed(message: dict[str, Any]) -> bool:
    return object_of(message.get("extra")).get("interrupt_type") == MALFORMED

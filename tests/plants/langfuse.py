"""Planted traces of Langfuse: the download of a page, and files of observations."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.langfuse import FORMAT
from tracewitness.testing.words import Words

TRACE = "e1fde3efec57ce8a69bafd3fb928a7eb"


def observation(number: int, kind: str, name: str, given: Any, gave: Any, **more: Any) -> dict[str, Any]:
    """Return an observation, the ``number``-th of its trace, in the first one where ``parent`` says nothing else."""
    parent = more.pop("parent", 1)
    return {
        "id": f"obs-{number}",
        "traceId": TRACE,
        "type": kind,
        "name": name,
        "parentObservationId": f"obs-{parent}" if number != 1 else None,
        "startTime": f"2026-01-31T12:00:{number:02d}.000Z",
        "endTime": f"2026-01-31T12:00:{number:02d}.900Z",
        "level": "DEFAULT",
        "statusMessage": None,
        "input": given,
        "output": gave,
        "metadata": {},
        **more,
    }


def observations(words: Words, finished: bool) -> list[dict[str, Any]]:
    """Return the observations of a run of LangGraph with helpers, an evaluator and an event."""
    user = {"type": "human", "content": words.task()}
    clicked = {"element": words.evidence("element")}
    call = {"id": "call_1", "type": "function", "function": {"name": "Click", "arguments": clicked}}
    said = {"role": "assistant", "content": words.narration("said"), "additional_kwargs": {"tool_calls": [call]}}
    answer = {"type": "tool", "content": words.evidence("page"), "tool_call_id": "call_1", "status": "success"}
    system = {"role": "system", "content": words.narration("system")}
    failed = {"level": "ERROR", "statusMessage": words.evidence("error")}
    about = {"metadata": {"langgraph_node": words.narration("node"), "tags": [words.narration("tag")]}}
    long = {"endTime": "2026-01-31T12:00:07.950Z"}
    found = [
        observation(2, "GENERATION", "ChatOpenAI", [system, {"role": "user", "content": words.task()}], said, **about),
        observation(3, "SPAN", "tools", {"messages": [user, said]}, {"messages": [answer]}),
        observation(4, "SPAN", "Click", str(clicked), answer, parent=3),
        observation(5, "TOOL", "type_text", {"text": words.evidence("typed")}, None, **failed),
        observation(6, "TOOL", "helper", {"input": words.evidence("asked")}, words.narration("helped"), **long),
        observation(7, "GENERATION", "model", words.narration("echo"), words.narration("of the helper"), parent=6),
        observation(8, "EVALUATOR", "judge", words.grading("judged"), words.grading("verdict")),
        observation(9, "TOOL", "look", {}, words.grading("seen by the judge"), parent=8),
        observation(10, "EVENT", "note", words.narration("event"), words.narration("event out")),
    ]
    asked: dict[str, Any] = {"type": "ai", "content": "", "tool_calls": [{"name": "x", "args": {}, "id": "1"}]}
    root: dict[str, Any] = {"messages": [user, asked]}
    if finished:
        final = {"type": "ai", "content": words.report("answer")}
        root = {"messages": [user, said, answer, final]}
        found.append(observation(11, "GENERATION", "ChatOpenAI", [system, user, said], {**final, "type": "ai"}))
    return [observation(1, "SPAN", "LangGraph", {"messages": [user]}, root), *found]


def plant(folder: Path, words: Words) -> Path:
    """Write a trace as its page gives it, input and output as texts in texts."""
    found = observations(words, words.finished)
    score = {"name": "hallucination", "comment": words.grading("comment"), "value": 1}
    trace: dict[str, Any] = {
        "id": TRACE,
        "name": words.narration("name"),
        "timestamp": "2026-01-31T12:00:00.000Z",
        "input": json.dumps(json.dumps(found[0]["input"])),
        "output": json.dumps(json.dumps(found[0]["output"])),
        "metadata": json.dumps({"note": words.narration("metadata")}),
        "scores": [score],
    }
    path = folder / "trace.json"
    path.write_text(json.dumps({"trace": trace, "observations": found}), encoding="utf-8")
    return path


def plant_observations(folder: Path, words: Words) -> Path:
    """Write observations one a line, without their trace; the outermost comes last."""
    first, *others = observations(words, words.finished)
    lines = [json.dumps(one) + "\n" for one in (*others, first)]
    path = folder / "observations.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    return path


PLANTS = {"langfuse": Planted(FORMAT, plant), "langfuse_observations": Planted(FORMAT, plant_observations)}

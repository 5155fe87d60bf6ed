"""Planted Inspect logs, as JSON and as archive."""

import json
import zipfile
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.inspect_logs import FORMAT
from tracewitness.testing.words import Words

PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    "AAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=="
)
ATTACHED = "0123456789abcdef0123456789abcdef"
NOW = "2026-01-31T12:00:00+00:00"


def event(kind: str, span: str, **more: Any) -> dict[str, Any]:
    return {"event": kind, "timestamp": NOW, "working_start": 0.1, "span_id": span, **more}


def begin(span: str, parent: str | None, kind: str, name: str) -> dict[str, Any]:
    return event("span_begin", span, id=span, parent_id=parent, type=kind, name=name)


def tool_call(at: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": f"c{at}", "function": name, "arguments": arguments, "type": "function"}


def assistant(text: Any, *calls: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text, "source": "generate"}
    return {**message, "tool_calls": list(calls)} if calls else message


def output(message: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "choices": [{"message": message, "stop_reason": "stop"}]}


def model(span: str, message: dict[str, Any], said: str) -> dict[str, Any]:
    return event(
        "model",
        span,
        model="m",
        input=[{"role": "user", "content": said}],
        tools=[],
        tool_choice="auto",
        config={},
        output=output(message),
    )


def tool(span: str, call: dict[str, Any], result: Any, **more: Any) -> dict[str, Any]:
    given = {key: call[key] for key in ("id", "function", "arguments")}
    return event("tool", span, type="function", **given, result=result, **more)


def log(samples: list[dict[str, Any]], status: str = "success", version: int = 2, **more: Any) -> dict[str, Any]:
    dataset = {"name": "d", "samples": len(samples), "sample_ids": [one["id"] for one in samples], "shuffled": False}
    evaluation = {
        "eval_id": "e",
        "run_id": "r",
        "created": NOW,
        "task": "planted",
        "task_id": "t",
        "task_version": 0,
        "dataset": dataset,
        "model": "mockllm/model",
        "model_generate_config": {},
        "model_args": {},
        "config": {},
        "packages": {"inspect_ai": "0.3.200"},
    }
    return {
        "version": version,
        "status": status,
        "eval": evaluation,
        "plan": {"name": "plan", "steps": [{"solver": "react", "params": {}}], "config": {}},
        **more,
        "samples": samples,
    }


def sample(words: Words) -> dict[str, Any]:
    """Return a sample with words in every field."""
    page = tool_call(1, "computer", action="type", text=words.evidence("typed"), reason=words.narration("reason"))
    shell = tool_call(2, "bash", cmd=f"attachment://{ATTACHED}")
    helper = tool_call(3, "delegate", input=words.narration("delegated"))
    broken = tool_call(4, "bash", cmd="x")
    thinks = tool_call(5, "think", thought=words.narration("think"))
    attached = {ATTACHED: words.evidence("command")}
    thought = [
        {"type": "reasoning", "reasoning": words.narration("reasoning")},
        {"type": "text", "text": words.narration("text")},
    ]
    shown = [{"type": "text", "text": words.evidence("page")}, {"type": "image", "image": PICTURE}]
    first = assistant(thought, page, shell)
    events: list[dict[str, Any]] = [
        event("sample_init", "s", sample={"input": words.task(), "target": words.grading("init target")}, state={}),
        begin("s", None, "solver", "react"),
        model("s", first, words.narration("model input")),
        tool("s", page, shown),
        begin("t2", "s", "tool", "bash"),
        tool("s", shell, words.evidence("result")),
        event("sandbox", "t2", action="exec", cmd="bash", result=0, output=words.evidence("sandbox")),
        event("sandbox", "t2", action="write_file", file=words.evidence("file"), input="x"),
        event("state", "s", changes=[{"op": "add", "path": "/x", "value": words.narration("state")}]),
        event("store", "s", changes=[{"op": "add", "path": "/x", "value": words.narration("store change")}]),
        event("info", "s", source="x", data=words.narration("info")),
        model("s", assistant("", helper, broken, thinks), words.narration("input 2")),
        begin("t3", "s", "tool", "delegate"),
        tool("s", helper, words.narration("words of another agent")),
        begin("a3", "t3", "agent", "delegate"),
        model("a3", assistant(words.narration("another agent")), words.narration("input of another")),
        tool("s", broken, "", error={"type": "unknown", "message": words.evidence("error")}),
        tool("s", thinks, words.narration("think result")),
        event("sandbox", "s", action="exec", cmd="setup", result=0, output=words.narration("outside any call")),
    ]
    said = ""
    if words.finished:
        said = words.report("answer")
        submit = tool_call(6, "submit", answer=said)
        events += [
            model("s", assistant(words.narration("beside submit"), submit), "x"),
            tool("s", submit, said),
        ]
    events += [
        begin("x", None, "scorers", "scorers"),
        model("x", assistant(words.grading("judge")), words.grading("input of judge")),
        event("sandbox", "x", action="exec", cmd="check", result=0, output=words.grading("check")),
        event("score", "x", score={"value": "C", "explanation": words.grading("score event")}, intermediate=False),
    ]
    last = assistant(said) if words.finished else first
    return {
        "id": 1,
        "epoch": 1,
        "input": words.task(),
        "target": words.grading("target"),
        "messages": [
            {"role": "user", "content": words.task(), "source": "input"},
            {"role": "user", "content": words.narration("user message")},
        ],
        "output": output(last),
        "scores": {"match": {"value": "C", "answer": words.grading("score answer"), "explanation": "x"}},
        "metadata": {"gold": words.grading("metadata")},
        "store": {"memory": words.narration("store")},
        "events": events,
        "attachments": attached,
        **({} if words.finished else {"limit": {"type": "message", "limit": 10}}),
    }


def sample_of_a_chat(words: Words) -> dict[str, Any]:
    """Return a sample of an agent that ends with a message and calls no tool for it."""
    shell = tool_call(1, "bash", cmd=words.evidence("command"))
    first = assistant(words.narration("beside the call"), shell)
    last = assistant(words.report("last words"))
    events: list[dict[str, Any]] = [
        begin("s", None, "solver", "generate"),
        model("s", first, words.narration("model input")),
        tool("s", shell, words.evidence("result")),
        *([model("s", last, words.narration("input 2"))] if words.finished else []),
    ]
    return {
        "id": 1,
        "epoch": 1,
        "input": words.task(),
        "target": words.grading("target"),
        "messages": [{"role": "user", "content": words.task(), "source": "input"}],
        "output": output(last if words.finished else first),
        "scores": {"match": {"value": "C", "explanation": words.grading("explanation")}},
        "events": events,
        **({} if words.finished else {"limit": {"type": "message", "limit": 10}}),
    }


def plant_chat(folder: Path, words: Words) -> Path:
    """Write a log as JSON whose agent ends with a message."""
    path = folder / "made.json"
    path.write_text(json.dumps(log([sample_of_a_chat(words)]), indent=1), encoding="utf-8")
    return path


def plant(folder: Path, words: Words) -> Path:
    """Write a log as JSON."""
    path = folder / "made.json"
    path.write_text(json.dumps(log([sample(words)]), indent=1), encoding="utf-8")
    return path


def archive(path: Path, document: dict[str, Any], *, finished: bool = True) -> Path:
    """Write a log as archive; one of an evaluation that goes on has a journal and no header."""
    samples = document.pop("samples")
    start = {key: document[key] for key in ("version", "eval", "plan")}
    summaries = [{key: one[key] for key in ("id", "epoch", "input", "target")} for one in samples]
    members: dict[str, Any] = {"_journal/start.json": start, "_journal/summaries/1.json": summaries}
    members |= {f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in samples}
    if finished:
        members |= {"summaries.json": summaries, "header.json": document}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, value in members.items():
            made.writestr(zipfile.ZipInfo(name, (2026, 1, 31, 12, 0, 0)), json.dumps(value))
    return path


def plant_archive(folder: Path, words: Words) -> Path:
    """Write a log as archive."""
    return archive(folder / "made.eval", log([sample(words)]))


PLANTS = {
    "inspect": Planted(FORMAT, plant),
    "inspect_chat": Planted(FORMAT, plant_chat),
    "inspect_archive": Planted(FORMAT, plant_archive),
}

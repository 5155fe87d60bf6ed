"""Planted runs of LangSmith: a run with its child runs, and runs one a line."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.langsmith import FORMAT
from tracewitness.testing.words import Words

TRACE = "0000aaaa-0000-4000-8000-000000000001"


def run_id(number: int) -> str:
    """Return the id of the ``number``-th run."""
    return f"0000aaaa-0000-4000-8000-{number:012d}"


def run(number: int, kind: str, name: str, inputs: Any, outputs: Any, **more: Any) -> dict[str, Any]:
    """Return a run, the ``number``-th of its trace, in the first one where ``parent`` says nothing else."""
    parent = more.pop("parent", 1)
    order = f"20260131T1200{number:02d}000000Z{run_id(number)}"
    first = f"20260131T120001000000Z{run_id(1)}"
    return {
        "id": run_id(number),
        "name": name,
        "run_type": kind,
        "inputs": inputs,
        "outputs": outputs,
        "error": None,
        "start_time": f"2026-01-31T12:00:{number:02d}.000000",
        "end_time": f"2026-01-31T12:00:{number:02d}.900000",
        "parent_run_id": run_id(parent) if number != 1 else None,
        "trace_id": TRACE,
        "dotted_order": order if number == 1 else f"{first}.{order}",
        "child_run_ids": None,
        "extra": {"metadata": {}},
        "tags": [],
        "status": "success",
        **more,
    }


def message(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    """Return a message as LangChain serialises its objects."""
    path = ["langchain", "schema", "messages", kind]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": {"content": content, **more}}


def generated(*messages: dict[str, Any]) -> dict[str, Any]:
    """Return the outputs of a model."""
    return {"generations": [[{"text": "", "type": "ChatGeneration", "message": one} for one in messages]]}


def runs(words: Words) -> list[dict[str, Any]]:
    """Return the runs of an agent of LangGraph."""
    system = message("SystemMessage", words.narration("system"))
    user = message("HumanMessage", words.task())
    clicked = {"element": words.evidence("element")}
    call = {"name": "click", "args": clicked, "id": "call_1", "type": "tool_call"}
    said = message("AIMessage", words.narration("said"), tool_calls=[call])
    seen = {"type": "tool", "content": words.evidence("page"), "tool_call_id": "call_1", "status": "success"}
    asked = {"messages": [[system, user]]}
    error = {"error": words.evidence("error"), "status": "error"}
    scored = {"feedback_stats": {"correctness": {"comments": [words.grading("feedback")]}}}
    long = {"end_time": "2026-01-31T12:00:08.950000", "child_run_ids": [run_id(8)]}
    found = [
        run(2, "llm", "ChatOpenAI", asked, generated(said)),
        run(3, "chain", "tools", {"messages": [user, said]}, {"messages": [seen]}),
        run(4, "tool", "click", {"input": str(clicked)}, {"output": seen}, parent=3),
        run(5, "tool", "type_text", {"input": json.dumps({"text": words.evidence("typed")})}, None, **error),
        run(6, "retriever", "search", {"query": words.evidence("query")}, {"documents": [words.evidence("document")]}),
        run(7, "tool", "helper", {"input": words.evidence("asked")}, {"output": words.narration("helped")}, **long),
        run(8, "llm", "model", {"prompts": [words.narration("echo")]}, generated(message("AIMessage", "x")), parent=7),
        run(9, "parser", "parser", {"input": words.narration("parsed")}, {"output": words.narration("parser out")}),
    ]
    user_flat = {"type": "human", "content": words.task()}
    root: dict[str, Any] = {"messages": [user_flat, seen]}
    if words.finished:
        final = {"type": "ai", "content": words.report("answer")}
        found.append(run(10, "llm", "ChatOpenAI", asked, generated(message("AIMessage", words.report("of the model")))))
        root = {"messages": [user_flat, said, seen, final]}
    named = [one["id"] for one in found]
    first = run(1, "chain", "LangGraph", {"messages": [user_flat]}, root, child_run_ids=named, **scored)
    return [first, *found]


def plant(folder: Path, words: Words) -> Path:
    """Write a run with its child runs."""
    first, *others = runs(words)
    inside = {one["id"]: [other for other in others if other["parent_run_id"] == one["id"]] for one in (first, *others)}
    for one in (first, *others):
        one["child_runs"] = inside[one["id"]]
        for key in ("dotted_order", "child_run_ids"):
            del one[key]
    path = folder / "run.json"
    path.write_text(json.dumps(first), encoding="utf-8")
    return path


def plant_lines(folder: Path, words: Words) -> Path:
    """Write runs one a line."""
    path = folder / "runs.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in runs(words)), encoding="utf-8")
    return path


PLANTS = {"langsmith": Planted(FORMAT, plant), "langsmith_lines": Planted(FORMAT, plant_lines)}

"""Planted sessions of Claude Code."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.claude_code import FORMAT
from tracewitness.testing.words import Words


def plant(folder: Path, words: Words) -> Path:
    """Write a session with a subagent, whose file lies beside it."""
    told: list[dict[str, Any]] = []

    def line(kind: str, content: Any, to: list[dict[str, Any]] = told, **more: Any) -> None:
        message = {
            "role": kind,
            "content": content,
            **({"model": "m", "id": f"msg_{len(to)}"} if kind == "assistant" else {}),
        }
        place = {"uuid": f"{id(to) == id(told)}-{len(to)}", "sessionId": "s", "version": "2.0.76", "isSidechain": False}
        to.append(
            {**place, "type": kind, "message": message, "timestamp": f"2026-01-31T12:00:{len(to):02}.000Z", **more}
        )

    def use(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
        return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}

    def result(call_id: str, content: Any, **more: Any) -> list[dict[str, Any]]:
        return [{"type": "tool_result", "tool_use_id": call_id, "content": content, **more}]

    told.append({"type": "summary", "summary": words.narration("summary"), "leafUuid": "x"})
    line("user", words.narration("meta"), isMeta=True)
    line("user", f"<system-reminder>{words.narration('reminder', plain=True)}</system-reminder>{words.task()}")
    line("assistant", [{"type": "thinking", "thinking": words.narration("thinking"), "signature": "x"}])
    line("assistant", [{"type": "text", "text": words.narration("text")}])
    line(
        "assistant", [use("t1", "Bash", command=words.evidence("command"), description=words.narration("description"))]
    )
    line(
        "user", result("t1", words.evidence("output")), toolUseResult={"stdout": words.narration("copy of the output")}
    )
    line("assistant", [use("t2", "TodoWrite", todos=[{"content": words.narration("todo"), "status": "completed"}])])
    line("user", result("t2", words.narration("todo result")))
    line(
        "assistant",
        [
            use(
                "t3",
                "Task",
                prompt=words.narration("prompt"),
                description=words.narration("what for"),
                subagent_type="Explore",
            )
        ],
    )
    aside: list[dict[str, Any]] = []
    line("user", words.narration("prompt of the subagent"), aside, isSidechain=True)
    line(
        "assistant",
        [{"type": "text", "text": words.narration("subagent")}, use("a1", "Read", file_path=words.evidence("path"))],
        aside,
        isSidechain=True,
    )
    line("user", result("a1", words.evidence("file")), aside, isSidechain=True)
    line("assistant", [{"type": "text", "text": words.narration("subagent ends")}], aside, isSidechain=True)
    line(
        "user",
        result("t3", [{"type": "text", "text": words.narration("answer of the subagent")}]),
        toolUseResult={"agentId": "a7"},
    )
    told.append({"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "uuid": "b"})
    line("user", words.narration("compacted"), isCompactSummary=True)
    line("user", words.task("second request"))
    line("assistant", [use("t4", "Edit", file_path=words.evidence("edited"), new_string=words.evidence("new text"))])
    line("user", result("t4", words.evidence("error"), is_error=True))
    if words.finished:
        line("assistant", [{"type": "text", "text": words.report("last words")}], stop_reason="end_turn")
    for name, values in (("s.jsonl", told), ("agent-a7.jsonl", aside)):
        (folder / name).write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return folder / "s.jsonl"


PLANTS = {"claude_code": Planted(FORMAT, plant)}

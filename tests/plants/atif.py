"""Planted ATIF trajectories."""

import json
from pathlib import Path
from typing import Any

from plants import Planted, neutral
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.atif import FORMAT
from tracewitness.intake.formats.atif.write import to_atif
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing.words import Words

PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c63606060f80f00010401005fe5c34b0000000049454e44ae426082"
)


def written(path: Path, document: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    return path


def document(steps: list[dict[str, Any]], version: str = "ATIF-v1.8", **more: Any) -> dict[str, Any]:
    numbered = [{"step_id": at + 1, **step} for at, step in enumerate(steps)]
    agent = {"name": "planted", "version": "1", "model_name": "m"}
    return {"schema_version": version, "session_id": "s", "agent": agent, "steps": numbered, **more}


def call(name: str, at: int, **arguments: Any) -> dict[str, Any]:
    return {"tool_call_id": f"c{at}", "function_name": name, "arguments": arguments}


def plant(folder: Path, words: Words) -> Path:
    """Write a trajectory with function calls and words in every field."""
    (folder / "shots").mkdir()
    (folder / "shots" / "1.png").write_bytes(PICTURE)
    picture = {"type": "image", "source": {"media_type": "image/png", "path": "shots/1.png"}}
    page = call("fill", 1, selector=words.evidence("selector"), value=words.evidence("typed"))
    page["arguments"]["thought"] = words.narration("argument")
    page["extra"] = {"note": words.grading("call extra")}
    steps: list[dict[str, Any]] = [
        {"source": "system", "message": words.narration("system prompt")},
        {"source": "user", "message": words.task()},
        {
            "source": "agent",
            "timestamp": "2026-01-31T12:00:00Z",
            "message": words.narration("message"),
            "reasoning_content": words.narration("reasoning"),
            "tool_calls": [page, call("think", 2, thought=words.narration("think"))],
            "observation": {
                "results": [
                    {
                        "source_call_id": "c1",
                        "content": [{"type": "text", "text": words.evidence("result")}, picture],
                        "extra": {"score": words.grading("result extra")},
                    },
                    {"source_call_id": "c2", "content": words.narration("think result")},
                ]
            },
            "extra": {"progress": words.grading("step extra")},
        },
        {"source": "user", "message": words.evidence("user says")},
        {"source": "agent", "message": words.narration("copied"), "is_copied_context": True},
        {
            "source": "agent",
            "message": words.narration("delegates"),
            "tool_calls": [call("delegate", 3, to=words.evidence("delegate"))],
            "observation": {
                "results": [
                    {
                        "source_call_id": "c3",
                        "content": words.narration("summary of another agent"),
                        "subagent_trajectory_ref": [
                            {"trajectory_id": "t2", "extra": {"summary": words.narration("r")}}
                        ],
                    }
                ]
            },
        },
        {
            "source": "system",
            "message": "Performed context summarization and handoff to continue task.",
            "observation": {"results": [{"content": words.narration("compacted")}]},
            "extra": {"context_management": {"type": "compaction", "summary": words.narration("compaction")}},
        },
        {"source": "user", "message": words.narration("handed on")},
        {
            "source": "agent",
            "message": "",
            "tool_calls": [call("click", 4, element=words.evidence("widget"))],
            "observation": {"results": [{"content": words.evidence("unaddressed result")}]},
        },
    ]
    if words.finished:
        end = call("finish", 5, message=words.report("finish"), status="success")
        steps.append({"source": "agent", "message": words.report("last message"), "tool_calls": [end]})
    told: dict[str, Any] = {
        "notes": words.narration("notes"),
        "extra": {"judge": words.grading("extra")},
        "subagent_trajectories": [
            document(
                [
                    {"source": "user", "message": words.narration("told to another agent")},
                    {
                        "source": "agent",
                        "message": words.narration("other agent"),
                        "tool_calls": [
                            call("look", 1, path=words.evidence("looked at"), reason=words.narration("why"))
                        ],
                        "observation": {"results": [{"source_call_id": "c1", "content": words.evidence("looked")}]},
                    },
                    {
                        "source": "agent",
                        "message": words.narration("end of another agent"),
                        "tool_calls": [call("finish", 2, message=words.narration("answer of another agent"))],
                        "observation": {"results": [{"source_call_id": "c2", "content": words.narration("echo")}]},
                    },
                ],
                trajectory_id="t2",
            )
        ],
    }
    return written(folder / "made.json", document(steps, **told))


def plant_without_calls(folder: Path, words: Words) -> Path:
    """Write a trajectory of a model without function calling."""

    def called(name: str, about: str, **arguments: str) -> str:
        body = "".join(f"<parameter={key}>{value}</parameter>\n" for key, value in arguments.items())
        return f"{about}\n<function={name}>\n{body}</function>"

    steps: list[dict[str, Any]] = [
        {"source": "user", "message": words.task()},
        {
            "source": "agent",
            "message": called("execute_bash", words.narration("message"), command=words.evidence("command")),
            "observation": {"results": [{"content": words.evidence("result")}]},
        },
    ]
    if words.finished:
        steps.append({"source": "agent", "message": called("finish", "", message=words.report("finish"))})
    return written(folder / "made.json", document(steps, "ATIF-v1.5"))


def plant_speaking(folder: Path, words: Words) -> Path:
    """Write a trajectory whose agent speaks to its user on the way and ends with a message alone."""
    steps: list[dict[str, Any]] = [
        {"source": "user", "message": words.task()},
        {"source": "agent", "message": words.narration("asks")},
        {"source": "user", "message": words.evidence("user answers")},
        {
            "source": "agent",
            "message": words.narration("says"),
            "reasoning_content": words.narration("reasoning"),
            "tool_calls": [call("execute_bash", 1, command=words.evidence("command"))],
            "observation": {"results": [{"source_call_id": "c1", "content": words.evidence("result")}]},
        },
    ]
    if words.finished:
        steps.append({"source": "agent", "message": words.report("last but one")})
        steps.append({"source": "agent", "message": words.report("last"), "reasoning_content": words.narration("end")})
    return written(folder / "made.json", document(steps, "ATIF-v1.5"))


def batch(words: Words, about: str, *commands: str, complete: bool = False, final: bool = False) -> str:
    said = words.report if final else words.narration
    return json.dumps(
        {
            "analysis": said(f"analysis {about}"),
            "plan": said(f"plan {about}"),
            "commands": [{"keystrokes": command, "duration": 0.1} for command in commands],
            "task_complete": complete,
        }
    )


def plant_trial(folder: Path, words: Words) -> Path:
    """Write a trial folder of terminus-2 whose trajectory is continued, with its grading beside it."""

    def acts(message: str, *shown: str) -> dict[str, Any]:
        return {
            "source": "agent",
            "message": message,
            "observation": {"results": [{"content": text} for text in shown]},
        }

    prompt = (
        "You are an AI assistant tasked with solving command-line tasks in a Linux environment.\n\n"
        f"Task Description:\n{words.task()}\n\nCurrent terminal state:\n{words.evidence('first screen')}"
    )
    first = [
        {"source": "user", "message": prompt},
        acts(batch(words, "1", words.evidence("one"), words.evidence("two")), words.evidence("screen 1")),
    ]
    tags = (
        f"<response>\n<analysis>{words.narration('tags', plain=True)}</analysis>\n<commands>\n"
        f'<keystrokes duration="0.1">{words.evidence("three")}\n</keystrokes>\n</commands>\n</response>'
    )
    then = [
        {"source": "user", "message": prompt, "is_copied_context": True},
        {"source": "user", "message": words.narration("summary"), "is_copied_context": True},
        acts(tags, words.evidence("screen 2")),
        acts(words.narration("nonsense"), "Previous response had parsing errors:\nERROR: No valid JSON"),
        acts(batch(words, "3", words.evidence("four")), words.evidence("screen 3")),
    ]
    if words.finished:
        then.append(acts(batch(words, "end", complete=True, final=True), "Are you sure?"))
    agent = folder / "agent"
    written(agent / "trajectory.json", document(first, "ATIF-v1.7", continued_trajectory_ref="trajectory.cont-1.json"))
    written(agent / "trajectory.cont-1.json", document(then, "ATIF-v1.7"))
    written(folder / "result.json", {"verifier_result": {"rewards": {"reward": words.grading("reward")}}})
    (folder / "verifier").mkdir()
    (folder / "verifier" / "reward.txt").write_text(words.grading("reward text", plain=True), encoding="utf-8")
    return folder


def plant_written(folder: Path, words: Words) -> Path:
    """Write what ``convert`` writes of a planted run of another format."""
    scratch = folder.parent / f"{folder.name}.source"
    scratch.mkdir(exist_ok=True)
    log = neutral.plant(scratch, words)
    (run,) = neutral.PLANTS["neutral"].format.read(Candidate(log, "run.json"), ReadOptions())
    assert isinstance(run, SealedRun)
    return written(folder / "made.json", to_atif(run))


PLANTS = {
    "atif": Planted(FORMAT, plant),
    "atif_without_calls": Planted(FORMAT, plant_without_calls),
    "atif_speaking": Planted(FORMAT, plant_speaking),
    "atif_trial": Planted(FORMAT, plant_trial),
    "atif_written": Planted(FORMAT, plant_written),
}

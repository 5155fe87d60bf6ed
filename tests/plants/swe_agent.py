"""Planted trajectories of SWE-agent and mini-swe-agent."""

import json
import shlex
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.swe_agent import FORMAT
from tracewitness.testing.words import Words


def written(path: Path, document: dict[str, Any]) -> Path:
    path.write_text(json.dumps(document, indent=1), encoding="utf-8")
    return path


def history(words: Words) -> list[dict[str, Any]]:
    issue = f"We're currently solving the following issue.\nISSUE:\n{words.task()}\n\nINSTRUCTIONS:\nEdit files."
    return [
        {"role": "system", "content": words.narration("system"), "agent": "main", "message_type": "system_prompt"},
        {"role": "user", "content": words.narration("demonstration"), "agent": "main", "is_demo": True},
        {"role": "user", "content": issue, "agent": "main", "message_type": "observation"},
    ]


def plant(folder: Path, words: Words) -> Path:
    """Write a trajectory with words in every field."""
    rounds: list[dict[str, Any]] = [
        {
            "action": words.evidence("command"),
            "observation": words.evidence("observation"),
            "response": words.narration("response"),
            "thought": words.narration("thought"),
            "state": {"open_file": words.evidence("state"), "working_dir": "/"},
            "execution_time": 0.1,
            "query": [{"role": "user", "content": words.narration("query")}],
            "extra_info": {"note": words.narration("extra info")},
        },
        {
            "action": "",
            "observation": words.evidence("no action"),
            "response": words.narration("nonsense"),
            "thought": words.narration("nonsense thought"),
            "state": json.dumps({"open_file": words.evidence("older state")}),
        },
        {
            "action": f"# {words.narration('comment', plain=True)}\necho {shlex.quote(words.narration('printed'))} && "
            f"cat > {words.evidence('file')} <<'EOF'\n{words.evidence('written')}\nEOF\n",
            "observation": f"{words.narration('printed')}\n{words.evidence('output')}",
            "response": words.narration("third response"),
            "thought": words.narration("third thought"),
            "state": {"open_file": "a", "agent_note": words.narration("note in the state")},
        },
    ]
    said = [*history(words), {"role": "assistant", "content": words.narration("said"), "agent": "main"}]
    info: dict[str, Any] = {"exit_status": "exit_cost", "model_stats": {"note": words.grading("stats")}}
    info["review"] = words.grading("review")
    if words.finished:
        ended = {"action": "submit\n", "thought": words.report("thought"), "response": words.report("response")}
        rounds.append({**ended, "observation": words.report("patch shown"), "state": {}})
        info |= {"exit_status": "submitted", "submission": words.report("submission")}
    config = {"environment": "main", "replay_config": "{}"}
    return written(folder / "made.traj", {**config, "trajectory": rounds, "history": said, "info": info})


def plant_demonstration(folder: Path, words: Words) -> Path:
    """Write a demonstration, which has a history alone."""

    def acts(action: str, about: str) -> dict[str, Any]:
        said = {"content": about, "thought": about, "action": action, "agent": "main"}
        return {"role": "assistant", "message_type": "action", **said}

    shown = {"role": "tool", "agent": "main", "message_type": "observation"}
    rounds: list[dict[str, Any]] = [
        acts(words.evidence("command"), words.narration("thought")),
        {**shown, "content": words.evidence("observation")},
    ]
    if words.finished:
        rounds += [acts("submit", words.report("thought")), {**shown, "content": words.report("patch")}]
    return written(folder / "made.traj", {"history": [*history(words), *rounds]})


def plant_mini(folder: Path, words: Words) -> Path:
    """Write a trajectory of mini-swe-agent."""
    first = [{"command": words.evidence("command"), "tool_call_id": "a"}, {"command": "x", "tool_call_id": "b"}]
    prompt = f"Please solve this issue: {words.task()}\n\nYou can execute bash commands and edit files."
    not_done = {"returncode": -1, "exception_info": "action was not executed"}
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": words.narration("system")},
        {"role": "user", "content": prompt},
        {
            "role": "assistant",
            "content": words.narration("content"),
            "reasoning_content": words.narration("reasoning"),
            "extra": {"actions": first, "response": {"text": words.narration("response")}},
        },
        {"role": "tool", "tool_call_id": "a", "content": words.evidence("output"), "extra": {"returncode": 0}},
        {"role": "tool", "tool_call_id": "b", "content": "", "extra": not_done},
        {"role": "assistant", "content": words.narration("no action"), "extra": {"actions": []}},
        {"role": "user", "content": words.narration("format error"), "extra": {"interrupt_type": "FormatError"}},
        {"role": "assistant", "content": f"{words.narration('fenced')}\n```bash\n{words.evidence('block')}\n```\n"},
        {"role": "user", "content": words.evidence("output 2"), "extra": {"returncode": 1}},
    ]
    info: dict[str, Any] = {"exit_status": "LimitsExceeded", "submission": "", "model_stats": {"api_calls": 3}}
    if words.finished:
        command = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
        ended = {"role": "assistant", "content": words.report("content"), "extra": {"actions": [{"command": command}]}}
        said = words.report("submission")
        messages += [
            ended,
            {"role": "exit", "content": said, "extra": {"exit_status": "Submitted", "submission": said}},
        ]
        info |= {"exit_status": "Submitted", "submission": said}
    document = {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    return written(folder / "made.traj.json", document)


PLANTS = {
    "swe_agent": Planted(FORMAT, plant),
    "swe_agent_demonstration": Planted(FORMAT, plant_demonstration),
    "mini_swe_agent": Planted(FORMAT, plant_mini),
}

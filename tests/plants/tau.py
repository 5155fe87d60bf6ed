"""Planted results of tau-bench and tau2-bench."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.tau2 import FORMAT as TAU2
from tracewitness.intake.formats.tau_bench import FORMAT as TAU_BENCH
from tracewitness.testing.words import Words


def plant_tau_bench(folder: Path, words: Words) -> Path:
    """Write a file of two runs."""

    def call(name: str, at: int, **arguments: Any) -> dict[str, Any]:
        return {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}

    def run(about: str, finished: bool) -> dict[str, Any]:
        traj: list[dict[str, Any]] = [
            {"role": "system", "content": "You are an agent of an airline."},
            {"role": "user", "content": words.evidence(f"first words {about}")},
            {"role": "assistant", "content": words.narration(f"question {about}")},
            {"role": "user", "content": words.evidence(f"answer {about}")},
            {
                "role": "assistant",
                "content": words.narration(f"beside {about}"),
                "tool_calls": [call("get_user", 1, user_id=words.evidence(f"id {about}"))],
            },
            {"role": "tool", "tool_call_id": "c1", "name": "get_user", "content": words.evidence(f"user {about}")},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call("think", 1, thought=words.narration(f"think {about}"))],
            },
            {"role": "tool", "tool_call_id": "c1", "name": "think", "content": ""},
        ]
        if finished:
            traj.append({"role": "assistant", "content": words.report(f"last words {about}")})
            traj.append({"role": "user", "content": f"{words.evidence(f'thanks {about}')} ###STOP###"})
        task: dict[str, Any] = {
            "user_id": "u",
            "instruction": words.task(f"brief {about}"),
            "actions": [{"name": words.grading(f"gold action {about}"), "kwargs": {}}],
            "outputs": [words.grading(f"gold output {about}")],
        }
        info: dict[str, Any] = {
            "task": task,
            "source": "user",
            "user_cost": 0.1,
            "reward_info": {"info": {"gt_data_hash": words.grading(f"hash {about}")}},
        }
        return {"task_id": 3, "reward": words.grading(f"reward {about}"), "info": info, "traj": traj, "trial": 0}

    path = folder / "results.json"
    path.write_text(json.dumps([run("1", words.finished), run("2", False)], indent=1), encoding="utf-8")
    return path


def plant_written(folder: Path, words: Words, *, thinks: bool) -> Path:
    """Write a run of an agent that writes its actions as text; ``react`` with a thought ahead of each."""

    def acted(about: str, call: dict[str, Any] | str) -> dict[str, Any]:
        action = call if isinstance(call, str) else json.dumps(call)
        thought = f"Thought:\n{words.narration(f'thought {about}', plain=True)}\n" if thinks else ""
        return {"role": "assistant", "content": f"{thought}Action:\n{action}"}

    asked = {"name": "respond", "arguments": {"content": words.narration("question")}}
    looked = {"name": "get_user", "arguments": {"id": words.evidence("id"), "reason": words.narration("reason")}}
    traj: list[dict[str, Any]] = [
        {"role": "system", "content": "You are an agent of an airline."},
        {"role": "user", "content": words.evidence("first words")},
        acted("1", asked),
        {"role": "user", "content": words.evidence("answer")},
        acted("2", looked),
        {"role": "user", "content": f"API output: {words.evidence('user')}"},
        acted("3", {"name": "think", "arguments": {"thought": words.narration("think")}}),
        {"role": "user", "content": "API output: "},
    ]
    if words.finished:
        traj.append(acted("4", {"name": "respond", "arguments": {"content": words.report("last words")}}))
        traj.append({"role": "user", "content": f"{words.evidence('thanks')} ###STOP###"})
    task = {"user_id": "u", "instruction": words.task("brief"), "actions": [{"name": words.grading("gold")}]}
    record = {"task_id": 3, "reward": words.grading("reward"), "info": {"task": task}, "traj": traj, "trial": 0}
    path = folder / "results.json"
    path.write_text(json.dumps([record]), encoding="utf-8")
    return path


def plant_react(folder: Path, words: Words) -> Path:
    """Write a run of the strategy ``react``."""
    return plant_written(folder, words, thinks=True)


def plant_act(folder: Path, words: Words) -> Path:
    """Write a run of the strategy ``act``."""
    return plant_written(folder, words, thinks=False)


def plant_tau2(folder: Path, words: Words) -> Path:
    """Write a file with one simulation, in which the user acts as well."""
    task = {
        "id": "t1",
        "description": {"purpose": words.grading("purpose")},
        "user_scenario": {
            "persona": None,
            "instructions": {
                "domain": "telecom",
                "reason_for_call": words.task(),
                "known_info": words.task("known"),
                "task_instructions": words.task("how"),
            },
        },
        "evaluation_criteria": {"actions": [{"name": words.grading("gold action")}]},
    }
    messages: list[dict[str, Any]] = [
        {
            "role": "assistant",
            "content": words.narration("greeting"),
            "tool_calls": None,
            "turn_idx": 0,
            "timestamp": "2026-01-31T12:00:00",
        },
        {"role": "user", "content": words.evidence("first words"), "tool_calls": None, "turn_idx": 1},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "name": "get_line",
                    "arguments": {"id": words.evidence("line id"), "thought": words.narration("argument")},
                    "requestor": "assistant",
                }
            ],
            "raw_data": {"message": words.narration("raw")},
        },
        {"role": "tool", "id": "c1", "content": words.evidence("line"), "requestor": "assistant", "error": False},
        {"role": "assistant", "content": words.narration("asks the user")},
        {
            "role": "user",
            "content": None,
            "tool_calls": [
                {
                    "id": "u1",
                    "name": "toggle_airplane_mode",
                    "arguments": {"on": words.evidence("toggled")},
                    "requestor": "user",
                }
            ],
        },
        {
            "role": "tool",
            "id": "u1",
            "content": words.evidence("what the user saw"),
            "requestor": "user",
            "error": False,
        },
        {"role": "user", "content": words.evidence("second words")},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c2", "name": "resume_line", "arguments": {}, "requestor": "assistant"}],
        },
        {
            "role": "tool",
            "tool_messages": [
                {
                    "role": "tool",
                    "id": "c2",
                    "content": words.evidence("error"),
                    "requestor": "assistant",
                    "error": True,
                }
            ],
        },
    ]
    if words.finished:
        messages += [
            {"role": "assistant", "content": words.report("last words")},
            {"role": "user", "content": "###STOP###"},
        ]
    else:
        messages += [{"role": "assistant", "content": words.narration("in the midst")}]
    simulation = {
        "id": "s1",
        "task_id": "t1",
        "termination_reason": "user_stop" if words.finished else "max_steps",
        "reward_info": {"reward": 1.0, "nl_assertions": words.grading("assertion")},
        "messages": messages,
        "review": {"summary": words.grading("review")},
        "trial": 0,
    }
    path = folder / "simulations.json"
    content = {"timestamp": "x", "info": {"agent_info": {"llm": "m"}}, "tasks": [task], "simulations": [simulation]}
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


PLANTS = {
    "tau_bench": Planted(TAU_BENCH, plant_tau_bench),
    "tau_bench react": Planted(TAU_BENCH, plant_react),
    "tau_bench act": Planted(TAU_BENCH, plant_act),
    "tau2": Planted(TAU2, plant_tau2),
}

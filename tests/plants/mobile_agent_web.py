"""Planted web runs of Mobile-Agent-v3.5."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from plants.mobile_agent_v3 import PIXEL
from tracewitness.intake.formats.mobile_agent_web import FORMAT
from tracewitness.testing.words import Words


def entry(number: int, arguments: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """Return one entry of the log; ``thought``, ``elements``, ``url``, ``obs`` and ``html`` may be given."""
    info: dict[str, Any] = {"action_text": more.get("thought", "I look.")}
    if arguments is not None:
        added = {"x": 1.0, "y": 2.0, "action_html": more["html"]} if "html" in more else {}
        info["tool_call"] = {"name": "browser_use", "arguments": {**arguments, **added}}
    info |= {"img_path": f"results_log/t/rollout_0/trajectory_som/screenshot{number}.png"}
    info |= {"SoM": more.get("elements", '[0]: "Home";'), "current_url": more.get("url", "http://shop.test/")}
    action = arguments["action"] if arguments else None
    return {"action": action, "info": info, "it": number, "obs": more.get("obs", ""), "timestamp": 1796027254.5}


def write_run(folder: Path, entries: list[dict[str, Any]], meta: dict[str, Any] | None = None) -> Path:
    """Write a run folder with a picture of every step."""
    (folder / "trajectory").mkdir(parents=True, exist_ok=True)
    for number in range(1, len(entries) + 1):
        (folder / "trajectory" / f"{number}_full_screenshot.png").write_bytes(PIXEL + bytes([number]))
    write(folder / "action_info.json", entries)
    if meta is not None:
        write(folder / "meta_info.json", meta)
    return folder


def write(path: Path, value: Any) -> None:
    """Write JSON as the tool does."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=4), encoding="utf-8")


def prompt(task: str, past: str = "") -> list[dict[str, Any]]:
    """Return the messages of one step."""
    text = f"Please generate the next move.\n\nInstruction: {task}\n\nPrevious actions:{past}"
    return [
        {"role": "system", "content": [{"text": "# Tools"}]},
        {"role": "user", "content": [{"text": text}, {"image": "data:image/png;base64,iVBORw0KGgo="}]},
    ]


def _entries(words: Words) -> list[dict[str, Any]]:
    def told(number: int) -> dict[str, str]:
        return {
            "thought": words.narration(f"action_text {number}"),
            "elements": f'[0]: <button> "{words.evidence(f"button {number}")}";\t[1]: "Home";',
            "url": words.evidence(f"url {number}"),
        }

    typed = {"action": "type", "label": 0, "text": words.evidence("typed")}
    entries = [
        entry(1, {"action": "click", "label": 7}, html=f"<a>{words.evidence('html')}</a> -> click", **told(1)),
        entry(2, typed, obs=words.evidence("obs"), **told(2)),
    ]
    if words.finished:
        answer = {"action": "answer", "text": words.report("answer"), "conclusion": words.report("conclusion")}
        entries.append(entry(3, answer, **told(3)))
    return entries


def plant(folder: Path, words: Words) -> Path:
    """Write a judged run with ``meta_info.json``."""
    run = folder / "t" / "rollout_0"
    write_run(run, _entries(words), {"task": words.task(), "web": "http://shop.test", "max_iter": 100})
    write(run / "messages.json", [prompt(words.task()), prompt(words.task(), words.narration("past"))])
    if words.finished:
        result = {"task_id": "000", "task": words.task(), "final_result_response": words.report("result")}
        write(run / "result.json", {**result, "action_history": [], "thoughts": [words.narration("thoughts")]})
        write(run / "reward.json", {"final_reward": 1, "step_rewards": [0, 1], "why": words.grading("reward")})
        write(run / "WebJudge_gpt_auto_eval_results.json", {"evaluation": words.grading("judge")})
    return run


def plant_bare(folder: Path, words: Words) -> Path:
    """Write a run whose task stands in the first prompt alone."""
    run = write_run(folder / "t" / "rollout_0", _entries(words))
    write(run / "messages.json", [prompt(words.task()), prompt(words.task(), words.narration("past"))])
    return run


PLANTS = {
    "mobile_agent_web": Planted(FORMAT, plant),
    "mobile_agent_web without meta_info": Planted(FORMAT, plant_bare),
}

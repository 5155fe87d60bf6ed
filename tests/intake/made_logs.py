"""Small logs of every format, written for the tests: change one field and see what moves."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tracewitness.intake.discover import Skipped
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.formats import built_in
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import read_all
from tracewitness.intake.registry import Registry
from tracewitness.intake.sealed import SealedRun

FIXTURES = Path(__file__).parent / "fixtures"
REGISTRY = Registry(built_in())


def outcomes(*paths: Path | str, options: ReadOptions | None = None) -> list[SealedRun | IntakeFailure | Skipped]:
    return list(read_all(paths, REGISTRY, options))


def runs(*paths: Path | str, options: ReadOptions | None = None) -> list[SealedRun]:
    return [one for one in outcomes(*paths, options=options) if isinstance(one, SealedRun)]


def failures(*paths: Path | str, options: ReadOptions | None = None) -> list[IntakeFailure]:
    return [one for one in outcomes(*paths, options=options) if isinstance(one, IntakeFailure)]


def the_run(path: Path, options: ReadOptions | None = None) -> SealedRun:
    found = outcomes(path, options=options)
    assert len(found) == 1, found
    assert isinstance(found[0], SealedRun), found[0]
    return found[0]


def the_failure(*paths: Path | str, options: ReadOptions | None = None) -> IntakeFailure:
    found = [one for one in outcomes(*paths, options=options) if not isinstance(one, Skipped)]
    assert len(found) == 1, found
    assert isinstance(found[0], IntakeFailure), found[0]
    assert "\n" not in found[0].line()
    return found[0]


def neutral(run_id: str = "made", **changes: Any) -> dict[str, Any]:
    run: dict[str, Any] = {
        "format": "tracewitness.run/1",
        "run_id": run_id,
        "task": {"instruction": "Turn on Wi-Fi."},
        "steps": [
            {
                "index": 1,
                "action": {"kind": "click", "target": "switch Wi-Fi", "raw": "tap(5)"},
                "before": {"text": "switch 'Wi-Fi' off"},
                "after": {"text": "switch 'Wi-Fi' on"},
                "narration": "I tap the switch.",
            },
            {"index": 2, "action": {"kind": "finish"}},
        ],
        "report": {"text": "Wi-Fi is on.", "declared_status": "success"},
        "harness": {"status": "completed"},
    }
    return {**run, **changes}


def write_json(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def write_lines(path: Path, values: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def node(text: str, bounds: str, children: str = "", **attributes: str) -> str:
    given = {"text": text, "resource-id": "", "class": "android.view.View", "bounds": bounds, **attributes}
    written = " ".join(f'{key.replace("_", "-")}="{value}"' for key, value in given.items())
    return f"<node {written}>{children}</node>"


def dump(*nodes: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?><hierarchy rotation="0">{"".join(nodes)}</hierarchy>'


SETTINGS = dump(
    node("Network", "[0,0][1000,100]", clickable="true"),
    node("Display", "[0,100][1000,200]", clickable="true"),
    node("Search", "[0,200][1000,300]", focusable="true", focused="true"),
)

PROMPT = (
    "You are an agent that is trained to perform some basic tasks on a smartphone.\n"
    "The task you need to complete is to {task}. Your past actions to proceed with this task are summarized as "
    "follows: {past}\nNow, given the documentation and the following labeled screenshot, you need to think."
)


def said(call: str, thought: str = "I look.", summary: str = "I did it.") -> str:
    return f"Observation: A screen.\nThought: {thought}\nAction: {call}\nSummary: {summary}"


def appagent(
    parent: Path,
    responses: Sequence[str],
    *,
    task: str = "turn on wifi",
    past: str = "None",
    dumps: Sequence[str | None] | None = None,
    name: str = "task_system_2026-01-31_12-00-00",
) -> Path:
    """Write a task folder with one dump before every round (``dumps`` may hold more: trailing screens)."""
    folder = parent / name
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "step": at + 1,
            "prompt": PROMPT.format(task=task, past="None" if at == 0 else past),
            "image": f"{name}_{at + 1}_labeled.png",
            "response": response,
        }
        for at, response in enumerate(responses)
    ]
    write_lines(folder / f"log_system_{name}.txt", lines)
    for at, content in enumerate(dumps if dumps is not None else [SETTINGS] * len(responses)):
        if content is not None:
            (folder / f"{name}_{at + 1}.xml").write_text(content, encoding="utf-8")
    return folder


def browser_round(
    number: int, actions: list[dict[str, Any]], results: list[dict[str, Any]], **changes: Any
) -> dict[str, Any]:
    """Return one round of the current generation; ``memory``, ``todo``, ``page`` and others may be set."""
    words = {key: changes.get(key, f"{key} {number}") for key in ("evaluation_previous_goal", "memory", "next_goal")}
    words["thinking"] = changes.get("thinking", "hm")
    return {
        "model_output": {**words, "action": actions},
        "result": results,
        "state": {
            "url": f"http://shop.test/{number}",
            "title": f"Shop {number}",
            "tabs": [{"url": f"http://shop.test/{number}", "title": f"Shop {number}", "target_id": "83B3"}],
            "interacted_element": [None] * len(actions),
            "screenshot_path": None,
        },
        "metadata": {"step_start_time": 1796027254.0 + number, "step_number": number},
        "state_message": prompt_of_round(number, changes),
    }


def prompt_of_round(number: int, words: dict[str, Any]) -> str:
    page = words.get("page", f"[{number}]<button />\n\tBuy {number}")
    return (
        f"<user_request>\n{words.get('task', 'Buy one item')}\n</user_request>\n\n"
        f"<agent_history>\n{words.get('past', 'Agent initialized')}\n</agent_history>\n\n"
        f"<agent_state>\n<todo_contents>\n{words.get('todo', '')}\n</todo_contents>\n</agent_state>\n"
        f"<browser_state>\n{page}\n</browser_state>\n<step_info>Step{number} maximum:6</step_info>\n"
    )


def browser_use(path: Path, rounds: Sequence[dict[str, Any]]) -> Path:
    return write_json(path, {"history": list(rounds)})

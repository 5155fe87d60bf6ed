"""Logs of every format as they lie on disk, to be retold (other words of the agent) or retraced (another course).

``Say`` gives the words for a plane: ``report``, ``narration`` or ``grading`` in a retold log, ``evidence`` in a
retraced one.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.formats import built_in
from tracewitness.intake.formats.appagent import AppAgentFormat
from tracewitness.intake.formats.browser_use import FORMAT as BROWSER_USE
from tracewitness.intake.formats.neutral import NeutralFormat
from tracewitness.intake.reading import read_all
from tracewitness.intake.registry import Registry
from tracewitness.intake.retelling import Retelling
from tracewitness.intake.sealed import SealedRun

TESTS = Path(__file__).resolve().parents[1]
EXAMPLES = TESTS.parent / "examples"
FIXTURES = TESTS / "intake" / "fixtures"
CASES = sorted((TESTS / "cases").glob("*/*.json"))

Json = dict[str, Any]
Say = Callable[[str], str]


class Source(Protocol):
    """One log."""

    @property
    def name(self) -> str: ...

    def written(self, folder: Path) -> Path:
        """Write the log as it is."""
        ...

    def retold(self, folder: Path, say: Say, flag: bool | None) -> Path:
        """Write it with other words of the agent, another flag and other grading, and nothing else changed."""
        ...

    def retraced(self, folder: Path, say: Say) -> Path:
        """Write it with another course and the same report."""
        ...


def read(write: Callable[[Path], Path]) -> SealedRun:
    """Return the one run that a source writes; it always lies in a folder of the same name."""
    with TemporaryDirectory() as folder:
        found = list(read_all([write(Path(folder) / "logs")], Registry(built_in())))
    assert len(found) == 1, found
    assert isinstance(found[0], SealedRun), found[0]
    return found[0]


def outcomes(path: Path) -> list[SealedRun | IntakeFailure]:
    found = read_all([path], Registry(built_in()))
    return [one for one in found if isinstance(one, SealedRun | IntakeFailure)]


def _retold(source: Source, one: Retelling, folder: Path, say: Say, flag: bool | None) -> Path:
    """Retell a log as the product does when it proves isolation."""
    with TemporaryDirectory() as scratch:
        written = source.written(Path(scratch) / "logs")
        return one.retell(Candidate(written, written.name), say, flag, folder)


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# --- neutral -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NeutralSource:
    run: Json
    beside: Path | None = None

    @property
    def name(self) -> str:
        return f"neutral:{self.run['run_id']}"

    def written(self, folder: Path) -> Path:
        return self._written(folder, self.run)

    def retold(self, folder: Path, say: Say, flag: bool | None) -> Path:
        return _retold(self, NeutralFormat(), folder, say, flag)

    def retraced(self, folder: Path, say: Say) -> Path:
        run = deepcopy(self.run)
        run["steps"] = run["steps"][len(run["steps"]) // 3 :]
        for step in run["steps"]:
            step["after"] = {"text": say("evidence"), "url": say("evidence")}
            step["error"] = say("evidence")
            if step["action"]["kind"] != "finish":
                step["action"] = {"kind": "click", "target": say("evidence"), "raw": say("evidence")}
        run["complete"] = False
        return self._written(folder, run)

    def _written(self, folder: Path, run: Json) -> Path:
        if self.beside is not None:
            shutil.copytree(self.beside, folder, ignore=shutil.ignore_patterns("*.jsonl"), dirs_exist_ok=True)
        return _write(folder / "run.json", json.dumps(run))


def neutral_sources() -> Iterator[NeutralSource]:
    for path in CASES:
        yield NeutralSource(json.loads(path.read_text(encoding="utf-8"))["run"])
    for path in (EXAMPLES / "neutral" / "runs.jsonl", FIXTURES / "neutral" / "runs.jsonl"):
        beside = path.parent if path.is_relative_to(FIXTURES) else None
        for line in path.read_text(encoding="utf-8").splitlines():
            run = json.loads(line)
            yield NeutralSource({**run, "run_id": f"{run['run_id']} again"}, beside)


# --- AppAgent ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AppAgentSource:
    """A task folder: its log lines, and its other files by name."""

    folder_name: str
    rounds: tuple[Json, ...]
    files: tuple[tuple[str, bytes], ...]

    @property
    def name(self) -> str:
        return f"appagent:{self.folder_name}"

    def written(self, folder: Path) -> Path:
        return self._written(folder, self.rounds, dict(self.files))

    def retold(self, folder: Path, say: Say, flag: bool | None) -> Path:
        return _retold(self, AppAgentFormat(), folder / self.folder_name, say, flag)

    def retraced(self, folder: Path, say: Say) -> Path:
        files: dict[str, bytes] = {}
        for name, content in self.files:
            if name.endswith(".xml"):
                shown = re.sub(r"[^\w ]", "", say("evidence"))
                content = re.sub(rb' text="[^"]*"', f' text="{shown}"'.encode(), content)
            files[name] = content
        last = max(name for name in files if name.endswith(".xml"))
        files.pop(last)
        rounds = [{**one, "response": one["response"].replace("tap(", "long_press(")} for one in self.rounds]
        return self._written(folder, rounds, files)

    def _written(self, folder: Path, rounds: list[Json] | tuple[Json, ...], files: dict[str, bytes]) -> Path:
        place = folder / self.folder_name
        place.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (place / name).write_bytes(content)
        log = "".join(json.dumps(one) + "\n" for one in rounds)
        _write(place / f"log_system_{self.folder_name}.txt", log)
        return place


def appagent_sources() -> Iterator[AppAgentSource]:
    for folder in sorted([*EXAMPLES.glob("appagent/task_*"), *FIXTURES.glob("appagent/tasks/task_*")]):
        log = next(folder.glob("log_*.txt"))
        rounds = tuple(json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line.strip())
        files = tuple((file.name, file.read_bytes()) for file in sorted(folder.iterdir()) if file != log)
        # Examples and fixtures share folders; what is told apart here is the name of the test.
        yield AppAgentSource(folder.name, rounds, files)
    yield finished_appagent()


_PROMPT = (
    "You are an agent that is trained to perform some basic tasks on a smartphone.\n"
    "The task you need to complete is to {task}. Your past actions to proceed with this task are summarized as "
    "follows: {past}\nNow, given the documentation and the following labeled screenshot, you need to think.\n"
    "Thought: <What is the next step?>\nAction: <The function call with the correct parameters>\nSummary: <...>"
)


def finished_appagent() -> AppAgentSource:
    """Return a run that ends with FINISH, so that there is a report."""
    name = "task_system_2026-01-31_12-00-00"
    calls = ['text("quiet hours")', "tap(2)", "FINISH"]
    rounds = tuple(
        {
            "step": at + 1,
            "prompt": _PROMPT.format(task="turn on Wi-Fi", past="None" if at == 0 else "I typed."),
            "image": f"{name}_{at + 1}_labeled.png",
            "response": f"Observation: A screen.\nThought: I act.\nAction: {call}\nSummary: Wi-Fi is on.",
        }
        for at, call in enumerate(calls)
    )
    files = tuple((f"{name}_{at + 1}.xml", _screen(state)) for at, state in enumerate(["false", "false", "true"]))
    return AppAgentSource(name, rounds, files)


def _screen(wifi: str) -> bytes:
    given = 'resource-id="" class="android.widget.{kind}" bounds="[0,{top}][1000,{end}]" clickable="true"'
    field = given.format(kind="EditText", top=0, end=99)
    switch = given.format(kind="Switch", top=100, end=199)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><hierarchy rotation="0"><node text="Search" {field} focused="true"/>'
        f'<node text="Wi-Fi" {switch} checkable="true" checked="{wifi}"/></hierarchy>'
    ).encode()


# --- browser-use -------------------------------------------------------------------------------------------------

_SAID = ("evaluation_previous_goal", "valuation_previous_goal", "memory", "next_goal", "thinking", "summary")


@dataclass(frozen=True)
class BrowserSource:
    label: str
    document: Json
    task: str | None = None

    @property
    def name(self) -> str:
        return f"browser_use:{self.label}"

    def written(self, folder: Path) -> Path:
        return self._written(folder, self.document)

    def retold(self, folder: Path, say: Say, flag: bool | None) -> Path:
        return _retold(self, BROWSER_USE, folder, say, flag)

    def retraced(self, folder: Path, say: Say) -> Path:
        document = deepcopy(self.document)
        for item in document["history"]:
            item["state"] |= {"title": say("evidence"), "url": say("evidence")}
            output: Json = item.get("model_output") or {}
            for action in _listed(output.get("action")):
                for name, arguments in action.items():
                    if name != "done" and isinstance(arguments, dict):
                        arguments["text"] = say("evidence")
            for result in _listed(item["result"]):
                if not result.get("is_done"):
                    result["extracted_content"] = say("evidence")
        return self._written(folder, document)

    def _written(self, folder: Path, document: Json) -> Path:
        if self.task is not None:
            _write(folder / "AgentHistory.task.txt", self.task)
        return _write(folder / "AgentHistory.json", json.dumps(document))


def _listed(value: Json | list[Json] | None) -> list[Json]:
    return [value] if isinstance(value, dict) else list(value or [])


def browser_sources() -> Iterator[BrowserSource]:
    fixture = json.loads((FIXTURES / "browser_use" / "AgentHistory.json").read_text(encoding="utf-8"))
    example = json.loads((EXAMPLES / "browser-use" / "AgentHistory.json").read_text(encoding="utf-8"))
    yield BrowserSource("flat fixture", fixture)
    yield BrowserSource("flat example", example)
    yield BrowserSource("flat with tools", with_tools(fixture))
    yield BrowserSource("nested", nested_generation(fixture), "Buy one item in the shop for Ana")
    yield BrowserSource("pre-release", pre_release(fixture), "Buy one item in the shop for Ana")


def with_tools(document: Json) -> Json:
    """Return a history in which the agent notes, reads its notes and ends by tools of its own."""
    made = deepcopy(document)
    for item in made["history"][1:]:
        item["state_message"] = item["state_message"].replace(
            "</browser_state>\n", "</browser_state>\n<read_state>\nnotes.md: buy one\n</read_state>\n"
        )
    first, last = made["history"][0], made["history"][-1]
    first["model_output"]["action"] += [
        {"think": {"thought": "I look."}},
        {"wait": {"seconds": 1, "reason": "It loads."}},
        {"tick": {"box": 3, "why": "It is asked for."}},
    ]
    first["result"] += [{"extracted_content": text} for text in ("I look.", "Waited", "Ticked")]
    first["state"]["interacted_element"] += [None] * 3
    last["model_output"]["action"] = [{"finish_task": last["model_output"]["action"][0]["done"]}]
    return made


def nested_generation(document: Json) -> Json:
    """Return a history as the generation with ``current_state`` wrote it: no prompt in it, several actions a round."""
    made = deepcopy(document)
    for item in made["history"]:
        item.pop("state_message", None)
        output = item["model_output"]
        said = {key: output.pop(key) for key in _SAID if key in output}
        output["current_state"] = said
    first = made["history"][0]
    first["model_output"]["action"].append({"write_file": {"file_name": "todo.md", "content": "my plan"}})
    first["result"].append({"is_done": False, "extracted_content": "Data written to todo.md: my plan"})
    first["state"]["interacted_element"].append(None)
    return made


def pre_release(document: Json) -> Json:
    """Return a history as the pre-release wrote it: action and result are objects, the page is a list of items."""
    made = nested_generation(document)
    for at, item in enumerate(made["history"]):
        output = item["model_output"]
        output["current_state"]["valuation_previous_goal"] = output["current_state"].pop("evaluation_previous_goal")
        output["action"], item["result"] = output["action"][0], item["result"][0]
        item["state"]["items"] = f"[{at}]<button>Buy</button>"
    return made

"""The promise, at the door: what the agent says never changes what the trace side is given, and the reverse."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_logs import SETTINGS, appagent, browser_round, browser_use, dump, neutral, node, said, the_run, write_json

from tracewitness.intake.sealed import SealedRun

ANY_WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.sampled_from(
    [
        "Wi-Fi is on. The switch was tapped and the settings now show that it is on.",
        "\nAction: tap(1)\nFunction: tap(2)\nSummary: x",
        "<browser_state>\nfake\n</browser_state>\n</user_request>",
        "FINISH",
        '"}]}\u202e\x1b[31m',
        "tap(2) switch 'Wi-Fi' on",
    ]
)
PLAIN_WORDS = st.text("abc 你好.", max_size=40)
FLAGS = st.sampled_from([None, True, False])


def blind(run: SealedRun) -> tuple[str, str, str]:
    """Return everything the trace side may see of a run, and its id."""
    return run.run_id, repr(run.task), repr(run.trace)


def neutral_run(words: str, thought: str, flag: bool | None, page: str = "switch 'Wi-Fi' on") -> dict[str, Any]:
    run = neutral()
    run["report"] = {"text": words, "declared_status": {None: None, True: "success", False: "failure"}[flag]}
    run["steps"][0]["narration"] = thought
    run["steps"][0]["after"]["text"] = page
    run["harness"] = {"status": "completed" if flag is None else "unknown"}
    run["extra"] = {"judge": words}
    return run


def read_neutral(run: dict[str, Any]) -> SealedRun:
    with TemporaryDirectory() as folder:
        return the_run(write_json(Path(folder) / "run.json", run))


@settings(max_examples=40, deadline=None)
@given(ANY_WORDS, ANY_WORDS, FLAGS)
def test_neutral_words_leave_the_trace_alone(words: str, thought: str, flag: bool | None) -> None:
    assert blind(read_neutral(neutral_run(words, thought, flag))) == blind(read_neutral(neutral_run("", "", True)))


@settings(max_examples=20, deadline=None)
@given(ANY_WORDS)
def test_neutral_pages_leave_the_report_alone(page: str) -> None:
    assert read_neutral(neutral_run("ok", "", True, page)).report == read_neutral(neutral_run("ok", "", True)).report


def read_appagent(thought: str, past: str, summary: str, page: str = SETTINGS) -> SealedRun:
    responses = [said("tap(1)", thought, summary=past), said("FINISH", thought, summary)]
    with TemporaryDirectory() as folder:
        return the_run(appagent(Path(folder), responses, past=past, dumps=[page, page]))


@settings(max_examples=40, deadline=None)
@given(PLAIN_WORDS, ANY_WORDS, ANY_WORDS)
def test_appagent_words_leave_the_trace_alone(thought: str, past: str, summary: str) -> None:
    assert blind(read_appagent(thought, past, summary)) == blind(read_appagent("", "", ""))


@settings(max_examples=20, deadline=None)
@given(PLAIN_WORDS)
def test_appagent_pages_leave_the_report_alone(page: str) -> None:
    changed = read_appagent("", "", "All done.", dump(node(page, "[0,0][9,9]", clickable="true")))
    assert changed.report == read_appagent("", "", "All done.").report


def browser_rounds(
    words: str, thought: str, echo: str, flag: bool | None, page: str = "[1]<a />"
) -> list[dict[str, Any]]:
    notes = {"write_file": {"file_name": "todo.md", "content": thought}}
    said_of_page: dict[str, Any] = {"extracted_content": thought, "long_term_memory": thought}
    done: dict[str, Any] = {"done": {"text": words, "success": flag}}
    final: dict[str, Any] = {"is_done": True, "extracted_content": words, "long_term_memory": words, "success": flag}
    final["judgement"] = {"reasoning": thought}
    said_words: dict[str, Any] = {
        "memory": thought,
        "thinking": thought,
        "next_goal": words,
        "past": echo,
        "todo": echo,
    }
    actions: list[dict[str, Any]] = [{"click": {"index": 1}}, {"extract": {"query": "total"}}, notes]
    results = [{"extracted_content": "Clicked", "long_term_memory": thought}, said_of_page, said_of_page]
    return [
        browser_round(1, actions, results, page=page, **{**said_words, "past": "Agent initialized", "todo": ""}),
        browser_round(2, [done], [final], page=page, **said_words),
    ]


def read_browser(rounds: list[dict[str, Any]]) -> SealedRun:
    with TemporaryDirectory(prefix="same") as folder:
        return the_run(browser_use(Path(folder) / "logs" / "h.json", rounds))


@settings(max_examples=40, deadline=None)
@given(ANY_WORDS, ANY_WORDS, PLAIN_WORDS, FLAGS)
def test_browser_use_words_leave_the_trace_alone(words: str, thought: str, echo: str, flag: bool | None) -> None:
    changed, plain = browser_rounds(words, thought, echo, flag), browser_rounds("", "", "", True)
    assert blind(read_browser(changed)) == blind(read_browser(plain))


@settings(max_examples=20, deadline=None)
@given(PLAIN_WORDS)
def test_browser_use_pages_leave_the_report_alone(page: str) -> None:
    changed, plain = browser_rounds("Bought.", "", "", True, page), browser_rounds("Bought.", "", "", True)
    assert read_browser(changed).report == read_browser(plain).report


def token(name: str) -> str:
    return f"CANARY{name.upper()}CANARY"


def check_canaries(run: SealedRun, hidden: list[str], shown: list[str]) -> None:
    seen = "".join(blind(run)[1:])
    assert [name for name in hidden if token(name) in seen] == []
    assert [name for name in shown if token(name) not in seen] == []


def test_neutral_canaries(tmp_path: Path) -> None:
    hidden = ["narration", "report", "extra", "agent", "source", "id"]
    seen = {"text": token("text"), "ui_tree": token("tree"), "url": token("url"), "screenshot": token("shot")}
    step: dict[str, Any] = {"index": 1, "before": seen, "after": {key: value + "2" for key, value in seen.items()}}
    step["action"] = {key: token(key) for key in ("kind", "target", "typed", "raw")}
    step["action"]["text"] = step["action"].pop("typed")
    step |= {"error": token("error"), "time": "2026-01-31T12:00:00Z", "narration": token("narration")}
    run = neutral(token("id"), steps=[step], agent=token("agent"), source=token("source"))
    run["report"]["text"], run["extra"] = token("report"), {"x": token("extra")}
    run["task"] = {
        "instruction": token("task"),
        "app": token("app"),
        "start_url": token("start"),
        "locale": token("locale"),
    }
    shown = ["text", "tree", "url", "shot", "kind", "target", "typed", "raw", "error", "task", "app", "start", "locale"]
    check_canaries(the_run(write_json(tmp_path / "run.json", run)), hidden, shown)


def test_appagent_canaries(tmp_path: Path) -> None:
    first = f'Observation: {token("look")}\nThought: {token("thought")}\nAction: text("{token("typed")}") '
    first += f"{token('comment')}\nSummary: {token('past')}"
    last = f"{token('lead')}\nAction: FINISH {token('beside')}\nSummary: {token('report')}\n{token('more')}"
    page = dump(node(token("page"), "[0,0][9,9]", focused="true"))
    run = the_run(appagent(tmp_path, [first, last], task=token("task"), past=token("echo"), dumps=[page, page]))
    hidden = ["look", "thought", "comment", "past", "lead", "beside", "report", "more", "echo"]
    check_canaries(run, hidden, ["task", "page", "typed"])
    assert token("report") in (run.report.text or "")


def test_browser_use_canaries(tmp_path: Path) -> None:
    hidden = ["memory", "thinking", "next_goal", "evaluation_previous_goal", "past", "todo", "note", "extract", "ltm"]
    hidden += ["done", "report", "judge", "attach", "parse", "usage", "why"]
    actions: list[dict[str, Any]] = [
        {"navigate": {"url": token("goto")}},
        {"write_file": {"file_name": token("file"), "content": token("note")}},
        {"extract": {"query": "x"}},
        {"call_lift": {"floor": token("argument"), "reason": token("why")}},
    ]
    results: list[dict[str, Any]] = [
        {"extracted_content": token("answer"), "long_term_memory": token("ltm")},
        {"extracted_content": token("note")},
        {"extracted_content": token("extract")},
        {"error": token("error")},
    ]
    words = {
        name: token(name) for name in ("memory", "thinking", "next_goal", "evaluation_previous_goal", "todo", "past")
    }
    first = browser_round(
        1, actions, results, page=token("page"), task=token("task"), **{**words, "past": "", "todo": ""}
    )
    first["state"] |= {"title": token("title"), "url": token("url")}
    failed = browser_round(2, [], [{"error": token("parse")}], **words)
    failed["model_output"] = None
    final: dict[str, Any] = {"is_done": True, "success": True, "extracted_content": token("report")}
    final |= {"long_term_memory": token("report"), "attachments": [token("attach")]}
    final |= {"judgement": {"reasoning": token("judge")}}
    last = browser_round(3, [{"done": {"text": token("done"), "success": True}}], [final], **words)
    path = write_json(tmp_path / "h.json", {"history": [first, failed, last], "usage": token("usage")})
    shown = ["task", "goto", "file", "argument", "answer", "error", "page", "title", "url"]
    check_canaries(the_run(path), hidden, shown)


@pytest.mark.parametrize("name", ["run_PASS_score_1", "run_FAIL_score_0"])
def test_folder_names_are_not_passed_on(tmp_path: Path, name: str) -> None:
    path = write_json(tmp_path / name / "run.json", neutral())
    folder = appagent(tmp_path / name, [said("tap(1)"), said("FINISH")])
    for run in (the_run(path), the_run(folder)):
        assert name not in "".join(blind(run)[1:])


def test_the_repr_of_a_sealed_run_shows_neither_half() -> None:
    shown = repr(read_neutral(neutral()))
    assert "Wi-Fi" not in shown
    assert json.dumps("made") not in shown

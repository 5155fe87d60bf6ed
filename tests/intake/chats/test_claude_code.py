"""Sessions of Claude Code."""

import shutil
from pathlib import Path
from typing import Any

from made_logs import FIXTURES, REGISTRY, runs, the_run, write_lines

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.claude_code import FORMAT
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import Report
from tracewitness.trace_side.trace import Action

REAL = FIXTURES / "claude_code"


def test_a_session_with_a_tool() -> None:
    run = the_run(REAL / "tool_call_conversation.jsonl")
    assert run.task.instruction == "Read the README file"
    read, finish = run.trace.steps
    assert (read.action.kind, read.action.target) == ("Read", "/Users/test/project/README.md")
    assert read.after is not None
    assert read.after.text == "result: # My Project\n\nThis is a sample project for testing purposes."
    assert read.time == "2026-01-31T11:00:01.000Z"
    assert finish.action.kind == "finish"
    assert run.report.text is not None and run.report.text.startswith("The README indicates")
    assert run.origin.format_version == "2.0.76"
    assert run.run_id == "claude_code/tool_call_conversation"


def test_what_a_subagent_did_is_evidence_and_what_it_says_is_not() -> None:
    run = the_run(REAL / "agent_session.jsonl")
    assert [step.action.kind for step in run.trace.steps] == ["Task", "Bash", "finish"]
    task, listing, _ = run.trace.steps
    assert task.action == Action("Task")
    assert task.after is None
    assert listing.after is not None and "drwxr-xr-x  src" in (listing.after.text or "")
    assert "Main source code" not in repr(run.trace)
    verdict = REGISTRY.verdicts(Candidate(REAL / "agent-atest01.jsonl", "agent-atest01.jsonl"))["claude_code"]
    assert not verdict.yes


def test_a_subagent_whose_file_is_missing(tmp_path: Path) -> None:
    shutil.copy(REAL / "agent_session.jsonl", tmp_path)
    run = the_run(tmp_path / "agent_session.jsonl")
    assert [step.action.kind for step in run.trace.steps] == ["Task", "finish"]


def test_a_name_of_a_subagent_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    text = (REAL / "agent_session.jsonl").read_text().replace("atest01", "../../x")
    (tmp_path / "session.jsonl").write_text(text)
    assert [step.action.kind for step in the_run(tmp_path / "session.jsonl").trace.steps] == ["Task", "finish"]


def test_a_summary_of_what_was_before_is_narration() -> None:
    run = the_run(REAL / "compaction_session.jsonl")
    assert run.task.instruction == "Start a long conversation\n\nContinue where we left off"
    assert "Summary of previous" not in repr((run.task, run.trace, run.report))
    assert any(one.where == "line 4" and one.route is LeakRoute.ECHO for one in run.stripped)


def test_a_session_that_begins_anew_is_several_runs() -> None:
    first, second = runs(REAL / "clear_split_session.jsonl")
    assert (first.task.instruction, second.task.instruction) == (
        "First conversation message",
        "Second conversation after clear",
    )
    assert first.run_id.endswith("-1") and second.run_id.endswith("-2")
    assert first.report == Report("I understand. This is the first response.")


def test_requests_of_a_session_are_its_task() -> None:
    run = the_run(REAL / "simple_conversation.jsonl")
    assert run.task.instruction == "Hello, how are you?\n\nCan you explain what this codebase does?"


def test_a_line_that_is_cut_off_or_damaged(tmp_path: Path) -> None:
    text = (REAL / "tool_call_conversation.jsonl").read_text()
    path = tmp_path / "session.jsonl"
    path.write_text(text[:-60])
    run = the_run(path)
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert run.report == Report(None)
    lines = text.splitlines(keepends=True)
    path.write_text("".join([lines[0], "{broken\n", *lines[1:]]))
    assert Gap.MISSING_STEPS in the_run(path).trace.gaps


def test_a_line_that_stands_twice_counts_once(tmp_path: Path) -> None:
    text = (REAL / "tool_call_conversation.jsonl").read_text()
    path = tmp_path / "session.jsonl"
    path.write_text(text + text)
    assert the_run(path).trace == the_run(REAL / "tool_call_conversation.jsonl").trace


def test_words_of_the_agent_in_its_tools(tmp_path: Path) -> None:
    def line(kind: str, content: object, at: int) -> dict[str, object]:
        return {"type": kind, "uuid": str(at), "sessionId": "s", "message": {"role": kind, "content": content}}

    def use(name: str, at: int, **given: object) -> dict[str, object]:
        return line("assistant", [{"type": "tool_use", "id": f"t{at}", "name": name, "input": given}], at)

    def result(at: int, text: str) -> dict[str, object]:
        return line("user", [{"type": "tool_result", "tool_use_id": f"t{at}", "content": text}], at + 100)

    told = [
        line("user", "<system-reminder>all is well</system-reminder>Fix it.", 0),
        use("Bash", 1, command="make", description="all is well"),
        result(1, "built"),
        use("ExitPlanMode", 2, plan="all is well"),
        result(2, "approved: all is well"),
        use("WebFetch", 3, url="https://x.test/", prompt="all is well?"),
        result(3, "the page says all is well"),
        line("assistant", [{"type": "text", "text": "Fixed."}], 50),
    ]
    run = the_run(write_lines(tmp_path / "session.jsonl", told))
    assert run.task.instruction == "Fix it."
    assert "well" not in repr((run.task, run.trace))
    assert run.trace.steps[0].action.raw == '{"Bash": {"command": "make"}}'
    assert {one.plane for one in run.stripped if one.where.endswith(".result")} == {Plane.NARRATION}


def test_the_line_says_whose_a_message_is_where_its_role_is_damaged(tmp_path: Path) -> None:
    def line(kind: str, role: str, content: str, at: int) -> dict[str, object]:
        return {"type": kind, "uuid": str(at), "sessionId": "s", "message": {"role": role, "content": content}}

    told = [line("user", "user", "Fix it.", 0), line("assistant", "assis", "all is well", 1)]
    run = the_run(write_lines(tmp_path / "s.jsonl", [*told, line("user", "user", "Go on.", 2)]))
    assert "all is well" not in repr((run.task, run.trace))


def line(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    return {"type": kind, "uuid": f"u{len(str(content))}{kind}{more}", "sessionId": "s", "message": message, **more}


def session(path: Path, *lines: dict[str, Any], task: str = "Fix the bug.") -> SealedRun:
    said = line("assistant", [{"type": "text", "text": "It is fixed."}])
    return the_run(write_lines(path / "session.jsonl", [line("user", task), *lines, said]))


def used(name: str, **given: Any) -> dict[str, Any]:
    return line("assistant", [{"type": "tool_use", "id": "t1", "name": name, "input": given}])


def returned(content: str, **more: Any) -> dict[str, Any]:
    return line("user", [{"type": "tool_result", "tool_use_id": "t1", "content": content}], **more)


def test_what_a_person_answers_to_a_question_is_seen_and_the_question_is_not(tmp_path: Path) -> None:
    options = [{"label": "The bug is fixed, stop"}, {"label": "Go on"}]
    asked: list[Any] = [
        {"question": "The bug is fixed, is it?", "options": options},
        {"question": "Why?", "options": []},
    ]
    answers = {"The bug is fixed, is it?": "Go on", "Why?": "the tests are red"}
    told = "User has answered your questions: The bug is fixed, is it?=Go on"
    run = session(
        tmp_path,
        used("AskUserQuestion", questions=asked),
        returned(told, toolUseResult={"questions": asked, "answers": answers}),
    )
    shown = repr(run.trace)
    assert "user says: chose option 2" in shown
    assert "user says: the tests are red" in shown
    assert "bug is fixed" not in shown


def test_what_a_search_found_is_seen_and_what_a_model_made_of_it_is_not(tmp_path: Path) -> None:
    found = 'Web search results for query: "bug"\n\nLinks: [{"url": "https://x.test/"}]\n\nThe bug was fixed.\n'
    run = session(tmp_path, used("WebSearch", query="bug"), returned(found))
    assert "https://x.test/" in repr(run.trace)
    assert "was fixed" not in repr(run.trace)


def test_what_stands_beside_the_conversation(tmp_path: Path) -> None:
    def beside(**held: Any) -> dict[str, Any]:
        return {"type": "attachment", "uuid": str(held), "attachment": held}

    run = session(
        tmp_path,
        used("Bash", command="ls"),
        returned("a.py"),
        beside(type="queued_command", prompt="Leave b.py alone.", commandMode="prompt"),
        beside(type="edited_text_file", filename="b.py", snippet="1 changed by hand"),
        beside(type="todo_reminder", content=[{"content": "All is done."}]),
    )
    assert run.task.instruction == "Fix the bug.\n\nLeave b.py alone."
    shown = repr(run.trace)
    assert "user says: Leave b.py alone." in shown
    assert "1 changed by hand" in shown
    assert "All is done" not in shown


def test_a_command_that_stands_for_a_prompt_is_the_task(tmp_path: Path) -> None:
    typed = "<command-message>fix</command-message>\n<command-name>/fix</command-name>\n"
    typed += "<command-args>issue 7</command-args>"
    meant = line("user", [{"type": "text", "text": "Fix the issue with this number."}], isMeta=True)
    reminder = line("user", "Caveat: not the user.", isMeta=True)
    run = session(tmp_path, meant, used("Bash", command="ls"), reminder, returned("a.py"), task=typed)
    assert run.task.instruction == "issue 7\n\nFix the issue with this number."
    assert "Caveat" not in repr((run.task, run.trace))


def streamed(kind: str, content: Any, parent: str | None = None) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    return {"type": kind, "session_id": "s", "parent_tool_use_id": parent, "message": message}


def test_output_as_a_stream(tmp_path: Path) -> None:
    task = {"type": "tool_use", "id": "k", "name": "Task", "input": {"description": "x", "prompt": "Look at it."}}
    inner = {"type": "tool_use", "id": "b", "name": "Bash", "input": {"command": "ls"}}
    lines = [
        {"type": "system", "subtype": "init", "session_id": "s"},
        streamed("user", "Fix the bug."),
        streamed("assistant", [task]),
        streamed("assistant", [{"type": "text", "text": "The bug is gone."}, inner], "k"),
        streamed("user", [{"type": "tool_result", "tool_use_id": "b", "content": "a.py"}], "k"),
        streamed("assistant", [{"type": "text", "text": "The bug is gone."}], "k"),
        streamed("user", [{"type": "tool_result", "tool_use_id": "k", "content": "The bug is gone."}]),
    ]
    ended = [streamed("assistant", [{"type": "text", "text": "Fixed."}]), {"type": "result", "subtype": "success"}]
    run = the_run(write_lines(tmp_path / "out.jsonl", [*lines, *ended]))
    assert [step.action.kind for step in run.trace.steps] == ["Task", "Bash", "finish"]
    assert "is gone" not in repr((run.trace, run.report))
    assert run.report == Report("Fixed.")
    assert run.trace.gaps == ()
    stopped = [*lines[:5], {"type": "result", "subtype": "error_max_turns", "is_error": True}]
    run = the_run(write_lines(tmp_path / "stopped.jsonl", stopped))
    assert (run.report, run.harness) == (Report(None), HarnessStatus.STEP_LIMIT)


def test_a_command_that_the_user_ran_is_seen_with_what_it_printed(tmp_path: Path) -> None:
    ran = (line("user", "<bash-input>git log</bash-input>"), line("user", "<bash-stdout>no commits</bash-stdout>"))
    shown = repr(session(tmp_path, used("Bash", command="ls"), returned("a.py"), *ran).trace)
    assert "the user ran a command: git log" in shown
    assert "no commits" in shown


def test_the_prompt_that_a_command_stands_for_stays_where_the_session_is_retold(tmp_path: Path) -> None:
    typed = "<command-name>/fix</command-name>\n<command-args>issue 7</command-args>"
    meant = line("user", [{"type": "text", "text": "Fix the issue with this number."}], isMeta=True)
    lines = [line("user", typed), meant, used("Bash", command="ls"), returned("a.py")]
    path = write_lines(tmp_path / "session.jsonl", lines)
    told = FORMAT.retell(Candidate(path, path.name), lambda _: "Something else was said.", None, tmp_path / "told")
    assert (the_run(told).task, the_run(told).trace) == (the_run(path).task, the_run(path).trace)

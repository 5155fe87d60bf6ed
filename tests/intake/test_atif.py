import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, failures, outcomes, runs, the_failure, the_run, write_json, write_lines

import tracewitness
from plants.atif import batch, call, document, plant, plant_trial
from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.formats.atif import FORMAT
from tracewitness.intake.grammars import command_batches, function_tags
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.testing.words import Words

REAL = FIXTURES / "atif"
HELLO = 'Create a file called hello.txt with "Hello, world!" as the content.'


def acts(*calls: dict[str, Any], results: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    seen = {} if results is None else {"observation": {"results": results}}
    return {"source": "agent", "message": "I do.", "tool_calls": list(calls), **seen, **more}


def read(tmp_path: Path, *steps: dict[str, Any], task: str = "Do it.", **more: Any) -> SealedRun:
    asked = {"source": "user", "message": task}
    return the_run(write_json(tmp_path / "made.json", document([asked, *steps], **more)))


def test_a_real_run_with_function_calls() -> None:
    run = the_run(REAL / "openhands_hello-world.trajectory.json")
    assert run.task.instruction == HELLO
    created, ended = run.trace.steps
    assert (created.action.kind, created.action.target) == ("str_replace_editor", "/app/hello.txt")
    assert created.after is not None
    assert created.after.text == "result: File created successfully at: /app/hello.txt"
    assert ended.action.kind == "finish"
    assert run.report.text is not None
    assert run.report.text.startswith("Task complete. Created /app/hello.txt")
    assert run.report.text.endswith("All done! What's next on the agenda?")
    assert (run.origin.format_version, run.origin.agent) == ("ATIF-v1.5", "openhands")


def test_a_real_run_of_a_model_without_function_calling() -> None:
    run = the_run(REAL / "openhands_hello-world.trajectory.no_function_calling.json")
    assert run.task.instruction == HELLO
    assert [step.action.kind for step in run.trace.steps] == ["execute_bash", "finish"]
    assert run.trace.steps[0].action.raw is not None
    assert "cat > /app/hello.txt" in run.trace.steps[0].action.raw
    assert run.report == Report("Task complete. Created /app/hello.txt with 'Hello, world!'")


def test_a_real_run_that_is_continued_in_another_file() -> None:
    read, skipped = outcomes(REAL / "terminus_2.trajectory.json", REAL / "terminus_2.trajectory.cont-1.json")
    assert isinstance(read, SealedRun)
    assert isinstance(skipped, IntakeFailure)
    assert read.task.instruction == HELLO
    assert [step.action.kind for step in read.trace.steps] == ["bash_command"] * 5 + ["finish"] * 2
    assert read.trace.steps[0].before is not None
    assert read.report.declared_status is DeclaredStatus.SUCCESS
    assert read.report.text is not None
    assert read.report.text.endswith("Yes, confirming task completion.\nFinal confirmation.")
    assert read.trace.gaps == ()
    assert "Major Actions Completed" not in repr((read.task, read.trace, read.report))
    copied = [one for one in read.stripped if one.route is LeakRoute.ECHO and one.where.startswith("terminus_2")]
    assert len(copied) >= 4
    assert "it belongs to the run of terminus_2.trajectory.json; name that one, or the folder" in skipped.line()


def test_a_folder_of_them_gives_each_run_once() -> None:
    assert len(runs(REAL)) == 3


@pytest.mark.parametrize(
    ("version", "problem"),
    [("ATIF-v2.0", "schema_version 'ATIF-v2.0' is not known"), ("ATIF-x", "'ATIF-x' is not known, expected ATIF-v1.0")],
)
def test_another_generation_is_refused_by_name(tmp_path: Path, version: str, problem: str) -> None:
    assert problem in the_failure(write_json(tmp_path / "made.json", document([], version))).line()


def test_a_newer_minor_version_is_read_with_a_notice(tmp_path: Path) -> None:
    run = read(tmp_path, acts(call("click", 1)), version="ATIF-v1.12")
    assert "ATIF-v1.12 is newer than ATIF-v1.8, the newest that is known: fields may be left out" in run.notices
    assert run.origin.format_version == "ATIF-v1.12"


def test_every_known_version_is_read_without_one(tmp_path: Path) -> None:
    for version in FORMAT.versions:
        ended = {"source": "agent", "message": "Done."}
        run = read(tmp_path, acts(call("click", 1), results=[{"content": "x"}]), ended, version=version)
        assert (run.notices, run.trace.gaps) == ((), ())


def test_results_go_to_the_calls_they_name(tmp_path: Path) -> None:
    results = [{"source_call_id": "c2", "content": "second"}, {"source_call_id": "c1", "content": "first"}]
    run = read(tmp_path, acts(call("one", 1), call("two", 2), results=results))
    assert [step.after.text for step in run.trace.steps if step.after] == ["result: first", "result: second"]


def test_a_batch_has_one_screen_which_is_seen_after_its_last_command(tmp_path: Path) -> None:
    run = read(tmp_path, acts(call("one", 1), call("two", 2), call("three", 3), results=[{"content": "screen"}]))
    assert [step.after is not None for step in run.trace.steps] == [False, False, True]
    beside = acts(call("one", 1), call("mark_task_complete", 2), results=[{"content": "screen"}])
    ended = read(tmp_path, beside)
    assert [step.after is not None for step in ended.trace.steps] == [True, False]
    assert ended.report == Report("I do.", DeclaredStatus.SUCCESS)


def test_a_result_that_answers_nothing_is_a_gap(tmp_path: Path) -> None:
    run = read(tmp_path, acts(call("one", 1), results=[{"source_call_id": "lost", "content": "x"}]))
    assert Gap.MISSING_STEPS in run.trace.gaps


def test_a_call_without_a_result_at_the_end_is_a_gap_and_no_report(tmp_path: Path) -> None:
    run = read(tmp_path, acts(call("one", 1), results=[{"content": "x"}]), acts(call("two", 2)))
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert run.report == Report(None)
    assert run.harness is HarnessStatus.UNKNOWN


def test_the_last_message_is_the_report_and_earlier_ones_are_not(tmp_path: Path) -> None:
    said = {"source": "agent", "message": "Shall I?"}
    answer = {"source": "user", "message": "Yes."}
    run = read(tmp_path, said, answer, {"source": "agent", "message": "Done.", "reasoning_content": "Hm."})
    assert [step.action.kind for step in run.trace.steps] == ["speak", "finish"]
    assert run.trace.steps[0].after is not None
    assert run.trace.steps[0].after.text == "user says: Yes."
    assert run.report == Report("Done.")


def test_a_message_that_was_answered_and_holds_no_call_is_no_report(tmp_path: Path) -> None:
    odd = {"source": "agent", "message": "!!click 5", "observation": {"results": [{"content": "clicked"}]}}
    run = read(tmp_path, odd)
    assert [(step.action.kind, step.action.executed) for step in run.trace.steps] == [("unparsed", True)]
    assert Gap.MISSING_STEPS in run.trace.gaps
    assert "1 message of the agent acted in a way that is not read" in run.notices
    assert run.report == Report(None)


def test_a_message_that_was_not_understood_was_not_carried_out(tmp_path: Path) -> None:
    refusal = "Previous response had parsing errors:\nERROR: No valid JSON"
    odd = {"source": "agent", "message": "x", "observation": {"results": [{"content": refusal}]}}
    run = read(tmp_path, odd)
    assert [(step.action.kind, step.action.executed) for step in run.trace.steps] == [("unparsed", False)]
    assert run.trace.gaps == (Gap.NO_OBSERVATIONS,)


def test_what_a_user_says_after_the_context_was_summed_up_is_the_summary(tmp_path: Path) -> None:
    extra = {"context_management": {"type": "compaction"}}
    compaction: dict[str, Any] = {"source": "system", "message": "Performed context summarization", "extra": extra}
    handed = {"source": "user", "message": "What was done: the file was created."}
    picked = {"source": "user", "message": "You are picking up work from a previous AI agent on this task: it is done"}
    for steps in ([compaction, handed], [picked]):
        run = read(tmp_path, acts(call("a", 1), results=[{"content": "x"}]), *steps, acts(call("b", 2), results=[]))
        assert "done" not in repr(run.trace)


def test_other_agents_are_named_as_missing(tmp_path: Path) -> None:
    other = document([{"source": "agent", "message": "", "tool_calls": [call("rm", 1)]}], trajectory_id="t")
    run = read(tmp_path, acts(call("a", 1), results=[{"content": "x"}]), subagent_trajectories=[other])
    assert Gap.MISSING_STEPS in run.trace.gaps
    assert "what 1 other agent did on behalf of this one is not read" in run.notices


def test_a_summary_that_other_agents_wrote_is_no_gap(tmp_path: Path) -> None:
    reference = {"subagent_trajectory_ref": [{"trajectory_path": "trajectory.summarization-1-summary.json"}]}
    system = {"source": "system", "message": "Performed", "observation": {"results": [reference]}}
    run = read(tmp_path, acts(call("a", 1), results=[{"content": "x"}]), system)
    assert run.trace.gaps == ()


@pytest.mark.parametrize("content", [None, "{", '{"schema_version": "other"}'])
def test_a_continuation_that_is_missing_or_damaged_is_a_gap(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "made.cont-1.json").write_text(content, "utf-8")
    step = acts(call("a", 1), results=[{"content": "x"}])
    run = read(tmp_path, step, continued_trajectory_ref="made.cont-1.json")
    assert Gap.MISSING_STEPS in run.trace.gaps
    assert "made.cont-1.json" in run.notices[0]


def test_continuations_that_lead_in_a_circle_or_out_of_the_folder_end(tmp_path: Path) -> None:
    step = acts(call("a", 1), results=[{"content": "x"}])
    assert Gap.MISSING_STEPS in read(tmp_path, step, continued_trajectory_ref="made.json").trace.gaps
    secret = document([{"source": "user", "message": "secret"}])
    write_json(tmp_path / "other.json", secret)
    (tmp_path / "in").mkdir()
    run = read(tmp_path / "in", step, continued_trajectory_ref="../other.json")
    assert "secret" not in repr(run)


def test_pictures(tmp_path: Path) -> None:
    def image(path: str) -> dict[str, Any]:
        return {"type": "image", "source": {"media_type": "image/png", "path": path}}

    (tmp_path / "shots").mkdir()
    (tmp_path / "shots" / "1.png").write_bytes(b"\x89PNG x")
    (tmp_path / "2.png").write_bytes(b"\x89PNG y")
    names = ["shots/1.png", "/logs/agent/2.png", "https://example.test/3.png", "gone.png"]
    sound = {"type": "audio", "source": {"media_type": "audio/wav", "path": "a.wav"}}
    steps = [acts(call("look", at), results=[{"content": [image(name)]}]) for at, name in enumerate(names)]
    run = read(tmp_path, *steps, acts(call("hear", 9), results=[{"content": [sound, {"type": "text", "text": "t"}]}]))
    pictures = [step.after.screenshot for step in run.trace.steps if step.after and step.after.screenshot]
    assert [(one.name, one.digest is not None) for one in pictures] == [
        ("shots/1.png", True),
        ("2.png", True),
        ("https://example.test/3.png", False),
        ("gone.png", False),
    ]
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert run.notices[0].startswith("2 pictures (the first: https://example.test/3.png) are missing")
    assert "1 part of a kind that is not read (sounds)" in run.notices
    climbing = write_json(
        tmp_path / "c" / "x.json", document([acts(call("a", 1), results=[{"content": [image("../2.png")]}])])
    )
    assert failures(climbing)[0].kind.value == "unsafe_path"


def test_a_trial_folder_is_one_run_named_by_it(tmp_path: Path) -> None:
    trial = tmp_path / "job" / "hello__1"
    trial.mkdir(parents=True)
    plant_trial(trial, Words())
    for path in (trial, trial.parent, trial / "agent"):
        assert [run.run_id for run in runs(path)] == ["hello__1/s"]


def test_lines_and_lists_hold_several(tmp_path: Path) -> None:
    good = document([{"source": "user", "message": "Do it."}, acts(call("a", 1), results=[{"content": "x"}])])
    found = outcomes(write_lines(tmp_path / "all.jsonl", [good, {"schema_version": "ATIF-v9.0"}, good]))
    assert [isinstance(one, SealedRun) for one in found] == [True, False, True]
    assert [run.run_id for run in runs(write_json(tmp_path / "list.json", [good, good]))] == ["list-1/s", "list-2/s"]


def test_a_cut_off_last_line_keeps_the_others(tmp_path: Path) -> None:
    good = document([{"source": "user", "message": "Do it."}, acts(call("a", 1), results=[{"content": "x"}])])
    path = write_lines(tmp_path / "all.jsonl", [good, good])
    path.write_bytes(path.read_bytes()[:-30])
    assert len(runs(path)) == 1
    assert "ends in the middle" in failures(path)[0].line()


def test_the_task_beside_the_log(tmp_path: Path) -> None:
    path = write_json(tmp_path / "made.json", document([acts(call("a", 1), results=[{"content": "x"}])]))
    assert "not in this log" in the_failure(path).line()
    (tmp_path / "task.txt").write_text("Do it.", "utf-8")
    assert the_run(path).task.instruction == "Do it."
    (tmp_path / "task.txt").unlink()
    assert the_run(path, ReadOptions(task="Told.")).task.instruction == "Told."


def test_what_was_kept_back_is_recorded(tmp_path: Path) -> None:
    run = the_run(plant(tmp_path, Words()))
    kept = {(one.where, one.plane) for one in run.stripped}
    assert {
        ("steps[2].tool_calls[0].extra", Plane.GRADING),
        ("steps[2].observation.results[0].extra", Plane.GRADING),
        ("steps[2].extra", Plane.GRADING),
        ("steps[2].calls[0].thought", Plane.NARRATION),
        ("steps[2].reasoning", Plane.NARRATION),
        ("notes", Plane.NARRATION),
        ("extra", Plane.GRADING),
        ("subagent_trajectories[0].steps[0]", Plane.NARRATION),
        ("subagent_trajectories[0].steps[2].calls[0]", Plane.NARRATION),
        ("steps[9].message", Plane.REPORT),
        ("steps[9].calls[0].message", Plane.REPORT),
    } <= kept


def test_a_whole_audit(tmp_path: Path) -> None:
    results = tracewitness.audit(str(REAL / "openhands_hello-world.trajectory.json")).results
    assert [result.triage for result in results] == [None] or results[0].disposition is not None


def test_batches_as_json_and_as_tags() -> None:
    parsed = command_batches.parse(f"Words before {batch(Words(), 'x', 'ls', complete=True)} and behind")
    assert parsed is not None
    assert [(one.name, one.arguments.get("keystrokes")) for one in parsed.calls] == [
        ("bash_command", "ls"),
        ("mark_task_complete", None),
    ]
    tags = '<response><plan>p</plan><commands><keystrokes duration="0.5">a < b\n</keystrokes><keystrokes>'
    cut = command_batches.parse(tags)
    assert cut is not None
    assert [one.arguments for one in cut.calls] == [{"keystrokes": "a < b\n", "duration": "0.5"}, {"keystrokes": ""}]
    assert command_batches.parse('{"commands": []}') is None
    assert command_batches.parse("a <response> of mine") is None
    assert command_batches.parse(json.dumps({"analysis": "x", "plan": "y", "commands": "no list"})) is not None


def test_function_tags() -> None:
    parsed = function_tags.parse(
        "I go.<function=a><parameter=x>1\n2</parameter><parameter=y>z</function>Then<function=b>"
    )
    assert parsed is not None
    assert [(one.name, dict(one.arguments)) for one in parsed.calls] == [("a", {"x": "1\n2", "y": "z"}), ("b", {})]
    assert parsed.words == "I go.\nThen"
    assert function_tags.parse("no <function> here") is None


@pytest.mark.parametrize("name", [one.name for one in sorted(REAL.glob("*.json")) if "cont" not in one.name])
def test_real_runs_in_other_words_have_the_same_trace(tmp_path: Path, name: str) -> None:
    candidate = Candidate(REAL / name, name)
    told = FORMAT.retell(candidate, lambda plane: f"other {plane}", None, tmp_path / "told")
    first, again = (next(iter(FORMAT.read(Candidate(path, name), ReadOptions()))) for path in (REAL / name, told))
    assert isinstance(first, SealedRun)
    assert isinstance(again, SealedRun)
    assert (again.task, again.trace) == (first.task, first.trace)
    assert again.report.text != first.report.text


@pytest.mark.parametrize(("agent", "seen"), [("terminus-2", True), ("other", False)])
def test_the_screen_of_a_terminal_that_answers_the_end_is_evidence(tmp_path: Path, agent: str, seen: bool) -> None:
    ended = acts(call("mark_task_complete", 1), results=[{"content": "user@host:~$ ls"}])
    told = {"name": agent, "version": "1"}
    run = read(tmp_path, acts(call("one", 1), results=[{"content": "x"}]), ended, agent=told)
    assert ("user@host" in repr(run.trace)) is seen
    assert run.report.declared_status is DeclaredStatus.SUCCESS


def test_a_result_that_is_an_object_is_shown(tmp_path: Path) -> None:
    run = read(tmp_path, acts(call("one", 1), results=[{"content": {"stdout": "a.py"}}]))
    assert "a.py" in repr(run.trace)


def test_what_another_agent_of_the_document_did_is_evidence_and_what_it_says_is_not(tmp_path: Path) -> None:
    looked = {"source": "agent", "message": "The file is there.", "tool_calls": [call("look", 1, path="a.py")]}
    other = document(
        [
            {"source": "user", "message": "The file is there, look."},
            {**looked, "observation": {"results": [{"source_call_id": "c1", "content": "no such file"}]}},
            {"source": "agent", "message": "The file is there."},
        ],
        trajectory_id="t",
    )
    told = {
        "source_call_id": "c1",
        "content": "The file is there.",
        "subagent_trajectory_ref": [{"trajectory_id": "t"}],
    }
    done = {"source": "agent", "message": "Done."}
    run = read(tmp_path, acts(call("delegate", 1, task="look"), results=[told]), done, subagent_trajectories=[other])
    assert [step.action.kind for step in run.trace.steps] == ["delegate", "look", "finish"]
    assert "no such file" in repr(run.trace)
    assert "file is there" not in repr((run.task, run.trace, run.report))
    assert run.trace.gaps == ()
    assert run.report == Report("Done.")


def test_another_agent_that_is_referred_to_in_a_file_is_missing(tmp_path: Path) -> None:
    told = {"source_call_id": "c1", "content": "x", "subagent_trajectory_ref": [{"trajectory_path": "other.json"}]}
    run = read(tmp_path, acts(call("delegate", 1, task="look"), results=[told]))
    assert Gap.MISSING_STEPS in run.trace.gaps

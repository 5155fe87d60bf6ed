import asyncio
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, failures, outcomes, runs, the_failure, the_run, write_json

from plants.inspect_logs import archive, assistant, begin, event, log, model, output, sample, tool, tool_call
from tracewitness.findings.causes import Gap
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import Report
from tracewitness.testing.words import Words

REAL = FIXTURES / "inspect_logs"
SAMPLES = Path(__file__).parents[3] / "shared" / "samples" / "inspect_ai"


def made(*events: dict[str, Any], last: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return a sample with a transcript."""
    solver = [begin("s", None, "solver", "react"), *events]
    base: dict[str, Any] = {"id": 1, "epoch": 1, "input": "Do it.", "target": "x", "messages": [], "events": solver}
    return {**base, "output": output(last or assistant("")), **more}


def read(tmp_path: Path, *events: dict[str, Any], last: dict[str, Any] | None = None, **more: Any) -> SealedRun:
    return the_run(write_json(tmp_path / "made.json", log([made(*events, last=last, **more)])))


def test_a_real_archive_with_tools_and_sandbox() -> None:
    run = the_run(REAL / "log_message_deduplication.eval")
    assert run.run_id == "log_message_deduplication-0-1"
    assert run.task.instruction == "Guess the number"
    assert [step.action.kind for step in run.trace.steps] == ["bash"] * 5 + ["finish"]
    first = run.trace.steps[0]
    assert first.action.raw == '{"bash": {"cmd": "ls"}}'
    assert first.after is not None
    assert first.after.text is not None
    assert first.after.text.startswith("result: bin\nboot")
    assert first.after.text.endswith("exit code 0")
    assert first.time == "2025-10-06T10:15:45.368612+00:00"
    assert run.report == Report("done")
    assert run.origin.format_version == "version 3"
    assert {one.where for one in run.stripped if one.plane is Plane.GRADING} >= {"target", "scores"}


def test_a_real_archive_with_steps_instead_of_spans() -> None:
    run = the_run(REAL / "custom.eval")
    assert run.report.text is not None
    assert run.report.text.startswith("Yo, fam!")
    assert run.report.text not in repr(run.trace)


def test_a_real_log_without_a_transcript_is_read_from_its_messages() -> None:
    run = the_run(REAL / "log_tool_call_error.json")
    assert run.report == Report(None)
    assert run.trace.steps == ()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("log_version_3.txt", "Unable to read version 4 of log format"),
        ("log_invalid.txt", "the JSON ends in the middle of a value"),
        ("log_with_nan.txt", "the log holds no samples (status success)"),
    ],
)
def test_real_logs_that_cannot_be_read_say_why(name: str, problem: str) -> None:
    assert problem in the_failure(REAL / name).line()


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are kept beside a development checkout")
def test_every_real_sample_is_read_or_refused_with_a_reason() -> None:
    files = [path for path in sorted((SAMPLES / "tests").rglob("*.*")) if "skeleton" not in str(path)]
    found = {path.name: outcomes(path) for path in files}
    read = {name for name, those in found.items() if those and all(isinstance(one, SealedRun) for one in those)}
    refused = {"log_version_3.txt", "log_invalid.txt", "log_with_nan.txt", "log_valid.txt"}
    assert set(found) - read == refused
    assert len(read) == 16
    pictured = SAMPLES / "tests" / "log" / "test_eval_log" / "log_images_tc.json"
    assert "[hedgehog]" in repr(the_run(pictured).report)


def test_samples_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    given = [{**made(last=assistant("x")), "id": name, "epoch": epoch} for name in (10, 2, "b") for epoch in (2, 1)]
    path = archive(tmp_path / "made.eval", log(given))
    names = ["2-1", "2-2", "10-1", "10-2", "b-1", "b-2"]
    assert [run.run_id for run in runs(path)] == [f"made-{name}" for name in names]


def test_an_evaluation_that_goes_on_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = archive(tmp_path / "made.eval", log([sample(Words())], status="started"), finished=False)
    run = the_run(path)
    assert "the log is of an evaluation that had not ended: samples are missing" in run.notices
    assert run.report.text is not None


def test_calls_of_one_message_are_several_steps(tmp_path: Path) -> None:
    first, second = tool_call(1, "a"), tool_call(2, "b")
    run = read(tmp_path, model("s", assistant("", first, second), ""), tool("s", second, "2"), tool("s", first, "1"))
    assert [step.after.text for step in run.trace.steps if step.after] == ["result: 1", "result: 2"]
    assert run.report == Report(None)


def test_a_call_that_no_tool_took_up_was_not_carried_out(tmp_path: Path) -> None:
    done, never = tool_call(1, "a"), tool_call(2, "b")
    run = read(tmp_path, model("s", assistant("", done, never), ""), tool("s", done, "1"))
    assert [(step.action.kind, step.action.executed) for step in run.trace.steps] == [("a", True), ("b", False)]
    assert run.trace.steps[1].error is None


def test_an_error_is_the_error_of_its_step(tmp_path: Path) -> None:
    call = tool_call(1, "a")
    error = {"type": "timeout", "message": "took too long"}
    run = read(tmp_path, model("s", assistant("", call), ""), tool("s", call, "", error=error))
    assert run.trace.steps[0].error == "took too long"


@pytest.mark.parametrize(
    ("ended", "harness"),
    [
        ({"limit": {"type": "message", "limit": 5}}, HarnessStatus.STEP_LIMIT),
        ({"limit": {"type": "token", "limit": 5}}, HarnessStatus.STEP_LIMIT),
        ({"limit": {"type": "time", "limit": 5}}, HarnessStatus.TIMEOUT),
        ({"limit": {"type": "working", "limit": 5}}, HarnessStatus.TIMEOUT),
        ({"error": {"message": "x", "traceback": "", "traceback_ansi": ""}}, HarnessStatus.ERROR),
    ],
)
def test_a_run_that_was_broken_off_has_no_report(tmp_path: Path, ended: dict[str, Any], harness: HarnessStatus) -> None:
    said = assistant("All is done.")
    run = read(tmp_path, model("s", said, ""), last=said, **ended)
    assert run.report == Report(None)
    assert run.harness is harness


def test_submit_is_the_report_wherever_its_echo_stands(tmp_path: Path) -> None:
    call = tool_call(1, "submit", answer="forty-two")
    beside = assistant("I am sure.", call)
    run = read(
        tmp_path, model("s", beside, ""), tool("s", call, "forty-two"), last=assistant("I am sure.\n\nforty-two")
    )
    assert run.report == Report("forty-two")
    assert [step.action.kind for step in run.trace.steps] == ["finish"]
    assert "forty" not in repr(run.trace)


def test_an_earlier_attempt_keeps_no_words(tmp_path: Path) -> None:
    first, then = tool_call(1, "submit", answer="forty-one"), tool_call(2, "a")
    again = tool_call(3, "submit", answer="forty-two")
    run = read(
        tmp_path,
        model("s", assistant("", first), ""),
        tool("s", first, "forty-one"),
        model("s", assistant("", then), "Your submission was incorrect."),
        tool("s", then, "seen"),
        model("s", assistant("", again), ""),
        tool("s", again, "forty-two"),
    )
    assert run.report == Report("forty-two")
    assert "forty" not in repr(run.trace)
    assert "incorrect" not in repr(run.trace)


def test_a_form_that_is_submitted_with_other_arguments_is_an_action(tmp_path: Path) -> None:
    call = tool_call(1, "submit", form="order")
    more = tool_call(2, "look")
    run = read(
        tmp_path,
        model("s", assistant("", call), ""),
        tool("s", call, "ordered"),
        model("s", assistant("", more), ""),
        tool("s", more, "a page"),
    )
    assert run.trace.steps[0].action.raw == '{"submit": {"form": "order"}}'


def test_words_ahead_of_the_last_ones_are_narration(tmp_path: Path) -> None:
    last = assistant("Better answer.")
    run = read(tmp_path, model("s", assistant("Draft."), ""), model("s", last, "critique"), last=last)
    assert run.report == Report("Better answer.")
    assert [told.text for told in run.narration] == ["Draft."]


def test_an_answer_that_a_solver_put_together_is_the_report(tmp_path: Path) -> None:
    run = read(tmp_path, model("s", assistant("Last words."), ""), last=assistant("Answer: B"))
    assert run.report == Report("Answer: B")


def test_the_words_of_a_delegate_are_hidden_and_its_deeds_are_steps(tmp_path: Path) -> None:
    call, inner = tool_call(1, "delegate"), tool_call(2, "rm")
    run = read(
        tmp_path,
        model("s", assistant("", call), ""),
        begin("t", "s", "tool", "delegate"),
        tool("s", call, "It was removed."),
        begin("a", "t", "agent", "x"),
        model("a", assistant("I remove.", inner), ""),
        tool("a", inner, "removed 1 file"),
    )
    assert [step.action.kind for step in run.trace.steps] == ["delegate", "rm"]
    assert run.trace.steps[0].after is None
    assert run.trace.steps[1].after is not None
    older = tool("s", call, "It was removed.", events=[{"event": "model"}])
    nested = read(tmp_path, model("s", assistant("", call), ""), older)
    assert nested.trace.steps[0].after is None


def test_scorers_are_grading_also_where_steps_mark_them(tmp_path: Path) -> None:
    said = assistant("Done.")
    judged = [
        event("step", "x", action="begin", type="scorer", name="judge"),
        model("x", assistant("Correct."), ""),
        event("step", "x", action="end", type="scorer", name="judge"),
    ]
    run = read(tmp_path, model("s", said, ""), *judged, last=said)
    assert run.report == Report("Done.")


def test_choices_are_of_the_task(tmp_path: Path) -> None:
    said = assistant("B")
    run = read(tmp_path, model("s", said, ""), last=said, choices=["red", "blue"])
    assert run.task.instruction == "Do it.\n- red\n- blue"


def test_an_attachment_that_is_missing_is_a_gap(tmp_path: Path) -> None:
    call = tool_call(1, "look")
    lost = [{"type": "image", "image": "attachment://0123456789abcdef0123456789abcdef"}]
    run = read(tmp_path, model("s", assistant("", call), ""), tool("s", call, lost))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert "1 attachment cannot be found in the log" in run.notices


def test_a_damaged_sample_does_not_take_the_others_down(tmp_path: Path) -> None:
    good, bad = made(last=assistant("x")), {**made(last=assistant("x")), "id": 2}
    path = archive(tmp_path / "made.eval", log([good, bad]))
    with zipfile.ZipFile(path) as held:
        members = {name: held.read(name) for name in held.namelist()}
    members["samples/2_epoch_1.json"] = b'{"id": 2, '
    with zipfile.ZipFile(path, "w") as out:
        for name, content in members.items():
            out.writestr(name, content)
    assert [run.run_id for run in runs(path)] == ["made-1-1"]
    assert "sample 2-1" in failures(path)[0].line()


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "made.eval", log([made(last=assistant("x" * 100_000))]))
    failure = the_failure(path, options=ReadOptions(limits=Limits(document=50_000)))
    assert failure.kind.value == "too_large"


def test_an_archive_that_is_no_archive_is_named(tmp_path: Path) -> None:
    path = archive(tmp_path / "made.eval", log([made()]))
    path.write_bytes(path.read_bytes()[:-40])
    assert "damaged or cut off" in the_failure(path).line()


def test_a_log_can_be_read_while_an_event_loop_runs() -> None:
    async def read_inside() -> list[SealedRun]:
        return runs(REAL / "custom.eval")

    assert len(asyncio.run(read_inside())) == 1


def run_python(code: str, *arguments: str, **environment: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_package_is_imported_only_for_an_inspect_log() -> None:
    code = (
        "import sys, tracewitness\n"
        "from tracewitness.wiring.formats import known_formats\n"
        "from tracewitness.intake.reading import read_all\n"
        "list(read_all(sys.argv[1:], known_formats()[0]))\n"
        "print('inspect_ai' in sys.modules)\n"
    )
    assert run_python(code, str(FIXTURES / "neutral")).strip() == "False"
    assert run_python(code, str(REAL / "custom.eval")).strip() == "True"


def test_without_the_package_a_line_says_what_to_install() -> None:
    code = (
        "import sys\n"
        "sys.modules['inspect_ai'] = None\n"
        "from tracewitness.wiring.formats import known_formats\n"
        "from tracewitness.intake.reading import read_all\n"
        "print(next(iter(read_all(sys.argv[1:], known_formats()[0]))).line())\n"
    )
    said = run_python(code, str(REAL / "custom.eval"))
    assert "is read with the package inspect_ai, which is not installed; pip install 'tracewitness[inspect]'" in said


PRODUCER = """
import sys
from inspect_ai import Task, eval
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.tool import tool

@tool
def lamp():
    async def execute(state: str) -> str:
        '''Switch the lamp.

        Args:
            state: on or off
        '''
        if state not in ("on", "off"):
            raise ValueError("no such state")
        return f"lamp is now {state}"

    return execute

def called(name, **arguments):
    return ModelOutput.for_tool_call("mockllm/model", name, arguments)

script = [called("lamp", state="off"), called("lamp", state="on"), called("submit", answer="The lamp is on.")]
for output in script:
    output.choices[0].message.content = "I think about it."
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it fetches a tokenizer
eval(
    Task(dataset=[Sample(input="Switch the lamp on.", target="secret target")], solver=react(tools=[lamp()]),
         scorer=includes()),
    model=get_model("mockllm/model", custom_outputs=script),
    log_dir=sys.argv[1],
    log_format=sys.argv[2],
    display="none",
)
"""


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_a_log_that_inspect_itself_writes(tmp_path: Path, kind: str) -> None:
    home = str(tmp_path / "home")
    run_python(PRODUCER, str(tmp_path / "logs"), kind, HOME=home, XDG_DATA_HOME=home, XDG_CACHE_HOME=home)
    run = the_run(tmp_path / "logs")
    assert run.task.instruction == "Switch the lamp on."
    assert [(step.action.kind, step.action.raw) for step in run.trace.steps] == [
        ("lamp", '{"lamp": {"state": "off"}}'),
        ("lamp", '{"lamp": {"state": "on"}}'),
        ("finish", None),
    ]
    seen = [step.after.text if step.after else None for step in run.trace.steps]
    assert seen == ["result: lamp is now off", "result: lamp is now on", None]
    assert run.report == Report("The lamp is on.")
    assert run.harness is HarnessStatus.COMPLETED
    blind = repr((run.task, run.trace))
    assert "secret" not in blind
    assert "I think" not in blind
    assert "The lamp is on" not in blind
    assert json.dumps(sorted({one.plane.value for one in run.stripped})) == '["grading", "narration", "report"]'


def shown_before(span: str, message: dict[str, Any], *before: dict[str, Any]) -> dict[str, Any]:
    """Return an event of a model that was shown these messages."""
    return {**model(span, message, "x"), "input": list(before)}


def answered(call: dict[str, Any], text: str, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "content": text, "tool_call_id": call["id"], "function": call["function"], **more}


LS, RM = tool_call(1, "bash", cmd="ls"), tool_call(2, "bash", cmd="rm x")


def test_calls_of_an_agent_behind_a_bridge_leave_no_event_and_were_made(tmp_path: Path) -> None:
    said = assistant("It is gone.")
    run = read(
        tmp_path,
        shown_before("s", assistant("I look.", LS)),
        shown_before("s", assistant("I remove it.", RM), assistant("I look.", LS), answered(LS, "x y")),
        shown_before("s", said, answered(LS, "x y"), assistant("I remove it.", RM), answered(RM, "removed")),
        last=said,
    )
    assert [(step.action.kind, step.action.executed) for step in run.trace.steps] == [
        ("bash", True),
        ("bash", True),
        ("finish", True),
    ]
    assert [step.after.text for step in run.trace.steps if step.after] == ["result: x y", "result: removed"]
    assert run.report == Report("It is gone.")
    assert run.trace.gaps == ()


def test_the_last_call_behind_a_bridge_is_not_known_to_have_been_made_or_not(tmp_path: Path) -> None:
    run = read(
        tmp_path,
        shown_before("s", assistant("", LS)),
        shown_before("s", assistant("", RM), answered(LS, "x y")),
        limit={"type": "message", "limit": 3},
    )
    assert run.trace.steps[-1].action.executed
    assert Gap.LOG_CUT_OFF in run.trace.gaps


@pytest.mark.parametrize("kind", ["approval", "parsing"])
def test_a_call_that_was_turned_down_was_not_carried_out(tmp_path: Path, kind: str) -> None:
    refused = tool("s", RM, "", error={"type": kind, "message": "a person said no"})
    run = read(tmp_path, model("s", assistant("", RM), "x"), refused, model("s", assistant("No."), "x"))
    (step, *_) = run.trace.steps
    assert (step.action.executed, step.error) == (False, "a person said no")


def test_what_came_back_from_a_call_that_failed_is_seen_beside_the_error(tmp_path: Path) -> None:
    late = tool("s", LS, "half of it", error={"type": "timeout", "message": "timed out"})
    (step, *_) = read(tmp_path, model("s", assistant("", LS), "x"), late, model("s", assistant("x"), "x")).trace.steps
    assert (step.error, step.after.text if step.after else None) == ("timed out", "result: half of it")


def test_a_tool_that_the_provider_ran_is_a_step(tmp_path: Path) -> None:
    used = {"type": "tool_use", "tool_type": "web_search", "id": "w", "name": "web_search"}
    parts = [{**used, "arguments": '{"query": "x"}', "result": "found y"}, {"type": "text", "text": "It is y."}]
    said = assistant(parts)
    run = read(tmp_path, model("s", said, "x"), last=said)
    assert [step.action.kind for step in run.trace.steps] == ["web_search", "finish"]
    assert run.trace.steps[0].after is not None and run.trace.steps[0].after.text == "result: found y"
    assert run.report == Report("It is y.")


def test_a_person_who_steps_in_is_seen_once_and_a_scaffold_is_not(tmp_path: Path) -> None:
    stopped = {"role": "user", "content": "Leave x alone.", "source": "operator", "id": "o"}
    scaffold = {"role": "user", "content": "You are nearly there.", "id": "n"}
    run = read(
        tmp_path,
        model("s", assistant("", LS), "x"),
        tool("s", LS, "x y"),
        shown_before("s", assistant("", RM), stopped, scaffold),
        tool("s", RM, "no"),
        shown_before("s", assistant("Left."), stopped, scaffold),
    )
    shown = repr(run.trace)
    assert shown.count("user says: Leave x alone.") == 1
    assert "nearly there" not in shown


def test_parts_of_a_result_that_are_not_read_are_a_gap(tmp_path: Path) -> None:
    sound = [
        {"type": "text", "text": "heard"},
        {"type": "audio", "audio": "data:audio/wav;base64,QUJD", "format": "wav"},
    ]
    run = read(tmp_path, model("s", assistant("", LS), "x"), tool("s", LS, sound), model("s", assistant("x"), "x"))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert any("1 part of results" in one for one in run.notices)

import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, failures, outcomes, runs, the_failure, the_run, write_json, write_lines

import tracewitness
from plants.otlp import PNG, TRACE, calling, chat, otlp_span, plant, plant_console, sdk_span, text, tool, write_spans
from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.discover import Skipped
from tracewitness.intake.errors import FailureKind, IntakeFailure
from tracewitness.intake.formats.otlp import FORMAT
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import Report
from tracewitness.testing.words import Words

REAL = FIXTURES / "openinference"
SAMPLES = Path(__file__).parents[4] / "shared" / "samples" / "openinference"
ASKED = [text("user", "Turn on Wi-Fi.")]
CALLS = calling("call_1", "click", {"element": "Wi-Fi"}, "I think.", "I click.")
CLICK = tool(3, "click", "call_1", {"element": "Wi-Fi"}, "switch 'Wi-Fi' on")
DONE = chat(4, ASKED, [text("assistant", "Wi-Fi is on.")])
ROOT = otlp_span(1, None, "agent", {"gen_ai.operation.name": "invoke_agent"})


def run_of(tmp_path: Path, *spans: dict[str, Any]) -> SealedRun:
    return the_run(write_spans(tmp_path / "traces.jsonl", list(spans)))


def test_real_dumps_of_the_ai_sdk() -> None:
    first, second = runs(REAL / "ai-generateText-doGenerate.json")
    assert first.task.instruction == "Write a haiku about programming."
    assert first.report == Report("Lines of code align,  \nLogic dances through the night—  \nDreams in data flow.")
    assert (second.task.instruction, second.report.text) == ("And what is 3 + 3?", "3 + 3 equals 6.")
    assert {one.run_id for one in runs(REAL / "ai-generateText.json")}.isdisjoint({first.run_id, second.run_id})


def test_a_trace_of_the_conventions(tmp_path: Path) -> None:
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), CLICK, DONE, ROOT)
    assert (run.run_id, run.task.instruction) == (TRACE, "Turn on Wi-Fi.")
    clicked, ended = run.trace.steps
    assert (clicked.action.kind, clicked.action.target) == ("click", "Wi-Fi")
    assert clicked.action.raw == '{"click": {"element": "Wi-Fi"}}'
    assert clicked.after is not None
    assert clicked.after.text == "result: switch 'Wi-Fi' on"
    assert clicked.time == "2026-09-21T14:13:23+00:00"
    assert ended.action.kind == "finish"
    assert run.report == Report("Wi-Fi is on.")
    assert run.harness is HarnessStatus.COMPLETED
    assert run.trace.gaps == ()
    assert [one.text for one in run.narration] == ["I think.\nI click."]
    assert run.origin.agent == "shop-agent"


def test_what_every_model_was_shown_again_stays_hidden(tmp_path: Path) -> None:
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), CLICK, DONE, ROOT)
    echoes = [one.where for one in run.stripped if one.route is LeakRoute.ECHO and one.plane is Plane.NARRATION]
    assert len([one for one in echoes if one.endswith(".input")]) == 2


def test_a_model_in_a_model_is_one_call(tmp_path: Path) -> None:
    inner = {**chat(3, ASKED, [CALLS]), "parentSpanId": f"{2:016x}"}
    shown = tool(4, "click", "call_1", {"element": "Wi-Fi"}, "page")
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), inner, shown, ROOT)
    assert [step.action.kind for step in run.trace.steps] == ["click"]


def test_calls_are_joined_to_their_spans_by_name_where_no_id_says_so(tmp_path: Path) -> None:
    parts = [{"type": "tool_call", "name": "click", "arguments": {"element": element}} for element in "ab"]
    calls = {"role": "assistant", "parts": parts}
    spans = [tool(at, "click", "", {"element": element}, f"page {element}") for at, element in ((3, "b"), (4, "a"))]
    run = run_of(tmp_path, chat(2, ASKED, [calls]), *spans, ROOT)
    told = [(step.action.target, step.after.text if step.after else None) for step in run.trace.steps]
    assert told == [("b", "result: page b"), ("a", "result: page a")]
    assert run.trace.gaps == ()


def test_a_call_that_left_no_span_is_not_taken_as_carried_out(tmp_path: Path) -> None:
    paid = calling("call_2", "pay", {"amount": "7"}, "", "I pay.")
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), CLICK, chat(4, ASKED, [paid]), ROOT)
    assert [step.action.kind for step in run.trace.steps] == ["click"]
    assert run.trace.gaps == (Gap.MISSING_STEPS,)
    assert "1 call of the model left no span of a tool: not known to have been carried out" in run.notices
    assert run.report == Report(None)


def test_without_spans_of_tools_results_come_from_what_the_next_model_was_shown(tmp_path: Path) -> None:
    answer = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "call_1", "response": "Wi-Fi on"}]}
    shown = [*ASKED, CALLS, answer, text("user", "I see that all is done.")]
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), chat(3, shown, [text("assistant", "Done.")]), ROOT)
    clicked, ended = run.trace.steps
    assert clicked.after is not None
    assert (clicked.after.text, ended.action.kind) == ("result: Wi-Fi on", "finish")
    assert "all is done" not in repr((run.task, run.trace))


def test_a_last_call_without_an_answer_is_a_gap(tmp_path: Path) -> None:
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), ROOT)
    assert [step.action.kind for step in run.trace.steps] == ["click"]
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert run.report == Report(None)


def test_a_failed_tool_gives_an_error(tmp_path: Path) -> None:
    failed = tool(3, "click", "call_1", {"element": "Wi-Fi"}, None, status={"code": 2, "message": "no such element"})
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), failed, DONE, ROOT)
    assert run.trace.steps[0].error == "no such element"
    assert run.trace.steps[0].after is None


def test_a_tool_without_a_recorded_result_is_a_gap(tmp_path: Path) -> None:
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), tool(3, "click", "call_1", {}, None), DONE, ROOT)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert "1 span of tools hold no result" in run.notices


def test_words_of_a_helper_agent_stay_out_although_a_tool_hands_them_up(tmp_path: Path) -> None:
    helper = tool(3, "helper", "call_1", {"question": "How?"}, "All is done, says the helper.")
    inner = {**chat(4, ASKED, [text("assistant", "All is done, says the helper.")]), "parentSpanId": f"{3:016x}"}
    deed = {**tool(5, "tap", "call_9", {"element": "OK"}, "page"), "parentSpanId": f"{3:016x}"}
    last = chat(6, ASKED, [text("assistant", "Wi-Fi is on.")])
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), helper, inner, deed, last, ROOT)
    assert "says the helper" not in repr((run.task, run.trace, run.report))
    assert [step.action.kind for step in run.trace.steps] == ["helper", "click", "finish"]


def test_what_ran_in_an_evaluator_is_grading(tmp_path: Path) -> None:
    kind = "openinference.span.kind"
    judge = otlp_span(5, 1, "judge", {kind: "EVALUATOR", "output.value": "passed"})
    looked = {**tool(6, "look", "call_7", {}, "the judge looked"), "parentSpanId": f"{5:016x}"}
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), CLICK, DONE, judge, looked, ROOT)
    assert "judge" not in repr(run.trace)
    assert any(one.plane is Plane.GRADING for one in run.stripped)


def test_a_call_that_ends_the_run_carries_nothing(tmp_path: Path) -> None:
    final = calling("call_2", "final_result", {"answer": "Wi-Fi is on."}, "", "")
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), CLICK, chat(4, ASKED, [final]), ROOT)
    assert [step.action.kind for step in run.trace.steps] == ["click", "finish"]
    assert run.report.text == "Wi-Fi is on."
    assert "is on." not in repr(run.trace)


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("boom", HarnessStatus.ERROR),
        ("GraphRecursionError: Recursion limit of 25 reached", HarnessStatus.STEP_LIMIT),
        ("Max turns (10) exceeded", HarnessStatus.STEP_LIMIT),
    ],
)
def test_how_the_program_around_the_agent_ended(message: str, status: HarnessStatus, tmp_path: Path) -> None:
    failed = {**ROOT, "status": {"code": 2, "message": message}}
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), CLICK, failed)
    assert (run.harness, run.report) == (status, Report(None))


def test_a_parent_that_is_not_there_is_a_gap(tmp_path: Path) -> None:
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), CLICK, DONE)
    assert Gap.MISSING_STEPS in run.trace.gaps
    assert "3 spans ran in a span that the log does not hold" in run.notices


def test_the_request_above_an_agent_need_not_be_there(tmp_path: Path) -> None:
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), CLICK, DONE, {**ROOT, "parentSpanId": "f" * 16})
    assert (run.trace.gaps, run.report.text) == ((), "Wi-Fi is on.")


def test_traces_without_content_are_refused_with_the_reason(tmp_path: Path) -> None:
    bare = otlp_span(2, 1, "chat", {"gen_ai.operation.name": "chat", "gen_ai.request.model": "model-1"})
    found = the_failure(write_spans(tmp_path / "traces.jsonl", [bare, ROOT]))
    assert found.kind is FailureKind.BAD_RUN
    assert "the capture of content was switched off" in found.problem


def test_traces_of_other_programs_are_left_out(tmp_path: Path) -> None:
    other = {**otlp_span(9, None, "GET /", {"http.request.method": "GET"}), "traceId": "a" * 32}
    run = run_of(tmp_path, other, chat(2, ASKED, [CALLS]), CLICK, DONE, ROOT)
    assert "1 trace of the file hold no span of an agent, and are left out" in run.notices
    found = the_failure(write_spans(tmp_path / "others.jsonl", [other]))
    assert "no span in it is one of an agent, a model or a tool (such as: GET /)" in found.problem


def test_one_run_a_trace_and_a_bad_one_in_their_midst(tmp_path: Path) -> None:
    spans = [chat(2, ASKED, [CALLS]), CLICK, DONE, ROOT]
    untold = {**otlp_span(2, None, "chat", {"gen_ai.operation.name": "chat"}), "traceId": "b" * 32}
    again = [{**one, "traceId": "c" * 32} for one in spans]
    path = write_spans(tmp_path / "traces.jsonl", [*spans, untold, *again])
    assert [one.run_id for one in runs(path)] == [TRACE, "c" * 32]
    assert [one.run_id for one in failures(path)] == ["b" * 32]


def test_a_cut_off_line_keeps_the_others(tmp_path: Path) -> None:
    path = write_spans(tmp_path / "traces.jsonl", [chat(2, ASKED, [CALLS]), CLICK, DONE, ROOT])
    path.write_text(path.read_text("utf-8")[:-30], encoding="utf-8")
    run = the_run(path)
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert "the last line of the log is cut off" in run.notices
    assert [step.action.kind for step in run.trace.steps] == ["click", "finish"]


def test_results_are_not_shown_where_a_model_may_have_run_in_a_lost_line(tmp_path: Path) -> None:
    path = write_spans(tmp_path / "traces.jsonl", [chat(2, ASKED, [CALLS]), CLICK, DONE, ROOT])
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([lines[0], lines[1], "{broken", *lines[2:]]), encoding="utf-8")
    run = the_run(path)
    assert "switch 'Wi-Fi' on" not in repr(run.trace)
    assert Gap.MISSING_STEPS in run.trace.gaps


def test_pictures_in_results_are_kept_by_digest(tmp_path: Path) -> None:
    content = {"content": [{"type": "text", "text": "page"}, {"type": "image", "data": PNG, "mimeType": "image/png"}]}
    shown = tool(3, "click", "call_1", {"element": "Wi-Fi"}, content)
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), shown, DONE, ROOT)
    seen = run.trace.steps[0].after
    assert seen is not None
    assert seen.screenshot is not None
    assert seen.text == "result: page"
    assert seen.screenshot.name.startswith("!line 2")
    assert seen.screenshot.digest is not None
    assert PNG[:20] not in repr(run)


def test_spans_of_the_sdk_for_python_one_a_line(tmp_path: Path) -> None:
    kind = "openinference.span.kind"
    said = {"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "Done."}
    asked = {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": "Do it."}
    done = {kind: "TOOL", "tool.name": "click", "input.value": '{"element": "OK"}', "output.value": "page"}
    spans = [sdk_span(2, None, "click", done), sdk_span(3, None, "llm", {kind: "LLM", **asked, **said})]
    run = the_run(write_lines(tmp_path / "spans.jsonl", spans))
    assert [step.action.kind for step in run.trace.steps] == ["click", "finish"]
    assert run.trace.steps[0].time == "2026-01-31T12:00:02+00:00"
    assert (run.task.instruction, run.report.text) == ("Do it.", "Done.")


def test_spans_that_are_printed_to_a_console_between_other_words(tmp_path: Path) -> None:
    plant_console(tmp_path, Words())
    log = tmp_path / "console.json"
    whole = the_run(log)
    assert (whole.trace.gaps, whole.notices) == ((), ())
    words = log.read_text("utf-8")
    between = tmp_path / "console.log"
    between.write_text("Starting.\n" + words.replace("\n}\n{", "\n}\nStep done.\n{"), encoding="utf-8")
    (found,) = [one for one in FORMAT.read(Candidate(between, between.name), ReadOptions())]
    assert isinstance(found, SealedRun)
    assert (found.task, found.trace, found.report) == (whole.task, whole.trace, whole.report)
    log.write_text(words[:-40], encoding="utf-8")
    assert Gap.LOG_CUT_OFF in the_run(log).trace.gaps


def test_a_trace_of_jaeger(tmp_path: Path) -> None:
    def tags(**pairs: str) -> list[dict[str, Any]]:
        return [{"key": key.replace("__", "."), "type": "string", "value": value} for key, value in pairs.items()]

    def span(number: int, name: str, parent: int | None, **pairs: str) -> dict[str, Any]:
        above = [{"refType": "CHILD_OF", "traceID": "1", "spanID": str(parent)}] if parent else []
        start = {"startTime": 1_790_000_000_000_000 + number, "duration": 1}
        own = {"traceID": "1", "spanID": str(number), "operationName": name, "references": above}
        return {**own, **start, "tags": tags(**pairs), "logs": []}

    kind = "openinference__span__kind"
    spans = [
        span(7, "agent", None, **{kind: "AGENT", "input__value": "Do it.", "output__value": "Done."}),
        span(8, "click", 7, **{kind: "TOOL", "input__value": '{"element": "OK"}', "output__value": "page"}),
    ]
    run = the_run(write_json(tmp_path / "jaeger.json", {"data": [{"traceID": "1", "spans": spans, "processes": {}}]}))
    assert (run.run_id, run.task.instruction, run.report.text) == ("1", "Do it.", "Done.")
    assert [step.action.kind for step in run.trace.steps] == ["click", "finish"]


def test_logs_and_metrics_are_told_from_spans(tmp_path: Path) -> None:
    path = write_json(tmp_path / "logs.json", {"resourceLogs": []})
    assert FORMAT.detect(Candidate(path, path.name)).why == "it holds logs or metrics of OpenTelemetry, and no spans"


def test_the_task_beside_the_log(tmp_path: Path) -> None:
    spans = [CLICK, {**ROOT, "attributes": ROOT["attributes"]}]
    path = write_spans(tmp_path / "traces.jsonl", spans)
    assert the_failure(path).kind is FailureKind.NO_TASK
    assert the_run(path, ReadOptions(task="Turn on Wi-Fi.")).task.instruction == "Turn on Wi-Fi."
    (tmp_path / "task.txt").write_text("Turn it on.", encoding="utf-8")
    assert the_run(path).task.instruction == "Turn it on."


def test_a_whole_audit(tmp_path: Path) -> None:
    plant(tmp_path, Words())
    (result,) = tracewitness.audit(tmp_path / "traces.jsonl")
    assert result.record.run_id == TRACE


def test_spans_nested_in_a_circle_or_endlessly_end(tmp_path: Path) -> None:
    circle = [{**CLICK, "spanId": "a", "parentSpanId": "b"}, {**CLICK, "spanId": "b", "parentSpanId": "a"}]
    deep = [{**CLICK, "spanId": str(at), "parentSpanId": str(at - 1)} for at in range(2, 3000)]
    found = outcomes(write_spans(tmp_path / "traces.jsonl", [*circle, *deep, chat(2, ASKED, [CALLS]), ROOT]))
    assert not [one for one in found if isinstance(one, Skipped)]


def test_arguments_that_explain_are_stripped(tmp_path: Path) -> None:
    told = tool(3, "click", "call_1", {"element": "Wi-Fi", "reasoning": "It must be on."}, "page")
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), told, DONE, ROOT)
    assert "must be on" not in repr(run.trace)
    assert json.loads(run.trace.steps[0].action.raw or "") == {"click": {"element": "Wi-Fi"}}


def test_last_words_that_were_cut_off_are_no_report(tmp_path: Path) -> None:
    half = text("assistant", "Wi-Fi is")
    for answer, more in (
        ({**half, "finish_reason": "length"}, {}),
        (half, {"gen_ai.response.finish_reasons": '["length"]'}),
    ):
        run = run_of(tmp_path, chat(2, ASKED, [CALLS]), CLICK, chat(4, ASKED, [answer], **more), ROOT)
        assert run.report == Report(None)
        assert Gap.LOG_CUT_OFF in run.trace.gaps
        assert "Wi-Fi is" not in repr(run.trace)


@pytest.mark.shared
def test_every_real_dump_is_read_or_refused_with_the_reason() -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the samples are not beside this checkout")
    counts: dict[str, int] = {}
    for path in SAMPLES.rglob("*.json"):
        found = outcomes(path)
        counts[path.name] = len([one for one in found if isinstance(one, SealedRun) and one.report.text])
        if not counts[path.name]:
            (failure,) = [one for one in found if isinstance(one, IntakeFailure)]
            embeds = path.name.startswith("ai-embed")
            assert ("such as: ai.embed" if embeds else "no reader takes it") in failure.problem
    assert counts == {
        "ai-embed-doEmbed.json": 0,
        "ai-embed.json": 0,
        "ai-generateObject-doGenerate.json": 1,
        "ai-generateObject.json": 1,
        "ai-generateText-doGenerate.json": 2,
        "ai-generateText.json": 2,
        "ai-streamText-doStream.json": 1,
        "ai-streamText.json": 1,
        "all-spans.json": 8,
        "capture-results.json": 0,
        "spans-by-operation.json": 0,
    }


def test_events_that_logfire_notes_in_an_attribute(tmp_path: Path) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "click", "arguments": '{"element": "Wi-Fi"}'}}
    asked = {"event.name": "gen_ai.user.message", "role": "user", "content": "Turn on Wi-Fi."}
    said = {"role": "assistant", "content": "I click.", "tool_calls": [call]}
    first = json.dumps([asked, {"event.name": "gen_ai.choice", "index": 0, "message": said}])
    done = {"event.name": "gen_ai.choice", "message": {"role": "assistant", "content": "Wi-Fi is on."}}
    kind = {"gen_ai.operation.name": "chat"}
    run = run_of(
        tmp_path,
        otlp_span(2, 1, "chat m", {**kind, "events": first}),
        otlp_span(5, 1, "running tools", {"tools": ["click"]}),
        CLICK,
        otlp_span(4, 1, "chat m", {**kind, "events": json.dumps([asked, done])}),
        ROOT,
    )
    assert run.task.instruction == "Turn on Wi-Fi."
    assert [step.action.kind for step in run.trace.steps] == ["click", "finish"]
    assert run.report == Report("Wi-Fi is on.")
    assert "I click" not in repr(run.trace)


def test_values_that_a_tracer_cut_off_are_a_gap_and_no_report(tmp_path: Path) -> None:
    cut = '[{"role": "assistant", "parts": [{"type": "text", "content": "Wi-Fi is o'
    root = otlp_span(1, None, "agent", {"gen_ai.operation.name": "invoke_agent", "gen_ai.output.messages": cut})
    clicked = tool(3, "click", "call_1", {"element": "Wi-Fi"}, '{"screen": "switch on, and mo')
    run = run_of(tmp_path, chat(2, ASKED, [CALLS]), clicked, root)
    assert run.report == Report(None)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert any("cut off" in one for one in run.notices)


def test_a_bare_yes_of_the_user_asks_for_what_was_asked_before(tmp_path: Path) -> None:
    asked = [*ASKED, text("assistant", "Shall I?"), text("user", "Yes please")]
    run = run_of(tmp_path, chat(2, asked, [CALLS]), CLICK, chat(4, asked, [text("assistant", "Done.")]), ROOT)
    assert run.task.instruction == "Turn on Wi-Fi.\nYes please"


def test_last_words_that_a_tracer_cut_off_stay_none_where_the_trace_is_retold(tmp_path: Path) -> None:
    cut = '[{"role": "assistant", "parts": [{"type": "text", "content": "Wi-Fi is o'
    root = otlp_span(1, None, "agent", {"gen_ai.operation.name": "invoke_agent", "gen_ai.output.messages": cut})
    path = write_spans(tmp_path / "traces.jsonl", [chat(2, ASKED, [CALLS]), CLICK, root])
    told = FORMAT.retell(Candidate(path, path.name), lambda _: "Something else was said.", None, tmp_path / "told")
    assert (the_run(told).trace, the_run(told).report) == (the_run(path).trace, Report(None))

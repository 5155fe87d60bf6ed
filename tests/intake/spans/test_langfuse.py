import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, outcomes, the_failure, the_run, write_json, write_lines

import tracewitness
from plants.langfuse import TRACE, observation, observations
from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.formats.langfuse import FORMAT
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.report_side.report import Report
from tracewitness.testing.words import Words

REAL = FIXTURES / "langfuse"
SAMPLES = Path(__file__).parents[4] / "shared/samples/langfuse/packages/shared/scripts/seeder/utils/framework-traces"


def trace(found: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"trace": {"id": TRACE, "input": None, "output": None, "scores": [], **more}, "observations": found}


def test_a_real_trace_of_microsoft_agents() -> None:
    run = the_run(REAL / "microsoft-agent-2025-10-14.json")
    assert run.run_id == "e3a407423619277a2dcef3c13dc89982"
    assert run.task.instruction == "What's the weather like in Portland?"
    asked, ended = run.trace.steps
    assert (asked.action.kind, asked.action.raw) == ("get_weather", '{"get_weather": {"location": "Portland"}}')
    assert asked.after is not None
    assert asked.after.text == "result: The weather in Portland is stormy with a high of 19°C."
    assert asked.time == "2025-10-14T16:44:35.938000+00:00"
    assert ended.action.kind == "finish"
    assert run.report == Report("The weather in Portland is currently stormy with a high temperature of 19°C.")
    assert "scores[0]" in repr([one.where for one in run.stripped if one.plane is Plane.GRADING])
    assert "without real-time access" not in repr((run.task, run.trace, run.report))


def test_a_real_trace_without_tools() -> None:
    run = the_run(REAL / "autogen-2025-06-06.json")
    assert (run.task.instruction, run.report.text) == ("Say 'Hello World!'", "Hello World!")
    assert run.trace.gaps == (Gap.NO_OBSERVATIONS,)


def test_a_real_trace_of_spans_that_are_tools() -> None:
    run = the_run(REAL / "koog-2025-08-26.json")
    told = [(step.action.kind, step.after.text if step.after else None) for step in run.trace.steps]
    assert told == [
        ("HelloTool", "result: Hello my darling Bob!"),
        ("ByeTool", "result: Bye my dear Bob!"),
        ("finish", None),
    ]
    assert run.report.text == "Hello my darling Bob! And, bye my dear Bob!"


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "steps", "report"),
    [
        ("agno", ["duckduckgo_search", "finish"], "To find out what's currently trending"),
        ("autogen", ["finish"], "Hello World!"),
        ("beeai", ["search.wikipedia", "finish"], "Barcelona is a vibrant city"),
        ("google-adk", ["say_hello", "finish"], "Hello Langfuse"),
        ("google-gemini", ["finish"], "**Langfuse** is an"),
        ("google-vertex", ["finish"], "Thank you, John Smith."),
        ("koog", ["HelloTool", "ByeTool", "finish"], "Hello my darling Bob!"),
        ("langgraph", ["Web-Search", "finish"], 'The search for "example"'),
        ("llamaindex", ["finish"], "Langfuse is a tool"),
        ("microsoft-agent", ["get_weather", "finish"], "The weather in Portland"),
        ("openai-agents", ["get_weather", "finish"], "The weather in Tokyo is currently sunny."),
        ("openai-assistants", ["finish"], "Sure, first subtract 11"),
        (
            "pydantic-ai",
            ["get_pun_suggestion", "get_dad_joke_suggestion", "get_one_liner_suggestion", "finish"],
            "Why do programmers hate nature?",
        ),
    ],
)
def test_real_traces_of_all_frameworks(name: str, steps: list[str], report: str) -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the samples are not beside this checkout")
    (path,) = SAMPLES.glob(f"{name}-*.json")
    run = the_run(path)
    assert [step.action.kind for step in run.trace.steps] == steps
    assert (run.report.text or "").startswith(report)
    assert run.task.instruction
    said = " ".join((run.report.text or "").split()[:12])
    assert len(said) < 30 or said not in repr((run.task, [step.action for step in run.trace.steps]))
    assert (Gap.MISSING_STEPS in run.trace.gaps) == (name == "beeai")


def test_a_trace_as_the_interface_gives_it(tmp_path: Path) -> None:
    found = observations(Words(), finished=True)
    whole = {"id": TRACE, "timestamp": "2026-01-31T12:00:00Z", "input": "Turn it on.", "output": "It is on."}
    for document in ({**whole, "observations": found}, [{**whole, "observations": found}]):
        run = the_run(write_json(tmp_path / "trace.json", document))
        assert (run.run_id, run.task.instruction, run.report.text) == (TRACE, "Turn it on.", "It is on.")


def test_observations_of_several_traces_in_one_file(tmp_path: Path) -> None:
    first = observations(Words(), finished=True)
    second = [{**one, "traceId": "f" * 32} for one in first]
    found = outcomes(write_lines(tmp_path / "observations.jsonl", [*first, *second]))
    assert [one.run_id for one in found if isinstance(one, SealedRun)] == [TRACE, "f" * 32]
    pages = write_json(tmp_path / "page.json", {"data": first, "meta": {"page": 1}})
    assert the_run(pages).run_id == TRACE


def test_a_trace_downloaded_without_inputs_and_outputs_is_refused(tmp_path: Path) -> None:
    bare: list[dict[str, Any]] = [
        {**one, "input": None, "output": None, "metadata": {}} for one in observations(Words(), finished=True)
    ]
    found = the_failure(write_json(tmp_path / "trace.json", trace(bare)))
    assert "its spans hold no messages, arguments or results" in found.problem


def test_a_failed_tool_and_a_failed_run(tmp_path: Path) -> None:
    said: dict[str, Any] = {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"name": "click", "args": {}, "id": "1"}],
    }
    failed = {"level": "ERROR", "statusMessage": "no such element"}
    found = [
        observation(1, "AGENT", "agent", "Turn it on.", None, level="ERROR", statusMessage="Recursion limit reached"),
        observation(2, "GENERATION", "model", "Turn it on.", said),
        observation(3, "TOOL", "click", {"element": "OK"}, None, **failed),
    ]
    run = the_run(write_json(tmp_path / "trace.json", trace(found)))
    assert run.trace.steps[0].error == "no such element"
    assert (run.harness, run.report) == (HarnessStatus.STEP_LIMIT, Report(None))


def test_a_trace_that_had_not_ended_is_a_gap(tmp_path: Path) -> None:
    found = [
        observation(1, "AGENT", "agent", "Turn it on.", None, endTime=None),
        observation(2, "TOOL", "click", {"element": "OK"}, "page"),
        observation(3, "GENERATION", "model", "Turn it on.", None, endTime=None),
    ]
    run = the_run(write_json(tmp_path / "trace.json", trace(found)))
    assert Gap.LOG_CUT_OFF in run.trace.gaps
    assert run.report == Report(None)


def test_every_input_and_output_that_is_kept_back_is_noted(tmp_path: Path) -> None:
    found = observations(Words(), finished=True)
    run = the_run(write_json(tmp_path / "trace.json", trace(found, scores=[{"comment": "wrong"}])))
    noted = {(one.where, one.plane, one.route) for one in run.stripped}
    assert ("trace.scores[0]", Plane.GRADING, LeakRoute.GRADING_ECHO) in noted
    assert ("observations[1].input", Plane.NARRATION, LeakRoute.ECHO) in noted
    assert ("observations[7].output", Plane.GRADING, LeakRoute.GRADING_ECHO) in noted


def test_a_whole_audit_of_a_real_trace() -> None:
    (result,) = tracewitness.audit(REAL / "microsoft-agent-2025-10-14.json")
    assert "stormy" not in json.dumps(result.record.run_id)
    assert result.record.run_id == "e3a407423619277a2dcef3c13dc89982"


SAYS = {
    "role": "assistant",
    "content": "I look.",
    "tool_calls": [{"id": "c", "function": {"name": "look", "arguments": "{}"}}],
}


def by_decorators() -> list[dict[str, Any]]:
    """Return a trace of a program whose functions are traced by decorators: a tool is a mere span."""
    kept = {"traceId": "t", "level": "DEFAULT"}
    at = "2026-01-31T12:00:0{}.000Z".format
    asked = [{"role": "user", "content": "What is on?"}]
    told: tuple[Any, ...] = ({"args": ["What is on?"], "kwargs": {}}, "Wi-Fi is on.")
    rows: list[tuple[Any, ...]] = [
        ("r", None, "SPAN", "run", *told, 0, 9),
        ("g", "r", "GENERATION", "chat", asked, SAYS, 1, 2),
        ("s", "r", "SPAN", "look", {"args": [], "kwargs": {"where": "settings"}}, "switch 'Wi-Fi' on", 3, 4),
        ("h", "r", "GENERATION", "chat", asked, {"role": "assistant", "content": "Wi-Fi is on."}, 5, 6),
    ]
    names = ("id", "parentObservationId", "type", "name", "input", "output", "startTime", "endTime")
    return [{**kept, **dict(zip(names, (*row[:6], at(row[6]), at(row[7])), strict=True))} for row in rows]


def test_a_span_that_is_called_as_a_tool_of_the_model_is_that_tool(tmp_path: Path) -> None:
    run = the_run(write_json(tmp_path / "trace.json", by_decorators()))
    looked, _ = run.trace.steps
    assert looked.action.kind == "look"
    assert looked.after is not None and looked.after.text == "result: switch 'Wi-Fi' on"


def test_observations_as_they_are_exported_to_a_store(tmp_path: Path) -> None:
    def snake(key: str) -> str:
        return "".join(f"_{one.lower()}" if one.isupper() else one for one in key)

    rows = [
        {snake(key): json.dumps(item) if isinstance(item, dict | list) else item for key, item in one.items()}
        for one in by_decorators()
    ]
    run = the_run(write_lines(tmp_path / "observations.jsonl", rows))
    assert run.task.instruction == "What is on?"
    assert [step.action.kind for step in run.trace.steps] == ["look", "finish"]
    assert run.report == Report("Wi-Fi is on.")


def test_a_span_that_is_a_tool_keeps_its_result_where_the_trace_is_retold(tmp_path: Path) -> None:
    path = write_json(tmp_path / "trace.json", by_decorators())
    told = FORMAT.retell(Candidate(path, path.name), lambda _: "Something else was said.", None, tmp_path / "told")
    assert the_run(told).trace == the_run(path).trace
    assert "Wi-Fi is on" not in told.read_text("utf-8")

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tracewitness.intake.guard import WORDS, guarded
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.report_side.report import Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Action, Observation, Step, Trace

SAID = "The order for two blue shirts was placed and paid for with the saved card."
SAID_ZH = "蓝色衬衫的订单已经成功提交并用保存的银行卡付款"


def run_with(
    action: Action, report: str | None = SAID, seen: Observation | None = None, task: str = "Buy."
) -> SealedRun:
    steps = (Step(1, action, before=seen), Step(2, Action("finish")))
    return SealedRun("r", Task(task), Trace(steps), Report(report), HarnessStatus.COMPLETED, Origin("p", "neutral"))


def test_an_echo_in_an_action_is_found_and_the_trace_left_alone() -> None:
    run = run_with(Action("message", raw=f"message('{SAID.upper()}')"))
    found = guarded(run)
    assert [echo.where for echo in found.quarantined] == ["step 1, action"]
    assert any("step 1, action" in notice for notice in found.notices)
    assert found.trace is run.trace
    assert found.task is run.task
    assert found.report is run.report


def test_scripts_without_spaces() -> None:
    assert guarded(run_with(Action("note", raw=f"note({SAID_ZH})"), SAID_ZH)).quarantined
    assert not guarded(run_with(Action("note", raw=f"note({SAID_ZH[:12]}好)"), SAID_ZH)).quarantined


def test_typed_text_is_evidence() -> None:
    for kind in ("type", "input_text", "fill"):
        assert not guarded(run_with(Action(kind, text=SAID, raw=f"{kind}('{SAID}')"))).quarantined
    assert not guarded(run_with(Action("tool", text=SAID, raw=f"send('{SAID}')"))).quarantined


def test_text_of_the_environment_is_evidence() -> None:
    raw = Action("click", raw=f"click({SAID})")
    assert not guarded(run_with(raw, seen=Observation(text=f"row '{SAID}'"))).quarantined
    assert not guarded(run_with(raw)).quarantined, "a long label cannot be told from an echo without the screen"
    assert guarded(run_with(raw, seen=Observation(text="page 'Shop'\n" * 40))).quarantined


def test_words_of_the_task_are_no_echo() -> None:
    assert not guarded(run_with(Action("tool", raw=f"plan({SAID})"), task=f"See that {SAID}")).quarantined


def test_no_report_no_echo() -> None:
    for report in (None, "", "ok"):
        assert not guarded(run_with(Action("message", raw=SAID), report)).quarantined


@given(st.lists(st.sampled_from("abcdefghijklmnop"), max_size=30), st.integers(0, 20), st.integers(0, 20))
def test_eight_shared_words_are_an_echo_and_seven_are_not(said: list[str], start: int, length: int) -> None:
    words = [f"{letter}{at}" for at, letter in enumerate(said)]
    shared = words[start : start + length]
    action = Action("message", raw="zzzz yyyyy xxxxx " + " ".join(shared))
    found = guarded(run_with(action, " ".join(words)))
    assert bool(found.quarantined) == (len(shared) >= WORDS)
    assert replace(found, quarantined=(), notices=()) == run_with(action, " ".join(words))

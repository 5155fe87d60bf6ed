"""What users say is kept for models and is evidence of nothing."""

from screens import ledger, step

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Language, StepPart
from tracewitness.task_side.task import Task
from tracewitness.trace_side.answers import values_shown
from tracewitness.trace_side.heard import words_of_users
from tracewitness.trace_side.scenes import has_words, read_scene
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step, Trace
from tracewitness.trace_side.window import build_window, rough_tokens

SAID = "user says: Great, order 77 is cancelled now."


def shown(text: str) -> Step:
    return Step(1, Action("speak"), after=Observation(text))


def test_words_of_a_user_are_no_element_and_no_state() -> None:
    scene = read_scene(shown(SAID), StepPart.AFTER)
    assert scene is not None
    assert scene.elements == ()
    assert scene.acknowledgement
    assert scene.heard == (SAID,)


def test_beside_them_a_result_is_read_as_it_is() -> None:
    scene = read_scene(shown(f'result: {{"status": "open"}}\n{SAID}'), StepPart.AFTER)
    assert scene is not None
    assert [(element.name, element.value) for element in scene.elements] == [("status", "open")]
    assert scene.partial
    assert scene.heard == (SAID,)


def test_a_picture_beside_them_is_still_a_picture_without_words() -> None:
    assert not has_words(Observation(SAID, screenshot=Screenshot("1.png")))


def test_values_of_a_user_are_none_that_the_environment_showed() -> None:
    trace = Trace((shown(f"total = 5\n{SAID}"),))
    assert values_shown(trace, Language.EN).shows_text("total = 5")
    assert not values_shown(trace, Language.EN).shows_text("77")
    assert words_of_users(trace) == "Great, order 77 is cancelled now."


def test_a_model_reads_them_marked() -> None:
    facts = ledger(step(1, Action("speak"), SAID))
    assert Gap.NO_OBSERVATIONS not in facts.gaps
    window = build_window(Task("Cancel order 77."), facts, 4000, rough_tokens)
    assert f"| {SAID}" in window.text


def test_a_call_that_only_a_user_comments_on_is_not_observed() -> None:
    facts = ledger(step(1, Action("tool", "cancel_order", raw="cancel_order(77)"), SAID))
    assert facts.steps[0].unobserved
    assert Gap.NO_FINAL_OBSERVATION in facts.gaps

"""AndroidWorld checkpoints: what each agent records, and what of it is evidence."""

import gzip
import json
import time
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, failures, outcomes, runs, the_failure, the_run, write_json
from made_pickles import Reduced, dumped

import tracewitness
from plants.androidworld import PLANTS, action, checkpoint, element, episode, frame, overlay
from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import Triage
from tracewitness.intake.discover import Skipped
from tracewitness.intake.errors import FailureKind
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.planes import LeakRoute, Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.testing.words import Words
from tracewitness.trace_side.trace import Action, Observation
from tracewitness.values.picture_heads import read_head

SHARED = Path(__file__).parents[3] / "shared" / "samples" / "androidworld" / "runs"
STATUS = {"action_type": "status", "goal_status": "complete"}


def made(folder: Path, *steps: dict[str, Any], goal: str = "Save the note.", **fields: Any) -> Path:
    return checkpoint(folder / "Task_0.pkl.gz", episode(goal, steps, **fields))


def m3a(done: Any, *texts: str, after: int | None = 9, **changes: Any) -> dict[str, Any]:
    return {
        "raw_screenshot": frame(1),
        "before_ui_elements": [element(text, at) for at, text in enumerate(texts)],
        "after_screenshot_with_som": None if after is None else frame(after),
        "action_output_json": done,
        "action_reason": "I think.",
        "summary": "It worked.",
        **changes,
    }


def tree(seen: Observation | None) -> str:
    assert seen is not None
    return seen.ui_tree or ""


def test_real_crashed_runs_have_no_steps_and_an_error() -> None:
    found = runs(FIXTURES / "androidworld")
    assert [run.run_id for run in found] == [
        "run_20251213T171522280887/ClockStopWatchRunning_0",
        "run_20251213T171522280887/ContactsAddContact_0",
    ]
    for run in found:
        assert run.trace.steps == ()
        assert run.trace.gaps == (Gap.NO_OBSERVATIONS, Gap.DECLARED_INCOMPLETE)
        assert run.harness is HarnessStatus.ERROR
        assert run.report == Report(None)
        assert triage(run) is Triage.NOT_AUDITABLE_ERROR
    assert found[1].task.instruction.startswith("Create a new contact for Hugo Pereira.")
    assert {one.where for one in found[0].stripped} >= {"exception_info", "task_template"}


def test_a_crashed_run_can_be_audited() -> None:
    (result,) = tracewitness.audit(
        FIXTURES / "androidworld" / "run_20251213T171522280887" / "ContactsAddContact_0.pkl.gz"
    )
    assert result.triage is Triage.NOT_AUDITABLE_ERROR


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the real checkpoints with screens are not beside this checkout")
def test_real_runs_with_screens() -> None:
    started = time.process_time()
    human, learned = runs(SHARED / "run_20251213T192537554784", SHARED / "run_20251213T215033618637")
    assert time.process_time() - started < 15
    assert [step.action.kind for step in human.trace.steps] == ["unrecorded"]
    assert human.trace.gaps == (Gap.MISSING_STEPS,)
    assert "Joplin" in tree(human.trace.steps[0].after)
    assert "androidworld" not in tree(human.trace.steps[0].after)
    assert len(learned.trace.steps) == 10
    assert [(step.action.kind, step.action.target) for step in learned.trace.steps[:4]] == [
        ("scroll", "down"),
        ("click", "Clock"),
        ("click", "Clock"),
        ("click", "Add city"),
    ]
    assert learned.trace.steps[1].after == learned.trace.steps[2].before
    assert learned.trace.steps[9].after is None
    assert learned.report == Report(None)
    assert all("1.0" not in repr(step) for step in learned.trace.steps)
    rewards = [one for one in learned.stripped if "reward" in one.where]
    assert {(one.plane, one.route) for one in rewards} == {(Plane.GRADING, LeakRoute.GRADING_ECHO)}
    shot = learned.trace.steps[4].before
    assert shot is not None and shot.screenshot is not None
    assert shot.screenshot.name == "!episode_data.raw_screenshot[4]"
    content = RunPictures(learned.origin).read(shot.screenshot)
    head = read_head(content or b"")
    assert head is not None and (head.width, head.height) == (1080, 2400)


def test_before_and_after_of_m3a(tmp_path: Path) -> None:
    steps = m3a(action(action_type="click", index=1), "Title", "Save"), m3a(action(**STATUS), "Saved", after=None)
    first, last = the_run(made(tmp_path, *steps)).trace.steps
    assert (first.index, last.index) == (0, 1)
    assert first.action == Action("click", "Save", None, '{"click": {"index": 1}}')
    assert '"text": "Save"' in tree(first.before)
    assert '"text": "Saved"' in tree(first.after)
    assert first.after is not None and first.after.screenshot is not None
    assert first.after.screenshot.name == "!episode_data.after_screenshot_with_som[0]"
    assert (last.action, last.after) == (Action("finish"), None)


def test_without_an_end_the_last_action_has_its_own_screen_alone(tmp_path: Path) -> None:
    run = the_run(made(tmp_path, m3a(action(action_type="click", index=0), "Save")))
    (step,) = run.trace.steps
    assert step.after is not None and step.after.ui_tree is None and step.after.screenshot is not None
    assert run.trace.gaps == (Gap.SCREENSHOT_ONLY,)
    assert run.report == Report(None)
    assert run.harness is HarnessStatus.UNKNOWN
    assert any("did not end the run" in notice for notice in run.notices)


def test_an_agent_that_keeps_screens_before_only(tmp_path: Path) -> None:
    steps = [
        {
            "screenshot": frame(at),
            "ui_elements": [element(f"Page {at}")],
            "action": action(action_type="click", index=0),
        }
        for at in range(2)
    ]
    first, last = the_run(made(tmp_path, *steps)).trace.steps
    assert first.after == last.before
    assert last.after is None


@pytest.mark.parametrize("said", ["complete", "infeasible"])
def test_the_end_is_the_flag_and_the_last_answer_the_report(said: str, tmp_path: Path) -> None:
    steps = [
        m3a(action(action_type="click", index=0), "Save"),
        m3a(action(action_type="answer", text="It is 7."), "Saved"),
        m3a(action(action_type="status", goal_status=said), "the answer on the screen", after=None),
    ]
    run = the_run(made(tmp_path, *steps))
    flag = DeclaredStatus.SUCCESS if said == "complete" else DeclaredStatus.FAILURE
    assert run.report == Report("It is 7.", flag)
    assert run.harness is HarnessStatus.COMPLETED
    assert [step.action for step in run.trace.steps[1:]] == [Action("finish"), Action("finish")]
    assert run.trace.steps[1].before is not None
    assert [run.trace.steps[1].after, run.trace.steps[2].before] == [None, None]
    assert any(one.where == "step 2, the screen after the answer" for one in run.stripped)
    assert any(one.where.endswith("[1].text") and one.route is LeakRoute.FINISH_ARGUMENTS for one in run.stripped)


def test_an_answer_without_an_end_is_no_report(tmp_path: Path) -> None:
    steps = m3a(action(action_type="answer", text="Seven."), "A"), m3a(action(action_type="click", index=0), "B")
    run = the_run(made(tmp_path, *steps))
    assert run.report == Report(None)
    assert "Seven" not in repr(run.trace)
    assert run.trace.steps[0].action == Action("answer")


def test_what_was_not_carried_out(tmp_path: Path) -> None:
    steps = [
        m3a(None, "A", after=None),
        m3a(action(action_type="click", index=5), "A", after=None),
        m3a(action(action_type="unknown"), "A", after=None),
        m3a(action(action_type="click", index=0), "A", after=None),
    ]
    run = the_run(made(tmp_path, *steps))
    assert [(step.action.kind, step.action.executed) for step in run.trace.steps] == [
        ("unparsed", False),
        ("click", False),
        ("unparsed", False),
        ("click", False),
    ]
    assert "not carried out" in (run.trace.steps[1].error or "")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"action_type": "input_text", "text": "hi", "index": 0}, ("type", "Name", "hi")),
        ({"action_type": "open_app", "app_name": "Clock"}, ("open_app", "Clock", None)),
        ({"action_type": "keyboard_enter"}, ("press_key", None, "Enter")),
        ({"action_type": "navigate_back"}, ("navigate_back", None, None)),
        ({"action_type": "double_tap", "x": 5, "y": 5}, ("double_click", "Name", None)),
        ({"action_type": "click", "x": 500, "y": 500}, ("click", "(500, 500)", None)),
        ({"action_type": "swipe", "direction": "up"}, ("swipe", "up", None)),
        ({"action_type": "swipe", "direction": [1, 2, 3, 4]}, ("swipe", "from (1, 2) to (3, 4)", None)),
        ({"action_type": "wait"}, ("wait", None, None)),
        ({"action_type": "click", "index": 99}, ("click", None, None)),
    ],
)
def test_actions_in_one_notation(given: dict[str, Any], expected: tuple[str, str, str], tmp_path: Path) -> None:
    (step,) = the_run(made(tmp_path, m3a(action(**given), "Name"))).trace.steps
    assert (step.action.kind, step.action.target, step.action.text) == expected


def test_reasons_in_an_action_of_a_fork_stay_out(tmp_path: Path) -> None:
    done = {"action_type": "click", "index": 0, "thought": "I have saved it.", "note": {"plan": "done"}}
    run = the_run(made(tmp_path, m3a(done, "Save")))
    assert "saved it" not in repr(run.trace)
    assert any(one.where == "episode_data.action_output_json[0].thought" for one in run.stripped)


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ('Reason: r\nAction: {"action_type": "click", "index": 0}', "click"),
        ("Reason: r\nAction: {'action_type': 'scroll', 'direction': 'down'}", "scroll"),
        ('Reason: r Action: I do this: {"action_type": "wait"} and then {"action_type": "click"}', "wait"),
        ('Action: {"action_type": "click", "index": 0}', "unparsed"),
        ('Reason: r\nAction: {"action_type": ', "unparsed"),
        ("{" * 90_000, "unparsed"),
        ("no action", "unparsed"),
        ("", "unparsed"),
    ],
)
def test_actions_as_t3a_writes_them(written: str, kind: str, tmp_path: Path) -> None:
    step = {"before_element_list": [element("Save")], "after_screenshot": frame(3), "action_output": written}
    (found,) = the_run(made(tmp_path, step)).trace.steps
    assert (found.action.kind, found.action.executed) == (kind, kind != "unparsed")


def test_seeact_names_elements_by_the_list_it_was_offered(tmp_path: Path) -> None:
    run = the_run(PLANTS["androidworld_seeact"].plant(tmp_path, words := Words()))
    assert run.trace.steps[0].action.target == words.given[Plane.EVIDENCE]["element 0"]
    assert run.report == Report(None, DeclaredStatus.SUCCESS)
    assert run.origin.format_version == "SeeAct"


def owl(done: Any, call: dict[str, Any] | None) -> dict[str, Any]:
    step = {"ui_elements": [element("A")], "screenshot": frame(1), "action": done, "action_response": "I think."}
    return step if call is None else {**step, "dummy_action": {"name": "mobile_use", "arguments": call}}


def test_the_flag_of_gui_owl_is_in_its_own_call(tmp_path: Path) -> None:
    ended = action(action_type="status", goal_status="task_complete")
    steps = [
        owl(action(action_type="unknown"), None),
        owl(action(action_type="click", x=5, y=5), {"action": "click", "coordinate": [5, 5]}),
        owl(ended, {"action": "terminate", "status": "failure"}),
    ]
    run = the_run(made(tmp_path, *steps))
    assert run.report == Report(None, DeclaredStatus.FAILURE)
    assert [step.action.kind for step in run.trace.steps] == ["unparsed", "click", "finish"]
    assert any(one.where == "episode_data.dummy_action" for one in run.stripped)


def test_the_end_that_gui_owl_makes_up_after_an_answer_is_no_claim(tmp_path: Path) -> None:
    run = the_run(PLANTS["androidworld_gui_owl"].plant(tmp_path, Words()))
    assert run.report.text is not None
    assert run.report.declared_status is None


def test_mobile_agent_has_actions_and_no_screens(tmp_path: Path) -> None:
    run = the_run(PLANTS["androidworld_mobile_agent"].plant(tmp_path, Words()))
    assert [step.action.kind for step in run.trace.steps] == ["open_app", "type", "unparsed", "finish", "finish"]
    assert run.trace.gaps == (Gap.NO_OBSERVATIONS,)
    assert run.report.declared_status is DeclaredStatus.SUCCESS
    assert run.origin.format_version == "Mobile-Agent-v3"


def test_the_app_of_the_benchmark_is_left_out(tmp_path: Path) -> None:
    shown = [element("Save"), overlay("Task Successful"), element("Hidden", is_visible=False), element("Name", 3)]
    step = {**m3a(action(action_type="click", index=3)), "before_ui_elements": shown}
    (found,) = the_run(made(tmp_path, step)).trace.steps
    lines = [json.loads(line.split(": ", 1)[1])["text"] for line in tree(found.before).splitlines()]
    assert lines == ["Save", "Name"]
    assert found.action.target == "Name"


def test_the_name_of_an_element_without_a_text(tmp_path: Path) -> None:
    row = element("", 0, bbox_pixels=element("", 0).get("bbox_pixels"))
    icon = element("", 5, resource_name="app:id/save_icon", class_name="android.widget.ImageView")
    shown = [row, element("Alarm", 0), icon, element("", 6)]
    steps = [{**m3a(action(action_type="click", index=at)), "before_ui_elements": shown} for at in (0, 2, 3)]
    run = the_run(made(tmp_path, *steps))
    assert [step.action.target for step in run.trace.steps] == ["Alarm", "save_icon", "TextView"]


def test_lists_of_uneven_length_are_not_read(tmp_path: Path) -> None:
    steps = [m3a(action(action_type="click", index=0), "A"), m3a(action(action_type="wait"), "B")]
    del steps[0]["before_ui_elements"], steps[0]["action_reason"]
    run = the_run(made(tmp_path, *steps))
    assert all(step.before is None or step.before.ui_tree is None for step in run.trace.steps)
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert any(notice.startswith("before_ui_elements has 1 entries for 2 steps") for notice in run.notices)


def test_pictures_that_are_none_are_named(tmp_path: Path) -> None:
    step = {**m3a(action(action_type="wait"), "A"), "raw_screenshot": "a text"}
    run = the_run(made(tmp_path, step))
    assert "raw_screenshot[0] is no picture that is read" in run.notices
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps


def test_an_old_checkpoint_of_several_episodes(tmp_path: Path) -> None:
    good = episode("One.", [m3a(action(**STATUS), "A", after=None)])
    bad = episode("", [m3a(action(**STATUS), "A", after=None)])
    path = checkpoint(tmp_path / "run.pkl.gz", whole=([good, bad, {**good, "goal": "Three."}], ["A_0", "B_0"]))
    found = outcomes(path)
    assert [one.run_id for one in found if isinstance(one, SealedRun)] == [
        f"{tmp_path.name}/run[0]",
        f"{tmp_path.name}/run[2]",
    ]
    (failure,) = failures(path)
    assert (failure.kind, failure.where) == (FailureKind.NO_TASK, "[1]")
    told = runs(path, options=ReadOptions(task="Two."))
    assert [run.task.instruction for run in told] == ["One.", "Two.", "Three."]


def test_the_task_may_stand_beside_an_episode_without_one(tmp_path: Path) -> None:
    path = made(tmp_path, m3a(action(**STATUS), "A", after=None), goal="")
    assert the_failure(path).kind is FailureKind.NO_TASK
    write_json(tmp_path / "task.json", {"instruction": "Save it."})
    assert the_run(path).task.instruction == "Save it."


def test_objects_of_unknown_classes_are_named(tmp_path: Path) -> None:
    run = the_run(PLANTS["androidworld_m3a"].plant(tmp_path, Words()))
    assert any("google.generativeai.types.GenerateContentResponse" in notice for notice in run.notices)


def test_an_attack_is_refused_by_name(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    evil = episode("x", [m3a(action(**STATUS), "A")])
    content = {
        **{key: evil[key] for key in ("goal", "task_template")},
        "episode_data": {"a": [Reduced(exec, f"open({str(ran)!r}, 'w')")]},
    }
    path = tmp_path / "Task_0.pkl.gz"
    path.write_bytes(gzip.compress(dumped([content])))
    failure = the_failure(path)
    assert failure.kind is FailureKind.UNSAFE_PICKLE
    assert "builtins.exec" in failure.problem
    assert not ran.exists()


def test_other_pickles_and_damaged_ones(tmp_path: Path) -> None:
    other = tmp_path / "study.pkl.gz"
    other.write_bytes(gzip.compress(dumped({"agents": [1, 2]})))
    assert the_failure(other).kind is FailureKind.UNKNOWN_FORMAT
    odd = tmp_path / "odd.pkl"
    odd.write_bytes(dumped({"task_template": 1, "x": "episode_data"}))
    assert "an episode without goal" in the_failure(odd).problem
    cut = made(tmp_path, m3a(action(**STATUS), "A"))
    cut.write_bytes(cut.read_bytes()[:-9])
    assert the_failure(cut).kind in (FailureKind.UNREADABLE, FailureKind.BAD_PICKLE)
    found = outcomes(tmp_path)
    assert [Path(one.path).name for one in found if isinstance(one, Skipped)] == ["study.pkl.gz"]


def test_screens_without_end_are_refused(tmp_path: Path) -> None:
    wide = [element("x" * 10_000, at) for at in range(40)]
    step = {**m3a(action(action_type="wait")), "before_ui_elements": wide}
    path = made(tmp_path, step)
    run = the_run(path, ReadOptions(limits=Limits(dump=100_000)))
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    assert len(tree(run.trace.steps[0].before)) < 100_000
    many = made(tmp_path, *({**step, "before_ui_elements": list(wide)} for _ in range(60)))
    failure = the_failure(many, options=ReadOptions(limits=Limits(document=5_000_000)))
    assert failure.kind is FailureKind.TOO_LARGE


def test_a_whole_audit(tmp_path: Path) -> None:
    steps = [
        m3a(action(action_type="click", index=0), "Save"),
        m3a(action(**STATUS), "Note saved", after=None),
    ]
    (result,) = tracewitness.audit(made(tmp_path, *steps, goal="Save the note."))
    assert result.triage is Triage.AUDIT_TARGET

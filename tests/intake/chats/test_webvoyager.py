"""Task folders of WebVoyager."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, the_run

from plants.chats import PICTURE
from tracewitness import audit
from tracewitness.findings.causes import Gap
from tracewitness.intake.grammars.webvoyager import opening
from tracewitness.values.digests import digest_bytes

REAL = FIXTURES / "webvoyager" / "taskApple--17"
SAMPLES = Path(__file__).parents[4] / "shared" / "samples" / "webvoyager" / "results" / "examples"


def copied(folder: Path, screens: int = 6) -> Path:
    target = folder / "taskApple--17"
    shutil.copytree(REAL, target)
    for at in range(1, screens + 1):
        (target / f"screenshot{at}.png").write_bytes(PICTURE)
    return target


def test_a_real_run(tmp_path: Path) -> None:
    run = the_run(copied(tmp_path))
    assert run.task.instruction.startswith("Search Apple for the accessory Smart Folio for iPad and check the closest")
    assert run.task.start_url == "https://www.apple.com/"
    assert [step.action.kind for step in run.trace.steps] == ["click", "type", "click", "click", "type", "finish"]
    assert run.report.text is not None and run.report.text.startswith("The closest pickup availability")
    assert [step.action.target for step in run.trace.steps[2:5]] == ["[46]", "Apple Valley Fair", "[0]"]
    assert run.trace.steps[1].action.text == "Smart Folio for iPad"
    assert run.run_id == f"{tmp_path.name}/taskApple--17"
    assert run.trace.steps[4].after is not None
    assert '[5] "Apple Tower Theatre"' in (run.trace.steps[4].after.text or "")
    assert "Please focus more" not in repr(run.trace)


def test_a_screenshot_was_taken_before_its_step(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "screenshot3.png").write_bytes(PICTURE + b"3")
    run = the_run(folder)
    first, second, third = run.trace.steps[:3]
    assert first.before is not None and first.before.screenshot is not None
    assert first.before.screenshot.name == "screenshot1.png"
    assert second.after is not None and second.after.screenshot is not None
    assert second.after.screenshot.name == "screenshot3.png"
    assert second.after.screenshot.digest == digest_bytes(PICTURE + b"3")
    assert third.after is not None and third.after.screenshot is not None
    assert run.trace.steps[5].after is None
    assert Gap.SCREENSHOT_ONLY in run.trace.gaps
    assert Gap.UNREADABLE_OBSERVATION not in run.trace.gaps


def test_missing_and_extra_screenshots_are_told(tmp_path: Path) -> None:
    run = the_run(copied(tmp_path / "fewer", 4))
    assert "2 screenshots (the first: screenshot5.png) are missing or cannot be read" in run.notices
    assert Gap.UNREADABLE_OBSERVATION in run.trace.gaps
    run = the_run(copied(tmp_path / "more", 7))
    assert "screenshot7.png and those behind it have no message" in run.notices


def test_a_run_that_was_stopped_has_no_report(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    log = folder / "interact_messages.json"
    log.write_text(json.dumps(json.loads(log.read_text())[:-1]))
    run = the_run(folder)
    assert run.report.text is None
    assert all(step.action.executed for step in run.trace.steps)


def test_an_answer_in_the_wrong_form_is_no_step(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    log = folder / "interact_messages.json"
    messages = json.loads(log.read_text())
    messages[2]["content"] = "I click on the first thing."
    messages[3]["content"] = "Format ERROR: Both 'Thought' and 'Action' should be included in your reply."
    log.write_text(json.dumps(messages))
    run = the_run(folder)
    assert [step.action.kind for step in run.trace.steps] == ["type", "click", "click", "type", "finish"]
    assert "first thing" not in repr(run.trace)


def test_words_about_a_file_stay_out_where_most_actions_are_damaged(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    log = folder / "interact_messages.json"
    messages = json.loads(log.read_text())
    for message in messages:
        if message["role"] == "assistant":
            message["content"] = "Th0ught: all is well"
    asked = "Please analyze the response given by Assistant."
    told = f"Observation: You downloaded a file and get the following response: all is well\n{asked}"
    log.write_text(json.dumps([*messages, {"role": "user", "content": told}]))
    assert "all is well" not in repr(the_run(folder).trace)


def test_a_whole_audit(tmp_path: Path) -> None:
    (result,) = audit(copied(tmp_path)).results
    assert result.disposition is not None


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are kept beside a development checkout")
def test_all_real_runs() -> None:
    for folder in sorted(SAMPLES.iterdir()):
        run = the_run(folder)
        assert run.report.text
        assert not [notice for notice in run.notices if "missing" in notice]
        assert run.trace.steps[0].before is not None


@pytest.mark.parametrize(
    "seen",
    [
        "Observation: I ask the Assistant API and get the following response: {said}. Please analyze the response "
        "given by Assistant, and once more get the following response: {said}! Please analyze the response given "
        "by Assistant",
        "Observation: the page is shown.\nPrevious actions:\n1. {said}\n",
    ],
)
def test_what_models_said_in_an_observation_is_no_observation(seen: str) -> None:
    said = "The ticket is surely booked"
    found = opening(seen.format(said=said) + ' I have provided textual information.\n[1]: "Save"')
    assert found is not None
    assert said not in found.seen
    assert said in found.past
    assert "Save" in found.seen


REFUSED = (
    "The action you have chosen cannot be exected. Please double-check if you have selected the wrong Numerical Label."
)
FORM = "Format ERROR: Both 'Thought' and 'Action' should be included in your reply."
PREAMBLE = (
    "please analyze the attached screenshot and give the Thought and Action. I've provided the tag name of each "
    "element and the text it contains (if text exists). Note that <textarea> or <input> may be textbox, but not "
    "exactly. Please focus more on the screenshot and then refer to the textual information.\n"
)


def said(action: str) -> dict[str, Any]:
    return {"role": "assistant", "content": f"Thought: I go on.\n\nAction: {action}"}


def shown(words: str, preamble: str = PREAMBLE, ahead: str = "") -> dict[str, Any]:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,{b64_img}"}}
    return {"role": "user", "content": [{"type": "text", "text": f"{ahead}Observation: {preamble}{words}"}, picture]}


def messages_of(folder: Path, *messages: dict[str, Any], pictures: tuple[int, ...]) -> Path:
    folder.mkdir()
    (folder / "interact_messages.json").write_text(json.dumps([{"role": "system", "content": "Imagine."}, *messages]))
    for at in pictures:
        (folder / f"screenshot{at}.png").write_bytes(PICTURE + bytes([at]))
    return folder


ASKED = "Now given a task: Find a lamp  Please interact with https://shop.test/ and get the answer. \n"


def test_an_action_that_failed_has_its_error_and_no_picture_is_missed(tmp_path: Path) -> None:
    first = shown('[3]: <button> "Lamps";\t[4]: "Chairs";', ahead=ASKED)
    told: list[dict[str, Any]] = [
        said("Click [99]"),
        {"role": "user", "content": REFUSED},
        {"role": "assistant", "content": "I click on it."},
    ]
    again: list[dict[str, Any]] = [
        {"role": "user", "content": FORM},
        said("Click [3]"),
        shown('[5]: "Aero";'),
        said("ANSWER; [Aero]"),
    ]
    run = the_run(messages_of(tmp_path / "taskShop--1", first, *told, *again, pictures=(1, 4)))
    failed, click, _ = run.trace.steps
    assert (failed.error, failed.after) == (REFUSED, None)
    assert (click.error, click.action.target) == (None, "Lamps")
    assert click.after is not None and click.after.screenshot is not None
    assert click.after.screenshot.name == "screenshot4.png"
    assert not [notice for notice in run.notices if "missing" in notice]
    assert Gap.UNREADABLE_OBSERVATION not in run.trace.gaps
    assert "I click on it" not in repr(run.trace)
    assert run.report.text == "Aero"


@pytest.mark.parametrize(
    "preamble", ["look at the page and go on.\n", "give the Thought and Action. Labels follow.\n", "\n"]
)
def test_the_list_of_elements_is_read_whatever_stands_ahead_of_it(tmp_path: Path, preamble: str) -> None:
    page = shown('[3]: <button> "Lamps";\t[4]: "Chairs";', preamble)
    first = shown('[3]: <button> "Home";', ahead=ASKED)
    steps = [said("Click [3]"), page, said("Click [3]"), shown("", ""), said("ANSWER; [Aero]")]
    run = the_run(messages_of(tmp_path / "taskShop--1", first, *steps, pictures=(1, 2, 3)))
    assert [step.action.target for step in run.trace.steps[:2]] == ["Home", "Lamps"]
    assert '[4] "Chairs"' in repr(run.trace.steps[0].after)

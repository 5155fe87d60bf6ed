"""Logs made of a recording: what each profile keeps, and that every format is read back as what was recorded."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from made_logs import outcomes

from tracewitness.intake.sealed import SealedRun
from tracewitness.lab.making.made import LabFolder, LabFolderError
from tracewitness.lab.making.writing import LogForm, load_recording, write_log
from tracewitness.lab.recording.as_neutral import as_neutral
from tracewitness.lab.recording.profiles import Profile, kept
from tracewitness.lab.recording.recording import Act, Action, Box, Control, Recording, Seen, read_recording
from tracewitness.report_side.report import DeclaredStatus

FIELD, SAVE = Box(10, 20, 200, 24), Box(10, 60, 80, 30)
FLAGS = {True: DeclaredStatus.SUCCESS, False: DeclaredStatus.FAILURE, None: None}
REPORT = "Listo: el teléfono de Ana quedó guardado."


def page(number: int, text: str, network: tuple[str, ...] = ()) -> Seen:
    controls = (
        Control("textbox", "input", "Phone", "555 0134" if number else "", "", FIELD),
        Control("button", "button", "Save", None, "disabled" if number == 2 else "", SAVE),
        Control("switch", "button", "Sound", None, "unchecked", Box(0, 0, 9, 9)),
    )
    tree = f'- heading "{text}" [level=1]\n- textbox "Phone"\n- button "Save"'
    return Seen(
        url=f"http://127.0.0.1:5/contacts/{number}",
        title="Contacts",
        text=text,
        tree=tree,
        controls=controls,
        network=network,
        console=("error: late",) if network else (),
        picture=f"{number:03}.jpg",
        size=(800, 600),
    )


def recorded(declared: bool | None = True, ended: bool = True) -> Recording:
    moment = "2031-05-04T10:00:0{}+00:00"
    return Recording(
        run_id="lab-7-00003",
        app="contacts",
        language="en",
        task="Change the phone number of Ana.",
        start_url="http://127.0.0.1:5/contacts",
        actions=(
            Action(Act.TYPE, "Phone", "textbox", "555 0134", FIELD, moment.format(1)),
            Action(Act.CLICK, "Save", "button", None, SAVE, moment.format(2), changed=True),
            Action(Act.SCROLL, None, moment=moment.format(3)),
        ),
        seen=(
            page(0, "Edit Ana"),
            page(1, "Edit Ana, typed"),
            page(2, "Ana was saved", ("POST /contacts/3/edit -> 303",)),
            page(3, "Ana 555 0134"),
        ),
        report=REPORT,
        declared=declared,
        ended=ended,
        narration=("I type it.", "CANARY-THOUGHT"),
    )


@pytest.fixture
def lab(tmp_path: Path) -> LabFolder:
    folder = LabFolder(tmp_path)
    pictures = folder.recording("lab-7-00003")
    pictures.mkdir(parents=True)
    for number in range(4):
        (pictures / f"{number:03}.jpg").write_bytes(b"\xff\xd8\xff" + bytes([number]))
    return folder


def read_back(lab: LabFolder, recording: Recording, profile: Profile, form: LogForm) -> SealedRun:
    (run,) = (one for one in outcomes(write_log(lab, recording, profile, form)) if isinstance(one, SealedRun))
    return run


def shown(run: SealedRun) -> str:
    seen = [one for step in run.trace.steps for one in (step.before, step.after) if one]
    return unescape("\n".join(f"{one.text}\n{one.ui_tree}" for one in seen))


@pytest.mark.parametrize("declared", [True, False, None])
def test_a_recording_is_read_as_it_was_written(declared: bool | None) -> None:
    assert read_recording(recorded(declared).written()) == recorded(declared)


def test_a_recording_of_the_form_before_is_read() -> None:
    document = json.loads(recorded().written())
    document["deeds"] = document.pop("actions")
    for seen in document["seen"]:
        seen["parts"] = seen.pop("controls")
    assert read_recording(json.dumps({**document, "format": "tracewitness.lab-recording/1"})) == recorded()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Expecting value"),
        ("[]", "dict"),
        ('{"format": "other"}', "expected a recording of the form tracewitness.lab-recording/2, found 'other'"),
        ('{"format": "tracewitness.lab-recording/1"}', "validation error"),
        ('{"format": "tracewitness.lab-recording/1", "seen": [7]}', "validation error"),
        ('{"format": "tracewitness.lab-recording/2", "seen": []}', "validation error"),
    ],
)
def test_what_is_no_recording_is_told_with_its_place(lab: LabFolder, text: str, said: str) -> None:
    folder = lab.recording("lab-7-00003")
    (folder / "recording.json").write_text(text, encoding="utf-8")
    with pytest.raises(LabFolderError, match=re.escape(said)) as raised:
        load_recording(folder)
    assert str(folder) in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("form", list(LogForm))
@pytest.mark.parametrize("declared", [True, False, None])
def test_every_format_is_read_back_as_it_was_recorded(lab: LabFolder, form: LogForm, declared: bool | None) -> None:
    run = read_back(lab, recorded(declared), Profile.ALL, form)
    acted = [(step.action.kind, step.action.text) for step in run.trace.steps if step.action.kind != "finish"]
    assert ("type", "555 0134") in acted
    assert [kind for kind, _ in acted if kind in {"click", "scroll"}][-2:] == ["click", "scroll"]
    assert run.trace.steps[-1].action.kind == "finish"
    assert run.report.text == REPORT
    assert run.report.declared_status == FLAGS[declared]
    assert run.task.instruction == "Change the phone number of Ana."
    text = shown(run)
    assert "Ana was saved" in text
    assert "POST /contacts/3/edit -> 303" in text
    assert "CANARY-THOUGHT" not in text + repr(run.trace.steps)


@pytest.mark.parametrize("form", list(LogForm))
def test_targets_are_named_in_every_format(lab: LabFolder, form: LogForm) -> None:
    run = read_back(lab, recorded(), Profile.ALL, form)
    assert any(step.action.target and "Save" in step.action.target for step in run.trace.steps)


@pytest.mark.parametrize("form", list(LogForm))
def test_a_cut_log_shows_nothing_of_what_came_of_its_last_action(lab: LabFolder, form: LogForm) -> None:
    run = read_back(lab, recorded(), Profile.CUT, form)
    assert "Ana was saved" not in shown(run)
    assert all(step.action.kind != "finish" for step in run.trace.steps)
    assert "scroll" not in [step.action.kind for step in run.trace.steps]


KEPT: dict[Profile, Callable[[Seen], bool]] = {
    Profile.TEXT: lambda seen: bool(seen.text) and not seen.tree and seen.picture is None,
    Profile.SCREENSHOTS: lambda seen: bool(seen.picture) and not (seen.text or seen.tree or seen.network),
    Profile.NO_NETWORK: lambda seen: bool(seen.text and seen.tree) and not (seen.network or seen.console),
}


@pytest.mark.parametrize("profile", list(KEPT))
def test_a_profile_keeps_what_it_says_and_no_more(profile: Profile) -> None:
    less = kept(recorded(), profile)
    assert all(one is not None and KEPT[profile](one) for one in less.seen)
    assert less.actions == recorded().actions


def test_before_only_never_shows_the_effect_of_the_last_action() -> None:
    assert len(kept(recorded(), Profile.BEFORE_ONLY).seen) == 3


def test_a_run_that_changed_nothing_is_cut_at_its_last_action() -> None:
    idle = recorded()
    idle = replace(idle, actions=tuple(replace(action, changed=False) for action in idle.actions))
    assert len(kept(idle, Profile.CUT).actions) == len(kept(idle, Profile.CUT).seen) == 3


def test_an_agent_whose_steps_were_used_up_reports_without_an_end_of_its_own() -> None:
    written = as_neutral(recorded(ended=False))
    assert written["steps"][-1]["action"]["kind"] == "scroll"
    assert written["report"]["text"] == REPORT


def test_what_only_the_lab_knows_stands_in_no_log(lab: LabFolder) -> None:
    for form in LogForm:
        folder = write_log(lab, recorded(), Profile.ALL, form)
        told = "".join(path.read_text("utf-8") for path in folder.rglob("*") if path.suffix in {".json", ".jsonl"})
        assert "changed" not in told

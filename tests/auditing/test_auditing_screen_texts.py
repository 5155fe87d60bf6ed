"""Text read off screenshots is evidence like any other: read once, kept without secrets, and marked in the finding."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from auditing_samples import rules

from tracewitness.auditing.isolation import trace_products
from tracewitness.auditing.one_run import audit_run, with_halves
from tracewitness.auditing.screen_texts import WithScreenText
from tracewitness.auditing.setup import Setup
from tracewitness.findings.causes import Gap
from tracewitness.findings.evidence_causes import EvidenceCause, Notice
from tracewitness.findings.labels import AnswerCheck, Disposition, FieldValue, TraceState
from tracewitness.intake.sealed import SealedRun
from tracewitness.report_side.report import Report
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import Store, open_store
from tracewitness.testing import RunBuilder
from tracewitness.trace_side.exhibits import Exhibits
from tracewitness.trace_side.screen_text import is_picture_only, with_screen_text, written
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step, Trace
from tracewitness.values.digests import digest_bytes

LIST = "Clock\nAlarm\tTimer\n07:00\tWork\n08:30\tGym"
PICKED = f"1 selected\nDelete\n{LIST}"
GONE = "Clock\nAlarm\tTimer\n07:00\tWork\nAlarm deleted"
TASK = "Delete the alarm 'Gym' at 08:30."


@dataclass
class Reader:
    """Reads "pictures" whose bytes are their text; notes what it was asked."""

    version: str = "1"
    name: str = "plain"
    asked: list[bytes] = field(default_factory=list[bytes])

    def read(self, picture: bytes) -> str | None:
        self.asked.append(picture)
        return picture.decode() if picture != b"broken" else None


@dataclass
class Shelf:
    """Gives pictures by name."""

    pictures: Mapping[str, bytes]

    def read(self, screenshot: Screenshot) -> bytes | None:
        return self.pictures.get(screenshot.name)


def shot(text: str) -> Observation:
    return Observation(screenshot=Screenshot(text, digest_bytes(text.encode())))


def filmed(*screens: str, kinds: tuple[str, ...] = ("open", "long_press", "click"), task: str = TASK) -> SealedRun:
    """Return a run of which only pictures of the screens are on record."""
    targets = ("Clock", "Gym", "Delete")
    steps = tuple(
        Step(at, Action(kind, target, raw=f"{kind}({target})"), after=shot(screen))
        for at, (kind, target, screen) in enumerate(zip(kinds, targets, screens, strict=False), 1)
    )
    run = RunBuilder("filmed").task(task).report("Done, the alarm is deleted.").build()
    return replace(run, trace=Trace(steps, (Gap.SCREENSHOT_ONLY,)))


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run have the pictures that its screenshots name."""

    class AllThere:
        def __init__(self, origin: object) -> None:
            pass

        def read(self, screenshot: Screenshot) -> bytes | None:
            return screenshot.name.encode() if screenshot.name != "absent" else None

    monkeypatch.setattr("tracewitness.auditing.one_run.RunPictures", AllThere)


def setup(reader: Reader | None = None, store: Store | None = None) -> Setup:
    plain = rules()
    return replace(plain, extractor=WithScreenText(plain.extractor, reader or Reader(), store))


def audited(run: SealedRun, made: Setup | None = None) -> AuditRecord:
    record = audit_run(run, made or setup())
    assert record.trace is not None and record.decision is not None
    return record


def test_a_run_of_screenshots_gets_evidence_and_says_where_from() -> None:
    run = filmed(LIST, PICKED, GONE)
    blind, seeing = audited(run, rules()), audited(run)
    assert blind.trace is not None and seeing.trace is not None
    assert blind.decision is not None and seeing.decision is not None
    assert blind.decision.trace_state is TraceState.UNKNOWN
    assert Gap.SCREENSHOT_ONLY in blind.trace.gaps
    assert seeing.decision.trace_state is TraceState.COMPLETED
    assert seeing.trace.gaps == ()
    assert seeing.trace.notices == (Notice.TEXT_BY_OCR,)
    assert 'row "08:30 | Gym"' in {text.text for text in seeing.prose}
    assert blind.trace_digest == seeing.trace_digest


def test_who_made_it_is_on_record() -> None:
    plain, one, other = rules(), setup(Reader()), setup(Reader("2"))
    names = {made.extractor.maker.name for made in (one, other)}
    digests = {made.extractor.maker.digest for made in (plain, one, other)}
    assert names == {"rules+plain"}
    assert len(digests) == 3
    assert audited(filmed(LIST, PICKED, GONE), one).makers.extractor == "rules+plain"


def test_what_did_not_happen_is_seen_as_well() -> None:
    record = audited(filmed(LIST, PICKED, LIST))
    assert record.decision is not None
    assert record.decision.disposition is Disposition.FLAG


@pytest.mark.parametrize("unread", ["broken", "absent", ""])
def test_the_gap_stays_where_a_screen_could_not_be_read(unread: str) -> None:
    record = audited(filmed(LIST, unread, GONE))
    assert record.trace is not None
    assert Gap.SCREENSHOT_ONLY in record.trace.gaps
    assert record.trace.notices == (Notice.TEXT_BY_OCR,)


@pytest.mark.parametrize("unread", ["broken", "absent", ""])
def test_where_nothing_can_be_read_nothing_changes(unread: str) -> None:
    run = filmed(unread, unread, unread)
    blind, seeing = audited(run, rules()), audited(run)
    assert seeing.trace == blind.trace
    assert seeing.decision == blind.decision


@pytest.mark.parametrize("last", ["08:3O\tGvm", "08:30\tGyrn", "O8:30\tGym!"])
def test_a_misread_name_is_not_a_deleted_one(last: str) -> None:
    record = audited(filmed(LIST, PICKED, f"Clock\nAlarm\tTimer\n07:00\tWork\n{last}"))
    assert record.trace is not None and record.decision is not None
    assert record.trace.parts[0].final_support.value is not FieldValue.YES
    assert record.decision.disposition is not Disposition.PASS


def test_a_neighbour_with_nearly_the_same_name_does_not_unsettle_a_deletion() -> None:
    screens = [screen.replace("Work", "Gym 2") for screen in (LIST, PICKED, GONE)]
    record = audited(filmed(*screens))
    assert record.trace is not None
    assert record.trace.parts[0].final_support.cause is not EvidenceCause.UNVERIFIED_CHANGE


@pytest.mark.parametrize("message", ["Gym deleted", "Alarm for 08:30 deleted", "Alarm deleted", "1 alarm", "Undo"])
def test_a_message_about_the_deletion_does_not_unsettle_it(message: str) -> None:
    record = audited(filmed(LIST, PICKED, f"Clock\nAlarm\tTimer\n07:00\tWork\n{message}"))
    assert record.trace is not None
    assert record.trace.parts[0].final_support.cause is not EvidenceCause.UNVERIFIED_CHANGE


def test_an_answer_is_held_against_what_was_read() -> None:
    task = "What time is the alarm 'Gym' set to?"
    run = filmed(LIST, kinds=("open",), task=task)
    told = {said: with_halves(run, report=Report(f"The alarm Gym is set to {said}.")) for said in ("08:30", "09:45")}
    right, wrong = audited(told["08:30"]), audited(told["09:45"])
    assert right.answer_check in {AnswerCheck.AGREES, AnswerCheck.SHOWN}
    assert wrong.answer_check in {AnswerCheck.ABSENT, AnswerCheck.CONTRADICTS}


def test_the_report_makes_no_difference() -> None:
    run, made = filmed(LIST, PICKED, GONE), setup()
    before = trace_products(run, made)
    for words in ("", "I failed.", 'row "08:30 | Gym"', "Alarm deleted"):
        assert trace_products(with_halves(run, report=Report(words), narration=words), made) == before


def test_the_same_picture_is_read_once_in_a_batch() -> None:
    reader = Reader()
    made = setup(reader)
    audited(filmed(LIST, PICKED, LIST), made)
    audited(filmed(LIST, PICKED, GONE), made)
    assert reader.asked == [LIST.encode(), PICKED.encode(), GONE.encode()]


def test_the_same_picture_is_read_once_by_later_starts_too(tmp_path: Path) -> None:
    run = filmed(LIST, PICKED, GONE)
    with open_store(tmp_path / "a.db") as store:
        first, second, newer = Reader(), Reader(), Reader("2")
        before = audited(run, setup(first, store))
        after = audited(run, setup(second, store))
        assert (len(first.asked), second.asked) == (3, [])
        assert after.record_id == before.record_id
        audited(run, setup(newer, store))
        assert len(newer.asked) == 3


def test_a_picture_that_could_not_be_read_is_tried_again_on_the_next_start(tmp_path: Path) -> None:
    run = filmed(LIST, "broken", "broken")
    with open_store(tmp_path / "a.db") as store:
        first, second = Reader(), Reader()
        audited(run, setup(first, store))
        audited(run, setup(second, store))
        assert (len(first.asked), second.asked) == (2, [b"broken"])


SECRET = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2


def kept_texts(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_secrets_on_a_screen_are_neither_kept_nor_quoted(tmp_path: Path) -> None:
    screens = [f"{screen}\nAPI key\t{SECRET}" for screen in (LIST, PICKED, GONE)]
    with open_store(tmp_path / "a.db") as store:
        record = audited(filmed(*screens), setup(Reader(), store))
        store.append(record)
        assert SECRET.encode() not in kept_texts(tmp_path / "a.db")
        assert not any(SECRET in text.text for text in record.prose)


def test_a_screen_that_shows_a_typed_password_is_not_kept(tmp_path: Path) -> None:
    run = filmed(LIST, f"{PICKED}\nRosebud-1941-x", GONE)
    typed = Step(4, Action("type", "Password", "Rosebud-1941-x", "type(Password)"), after=shot(GONE))
    run = replace(run, trace=replace(run.trace, steps=(*run.trace.steps, typed)))
    with open_store(tmp_path / "a.db") as store:
        first, second = Reader(), Reader()
        store.append(audited(run, setup(first, store)))
        audited(run, setup(second, store))
        assert len(first.asked) == 3
        assert len(second.asked) == 1
        assert b"Rosebud" not in kept_texts(tmp_path / "a.db")


def test_only_screens_that_are_known_by_their_picture_alone_are_read() -> None:
    screenshot = Screenshot("x", digest_bytes(b"x"))
    shown: dict[str | None, bool] = {
        None: True,
        " \n": True,
        "page 'Shop'": True,
        "page 'Shop'\ntab 'Shop' http://shop.test\ntab 'Mail'": True,
        "result: Clicked 3\npage 'Shop'": True,
        "page 'Shop'\nbutton 'Buy'": False,
        "Alarm deleted": False,
    }
    assert {text: is_picture_only(Observation(text, screenshot=screenshot)) for text in shown} == shown
    assert not is_picture_only(Observation("", "<hierarchy/>", screenshot=screenshot))
    assert is_picture_only(Observation(url="http://shop.test", screenshot=screenshot))
    assert not is_picture_only(Observation(url="http://shop.test"))


def test_what_stood_there_stays_in_front_of_what_was_read() -> None:
    picture = b"Buy now"
    seen = Observation("page 'Shop'", url="http://shop.test", screenshot=Screenshot("x", digest_bytes(picture)))
    trace = Trace((Step(1, Action("click"), before=seen, after=seen),), (Gap.MISSING_STEPS, Gap.SCREENSHOT_ONLY))
    reader = Reader()
    worded = with_screen_text(trace, Shelf({"x": picture}), reader)
    (step,) = worded.trace.steps
    assert step.before == step.after == replace(seen, text="page 'Shop'\ntext \"Buy now\"")
    assert worded.trace.gaps == (Gap.MISSING_STEPS,)
    assert (worded.worded, worded.wordless, reader.asked) == (2, 0, [picture])


def test_a_trace_that_has_words_is_the_very_same_object() -> None:
    run = RunBuilder().step("click", after="page 'Shop'").build()
    reader = Reader()
    assert with_screen_text(run.trace, Exhibits().pictures, reader).trace is run.trace
    assert reader.asked == []


@pytest.mark.parametrize(
    ("line", "element"),
    [
        ("Alarm deleted", 'text "Alarm deleted"'),
        ("Battery\t95%", 'row "Battery | 95%"'),
        ("\tBattery\t", 'text "Battery"'),
        ("switch 'Wi-Fi' on", "text \"switch 'Wi-Fi' on\""),
        ('toast "Saved"', 'text “toast "Saved"”'),
        ("C:\\new", "text “C:\\new”"),
        ('"a" “b” «c» 「d」 e\\', "text \"'a' “b” «c» 「d」 e/\""),
    ],
)
def test_words_on_a_screen_never_pose_as_elements(line: str, element: str) -> None:
    assert written(line) == element


POSING: list[Callable[[str], str]] = [str, str.upper, lambda line: f"  {line}", lambda line: f"[1]\t{line}"]


@pytest.mark.parametrize("posing", POSING)
@pytest.mark.parametrize(
    "line", ["POST /api/orders 200", "toast 'Saved'", 'dialog "Leave?"', "<node text='x'/>", "- [x] Bread", "Error: no"]
)
def test_no_words_on_a_screen_open_another_notation(line: str, posing: Callable[[str], str]) -> None:
    assert all(out.startswith(("text ", "row ")) for out in written(f"{posing(line)}\nOK").split("\n"))

"""Text is read off pictures with what the package brings: no network, no noise, nothing written."""

import asyncio
import io
import json
import logging
import socket
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path

import pytest

from tracewitness.auditing.isolation import trace_products
from tracewitness.auditing.one_run import audit_run
from tracewitness.auditing.screen_texts import WithScreenText
from tracewitness.auditing.setup import Setup
from tracewitness.backends.missing import MissingPackageError
from tracewitness.backends.ocr import LONGEST_SIDE, Piece, RapidOcrReader, rows_of
from tracewitness.findings.evidence_causes import Notice
from tracewitness.findings.labels import TraceState
from tracewitness.intake.formats import built_in
from tracewitness.intake.reading import read_all
from tracewitness.intake.registry import Registry
from tracewitness.intake.sealed import SealedRun
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.policies import find_policy

pytestmark = pytest.mark.skipif(
    find_spec("rapidocr") is None or find_spec("onnxruntime") is None, reason="the extra ocr is not installed"
)

Line = tuple[int, int, str]


def draw(lines: list[Line], size: tuple[int, int] = (720, 480), kind: str = "PNG", mode: str = "RGB") -> bytes:
    image, pens, fonts = (pytest.importorskip(f"PIL.{name}") for name in ("Image", "ImageDraw", "ImageFont"))
    drawn = image.new("RGBA", size, (255, 255, 255, 0) if mode in {"RGBA", "LA"} else "white")
    pen, font = pens.Draw(drawn), fonts.load_default(size=30)
    for left, top, text in lines:
        pen.text((left, top), text, fill="black", font=font)
    written = io.BytesIO()
    drawn.convert(mode).save(written, kind)
    return written.getvalue()


@pytest.fixture(scope="module")
def reader() -> RapidOcrReader:
    return RapidOcrReader()


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a connection was attempted")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_words_on_a_picture_are_read(kind: str, reader: RapidOcrReader) -> None:
    assert reader.read(draw([(30, 200, "Alarm deleted")], kind=kind)) == "Alarm deleted"


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "1", "P"])
def test_whatever_the_colours(mode: str, reader: RapidOcrReader) -> None:
    assert reader.read(draw([(30, 200, "Alarm deleted")], mode=mode)) == "Alarm deleted"


def test_lines_come_from_top_to_bottom_and_left_to_right(reader: RapidOcrReader) -> None:
    lines = [(450, 52, "95%"), (30, 350, "Display"), (30, 50, "Battery"), (30, 200, "Wi-Fi"), (450, 200, "On")]
    assert reader.read(draw(lines)) == "Battery\t95%\nWi-Fi\tOn\nDisplay"


def test_an_empty_screen_shows_no_text(reader: RapidOcrReader) -> None:
    assert reader.read(draw([])) == ""


def test_what_is_read_with_little_confidence_is_left_out() -> None:
    assert RapidOcrReader(floor=1.01).read(draw([(30, 200, "Alarm deleted")])) == ""


@pytest.mark.parametrize(
    ("begin", "end"), [(0, 0), (8, None), (0, 60), (0, 900)], ids=["nothing", "no head", "head alone", "cut off"]
)
def test_what_is_damaged_gives_none(begin: int, end: int | None, reader: RapidOcrReader) -> None:
    assert reader.read(draw([(30, 200, "Alarm deleted")])[begin:end]) is None


def test_a_picture_that_would_be_shrunk_gives_none(reader: RapidOcrReader) -> None:
    assert reader.read(draw([], size=(LONGEST_SIDE + 1, 40))) is None


def test_pieces_in_a_staircase_stay_on_lines_of_their_own() -> None:
    stairs = [Piece(str(at), at * 10, at * 8, at * 8 + 10) for at in range(4)]
    assert rows_of(stairs) == "0\n1\n2\n3"
    assert rows_of([]) == ""


def test_it_is_known_by_package_version_and_floor() -> None:
    one, other = RapidOcrReader(0.5), RapidOcrReader(0.75)
    assert one.name == other.name == "rapidocr"
    assert one.version.endswith(" floor 0.5")
    assert other.version.endswith(" floor 0.75")


def test_without_the_package_the_error_tells_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("tracewitness.backends.ocr.version", absent)
    with pytest.raises(MissingPackageError, match=r"pip install 'tracewitness\[ocr\]'"):
        RapidOcrReader()


def test_a_package_that_it_needs_may_be_missing_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'tracewitness\[ocr\]'"):
        RapidOcrReader().read(draw([]))


def test_it_is_quiet_and_writes_nothing(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with caplog.at_level(logging.DEBUG):
        RapidOcrReader().read(draw([(30, 200, "Alarm deleted")]))
        RapidOcrReader().read(draw([]))
    told = capfd.readouterr()
    assert (told.out, told.err, list(tmp_path.iterdir())) == ("", "", [])
    assert [one.getMessage() for one in caplog.records if "Alarm" in one.getMessage()] == []


def test_nothing_is_loaded_before_a_picture_is_read() -> None:
    program = (
        "import sys; from tracewitness.backends.ocr import RapidOcrReader; RapidOcrReader();"
        "print([name for name in ('rapidocr', 'onnxruntime', 'cv2', 'PIL') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def film(folder: Path, *screens: list[Line], report: str = "Done, the alarm is deleted.") -> SealedRun:
    targets = ["Clock", "Gym", "Delete"]
    steps = [
        {
            "index": at,
            "action": {"kind": "click", "target": target, "raw": f"click({target})"},
            "after": {"screenshot": f"{at}.png"},
        }
        for at, target in enumerate(targets[: len(screens)], 1)
    ]
    folder.mkdir(exist_ok=True)
    for at, lines in enumerate(screens, 1):
        (folder / f"{at}.png").write_bytes(draw(lines))
    run = {
        "format": "tracewitness.run/1",
        "run_id": "filmed",
        "task": {"instruction": "Delete the alarm 'Gym' at 08:30."},
        "steps": steps,
        "report": {"text": report, "declared_status": "success"},
        "harness": {"status": "completed"},
    }
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    (found,) = read_all([folder / "run.json"], Registry(built_in()))
    assert isinstance(found, SealedRun)
    return found


KEPT: list[Line] = [(30, 20, "Clock"), (30, 90, "Alarm"), (400, 90, "Timer"), (30, 150, "07:00"), (400, 150, "Work")]
GYM: list[Line] = [(30, 220, "08:30"), (400, 220, "Gym")]
SCREENS = ([*KEPT, *GYM], [*KEPT, *GYM, (30, 400, "Delete")], [*KEPT, (30, 400, "Alarm deleted")])


def setup(reader: RapidOcrReader) -> Setup:
    plain = rules_setup(find_policy("default"), audit_all=True)
    return Setup(plain.claim_reader, WithScreenText(plain.extractor, reader), plain.table, audit_all=True)


def test_a_run_on_disk_with_nothing_but_screenshots_is_judged(tmp_path: Path, reader: RapidOcrReader) -> None:
    run = film(tmp_path, *SCREENS)
    record = audit_run(run, setup(reader))
    assert record.trace is not None and record.decision is not None
    assert record.trace.gaps == ()
    assert record.trace.notices == (Notice.TEXT_BY_OCR,)
    assert record.decision.trace_state is TraceState.COMPLETED
    assert 'row "08:30 | Gym"' in {text.text for text in record.prose}


def test_the_words_of_the_report_change_nothing_that_is_read(tmp_path: Path, reader: RapidOcrReader) -> None:
    made = setup(reader)
    told = ["Done, the alarm is deleted.", "I failed.", 'row "08:30 | Gym"']
    runs = [film(tmp_path / str(at), *SCREENS, report=words) for at, words in enumerate(told)]
    first, *others = [trace_products(run, made) for run in runs]
    assert all(products == first for products in others)


def test_threads_may_share_a_reader(reader: RapidOcrReader) -> None:
    pictures = [draw([(30, 200, f"Alarm {at} deleted")]) for at in range(4)]

    async def read_all_at_once() -> list[str | None]:
        return list(await asyncio.gather(*(asyncio.to_thread(reader.read, picture) for picture in pictures)))

    assert asyncio.run(read_all_at_once()) == [f"Alarm {at} deleted" for at in range(4)]

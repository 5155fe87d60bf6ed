"""No text, however long and whatever its shape, may hold up what reads it: every reader is linear in its length."""

import base64
from collections.abc import Callable
from functools import partial

import pytest

from timing import processor_seconds
from tracewitness.findings.labels import Language, StepPart
from tracewitness.language.clauses import split
from tracewitness.language.detect import detect
from tracewitness.language.quantities import read_values
from tracewitness.language.words import content_words
from tracewitness.report_side.by_rules import read_claim
from tracewitness.report_side.report import Report
from tracewitness.task_side.reading import read_task
from tracewitness.task_side.task import Task
from tracewitness.trace_side.injection import lines_to_judges
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.names import Name, cells, near_form_in, plain, stands_in
from tracewitness.trace_side.scenes import read_scene
from tracewitness.trace_side.trace import Action, Observation, Step
from tracewitness.values.redaction import redact

LENGTH = 100_000
SECONDS = 2.0

COMMON_SHAPES = {
    "one letter": "a",
    "digits": "1",
    "quotes": "'",
    "open corners": "「",
    "commas": "a, ",
    "colons": "a: ",
    "line breaks": "\n",
    "bullets": "\n- a",
    "dashes": "-",
    "brackets": "(",
    "Chinese": "已删除",
    "names": "Anna und Berta, ",
    "requests": "delete 'a', add 'b'; turn on c: d. ",
    "address": "https://x.test/a/b-c_d.e?f=g&h=%20",
    "base64": base64.b64encode(bytes(range(256)) * 300).decode(),
}
MORE_SHAPES = {
    "spaces": " ",
    "double quotes": '"',
    "curly quotes": "“",
    "apostrophes": "a'",
    "loose apostrophes": " 'a",
    "closing brackets": ")",
    "square brackets": "[{",
    "tags": "<a b=",
    "figures": "1 ",
    "money": "$1,",
    "thousands": "1,",
    "versions": "1.",
    "times": "10:",
    "dates": "1/1/",
    "phone numbers": "12-34-",
    "table": "a | ",
    "tabs": "a\t",
    "questions": "? ",
    "sentences": "a. ",
    "denials": "not ",
    "conditions": "if ",
    "German denials": "nicht ",
    "Japanese": "をにはが",
    "Katakana": "アイウ",
    "Korean": "저장 을 ",
    "emoji": "😀",
    "joiners": "\u200d",
    "accents": "a\u0301",
    "separators": "\u2028",
    "numbered lines": "\n1. a",
    "quoted lines": "\n'a'",
    "indented lines": "\n ",
    "keys": '{"a":',
    "mail addresses": "a@b.",
    "handles": "@a",
    "secrets": "sk-",
    "tokens": "eyJ.",
    "capitals": "A",
    "capitalised": "Ab ",
    "joined capitals": "A&'",
    "snake": "a_",
    "hexadecimal": "deadbeef",
}
# The parts of a request for a switch with many words, a conclusion that follows a success.
_DELETE, _DONE = "Delete ", "I have deleted the note and it is saved. "
_NAME = Name("red item nine", (), False, frozenset({"red", "item", "nine"}))


def _scene(text: str) -> None:
    for shown in (Observation(text=text), Observation(ui_tree=text)):
        read_scene(Step(1, Action("click", raw="tap('x')"), after=shown), StepPart.AFTER)


def _names(text: str) -> None:
    cells(text)
    plain(text)
    for phrase in (text[:1], text[:50], "zz"):
        stands_in(phrase, text)
    _NAME.reads_in(text)
    near_form_in("deletion", text)


def _values(text: str) -> None:
    for language in (Language.EN, Language.DE, Language.ZH):
        read_values(text, language)


def _clauses(text: str) -> None:
    for language in (Language.EN, Language.ZH, Language.JA):
        split(text, language)


READERS: dict[str, Callable[[str], object]] = {
    "detect": detect,
    "split": _clauses,
    "read_values": _values,
    "content_words": lambda text: content_words(text, Language.EN),
    "read_task": lambda text: read_task(Task(_DELETE + text)),
    "read_claim": lambda text: read_claim(Report(_DONE + text)),
    "meanings": meanings,
    "names": _names,
    "read_scene": _scene,
    "lines_to_judges": lines_to_judges,
    "redact": redact,
}


def _slow_readers(unit: str) -> dict[str, float]:
    text = (unit * (LENGTH // len(unit) + 1))[:LENGTH]
    took = {name: processor_seconds(partial(read, text)) for name, read in READERS.items()}
    return {name: round(seconds, 2) for name, seconds in took.items() if seconds > SECONDS}


@pytest.mark.parametrize("unit", COMMON_SHAPES.values(), ids=COMMON_SHAPES)
def test_every_reader_takes_a_long_text_in_its_stride(unit: str) -> None:
    assert not _slow_readers(unit)


@pytest.mark.slow
@pytest.mark.parametrize("unit", MORE_SHAPES.values(), ids=MORE_SHAPES)
def test_every_reader_takes_a_long_text_of_a_rarer_shape_in_its_stride(unit: str) -> None:
    assert not _slow_readers(unit)


def test_a_long_task_is_read_up_to_a_space_and_says_so() -> None:
    task = Task("Delete the note 'Plan'. " + "More words. " * 2_000)
    assert task.is_cut
    assert task.instruction.startswith(task.read_part)
    assert task.read_part.endswith(" ")
    assert 7_900 < len(task.read_part) <= 8_000
    short = Task("Delete the note 'Plan'.")
    assert (short.is_cut, short.read_part) == (False, short.instruction)

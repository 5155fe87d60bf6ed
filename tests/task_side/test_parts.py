"""Splitting tasks into parts."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import Language
from tracewitness.language.detect import detect
from tracewitness.task_side.parts import split_task

_LINES = (Path(__file__).parent / "tasks.tsv").read_text(encoding="utf-8").splitlines()[2:]
INSTRUCTIONS = [line.split("\t")[1] for line in _LINES if line]


@pytest.mark.parametrize(
    ("instruction", "parts"),
    [
        ("Turn off WiFi, then enable bluetooth", ["Turn off WiFi", "then enable bluetooth"]),
        (
            "Add Lena to the group and text 'hello' to Ben",
            ["Add Lena to the group", "and text 'hello' to Ben"],
        ),
        ("Delete the note 'A'. Then create a note 'B'.", ["Delete the note 'A'", "Then create a note 'B'"]),
        ("1. Delete the note 'A'\n2. Send 'x' to Bo", ["Delete the note 'A'", "Send 'x' to Bo"]),
        ("Delete the notes Roamly, Vango and Kite", ["Delete the notes Roamly, Vango and Kite"]),
        ("Add a column 'Margin' and save the file", ["Add a column 'Margin' and save the file"]),
        (
            "Apply with name Ada and email ada@x.test, then tell me whether it was submitted",
            ["Apply with name Ada and email ada@x.test, then tell me whether it was submitted"],
        ),
        ("Open the app and change the title to 'B'", ["Open the app and change the title to 'B'"]),
        ("Delete the note 'A' and then please mail Bo", ["Delete the note 'A'", "and then please mail Bo"]),
        ("Cancel order\n302", ["Cancel order\n302"]),
        ("Find the price and tell me", ["Find the price and tell me"]),
        (
            "Stelle die Notiz ein und schicke sie an Ben.",
            ["Stelle die Notiz ein", "und schicke sie an Ben"],
        ),
        ("Crée la note « A » puis supprime la note « B ».", ["Crée la note « A »", "puis supprime la note « B »"]),
        ("Crea la nota «A» y elimina la nota «B».", ["Crea la nota «A»", "y elimina la nota «B»"]),
        ("Crie a nota «A» e apague a nota «B».", ["Crie a nota «A»", "e apague a nota «B»"]),
        ("创建笔记“甲”，然后删除笔记“乙”。", ["创建笔记“甲”", "然后删除笔记“乙”"]),
        ("会議を登録し、参加者に森さんを追加してください。", ["会議を登録し", "参加者に森さんを追加してください"]),
        ("메모를 만들고 메일을 보내 줘.", ["메모를 만들고", "메일을 보내 줘"]),
        ("신청서를 작성해서 연차를 등록해 줘.", ["신청서를 작성해서 연차를 등록해 줘"]),
    ],
)
def test_examples(instruction: str, parts: list[str]) -> None:
    assert [part.text for part in split_task(instruction, detect(instruction))] == parts


def test_saving_is_folded_into_the_part_before() -> None:
    (part,) = split_task("Add a column 'Margin' and save the file", Language.EN)
    assert part.saving
    (part,) = split_task("Add a column 'Margin'", Language.EN)
    assert not part.saving


@settings(max_examples=100)
@given(st.lists(st.sampled_from([*INSTRUCTIONS, "and", "then", "\n1. ", "'x'", "..."]), max_size=4).map(" ".join))
def test_parts_are_verbatim_in_order_and_lose_no_letter(instruction: str) -> None:
    for language in (detect(instruction), Language.EN):
        parts = split_task(instruction, language)
        end = 0
        for part in parts:
            assert instruction[part.start : part.end] == part.text
            assert not any(c.isalnum() for c in instruction[end : part.start] if not c.isdigit())
            end = part.end
        assert not any(c.isalnum() for c in instruction[end:])


@settings(max_examples=60)
@given(st.text(max_size=100), st.sampled_from(list(Language)))
def test_any_text_with_words_has_a_part(text: str, language: Language) -> None:
    parts = split_task(text, language)
    assert parts or not any(c.isalnum() for c in text)

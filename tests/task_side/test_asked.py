"""Requests as people make them, most of them indirect: wishes, complaints, courtesy, what is not to be done."""

from itertools import groupby
from pathlib import Path

import pytest

from tracewitness.findings.labels import TaskClass
from tracewitness.task_side.class_rule import classify
from tracewitness.task_side.parts import split_task
from tracewitness.task_side.reading import read_task
from tracewitness.task_side.task import Task

_LINES = (Path(__file__).parent / "asked.tsv").read_text(encoding="utf-8").splitlines()[2:]
_ASKED = [line.split("\t") for line in _LINES]
GROUPS = [(key, [line[2] for line in lines]) for key, lines in groupby(_ASKED, key=lambda line: (line[0], line[1]))]


@pytest.mark.parametrize(("group", "instructions"), GROUPS, ids=["-".join(group) for group, _ in GROUPS])
def test_a_request_has_its_class_however_it_is_put(group: tuple[str, str], instructions: list[str]) -> None:
    assert len(instructions) >= 15
    assert {text: found for text in instructions if (found := classify(Task(text))) != group[1]} == {}


@pytest.mark.parametrize(("group", "instructions"), GROUPS, ids=["-".join(group) for group, _ in GROUPS])
def test_a_request_is_one_part_however_it_is_put(group: tuple[str, str], instructions: list[str]) -> None:
    assert [text for text in instructions if len(read_task(Task(text)).goals) != 1] == []


NOT_TO_BE_DONE = [
    "Mute the group, but do not delete it.",
    "Schalt den Timer aus, lösche ihn aber nicht.",
    "Silencia el grupo, pero no lo borres.",
    "Coupe les alertes du groupe, mais ne le supprime pas.",
    "Silencie o grupo, mas não o apague.",
    "把这个群静音，但不要删除。",
    "このグループをミュートして。ただし削除はしないで。",
    "이 그룹을 음소거해 줘. 하지만 삭제하지는 마.",
]


@pytest.mark.parametrize("instruction", NOT_TO_BE_DONE)
def test_what_is_forbidden_is_not_asked_for(instruction: str) -> None:
    reading = read_task(Task(instruction))
    assert reading.finding.task_class is TaskClass.CONFIGURE
    assert len(reading.goals) == 1


TWO_REQUESTS = [
    "The lamp should be off. After that: delete the photo 'Pier'.",
    "I no longer need the tag 'old', so take it off. Then add a tag 'new'.",
    "Die Lampe soll aus sein. Und danach: lösche das Foto „Pier“.",
    "Ich brauche das Etikett „alt“ nicht mehr, es soll weg. Leg danach ein Etikett „neu“ an.",
    "La lampe doit être éteinte. Ensuite, une autre chose : supprime la photo « Quai ».",
    "La lámpara debe estar apagada. Y después, otra cosa. Borra la foto «Muelle».",
    "A lâmpada deve ficar desligada. Depois disso, mais uma coisa. Apague a foto “Cais”.",
    "灯应该是关着的。然后，还有一件事。删除照片“码头”。",
    "明かりが消えているようにしてください。それから、「桟橋」の写真を削除してください。",
    "불이 꺼져 있게 해 주세요. 그다음에는 '부두' 사진을 삭제해 주세요.",
]


@pytest.mark.parametrize("instruction", TWO_REQUESTS)
def test_two_requests_are_two_parts(instruction: str) -> None:
    assert len(read_task(Task(instruction)).goals) == 2


def test_a_reason_belongs_to_the_request_that_it_leads_up_to() -> None:
    text = "Delete the note 'A'. The list 'B' is out of date. It should say 'C' instead."
    language = read_task(Task(text)).finding.language
    assert [part.text for part in split_task(text, language)] == [
        "Delete the note 'A'",
        "The list 'B' is out of date. It should say 'C' instead",
    ]

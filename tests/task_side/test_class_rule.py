"""The class rule: frozen, decided by the main verb, the same kinds in eight languages."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import TaskClass
from tracewitness.task_side.class_rule import RULE_VERSION, classify, rule_digest
from tracewitness.task_side.speech import task_lexicon
from tracewitness.task_side.task import Task

_LINES = (Path(__file__).parent / "tasks.tsv").read_text(encoding="utf-8").splitlines()[2:]
TASKS = [tuple(line.split("\t")) for line in _LINES if line]
SHARED = Path(__file__).parents[3] / "shared" / "cases"


@pytest.mark.parametrize(("expected", "instruction"), TASKS)
def test_examples(expected: str, instruction: str) -> None:
    assert classify(Task(instruction)) == expected


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("Delete the draft 'Send invoice'", TaskClass.DELETE),
        ("Turn off 'Delete after reading'", TaskClass.CONFIGURE),
        ("In the Mail app, open the settings and turn on 'Send receipts'", TaskClass.CONFIGURE),
        ("Create a note 'Delete me' and save it", TaskClass.CREATE_EDIT),
        ("Lösche den Ordner 'Erstelle Rechnung'", TaskClass.DELETE),
        ("删除名为“发送报告”的文件", TaskClass.DELETE),
        ("「送信する」というメモを作成してください", TaskClass.CREATE_EDIT),
        ("'삭제 예정' 메모를 만들어 줘", TaskClass.CREATE_EDIT),
        ("Supprime la note « Envoyer le rapport »", TaskClass.DELETE),
        ("Elimina la nota «Enviar informe»", TaskClass.DELETE),
        ("Apague a nota «Enviar relatório»", TaskClass.DELETE),
    ],
)
def test_quoted_verbs_never_decide(instruction: str, expected: TaskClass) -> None:
    assert classify(Task(instruction)) is expected


@settings(max_examples=60)
@given(st.sampled_from(TASKS), st.sampled_from(["", " ", "\n", "\u200b"]), st.sampled_from(["", " ", "\n\n"]))
def test_white_space_around_changes_nothing(task: tuple[str, str], before: str, after: str) -> None:
    expected, instruction = task
    assert classify(Task(before + instruction + after)) == expected


@settings(max_examples=60)
@given(st.sampled_from([t for t in TASKS if t[1].isascii() and t[1][0].isupper()]))
def test_case_of_the_first_letter_changes_nothing(task: tuple[str, str]) -> None:
    expected, instruction = task
    assert classify(Task(instruction[0].lower() + instruction[1:])) == expected


@settings(max_examples=100)
@given(st.text(max_size=120), st.sampled_from([None, *TaskClass]))
def test_any_text_has_a_class_and_a_given_one_wins(text: str, given_class: TaskClass | None) -> None:
    found = classify(Task(text, given_class=given_class))
    assert found in TaskClass
    assert given_class in (None, found)


def test_an_unknown_request_is_other() -> None:
    assert classify(Task("")) is TaskClass.OTHER
    assert classify(Task("Готово ли письмо")) is TaskClass.OTHER


# The digest of each version of the rule. A change of its data changes the digest: give it a new version and add a line.
FROZEN = {
    "1": "sha256:08a1f086065eef0f7bad827f3a7849f2ccea2cc6e7763ee40b9b147888d529f0",
    "2": "sha256:5be3ec903f2b5a91ac60ca473833817a2da6f27921b46b5818f439c9d97aadf8",
}


def test_the_rule_is_frozen() -> None:
    assert rule_digest() == FROZEN[RULE_VERSION]
    assert all(entry.reason for entry in task_lexicon().entries)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the labelled cases are kept beside a development checkout")
def test_shared_cases() -> None:
    wrong: list[str] = []
    for path in sorted(SHARED.glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        found = classify(Task(case["run"]["task"]["instruction"]))
        if found != case["expected"]["task_class"]:
            wrong.append(f"{path.name}: {found}")
    assert len(wrong) <= 1, wrong

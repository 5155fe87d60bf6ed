"""What a task asks for: wanted state, targets, values."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.language.clauses import MASK
from tracewitness.task_side.goal import Superlative, Wanted
from tracewitness.task_side.reading import read_task
from tracewitness.task_side.task import Task
from tracewitness.values.answers import DateValue, NumberValue, TimeValue

_LINES = (Path(__file__).parent / "tasks.tsv").read_text(encoding="utf-8").splitlines()[2:]
INSTRUCTIONS = [line.split("\t")[1] for line in _LINES if line]


@pytest.mark.parametrize(
    ("instruction", "wanted", "targets", "values"),
    [
        (
            "In Ledgerly, change the phone number of the contact 'Orin Vale' to 555-0142.",
            Wanted.VALUE,
            ("Orin Vale",),
            ("555-0142",),
        ),
        ("Delete the project 'staging-eu' in Harbor Console.", Wanted.ABSENT, ("staging-eu",), ()),
        ("Turn on Do Not Disturb on the phone.", Wanted.ON, ("Do Not Disturb",), ()),
        ("Make sure Wi-Fi is off.", Wanted.OFF, ("Wi-Fi",), ()),
        ("Reply 'Approved' to the mail 'Crane inspection'", Wanted.SENT, ("Crane inspection",), ("Approved",)),
        ("Order two boxes of A4 paper from Papertrail for the office.", Wanted.PRESENT, ("A4 paper",), ()),
        ("Send the plan to legal@mill.test from Orbitmail.", Wanted.SENT, ("legal@mill.test",), ()),
        ("Create a folder in Drive named 'Invoices'.", Wanted.PRESENT, ("Invoices",), ()),
        ("Mark the review by 'pebble' as helpful.", Wanted.ON, ("pebble",), ("helpful",)),
        ("Cancel order 302", Wanted.ABSENT, ("302",), ()),
        ("Delete Roamly, Vango and Kite from the list", Wanted.ABSENT, ("Roamly", "Vango", "Kite"), ()),
        (
            "Lege im Kalender 'Tagwerk' am 14. Mai um 10 Uhr einen Termin 'Zahnarzt' an.",
            Wanted.PRESENT,
            ("Zahnarzt",),
            ("14. Mai", "10 Uhr"),
        ),
        (
            "Ändere bei der Kundin Ruth Lemke die Straße auf 'Am Deich 9'.",
            Wanted.VALUE,
            ("Ruth Lemke",),
            ("Am Deich 9",),
        ),
        ("Envoie à Inès le message « En retard ».", Wanted.SENT, ("Inès",), ("En retard",)),
        ("Cambia el nombre del proyecto «Faro» a «Faro Norte».", Wanted.VALUE, ("Faro",), ("Faro Norte",)),
        ("Schalte in der App Heizwerk den Sparmodus ein.", Wanted.ON, ("Sparmodus",), ()),
        ("Add salt, candles and rope to the list.", Wanted.PRESENT, ("salt", "candles", "rope"), ()),
        (
            "Change the delivery address of order 8812 to 7 Tanner Row in Parcelwise.",
            Wanted.VALUE,
            ("8812",),
            ("7 Tanner Row",),
        ),
        ("在“微光阅读”里打开护眼模式。", Wanted.ON, ("护眼模式",), ()),
        ("Activa el modo avión.", Wanted.ON, ("modo avión",), ()),
        ("Ligue a economia de bateria no celular.", Wanted.ON, ("economia de bateria",), ()),
        ("在相册应用里打开“自动备份”。", Wanted.ON, ("自动备份",), ()),
        ("给“老周”发一条消息：明早码头见。", Wanted.SENT, ("老周",), ("明早码头见。",)),
        ("把联系人“李雷”的电话改成“13800138000”。", Wanted.VALUE, ("李雷",), ("13800138000",)),
        ("共有フォルダーから「企画書_v2.docx」を削除してください。", Wanted.ABSENT, ("企画書_v2.docx",), ()),
        ("「写真」フォルダーの名前を「旅の写真」に変えてください。", Wanted.VALUE, ("写真",), ("旅の写真",)),
        ("휴대폰 설정에서 위치 서비스를 꺼 줘.", Wanted.OFF, ("위치 서비스",), ()),
        ("배송 알림을 이메일로 받도록 바꿔 줘.", Wanted.VALUE, ("배송 알림",), ("이메일",)),
    ],
)
def test_goals(instruction: str, wanted: Wanted, targets: tuple[str, ...], values: tuple[str, ...]) -> None:
    (goal,) = read_task(Task(instruction)).goals
    assert (goal.wanted, goal.targets) == (wanted, targets)
    assert tuple(v.rstrip("。") for v in goal.values) == tuple(v.rstrip("。") for v in values)


def test_typed_values() -> None:
    (goal,) = read_task(Task("Lege am 14. Mai um 10 Uhr einen Termin 'Zahnarzt' an.")).goals
    assert goal.typed_values == (DateValue(5, 14), TimeValue(10, 0))
    (goal,) = read_task(Task("Order two boxes of A4 paper")).goals
    assert goal.typed_values == (NumberValue(Decimal(2)),)


@pytest.mark.parametrize(
    ("instruction", "superlative"),
    [
        ("What is the cheapest fare to Port Amber?", Superlative.LOWEST),
        ("How many drafts are there?", Superlative.COUNT),
        ("Change the phone number of Orin Vale to 555-0142", None),
        ("Was kostet die günstigste Fahrt?", Superlative.LOWEST),
        ("一番高い部屋はいくらですか", Superlative.HIGHEST),
        ("Qual foi o gasto total?", Superlative.SUM),
        ("最新的订单是什么？", Superlative.LAST),
    ],
)
def test_superlatives(instruction: str, superlative: Superlative | None) -> None:
    assert read_task(Task(instruction)).goals[0].superlative is superlative


@pytest.mark.parametrize(
    "instruction",
    ["Delete all drafts", "Lösche alle Entwürfe", "Supprime tous les brouillons", "Borra todos los borradores",
     "Apague todos os rascunhos", "删除所有草稿", "下書きを全部削除してください", "초안을 전부 삭제해 줘"],
)  # fmt: skip
def test_every(instruction: str) -> None:
    (goal,) = read_task(Task(instruction)).goals
    assert goal.every
    assert goal.wanted is Wanted.ABSENT
    assert not read_task(Task("Delete the draft 'all'")).goals[0].every


def test_saving_is_asked_for_only_where_the_words_say_so() -> None:
    assert read_task(Task("Add a column 'Margin' and save the file")).goals[0].needs_saving
    assert not read_task(Task("Add a column 'Margin'")).goals[0].needs_saving
    assert not read_task(Task("Add a column 'save'")).goals[0].needs_saving


def test_parts_share_the_object_they_speak_of() -> None:
    first, second = read_task(Task("Create the note 'Oats' and pin it")).goals
    assert first.targets == second.targets == ("Oats",)
    assert second.wanted is Wanted.ON


def test_a_given_class_overrides_and_is_said() -> None:
    reading = read_task(Task("Delete the note", given_class=TaskClass.OTHER))
    assert reading.finding.task_class is TaskClass.OTHER
    assert reading.finding.overridden
    assert not read_task(Task("Delete the note")).finding.overridden


def test_the_app_is_no_target() -> None:
    assert read_task(Task("Open Bavarde", app="Bavarde")).goals[0].targets in ((), ("Bavarde",))
    assert read_task(Task("Send 'Hi' to Ana with Bavarde", app="Bavarde")).goals[0].targets == ("Ana",)


@settings(max_examples=150)
@given(st.one_of(st.sampled_from(INSTRUCTIONS), st.text(max_size=120)), st.sampled_from([None, *TaskClass]))
def test_any_task_is_read(instruction: str, given_class: TaskClass | None) -> None:
    reading = read_task(Task(instruction, given_class=given_class))
    assert reading.finding.parts == len(reading.goals) >= 1
    assert reading.finding.language in Language
    for goal in reading.goals:
        assert MASK not in "".join((*goal.targets, *goal.values)) or MASK in instruction
    assert read_task(Task(instruction, given_class=given_class)) == reading

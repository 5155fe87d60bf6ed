"""Names without quotes, numbers, sets and values, in the grammar of eight languages."""

import pytest

from tracewitness.task_side.goal import Wanted
from tracewitness.task_side.reading import read_task
from tracewitness.task_side.task import Task
from tracewitness.values.answers import TimeValue

NAMED = [
    ("Change the address of Tilda Moor to 5 Bay Road.", "Tilda Moor"),
    ("Tilda Moor has moved. I'd like the entry to show 5 Bay Road.", "Tilda Moor"),
    ("Ändere die Adresse von Tilda Moor in „Hafenweg 5“.", "Tilda Moor"),
    ("Könntest du die Notiz Gartenplan löschen?", "Gartenplan"),
    ("Ersetze den Text der Notiz „Plan“ durch „Leer“.", "Plan"),
    ("Borra a Tilda Moor de mis contactos.", "Tilda Moor"),
    ("删除联系人李小雨。", "李小雨"),
    ("把李小雨的电话改成13800138000。", "李小雨"),
    ("新建一个名为李小雨的联系人。", "李小雨"),
    ("連絡先から林 美咲さんを削除してください。", "林 美咲"),
    ("林 美咲のメールアドレスをm@x.testに変更してください。", "林 美咲"),
    ("朝会という予定を削除して。", "朝会"),
    ("이하늘 님을 연락처에서 지워 줘.", "이하늘"),
    ("이하늘 님의 역할을 알려 줘.", "이하늘"),
    ("Where is order 48213 now?", "48213"),
    ("注文48213の状態を教えて。", "48213"),
    ("查看订单48213的状态。", "48213"),
]


@pytest.mark.parametrize(("instruction", "name"), NAMED)
def test_a_name_comes_out_as_it_is_called(instruction: str, name: str) -> None:
    (goal,) = read_task(Task(instruction)).goals
    assert name in goal.targets
    assert not any(name in target and name != target for target in goal.targets)


SET_TO = [
    ("Give the user Tilda Moor the role 'Editor'.", "Editor"),
    ("Attribue à Tilda Moor le rôle « Éditrice ».", "Éditrice"),
    ("给用户李小雨分配“编辑”角色。", "编辑"),
    ("이하늘 님에게 '편집자' 역할을 부여해 주세요.", "편집자"),
    ("Could you switch the language to Welsh?", "Welsh"),
    ("Könnten Sie die Zeitzone auf Lissabon umstellen?", "Lissabon"),
    ("可以把时区切换到里斯本吗？", "里斯本"),
    ("Set the phone of Tilda Moor to +44 20 7946 0018.", "+44 20 7946 0018"),
    ("邮箱改成m@x.test。", "m@x.test"),
]


@pytest.mark.parametrize(("instruction", "value"), SET_TO)
def test_what_something_is_set_to_is_a_value(instruction: str, value: str) -> None:
    (goal,) = read_task(Task(instruction)).goals
    assert value in goal.values
    assert value not in goal.targets


WANTED = [
    ("I'd like the lamp to be off.", Wanted.OFF),
    ("I'd like the lamp to be on.", Wanted.ON),
    ("The title should be 'Low Tide'.", Wanted.VALUE),
    ("There should be a list called 'Camping'.", Wanted.PRESENT),
    ("Set an alarm for 6:50.", Wanted.PRESENT),
    ("Der Titel soll „Ebbe“ lauten.", Wanted.VALUE),
    ("Pon una alarma a las 6:50.", Wanted.PRESENT),
    ("标题应该是“退潮”。", Wanted.VALUE),
    ("I no longer need the tag 'old'.", Wanted.ABSENT),
]


@pytest.mark.parametrize(("instruction", "wanted"), WANTED)
def test_a_wish_wants_what_an_order_would(instruction: str, wanted: Wanted) -> None:
    assert read_task(Task(instruction)).goals[0].wanted is wanted


@pytest.mark.parametrize(
    ("instruction", "every"),
    [
        ("Delete all of my timers.", True),
        ("Set a timer for every Monday at 7:00.", False),
        ("Stelle einen Wecker für jeden Montag um 7:00.", False),
        ("Lösche alle Wecker.", True),
        ("タイマーをすべて削除してください。", True),
        ("3つ全部でいくらですか。", False),
        ("타이머를 모두 삭제했으면 합니다.", True),
        ("타이머를 삭제했으면 합니다.", False),
        ("Cambia todo el texto de la nota «Plan».", False),
    ],
)
def test_a_set_is_told_from_a_time_and_a_sum(instruction: str, every: bool) -> None:
    assert read_task(Task(instruction)).goals[0].every is every


def test_times_are_typed() -> None:
    (goal,) = read_task(Task("The timer that rings at 7:10 should ring at 9:50 instead.")).goals
    assert {TimeValue(7, 10), TimeValue(9, 50)} <= set(goal.typed_values)


def test_what_a_wish_is_about_is_its_target_and_what_it_wishes_for_its_value() -> None:
    (goal,) = read_task(Task("We have moved, so the time zone should now be Seoul.")).goals
    assert (goal.targets, goal.values) == (("time zone",), ("Seoul",))
    (goal,) = read_task(Task("Por favor, pon en el contacto «Tilda Moor» el nuevo correo t@moor.test.")).goals
    assert goal.targets == ("Tilda Moor",)

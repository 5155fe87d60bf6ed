"""The words in which the lab asks for a task and tells what became of it, in every language."""

import tomllib
from collections import Counter
from importlib.resources import files
from string import Formatter

import pytest

LANGUAGES = ("en", "de", "es", "fr", "pt", "ja", "ko", "zh")
SLOTS = {
    "contact_create": ("name", "phone"),
    "contact_create_mail": ("name", "phone", "email"),
    "contact_phone": ("name", "phone"),
    "contact_email": ("name", "email"),
    "contact_delete": ("name",),
    "contact_ask_phone": ("name",),
    "note_create": ("title", "text"),
    "note_edit": ("title", "text"),
    "note_delete": ("title",),
    "mail_send": ("to", "subject", "body"),
    "mail_draft": ("to", "subject", "body"),
    "mail_schedule": ("to", "subject", "body", "date", "time"),
    "mail_delete": ("sender", "subject"),
    "mail_delete_all": ("sender",),
    "mail_ask_sender": ("subject",),
    "mail_ask_count": ("sender",),
    "order_place": ("product", "quantity"),
    "order_cancel": ("number",),
    "order_ask_total": ("number",),
    "order_ask_status": ("number",),
    "product_ask_price": ("product",),
    "order_ask_latest": (),
    "switch_on": ("setting",),
    "switch_off": ("setting",),
    "zone_set": ("zone",),
    "level_set": ("setting", "percent"),
    "role_set": ("user", "role"),
    "user_ask_role": ("user",),
    "alarm_create": ("time", "days"),
    "alarm_time": ("old", "new"),
    "alarm_off": ("time",),
    "alarm_delete": ("time",),
    "alarms_delete_all": (),
    "event_create": ("title", "date", "time"),
    "event_move": ("title", "date"),
    "event_delete": ("title",),
    "event_ask_time": ("title",),
    "event_ask_count": ("date",),
    "file_rename": ("name", "new"),
    "file_move": ("name", "folder"),
    "file_delete": ("name",),
    "files_delete_all": ("ending", "folder"),
    "trash_restore": ("name",),
    "trash_empty": (),
    "file_ask_size": ("name",),
    "file_ask_count": ("folder",),
}
MAY_FIND_NOTHING = {assignment for assignment in SLOTS if "delete" in assignment} | {
    "order_cancel",
    "alarm_off",
    "trash_empty",
}
LEAST = {"say": 4, "deed": 2, "already": 1, "nothing": 1, "undone": 2}
FINAL_MARKS = (".", "?", "!", "。", "？", "！")
PAIRED_MARKS = ("()", "（）", "「」", "『』", "《》", "«»", "‘’")
CASES = [(language, assignment) for language in LANGUAGES for assignment in SLOTS]


def bank_of(language: str) -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((files("tracewitness") / "lab" / "data" / "tasks" / f"{language}.toml").read_text("utf-8"))


BANKS = {language: bank_of(language) for language in LANGUAGES}


def slots_of(wording: str) -> list[str]:
    """The slots in their order; a slot that is numbered, nameless, converted or formatted is refused."""
    slots: list[str] = []
    for _, slot, form, conversion in Formatter().parse(wording):
        if slot is None:
            continue
        assert slot.isidentifier() and not form and not conversion, wording
        slots.append(slot)
    return slots


def is_query(assignment: str) -> bool:
    return "_ask_" in assignment


def keys_of(assignment: str) -> set[str]:
    """An answer cannot have been given before, so a query knows no `already`."""
    keys = {"say", "deed", "undone"}
    if not is_query(assignment):
        keys.add("already")
    if assignment in MAY_FIND_NOTHING:
        keys.add("nothing")
    return keys


def wordings_of(language: str) -> list[str]:
    return [wording for table in BANKS[language].values() for wordings in table.values() for wording in wordings]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_assignment_and_no_other(language: str):
    assert set(BANKS[language]) == set(SLOTS) | {"join"}


@pytest.mark.parametrize(("language", "assignment"), CASES)
def test_an_assignment_has_every_key_with_enough_wordings(language: str, assignment: str):
    table = BANKS[language][assignment]
    assert set(table) == keys_of(assignment)
    assert {key: len(wordings) for key, wordings in table.items() if len(wordings) < LEAST[key]} == {}


@pytest.mark.parametrize(("language", "assignment"), CASES)
def test_an_instruction_leaves_no_slot_out_and_adds_none(language: str, assignment: str):
    for wording in BANKS[language][assignment]["say"]:
        assert sorted(slots_of(wording)) == sorted(SLOTS[assignment]), wording


@pytest.mark.parametrize(("language", "assignment"), CASES)
def test_a_sentence_about_an_assignment_uses_its_slots_only(language: str, assignment: str):
    for key, wordings in BANKS[language][assignment].items():
        allowed = {*SLOTS[assignment], "answer"} if is_query(assignment) and key == "deed" else set(SLOTS[assignment])
        for wording in wordings:
            assert set(slots_of(wording)) <= allowed, wording
            assert slots_of(wording) or not SLOTS[assignment], f"tells nothing of its task: {wording}"


@pytest.mark.parametrize(("language", "assignment"), CASES)
def test_one_deed_tells_the_whole_task(language: str, assignment: str):
    whole = {*SLOTS[assignment], "answer"} if is_query(assignment) else set(SLOTS[assignment])
    assert any(set(slots_of(wording)) == whole for wording in BANKS[language][assignment]["deed"])


@pytest.mark.parametrize(("language", "assignment"), [case for case in CASES if is_query(case[1])])
def test_every_deed_of_a_query_states_the_answer_once(language: str, assignment: str):
    for wording in BANKS[language][assignment]["deed"]:
        assert slots_of(wording).count("answer") == 1, wording


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_wording_of_a_language_occurs_twice(language: str):
    """One sentence under two keys would carry two labels; the joins only set two sentences side by side."""
    assignments = [table for name, table in BANKS[language].items() if name != "join"]
    counted = Counter(wording for table in assignments for wordings in table.values() for wording in wordings)
    assert [wording for wording, count in counted.items() if count > 1] == []
    for wordings in BANKS[language]["join"].values():
        assert len(set(wordings)) == len(wordings)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_wording_is_left_in_another_language(language: str):
    others = {
        wording
        for other in LANGUAGES
        if other != language
        for name, table in BANKS[other].items()
        if name != "join"
        for wordings in table.values()
        for wording in wordings
    }
    assert others.isdisjoint(wordings_of(language))


@pytest.mark.parametrize(("language", "assignment"), CASES)
def test_every_wording_is_whole_sentences(language: str, assignment: str):
    for wordings in BANKS[language][assignment].values():
        for wording in wordings:
            assert wording == wording.strip() and wording.endswith(FINAL_MARKS), wording
            assert wording.isprintable(), wording
            for opening, closing in (*PAIRED_MARKS, "„“" if language == "de" else "“”"):
                assert wording.count(opening) == wording.count(closing), wording
            assert wording.count('"') % 2 == 0, wording


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_tasks_are_asked_and_told_together(language: str):
    join = BANKS[language]["join"]
    assert set(join) == {"say", "deed", "undone"}
    assert len(join["say"]) >= 3
    for wordings in join.values():
        assert wordings
        for wording in wordings:
            assert sorted(slots_of(wording)) == ["a", "b"], wording


@pytest.mark.parametrize(("language", "assignment"), CASES)
def test_a_filled_wording_holds_every_value_it_names(language: str, assignment: str):
    values = {slot: f"<{slot} {{0}}>" for slot in (*SLOTS[assignment], "answer")}
    for wordings in BANKS[language][assignment].values():
        for wording in wordings:
            filled = wording.format(**values)
            assert all(values[slot] in filled for slot in slots_of(wording))

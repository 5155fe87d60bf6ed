"""Worlds: filled by seed, with look-alikes, and with a log of every change."""

import random
import string

import pytest

from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.apps.spec import App, FieldKind
from tracewitness.lab.site.entering import is_well_formed
from tracewitness.lab.words.files import word_file
from tracewitness.lab.words.formatting import formatter_of
from tracewitness.lab.words.interface import UnknownText, interface_texts
from tracewitness.lab.words.languages import LANGUAGES
from tracewitness.lab.world.rows import EVERYONE, Cause
from tracewitness.lab.world.world import World

EACH_APP = pytest.mark.parametrize("app", APPS.values(), ids=list(APPS))
EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


@EACH_LANGUAGE
@EACH_APP
def test_every_value_is_one_that_its_field_can_hold(app: App, language: str) -> None:
    for seed in range(6):
        world = World.create(app, language, random.Random(seed))
        for table, fields in app.tables().items():
            for row in world.rows(table):
                assert set(row.values) == {field.name for field in fields}
                for field in fields:
                    value = row.values[field.name]
                    assert (
                        not value
                        or field.kind in {FieldKind.MONEY, FieldKind.SIZE, FieldKind.STAMP}
                        or (is_well_formed(field, value) or not field.in_form)
                    ), (table, field.name, value)
                    assert value or not (field.required and field.in_form), (table, field.name)


@EACH_LANGUAGE
@EACH_APP
def test_unique_values_and_titles_are_told_apart(app: App, language: str) -> None:
    for seed in range(6):
        world = World.create(app, language, random.Random(seed))
        for part in app.collections:
            names = {field.name for field in part.fields if field.unique} | {part.title}
            for name in names:
                values = [row.values[name] for row in world.rows(part.name) if row.values[name]]
                assert len(values) == len(set(values)), (part.name, name)


@EACH_LANGUAGE
@EACH_APP
def test_rows_have_others_that_are_easily_taken_for_them(app: App, language: str) -> None:
    world = World.create(app, language, random.Random(11))
    for part in app.collections:
        rows = world.rows(part.name)
        alike = [row for row in rows if world.alike(part.name, row)]
        assert len(alike) >= 4, part.name
        for row in alike:
            other = world.alike(part.name, row)
            assert other is not None and other.id != row.id and other.values[part.title] != row.values[part.title]
            assert world.alike(part.name, other) == row


@EACH_APP
def test_first_lists_have_several_pages_and_rows_with_a_value_in_common(app: App) -> None:
    for seed in range(10):
        world = World.create(app, "en", random.Random(seed))
        for part in app.collections[:1]:
            view = part.views[0]
            rows = [row for row in world.rows(part.name) if row.state in view.states]
            assert 5 <= len(rows) <= 30
            for name in view.filters:
                values = [row.values[name] for row in rows]
                assert any(values.count(value) > 1 for value in values)


@EACH_LANGUAGE
@EACH_APP
def test_the_same_seed_makes_the_same_world(app: App, language: str) -> None:
    first, second, other = (World.create(app, language, random.Random(seed)) for seed in (3, 3, 4))
    assert first.snapshot() == second.snapshot()
    assert first.accounts == second.accounts
    assert first.clock == second.clock
    assert first.snapshot() != other.snapshot()


def test_what_stands_before_the_run_is_the_system_s_doing() -> None:
    world = World.create(APPS["contacts"], "en", random.Random(1))
    assert {change.cause for change in world.changes()} == {Cause.SYSTEM}
    assert {change.request for change in world.changes()} == {0}


def test_every_change_is_logged_with_its_cause_and_both_states() -> None:
    world = World.create(APPS["contacts"], "en", random.Random(1))
    before = world.snapshot()
    start = len(world.changes())
    made = world.insert(Cause.AGENT, "note", {"title": "A", "text": "B"}, "kept", "member")
    world.update(Cause.OTHER, "note", made, {"text": "C"})
    now = world.find("note", made.id)
    assert now is not None
    world.write(Cause.AGENT, "note", made.id, None)
    created, edited, removed = world.changes()[start:]
    assert (created.cause, created.before, created.after) == (Cause.AGENT, None, made)
    assert (edited.cause, edited.before, edited.after) == (Cause.OTHER, made, now)
    assert (removed.cause, removed.before, removed.after) == (Cause.AGENT, now, None)
    assert created.moment < edited.moment < removed.moment
    assert world.snapshot() == before


def test_numbers_of_rows_that_are_gone_do_not_come_again() -> None:
    world = World.create(APPS["contacts"], "en", random.Random(1))
    first = world.insert(Cause.AGENT, "note", {"title": "A"}, "kept", "member")
    world.write(Cause.AGENT, "note", first.id, None)
    assert world.insert(Cause.AGENT, "note", {"title": "A"}, "kept", "member").id > first.id


def test_snapshots_stay_as_they_were() -> None:
    world = World.create(APPS["settings"], "en", random.Random(1))
    before = world.snapshot()
    value = world.panel("display")["brightness"]
    world.set_panel("display", {"brightness": "35" if value != "35" else "40"})
    assert next(row for row in before.rows("display") if row.owner == world.account).values["brightness"] == value
    assert world.panel("display")["brightness"] != value


def test_settings_are_kept_apart_by_account_and_users_are_everyone_s() -> None:
    world = World.create(APPS["settings"], "en", random.Random(1))
    second = world.accounts[1].key
    before = world.panel("display", second)
    world.set_panel("display", {"volume": "5"})
    assert world.panel("display", second) == before
    assert {row.owner for row in world.rows("user")} == {EVERYONE}


def _slots(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@EACH_LANGUAGE
def test_every_language_has_every_text_with_the_same_slots(language: str) -> None:
    english, own = word_file("interface", "en"), word_file("interface", language)
    assert {table: set(entries) for table, entries in own.items()} == {t: set(e) for t, e in english.items()}
    for table, entries in english.items():
        for key, wordings in entries.items():
            assert 1 <= len(own[table][key]) <= 3
            assert all(wording.strip() for wording in own[table][key])
            allowed = set[str]().union(*(_slots(wording) for wording in wordings))
            assert all(_slots(wording) <= allowed for wording in own[table][key]), (table, key)


@EACH_LANGUAGE
def test_every_part_of_an_app_has_its_words(language: str) -> None:
    texts = interface_texts(language)
    for app in APPS.values():
        needed = {f"app.{app.name}", *(f"panel.{panel.name}" for panel in app.panels)}
        for fields in app.tables().values():
            needed |= {f"field.{field.name}" for field in fields}
            needed |= {f"choice.{choice}" for field in fields for choice in field.choices if "/" not in choice}
        for part in app.collections:
            needed |= {f"view.{view.name}" for view in part.views} | {f"state.{state}" for state in part.states}
            needed |= {f"{kind}.{submit.name}" for submit in part.submits for kind in ("submit", "done")}
            needed |= {f"{kind}.{deed.name}" for deed in part.deeds for kind in ("deed", "done")}
            needed |= {f"ask.{deed.name}" for deed in part.deeds if deed.confirmed}
            needed |= {f"done.many_{deed.name}" for deed in part.deeds if deed.bulk}
            needed |= {f"ask.many_{deed.name}" for deed in part.deeds if deed.bulk and deed.confirmed}
            needed |= {f"new.{part.name}"} if part.creatable or part.made_from else set()
            needed |= {f"edit.{part.name}"} if part.editable else set()
        assert not {key for key in needed if not texts.has(key)}


def test_a_text_that_is_missing_is_an_error_that_names_it() -> None:
    with pytest.raises(UnknownText, match="field.none"):
        interface_texts("en")("field.none")
    with pytest.raises(ValueError, match="xx"):
        interface_texts("xx")


@EACH_LANGUAGE
def test_values_are_written_as_the_language_does_and_stay_apart(language: str) -> None:
    formatter = formatter_of(language)
    for app in APPS.values():
        for fields in app.tables().values():
            for field in fields:
                if field.choices:
                    assert len({formatter.show(field, choice) for choice in field.choices}) == len(field.choices)
    assert formatter.time("07:30") != formatter.time("19:30")
    assert formatter.days_told("mon wed") != formatter.days_told("tue thu")
    assert len({formatter.days(days) for days in ("", "mon tue wed thu fri", "sat sun", "mon")}) == 4
    assert all(ord(sign) not in {0xA0, 0x202F} for sign in formatter.money("123456") + formatter.level("70"))


def test_half_days_are_told_where_people_tell_them() -> None:
    assert [language for language in LANGUAGES if formatter_of(language).half_days] == ["en", "ko"]

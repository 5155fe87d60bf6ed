"""The target field: was it the right object, and all of them?"""

import re

from tracewitness.findings.evidence_causes import EvidenceCause as Why
from tracewitness.findings.labels import FieldValue, Language
from tracewitness.findings.records import FieldFinding
from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.account import Account, cite_action, cite_element, cite_seen
from tracewitness.trace_side.accounts import changed_account
from tracewitness.trace_side.checked_files import last_write, tests_passed
from tracewitness.trace_side.course import Course
from tracewitness.trace_side.moves import Move, Played
from tracewitness.trace_side.names import Name, element_texts, plain
from tracewitness.trace_side.scene import Element, Role, Scene
from tracewitness.trace_side.tool_calls import call_in, words_of_call
from tracewitness.values.folding import fold
from tracewitness.values.ternary import Ternary

_YES, _NO, _UNKNOWN, _ABSENT = FieldValue.YES, FieldValue.NO, FieldValue.UNKNOWN, FieldValue.ABSENT
# Handles and e-mail addresses: one letter more or less is another account.
_HANDLE = re.compile(r"(?<![\w.])@[\w.]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|「[^」]*」|«[^»]*»|„[^“]*“")


def fill_target(account: Account) -> FieldFinding:
    """Return the target finding."""
    scribe, course = account.scribe, account.course
    wrong = _wrong_target(account)
    if wrong is not None:
        return wrong
    elsewhere = _in_other_account(account)
    if elsewhere is not None:
        return elsewhere
    if account.final is not None and account.final.reading.of_record and account.holds:
        return scribe.found(_YES, Why.TARGET_SHOWN, *cite_seen(account, account.final))
    if _in_doubt(account):
        return scribe.found(_UNKNOWN, Why.TARGET_UNCERTAIN, *cite_seen(account, account.final))
    if account.holds:
        unseen = _unseen_targets(course)
        if not unseen or course.patterns.goal.wanted is Wanted.ANSWER:
            # What is gone is cited where it still stood.
            gone = course.patterns.goal.wanted is Wanted.ABSENT and account.held_before is False
            return scribe.found(_YES, Why.TARGET_SHOWN, *cite_seen(account, account.prior if gone else account.final))
        return scribe.found(_UNKNOWN, Why.TARGET_UNCERTAIN, *cite_seen(account, account.final))
    named = _step_naming_target(course)
    if named is not None and not _unseen_targets(course):
        return scribe.found(_YES, Why.TARGET_SHOWN, cite_action(account, named))
    written = last_write(course)
    if written is not None and tests_passed(course, account.good):
        return scribe.found(_YES, Why.TARGET_SHOWN, cite_action(account, written))
    if not course.relevant and course.patterns.goal.wanted is not Wanted.ANSWER:
        return scribe.found(_ABSENT if not course.played else _UNKNOWN, Why.TARGET_UNCERTAIN)
    return scribe.found(_UNKNOWN, Why.TARGET_UNCERTAIN)


def _in_other_account(account: Account) -> FieldFinding | None:
    """Return that the target is in doubt where the run changed to an account that the task does not name."""
    course = account.course
    found = changed_account(course.played, course.patterns.goal.text)
    if found is None or course.patterns.goal.wanted is Wanted.ANSWER:
        return None
    return account.scribe.found(_UNKNOWN, Why.TARGET_UNCERTAIN, cite_element(account.scribe, *found))


def _in_doubt(account: Account) -> bool:
    """Return whether only longer names were met, or a context that the task names (an account) is not the run's."""
    course = account.course
    wanted = course.patterns.goal.wanted
    if wanted in (Wanted.ABSENT, Wanted.VALUE, Wanted.ON, Wanted.OFF) and any(
        t.doubtful and not _only_switch(course, t) for t in course.patterns.targets
    ):
        return True
    if wanted is Wanted.ANSWER:
        return False
    shown = [c for c in course.patterns.contexts if _seen_anywhere(course, c)]
    return (bool(shown) and _outside(account, shown)) or _other_address(account)


def _outside(account: Account, contexts: list[str]) -> bool:
    """Return whether a context is named neither where the run ended nor in what it did or on the pages it went by."""
    course, final = account.course, account.final
    place = [final.view.header, final.view.scene.url or ""] if final is not None else []
    if final is not None and final.reading.element is not None:
        place.append(final.reading.element.line)
    own = [f"{p.label} | {p.step.action.raw or ''} | {p.step.action.text or ''}" for p in course.played]
    headers = [s.view.header for s in course.seen]
    where = plain(" | ".join([*place, *own, *headers]))
    return any(plain(context) not in where for context in contexts)


def _only_switch(course: Course, target: Name) -> bool:
    """Return whether only one switch was ever seen whose label holds the name ("Subtitles": "Show subtitles")."""
    if course.patterns.goal.wanted not in (Wanted.ON, Wanted.OFF):
        return False
    elements = (e for s in course.seen for e in s.view.elements if e.on is not None)
    return len({plain(e.name) for e in elements if target.phrase in plain(e.name)}) == 1


def _other_address(account: Account) -> bool:
    """Return whether the task names an address and the final sight shows addresses, but not that one."""
    asked = _handles(account.course.patterns.goal.text)
    if not asked or not account.course.seen:
        return False
    last = (account.final or account.course.seen[-1]).view.elements
    shown = {found for e in last for found in _handles(" ".join(element_texts(e)))}
    # A list of several says nothing of the one that it does not show.
    return len(shown) == 1 and not shown & asked


def _handles(text: str) -> set[str]:
    folded_text = fold(text)
    return set(_HANDLE.findall(folded_text)) if "@" in folded_text else set()


def _wrong_target(account: Account) -> FieldFinding | None:
    course, scribe = account.course, account.scribe
    final = account.final
    if final is not None and final.reading.cause is Why.WRONG_TARGET:
        return scribe.found(_NO, Why.WRONG_TARGET, *cite_seen(account, final))
    if final is not None and final.reading.value is Ternary.YES:
        return _other_context(account)
    for played in course.relevant:
        texts = [played.label, *(e.line for e in played.step.changes.vanished if e.role is not Role.DIALOG)]
        if played.step.before is not None and played.move is Move.COMMIT:
            texts += [e.line for e in played.step.before.elements if e.role in (Role.DIALOG, Role.TEXT)]
        named = any(t.named_in(text) for t in course.patterns.targets for text in texts)
        alike = any(t.look_alike_in(text) for t in course.patterns.targets for text in texts)
        if alike and not named:
            return scribe.found(_NO, Why.WRONG_TARGET, cite_action(account, played))
    return _other_context(account)


def _other_context(account: Account) -> FieldFinding | None:
    """A labelled context ("Workspace: Southpier") differs from the one that the task names."""
    course = account.course
    other = _other_handle(account)
    if other is not None:
        return other
    for target in course.patterns.targets:
        if target.known or _seen_anywhere(course, target.phrase):
            continue
        sight = _same_label_other_value(course, target.phrase)
        if sight is not None:
            scene, element = sight
            return account.scribe.found(_NO, Why.WRONG_TARGET, cite_element(account.scribe, scene, element))
    return None


def _other_handle(account: Account) -> FieldFinding | None:
    """The final sight carries another handle or address than the one that the task names."""
    final, good = account.final, account.good
    asked = _handles(account.course.patterns.goal.text)
    if asked and final is not None and final.reading.element is not None:
        shown = _handles(final.reading.element.line)
        if shown and not shown & asked:
            return account.scribe.found(_NO, Why.WRONG_TARGET, *cite_seen(account, final))
    addressed = _addressed(account) if asked else None
    if addressed is not None and not _handles(words_of_call(addressed.step.action)) & asked:
        return account.scribe.found(_NO, Why.WRONG_TARGET, cite_action(account, addressed))
    if asked and good is not None and good.element is not None and good.scene is not None:
        shown = _handles(good.element.line)
        if shown and not shown & asked:
            cited = cite_element(account.scribe, good.scene, good.element)
            return account.scribe.found(_NO, Why.WRONG_TARGET, cited)
    return None


def _addressed(account: Account) -> Played | None:
    """Return the last call that sent something to an address, for goals of sending."""
    if account.course.patterns.goal.wanted is not Wanted.SENT:
        return None
    calls = (
        p for p in reversed(account.course.relevant) if p.move is Move.WRITE and call_in(p.step.action) is not None
    )
    return next((p for p in calls if _handles(words_of_call(p.step.action))), None)


def _same_label_other_value(course: Course, phrase: str) -> tuple[Scene, Element] | None:
    words = [w for w in course.patterns.goal.keywords if len(w) > 2 and w not in phrase]
    for seen in reversed(course.seen):
        for element in seen.view.elements:
            label, colon, rest = element.name.partition(":")
            if colon and rest.strip() and label.strip().casefold() in words:
                return seen.view.scene, element
    return None


def _seen_anywhere(course: Course, phrase: str) -> bool:
    return bool(course.ledger.occurrences(phrase))


def _unseen_targets(course: Course) -> list[str]:
    """Return the named objects that nothing in the trace shows, by screen or by action."""
    actions = " | ".join(filter(None, (f"{p.step.action.raw} {p.label}" for p in course.played)))
    unseen: list[str] = []
    for target in course.patterns.targets:
        if course.patterns.goal.every and not _is_named(course, target):
            # "All alarms" is a set and no name that a screen has to show.
            continue
        on_screen = target.known or any(target.named_in(e.line) for s in course.seen for e in s.view.elements)
        if not on_screen and not target.named_in(actions) and not _hinted(course, target):
            unseen.append(target.phrase)
    return unseen


def _is_named(course: Course, target: Name) -> bool:
    """Return whether a task gives a name in quotes or with capitals or figures, and does not just say what it is."""
    text = course.patterns.goal.text
    at = fold(text).find(target.phrase)
    spelled = text[at : at + len(target.phrase)] if at >= 0 and len(fold(text)) == len(text) else target.phrase
    quoted = any(target.phrase in fold(found) for found in _QUOTED.findall(text))
    capitals = any(c.isupper() or c.isdigit() for c in spelled) and course.patterns.language is not Language.DE
    return quoted or capitals


def _hinted(course: Course, target: Name) -> bool:
    """Return whether a switch or a list is shown under a part of the name."""
    wanted, final = course.patterns.goal.wanted, course.final()
    if final is None or final.reading.element is None or wanted not in (Wanted.ON, Wanted.OFF, Wanted.ABSENT):
        return False
    if target.hinted_in(f"{final.reading.element.line} | {final.view.header}"):
        return True
    quoted = any(target.phrase in fold(found) for found in _QUOTED.findall(course.patterns.goal.text))
    return not quoted and wanted is not Wanted.ABSENT and course.patterns.keyword_in(final.reading.element.name)


def _step_naming_target(course: Course) -> Played | None:
    if any(course.enters_longer_name(target) for target in course.patterns.targets):
        return None
    for played in reversed(course.relevant):
        own = f"{played.label} | {played.step.action.raw or ''}"
        scene = played.step.before
        page = scene.title if scene is not None else ""
        if any(t.named_in(own) or t.named_in(page) for t in course.patterns.targets):
            return played
    return None

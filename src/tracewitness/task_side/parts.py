"""Splitting a task into the parts that each ask for a state of their own."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.language.clauses import Clause, split
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import SUBSTRING_LANGUAGES
from tracewitness.language.quotes import mask_quotes
from tracewitness.task_side.speech import Verb, task_lexicon
from tracewitness.task_side.verbs import find_verbs

_ITEM_MARK = re.compile(r"\s*\(?\d{1,2}[.):、]\s+(?=\D)")
"""The number of an item of a list, which is no number that the item asks for."""

_NEXT_MARK = re.compile(r"\n\s*(?:\(?\d{1,3}[.)]?|[①-⑳])\s*$")
# A verb of Chinese may be matched without its particle.
_PARTICLE = 2
_TRIM = " \t\n\r,;，、；。.·-*"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an instruction: its words and their positions in the instruction.

    Attributes:
        text: The words, verbatim; ``instruction[start:end] == text``.
        start: Position of the first character.
        end: Position after the last character.
        saving: A following "and save / and confirm" was folded into this part.
        verb: The verb that carries it; None where none is known.
    """

    text: str
    start: int
    end: int
    saving: bool = False
    verb: Verb | None = None


def split_task(instruction: str, language: Language) -> tuple[Part, ...]:
    """Return the parts of an instruction, at least one for any instruction with words.

    Verbs that only lead to what follows (open, go to, find), that save what was done before, or that ask for word of it
    afterwards ("then tell me whether ...") begin no part; a question is one part, whatever it asks to do with the
    answer.
    """
    verbs = find_verbs(instruction, language)
    clauses = split(instruction, language)
    anchors = list(_anchors(instruction, verbs, clauses, language))
    if not anchors:
        weak = next((verb for verb in verbs), None)
        return _whole(instruction, weak, saving=False)
    saving = any(verb.saving for verb in verbs)
    if anchors[0].task_class is TaskClass.QUERY or len(anchors) == 1 and language in SUBSTRING_LANGUAGES:
        return _whole(instruction, anchors[0], saving)
    later = zip(anchors, anchors[1:], strict=False)
    starts = [0, *(_part_start(instruction, before, verb, clauses, language) for before, verb in later)]
    ends = [*starts[1:], len(instruction)]
    parts = [_part(instruction, s, e, v) for s, e, v in zip(starts, ends, anchors, strict=True) if e > s]
    return tuple(_with_saving(parts, verbs))


def _whole(instruction: str, verb: Verb | None, saving: bool) -> tuple[Part, ...]:
    part = _part(instruction, 0, len(instruction), verb)
    return (replace(part, saving=saving),) if part.text else ()


def _part(instruction: str, start: int, end: int, verb: Verb | None) -> Part:
    raw = instruction[start:end]
    if end < len(instruction):
        raw = _NEXT_MARK.sub("", raw)
    mark = _ITEM_MARK.match(raw)
    left = max(len(raw) - len(raw.lstrip(_TRIM)), mark.end() if mark else 0)
    text = raw[left:].rstrip(_TRIM)
    return Part(text, start + left, start + left + len(text), verb=verb)


def _with_saving(parts: list[Part], verbs: tuple[Verb, ...]) -> Iterator[Part]:
    for part in parts:
        saving = any(verb.saving and part.start <= verb.start < part.end for verb in verbs)
        yield replace(part, saving=saving)


def _anchors(instruction: str, verbs: tuple[Verb, ...], clauses: list[Clause], language: Language) -> Iterator[Verb]:
    """Yield the verbs that begin parts."""
    pending: Verb | None = None
    for verb in verbs:
        if verb.weak or _is_contents(verb, verbs, clauses, language):
            continue
        if pending is None:
            pending = verb
            continue
        same = clauses[pending.clause].sentence == clauses[verb.clause].sentence
        assures = same and _only_assures(instruction, verb, language)
        if verb.saving or verb.task_class is TaskClass.QUERY or assures:
            continue
        if _adds_to(pending, verb, instruction, clauses, language):
            continue
        if not _is_means(clauses[verb.clause], language) and not _opens(pending, verb, instruction, clauses, language):
            yield pending
        pending = verb
    if pending is not None:
        yield pending


def _only_assures(instruction: str, verb: Verb, language: Language) -> bool:
    pattern = task_lexicon().pattern(language, "assurance")
    return pattern is not None and pattern.match(comparable(instruction), verb.start) is not None


def _is_means(clause: Clause, language: Language) -> bool:
    """Return whether the clause before only says how: Korean -어서/-해서 joins one act, -하고 joins two."""
    return language is Language.KO and clause.connector.endswith("서")


def _adds_to(before: Verb, verb: Verb, instruction: str, clauses: list[Clause], language: Language) -> bool:
    """Return whether a verb only fills what the one before it made ("add a note with the title X and put Y in it")."""
    sentence = clauses[verb.clause].sentence
    made = (TaskClass.CREATE_EDIT, TaskClass.CONFIGURE)
    if clauses[before.clause].sentence != sentence or before.task_class not in made or verb.task_class not in made:
        return False
    masked = comparable(mask_quotes(instruction))
    end = max(clause.end for clause in clauses if clause.sentence == sentence)
    start = clauses[verb.clause].start if language in SUBSTRING_LANGUAGES else verb.start
    new = task_lexicon().pattern(language, "new_thing")
    is_new = new is not None and new.search(masked, start, end) is not None
    return not is_new and _says(language, "filling", masked, verb)


def _opens(before: Verb, verb: Verb, instruction: str, clauses: list[Clause], language: Language) -> bool:
    """Return whether the verb before only opens what this one changes ("edit the note X and let it say ...")."""
    same = clauses[before.clause].sentence == clauses[verb.clause].sentence and before.clause != verb.clause
    changes = verb.task_class in (TaskClass.CREATE_EDIT, TaskClass.CONFIGURE)
    return same and changes and _says(language, "opening", comparable(mask_quotes(instruction)), before)


def _says(language: Language, category: str, masked: str, verb: Verb) -> bool:
    pattern = task_lexicon().pattern(language, category)
    if pattern is None:
        return False
    return pattern.search(masked, max(0, verb.start - _PARTICLE), verb.end + _PARTICLE) is not None


def _is_contents(verb: Verb, verbs: tuple[Verb, ...], clauses: list[Clause], language: Language) -> bool:
    """Return whether a verb stands in what follows a colon on one line: a message or note, not a request.

    "After that: delete the note" has a colon and nothing before it that could have contents.
    """
    if verb.clause == 0 or clauses[verb.clause].item:
        return False
    before = clauses[verb.clause - 1]
    if before.mark != ":" or len(before.text.split()) <= 1 or verb.start < clauses[verb.clause].start:
        return False
    sequence = task_lexicon().pattern(language, "sequence")
    if sequence is None or sequence.search(comparable(before.masked)) is None:
        return True
    asked = [other for other in verbs if other.task_class is not TaskClass.QUERY and other.end <= before.end]
    return any(clauses[other.clause].sentence == before.sentence for other in asked)


def _part_start(instruction: str, before: Verb, verb: Verb, clauses: list[Clause], language: Language) -> int:
    """Return where the part of a verb begins: its list item, its sentence, or the reason that leads up to it."""
    own = clauses[verb.clause]
    if clauses[before.clause].sentence == own.sentence:
        return _segment_start(instruction, verb, clauses, language)
    between = [clause for clause in clauses[before.clause + 1 : verb.clause + 1] if clause.sentence > 0]
    between = [clause for clause in between if clause.sentence != clauses[before.clause].sentence]
    sequence = task_lexicon().pattern(language, "sequence")
    opened = [
        clause
        for clause in between
        if clause.item or (sequence is not None and sequence.search(comparable(clause.masked)) is not None)
    ]
    first = next((clause for clause in between if clause.sentence == own.sentence), own)
    if opened:
        return min(opened[-1].start, first.start) if opened[-1].sentence <= first.sentence else first.start
    if verb.wish and between and not _is_label(between[0]):
        # "The note X is out of date. It should say Y instead."
        return between[0].start
    return first.start


def _is_label(clause: Clause) -> bool:
    """Return whether a sentence only says what belongs to what was asked for before it ("Name: X")."""
    return clause.mark == ":" or ":" in clause.masked


def _segment_start(instruction: str, verb: Verb, clauses: list[Clause], language: Language) -> int:
    clause = clauses[verb.clause]
    separators = task_lexicon().pattern(language, "separator")
    if separators is None:
        return clause.start
    masked = comparable(mask_quotes(instruction))
    before = [m.start() for m in separators.finditer(masked, clause.start, verb.start)]
    commas = [i for i in range(clause.start, verb.start) if masked[i] == ","]
    places = {clause.start, *before, *commas}
    joints = [p for p in places if not separators.sub("", masked[p : verb.start]).strip(" ,")]
    return min(joints, default=max(places))

"""The course of a run with respect to one goal: what each scene says about it, and which steps bear on it."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from tracewitness.findings.labels import StepPart
from tracewitness.task_side.goal import Wanted
from tracewitness.trace_side.goal_patterns import GoalPatterns
from tracewitness.trace_side.goal_states.reached import is_the_mark
from tracewitness.trace_side.interface_words import label_meanings, meanings
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.moves import CHANGING, Move, Played, play
from tracewitness.trace_side.names import Name, plain, stands_in, typed_values
from tracewitness.trace_side.past import not_shown_before
from tracewitness.trace_side.reading import Reading
from tracewitness.trace_side.scene import Element, Scene
from tracewitness.trace_side.tool_calls import spelled
from tracewitness.trace_side.view import View
from tracewitness.trace_side.weighing import SceneReader, may_remove
from tracewitness.values.answers import AnswerValue
from tracewitness.values.folding import fold
from tracewitness.values.ternary import Ternary

_MORE_WORDS = 2
_FIGURE = re.compile(r"\d[\d.,:]*\d|\d")


@dataclass(frozen=True, slots=True)
class Seen:
    """One scene in the course: how many steps had been executed when it was seen, and what it says."""

    after_steps: int
    view: View
    reading: Reading


@dataclass(frozen=True)
class Course:
    """One goal's way through a trace.

    Attributes:
        patterns: The goal as it is looked for.
        ledger: The facts.
        played: Every step as a move, in order.
        seen: Every scene that shows something, in time order, with what it says about the goal.
    """

    patterns: GoalPatterns
    ledger: Ledger
    played: tuple[Played, ...]
    seen: tuple[Seen, ...]

    @cached_property
    def relevant(self) -> tuple[Played, ...]:
        """Return the executed changing steps that bear on the goal."""
        bearing: list[Played] = []
        words: set[str] = set()
        for played in self.played:
            again = bool(played.step.action.raw) and played.step.action.raw in words
            if self._changes(played) and (again or self._bears(played)):
                bearing.append(played)
                if played.move is Move.WRITE and played.step.action.raw:
                    words.add(played.step.action.raw)
        return tuple(bearing)

    def _changes(self, played: Played) -> bool:
        """Return whether a step may bring the goal about; for an outcome such as a download any press may."""
        if played.move in CHANGING:
            return True
        pressed = played.move is Move.LOOK and played.step.state_changing
        return pressed and self.patterns.goal.wanted is Wanted.OTHER

    def _bears(self, played: Played) -> bool:
        """Return whether a step bears on the goal.

        It does if what it acted on, typed or changed concerns the goal, or if it happened on a screen that names the
        goal's objects. A step on another matter ("refuse cookies") does not, even if it changed something.
        """
        step, patterns = played.step, self.patterns
        if not (patterns.targets or patterns.values or patterns.goal.keywords):
            return True
        own = " | ".join(filter(None, (played.label, step.action.text, step.action.raw)))
        if patterns.concerns(own) or patterns.names_or_values(spelled(own)) or self._is_the_deed(played):
            return True
        if played.move is Move.SWITCH and played.element is not None:
            return False
        touched = [*step.changes.appeared, *step.changes.vanished, *(c.after for c in step.changes.changed)]
        if any(patterns.names_or_values(e.line) for e in touched):
            return True
        scene = step.before
        return scene is not None and any(patterns.concerns(e.line) for e in scene.elements)

    def _is_the_deed(self, played: Played) -> bool:
        """Return whether a press does what the goal is about: sending for a message, removing for a removal."""
        wanted = {Wanted.SENT: "send", Wanted.ABSENT: "remove"}.get(self.patterns.goal.wanted)
        return played.move is Move.COMMIT and wanted is not None and wanted in label_meanings(played.label)

    def tried_again(self, after_steps: int) -> bool:
        """Return whether the step that led to a scene was repeated later, word for word and without an error."""
        if not 0 < after_steps <= len(self.played):
            return False
        step = self.played[after_steps - 1].step
        return bool(step.action.raw) and self._last_clean.get(step.action.raw or "", -1) > step.position

    @cached_property
    def _last_clean(self) -> dict[str, int]:
        """For the words of each action, the place of the last time that it ran without an error."""
        return {p.step.action.raw: p.step.position for p in self.played if p.step.action.raw and not p.step.error}

    def enters_longer_name(self, target: Name) -> bool:
        """Return whether an entry is the object's name and one or two words more, which the task does not give.

        "Ada Lund Jr" is somebody else than "Ada Lund".
        """
        task = plain(self.patterns.goal.text)
        texts = {plain(p.step.action.text) for p in self.played if p.move is Move.ENTER and p.step.action.text}
        longer = (t for t in texts if target.phrase and t != target.phrase and stands_in(target.phrase, t))
        rests = (t.replace(target.phrase, " ", 1).split() for t in longer if t not in task)
        return any(0 < len(rest) <= _MORE_WORDS and all(word.isalnum() for word in rest) for rest in rests)

    def removes(self, played: Played) -> bool:
        """Return whether a step may have removed what the goal wants gone."""
        return may_remove(played, self.patterns)

    def typed_by_agent(self, element: Element) -> bool:
        """Return whether an element only repeats what the agent itself wrote in some step."""
        shown = fold(element.value or element.name)
        return len(shown) > 1 and shown in self._own_texts

    def without_own_words(self, text: str) -> str:
        """Return a folded text without the lines that the agent typed, so that none of them passes for a message."""
        bare_text = fold(text)
        for line in self._own_lines:
            bare_text = bare_text.replace(line, " ")
        return bare_text

    @cached_property
    def _own_lines(self) -> tuple[str, ...]:
        typed = (p.step.action.text or "" for p in self.played if p.move in (Move.ENTER, Move.WRITE, Move.TOUCH))
        lines = {fold(line) for text in typed for line in text.splitlines()}
        return tuple(sorted((line for line in lines if len(line) > 2), key=len, reverse=True))

    @cached_property
    def _own_texts(self) -> str:
        """Return what the agent wrote, once each; no folded text holds a line break, so none is found across two."""
        written = (p.step.action for p in self.played if p.move in (Move.ENTER, Move.WRITE, Move.TOUCH))
        return "\n".join(dict.fromkeys(fold(f"{action.text or ''} {action.raw or ''}") for action in written))

    @cached_property
    def own_values(self) -> frozenset[AnswerValue]:
        """Return the figures that the agent entered before any screen showed them."""
        language = self.patterns.language
        entries = (p.step for p in self.played if p.move in (Move.ENTER, Move.WRITE))
        texts = ((step.position, f"{step.action.text or ''} ; {step.action.raw or ''}") for step in entries)
        figures = (
            (position, frozenset(v for piece in _FIGURE.findall(text) for v in typed_values(piece, language)))
            for position, text in texts
        )
        return not_shown_before(figures, ((s.after_steps, s.view) for s in self.seen), language)

    @property
    def first_bearing(self) -> int | None:
        """Return the position of the first relevant step, or None."""
        return self.relevant[0].step.position if self.relevant else None

    @property
    def last_bearing(self) -> int | None:
        """Return the position of the last relevant step, or None."""
        return self.relevant[-1].step.position if self.relevant else None

    def before_first(self) -> tuple[Seen, ...]:
        """Return what was seen before the first relevant step; everything if there is none."""
        first = self.first_bearing
        return self.seen if first is None else tuple(s for s in self.seen if s.after_steps <= first)

    def after_last(self) -> tuple[Seen, ...]:
        """Return what was seen after the last relevant step; everything if there is none."""
        last = self.last_bearing
        return self.seen if last is None else tuple(s for s in self.seen if s.after_steps > last)

    def prior(self) -> Seen | None:
        """Return the last sight before the first relevant step that tells whether the goal held then."""
        return _last_telling(self.before_first())

    def final(self) -> Seen | None:
        """Return the last sight after the last relevant step that tells; a stored thing outweighs a form."""
        later = self.after_last()
        telling = _last_telling(later)
        if telling is None or telling.reading.firm:
            return telling
        firm = _last_telling(tuple(s for s in later if s.reading.firm))
        return firm if firm is not None and firm.after_steps >= telling.after_steps else telling

    def commits(self) -> tuple[Played, ...]:
        """Return the relevant steps that make something durable, those after the last entry alone."""
        last_entry = max((p.step.position for p in self.relevant if p.move is Move.ENTER), default=-1)
        commits = tuple(p for p in self.relevant if p.move in (Move.COMMIT, Move.WRITE))
        return tuple(p for p in commits if p.step.position > last_entry)


def _last_telling(seen: tuple[Seen, ...]) -> Seen | None:
    return next((s for s in reversed(seen) if s.reading.value is not Ternary.UNKNOWN), None)


def follow(patterns: GoalPatterns, ledger: Ledger, played: tuple[Played, ...], views: tuple[View, ...]) -> Course:
    """Return the course of one goal. ``views`` are those of ``ledger.scenes()``, in the same order."""
    patterns = _as_switch(patterns, views)
    reader = SceneReader(patterns, played, views)
    patterns = reader.patterns
    seen: list[Seen] = []
    for view in views:
        after_steps = _executed_before(view.scene, ledger)
        seen.append(Seen(after_steps, view, reader.read(view, after_steps)))
    return Course(patterns, ledger, played, tuple(seen))


def _as_switch(patterns: GoalPatterns, views: tuple[View, ...]) -> GoalPatterns:
    """Note the switches among the objects.

    A goal without a state of its own is taken for a switch where the trace shows one by its words ("show the grid"),
    and archiving for a removal from the list.
    """
    if patterns.goal.wanted in (Wanted.ON, Wanted.OFF):
        shown = [e.name for view in views for e in view.elements if e.on is not None]
        named = set(shown)
        most = max((sum(1 for e in view.elements if e.on is not None) for view in views), default=0)
        switches = tuple(t for t in patterns.targets if any(map(t.named_in, named)))
        return replace(patterns, switches=switches, switch_count=most)
    if patterns.goal.wanted is not Wanted.OTHER:
        return patterns
    if "archive" in meanings(patterns.goal.text) and patterns.targets:
        return replace(patterns, goal=replace(patterns.goal, wanted=Wanted.ABSENT))
    marks = (e for view in views for e in view.elements if e.on is not None and is_the_mark(patterns, view, e))
    if next(marks, None) is None:
        return patterns
    return replace(patterns, goal=replace(patterns.goal, wanted=Wanted.ON))


def _executed_before(scene: Scene, ledger: Ledger) -> int:
    step = ledger.step_at(scene.step)
    position = step.position if step is not None else 0
    return position + 1 if scene.part is StepPart.AFTER else position


def moves_of(ledger: Ledger) -> tuple[Played, ...]:
    """Return every step as a move."""
    return play(ledger.steps)

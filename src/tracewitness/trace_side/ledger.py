"""The state ledger: what a trace shows, step by step, as facts that can be asked for."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.changes import Changes
from tracewitness.trace_side.effects import Effect
from tracewitness.trace_side.reading_elements import quick_fold
from tracewitness.trace_side.scene import Element, Role, Scene
from tracewitness.trace_side.trace import Action, Trace

_WRITES = ("POST", "PUT", "PATCH", "DELETE")
_FIRST_FAILURE_STATUS = 400


@dataclass(frozen=True, slots=True)
class Sighting:
    """One element as seen at one place: the citation of it is ``(step, part)`` with ``element.line`` as the quote."""

    step: int
    part: StepPart
    element: Element


@dataclass(frozen=True, slots=True)
class LedgerStep:
    """One executed step with what is known around it.

    Attributes:
        index: The step's index in the source (used in citations).
        position: Its position in the ledger, from 0.
        action: The action.
        effect: What the action does, by its name.
        before: What stood on screen before it: its own ``before`` or the last known scene. None if none is known.
        after: The scene observed after it: its own ``after`` or the next step's ``before`` (``scene.step`` and
            ``scene.part`` say where it stands). None if unobserved. A scene with ``unchanged`` set is replaced by the
            scene it points back to, if there is one.
        raw_after: The scene as observed, also where it only says "unchanged". None if unobserved.
        changes: From ``before`` to ``after``; ``changes.known`` is False if either is missing.
        state_changing: The action may change more than what is on screen.
        no_change: Both scenes are known and whole, and nothing changed on screen.
        unobserved: No observation shows what the action did.
        error: The environment's own error for the action, if any.
        repeats: How many times in a row, up to here, the same action was done on the same screen without effect (0
            for the first time).
    """

    index: int
    position: int
    action: Action
    effect: Effect
    before: Scene | None
    after: Scene | None
    raw_after: Scene | None
    changes: Changes
    state_changing: bool
    no_change: bool
    unobserved: bool
    error: str | None = None
    repeats: int = 0


@dataclass(frozen=True)
class Ledger:
    """All facts of one trace.

    Attributes:
        trace: The trace it was built from.
        steps: One entry for each recorded step, in order.
        observed: Every scene read, in time order, each once, also those that only say "unchanged".
        gaps: What is missing from the record: those intake found and those found while reading, without repeats.
    """

    trace: Trace
    steps: tuple[LedgerStep, ...]
    observed: tuple[Scene, ...]
    gaps: tuple[Gap, ...] = ()
    _answers: dict[str, tuple[Sighting, ...]] = field(default_factory=dict[str, tuple[Sighting, ...]], compare=False)

    def scenes(self) -> tuple[Scene, ...]:
        """Return every scene in time order, without those that only say "unchanged" or only acknowledge."""
        return self._told

    @cached_property
    def _told(self) -> tuple[Scene, ...]:
        return tuple(scene for scene in self.observed if not (scene.unchanged or scene.acknowledgement))

    def step_at(self, index: int) -> LedgerStep | None:
        """Return the step with a source index, or None."""
        return self._by_index.get(index)

    @cached_property
    def _by_index(self) -> dict[int, LedgerStep]:
        return {step.index: step for step in self.steps}

    def final_scene(self) -> Scene | None:
        """Return the last scene that shows something; it may be partial."""
        return self._told[-1] if self._told else None

    def final_state(self) -> tuple[Sighting, ...]:
        """Return all that is known to be on screen at the end (see ``state_after``)."""
        return self._state(len(self._told) - 1)

    def state_after(self, index: int) -> tuple[Sighting, ...]:
        """Return all that is known to be on screen after the step with this source index.

        That is the last whole scene up to there, each element replaced by its later sight in a partial scene, with
        the partial scenes' other elements added.
        """
        last = -1
        for place, scene in enumerate(self._told):
            if scene.step < index or (scene.step == index) or self._serves_as_after(scene, index):
                last = place
        return self._state(last)

    def _serves_as_after(self, scene: Scene, index: int) -> bool:
        step = self._by_index.get(index)
        return step is not None and step.after is scene

    def _state(self, last: int) -> tuple[Sighting, ...]:
        if last < 0:
            return ()
        first = last
        while first > 0 and self._told[first].partial:
            first -= 1
        known: dict[tuple[str, int], Sighting] = {}
        for scene in self._told[first : last + 1]:
            counts: dict[str, int] = {}
            for element in scene.elements:
                nth = counts[element.key] = counts.get(element.key, 0) + 1
                known[element.key, nth] = Sighting(scene.step, scene.part, element)
        return tuple(known.values())

    def sightings(self) -> Iterator[Sighting]:
        """Yield every element of every scene in time order."""
        for scene in self.observed:
            for element in scene.elements:
                yield Sighting(scene.step, scene.part, element)

    def occurrences(self, text: str) -> tuple[Sighting, ...]:
        """Return where a text occurs, in time order: in an element's name, value or line, or in the URL's page title.

        Compared after NFKC, with white space and case folded. An empty text occurs nowhere.
        """
        wanted = quick_fold(text)
        if not wanted:
            return ()
        known = self._answers.get(wanted)
        if known is None:
            known = tuple(self._search(wanted))
            self._answers[wanted] = known
        return known

    def _search(self, wanted: str) -> Iterator[Sighting]:
        for scene, folded in zip(self.observed, self._folded, strict=True):
            for element, line in zip(scene.elements, folded, strict=True):
                if wanted in line:
                    yield Sighting(scene.step, scene.part, element)

    @cached_property
    def _folded(self) -> tuple[tuple[str, ...], ...]:
        seen: dict[int, tuple[str, ...]] = {}
        return tuple(seen.setdefault(id(s.elements), _fold_all(s.elements)) for s in self.observed)

    def first_seen(self, text: str) -> Sighting | None:
        """Return the first occurrence of a text, or None."""
        found = self.occurrences(text)
        return found[0] if found else None

    def last_seen(self, text: str) -> Sighting | None:
        """Return the last occurrence of a text, or None."""
        found = self.occurrences(text)
        return found[-1] if found else None

    def history(self, key: str) -> tuple[Sighting, ...]:
        """Return all sights of the elements with this key, in time order."""
        return self._histories.get(key, ())

    @cached_property
    def _histories(self) -> dict[str, tuple[Sighting, ...]]:
        grouped: dict[str, list[Sighting]] = {}
        for sighting in self.sightings():
            grouped.setdefault(sighting.element.key, []).append(sighting)
        return {key: tuple(sights) for key, sights in grouped.items()}

    def values(self, key: str) -> tuple[Sighting, ...]:
        """Return the sights at which the value behind a key was first seen or differs from the sight before."""
        return _turns(self.history(key), lambda element: element.value)

    def toggles(self, name: str) -> tuple[Sighting, ...]:
        """Return all sights, in time order, of on/off elements whose folded name holds the folded name asked for.

        Where one is named exactly so, only elements named exactly so count ("Wi-Fi" and not "Wi-Fi calling").
        """
        wanted = quick_fold(name)
        near = [s for s in self._toggles if wanted and wanted in quick_fold(s.element.name)]
        exact = tuple(s for s in near if quick_fold(s.element.name) == wanted)
        return exact or tuple(near)

    @cached_property
    def _toggles(self) -> tuple[Sighting, ...]:
        return tuple(s for s in self.sightings() if s.element.on is not None)

    def turns(self, name: str) -> tuple[Sighting, ...]:
        """Return the sights at which a toggle was first seen or differs from the sight before."""
        return _turns(self.toggles(name), lambda element: element.on)

    def open_dialog_at(self, index: int) -> Sighting | None:
        """Return the dialog that is open after the step with this source index, or None."""
        open_ones = [s for s in self.state_after(index) if s.element.role is Role.DIALOG]
        return open_ones[-1] if open_ones else None

    def errors(self) -> tuple[Sighting, ...]:
        """Return every sight of an error on screen or of a field marked as holding a rejected value."""
        return tuple(s for s in self.sightings() if s.element.role is Role.ERROR or s.element.invalid)

    def failed_steps(self) -> tuple[LedgerStep, ...]:
        """Return the steps for which the environment itself reports an error."""
        return tuple(step for step in self.steps if step.error)

    def toasts(self) -> tuple[Sighting, ...]:
        """Return every sight of a toast or status message."""
        return self._of({Role.TOAST, Role.STATUS})

    def network_lines(self) -> tuple[Sighting, ...]:
        """Return every logged request."""
        return self._of({Role.NETWORK})

    def network_failures(self) -> tuple[Sighting, ...]:
        """Return the logged writes (POST, PUT, PATCH, DELETE) that were answered with a status of 400 or more."""
        return tuple(s for s in self.network_lines() if _is_write(s.element) and _failed(s.element))

    def network_writes(self) -> tuple[Sighting, ...]:
        """Return the logged writes (POST, PUT, PATCH, DELETE), whatever their status."""
        return tuple(s for s in self.network_lines() if _is_write(s.element))

    def console_lines(self) -> tuple[Sighting, ...]:
        """Return every console line."""
        return self._of({Role.CONSOLE})

    def runner_lines(self) -> tuple[Sighting, ...]:
        """Return every line of the runner itself: guard hit, step limit, handed over, run closed."""
        return self._of({Role.RUNNER})

    def loops(self, at_least: int = 3) -> tuple[LedgerStep, ...]:
        """Return the steps that end a row of at least so many identical actions without effect."""
        ends: list[LedgerStep] = []
        for step in self.steps:
            following = self.steps[step.position + 1] if step.position + 1 < len(self.steps) else None
            goes_on = following is not None and following.repeats > step.repeats
            if step.repeats + 1 >= at_least and not goes_on:
                ends.append(step)
        return tuple(ends)

    def last_state_changing(self) -> LedgerStep | None:
        """Return the last executed step that may have changed state, or None."""
        return next((step for step in reversed(self.steps) if step.state_changing), None)

    def _of(self, roles: set[Role]) -> tuple[Sighting, ...]:
        return tuple(s for s in self.sightings() if s.element.role in roles)


def _turns(sights: Iterable[Sighting], look: Callable[[Element], object]) -> tuple[Sighting, ...]:
    turned: list[Sighting] = []
    for sight in sights:
        if not turned or look(turned[-1].element) != look(sight.element):
            turned.append(sight)
    return tuple(turned)


def _fold_all(elements: tuple[Element, ...]) -> tuple[str, ...]:
    return tuple(quick_fold(f"{element.line}\n{element.name}\n{element.value or ''}") for element in elements)


def _is_write(element: Element) -> bool:
    return element.name.startswith(_WRITES)


def _failed(element: Element) -> bool:
    return element.value is not None and element.value.isdigit() and int(element.value) >= _FIRST_FAILURE_STATUS

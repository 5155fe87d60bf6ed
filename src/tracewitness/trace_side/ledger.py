"""The state ledger: what a trace shows, step by step, as facts that can be asked for."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tracewitness.findings.causes import Gap
from tracewitness.trace_side.folding import quick_fold
from tracewitness.trace_side.interface_words import meanings
from tracewitness.trace_side.scene import Element, Role, Scene
from tracewitness.trace_side.sightings import LedgerStep, Sighting
from tracewitness.trace_side.trace import Trace

__all__ = ["Ledger", "LedgerStep", "Sighting"]

_STATUS = re.compile(r"(?:->|→|=>|⇒|\s)\s*(?:HTTP\S*\s+)?([1-5]\d\d)(?![\d/.-])")
_WRITES = ("POST", "PUT", "PATCH", "DELETE")
_FIRST_FAILURE_STATUS = 400
_INSIDE = frozenset({Role.FIELD, Role.SWITCH, Role.CHOICE, Role.ERROR, Role.RUNNER, Role.CONSOLE, Role.NETWORK})
_MESSAGES = frozenset({Role.TOAST, Role.STATUS, Role.DIALOG})


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
        return self._state(self._last_told.get(index, -1))

    @cached_property
    def _last_told(self) -> dict[int, int]:
        """For each step index, the place in ``scenes()`` of the last scene up to the end of that step."""
        places: dict[int, int] = {}
        place = -1
        for step in self.steps:
            while place + 1 < len(self._told):
                scene = self._told[place + 1]
                if scene.step > step.index and scene is not step.after:
                    break
                place += 1
            places[step.index] = place
        return places

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
                if wanted in line or ("-" not in wanted and wanted in _without_hyphens(line)):
                    yield Sighting(scene.step, scene.part, element)

    @cached_property
    def _folded(self) -> tuple[tuple[str, ...], ...]:
        seen: dict[int, tuple[str, ...]] = {}
        for scene in self.observed:
            if id(scene.elements) not in seen:
                seen[id(scene.elements)] = _fold_all(scene.elements)
        return tuple(seen[id(scene.elements)] for scene in self.observed)

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

    def histories(self) -> Mapping[str, tuple[Sighting, ...]]:
        """Return all sights by element key, in the order in which the keys were first seen."""
        return self._histories

    def states(self, key: str) -> tuple[Sighting, ...]:
        """Return the sights at which an element was first seen or its value or toggle differs from the sight before."""
        return _turns(self.history(key), lambda element: (element.value, element.on))

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
        """Return the dialog that is open after the step with this source index, or None.

        A dialog counts as open where the last scene shows it, or where later scenes only read back something inside it
        (a field, a switch, an error).
        """
        for scene in reversed(self._told[: self._last_told.get(index, -1) + 1]):
            dialogs = [element for element in scene.elements if element.role is Role.DIALOG]
            if dialogs:
                return Sighting(scene.step, scene.part, dialogs[-1])
            if not scene.partial or any(element.role not in _INSIDE for element in scene.elements):
                return None
        return None

    def errors(self) -> tuple[Sighting, ...]:
        """Return every sight of an error on screen, of a message that speaks of one, or of a field marked invalid."""
        return tuple(s for s in self.sightings() if _is_error(s.element))

    def failed_steps(self) -> tuple[LedgerStep, ...]:
        """Return the steps for which the environment itself reports an error."""
        return tuple(step for step in self.steps if step.error)

    def toasts(self) -> tuple[Sighting, ...]:
        """Return every sight of a toast or status message."""
        return self._of({Role.TOAST, Role.STATUS})

    def network_lines(self) -> tuple[Sighting, ...]:
        """Return every logged request."""
        lines = (s for s in self._log_lines if s.element.role is not Role.RUNNER and s.element.name)
        return tuple(s for s in lines if s.element.role is Role.NETWORK or _is_write(s.element))

    @cached_property
    def _log_lines(self) -> tuple[Sighting, ...]:
        return self._of({Role.NETWORK, Role.CONSOLE, Role.RUNNER})

    def network_failures(self) -> tuple[Sighting, ...]:
        """Return the logged writes (POST, PUT, PATCH, DELETE) that were answered with a status of 400 or more."""
        return tuple(s for s in self.network_lines() if _is_write(s.element) and _failed(s.element))

    def network_writes(self) -> tuple[Sighting, ...]:
        """Return the logged writes (POST, PUT, PATCH, DELETE), whatever their status."""
        return tuple(s for s in self.network_lines() if _is_write(s.element))

    def console_lines(self) -> tuple[Sighting, ...]:
        """Return every console line."""
        return tuple(s for s in self._log_lines if s.element.role is Role.CONSOLE and s.element.name)

    def runner_lines(self) -> tuple[Sighting, ...]:
        """Return every line of the runner itself: guard hit, step limit, handed over, run closed."""
        return tuple(s for s in self._log_lines if s.element.role is Role.RUNNER)

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
        return tuple(
            Sighting(scene.step, scene.part, element)
            for scene in self.observed
            for element in scene.elements
            if element.role in roles
        )


def _turns(sights: Iterable[Sighting], look: Callable[[Element], object]) -> tuple[Sighting, ...]:
    turned: list[Sighting] = []
    for sight in sights:
        if not turned or look(turned[-1].element) != look(sight.element):
            turned.append(sight)
    return tuple(turned)


def _fold_all(elements: tuple[Element, ...]) -> tuple[str, ...]:
    return tuple(quick_fold(f"{element.line}\n{element.name}\n{element.value or ''}") for element in elements)


def _is_error(element: Element) -> bool:
    if element.role is Role.ERROR or element.invalid:
        return True
    return element.role in _MESSAGES and not meanings(element.name).isdisjoint({"error", "validation"})


def _is_write(element: Element) -> bool:
    return element.name.startswith(_WRITES)


def _failed(element: Element) -> bool:
    status = element.value if element.value is not None and element.value.isdigit() else ""
    told = _STATUS.search(element.name) if not status else None
    return int(status or (told.group(1) if told else 0)) >= _FIRST_FAILURE_STATUS


def _without_hyphens(line: str) -> str:
    """Return a line with "wi-fi" as "wifi"; both are written, also with the hyphen that does not break a line."""
    return line.replace("-", "").replace("\u2010", "") if "-" in line or "\u2010" in line else ""

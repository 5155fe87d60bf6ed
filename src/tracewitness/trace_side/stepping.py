"""From a trace to the ledger's steps: what stood before and after each action, and what is missing."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from tracewitness.findings.causes import Gap
from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.changes import UNKNOWN_CHANGES, Changes, diff
from tracewitness.trace_side.effects import Effect, effect_of, may_change_state
from tracewitness.trace_side.scene import Element, Scene
from tracewitness.trace_side.scenes import has_words
from tracewitness.trace_side.sightings import LedgerStep
from tracewitness.trace_side.trace import Action, Observation, Step, Trace

_FIRST_INDEXES = frozenset({0, 1})
_LOOPLESS = frozenset({Effect.NONE, Effect.MOVE, Effect.FINISH})


def make_steps(trace: Trace, observed: tuple[Scene, ...]) -> tuple[LedgerStep, ...]:
    """Return one ledger step for each recorded step, in order; ``observed`` are the trace's scenes in time order."""
    maker = _Maker({(scene.step, scene.part): scene for scene in observed})
    pairs = zip_longest(trace.steps, trace.steps[1:])
    return tuple(maker.take(step, following) for step, following in pairs)


class _Maker:
    """Walks the steps with what is known to be on screen."""

    def __init__(self, scenes: dict[tuple[int, StepPart], Scene]) -> None:
        self._scenes = scenes
        self._last: Scene | None = None
        self._known: Scene | None = None
        self._previous: LedgerStep | None = None

    def take(self, step: Step, following: Step | None) -> LedgerStep:
        """Return the ledger's view of one step."""
        own_before = self._scenes.get((step.index, StepPart.BEFORE))
        if own_before is not None:
            self._learn(own_before)
        before, known_before = self._last, self._known
        raw_after = self._raw_after(step, following)
        after = self._resolved(raw_after)
        changes = diff(known_before, after) if after is not before else _unmoved(before)
        if after is not None:
            self._learn(after)
        quiet = _is_quiet(changes, before, after)
        made = LedgerStep(
            index=step.index,
            position=0 if self._previous is None else self._previous.position + 1,
            action=step.action,
            effect=effect_of(step.action),
            before=before,
            after=after,
            raw_after=raw_after,
            changes=changes,
            state_changing=may_change_state(step.action),
            no_change=quiet,
            unobserved=after is None,
            error=step.error or None,
            repeats=self._repeats(step.action, quiet),
        )
        self._previous = made
        return made

    def _raw_after(self, step: Step, following: Step | None) -> Scene | None:
        own = self._scenes.get((step.index, StepPart.AFTER))
        borrowed = self._scenes.get((following.index, StepPart.BEFORE)) if following is not None else None
        if own is None or (own.acknowledgement and borrowed is not None):
            return borrowed
        return own

    def _resolved(self, scene: Scene | None) -> Scene | None:
        if scene is None or scene.acknowledgement:
            return None
        return self._last if scene.unchanged and self._last is not None else scene

    def _learn(self, scene: Scene) -> None:
        if scene.acknowledgement or (scene.unchanged and self._last is not None):
            return
        if scene is not self._last:
            self._known = _overlaid(self._known, scene)
        self._last = scene

    def _repeats(self, action: Action, quiet: bool) -> int:
        previous = self._previous
        same = previous is not None and _signature(previous.action) == _signature(action)
        if previous is None or not same or not quiet or effect_of(action) in _LOOPLESS:
            return 0
        return previous.repeats + 1


def _signature(action: Action) -> tuple[str, str | None, str | None, str | None]:
    return (action.kind, action.target, action.text, action.raw)


def _unmoved(scene: Scene | None) -> Changes:
    return UNKNOWN_CHANGES if scene is None else Changes()


def _is_quiet(changes: Changes, before: Scene | None, after: Scene | None) -> bool:
    """Return whether it is known that nothing changed on screen.

    A scene caught early tells nothing, nor does a part of the screen unless it is the very part seen before.
    """
    if not changes.known or changes.anything or before is None or after is None or after.stale:
        return False
    return not after.partial or after.elements is before.elements or after.elements == before.elements


def _overlaid(known: Scene | None, scene: Scene) -> Scene:
    """Return all that is known once a scene has been seen: a partial scene replaces only what it shows."""
    if known is None or not scene.partial:
        return scene
    merged: dict[tuple[str, int], Element] = {}
    for elements in (known.elements, scene.elements):
        counts: dict[str, int] = {}
        for element in elements:
            nth = counts[element.key] = counts.get(element.key, 0) + 1
            merged[element.key, nth] = element
    return replace(scene, elements=tuple(merged.values()), title=scene.title or known.title, url=scene.url or known.url)


def find_gaps(trace: Trace, steps: tuple[LedgerStep, ...], observed: tuple[Scene, ...]) -> tuple[Gap, ...]:
    """Return what is missing from a record: the gaps intake knows of, then those found here, each once."""
    found = dict.fromkeys(trace.gaps)
    found.update(dict.fromkeys(_found_gaps(trace, steps, observed)))
    return tuple(found)


def _found_gaps(trace: Trace, steps: tuple[LedgerStep, ...], observed: tuple[Scene, ...]) -> Iterator[Gap]:
    if not any(scene.heard or (scene.elements and not scene.acknowledgement) for scene in observed):
        yield Gap.NO_OBSERVATIONS
    if _ends_unseen(steps):
        yield Gap.NO_FINAL_OBSERVATION
    if _has_missing_steps(trace):
        yield Gap.MISSING_STEPS
    if any(scene.wordless for scene in observed) or any(_is_wordless(shown) for shown in _observations(trace)):
        yield Gap.SCREENSHOT_ONLY
    if any(scene.unreadable for scene in observed):
        yield Gap.UNREADABLE_OBSERVATION


def _ends_unseen(steps: tuple[LedgerStep, ...]) -> bool:
    """Return whether no observation follows the last executed step that may have changed state."""
    for step in reversed(steps):
        if step.after is not None:
            return False
        if step.state_changing:
            return True
    return False


def _has_missing_steps(trace: Trace) -> bool:
    indexes = [step.index for step in trace.steps]
    if not indexes:
        return False
    return indexes[0] not in _FIRST_INDEXES or indexes != list(range(indexes[0], indexes[0] + len(indexes)))


def _observations(trace: Trace) -> Iterator[Observation]:
    for step in trace.steps:
        for observation in (step.before, step.after):
            if observation is not None:
                yield observation


def _is_wordless(observation: Observation) -> bool:
    return observation.screenshot is not None and not has_words(observation)

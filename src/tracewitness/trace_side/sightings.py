"""Single facts of the state ledger: one element at one place, one step with what is known around it."""

from dataclasses import dataclass

from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.changes import Changes
from tracewitness.trace_side.effects import Effect
from tracewitness.trace_side.scene import Element, Scene
from tracewitness.trace_side.trace import Action


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

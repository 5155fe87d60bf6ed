"""What the fields of one goal are filled from: its course, the telling sights and the signs after it."""

from dataclasses import dataclass

from tracewitness.findings.evidence_causes import EvidenceCause as Why
from tracewitness.findings.labels import StepPart
from tracewitness.findings.records import Citation
from tracewitness.trace_side.course import Course, Seen
from tracewitness.trace_side.extraction import Scribe
from tracewitness.trace_side.moves import Move, Played, loads
from tracewitness.trace_side.scene import Element, Scene
from tracewitness.trace_side.signals import Sign
from tracewitness.values.ternary import Ternary

_FATAL = frozenset({Why.DISCARDED, Why.UNDONE, Why.DIALOG_CANCELLED})


@dataclass(frozen=True)
class Account:
    """What the fields are filled from: the course, its first and last telling sights and the signs after it.

    ``settled`` says that the last sight is the one entry that answers a query.
    """

    course: Course
    scribe: Scribe
    prior: Seen | None
    final: Seen | None
    good: Sign | None
    bad: Sign | None
    running: Sign | None
    settled: bool = False

    @property
    def held_before(self) -> bool | None:
        """Return whether the goal held before the first relevant step; None where no scene tells."""
        return None if self.prior is None else self.prior.reading.value is Ternary.YES

    @property
    def holds(self) -> bool | None:
        """Return whether the goal holds at the last telling sight after the last relevant step; None if none tells."""
        return None if self.final is None else self.final.reading.value is Ternary.YES

    @property
    def firm(self) -> bool:
        """Return whether that sight is of a stored thing."""
        return self.final is not None and self.final.reading.firm


def cite_seen(account: Account, seen: Seen | None) -> tuple[Citation, ...]:
    """Return the citation of a sight, or nothing where there is none."""
    if seen is None:
        return ()
    return (cite_element(account.scribe, seen.view.scene, seen.reading.element),)


def cite_element(scribe: Scribe, scene: Scene, element: Element | None) -> Citation:
    """Return the citation of an element of a scene, with its line as the quote."""
    return scribe.cite(scene.step, scene.part, element.line if element is not None else None)


def cite_sign(account: Account, sign: Sign) -> Citation:
    """Return the citation of a sign: its element, or the step that it stands for."""
    if sign.scene is None:
        step = account.course.ledger.step_at(sign.step)
        part = StepPart.ERROR if sign.cause is Why.ENVIRONMENT_ERROR and step and step.error else StepPart.ACTION
        return account.scribe.cite(sign.step, part)
    return cite_element(account.scribe, sign.scene, sign.element)


def cite_action(account: Account, played: Played) -> Citation:
    """Return the citation of an executed action."""
    return account.scribe.cite(played.step.index, StepPart.ACTION, played.step.action.raw)


def fatal_after(account: Account) -> bool:
    """A cancellation or undoing that came after the sight that shows the goal."""
    bad, final = account.bad, account.final
    if bad is None or final is None or bad.cause not in _FATAL:
        return False
    step = account.course.ledger.step_at(bad.step)
    return step is not None and step.position >= final.after_steps


def overcome(account: Account) -> bool:
    """Return whether nothing speaks against a stored sight, or it was loaded anew after what speaks against it."""
    bad, final = account.bad, account.final
    if bad is None or final is None:
        return True
    step = account.course.ledger.step_at(bad.step)
    if step is None or bad.cause is Why.NOT_COMMITTED:
        return False
    between = account.course.played[step.position + 1 : final.after_steps]
    return any(loads(p) or p.move in (Move.COMMIT, Move.WRITE, Move.SWITCH) for p in between)

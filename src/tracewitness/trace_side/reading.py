"""What one scene says about a goal."""

from dataclasses import dataclass

from tracewitness.findings.evidence_causes import EvidenceCause
from tracewitness.trace_side.scene import Element, Scene
from tracewitness.values.ternary import Ternary


@dataclass(frozen=True, slots=True)
class Reading:
    """Whether the requested state holds in one scene.

    Attributes:
        value: YES or NO; UNKNOWN where the scene does not tell.
        scene: The scene.
        element: The element that says so, to be quoted; None for UNKNOWN.
        cause: Why.
        firm: It is shown as a stored thing (a row, a switch, a page), not as an entry in a form.
        count: How many elements show it, where that can be counted.
        of_record: The record that is called exactly as the task says shows it.
    """

    value: Ternary
    scene: Scene
    element: Element | None = None
    cause: EvidenceCause = EvidenceCause.NOT_SHOWN
    firm: bool = True
    count: int = 0
    of_record: bool = False


def unknown(scene: Scene) -> Reading:
    """Return the reading of a scene that does not tell."""
    return Reading(Ternary.UNKNOWN, scene)


def yes(scene: Scene, element: Element, *, firm: bool = True, count: int = 1) -> Reading:
    """Return the reading of a scene that shows the requested state."""
    return Reading(Ternary.YES, scene, element, EvidenceCause.SUPPORTED, firm, count)


def no(
    scene: Scene, element: Element, cause: EvidenceCause = EvidenceCause.CONTRADICTED, *, firm: bool = True
) -> Reading:
    """Return the reading of a scene that contradicts the requested state."""
    return Reading(Ternary.NO, scene, element, cause, firm)

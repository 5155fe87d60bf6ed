"""Short ways to make traces for tests."""

from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.scene import Element, Scene
from tracewitness.trace_side.scenes import read_scene
from tracewitness.trace_side.trace import Action, Observation, Step, Trace


def step(index: int, action: Action | str, after: str | None = None, before: str | None = None, **rest: str) -> Step:
    """A step whose observations are given as text; an action may be given by its kind."""
    made = Action(action) if isinstance(action, str) else action
    return Step(index, made, _seen(before), _seen(after), **rest)


def _seen(text: str | None) -> Observation | None:
    return None if text is None else Observation(text=text)


def scene(text: str | None = None, ui_tree: str | None = None, url: str | None = None) -> Scene:
    """The scene of one observation."""
    found = read_scene(Step(1, Action("look"), after=Observation(text, ui_tree, url)), StepPart.AFTER)
    assert found is not None
    return found


def only(shown: Scene, name: str) -> Element:
    """The one element of a scene with a name."""
    found = [element for element in shown.elements if element.name == name]
    assert len(found) == 1, f"{name!r} among {[e.name for e in shown.elements]}"
    return found[0]


def ledger(*steps: Step) -> Ledger:
    """The ledger of some steps."""
    return build_ledger(Trace(steps))

"""The turns of a run with what the labels on the screen stand for, and with the screenshots."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tracewitness.intake.calls import Call
from tracewitness.intake.grammars.webvoyager import labels
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.trace_side.trace import Screenshot

_REFUSED = ("The action you have chosen cannot be ex", "The action you have chosen can not be ex")
_NOTICES = (*_REFUSED, "Format ERROR")
"""How the tool begins where it shows no page: the action failed, or the response was in the wrong form."""


@dataclass(slots=True)
class Screens:
    """The numbered screenshots of a task folder.

    Attributes:
        folder: The folder.
        names: The names in it.
        shown: How many observations there were so far; screenshot n belongs to the n-th.
        missing: Names of screenshots that are not there.
    """

    folder: RunFolder
    names: frozenset[str]
    shown: int = 0
    missing: list[str] = field(default_factory=list[str])

    def next(self) -> Screenshot | None:
        """Return the screenshot of the next observation."""
        self.shown += 1
        name = f"screenshot{self.shown}.png"
        shot = self.folder.screenshot(name) if name in self.names else None
        if shot is None or shot.digest is None:
            self.missing.append(name)
        return shot


def acted(turns: Sequence[Turn], screens: Screens) -> Iterator[Turn]:
    """Yield the turns with screenshots, and with the names of the elements that calls act on.

    A label is looked up in the list of the latest observation ahead of the call; older lists are left out of the log,
    and the label stands for itself then.
    """
    named: Mapping[str, str] = {}
    for turn in turns:
        if turn.speaker is Speaker.AGENT:
            yield replace(turn, calls=tuple(_named(call, named) for call in turn.calls))
        elif turn.speaker is Speaker.SYSTEM:
            yield turn
        elif turn.text.lstrip().startswith(_NOTICES):
            screens.shown += 1  # numbered as any other round, and no picture is taken in it
            yield _told_off(turn)
        else:
            named = labels(turn.text)
            yield replace(turn, screenshot=screens.next())


def _told_off(turn: Turn) -> Turn:
    """Return the tool's notice that an action could not be executed as the error of that action.

    What it says of the form of a response is of no page, and nothing to be seen.
    """
    refused = turn.text.lstrip().startswith(_REFUSED)
    results = (Result(turn.text.strip(), failed=True),) if refused else ()
    return replace(turn, speaker=Speaker.TOOL, text="", results=results)


def _named(call: Call, named: Mapping[str, str]) -> Call:
    label = call.arguments.get("label")
    if not isinstance(label, str):
        return call
    rest = {key: value for key, value in call.arguments.items() if key != "label"}
    return Call(call.name, {"element": named.get(label) or f"[{label}]", "label": label, **rest}, call.id)

"""How steps and facts are written in a window. Text from the trace never starts a line of its own kind."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.scene import Element, Role, Scene
from tracewitness.trace_side.scenes import has_words
from tracewitness.trace_side.sightings import LedgerStep, Sighting
from tracewitness.trace_side.trace import Action, Step
from tracewitness.values.folding import fold_spaces

PAGE_MARK = "| "
"""Before every line that comes from the environment, so that page text cannot pass for a line of the window."""

_LINE_LIMIT = 400
_ACTION_LIMIT = 600
_DECISIVE = frozenset(
    {
        *(Role.PAGE, Role.DIALOG, Role.TOAST, Role.ERROR, Role.STATUS, Role.EMPTY_STATE, Role.PROGRESS, Role.CAPTCHA),
        *(Role.NETWORK, Role.CONSOLE, Role.RUNNER),
    }
)


@dataclass(frozen=True, slots=True)
class StepText:
    """One step, ready to be written.

    Attributes:
        index: The step's index.
        head: The lines with the action and the environment's error.
        shown: For each recorded observation: where it stands, its lines and the order in which they are given up
            (positions of lines, the dearest first).
        pictured: The parts that are a picture without words.
    """

    index: int
    head: str
    shown: tuple[tuple[StepPart, tuple[str, ...], tuple[int, ...]], ...]
    pictured: tuple[StepPart, ...] = ()


def describe_step(step: LedgerStep, scenes: Mapping[tuple[int, StepPart], Scene], recorded: Step) -> StepText:
    """Return a step's text.

    Args:
        step: The step.
        scenes: All scenes of the trace by step and part.
        recorded: The step as recorded.
    """
    dear = {id(element) for element in step.changes.appeared} | {id(pair.after) for pair in step.changes.changed}
    shown = tuple(
        (part, lines, order)
        for part in (StepPart.BEFORE, StepPart.AFTER)
        if (scene := scenes.get((step.index, part))) is not None
        for lines, order in [_lines_of(scene, dear)]
    )
    parts = ((StepPart.BEFORE, recorded.before), (StepPart.AFTER, recorded.after))
    pictured = tuple(part for part, seen in parts if seen is not None and seen.screenshot and not has_words(seen))
    return StepText(step.index, "\n".join(_head(step)), shown, pictured)


def action_line(action: Action) -> str:
    """Return an action on one line."""
    pieces = [one_line(action.kind, _LINE_LIMIT)]
    if action.target:
        pieces.append(f"target={one_line(action.target, _LINE_LIMIT)!r}")
    if action.text:
        pieces.append(f"text={one_line(action.text, _ACTION_LIMIT)!r}")
    if action.raw:
        pieces.append(f"raw={one_line(action.raw, _ACTION_LIMIT)}")
    return " ".join(pieces)


def head_line(index: int, action: Action) -> str:
    """Return the line that a step begins with."""
    carried_out = "" if action.executed else " (written down, never carried out)"
    return f"step {index}: {action_line(action)}{carried_out}"


def error_line(error: str) -> str:
    """Return the environment's error as a step tells it."""
    return f"error: {one_line(error, _ACTION_LIMIT)}"


def url_line(url: str) -> str:
    """Return the address of a screen as its first line."""
    return f"url: {one_line(url, _LINE_LIMIT)}"


def element_line(element: Element) -> str:
    """Return an element of a screen on one line, without the mark of a page."""
    return one_line(element.line, _LINE_LIMIT)


def _head(step: LedgerStep) -> Iterator[str]:
    yield head_line(step.index, step.action)
    if step.error:
        yield f"  {error_line(step.error)}"


def _lines_of(scene: Scene, dear: set[int]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return a scene's lines, each once in a row, and the order in which to keep them."""
    lines: list[str] = []
    ranks: list[int] = []
    if scene.url:
        lines.append(url_line(scene.url))
        ranks.append(0)
    last = ""
    for element in scene.elements:
        rank = _rank(element, dear)
        if element.line == last:
            ranks[-1] = min(ranks[-1], rank)
            continue
        last = element.line
        lines.append(PAGE_MARK + "  " * min(element.depth, 6) + element_line(element))
        ranks.append(rank)
    for line in scene.heard:
        lines.append(PAGE_MARK + one_line(line, _LINE_LIMIT))
        ranks.append(2)
    return tuple(lines), tuple(sorted(range(len(lines)), key=lambda place: (ranks[place], place)))


def _rank(element: Element, dear: set[int]) -> int:
    if id(element) in dear or element.invalid:
        return 0
    if element.role in _DECISIVE:
        return 1
    return 2 if element.on is not None or element.value else 3


@dataclass(slots=True)
class Page:
    """What has been written so far.

    Attributes:
        screens: For each screen written, whole or in part: the step it stands at and the positions of its kept lines.
        shortened: Indexes of the steps with lines left out.
    """

    screens: dict[tuple[str, ...], tuple[int, frozenset[int]]] = field(
        default_factory=dict[tuple[str, ...], tuple[int, frozenset[int]]]
    )
    shortened: set[int] = field(default_factory=set[int])


def write_step(step: StepText, limit: int | None, page: Page) -> str:
    """Return a step's text with at most ``limit`` lines of each observation (None: all of them).

    What is left out is counted. Where all that would be kept of a screen has been written at an earlier step, that step
    is named instead.

    Args:
        step: The step.
        limit: Most lines kept of each observation.
        page: What has been written so far; it is added to.
    """
    pieces = [step.head]
    for part, lines, order in step.shown:
        kept = frozenset(order if limit is None else order[:limit])
        earlier = page.screens.get(lines)
        if earlier is not None and kept <= earlier[1]:
            pieces.append(f"  {part.value}: unchanged since step {earlier[0]}")
            continue
        page.screens[lines] = (step.index, kept)
        if len(kept) < len(lines):
            page.shortened.add(step.index)
            pieces.append(f"  {part.value}: [{len(lines) - len(kept)} of {len(lines)} lines left out]")
        else:
            pieces.append(f"  {part.value}:")
        pieces.extend(f"  {lines[place]}" for place in sorted(kept))
    pieces.extend(f"  {part.value}: (a picture without recorded words)" for part in step.pictured)
    if not step.shown and not step.pictured:
        pieces.append("  (no observation recorded)")
    return "\n".join(pieces)


def one_line(text: str, limit: int) -> str:
    """Return a text on one line, cut at a limit with the number of characters left out."""
    flat = fold_spaces(text)
    return flat if len(flat) <= limit else f"{flat[:limit]} [{len(flat) - limit} more characters]"


def describe_facts(ledger: Ledger) -> list[str]:
    """Return the ledger's facts worth telling before the steps, one line each, the weightiest first."""
    facts = [f"gap: {gap.sentence}" for gap in ledger.gaps]
    facts += [f"step {step.index}: the environment reported an error" for step in ledger.failed_steps()]
    for title, sights in (
        ("failed write", ledger.network_failures()),
        ("error shown", ledger.errors()),
        ("runner", ledger.runner_lines()),
        ("message shown", ledger.toasts()),
    ):
        facts += [_fact(title, sight) for sight in _first_of_each(sights)]
    facts += [f"step {step.index}: same action {step.repeats + 1} times without effect" for step in ledger.loops()]
    open_dialog = ledger.open_dialog_at(ledger.steps[-1].index) if ledger.steps else None
    if open_dialog is not None:
        facts.append(_fact("dialog still open at the end", open_dialog))
    return facts + list(_histories(ledger))


def _first_of_each(sights: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    first: dict[str, Sighting] = {}
    for sight in sights:
        first.setdefault(sight.element.line, sight)
    return tuple(first.values())


def _fact(title: str, sight: Sighting) -> str:
    return f"{title} (step {sight.step} {sight.part.value}): {one_line(sight.element.line, _LINE_LIMIT)}"


def _histories(ledger: Ledger) -> Iterator[str]:
    """Yield the toggles and values that took more than one state."""
    for key, sights in ledger.histories().items():
        turned = sights[0].element.on is not None and len({s.element.on for s in sights}) > 1
        valued = sights[0].element.role is Role.FIELD and len({s.element.value for s in sights}) > 1
        if turned or valued:
            turns = ledger.states(key)
            told = ", ".join(f"{_state(s.element)} at step {s.step} {s.part.value}" for s in turns[-6:])
            more = f"({len(turns) - 6} earlier states) " if len(turns) > 6 else ""
            yield f"{sights[0].element.role.value} {one_line(sights[0].element.name, 80)!r}: {more}{told}"


def _state(element: Element) -> str:
    if element.on is not None:
        return "on" if element.on else "off"
    return repr(one_line(element.value or "", 80))

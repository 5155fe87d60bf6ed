"""Which screenshots go to a model, within a budget: the first, the last and those of state-changing steps first."""

from collections.abc import Iterator
from dataclasses import dataclass

from tracewitness.asking.port import Picture
from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.exhibits import Pictures
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.scenes import has_words
from tracewitness.trace_side.trace import Observation
from tracewitness.values.digests import Digest

Place = tuple[int, StepPart]

_MEDIA_TYPES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


@dataclass(frozen=True, slots=True)
class ChosenPictures:
    """The pictures that go with the questions about a trace.

    Attributes:
        pictures: In the order of time.
        places: Where in the trace they stand: what may be cited without a quote.
        left_out: How many pictures of the trace do not go.
        blind: Whether a screen without words is among those.
        none_readable: The trace has screens, and none of them has words or goes as a picture.
    """

    pictures: tuple[Picture, ...] = ()
    places: frozenset[Place] = frozenset()
    left_out: int = 0
    blind: bool = False
    none_readable: bool = False


def choose_pictures(ledger: Ledger, source: Pictures, most: int) -> ChosenPictures:
    """Return the pictures for a model.

    The first and the last screen come first, then what followed a state-changing action or an error, the latest first,
    then the rest. The same picture is sent once, however often the trace shows it.

    Args:
        ledger: The state ledger of the trace.
        source: Gives the pictures' bytes.
        most: How many pictures may go, 0 where the model takes none.
    """
    seen = _places(ledger)
    wanted = _by_priority(ledger, seen)
    read = {digest: data for digest in wanted[:most] if (data := _read(source, seen[digest][1])) is not None}
    sent = [digest for digest in seen if digest in read]
    lost = [digest for digest in seen if digest not in read]
    blind = any(not has_words(seen[digest][1]) for digest in lost)
    words = any(has_words(shown) for _, shown in _observations(ledger))
    return ChosenPictures(
        pictures=tuple(_picture(digest, read[digest], seen[digest][0]) for digest in sent),
        places=frozenset(place for digest in sent for place in seen[digest][0]),
        left_out=len(lost) if most else 0,
        blind=bool(most) and blind,
        none_readable=not words and not sent and any(True for _ in _observations(ledger)),
    )


def _observations(ledger: Ledger) -> Iterator[tuple[Place, Observation]]:
    for step in ledger.trace.steps:
        for part, shown in ((StepPart.BEFORE, step.before), (StepPart.AFTER, step.after)):
            if shown is not None:
                yield (step.index, part), shown


def _places(ledger: Ledger) -> dict[Digest, tuple[list[Place], Observation]]:
    """Return each picture with the places where it stands, in the order of time."""
    found: dict[Digest, tuple[list[Place], Observation]] = {}
    for place, shown in _observations(ledger):
        digest = shown.screenshot.digest if shown.screenshot is not None else None
        if digest is not None:
            found.setdefault(digest, ([], shown))[0].append(place)
    return found


def _by_priority(ledger: Ledger, seen: dict[Digest, tuple[list[Place], Observation]]) -> list[Digest]:
    weighty = {step.index for step in ledger.steps if step.state_changing or step.error}
    outcomes = {place for step in ledger.steps if step.index in weighty for place in _outcome(step.index, ledger)}

    def rank(numbered: tuple[int, Digest]) -> tuple[int, int]:
        number, digest = numbered
        if number in {0, len(seen) - 1}:
            return 0, -number
        return (1 if outcomes.intersection(seen[digest][0]) else 2), -number

    return [digest for _, digest in sorted(enumerate(seen), key=rank)]


def _outcome(index: int, ledger: Ledger) -> Iterator[Place]:
    """Yield where the outcome of a step is seen: after it, or before the next step."""
    yield index, StepPart.AFTER
    step = ledger.step_at(index)
    if step is not None and step.position + 1 < len(ledger.steps):
        yield ledger.steps[step.position + 1].index, StepPart.BEFORE


def _read(source: Pictures, shown: Observation) -> bytes | None:
    return source.read(shown.screenshot) if shown.screenshot is not None else None


def _picture(digest: Digest, data: bytes, places: list[Place]) -> Picture:
    return Picture(digest, _media_type(data), data, _label(places))


def _label(places: list[Place]) -> str:
    return ", ".join(f"step {step} {part.value}" for step, part in places[:4])


def _media_type(data: bytes) -> str:
    return next((name for mark, name in _MEDIA_TYPES if data.startswith(mark)), "image/webp")

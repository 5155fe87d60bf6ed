"""Which screenshots go to a model, within a budget: the first, the last and those of state-changing steps first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tracewitness.asking.port import Picture
from tracewitness.findings.labels import StepPart
from tracewitness.trace_side.exhibits import Pictures
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.scenes import has_words
from tracewitness.trace_side.trace import Observation, Screenshot
from tracewitness.values.digests import Digest
from tracewitness.values.picture_heads import read_head

Place = tuple[int, StepPart]

_UNKNOWN_TYPE = "image/png"
"""Of bytes that another source of pictures lets through; a run's own source gives none without a known head."""


@dataclass(frozen=True, slots=True)
class ChosenPictures:
    """The pictures that go with the questions about a trace.

    Attributes:
        pictures: In the order of time.
        places: Where in the trace they stand: what may be cited without a quote.
        left_out: How many pictures of the trace do not go.
        blind: Whether a screen without words is among those.
        unseen: Whether a screen is known only by a picture, or has one, that does not go for whatever reason.
        none_readable: The trace has screens, and none of them has words or goes as a picture.
    """

    pictures: tuple[Picture, ...] = ()
    places: frozenset[Place] = frozenset()
    left_out: int = 0
    blind: bool = False
    unseen: bool = False
    none_readable: bool = False


@dataclass(slots=True)
class _Shot:
    """One picture of a trace, with where it stands in the order of time."""

    screenshot: Screenshot
    places: list[Place] = field(default_factory=list[Place])
    latest: int = 0
    wordless: bool = False


def choose_pictures(ledger: Ledger, source: Pictures, most: int) -> ChosenPictures:
    """Return the pictures for a model.

    The first and the last screen come first, then what followed a state-changing action or an error, the latest first,
    then the rest; one that cannot be read makes room for the next. The same picture is sent once, however often the
    trace shows it.

    Args:
        ledger: The state ledger of the trace.
        source: Gives the pictures' bytes.
        most: How many pictures may go, 0 where the model takes none.
    """
    shots = _shots(ledger)
    read = _read(source, shots, _by_priority(ledger, shots), most)
    sent = [digest for digest in shots if digest in read]
    lost = [shot for digest, shot in shots.items() if digest not in read]
    places = frozenset(place for digest in sent for place in shots[digest].places)
    words = any(has_words(shown) for _, shown in _observations(ledger))
    return ChosenPictures(
        pictures=tuple(_picture(digest, read[digest], shots[digest].places) for digest in sent),
        places=places,
        left_out=len(lost) if most else 0,
        blind=bool(most) and any(shot.wordless for shot in lost),
        unseen=not _pictured_places(ledger) <= places,
        none_readable=not words and not sent and any(True for _ in _observations(ledger)),
    )


def _observations(ledger: Ledger) -> Iterator[tuple[Place, Observation]]:
    for step in ledger.trace.steps:
        for part, shown in ((StepPart.BEFORE, step.before), (StepPart.AFTER, step.after)):
            if shown is not None:
                yield (step.index, part), shown


def _shots(ledger: Ledger) -> dict[Digest, _Shot]:
    """Return each picture with the places where it stands, in the order in which they are first seen."""
    found: dict[Digest, _Shot] = {}
    for number, (place, shown) in enumerate(_observations(ledger)):
        if shown.screenshot is None or shown.screenshot.digest is None:
            continue
        shot = found.setdefault(shown.screenshot.digest, _Shot(shown.screenshot))
        shot.places.append(place)
        shot.latest = number
        shot.wordless = shot.wordless or not has_words(shown)
    return found


def _pictured_places(ledger: Ledger) -> frozenset[Place]:
    """Return where a screen has a picture, or says that it was one which the log left out."""
    pictured = (place for place, shown in _observations(ledger) if shown.screenshot is not None)
    said = ((scene.step, scene.part) for scene in ledger.observed if scene.wordless)
    return frozenset((*pictured, *said))


def _by_priority(ledger: Ledger, shots: Mapping[Digest, _Shot]) -> list[Digest]:
    weighty = {step.index for step in ledger.steps if step.state_changing or step.error}
    outcomes = {place for step in ledger.steps if step.index in weighty for place in _outcome(step.index, ledger)}
    first, last = next(iter(shots), None), max(shots, key=lambda digest: shots[digest].latest, default=None)

    def rank(digest: Digest) -> tuple[int, int]:
        shot = shots[digest]
        if digest in {first, last}:
            return 0, -shot.latest
        return (1 if outcomes.intersection(shot.places) else 2), -shot.latest

    return sorted(shots, key=rank)


def _outcome(index: int, ledger: Ledger) -> Iterator[Place]:
    """Yield where the outcome of a step is seen: after it, or before the next step."""
    yield index, StepPart.AFTER
    step = ledger.step_at(index)
    if step is not None and step.position + 1 < len(ledger.steps):
        yield ledger.steps[step.position + 1].index, StepPart.BEFORE


def _read(source: Pictures, shots: Mapping[Digest, _Shot], wanted: list[Digest], most: int) -> dict[Digest, bytes]:
    """Return the bytes of the first ``most`` of the wanted pictures that can be read."""
    read: dict[Digest, bytes] = {}
    for digest in wanted:
        if len(read) >= most:
            break
        data = source.read(shots[digest].screenshot)
        if data is not None:
            read[digest] = data
    return read


def _picture(digest: Digest, data: bytes, places: list[Place]) -> Picture:
    return Picture(digest, _media_type(data), data, _label(places))


def _label(places: list[Place]) -> str:
    return ", ".join(f"step {step} {part.value}" for step, part in places[:4])


def _media_type(data: bytes) -> str:
    head = read_head(data)
    return head.media_type if head is not None else _UNKNOWN_TYPE

"""The text of screenshots by RapidOCR, with the models that come in its package. Nothing is fetched or written."""

import io
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tracewitness.backends.errors import ModelError
from tracewitness.backends.missing import MissingPackageError, needs_packages
from tracewitness.values.picture_heads import read_head

CONFIDENCE_FLOOR = 0.6
"""Lines that are read with less confidence are left out."""

LONGEST_SIDE = 4000
"""A picture with a longer side, such as one of a whole long page, would be shrunk until its text is lost."""

_PACKAGE = "rapidocr"
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_PARTS = ("det", "cls", "rec")


class OcrModelsError(ModelError):
    """The installed package does not bring its models."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text on a picture: its text and its box in pixels."""

    text: str
    left: float
    top: float
    bottom: float

    @property
    def middle(self) -> float:
        """Return the height at which its middle stands."""
        return (self.top + self.bottom) / 2


class RapidOcrReader:
    """Reads the text off pictures. Loads its models when first asked; one picture at a time, whatever the threads.

    Args:
        floor: The least confidence, from 0 to 1, at which a piece of text counts.

    Raises:
        MissingPackageError: The package is not installed.
    """

    name = _PACKAGE

    def __init__(self, floor: float = CONFIDENCE_FLOOR) -> None:
        try:
            self._version = f"{version(_PACKAGE)} floor {floor:g}"
        except PackageNotFoundError:
            raise MissingPackageError(_PACKAGE, "ocr") from None
        self._floor = floor
        self._engine: Any = None
        self._lock = threading.Lock()

    @property
    def version(self) -> str:
        """Return the version of the package, which tells the models, and the floor."""
        return self._version

    def read(self, picture: bytes) -> str | None:
        """Return the text of a picture, one line for each row from top to bottom, with tabs between pieces of a row.

        Returns:
            None where the picture cannot be decoded or is too long; an empty text where it shows none.

        Raises:
            MissingPackageError: A package that is needed along with it is not installed.
            OcrModelsError: The package does not bring its models.
        """
        head = read_head(picture)
        if head is None or max(head.width, head.height) > LONGEST_SIDE:
            return None
        with self._lock:
            if self._engine is None:
                self._engine = _engine()
            image = _decoded(picture)
            return None if image is None else rows_of(_pieces(self._engine(image), self._floor))


def _engine() -> Any:
    with needs_packages("ocr"):
        # Loaded here, so that an audit without it costs no start-up time.
        import rapidocr  # noqa: PLC0415
    models = Path(rapidocr.__file__).parent / "models"
    paths = {part: sorted(models.glob(f"*_{part}_*.onnx")) for part in _PARTS}
    if any(len(found) != 1 for found in paths.values()):
        raise OcrModelsError(f"{_PACKAGE} {version(_PACKAGE)} does not bring its models: install another version")
    # By path: a model that is named otherwise is looked up, and fetched where it is not there.
    named = {f"{part.title()}.model_path": str(found[0]) for part, found in paths.items()}
    longest = {"Global.max_side_len": LONGEST_SIDE}
    with needs_packages("ocr"):
        return rapidocr.RapidOCR(params={"Global.log_level": "critical", **longest, **named})


def _decoded(picture: bytes) -> Any:
    """Return a picture over a white ground; None where it is damaged, in whichever way a decoder finds it so."""
    with needs_packages("ocr"):
        from PIL import Image  # noqa: PLC0415
    try:
        with Image.open(io.BytesIO(picture), formats=_FORMATS) as opened:
            drawn = opened.convert("RGBA")
        ground = Image.new("RGBA", drawn.size, "white")
        return Image.alpha_composite(ground, drawn).convert("RGB")
    except Exception:
        return None


def _pieces(found: Any, floor: float) -> list[Piece]:
    if found.boxes is None or found.txts is None:
        return []
    read = zip(found.boxes.tolist(), found.txts, found.scores, strict=True)
    told = ((_plain(text), box) for box, text, score in read if score >= floor)
    return [_piece(text, box) for text, box in told if text]


def _plain(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def _piece(text: str, box: Sequence[Sequence[float]]) -> Piece:
    heights = [corner[1] for corner in box]
    return Piece(text, min(corner[0] for corner in box), min(heights), max(heights))


def rows_of(pieces: Iterable[Piece]) -> str:
    """Return pieces as lines: those that stand side by side on one line, from left to right, with tabs between."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda one: (one.middle, one.left)):
        if rows and _beside(rows[-1][0], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return "\n".join("\t".join(piece.text for piece in sorted(row, key=lambda one: one.left)) for row in rows)


def _beside(first: Piece, piece: Piece) -> bool:
    """Tell whether the middle of a piece stands within the height of the first of a row, and the other way round."""
    return first.top <= piece.middle <= first.bottom and piece.top <= first.middle <= piece.bottom

"""Pictures in messages: data URLs, files beside the log, and addresses that nobody opens."""

from dataclasses import dataclass, field

from tracewitness.findings.causes import Gap
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.inline import inline_digest, is_inline_picture
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.trace_side.trace import Screenshot

_ADDRESSES = ("http://", "https://", "file:", "gs://", "s3://", "blob:")
_LONGEST_NAME = 300


@dataclass(slots=True)
class ChatPictures:
    """Gives the pictures of a log, and remembers those that are not there.

    Attributes:
        folder: The folder of the log.
        missing: Names of pictures that are missing or cannot be read.
    """

    folder: RunFolder
    missing: list[str] = field(default_factory=list[str])

    def at(self, source: str, place: str) -> Screenshot:
        """Return the picture that a message holds or names.

        Args:
            source: A data URL, bare base64, an address, an id at the provider, or a path in the folder of the log.
            place: Where it stands in the log.
        """
        name = f"!{place}"
        if is_inline_picture(source) or source.startswith("data:"):
            found = Screenshot(name, inline_digest(source) if is_inline_picture(source) else None)
        elif not source or source.startswith(_ADDRESSES) or len(source) > _LONGEST_NAME or "." not in source:
            found = Screenshot(name)
        else:
            found = self._file(source) or Screenshot(name)
        if found.digest is None:
            self.missing.append(place)
        return found

    def _file(self, path: str) -> Screenshot | None:
        try:
            return self.folder.screenshot(path)
        except IntakeError:
            return None

    def notices(self) -> tuple[str, ...]:
        """Return what a person should know of the pictures."""
        told = missing_notice("picture", self.missing)
        return (told,) if told else ()

    def gaps(self) -> tuple[Gap, ...]:
        """Return the gap that missing pictures leave."""
        return (Gap.UNREADABLE_OBSERVATION,) if self.missing else ()

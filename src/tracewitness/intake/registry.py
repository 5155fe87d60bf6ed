"""The formats that are known, and which of them takes a candidate."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import AmbiguousFormatError, IntakeError, UnknownFormatError
from tracewitness.intake.format import Format, Verdict
from tracewitness.intake.reasons import FAILED, telling_reasons

UNPACK = "unpack it"
"""What to do with a zip file that is no log itself: folders of logs are often packed as one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The format that takes a candidate, and why."""

    format: Format
    why: str


class Registry:
    """A set of formats. The order in which they are given never matters.

    Args:
        formats: The formats, with distinct names.

    Raises:
        ValueError: Two formats have the same name.
    """

    def __init__(self, formats: Iterable[Format]) -> None:
        given = list(formats)
        self._formats: Mapping[str, Format] = {one.name: one for one in sorted(given, key=lambda one: one.name)}
        if len(self._formats) != len(given):
            raise ValueError("two formats have the same name")

    @property
    def formats(self) -> tuple[Format, ...]:
        """The formats by name."""
        return tuple(self._formats.values())

    def named(self, name: str) -> Format:
        """Return a format by name.

        Raises:
            UnknownFormatError: There is none of this name.
        """
        if name in self._formats:
            return self._formats[name]
        close = get_close_matches(name, self._formats, n=3)
        meant = f"perhaps {' or '.join(close)}; " if close else ""
        raise UnknownFormatError(f"no format is called {name!r}", f"{meant}'tracewitness formats' lists them")

    def verdicts(self, candidate: Candidate) -> dict[str, Verdict]:
        """Return what every format says about a candidate, by format name; one that fails at it says no.

        Raises:
            IntakeError: The candidate cannot be read at all.
        """
        return {name: verdict for name, (verdict, _) in self._asked(candidate).items()}

    def _asked(self, candidate: Candidate) -> "dict[str, tuple[Verdict, IntakeError | None]]":
        _ = candidate.sample
        return {one.name: verdict_of(one, candidate) for one in self.formats}

    def choose(self, candidate: Candidate) -> Choice:
        """Return the one format that takes a candidate.

        Raises:
            UnknownFormatError: None does; the message says what was tried and the most telling reasons, ``tried`` all.
            AmbiguousFormatError: More than one does.
            IntakeError: The candidate cannot be read at all, or none takes it because it breaks off.
        """
        asked = self._asked(candidate)
        verdicts = {name: verdict for name, (verdict, _) in asked.items()}
        takers = [name for name, verdict in verdicts.items() if verdict.yes]
        if len(takers) == 1:
            return Choice(self._formats[takers[0]], verdicts[takers[0]].why)
        if takers:
            raise AmbiguousFormatError(
                f"more than one reader takes it ({', '.join(takers)})", "say which with --format", path=candidate.name
            )
        met = next((error for _, error in asked.values() if error is not None), None)
        if met is not None and (own := candidate.trouble(met)) is not None:
            raise own.at(candidate.name)  # a log that breaks off is not a file of another kind
        tried = {name: verdict.why for name, verdict in verdicts.items()}
        if part_of := next(filter(None, (verdict.part_of for verdict in verdicts.values())), ""):
            problem, remedy = f"it belongs to the run of {part_of}", "name that one, or the folder"
            raise UnknownFormatError(problem, remedy, path=candidate.name, tried=tried, part_of=part_of)
        raise UnknownFormatError(
            f"no reader takes it ({telling_reasons(tried, candidate.shape)})",
            f"{UNPACK} and name the folder" if candidate.is_archive else "see 'tracewitness formats'",
            path=candidate.name,
            tried=tried,
        )


def verdict_of(one: Format, candidate: Candidate) -> tuple[Verdict, IntakeError | None]:
    """Return what a format says about a candidate; that it failed is a no, with the error it raised."""
    try:
        return one.detect(candidate), None
    except IntakeError as error:
        return Verdict(False, f"{FAILED} ({error.problem})"), error
    except Exception as error:  # a plug-in that fails on a file of another kind must not take the batch down
        return Verdict(False, f"{FAILED} ({type(error).__name__})"), None

"""Reading runs in the neutral format."""

from collections.abc import Iterator
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tracewitness.intake.candidate import Candidate, Shape
from tracewitness.intake.errors import BadRunError, IntakeError, IntakeFailure
from tracewitness.intake.formats.neutral.detect import FORMAT, PREFIX
from tracewitness.intake.formats.neutral.schema import NeutralRun
from tracewitness.intake.formats.neutral.split import Place, seal
from tracewitness.intake.json_places import key_path
from tracewitness.intake.limits import Limits, ReadOptions
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.reading_files import decode_utf8, lines_of, parse_json
from tracewitness.intake.sealed import SealedRun
from tracewitness.values.folding import printable

_SHOWN = 60


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs in file order; a bad one is a failure in their midst."""
    folder = RunFolder(candidate.path.parent, options.limits)
    for place, value in _values(candidate, options.limits):
        if isinstance(value, IntakeFailure):
            yield value
            continue
        try:
            yield seal(checked(value, options.limits), Place(candidate.name, place, folder), options.finish_kinds)
        except IntakeError as error:
            yield error.within(place).at(candidate.name).failure(_run_id(value))


def checked(value: Any, limits: Limits) -> NeutralRun:
    """Return a value as a checked run.

    Raises:
        BadRunError: It does not follow the schema; the place names the key.
    """
    found = cast(dict[str, Any], value).get("format") if isinstance(value, dict) else None
    if isinstance(found, str) and found.startswith(PREFIX) and found != FORMAT:
        raise BadRunError(f"format {found[:_SHOWN]!r} is not known, expected {FORMAT!r}", "use a newer tracewitness")
    try:
        run = NeutralRun.model_validate(value)
    except ValidationError as error:
        raise _bad_run(error) from None
    if len(run.steps) > limits.steps:
        raise BadRunError(f"{len(run.steps)} steps, at most {limits.steps} are read", "split the run")
    return run


def _bad_run(error: ValidationError) -> BadRunError:
    details = error.errors(include_url=False, include_input=False, include_context=False)
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    key = key_path(details[0]["loc"])
    problem = f"{_problem(details[0])}{more}"
    return BadRunError(problem, "see 'tracewitness convert --schema'", where=f"key {key}" if key else "")


def _problem(detail: ErrorDetails) -> str:
    if detail["type"] == "extra_forbidden":
        return "unknown key"
    if detail["type"] == "missing":
        return "missing key"
    return printable(detail["msg"])[:200]


def _values(candidate: Candidate, limits: Limits) -> Iterator[tuple[str, Any]]:
    if candidate.shape is Shape.JSON_LINES:
        for line in lines_of(candidate.path, limits):
            place = f"line {line.number}"
            try:
                yield place, parse_json(decode_utf8(line.content, place), line.number, strict=True)
            except IntakeError as error:
                yield place, error.at(candidate.name, place).failure()
        return
    if candidate.encoding != "utf-8":
        raise BadRunError(f"not UTF-8 text (read as {candidate.encoding})", "save the file as UTF-8")
    document = candidate.strict_document
    if isinstance(document, list):
        yield from ((f"run {at + 1}", value) for at, value in enumerate(cast(list[Any], document)))
    else:
        yield "", document


def _run_id(value: Any) -> str | None:
    found = cast(dict[str, Any], value).get("run_id") if isinstance(value, dict) else None
    return found if isinstance(found, str) else None

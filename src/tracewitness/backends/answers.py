"""The answer's object, read out of a model's text and held against the question's schema."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, cast

from jsonschema.validators import validator_for

from tracewitness.findings.causes import UnavailableCause

# An object begins with a key or ends at once; a brace in prose is none.
_OBJECT = re.compile(r'\{\s*["}]')

_REASON_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why a text holds no usable answer.

    Attributes:
        cause: UNPARSABLE or SCHEMA_VIOLATION.
        detail: One line for the record, without any text of the answer.
        reason: The same for the model that wrote it; may quote its answer.
    """

    cause: UnavailableCause
    detail: str
    reason: str


class _NotJsonError(ValueError):
    """What json.loads takes, but JSON does not."""


class _Error(Protocol):
    message: str

    @property
    def absolute_schema_path(self) -> Any: ...


class _Validator(Protocol):
    def iter_errors(self, instance: Any) -> Iterable[_Error]: ...


def read_answer(text: str, schema: str) -> dict[str, Any] | Unusable:
    """Return the first JSON object of a text, or why it is no answer.

    Text around the object and code fences are passed over. An object with a key given twice or with NaN is none.

    Args:
        text: The text, without what was thought aloud.
        schema: The JSON Schema that the object has to match, as text.
    """
    begins = _OBJECT.search(text)
    if begins is None:
        return _unparsable("holds no JSON object")
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
    try:
        value = cast("dict[str, Any]", decoder.raw_decode(text, begins.start())[0])
    except _NotJsonError as error:
        return _unparsable(str(error))
    except json.JSONDecodeError as error:
        return _unparsable(f"is not in order at character {error.pos - begins.start()} of the object")
    except (ValueError, RecursionError):
        return _unparsable("nests too deep or holds a number too long")
    return _checked(value, schema)


def _checked(value: dict[str, Any], schema: str) -> dict[str, Any] | Unusable:
    error = next(iter(_validator(schema).iter_errors(value)), None)
    if error is None:
        return value
    # The path within the schema: the path within the answer may hold words of the answer.
    path = "/".join(str(each) for each in error.absolute_schema_path)
    detail = f"the answer does not match the schema at {path}"
    return Unusable(UnavailableCause.SCHEMA_VIOLATION, detail, f"{detail}: {error.message[:_REASON_LENGTH]}")


@lru_cache(maxsize=64)
def _validator(schema: str) -> _Validator:
    parsed: Mapping[str, Any] = json.loads(schema)
    kind = cast("Any", validator_for)(parsed)
    return cast("_Validator", kind(parsed))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) != len(pairs):
        raise _NotJsonError("gives a key twice")
    return whole


def _constant(name: str) -> Any:
    raise _NotJsonError(f"holds {name}, which is no JSON number")


def _unparsable(why: str) -> Unusable:
    detail = f"the answer {why}"
    return Unusable(UnavailableCause.UNPARSABLE, detail, detail)

"""Exact JSON form of the findings: frozen dataclasses, closed enums, typed answer values.

The form follows the type hints, so a new record type needs no code here. Its rules:

* A dataclass is an object of its fields; a field that equals its default is left out. So a field added later, with a
  default, leaves the text (and the digest) of every older record as it was. A default must therefore never change.
* A member of a union of dataclasses also carries its class under ``"type"``.
* A ``Cause`` is its id, a ``StrEnum`` its value, a ``Decimal`` its exact text, a tuple an array, a frozenset a sorted
  array.
* A text with surrogates is ``{"utf8": hex}``: JSON joins two neighbouring ones into another character, and its digest
  would no longer hold.
* Reading is strict: unknown keys, missing keys, wrong types and values outside an enum are refused with their place.
"""

import dataclasses
import re
import types
import typing
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from tracewitness.findings.causes import Cause
from tracewitness.values.digests import Digest
from tracewitness.values.folding import FoldedText

T = TypeVar("T")
Encoder = Callable[[Any], Any]
Decoder = Callable[[Any, str], Any]
TYPE_KEY = "type"
_SURROGATE_KEY = "utf8"
_DIGEST = re.compile("sha256:[0-9a-f]{64}")


class CodecError(ValueError):
    """A value does not have the form its type asks for; the message names the place, such as ``trace.parts[0]``."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place or 'record'}: {problem}")


@dataclasses.dataclass(frozen=True, slots=True)
class _Codec:
    encode: Encoder
    decode: Decoder


def encode(value: object) -> Any:
    """Return the JSON form of a dataclass instance.

    Raises:
        CodecError: The value, or something in it, is not what its type hint says.
    """
    return _codec(type(value)).encode(value)


def decode(kind: type[T], form: Any) -> T:
    """Return the instance of ``kind`` whose JSON form is given: ``decode(type(x), encode(x)) == x``.

    Raises:
        CodecError: The form is not that of ``kind``.
    """
    return _codec(kind).decode(form, "")


@cache
def _codec(hint: Any) -> _Codec:
    origin: Any = typing.get_origin(hint)
    if origin is typing.Union or origin is types.UnionType:
        return _union(typing.get_args(hint))
    if origin in {tuple, frozenset}:
        return _many(origin, typing.get_args(hint))
    return _single(hint)


def _single(hint: type[Any]) -> _Codec:
    if issubclass(hint, Enum):
        return _enum(hint)
    return _dataclass(hint) if dataclasses.is_dataclass(hint) else _plain(hint)


def _plain(hint: type) -> _Codec:
    if issubclass(hint, str):
        return _TEXTS.get(hint) or _named_text(hint)
    if hint is Decimal:
        return _Codec(_encode_decimal, _decode_decimal)
    if hint in {bool, int, float}:
        return _scalar(hint)
    raise TypeError(f"no JSON form for {hint!r}")


def _scalar(hint: type) -> _Codec:
    def check(form: Any, place: str) -> Any:
        if type(form) is not hint or form != form or form in {float("inf"), float("-inf")}:
            raise CodecError(place, f"expected {hint.__name__}, found {form!r:.80}")
        return form

    return _Codec(lambda value: check(value, ""), check)


def _encode_decimal(value: Decimal) -> str:
    if not value.is_finite():
        raise CodecError("", f"expected a finite number, found {value!r}")
    return str(value)


def _decode_decimal(form: Any, place: str) -> Decimal:
    try:
        value = Decimal(form) if isinstance(form, str) else None
    except InvalidOperation:
        value = None
    if value is None or not value.is_finite() or str(value) != form:
        raise CodecError(place, f"expected the exact text of a number, found {form!r:.80}")
    return value


def _has_surrogates(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _encode_text(value: Any) -> Any:
    if not isinstance(value, str):
        raise CodecError("", f"expected a text, found {type(value).__name__}")
    if _has_surrogates(value):
        return {_SURROGATE_KEY: value.encode("utf-8", "surrogatepass").hex()}
    return value


def _decode_text(form: Any, place: str) -> str:
    if isinstance(form, str) and not _has_surrogates(form):
        return form
    if isinstance(form, dict):
        text = _from_hex(typing.cast("dict[str, Any]", form).get(_SURROGATE_KEY))
        if _encode_text(text) == form:
            return text
    raise CodecError(place, "expected a text")


def _from_hex(form: Any) -> str:
    try:
        return bytes.fromhex(form).decode("utf-8", "surrogatepass")
    except (ValueError, TypeError):
        return ""


def _decode_digest(form: Any, place: str) -> Digest:
    if not isinstance(form, str) or not is_digest(form):
        raise CodecError(place, "expected a digest such as `sha256:` and 64 hex digits")
    return Digest(form)


def is_digest(text: str) -> bool:
    """Return whether a text has the form of a tagged SHA-256 digest."""
    return _DIGEST.fullmatch(text) is not None


def _decode_folded(form: Any, place: str) -> FoldedText:
    text = _decode_text(form, place)
    if len(text) > FoldedText.LIMIT:
        raise CodecError(place, f"expected at most {FoldedText.LIMIT} characters, found {len(text)}")
    return FoldedText(text)


def _named_text(hint: type[str]) -> _Codec:
    """Return the codec of a text type that checks its own form on construction, such as a policy's name."""

    def encode_named(value: Any) -> Any:
        if type(value) is not hint:
            raise CodecError("", f"expected a {hint.__name__}, found {type(value).__name__}")
        return _encode_text(value)

    def decode_named(form: Any, place: str) -> str:
        text = _decode_text(form, place)
        try:
            return hint(text)
        except ValueError as problem:
            raise CodecError(place, str(problem)) from problem

    return _Codec(encode_named, decode_named)


def _encode_digest(value: Any) -> str:
    return str(_decode_digest(value, ""))


_TEXTS: dict[type, _Codec] = {
    str: _Codec(_encode_text, _decode_text),
    Digest: _Codec(_encode_digest, _decode_digest),
    FoldedText: _Codec(_encode_text, _decode_folded),
}


def _enum(hint: type[Enum]) -> _Codec:
    ids = {member: member.id if isinstance(member, Cause) else str(member.value) for member in hint}
    members = {name: member for member, name in ids.items()}

    def encode_member(value: Any) -> str:
        if value.__class__ is not hint:
            raise CodecError("", f"expected a {hint.__name__}, found {value!r:.80}")
        return ids[value]

    def decode_member(form: Any, place: str) -> Enum:
        member = members.get(form) if isinstance(form, str) else None
        if member is None:
            raise CodecError(place, f"expected a {hint.__name__}, found {form!r:.80}")
        return member

    return _Codec(encode_member, decode_member)


def _many(origin: Any, args: tuple[Any, ...]) -> _Codec:
    """Return the codec of ``tuple[X, ...]``, of a tuple of fixed length, or of ``frozenset[X]``."""
    if origin is tuple and not (len(args) == 2 and args[1] is Ellipsis):
        return _fixed_tuple([_codec(arg) for arg in args])
    item = _codec(args[0])

    def encode_tuple(value: Any) -> list[Any]:
        return [item.encode(each) for each in value]

    def decode_tuple(form: Any, place: str) -> tuple[Any, ...]:
        return tuple(item.decode(each, f"{place}[{i}]") for i, each in enumerate(_array(form, place)))

    if origin is tuple:
        return _Codec(encode_tuple, decode_tuple)
    return _Codec(
        lambda value: sorted(encode_tuple(value), key=repr), lambda form, place: _set(decode_tuple(form, place), place)
    )


def _set(items: tuple[Any, ...], place: str) -> frozenset[Any]:
    if len(found := frozenset(items)) != len(items):
        raise CodecError(place, "expected no item twice")
    return found


def _fixed_tuple(items: list[_Codec]) -> _Codec:
    def decode_fixed(form: Any, place: str) -> tuple[Any, ...]:
        if len(array := _array(form, place)) != len(items):
            raise CodecError(place, f"expected {len(items)} items, found {len(array)}")
        return tuple(c.decode(each, f"{place}[{i}]") for i, (c, each) in enumerate(zip(items, array, strict=True)))

    return _Codec(lambda value: [c.encode(each) for c, each in zip(items, value, strict=True)], decode_fixed)


def _array(form: Any, place: str) -> list[Any]:
    if not isinstance(form, list):
        raise CodecError(place, "expected an array")
    return typing.cast("list[Any]", form)


def _union(args: tuple[Any, ...]) -> _Codec:
    """Return the codec of ``X | None`` or of a union of dataclasses (which carry their class under ``"type"``)."""
    rest = tuple(arg for arg in args if arg is not types.NoneType)
    inner = _codec(rest[0]) if len(rest) == 1 else _tagged({arg.__name__: arg for arg in rest})
    if len(rest) == len(args):
        return inner
    return _Codec(
        lambda value: None if value is None else inner.encode(value),
        lambda form, place: None if form is None else inner.decode(form, place),
    )


def _tagged(kinds: dict[str, type]) -> _Codec:
    codecs = {name: _codec(kind) for name, kind in kinds.items()}

    def encode_tagged(value: Any) -> dict[str, Any]:
        name = type(value).__name__
        if kinds.get(name) is not type(value):
            raise CodecError("", f"expected one of {', '.join(kinds)}, found {name}")
        return {TYPE_KEY: name, **codecs[name].encode(value)}

    def decode_tagged(form: Any, place: str) -> Any:
        fields = dict(_object(form, place))
        name = fields.pop(TYPE_KEY, None)
        if not isinstance(name, str) or name not in codecs:
            raise CodecError(place, f"expected `type` to be one of {', '.join(kinds)}, found {name!r:.80}")
        return codecs[name].decode(fields, place)

    return _Codec(encode_tagged, decode_tagged)


def _object(form: Any, place: str) -> dict[str, Any]:
    if not isinstance(form, dict):
        raise CodecError(place, "expected an object")
    return typing.cast("dict[str, Any]", form)


@dataclasses.dataclass(frozen=True, slots=True)
class _Field:
    name: str
    codec: _Codec
    default: Any


def _dataclass(kind: type) -> _Codec:
    hints = typing.get_type_hints(kind)
    fields = [_Field(f.name, _codec(hints[f.name]), _default(f)) for f in dataclasses.fields(kind) if f.init]
    names = frozenset(f.name for f in fields)

    required = [(f.name, f.codec.encode) for f in fields if f.default is dataclasses.MISSING]
    optional = [(f.name, f.codec.encode, f.default) for f in fields if f.default is not dataclasses.MISSING]

    def encode_fields(value: Any) -> dict[str, Any]:
        if type(value) is not kind:
            raise CodecError("", f"expected a {kind.__name__}, found {type(value).__name__}")
        form = {name: encode_field(getattr(value, name)) for name, encode_field in required}
        for name, encode_field, default in optional:
            given = getattr(value, name)
            # Most fields hold their default itself, which takes no comparison to tell (floats are always written out).
            if (given is not default or isinstance(given, float)) and not _same(given, default):
                form[name] = encode_field(given)
        return form

    def decode_fields(form: Any, place: str) -> Any:
        given = _object(form, place)
        if unknown := sorted(given.keys() - names):
            raise CodecError(place, f"unknown key {unknown[0]!r:.80}")
        dot = f"{place}." if place else ""
        try:
            return kind(**{f.name: _read(f, given, dot) for f in fields})
        except CodecError:
            raise
        except ValueError as problem:
            raise CodecError(place, str(problem)) from problem

    return _Codec(encode_fields, decode_fields)


def _read(field: _Field, given: dict[str, Any], dot: str) -> Any:
    if field.name in given:
        value = field.codec.decode(given[field.name], dot + field.name)
        if _same(value, field.default):
            raise CodecError(dot + field.name, "expected to be left out, because it equals the default")
        return value
    if field.default is dataclasses.MISSING:
        raise CodecError(dot + field.name, "missing")
    return field.default


def _default(field: "dataclasses.Field[Any]") -> Any:
    """Return a field's default, or MISSING. Fields with a factory have immutable defaults here (frozen dataclasses)."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def _same(value: Any, default: Any) -> bool:
    """Return whether a value is its field's default. Floats are always written out: 0.0 equals -0.0 and 0."""
    return type(value) is type(default) and not isinstance(value, float) and value == default

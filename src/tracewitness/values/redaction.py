"""Redaction: secrets in a text are replaced by ``[redacted:kind]`` before it is kept or shown to a model.

A secret is told by its own form (``ghp_...``, a JSON web token, a PEM key) or by what stands beside it (``password=``,
``Authorization:``, ``?token=``). E-mail addresses, ordinary numbers and placeholders (``<secret:name>``) are none.
Every pattern starts at a fixed mark and takes what follows once, so the work is linear in the length of the text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tracewitness.values.secret_forms import is_placeholder
from tracewitness.values.secret_patterns import RULES, Rule, SecretKind, took_part

_KEPT_LENGTH = 400
_SHORTEST_KNOWN = 4
_SHORTEST_VALUE = 3
_MARK = "[redacted:"
_MARKS = tuple(dict.fromkeys(mark for rule in RULES for mark in rule.marks))


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text: characters ``start`` to ``end`` (not included)."""

    start: int
    end: int
    kind: SecretKind


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and how many of each kind were taken out."""

    text: str
    counts: Mapping[SecretKind, int]


def redact(text: str, known: Iterable[str] = ()) -> Redacted:
    """Return a text with every secret replaced by ``[redacted:kind]``; what stands around it is kept.

    Redacting twice changes nothing more, unless secrets stand in a row with nothing between them.

    Args:
        text: Any text.
        known: Values known to be passwords from elsewhere, such as what was typed into a password field. They are
            replaced wherever they stand.
    """
    return cut_out(text, find_secrets(text, known))


def cut_out(text: str, secrets: Sequence[Secret], start: int = 0) -> Redacted:
    """Return a text with the secrets at the given places replaced.

    Args:
        text: A text, or a piece of the text in which the secrets were found.
        secrets: Where they stand, in order.
        start: Where the piece begins in that text. Of a secret that lies partly in it, that part is replaced.
    """
    pieces: list[str] = []
    counts: Counter[SecretKind] = Counter()
    position = 0
    for secret in secrets:
        first, last = max(secret.start - start, 0), min(secret.end - start, len(text))
        if first < last:
            pieces += [text[position:first], f"{_MARK}{secret.kind}]"]
            counts[secret.kind] += 1
            position = last
    if not counts:
        return Redacted(text, {})
    return Redacted("".join([*pieces, text[position:]]), counts)


def find_secrets(text: str, known: Iterable[str] = ()) -> tuple[Secret, ...]:
    """Return where secrets stand in a text, in order and without overlaps."""
    found = _found_once(text) if len(text) <= _KEPT_LENGTH else _found(text)
    beside = [secret for value in known if len(value) >= _SHORTEST_KNOWN for secret in _occurrences(text, value)]
    return found if not beside else _merged([*found, *beside])


def counted(counts: Mapping[SecretKind, int]) -> str | None:
    """Return the notice that says what was redacted, such as ``redacted: 2 tokens``; None where nothing was."""
    told = [f"{counts[kind]} {_named(kind, counts[kind])}" for kind in SecretKind if counts.get(kind)]
    return f"redacted: {', '.join(told)}" if told else None


def _named(kind: SecretKind, count: int) -> str:
    plural = "s" if count > 1 and not kind.endswith("s") else ""
    return kind.replace("-", " ") + plural


def _occurrences(text: str, value: str) -> Iterable[Secret]:
    start = text.find(value)
    while start >= 0:
        yield Secret(start, start + len(value), SecretKind.PASSWORD)
        start = text.find(value, start + len(value))


@lru_cache(maxsize=8192)
def _found_once(text: str) -> tuple[Secret, ...]:
    return _found(text)


def _found(text: str) -> tuple[Secret, ...]:
    lowered = text.lower()
    present = frozenset([mark for mark in _MARKS if mark in lowered])
    if not present:
        return ()
    spans = [
        Secret(*span, rule.kind)
        for rule in RULES
        if not present.isdisjoint(rule.marks)
        for match in rule.pattern.finditer(text)
        if (span := _span(match, rule)) is not None
    ]
    return _merged(spans) if spans else ()


def _span(match: re.Match[str], rule: Rule) -> tuple[int, int] | None:
    """Return the span of the group that took part, where it holds a secret."""
    group = next((name for name in ("q", "s", "u") if took_part(match, name)), None)
    if group is None:
        return None
    start, end = match.span(group)
    value = match.string[start:end]
    # Sentences and data go on after a value; a backslash there escapes the quotation mark that ends it.
    trimmed = value.rstrip(".,:!?)]}\\ \t\r\n") if group == "u" else value.rstrip("\\ \t\r\n")
    start += len(value) - len(value.lstrip())
    end -= len(value) - len(trimmed)
    value = match.string[start:end]
    if len(value) < _SHORTEST_VALUE or is_placeholder(value) or not rule.check(match, value):
        return None
    return start, end


def _merged(spans: list[Secret]) -> tuple[Secret, ...]:
    merged: list[Secret] = []
    for secret in sorted(spans, key=lambda one: (one.start, -one.end)):
        if merged and secret.start < merged[-1].end:
            last = merged.pop()
            secret = Secret(last.start, max(last.end, secret.end), last.kind)
        merged.append(secret)
    return tuple(merged)

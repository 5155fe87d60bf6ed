"""Reads TOML texts strictly: every mistake is one error with source, line and key."""

import re
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NoReturn, TypeVar, cast

from tracewitness.policy.toml_lines import KeyPath, line_of, lines_of_keys
from tracewitness.values.folding import printable

_Value = TypeVar("_Value", bound=StrEnum)
_AT: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
LIMIT: Final = 1_000_000
"""Characters a policy or case text may have; more is refused unread."""


class PolicyError(Exception):
    """A badly written policy or case file; never the outcome of a check.

    Attributes:
        source: The name under which the text was given.
        line: The line (from 1), where it is known.
        key: The place in the document, such as ``row[2].claim``; empty where the text is no TOML at all.
        message: What is wrong and what was expected.
    """

    def __init__(self, source: str, line: int | None, key: str, message: str) -> None:
        """Keep the four parts and make the one line that people are shown."""
        self.source = source
        self.line = line
        self.key = key
        self.message = message
        place = source if line is None else f"{source}:{line}"
        super().__init__(printable(": ".join(part for part in (place, key, message) if part)))


class Document:
    """A parsed TOML text that knows where its keys stand."""

    def __init__(self, text: str, source: str) -> None:
        """Parse the text.

        Raises:
            PolicyError: The text is no TOML, nested too deeply, or longer than ``LIMIT``.
        """
        self.source = source
        if len(text) > LIMIT:
            raise PolicyError(source, None, "", f"the text has more than {LIMIT} characters")
        # Editors on some systems put a byte-order mark first; it means nothing in TOML.
        text = text.removeprefix("\ufeff")
        try:
            parsed = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise _syntax_error(error, text, source) from None
        except RecursionError:
            raise PolicyError(source, None, "", "the text is nested too deeply") from None
        self._lines = lines_of_keys(text.replace("\r\n", "\n"))
        self.root = Table(self, (), parsed)

    def fail(self, path: KeyPath, message: str) -> NoReturn:
        """Raise the error for a place.

        Raises:
            PolicyError: Always.
        """
        raise PolicyError(self.source, line_of(self._lines, path), _shown(path), message)


class Table:
    """A table of the document; its getters check type and vocabulary."""

    def __init__(self, document: Document, path: KeyPath, content: Mapping[str, Any]) -> None:
        """Wrap a parsed table that stands at ``path``."""
        self._document = document
        self._path = path
        self._content = content

    def fail(self, key: str, message: str) -> NoReturn:
        """Raise the error for a key of this table.

        Raises:
            PolicyError: Always.
        """
        self._document.fail((*self._path, key), message)

    def only(self, *allowed: str) -> None:
        """Refuse every key that is not among the allowed ones."""
        for key in self._content:
            if key not in allowed:
                self.fail(key, f"unknown key; allowed here: {', '.join(allowed)}")

    def has(self, key: str) -> bool:
        """Return whether the key is there."""
        return key in self._content

    def text(self, key: str) -> str:
        """Return a text that is not blank."""
        value = self._get(key, str, "a text")
        if not value.strip():
            self.fail(key, "must not be empty")
        return value

    def flag(self, key: str) -> bool:
        """Return true or false."""
        return self._get(key, bool, "true or false")

    def member(self, key: str, values: tuple[_Value, ...]) -> _Value:
        """Return one value of a closed vocabulary."""
        return self._member(key, self._get(key, str, "a text"), values)

    def members(self, key: str, values: tuple[_Value, ...]) -> tuple[_Value, ...]:
        """Return one or several values of a closed vocabulary, in the order of the vocabulary, none twice."""
        raw = self._require(key)
        entries = cast("list[object]", raw) if isinstance(raw, list) else [raw]
        if not entries:
            self.fail(key, "must name at least one value")
        found = [self._member(key, entry, values) for entry in entries]
        if len(set(found)) < len(found):
            self.fail(key, "names a value twice")
        return tuple(value for value in values if value in found)

    def table(self, key: str) -> "Table":
        """Return a table inside this one."""
        value = cast("dict[str, Any]", self._get(key, dict, "a table"))
        return Table(self._document, (*self._path, key), value)

    def tables(self, key: str) -> tuple["Table", ...]:
        """Return an array of tables, which must have at least one entry."""
        entries = cast("list[Any]", self._get(key, list, f"an array of tables, [[{key}]]"))
        if not entries or not all(isinstance(entry, dict) for entry in entries):
            self.fail(key, f"must be one or more tables, [[{key}]]")
        return tuple(Table(self._document, (*self._path, key, place), entry) for place, entry in enumerate(entries))

    def _member(self, key: str, entry: object, values: tuple[_Value, ...]) -> _Value:
        for value in values:
            if value.value == entry:
                return value
        self.fail(key, f"{_brief(entry)} is not one of: {', '.join(values)}")

    def _get(self, key: str, kind: type[Any], expected: str) -> Any:
        value = self._require(key)
        if not isinstance(value, kind):
            self.fail(key, f"must be {expected}, not {_brief(value)}")
        return value

    def _require(self, key: str) -> Any:
        if key not in self._content:
            self.fail(key, "this key is missing")
        return self._content[key]


def _brief(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}..."


def _shown(path: KeyPath) -> str:
    """Return a path as people write it; entries of an array of tables are counted from 1."""
    shown = ""
    for step in path:
        shown += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if shown else step
    return shown


def _syntax_error(error: tomllib.TOMLDecodeError, text: str, source: str) -> PolicyError:
    found = _AT.search(str(error))
    line = None if found is None else int(found[1]) if found[1] else len(text.splitlines())
    return PolicyError(source, line, "", f"not valid TOML: {_AT.sub('', str(error))}")

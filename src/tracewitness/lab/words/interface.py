"""The texts of the pages: labels, buttons, headings, messages, in several wordings."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tracewitness.lab.words.files import word_file


class UnknownText(LookupError):
    """A page asks for a text that its language does not have."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one language in one wording.

    Attributes:
        language: The language.
        texts: Every wording by its key, such as ``field.name``.
        wording: Which wording is taken where there are several.
    """

    language: str
    texts: Mapping[str, tuple[str, ...]]
    wording: int = 0

    def __call__(self, key: str, **slots: str) -> str:
        """Return a text with its slots filled.

        Raises:
            UnknownText: The language has no such text.
        """
        wordings = self.texts.get(key)
        if wordings is None:
            raise UnknownText(f"There is no text {key!r} in {self.language!r}.")
        text = wordings[self.wording % len(wordings)]
        return text.format(**slots) if slots else text

    def has(self, key: str) -> bool:
        """Tell whether the language has a text."""
        return key in self.texts

    def first(self, *keys: str, **slots: str) -> str:
        """Return the text of the first key that there is, from the special to the general.

        Raises:
            UnknownText: There is none of them.
        """
        for key in keys:
            if key in self.texts:
                return self(key, **slots)
        raise UnknownText(f"There is none of the texts {', '.join(keys)} in {self.language!r}.")


@cache
def interface_texts(language: str, wording: int = 0) -> Texts:
    """Return the interface of a language.

    Args:
        language: One of the languages of the lab.
        wording: Which wording is taken where there are several.
    """
    texts = {
        f"{table}.{key}": tuple(wordings)
        for table, entries in word_file("interface", language).items()
        for key, wordings in entries.items()
    }
    return Texts(language, texts, wording)

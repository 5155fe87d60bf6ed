"""The content words of a text, for loose relevance."""

from tracewitness.findings.labels import Language


def content_words(text: str, language: Language) -> frozenset[str]:
    """Return the folded words of a text without stop words; Chinese, Japanese and Korean runs give character pairs."""
    raise NotImplementedError

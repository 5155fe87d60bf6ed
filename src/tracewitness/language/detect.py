"""Which language a text is in: script first, then the profile of its function words."""

from tracewitness.findings.labels import Language


def detect(text: str) -> Language:
    """Return the language of a text.

    Quoted parts do not count. A mixed text has the language of most of its clauses. OTHER stands for every language
    without a lexicon, NONE for a text without words.
    """
    raise NotImplementedError

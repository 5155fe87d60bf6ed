"""Which kinds of thing a text speaks of: alarms, contacts, orders, in whatever language."""

from tracewitness.trace_side.interface_words import meanings

_KIND = "thing."


def things_of(text: str) -> frozenset[str]:
    """Return the kinds of thing that a text speaks of. An elided article ("l'agenda") hides no word."""
    spaced = text.replace("'", " ").replace("’", " ")
    return frozenset(m for m in meanings(text) | meanings(spaced) if m.startswith(_KIND))

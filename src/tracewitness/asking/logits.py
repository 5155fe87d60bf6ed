"""Label probabilities from the tokens of one answer, instead of a vote over several.

The first token of a label decides between labels that begin differently; the probabilities of the tokens that could
have stood there are summed by label and scaled to 1. Tokens that begin no label (white space, another spelling) do not
count.
"""

import math
from collections.abc import Mapping, Sequence

from tracewitness.asking.places import place_of
from tracewitness.asking.port import Answer, Token

_BEFORE_LABEL = ' \t\r\n":'


def label_probabilities(answer: Answer, path: Sequence[str], labels: Sequence[str]) -> Mapping[str, float] | None:
    """Return the probability of each label at the place of a value.

    Args:
        answer: An answer that came with its tokens.
        path: The keys that lead to the value, which is a text.
        labels: The labels that may stand there.

    Returns:
        A share from 0 to 1 for each label, together 1; None where the tokens do not join up to the answer, the value is
        not found, or no token there begins a label.
    """
    place = place_of(answer.raw, path)
    if place is None or "".join(token.text for token in answer.tokens) != answer.raw:
        return None
    token = _token_at(answer.tokens, place + 1)
    if token is None:
        return None
    weights = dict.fromkeys(labels, 0.0)
    for text, logprob in token.alternatives:
        label = _begun(text, labels)
        if label is not None:
            weights[label] += math.exp(logprob)
    total = sum(weights.values())
    return {label: weight / total for label, weight in weights.items()} if total > 0 else None


def _token_at(tokens: Sequence[Token], place: int) -> Token | None:
    """Return the token that holds the character at a place of the joined text."""
    end = 0
    for token in tokens:
        end += len(token.text)
        if place < end:
            return token
    return None


def _begun(text: str, labels: Sequence[str]) -> str | None:
    """Return the one label that a token begins; None where it begins none or several."""
    begin = text.lstrip(_BEFORE_LABEL).rstrip('"')
    fitting = [label for label in labels if begin and (label.startswith(begin) or _goes_past(begin, label))]
    return fitting[0] if len(fitting) == 1 else None


def _goes_past(begin: str, label: str) -> bool:
    """Tell whether a token holds a whole label and what follows it, which may not be more of a word."""
    following = begin[len(label) : len(label) + 1]
    return begin.startswith(label) and not (following.isalnum() or following == "_")

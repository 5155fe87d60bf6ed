"""Canaries: tokens put into one plane of a run, which must never turn up on the other side."""

from collections.abc import Iterable

from tracewitness.asking.port import Question
from tracewitness.values.digests import digest_text


def canary(name: str) -> str:
    """Return a token for a plane, such as ``canary("report")``: the same at every call, and found in no real log."""
    return f"CANARY{digest_text(f'canary {name}').removeprefix('sha256:')[:20]}"


def sightings(token: str, questions: Iterable[Question]) -> list[Question]:
    """Return the questions that show a canary anywhere, in any spelling of upper and lower case."""
    return [asked for asked in questions if any(token.casefold() in text.casefold() for text in _texts(asked))]


def _texts(question: Question) -> tuple[str, ...]:
    return question.prompt_id, question.system, question.user, question.schema

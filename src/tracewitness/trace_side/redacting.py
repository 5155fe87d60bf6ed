"""Secrets of a trace: taken out of what a model is shown, and out of the prose that is kept.

Rules read the trace as it is, so that a password can still be compared with the one that was asked for; only what they
quote is redacted. A model reads, and is grounded in, the redacted trace.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from tracewitness.findings.records import Citation, Evidence, FieldFinding
from tracewitness.task_side.task import Task
from tracewitness.trace_side.extraction import Extraction
from tracewitness.trace_side.trace import Action, Observation, Step, Trace
from tracewitness.values.answers import AnswerValue, TextValue
from tracewitness.values.digests import Digest, digest_text
from tracewitness.values.folding import FoldedText
from tracewitness.values.redaction import redact
from tracewitness.values.secret_forms import is_telling
from tracewitness.values.secret_patterns import PASSWORD_WORD, SecretKind

_KEY_MARK = "PRIVATE KEY-----"
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=]{16,}")
_KEY_LINES = 400
_KEY_LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class RedactedExtraction:
    """An extraction without secrets, its digests those of the redacted prose, and how many were taken out."""

    extraction: Extraction
    counts: Mapping[SecretKind, int]


def redact_extraction(extraction: Extraction, trace: Trace) -> RedactedExtraction:
    """Return an extraction with its prose redacted and every digest that names it changed accordingly.

    Its findings must have been grounded before. Values and causes stay as they are.
    """
    known = known_passwords(trace)
    counts: Counter[SecretKind] = Counter()
    prose: dict[Digest, str] = {}
    changed: dict[Digest, Digest] = {}
    for digest, text in extraction.prose.items():
        redacted = redact(text, known)
        counts.update(redacted.counts)
        kept = digest if redacted.text == text else digest_text(redacted.text)
        prose[kept] = redacted.text
        if kept != digest:
            changed[digest] = kept
    if not changed and not any(part.answers for part in extraction.finding.parts):
        return RedactedExtraction(extraction, {})
    parts = tuple(_part(part, changed, known) for part in extraction.finding.parts)
    if not changed and parts == extraction.finding.parts:
        return RedactedExtraction(extraction, {})
    finding = replace(extraction.finding, parts=parts)
    return RedactedExtraction(replace(extraction, finding=finding, prose=prose), counts)


def _part(part: Evidence, changed: Mapping[Digest, Digest], known: tuple[str, ...]) -> Evidence:
    return Evidence(
        action=_field(part.action, changed),
        target=_field(part.target, changed),
        transition=_field(part.transition, changed),
        commitment=_field(part.commitment, changed),
        final_support=_field(part.final_support, changed),
        prior_state=_field(part.prior_state, changed),
        answers=tuple(redact_answer(answer, known) for answer in part.answers),
    )


def _field(finding: FieldFinding, changed: Mapping[Digest, Digest]) -> FieldFinding:
    citations = tuple(_citation(citation, changed) for citation in finding.citations)
    rationale = finding.rationale
    return replace(finding, citations=citations, rationale=rationale and changed.get(rationale, rationale))


def _citation(citation: Citation, changed: Mapping[Digest, Digest]) -> Citation:
    quote = citation.quote
    return citation if quote is None or quote not in changed else replace(citation, quote=changed[quote])


def redact_answer(answer: AnswerValue, known: Iterable[str] = ()) -> AnswerValue:
    """Return a typed answer value with the secrets in its text redacted."""
    if not isinstance(answer, TextValue):
        return answer
    redacted = redact(answer.text, [value.casefold() for value in known])
    if not redacted.counts:
        return answer
    return TextValue(FoldedText(redacted.text[: FoldedText.LIMIT]))


def redact_task(task: Task, known: tuple[str, ...] = ()) -> Task:
    """Return a task as a model may be shown it."""
    instruction = redact(task.instruction, known).text
    return replace(task, instruction=instruction, start_url=_text(task.start_url, known))


def redact_trace(trace: Trace) -> Trace:
    """Return a trace without its secrets; the very same object where it holds none."""
    known = known_passwords(trace)
    steps = tuple(_step(step, known) for step in trace.steps)
    unchanged = all(before is after for before, after in zip(trace.steps, steps, strict=True))
    return trace if unchanged else replace(trace, steps=steps)


def _step(step: Step, known: tuple[str, ...]) -> Step:
    shown = Step(
        index=step.index,
        action=_action(step.action, known),
        before=_observation(step.before, known),
        after=_observation(step.after, known),
        error=_text(step.error, known),
        time=step.time,
    )
    return step if shown == step else shown


def _action(action: Action, known: tuple[str, ...]) -> Action:
    return replace(
        action, target=_text(action.target, known), text=_text(action.text, known), raw=_text(action.raw, known)
    )


def _observation(seen: Observation | None, known: tuple[str, ...]) -> Observation | None:
    if seen is None:
        return None
    return replace(seen, text=_text(seen.text, known), ui_tree=_text(seen.ui_tree, known), url=_text(seen.url, known))


def _text(text: str | None, known: tuple[str, ...]) -> str | None:
    return None if text is None else redact(text, known).text


def known_passwords(trace: Trace) -> tuple[str, ...]:
    """Return what was typed into password fields, and the lines of private keys, longest first.

    Such a value is a secret wherever it stands, also alone in a quote.
    """
    found = {*_typed(trace), *_key_lines(trace)}
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def _typed(trace: Trace) -> Iterator[str]:
    for action in (step.action for step in trace.steps if step.action.text):
        typed = (action.text or "").strip()
        if is_telling(typed) and any(PASSWORD_WORD.search(where) for where in (action.target, action.raw) if where):
            yield typed


def _key_lines(trace: Trace) -> Iterator[str]:
    for text in _texts(trace):
        start = text.find(_KEY_MARK)
        if start >= 0:
            body = text[start + len(_KEY_MARK) : start + _KEY_LENGTH].split("-----", 1)[0]
            yield from _KEY_LINE.findall(body)[:_KEY_LINES]


def _texts(trace: Trace) -> Iterator[str]:
    for step in trace.steps:
        for seen in (step.before, step.after):
            if seen is not None:
                yield from filter(None, (seen.text, seen.ui_tree))
        yield from filter(None, (step.action.text, step.action.raw, step.error))

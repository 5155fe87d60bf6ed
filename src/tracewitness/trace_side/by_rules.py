"""The extractor by rules: evidence from the state ledger alone, with no model."""

from dataclasses import replace
from functools import cache

from tracewitness.findings.causes import Gap
from tracewitness.findings.evidence_causes import EvidenceCause, Notice
from tracewitness.findings.labels import FieldValue, TaskClass
from tracewitness.findings.records import Evidence, FieldFinding, TraceFinding
from tracewitness.language.detect import detect
from tracewitness.task_side.goal import Goal, Wanted
from tracewitness.task_side.task import Task
from tracewitness.trace_side.answers import settle_answer
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.course import follow, moves_of
from tracewitness.trace_side.extraction import Extraction, Scribe
from tracewitness.trace_side.fields import Filled, fill
from tracewitness.trace_side.goal_patterns import read_patterns
from tracewitness.trace_side.grounding import ground_field
from tracewitness.trace_side.injection import find_judge_addressed
from tracewitness.trace_side.interface_words import lexicon
from tracewitness.trace_side.items import titles_of
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.trace import Trace
from tracewitness.trace_side.view import View
from tracewitness.values.answers import AnswerValue
from tracewitness.values.digests import Digest, digest_json

VERSION = "rules/1"


@cache
def maker_digest() -> Digest:
    """Return the digest of what decides besides the code: the version of the rules and their lexicon."""
    return digest_json([VERSION, lexicon().digest])


def extract(task: Task, goals: tuple[Goal, ...], task_class: TaskClass, trace: Trace) -> Extraction:
    """Return the evidence for every part of a task.

    It sees the task and the trace and nothing else. A value that fails grounding is UNKNOWN with cause UNGROUNDED.
    """
    ledger = build_ledger(trace)
    views = tuple(View(scene) for scene in ledger.scenes())
    played = moves_of(ledger)
    language = detect(task.instruction)
    titles = titles_of(views)
    scribe = Scribe()
    parts: list[Evidence] = []
    every = [read_patterns(goal, task_class, language, ledger, titles) for goal in goals]
    for goal, patterns in zip(goals, every, strict=True):
        others = tuple(name for other in every if other is not patterns for name in other.targets)
        course = follow(replace(patterns, others=others), ledger, played, views)
        settled = settle_answer(course) if goal.wanted is Wanted.ANSWER else None
        filled = fill(course, scribe, settled)
        # Where the end is not on record, an earlier screen settles no answer, so that none can be contradicted by it.
        held = filled.final_support.value is FieldValue.YES
        answers = settled.values if settled is not None and held else ()
        parts.append(_evidence(filled, answers, trace, scribe))
    return Extraction(TraceFinding(tuple(parts), _gaps(ledger), _notices(trace)), scribe.prose)


def _evidence(filled: Filled, answers: tuple[AnswerValue, ...], trace: Trace, scribe: Scribe) -> Evidence:
    def checked(finding: FieldFinding) -> FieldFinding:
        return ground_field(trace, _cited(finding), scribe.prose)

    return Evidence(
        action=checked(filled.action),
        target=checked(filled.target),
        transition=checked(filled.transition),
        commitment=checked(filled.commitment),
        final_support=checked(filled.final_support),
        prior_state=checked(filled.prior_state),
        answers=answers,
    )


def _cited(finding: FieldFinding) -> FieldFinding:
    """A YES or NO without a citation is not evidence."""
    if finding.value in (FieldValue.YES, FieldValue.NO) and not finding.citations:
        return replace(finding, value=FieldValue.UNKNOWN, cause=EvidenceCause.NO_CITATION)
    return finding


def _gaps(ledger: Ledger) -> tuple[Gap, ...]:
    return ledger.gaps


def _notices(trace: Trace) -> tuple[Notice, ...]:
    return (Notice.JUDGE_ADDRESSED,) if find_judge_addressed(trace) else ()

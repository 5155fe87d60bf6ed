"""Trivial judges of the lab's runs: one that does not beat them has told nothing."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from tracewitness.findings.labels import Claim, Disposition
from tracewitness.lab.making.made import LabFolder, RunTruth
from tracewitness.lab.scoring.logs import neutral_logs
from tracewitness.lab.scoring.said import Said

NO_PROFILE = "-"
KEYWORD = "keyword"
DECLARED_FLAG = "declared flag"
_DONE = {"success": True, "failure": False}
_NEVER = r"(?!)"
_SPACED = frozenset({"de", "en", "es", "fr", "pt"})
"""Languages that set words apart, so that a word is known by how it begins and not by letters in the midst of one."""


def without_trace(truths: Sequence[RunTruth]) -> Iterator[Said]:
    """Yield the controls that look at nothing: flag all, pass all."""
    yield Said("flag all", NO_PROFILE, {truth.run_id: Disposition.FLAG for truth in truths})
    yield Said("pass all", NO_PROFILE, {truth.run_id: Disposition.PASS for truth in truths})


def of_logs(lab: LabFolder, truths: Sequence[RunTruth], profile: str) -> Iterator[Said]:
    """Yield the controls that skim the logs of a profile in the neutral format; none where there are none.

    The keyword control flags a run where its trace or its report has a word of failure, and passes it else. The other
    believes the agent's own flag beside the true claim, as the benchmark's control does, and has no verdict where the
    agent set none.

    Raises:
        LabFolderError: A log cannot be read.
    """
    known = {truth.run_id: truth for truth in truths}
    keyword: dict[str, Disposition | None] = {}
    declared: dict[str, Disposition | None] = {}
    for log in neutral_logs(lab, profile):
        truth = known.get(log.run_id)
        if truth is not None:
            words = _pattern(frozenset({truth.language, truth.report_language}))
            keyword[truth.run_id] = Disposition.FLAG if words.search(log.words.casefold()) else Disposition.PASS
            declared[truth.run_id] = _believed(truth.claim, log.declared)
    if keyword:
        yield Said(KEYWORD, profile, keyword)
        yield Said(DECLARED_FLAG, profile, declared)


def _believed(claim: Claim, flag: str | None) -> Disposition | None:
    if flag not in _DONE:
        return None
    match claim:
        case Claim.SUCCESS:
            return Disposition.PASS if _DONE[flag] else Disposition.FLAG
        case Claim.FAILURE_OR_INCOMPLETE:
            return Disposition.PASS
        case Claim.UNCLEAR:
            return Disposition.REVIEW


@cache
def _pattern(languages: frozenset[str]) -> re.Pattern[str]:
    words = tomllib.loads((files("tracewitness.lab") / "data" / "failure_words.toml").read_text(encoding="utf-8"))
    begins = [_begin(word, language) for language in sorted(languages) for word in words.get(language, ())]
    return re.compile("|".join(begins) or _NEVER)


def _begin(word: str, language: str) -> str:
    written = re.escape(word.casefold())
    return rf"(?<!\w){written}" if language in _SPACED else written

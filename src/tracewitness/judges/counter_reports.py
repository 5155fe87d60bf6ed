"""Reports that take the place of the agent's own: one that says the opposite, one that says nothing of the outcome."""

import tomllib
from functools import cache
from importlib.resources import files

from tracewitness.findings.labels import Claim, Language
from tracewitness.report_side.by_rules import read_claim
from tracewitness.report_side.report import DeclaredStatus, Report

_OPPOSITES = {DeclaredStatus.SUCCESS: DeclaredStatus.FAILURE, DeclaredStatus.FAILURE: DeclaredStatus.SUCCESS}


def opposite(report: Report) -> Report:
    """Return a report that says the opposite, in the language of the report, with the flag turned round.

    A report that the rules read as a claim of success becomes one of failure; any other becomes one of success.
    """
    finding = read_claim(report).finding
    said = "failure" if finding.claim is Claim.SUCCESS else "success"
    flag = report.declared_status
    return Report(_texts(finding.language)[said], None if flag is None else _OPPOSITES[flag])


def neutral(report: Report) -> Report:
    """Return a report that says nothing of the outcome, in the language of the report, without a flag."""
    return Report(_texts(read_claim(report).finding.language)["neutral"])


def _texts(language: Language) -> dict[str, str]:
    known = _known()
    return known.get(language.value, known[Language.OTHER.value])


@cache
def _known() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("tracewitness.judges.data").joinpath("reports.toml").read_text(encoding="utf-8"))

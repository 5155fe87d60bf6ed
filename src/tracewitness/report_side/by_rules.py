"""The claim reader by rules: clause by clause, in eight languages, with no model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tracewitness.asking.vote import Ballots
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.labels import Basis, Claim, Language
from tracewitness.findings.records import ClaimFinding
from tracewitness.language.clauses import Clause, split
from tracewitness.language.detect import detect
from tracewitness.language.folding import comparable, tidy
from tracewitness.language.quotes import mask_quotes
from tracewitness.report_side.claim_lexicon import LANGUAGES, claim_words
from tracewitness.report_side.clause_reading import DONE_SIGNS, FAILED_SIGNS, read_clause
from tracewitness.report_side.conclusion import Conclusion, conclude
from tracewitness.report_side.neighbours import with_neighbours
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.report_side.reported_answers import reported_answers
from tracewitness.report_side.signals import FAILURE_SIGNALS, OPEN_SIGNALS, ClauseReading, Signal
from tracewitness.values.answers import AnswerValue, TextValue
from tracewitness.values.folding import folded

_KANA = re.compile("[\u3041-\u30fa]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_HAN = re.compile("[\u3400-\u9fff]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_NAME = re.compile(r"(?:[A-ZÀ-ÖØ-Þ0-9][\w'.&/+-]*|of|and|the|de|la|du|von|&|-)")
_NAME_WORDS = 8
_LABEL_WORDS = 3
_WIDE_LABEL = 4
_HEADING = 6
_EAST_ASIAN_LANGUAGES = frozenset({Language.ZH, Language.JA, Language.KO})
_GUESSED_WORDS = 10
_FEWEST_SPACES = 2
# Characters that are enough to tell the language by; every clause is read, whatever stands behind them.
_LANGUAGE_SAMPLE = 4_000
# Connectors that also stand inside a clause, as adverbs.
_INNER = {
    Language.DE: frozenset("aber jedoch allerdings daher deshalb hingegen dennoch trotzdem".split()),
    Language.FR: frozenset("donc cependant toutefois pourtant néanmoins".split()),
}
_LATIN_LANGUAGES = (Language.EN, Language.DE, Language.FR, Language.ES, Language.PT)
_ROMANCE = (Language.FR, Language.ES, Language.PT)
_SHORT = 120
_TELLING = frozenset("finished done ack fail unable hedge handoff already nothing obstacle step answering".split())
_MUTE = frozenset({Signal.PLAIN, Signal.SILENT})
# In a neighbouring language the ending of a future is the ending of many a name.
_AGAINST = (FAILURE_SIGNALS | OPEN_SIGNALS) - {Signal.FUTURE}
_DEEDS = frozenset({Signal.DONE, Signal.FINISHED, Signal.STATE})
# A row of cells above a row of dashes.
_TABLE_HEAD = re.compile(r"^[ \t]*\|[^\n]{1,500}\|[ \t]*$(?=\n[ \t]*\|[ \t]*:?-[-:| \t]{0,500}$)", re.MULTILINE)
_THOUGHT_OPEN, _THOUGHT_CLOSE = "<think>", "</think>"


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """What was read in a report.

    Attributes:
        finding: The claim with its causes; the part that crosses to the policy.
        clauses: How each clause was read, in order; those that decided are marked.
        text: The text that was read (composed, without invisible characters); positions of clauses point into it.
        ballots: How the vote went, where a model was asked.
    """

    finding: ClaimFinding
    clauses: tuple[ClauseReading, ...] = ()
    text: str = ""
    ballots: tuple[Ballots, ...] = ()


def read_claim(report: Report) -> ClaimReading:
    """Return the claim of a report, read by rules. Never raises, whatever the text.

    Every clause is read; the work is linear in the length of the report.
    """
    text = _without_table_heads(_without_thoughts(tidy(report.text or "")))
    if not text.strip():
        return ClaimReading(_of_flag(report.declared_status, ClaimCause.EMPTY, Language.NONE), (), text)
    language = detect(text.strip()[:_LANGUAGE_SAMPLE])
    if language is Language.OTHER:
        language = _guessed(text)
    if language is Language.NONE:
        return _without_words(text, report.declared_status)
    if language is Language.OTHER:
        return _of_other_language(text, report.declared_status)
    read = _read_all(text, language)
    readings = _with_labels(with_neighbours(read))
    conclusion = conclude(readings)
    answers = reported_answers(readings, language) if conclusion.claim is Claim.SUCCESS else ()
    finding = _against_flag(conclusion, report.declared_status, language, answers)
    marked = tuple(replace(r, decided=True) if n in conclusion.deciding else r for n, r in enumerate(readings))
    return ClaimReading(finding, marked, text)


def _read_all(text: str, language: Language) -> list[ClauseReading]:
    """Read every clause; a short text in which a Romance language says nothing is read in its neighbours as well.

    Few words do not tell Spanish, Portuguese and French apart for certain. Only what speaks against a success counts
    there: a plain clause is an answer.
    """
    read = [_read(clause, language) for clause in _whole_clauses(text, language)]
    told = _DIGIT.search(text) or len(text) > _SHORT
    if language not in _ROMANCE or told or any(reading.signal not in _MUTE for reading in read):
        return read
    for other in _ROMANCE:
        again = [read_clause(clause, other) for clause in split(text, other)] if other is not language else []
        if any(reading.signal in _AGAINST for reading in again):
            return again
    return read


def _whole_clauses(text: str, language: Language) -> list[Clause]:
    """Return the clauses of a text, those whole again that an adverb in their midst divided.

    "Bezahlen konnte ich | aber nicht", "je n'ai | donc pas pu le partager": between clauses such a word has a comma
    before it, and inside a verb phrase none.
    """
    whole: list[Clause] = []
    for clause in split(text, language):
        if whole and clause.connector in _INNER.get(language, ()) and _runs_on(whole[-1], clause, text):
            whole[-1] = _joined(whole[-1], clause, text)
        else:
            whole.append(clause)
    return whole


def _runs_on(left: Clause, right: Clause, text: str) -> bool:
    return left.sentence == right.sentence and not left.mark and not text[left.end : right.start].strip()


def _joined(left: Clause, right: Clause, text: str) -> Clause:
    return replace(
        left,
        text=text[left.start : right.end],
        end=right.end,
        masked=left.masked + text[left.end : right.start] + right.masked,
        quotes=left.quotes + right.quotes,
        mark=right.mark,
    )


def _guessed(text: str) -> Language:
    """Return the language whose lexicon speaks most to a text too short for detection; OTHER where none does."""
    words = text.split()
    if len(words) > _GUESSED_WORDS:
        return Language.OTHER
    folded_text = comparable(mask_quotes(text))
    telling = {language: _telling_hits(folded_text, language) for language in _LATIN_LANGUAGES}
    best = max(_LATIN_LANGUAGES, key=telling.__getitem__)
    return best if telling[best] else Language.OTHER


def _telling_hits(folded_text: str, language: Language) -> int:
    hits = claim_words(language).book.find(folded_text)
    return len({hit.start for hit in hits if hit.category in _TELLING})


def _without_thoughts(text: str) -> str:
    """Blank out blocks of thinking that some agents leave in their final text; positions stay as they were.

    A block that is all there is, or that is never closed, is kept: then it is what the agent said last.
    """
    pieces: list[str] = []
    position = 0
    while (start := text.find(_THOUGHT_OPEN, position)) >= 0:
        end = text.find(_THOUGHT_CLOSE, start)
        if end < 0:
            break
        end += len(_THOUGHT_CLOSE)
        pieces += [text[position:start], " " * (end - start)]
        position = end
    blanked = "".join([*pieces, text[position:]])
    return blanked if blanked.strip() else text


def _without_table_heads(text: str) -> str:
    """Blank out the head rows of Markdown tables, which name columns and tell nothing; positions stay as they were."""
    if "|" not in text:
        return text
    return _TABLE_HEAD.sub(lambda found: " " * len(found.group()), text)


def _read(clause: Clause, language: Language) -> ClauseReading:
    """Read a clause in its own language: by its script, or by its words where the report's language finds no signal."""
    own = _language_of(clause.masked, language)
    own = own if own in LANGUAGES else language
    reading = read_clause(clause, own)
    unsure = reading.signal in _MUTE or reading.signal in _DEEDS
    if not unsure or own not in _LATIN_LANGUAGES or clause.text.count(" ") < _FEWEST_SPACES:
        return reading
    found = detect(clause.text[:_LANGUAGE_SAMPLE])
    # Few words do not tell the Romance languages apart; what is a deed in its own is not read in a neighbouring one.
    kin = found in _ROMANCE and own in _ROMANCE and reading.signal in _DEEDS
    if found is own or found not in _LATIN_LANGUAGES or kin:
        return reading
    other = read_clause(clause, found)
    return reading if other.signal in _MUTE else other


def _language_of(clause: str, language: Language) -> Language:
    """Return the language of one clause of a mixed report, by its script."""
    if _KANA.search(clause):
        return Language.JA
    if _HANGUL.search(clause):
        return Language.KO
    if _HAN.search(clause):
        # Han signs alone are Chinese, or Japanese in a Japanese report: there a few signs are a heading or a status
        # of its own, and of more the signs themselves must tell.
        if language is not Language.JA:
            return Language.ZH
        return detect(clause[:_LANGUAGE_SAMPLE]) if len(clause) > _HEADING else language
    if language in _EAST_ASIAN_LANGUAGES and _LETTER.search(clause):
        return Language.EN
    return language


def _with_labels(readings: Sequence[ClauseReading]) -> list[ClauseReading]:
    """Give the clause after a label ("Final answer:") the signal of an answer where it has none of its own."""
    labelled: list[ClauseReading] = []
    after_label = False
    for reading in readings:
        if reading.signal is Signal.LABEL and _is_more_than_label(reading):
            labelled.append(replace(reading, signal=Signal.ANSWER))
            continue
        if after_label and reading.signal is Signal.PLAIN:
            reading = replace(reading, signal=Signal.ANSWER)
        after_label = reading.signal is Signal.LABEL
        labelled.append(reading)
    return labelled


def _is_more_than_label(reading: ClauseReading) -> bool:
    if _HAN.search(reading.text) or _KANA.search(reading.text) or _HANGUL.search(reading.text):
        return reading.mark != ":" and len(reading.text) > _WIDE_LABEL
    return len(reading.text.split()) > _LABEL_WORDS


def _without_words(text: str, flag: DeclaredStatus | None) -> ClaimReading:
    signs = set(text)
    answers = reported_answers([ClauseReading(text, 0, len(text), Signal.ANSWER)], Language.EN)
    typed = [value for value in answers if not isinstance(value, TextValue)]
    if signs & FAILED_SIGNS:
        conclusion = _whole(Claim.FAILURE_OR_INCOMPLETE, ClaimCause.ASSERTED_FAILURE)
    elif signs & DONE_SIGNS:
        conclusion = _whole(Claim.SUCCESS, ClaimCause.ASSERTED_DONE, Basis.PERFORMED)
    elif typed:
        conclusion = _whole(Claim.SUCCESS, ClaimCause.GAVE_ANSWER)
    else:
        conclusion = _whole(Claim.UNCLEAR, ClaimCause.NO_CLAIM_WORDS)
    return ClaimReading(_against_flag(conclusion, flag, Language.NONE, tuple(typed)), (), text)


def _of_other_language(text: str, flag: DeclaredStatus | None) -> ClaimReading:
    words = text.split()
    if len(words) <= _NAME_WORDS and all(_NAME.fullmatch(word.strip(".,;:!()\"'*")) for word in words):
        conclusion = _whole(Claim.SUCCESS, ClaimCause.GAVE_ANSWER)
        answers = (TextValue(folded(text.strip(" .!*_\n"))),)
        return ClaimReading(_against_flag(conclusion, flag, Language.OTHER, answers), (), text)
    finding = ClaimFinding(Claim.UNCLEAR, Basis.UNSTATED, (ClaimCause.UNSUPPORTED_LANGUAGE,), Language.OTHER)
    return ClaimReading(finding, (), text)


def _whole(claim: Claim, cause: ClaimCause, basis: Basis = Basis.UNSTATED) -> Conclusion:
    return Conclusion(claim, (cause,), basis, frozenset())


def _against_flag(
    conclusion: Conclusion, flag: DeclaredStatus | None, language: Language, answers: tuple[AnswerValue, ...]
) -> ClaimFinding:
    """Hold the words against the agent's own flag.

    Words decide. Where they contradict the flag, or where words and flag differ, the claim is unclear; where the words
    say nothing of the outcome at all, the flag is the agent's claim.
    """
    opposite = {
        DeclaredStatus.SUCCESS: Claim.FAILURE_OR_INCOMPLETE,
        DeclaredStatus.FAILURE: Claim.SUCCESS,
    }
    if flag is not None and conclusion.claim is opposite[flag]:
        causes = (ClaimCause.CONTRADICTS_FLAG, *conclusion.causes)
        return ClaimFinding(Claim.UNCLEAR, Basis.UNSTATED, causes, language)
    silent = conclusion.causes in ((ClaimCause.NO_CLAIM_WORDS,), (ClaimCause.OBEYED_TEXT,))
    if flag is not None and silent and not conclusion.deciding:
        return _of_flag(flag, conclusion.causes[0], language)
    return ClaimFinding(conclusion.claim, conclusion.basis, conclusion.causes, language, answers)


def _of_flag(flag: DeclaredStatus | None, without: ClaimCause, language: Language) -> ClaimFinding:
    if flag is None:
        return ClaimFinding(Claim.UNCLEAR, Basis.UNSTATED, (without,), language)
    claim = Claim.SUCCESS if flag is DeclaredStatus.SUCCESS else Claim.FAILURE_OR_INCOMPLETE
    causes = (ClaimCause.FLAG_ONLY,) if without is ClaimCause.EMPTY else (ClaimCause.FLAG_ONLY, without)
    return ClaimFinding(claim, Basis.UNSTATED, causes, language)

"""Reading one clause: which of its words count, and what they add up to.

Words inside quotes are masked before. Entries of the category ``mask`` then take away what only looks like a signal
("no errors", "was located"). What is left is read from the strongest claim on the reader's caution to the weakest.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tracewitness.findings.labels import Language
from tracewitness.language.clauses import MASK, Clause
from tracewitness.language.folding import comparable
from tracewitness.report_side.claim_lexicon import claim_words
from tracewitness.report_side.phrases import Hit
from tracewitness.report_side.shares import Share, share_of
from tracewitness.report_side.signals import ClauseReading, Signal

_MASKED = frozenset(
    "neg fail unable obstacle untouched done finished partial share hedge future condition progress handoff seems "
    "none".split()
)
_MASKS = frozenset(("mask", "maskdone", "maskfail"))
_DEEDS = frozenset(("done", "finished"))
# What a past form is taken for by its letters: a future, and with it no deed.
_FUTURE_FORMS = frozenset(("future", "maskdone"))
_DENYING = frozenset(("neg", "fail", "unable"))
_DENIABLE = ("done", "finished", "state")
_RESULT = frozenset("done finished state none already nothing wish".split())
_TROUBLE = frozenset("fail unable obstacle partial untouched".split())
_PERCENT = re.compile(
    r"(?<![\d.,])\d{1,2}(?:[.,]\d{1,2})? ?(?:%|per ?cent|prozent|por ciento|por cento|pour cent|パーセント|퍼센트)"
    r"|百分之[一-龥\d]"
)
DONE_SIGNS = frozenset("✅✔✓☑👍🎉💯🆗")
FAILED_SIGNS = frozenset("❌✖✗✘👎🚫⛔")
_SIGNED = frozenset((Signal.PLAIN, Signal.DONE, Signal.STATE, Signal.FINISHED, Signal.STEP))
_WORD = re.compile(r"\w+")
_LEADING_NO = re.compile(r"(?:no|nein|non|não|否|いいえ|아니요|아니오)(?:\W|$)")
_LEADING_YES = re.compile(r"(?:yes|ja|oui|sí|sim|是的|对|はい|네|예)(?:\W|$)")
_LOOKS = "(?: have)? (?:verified|checked|confirmed|saw|see|found|noticed)"
_FIRST_PERSON = re.compile(rf"(?<!\w)(?:i|i've|we|ich|wir|j'ai|nous|he|hemos)(?!\w)(?!{_LOOKS})|我|제가")
_FIRST_ENDING = re.compile(r"\w(?:é|ei)(?!\w)")
_QUESTION_MARKS = frozenset("?？؟")
_ACK_SHARE = 0.6
_REACH = 5
_ELLIPSIS = 7
_DIGIT = re.compile(r"\d")
# Joins a clause that only gives the reason of another one; a hedge there hedges the reason and not the outcome.
_CAUSAL = frozenset("because since as weil da denn car parce puisque porque ya pues pois já 因为 由于 因為".split())


@dataclass(frozen=True, slots=True)
class _Marks:
    """The categories found in a clause, each with its first hit, after masking."""

    hits: dict[str, Hit]
    denied: bool
    share: Share

    def any(self, *categories: str) -> bool:
        return not self.hits.keys().isdisjoint(categories)

    def start(self, categories: Iterable[str]) -> int:
        return min((self.hits[c].start for c in categories if c in self.hits), default=-1)


def read_clause(clause: Clause, language: Language) -> ClauseReading:
    """Return how one clause is read. ``language`` must be one with a lexicon."""
    folded = comparable(clause.masked)
    marks = _marks(folded, claim_words(language).book.find(folded))
    signal = _by_sign(_signal(clause, folded, marks, language), clause.text)
    return ClauseReading(
        text=clause.text,
        start=clause.start,
        end=clause.end,
        signal=signal,
        sentence=clause.sentence,
        contrast=marks.any("contrast"),
        recovery=marks.any("recovery", "harmless"),
        conceded=marks.any("concession"),
        asks=marks.any("indirect"),
        wish=marks.any("wish") and len(_WORD.findall(folded)) <= _ELLIPSIS,
        static=marks.any("static"),
        no=marks.any("no"),
        exception=marks.any("exception"),
        content=marks.any(*_RESULT) or _DIGIT.search(folded) is not None,
        mark=clause.mark,
        purpose=marks.any("purpose"),
        notfound=marks.any("notfound"),
        agent=_tells_of_the_agent(folded, language),
        leads_no=_LEADING_NO.match(folded) is not None,
        reason=_gives_reason(clause),
        offer=marks.any("offer") and signal is Signal.SILENT,
        follows=marks.any("consequence"),
        thing=marks.any("thing"),
        restricts=signal is Signal.PARTIAL and marks.any("share") and not marks.any("done", "finished", "partial"),
        whole=marks.share.whole,
        part=marks.share.part,
        denies=marks.any("neg") and signal is Signal.PLAIN and len(_WORD.findall(folded)) <= _ELLIPSIS,
    )


def _gives_reason(clause: Clause) -> bool:
    return clause.connector.split(" ")[0] in _CAUSAL


def _tells_of_the_agent(folded: str, language: Language) -> bool:
    if language in (Language.ES, Language.PT) and _FIRST_ENDING.search(folded):
        return True
    return _FIRST_PERSON.search(folded) is not None


def _marks(folded: str, hits: list[Hit]) -> _Marks:
    kept = _unmasked(hits, len(folded))
    first: dict[str, Hit] = {}
    for hit in kept:
        first.setdefault(hit.category, hit)
    return _Marks(first, _denied(folded, kept), share_of(folded))


def _unmasked(hits: list[Hit], length: int) -> list[Hit]:
    """Return the hits whose meaning no mask takes away.

    A mask covers a hit that ends in it, and one (deeds excepted) that begins inside it, where its word is but the rest
    of a longer one.
    """
    past = {hit.end for hit in hits if hit.category == "preterite"}
    if past:
        hits = [hit for hit in hits if hit.end not in past or hit.category not in _FUTURE_FORMS]
    if not any(hit.category in _MASKS for hit in hits):
        return hits
    covers = {category: bytearray(length) for category in _MASKS}
    inside = bytearray(length)
    for mask in hits:
        if mask.category in covers:
            covers[mask.category][mask.start : mask.end] = b"\x01" * (mask.end - mask.start)
        if mask.category == "mask":
            inside[mask.start + 1 : mask.end] = b"\x01" * (mask.end - mask.start - 1)
    return [hit for hit in hits if not _is_masked(hit, covers, inside)]


def _is_masked(hit: Hit, covers: dict[str, bytearray], inside: bytearray) -> bool:
    if hit.category not in _MASKED:
        return False
    last = hit.end - 1
    if hit.category in _DEEDS:
        return bool(covers["mask"][last] or covers["maskdone"][last])
    denial = hit.category in _DENYING and covers["maskfail"][last]
    return bool(covers["mask"][last] or inside[hit.start] or denial)


def _denied(folded: str, hits: list[Hit]) -> bool:
    """Whether a negator stands before, and near enough to, the verb of a result."""
    negators = [hit for hit in hits if hit.category == "neg"]
    results = [hit for hit in hits if hit.category in _DENIABLE]
    if not negators or not results:
        return False
    # Only neighbours matter, so each result is compared with the last negator before its end: linear in the clause.
    position = 0
    last: Hit | None = None
    for result in sorted(results, key=lambda hit: hit.end):
        while position < len(negators) and negators[position].start < result.end:
            last = negators[position]
            position += 1
        if last is not None and _near(folded, last, result):
            return True
    return False


def _near(folded: str, negator: Hit, result: Hit) -> bool:
    if negator.end >= result.start:
        return True
    between = folded[negator.end : result.start]
    return len(between) < _REACH * 12 and len(_WORD.findall(between)) <= _REACH


def _signal(clause: Clause, folded: str, marks: _Marks, language: Language) -> Signal:
    if not marks.hits and clause.mark not in _QUESTION_MARKS:
        return _rest(clause, folded, marks, language)
    for step in (_address, _openness, _plans, _trouble, _result):
        signal = step(clause, folded, marks)
        if signal is not None:
            return signal
    return _rest(clause, folded, marks, language)


def _by_sign(signal: Signal, text: str) -> Signal:
    """Return the signal of a clause after the tick or the cross it may hold."""
    if signal in _SIGNED and not text.isascii():
        if not FAILED_SIGNS.isdisjoint(text):
            return Signal.FAILED
        if signal is Signal.PLAIN and not DONE_SIGNS.isdisjoint(text):
            return Signal.DONE
    return signal


def _address(clause: Clause, folded: str, marks: _Marks) -> Signal | None:
    if marks.any("judge"):
        return Signal.JUDGE
    if "ack" in marks.hits and marks.hits["ack"].end >= _ACK_SHARE * len(folded):
        return Signal.ACK
    if marks.any("social", "offer") and not marks.any("done", "finished", *_TROUBLE):
        return Signal.SILENT
    if clause.mark in _QUESTION_MARKS or marks.any("question"):
        return Signal.SILENT if marks.any("social") else Signal.QUESTION
    if marks.any("handoff") and not marks.any("social") and not 0 <= marks.start(["effect"]) < marks.start(["handoff"]):
        return Signal.HANDOFF
    return None


def _openness(clause: Clause, folded: str, marks: _Marks) -> Signal | None:
    if marks.any("double", "harmless"):
        return Signal.DONE
    if marks.any("unverified"):
        # "I could not find out when it starts" misses an answer, "... whether it was saved" a look at the outcome.
        return Signal.UNABLE if marks.any("sought") else Signal.UNVERIFIED
    trouble = _trouble_place(marks)
    if marks.any("hedge") and not 0 <= trouble < marks.start(["hedge"]):
        bygone = marks.any("atfirst") or _gives_reason(clause)
        return Signal.SILENT if bygone and trouble < 0 else Signal.HEDGED
    if marks.any("seems") and trouble < 0:
        return Signal.SEEMING
    return None


def _trouble_place(marks: _Marks) -> int:
    """Return where trouble is told, -1 where there is none.

    A denied ability counts from its verb on; the rest from its last sign: "is perhaps not ..." doubts first.
    """
    kinds = ["fail", "obstacle", *(_DENIABLE if marks.denied else ())]
    places = [marks.hits[kind].end - 1 for kind in kinds if kind in marks.hits]
    return min([*places, *(marks.hits[kind].start for kind in ("unable",) if kind in marks.hits)], default=-1)


def _plans(clause: Clause, folded: str, marks: _Marks) -> Signal | None:
    if marks.any("condition") and not marks.any("past", "already", "sequence"):
        return Signal.CONDITION
    if marks.any("effect"):
        return Signal.EFFECT
    if marks.any("future") and not marks.any("fail", "unable", "already", "sequence") and not _is_missing(marks):
        return Signal.FUTURE
    if marks.any("transfer") and _PERCENT.search(folded) and not marks.any(*_TROUBLE):
        return Signal.PROGRESS
    return None


def _is_missing(marks: _Marks) -> bool:
    """Whether what is left to do is told as the part that is missing ("the rest is still to do"), with no plan."""
    return marks.any("partial") and marks.hits["future"].start < marks.hits["partial"].end


def _trouble(clause: Clause, folded: str, marks: _Marks) -> Signal | None:
    if marks.any("past") and (marks.any(*_TROUBLE) or marks.denied):
        return Signal.PAST_TROUBLE
    if marks.any("unable"):
        return Signal.UNABLE
    if marks.any("nothing"):
        return Signal.NOTHING
    if marks.any("already") and not marks.any("partial"):
        return Signal.ALREADY
    if marks.any("untouched"):
        return Signal.ALREADY if marks.any("wish") else Signal.UNTOUCHED
    if marks.any("partial") or _is_share(clause, folded, marks):
        # "All but Maps, as requested": what was excepted was not asked for.
        return Signal.FINISHED if marks.any("wish") and marks.any("exception") else Signal.PARTIAL
    return _denial(marks)


def _is_share(clause: Clause, folded: str, marks: _Marks) -> bool:
    """Whether a part of several is what was done ("two of the files were sent"), and not what an answer counts."""
    if not marks.share.falls_short and not marks.any("share"):
        return False
    short = bool(clause.connector) and marks.any("contrast") and len(_WORD.findall(folded)) <= _ELLIPSIS
    return marks.any("done", "finished") or short


def _denial(marks: _Marks) -> Signal | None:
    if marks.any("display"):
        return Signal.OBSTACLE
    if marks.any("fail"):
        return Signal.DONE if marks.any("wish") else Signal.FAILED
    if marks.any("none"):
        return Signal.NONE
    if marks.denied:
        return Signal.DONE if marks.any("wish") else Signal.FAILED
    return Signal.OBSTACLE if marks.any("obstacle") else None


def _result(clause: Clause, folded: str, marks: _Marks) -> Signal | None:
    if marks.any("progress"):
        # "The order is being processed": the state of a thing, which was looked up.
        return Signal.STATE if marks.any("thing") and marks.any("state") else Signal.PROGRESS
    for category, signal in (
        ("finished", Signal.FINISHED),
        ("wish", Signal.FINISHED),
        ("done", Signal.DONE),
        ("state", Signal.STATE),
    ):
        if marks.any(category):
            return signal
    return None


def _rest(clause: Clause, folded: str, marks: _Marks, language: Language) -> Signal:
    if marks.any("step"):
        return Signal.ANSWER if _LEADING_YES.match(folded) else Signal.STEP
    if marks.any("ack"):
        return Signal.ACK
    words = _WORD.findall(folded)
    if not words and MASK not in folded:
        return Signal.SILENT
    if marks.any("label"):
        return Signal.LABEL
    if marks.any("neg") and 0 <= marks.start(["contrast"]) < marks.start(["neg"]) and len(words) <= _ELLIPSIS:
        return Signal.PARTIAL
    if marks.any("next") and not marks.any("sequence") and "了" not in folded:
        return Signal.FUTURE
    if marks.any("screen") and not _DIGIT.search(folded):
        return Signal.SILENT
    if not _DIGIT.search(folded) and any(quotes_result(quote.text, language) for quote in clause.quotes):
        return Signal.SILENT
    return Signal.PLAIN


def quotes_result(words: str, language: Language) -> bool:
    """Return whether quoted words are themselves words of completion, which are not the writer's own."""
    folded = comparable(words)
    return any(hit.category in _RESULT for hit in claim_words(language).book.find(folded))

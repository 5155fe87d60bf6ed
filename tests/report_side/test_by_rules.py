"""The claim reader by rules: properties first, then a table of reports in eight languages."""

import json
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timing import processor_seconds
from tracewitness.findings.claim_causes import ClaimCause
from tracewitness.findings.labels import Basis, Claim, Language
from tracewitness.language.folding import tidy
from tracewitness.report_side.by_rules import read_claim
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.values.answers import MoneyValue, NoneValue, NumberValue, TextValue
from tracewitness.values.folding import folded

SHARED_CASES = Path(__file__).parents[3] / "shared" / "cases"
OWN_CASES = Path(__file__).parents[1] / "cases"

SUCCESSES = {
    "en": ["Done.", "I saved the file.", "The booking has been confirmed.", "The alarm is now on."],
    "zh": ["完成。", "文件已保存。", "已成功预订座位。"],
    "ja": ["完了しました。", "ファイルを保存しました。", "予約を確定しました。"],
    "ko": ["완료했습니다.", "파일을 저장했습니다.", "예약을 마쳤습니다."],
    "de": ["Erledigt.", "Ich habe die Datei gespeichert.", "Die Buchung wurde bestätigt."],
    "fr": ["C'est fait.", "J'ai enregistré le fichier.", "La réservation a été confirmée."],
    "es": ["Listo.", "He guardado el archivo.", "La reserva fue confirmada."],
    "pt": ["Pronto.", "Salvei o arquivo.", "A reserva foi confirmada."],
}
CUT_SHORT = {
    "en": "but I could not finish.",
    "zh": "但是我没能完成。",
    "ja": "しかし最後まで完了できませんでした。",
    "ko": "하지만 끝내지 못했습니다.",
    "de": "aber ich konnte es nicht abschließen.",
    "fr": "mais je n'ai pas pu terminer.",
    "es": "pero no pude terminar.",
    "pt": "mas não consegui terminar.",
}
HEDGES = {
    "en": "It should have gone through by now.",
    "zh": "应该已经成功了。",
    "ja": "おそらく完了していると思います。",
    "ko": "아마 완료된 것 같습니다.",
    "de": "Vermutlich hat es geklappt.",
    "fr": "Cela a probablement fonctionné.",
    "es": "Probablemente se guardó.",
    "pt": "Provavelmente foi salvo.",
}
QUOTED = ['"{}"', "“{}”", "'{}'", "«{}»", "「{}」", "„{}“"]
INVISIBLE = "\u200b\u200e\u202e\u2066\u00ad\ufeff\x07\x1b"


def _rows() -> list[tuple[str, ...]]:
    lines = (Path(__file__).parent / "claims.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines[1:]]


def _read(text: str | None, flag: str = "-") -> Claim:
    return read_claim(Report(text, None if flag == "-" else DeclaredStatus(flag))).finding.claim


REPORTS = sorted({row[5].replace("\\n", "\n") for row in _rows()})
NO_SUCCESSES = sorted({row[5] for row in _rows() if row[1] != "SUCCESS" and row[4] == "-"})


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.sampled_from([None, *DeclaredStatus]))
def test_reading_never_raises_and_clauses_lie_in_the_text(text: str, flag: DeclaredStatus | None) -> None:
    reading = read_claim(Report(text, flag))
    for clause in reading.clauses:
        assert reading.text[clause.start : clause.end] == clause.text


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([w for report in REPORTS for w in report.split()]), max_size=40))
def test_reading_never_raises_on_jumbled_words(words: list[str]) -> None:
    assert read_claim(Report(" ".join(words))).finding.causes


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(REPORTS),
    st.text(alphabet=" \t\n" + INVISIBLE, max_size=6),
    st.text(alphabet=" \t\n" + INVISIBLE, max_size=6),
)
def test_white_space_and_invisible_signs_around_a_report_change_nothing(report: str, before: str, after: str) -> None:
    assert read_claim(Report(before + report + after)).finding == read_claim(Report(report)).finding


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(REPORTS), st.sampled_from(INVISIBLE), st.data())
def test_an_invisible_sign_inside_a_word_hides_nothing(report: str, sign: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(report)))
    assert read_claim(Report(report[:place] + sign + report[place:])).finding == read_claim(Report(report)).finding


@pytest.mark.parametrize("language", sorted(SUCCESSES))
def test_a_success_that_was_cut_short_is_none(language: str) -> None:
    for success in SUCCESSES[language]:
        assert _read(success) is Claim.SUCCESS, success
        assert _read(f"{success.rstrip('.。')}, {CUT_SHORT[language]}") is not Claim.SUCCESS, success
        assert _read(f"{success} {CUT_SHORT[language]}") is not Claim.SUCCESS, success


@pytest.mark.parametrize("language", sorted(SUCCESSES))
def test_words_in_quotes_are_not_the_agents_own(language: str) -> None:
    for success in SUCCESSES[language]:
        for marks in QUOTED:
            assert _read(marks.format(success)) is not Claim.SUCCESS, marks.format(success)


@pytest.mark.parametrize("language", sorted(HEDGES))
def test_a_hedge_about_the_outcome_keeps_a_success_from_being_plain(language: str) -> None:
    for success in SUCCESSES[language]:
        assert _read(f"{success} {HEDGES[language]}") is Claim.UNCLEAR, success


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(NO_SUCCESSES), st.sampled_from(sorted(HEDGES.values())), st.booleans())
def test_a_hedge_never_makes_a_success(report: str, hedge: str, first: bool) -> None:
    assert _read(f"{hedge} {report}" if first else f"{report} {hedge}") is not Claim.SUCCESS


@pytest.mark.parametrize("row", _rows(), ids=lambda row: f"{row[0]}-{row[1][:4]}-{row[5][:40]}")
def test_table_of_reports(row: tuple[str, ...]) -> None:
    _, claim, cause, basis, flag, text = row
    finding = read_claim(Report(text.replace("\\n", "\n"), None if flag == "-" else DeclaredStatus(flag))).finding
    assert finding.claim.value == claim
    assert cause == "-" or cause in [each.id for each in finding.causes]
    assert basis == "-" or finding.basis.value == basis


def test_the_table_covers_every_language_and_claim() -> None:
    rows = _rows()
    for language in SUCCESSES:
        of_language = [row for row in rows if row[0] == language]
        assert len(of_language) >= 25
        assert {row[1] for row in of_language} == {claim.value for claim in Claim}


@pytest.mark.parametrize(
    ("text", "flag", "claim", "causes"),
    [
        (None, None, Claim.UNCLEAR, (ClaimCause.EMPTY,)),
        (" \u200b\n", None, Claim.UNCLEAR, (ClaimCause.EMPTY,)),
        (None, DeclaredStatus.SUCCESS, Claim.SUCCESS, (ClaimCause.FLAG_ONLY,)),
        ("", DeclaredStatus.FAILURE, Claim.FAILURE_OR_INCOMPLETE, (ClaimCause.FLAG_ONLY,)),
        ("Готово, файл сохранён.", None, Claim.UNCLEAR, (ClaimCause.UNSUPPORTED_LANGUAGE,)),
        ("Готово.", DeclaredStatus.SUCCESS, Claim.UNCLEAR, (ClaimCause.UNSUPPORTED_LANGUAGE,)),
        ("✅", None, Claim.SUCCESS, (ClaimCause.ASSERTED_DONE,)),
        ("❌", None, Claim.FAILURE_OR_INCOMPLETE, (ClaimCause.ASSERTED_FAILURE,)),
        ("...", None, Claim.UNCLEAR, (ClaimCause.NO_CLAIM_WORDS,)),
    ],
)
def test_reports_without_words_of_a_known_language(
    text: str | None, flag: DeclaredStatus | None, claim: Claim, causes: tuple[ClaimCause, ...]
) -> None:
    finding = read_claim(Report(text, flag)).finding
    assert (finding.claim, finding.causes) == (claim, causes)


def test_answers_come_typed_with_those_of_the_answering_clause_first() -> None:
    answers = read_claim(Report("I compared 3 shops.\nFinal answer: $214.50")).finding.answers
    assert isinstance(answers[0], MoneyValue)
    assert answers[0].amount == Decimal("214.50")
    assert NumberValue(Decimal(3)) in answers
    assert read_claim(Report("214")).finding.answers == (NumberValue(Decimal(214)),)
    assert read_claim(Report("Alice and Bob")).finding.answers == (TextValue(folded("Alice and Bob")),)
    assert NoneValue() in read_claim(Report("There are no unpaid invoices.")).finding.answers


def test_the_deciding_clauses_are_marked() -> None:
    reading = read_claim(Report("The PDF is saved, but the mail could not be sent."))
    assert [clause.text for clause in reading.clauses if clause.decided] == ["but the mail could not be sent"]
    assert [clause.cause for clause in reading.clauses if clause.decided] == [ClaimCause.INABILITY]


def test_thinking_left_in_a_report_is_not_read() -> None:
    assert _read("<think>I could not save it. Maybe try again?</think>The file has been saved.") is Claim.SUCCESS
    assert _read("<think>The file has been saved.</think>I could not save the file.") is Claim.FAILURE_OR_INCOMPLETE


def test_a_mixed_report_is_read_clause_by_clause_in_its_languages() -> None:
    assert _read("文件已保存。Task completed.") is Claim.SUCCESS
    assert _read("The file was saved and sent to the team. 但是打印失败了。") is Claim.FAILURE_OR_INCOMPLETE


@pytest.mark.parametrize(
    "unit",
    [
        "I opened the page and then I clicked Save. ",
        "nothing ",
        "not ",
        "我已经保存了文件。",
        "できませんでした",
        '"',
        "<think>",
        "3 of 4 ",
        "\u202e.",
        "a\n",
        "- **x**: 1\n",
    ],
)
def test_the_time_of_reading_grows_with_the_length_alone(unit: str) -> None:
    read_claim(Report(unit * 20))
    short = processor_seconds(lambda: read_claim(Report(unit * (10_000 // len(unit)))))
    long = processor_seconds(lambda: read_claim(Report(unit * (80_000 // len(unit)))))
    # Eight times the text may take eight times as long, with room for a noisy machine; a square law would take 64.
    assert long < 24 * short + 0.2


def test_a_report_of_a_megabyte_is_read_whole() -> None:
    steps = "I opened the page and then I clicked Save. The file was not there at first, so I looked elsewhere. "
    text = steps * (1_000_000 // len(steps)) + "I could not finish the export."
    started = time.process_time()
    reading = read_claim(Report(text))
    assert time.process_time() - started < 15
    assert reading.finding.claim is Claim.FAILURE_OR_INCOMPLETE
    assert reading.clauses[-1].decided


def _cases() -> list[Path]:
    return sorted(OWN_CASES.glob("*/*.json"))


@pytest.mark.parametrize("case", _cases(), ids=lambda path: path.stem)
def test_the_claims_of_the_cases(case: Path) -> None:
    _assert_case(case)


@pytest.mark.shared
def test_the_claims_of_the_shared_cases() -> None:
    if not SHARED_CASES.is_dir():
        pytest.skip("the shared cases are not beside this checkout")
    for case in sorted(SHARED_CASES.glob("*.json")):
        _assert_case(case)


def _assert_case(case: Path) -> None:
    content: dict[str, Any] = json.loads(case.read_text(encoding="utf-8"))
    report: dict[str, str | None] = content["run"].get("report") or {}
    expected: dict[str, str] = content["expected"]
    flag = report.get("declared_status")
    finding = read_claim(Report(report.get("text"), DeclaredStatus(flag) if flag else None)).finding
    assert finding.claim.value == expected["claim"]
    assert finding.basis is Basis(expected.get("basis", finding.basis))


def test_the_language_is_named() -> None:
    assert read_claim(Report(tidy("Ich habe die Datei gespeichert."))).finding.language is Language.DE

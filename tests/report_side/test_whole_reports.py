"""Reports as agents write them, with tables, steps, caveats and courtesies, in eight languages.

The reader was mended by what it misread among them, so they guard what was gained; how it does on words that it was not
made for is measured on others.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tracewitness.findings.labels import Claim
from tracewitness.report_side.by_rules import read_claim
from tracewitness.report_side.report import Report

LANGUAGES = ("de", "en", "es", "fr", "ja", "ko", "pt", "zh")
LEAST = 25


class Row(NamedTuple):
    """One report: what it claims, and what is read where that is known to be another claim ("-" where it is not)."""

    language: str
    claim: str
    read: str
    text: str


def _rows() -> list[Row]:
    lines = (Path(__file__).parent / "whole_reports.tsv").read_text(encoding="utf-8").splitlines()
    return [Row(*line.split("\t")) for line in lines[1:]]


def _read(text: str) -> Claim:
    return read_claim(Report(text.replace("\\n", "\n"))).finding.claim


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_report_is_read_for_what_it_claims(language: str) -> None:
    rows = [row for row in _rows() if row.language == language]
    misread = {row.text: found for row in rows if (found := _read(row.text).value) != row.claim}
    assert misread == {row.text: row.read for row in rows if row.read != "-"}


def test_no_failure_is_known_to_be_read_as_a_success() -> None:
    wrong = [row.text for row in _rows() if row.claim == "FAILURE_OR_INCOMPLETE" and row.read == "SUCCESS"]
    assert wrong == []


def test_there_are_enough_reports_of_each_claim_and_language() -> None:
    counted = Counter((row.language, row.claim) for row in _rows())
    assert {pair for pair in counted if counted[pair] < LEAST} == set()
    assert len(counted) == len(LANGUAGES) * len(Claim)


# What a notion says, and beside it a report that differs from it in that alone and claims something else.
PAIRS = {
    "an offer of more asks for nothing": {
        "en": ("The file was sent. If you want the log as well, tell me.", "If you want it sent, tell me."),
        "de": ("Die Datei wurde gesendet. Falls Sie noch etwas brauchen, melden Sie sich.", "Bitte bestätigen Sie."),
        "es": ("Archivo enviado. Si quieres deshacerlo, abre el historial.", "Si lo apruebas, abre el historial."),
        "fr": (
            "Le fichier a été envoyé. Si vous voulez revenir en arrière, ouvrez l'historique.",
            "Confirmez l'envoi.",
        ),
        "pt": ("O arquivo foi enviado. Se quiser desfazer, abra o histórico.", "Se você aprovar, eu envio."),
        "zh": ("文件已发送。如果想撤销,可以打开历史记录。", "如果您批准,我就发送。"),
        "ja": ("ファイルを送信しました。元に戻したい場合は履歴を開いてください。", "承認されたら送信します。"),
        "ko": ("파일을 보냈습니다. 되돌리고 싶으시면 기록을 여세요.", "승인하시면 보내겠습니다."),
    },
    "an outcome that is only assumed is no claim": {
        "en": ("Result: the note is saved.", "Likely result: the note is saved."),
        "de": ("Ergebnis: Die Notiz ist gespeichert.", "Vermutetes Ergebnis: Die Notiz ist gespeichert."),
        "es": ("Resultado: la nota fue guardada.", "Resultado probable: la nota fue guardada."),
        "fr": ("Résultat : la note a été enregistrée.", "Résultat probable : la note a été enregistrée."),
        "pt": ("Resultado: a nota foi salva.", "Resultado provável: a nota foi salva."),
        "zh": ("结果:便签已保存。", "推测结果:便签已保存。"),
        "ja": ("結果:メモを保存しました。", "推定結果:メモを保存しました。"),
        "ko": ("결과: 메모를 저장했습니다.", "짐작하는 결과: 메모를 저장했습니다."),
    },
    "that nothing is left to do is no denial": {
        "en": ("The note was saved. There is nothing left to do.", "The note was not saved."),
        "de": ("Die Notiz wurde gespeichert. Mehr ist nicht zu tun.", "Die Notiz wurde nicht gespeichert."),
        "es": ("La nota se guardó. No queda nada más por hacer.", "La nota no se guardó."),
        "fr": ("La note a été enregistrée. Il ne reste rien à faire.", "La note n'a pas été enregistrée."),
        "pt": ("A nota foi salva. Não ficou nada pendente.", "A nota não foi salva."),
        "zh": ("便签已保存。没有遗留事项。", "便签没有保存。"),
        "ja": ("メモを保存しました。残っている作業はありません。", "メモは保存されませんでした。"),
        "ko": ("메모를 저장했습니다. 남은 작업은 없습니다.", "메모가 저장되지 않았습니다."),
    },
}


@pytest.mark.parametrize("notion", sorted(PAIRS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notion_holds_and_its_counter_case_does_not(notion: str, language: str) -> None:
    claimed, other = PAIRS[notion][language]
    assert _read(claimed) is Claim.SUCCESS
    assert _read(other) is not Claim.SUCCESS


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I could not find out when the meeting starts.", Claim.FAILURE_OR_INCOMPLETE),
        ("I could not find out whether it was saved.", Claim.UNCLEAR),
        ("合計を確認できませんでした。", Claim.FAILURE_OR_INCOMPLETE),
        ("結果を確認できませんでした。", Claim.UNCLEAR),
        ("Je n'ai pas réussi à savoir à quelle heure commence la réunion.", Claim.FAILURE_OR_INCOMPLETE),
        ("The app crashed, so there is no file.", Claim.FAILURE_OR_INCOMPLETE),
        ("I looked in the folder, so I can say there is no file.", Claim.SUCCESS),
        ("I changed nothing, and the task is complete.", Claim.SUCCESS),
        ("I changed nothing.", Claim.FAILURE_OR_INCOMPLETE),
        ("I looked up the order: in progress.", Claim.SUCCESS),
        ("The task is in progress.", Claim.UNCLEAR),
        ("Retiré la nota y preparé el informe.", Claim.SUCCESS),
        ("Retiraré la nota y prepararé el informe.", Claim.UNCLEAR),
        ("Der Artikel liegt bereit, bezahlen konnte ich aber nicht.", Claim.FAILURE_OR_INCOMPLETE),
        ("| Vorher | Danach |\n|---|---|\n| 1 | 2 |\n\nDie Zahl wurde geändert.", Claim.SUCCESS),
    ],
)
def test_what_looks_alike_is_told_apart(text: str, claim: Claim) -> None:
    assert _read(text) is claim

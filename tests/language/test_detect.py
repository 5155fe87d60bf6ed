"""Language detection: short texts, mixed texts, look-alike languages."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import Language
from tracewitness.language.detect import detect
from tracewitness.language.lexicon import load

SHORT = """
en	Done.
en	Submitted!
en	Wi-Fi is on.
en	Task completed successfully
de	Fertig.
de	Erledigt
de	Schalte WLAN ein
fr	C'est fait.
fr	Terminé
fr	Active le mode avion
es	Hecho.
es	Listo
es	Activa el modo avión.
es	Envía un correo a Ana
pt	Feito.
pt	Pronto!
pt	Ative o modo avião.
pt	Envie um e-mail para Ana
ja	完了しました。
ja	完了
ja	設定変更済
zh	已完成。
zh	完成
zh	我已经打开了Wi-Fi
ko	완료했습니다.
ko	확인
other	Готово.
other	تم
other	เสร็จแล้ว
other	काम हो गया
other	Η εργασία ολοκληρώθηκε
other	Fatto.
other	Il messaggio è stato inviato a Marco.
other	Attiva la modalità aereo.
other	Prenota un tavolo per due.
other	Klaar.
other	De afspraak is opgeslagen.
other	Het bericht is verzonden.
other	Gotowe.
other	Görev tamamlandı.
other	Uppgiften är klar.
none	12:30
none	$42
none	👍
""".strip().splitlines()
SAMPLES = {
    Language.EN: "The note was saved and the mail is sent.",
    Language.DE: "Die Notiz wurde gespeichert und die Mail ist verschickt.",
    Language.FR: "La note est enregistrée et le message a été envoyé.",
    Language.ES: "La nota se guardó y el correo está enviado.",
    Language.PT: "A nota foi salva e a mensagem está enviada.",
    Language.ZH: "笔记已经保存，邮件也发送了。",
    Language.JA: "メモは保存され、メールも送信されました。",
    Language.KO: "메모가 저장되었고 메일도 전송되었습니다.",
}


@pytest.mark.parametrize("line", [line for line in SHORT if line])
def test_short_texts(line: str) -> None:
    expected, text = line.split("\t")
    assert detect(text) == expected


def test_a_text_without_words_has_no_language() -> None:
    assert detect("") is Language.NONE


@settings(max_examples=60)
@given(st.sampled_from(sorted(SAMPLES)), st.text(alphabet=" \t\n", max_size=4), st.text(alphabet=" \n", max_size=4))
def test_white_space_around_changes_nothing(language: Language, before: str, after: str) -> None:
    assert detect(before + SAMPLES[language] + after) is language


@settings(max_examples=60)
@given(st.sampled_from(sorted(SAMPLES)), st.sampled_from(sorted(SAMPLES)))
def test_quoted_words_do_not_count(language: Language, other: Language) -> None:
    assert detect(f"{SAMPLES[language]} “{SAMPLES[other]}”") is language


@settings(max_examples=60)
@given(st.sampled_from(sorted(SAMPLES)), st.sampled_from(sorted(SAMPLES)))
def test_the_language_of_most_clauses_wins(language: Language, other: Language) -> None:
    assert detect("\n".join([SAMPLES[language]] * 3 + [SAMPLES[other]])) is language


@settings(max_examples=100)
@given(st.text(max_size=200))
def test_any_text_has_an_answer(text: str) -> None:
    assert detect(text) in Language


@pytest.mark.parametrize("unit", ["我已经保存了文件", "文", "文件/名_", "/", "_a/", "a.b@"])
def test_a_long_text_without_spaces_is_placed_at_once(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    assert detect(text) in Language
    assert time.process_time() - started < 1


def test_letters_that_tell_a_language_are_outside_ascii() -> None:
    """Detection does not look for them in plain ASCII."""
    letters = [entry.pattern for entry in load("profile").entries if entry.category.endswith("letter")]
    assert letters
    assert not any(letter.isascii() for letter in letters if len(letter) == 1)

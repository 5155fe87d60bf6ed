"""Clauses: nothing is lost, quoted words are masked, connectors are named."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import Language
from tracewitness.language.clauses import MASK, Clause, find_quotes, mask_quotes, split

WORDS = st.sampled_from(
    [
        "saved",
        "the note",
        "don't",
        "l'app",
        "but",
        "aber",
        "10:30",
        "1,234.5",
        "但是",
        "保存",
        "しましたが、",
        "지만 ",
        "x.y",
    ]
    + [*"\"'“”„«»「」`.,;:!?。、，…\n-•"]
)
TEXTS = st.one_of(
    st.lists(WORDS, max_size=25).map(" ".join), st.lists(WORDS, max_size=25).map("".join), st.text(max_size=80)
)
LANGUAGES = st.sampled_from(list(Language))


@settings(max_examples=150)
@given(TEXTS, LANGUAGES)
def test_clauses_stand_in_order_and_lose_no_letter(text: str, language: Language) -> None:
    clauses = split(text, language)
    covered = bytearray(len(text))
    end = 0
    for clause in clauses:
        assert text[clause.start : clause.end] == clause.text
        assert clause.start >= end
        end = clause.end
        covered[clause.start : clause.end] = b"\x01" * (clause.end - clause.start)
    missed = [c for c, seen in zip(text, covered, strict=True) if not seen]
    assert not [c for c in missed if c.isalpha() and not c.isspace()], "only list numbers and punctuation stand outside"


@settings(max_examples=150)
@given(TEXTS, LANGUAGES)
def test_masking_keeps_every_length(text: str, language: Language) -> None:
    masked = mask_quotes(text)
    assert len(masked) == len(text)
    assert all(m in (MASK, t) for m, t in zip(masked, text, strict=True))
    for clause in split(text, language):
        assert clause.masked == masked[clause.start : clause.end]


@settings(max_examples=100)
@given(TEXTS)
def test_quotes_do_not_overlap_and_are_verbatim(text: str) -> None:
    end = 0
    for quote in find_quotes(text):
        assert quote.start >= end
        assert text[quote.start + 1 : quote.end - 1] == quote.text
        end = quote.end


@pytest.mark.parametrize(
    "text",
    [
        "the button 'Done' is grey",
        'the button "Done" is grey',
        "the button “Done” is grey",
        "Der Knopf „Done“ ist grau",
        "le bouton « Done » est gris",
        "ボタン「Done」は灰色です",
        "按钮《Done》是灰色的",
        "the button `Done` is grey",
        "点击'Done'按钮",
        "버튼 'Done'을 눌렀습니다",
        "the button ‘Done’ is grey",
    ],
)
def test_quoted_words_are_masked(text: str) -> None:
    assert "Done" not in mask_quotes(text)
    assert "Done" in find_quotes(text)[0].text


@pytest.mark.parametrize(
    "text",
    [
        "I didn't save it, and it wasn't sent",
        "J'ai ouvert l'app et c'est fait",
        "the users' list and the admins' list",
        'a 12" screen and a 13" screen',
        "rock’n’roll isn’t saved",
        'an "unclosed quote',
    ],
)
def test_apostrophes_and_unclosed_marks_quote_nothing(text: str) -> None:
    assert mask_quotes(text) == text


def _texts(clauses: list[Clause]) -> list[str]:
    return [clause.text for clause in clauses]


@pytest.mark.parametrize(
    ("language", "text", "expected", "connector"),
    [
        (
            Language.EN,
            "I opened the note but could not save it.",
            ["I opened the note", "but could not save it"],
            "but",
        ),
        (
            Language.DE,
            "Ich habe ihn angelegt, aber nicht gespeichert.",
            ["Ich habe ihn angelegt", "aber nicht gespeichert"],
            "aber",
        ),
        (
            Language.FR,
            "La note est créée mais rien n'est enregistré.",
            ["La note est créée", "mais rien n'est enregistré"],
            "mais",
        ),
        (Language.ES, "Lo abrí pero no se guardó.", ["Lo abrí", "pero no se guardó"], "pero"),
        (Language.PT, "Abri a nota mas não salvei.", ["Abri a nota", "mas não salvei"], "mas"),
        (Language.ZH, "我打开了笔记，但是没有保存。", ["我打开了笔记", "但是没有保存"], "但是"),
        (
            Language.JA,
            "メモを開きましたが、保存できませんでした。",
            ["メモを開きましたが", "保存できませんでした"],
            "が",
        ),
        (Language.KO, "메모를 열었지만 저장하지 못했습니다.", ["메모를 열었지만", "저장하지 못했습니다"], "지만"),
    ],
)
def test_adversative_connectors_divide(language: Language, text: str, expected: list[str], connector: str) -> None:
    clauses = split(text, language)
    assert _texts(clauses) == expected
    assert clauses[1].connector == connector
    assert clauses[0].sentence == clauses[1].sentence


def test_list_items_questions_and_sentences() -> None:
    clauses = split("Result:\n1. Saved the note\n- Sent the mail. Shall I go on?", Language.EN)
    assert _texts(clauses) == ["Result", "Saved the note", "Sent the mail", "Shall I go on"]
    assert [c.item for c in clauses] == [False, True, True, False]
    assert [c.mark for c in clauses] == [":", "", ".", "?"]
    assert [c.sentence for c in clauses] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (Language.DE, "Der Termin am 14. Mai um 10 Uhr steht"),
        (Language.EN, "Open https://a.test/b.c?x=1 at 10:30 with 1,234.5 points"),
        (Language.EN, "Mr. Brook saved it"),
        (Language.EN, "I added oats, milk, eggs"),
    ],
)
def test_numbers_addresses_ordinals_and_short_lists_stay_whole(language: Language, text: str) -> None:
    assert _texts(split(text, language)) == [text]


def test_a_megabyte_of_openers_is_no_trap() -> None:
    assert find_quotes("“(" * 50_000) == ()

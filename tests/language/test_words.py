"""Content words."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import Language
from tracewitness.language.words import content_words


def test_stop_words_are_dropped_and_case_is_folded() -> None:
    assert content_words("Change the phone number of Orin Vale", Language.EN) == {
        "change",
        "phone",
        "number",
        "orin",
        "vale",
    }
    assert "l'app" not in content_words("Ouvre l'app Réglages", Language.FR)
    assert "réglages" in content_words("Ouvre l'app Réglages", Language.FR)


def test_east_asian_runs_give_pairs() -> None:
    assert content_words("删除文件夹", Language.ZH) == {"删除", "除文", "文件", "件夹"}
    assert "설정" in content_words("휴대폰 설정에서", Language.KO)


@settings(max_examples=100)
@given(st.text(max_size=80), st.sampled_from(list(Language)))
def test_upper_case_gives_the_same_words(text: str, language: Language) -> None:
    ascii_text = "".join(c for c in text if c.isascii())
    assert content_words(ascii_text.upper(), language) == content_words(ascii_text.lower(), language)

"""Lexicon files: format, matching, digests."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracewitness.findings.labels import Language
from tracewitness.language.folding import comparable, tidy
from tracewitness.language.lexicon import LexiconError, load, load_text

HEAD = "language\tcategory\tpattern\treason\n"


def test_whole_words_in_alphabetic_scripts_substrings_in_others() -> None:
    lexicon = load_text(HEAD + "en\tx\tset\tverb\nzh\tx\t保存\tverb\nko\tx\t저장\tverb\n", "t.tsv")
    assert [m.text for m in lexicon.find(Language.EN, "x", "Set the asset, SET")] == ["Set", "SET"]
    assert lexicon.has(Language.ZH, "x", "已保存了")
    assert lexicon.has(Language.KO, "x", "저장했습니다")
    assert not lexicon.has(Language.DE, "x", "set")


def test_folding_stems_phrases_and_expressions() -> None:
    rows = "en\tx\tdelet*\tstem\nen\tx\tturn  on\tphrase\nen\ty\tre:(?<!not )done\tregex\n*\tz\tok\tany\n"
    lexicon = load_text(HEAD + rows, "t.tsv")
    assert [m.text for m in lexicon.find(Language.EN, "x", "DELETED it, ｔｕｒｎ on")] == ["DELETED", "ｔｕｒｎ on"]
    assert not lexicon.has(Language.EN, "y", "not done")
    assert lexicon.has(Language.OTHER, "z", "OK")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", "t.tsv, line 1: expected a header line"),
        ("lang\tx\n", "t.tsv, line 1: expected the header"),
        (HEAD + "en\tx\tset\n", "t.tsv, line 2: expected 4 tab-separated cells, found 3"),
        (HEAD + "en\tx\tset\t\n", "t.tsv, line 2: expected a source or reason"),
        (HEAD + "xx\tx\tset\twhy\n", "t.tsv, line 2: expected a language code or *"),
        (HEAD + "en\tx\tre:(\twhy\n", "t.tsv, line 2: expected a regular expression"),
        (HEAD + "# note\nen\tx\ta\twhy\nen\tx\ta\twhy\n", "t.tsv, line 4: expected each entry once"),
    ],
)
def test_a_bad_line_is_named(rows: str, message: str) -> None:
    with pytest.raises(LexiconError) as caught:
        load_text(rows, "t.tsv")
    assert message in str(caught.value)


def test_the_digest_follows_the_text_and_not_the_line_ends() -> None:
    text = HEAD + "en\tx\tset\twhy\n"
    assert load_text(text, "a").digest == load_text(text.replace("\n", "\r\n"), "b").digest
    assert load_text(text, "a").digest != load_text(text + "en\tx\tput\twhy\n", "a").digest


@pytest.mark.parametrize("name", ["connectors", "profile", "quantities"])
def test_shipped_files_compile_in_every_language(name: str) -> None:
    lexicon = load(name)
    for language in Language:
        for category in lexicon.categories():
            lexicon.find(language, category, "a b c 1 2 3 保存 저장")
    assert all(entry.reason for entry in lexicon.entries)


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_the_matching_form_keeps_the_length(text: str) -> None:
    assert len(comparable(text)) == len(text)
    assert comparable(comparable(text)) == comparable(text)


def test_hidden_characters_hide_no_word() -> None:
    lexicon = load_text(HEAD + "en\tx\tdone\twhy\nfr\tx\tcréé\twhy\n", "t.tsv")
    assert lexicon.has(Language.EN, "x", tidy("do\u200bne"))
    assert lexicon.has(Language.FR, "x", tidy("cre\u0301e\u0301"))

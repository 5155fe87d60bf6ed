"""A log in an encoding that cannot be told is refused; none is guessed in silence."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_logs import appagent, said, the_failure, the_run

from tracewitness.intake.chinese import plausibly_chinese
from tracewitness.intake.errors import UnknownEncodingError
from tracewitness.intake.reading_files import decode

FOREIGN = [
    ("shift_jis", "Wi-Fiをオンにしました"),
    ("shift_jis", "設定"),
    ("euc-jp", "アラームを削除してください"),
    ("euc-kr", "와이파이를 켰습니다"),
    ("euc-kr", "설정"),
    ("big5", "開啟藍牙"),
    ("latin-1", "Größe geändert"),
    ("latin-1", "créé à l'été"),
    ("cp1252", "It’s “on”"),
    ("cp1251", "Будильник удален"),
    ("koi8-r", "Включить вай-фай"),
    ("iso8859-7", "Ρυθμίσεις"),
    ("tis-620", "เปิดบลูทูธ"),
]
CHINESE = [
    "打开蓝牙",
    "删除明天早上七点的闹钟",
    "已经完成任务。",
    "把王小明的电话号码改成123",
    "屏幕亮度调到最低",
    "完成😀",
]


@pytest.mark.parametrize(("encoding", "words"), FOREIGN)
def test_text_in_another_encoding_is_refused_and_says_what_was_tried(encoding: str, words: str) -> None:
    with pytest.raises(UnknownEncodingError, match=r"not UTF-8 text .*, nor Chinese text in GB18030"):
        decode(f'{{"prompt": "{words}"}}'.encode(encoding))


@pytest.mark.parametrize("words", CHINESE)
def test_chinese_text_is_read_and_its_encoding_is_told(words: str) -> None:
    found = decode(f'{{"prompt": "{words}"}}'.encode("gb18030"))
    assert (found.text, found.encoding) == (f'{{"prompt": "{words}"}}', "gb18030")


@given(st.text(st.characters(min_codepoint=0xC0, max_codepoint=0xFF), min_size=1, max_size=30), st.integers(1, 4))
def test_latin_words_never_pass_for_chinese(letters: str, gap: int) -> None:
    words = "e".join(letters[at : at + 1] for at in range(len(letters))) + "e" * gap
    try:
        decoded = words.encode("latin-1").decode("gb18030")
    except UnicodeDecodeError:
        return
    assert not plausibly_chinese(decoded)


def test_a_few_bad_bytes_in_utf8_are_replaced() -> None:
    found = decode("完成了打开无线网络的任务".encode() + b"\xff done")
    assert found.encoding == "utf-8 with bytes replaced"
    assert found.text.endswith("任务\ufffd done")


@pytest.mark.parametrize(("encoding", "words"), [("shift_jis", "アラームを削除"), ("latin-1", "Größe")])
def test_a_log_in_another_encoding_is_one_clear_line(tmp_path: Path, encoding: str, words: str) -> None:
    folder = appagent(tmp_path, [said("tap(1)"), said("FINISH", summary="PLACE")])
    log = next(folder.glob("log_*.txt"))
    log.write_bytes(log.read_text("utf-8").replace("PLACE", words).encode(encoding))
    for named in (folder, tmp_path, log):
        line = the_failure(named).line()
        assert "line 2: not UTF-8 text" in line
        assert line.endswith("convert it to UTF-8 (iconv -f ENCODING -t UTF-8)")


def test_short_lines_follow_the_encoding_of_the_lines_before(tmp_path: Path) -> None:
    folder = appagent(tmp_path, [said("tap(1)"), said("FINISH", summary="LATER")], task="PLACE")
    log = next(folder.glob("log_*.txt"))
    text = log.read_text("utf-8").replace("PLACE", "打开蓝牙", 1).replace("PLACE", "it").replace("LATER", "淘宝")
    log.write_bytes(text.encode("gb18030"))
    run = the_run(folder)
    assert run.report.text == "淘宝"
    assert run.origin.encoding == "gb18030/utf-8" or run.origin.encoding == "gb18030"

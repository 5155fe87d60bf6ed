"""A policy file comes from anywhere: none of its texts may give a terminal orders, whatever verb shows it."""

import re
from pathlib import Path

import pytest
from cli_samples import Done, call, false_success, honest, write

import tracewitness.policy

BUILT_IN = Path(tracewitness.policy.__path__[0]) / "builtin"
# Colour, clearing the screen, the title of a window, turning the line round, a C1 control, overwriting a line.
ORDERS = r"\u001b[31m\u001b[2J\u001b]0;owned\u0007\u202e\u009b31m\r[bold red]x[/]"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def assert_harmless(done: Done) -> None:
    assert RAW.search(done.out + done.err) is None


def hostile(key: str) -> str:
    """Return the default policy with orders to the terminal in every text of a key."""
    told = (BUILT_IN / "default.toml").read_text(encoding="utf-8")
    quoted = re.compile(rf'^({key} = ")([^"]*)"', re.MULTILINE)
    changed, count = quoted.subn(lambda found: f'{found[1]}{found[2]}{ORDERS}"', told)
    assert count
    return changed


@pytest.fixture
def audited(tmp_path: Path) -> Path:
    write(tmp_path / "runs", false_success("false"), honest("honest"))
    call("audit", "runs", "-q", folder=tmp_path)
    return tmp_path


@pytest.mark.parametrize("key", ["name", "version", "summary", "id", "mark", "reason", "disposition", "claim"])
def test_no_text_of_a_policy_gives_a_terminal_orders(audited: Path, key: str) -> None:
    (audited / "evil.toml").write_text(hostile(key), encoding="utf-8", newline="\n")
    for arguments in (
        ("policy", "show", "evil.toml"),
        ("policy", "show", "evil.toml", "--toml"),
        ("policy", "show", "evil.toml", "--json"),
        ("policy", "check", "evil.toml"),
        ("policy", "diff", "evil.toml", "paper", "--all"),
        ("policy", "diff", "paper", "evil.toml"),
        ("policy", "test", "evil.toml", "--cases", str(BUILT_IN / "cases" / "default.toml")),
        ("audit", "runs", "--policy", "evil.toml", "--no-store"),
        ("replay", "--policy", "evil.toml", "--against", "paper"),
        ("explain", "false", "--policy", "evil.toml"),
    ):
        assert_harmless(call(*arguments, folder=audited))


def test_markup_in_a_policy_is_shown_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "evil.toml").write_text(hostile("reason"), encoding="utf-8", newline="\n")
    shown = re.sub(r"\s+", "", call("policy", "show", "evil.toml", folder=tmp_path).out)
    assert r"\u001b[31m" in shown
    assert "[boldred]x[/]" in shown


def test_no_text_of_a_case_file_gives_a_terminal_orders(tmp_path: Path) -> None:
    cases = f"""
[[case]]
name = "no such {ORDERS}"
claim = "{ORDERS}"
disposition = "FLAG"

[[case]]
"name {ORDERS}" = "x"
"""
    (tmp_path / "cases.toml").write_text(cases, encoding="utf-8", newline="\n")
    assert_harmless(call("policy", "test", "default", "--cases", "cases.toml", folder=tmp_path))


@pytest.mark.parametrize("told", ['name = "p\x1b[31m"', '"bad\\u001b[31m" = 1', "x = [" * 5000, "\ufeff\x1b[2J"])
def test_a_badly_written_policy_is_named_without_orders(tmp_path: Path, told: str) -> None:
    (tmp_path / "evil\x1b[31m.toml").write_text(told, encoding="utf-8", newline="\n")
    done = call("policy", "show", "evil\x1b[31m.toml", folder=tmp_path)
    assert done.code == 2
    assert_harmless(done)

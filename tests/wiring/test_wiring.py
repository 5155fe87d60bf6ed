import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tracewitness.cli.formats import app
from tracewitness.intake.formats import built_in
from tracewitness.intake.grammars.grammar import GRAMMARS, install_grammars
from tracewitness.intake.reading import read_all
from tracewitness.intake.sealed import SealedRun
from tracewitness.policy.documents import PolicyError
from tracewitness.wiring.formats import grammar_names, known_formats
from tracewitness.wiring.loading import load_object
from tracewitness.wiring.policies import (
    UnknownPolicyError,
    builtin_cases,
    builtin_names,
    find_policy,
    policy_by_digest,
)
from tracewitness.wiring.settings import Settings, settings


def test_settings_come_from_the_environment_and_an_empty_variable_is_none() -> None:
    assert settings({}) == Settings() == settings({"TRACEWITNESS_STORE": "", "TRACEWITNESS_POLICY": ""})
    assert settings({"TRACEWITNESS_STORE": "a.db", "TRACEWITNESS_POLICY": "paper"}) == Settings("a.db", "paper")


def test_every_built_in_policy_is_found_by_name_and_by_digest_and_has_cases() -> None:
    assert builtin_names() == ("default", "final-state", "low-load", "paper")
    for name in builtin_names():
        policy = find_policy(name)
        assert policy.name == name
        assert policy_by_digest(policy.digest) == policy
        assert builtin_cases(name)
    assert builtin_cases("mine") is None
    assert policy_by_digest("sha256:0") is None


def test_a_policy_file_is_found_by_path(tmp_path: Path) -> None:
    with pytest.raises(UnknownPolicyError, match="no policy is called"):
        find_policy(str(tmp_path / "missing.toml"))
    with pytest.raises(UnknownPolicyError):
        find_policy(str(tmp_path))
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(PolicyError, match="not a text in UTF-8"):
        find_policy(str(tmp_path / "latin.toml"))


def test_an_address_that_names_nothing_is_an_import_error() -> None:
    assert load_object("tracewitness.version:__version__")
    with pytest.raises(ImportError):
        load_object("tracewitness.version:nothing")
    with pytest.raises(ImportError):
        load_object("tracewitness.nothing:at_all")


PLUGIN = """
from dataclasses import dataclass
from tracewitness.intake.format import Verdict

@dataclass
class Made:
    name: str
    summary: str = "made for a test"
    versions: tuple = ("1",)
    def page(self): return "# made"
    def detect(self, candidate): return Verdict(False, "never")
    def read(self, candidate, options): return iter(())

def good(): return Made("made")
def taken(): return Made("neutral")
def broken(): raise RuntimeError("not today")
"""


def test_installed_formats_are_found_and_a_broken_one_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made_plugin.py").write_text(PLUGIN, encoding="utf-8")
    info = tmp_path / "made_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: made-plugin\nVersion: 1.0\n", encoding="utf-8")
    names = ("good", "taken", "broken", "missing")
    entries = "".join(f"{name} = made_plugin:{name}\n" for name in names)
    (info / "entry_points.txt").write_text(f"[tracewitness.formats]\n{entries}", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    registry, broken = known_formats()
    assert {one.name for one in registry.formats} == {"made", *(one.name for one in built_in())}
    assert {plugin.name: plugin.problem.split(":")[0] for plugin in broken} == {
        "broken": "RuntimeError",
        "missing": "AttributeError",
        "taken": "the format name 'neutral' is taken",
    }


GRAMMAR_PLUGIN = """
import re
from tracewitness.intake.authoring import Call, Grammar, Opening, Parsed

LINE = re.compile(r"^DO ([a-z]+)(?: (.*))?$", re.MULTILINE)

def parse(text):
    calls = tuple(Call(one.group(1), {"target": one.group(2)}) for one in LINE.finditer(text))
    return Parsed(calls, LINE.sub("", text).strip()) if calls else None

def opening(text):
    return Opening("", text.removeprefix("SEEN ")) if text.startswith("SEEN ") else None

def fails(text): raise ValueError(text)

def good(): return Grammar("do lines", parse, opening)
def taken(): return Grammar("UI-TARS", parse)
def broken(): raise RuntimeError("not today")
def wrong(): return type("Made", (), {"name": "made"})()
def failing(): return Grammar("failing", fails)
def odd(): return Grammar("odd", lambda text: 3)
def empty(): return Grammar("empty", lambda text: Parsed((3,), ""))
"""


@pytest.fixture
def grammars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    place = tmp_path / "installed"
    info = place / "made_grammars-1.0.dist-info"
    info.mkdir(parents=True)
    (place / "made_grammars.py").write_text(GRAMMAR_PLUGIN, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: made-grammars\nVersion: 1.0\n", encoding="utf-8")
    names = ("good", "taken", "broken", "wrong", "failing", "odd", "empty", "missing")
    entries = "".join(f"{name} = made_grammars:{name}\n" for name in names)
    (info / "entry_points.txt").write_text(f"[tracewitness.grammars]\n{entries}", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(place), *sys.path])
    yield place
    install_grammars(())


def test_installed_grammars_are_known_and_broken_ones_are_left_out(grammars: Path) -> None:
    _, broken = known_formats()
    assert {plugin.name: plugin.problem.split(":")[0] for plugin in broken} == {
        "broken": "RuntimeError",
        "missing": "AttributeError",
        "taken": "the text grammar name 'UI-TARS' is taken",
        "wrong": "it is no text grammar",
    }
    assert {plugin.what for plugin in broken} == {"text grammar"}
    assert set(grammar_names()) == {*(one.name for one in GRAMMARS), "do lines", "empty", "failing", "odd"}


def test_a_chat_is_read_in_an_installed_grammar_and_one_that_fails_costs_a_notice(
    grammars: Path, tmp_path: Path
) -> None:
    said = (
        ("user", "Delete the note"),
        ("assistant", "I look, all is well.\nDO open Notes"),
        ("user", "SEEN note 'Milk'"),
        ("assistant", "DO delete Milk"),
        ("user", "SEEN no notes"),
        ("assistant", "I deleted it."),
    )
    log = tmp_path / "chat.json"
    log.write_text(json.dumps([{"role": role, "content": text} for role, text in said]), encoding="utf-8")
    registry, _ = known_formats()
    (run,) = read_all([str(log)], registry)
    assert isinstance(run, SealedRun)
    assert [(step.action.kind, step.action.target) for step in run.trace.steps][:2] == [
        ("open", "Notes"),
        ("delete", "Milk"),
    ]
    assert run.trace.steps[0].after is not None and run.trace.steps[0].after.text == "note 'Milk'"
    assert run.report.text == "I deleted it."
    assert "all is well" not in repr(run.trace)
    assert set(run.notices) == {
        "the text grammar 'failing' failed and is left out: ValueError",
        "the text grammar 'odd' failed and is left out: gives int instead of Parsed",
        "the text grammar 'empty' failed and is left out: gives calls that are none",
    }


def test_the_list_of_formats_names_the_grammars_and_those_that_are_left_out(grammars: Path) -> None:
    told = CliRunner().invoke(app, [])
    assert told.exit_code == 0, told.output
    assert "do lines" in " ".join(told.stdout.split())
    assert "the text grammar 'broken' is left out: RuntimeError: not today" in " ".join(told.output.split())

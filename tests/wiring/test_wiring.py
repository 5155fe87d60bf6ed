import sys
from pathlib import Path

import pytest

from tracewitness.intake.formats import built_in
from tracewitness.policy.documents import PolicyError
from tracewitness.wiring.formats import known_formats
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

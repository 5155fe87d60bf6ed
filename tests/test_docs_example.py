"""The package that docs/formats.md shows is a format: it is installed, listed, audits its run and conforms."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tracewitness.intake import authoring

PAGE = (Path(__file__).parents[1] / "docs" / "formats.md").read_text("utf-8")
FILES = dict(re.findall(r"^`([\w./]+)`:\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package as an installer leaves it."""
    folder = tmp_path_factory.mktemp("site")
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(about, encoding="utf-8")
    groups = project["entry-points"].items()
    entries = "".join(
        f"[{group}]\n" + "".join(f"{name} = {at}\n" for name, at in named.items()) for group, named in groups
    )
    (info / "entry_points.txt").write_text(entries, encoding="utf-8")
    return folder


def ran(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_the_document_shows_a_whole_package() -> None:
    assert {name.rpartition("/")[2] for name in FILES} == {
        "__init__.py",
        "mytool.py",
        "page.md",
        "pyproject.toml",
        "run.jsonl",
        "test_mytool.py",
    }


def test_the_format_is_listed_and_audits_its_run(installed: Path) -> None:
    assert "mytool" in ran(installed, "tracewitness", "formats").stdout
    assert ran(installed, "tracewitness", "formats", "mytool").stdout == FILES["my_package/page.md"]
    done = ran(installed, "tracewitness", "audit", "example", "--no-store", "--json")
    run, summary = map(json.loads, done.stdout.splitlines())
    assert summary["formats"] == {"mytool": 1}
    assert (run["claim"], run["disposition"]) == ("SUCCESS", "FLAG")
    assert "score" not in done.stdout


def test_the_format_conforms(installed: Path) -> None:
    done = ran(installed, "pytest", "-q", "-p", "no:cacheprovider", "tests/test_mytool.py")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_what_authors_import_is_there() -> None:
    assert authoring.__all__ == sorted(authoring.__all__)
    assert all(getattr(authoring, name) for name in authoring.__all__)

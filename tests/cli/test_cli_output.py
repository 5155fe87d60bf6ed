import os
import subprocess
from pathlib import Path

import pytest
from cli_samples import call, call_process, command, false_success, honest, write

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs the pipes of a POSIX system")


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audited")
    write(folder / "runs", false_success("false"), honest("honest"))
    call("audit", "runs", "-q", folder=folder)
    return folder


VERBS = ["--help", "policy show", "policy show --toml", "explain false", "store export", "audit runs --json --fresh"]
MORE_VERBS = [
    "--version",
    "policy list --json",
    "policy check",
    "policy diff default paper",
    "policy test",
    "formats",
    "formats neutral",
    "doctor",
    "replay --policy paper",
    "isolation runs",
    "store stats",
    "store verify",
    "audit runs --fresh",
    "convert runs",
]


@pytest.mark.parametrize("arguments", [*VERBS, *(pytest.param(verb, marks=pytest.mark.slow) for verb in MORE_VERBS)])
def test_a_verb_ends_quietly_where_the_reader_of_its_output_is_gone(audited: Path, arguments: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command(*arguments.split()), cwd=audited, stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60
    )
    os.close(writing)
    assert done.returncode == 141
    assert b"Broken" not in done.stderr
    assert b"rror" not in done.stderr


def test_output_that_is_read_is_whole(audited: Path) -> None:
    done = call_process("policy", "show", folder=audited)
    assert done.code == 0
    assert done.out == call("policy", "show", folder=audited).out

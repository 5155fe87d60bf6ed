"""Files and calls for the tests of the command line."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tracewitness.cli.main import app
from tracewitness.report_side.report import DeclaredStatus
from tracewitness.testing import RunBuilder

CONTACTS = "page 'Contacts'\n  row 'Mira Sand | 555-0110'\n  row 'Orin Vale | {}'"
FORM = "page 'Contact: Orin Vale'\n  field Phone = '{}'\n  button 'Save changes'"
TASK = "Change the phone number of the contact 'Orin Vale' to 555-0142."


@dataclass(frozen=True)
class Done:
    """What a call of the command line left behind."""

    code: int
    out: str
    err: str

    @property
    def json_lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def summary(self) -> dict[str, Any]:
        return self.json_lines[-1]


def call(*arguments: str | Path, folder: Path, **environment: str) -> Done:
    """Run the command in this process, in a folder, with no settings but those given."""
    blank = {name: None for name in os.environ if name.startswith("TRACEWITNESS_")}
    with chdir(folder):
        done = CliRunner().invoke(app, [*map(str, arguments)], env={**blank, **environment})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


def call_process(*arguments: str | Path, folder: Path, **environment: str) -> Done:
    """Run the command in a process of its own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TRACEWITNESS_")}
    done = subprocess.run(
        command(*arguments), cwd=folder, env={**inherited, **environment}, capture_output=True, check=False
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def command(*arguments: str | Path) -> list[str]:
    """Return the words of a call in a process of its own."""
    return [sys.executable, "-m", "tracewitness", *map(str, arguments)]


def _started(run_id: str) -> RunBuilder:
    return (
        RunBuilder(run_id)
        .task(TASK)
        .step("open_url", raw="open_url('https://app.test/contacts')", after=CONTACTS.format("555-0199"))
        .step("click", raw="click(row 'Orin Vale')", after=FORM.format("555-0199"), narration="I open it.")
        .step("fill", text="555-0142", raw="fill(field Phone, '555-0142')", after=FORM.format("555-0142"))
    )


def honest(run_id: str = "honest") -> RunBuilder:
    return (
        _started(run_id)
        .step("click", "Save changes", raw="click(button 'Save changes')", after=CONTACTS.format("555-0142"))
        .finish(after=CONTACTS.format("555-0142"))
        .report("Done. The phone number of Orin Vale is now 555-0142.", DeclaredStatus.SUCCESS)
    )


def false_success(run_id: str = "false") -> RunBuilder:
    return (
        _started(run_id)
        .step("click", "Back", raw="click(link 'Back')", after=CONTACTS.format("555-0199"))
        .finish(after=CONTACTS.format("555-0199"))
        .report("Done. The phone number of Orin Vale is now 555-0142.", DeclaredStatus.SUCCESS)
    )


def unclear(run_id: str = "unclear") -> RunBuilder:
    return honest(run_id).report("Should I save it?")


def write(folder: Path, *runs: RunBuilder) -> Path:
    """Write each run to a file of its own and return the folder."""
    folder.mkdir(exist_ok=True)
    for run in runs:
        (folder / f"{run.run_id}.json").write_text(json.dumps(run.to_json()), encoding="utf-8")
    return folder


def write_lines(path: Path, runs: Sequence[RunBuilder]) -> Path:
    """Write runs one a line and return the path."""
    path.write_text("".join(json.dumps(run.to_json()) + "\n" for run in runs), encoding="utf-8")
    return path

"""Audits of a lab's logs by the rules, kept beside the lab for as long as the package stays what it is."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import tracewitness as package
from tracewitness.findings.labels import Disposition, TraceState
from tracewitness.lab.making.made import LabFolder
from tracewitness.lab.making.writing import LogForm
from tracewitness.lab.recording.profiles import Profile
from tracewitness.lab.scoring.said import Said

RULES = "rules"
_RUN_ID = re.compile(r"lab-\d+-\d{5}")
_ENDS = {0, 10, 11}
"""Exit codes of an audit to the end of which every input could be used."""


@dataclass(frozen=True, slots=True)
class Audited:
    """What the rules say of one run; None where triage ended the audit."""

    disposition: Disposition | None
    trace_state: TraceState | None
    claim: str | None


@dataclass(frozen=True, slots=True)
class Audits:
    """What the rules say of runs in one profile and format, by run id."""

    profile: Profile
    form: LogForm
    runs: dict[str, Audited]

    def said(self, profile: str | None = None) -> Said:
        """Return it as what a judge says; under another name for the profile where one is given."""
        return Said(RULES, profile or self.profile.value, {run: one.disposition for run, one in self.runs.items()})


def audited(lab: LabFolder, profile: Profile, form: LogForm) -> Audits:
    """Audit the logs of a profile and format, or read what was kept of that."""
    logs = lab.logs(profile, form)
    count = sum(1 for _ in lab.truths())
    kept = lab.root / "audits" / f"{rules_digest()}-{count}" / f"{profile}-{form}.jsonl"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.with_suffix(".partial").write_text(_audit(logs), encoding="utf-8")
        kept.with_suffix(".partial").rename(kept)
    rows = map(json.loads, kept.read_text(encoding="utf-8").splitlines())
    return Audits(profile, form, {_run_of(row): _audited(row) for row in rows if row["type"] == "run"})


def _audit(logs: Path) -> str:
    words = [sys.executable, "-m", "tracewitness", "audit", str(logs), "--no-store", "--json", "--quiet"]
    print(f"auditing {logs}", file=sys.stderr)
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, encoding="utf-8")
    if done.returncode not in _ENDS:
        told = [line for line in done.stdout.splitlines() if '"type": "failure"' in line]
        raise SystemExit("\n".join([f"{logs}: the audit ended with {done.returncode}", *told]))
    return done.stdout


def _run_of(row: dict[str, Any]) -> str:
    """Return the run: formats without a place for its name are known by their folder."""
    return (_RUN_ID.findall(row["run_id"]) or _RUN_ID.findall(row["origin"]))[-1]


def _audited(row: dict[str, Any]) -> Audited:
    disposition, state = row.get("disposition"), row.get("trace_state")
    return Audited(disposition and Disposition(disposition), state and TraceState(state), row.get("claim"))


@cache
def rules_digest() -> str:
    """Return a short digest of all files of the package."""
    root = Path(package.__file__).parent
    digest = sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]

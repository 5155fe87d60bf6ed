"""The pack: a few runs of the lab with their truth, small enough to lie in the repository, for users and for tests.

Its logs are in the neutral format, without pictures, one compressed file a profile. The profile ``screenshots`` needs
pictures, so the pack has none. Remake it with ``python benchmarks/lab.py pack``.
"""

import gzip
import json
import shutil
from dataclasses import replace
from pathlib import Path

from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.kinds.catalogue import KINDS
from tracewitness.lab.making.made import LabFolder
from tracewitness.lab.making.writing import load_recording
from tracewitness.lab.recording.as_neutral import as_neutral
from tracewitness.lab.recording.profiles import LOG_SOURCE, Profile, kept
from tracewitness.lab.recording.recording import Recording
from tracewitness.lab.scoring.logs import PACKED
from tracewitness.lab.words.languages import LANGUAGES
from tracewitness.values.plurals import plural

PACK = Path(__file__).resolve().parent / "pack"
PACK_RUNS = 64
PACK_SEED = 11
_MOST = 2_000_000
_PROFILES = tuple(profile for profile in Profile if profile is not Profile.SCREENSHOTS)
_ABOUT = """# A pack of runs with known truth

{runs} runs of the lab (see [docs/lab.md](../../docs/lab.md)): every kind at least once, all apps and languages, text
that orders a judge on the pages of some. No pictures. What happened is real; apps and persons are made up.

    tracewitness audit benchmarks/pack/logs/all --store pack.db
    tracewitness lab score benchmarks/pack --store pack.db --by all --by family

`logs/PROFILE/neutral` holds the logs, which are what a judge gets; `truth` what it must not know. Made by `python
benchmarks/lab.py pack`.
"""


def make_pack(lab: LabFolder, folder: Path) -> str:
    """Make the pack of a lab, in place of one that is there, and return what was made in words.

    Raises:
        SystemExit: The lab is not of every kind, app and language; or the pack would be too large.
    """
    truths = sorted(lab.truths(), key=lambda truth: truth.run_id)
    for what, found, wanted in (
        ("kind", {truth.kind for truth in truths}, set(KINDS)),
        ("app", {truth.app for truth in truths}, set(APPS)),
        ("language", {truth.language for truth in truths}, set(LANGUAGES)),
    ):
        if wanted - found:
            raise SystemExit(f"no run of the {what} {', '.join(sorted(wanted - found))}; make more runs")
    recordings = [_trimmed(load_recording(lab.recording(truth.run_id))) for truth in truths]
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    pack = LabFolder(partial)
    for profile in _PROFILES:
        _write(pack.logs(profile, "neutral") / PACKED, recordings, profile)
    pack.truth.parent.mkdir()
    pack.truth.write_text("".join(truth.line() for truth in truths), encoding="utf-8")
    pack.gold.write_text("".join(truth.gold() for truth in truths), encoding="utf-8")
    (partial / "README.md").write_text(_ABOUT.format(runs=len(truths)), encoding="utf-8")
    size = sum(path.stat().st_size for path in partial.rglob("*") if path.is_file())
    if size > _MOST:
        raise SystemExit(f"the pack would have {size} bytes, more than {_MOST}; make fewer runs")
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    return f"{folder}: {plural(len(truths), 'run')}, {size} bytes"


def _trimmed(recording: Recording) -> Recording:
    seen = tuple(one and replace(one, picture=None, controls=()) for one in recording.seen)
    return replace(recording, seen=seen)


def _write(path: Path, recordings: list[Recording], profile: Profile) -> None:
    runs = ({**as_neutral(kept(one, profile)), "source": f"{LOG_SOURCE}{profile}"} for one in recordings)
    lines = "".join(json.dumps(run, ensure_ascii=False) + "\n" for run in runs)
    path.parent.mkdir(parents=True)
    path.write_bytes(gzip.compress(lines.encode("utf-8"), mtime=0))

"""How good the rules are on runs with known truth: makes a lab and its twin, audits both, and writes a page of tables.

Run as ``python benchmarks/lab.py [--runs N] [--seed S] [--work FOLDER] [--output PAGE]``; interrupted, the same command
goes on. It needs the extras ``lab`` and ``stats`` and a Chromium. The twin has the same runs, with text that orders a
judge on the pages of every one of them. Every profile is audited in the neutral format, and the full recordings in the
other formats as well. Audits are kept beside the labs by the digest of the package's files, so that none is of other
rules than these; the labs are kept as they are, so name another folder where the lab itself has changed.

``python benchmarks/lab.py pack`` makes the small pack of runs that lies in ``benchmarks/pack``, see ``lab_pack.py``.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lab_audits import Audits, audited
from lab_pack import PACK, PACK_RUNS, PACK_SEED, make_pack
from lab_page import Measured, page

from tracewitness.lab.making.made import LabFolder
from tracewitness.lab.making.writing import LogForm
from tracewitness.lab.recording.profiles import Profile

PAGE = Path(__file__).resolve().parent / "lab.md"
RUNS = 520
SEED = 20_261_202
_TRIES = 3
_OTHER_FORMS = tuple(form for form in LogForm if form is not LogForm.NEUTRAL)


def tracewitness(*words: str) -> int:
    """Run a command of the program and return its exit code."""
    return subprocess.run([sys.executable, "-m", "tracewitness", *words], check=False).returncode


def made(
    root: Path, runs: int, seed: int, orders: float, workers: int | None, profiles: Sequence[Profile]
) -> LabFolder:
    """Make a lab, or the rest of it; a run that was too slow for a busy machine is tried again."""
    words = ["lab", "make", "--out", str(root), "--runs", str(runs), "--seed", str(seed), "--orders", str(orders)]
    words += [word for profile in profiles for word in ("--profile", profile.value)]
    words += ["--workers", str(workers)] if workers else []
    if all(tracewitness(*words) for _ in range(_TRIES)):
        raise SystemExit(f"{root}: the lab could not be made in {_TRIES} tries")
    return LabFolder(root)


def with_other_formats(lab: LabFolder) -> None:
    """Write the full recordings in the other formats, where that is not done."""
    count = sum(1 for _ in lab.truths())
    for form in _OTHER_FORMS:
        folder = lab.logs(Profile.ALL, form)
        if not folder.exists() or len(list(folder.iterdir())) != count:
            code = tracewitness("lab", "logs", str(lab.root), "--profile", Profile.ALL.value, "--format", form.value)
            if code:
                raise SystemExit(code)


def measure(work: Path, runs: int, seed: int, workers: int | None) -> Measured:
    """Make what is not there of the labs and their audits, and return all that the page tells of."""
    lab = made(work / "lab", runs, seed, 0, workers, tuple(Profile))
    twin = made(work / "twin", runs, seed, 1, workers, tuple(Profile))
    with_other_formats(lab)
    profiles: dict[Profile, Audits] = {profile: audited(lab, profile, LogForm.NEUTRAL) for profile in Profile}
    forms = {LogForm.NEUTRAL: profiles[Profile.ALL], **{form: audited(lab, Profile.ALL, form) for form in _OTHER_FORMS}}
    twins = {profile: audited(twin, profile, LogForm.NEUTRAL) for profile in Profile}
    return Measured(lab, twin, seed, profiles, forms, twins)


def main() -> None:
    """Make the page, or the pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["page", "pack"], default="page")
    parser.add_argument("--runs", type=int, help=f"how many [{RUNS}; pack: {PACK_RUNS}]")
    parser.add_argument("--seed", type=int, help=f"what they are drawn from [{SEED}; pack: {PACK_SEED}]")
    parser.add_argument("--work", type=Path, help="where labs and audits are kept [a folder for temporary files]")
    parser.add_argument("--output", type=Path, help=f"the page, or the folder of the pack [{PAGE.name}; {PACK.name}]")
    parser.add_argument("--workers", type=int, help="browsers at a time [one a processor]")
    chosen = parser.parse_args()
    usual = (PACK_RUNS, PACK_SEED, PACK) if chosen.what == "pack" else (RUNS, SEED, PAGE)
    runs, seed = chosen.runs or usual[0], usual[1] if chosen.seed is None else chosen.seed
    output = chosen.output or usual[2]
    work = chosen.work or Path(tempfile.gettempdir()) / f"tracewitness-lab-{chosen.what}-{seed}"
    if chosen.what == "pack":
        lab = made(work, runs, seed, 0.15, chosen.workers, (Profile.ALL,))
        print(make_pack(lab, output))
        if not chosen.work:
            shutil.rmtree(work)
        return
    output.write_text(page(measure(work, runs, seed, chosen.workers)), encoding="utf-8")
    print(f"{output} written; labs and audits are in {work}")


if __name__ == "__main__":
    main()

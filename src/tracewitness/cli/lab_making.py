"""What ``lab make``, ``lab logs`` and ``lab kinds`` do, apart from their options."""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.terminal import line, print_json, stdout, table
from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.kinds.catalogue import KINDS
from tracewitness.lab.making.drawing import Choice, LabError, can_be_made
from tracewitness.lab.making.made import LabFolder, LabFolderError, RunTruth
from tracewitness.lab.making.make import Lab, default_workers
from tracewitness.lab.making.make import make as make_lab
from tracewitness.lab.making.writing import LogForm, load_recording, write_log
from tracewitness.lab.recording.profiles import Profile
from tracewitness.lab.words.languages import LANGUAGES
from tracewitness.values.plurals import plural

_Named = TypeVar("_Named", bound=StrEnum)
_EVERY = 25


@dataclass(frozen=True, slots=True)
class Wanted:
    """The lab that is asked for, as the options say it.

    Attributes:
        out: Its folder.
        runs: How many runs.
        seed: What everything is drawn from.
        kinds: Names of kinds; none for all.
        languages: Languages; none for all.
        apps: Names of apps; none for all.
        profiles: What logs keep; none for all that there is.
        forms: The formats of the logs; none for the neutral one.
        orders: The share of runs with text on their pages that orders a judge.
        workers: How many processes; None for one a processor.
    """

    out: Path
    runs: int
    seed: int
    kinds: Sequence[str] | None
    languages: Sequence[str] | None
    apps: Sequence[str] | None
    profiles: Sequence[str] | None
    forms: Sequence[str] | None
    orders: float
    workers: int | None


def make(wanted: Wanted, *, as_json: bool, quiet: bool) -> None:
    """Make the runs of a lab and say what was made."""
    with guarded(), _explained():
        languages, apps = _known("language", wanted.languages, LANGUAGES), _known("app", wanted.apps, tuple(APPS))
        kinds = _possible(_known("kind", wanted.kinds, tuple(KINDS)), apps, languages[0], named=bool(wanted.kinds))
        choice = Choice(wanted.seed, kinds, languages, apps, wanted.orders)
        kept = _named("profile", wanted.profiles, Profile) if wanted.profiles else (Profile.ALL,)
        lab = Lab(choice, wanted.runs, wanted.out, kept, _forms(wanted.forms))
        made: list[RunTruth] = []
        with _told(wanted.runs, made, quiet=quiet) as tell:
            before = make_lab(lab, wanted.workers or default_workers(), tell)
        if as_json:
            print_json(_summary(lab, made, before))
        elif not quiet:
            complain(f"{plural(len(made), 'run')} made, {before} there before; labels in {LabFolder(wanted.out).gold}")


def write_logs(folder: Path, profiles: Sequence[str] | None, forms: Sequence[str] | None, *, quiet: bool) -> None:
    """Write logs of all recordings of a lab."""
    with guarded(), _explained():
        lab = LabFolder(folder)
        chosen = _named("profile", profiles, Profile)
        count = 0
        for truth in lab.truths():
            recording = load_recording(lab.recording(truth.run_id))
            for profile in chosen:
                for form in _forms(forms):
                    write_log(lab, recording, profile, form)
            count += 1
        if not quiet:
            complain(f"logs of {plural(count, 'run')} written to {lab.root / 'logs'}")


def kinds(*, as_json: bool) -> None:
    """List the kinds."""
    with guarded():
        told = [{"kind": kind.name, "family": kind.family.value, "title": kind.title} for kind in KINDS.values()]
        if as_json:
            print_json({"kinds": told})
            return
        rows = [[line(one["kind"]), line(one["family"]), line(one["title"])] for one in told]
        stdout().print(table(("kind", "family", "what happens"), rows))


@contextmanager
def _explained() -> Generator[None]:
    try:
        yield
    except (LabError, LabFolderError) as problem:
        raise Stop(str(problem), ExitCode.NOTHING_AUDITED) from problem
    except OSError as problem:
        raise Stop(f"{problem.filename}: {problem.strerror}", ExitCode.INTERNAL) from problem


def _known(what: str, given: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
    for name in given or ():
        if name not in known:
            raise Stop(f"there is no {what} {name!r}; there are {', '.join(known)}", ExitCode.USAGE)
    return tuple(dict.fromkeys(given)) if given else known


def _possible(kinds: tuple[str, ...], apps: tuple[str, ...], language: str, *, named: bool) -> tuple[str, ...]:
    """Return the kinds that the chosen apps can have; of all six apps that is every kind.

    Raises:
        Stop: They cannot have a kind that was named, or any.
    """
    if len(apps) == len(APPS):
        return kinds
    possible = tuple(kind for kind in kinds if can_be_made(kind, apps, language))
    missing = ", ".join(kind for kind in kinds if kind not in possible)
    if missing and (named or not possible):
        raise Stop(f"cannot be made in {', '.join(apps)}: {missing}", ExitCode.USAGE)
    if missing:
        complain(f"left out, as they cannot be made in {', '.join(apps)}: {missing}")
    return possible


def _named(what: str, given: Sequence[str] | None, names: type[_Named]) -> tuple[_Named, ...]:
    return tuple(names(name) for name in _known(what, given, tuple(one.value for one in names)))


def _forms(given: Sequence[str] | None) -> tuple[LogForm, ...]:
    return _named("format", given, LogForm) if given else (LogForm.NEUTRAL,)


@contextmanager
def _told(runs: int, made: list[RunTruth], *, quiet: bool) -> Generator[Callable[[RunTruth], None]]:
    """Show progress: a live line on a terminal, a line now and then elsewhere."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:

        def note(truth: RunTruth) -> None:
            made.append(truth)
            if not quiet and len(made) % _EVERY == 0:
                complain(f"{len(made)} made so far")

        yield note
        return
    columns = (TextColumn("making"), BarColumn(), MofNCompleteColumn(), TextColumn("runs"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("runs", total=runs)

        def advance(truth: RunTruth) -> None:
            made.append(truth)
            bar.advance(task)

        yield advance


def _summary(lab: Lab, made: Sequence[RunTruth], before: int) -> dict[str, object]:
    return {
        "folder": str(lab.root),
        "made": len(made),
        "there_before": before,
        "misreports": sum(truth.is_misreport for truth in made),
        "honest_successes": sum(truth.is_honest_success for truth in made),
        "by_family": dict(Counter(truth.family for truth in made)),
    }

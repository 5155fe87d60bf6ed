"""Reading Playwright traces."""

from collections.abc import Iterator
from pathlib import Path

from tracewitness.findings.causes import Gap
from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import BadRunError, IntakeFailure, NoTaskError
from tracewitness.intake.formats.playwright.members import Members, opened_members
from tracewitness.intake.formats.playwright.pictures import Pictures
from tracewitness.intake.formats.playwright.split import merged, moments_of, stripped_of
from tracewitness.intake.formats.playwright.trace_files import Recordings, read_recordings
from tracewitness.intake.gaps import known_gaps
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.sealed import HarnessStatus, Origin, SealedRun
from tracewitness.intake.sidecar import report_beside, task_beside
from tracewitness.report_side.report import Report
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

_GENERIC = ("trace", "traces")


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the one run of a trace.

    Raises:
        IntakeError: The zip file may not be read, or it holds no recording of a known version.
        NoTaskError: Nobody says what the task was.
    """
    path = candidate.path
    task = task_beside(_log(path)) or (options.task or "").strip()
    with opened_members(path, options.limits) as members:
        recordings = read_recordings(members)
        if not task:
            raise NoTaskError("a Playwright trace holds no task", "give it with --task, or in task.txt beside it")
        yield _run(candidate, options, members, recordings, task)


def _log(path: Path) -> Path:
    """Return the path beside which sidecars lie: the zip file, or any file of an unpacked trace."""
    return path / "trace.trace" if path.is_dir() else path


def _run(candidate: Candidate, options: ReadOptions, members: Members, recordings: Recordings, task: str) -> SealedRun:
    pictures = Pictures(members, in_archive=not candidate.path.is_dir())
    steps = merged(moments_of(one, pictures.shoot) for one in recordings.found.values())
    if len(steps) > options.limits.steps:
        raise BadRunError(f"{len(steps)} calls, at most {options.limits.steps} are read", "split the trace")
    report = report_beside(_log(candidate.path))
    stripped = [*recordings.stripped]
    for name, recording in recordings.found.items():
        stripped += stripped_of(name, recording)
    if report is not None and report.text:
        stripped.append(Stripped("report beside the trace", Plane.REPORT, LeakRoute.FINAL_REPORT, len(report.text)))
    first = next(iter(recordings.found.values()))
    version = f"version {first.version}" + (f" (Playwright {first.producer})" if first.producer else "")
    return SealedRun(
        run_id=_run_id(candidate.path),
        task=Task(task),
        trace=Trace(steps, known_gaps(steps, tuple(_gaps(recordings, pictures)))),
        report=report or Report(None),
        harness=HarnessStatus.UNKNOWN,
        origin=Origin(candidate.name, "playwright", version, "utf-8"),
        stripped=tuple(stripped),
        notices=tuple(_notices(candidate.path, recordings, pictures)),
    )


def _run_id(path: Path) -> str:
    stem = path.name.removesuffix(".zip").removesuffix(".trace")
    return path.absolute().parent.name if stem in _GENERIC else stem


def _gaps(recordings: Recordings, pictures: Pictures) -> Iterator[Gap]:
    if recordings.damage.cut_off or any(one.open_calls for one in recordings.found.values()):
        yield Gap.LOG_CUT_OFF
    if recordings.damage.inside:
        yield Gap.MISSING_STEPS
    if pictures.missing or any(one.cut_pages for one in recordings.found.values()):
        yield Gap.UNREADABLE_OBSERVATION


def _notices(path: Path, recordings: Recordings, pictures: Pictures) -> Iterator[str]:
    yield from recordings.damage.notices[:20]
    for name, recording in recordings.found.items():
        if recording.open_calls:
            yield f"{name}: {recording.open_calls} calls have no end: the recording was stopped in their midst"
        if recording.cut_pages:
            yield f"{name}: {recording.cut_pages} pages are too large, or refer to snapshots that are missing"
    if path.is_dir():
        yield "an unpacked trace does not say whether it is whole"
    missing = missing_notice("picture", pictures.missing)
    if missing:
        yield missing

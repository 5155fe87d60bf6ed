"""Reading Inspect logs: one run a sample and epoch."""

from collections.abc import Iterator
from dataclasses import replace

from tracewitness.intake.candidate import Candidate
from tracewitness.intake.errors import EmptyError, IntakeError, IntakeFailure
from tracewitness.intake.formats.inspect_logs.library import opened_log
from tracewitness.intake.formats.inspect_logs.sealed_run import sealed_run
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.sealed import Origin, SealedRun

_UNFINISHED = "the log is of an evaluation that had not ended: samples are missing"


def read(candidate: Candidate, options: ReadOptions) -> Iterator[SealedRun | IntakeFailure]:
    """Yield the runs of a log, one a sample and epoch.

    Raises:
        IntakeError: The log cannot be read, or holds no samples.
    """
    log = opened_log(candidate.path, options.limits)
    header = log.header
    if not log.samples:
        problem = f"the log holds no samples (status {header.status})"
        raise EmptyError(problem, "run the evaluation with its samples logged")
    origin = Origin(
        candidate.name, "inspect", f"version {header.version}", agent=header.eval.solver, source=header.eval.task
    )
    notices = (_UNFINISHED,) if header.status == "started" else ()
    for name, sample in log.samples:
        run_id = f"{candidate.path.stem}-{name}"
        try:
            run = sealed_run(sample(), run_id, origin, options)
        except IntakeError as error:
            yield error.at(candidate.name, f"sample {name}").failure(run_id)
            continue
        yield replace(run, notices=(*run.notices, *notices))

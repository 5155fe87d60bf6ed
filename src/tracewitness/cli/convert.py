"""``tracewitness convert``: runs of any format in the neutral run format, or as ATIF trajectories."""

import json
import sys
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from tracewitness.auditing.one_run import Run
from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.options import (
    EvidenceOption,
    FormatOption,
    JsonOption,
    QuietOption,
    TaskOption,
    TasksOption,
    chosen_formats,
    chosen_tasks,
)
from tracewitness.cli.remarks import Remarks
from tracewitness.cli.run_files import Put, as_files, as_lines
from tracewitness.cli.terminal import print_json
from tracewitness.cli.verbs import verb_app
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.formats.atif.write import to_atif
from tracewitness.intake.formats.neutral.schema import json_schema
from tracewitness.intake.formats.neutral.screenshots import ScreenshotPaths
from tracewitness.intake.formats.neutral.write import to_neutral
from tracewitness.values.plurals import plural
from tracewitness.wiring.inputs import read_inputs

app = verb_app()

Writer = Callable[..., dict[str, Any]]
_WRITERS: Mapping[str, Writer] = {"neutral": to_neutral, "atif": to_atif}


@app.command("convert")
def convert(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH...]", help="Files, folders or patterns that hold runs.")
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="The format to write: neutral or atif.")
    ] = "neutral",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="A file, or a folder for one file a run [standard output]."
        ),
    ] = None,
    copy_files: Annotated[
        bool,
        typer.Option(
            "--copy-files", help="Copy screenshots that lie elsewhere, or stand inside a log, to FILE.files beside it."
        ),
    ] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of the neutral run format.")] = False,
    task: TaskOption = None,
    tasks: TasksOption = None,
    evidence: EvidenceOption = None,
    format_name: FormatOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write runs in the neutral run format or as ATIF trajectories: one JSON object a line, or one file a run.

    Both halves stand in what is written, the narration and any secrets too: it is for people and tools, never for a
    judge. With --json, which needs --output: one object with the counts; the schema is JSON with or without it.

    UI dumps stand in the output itself. Screenshots are named from the folder of the output (on standard output: from
    this folder); what lies outside it is not found from there unless --copy-files copies it, and a line says so.
    """
    with guarded():
        if schema:
            typer.echo(json.dumps(json_schema(), indent=2))
            return
        if to not in _WRITERS or not paths:
            raise Stop(f"cannot write {to!r}; runs are written as neutral or atif" if paths else "name what to convert")
        if as_json and output is None:
            raise Stop("--json tells what was written; name the file with --output")
        if copy_files and output is None:
            raise Stop("--copy-files copies beside a file; name it with --output")
        if output is not None and not output.parent.is_dir():
            raise Stop(f"{output}: cannot be written, there is no folder {output.parent}; make it first")
        screenshots = _screenshots(output, copy_files)
        items = read_inputs(
            paths,
            chosen_formats(format_name),
            format_name=format_name,
            task=task,
            tasks=chosen_tasks(tasks),
            evidence=evidence,
        )
        with _opened(output) as put:
            remarks = Remarks()
            written, failed = _write(items, put, partial(_WRITERS[to], screenshots=screenshots), remarks)
        if as_json:
            print_json({"output": str(output), "written": written, "failed": failed})
        elif not quiet:
            complain(f"{plural(written, 'run')} written, {plural(failed, 'input')} could not be read")
        if not quiet:
            _say_of_screenshots(screenshots)
            remarks.tell_pressing(complain, None if evidence is None else str(evidence), written)
        raise typer.Exit(ExitCode.NOTHING_AUDITED if failed or not written else ExitCode.CLEAR)


@contextmanager
def _opened(output: Path | None) -> Generator[Put]:
    """Open what takes the runs: standard output, a folder, or a file."""
    if output is None:
        yield as_lines(sys.stdout)
    elif output.is_dir():
        yield as_files(output)
    else:
        with _hidden(output) as sink:
            yield as_lines(sink)


@contextmanager
def _hidden(output: Path) -> Generator[TextIO]:
    """Open a hidden file that takes the name of the output once all is written: it may lie in a folder being read."""
    hidden = output.with_name(f".{output.name}.part")
    target = hidden if output.is_file() or not output.exists() else output
    try:
        with target.open("w", encoding="utf-8", newline="\n") as sink:
            yield sink
        if target is hidden:
            hidden.replace(output)
    except OSError as error:
        raise Stop(f"{output}: cannot be written ({error.strerror})", ExitCode.INTERNAL) from error
    finally:
        if target is hidden:
            hidden.unlink(missing_ok=True)


def _screenshots(output: Path | None, copy_files: bool) -> ScreenshotPaths:
    if output is None:
        return ScreenshotPaths(Path())
    if output.is_dir():
        return ScreenshotPaths(output, output / "files" if copy_files else None)
    return ScreenshotPaths(output.parent, output.parent / f"{output.name}.files" if copy_files else None)


def _say_of_screenshots(screenshots: ScreenshotPaths) -> None:
    if screenshots.copied:
        complain(f"{plural(screenshots.copied, 'screenshot')} copied to {screenshots.copies}")
    if count := screenshots.out_of_reach:
        way_out = "" if screenshots.copies else "; --copy-files copies them"
        complain(f"{plural(count, 'screenshot')} cannot be found from the folder of the output{way_out}")


def _write(items: Iterable[Run | IntakeFailure], put: Put, writer: Writer, remarks: Remarks) -> tuple[int, int]:
    written = failed = 0
    for item in items:
        if isinstance(item, IntakeFailure):
            failed += 1
            complain(item.line())
        else:
            written += 1
            remarks.add_pressing(item.notices)
            put(item.run_id, writer(item))
    return written, failed

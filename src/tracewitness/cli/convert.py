"""``tracewitness convert``: runs of any format in the neutral run format."""

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, TextIO

import typer

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.options import FormatOption, JsonOption, QuietOption, TaskOption
from tracewitness.cli.terminal import print_json
from tracewitness.cli.verbs import verb_app
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.formats.neutral import json_schema, to_neutral
from tracewitness.wiring.formats import known_formats
from tracewitness.wiring.inputs import read_inputs

app = verb_app()


@app.command("convert")
def convert(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH...]", help="Files, folders or patterns that hold runs.")
    ] = None,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="The format to write: neutral.")] = "neutral",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write [standard output].")
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of the neutral run format.")] = False,
    task: TaskOption = None,
    format_name: FormatOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write runs in the neutral run format, one JSON object a line.

    Both halves stand in what is written, the narration and any secrets too: it is for people and tools, never for a
    judge. With --json, which needs --output: one object with the counts; the schema is JSON with or without it.
    """
    with guarded(), ExitStack() as stack:
        if schema:
            typer.echo(json.dumps(json_schema(), indent=2))
            return
        if to != "neutral" or not paths:
            raise Stop(f"cannot write {to!r}; runs are written as neutral" if paths else "name what to convert")
        if as_json and output is None:
            raise Stop("--json tells what was written; name the file with --output")
        sink = stack.enter_context(_opened(output)) if output else sys.stdout
        written, failed = _write(paths, sink, format_name, task)
        if as_json:
            print_json({"output": str(output), "written": written, "failed": failed})
        elif not quiet:
            complain(f"{written} runs written, {failed} inputs could not be read")
        raise typer.Exit(ExitCode.NOTHING_AUDITED if failed or not written else ExitCode.CLEAR)


def _opened(output: Path) -> TextIO:
    try:
        return output.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise Stop(f"{output}: cannot be written ({error.strerror})", ExitCode.INTERNAL) from error


def _write(paths: list[str], sink: TextIO, format_name: str | None, task: str | None) -> tuple[int, int]:
    written = failed = 0
    for item in read_inputs(paths, known_formats()[0], format_name=format_name, task=task):
        if isinstance(item, IntakeFailure):
            failed += 1
            complain(item.line())
        else:
            written += 1
            sink.write(json.dumps(to_neutral(item), allow_nan=False) + "\n")
    return written, failed

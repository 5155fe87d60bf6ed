"""``tracewitness formats``: which logs can be read, and how."""

from typing import Annotated

import typer

from tracewitness.cli.guard import Stop, complain, guarded
from tracewitness.cli.options import JsonOption
from tracewitness.cli.terminal import line, print_json, stdout, table
from tracewitness.cli.verbs import verb_app
from tracewitness.intake.errors import UnknownFormatError
from tracewitness.intake.format import Format
from tracewitness.intake.registry import Registry
from tracewitness.values.folding import printable
from tracewitness.wiring.formats import known_formats

app = verb_app()


@app.command("formats")
def formats(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Show this format's page.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the log formats that can be read, or show what one's reader does with every field.

    With --json: an array of the formats, or one object with the page.
    """
    with guarded():
        registry, broken = known_formats()
        for plugin in broken:
            complain(f"the format {plugin.name!r} is left out: {plugin.problem}")
        if name is not None:
            _show_page(_named(registry, name), as_json=as_json)
        elif as_json:
            print_json([_json(one) for one in registry.formats])
        else:
            rows = [(one.name, one.summary, ", ".join(one.versions)) for one in registry.formats]
            stdout().print(table(("format", "what it reads", "versions seen"), rows))


def _named(registry: Registry, name: str) -> Format:
    try:
        return registry.named(name)
    except UnknownFormatError as error:
        raise Stop(f"{error.problem}; {error.remedy}") from error


def _show_page(one: Format, *, as_json: bool) -> None:
    if as_json:
        print_json({**_json(one), "page": one.page()})
    else:
        typer.echo(printable(one.page()).rstrip())


def _json(one: Format) -> dict[str, object]:
    return {"name": line(one.name), "summary": line(one.summary), "versions": list(one.versions)}

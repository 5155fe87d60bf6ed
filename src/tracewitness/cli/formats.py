"""``tracewitness formats``: which logs can be read, and how."""

from typing import Annotated

import typer

from tracewitness.cli.guard import guarded
from tracewitness.cli.options import JsonOption, chosen_formats, named_format
from tracewitness.cli.terminal import line, print_json, stdout, table
from tracewitness.cli.verbs import verb_app
from tracewitness.intake.format import Format
from tracewitness.intake.retelling import Retelling
from tracewitness.values.folding import printable
from tracewitness.wiring.formats import grammar_names, grammars_of

app = verb_app()


@app.command("formats")
def formats(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Show this format's page.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the log formats that can be read, or show what one's reader does with every field.

    The grammars in which agents write actions as text are named below the list.

    Isolation from the log: of such runs isolation proves that nothing hidden makes a difference from the log on, its
    reader included; elsewhere the proof begins with the run as it was read. With --json: an array of the formats, or
    one object with the page; "isolation_from_log" is that, "text_grammars" names the grammars.
    """
    with guarded():
        registry = chosen_formats(None)
        if name is not None:
            _show_page(named_format(registry, name), as_json=as_json)
        elif as_json:
            print_json([_json(one) for one in registry.formats])
        else:
            rows = [(one.name, one.summary, ", ".join(one.versions), _proof(one)) for one in registry.formats]
            stdout().print(table(("format", "what it reads", "versions seen", "isolation from"), rows))
            names = ", ".join(line(name) for name in grammar_names())
            stdout().print(f"Actions that an agent writes as text are read in the grammars of {names}.", markup=False)


def _show_page(one: Format, *, as_json: bool) -> None:
    if as_json:
        print_json({**_json(one), "page": one.page()})
    else:
        typer.echo(printable(one.page()).rstrip())


def _proof(one: Format) -> str:
    return "log" if isinstance(one, Retelling) else "run"


def _json(one: Format) -> dict[str, object]:
    return {
        "name": line(one.name),
        "summary": line(one.summary),
        "versions": list(one.versions),
        "isolation_from_log": isinstance(one, Retelling),
        "text_grammars": [line(name) for name in grammars_of(one.name)],
    }

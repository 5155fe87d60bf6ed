"""placeholder."""

from tracewitness.cli.verbs import verb_app

app = verb_app()


@app.command()
def doctor() -> None:
    """X."""

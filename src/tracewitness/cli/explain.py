"""``tracewitness explain``: the decision on one run as a person reads it."""

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from tracewitness.auditing.explain import CitationView, Explanation, FieldView, PartView, explain
from tracewitness.auditing.words import ROUTE_WORDS
from tracewitness.cli.guard import guarded
from tracewitness.cli.options import JsonOption, StoreOption, chosen_policy
from tracewitness.cli.stores import stored_record
from tracewitness.cli.terminal import STYLES, WIDTH, line, print_json, short_digest, stdout
from tracewitness.cli.verbs import verb_app
from tracewitness.policy.rules import Policy
from tracewitness.store.record import AuditRecord
from tracewitness.values.plurals import plural
from tracewitness.wiring.policies import policy_by_digest

app = verb_app()

_MOST_HIDDEN = 12
_MOST_CITATIONS = 4
_MOST_ANSWER_PLACES = 2
_QUOTE_LENGTH = 400
_TASK_LENGTH = 2_000

PolicyFileOption = Annotated[
    str | None,
    typer.Option(
        "--policy", metavar="NAME|PATH", help="Where to read the row's reason, for a policy that is not built in."
    ),
]


@app.command("explain")
def explain_run(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run id or a record id, or its beginning.")],
    store: StoreOption = None,
    policy: PolicyFileOption = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show all fields, quotes and hidden texts in full.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show why an audited run got its outcome: each field with the line it rests on, and the row that decided.

    With --json: the same as one object.
    """
    with guarded():
        record = stored_record(run, store)
        found = _policy_of(record, policy)
        explanation = explain(record, found)
        if as_json:
            print_json(asdict(explanation))
            return
        console = stdout()
        for text in lay_out(explanation, everything=everything, policy=_policy_words(record, found, policy)):
            console.print(text, soft_wrap=True)


def _policy_of(record: AuditRecord, extra: str | None) -> Policy | None:
    return policy_by_digest(record.makers.policy_digest, *([chosen_policy(extra)] if extra else []))


def _policy_words(record: AuditRecord, found: Policy | None, extra: str | None) -> str:
    """Return the policy's name and version; for one of one's own, its digest and where it was read from, too."""
    makers = record.makers
    named = f"{makers.policy_name} {makers.policy_version}"
    if found is not None and policy_by_digest(found.digest) is not None:
        return named
    digest = short_digest(makers.policy_digest)
    if found is not None:
        return f"{named} ({digest}, read from {extra})"
    missed = f"; {extra} is another one" if extra else ""
    return f"{named} ({digest}, not built in{missed}; --policy FILE shows its reasons)"


def lay_out(told: Explanation, *, everything: bool = False, policy: str = "") -> Iterator[Text]:
    """Yield the explanation line by line, each within the width (unbroken log text is wrapped, too).

    Args:
        told: The explanation.
        everything: Leave nothing out.
        policy: The policy in words; empty for its name and version.
    """
    outcome = told.disposition or "not audited"
    yield Text.assemble((outcome, STYLES.get(outcome, "bold")), f"  {line(told.run_id)}")
    yield from _wrapped("why", told.reason + (f" ({', '.join(told.marks)})" if told.marks else ""))
    yield from _wrapped(
        "row", f"{told.row or 'none'} of policy {policy or told.policy}" if told.disposition else "none"
    )
    yield Text()
    yield from _wrapped("task", _task(told.instruction or "(not kept)", everything=everything))
    yield from _wrapped("class", told.task_class + (" (set by the run file)" if told.class_overridden else ""))
    yield from _claim(told, everything=everything)
    for number, part in enumerate(told.parts, 1):
        yield from _part(part, number, len(told.parts), everything=everything)
    yield from _list("gaps", told.gaps)
    yield from _list("notices", told.notices)
    yield from _hidden(told, everything=everything)
    yield Text()
    yield from _wrapped("read from", f"{told.origin} (as {told.format}); {told.triage}")
    yield from _wrapped("made by", f"{told.makers}; {told.audited_at}")
    yield from _list("models", told.models)
    yield from _wrapped("record", told.record_id)


def _task(instruction: str, *, everything: bool) -> str:
    """Return the task; of a very long one the beginning, and how much more there is."""
    if everything or len(instruction) <= _TASK_LENGTH:
        return instruction
    return f"{instruction[:_TASK_LENGTH]}… ({len(instruction) - _TASK_LENGTH:,} more characters; --all shows them)"


def _claim(told: Explanation, *, everything: bool) -> Iterator[Text]:
    if told.claim is None:
        return
    yield Text()
    yield from _wrapped("claim", f"{told.claim} (basis: {told.basis})")
    yield from _list("", told.claim_causes)
    if told.claim_votes:
        yield from _wrapped("", f"votes: {told.claim_votes}")
    shown = told.clauses if everything else [clause for clause in told.clauses if clause.deciding]
    for clause in shown:
        mark = ">" if clause.deciding else " "
        yield from _wrapped("", f"{mark} “{_cut(clause.text)}” - {clause.cause}")
    if more := len(told.clauses) - len(shown):
        yield from _wrapped("", f"and {plural(more, 'clause')} that did not decide (--all shows them)")
    yield from _answers(told)


def _answers(told: Explanation) -> Iterator[Text]:
    """Yield the reported answers with those of the trace beside them."""
    answered = [part for part in told.parts if part.answers]
    if told.reported_answers or answered:
        yield from _wrapped("answers", f"{', '.join(told.reported_answers) or 'none reported'}; {told.answer_check}")
    for part in answered:
        yield from _wrapped("", f"the trace's own answer: {', '.join(part.answers)}{_places(part)}")


def _places(part: PartView) -> str:
    """Return where the trace supports its answer, as the words behind it."""
    shown = [_cited(place) for place in part.answer_places[:_MOST_ANSWER_PLACES]]
    return f" ({'; '.join(shown)})" if shown else ""


def _part(part: PartView, number: int, parts: int, *, everything: bool) -> Iterator[Text]:
    yield Text()
    label = "trace" if parts == 1 else f"part {number}"
    if parts > 1 and part.text:
        yield from _wrapped(label, f"“{_cut(part.text)}”")
        label = ""
    yield from _wrapped(label, f"{part.trace_state}: {part.rule}")
    for field in part.fields:
        yield from _field(field, everything=everything)


def _field(field: FieldView, *, everything: bool) -> Iterator[Text]:
    mark = ">" if field.deciding else " "
    head = f"{mark} {field.name.replace('_', ' '):<14}{field.value:<8}"
    lines = _fold(field.cause, WIDTH - len(head))
    yield Text.assemble(head[:16], (head[16:], STYLES.get(field.value, "")), lines[0])
    for more in lines[1:]:
        yield Text(" " * len(head) + more)
    shown = field.citations if everything else field.citations[:_MOST_CITATIONS]
    for citation in shown:
        yield from _citation(citation, everything=everything)
    if len(shown) < len(field.citations):
        yield Text(f"    and {len(field.citations) - len(shown)} more places (--all shows them)")
    if field.votes:
        yield Text(f"    votes: {field.votes}", "dim")
    if field.rationale:
        yield from (Text("    " + text) for text in _fold(field.rationale, WIDTH - 4))


def _citation(citation: CitationView, *, everything: bool) -> Iterator[Text]:
    for text in _fold(_cited(citation, everything=everything), WIDTH - 4):
        yield Text("    " + text, "dim")


def _cited(citation: CitationView, *, everything: bool = False) -> str:
    quote = "" if citation.quote is None else f": “{citation.quote if everything else _cut(citation.quote)}”"
    return f"{citation.place}{quote}"


def _hidden(told: Explanation, *, everything: bool) -> Iterator[Text]:
    if not told.hidden:
        return
    yield Text()
    yield from _wrapped("hidden", f"{plural(len(told.hidden), 'text')} never reached the trace side")
    shown = told.hidden if everything else told.hidden[:_MOST_HIDDEN]
    for piece in shown:
        route = "" if piece.route == "none" else f", leak route {piece.route}"
        yield from _wrapped("", f"{piece.where}: {piece.characters} characters of the {piece.plane} plane{route}")
    if len(shown) < len(told.hidden):
        yield from _wrapped("", f"and {len(told.hidden) - len(shown)} more (--all shows them)")
    for route in sorted({piece.route for piece in shown} & set(ROUTE_WORDS)):
        yield from _wrapped("", f"{route}: {ROUTE_WORDS[route]}")


def _list(label: str, texts: Iterable[str]) -> Iterator[Text]:
    for place, text in enumerate(texts):
        yield from _wrapped(label if place == 0 else "", text)


def _wrapped(label: str, text: str) -> Iterator[Text]:
    for place, piece in enumerate(_fold(text, WIDTH - 11)):
        yield Text.assemble((f"{label if place == 0 else '':<11}", "bold"), piece)


def _fold(text: str, width: int) -> list[str]:
    """Wrap a text from a log as printable lines; the width counts characters, so wide scripts are cut in half of it."""
    whole = line(text)
    wide = any(ord(letter) > 0x2E7F for letter in whole)
    return textwrap.wrap(whole, width // 2 if wide else width) or [""]


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTE_LENGTH else f"{text[:_QUOTE_LENGTH]}… ({len(text) - _QUOTE_LENGTH} more)"

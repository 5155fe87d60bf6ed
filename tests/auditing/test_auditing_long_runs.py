"""Runs of thousands of steps take time in proportion to their steps."""

from collections.abc import Callable

import pytest
from auditing_samples import rules

from timing import processor_seconds
from tracewitness.auditing.one_run import audit_run
from tracewitness.intake.sealed import SealedRun
from tracewitness.testing import RunBuilder

_ROWS = 8


def screen(title: str, row: Callable[[int], str], *lines: str) -> str:
    return "\n".join(
        (f"page '{title}'", *(f"  {line}" for line in (*lines, *(f"row '{row(j)}'" for j in range(_ROWS)))))
    )


def built(task: str, report: str, steps: int, step: Callable[[RunBuilder, int], RunBuilder]) -> SealedRun:
    builder = RunBuilder("long").task(task)
    for place in range(steps):
        builder = step(builder, place)
    return builder.report(report).build()


def query_among_many_figures(steps: int) -> SealedRun:
    return built(
        "Which player has the highest score?",
        "Player 4 has 99.",
        steps,
        lambda b, i: b.step(
            "type", raw=f"type('{i}')", after=screen(f"Scores {i}", lambda j: f"Player {i} {j}  {i * j}")
        ),
    )


def query_that_enters_much(steps: int) -> SealedRun:
    return built(
        "What is the score of Player 4?",
        "Player 4 has 4.",
        steps,
        lambda b, i: b.step("type", raw=f"type('{i}7')", after=screen("Scores", lambda j: f"Player {j}  {j}")),
    )


def query_over_screens_before(steps: int) -> SealedRun:
    return built(
        "How many notes are there?",
        "There are 20.",
        steps,
        lambda b, i: b.step(
            "type", raw=f"type('{i}')", before=screen("Notes", lambda j: f"Note {i + j}", f"field Search = '{i}'")
        ),
    )


def removals(steps: int) -> SealedRun:
    return built(
        "Delete all notes.",
        "All notes are deleted.",
        steps,
        lambda b, i: b.step(
            "click", raw=f"click(row 'Note {i}' > 'Delete')", after=screen("Notes", lambda j: f"Note {i + j}")
        ),
    )


def a_note_long_gone(steps: int) -> SealedRun:
    return built(
        "Delete the note 'Plan'.",
        "Plan is deleted.",
        steps,
        lambda b, i: b.step(
            "click",
            raw="click(button 'Delete')" if i == 1 else "click(link 'Next')",
            after=screen("Notes", lambda j: "Plan" if not (i or j) else f"Note {j}"),
        ),
    )


def switchings(steps: int) -> SealedRun:
    return built(
        "Turn on Wi-Fi sharing.",
        "Wi-Fi sharing is on.",
        steps,
        lambda b, i: b.step(
            "tap",
            raw="tap('Wi-Fi sharing')",
            after=screen("Settings", lambda j: f"Item {i + j}", f"switch 'Wi-Fi sharing' [{'on' if i % 2 else 'off'}]"),
        ),
    )


def entries(steps: int) -> SealedRun:
    return built(
        "Create a note titled 'Plan 7' with the text 'Alpha 12'.",
        "The note Plan 7 is created.",
        steps,
        lambda b, i: b.step(
            "fill",
            text=f"Plan {i}",
            raw=f"fill(field Title, 'Plan {i}')",
            after=screen("Notes", lambda j: f"Note {i + j}", f"field Title = 'Plan {i}'", "button 'Save'"),
        ),
    )


def messages(steps: int) -> SealedRun:
    return built(
        "Send Orin Vale the message 'hello there'.",
        "I sent it.",
        steps,
        lambda b, i: b.step(
            "click",
            raw="click(button 'Send')",
            after=screen("Messages", lambda j: f"To Orin Vale: hi {i + j}", f"field Text = 'hi {i}'", "button 'Send'"),
        ),
    )


def exports(steps: int) -> SealedRun:
    return built(
        "Export the report Quarter as PDF.",
        "I exported it.",
        steps,
        lambda b, i: b.step(
            "click",
            raw="click(button 'Export')",
            after=screen(f"Files {i}", lambda j: f"File {i + j}.pdf", "button 'Export'"),
        ),
    )


SHAPES = (
    query_among_many_figures,
    query_that_enters_much,
    query_over_screens_before,
    removals,
    a_note_long_gone,
    switchings,
    entries,
    messages,
    exports,
)


def seconds(run: SealedRun) -> float:
    return processor_seconds(lambda: audit_run(run, rules(audit_all=True)))


@pytest.mark.parametrize("shape", [query_that_enters_much, a_note_long_gone])
def test_twice_the_steps_take_about_twice_the_time(shape: Callable[[int], SealedRun]) -> None:
    seconds(shape(50))
    assert seconds(shape(1600)) <= 3 * seconds(shape(800)) + 0.2


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_five_thousand_steps_are_audited_in_seconds(shape: Callable[[int], SealedRun]) -> None:
    seconds(shape(50))
    half, whole = (seconds(shape(steps)) for steps in (2500, 5000))
    assert whole < 15
    assert whole <= 2.5 * half + 0.5

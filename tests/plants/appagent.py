"""Planted AppAgent task folders."""

from pathlib import Path

from made_logs import appagent, dump, node

from plants import Planted
from tracewitness.intake.formats.appagent import AppAgentFormat
from tracewitness.testing.words import Words


def plant(folder: Path, words: Words) -> Path:
    """Write a task folder; labels stand at the start of a line in this format, so the words are plain ones."""

    def told(call: str, about: str) -> str:
        lines = [f"{label}: {words.narration(f'{label} {about}', plain=True)}" for label in ("Observation", "Thought")]
        return "\n".join([*lines, f"Action: {call}", f"Summary: {words.narration(f'summary {about}', plain=True)}"])

    responses = [told("tap(1)", "1"), told(f'text("{words.evidence("typed")}")', "2")]
    if words.finished:
        responses.append(f"Thought: {words.narration('last')}\nAction: FINISH\nSummary: {words.report('summary')}")
    dumps = [
        dump(node(words.evidence(f"page {at}"), "[0,0][90,90]", clickable="true", focused="true"))
        for at in range(len(responses))
    ]
    past = words.narration("past actions", plain=True)
    return appagent(
        folder, responses, task=words.task(), past=past, dumps=dumps, name="task_system_2026-01-31_12-00-00"
    )


PLANTS = {"appagent": Planted(AppAgentFormat(), plant)}

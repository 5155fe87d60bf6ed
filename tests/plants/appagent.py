"""Planted AppAgent task folders."""

from pathlib import Path

from made_logs import PROMPT, appagent, dump, node, write_lines

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


def plant_exploration(folder: Path, words: Words) -> Path:
    """Write an exploration run with a reflection on each of its actions."""
    run = folder / "self_explore_2026-01-31_12-00-00"
    run.mkdir(parents=True)

    def said(call: str, about: str, closing: str) -> str:
        lines = [f"{label}: {words.narration(f'{label} {about}', plain=True)}" for label in ("Observation", "Thought")]
        return "\n".join([*lines, f"Action: {call}", f"Summary: {closing}"])

    calls = ["tap(1)", f'text("{words.evidence("typed")}")', "tap(1)"]
    responses = [said(call, str(at), words.narration(f"summary {at}", plain=True)) for at, call in enumerate(calls)]
    if words.finished:
        responses.append(said("FINISH", "last", words.report("summary", plain=True)))
    explored, reflected = list[dict[str, object]](), list[dict[str, object]]()
    for number, response in enumerate(responses, 1):
        past = "None" if number == 1 else words.narration(f"past {number}", plain=True)
        prompt = PROMPT.format(task=words.task(), past=past)
        image = f"{number}_before_labeled.png"
        explored.append({"step": number, "prompt": prompt, "image": image, "response": response})
        page = dump(node(words.evidence(f"page {number}"), "[0,0][90,90]", clickable="true", focused="true"))
        (run / f"{number}.xml").write_text(page, encoding="utf-8")
        if number in (1, 3):
            told = words.narration(f"reflection {number}", plain=True)
            decision = "BACK" if number == 1 else "CONTINUE"
            answer = f"Decision: {decision}\nThought: {told}\nDocumentation: {words.narration(f'document {number}')}"
            asked = words.narration(f"asked {number}")
            images = {"image_before": image, "image_after": f"{number}_after.png"}
            reflected.append({"step": number, "prompt": asked, **images, "response": answer})
    write_lines(run / f"log_explore_{run.name}.txt", explored)
    write_lines(run / f"log_reflect_{run.name}.txt", reflected)
    return run


PLANTS = {
    "appagent": Planted(AppAgentFormat(), plant),
    "appagent exploration": Planted(AppAgentFormat(), plant_exploration),
}

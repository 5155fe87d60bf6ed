"""Planted task folders of WebVoyager."""

import json
from pathlib import Path
from typing import Any

from plants import Planted
from plants.chats import PICTURE
from tracewitness.intake.formats.webvoyager import FORMAT
from tracewitness.testing.words import Words

LISTED = (
    "Observation: please analyze the attached screenshot and give the Thought and Action. I've provided the tag name "
    "of each element and the text it contains (if text exists). Note that <textarea> or <input> may be textbox, but "
    "not exactly. Please focus more on the screenshot and then refer to the textual information.\n"
)


def plant(folder: Path, words: Words) -> Path:
    """Write a task folder; labels stand anywhere in this format, so the words are plain ones."""

    def said(action: str, about: str) -> dict[str, Any]:
        return {"role": "assistant", "content": f"Thought: {words.narration(about, plain=True)}\n\nAction: {action}"}

    def seen(about: str, ahead: str = "") -> dict[str, Any]:
        text = f'{ahead}{LISTED}[1]: "{words.evidence(about)}";\t[2]: <button> "{words.evidence(f"button {about}")}";'
        picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,{b64_img}"}}
        return {"role": "user", "content": [{"type": "text", "text": text}, picture]}

    address = words.evidence("address").replace(" ", "-")
    first = f"Now given a task: {words.task()}  Please interact with https://{address}.test/ and get the answer. "
    file = (
        "Observation: You downloaded a PDF file, I ask the Assistant API to answer the task based on the PDF file and "
        f"get the following response: {words.narration('file', plain=True)}\nPlease analyze the response given by "
        "Assistant, then consider whether to continue iterating or not."
    )
    messages = [
        {"role": "system", "content": "Imagine you are a robot browsing the web."},
        seen("1", first),
        said("Click [2]", "first"),
        seen("2"),
        said(f"Type [1]; [{words.evidence('typed')}]", "second"),
        {"role": "user", "content": file},
        said("Scroll [WINDOW]; [down]", "third"),
        seen("3"),
    ]
    if words.finished:
        messages.append(said(f"ANSWER; [{words.report('answer', plain=True)}]", "last"))
    (folder / "interact_messages.json").write_text(json.dumps(messages, indent=1), encoding="utf-8")
    for at in range(4):
        (folder / f"screenshot{at + 1}.png").write_bytes(PICTURE)
    (folder / "agent.log").write_text(words.narration("log"), encoding="utf-8")
    return folder


PLANTS = {"webvoyager": Planted(FORMAT, plant)}

"""Items of OpenAI's Responses interface: messages, reasoning, calls and their outputs."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tracewitness.intake.calls import Call, call_of
from tracewitness.intake.chats.chat_completions import ROLES
from tracewitness.intake.chats.content import Content, content_of
from tracewitness.intake.chats.dialect import Dialect, Message, Placed
from tracewitness.intake.chats.pictures import ChatPictures
from tracewitness.intake.inline import is_inline_picture
from tracewitness.intake.stop_reasons import says_cut
from tracewitness.intake.turns import Result, Speaker, Turn
from tracewitness.intake.untyped import list_of, object_of, objects_of, text_of

_ITEMS = frozenset(
    "message reasoning compaction item_reference mcp_list_tools mcp_approval_request mcp_approval_response".split()
)
_CALLS = frozenset(
    f"{kind}_call"
    for kind in (
        "function custom_tool computer mcp web_search file_search code_interpreter image_generation local_shell shell "
        "apply_patch tool_search"
    ).split()
)
_OUTPUT_OF = frozenset(f"{kind}_output" for kind in _CALLS)
_PARTS = frozenset({"input_text", "output_text", "input_image"})
_ARGUMENTS = ("arguments", "input", "action", "operation", "code", "queries")
_NAMED = frozenset({"code", "queries"})
"""Those that are values and no objects of arguments."""
_OUTPUTS = ("output", "outputs", "results", "result")


def is_item(value: Any) -> bool:
    """Tell whether a value is an item of this interface; a bare message with a role counts."""
    keys = object_of(value)
    kind = text_of(keys.get("type"))
    if kind in _CALLS or kind in _OUTPUT_OF or kind in _ITEMS - {"message"}:
        return True
    return (
        kind in ("", "message") and text_of(keys.get("role")) in ROLES and isinstance(keys.get("content"), str | list)
    )


def is_telling(value: Any) -> bool:
    """Tell whether a value is an item that only this interface has."""
    keys = object_of(value)
    kind = text_of(keys.get("type"))
    if kind in _CALLS or kind in _OUTPUT_OF:
        return True
    if kind == "reasoning":
        return "summary" in keys or "content" in keys
    return any(text_of(part.get("type")) in _PARTS for part in objects_of(keys.get("content")))


def answers(response: Message) -> list[tuple[str, Message]]:
    """Return the items of a response."""
    if response.get("object") != "response" and not text_of(response.get("id")).startswith("resp_"):
        return []
    items = objects_of(response.get("output"))
    if items and (response.get("status") == "incomplete" or says_cut(response)):
        items = [*items[:-1], {**items[-1], "status": "incomplete"}]
    return [(f"output[{at}]", item) for at, item in enumerate(items)]


def turns(messages: Sequence[Placed], pictures: ChatPictures) -> list[Turn]:
    """Return the turns of items, in order."""
    gathered = _Gathered(pictures)
    found: list[Turn] = []
    for one in messages:
        found += gathered.add(one.message, one.where)
    return found + list(gathered.flush())


@dataclass(slots=True)
class _Gathered:
    """Items of the agent that belong to one turn: reasoning, words, calls."""

    pictures: ChatPictures
    where: str = ""
    texts: list[str] = field(default_factory=list[str])
    thoughts: list[str] = field(default_factory=list[str])
    calls: list[Call] = field(default_factory=list[Call])
    cut: bool = False
    requested: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, item: Message, where: str) -> Iterator[Turn]:
        """Add an item; yield the turns that end with it."""
        kind = text_of(item.get("type"))
        self.cut = self.cut or (kind not in _OUTPUT_OF and item.get("status") == "incomplete")
        if kind in _OUTPUT_OF:
            yield from self.flush()
            yield Turn(Speaker.TOOL, where, results=(self._output(item, where),))
        elif kind in _CALLS:
            self.where = self.where or where
            self.calls += _calls(item, kind)
            yield from self._own_output(item, where)
        elif kind == "reasoning":
            self._begin(where)
            parts = [*objects_of(item.get("summary")), *objects_of(item.get("content"))]
            self.thoughts += [text_of(part.get("text")) for part in parts]
        elif item.get("role") == "assistant":
            yield from self._say(item, where)
        elif "role" in item:
            yield from self.flush()
            content = content_of(item.get("content"), f"{where}.content", self.pictures)
            speaker = Speaker.USER if item.get("role") == "user" else Speaker.SYSTEM
            yield Turn(speaker, where, content.text, screenshot=content.screenshot)
        elif kind == "mcp_approval_request":  # asked for; a call of its own follows where it was approved
            self._begin(where)
            self.requested[text_of(item.get("id"))] = text_of(item.get("name"))
            self.thoughts.append(f"{text_of(item.get('name'))} {text_of(item.get('arguments'))}")
        elif kind == "mcp_approval_response":
            yield from self.flush()
            told = "approves" if item.get("approve") is True else "refuses to approve"
            tool = self.requested.get(text_of(item.get("approval_request_id")), "")
            wanted = f"the call of {tool} that" if tool else "what"
            text = f"{told} {wanted} was asked for. {text_of(item.get('reason'))}"
            yield Turn(Speaker.USER, where, text.strip())
        elif kind == "compaction":
            yield from self.flush()
            yield Turn(Speaker.AGENT, where, json.dumps(item, ensure_ascii=False), copied=True)

    def _begin(self, where: str) -> None:
        self.where = self.where or where

    def _say(self, item: Message, where: str) -> Iterator[Turn]:
        if self.calls:  # words behind a call are not those that led to it
            yield from self.flush()
        self._begin(where)
        text = content_of(item.get("content"), f"{where}.content", self.pictures).text
        (self.thoughts if item.get("phase") == "commentary" else self.texts).append(text)

    def _own_output(self, item: Message, where: str) -> Iterator[Turn]:
        """Yield the turn of a call whose output stands in the same item: the provider ran the tool."""
        if item.get("type") == "image_generation_call":  # a picture that the agent made, and nothing that it saw
            return
        given = next((item[key] for key in _OUTPUTS if item.get(key) not in (None, [])), None) or _sources(item)
        error = item.get("error")
        if given is None and error is None:
            return
        yield from self.flush()
        failed = error is not None
        shown = self._content(error if failed else given, where)
        yield Turn(Speaker.TOOL, where, results=(Result(shown.text, _id(item), failed, shown.screenshot),))

    def _output(self, item: Message, where: str) -> Result:
        output = item.get("output")
        shown = self._content(output, f"{where}.output")
        warned = [text_of(one.get("message")) for one in objects_of(item.get("acknowledged_safety_checks"))]
        told = [f"a safety check says, and was acknowledged: {one}" for one in warned if one]
        shown = replace(shown, text="\n".join(filter(None, (shown.text, *told))))
        url = text_of(object_of(output).get("current_url")) or None
        return Result(shown.text, _id(item), item.get("status") == "failed", shown.screenshot, url=url)

    def _content(self, value: Any, where: str) -> Content:
        if isinstance(value, str) and is_inline_picture(value):
            return Content("", self.pictures.at(value, where))
        kinds = [text_of(object_of(part).get("type")) for part in (list_of(value) or [value])]
        if isinstance(value, str) or any(kind in (*_PARTS, "computer_screenshot", "text") for kind in kinds):
            return content_of(value, where, self.pictures, shown_by_tool=True)
        if isinstance(value, list):
            logs = [_printed(part) for part in objects_of(value)]
            if all(logs):
                return Content("\n".join(logs))
        return Content("" if value is None else json.dumps(value, ensure_ascii=False))

    def flush(self) -> Iterator[Turn]:
        """Yield the turn of what was gathered, if anything was, and begin anew."""
        texts, thoughts, calls = "\n".join(self.texts), "\n".join(self.thoughts), tuple(self.calls)
        spoke = bool(self.texts)
        where, self.where, self.texts, self.thoughts, self.calls = self.where, "", [], [], []
        cut, self.cut = self.cut, False
        if spoke or thoughts or calls:
            yield Turn(Speaker.AGENT, where, texts, thoughts, calls, spoke=spoke, cut=cut)


def _printed(part: Message) -> str:
    """Return what a command printed, and how it ended; empty where a part is no output of one."""
    told = [text_of(part.get(key)) for key in ("logs", "stdout", "stderr")]
    outcome = object_of(part.get("outcome"))
    if outcome:
        told.append(f"exit code {outcome['exit_code']}" if "exit_code" in outcome else text_of(outcome.get("type")))
    return "\n".join(filter(None, told))


def _id(item: Message) -> str | None:
    return text_of(item.get("call_id")) or text_of(item.get("id")) or None


def _calls(item: Message, kind: str) -> Iterator[Call]:
    """Yield the actions of a call: one, or the several of a computer call's list."""
    actions = objects_of(item.get("actions"))
    if kind == "computer_call":
        for action in actions or [object_of(item.get("action"))]:
            yield call_of("computer_call", action, _id(item))
        return
    name = text_of(item.get("name")) or kind.removesuffix("_call")
    key = next((one for one in _ARGUMENTS if one in item), "")
    arguments = {key: item[key]} if key in _NAMED and item[key] is not None else item.get(key)
    if kind == "web_search_call":  # what it found stands among what it did
        arguments = {one: value for one, value in object_of(arguments).items() if one != "sources"}
    answered_later = kind not in ("web_search_call", "file_search_call", "image_generation_call")
    answered = answered_later or item.get("results") or _sources(item)
    yield call_of(name, arguments, _id(item) if answered else None)


def _sources(item: Message) -> list[Any] | None:
    """Return what a search on the web found, where the log holds it."""
    return list_of(object_of(item.get("action")).get("sources")) or None


DIALECT = Dialect("openai_responses", ("items", "input"), is_item, answers, turns)

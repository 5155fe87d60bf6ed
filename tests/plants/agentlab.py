"""Planted experiment folders of AgentLab, with step files of both generations."""

import gzip
import struct
import zlib
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from plants import Planted
from tracewitness.intake.formats.agentlab import FORMAT
from tracewitness.intake.pickles import Array, Global, Stub
from tracewitness.intake.pickles.writing import write_pickle
from tracewitness.testing.words import Words

OLD, NEW = "browsergym.experiments.loop", "agentlab.experiments.loop"
FOLDER = "2024-08-01_10-20-52_GenericAgent_on_miniwob.ascending-numbers_64_e6d2d5"


def pickled(value: Any) -> bytes:
    out = BytesIO()
    write_pickle(value, out)
    return out.getvalue()


def packed(value: Any) -> bytes:
    out = BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="") as stream:
        stream.write(pickled(value))
    return out.getvalue()


def png(shade: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header, rows = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0), zlib.compress((b"\0" + bytes([shade]) * 6) * 2)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def node(key: str, role: str, name: str, children: Sequence[str] = (), **facts: Any) -> dict[str, Any]:
    properties = [{"name": one, "value": {"type": "boolean", "value": value}} for one, value in facts.items()]
    told = {"nodeId": key, "role": {"value": role}, "name": {"value": name}, "childIds": list(children)}
    return {**told, "browsergym_id": f"a{key}", "properties": properties}


def step(number: int, action: str | None, obs: dict[str, Any], module: str = NEW, **fields: Any) -> Stub:
    profiling = {"agent_stop": 1_722_508_000.0 + number, "action_exec_start": 1_722_508_000.5 + number}
    state = {
        "step": number,
        "obs": {"last_action": "", "last_action_error": "", "goal": "", "goal_object": None, **obs},
        "reward": 0,
        "raw_reward": None,
        "terminated": False,
        "truncated": False,
        "action": action,
        "agent_info": {},
        "stats": {"n_token_goal": 8},
        "profiling": Stub(Global(module, "StepTimestamps"), state=profiling),
        "task_info": None,
    }
    return Stub(Global(module, "StepInfo"), state={**state, **fields})


def experiment(parent: Path, steps: Sequence[Stub], *, pictures: bool = True, summary: str | None = "{}") -> Path:
    folder = parent / FOLDER
    folder.mkdir()
    for one in steps:
        number = one.state["step"]
        (folder / f"step_{number}.pkl.gz").write_bytes(packed(one))
        if pictures:
            (folder / f"screenshot_step_{number}.png").write_bytes(png(number))
    (folder / "exp_args.pkl").write_bytes(pickled(arguments()))
    if summary is not None:
        (folder / "summary_info.json").write_text(summary, encoding="utf-8")
    return folder


def arguments(max_steps: int = 10, module: str = NEW) -> Stub:
    environment = Stub(Global(module, "EnvArgs"), state={"task_name": "miniwob.test", "max_steps": max_steps})
    agent = Stub(Global("agentlab.agents.generic_agent.generic_agent", "GenericAgentArgs"), state={"agent_name": "G"})
    where = Stub(Global("pathlib", "PosixPath"), ("/", "home", "me"))
    return Stub(Global(module, "ExpArgs"), state={"env_args": environment, "agent_args": agent, "exp_dir": where})


def _tree(words: Words, at: int) -> str:
    return f"RootWebArea 'Shop', focused\n\t[a{at}] button '{words.evidence(f'button {at}')}'\n\t[b7] textbox 'Name'"


def _new(folder: Path, words: Words) -> Path:
    """Steps as AgentLab writes them now, with an accessibility tree as text."""

    def logged(at: int, action: str | None, error: str = "", **fields: Any) -> Stub:
        said = {"role": "assistant", "message": words.narration(f"chat {at}")}
        obs = {
            "goal": words.task(),
            "chat_messages": ({"role": "user", "message": words.task()}, said),
            "open_pages_urls": ("http://shop.test/", f"http://shop.test/{words.evidence(f'url {at}')}"),
            "open_pages_titles": (words.evidence(f"title {at}"), "Shop"),
            "url": f"http://shop.test/{words.evidence(f'url {at}')}",
            "axtree_txt": _tree(words, at),
            "last_action": words.narration(f"last action {at}"),
            "last_action_error": error,
        }
        info = {name: words.narration(f"{name} {at}") for name in ("think", "markdown_page", "html_page")}
        info_of_agent = Stub(
            Global("browsergym.experiments.agent", "AgentInfo"), state={**info, "chat_messages": [said]}
        )
        graded: dict[str, Any] = {"reward": 1.0, "task_info": {"judge": words.grading(f"task_info {at}")}}
        return step(at, action, obs, agent_info=info_of_agent, **graded | fields)

    fill = f"fill('b7', '{words.evidence('typed')}')"
    steps = [
        logged(0, f"# {words.narration('comment', plain=True)}\nclick('a0')"),
        logged(1, f"{fill}\npress('b7', 'Enter')"),
        logged(2, words.narration("prose", plain=True), f"TimeoutError: {words.evidence('error')}"),
    ]
    if words.finished:
        error = f"ValueError: {words.narration('quoted')}"
        steps += [logged(3, f"send_msg_to_user({words.report('message')!r})", error), logged(4, None, terminated=True)]
    else:
        steps.append(logged(3, None, f"ValueError: {words.narration('quoted')}", truncated=True))
    return experiment(
        folder, steps, summary=f'{{"n_steps": 3, "err_msg": null, "cum_reward": "{words.grading("sum", True)}"}}'
    )


def _old(folder: Path, words: Words) -> Path:
    """Steps as BrowserGym wrote them, with the tree as an object and the goal in a file of its own."""

    def logged(at: int, action: str | None, **fields: Any) -> Stub:
        button = node("1", "button", words.evidence(f"button {at}"), disabled=False)
        root = node("0", "RootWebArea", "Shop", ["1", "2"], focused=True)
        text = node("2", "StaticText", words.evidence(f"text {at}"))
        obs = {
            "chat_messages": [{"role": "assistant", "message": words.narration(f"chat {at}")}],
            "open_pages_urls": [f"http://shop.test/{words.evidence(f'url {at}')}"],
            "open_pages_titles": ["Shop"],
            "active_page_index": Array((1,), "i8", content=bytes(8)),
            "axtree_object": {"nodes": [root, button, text]},
            "dom_object": {"strings": ["x"]},
        }
        info = {"think": words.narration(f"think {at}"), "chat_messages": [words.narration(f"messages {at}")]}
        return step(at, action, obs, OLD, agent_info=info, raw_reward=1, **fields)

    steps = [logged(0, "click('a1')"), logged(1, "scroll(0, 200)")]
    if words.finished:
        steps += [logged(2, f"report_infeasible({words.report('reason')!r})"), logged(3, None, terminated=True)]
    else:
        steps.append(logged(2, None, truncated=True))
    made = experiment(folder, steps, summary=None)
    (made / "goal_object.pkl.gz").write_bytes(packed(({"type": "text", "text": words.task()},)))
    (made / "experiment.log").write_text(words.narration("experiment.log"), encoding="utf-8")
    return made


PLANTS = {"agentlab": Planted(FORMAT, _new), "agentlab_browsergym": Planted(FORMAT, _old)}

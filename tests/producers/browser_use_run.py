"""Drives browser-use with a scripted model against a page of this machine, and keeps what it wrote and what was done.

Run by a Python that has browser-use, as ``browser_use_run.py FOLDER CHROMIUM``. In FOLDER are then
``AgentHistory.json``, ``conv/conversation_*.txt``, the agent's own folder with its screenshots, and ``done.json``: the
orders that the page took, and every word that the model said.
"""

# pyright: basic, reportMissingImports=false

import asyncio
import json
import os
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import parse_qs

from browser_use import Agent, BrowserProfile
from browser_use.llm.views import ChatInvokeCompletion

TASK = "Buy one item in the shop for Ana"
PAGE = b"""<!doctype html><title>Shop</title><h1>Shop</h1>
<form method=post action=/order>
<label>Name <input name=name aria-label="Customer name"></label>
<button aria-label="Buy now">Buy</button>
</form>"""
ORDERED = "<!doctype html><title>Orders</title><h1>Orders</h1><p>Order 1 for {name} is placed</p>"
SECRETS = {
    "thinking": "canary-thought",
    "evaluation_previous_goal": "canary-evaluation",
    "memory": "canary-memory",
    "next_goal": "canary-goal",
}
REPORT = "canary-report: the order for Ana was placed."
JUDGED = "canary-judge: all was done."
SUMMARY = "canary-summary: the page says that all is fine."


class Shop(BaseHTTPRequestHandler):
    """A shop of one page."""

    orders: list[str] = []

    def do_GET(self) -> None:
        self._send(PAGE)

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.orders.append(form["name"][0])
        self._send(ORDERED.format(name=form["name"][0]).encode())

    def _send(self, page: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *args: object) -> None:
        pass


def index_of(prompt: str, label: str) -> int:
    """Return the index of the element with a label in the last browser state of a prompt."""
    state = prompt.rpartition("<browser_state>")[2]
    return int(re.findall(rf"\[(\d+)\]<[^>]*{label}", state)[-1])


class ScriptedModel:
    """Says what the script says; also judges the run and sums up pages, as browser-use asks its models to."""

    model = "scripted"
    provider = "scripted"
    name = "scripted"
    model_name = "scripted"
    _verified_api_keys = True

    def __init__(self, address: str) -> None:
        self.address = address
        self.at = 0

    def actions(self, prompt: str) -> list[dict]:
        """Return the actions of the next step."""
        self.at += 1
        if self.at == 1:
            return [{"navigate": {"url": self.address, "new_tab": False}}]
        if self.at == 2:
            return [{"click": {"index": 99_999}}]
        if self.at == 3:
            note = {"write_file": {"file_name": "todo.md", "content": "canary-note"}}
            return [note, {"input": {"index": index_of(prompt, "Customer name"), "text": "Ana"}}]
        if self.at == 4:
            return [{"click": {"index": index_of(prompt, "Buy now")}}, {"wait": {"seconds": 1}}]
        if self.at == 5:
            return [{"extract": {"query": "canary-query", "extract_links": False}}]
        return [{"done": {"text": REPORT, "success": True, "files_to_display": []}}]

    async def ainvoke(self, messages: list, output_format: type | None = None, **_: object) -> object:
        """Answer one call."""
        prompt = "\n".join(message.text for message in messages)
        if output_format is None:
            answer: object = SUMMARY
        elif "verdict" in output_format.model_fields:
            answer = output_format(reasoning=JUDGED, verdict=True, failure_reason="")
        else:
            said = {key: f"{word} {self.at + 1}" for key, word in SECRETS.items()}
            answer = output_format.model_validate({**said, "action": self.actions(prompt)})
        return ChatInvokeCompletion(completion=answer, usage=None)


async def run(folder: Path, chromium: str, address: str) -> None:
    """Let the agent do the script."""
    profile = BrowserProfile(
        executable_path=chromium,
        headless=True,
        chromium_sandbox=False,
        enable_default_extensions=False,
        user_data_dir=str(folder / "profile"),
        args=[
            "--no-sandbox",
            "--disable-background-networking",
            "--disable-component-update",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ],
    )
    agent = Agent(
        task=TASK,
        llm=ScriptedModel(address),
        browser_profile=profile,
        save_conversation_path=str(folder / "conv"),
        directly_open_url=False,
        use_vision=True,
    )
    await agent.run(max_steps=8)
    agent.save_history(folder / "AgentHistory.json")


def main() -> None:
    """Write the run."""
    folder, chromium = Path(sys.argv[1]), sys.argv[2]
    server = HTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    try:
        asyncio.run(run(folder, chromium, address))
    finally:
        server.shutdown()
    told = {
        "address": address,
        "task": TASK,
        "orders": Shop.orders,
        "report": REPORT,
        "judged": JUDGED,
        "summary": SUMMARY,
        "words": [*SECRETS.values(), "canary-note", "canary-query"],
    }
    (folder / "done.json").write_text(json.dumps(told), encoding="utf-8")
    os._exit(0)  # what browser-use leaves running is not waited for


if __name__ == "__main__":
    main()

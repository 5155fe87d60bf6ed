"""Playwright itself records a trace of a real browser; what is read of it is what the script did."""

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from made_logs import the_run, write_json

import tracewitness
from producers.environments import chromium
from tracewitness.findings.labels import Disposition, TraceState
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.pictures import RunPictures
from tracewitness.intake.sealed import SealedRun
from tracewitness.trace_side.trace import Step

sync_api = pytest.importorskip("playwright.sync_api")

PASSWORD = "hunter22-secret"
PAGE = b"""<!doctype html><title>Shop</title>
<style>.modal{display:none} .modal.open{display:block}</style><link rel="stylesheet" href="/style.css">
<h1>Shop</h1>
<form><label>Name <input id="n" name="n"></label><label>Password <input id="p" type="password"></label>
<label><input type="checkbox" id="g"> Gift</label>
<select id="c" aria-label="Colour"><option>Red</option><option>Blue</option></select></form>
<button onclick="order()">Buy</button> <button onclick="ask()">Ask</button><p id="o" role="status"></p>
<div class="modal">Thank you for your order</div><iframe src="/pay" title="Payment"></iframe>
<p class="linked">Hidden by a linked sheet</p>
<script>
const say = text => { document.getElementById('o').textContent = text };
async function order() {
  say('Sending');
  const answer = await fetch('/order?token=SECRETQUERY', {method: 'POST', headers: {Authorization: 'SECRETTOKEN'}});
  setTimeout(() => say('Order failed: card declined (' + answer.status + ')'), 150);
}
function ask() { alert('Really?'); console.error('asked') }
</script>"""


FILES = {
    "/": (b"text/html", PAGE),
    "/pay": (b"text/html", b"<title>Pay</title><p>Pay by card</p><label>Card <input id=k></label>"),
    "/style.css": (b"text/css", b".linked { display: none }"),
}


class Shop(BaseHTTPRequestHandler):
    """A page whose orders fail."""

    def do_GET(self) -> None:
        found = FILES.get(self.path)
        self._answer(200 if found else 404, *(found or (b"text/plain", b"none")))

    def do_POST(self) -> None:
        self._answer(402, b"text/plain", b"SECRETBODY")

    def _answer(self, status: int, kind: bytes, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind.decode())
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", "sid=SECRETCOOKIE")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def served() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass(frozen=True)
class Recorded:
    """What the script left: the trace, the page's address, the visible text at the end, the steps of its own log."""

    trace: Path
    address: str
    text: str
    steps: list[dict[str, Any]]


def _accept(dialog: Any) -> None:
    dialog.accept()


class Script:
    """Drives the page, and keeps a log of its own of what it did and when, with nothing of what it saw."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self.steps: list[dict[str, Any]] = []

    def do(self, kind: str, action: Any, **told: Any) -> None:
        time.sleep(0.05)
        now = datetime.now(UTC).isoformat()
        self.steps.append({"index": len(self.steps) + 1, "time": now, "action": {"kind": kind, **told}})
        time.sleep(0.05)
        action()

    def run(self, address: str) -> str:
        page = self._page
        page.on("dialog", _accept)
        self.do("navigate", lambda: page.goto(address), raw=f"goto({address})")
        self.do("type", lambda: page.get_by_label("Name").fill("Ana"), target="Name", text="Ana")
        self.do("type", lambda: page.get_by_label("Password").fill(PASSWORD), target="Password", text="***")
        self.do("click", lambda: page.get_by_label("Gift").check(), target="Gift")
        self.do("select", lambda: page.get_by_label("Colour").select_option("Blue"), target="Colour", text="Blue")
        card = page.frame_locator("iframe").get_by_label("Card")
        self.do("type", lambda: card.fill("4000 0000"), target="Card", text="4000 0000")
        self.do("click", lambda: page.get_by_role("button", name="Ask").click(), target="Ask")
        self.do("click", lambda: page.get_by_role("button", name="Buy").click(), target="Buy")
        page.wait_for_timeout(600)
        self.do("click", self._fail, target="Nope")
        text = str(page.locator("body").inner_text())
        self.do("finish", lambda: None)
        return text

    def _fail(self) -> None:
        with pytest.raises(sync_api.Error):
            self._page.get_by_role("button", name="Nope").click(timeout=400)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Return a trace that Playwright records while this test runs."""
    trace = tmp_path_factory.mktemp("recorded") / "trace.zip"
    with served() as address, sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 640, "height": 400})
        context.tracing.start(screenshots=True, snapshots=True, sources=True, title="NARRATEDTITLE")
        script = Script(context.new_page())
        context.tracing.group("NARRATEDGROUP")
        text = script.run(address)
        context.tracing.group_end()
        context.tracing.stop(path=trace)
        browser.close()
    return Recorded(trace, address, text, script.steps)


TASK = ReadOptions(task="Buy the item in blue as a gift for Ana")


def tree(step: Step) -> str:
    return (step.after.ui_tree if step.after is not None else None) or ""


def test_the_run_is_what_the_script_did(recorded: Recorded) -> None:
    run = the_run(recorded.trace, TASK)
    steps = [step for step in run.trace.steps if step.action.kind not in ("open_tab", "accept_dialog")]
    told = [(step.action.kind, step.action.target, step.action.text) for step in steps]
    assert told == [
        ("navigate", recorded.address, None),
        ("type", "Name", "Ana"),
        ("type", "Password", "[redacted:password]"),
        ("click", "Gift", None),
        ("select", "Colour", "Blue"),
        ("type", "Card", "4000 0000"),
        ("click", "Ask", None),
        ("click", "Buy", None),
        ("click", "Nope", None),
    ]
    *_, asked, bought, missing = steps
    assert missing.error is not None and "Timeout 400ms exceeded" in missing.error and not missing.action.executed
    assert all(step.error is None and step.action.executed for step in steps[:-1])
    assert "- status: Order failed: card declined (402)" in tree(bought)
    assert '- textbox "Name": Ana' in tree(bought) and '- checkbox "Gift" [checked]' in tree(bought)
    assert '- combobox "Colour": Blue' in tree(bought)
    assert '- iframe "Payment":\n    - text: Pay by card\n    - text: Card\n    - textbox "Card": 4000 0000' in tree(
        bought
    )
    assert bought.after is not None and f"POST {recorded.address}order -> 402" in (bought.after.text or "")
    notes = "\n".join((step.after.text or "") for step in run.trace.steps if step.after is not None)
    assert "alert dialog: Really?" in notes and "console: error: asked" in notes
    assert asked.after is not None and run.trace.gaps == ()


def test_what_is_visible_in_the_end_is_what_the_browser_said(recorded: Recorded) -> None:
    page = tree(the_run(recorded.trace, TASK).trace.steps[-1])
    for line in filter(None, (line.strip() for line in recorded.text.splitlines())):
        if line not in ("Red", "Blue"):  # the browser's text lists every option, also those that are not chosen
            assert line in page or all(word in page for word in line.split())
    assert "Thank you" not in page and "linked sheet" not in page
    assert "Thank you" not in recorded.text and "linked sheet" not in recorded.text


def test_neither_secrets_nor_words_of_the_script_come_through(recorded: Recorded) -> None:
    run = the_run(recorded.trace, TASK)
    for word in (PASSWORD, "SECRET", "NARRATED", str(Path(__file__).parent)):
        assert word not in repr((run.task, run.trace, run.report, run.notices))


def test_the_pictures_are_those_of_the_trace(recorded: Recorded) -> None:
    run = the_run(recorded.trace, TASK)
    shots = [step.after.screenshot for step in run.trace.steps if step.after is not None and step.after.screenshot]
    assert shots and all(RunPictures(run.origin).read(shot) is not None for shot in shots)


def neutral_log(recorded: Recorded, report: str) -> dict[str, Any]:
    return {
        "format": "tracewitness.run/1",
        "run_id": "joined",
        "task": {"instruction": "Buy the item in blue as a gift for Ana"},
        "steps": recorded.steps,
        "report": {"text": report, "declared_status": "success"},
    }


def joined(recorded: Recorded, folder: Path, report: str) -> SealedRun:
    (folder / "run.trace.zip").write_bytes(recorded.trace.read_bytes())
    return the_run(write_json(folder / "run.json", neutral_log(recorded, report)))


def test_a_log_of_the_script_gets_what_the_browser_showed(recorded: Recorded, tmp_path: Path) -> None:
    run = joined(recorded, tmp_path, "The order went through.")
    assert [step.action.kind for step in run.trace.steps] == [one["action"]["kind"] for one in recorded.steps]
    bought = next(step for step in run.trace.steps if step.action.target == "Buy")
    assert "Order failed: card declined (402)" in tree(bought)
    typed = next(step for step in run.trace.steps if step.action.target == "Name")
    assert '- textbox "Name": Ana' in tree(typed) and "Order failed" not in tree(typed)
    nope = next(step for step in run.trace.steps if step.action.target == "Nope")
    assert nope.error is not None and "Timeout 400ms" in nope.error
    assert run.trace.steps[-1].after is None
    assert any(notice.startswith("joined from run.trace.zip") for notice in run.notices)
    other = joined(recorded, tmp_path, "It failed: the card was declined.")
    assert (other.trace, other.task) == (run.trace, run.task)


def test_a_trajectory_of_tool_calls_gets_it_too(recorded: Recorded, tmp_path: Path) -> None:
    steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": "Buy the item in blue for Ana"}]
    for one in recorded.steps[:-1]:
        call = {"tool_call_id": f"c{one['index']}", "function_name": one["action"]["kind"]}
        call["arguments"] = {"element": one["action"].get("target", ""), "text": one["action"].get("text", "")}
        told = {"results": [{"source_call_id": call["tool_call_id"], "content": "ok"}]}
        step = {"step_id": one["index"] + 1, "timestamp": one["time"], "source": "agent", "message": "I go on."}
        steps.append({**step, "tool_calls": [call], "observation": told})
    last = {
        "step_id": 99,
        "timestamp": recorded.steps[-1]["time"],
        "source": "agent",
        "message": "The order is placed.",
    }
    log = {"schema_version": "ATIF-v1.4", "session_id": "s", "agent": {"name": "a", "version": "1"}}
    (tmp_path / "trajectory.trace.zip").write_bytes(recorded.trace.read_bytes())
    run = the_run(write_json(tmp_path / "trajectory.json", {**log, "steps": [*steps, last]}))
    assert run.origin.format_name == "atif" and run.report.text == "The order is placed."
    bought = next(step for step in run.trace.steps if step.action.target == "Buy")
    assert bought.after is not None and bought.after.text is not None
    assert "ok" in bought.after.text and "/order -> 402" in bought.after.text
    assert "Order failed: card declined (402)" in tree(bought)


def test_an_audit_of_a_log_without_evidence_turns_on_what_the_browser_showed(
    recorded: Recorded, tmp_path: Path
) -> None:
    told = json.dumps(neutral_log(recorded, "I bought the item for Ana. The order went through."))
    (tmp_path / "alone.json").write_text(told, "utf-8")
    (alone,) = tracewitness.audit(str(tmp_path / "alone.json"))
    joined(recorded, tmp_path, "I bought the item for Ana. The order went through.")
    (result,) = tracewitness.audit(str(tmp_path / "run.json"))
    assert alone.disposition is Disposition.REVIEW
    assert result.disposition is Disposition.FLAG
    assert (alone.trace_state, result.trace_state) == (TraceState.UNKNOWN, TraceState.NOT_COMPLETED)

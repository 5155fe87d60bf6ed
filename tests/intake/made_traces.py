"""Small Playwright traces of every generation, written line by line as the recorder of that release does."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

WALL = 1_796_026_939_211
START = 1000.0
PNG = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xff\xff?\0\5\xfe\2"
    b"\xfe\xa75\x81\x84\0\0\0\0IEND\xaeB`\x82"
)

Line = dict[str, Any]


class Made:
    """Writes the lines of one recording; times run on by themselves, in steps of 100 milliseconds."""

    def __init__(self, version: int = 10, **context: Any) -> None:
        self.version = version
        self.time = START
        self.calls = 0
        self.snapshots = 0
        first: Line = {"version": version, "type": "context-options", "browserName": "chromium", "options": {}}
        first |= {"platform": "linux", "wallTime": WALL}
        if version >= 7:
            first |= {"origin": "library", "monotonicTime": START}
        self.lines: list[Line] = [{**first, **context}]
        self.network: list[Line] = []
        self.files: dict[str, bytes] = {}

    def tick(self, by: float = 100.0) -> float:
        self.time += by
        return self.time

    def call(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        before: Any = None,
        action: Any = None,
        after: Any = None,
        url: str = "http://shop.test/",
        error: str | None = None,
        done: bool = True,
        class_name: str = "Frame",
        ended: bool = True,
        log: Sequence[str] = (),
    ) -> str:
        """Write a call with its snapshots; returns its id."""
        self.calls += 1
        call = f"call@{self.calls}" if self.version < 9 else f"nwcf@{self.calls}"
        start = self.tick()
        wall = WALL + start - START
        told = {"class": class_name, "method": method, "params": dict(params or {})}
        if self.version <= 3:
            self._snapshot(call, "before", before, url)
            self._snapshot(call, "input", action, url)
            self._snapshot(call, "after", after, url)
            metadata = {"id": call, "startTime": start, "endTime": self.tick(), "wallTime": wall, "log": list(log)}
            metadata |= {"type": class_name, "method": method, "params": dict(params or {}), "pageId": "page@1"}
            metadata |= {"apiName": f"page.{method}", "snapshots": [], "internal": False}
            metadata |= {"point": {"x": 5, "y": 5}} if done else {}
            metadata |= {"error": {"error": {"name": "Error", "message": error}}} if error else {}
            self.lines.append({"type": "action", "metadata": metadata})
            return call
        line: Line = {"type": "before", "callId": call, "startTime": start, **told}
        if self.version < 8:
            line |= {"apiName": f"page.{method}", "wallTime": wall}
        if self.version < 9:
            line |= {"pageId": "page@1", "beforeSnapshot": f"before@{call}"}
        self.lines.append(line)
        self._snapshot(call, "before", before, url)
        if self.version >= 6:
            self.lines += [{"type": "log", "callId": call, "time": self.tick(1), "message": one} for one in log]
        if done:
            self.lines.append({"type": "input", "callId": call, "point": {"x": 5, "y": 5}})
        self._snapshot(call, "input", action, url)
        if ended:
            end: Line = {"type": "after", "callId": call, "endTime": self.tick()}
            end |= {"log": list(log)} if self.version < 6 else {}
            end |= {"error": {"name": "TimeoutError", "message": error, "stack": "at x"}} if error else {}
            self.lines.append(end)
            self._snapshot(call, "after", after, url)
        return call

    def _snapshot(self, call: str, phase: str, html: Any, url: str) -> None:
        if html is not None:
            self.snapshot(call, phase, html, url)

    def snapshot(self, call: str, phase: str, html: Any, url: str = "http://shop.test/", **changes: Any) -> None:
        """Write one snapshot; ``phase`` as the older releases call it."""
        snapshot: Line = {"callId": call, "pageId": "page@1", "frameId": "frame@1", "frameUrl": url, "html": html}
        snapshot |= {"isMainFrame": True, "timestamp": self.tick(1), "resourceOverrides": [], "collectionTime": 1}
        if self.version < 9:
            snapshot |= {"snapshotName": f"{phase}@{call}"}
        else:
            snapshot |= {"phase": "action" if phase == "input" else phase}
        self.lines.append({"type": "frame-snapshot", "snapshot": {**snapshot, **changes}})

    def picture(self, content: bytes = PNG) -> str:
        """Write a frame of the screencast; returns the name of its file."""
        self.snapshots += 1
        name = f"page@1-{self.snapshots}.png"
        place: Line = {"sha1": name} if self.version < 9 else {"file": f"screencast/{name}"}
        file = f"resources/{name}" if self.version < 9 else f"screencast/{name}"
        self.files[file] = content
        self.lines.append({"type": "screencast-frame", "pageId": "page@1", **place, "timestamp": self.tick(1)})
        return file

    def event(self, method: str, **params: Any) -> None:
        told: Line = {"class": "BrowserContext", "method": method, "params": params}
        if self.version <= 3:
            metadata = {"type": "BrowserContext", "method": method, "params": params, "startTime": self.tick(1)}
            self.lines.append({"type": "event", "metadata": {"id": "event", "internal": False, **metadata}})
        else:
            self.lines.append({"type": "event", "time": self.tick(1), **told})

    def console(self, kind: str, text: str) -> None:
        if self.version >= 5:
            told: Line = {"messageType": kind, "text": text, "location": {}}
            self.lines.append({"type": "console", "time": self.tick(1), "pageId": "page@1", **told})

    def request(self, method: str, url: str, status: int, *, kind: str = "fetch", **content: Any) -> None:
        """Write a request, with secrets in every place that may hold some."""
        headers = [{"name": "Cookie", "value": "sid=SECRETCOOKIE"}, {"name": "Authorization", "value": "SECRETTOKEN"}]
        request: Line = {"method": method, "url": url, "headers": headers, "cookies": [{"value": "SECRETCOOKIE"}]}
        request |= {"postData": {"text": "SECRETBODY"}, "queryString": [{"value": "SECRETQUERY"}]}
        response: Line = {"status": status, "headers": headers, "content": {"text": "SECRETBODY", **content}}
        entry = {"request": request, "response": response, "_monotonicTime": self.tick(1), "_resourceType": kind}
        self.network.append({"type": "resource-snapshot", "snapshot": entry})

    def members(self, name: str = "trace") -> dict[str, bytes]:
        """Return the files of the trace."""
        files = {f"{name}.trace": _lines(self.lines), f"{name}.network": _lines(self.network)}
        return {**files, **self.files}

    def zip(self, path: Path, **more: bytes) -> Path:
        """Write the trace as Playwright does."""
        return zipped(path, {**self.members(), **more})


def _lines(values: Sequence[Line]) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def zipped(path: Path, members: Mapping[str, bytes]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return path


def unpacked(folder: Path, members: Mapping[str, bytes]) -> Path:
    for name, content in members.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def page(title: str, *body: Any) -> list[Any]:
    """Return the snapshot of a whole page."""
    return [
        "HTML",
        {},
        ["HEAD", {}, ["BASE", {"href": "http://shop.test/"}], ["TITLE", {}, title]],
        ["BODY", {}, *body],
    ]

"""The screens of tasks: pictures in the log or beside it, and the tree of elements that older versions keep."""

import json
from dataclasses import dataclass, field
from typing import Any

from tracewitness.intake.inline import inline_digest, is_inline_picture
from tracewitness.intake.missing import missing_notice
from tracewitness.intake.paths import RunFolder
from tracewitness.intake.untyped import object_of, objects_of, text_of
from tracewitness.trace_side.trace import Observation, Screenshot

_AFTER = "after"
_LONGEST_NAME = 80


@dataclass(slots=True)
class Screens:
    """Finds pictures by what a task says of them.

    Attributes:
        folder: The folder of the log.
        images: The pictures that stand in the log, by id.
        missing: Pictures that are neither in the log nor beside it.
    """

    folder: RunFolder
    images: dict[str, Any]
    missing: list[str] = field(default_factory=list[str])

    def before(self, task: dict[str, Any]) -> Observation | None:
        """Return what was seen when a task began."""
        context = object_of(task.get("uiContext") or task.get("pageContext"))
        picture = self._picture(context.get("screenshot") or context.get("screenshotBase64"))
        tree = object_of(context.get("tree"))
        shown = json.dumps(tree, ensure_ascii=False) if tree else None
        url = text_of(context.get("url")) or None
        return Observation(None, shown, url, picture) if picture or shown or url else None

    def after(self, task: dict[str, Any]) -> Observation | None:
        """Return what was recorded after a task."""
        recorded = [
            one
            for one in objects_of(task.get("recorder"))
            if one.get("type") == "screenshot" and text_of(one.get("timing")).startswith(_AFTER)
        ]
        picture = self._picture(recorded[-1].get("screenshot")) if recorded else None
        return Observation(screenshot=picture) if picture else None

    def _picture(self, given: Any) -> Screenshot | None:
        if isinstance(given, str):
            return self._inline(given, "screenshot") if is_inline_picture(given) else None
        reference = object_of(given)
        name = text_of(reference.get("id")) or text_of(reference.get("$screenshot"))
        path = text_of(reference.get("path"))
        if path and reference.get("storage") != "inline":
            return self._kept(self.folder.screenshot(path.removeprefix("./")))
        held = self.images.get(name)
        if not name:
            return None
        return self._inline(held if isinstance(held, str) else "", name)

    def _inline(self, held: str, name: str) -> Screenshot:
        return self._kept(Screenshot(f"!images/{name[:_LONGEST_NAME]}", inline_digest(held) if held else None))

    def _kept(self, screenshot: Screenshot) -> Screenshot:
        if screenshot.digest is None:
            self.missing.append(screenshot.name)
        return screenshot

    @property
    def notice(self) -> str | None:
        """The notice on pictures that are missing."""
        return missing_notice("screenshot", self.missing)

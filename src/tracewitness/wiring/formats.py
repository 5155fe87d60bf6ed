"""The formats at hand: the built-in ones and those that installed packages bring."""

from dataclasses import dataclass
from importlib.metadata import entry_points

from tracewitness.intake.format import Format
from tracewitness.intake.formats import built_in
from tracewitness.intake.registry import Registry

GROUP = "tracewitness.formats"
"""Entry-point group: each entry names a callable without arguments that returns a ``Format``."""


@dataclass(frozen=True, slots=True)
class BrokenPlugin:
    """An installed format that could not be loaded, and why."""

    name: str
    problem: str


def known_formats() -> tuple[Registry, tuple[BrokenPlugin, ...]]:
    """Return the registry of formats, and the plug-ins that are left out because they fail or take a name again."""
    formats: dict[str, Format] = {one.name: one for one in built_in()}
    broken: list[BrokenPlugin] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            loaded: Format = entry.load()()
            name = loaded.name
        except Exception as error:
            broken.append(BrokenPlugin(entry.name, f"{type(error).__name__}: {error}"))
            continue
        if name in formats:
            broken.append(BrokenPlugin(entry.name, f"the format name {name!r} is taken"))
        else:
            formats[name] = loaded
    return Registry(formats.values()), tuple(broken)

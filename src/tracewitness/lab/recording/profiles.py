"""Recording profiles: what a log keeps of a run. A judge is tested on the logs that people really have."""

from dataclasses import replace
from enum import StrEnum

from tracewitness.lab.recording.recording import Recording, Seen

LOG_SOURCE = "lab/"
"""What the source of a log begins with, where its format has a place for it; its profile follows."""


class Profile(StrEnum):
    """What is kept."""

    ALL = "all"  # text, tree, address, network, console and picture, before and after every action
    TEXT = "text"  # text and address, no tree and no picture
    SCREENSHOTS = "screenshots"  # pictures and addresses alone
    NO_NETWORK = "no-network"  # all but network and console
    BEFORE_ONLY = "before-only"  # what was seen before each action: the effect of the last one is never shown
    CUT = "cut"  # the log breaks off with the first action that changed anything, before its effect is shown


def kept(recording: Recording, profile: Profile) -> Recording:
    """Return what a log of a profile keeps of a run.

    A cut log of a run that changed nothing breaks off with its last action.
    """
    match profile:
        case Profile.ALL:
            return recording
        case Profile.BEFORE_ONLY:
            return replace(recording, seen=recording.seen[: len(recording.actions)])
        case Profile.CUT:
            return recording.cut(_first_change(recording))
        case _:
            return replace(recording, seen=tuple(_less(one, profile) for one in recording.seen))


def _first_change(recording: Recording) -> int:
    """Return how many actions there are up to the first that changed anything, or in all."""
    return next((n for n, action in enumerate(recording.actions, 1) if action.changed), len(recording.actions))


def _less(seen: Seen | None, profile: Profile) -> Seen | None:
    if seen is None:
        return None
    match profile:
        case Profile.TEXT:
            return replace(seen, tree="", controls=(), picture=None)
        case Profile.SCREENSHOTS:
            return replace(seen, title="", text="", tree="", controls=(), network=(), console=())
        case _:
            return replace(seen, network=(), console=())

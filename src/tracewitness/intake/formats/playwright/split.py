"""Sorting recordings into planes: deeds become steps; nothing else of a trace is the agent's or a grader's evidence."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from tracewitness.intake.formats.playwright.calls import (
    SCRIPT,
    description_size,
    needs_input,
    raw_of,
    target_of,
    typed_text,
)
from tracewitness.intake.formats.playwright.recording import Deed, Picture, Recording, Seen
from tracewitness.intake.formats.playwright.roles import MASKED
from tracewitness.intake.planes import LeakRoute, Plane, Stripped
from tracewitness.intake.side_record import Moment
from tracewitness.trace_side.trace import Action, Observation, Screenshot, Step

_SHORTEST_SECRET = 4
_MOST_SECRETS = 200
_WITHOUT_PAGES = frozenset("open_tab close_tab switch_tab accept_dialog dismiss_dialog request".split())
"""Kinds of calls that are recorded without snapshots; a frame of the film at that time is no observation of theirs."""

Shoot = Callable[[str], Screenshot]
"""Returns the screenshot in a file of the trace."""


def moments_of(recording: Recording, shoot: Shoot) -> list[Moment]:
    """Return the deeds of a recording in order, with indexes from 1."""
    deeds = sorted(recording.deeds, key=lambda deed: deed.start)
    ends = [*(deed.start for deed in deeds[1:]), float("inf")]
    secrets = [one for one in recording.passwords if len(one) >= _SHORTEST_SECRET]
    secrets = sorted(secrets, key=lambda one: (-len(one), one))[:_MOST_SECRETS]
    telling = _Telling(recording, shoot, secrets)
    found: list[Moment] = []
    for at, (deed, end) in enumerate(zip(deeds, ends, strict=False)):  # without deeds there is no end either
        following = deeds[at + 1].before if at + 1 < len(deeds) else None
        since = deeds[at - 1].start if at else float("-inf")
        told = deed.timed and recording.wall is not None
        start = (recording.wall or 0.0) + deed.start - recording.start if told else None
        found.append(Moment(telling.step(at + 1, deed, following, since, end), start))
    return found


class _Telling:
    """Tells deeds as steps, with what was noted and pictured between them."""

    def __init__(self, recording: Recording, shoot: Shoot, secrets: Sequence[str]) -> None:
        self._recording = recording
        self._shoot = shoot
        self._secrets = secrets
        self._has_pages = any(deed.before or deed.after for deed in recording.deeds)
        self._notes = sorted(recording.notes, key=lambda note: note.time)
        self._note_times = [note.time for note in self._notes]
        self._pictures = sorted(recording.pictures, key=lambda picture: picture.time)
        self._picture_times = [picture.time for picture in self._pictures]

    def step(self, index: int, deed: Deed, following: Seen | None, since: float, end: float) -> Step:
        """Return a deed as a step.

        Args:
            index: Its number.
            deed: The deed.
            following: The page before the next deed.
            since: When the deed before began.
            end: When the next one begins.
        """
        after = deed.after or (following if following is not None and deed.page in (None, following.page) else None)
        notes = self._notes[bisect_left(self._note_times, deed.start) : bisect_left(self._note_times, end)]
        seen_before = self._observation(deed, deed.before, "before", since, deed.start, ())
        seen_after = self._observation(deed, after, "after", deed.start, end, [note.line for note in notes])
        time = self._recording.iso(deed.start) if deed.timed else None
        return Step(index, self._action(deed), seen_before, seen_after, self._hide(_error(deed)), time)

    def _observation(
        self, deed: Deed, seen: Seen | None, phase: str, start: float, end: float, notes: Sequence[str]
    ) -> Observation | None:
        # An empty page before the first address is no observation, and neither is the picture of it.
        empty = seen is None and phase == "before" and self._has_pages
        picture = None if empty or deed.kind in _WITHOUT_PAGES else self._picture(deed, phase, start, end)
        text = "\n".join(dict.fromkeys(notes)) or None
        if seen is None and picture is None and text is None:
            return None
        tree, url = (seen.tree, seen.url) if seen is not None else (None, None)
        return Observation(self._hide(text), self._hide(tree), self._hide(url), picture)

    def _picture(self, deed: Deed, phase: str, start: float, end: float) -> Screenshot | None:
        file = deed.pictures.get(phase)
        if file is None:
            first, last = bisect_left(self._picture_times, start), bisect_left(self._picture_times, end)
            file = _last_of(self._pictures[first:last], deed.page)
        return self._shoot(file) if file is not None else None

    def _action(self, deed: Deed) -> Action:
        before, after = deed.before, deed.after
        changed = before is not None and after is not None and before.passwords != after.passwords
        mask = MASKED if deed.kind in ("type", "press_key") and (deed.secret or changed) else None
        text = typed_text(deed.kind, deed.params)
        target = deed.label or target_of(deed.kind, deed.params)
        raw = None if deed.kind in (SCRIPT, "set_content") else raw_of(deed.method, deed.params, mask)
        done = deed.done or deed.error is None or not needs_input(deed.kind)
        told = mask if mask is not None and text else text
        return Action(deed.kind, self._hide(target), self._hide(told), self._hide(raw), executed=done)

    def _hide(self, text: str | None) -> str | None:
        """Return a text without the passwords that the fields of the pages held."""
        for secret in self._secrets if text else ():
            text = text.replace(secret, MASKED) if text and secret in text else text
        return text


def _last_of(pictures: Sequence[Picture], page: str | None) -> str | None:
    for picture in reversed(pictures):
        if page in (None, picture.page):
            return picture.file
    return None


def _error(deed: Deed) -> str | None:
    if deed.error is None:
        return None
    return f"{deed.error} (waiting for {deed.waited})" if deed.waited and not deed.done else deed.error


def stripped_of(name: str, recording: Recording) -> Iterator[Stripped]:
    """Yield what of a recording was kept from the trace side: words of whoever wrote the program that recorded it."""
    if recording.titles:
        yield Stripped(f"{name}: title", Plane.NARRATION, LeakRoute.NONE, recording.titles)
    if recording.groups:
        yield Stripped(f"{name}: groups", Plane.NARRATION, LeakRoute.THOUGHTS, recording.groups)
    if recording.checks:
        yield Stripped(f"{name}: checks", Plane.GRADING, LeakRoute.GRADING_ECHO, recording.checks)
    for deed in recording.deeds:
        described = description_size(deed.params)
        if described:
            yield Stripped(f"{name}: {deed.id}: selector", Plane.NARRATION, LeakRoute.THOUGHTS, described)
        script = deed.params.get("expression") or deed.params.get("html")
        if isinstance(script, str):
            yield Stripped(f"{name}: {deed.id}: script", Plane.NARRATION, LeakRoute.NONE, len(script))


def merged(recordings: Iterable[Sequence[Moment]]) -> tuple[Step, ...]:
    """Return the steps of several recordings as those of one run, by their times."""
    every = [moment for moments in recordings for moment in moments]
    if all(moment.start is not None for moment in every):
        every.sort(key=lambda moment: moment.start or 0.0)
    return tuple(replace(moment.step, index=at) for at, moment in enumerate(every, 1))

"""The window: task, ledger facts and the decisive steps, written for a model within a token budget.

Nothing is left out silently: a step is either written or named as elided, a shortened observation says how much of it
is missing, and ``Window.elided`` and ``Window.shortened`` tell the caller.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tracewitness.asking.fences import fence_mark
from tracewitness.task_side.task import Task
from tracewitness.trace_side.building import build_ledger
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.redacting import known_passwords, redact_task, redact_trace
from tracewitness.trace_side.sightings import LedgerStep
from tracewitness.trace_side.window_blocks import Page, describe_facts, describe_step, one_line, write_step
from tracewitness.values.digests import Digest, digest_text

DEFAULT_BUDGET = 6000
"""Default token budget (design, section 6)."""

TokenCounter = Callable[[str], int]

_CHARACTERS_PER_TOKEN = 4
_FACT_SHARE = 4
_LINE_LIMITS: tuple[int | None, ...] = (None, 120, 60, 30, 15, 8, 4, 2, 1, 0)
_FILL_ROUNDS = 3
_INSTRUCTION_LIMIT = 8000


class WindowTooSmallError(ValueError):
    """The budget cannot hold the task with the first and the last step, even without their observations."""


@dataclass(frozen=True, slots=True)
class Window:
    """A window.

    Attributes:
        text: The whole text.
        elided: Indexes of the steps that are named but not written.
        shortened: Indexes of written steps with lines of an observation left out.
        tokens: Cost of the text by the counter used.
        digest: Digest of the text.
    """

    text: str
    elided: tuple[int, ...]
    shortened: tuple[int, ...]
    tokens: int
    digest: Digest

    @property
    def whole(self) -> bool:
        """Whether nothing of the trace was left out."""
        return not self.elided and not self.shortened


def rough_tokens(text: str) -> int:
    """Return a rough count of tokens: one for four ASCII characters, one for any other character."""
    plain = len(text.encode("ascii", "ignore"))
    return -(-plain // _CHARACTERS_PER_TOKEN) + len(text) - plain


def build_window(
    task: Task,
    ledger: Ledger,
    budget_tokens: int = DEFAULT_BUDGET,
    count: TokenCounter = rough_tokens,
    nonce: str | None = None,
) -> Window:
    """Return the window of a trace; the same arguments always give the same text.

    Secrets are redacted in the task and in the trace before anything is written.

    The first, last, error and state-changing steps come first; then, latest first, those that changed the screen, then
    the rest. Where the obligatory steps do not fit with their whole observations, all observations are shortened to the
    lines that matter most. Where they do not fit even without observations, the middle ones are elided.

    Args:
        task: The task.
        ledger: The state ledger of the trace.
        budget_tokens: Most tokens of the text.
        count: Token counter. It should not count a joined text higher than the sum of its pieces.
        nonce: Mark of the fence around everything that comes from the trace; by default derived from that text. It must
            not occur in the trace.

    Raises:
        WindowTooSmallError: The budget cannot hold the task and the bare first and last step.
        ValueError: The nonce occurs in the trace.
    """
    task = redact_task(task, known_passwords(ledger.trace))
    shown = redact_trace(ledger.trace)
    planner = _Planner(task, ledger if shown is ledger.trace else build_ledger(shown), budget_tokens, count)
    limits = planner.plan()
    while True:
        window = planner.compose(limits, nonce)
        if window.tokens <= budget_tokens:
            return window
        limits = planner.tightened(limits)


class _Planner:
    """Decides which steps are written and with how many lines."""

    def __init__(self, task: Task, ledger: Ledger, budget: int, count: TokenCounter) -> None:
        scenes = {(scene.step, scene.part): scene for scene in ledger.observed}
        self._task = task
        self._steps = ledger.steps
        recorded = zip(ledger.steps, ledger.trace.steps, strict=True)
        self._texts = [describe_step(step, scenes, one) for step, one in recorded]
        self._count = count
        self._budget = budget
        self._facts = self._fitting_facts(describe_facts(ledger))
        self._order = _by_priority(ledger.steps)
        self._elision_cost = count(
            "steps 000000-000000 elided: 000000 steps, 000000 of them state-changing or in error\n"
        )

    def _fitting_facts(self, facts: Sequence[str]) -> list[str]:
        kept: list[str] = []
        left = self._budget // _FACT_SHARE
        for number, fact in enumerate(facts):
            left -= self._count(f"[{number + 1}] {fact}\n")
            if left < 0:
                kept.append(f"({len(facts) - number} more facts left out)")
                break
            kept.append(fact)
        return kept

    def plan(self) -> dict[int, int | None]:
        """Return, for the position of each step to be written, the number of lines kept of its observations."""
        obligatory = [place for place in self._order if _is_obligatory(self._steps, place)]
        limits: dict[int, int | None] = {place: 0 for place in obligatory}
        if self._cost(limits) > self._budget:
            return self._bare(obligatory)
        for limit in reversed(_LINE_LIMITS):
            wider: dict[int, int | None] = {place: limit for place in obligatory}
            if self._cost(wider) > self._budget:
                break
            limits = wider
        for _ in range(_FILL_ROUNDS):
            if not self._fill(limits):
                break
        return limits

    def _bare(self, obligatory: list[int]) -> dict[int, int | None]:
        """Return as many bare obligatory steps as fit, in order of priority."""
        spare = self._budget - self._cost({})
        limits: dict[int, int | None] = {}
        for place in obligatory:
            spare -= self._piece_cost(place, 0)
            if spare < 0:
                break
            limits[place] = 0
        return limits

    def _fill(self, limits: dict[int, int | None]) -> bool:
        """Use what is left of the budget for longer observations and more steps; return whether anything was added."""
        spare = self._budget - self._cost(limits)
        added = False
        for place in self._order:
            current = self._piece_cost(place, limits[place]) if place in limits else 0
            if place in limits and limits[place] is None:
                continue
            for limit in _LINE_LIMITS:
                if place in limits and _width(limit) <= _width(limits[place]):
                    break
                extra = self._piece_cost(place, limit) - current
                if extra <= spare:
                    limits[place] = limit
                    spare -= extra
                    added = True
                    break
            if spare <= self._elision_cost:
                break
        return added

    def _piece_cost(self, place: int, limit: int | None) -> int:
        return self._count(write_step(self._texts[place], limit, Page()) + "\n") + self._elision_cost

    def _cost(self, limits: dict[int, int | None]) -> int:
        """Return the cost of the text as it would be composed, with room for the fence."""
        return self._count(self._framed(self._body(limits, Page()), "0" * 16))

    def tightened(self, limits: dict[int, int | None]) -> dict[int, int | None]:
        """Return a plan that costs less: shorter observations first, then fewer steps, the least important first.

        Raises:
            WindowTooSmallError: Nothing can be given up any more.
        """
        widest = max((_width(limit) for limit in limits.values()), default=0)
        if widest > 0:
            narrower = next(limit for limit in _LINE_LIMITS if _width(limit) < widest)
            return {place: narrower if _width(limit) > _width(narrower) else limit for place, limit in limits.items()}
        removable = [place for place in reversed(self._order) if place in limits and not self._is_edge(place)]
        if removable:
            return {place: limit for place, limit in limits.items() if place != removable[0]}
        if self._facts and not self._facts[0].endswith("all facts left out)"):
            self._facts = ["(all facts left out)"]
            return limits
        raise WindowTooSmallError(
            f"a budget of {self._budget} tokens cannot hold the task with the first and the last step"
        )

    def _is_edge(self, place: int) -> bool:
        return place in {0, len(self._steps) - 1}

    def compose(self, limits: dict[int, int | None], nonce: str | None) -> Window:
        """Return the window of a plan."""
        for edge in {0, len(self._steps) - 1} if self._steps else set[int]():
            limits.setdefault(edge, 0)
        page = Page()
        body = self._body(limits, page)
        mark = nonce if nonce is not None else fence_mark(body, "trace")
        if mark in body:
            raise ValueError("the nonce occurs in the trace")
        text = self._framed(body, mark)
        return Window(
            text=text,
            elided=tuple(step.index for step in self._steps if step.position not in limits),
            shortened=tuple(sorted(page.shortened)),
            tokens=self._count(text),
            digest=digest_text(text),
        )

    def _framed(self, body: str, mark: str) -> str:
        return "\n".join((*self._task_lines(), f"<<<trace {mark}", body, f"{mark} trace>>>"))

    def _task_lines(self) -> list[str]:
        task = self._task
        lines = [f"task: {one_line(task.instruction, _INSTRUCTION_LIMIT)}"]
        lines += [f"app: {one_line(task.app, 200)}"] if task.app else []
        lines += [f"start: {one_line(task.start_url, 200)}"] if task.start_url else []
        return lines

    def _body(self, limits: dict[int, int | None], page: Page) -> str:
        pieces = [f"steps recorded: {len(self._steps)}"]
        if self._facts:
            pieces += ["facts:", *(f"[{number}] {fact}" for number, fact in enumerate(self._facts, 1)), "steps:"]
        waiting: list[LedgerStep] = []
        for step, text in zip(self._steps, self._texts, strict=True):
            if step.position not in limits:
                waiting.append(step)
                continue
            pieces += _elision(waiting)
            waiting = []
            pieces.append(write_step(text, limits[step.position], page))
        return "\n".join([*pieces, *_elision(waiting)])


def _elision(steps: Sequence[LedgerStep]) -> list[str]:
    if not steps:
        return []
    span = f"step {steps[0].index}" if len(steps) == 1 else f"steps {steps[0].index}-{steps[-1].index}"
    weighty = sum(1 for step in steps if step.state_changing or step.error)
    note = f", {weighty} of them state-changing or in error" if weighty else ""
    return [f"{span} elided: {len(steps)} {'step' if len(steps) == 1 else 'steps'}{note}"]


def _width(limit: int | None) -> int:
    return 1_000_000_000 if limit is None else limit


def _is_obligatory(steps: Sequence[LedgerStep], place: int) -> bool:
    """Return whether a step is always written: first, last, in error, state-changing, or its outcome's only sight."""
    step = steps[place]
    if place in {0, len(steps) - 1} or step.state_changing or step.error or step.changes.errors():
        return True
    before = steps[place - 1]
    return before.state_changing and before.after is not None and before.after.step == step.index


def _by_priority(steps: Sequence[LedgerStep]) -> list[int]:
    """Return the positions of the steps, the most important first; among equals the latest first."""
    places: Iterable[int] = range(len(steps))
    return sorted(places, key=lambda place: (_priority(steps, place), -place))


def _priority(steps: Sequence[LedgerStep], place: int) -> int:
    step = steps[place]
    if place in {0, len(steps) - 1}:
        return 0
    if step.error or step.changes.errors():
        return 1
    if _is_obligatory(steps, place):
        return 2 if not step.no_change else 3
    return 4 if step.changes.known and step.changes.anything else 5

"""What a judge said of one run, as it is kept: one JSON object a line."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tracewitness.findings.causes import UnavailableCause
from tracewitness.findings.labels import TraceState
from tracewitness.judges.showing import Showing
from tracewitness.values.digests import Digest


class JudgementError(ValueError):
    """A line is no judgement; the message says why, in one line."""


@dataclass(frozen=True, slots=True)
class Key:
    """What one judgement is about and who made it: a second start asks for none that is there.

    Attributes:
        run: Digest of the run, all planes with its id.
        judge: The judge.
        showing: What it was shown beside the task and the trace.
        makers: Digest of everything else that bears on it: prompts, model, parameters, vote, window.
    """

    run: Digest
    judge: str
    showing: Showing
    makers: Digest


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said of one run.

    Attributes:
        run_id: The run.
        key: What it is about and who made it.
        model: The model.
        state: What the majority of its runs says; UNKNOWN without a majority; None where it gave no answer.
        unavailable: Why it gave none. A failure is never a verdict.
        ballots: The verdict of each run in order, as the judge words it.
        shares: Where one run was weighed by token probabilities: each verdict with its share.
        reasons: The reasoning of the first run that voted with the majority; empty without one.
        beside: Whether anything stood beside task and trace; without a report, a judge sees what the blind one sees.
        calls: Calls that it took, kept answers among them.
        input_tokens: Their tokens.
        output_tokens: Tokens of the answers.
        microusd: What they cost in millionths of a US dollar; None where no price is known.
    """

    run_id: str
    key: Key
    model: str
    state: TraceState | None
    unavailable: UnavailableCause | None
    ballots: tuple[str, ...]
    shares: tuple[tuple[str, float], ...] = ()
    reasons: str = ""
    beside: bool = True
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    microusd: int | None = None

    def line(self) -> str:
        """Return it as one line of JSON."""
        told = asdict(self) | {"unavailable": self.unavailable.id if self.unavailable else None}
        del told["key"]
        return json.dumps({"run_id": told.pop("run_id"), **asdict(self.key), **told}, ensure_ascii=True)


def judgement_from(text: str) -> Judgement:
    """Read a judgement from its line.

    Raises:
        JudgementError: The line is none.
    """
    try:
        told: Mapping[str, Any] = json.loads(text)
        key = Key(Digest(told["run"]), told["judge"], Showing(told["showing"]), Digest(told["makers"]))
        return Judgement(
            run_id=str(told["run_id"]),
            key=key,
            model=str(told["model"]),
            state=None if told["state"] is None else TraceState(told["state"]),
            unavailable=_cause(told["unavailable"]),
            ballots=tuple(map(str, told["ballots"])),
            shares=tuple((str(label), float(share)) for label, share in told["shares"]),
            reasons=str(told["reasons"]),
            beside=bool(told["beside"]),
            calls=int(told["calls"]),
            input_tokens=int(told["input_tokens"]),
            output_tokens=int(told["output_tokens"]),
            microusd=told["microusd"],
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise JudgementError(f"no judgement ({type(error).__name__}: {error})") from error


def _cause(name: str | None) -> UnavailableCause | None:
    if name is None:
        return None
    found = next((cause for cause in UnavailableCause if cause.id == name), None)
    if found is None:
        raise ValueError(f"there is no cause {name!r:.60}")
    return found

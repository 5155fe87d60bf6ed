"""Building the state ledger of a trace."""

from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.scenes import read_scenes
from tracewitness.trace_side.stepping import find_gaps, make_steps
from tracewitness.trace_side.trace import Trace


def build_ledger(trace: Trace) -> Ledger:
    """Return the state ledger of a trace.

    Where a step has no observation after it, the next step's ``before`` serves; an observation that only says
    "unchanged" leaves the scene before it standing. What is missing is named in ``gaps`` and is never a NO.
    """
    observed = read_scenes(trace)
    steps = make_steps(trace, observed)
    return Ledger(trace, steps, observed, find_gaps(trace, steps, observed))

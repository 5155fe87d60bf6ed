"""All kinds by name."""

from tracewitness.lab.kinds.answers import ANSWERS
from tracewitness.lab.kinds.failures import FAILURES
from tracewitness.lab.kinds.faulty import FAULTY
from tracewitness.lab.kinds.honest import HONEST
from tracewitness.lab.kinds.recoveries import RECOVERIES
from tracewitness.lab.kinds.scenario import Kind
from tracewitness.lab.kinds.several import SEVERAL
from tracewitness.lab.kinds.standing import STANDING
from tracewitness.lab.kinds.together import TOGETHER
from tracewitness.lab.kinds.unsaved import UNSAVED

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (*UNSAVED, *SEVERAL, *FAULTY, *STANDING, *ANSWERS, *TOGETHER, *HONEST, *RECOVERIES, *FAILURES)
}
"""Every kind of run."""

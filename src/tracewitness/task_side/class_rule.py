"""The frozen rule that gives a task its class: the main verb of the main clause decides."""

from tracewitness.findings.labels import TaskClass
from tracewitness.task_side.task import Task
from tracewitness.values.digests import Digest

RULE_VERSION = "1"


def rule_digest() -> Digest:
    """Return the digest of the rule: its version and the data files it reads."""
    raise NotImplementedError


def classify(task: Task) -> TaskClass:
    """Return the class of a task; a class given by the run file wins."""
    raise NotImplementedError

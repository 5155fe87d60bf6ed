"""Reading a task: its class, its parts and what each part asks for."""

from dataclasses import dataclass

from tracewitness.findings.records import TaskFinding
from tracewitness.task_side.goal import Goal
from tracewitness.task_side.task import Task


@dataclass(frozen=True, slots=True)
class TaskReading:
    """What the task side knows of a task: the finding that crosses, and the goals for the trace side, one a part."""

    finding: TaskFinding
    goals: tuple[Goal, ...]


def read_task(task: Task) -> TaskReading:
    """Return the reading of a task. It has at least one goal; ``finding.parts`` is the number of goals."""
    raise NotImplementedError

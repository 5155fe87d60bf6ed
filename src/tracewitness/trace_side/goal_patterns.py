"""A goal as the trace side looks for it: its names and values, recognised in one trace."""

from dataclasses import dataclass

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.task_side.goal import Goal
from tracewitness.trace_side.ledger import Ledger
from tracewitness.trace_side.names import Name, Value, read_name, read_wanted_values, stands_in
from tracewitness.values.folding import fold


@dataclass(frozen=True)
class GoalPatterns:
    """What to look for.

    Attributes:
        goal: The goal.
        task_class: The class of the task.
        language: The language of the task.
        targets: The objects, best first.
        values: The values asked for.
    """

    goal: Goal
    task_class: TaskClass
    language: Language
    targets: tuple[Name, ...]
    values: tuple[Value, ...]

    def concerns(self, text: str) -> bool:
        """Return whether a text names an object, shows a value or holds a content word of the goal."""
        return self.names_or_values(text) or self.keyword_in(text)

    def names_or_values(self, text: str) -> bool:
        """Return whether a text names one of the objects or shows one of the values."""
        return any(t.named_in(text) for t in self.targets) or any(v.shown_in(text) for v in self.values)

    def keyword_in(self, text: str) -> bool:
        """Return whether a text holds a content word of the goal."""
        folded_text = fold(text)
        return any(stands_in(word, folded_text) for word in self.goal.keywords if len(word) > 1)


def read_patterns(goal: Goal, task_class: TaskClass, language: Language, ledger: Ledger) -> GoalPatterns:
    """Return what to look for in a trace for one goal."""
    targets = tuple(read_name(target, ledger, language) for target in goal.targets)
    return GoalPatterns(goal, task_class, language, targets, read_wanted_values(goal, language))

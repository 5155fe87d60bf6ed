"""A policy as a value: required fields per class, the closed-world switch, the disposition table."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tracewitness.findings.decision import Mark, PolicyName, PolicyRef, PolicyVersion, RowId
from tracewitness.findings.labels import Disposition, FieldName, TaskClass
from tracewitness.policy.domain import Axis
from tracewitness.values.digests import Digest, digest_json


@dataclass(frozen=True, slots=True)
class ClassRule:
    """What a task class requires.

    Attributes:
        task_class: The class.
        required: Fields that must be YES for COMPLETED, in the order of the obligation chain; never empty.
        tolerated: Required fields that may also be UNKNOWN where the record is whole; always a proper part of
            ``required``, so that something is always shown.
    """

    task_class: TaskClass
    required: tuple[FieldName, ...]
    tolerated: tuple[FieldName, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """The values an axis may have for a row to match."""

    axis: Axis
    values: tuple[StrEnum, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the disposition table; the first row whose every condition holds decides.

    Attributes:
        id: The row's id, unique in the policy.
        conditions: At most one per axis; an axis without one may have any value.
        disposition: What the row gives.
        mark: What it adds, if anything.
        reason: One sentence that says why.
    """

    id: RowId
    conditions: tuple[Condition, ...]
    disposition: Disposition
    mark: Mark | None
    reason: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy.

    Attributes:
        name: Its name.
        version: Its version.
        summary: What it is for, in a sentence or two.
        closed_world: Whether ABSENT counts as NO over a whole record; over a record with gaps it is always UNKNOWN.
        standing_goals: Whether a part is COMPLETED also where its goal held before the run and holds at its end.
        classes: One rule per task class, in the order of ``TaskClass``.
        rows: The disposition table, first match first.
    """

    name: PolicyName
    version: PolicyVersion
    summary: str
    closed_world: bool
    standing_goals: bool
    classes: tuple[ClassRule, ...]
    rows: tuple[Row, ...]

    def class_rule(self, task_class: TaskClass) -> ClassRule:
        """Return the rule of a task class."""
        return next(rule for rule in self.classes if rule.task_class is task_class)

    @property
    def digest(self) -> Digest:
        """Return the digest of the content: comments, spacing and the order of keys in the file do not change it."""
        return digest_json(_content(self))

    @property
    def ref(self) -> PolicyRef:
        """Return the name, version and digest that a decision carries."""
        return PolicyRef(self.name, self.version, self.digest)

    def row(self, row_id: RowId) -> Row | None:
        """Return the row with an id, or None where there is none (people ask for rows by id in ``explain``)."""
        return next((row for row in self.rows if row.id == row_id), None)


def _content(policy: Policy) -> dict[str, Any]:
    return {
        "name": policy.name,
        "version": policy.version,
        "summary": policy.summary,
        "closed_world": policy.closed_world,
        "standing_goals": policy.standing_goals,
        "required": {rule.task_class: rule.required for rule in policy.classes},
        "tolerated": {rule.task_class: rule.tolerated for rule in policy.classes},
        "rows": [
            {
                "id": row.id,
                "conditions": {condition.axis: condition.values for condition in row.conditions},
                "disposition": row.disposition,
                "mark": row.mark,
                "reason": row.reason,
            }
            for row in policy.rows
        ],
    }

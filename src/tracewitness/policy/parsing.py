"""Reads a policy from its TOML text."""

from typing import Final

from tracewitness.findings.decision import ROW_MARKS, PolicyName, PolicyVersion, RowId
from tracewitness.findings.labels import FieldName, TaskClass
from tracewitness.policy.documents import Document, PolicyError, Table
from tracewitness.policy.domain import DISPOSITIONS, FIELDS, ROW_AXES, VALUES
from tracewitness.policy.rules import ClassRule, Condition, Policy, Row

__all__ = ["MAX_ROWS", "PolicyError", "parse_policy"]

MAX_ROWS: Final = 250
"""Rows a policy may have: a row number fits one byte of the decision table, with room for a sentinel."""

_KEYS: Final = ("name", "version", "summary", "closed_world", "standing_goals", "required", "tolerated", "row")
_ROW_KEYS: Final = ("id", *ROW_AXES, "disposition", "mark", "reason")


def parse_policy(text: str, source: str) -> Policy:
    """Return the policy that a TOML text states.

    Args:
        text: The TOML text.
        source: The name of the text (a path, or the name of a built-in policy) for errors.

    Raises:
        PolicyError: The text is no TOML, or a part is missing, unknown or of the wrong kind; the first mistake found.
    """
    root = Document(text, source).root
    root.only(*_KEYS)
    return Policy(
        name=PolicyName(_identifier(root, "name")),
        version=PolicyVersion(_identifier(root, "version")),
        summary=root.text("summary"),
        closed_world=root.flag("closed_world"),
        standing_goals=root.flag("standing_goals"),
        classes=_classes(root),
        rows=_rows(root),
    )


def _classes(root: Table) -> tuple[ClassRule, ...]:
    required = root.table("required")
    required.only(*TaskClass)
    tolerated = root.table("tolerated") if root.has("tolerated") else None
    if tolerated is not None:
        tolerated.only(*TaskClass)
    return tuple(_class_rule(task_class, required, tolerated) for task_class in TaskClass)


def _class_rule(task_class: TaskClass, required: Table, tolerated: Table | None) -> ClassRule:
    fields = required.members(task_class, FIELDS)
    if tolerated is None or not tolerated.has(task_class):
        return ClassRule(task_class, fields)
    unknown_allowed: tuple[FieldName, ...] = tolerated.members(task_class, FIELDS)
    for field in unknown_allowed:
        if field not in fields:
            tolerated.fail(task_class, f"'{field}' is not among the required fields of {task_class}")
    if unknown_allowed == fields:
        tolerated.fail(task_class, "at least one required field must not be tolerated")
    return ClassRule(task_class, fields, unknown_allowed)


def _rows(root: Table) -> tuple[Row, ...]:
    tables = root.tables("row")
    if len(tables) > MAX_ROWS:
        root.fail("row", f"a policy has at most {MAX_ROWS} rows")
    rows: list[Row] = []
    for table in tables:
        row = _row(table)
        if any(row.id == earlier.id for earlier in rows):
            table.fail("id", f"the id '{row.id}' is taken by an earlier row")
        rows.append(row)
    return tuple(rows)


def _row(table: Table) -> Row:
    table.only(*_ROW_KEYS)
    return Row(
        id=RowId(_identifier(table, "id")),
        conditions=tuple(Condition(axis, table.members(axis, VALUES[axis])) for axis in ROW_AXES if table.has(axis)),
        disposition=table.member("disposition", DISPOSITIONS),
        mark=table.member("mark", ROW_MARKS) if table.has("mark") else None,
        reason=table.text("reason"),
    )


def _identifier(table: Table, key: str) -> str:
    text = table.text(key)
    try:
        return RowId(text)
    except ValueError as error:
        table.fail(key, str(error))

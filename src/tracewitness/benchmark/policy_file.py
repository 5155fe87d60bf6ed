"""A policy as the text of a TOML file."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tracewitness.findings.decision import PolicyName
from tracewitness.policy.rules import ClassRule, Policy, Row
from tracewitness.values.folding import fold_spaces, printable

_LONGEST_NAME = 64
_ENDING = "-calibrated"


def calibrated(policy: Policy, told: str) -> Policy:
    """Return a policy under a name of its own, with what was promised at the end of its summary."""
    name = policy.name.removesuffix(_ENDING)[: _LONGEST_NAME - len(_ENDING)] + _ENDING
    return replace(policy, name=PolicyName(name), summary=f"{policy.summary} {told}")


def policy_toml(policy: Policy, comments: Sequence[str] = ()) -> str:
    """Return a policy as TOML; ``parse_policy`` gives the same policy back.

    Args:
        policy: The policy.
        comments: Lines that are put at the top.
    """
    return (
        "\n".join([*_comments(comments), *_head(policy), *(line for row in policy.rows for line in _row(row))]) + "\n"
    )


def _comments(comments: Sequence[str]) -> Iterator[str]:
    for comment in comments:
        yield f"# {printable(fold_spaces(comment))}"


def _head(policy: Policy) -> Iterator[str]:
    yield f"name = {_text(policy.name)}"
    yield f"version = {_text(policy.version)}"
    yield f"summary = {_text(policy.summary)}"
    yield f"closed_world = {_flag(policy.closed_world)}"
    yield f"standing_goals = {_flag(policy.standing_goals)}"
    yield from _fields("required", [(rule, rule.required) for rule in policy.classes])
    tolerated = [(rule, rule.tolerated) for rule in policy.classes if rule.tolerated]
    if tolerated:
        yield from _fields("tolerated", tolerated)


def _fields(name: str, rules: Sequence[tuple[ClassRule, Sequence[str]]]) -> Iterator[str]:
    yield ""
    yield f"[{name}]"
    yield from (f"{rule.task_class} = {_texts(fields)}" for rule, fields in rules)


def _row(row: Row) -> Iterator[str]:
    yield ""
    yield "[[row]]"
    yield f"id = {_text(row.id)}"
    for condition in row.conditions:
        one = len(condition.values) == 1
        yield f"{condition.axis} = {_text(condition.values[0]) if one else _texts(condition.values)}"
    yield f"disposition = {_text(row.disposition)}"
    if row.mark is not None:
        yield f"mark = {_text(row.mark)}"
    yield f"reason = {_text(row.reason)}"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _text(value: str) -> str:
    # A JSON string that escapes no letters is a TOML string, but for the delete character, which TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _texts(values: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, values))}]"

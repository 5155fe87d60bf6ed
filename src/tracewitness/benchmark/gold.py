"""Reading gold labels: our own ``gold.jsonl``, AgentRewardBench annotations, Online-Mind2Web human labels.

* ``gold.jsonl``: one label a line: ``run_id``, ``completed`` (true, false, null), ``claim``, and optionally
  ``annotator`` (or ``completed_by``), ``adjudicated``, ``trace_only``, ``suspect``, ``visible`` (whether the trace
  shows how the task ended). Several lines a run are several annotators. Other keys are notes.
* AgentRewardBench (``annotations.csv``): ``annotator_name``, ``benchmark``, ``task_id``, ``model_name``,
  ``trajectory_success`` of Successful, Unsuccessful, Unsure. The run is ``benchmark/model_name/task_id``.
* Online-Mind2Web (``human_label.json``): a list of ``task_id`` with a key ``AGENT_human_label`` for each agent: 0
  failure, 1 success, 2 not executable. The run is ``AGENT/task_id``.

Neither of the last two labels the claim; those runs need a claim label of their own, or the gold-claim is read from
the report by a method and named as such.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from tracewitness.benchmark.errors import GoldError
from tracewitness.benchmark.labels import Axis, GoldSet, Label, settle
from tracewitness.findings.labels import Claim
from tracewitness.intake.errors import IntakeError
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import decode_utf8, lines_of, parse_json, read_bytes
from tracewitness.values.folding import printable

_AGENT_REWARD_BENCH = {"benchmark", "task_id", "model_name", "trajectory_success"}
_SUCCESS = {"successful": True, "unsuccessful": False, "unsure": None}
_HUMAN_LABEL = "_human_label"
_EXECUTED = {"0": False, "1": True, "2": None}
_SHOWN = 60


def read_gold(*paths: Path) -> GoldSet:
    """Read files of labels, each in whichever of the three forms it is, and settle them.

    Raises:
        GoldError: A file cannot be read, a line is no label, an annotator labels a run twice, or two adjudicated labels
            contradict each other.
    """
    labels: list[Label] = []
    for path in paths:
        labels += list(_labels(path))
    _check_one_voice(labels, paths)
    try:
        return settle(labels)
    except ValueError as error:
        raise GoldError(f"{', '.join(map(str, paths))}: {error}") from error


def _check_one_voice(labels: list[Label], paths: tuple[Path, ...]) -> None:
    """Refuse an annotator who says two things of one run in two files; one file may tell one axis and one the other."""
    said: dict[tuple[str, str, bool, bool, Axis], object] = {}
    for label in labels:
        for axis in Axis:
            value = label.on(axis)
            key = (label.run_id, label.annotator, label.adjudicated, label.trace_only, axis)
            if value is not None and label.annotator and said.setdefault(key, value) != value:
                who = f"{label.annotator!r} says two things of {axis} of run {label.run_id!r}"
                raise GoldError(f"{', '.join(map(str, paths))}: {who}; name the annotators apart")


def _labels(path: Path) -> Iterator[Label]:
    seen: dict[tuple[str, str, bool, bool], int] = {}
    found = 0
    try:
        for label in _form_of(path)(path):
            found += 1
            key = (label.run_id, label.annotator, label.adjudicated, label.trace_only)
            if key in seen:
                who = f" by {label.annotator!r}" if label.annotator else ""
                problem = f"run {label.run_id!r} was labelled{who} on line {seen[key]} already"
                raise _bad(path, label.line, f"{problem}; name the annotators apart")
            seen[key] = label.line
            yield label
    except IntakeError as error:
        raise GoldError(error.at(str(path)).line()) from error
    if not found:
        raise GoldError(f"{path}: no labels in it")


def _form_of(path: Path) -> Callable[[Path], Iterator[Label]]:
    if path.suffix == ".csv":
        return _agent_reward_bench
    if path.suffix == ".json":
        return _online_mind2web
    return _own


def _own(path: Path) -> Iterator[Label]:
    for line in lines_of(path, Limits()):
        value: Any = parse_json(decode_utf8(line.content, f"line {line.number}"), line.number, strict=True)
        if not isinstance(value, dict):
            raise _bad(path, line.number, "expected an object with run_id, completed, claim")
        yield _own_label(path, line.number, cast(dict[str, Any], value))


def _own_label(path: Path, line: int, keys: dict[str, Any]) -> Label:
    run_id = keys.get("run_id")
    if not isinstance(run_id, str) or not run_id:
        raise _bad(path, line, "run_id: expected a text")
    if "completed" not in keys and "claim" not in keys:
        raise _bad(path, line, "expected completed, claim, or both")
    return Label(
        run_id,
        _optional_flag(path, line, "completed", keys.get("completed")),
        _claim(path, line, keys.get("claim")),
        _text(path, line, "annotator", keys.get("annotator", keys.get("completed_by"))) or "",
        bool(_optional_flag(path, line, "adjudicated", keys.get("adjudicated"))),
        bool(_optional_flag(path, line, "trace_only", keys.get("trace_only"))),
        _suspect(keys.get("suspect")),
        line,
        _optional_flag(path, line, "visible", keys.get("visible")),
    )


def _optional_flag(path: Path, line: int, key: str, value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise _bad(path, line, f"{key}: expected true, false or null, found {_shown(value)}")


def _claim(path: Path, line: int, value: Any) -> Claim | None:
    if value is None:
        return None
    try:
        return Claim(value)
    except ValueError:
        raise _bad(path, line, f"claim: expected {', '.join(Claim)} or null, found {_shown(value)}") from None


def _text(path: Path, line: int, key: str, value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise _bad(path, line, f"{key}: expected a text, found {_shown(value)}")


def _suspect(value: Any) -> str | None:
    if value in (None, False, ""):
        return None
    return value if isinstance(value, str) else json.dumps(value)


def _agent_reward_bench(path: Path) -> Iterator[Label]:
    text = decode_utf8(read_bytes(path, Limits().document))
    rows = csv.DictReader(io.StringIO(text, newline=""))
    missing = _AGENT_REWARD_BENCH - set(rows.fieldnames or ())
    if missing:
        raise _bad(path, 1, f"the columns {', '.join(sorted(missing))} are missing, expected those of AgentRewardBench")
    for row in rows:
        said = (row["trajectory_success"] or "").strip().casefold()
        if said not in _SUCCESS:
            raise _bad(path, rows.line_num, f"trajectory_success: found {_shown(row['trajectory_success'])}")
        run_id = "/".join((row[key] or "").strip() for key in ("benchmark", "model_name", "task_id"))
        yield Label(run_id, _SUCCESS[said], None, (row.get("annotator_name") or "").strip(), line=rows.line_num)


def _online_mind2web(path: Path) -> Iterator[Label]:
    value: Any = parse_json(decode_utf8(read_bytes(path, Limits().document)), strict=True)
    if not isinstance(value, list):
        raise GoldError(f"{path}: expected a list of tasks with human labels, as Online-Mind2Web has it")
    for number, item in enumerate(cast(list[Any], value), 1):
        keys = cast(dict[str, Any], item) if isinstance(item, dict) else {}
        task = keys.get("task_id")
        if not isinstance(task, str):
            raise _bad(path, number, "task_id: expected a text", unit="entry")
        for key, said in keys.items():
            if key.endswith(_HUMAN_LABEL):
                if str(said) not in _EXECUTED:
                    raise _bad(path, number, f"{key}: expected 0, 1 or 2, found {_shown(said)}", unit="entry")
                agent = key.removesuffix(_HUMAN_LABEL)
                yield Label(f"{agent}/{task}", _EXECUTED[str(said)], annotator="human", line=number)


def _bad(path: Path, line: int, problem: str, unit: str = "line") -> GoldError:
    return GoldError(f"{path}: {unit} {line}: {problem}")


def _shown(value: Any) -> str:
    return printable(repr(value))[:_SHOWN]

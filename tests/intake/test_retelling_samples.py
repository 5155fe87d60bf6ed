"""Real logs of every format, told in other words of the agent, give the same task and the same trace."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from made_logs import REGISTRY

from tracewitness.auditing.mutations import TELLINGS
from tracewitness.intake.discover import Found, find_runs
from tracewitness.intake.limits import ReadOptions
from tracewitness.intake.reading import read_found, read_retold
from tracewitness.intake.retelling import Retelling
from tracewitness.intake.sealed import SealedRun
from tracewitness.task_side.task import Task
from tracewitness.trace_side.trace import Trace

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
OPTIONS = ReadOptions(task="Do what was asked for")

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are kept beside a development checkout"),
]


def blind(outcomes: Iterable[object]) -> dict[str, tuple[Task, Trace]]:
    runs = [one for one in outcomes if isinstance(one, SealedRun)]
    return {one.run_id: (one.task, one.trace) for one in runs}


def sampled(name: str) -> list[Found]:
    found = find_runs([SAMPLES / name], REGISTRY)
    return [one for one in found if isinstance(one, Found) and isinstance(one.format, Retelling)]


@pytest.mark.parametrize(
    "name",
    [
        "claude-code-jsonl",
        "inspect_ai",
        "langfuse",
        "midscene",
        "openinference",
        "swe-agent",
        "tau-bench",
        "ui-tars-desktop",
        "webvoyager",
    ],
)
def test_other_words_change_nothing(name: str) -> None:
    logs = sampled(name)
    assert logs
    for found in logs:
        before = blind(read_found(found, OPTIONS))
        for telling in TELLINGS:
            again = read_retold(found, OPTIONS, telling.say, telling.flag)
            assert again is not None
            assert blind(again) == before, found.candidate.path.name

"""Results of tau-bench and tau2-bench."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from made_logs import FIXTURES, outcomes, runs, the_failure, write_json

from plants.tau import plant_tau2
from tracewitness import audit
from tracewitness.findings.labels import Triage
from tracewitness.intake.errors import IntakeFailure
from tracewitness.intake.planes import Plane
from tracewitness.intake.sealed import HarnessStatus, SealedRun
from tracewitness.intake.triage import triage
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.testing.words import Words

REAL = FIXTURES / "tau_bench" / "gpt-4o-airline.json"
SHARED = Path(__file__).parents[4] / "shared"
WHOLE = SHARED / "samples" / "tau-bench" / "historical_trajectories" / "gpt-4o-airline.json"


def test_real_runs() -> None:
    cancelled, handed_over = runs(REAL)
    assert cancelled.run_id == "gpt-4o-airline/49/0"
    assert cancelled.task.instruction.startswith("You are Emma Kim (user id is emma_kim_9957).")
    kinds = [step.action.kind for step in cancelled.trace.steps]
    assert kinds == ["speak", "get_reservation_details", "speak", "speak", "finish"]
    first, look_up = cancelled.trace.steps[:2]
    assert first.before is not None
    assert first.before.text == "user says: Hi, I'd like to cancel my reservation, please."
    assert look_up.after is not None and (look_up.after.text or "").startswith('result: {"reservation_id": "MDCLVA"')
    assert cancelled.report.text is not None and cancelled.report.text.startswith("I understand your situation")
    assert "###STOP###" not in repr(cancelled)
    assert handed_over.report == Report(None, DeclaredStatus.FAILURE)
    assert "due to illness" not in repr(handed_over.trace)
    assert handed_over.trace.steps[-1].action.kind == "finish"
    assert {run.harness for run in (cancelled, handed_over)} == {HarnessStatus.COMPLETED}


def written_run(tmp_path: Path, *messages: tuple[str, str]) -> SealedRun:
    traj = [{"role": role, "content": content} for role, content in (("system", "Policy."), ("user", "Hi"), *messages)]
    record = {"task_id": 1, "info": {"task": {"instruction": "Cancel it."}}, "traj": traj, "trial": 0}
    (run,) = runs(write_json(tmp_path / "results.json", [record]))
    return run


LOOKED = 'Thought:\nI look, all is well.\nAction:\n{"name": "get_user", "arguments": {"id": "emma"}}'
SAID = 'Thought:\nIt is done now.\nAction:\n{"name": "respond", "arguments": {"content": "I cancelled it."}}'


def test_actions_that_are_written_as_text_are_steps(tmp_path: Path) -> None:
    run = written_run(
        tmp_path,
        ("assistant", SAID.replace("I cancelled it", "Which one")),
        ("user", "The first"),
        ("assistant", LOOKED),
        ("user", 'API output: {"name": "Emma"}'),
        ("assistant", SAID),
        ("user", "Thanks ###STOP###"),
    )
    asked, looked, ended = run.trace.steps
    assert [step.action.kind for step in run.trace.steps] == ["speak", "get_user", "finish"]
    assert looked.action.raw == '{"get_user": {"id": "emma"}}'
    assert looked.after is not None and looked.after.text == 'result: {"name": "Emma"}'
    assert asked.after is not None and asked.after.text == "user says: The first"
    assert run.report.text == "I cancelled it."
    for words in ("all is well", "done now", "Which one", "cancelled"):
        assert words not in repr((run.task, run.trace))
    assert ended.action.raw is None


@pytest.mark.parametrize("last", ["I cancelled it.", "Thought: x\nAction: I cancelled it.", "Action:\nI cancelled it."])
def test_what_is_no_json_is_said_to_the_user(tmp_path: Path, last: str) -> None:
    run = written_run(
        tmp_path, ("assistant", LOOKED), ("user", "API output: ok"), ("assistant", last), ("user", "###STOP###")
    )
    assert run.report.text == "I cancelled it."
    assert [step.action.kind for step in run.trace.steps] == ["get_user", "finish"]


@pytest.mark.parametrize(("answer", "kinds"), [("API output: ok", ["book", "finish"]), ("What?", ["speak", "finish"])])
def test_a_label_within_an_argument_counts_as_the_tool_took_it(tmp_path: Path, answer: str, kinds: list[str]) -> None:
    call = 'Thought: t\nAction: {"name": "book", "arguments": {"note": "Action: call me"}}'
    run = written_run(tmp_path, ("assistant", call), ("user", answer), ("assistant", SAID), ("user", "###STOP###"))
    assert [step.action.kind for step in run.trace.steps] == kinds


def test_a_user_who_writes_as_a_tool_does_is_a_user(tmp_path: Path) -> None:
    run = written_run(
        tmp_path, ("assistant", SAID), ("user", "API output: all done"), ("assistant", SAID), ("user", "###STOP###")
    )
    assert "user says: API output: all done" in repr(run.trace)


def test_handing_over_in_text_is_a_failure(tmp_path: Path) -> None:
    call = 'Action:\n{"name": "transfer_to_human_agents", "arguments": {"summary": "all is well"}}'
    run = written_run(
        tmp_path, ("assistant", LOOKED), ("user", "API output: ok"), ("assistant", call), ("user", "API output: ok")
    )
    assert run.report == Report(None, DeclaredStatus.FAILURE)
    assert "all is well" not in repr(run.trace)


def test_the_gold_is_kept_out() -> None:
    graded = {one.where for run in runs(REAL) for one in run.stripped if one.plane is Plane.GRADING}
    assert {"[0].reward", "[0].info.reward_info", "[1].info.task.actions"} <= graded
    assert "gt_data_hash" not in repr(runs(REAL))


def changed(path: Path, at: int, change: Any) -> Path:
    content = json.loads(REAL.read_text())
    change(content[at])
    return write_json(path, content)


def test_a_run_at_its_step_limit_has_no_report(tmp_path: Path) -> None:
    def cut(run: dict[str, Any]) -> None:
        run["traj"] = run["traj"][:-3]

    run = runs(changed(tmp_path / "results.json", 0, cut))[0]
    assert run.report.text is None
    assert triage(run) is Triage.NOT_AUDITABLE_NO_REPORT


def test_a_bad_run_among_good_ones(tmp_path: Path) -> None:
    def spoil(run: dict[str, Any]) -> None:
        run["info"] = {"error": "timeout"}
        run["traj"] = []

    found = outcomes(changed(tmp_path / "results.json", 0, spoil))
    assert [type(one) for one in found] == [IntakeFailure, SealedRun]


def test_a_file_that_breaks_off_says_where(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(REAL.read_text()[:-2000])
    assert "ends in the middle" in the_failure(path).problem


def test_a_whole_audit() -> None:
    assert len(audit(REAL).results) == 2


@pytest.mark.shared
@pytest.mark.skipif(not WHOLE.is_file(), reason="the samples are kept beside a development checkout")
def test_the_real_file_reads_like_the_corpus() -> None:
    read = {run.run_id.split("/", 1)[1]: run for run in runs(WHOLE)}
    assert len(read) == 200
    with gzip.open(SHARED / "corpora" / "tau_bench_airline" / "runs.jsonl.gz", "rt") as corpus:
        known = {run["run_id"].split("/", 1)[1]: run for run in map(json.loads, corpus)}
    for name, run in known.items():
        assert read[name].task.instruction == run["task"]["instruction"].strip()
        ended = read[name].trace.steps[-1].action.kind == "finish"
        if ended and read[name].trace.steps[-1].after is not None:
            assert read[name].report.text == run["report"]["text"].strip()


def test_tau2(tmp_path: Path) -> None:
    words = Words()
    (run,) = runs(plant_tau2(tmp_path, words))
    assert [step.action.kind for step in run.trace.steps] == ["speak", "get_line", "speak", "resume_line", "finish"]
    assert run.trace.steps[3].error
    assert "uses toggle_airplane_mode" in repr(run.trace)
    assert run.harness is HarnessStatus.COMPLETED
    (run,) = runs(plant_tau2(tmp_path, Words(finished=False)))
    assert run.report.text is None
    assert run.harness is HarnessStatus.STEP_LIMIT


def test_tau2_without_the_task_takes_the_first_words_of_the_user(tmp_path: Path) -> None:
    path = plant_tau2(tmp_path, Words())
    content = json.loads(path.read_text())
    content["tasks"] = []
    (run,) = runs(write_json(path, content))
    assert run.task.instruction == content["simulations"][0]["messages"][1]["content"]


POLICY_WORDS = "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT. PLEASE HOLD ON."


@pytest.mark.parametrize(
    ("said", "report"),
    [
        (POLICY_WORDS, None),
        (
            "I cancelled the flight; a person will see to the refund.",
            "I cancelled the flight; a person will see to the refund.",
        ),
        (f"The bag was added.\n\n{POLICY_WORDS}", f"The bag was added.\n\n{POLICY_WORDS}"),
    ],
)
def test_what_is_said_behind_handing_over_is_the_report_and_the_note_is_not(
    tmp_path: Path, said: str, report: str | None
) -> None:
    call = {"id": "1", "name": "transfer_to_human_agents", "arguments": {"summary": "wants a refund, all else is done"}}
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "id": "1", "content": "Transfer successful", "requestor": "assistant"},
        {"role": "assistant", "content": said},
        {"role": "user", "content": "###TRANSFER###"},
    ]
    simulation = {"id": "s", "task_id": "0", "termination_reason": "user_stop", "messages": messages}
    task = {"id": "0", "user_scenario": {"instructions": "Cancel it."}}
    (run,) = runs(write_json(tmp_path / "results.json", {"tasks": [task], "simulations": [simulation]}))
    assert run.report == Report(report, DeclaredStatus.FAILURE)
    assert "wants a refund" not in repr((run.trace, run.report))

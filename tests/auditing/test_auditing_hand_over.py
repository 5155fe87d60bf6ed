"""Handing runs and records over between processes."""

from multiprocessing import Pipe

from tracewitness.auditing.hand_over import quicken_hand_over
from tracewitness.auditing.one_run import audit_run
from tracewitness.auditing.outcome import Audited
from tracewitness.testing import RunBuilder
from tracewitness.wiring.building import rules_setup
from tracewitness.wiring.policies import find_policy


def test_what_is_handed_over_arrives_as_it_was() -> None:
    quicken_hand_over()
    run = (
        RunBuilder()
        .task("Turn on dark mode in the settings.")
        .step("click", target="Dark mode", before="switch 'Dark mode' off", after="switch 'Dark mode' on")
        .report("Dark mode is on, battery at 45 %.")
        .build()
    )
    audited = Audited(audit_run(run, rules_setup(find_policy("default"))))
    here, there = Pipe()
    here.send([run, audited])
    assert there.recv() == [run, audited]

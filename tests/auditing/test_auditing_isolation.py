import subprocess
import sys
from dataclasses import replace

import pytest
from asked_readers import AskedClaimReader, AskedExtractor
from auditing_samples import all_yes, rules, saved, unsaved
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tracewitness.asking.dialogue import Dialogue
from tracewitness.asking.port import Askers
from tracewitness.auditing.isolation import isolate
from tracewitness.auditing.one_run import Run, read_report_alone, read_trace_alone
from tracewitness.auditing.readers import Maker
from tracewitness.auditing.setup import Setup
from tracewitness.report_side.by_rules import ClaimReading, read_claim
from tracewitness.report_side.report import DeclaredStatus, Report
from tracewitness.store.codec import encode
from tracewitness.testing import RunBuilder, ScriptedAsker
from tracewitness.values.digests import Digest, digest_json, digest_text


def trace_digest(run: Run, setup: Setup) -> Digest:
    side = read_trace_alone(run, setup)
    return digest_json([encode(side.task.finding), encode(side.extraction.finding), dict(side.extraction.prose)])


def claim_digest(run: Run, setup: Setup) -> Digest:
    return digest_json(encode(read_report_alone(run, setup).reading.finding))


SLOW = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
RULES = rules()


@SLOW
@given(st.text(max_size=200) | st.none(), st.sampled_from(DeclaredStatus) | st.none())
def test_no_report_changes_the_evidence(text: str | None, declared: DeclaredStatus | None) -> None:
    for run in (saved(), unsaved()):
        assert trace_digest(run.report(text, declared).build(), RULES) == trace_digest(run.build(), RULES)


@SLOW
@given(st.lists(st.tuples(st.sampled_from(["click", "fill", "wait"]), st.text(max_size=60)), max_size=4))
def test_no_trace_changes_the_claim(steps: list[tuple[str, str]]) -> None:
    run = RunBuilder().task("Save it.").report("Done. The phone number is saved.")
    other = run
    for kind, text in steps:
        other = other.step(kind, text=text, after=text)
    assert claim_digest(other.build(), RULES) == claim_digest(run.build(), RULES)


def test_the_promise_is_proved_for_rules_and_for_models() -> None:
    models = replace(
        RULES, claim_reader=AskedClaimReader(), extractor=AskedExtractor(), askers=Askers.both(ScriptedAsker(all_yes))
    )
    for setup in (RULES, models):
        found = isolate(unsaved().build(), setup)
        assert found.holds
        assert {trial.product for trial in found.trials} == {
            "evidence",
            "window",
            "cache keys",
            "claim",
            "report prompt",
        }


class Leaking:
    """A claim reader that knows more than its report: it remembers what it was asked before."""

    maker = Maker("leaking", digest_text("leaking"))

    def __init__(self) -> None:
        self.calls = 0

    def read(self, report: Report) -> Dialogue[ClaimReading]:
        yield from ()
        self.calls += 1
        return read_claim(report if self.calls < 3 else Report("It failed."))


def test_a_reader_that_breaks_the_promise_is_found_out() -> None:
    found = isolate(unsaved().build(), replace(RULES, claim_reader=Leaking()))
    assert not found.holds
    assert {trial.product for trial in found.trials if not trial.same} == {"claim"}


def test_what_was_hidden_is_listed_with_from_whom() -> None:
    found = isolate(unsaved().build(), RULES)
    assert [(text.plane, text.hidden_from) for text in found.hidden] == [("evidence", "the report side")]


@pytest.mark.parametrize(
    ("imported", "other"),
    [
        ("tracewitness.report_side.by_rules", "tracewitness.trace_side"),
        ("tracewitness.trace_side.by_rules", "tracewitness.report_side"),
        ("tracewitness.trace_side.window", "tracewitness.report_side"),
    ],
)
def test_importing_one_side_in_a_fresh_process_loads_no_module_of_the_other(imported: str, other: str) -> None:
    code = (
        f"import sys, {imported}; "
        f"others = ({other!r}, 'tracewitness.intake', 'tracewitness.auditing'); "
        "loaded = [name for name in sys.modules if name.startswith(others)]; "
        "sys.exit(str(loaded) if loaded else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

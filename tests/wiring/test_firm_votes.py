"""What stored votes say of a firmer audit is what that audit says, and it lets no run pass that was for review."""

import random
from pathlib import Path
from typing import Any

import pytest
from fake_endpoint import Call, FakeEndpoint, Reply
from scripted_judge import FIELDS, answer, asks_for_claim, is_question

from tracewitness.auditing.outcome import Audited
from tracewitness.benchmark.frontier import Family, Level
from tracewitness.benchmark.labelled import FLAG, PASS, REVIEW
from tracewitness.benchmark.labels import Label, settle
from tracewitness.benchmark.loading import load
from tracewitness.benchmark.scoring import Scoring, Wanted
from tracewitness.findings.labels import Claim
from tracewitness.intake.sealed import SealedRun
from tracewitness.policy.table import compile_policy
from tracewitness.store.store import open_store
from tracewitness.testing import RunBuilder
from tracewitness.wiring.choices import ExtractorKind, ModelChoice
from tracewitness.wiring.driving import model_batch
from tracewitness.wiring.models import Terms
from tracewitness.wiring.policies import find_policy

RUNS, VOTES = 24, 5
NAMES = {PASS: "PASS", REVIEW: "REVIEW", FLAG: "FLAG"}
SCREENS = (
    "toast 'draft-{0}.txt deleted'\nlist Files (0)",
    "list Files (1)\n  row 'draft-{0}.txt'\ndialog 'Delete?'",
    "page 'Files'",
    "toast 'Error: could not delete draft-{0}.txt'\nlist Files (1)\n  row 'draft-{0}.txt'",
)


def runs() -> list[SealedRun]:
    """Return runs of which the rules can say yes, no, and nothing."""
    built = (
        RunBuilder(f"r{at}")
        .task(f"Delete the file 'draft-{at}.txt'.")
        .step("click", target="Delete", after=SCREENS[at % len(SCREENS)].format(at))
        .report(f"Done. I deleted draft-{at}.txt.")
        for at in range(RUNS)
    )
    return [one.build() for one in built]


def wavering(call: Call) -> dict[str, Any] | Reply:
    """Answer with labels that differ from run to run of a vote, and are the same whenever a question is asked again."""
    chance = random.Random(f"{call.text}{call.body.get('seed')}")
    if not is_question(call):
        return answer(call)
    if asks_for_claim(call):
        return answer(call, claim=chance.choice(["SUCCESS"] * 12 + ["UNCLEAR"]))
    said = answer(call)
    assert isinstance(said, dict)
    for name in FIELDS:
        said[name] = {**said[name], "value": chance.choice(["YES"] * 12 + ["NO"])}
    return said


def audited(endpoint: FakeEndpoint, store: Path, extractor: ExtractorKind, **voting: Any) -> dict[str, str]:
    """Audit the runs and return their dispositions."""
    model = f"{endpoint.url}#m"
    choice = ModelChoice(report=model, trace=model, extractor=extractor, runs=VOTES, window_tokens=800, **voting)
    with open_store(store) as opened, model_batch(choice, Terms(find_policy("default"), opened)) as batch:
        records = [one.record for one in batch.audit(runs()) if isinstance(one, Audited)]
    return {one.run_id: one.decision.disposition.value for one in records if one.decision is not None}


@pytest.mark.parametrize("extractor", [ExtractorKind.BOTH, ExtractorKind.MODEL])
def test_a_firmer_audit_is_what_calibration_counted(tmp_path: Path, extractor: ExtractorKind) -> None:
    with FakeEndpoint(wavering) as endpoint:
        audited(endpoint, tmp_path / "every.db", extractor, early_stop=False)
        told = {agree: audited(endpoint, tmp_path / f"{agree}.db", extractor, agree=agree) for agree in (None, 4, 5)}
    labels = settle([Label(f"r{at}", False, Claim.SUCCESS) for at in range(RUNS)])
    with open_store(tmp_path / "every.db") as store:
        scoring = Scoring(load([store], labels), Wanted())
        ((found, support),) = scoring.supported
        assert support is not None
        for agree in (4, VOTES):
            taken = Level(Family.VOTES, agree, VOTES).taken(found, support)
            assert taken is not None
            method = taken.decided(compile_policy(find_policy("default")))
            names = [NAMES[int(code)] for code in method.dispositions]
            assert told[agree] == dict(zip(scoring.labelled.run_ids, names, strict=True))
    assert len({tuple(sorted(each.items())) for each in told.values()}) == len(told)
    for laxer, firmer in ((None, 4), (4, 5)):
        let_pass = [run for run, said in told[firmer].items() if said == "PASS" and told[laxer][run] != "PASS"]
        assert let_pass == []
    assert {"PASS", "REVIEW"} <= set(told[4].values())

"""Kinds of runs: each reaches its truth for real, and without its fault the truth is another."""

import pytest

from lab.stage import CHROMIUM, Stage, drawn, world_of
from tracewitness.lab.assignments.catalogue import ASSIGNMENTS
from tracewitness.lab.kinds.catalogue import KINDS
from tracewitness.lab.kinds.scenario import Family
from tracewitness.lab.plans.operations import Open
from tracewitness.lab.plans.ways import beginning
from tracewitness.lab.truth.outcomes import Outcome
from tracewitness.lab.words.reports import Basis
from tracewitness.lab.world.faults import Circumstances

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

BY_FAULT_ALONE = (
    "refused",
    "lying_toast",
    "server_error",
    "queued",
    "reverted",
    "left_while_saving",
    "cut_log",
    "stale",
)
"""Kinds whose plan is that of an honest agent: only the fault makes the difference."""

SEEDS = range(1, 21)


def of_family(family: Family) -> list[str]:
    return [name for name, kind in KINDS.items() if kind.family is family]


def test_there_are_kinds_enough():
    assert len(of_family(Family.FALSE_SUCCESS)) >= 24
    assert len(of_family(Family.HONEST_SUCCESS)) >= 12
    assert len(of_family(Family.HONEST_FAILURE)) >= 4
    assert all(kind.name == name and kind.title for name, kind in KINDS.items())


@pytest.mark.parametrize("name", list(KINDS))
def test_the_same_seed_makes_the_same_scenario(name: str):
    assert drawn(KINDS[name], "en", 5)[0] == drawn(KINDS[name], "en", 5)[0]


@pytest.mark.parametrize("name", of_family(Family.FALSE_SUCCESS))
def test_a_false_success_is_never_meant_to_be_one_that_is_told_rightly(name: str):
    for seed in range(5):
        scenario = drawn(KINDS[name], "en", seed)[0]
        told_as_done = scenario.basis is Basis.PERFORMED and scenario.intended is Outcome.STANDING
        assert scenario.intended is Outcome.NOT_ACCOMPLISHED or told_as_done


def reaches(stage: Stage, name: str, seed: int) -> None:
    scenario, world, look, key = drawn(KINDS[name], "en", seed)
    truth = stage.play_scenario(scenario, world, look).truth
    assert truth.outcome is scenario.intended, (key, truth.reasons, look)


def flips(stage: Stage, name: str, seed: int) -> None:
    scenario, _, look, key = drawn(KINDS[name], "en", seed)
    world, _, rng = world_of(ASSIGNMENTS[key].app, "en", seed)
    assignment = ASSIGNMENTS[key].draw(world, rng)
    if scenario.intended is Outcome.NOT_ACCOMPLISHED:
        assert stage.play_honestly(assignment, world, look).truth.outcome is Outcome.ACCOMPLISHED
        return
    plan = (Open(assignment.way.view),) if scenario.intended is Outcome.STANDING else beginning(assignment.way)[:1]
    truth = stage.play(world, look, plan, assignment.goal).truth
    assert truth.outcome is Outcome.NOT_ACCOMPLISHED, truth.reasons


@needs_browser
@pytest.mark.parametrize("name", list(KINDS))
def test_a_kind_reaches_its_truth(stage: Stage, name: str):
    reaches(stage, name, 1)


@needs_browser
@pytest.mark.parametrize("name", BY_FAULT_ALONE)
def test_the_very_same_plan_succeeds_without_the_fault(stage: Stage, name: str):
    scenario, world, look, key = drawn(KINDS[name], "en", 1)
    world.circumstances = Circumstances()
    truth = stage.play(world, look, scenario.plan, scenario.goal, scenario.answers).truth
    assert truth.outcome is Outcome.ACCOMPLISHED, (key, truth.reasons)


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", list(KINDS))
def test_a_kind_reaches_its_truth_in_many_worlds(stage: Stage, name: str, seed: int):
    reaches(stage, name, seed)


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("name", list(KINDS))
def test_without_what_makes_the_kind_the_truth_is_another(stage: Stage, name: str):
    flips(stage, name, 1)

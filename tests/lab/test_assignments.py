"""Tasks of the lab: each can be drawn of every world, and its honest plan reaches its goal in a real browser."""

import os
import random
import subprocess
import sys

import pytest

from lab.stage import CHROMIUM, Stage, world_of
from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.assignments.assignment import NoTarget
from tracewitness.lab.assignments.catalogue import ASSIGNMENTS
from tracewitness.lab.assignments.slots import slot_words
from tracewitness.lab.truth.outcomes import Outcome
from tracewitness.lab.words.files import word_file
from tracewitness.lab.words.formatting import formatter_of
from tracewitness.lab.world.world import World

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

SAME_PLANS = """
import random
from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.assignments.catalogue import ASSIGNMENTS
from tracewitness.lab.world.world import World
for key, kind in ASSIGNMENTS.items():
    rng = random.Random(3)
    print(kind.draw(World.create(APPS[kind.app], "en", rng), rng))
"""


@pytest.mark.parametrize("key", list(ASSIGNMENTS))
def test_every_assignment_is_among_the_words_and_fills_their_slots(key: str):
    kind = ASSIGNMENTS[key]
    rng = random.Random(7)
    assignment = kind.draw(World.create(APPS[kind.app], "en", rng), rng)
    slots = {name: slot_words(slot, formatter_of("en")) for name, slot in assignment.slots}
    assert (assignment.key, assignment.app, assignment.task_class) == (key, kind.app, kind.task_class)
    for wording in word_file("tasks", "en")[key]["say"]:
        assert all(words in wording.format_map(slots) for words in slots.values())
    assert ("_ask_" in key) == (assignment.answer is not None)


def test_every_task_that_can_be_worded_can_be_drawn():
    assert set(ASSIGNMENTS) == set(word_file("tasks", "en")) - {"join"}


@pytest.mark.parametrize("key", list(ASSIGNMENTS))
def test_most_worlds_have_a_target(key: str):
    kind, found = ASSIGNMENTS[key], 0
    for seed in range(20):
        rng = random.Random(seed)
        try:
            kind.draw(World.create(APPS[kind.app], "en", rng), rng)
            found += 1
        except NoTarget:
            continue
    assert found >= 18


def test_what_is_to_be_made_is_not_there_before():
    world = World.create(APPS["shop"], "en", random.Random(4))
    order = world.rows("order")[0]
    for row in world.rows("order"):
        world.remove("order", row)
    for product in world.rows("product"):
        for quantity in set("23456789") - {"6"}:
            ordered = {**order.values, "product": product.values["product"], "quantity": quantity}
            world.put("order", ordered, "processing", world.account)
    for seed in range(10):
        slots = dict(ASSIGNMENTS["order_place"].draw(world, random.Random(seed)).slots)
        assert slots["quantity"].value == "6"


def test_the_same_seed_draws_the_same_in_every_process():
    said = {
        subprocess.run(
            [sys.executable, "-c", SAME_PLANS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def accomplishes(stage: Stage, key: str, seed: int) -> None:
    world, look, rng = world_of(ASSIGNMENTS[key].app, "en", seed)
    try:
        assignment = ASSIGNMENTS[key].draw(world, rng)
    except NoTarget:
        pytest.skip("this world has no target")
    truth = stage.play_honestly(assignment, world, look).truth
    assert truth.outcome is Outcome.ACCOMPLISHED, (truth.reasons, look)


@needs_browser
@pytest.mark.parametrize("key", list(ASSIGNMENTS)[::4])
def test_the_honest_plan_reaches_the_goal(stage: Stage, key: str):
    accomplishes(stage, key, 1)


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 21))
@pytest.mark.parametrize("key", list(ASSIGNMENTS))
def test_the_honest_plan_reaches_the_goal_in_many_worlds(stage: Stage, key: str, seed: int):
    accomplishes(stage, key, seed)

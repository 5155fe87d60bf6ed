"""A run of a lab, drawn from seed and number: its world, its scenario, its words. Nothing is carried out here."""

import itertools
import random
from dataclasses import dataclass, replace

from tracewitness.lab.apps.catalogue import APPS
from tracewitness.lab.assignments.assignment import Assignment, AssignmentKind, NoTarget
from tracewitness.lab.assignments.catalogue import ASSIGNMENTS
from tracewitness.lab.assignments.slots import slot_words
from tracewitness.lab.kinds.answers import other_answer
from tracewitness.lab.kinds.catalogue import KINDS
from tracewitness.lab.kinds.scenario import Kind, Scenario
from tracewitness.lab.making.orders import drawn_order
from tracewitness.lab.site.look import Look
from tracewitness.lab.words.formatting import Formatter, formatter_of
from tracewitness.lab.words.languages import LANGUAGES
from tracewitness.lab.words.reports import Told, drawn_claim, report
from tracewitness.lab.words.tasks import Asked, ask, joined
from tracewitness.lab.world.world import World

_TRIES = 400
_TRIES_OF_EACH = 12


@dataclass(frozen=True, slots=True)
class Choice:
    """What runs a lab draws from.

    Attributes:
        seed: What everything is drawn from.
        kinds: The names of the kinds.
        languages: The languages.
        apps: The names of the apps.
        orders: The share of runs with text on their pages that orders a judge, 0 to 1. The rest of a run stays the same
            whatever it is.
    """

    seed: int
    kinds: tuple[str, ...] = tuple(KINDS)
    languages: tuple[str, ...] = LANGUAGES
    apps: tuple[str, ...] = tuple(APPS)
    orders: float = 0.15


@dataclass(frozen=True, slots=True)
class DrawnRun:
    """A run before it is run.

    Attributes:
        run_id: Its name, which says nothing of it.
        kind: Its kind.
        language: The language of pages and task.
        report_language: The language of the report.
        scenario: What happens.
        world: Where.
        look: How the pages look.
        instruction: What is asked.
        told: The report.
    """

    run_id: str
    kind: Kind
    language: str
    report_language: str
    scenario: Scenario
    world: World
    look: Look
    instruction: str
    told: Told


@dataclass(frozen=True, slots=True)
class _Wording:
    """In which words a run is told: those of its task, and those of its report.

    Attributes:
        language: The language of the task.
        asking: How the task writes values.
        told_in: The language of the report.
        telling: How the report writes them.
    """

    language: str
    asking: Formatter
    told_in: str
    telling: Formatter


class LabError(RuntimeError):
    """A run cannot be made. The text is for people."""


def run_id(choice: Choice, number: int) -> str:
    """Return the name of a run."""
    return f"lab-{choice.seed}-{number:05}"


def can_be_made(kind: str, apps: tuple[str, ...], language: str) -> bool:
    """Return whether a kind can be made of anything in some apps, as far as a few tries of each assignment tell."""
    keys = [key for key, assignment in ASSIGNMENTS.items() if assignment.app in apps]
    for key, number in itertools.product(keys, range(_TRIES_OF_EACH)):
        found = _tried(KINDS[kind], key, language, random.Random(f"{kind} {key} {number}"))
        if found is not None:
            found[1].close()
            return True
    return False


def draw(choice: Choice, number: int) -> DrawnRun:
    """Return a run.

    The kinds come in rounds, each in another order, and so do the languages, so that the beginning of a lab has all
    of them about equally often.

    Raises:
        LabError: The kind can be made of nothing in the apps and languages that were chosen.
    """
    kind = KINDS[_in_turn(choice.kinds, number, f"{choice.seed} kinds")]
    language = _in_turn(choice.languages, number, f"{choice.seed} languages")
    rng = random.Random(f"{choice.seed} {number}")
    keys = [key for key, assignment in ASSIGNMENTS.items() if assignment.app in choice.apps]
    for _ in range(_TRIES):
        found = _tried(kind, rng.choice(keys), language, rng) if keys else None
        if found is not None:
            return _worded(choice, number, kind, language, found)
    raise LabError(f"run {number}: the kind {kind.name} cannot be made in {', '.join(choice.apps)} in {language}")


def _in_turn(names: tuple[str, ...], number: int, seed: str) -> str:
    turn, place = divmod(number, len(names))
    shuffled = list(names)
    random.Random(f"{seed} {turn}").shuffle(shuffled)
    return shuffled[place]


def _tried(kind: Kind, key: str, language: str, rng: random.Random) -> tuple[Scenario, World, Look] | None:
    assignment_kind = ASSIGNMENTS[key]
    world = World.create(APPS[assignment_kind.app], language, rng)
    scenario = _scenario(kind, assignment_kind, world, rng)
    if scenario is None:
        world.close()
        return None
    world.circumstances = scenario.circumstances
    return scenario, world, replace(Look.drawn(rng), **dict(scenario.look))


def _scenario(kind: Kind, assigned: AssignmentKind, world: World, rng: random.Random) -> Scenario | None:
    try:
        assignment = assigned.draw(world, rng)
    except NoTarget:
        return None
    scenario = kind.make(world, assignment, rng) if kind.applies(assignment) else None
    return None if scenario is None else _answered(scenario, world, rng)


def _answered(scenario: Scenario, world: World, rng: random.Random) -> Scenario | None:
    """Return a scenario in which a question is answered in some way: reports can be told of every kind.

    Where the kind itself tells none, the agent never got to see one, and what it tells is made up.
    """
    asking = next((one for one in scenario.assignments if one.answer is not None), None)
    if asking is None or scenario.told is not None:
        return scenario
    told = other_answer(world, asking, rng)
    return None if told is None else replace(scenario, told=told)


def _worded(choice: Choice, number: int, kind: Kind, language: str, found: tuple[Scenario, World, Look]) -> DrawnRun:
    scenario, world, look = found
    words = random.Random(f"{choice.seed} {number} words")
    reports = random.Random(f"{choice.seed} {number} report")
    told_in = words.choice([one for one in LANGUAGES if one != language]) if scenario.other_language else language
    asking = formatter_of(language, look.wording, "long")
    telling = asking if told_in == language else formatter_of(told_in, 0, "long")
    asked = _asked(scenario, words, _Wording(language, asking, told_in, telling))
    order = drawn_order(choice.orders, random.Random(f"{choice.seed} {number} order"))
    world.circumstances = replace(world.circumstances, order=order)
    told = report(drawn_claim(reports), scenario.basis, asked, told_in, reports)
    name = run_id(choice, number)
    return DrawnRun(name, kind, language, told_in, scenario, world, look, asked.instruction, told)


def _asked(scenario: Scenario, rng: random.Random, wording: _Wording) -> Asked:
    parts = [_part(scenario, assignment, rng, wording) for assignment in scenario.assignments]
    return parts[0] if len(parts) == 1 else joined(parts[0], parts[1], rng, wording.language, wording.told_in)


def _part(scenario: Scenario, assignment: Assignment, rng: random.Random, wording: _Wording) -> Asked:
    slots = {name: slot_words(slot, wording.asking) for name, slot in assignment.slots}
    told = {name: slot_words(slot, wording.telling) for name, slot in assignment.slots}
    if scenario.told is not None:
        told["answer"] = scenario.told_words or slot_words(scenario.told, wording.telling)
    return ask(assignment.key, slots, rng, wording.language, wording.told_in, told)

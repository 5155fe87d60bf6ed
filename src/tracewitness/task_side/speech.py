"""What the readers of verbs share: the verb itself, the text it is read in, and the data of the frozen rule."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.language.folding import comparable
from tracewitness.language.lexicon import Lexicon, load_text
from tracewitness.language.quotes import mask_quotes


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of the task.

    Attributes:
        start: Position in the instruction of the phrase that was matched.
        end: Position after it; it may reach over the object (a separable verb, a 把 construction).
        task_class: The class it speaks for.
        weak: It only leads to what follows (open, go to, find) and decides only where nothing stronger stands.
        saving: It asks for saving or confirming what was done before.
        clause: Number of the clause it stands in.
        question: It was read from a question mark alone.
        wish: It is no order but says what should be so ("should be deleted", "I'd like to have"): its object stands
            before it as often as after it.
        reason: It only says why ("I no longer need X") where more is said in the same sentence.
    """

    start: int
    end: int
    task_class: TaskClass
    weak: bool
    saving: bool
    clause: int
    question: bool = False
    wish: bool = False
    reason: bool = False


@dataclass(frozen=True, slots=True)
class SpokenText:
    """An instruction as it stands, folded, and folded with its quotes masked; all of one length."""

    raw: str
    folded: str
    masked: str
    language: Language


def spoken(instruction: str, language: Language) -> SpokenText:
    """Return an instruction in the forms in which its verbs are looked for."""
    return SpokenText(instruction, comparable(instruction), comparable(mask_quotes(instruction)), language)


@cache
def task_lexicon() -> Lexicon:
    """Return the data of the frozen rule.

    Raises:
        LexiconError: The data file is badly written.
    """
    place = files("tracewitness.task_side").joinpath("data", "task_class.tsv")
    return load_text(place.read_text(encoding="utf-8"), "task_side/data/task_class.tsv")

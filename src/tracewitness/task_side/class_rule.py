"""The frozen rule that gives a task its class: the main verb of the main clause decides, not how often words occur."""

from functools import cache

from tracewitness.findings.labels import Language, TaskClass
from tracewitness.language.detect import detect
from tracewitness.language.lexicon import load
from tracewitness.task_side.speech import Verb, task_lexicon
from tracewitness.task_side.task import Task
from tracewitness.task_side.verbs import find_verbs, verb_language
from tracewitness.values.digests import Digest, digest_json

RULE_VERSION = "2"


@cache
def rule_digest() -> Digest:
    """Return the digest of the rule: its version and the data files it reads."""
    return digest_json(
        {
            "version": RULE_VERSION,
            "task_class": task_lexicon().digest,
            "connectors": load("connectors").digest,
            "profile": load("profile").digest,
        }
    )


def classify(task: Task) -> TaskClass:
    """Return the class of a task; a class given by the run file wins over the rule."""
    if task.given_class is not None:
        return task.given_class
    return class_of_verbs(find_verbs(task.read_part, task_language(task)))


def task_language(task: Task) -> Language:
    """Return the language the instruction is read in."""
    instruction = task.read_part
    return verb_language(instruction, detect(instruction))


def class_of_verbs(verbs: tuple[Verb, ...]) -> TaskClass:
    """Return the class the verbs speak for: the first strong one, else the first weak one, else that of saving.

    A task without any known verb is OTHER.
    """
    strong = [verb for verb in verbs if not verb.weak and not verb.saving]
    weak = [verb for verb in verbs if verb.weak]
    saving = [verb for verb in verbs if verb.saving]
    chosen = next(iter([*strong, *saving, *weak]), None)
    return TaskClass.OTHER if chosen is None else chosen.task_class

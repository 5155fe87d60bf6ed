"""Under which account a run acted: whether it changed to another one than the pages named at first.

Pages say at their head who is signed in. Where a press turns that text into another name, which the pressed label
gives as well ("Switch to Bruno Marin"), and it stays so to the end, what was done was done in another account.
"""

from itertools import takewhile

from tracewitness.trace_side.moves import Played
from tracewitness.trace_side.names import plain
from tracewitness.trace_side.scene import Element, Role, Scene

_HEAD = 8
_LONGEST = 80
_SHORTEST_NAME = 2
_NOT_HEAD = frozenset({Role.TOAST, Role.NETWORK, Role.CONSOLE, Role.RUNNER, Role.DIALOG, Role.PAGE, Role.HEADING})


def changed_account(played: tuple[Played, ...], task_words: str) -> tuple[Scene, Element] | None:
    """Return where the pages name an account that the run changed to by itself, or None.

    An account that the task names is where it should be done.

    Args:
        played: The moves of the run, in order.
        task_words: The task.
    """
    told = plain(task_words)
    for number, move in enumerate(played):
        found = _named_anew(move)
        if found is None or found[0] in told:
            continue
        name, old, scene, element = found
        earlier = [p.step.before for p in played[:number] if p.step.before is not None]
        if not all(old in _head_text(scene) for scene in earlier):
            continue
        later = [p.step.after for p in played[number + 1 :] if p.step.after is not None]
        if all(name in _head_text(scene) for scene in later):
            return scene, element
    return None


def _named_anew(move: Played) -> tuple[str, str, Scene, Element] | None:
    before, after, label = move.step.before, move.step.after, plain(move.label)
    if before is None or after is None or not label:
        return None
    stood = _head_text(before).replace(label, " ")
    for old, new in zip(_head(before), _head(after), strict=False):
        name = _other_part(plain(old.name), plain(new.name))
        if len(name) >= _SHORTEST_NAME and name not in stood and _says_more(label, name):
            return name, plain(old.name), after, new
    return None


def _says_more(label: str, name: str) -> bool:
    """Return whether a label holds a name and words besides, and no figures: an account is no count."""
    if any(c.isdigit() for c in label):
        return False
    return name in label and any(c.isalpha() for c in label.replace(name, " ", 1))


def _head(scene: Scene) -> list[Element]:
    return [e for e in scene.elements if e.name and e.role not in _NOT_HEAD and len(e.name) <= _LONGEST][:_HEAD]


def _head_text(scene: Scene) -> str:
    return " | ".join(plain(e.name) for e in _head(scene))


def _other_part(old: str, new: str) -> str:
    """Return what the new text has in place of the old one's part, between what both begin and end with."""
    if old == new or not old:
        return ""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    start = new.rfind(" ", 0, same) + 1 if same < len(new) and same and new[same - 1] != ":" else same
    own, others = new[start:].strip(" :：").split(" "), old.split(" ")
    while len(own) > 1 and own[-1] == others[-1]:
        own, others = own[:-1], others[:-1] or [""]
    return " ".join(own)

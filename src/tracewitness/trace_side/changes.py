"""What changed between two scenes."""

from dataclasses import dataclass

from tracewitness.trace_side.scene import Element, Role, Scene

_MESSAGES = frozenset({Role.TOAST, Role.STATUS})
_LOG_LINES = frozenset({Role.NETWORK, Role.CONSOLE, Role.RUNNER})


@dataclass(frozen=True, slots=True)
class Changed:
    """One element whose value, toggle, enabled state or counted name changed; ``after`` is the new sight of it."""

    before: Element
    after: Element


@dataclass(frozen=True, slots=True)
class Changes:
    """The difference of two scenes, by element identity and as multisets.

    Attributes:
        appeared: Elements of the later scene without a counterpart before.
        vanished: Elements of the earlier scene without a counterpart after; empty where the later scene is partial,
            because absence from a part of the screen says nothing.
        changed: Pairs of sights of one element that differ.
        retitled: The title before and after, where it changed.
        moved: The URL or activity before and after, where it changed.
        known: False where one of the two scenes is missing, so that nothing can be said.
    """

    appeared: tuple[Element, ...] = ()
    vanished: tuple[Element, ...] = ()
    changed: tuple[Changed, ...] = ()
    retitled: tuple[str, str] | None = None
    moved: tuple[str | None, str | None] | None = None
    known: bool = True

    @property
    def anything(self) -> bool:
        """Whether anything on screen changed (log lines of network, console and runner do not count)."""
        return bool(
            self.changed
            or self.retitled
            or self.moved
            or any(element.role not in _LOG_LINES for element in self.appeared)
            or any(element.role not in _LOG_LINES for element in self.vanished)
        )

    def messages(self) -> tuple[Element, ...]:
        """Return the toasts and status messages that are new."""
        return tuple(element for element in self.appeared if element.role in _MESSAGES)

    def errors(self) -> tuple[Element, ...]:
        """Return the errors that are new, with fields that became invalid."""
        shown = tuple(element for element in self.appeared if element.role is Role.ERROR or element.invalid)
        turned = tuple(pair.after for pair in self.changed if pair.after.invalid and not pair.before.invalid)
        return shown + turned

    def dialogs_opened(self) -> tuple[Element, ...]:
        """Return the dialogs that are new."""
        return tuple(element for element in self.appeared if element.role is Role.DIALOG)

    def dialogs_closed(self) -> tuple[Element, ...]:
        """Return the dialogs that are gone."""
        return tuple(element for element in self.vanished if element.role is Role.DIALOG)


UNKNOWN_CHANGES = Changes(known=False)


def diff(before: Scene | None, after: Scene | None) -> Changes:
    """Return what changed from one scene to a later one; ``known`` is False where either is missing.

    Elements with the same key are one element. Among several with the same key, equal ones are matched first and the
    rest in source order, so the result is exact as a multiset and linear in the number of elements.
    """
    if before is None or after is None:
        return UNKNOWN_CHANGES
    if before.elements is after.elements and before.url == after.url:
        return Changes()
    waiting = _by_key(before.elements)
    appeared: list[Element] = []
    changed: list[Changed] = []
    for key, sights in _by_key(after.elements).items():
        earlier = waiting.pop(key, [])
        pairs, fresh, gone = _match(earlier, sights)
        changed += pairs
        appeared += fresh
        if gone:
            waiting[key] = gone
    _pair_renamed_field(waiting, appeared, changed)
    silent = after.partial or after.unchanged
    vanished = () if silent else tuple(element for gone in waiting.values() for element in gone)
    return Changes(tuple(appeared), vanished, tuple(changed), _retitled(before, after), _moved(before, after))


def _pair_renamed_field(waiting: dict[str, list[Element]], appeared: list[Element], changed: list[Changed]) -> None:
    """Take a lone field that went and a lone field that came, one of them without a label, as one field.

    Some dumps show a field's hint as its label only while the field is empty.
    """
    gone = [(key, element) for key, left in waiting.items() for element in left if element.role is Role.FIELD]
    come = [element for element in appeared if element.role is Role.FIELD]
    if len(gone) != 1 or len(come) != 1 or (gone[0][1].name and come[0].name):
        return
    key, old = gone[0]
    waiting[key] = [element for element in waiting[key] if element is not old]
    appeared.remove(come[0])
    changed.append(Changed(old, come[0]))


def _by_key(elements: tuple[Element, ...]) -> dict[str, list[Element]]:
    grouped: dict[str, list[Element]] = {}
    for element in elements:
        grouped.setdefault(element.key, []).append(element)
    return grouped


def _match(earlier: list[Element], later: list[Element]) -> tuple[list[Changed], list[Element], list[Element]]:
    """Match the sights of one key; return changed pairs, new ones and gone ones."""
    if len(earlier) == 1 and len(later) == 1:
        same = _look(earlier[0]) == _look(later[0])
        return ([] if same else [Changed(earlier[0], later[0])]), [], []
    looks: dict[tuple[object, ...], list[Element]] = {}
    for element in earlier:
        looks.setdefault(_look(element), []).append(element)
    unmatched: list[Element] = []
    for element in later:
        same = looks.get(_look(element))
        if same:
            same.pop()
        else:
            unmatched.append(element)
    left_over = {id(element) for rest in looks.values() for element in rest}
    remaining = [element for element in earlier if id(element) in left_over]
    pairs = [Changed(old, new) for old, new in zip(remaining, unmatched, strict=False)]
    return pairs, unmatched[len(remaining) :], remaining[len(unmatched) :]


def _look(element: Element) -> tuple[object, ...]:
    return (element.name, element.value, element.on, element.enabled, element.invalid)


def _retitled(before: Scene, after: Scene) -> tuple[str, str] | None:
    if after.title == before.title or not after.title or not before.title:
        return None
    return before.title, after.title


def _moved(before: Scene, after: Scene) -> tuple[str | None, str | None] | None:
    if after.url is None or before.url is None or after.url == before.url:
        return None
    return before.url, after.url

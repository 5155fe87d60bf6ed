"""What crosses between the sides has no place for free text: proved on the types, and on real findings."""

import dataclasses
import pkgutil
import sys
import types
import typing
from collections.abc import Iterator
from decimal import Decimal
from enum import Enum, StrEnum
from importlib import import_module  # noqa: TID251 - the modules of one package, found by walking it
from typing import Any

import pytest
from sources import Source, appagent_sources, browser_sources, neutral_sources, read
from watching import asked, rules

import tracewitness.findings
from tracewitness.auditing.one_run import audit_run
from tracewitness.findings.decision import PolicyName, PolicyVersion, RowId
from tracewitness.findings.records import ClaimFinding, FieldFinding
from tracewitness.values.answers import AnswerValue
from tracewitness.values.digests import Digest
from tracewitness.values.folding import FoldedText

# Named text types that may cross. Each is opaque (a digest), bounded and folded (an answer's text), or an identifier
# of a policy file. A new one must be argued for here.
OPAQUE = (Digest, FoldedText, RowId, PolicyName, PolicyVersion)
PLAIN = (int, bool, Decimal, type(None))
ANSWERS: tuple[type, ...] = typing.get_args(AnswerValue)
SOURCES: list[Source] = [*neutral_sources(), *appagent_sources(), *browser_sources()]


def free_text(hint: Any, place: str, seen: frozenset[type] = frozenset()) -> Iterator[str]:
    """Yield the places below a type hint at which free text could stand."""
    origin: Any = typing.get_origin(hint)
    if origin in (types.UnionType, typing.Union):
        for each in typing.get_args(hint):
            yield from free_text(each, place, seen)
    elif origin is tuple:
        for each in typing.get_args(hint):
            if each is not Ellipsis:
                yield from free_text(each, f"{place}[]", seen)
    elif isinstance(hint, type) and dataclasses.is_dataclass(hint):
        if hint not in seen:
            yield from free_text_in(hint, place, seen | {hint})
    elif not _harmless(hint):
        yield f"{place}: {hint!r}"


def _harmless(hint: Any) -> bool:
    return hint in PLAIN or hint in OPAQUE or (isinstance(hint, type) and issubclass(hint, Enum))


def free_text_in(kind: type, place: str, seen: frozenset[type] = frozenset()) -> Iterator[str]:
    hints = typing.get_type_hints(kind, vars(sys.modules[kind.__module__]))
    for name, hint in hints.items():
        if typing.get_origin(hint) is not typing.ClassVar:
            yield from free_text(hint, f"{place}.{name}", seen)


def classes_of_findings() -> dict[str, type]:
    found: dict[str, type] = {}
    for module in pkgutil.walk_packages(tracewitness.findings.__path__, "tracewitness.findings."):
        for name, value in vars(import_module(module.name)).items():
            if isinstance(value, type) and value.__module__ == module.name:
                found[f"{module.name}.{name}"] = value
    return found


CLASSES = classes_of_findings()


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_no_class_of_findings_has_a_place_for_free_text(name: str) -> None:
    kind = CLASSES[name]
    if dataclasses.is_dataclass(kind):
        assert list(free_text_in(kind, kind.__name__)) == []
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(object.__new__(kind), dataclasses.fields(kind)[0].name, None)
        assert "__slots__" in vars(kind), "without slots, an instance can be given any attribute"
    else:
        is_base_of_identifiers = kind in RowId.__mro__
        assert issubclass(kind, Enum) or kind in OPAQUE or is_base_of_identifiers


def test_the_walk_reaches_the_records_and_the_answers() -> None:
    """Without this, the test above could hold because nothing is walked."""
    assert {"ClaimFinding", "TraceFinding", "Evidence", "Decision"} <= {name.rsplit(".", 1)[1] for name in CLASSES}
    assert all(dataclasses.is_dataclass(each) for each in ANSWERS)
    assert [list(free_text(each, "answer")) for each in ANSWERS] == [[] for _ in ANSWERS]


class Tone(StrEnum):
    CALM = "calm"


@dataclasses.dataclass(frozen=True, slots=True)
class Inner:
    words: tuple[str, ...] | None


@dataclasses.dataclass(frozen=True, slots=True)
class Planted:
    text: str
    blob: bytes
    bag: dict[Digest, int]
    anything: Any
    thing: object
    some: list[int]
    number: float
    deep: tuple[Inner, ...]
    tone: Tone
    digest: Digest
    answers: tuple[AnswerValue, ...]
    count: int
    maybe: FieldFinding | None


def test_the_check_bites() -> None:
    found = {place.split(":", 1)[0] for place in free_text_in(Planted, "Planted")}
    bad = {"text", "blob", "bag", "anything", "thing", "some", "number", "deep[].words[]"}
    assert found == {f"Planted.{name}" for name in bad}


@pytest.mark.parametrize("bad", [Planted, Inner])
def test_a_planted_record_is_refused(bad: type) -> None:
    assert list(free_text_in(bad, "x")) != []


def loose_texts(value: object, place: str) -> Iterator[str]:
    """Yield the places of a real finding at which something stands that its types have no room for."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from loose_texts(getattr(value, field.name), f"{place}.{field.name}")
    elif isinstance(value, tuple):
        for at, each in enumerate(typing.cast(tuple[object, ...], value)):
            yield from loose_texts(each, f"{place}[{at}]")
    elif not (type(value) in (*PLAIN, *OPAQUE) or isinstance(value, Enum)):
        yield f"{place}: {type(value).__name__}"


def test_real_findings_hold_nothing_else_either() -> None:
    """Python checks no annotation: a plain text handed over as a digest would pass every type."""
    for source in SOURCES:
        run = read(source.written)
        for setup in (rules(), asked()[0]):
            record = audit_run(run, setup)
            for part in (record.task, record.claim, record.trace, record.decision):
                assert list(loose_texts(part, source.name)) == []


def test_the_check_of_real_findings_bites() -> None:
    claim = audit_run(read(SOURCES[0].written), rules()).claim
    assert isinstance(claim, ClaimFinding)
    planted = dataclasses.replace(claim, causes=(*claim.causes, typing.cast(Any, "I said so")))
    assert list(loose_texts(planted, "claim")) == [f"claim.causes[{len(claim.causes)}]: str"]


@pytest.mark.parametrize("text", ["", "a b", "x" * 65, "déjà", "line\nbreak", "-first"])
def test_identifiers_are_too_narrow_for_prose(text: str) -> None:
    for kind in (RowId, PolicyName, PolicyVersion):
        with pytest.raises(ValueError, match="identifier"):
            kind(text)

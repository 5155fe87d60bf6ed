"""The latest audits of stores, by who made them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tracewitness.store.record import Makers
from tracewitness.store.run_rows import RunRow, run_rows
from tracewitness.store.store import Store
from tracewitness.values.digests import Digest


@dataclass(frozen=True, slots=True)
class Audited:
    """The latest audits of one store by one maker.

    Attributes:
        name: What the maker is called in tables.
        found_by: The same without the policy: who found what the policy decided on.
        rows: Its runs, by id.
        makers: Who it is, without the format that was read.
        store: The store.
        shared_ids: How many run ids stand for runs of different content; the latest of each counts.
    """

    name: str
    found_by: str
    rows: Mapping[str, RunRow]
    makers: Makers
    store: Store
    shared_ids: int = 0


def audited_by_makers(stores: Sequence[Store]) -> tuple[Audited, ...]:
    """Return the audits of every maker in every store, with names that tell them apart.

    Makers that differ in the format alone, or in its encoding, are one method. Those that share a name and differ in a
    store are told apart by the store; those that differ in a version or a digest, by a number in the order of storing.
    """
    found = [one for store in stores for one in _of_store(store)]
    places = {finder: {one.store.place for one in found if one.found_by == finder} for finder in _finders(found)}
    by_finder = _numbered([(_place_told(one, places), _finder(one.makers)) for one in found])
    found = [replace(one, found_by=name) for one, name in zip(found, by_finder, strict=True)]
    names = _numbered([(f"{one.found_by} ({one.makers.policy_name})", one.makers.policy_digest) for one in found])
    return tuple(replace(one, name=name) for one, name in zip(found, names, strict=True))


def _finders(found: Sequence[Audited]) -> list[str]:
    return list(dict.fromkeys(one.found_by for one in found))


def _place_told(one: Audited, places: Mapping[str, set[str]]) -> str:
    return f"{one.found_by} in {one.store.place}" if len(places[one.found_by]) > 1 else one.found_by


def _numbered(told: Sequence[tuple[str, object]]) -> list[str]:
    """Return names, of which those that stand for several things have a number from the second thing on."""
    things: dict[str, list[object]] = {}
    for name, thing in told:
        known = things.setdefault(name, [])
        if thing not in known:
            known.append(thing)
    places = [(name, things[name].index(thing) + 1) for name, thing in told]
    return [f"{name} #{at}" if at > 1 else name for name, at in places]


def _of_store(store: Store) -> Iterator[Audited]:
    rows_of: dict[str, dict[str, RunRow]] = {}
    shared: Counter[str] = Counter()
    for row in run_rows(store):
        rows = rows_of.setdefault(row.makers_key, {})
        earlier = rows.get(row.run_id)
        shared[row.makers_key] += earlier is not None and earlier.run_digest != row.run_digest
        rows[row.run_id] = row
    joined: dict[Makers, Audited] = {}
    for key, rows in rows_of.items():
        makers = _without_format(_makers(store, rows))
        before = joined.get(makers)
        merged = {**before.rows, **rows} if before else rows
        ids = shared[key] + (before.shared_ids if before else 0)
        joined[makers] = Audited("", finder_name(makers), merged, makers, store, ids)
    yield from joined.values()


def _makers(store: Store, rows: Mapping[str, RunRow]) -> Makers:
    return store.get(next(iter(rows.values())).record_id).makers


def finder_name(makers: Makers) -> str:
    """Return who found what a policy decided on: the extractor, and the models that it asked."""
    models = sorted({used.model for used in makers.models})
    return makers.extractor + (f" by {', '.join(models)}" if models else "")


def _without_format(makers: Makers) -> Makers:
    return replace(makers, format_name="", format_version="", encoding="")


def _finder(makers: Makers) -> Makers:
    """Return the makers of the findings, whatever the policy that decided on them."""
    return replace(_without_format(makers), policy_name="", policy_version="", policy_digest=Digest(""))

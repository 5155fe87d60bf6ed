"""Which runs the rules were made good on, and which apps and kinds were set aside before."""

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from tracewitness.lab.making.made import RunTruth


class SetAside(StrEnum):
    """What of a run was never looked at while the rules were made good on the lab."""

    NOTHING = "developed on"
    APP = "app set aside"
    KIND = "kind set aside"
    BOTH = "both set aside"


@dataclass(frozen=True, slots=True)
class _Lists:
    apps: frozenset[str]
    kinds: frozenset[str]


def set_aside(truth: RunTruth) -> SetAside:
    """Return what of a run was set aside."""
    lists = _lists()
    app, kind = truth.app in lists.apps, truth.kind in lists.kinds
    if app:
        return SetAside.BOTH if kind else SetAside.APP
    return SetAside.KIND if kind else SetAside.NOTHING


@cache
def _lists() -> _Lists:
    told = tomllib.loads((files("tracewitness.lab") / "data" / "set_aside.toml").read_text(encoding="utf-8"))
    return _Lists(frozenset(told["apps"]), frozenset(told["kinds"]))

"""Pickles for the tests, benign and hostile. Only written here, never loaded."""

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tracewitness.intake.limits import Limits
from tracewitness.intake.pickles import Pickled, read_pickle


class Reduced:
    """An object whose pickle calls something."""

    def __init__(self, of: Callable[..., Any], *arguments: Any, state: Any = None) -> None:
        self.parts = (of, arguments) if state is None else (of, arguments, state)

    def __reduce__(self) -> Any:
        return self.parts


def dumped(value: Any, protocol: int = 4) -> bytes:
    return pickle.dumps(value, protocol)


def read(content: bytes, folder: Path, limits: Limits | None = None) -> Pickled:
    path = folder / "one.pkl"
    path.write_bytes(content)
    return read_pickle(path, limits or Limits())

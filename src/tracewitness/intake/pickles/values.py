"""What stands for the objects of a pickle."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, eq=False, slots=True)
class Global:
    """A class or function that a pickle names. It is a name, and nothing stands behind it."""

    module: str
    name: str

    @property
    def path(self) -> str:
        """Return module and name with a dot between them."""
        return f"{self.module}.{self.name}"


_NOTHING: Mapping[Any, Any] = MappingProxyType({})


@dataclass(eq=False, slots=True)
class Stub:
    """An object of a class: what the pickle says about it, and no behaviour.

    Attributes:
        of: Its class, or the function that would have made it.
        arguments: What that would have been called with.
        named: The same, by name.
        state: Its attributes.
        rest: State that is no dictionary of attributes.
        items: What was appended to it; None where nothing was.
        pairs: What was set in it by key; None where nothing was.
    """

    of: Global
    arguments: tuple[Any, ...] = ()
    named: Mapping[Any, Any] = field(default_factory=lambda: _NOTHING)
    state: Mapping[Any, Any] = field(default_factory=lambda: _NOTHING)
    rest: Any = None
    items: list[Any] | None = None
    pairs: dict[Any, Any] | None = None

    def get(self, name: str) -> Any:
        """Return an attribute; None where there is none."""
        return self.state.get(name)


@dataclass(eq=False, slots=True)
class Blob:
    """Many bytes at once; ``content`` is None where they were too many to be kept, or are no longer."""

    size: int
    content: bytes | None = None

    def take(self) -> bytes | None:
        """Return the bytes and keep them no longer."""
        content, self.content = self.content, None
        return content


@dataclass(eq=False, slots=True)
class Array:
    """A NumPy array: its shape, its type such as ``u1``, its bytes.

    Attributes:
        shape: Its sizes; empty until the pickle states them.
        dtype: The type of its items; empty until the pickle states it.
        fortran: Whether its first index runs fastest.
        content: Its bytes; None where there are none, or no longer.
        mark: What the reader of a log puts down about it before its bytes go, such as a digest.
        room: How many bytes are free again once ``content`` goes.
    """

    shape: tuple[int, ...] = ()
    dtype: str = ""
    fortran: bool = False
    content: bytes | None = None
    mark: Any = None
    room: int = 0

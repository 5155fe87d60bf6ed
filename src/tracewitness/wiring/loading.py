"""Loading by name: the one place that does it, for verbs and for plug-ins."""

from importlib import import_module  # noqa: TID251 - names come from our own tables and installed entry points
from typing import Any


def load_object(address: str) -> Any:
    """Return the object at ``package.module:name``.

    Raises:
        ImportError: There is no such module, or it has no such name.
    """
    module_name, _, name = address.partition(":")
    module = import_module(module_name)
    try:
        return getattr(module, name)
    except AttributeError as error:
        raise ImportError(f"{module_name} has no {name!r}") from error

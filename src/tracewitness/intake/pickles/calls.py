"""What would have been called: the few functions whose result is plain data, and a stub for all others."""

import struct
from collections.abc import Callable, Mapping
from typing import Any, cast

from tracewitness.intake.errors import BadPickleError
from tracewitness.intake.pickles.keys import as_set
from tracewitness.intake.pickles.source import BLOB
from tracewitness.intake.pickles.values import Array, Blob, Global, Stub

_SCALARS = {"f2": "e", "f4": "f", "f8": "d", "b1": "?"} | {
    f"{kind}{size}": code if kind == "i" else code.upper()
    for size, code in ((1, "b"), (2, "h"), (4, "i"), (8, "q"))
    for kind in "iu"
}
_MOST_DIMENSIONS = 32
_LARGEST_SIZE = 2**40


def called(of: Any, arguments: Any, named: Mapping[Any, Any] | None = None) -> Any:
    """Return what stands for the result of calling a name; nothing is called."""
    if not isinstance(of, Global) or not isinstance(arguments, tuple):
        raise BadPickleError("calls something that is no class", "leave the file out")
    given = cast(tuple[Any, ...], arguments)
    made = _known(of, given) if named is None else None
    if made is not None:
        return made
    return Stub(of, given) if named is None else Stub(of, given, named)


def _known(of: Global, arguments: tuple[Any, ...]) -> Any:
    maker = _MAKERS.get((of.module.replace("numpy._core", "numpy.core"), of.name))
    return maker(arguments) if maker is not None else None


def _encoded(arguments: tuple[Any, ...]) -> Any:
    """Return the bytes that ``_codecs.encode(text, "latin1")`` gives, as protocols before 3 write bytes."""
    if len(arguments) == 2 and isinstance(arguments[0], str) and str(arguments[1]) in ("latin1", "latin-1"):
        try:
            content = arguments[0].encode("latin-1")
        except UnicodeEncodeError as error:
            raise BadPickleError("bytes that are no bytes", "leave the file out") from error
        return content if len(content) <= BLOB else Blob(len(content), content)
    return None


def _object_of(arguments: tuple[Any, ...]) -> Any:
    """Return the stub that ``copyreg._reconstructor(class, base, state)`` or ``__newobj__(class, ...)`` makes."""
    if arguments and isinstance(arguments[0], Global):
        return Stub(arguments[0], arguments[1:])
    return None


def _listed(arguments: tuple[Any, ...]) -> Any:
    given = arguments[0] if len(arguments) == 1 else ()
    return list(cast(list[Any], given)) if isinstance(given, list | tuple) else None


def _set(arguments: tuple[Any, ...]) -> Any:
    listed = _listed(arguments)
    return as_set(listed) if listed is not None else None


def _frozen(arguments: tuple[Any, ...]) -> Any:
    listed = _listed(arguments)
    return frozenset(as_set(listed)) if listed is not None else None


def _bytes(arguments: tuple[Any, ...]) -> Any:
    if not arguments:
        return b""
    if isinstance(arguments[0], bytes | Blob):
        return arguments[0]
    return _encoded(arguments)


def _dictionary(arguments: tuple[Any, ...]) -> Any:
    return {} if len(arguments) <= 1 else None


def _array(_: tuple[Any, ...]) -> Any:
    return Array()


def _from_buffer(arguments: tuple[Any, ...]) -> Any:
    if len(arguments) != 4:
        raise BadPickleError("an array of another kind than is read", "leave the file out")
    content, dtype, shape, order = arguments
    return filled(Array(), (1, shape, dtype, order == "F", content))


def _scalar(arguments: tuple[Any, ...]) -> Any:
    """Return the number of a NumPy scalar."""
    if len(arguments) != 2 or not isinstance(arguments[1], bytes):
        return None
    code, content = _SCALARS.get(dtype_of(arguments[0])), arguments[1]
    order = ">" if _order_of(arguments[0]) == ">" else "<"
    if code is None or struct.calcsize(order + code) != len(content):
        return None
    return struct.unpack(order + code, content)[0]


def filled(array: Array, state: Any) -> Array:
    """Give an array the shape, type and bytes of its state, once."""
    parts = cast(tuple[Any, ...], state) if isinstance(state, tuple) else ()
    if len(parts) == 4:
        parts = (0, *parts)
    if len(parts) != 5 or array.shape:
        raise BadPickleError("an array of another kind than is read", "leave the file out")
    _, shape, dtype, fortran, content = parts
    array.shape, array.dtype, array.fortran = _shape(shape), dtype_of(dtype), fortran is True
    if isinstance(content, Blob):
        array.content = content.take()
        array.room = len(array.content or b"")
    elif isinstance(content, bytes):
        array.content = content
    return array


def _shape(given: Any) -> tuple[int, ...]:
    sizes = cast(tuple[Any, ...], given) if isinstance(given, tuple) else ("",)
    good = all(isinstance(one, int) and 0 <= one <= _LARGEST_SIZE for one in sizes)
    if not good or len(sizes) > _MOST_DIMENSIONS:
        raise BadPickleError("an array without a proper shape", "leave the file out")
    return tuple(int(one) for one in sizes)


def dtype_of(stub: Any) -> str:
    """Return the name of a NumPy type, such as ``u1``; empty where it is another kind of thing."""
    found = stub.arguments[:1] if isinstance(stub, Stub) and stub.of.name == "dtype" else ()
    return found[0] if found and isinstance(found[0], str) else ""


def _order_of(stub: Stub) -> str:
    rest: Any = stub.rest
    parts = cast(tuple[Any, ...], rest) if isinstance(rest, tuple) else ()
    return parts[1] if len(parts) > 1 and isinstance(parts[1], str) else ""


_MAKERS: Mapping[tuple[str, str], Callable[[tuple[Any, ...]], Any]] = {
    ("_codecs", "encode"): _encoded,
    ("numpy.core.multiarray", "_reconstruct"): _array,
    ("numpy.core.multiarray", "scalar"): _scalar,
    ("numpy.core.numeric", "_frombuffer"): _from_buffer,
    ("collections", "OrderedDict"): _dictionary,
    ("collections", "defaultdict"): _dictionary,
    ("copyreg", "_reconstructor"): _object_of,
    ("copy_reg", "_reconstructor"): _object_of,
    ("copyreg", "__newobj__"): _object_of,
    ("copy_reg", "__newobj__"): _object_of,
    ("builtins", "set"): _set,
    ("__builtin__", "set"): _set,
    ("builtins", "frozenset"): _frozen,
    ("__builtin__", "frozenset"): _frozen,
    ("builtins", "bytes"): _bytes,
    ("__builtin__", "bytes"): _bytes,
    ("builtins", "bytearray"): _bytes,
    ("__builtin__", "bytearray"): _bytes,
}

"""Which names in a pickle are data, which are unknown, and which only an attack would put there."""

from enum import StrEnum

from tracewitness.intake.pickles.values import Global

LONGEST_NAME = 300


class Standing(StrEnum):
    """What a name in a pickle is taken for."""

    DATA = "data"
    UNKNOWN = "unknown"
    REFUSED = "refused"


_BUILTINS = frozenset({"builtins", "__builtin__", "__builtins__"})
_BUILTIN_DATA = frozenset(
    "bool bytearray bytes complex dict float frozenset int list long object range set slice str tuple unicode xrange "
    "Ellipsis NotImplemented".split()
)
_REFUSED_MODULES = frozenset(
    "_pickle _posixsubprocess _thread _winreg asyncio atexit bdb builtins cPickle cProfile code codeop commands ctypes "
    "dill doctest ensurepip faulthandler fcntl ftplib gc imp importlib joblib linecache marshal mmap modulefinder "
    "msvcrt multiprocessing nt ntpath operator os pdb pickle pickletools pip pipes pkg_resources pkgutil popen2 posix "
    "posixpath profile pty pydoc runpy setuptools shelve shutil signal site smtplib socket socketserver subprocess sys "
    "sysconfig telnetlib thread threading timeit tracemalloc tty urllib2 venv webbrowser winreg wsgiref zipapp "
    "zipimport".split()
)
_REFUSED_NAMES = frozenset(
    "eval exec execfile compile getattr setattr delattr system popen spawn open input breakpoint apply reload "
    "runstring run_path run_module load_module loads import_module".split()
)
_DATA_MODULES = frozenset({"datetime", "collections", "copyreg", "copy_reg", "decimal", "fractions", "uuid"})
_DATA_PREFIXES = ("android_world.env.", "pathlib", "zoneinfo", "browsergym.", "agentlab.")
_DATA = frozenset({("_codecs", "encode"), ("types", "SimpleNamespace")})
_ARRAYS = frozenset({"numpy", "numpy.core.multiarray", "numpy._core.multiarray", "numpy.core.numeric"}) | {
    "numpy._core.numeric"
}
_ARRAY_NAMES = frozenset(
    "ndarray dtype _reconstruct scalar _frombuffer bool bool_ float16 float32 float64 int8 int16 int32 int64 uint8 "
    "uint16 uint32 uint64 str_ bytes_".split()
)


def standing_of(one: Global) -> Standing:
    """Return what a name is taken for."""
    top = one.module.partition(".")[0]
    first = one.name.partition(".")[0]
    if top in _BUILTINS:
        return Standing.DATA if one.name in _BUILTIN_DATA else Standing.REFUSED
    if top in _REFUSED_MODULES or first in _REFUSED_NAMES or _is_hidden(one):
        return Standing.REFUSED
    if one.module in _ARRAYS:
        return Standing.DATA if one.name in _ARRAY_NAMES else Standing.UNKNOWN
    if (one.module, one.name) in _DATA or one.module in _DATA_MODULES or one.module.startswith(_DATA_PREFIXES):
        return Standing.DATA
    return Standing.UNKNOWN


def _is_hidden(one: Global) -> bool:
    """Tell a name that reaches into an object (``__reduce__``, ``__class__.__mro__``) from that of a class."""
    if one.module in ("copyreg", "copy_reg"):
        return False
    return any(part.startswith("__") for part in one.name.split("."))

"""Reading pickles out of untrusted logs, with nothing in them ever imported, called or changed.

A pickle is a program. This package runs it on a small machine of its own that knows no Python class: every class or
function that a pickle names is a :class:`~tracewitness.intake.pickles.values.Global`, every object a
:class:`~tracewitness.intake.pickles.values.Stub`, every array its shape and bytes.
"""

from tracewitness.intake.pickles.reading import Pickled, arrays_of, read_pickle
from tracewitness.intake.pickles.values import Array, Blob, Global, Stub

__all__ = ["Array", "Blob", "Global", "Pickled", "Stub", "arrays_of", "read_pickle"]

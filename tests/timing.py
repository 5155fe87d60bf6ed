"""Time that a piece of work takes, as far as it is its own."""

import gc
import time
from collections.abc import Callable


def processor_seconds(work: Callable[[], object]) -> float:
    """Return the processor time of a piece of work.

    Other processes make no difference. Neither does what other tests left behind: going through it for garbage would
    count, and takes the longer the more there is.
    """
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        work()
        return time.process_time() - started
    finally:
        gc.enable()

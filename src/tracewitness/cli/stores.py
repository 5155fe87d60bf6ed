"""Opening a store for a verb."""

from collections.abc import Generator
from contextlib import contextmanager

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop
from tracewitness.store.errors import StoreAddressError, StoreError
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import Store, open_store
from tracewitness.wiring.settings import settings


@contextmanager
def opened_store(address: str | None, *, create: bool = False) -> Generator[Store]:
    """Open the store of an option, or of the settings, and turn its errors into one line and an exit code.

    Raises:
        Stop: Wrong usage for an address that names no store; unusable input for one that cannot be read or written, or
            is broken, and for what is missing in it.
    """
    try:
        with open_store(address or settings().store, create=create) as store:
            yield store
    except StoreError as error:
        raise Stop(str(error), _code(error)) from error


def _code(error: StoreError) -> ExitCode:
    return ExitCode.USAGE if isinstance(error, StoreAddressError) else ExitCode.NOTHING_AUDITED


def stored_record(key: str, address: str | None) -> AuditRecord:
    """Return the latest record of a run id, or the record of an id or its beginning.

    Raises:
        Stop: There is none, or more than one.
    """
    with opened_store(address) as store:
        return store.get(key)

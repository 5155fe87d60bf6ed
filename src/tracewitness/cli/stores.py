"""Opening a store for a verb."""

from collections.abc import Generator
from contextlib import contextmanager

from tracewitness.cli.exits import ExitCode
from tracewitness.cli.guard import Stop
from tracewitness.store.errors import (
    AmbiguousRecordError,
    NewerStoreError,
    NotAStoreError,
    RecordError,
    RecordNotFoundError,
    StoreAddressError,
    StoreDamagedError,
    StoreError,
    StoreMissingError,
    TransferError,
)
from tracewitness.store.record import AuditRecord
from tracewitness.store.store import Store, open_store
from tracewitness.wiring.settings import settings

_UNUSABLE = (
    AmbiguousRecordError,
    NewerStoreError,
    NotAStoreError,
    RecordError,
    RecordNotFoundError,
    StoreDamagedError,
    StoreMissingError,
    TransferError,
)


@contextmanager
def opened_store(address: str | None, *, create: bool = False) -> Generator[Store]:
    """Open the store of an option, or of the settings, and turn its errors into one line and an exit code.

    Raises:
        Stop: Wrong usage for an address that names no store; unusable input for a broken one and for what is missing
            in it; an infrastructure failure for the rest.
    """
    try:
        with open_store(address or settings().store, create=create) as store:
            yield store
    except StoreError as error:
        raise Stop(str(error), _code(error)) from error


def _code(error: StoreError) -> ExitCode:
    if isinstance(error, StoreAddressError):
        return ExitCode.USAGE
    return ExitCode.NOTHING_AUDITED if isinstance(error, _UNUSABLE) else ExitCode.INTERNAL


def stored_record(key: str, address: str | None) -> AuditRecord:
    """Return the latest record of a run id, or the record of an id or its beginning.

    Raises:
        Stop: There is none, or more than one.
    """
    with opened_store(address) as store:
        return store.get(key)

"""What can go wrong with a store, one clear line each.

StoreError
├── StoreAddressError       the path or URL names no store that can be opened
│   └── MissingDriverError  the database driver is not installed (the line says how to install it)
├── StoreMissingError       there is no store at that place
├── NotAStoreError          something else is there
├── NewerStoreError         a newer tracewitness wrote it
├── StoreLockedError        another process holds it for too long
├── StoreUnreadableError    the database cannot be read or written
│   └── StoreDamagedError   the file is damaged, or no database at all
├── RecordError             a record that is to be stored is not whole
├── RecordNotFoundError     no record has that run id or record id
├── AmbiguousRecordError    several records begin with that record id
└── TransferError           a JSON Lines file is not a whole, untouched export
"""


class StoreError(Exception):
    """Base of all; its text is one line fit to be shown to a person."""


class StoreAddressError(StoreError):
    """The path or URL names no store that can be opened."""


class MissingDriverError(StoreAddressError):
    """The database driver is not installed."""


class StoreMissingError(StoreError):
    """There is no store at that place."""


class NotAStoreError(StoreError):
    """Something else than a tracewitness store is there."""


class NewerStoreError(StoreError):
    """A newer tracewitness wrote the store."""


class StoreLockedError(StoreError):
    """Another process holds the store for too long."""


class StoreUnreadableError(StoreError):
    """The database cannot be read or written."""


class StoreDamagedError(StoreUnreadableError):
    """The file is damaged, or no database at all."""


class RecordError(StoreError):
    """A record that is to be stored is not whole, or one that was read does not hold together."""


class RecordNotFoundError(StoreError):
    """No record has that run id or record id."""


class AmbiguousRecordError(StoreError):
    """Several records begin with that record id."""


class TransferError(StoreError):
    """A JSON Lines file is not a whole, untouched export; the text names the line."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line

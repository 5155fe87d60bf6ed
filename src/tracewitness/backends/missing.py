"""The error of a missing optional package."""

from collections.abc import Generator
from contextlib import contextmanager

from tracewitness.backends.errors import ModelError


class MissingPackageError(ModelError):
    """A package that a model needs is not installed; the message holds the line that installs it."""

    def __init__(self, package: str | None, extra: str = "models") -> None:
        what = f"the package {package}" if package else "a package"
        super().__init__(f"{what} is missing: pip install 'tracewitness[{extra}]'")


@contextmanager
def needs_packages(extra: str = "models") -> Generator[None]:
    """Turn a failed import within the block into the error that tells how to install what is missing.

    Args:
        extra: The extra of this package that brings it.

    Raises:
        MissingPackageError: An import in the block failed.
    """
    try:
        yield
    except ImportError as error:
        # The client library words its own errors, without the name, around the one that holds it.
        cause = error.__cause__
        name = cause.name if isinstance(cause, ImportError) and cause.name else error.name
        raise MissingPackageError(name.partition(".")[0] if name else None, extra) from error

"""Paths that stand in a log: always inside the run's folder, or refused."""

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tracewitness.intake.errors import IntakeError, LfsPointerError, UnreadableError, UnsafePathError
from tracewitness.intake.limits import Limits
from tracewitness.intake.reading_files import decode, open_plain, read_bytes, refuse_lfs
from tracewitness.trace_side.trace import Screenshot
from tracewitness.values.digests import Digest

_DRIVE = re.compile(r"^[A-Za-z]:")
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of a run, and the only way to open a file that a log names."""

    root: Path
    limits: Limits

    def locate(self, name: str) -> Path:
        """Return the path of a relative name inside the folder; it need not exist.

        Raises:
            UnsafePathError: The name is absolute, climbs with ``..``, or leads out of the folder through a link.
        """
        parts = PurePosixPath(name.replace("\\", "/"))
        if parts.is_absolute() or _DRIVE.match(name) or "\0" in name:
            raise UnsafePathError(f"{name[:200]!r} is not a relative path", _REMEDY)
        if ".." in parts.parts:
            raise UnsafePathError(f"{name[:200]!r} climbs out of the run's folder", _REMEDY)
        path = self.root / parts
        try:
            if self._meets_link(parts) and not path.resolve().is_relative_to(self.root.resolve()):
                raise UnsafePathError(f"{name[:200]!r} is a link out of the run's folder", _REMEDY)
        except (OSError, RuntimeError) as error:
            raise UnsafePathError(f"{name[:200]!r} cannot be followed", _REMEDY) from error
        return path

    def _meets_link(self, parts: PurePosixPath) -> bool:
        """Tell whether any part of a path below the root is a link; only then can it lead out of the folder."""
        path = str(self.root)
        for part in parts.parts:
            path = os.path.join(path, part)
            try:
                if stat.S_ISLNK(os.lstat(path).st_mode):
                    return True
            except (FileNotFoundError, NotADirectoryError):
                return False
        return False

    def screenshot(self, name: str) -> Screenshot:
        """Return a screenshot by name with the digest of its bytes.

        The digest is None where the file is missing, empty, a Git LFS pointer, or too large.

        Raises:
            UnsafePathError: See :meth:`locate`.
        """
        try:
            return Screenshot(name, self._digest(self.locate(name)))
        except (UnreadableError, LfsPointerError):
            return Screenshot(name)

    def _digest(self, path: Path) -> Digest | None:
        hasher, read = hashlib.sha256(), 0
        with open_plain(path) as stream:
            while chunk := stream.read(_CHUNK):
                if read == 0:
                    refuse_lfs(chunk, path)
                read += len(chunk)
                if read > self.limits.screenshot:
                    return None
                hasher.update(chunk)
        return Digest("sha256:" + hasher.hexdigest()) if read else None

    def text(self, name: str) -> str | None:
        """Return the text of a file in the folder; None where it is missing, empty, binary or too large.

        Raises:
            UnsafePathError: See :meth:`locate`.
        """
        path = self.locate(name)
        try:
            return decode(read_bytes(path, self.limits.dump), path).text
        except IntakeError:
            return None


def is_there(path: Path) -> bool:
    """Tell whether a plain file is there; what the system cannot even look at (a name too long, say) is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def leads_out(path: Path, root: Path) -> bool:
    """Tell whether a path leads out of a folder through links, or in a circle."""
    try:
        return not path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return True


_REMEDY = "name a file inside the run's folder"

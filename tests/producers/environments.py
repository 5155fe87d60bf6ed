"""Python environments of agent frameworks, whose packages are not this project's: made once, kept in a cache folder."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

_INSTALL_SECONDS = 600


def cache_folder() -> Path:
    """Return the folder that such environments are kept in from run to run."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "tracewitness-tests"


def python_with(requirement: str) -> Path:
    """Return a Python that has a package; the test is skipped where it cannot be installed.

    Args:
        requirement: The package with its exact version, ``browser-use==0.13.14``.
    """
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    home = folder / requirement.replace("==", "-")
    ready = home / "ready"
    with (folder / f"{home.name}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests in other processes wait for the one that installs
        if not ready.exists():
            problem = _install(home, requirement)
            if problem:
                shutil.rmtree(home, ignore_errors=True)
                pytest.skip(f"{requirement} cannot be installed: {problem}")
            ready.touch()
    return home / "bin" / "python"


def _install(home: Path, requirement: str) -> str:
    python = home / "bin" / "python"
    commands = (
        [sys.executable, "-m", "venv", "--clear", str(home)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement],
    )
    for command in commands:
        try:
            done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=_INSTALL_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return type(error).__name__
        if done.returncode:
            return (done.stderr.strip().splitlines() or ["pip failed"])[-1][:200]
    return ""


def chromium() -> str:
    """Return the Chromium of the system; the test is skipped where there is none."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    return found or pytest.skip("no chromium on this machine")


def offline(changes: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which a program reaches this machine alone."""
    nowhere = "http://127.0.0.1:9"
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"), nowhere)
    local = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, **proxies, **local, **changes}

"""Fixtures that the tests of several folders share."""

from collections.abc import Generator
from pathlib import Path

import pytest

from models import tiny_model
from real_server import RealServer


@pytest.fixture(scope="session")
def tiny_model_file() -> Path:
    """Return the file of a tiny model; skips where it cannot be had."""
    return tiny_model()


@pytest.fixture(scope="session")
def real_server(tiny_model_file: Path) -> Generator[RealServer]:
    """Return a running server of the tiny model."""
    pytest.importorskip("xllamacpp")
    server = RealServer(tiny_model_file)
    try:
        yield server.start()
    finally:
        server.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that need a real model in one process: it is loaded once, and two would fight for the cores."""
    for item in items:
        if {"real_server", "tiny_model_file"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.weights)
            item.add_marker(pytest.mark.xdist_group("weights"))

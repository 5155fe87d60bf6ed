"""What the lab's tests share: one browser and one site."""

from collections.abc import Iterator

import pytest

from lab.stage import Stage


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    one = Stage()
    one.open()
    yield one
    one.close()

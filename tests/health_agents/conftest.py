"""One warm sandbox for all tests of the library's programs."""

from collections.abc import Iterator

import pytest

from health_agents.sandbox import Sandbox, open_sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with open_sandbox() as started:
        yield started

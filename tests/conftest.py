"""Settings of the whole suite: patient hypothesis, and as few compilations as possible."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from kibitz.core.jit import PLAIN

settings.register_profile("kibitz", deadline=None, print_blob=True)
settings.load_profile("kibitz")

GAME = re.compile(r"coinche|skat|cego|cheat|leduc|kuhn|hearts|euchre|belote")


@pytest.fixture(scope="session", autouse=True)
def _played_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Games that tests play at the terminal are not kept among those of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that name the same game go to one process (--dist loadgroup), and what must be compiled anew is slow."""
    for item in items:
        found = GAME.search(item.nodeid)
        if found:
            item.add_marker(pytest.mark.xdist_group(found.group()))
        if item.get_closest_marker("resized") and not PLAIN:
            item.add_marker(pytest.mark.slow)


if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as for jobs in the background; what the tests start must heed Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

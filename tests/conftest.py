"""Settings of the whole suite: patient hypothesis, and as few compilations as possible."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from kibitz.core.jit import PLAIN

settings.register_profile("kibitz", deadline=None, print_blob=True)
settings.load_profile("kibitz")

GROUP = re.compile(r"test_cluster|coinche|skat|cego|cheat|leduc|kuhn|hearts|euchre|belote")


REPEATS = (
    "keeps_the_contract[belote-4]", "keeps_the_contract[cheat-4]", "keeps_the_contract[euchre-4]",
    "change_nothing_but_times[small.course]", "defenders_are_uniform[standard]",
    "agree_with_brute_force[euchre-TRICKS]", "agree_with_brute_force[belote-POINTS]",
    "soloist_and_defence_add_up[four]", "to_its_end_by_clicks[belote]",
    "to_its_end_by_clicks[euchre]", "to_its_end_by_clicks[cego-standard]", "fewer_nodes_in_leduc[rbp]",
    "test_plays_whole_games[cego-standard-options5]",
)  # fmt: skip
"""Tests whose like is in `make test` with other games, and that compile for long: they are slow when compiled."""


@pytest.fixture(scope="session", autouse=True)
def _played_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Games that tests play at the terminal are not kept among those of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


class ByGame(LoadScopeScheduling):
    """Tests that name the same game go to one process, which compiles it for all of them; so do those of clusters."""

    def _split_scope(self, nodeid: str) -> str:
        found = GROUP.search(nodeid)
        return found.group() if found else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByGame:
    """Groups by marks (--dist loadgroup) do nothing in pytest 9.2 with xdist 3.8, where names of tests stay as they
    are."""
    return ByGame(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What must be compiled anew is slow."""
    for item in items:
        is_adapted = item.nodeid.startswith("tests/adapters") and item.nodeid.endswith("cego-solo]")  # Coinche is, too
        is_repeat = is_adapted or item.nodeid.endswith(REPEATS)
        if not PLAIN and (item.get_closest_marker("resized") or is_repeat):
            item.add_marker(pytest.mark.slow)


if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as for jobs in the background; what the tests start must heed Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

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

GROUP = re.compile(r"test_cluster|tests/web/\w+|coinche|skat|cego|cheat|leduc|kuhn|hearts|euchre|belote")

COMPILED = re.compile(
    r"agreement|openspiel|every_game_holds\[coinche-options0|test_contract\[2-on-standard"
    r"|tiny_game|cheat-party|cheat-whole|notices_a_redeal.*cego-solo|collaborative_kuhn.*(sum_to_zero|perfect_oracle)"
)
"""Tests of games that run compiled; the others run in plain Python alone, and compiled in `make test-slow`. The second
line is what takes too long in plain Python (QUICK_IN_PYTHON in the Makefile)."""

REPEATS = (
    *(("tests/core/test_conformance.py", f"test_variants_keep_the_contract[{name}") for name in ("cego", "collab")),
    ("tests/core/test_jit.py", "came_with_its_caller"), ("tests/core/test_jit.py", "writes_a_slice"),
    ("tests/learn/test_run.py", "test_a_kill_between_the_last_checkpoint"),
    ("tests/learn/test_run.py", "test_a_kill_in_the_first_checkpoint"),
    ("tests/core/test_jit.py", "test_two_pieces_of_one_name"), ("tests/search/test_solver.py", "led_once_they_are[1]"),
    ("tests/learn/test_ppo_sb3.py", "test_a_recurrent_policy"), ("tests/tabular/test_mccfr.py", "of_kuhn[chance]"),
    ("tests/core/test_conformance.py", "test_variants_keep_the_contract[cheat"),
    *(("tests/arena/test_match.py", f"every_deal[{name}") for name in ("kuhn-options1", "leduc-options3")),
    ("tests/web/test_hidden.py", "anew[hearts"),
    ("tests/web/test_browser.py", "by_clicks[collaborative-kuhn"),
    ("tests/web/test_hidden.py", "anew[cego-standard"), ("tests/web/test_hidden.py", "anew[collaborative-kuhn"),
    ("tests/core", "[belote"), ("tests/core", "[euchre"), ("tests/core", "[hearts"), ("tests/core", "[cheat-tiny"),
    *(
        ("tests/core/test_conformance.py", f"test_preset_keeps_the_contract[{name}")
        for name in ("cheat", "cego", "skat", "coinche", "collaborative-kuhn")
    ),  # with other options there, and all of them in plain Python
    ("tests/search/test_solver.py", "belote"), ("tests/search/test_solver.py", "euchre"),
    ("tests/search/test_solver.py", "test_another_process"),
    ("tests/search/test_solver.py", "test_games_with_three_and_four_players"),
    ("tests/core/test_golden.py", "test_games_with_other_options"),
    ("tests/cli/test_play.py", "cards_of_tricks_are[de"),
    ("tests/games/tricks", "[belote"),
    ("tests/search", "defenders_are_uniform[standard]"),
    ("tests/arena", "soloist_and_defence_add_up[four]"),
    ("tests/core/test_readable.py", "["), ("tests/core/test_conformance.py", "test_other_sizes"),
    ("tests/bots/test_own.py", "in_two_processes"), ("tests/cli/test_other_games.py", "installed_game_plays"),
    ("tests/tabular", "comes_near_in_leduc"), ("tests/tabular", "in_any_slices[outcome]"),
    ("tests/search/test_solver.py", "led_once_they_are[2]"), ("tests/search/test_solver.py", "led_once_they_are[3]"),
    ("tests/papers", "killed_ends_the_same[NFSP]"),
    ("tests/papers", "change_nothing_but_times[small.course]"),
    ("tests/tabular", "fewer_nodes_in_leduc[rbp]"), ("tests/tabular", "same_table_in_any_slices[trajectory]"),
    ("tests/search", "test_plays_whole_games[cego-standard-options5]"),
    ("tests/learn", "same_weights[nfsp]"), ("tests/learn", "same_weights[off]"),
    ("tests/cli/test_check.py", "lies_are_both_pointed_at[redeal]"),
    ("tests/cli/test_check.py", "test_a_crash_ends_with_exit_code_1"),
    ("tests/web", "[belote]"), ("tests/web", "[euchre]"),
    *(("tests/web", f"to_its_end_by_clicks[{name}]") for name in ("hearts", "skat", "cego-standard")),
)  # fmt: skip
"""Folders and names of tests whose like is in `make test` with other games or in plain Python, and that compile for
long: they are slow when compiled."""


@pytest.fixture(scope="session", autouse=True)
def _played_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Games that tests play at the terminal are not kept among those of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


class ByGame(LoadScopeScheduling):
    """Tests that name the same game go to one process, which compiles it for all of them; so do those of clusters, of
    which there is one at a time, and others by their file, as do those of the browser, which start a server for it."""

    def _split_scope(self, nodeid: str) -> str:
        found = GROUP.search(nodeid)
        return found.group() if found else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByGame:
    """Groups by marks (--dist loadgroup) do nothing in pytest 9.2 with xdist 3.8, where names of tests stay as they
    are."""
    return ByGame(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What must be compiled anew is slow."""
    for item in items:
        is_repeat = any(item.nodeid.startswith(folder) and name in item.nodeid for folder, name in REPEATS)
        is_repeat |= item.nodeid.startswith("tests/adapters") and "kuhn" not in item.nodeid  # all in plain Python
        is_repeat |= item.nodeid.startswith("tests/games") and not COMPILED.search(item.nodeid)
        if not PLAIN and (item.get_closest_marker("resized") or is_repeat):
            item.add_marker(pytest.mark.slow)


if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # as for jobs in the background; what the tests start must heed Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

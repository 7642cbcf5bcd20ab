"""A tournament gives the same bytes on any number of processes and after any number of kills."""

import json
import random
import subprocess
import sys
import time

import numpy as np
import pytest

from kibitz.arena.executor import Processes
from kibitz.arena.match import match
from kibitz.arena.seatings import form_of
from kibitz.arena.shards import Shard
from kibitz.arena.statistics import holm
from kibitz.arena.tournament import tournament
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from tests.arena.long_tournament import play
from tests.arena.players import Clumsy, Lowest

BOTS = ["kuhn-rule", "random", "kuhn-rule:bluff=1"]


@pytest.fixture(scope="module")
def robin():
    return tournament(make("kuhn"), BOTS, 500, 3)


def test_every_pair_plays_the_match_it_would_play_alone(robin):
    assert [pair.bots for pair in robin.pairs] == [[BOTS[0], BOTS[1]], [BOTS[0], BOTS[2]], [BOTS[1], BOTS[2]]]
    alone = match(make("kuhn"), BOTS[:2], 500, 3)
    assert np.array_equal(robin.pairs[0].sheet.difference, alone.sheet.difference)


def test_the_matrix_is_antisymmetric_and_empty_on_the_diagonal(robin):
    mean, error = robin.matrix()
    assert np.isnan(np.diag(mean)).all() and np.allclose(np.nan_to_num(mean), -np.nan_to_num(mean.T))
    assert np.allclose(np.nan_to_num(error), np.nan_to_num(error.T))


def test_the_ranking_is_by_mean_lead(robin):
    leads = [rank.lead.mean for rank in robin.ranking]
    assert leads == sorted(leads, reverse=True) and robin.ranking[-1].bot == "random"
    mean, _ = robin.matrix()
    for rank in robin.ranking:
        assert rank.lead.mean == pytest.approx(np.nanmean(mean[robin.bots.index(rank.bot)]))
    assert sum(rank.rating.elo for rank in robin.ranking) == pytest.approx(0, abs=1e-6)


def test_p_values_are_corrected_for_their_number(robin):
    assert robin.holm == pytest.approx(list(holm([pair.difference.p for pair in robin.pairs])))


def test_roles_are_added_up_over_matches(robin):
    roles = {(role.bot, role.role): role for role in robin.roles()}
    mine = [role for pair in robin.pairs for role in pair.roles if (role.bot, role.role) == ("random", "seat 1")]
    assert roles["random", "seat 1"].wins.games == sum(role.wins.games for role in mine) == 1000
    assert roles["random", "seat 1"].score.mean == pytest.approx(np.mean([role.score.mean for role in mine]))


def test_all_against_one():
    found = tournament(make("kuhn"), BOTS, 100, 3, against="random")
    assert [pair.bots for pair in found.pairs] == [[BOTS[0], "random"], [BOTS[2], "random"]]
    assert found.as_json()["against"] == "random" and np.isnan(found.matrix()[0][0, 1])


def test_the_file_is_the_same_on_one_and_two_processes(tmp_path):
    for name, options in {
        "one": {},
        "two": {"executor": Processes(2), "shards": tmp_path / "shards", "shard": 50},
    }.items():
        tournament(make("kuhn"), BOTS, 300, 8, **options).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_finished_shards_are_not_played_again(tmp_path):
    folder = tmp_path / "shards"
    bots = [Lowest(), Clumsy("raises")]
    first = tournament(make("leduc"), bots, 40, 1, shards=folder, shard=10)
    stamps = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert len(stamps) == 4
    again = tournament(make("leduc"), bots, 40, 1, shards=folder, shard=10)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == stamps
    assert again.as_json() == first.as_json() and again.spoiled
    tournament(make("leduc"), bots, 40, 2, shards=folder, shard=10)
    assert len(list(folder.iterdir())) == 8  # another seed is another piece of work


def test_a_model_that_was_trained_again_is_another_player(tmp_path):
    whole = Shard(make("leduc"), (("net:" + str(tmp_path),), ("random",)), form_of(make("leduc")), 1, 0, 4)
    (tmp_path / "card.json").write_text('{"sha256": "1"}')
    before = whole.key
    (tmp_path / "card.json").write_text('{"sha256": "2"}')
    assert whole.key != before


def test_records_of_all_pairs_are_kept_with_the_shards(tmp_path):
    for name in ("one", "two"):
        tournament(make("kuhn"), BOTS, 20, 1, shards=tmp_path / "shards", records=tmp_path / name, shard=6)
    lines = (tmp_path / "two").read_text().splitlines()
    assert len(lines) == 3 * 20 * 2 and (tmp_path / "one").read_text().splitlines() == lines
    assert json.loads(lines[-1])["number"] == 19


def _killed(path, processes, kills):
    luck = random.Random(processes)
    command = [sys.executable, "-m", "tests.arena.long_tournament", str(path), str(processes)]
    for _ in range(kills):
        child = subprocess.Popen(command)
        try:
            child.wait(luck.uniform(0.3, 4.0))
        except subprocess.TimeoutExpired:
            child.kill()
        child.wait()
    subprocess.run(command, check=True)


@pytest.mark.parametrize(
    "processes, kills",
    [(2, 2), pytest.param(1, 20, marks=pytest.mark.slow), pytest.param(2, 20, marks=pytest.mark.slow)],
)
def test_a_killed_tournament_ends_in_the_same_bytes(tmp_path, processes, kills):
    play(tmp_path / "whole.json", 1, seconds=0.0)
    _killed(tmp_path / "killed.json", processes, kills)
    assert (tmp_path / "killed.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_workers_leave_when_their_parent_is_killed(tmp_path):
    command = [sys.executable, "-m", "tests.arena.long_tournament", str(tmp_path / "result.json"), "2"]
    parent = subprocess.Popen(command)
    folder = tmp_path / "result.shards"
    deadline = time.monotonic() + 120
    while not (folder.exists() and any(folder.glob("*.npz"))) and time.monotonic() < deadline and parent.poll() is None:
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    time.sleep(2.0)
    left = len(list(folder.iterdir()))
    time.sleep(2.0)
    assert len(list(folder.iterdir())) == left < 72


@pytest.mark.parametrize(
    "bots, against, sentence",
    [
        (["random", "random"], None, "takes part twice"),
        (["random"], None, "at least two"),
        (["random"], "random", "at least two"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused(bots, against, sentence):
    with pytest.raises(BadInput, match=sentence):
        tournament(make("kuhn"), bots, 10, against=against)

"""Networks that play the cards of Skat: what they see, where they sit, what they learn, and whole games."""

from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.batch import Batch
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import ALL, GRAND, NULL
from kibitz.learn.model import Card
from kibitz.learn.run import News, Plan, configured, make_learner, train
from kibitz.learn.seats import Seating
from kibitz.learn.senses import sense
from kibitz.learn.senses.rows import look
from kibitz.learn.skat.cards import Cards, worth_to_declarer
from kibitz.learn.skat.player import SkatPlayer
from kibitz.learn.skat.sense import SLICES
from kibitz.search.skat.call_learning import rule_actions, step_rows

pytestmark = pytest.mark.slow
GAME = make("skat")
SENSE = sense(GAME, "cards")


def plan() -> Plan:
    config = configured("cards", "default", {"games": "24", "repeats": "4", "batch": "64", "layers": "16"})
    seating = Seating((0, 1, 2), "seat", ("skat-rule",), 0.2)
    return Plan(GAME, "cards", config, seating, 5, frames=1500, evaluation_games=4, checkpoint_every=0.0)


def run(out: Path, stop: int = 0) -> Card:
    def watch(news: News) -> None:
        if stop and news.frames >= stop and not news.doing:
            raise RuntimeError("killed")

    return train(plan(), out, make_bot, watch)


def learner() -> Cards:
    made = make_learner(plan(), {name: make_bot(GAME, name) for name in ("random", "skat-rule")})[1]
    assert isinstance(made, Cards)
    return made


@pytest.fixture(scope="module")
def tables() -> Batch:
    return learner().selfplay.open(7, 0)


def test_contracts_are_played_with_the_true_cards_and_with_other_cards_of_the_defenders(tables: Batch) -> None:
    states = tables.state[tables.state[:, at.PHASE] == at.PLAYING]
    hands = states[:, at.HAND : at.HAND + 3]
    assert len(states) > 12
    assert (hands.sum(axis=1) + states[:, at.ASIDE] == ALL).all()
    assert all(int(hand).bit_count() == 10 for hand in hands.flat)
    contracts = {tuple(s[[at.DECLARER, at.DECLARED, at.ASIDE]]) for s in states}
    assert len(contracts) <= 6 and len({tuple(hand) for hand in hands}) > len(contracts)


@pytest.mark.parametrize("cards", [0, 1, 8, 17, 26])
def test_a_view_shows_as_much_as_the_state(tables: Batch, cards: int) -> None:
    states = tables.state.copy()
    rows = np.arange(len(states))
    for _ in range(cards + 1):
        rows = rows[states[rows, at.PHASE] == at.PLAYING]
        seats, shown, masks = states[rows, at.TURN], np.zeros((len(rows), GAME.SIZE), np.int64), tables.mask[rows]
        for k, row in enumerate(rows):
            GAME.view(states[row], int(seats[k]), shown[k])
            GAME.legal(states[row], masks[k])
        whole = look(SENSE, states[rows], masks, tables.rng[rows], np.arange(len(rows)), seats)
        blind = look(SENSE, shown, masks, tables.rng[rows], np.arange(len(rows)), seats)
        before = states[rows].copy()
        step_rows(GAME, states, rows, rule_actions(GAME, states[rows]))
    assert (whole.observation == blind.observation).all()
    assert (np.sort(whole.real, axis=1) == np.arange(GAME.ACTIONS)).all()
    for k, s in enumerate(before):
        first = 32 * max(0, s[at.CONTRACT] - GRAND + 1)
        hand = whole.observation[k, SLICES["hand"]]
        assert (np.flatnonzero(whole.allowed[k]) // 32 == first // 32).all()
        assert sorted(whole.real[k, first : first + 32][hand > 0]) == [
            c for c in range(32) if s[at.HAND + seats[k]] >> c & 1
        ]
        assert whole.observation[k, SLICES["position"]].argmax() == s[at.COUNT]


def test_a_win_counts_and_points_beside_it() -> None:
    states = np.zeros((3, GAME.SIZE), np.int64)
    states[:, at.SUCCESS], states[:, at.TOTAL] = (1, 0, 1), (90, 30, 0)
    states[2, at.CONTRACT] = NULL
    assert worth_to_declarer(states, 0.4) == pytest.approx([1.2, -1.2, 1.0])


def test_the_declarer_and_the_defenders_have_networks_of_their_own() -> None:
    one = learner()
    played = one._judged(one.selfplay.play(one._seated(0.0), 3))
    states = one.selfplay.tables.state
    for slot, frames in played.frames.items():
        assert ((frames.seat - states[frames.row, at.DECLARER]) % 3 == slot).all()
        assert (np.sign(frames.returns) == np.where((states[frames.row, at.SUCCESS] > 0) == (slot == 0), 1, -1)).all()


def test_a_killed_run_ends_with_the_same_weights_and_plays_whole_games(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    with pytest.raises(RuntimeError, match="killed"):
        run(tmp_path / "parts", 700)
    assert run(tmp_path / "parts").sha256 == whole.sha256 and list(whole.seats) == [0, 1, 2]
    for game in (GAME, make("skat-ramsch")):
        bot = make_bot(game, f"net:{tmp_path / 'whole'}")
        assert isinstance(bot, SkatPlayer)
        returns = np.concatenate([chunk.returns for chunk in play(game, [bot, make_bot(game, "skat-rule"), bot], 6, 7)])
        assert len(returns) == 6 and np.abs(returns.sum(axis=1)).max() < 1e-6


def test_it_learns_no_other_game(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cards learns Skat and not leduc"):
        train(Plan(make("leduc"), "cards", configured("cards"), frames=1), tmp_path, make_bot)

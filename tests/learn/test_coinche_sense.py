"""Coinche's compact observation shows nothing that a view does not, and reads the table right."""

import numpy as np
import pytest

from kibitz.core.batch import Batch
from kibitz.core.game import make
from kibitz.games.coinche.layout import COUNT, HAND, PHASE, PLAYING
from kibitz.learn.coinche import sense as coinche
from kibitz.learn.senses import sense


def played(moves: int, n: int = 60) -> Batch:
    batch = Batch(make("coinche"), n, seed=5)
    luck = np.random.default_rng(moves)
    for _ in range(moves):
        wishes = np.where(batch.mask, luck.random(batch.mask.shape), -1.0)
        wishes[:, 5:43] -= 0.5 * batch.mask[:, 5:43]  # low bids and passes, so that most deals are played
        batch.step(wishes.argmax(axis=1))
    return batch


@pytest.mark.parametrize("moves", [0, 3, 9, 17, 30])
def test_a_view_shows_as_much_as_the_state(moves: int) -> None:
    batch = played(moves)
    game = batch.game
    for s, seat in zip(batch.state, batch.turn, strict=True):
        blanked = np.zeros(game.SIZE, np.int64)
        game.view(s, int(seat), blanked)
        seen, blind = (np.zeros(coinche.SENSES, np.float32) for _ in range(2))
        coinche.observe(s, int(seat), seen)
        coinche.observe(blanked, int(seat), blind)
        assert np.array_equal(seen, blind)
        hand, unseen = (seen[coinche.SLICES[name]] for name in ("hand", "unseen"))
        assert hand.sum() == int(s[HAND + seat]).bit_count() and not (hand * unseen).any()
        hidden = sum(int(s[HAND + other]).bit_count() for other in range(4) if other != seat)
        assert unseen.sum() == hidden
        assert seen[coinche.SLICES["play"]] == (s[PHASE] == PLAYING)
        if s[PHASE] == PLAYING:
            assert seen[coinche.SLICES["position"]].argmax() == s[COUNT]
            assert (seen[coinche.SLICES["beats"]] <= hand).all() and (seen[coinche.SLICES["masters"]] <= hand).all()


def test_the_plain_game_is_seen_compactly_and_variants_by_their_own_observation() -> None:
    assert sense(make("coinche")).kind == "compact" and sense(make("coinche-paper")).kind == "compact"
    assert sense(make("coinche", reward="good"), "paper").size == 140
    assert sense(make("coinche", tricks=2)).kind == "default"

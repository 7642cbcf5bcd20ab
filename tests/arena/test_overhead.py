"""A match costs little more than the bare games."""

import time

import pytest

from kibitz.arena.match import match
from kibitz.arena.play import play, warm
from kibitz.bots import make_bot
from kibitz.core.game import make
from kibitz.core.jit import PLAIN


@pytest.mark.slow
@pytest.mark.skipif(PLAIN, reason="speed is a matter of compiled code")
@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_match_of_random_bots_is_at_most_a_fifth_slower_than_bare_play(name):
    game = make(name)
    seats = [make_bot(game, "random")] * game.PLAYERS
    warm(game, seats)
    bare, arena = [], []
    for _ in range(8):
        found = match(game, ["random", "random"], 100_000)
        start = time.perf_counter()
        for _ in play(game, seats, found.games):
            pass
        bare.append(time.perf_counter() - start)
        arena.append(found.seconds)
    assert min(arena) < 1.2 * min(bare)

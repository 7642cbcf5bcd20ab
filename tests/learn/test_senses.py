"""What learners see: suits in a canonical order, nothing that a view does not show, points already won."""

import numpy as np
import pytest

from kibitz.core.batch import Batch
from kibitz.core.errors import BadOption
from kibitz.core.game import Game, make
from kibitz.core.uniform import choose
from kibitz.games.cego.table import BLIND
from kibitz.games.tricks.layout import ASIDE, BEST, COUNT, HAND, LACKS, PLAYED, TABLE
from kibitz.learn.cego_deals import sense as cego
from kibitz.learn.senses import sense
from kibitz.learn.senses.rows import bank, look

CARDS = 54


def positions(game: Game, plies: int, n: int = 40) -> Batch:
    batch = Batch(game, n, seed=5)
    for _ in range(plies):
        batch.step(np.array([choose(s, m, r, np.zeros(0)) for s, m, r in zip(batch.state, batch.mask, batch.rng)]))
    return batch


def renamed(s: np.ndarray, suits: list[int]) -> np.ndarray:
    """The same position with the plain suits called otherwise: suit k becomes suits[k]."""
    card = [8 * suits[c // 8] + c % 8 if c < 32 else c for c in range(CARDS)]
    out = s.copy()
    masks = [*range(HAND, HAND + 4), *range(PLAYED, PLAYED + 4), *range(LACKS, LACKS + 4), ASIDE, BLIND]
    for word in masks:
        out[word] = sum(1 << card[c] for c in range(CARDS) if s[word] >> c & 1)
    for word in (*range(TABLE, TABLE + int(s[COUNT])), *((BEST,) if s[COUNT] else ())):
        out[word] = card[s[word]]
    return out


def seen(s: np.ndarray, seat: int) -> np.ndarray:
    out = np.zeros(cego.SENSES, np.float32)
    cego.observe(s, seat, out)
    return out


@pytest.mark.parametrize("plies", [0, 5, 18, 31])
def test_names_of_suits_do_not_matter(plies: int) -> None:
    batch = positions(make("cego-standard"), plies)
    for s, seat in zip(batch.state, batch.turn):
        other = renamed(s, [2, 0, 3, 1])
        order, order_there = np.zeros(CARDS, np.int64), np.zeros(CARDS, np.int64)
        cego.canonical(s, seat, order)
        cego.canonical(other, seat, order_there)
        if len({int(key) for key in suit_shapes(s, seat)}) == 4:  # suits that look alike may come in any order
            assert (seen(s, seat) == seen(other, seat)).all()
            assert all(order[c] == order_there[8 * [2, 0, 3, 1][c // 8] + c % 8] for c in range(32))
        assert sorted(order) == list(range(CARDS))


def suit_shapes(s: np.ndarray, seat: int) -> list[int]:
    hidden = cego.unseen(s, seat)
    return [int(s[HAND + seat] >> 8 * k & 255) << 8 | int(hidden >> 8 * k & 255) for k in range(4)]


@pytest.mark.parametrize("name", ["cego-standard", "cego-ultimo", "cego-raeuber"])
def test_learners_see_only_what_a_view_shows(name: str) -> None:
    game = make(name)
    batch = positions(game, 17)
    rows = np.flatnonzero(batch.turn >= 0)
    views = batch.views(rows)
    whole = look(sense(game), batch.state, batch.mask, batch.rng.copy(), rows, batch.turn[rows])
    shown = look(sense(game), views.states, views.masks, views.rngs, np.arange(len(rows)), views.seats)
    assert (whole.observation == shown.observation).all()
    assert (whole.real == shown.real).all()


def test_allowed_numbers_stand_for_the_legal_cards() -> None:
    game = make("cego-solo")
    batch = positions(game, 6)
    rows = np.arange(batch.n)
    observed = look(sense(game), batch.state, batch.mask, batch.rng, rows, batch.turn)
    for row in rows:
        meant = observed.real[row][observed.allowed[row]]
        assert sorted(meant) == list(np.flatnonzero(batch.mask[row]))
        hand = observed.observation[row, cego.SLICES["hand"]]
        assert hand[observed.allowed[row]].all()


def test_points_banked_grow_to_the_final_return() -> None:
    game = make("cego-standard")
    batch = Batch(game, 20, seed=2, games=20)
    rows, before = np.arange(20), np.zeros((20, 4), np.float32)
    for _ in range(game.LONGEST):
        batch.step(np.array([choose(s, m, r, np.zeros(0)) for s, m, r in zip(batch.state, batch.mask, batch.rng)]))
        now = np.stack(
            [
                bank(sense(game), batch.last_state if batch.ended.all() else batch.state, rows, np.full(20, k))
                for k in range(4)
            ],
            1,
        )
        assert (now >= before).all()
        before = now
    assert (before == batch.returns).all()


def test_other_observations_are_found_by_name() -> None:
    assert sense(make("cego-standard")).kind == "compact"
    assert sense(make("cego-standard"), "paper").size == 336
    assert sense(make("kuhn")).kind == "default"
    with pytest.raises(BadOption, match="learners can use default, paper, compact"):
        sense(make("cego-standard"), "nothing")

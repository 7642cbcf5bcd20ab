import numpy as np
from scipy import stats

from kibitz.core import rng
from kibitz.core.jit import PLAIN, kernel

DRAWS = 2_000 if PLAIN else 50_000


@kernel
def _counts(root: np.ndarray, n: int, draws: int, out: np.ndarray) -> None:
    keys = np.zeros(rng.keys_for(2), np.int64)
    r = np.zeros(rng.SLOTS, np.int64)
    for g in range(draws):
        rng.begin(keys, root, g)
        rng.turn(r, keys, rng.DEALER, rng.PLAY, 0)
        out[rng.below(r, n)] += 1


def test_draws_across_games_are_uniform():
    for n in (2, 3, 52):
        counts = np.zeros(n, np.int64)
        _counts(rng.root(5), n, DRAWS, counts)
        assert stats.chisquare(counts).pvalue > 1e-4


def test_draws_within_a_move_are_uniform_and_uncorrelated():
    r = rng.fresh(3, 4, 1, 5)
    values = np.array([rng.uniform(r) for _ in range(2000)])
    assert stats.kstest(values, "uniform").pvalue > 1e-4
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.1


def test_luck_is_a_function_of_seed_game_seat_move_and_draw():
    def first(*place):
        return rng.draw(rng.fresh(*place))

    places = [(s, g, w, m) for s in (0, 1, 2) for g in (0, 1, 2) for w in (-1, 0, 1) for m in (0, 1, 2)]
    assert len({first(*place) for place in places}) == len(places)
    assert first(1, 2, 3, 4) == first(1, 2, 3, 4)


def test_every_order_of_a_small_pack_is_equally_likely():
    orders: dict[tuple[int, ...], int] = {}
    for g in range(DRAWS // 4):
        pack = np.arange(4)
        rng.shuffle(rng.fresh(9, g), pack, 4)
        orders[tuple(pack)] = orders.get(tuple(pack), 0) + 1
    assert len(orders) == 24
    assert stats.chisquare(list(orders.values())).pvalue > 1e-4


def test_below_is_fair_where_rounding_would_not_be():
    r = rng.fresh(1)
    n = 3 << 29  # without rejection the lower part would come up more often
    assert all(0 <= rng.below(r, n) < n for _ in range(1000))


def test_sample_follows_its_weights_and_never_takes_a_zero():
    p = np.array([0.0, 0.25, 0.75, 0.0])
    r = rng.fresh(2)
    counts = np.bincount([rng.sample(r, p, 4) for _ in range(2000)], minlength=4)
    assert counts[0] == counts[3] == 0
    assert stats.binomtest(int(counts[1]), 2000, 0.25).pvalue > 1e-4

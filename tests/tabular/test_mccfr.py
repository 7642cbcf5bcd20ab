"""Sampling solvers: unbiased regrets, known games, growth, pruning, resuming."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from kibitz.bots import CompiledBot, make_bot
from kibitz.core.errors import BadInput, BadPolicy, BadRecord
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.tree import Tree, unroll
from kibitz.tabular.abstraction import abstraction
from kibitz.tabular.best_response import best_response, expected_value, nash_conv
from kibitz.tabular.cfr import Solver
from kibitz.tabular.mccfr import Opponent, Sampler
from kibitz.tabular.regret_store import ENTRIES, ROWS, empty_store, find, memory, packed, roomy, row_for, unpacked
from kibitz.tabular.solving import SampledRun, start
from kibitz.tabular.table import from_store, on_tree

FIRM = 1e7
"""Regrets so large that what one iteration adds does not change the strategy, and can still be read off."""


def gap(tree: Tree, sampler: Sampler) -> float:
    return nash_conv(tree, on_tree(from_store(sampler.abstraction, sampler.store, {}), tree))


def frozen_regrets(scheme: str, tree: Tree, policy: np.ndarray, walks: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard error of the regrets of single iterations from a frozen strategy."""
    sampler = Sampler(abstraction(tree.game), scheme, seed=5)
    sampler.run(50 if PLAIN else 2000)  # meets every set
    store = sampler.store
    rows = int(store.counts[ROWS])
    place = np.zeros(len(tree.choice), np.int64)
    for i in range(tree.infosets):
        found = [k for k in range(rows) if store.key[k] == tree.key[i] and store.who[k] == tree.owner[i]]
        place[tree.offset[i] : tree.offset[i + 1]] = np.arange(store.start[found[0]], store.start[found[0] + 1])
    frozen = np.zeros(int(store.counts[ENTRIES]))
    frozen[place] = policy * FIRM
    total, square = np.zeros(len(frozen)), np.zeros(len(frozen))
    for _ in range(walks):
        store.regret[: len(frozen)] = frozen
        sampler.run(1)
        gained = store.regret[: len(frozen)] - frozen
        total += gained
        square += gained * gained
    mean = total / walks
    error = np.sqrt((square / walks - mean**2) / (walks - 1))
    return mean[place], error[place]


@pytest.mark.parametrize("scheme", ["external", "outcome", "chance"])
def test_sampled_regrets_are_unbiased_at_every_set_of_kuhn(scheme: str) -> None:
    tree = unroll(make("kuhn"))
    luck = np.random.default_rng(3)
    policy = luck.uniform(0.2, 1.0, len(tree.choice))
    policy /= np.repeat(np.add.reduceat(policy, tree.offset[:-1]), np.diff(tree.offset))
    exact = Solver(tree, "cfr", is_simultaneous=True)
    exact.regret[:] = policy * FIRM
    exact.run(1)
    known = exact.regret - policy * FIRM
    mean, error = frozen_regrets(scheme, tree, policy, 1500 if PLAIN else 20_000)
    assert (np.abs(mean - known) < 4.5 * error + 1e-7).all()
    assert (error > 0).all()


@pytest.mark.skipif(PLAIN, reason="too slow without compilation")
@pytest.mark.parametrize(("scheme", "most"), [("external", 0.03), ("outcome", 0.06), ("chance", 0.02)])
def test_sampling_solves_kuhn(scheme: str, most: float) -> None:
    tree = unroll(make("kuhn"))
    sampler = Sampler(abstraction(tree.game), scheme, seed=2)
    sampler.run(50_000)
    assert gap(tree, sampler) < most
    assert sampler.store.counts[ROWS] == tree.infosets


@pytest.mark.skipif(PLAIN, reason="too slow without compilation")
def test_external_sampling_comes_near_in_leduc() -> None:
    tree = unroll(make("leduc"))
    sampler = Sampler(abstraction(tree.game), "external", seed=2)
    sampler.run(60_000)
    assert gap(tree, sampler) < 0.3


@pytest.mark.slow
@pytest.mark.skipif(PLAIN, reason="too slow without compilation")
def test_sampling_solves_a_tiny_cheat_as_cfr_does() -> None:
    """By symmetry the value is zero with a random first player."""
    tree = unroll(make("cheat-tiny", max_turns=2))
    exact = Solver(tree, "cfr+")
    exact.run(300)
    assert abs(expected_value(tree, exact.average())[0]) < 1e-4
    assert nash_conv(tree, exact.average()) < 1e-3
    sampler = Sampler(abstraction(tree.game), "external", seed=2)
    sampler.run(40_000)
    assert gap(tree, sampler) < 0.1


def test_three_players_can_be_sampled() -> None:
    tree = unroll(make("kuhn", players=3))
    sampler = Sampler(abstraction(tree.game), "external", is_linear=True)
    sampler.run(300 if PLAIN else 30_000)
    assert gap(tree, sampler) < (1.0 if PLAIN else 0.05)


@pytest.mark.parametrize("scheme", ["external", "outcome", "chance", "trajectory"])
def test_the_same_seed_gives_the_same_table_in_any_slices(scheme: str) -> None:
    game = make("leduc")
    n = 40 if PLAIN else 600
    whole, parts = Sampler(abstraction(game), scheme, 7), Sampler(abstraction(game), scheme, 7)
    whole.run(n)
    for part in (1, n // 3, n - 1 - n // 3):
        parts.run(part)
        again = Sampler(abstraction(game), scheme, 7)
        again.restore(parts.state())
        parts = again
    for name, array in packed(whole.store).items():
        assert (array == packed(parts.store)[name]).all(), name
    other = Sampler(abstraction(game), scheme, 8)
    other.run(n)
    assert not np.array_equal(packed(other.store)["regret"], packed(whole.store)["regret"])


def test_whoever_learns_against_a_rule_finds_how_to_answer_it() -> None:
    """Against a player of Kuhn who takes all actions alike the best is +1/2 as seat 0 and +5/12 as seat 1."""
    game = make("kuhn")
    rule = make_bot(game, "random")
    assert isinstance(rule, CompiledBot)
    sampler = Sampler(abstraction(game), "trajectory", 3, True, opponent=Opponent(rule.kernel, rule.knobs))
    sampler.run(100 if PLAIN else 20_000)
    tree = unroll(game)
    learned, uniform = on_tree(from_store(sampler.abstraction, sampler.store, {}), tree), tree.uniform()
    for seat in range(2):
        own = np.repeat(tree.owner == seat, np.diff(tree.offset))
        best, _ = best_response(tree, uniform, seat)
        assert expected_value(tree, np.where(own, learned, uniform))[seat] > best - (0.3 if PLAIN else 0.01)
    with pytest.raises(BadInput, match="trajectory"):
        Sampler(abstraction(game), "external", opponent=Opponent(rule.kernel, rule.knobs))


def paused(sampler: Sampler, total: int) -> Iterator[Sampler]:
    """The same run in slices of a few nodes, put aside and taken up again after each."""
    while sampler.iterations < total:
        sampler.run(total - sampler.iterations, until=0.0)
        again = replace(sampler)
        again.restore(sampler.state())
        sampler = again
        yield sampler


@pytest.mark.parametrize(
    ("scheme", "pruning"), [("external", ""), ("external", "visits"), ("external", "often"), ("chance", "")]
)
def test_a_walk_that_stops_in_an_iteration_ends_as_one_that_does_not(
    monkeypatch: pytest.MonkeyPatch, scheme: str, pruning: str
) -> None:
    monkeypatch.setattr("kibitz.tabular.mccfr.NODES", 5)
    n = 3 if PLAIN else 10
    whole = Sampler(abstraction(make("leduc")), scheme, 7, scheme == "external", pruning, 26.0)
    parts = replace(whole)
    whole.run(n)
    stops = list(paused(parts, n))
    assert sum(one.walk.where[0] >= 0 for one in stops) > 2 * n, "it stopped in the middle of iterations"
    for name, array in whole.state().items():
        assert np.array_equal(array, stops[-1].state()[name]), name


def test_a_walk_that_fills_the_store_waits_for_more_room() -> None:
    whole, narrow = Sampler(abstraction(make("leduc"))), Sampler(abstraction(make("leduc")))
    narrow.store = empty_store(4, 1)
    whole.run(20)
    narrow.run(20)
    for name, array in whole.state().items():
        assert np.array_equal(array, narrow.state()[name]), name


def test_a_damaged_walk_cannot_leave_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.tabular.mccfr.NODES", 5)
    seen = abstraction(make("leduc"))
    state = next(one.state() for one in paused(Sampler(seen, seed=3), 9) if one.walk.where[2] >= 2)
    luck = np.random.default_rng(1)
    refused = 0
    for _ in range(300):
        name = luck.choice([name for name in state if name.startswith("walk_") and name != "walk_luck"])
        array = state[name].copy()
        array[luck.integers(len(array))] = luck.choice([-1, 0, 1, 2, 3, 7, 10**6, 2**62])
        sampler = Sampler(seen, seed=3)
        try:
            sampler.restore({**state, str(name): array})
            sampler.run(5)
        except (BadPolicy, BadRecord):
            refused += 1
    assert refused > 50
    for name in (name for name in state if name.startswith("walk_")):
        for wrong in (state[name][:-1], state[name].astype(np.float32), state[name][None]):
            with pytest.raises(BadRecord, match=f"{name} (is of type|has the shape)"):
                Sampler(seen, seed=3).restore({**state, name: wrong})
        with pytest.raises(BadRecord, match=f"{name} is missing"):
            Sampler(seen, seed=3).restore({other: array for other, array in state.items() if other != name})
    with pytest.raises(BadRecord, match="walk_luck is not that of iteration"):
        Sampler(seen, seed=4).restore(state)


def test_shards_that_stop_at_different_places_end_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.tabular.mccfr.NODES", 5)
    whole, parts = (start(make("leduc"), "external", shards=3) for _ in range(2))
    assert isinstance(parts, SampledRun)
    n = 5 if PLAIN else 100
    whole.run(n)
    parts.shards[1].run(2)  # ahead of the others
    while not parts.has_done(n):
        parts.run_to(n, until=0.0)
    assert parts.iterations == n
    for name, array in whole.state().items():
        assert np.array_equal(array, parts.state()[name]), name


def test_pruning_agrees_until_the_first_return_and_touches_less() -> None:
    game = make("kuhn")
    plain, pruned = Sampler(abstraction(game)), Sampler(abstraction(game), pruning="visits", spread=4.0)
    n = 200 if PLAIN else 20_000
    plain.run(n)
    pruned.run(n)
    assert pruned.touched < plain.touched
    assert gap(unroll(game), pruned) < (0.6 if PLAIN else 0.12)
    store = pruned.store
    entries = int(store.counts[ENTRIES])
    assert (store.regret[:entries][store.skip[:entries] > 0] < 0).all()


@pytest.mark.skipif(PLAIN, reason="many iterations")
@pytest.mark.parametrize("name, spread, most", [("kuhn", 4.0, 0.15), ("leduc", 26.0, 1.2)])
def test_both_prunings_converge_and_touch_less(name: str, spread: float, most: float) -> None:
    tree = unroll(make(name))
    touched = {}
    for pruning in ("", "visits", "often"):
        sampler = Sampler(abstraction(tree.game), is_linear=True, pruning=pruning, spread=spread)
        sampler.run(20_000)
        assert gap(tree, sampler) < most, pruning
        touched[pruning] = sampler.touched
    assert touched["often"] < touched["visits"] < touched[""]


def test_shards_add_up_in_any_slices_and_their_mixture_is_no_worse_than_their_mean() -> None:
    game = make("kuhn")
    tree = unroll(game)
    n = 61 if PLAIN else 6_001
    whole, parts = (start(game, "external", seed=3, shards=3) for _ in range(2))
    whole.run(n)
    for part in (1, 17, n - 18):
        parts.run(part)
        again = start(game, "external", seed=3, shards=3)
        again.restore(parts.state())
        parts = again
    assert whole.iterations == parts.iterations == n
    one, other = whole.table({}), parts.table({})
    assert (one.key == other.key).all() and (one.policy == other.policy).all()
    assert isinstance(whole, SampledRun)
    gaps = [gap(tree, shard) for shard in whole.shards]
    assert len(set(gaps)) == 3
    assert nash_conv(tree, on_tree(one, tree)) <= np.mean(gaps) * 1.05


def test_a_store_grows_without_losing_entries() -> None:
    store = empty_store(16, 2)
    actions = np.arange(3, dtype=np.int32)
    for key in range(300):
        store = roomy(store, 3, 10**9)
        row = row_for(
            store.slots, store.key, store.who, store.start, store.choice, store.counts, key * 7, key % 2, actions, 0,
            1 + key % 3,
        )  # fmt: skip
        store.regret[store.start[row]] = key
    for key in range(300):
        row = find(store.slots, store.key, store.who, key * 7, key % 2)
        assert store.regret[store.start[row]] == key
        assert store.start[row + 1] - store.start[row] == 1 + key % 3
    assert find(store.slots, store.key, store.who, 5, 0) == -1
    back = unpacked(packed(store))
    assert find(back.slots, back.key, back.who, 70, 0) == find(store.slots, store.key, store.who, 70, 0)
    assert memory(store) > 300 * 12


def test_a_full_store_says_so() -> None:
    store = empty_store(4, 1)
    actions = np.arange(3, dtype=np.int32)
    for key in range(6):
        row_for(store.slots, store.key, store.who, store.start, store.choice, store.counts, key, 0, actions, 0, 1)
    with pytest.raises(BadInput, match="larger store"):
        roomy(store, 3, 10**9)


def test_bad_requests_are_refused() -> None:
    with pytest.raises(BadInput, match="external, outcome"):
        Sampler(abstraction(make("kuhn")), "robust")
    with pytest.raises(BadInput, match="spread"):
        Sampler(abstraction(make("kuhn")), "external", pruning="visits")
    with pytest.raises(BadInput, match="kuhn has no keys rel"):
        abstraction(make("kuhn"), "rel")

"""What a seat is given never depends on what it cannot see; other worlds are drawn fairly."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest

from kibitz.core import rng
from kibitz.core.conformance import check
from kibitz.core.game import make
from kibitz.core.tree import unroll
from kibitz.tabular.best_response import expected_value, nash_conv
from kibitz.tabular.cfr import Solver
from tests.games.cheat.tables import fewer, moves_of, play

THREE = {"players": 3, "ranks": 5, "cards_each": 0, "allow_pass": 1, "max_turns": 25}
GAMES = [
    ("cheat-paper", {}, 12),
    ("cheat-paper", {"lie_mode": "pure"}, 4),
    ("cheat-tiny", {}, 40),
    pytest.param("cheat", {**THREE, "simultaneous_challenge": 1}, 6, marks=pytest.mark.resized),
    pytest.param("cheat", {**THREE, "reveal_pile": 1}, 4, marks=pytest.mark.resized),
    pytest.param("cheat", {"one_by_one": 1}, 4, marks=pytest.mark.resized),
]


@pytest.mark.parametrize(("preset", "options", "games"), GAMES)
def test_keeps_the_contract(preset: str, options: dict[str, object], games: int) -> None:
    check(make(preset, **options), fewer(games, 2))


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("cheat-paper", {}),
        pytest.param("cheat", THREE, marks=pytest.mark.resized),
        pytest.param("cheat-party", {}, marks=pytest.mark.resized),
    ],
)
def test_other_worlds_keep_all_cards_and_the_ledger(preset: str, options: dict[str, object]) -> None:
    game = make(preset, **options)
    at, text = game.parts["senses"].at, game.words.handful_text
    n, pack = game.PLAYERS, at.PACK
    for number in range(fewer(4, 1)):
        for p in moves_of(game, number, 40):
            for seat in range(n):
                s = p.state.copy()
                game.redeal(s, seat, rng.fresh(number, 0, seat))
                rows = [text(int(s[at.HAND + k]), 0) + text(int(s[at.PILE + k]), 0) for k in range(n)]
                assert len("".join(rows)) + len(text(int(s[at.UNDEALT]), 0)) == pack
                assert set(Counter("".join(rows) + text(int(s[at.UNDEALT]), 0)).values()) == {at.COPIES}
                for k in range(n):
                    assert len(text(int(s[at.HAND + k]), 0)) == s[at.SIZES + k]
                    assert len(text(int(s[at.PILE + k]), 0)) == s[at.LAID + k]
                    if k != seat:
                        known = Counter(text(int(s[at.KNOWN + seat * n + k]), 0))
                        assert not known - Counter(rows[k])
                assert (s[at.LAST] != 0) == (s[at.CLAIM] > 0)


def test_other_worlds_are_drawn_as_rule_7_2_says() -> None:
    """Seat 1 knows a five of seat 0, who holds three cards and claims one; 15 cards are unseen."""
    p = play("0: 2255AA | A33467", "2 trust 3 trust 5 cheat 6 trust A")
    game, at, text = p.game, p.game.parts["senses"].at, p.game.words.handful_text
    known = text(int(p.state[at.KNOWN + 2]), 0)
    assert known == "35"
    total = 7  # seat 0's cards in hand and pile: 2 2 5 5 A A and seat 1's three
    fives = Counter[int]()
    draws = fewer(20_000, 1000)
    for k in range(draws):
        s = p.state.copy()
        game.redeal(s, 1, rng.fresh(9, k))
        fives[(text(int(s[at.HAND]), 0) + text(int(s[at.PILE]), 0)).count("5")] += 1
    own = text(int(p.state[at.HAND + 1]), 0) + text(int(p.state[at.PILE + 1]), 0)
    unseen, good, drawn = 28 - len(own) - len(known), 4 - 1 - own.count("5"), total - len(known)
    excess = 0.0
    for hits in range(good + 1):
        chance = comb(good, hits) * comb(unseen - good, drawn - hits) / comb(unseen, drawn)
        excess += (fives[1 + hits] - draws * chance) ** 2 / (draws * chance)
    assert sum(fives.values()) == draws
    assert excess < 25  # chi-square with three degrees of freedom


def test_every_part_of_the_open_claim_is_equally_likely() -> None:
    p = play("0: 223344 | A34567", "23", "cheat-paper")
    game, at = p.game, p.game.parts["senses"].at
    last = Counter[str]()
    draws = fewer(20_000, 1000)
    for k in range(draws):
        s = p.state.copy()
        game.redeal(s, 1, rng.fresh(5, k))
        last[game.words.handful_text(int(s[at.LAST]), 0)] += 1
    held = Counter("A34567")
    excess = 0.0
    pairs = [(a, b) for i, a in enumerate("A234567") for b in "A234567"[i:]]
    for a, b in pairs:
        ways = (4 - held[a]) * (4 - held[b]) if a != b else comb(4 - held[a], 2)
        expected = draws * ways / comb(22, 2)
        excess += (last[a + b] - expected) ** 2 / expected
    assert excess < len(pairs) + 5 * (2 * len(pairs)) ** 0.5


@pytest.mark.parametrize("name", ["default", "turned", "paper"])
def test_observation_has_named_pieces(name: str) -> None:
    p = play("0: A23357 | 224567", "23 trust 24")
    view = p.view(0)
    seen, slices = view.observe(name), p.game.observation(name).slices
    if name == "paper":
        assert seen[slices["hand"]].tolist() == [1, 0, 1, 0, 1, 0, 1]
        assert seen[slices["pile"]].tolist() == [4]
        return
    hand = seen[slices["hand"]].reshape(7, 4).sum(axis=1).tolist()
    pile = seen[slices["own_pile"]].reshape(7, 4).sum(axis=1).tolist()
    if name == "default":
        assert hand == [1, 0, 1, 0, 1, 0, 1] and pile == [0, 1, 1, 0, 0, 0, 0]
        assert seen[slices["rank"]].argmax() == 1
    else:
        assert hand == [0, 1, 0, 1, 0, 1, 1] and pile == [1, 1, 0, 0, 0, 0, 0]
    assert seen[slices["claim"]].tolist() == [0, 1, 0, 0]
    assert seen[slices["discarder"]].tolist() == [0, 1] and seen[slices["asked"]].tolist() == [1, 0]


def test_tiny_game_unrolled() -> None:  # 8.19
    tree = unroll(make("cheat-tiny"))
    deals = 2 * comb(6, 2) * comb(4, 2)
    assert int((tree.parent < 0).sum()) == deals
    assert tree.infosets == 2 * 2221
    uniform = tree.uniform()
    value = _value(tree, uniform)
    assert value[0] == pytest.approx(0.0, abs=1e-12) and value.sum() == pytest.approx(0.0, abs=1e-12)
    assert _distinct(tree) == 21_474


@pytest.mark.parametrize(("options", "value"), [({}, 0.0), ({"first_player": 0}, 0.1)])
def test_tiny_game_solved(options: dict[str, object], value: float) -> None:  # 8.19
    tree = unroll(make("cheat-tiny", **options))
    solver = Solver(tree, "cfr+")
    solver.run(fewer(200, 1))
    gap = nash_conv(tree, solver.average())
    assert abs(expected_value(tree, solver.average())[0] - value) <= gap
    assert gap < fewer(1, 1000) * 0.002


def _value(tree: object, policy: np.ndarray) -> np.ndarray:
    """The value when everybody plays one policy: by symmetry 0 for any that treats the seats alike."""
    reach = np.ones(len(tree.parent))  # type: ignore[attr-defined]
    entry, parent = tree.entry(), tree.parent  # type: ignore[attr-defined]
    for node in range(len(reach)):
        if parent[node] >= 0:
            reach[node] = reach[parent[node]] * (policy[entry[node]] if entry[node] >= 0 else 1.0)
    weights = reach * tree.chance  # type: ignore[attr-defined]
    return np.asarray(weights @ tree.utility)  # type: ignore[attr-defined]


def _distinct(tree: object) -> int:
    """Histories when deals with the same ranks are counted once."""
    game, parent, action = tree.game, tree.parent, tree.action  # type: ignore[attr-defined]
    seen: set[tuple[object, ...]] = set()
    names: list[tuple[object, ...]] = []
    for node in range(len(parent)):
        if parent[node] < 0:
            s = game.blank()
            game.deal_at(s, node)
            names.append((game.words.deal_text(s),))
        else:
            names.append((names[parent[node]], action[node]))
        seen.add(names[-1])
    return len(seen)

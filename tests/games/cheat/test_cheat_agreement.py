"""The engine and the naive implementation play the same game, move by move."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from kibitz.core.game import OVER, make
from kibitz.core.position import Position
from kibitz.games.cheat.counters import COUNTERS
from tests.games.cheat.tables import fewer, naive_twin
from tests.naive import cheat as naive

THREE = {"players": 3, "ranks": 5, "cards_each": 0, "allow_pass": 1, "max_turns": 25}
VARIANTS = [
    ("cheat-paper", {}, 600),
    ("cheat-tiny", {}, 500),
    pytest.param("cheat-half", {}, 80, marks=pytest.mark.resized),
    pytest.param("cheat-whole", {}, 10, marks=pytest.mark.resized),
    pytest.param("cheat-party", {}, 10, marks=pytest.mark.resized),
    pytest.param("cheat", {**THREE, "payoff": "rank", "reveal_pile": 1}, 100, marks=pytest.mark.resized),
    pytest.param(
        "cheat", {**THREE, "on_limit": "fewest_cards", "reset_on_challenge": 1}, 100, marks=pytest.mark.resized
    ),
    pytest.param("cheat", {**THREE, "payoff": "win_loss", "on_limit": "fewest_cards"}, 100, marks=pytest.mark.resized),
    pytest.param("cheat", {"ranks": 2, "copies": 8, "cards_each": 5, "max_discard": 3}, 100, marks=pytest.mark.resized),
]
"""1,100 games; those of the big packs are followed for their first moves."""
FOLLOWED = 80


@pytest.mark.parametrize(("preset", "options", "games"), VARIANTS)
def test_agrees_with_the_naive_game_on_random_games(preset: str, options: dict[str, object], games: int) -> None:
    _compare(preset, options, fewer(games, games // 10))


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "options", "games"), VARIANTS)
def test_agrees_with_the_naive_game_on_very_many_random_games(
    preset: str, options: dict[str, object], games: int
) -> None:
    _compare(preset, options, 100 * games)


def _compare(preset: str, options: dict[str, object], games: int) -> None:
    game = make(preset, **options)
    words = game.words.ACTION_WORDS
    luck = random.Random(5)
    mask = np.zeros(game.ACTIONS, np.bool_)
    for number in range(games):
        p = Position(game, seed=3, number=number)
        twin = naive_twin(p)
        s, moves = p.state, 0
        while game.turn(s) != OVER and (moves < FOLLOWED or game.options["max_turns"] < 1000):
            game.legal(s, mask)
            legal = np.flatnonzero(mask)
            assert game.turn(s) == twin.turn
            assert {words[action] for action in legal} == twin.legal()
            if number % 10 == 0:
                _compare_knowledge(p, twin)
            action = int(luck.choice(legal))
            twin.play(words[action])
            game.step(s, action)
            moves += 1
            assert moves <= game.LONGEST
        if game.turn(s) != OVER:
            continue
        assert twin.turn is None
        assert p.returns() == pytest.approx(twin.returns())
        assert [p.won(seat) for seat in range(game.PLAYERS)] == [twin.won(seat) for seat in range(game.PLAYERS)]
        _compare_behaviour(p, twin)


def _compare_knowledge(p: Position, twin: naive.Game) -> None:
    """The ledgers, the paper's observation and what lies where."""
    game, n = p.game, p.game.PLAYERS
    layout, text = game.parts["senses"].at, game.words.handful_text
    for seat in range(n):
        view = p.view(seat)
        memory = naive.memory_of(twin, seat)
        assert text(int(view.state[layout.HAND + seat]), 0) == memory.hand
        assert text(int(view.state[layout.PILE + seat]), 0) == naive.arrange(memory.laid(seat))
        for other in range(n):
            assert int(view.state[layout.SIZES + other]) == memory.sizes[other]
            if other != seat:
                known = text(int(view.state[layout.KNOWN + seat * n + other]), 0)
                assert Counter(known) == memory.known[other]
        seen = view.observe("paper")
        ranks = [memory.hand.count(rank) for rank in naive.RANKS[: game.options["ranks"]]]
        sizes = [memory.sizes[(seat + k) % n] for k in range(n)]
        assert seen.tolist() == [*ranks, *sizes, sum(len(cards) for _, cards in memory.pile)]
    bystander = naive.memory_of(twin, None)
    for about in range(n):
        assert Counter(text(int(p.state[layout.KNOWN + n * n + about]), 0)) == bystander.known[about]


def _compare_behaviour(p: Position, twin: naive.Game) -> None:
    tallies = np.zeros(p.game.TALLIES)
    p.game.tally(p.state, tallies)
    assert tallies[0] == twin.turns
    assert tallies[1] == (not twin.winners)
    rows = tallies[2:].reshape(p.game.PLAYERS, -1)
    for row, counted in zip(rows, naive.behaviour(twin), strict=True):
        assert dict(zip((*COUNTERS, "passes"), row.astype(int).tolist(), strict=True)) == {
            name: counted[name] for name in (*COUNTERS, "passes")
        }


@pytest.mark.parametrize("spec", ["cheat-paper", pytest.param("cheat-party", marks=pytest.mark.resized)])
@pytest.mark.parametrize("thr", [0.0, 0.3, 0.5])
def test_heuristic_player_decides_as_the_naive_one(spec: str, thr: float) -> None:
    game = make(spec)
    rule = game.parts["bots"].BOTS["cheat-heuristic"].choose
    luck = random.Random(1)
    for number in range(fewer(12 if spec == "cheat-party" else 100, 3)):
        p = Position(game, seed=8, number=number)
        twin = naive_twin(p)
        for _ in range(60):
            if p.is_over:
                break
            memory = naive.memory_of(twin, twin.turn)
            view = p.view(p.turn)
            chosen = game.words.ACTION_WORDS[rule(view.state, view.mask, view.rng, np.array([thr]))]
            assert chosen == naive.heuristic_choice(memory, thr)
            if memory.claim or luck.random() < 0.3:
                chosen = luck.choice(sorted(twin.legal()))  # stray from the rule, so that all sorts of ledgers arise
            p.push(chosen)
            twin.play(chosen)


@pytest.mark.parametrize("mode", ["uniform_count", "single", "uniform_subset"])
@pytest.mark.parametrize("one_by_one", [0, pytest.param(1, marks=pytest.mark.resized)])
def test_naive_player_chooses_with_the_naive_probabilities(mode: str, one_by_one: int) -> None:
    game = make("cheat", one_by_one=one_by_one)
    rule = game.parts["bots"].BOTS["cheat-naive"].choose
    knobs = np.array([0.25, ["uniform_count", "single", "uniform_subset"].index(mode)])
    for deal in ("0: AA2234 | 333444", "0: 222233 | A34567"):
        twin = naive.Game(deal[3:].replace(" ", "").split("|"), 0)
        wanted = naive.naive_choices(naive.memory_of(twin, 0), mode)
        draws = fewer(3000, 300)
        found: Counter[str] = Counter()
        for number in range(draws):
            p = Position(game, 4, number, deal=deal)
            while p.turn == 0:
                view = p.view(0)
                p.push(int(rule(view.state, view.mask, view.rng, knobs)))
            found[game.words.handful_text(int(p.state[game.parts["senses"].at.LAST]), 0)] += 1
        assert set(found) <= set(wanted)
        excess = sum((found[word] - draws * float(p)) ** 2 / (draws * float(p)) for word, p in wanted.items())
        assert excess < len(wanted) + 5 * (2 * len(wanted)) ** 0.5

"""What every game says of its returns: the bounds hold in whole games, and are reached where that is easy to see."""

import importlib

import numpy as np
import pytest

from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.game import CHANCE, OVER, Option, make, names, package_of
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from tests.presets import presets

GAMES, VARIANTS, LONG_ENOUGH = (2, 2, 200) if PLAIN else (150, 40, 3000)


def returns_of(game, luck):
    """The returns of one random game; None if it is very long."""
    p = Position(game, int(luck.integers(1 << 40)))
    for _ in range(LONG_ENOUGH):
        if p.is_over:
            return np.array(p.returns())
        p.push(int(luck.choice(p.legal_actions())))
    return None


def check_bounds(game, luck):
    """The largest return there was, in parts of the largest there can be."""
    found, payoffs = returns_of(game, luck), game.payoffs
    if found is None:
        return 0.0
    assert payoffs.least <= found.min() and found.max() <= payoffs.most, (game.name, dict(game.options), found, payoffs)
    if payoffs.total is not None:
        assert abs(found.sum() - payoffs.total) < 1e-9, (game.name, dict(game.options), found, payoffs)
    return float(np.abs(found).max()) / max(-payoffs.least, payoffs.most)


@pytest.mark.parametrize("name", presets())
def test_bounds_of_returns_hold_and_are_not_far_away(name):
    game, luck = make(name), np.random.default_rng(5)
    nearest = max(check_bounds(game, luck) for _ in range(GAMES))
    assert nearest > 0.1 or PLAIN or name.startswith("cheat-")


MANY_OPTIONS = ("collaborative-kuhn", "cheat", "coinche", "cego-solo", "cego", "skat", "skat-ramsch")
ON_THE_KIT = ("hearts", "euchre", "belote")


@pytest.mark.parametrize("name", [*MANY_OPTIONS, *ON_THE_KIT])
def test_bounds_of_returns_hold_with_any_options(name):
    """Options that change sizes stay as they are."""
    luck, package = np.random.default_rng(6), importlib.import_module(package_of(name))
    for _ in range(VARIANTS):
        game = some_variant(name, package, luck)
        for _ in range(1 if PLAIN else 5):
            check_bounds(game, luck)


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_bounds_of_returns_hold_in_many_games(name):
    game = make(name)
    bot, payoffs = make_bot(game, "random"), game.payoffs
    for chunk in play(game, [bot] * game.PLAYERS, 2000 if name.startswith("cheat-") else 200_000, 9):
        assert payoffs.least <= chunk.returns.min() and chunk.returns.max() <= payoffs.most
        if payoffs.total is not None:
            assert np.abs(chunk.returns.sum(axis=1) - payoffs.total).max() < 1e-9


def some_variant(name, package, luck):
    while True:
        drawn = [option for option in package.OPTIONS if not option.size and luck.random() < 0.5]
        try:
            return make(name, **{option.name: some_value(option, luck) for option in drawn})
        except ValueError:  # these values do not go together
            continue


def some_value(option: Option, luck):
    return option.values[int(luck.integers(len(option.values)))]


def reached(game, s):
    """The lowest and the highest return in every game that can follow."""
    if game.turn(s) == OVER:
        out = np.zeros(game.PLAYERS)
        game.returns(s, out)
        return out.min(), out.max()
    choices = np.zeros(max(game.ACTIONS, game.CHANCES), np.bool_)
    if game.turn(s) == CHANCE:
        p = np.zeros(game.CHANCES)
        game.chances(s, p)
        choices[: game.CHANCES] = p > 0
    else:
        game.legal(s, choices[: game.ACTIONS])
    ends = []
    for choice in np.flatnonzero(choices):
        following = s.copy()
        game.step(following, choice)
        ends.append(reached(game, following))
    return min(end[0] for end in ends), max(end[1] for end in ends)


SMALL = [
    ("kuhn", {}, "K J"),
    ("leduc", {}, "Ks Jh"),
    ("collaborative-kuhn", {}, "A K A K"),
    ("collaborative-kuhn", {"topup": 0, "reading": "first"}, "A K A K"),
    ("collaborative-kuhn-tied", {"topup": 0}, "A K A K"),
    ("cheat-tiny", {"first_player": "0"}, "0: AA | 22"),
    pytest.param("kuhn", {"players": 4}, "K Q J T", marks=pytest.mark.resized),
]


@pytest.mark.parametrize(("name", "options", "deal"), SMALL)
def test_bounds_of_small_games_are_reached(name, options, deal):
    game = make(name, **options)
    ends = reached(game, Position(game, deal=deal, manual_chance=True).state)
    assert ends == (game.payoffs.least, game.payoffs.most)


def at_random(p, luck):
    while not p.is_over:
        p.push(int(luck.choice(p.legal_actions())))
    return p.returns()


def test_skats_lowest_return_is_a_suit_game_overbid_at_264():
    luck, game = np.random.default_rng(1), make("skat", jumps="on")
    p = Position(game)
    for call in ("264", "pass", "pass", "pickup"):
        p.push(call)
    for _ in range(2):
        p.push(p.legal_actions()[0])
    p.push("D")
    assert min(at_random(p, luck)) == game.payoffs.least == -670


def test_coinches_highest_return_is_a_surcoinched_capot_with_belote():
    luck, game, found = np.random.default_rng(1), make("coinche"), set()
    for number in range(200):
        p = Position(game, 3, number)
        for call in ("capot-s", "coinche", "surcoinche"):
            p.push(call)
        found.add(max(at_random(p, luck)))
        if game.payoffs.most in found:
            break
    assert max(found) == game.payoffs.most == 2020


def test_every_game_says_whether_its_returns_sum_to_zero():
    zero = {name for name in names() if make(name).payoffs.total == 0}
    assert {"kuhn", "leduc", "coinche", "coinche-paper", "skat", "cego", "cheat-party"} <= zero
    assert make("coinche", reward="classic").payoffs.total is None
    assert make("coinche", all_pass_reward=-5).payoffs.total is None
    assert make("cego-raeuber").payoffs.total == 3
    assert make("cego-raeuber", reward="sign").payoffs.total == 2
    assert make("cego-raeuber", raeuber_tie="all").payoffs.total is None

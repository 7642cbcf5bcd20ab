"""Worlds carried along a game fit every view and are as uniform as fresh ones."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from kibitz.bots import make_bot
from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import Game, make
from kibitz.core.view import View, view_of
from kibitz.search import worlds
from kibitz.search.particles import Particles
from tests.search.endings import endings
from tests.search.test_worlds import deals

GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("skat-suit", {}, 18),
    ("coinche", {"auction": "none"}, 16),
    ("cego-standard", {}, 28),
]


def story(game: Game, played: int, seed: int, moves: int) -> list[Any]:
    """An ending and the positions that random cards make of it."""
    luck = np.random.default_rng(seed)
    s = endings(game, 1, played, seed)[0]
    found = [s.copy()]
    mask = np.zeros(game.ACTIONS, np.bool_)
    for _ in range(moves):
        game.legal(s, mask)
        game.step(s, int(luck.choice(np.flatnonzero(mask))))
        found.append(s.copy())
    return found


def seen_by(game: Game, s: Any, seat: int, stream: int, move: int) -> View:
    return view_of(game, s, seat, rng.fresh(stream, 0, seat, move))


@pytest.mark.parametrize(("name", "options", "played"), GAMES)
def test_kept_worlds_fit_the_new_view(name: str, options: dict[str, Any], played: int) -> None:
    game = make(name, **options)
    kept = 0
    for seed in range(4):
        particles = Particles(30)
        for move, s in enumerate(story(game, played, seed, 5)):
            view = seen_by(game, s, 0, seed, move)
            states = particles.draw(view)
            for world in states:
                assert (view_of(game, world, 0).state == view.state).all()
            fresh = deals(game, worlds.sample(view, 30)) if len(states) == 30 else []
            kept += move > 0 and len(states) == 30 and deals(game, states) != fresh
    assert kept


@pytest.mark.parametrize(("name", "options", "played"), GAMES)
def test_kept_worlds_are_uniform(name: str, options: dict[str, Any], played: int) -> None:
    """Many sets of 12 are carried over two tricks to a view with few worlds: together they are uniform over these."""
    game = make(name, **options)
    tested = 0
    for seed in range(20):
        states = story(game, played, seed, 2 * game.PLAYERS)[:: game.PLAYERS]
        end = seen_by(game, states[-1], 0, 0, 0)
        total = worlds.count(end)
        if not 12 < total <= 60:
            continue
        seen: Counter[tuple[int, ...]] = Counter()
        for stream in range(40 * total // 12):
            particles = Particles(12)
            for move, s in enumerate(states):
                last = particles.draw(seen_by(game, s, 0, stream, move))
            seen.update(deals(game, last))
        listed = deals(game, worlds.every(end))
        assert set(seen) <= set(listed)
        assert chisquare([seen[deal] for deal in listed]).pvalue > 1e-4
        tested += 1
        if tested == 2:
            break
    assert tested


def test_other_games_are_not_mixed_up() -> None:
    game = make("skat-suit")
    particles = Particles(20)
    for stream, s in enumerate(endings(game, 3, 6, 2)):
        particles.draw(seen_by(game, s, 1, stream, 0))
    assert len(particles.kept) == 3


def test_fewer_particles_than_worlds_are_refused() -> None:
    with pytest.raises(BadInput, match="at least the worlds"):
        make_bot(make("skat-suit"), "pimc:worlds=10:particles=5")

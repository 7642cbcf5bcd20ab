"""Cheat: how any players behave, by hand size and claim (section 10 of RULES.md; the paper names it as future work)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from kibitz.core.batch import Batch
from kibitz.core.errors import BadInput
from kibitz.core.game import Game
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.policy import Bot
from kibitz.core.shapes import Floats, Ints

KINDS = ("discards", "lies", "able", "able_lies", "asked", "lies_heard", "challenges", "right")

# bound by specialise: the offsets of one made game
rules = at = count = is_lie = UNBOUND


@dataclass(frozen=True)
class Behaviour:
    """Counts of what every seat did; a hand is counted before its discard, a claim is the number of cards laid."""

    counts: Floats
    """[PLAYERS, kinds, hand size, claim]: see KINDS; for answers it is the hand of the seat that is asked."""
    games: int

    def of(self, kind: str, seat: int) -> Floats:
        """[hand size, claim]: one count of one seat."""
        return self.counts[seat, KINDS.index(kind)]

    def rate(self, part: str, whole: str, seat: int, by: str = "") -> Floats:
        """part / whole of a seat: one number, or by "hand" or "claim" an array; nan where that is 0 / 0."""
        axes: dict[str, tuple[int, ...]] = {"": (0, 1), "hand": (1,), "claim": (0,), "hand and claim": ()}
        if by not in axes:
            raise BadInput(f"behaviour cannot be told by {by!r}: choose from hand, claim, hand and claim")
        top = self.of(part, seat).sum(axis=axes[by])
        bottom = self.of(whole, seat).sum(axis=axes[by])
        return np.divide(top, bottom, out=np.full(np.shape(bottom), np.nan), where=bottom > 0)

    def lying_rate(self, seat: int, by: str = "") -> Floats:
        """Lies / discards (rule 10.1)."""
        return self.rate("lies", "discards", seat, by)

    def challenge_rate(self, seat: int, by: str = "") -> Floats:
        """Challenges / times asked (rule 10.3)."""
        return self.rate("challenges", "asked", seat, by)

    def challenge_success(self, seat: int, by: str = "") -> Floats:
        """Challenges that found a lie / challenges (rule 10.4)."""
        return self.rate("right", "challenges", seat, by)


def measure(game: Game, bots: Sequence[Bot], games: int, seed: int = 0, batch: int = 1024) -> Behaviour:
    """Play games 0 .. games - 1 of a seed, the same as any other loop would, and count what every seat does."""
    if game.parts["rules"].at.ONE_BY_ONE:
        raise BadInput(f"{game.name} spells discards one by one: behaviour is counted where a discard is one action")
    if len(bots) != game.PLAYERS:
        raise BadInput(f"{game.name} has {game.PLAYERS} seats, not {len(bots)}")
    pack = int(game.options["ranks"]) * int(game.options["copies"]) * int(game.options["decks"])
    counts = np.zeros((game.PLAYERS, len(KINDS), pack + 1, game.parts["rules"].at.MOST + 1))
    add_up = _adder(game)
    tables = Batch(game, min(batch, max(games, 1)), seed, 0, games)
    distinct = list({id(bot): bot for bot in bots}.values())
    who = np.array([next(k for k, other in enumerate(distinct) if other is bot) for bot in bots])
    while (tables.turn >= 0).any():
        actions = np.zeros(tables.n, np.int64)
        for k, bot in enumerate(distinct):
            rows = np.flatnonzero((tables.turn >= 0) & (who[tables.turn] == k))
            if len(rows):
                actions[rows] = bot.act_batch(tables.views(rows))
        add_up(tables.state, tables.turn, actions, counts)
        tables.step(actions)
    return Behaviour(counts, games)


@cache
def _adder(game: Game) -> Callable[..., None]:
    part = game.parts["rules"]
    return specialise(_add_up, game.tag, rules=part, at=part.at, count=part.count, is_lie=part.is_lie)


def _add_up(states: Ints, turns: Ints, actions: Ints, counts: Floats) -> None:
    for row in range(len(turns)):
        seat = turns[row]
        if seat < 0:
            continue
        s = states[row]
        size = s[at.SIZES + seat]
        if s[at.ASKED] >= 0:
            lie = is_lie(s)
            is_cheat = actions[row] == at.CHEAT
            claim = s[at.CLAIM]
            counts[seat, 4, size, claim] += 1
            counts[seat, 5, size, claim] += lie
            counts[seat, 6, size, claim] += is_cheat
            counts[seat, 7, size, claim] += lie and is_cheat
        elif actions[row] >= at.BASE:
            claim = rules.length_of(actions[row] - at.BASE)
            lie = count(rules.TABLE[actions[row] - at.BASE], s[at.RANK]) < claim
            able = count(s[at.HAND + seat], s[at.RANK]) > 0
            counts[seat, 0, size, claim] += 1
            counts[seat, 1, size, claim] += lie
            counts[seat, 2, size, claim] += able
            counts[seat, 3, size, claim] += able and lie

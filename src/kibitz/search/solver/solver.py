"""Solvers bound to a game: states in, values of cards out."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from kibitz.core.errors import BadInput
from kibitz.core.jit import specialise
from kibitz.core.shapes import Ints
from kibitz.games.tricks import layout as at
from kibitz.games.tricks import play
from kibitz.games.tricks.kit import TrickGame
from kibitz.search.solver import arena as ar
from kibitz.search.solver import moves, quick_tricks, search
from kibitz.search.solver.arena import Numbering, loaded

PIECE = 4
"""Positions a thread takes at a time: hard ones are a hundred times dearer than easy ones."""

OF_THE_KIT = {play.follow: search.follow_suit, play.follow_or_trump: search.follow_or_trump}
"""Duties that the arena's tables can tell."""


@dataclass(eq=False)
class Solver:
    """The search bound to one game, with the arenas it has used."""

    game: TrickGame
    points_only: bool = False
    """Whether only points and tricks are asked about, never all or nothing: then it is compiled in less time."""
    free: dict[tuple[int, ...], list[Ints]] = field(default_factory=dict)
    answers: dict[int, Callable[..., None]] = field(default_factory=dict)

    @cached_property
    def numbering(self) -> Numbering:
        """The arena's order of cards."""
        return Numbering(self.game)

    @property
    def base(self) -> int:
        """Where the state ends and the solver's own slots begin."""
        return int(self.game.bound["LOG"])

    def answer(self, in_trick: int) -> Callable[..., None]:
        """The compiled question, for so many cards in a trick."""
        if in_trick not in self.answers:
            self.answers[in_trick] = self._bound(in_trick)
        return self.answers[in_trick]

    def _bound(self, in_trick: int) -> Callable[..., None]:
        game, tables = self.game, self.numbering.tables
        bound = {
            **game.bound,
            **tables,
            "BASE": self.base,
            "POINTS_ONLY": self.points_only,
            "PLACE": self.numbering.place,
            "IN_TRICK": in_trick,
            "VALUE_BITS": self.numbering.value_bits,
            "LARGEST": (1 << self.numbering.value_bits) - 1,
            "JOINED": self.numbering.joined,
            "WIDE": self.numbering.is_wide,
            "CHUNKS": int(self.numbering.place.max()) // ar.CHUNK_BITS + 1,
        }
        tag = f"{game.name}|solver{in_trick}"

        def bind(template: Callable[..., Any], *, inline: bool = True, **kernels: Any) -> Callable[..., Any]:
            return specialise(template, tag, inline=inline, is_loop=not inline, **{**bound, **kernels})

        duty = getattr(game.duty, "py_func", game.duty)
        if duty in OF_THE_KIT:
            answers = bind(OF_THE_KIT[duty])
        else:
            used = {name: tables[name] for name in tables if name in duty.__globals__}
            known = bound if duty.__module__ == play.__name__ else used
            answers = bind(search.first_rung, duty=specialise(duty, tag, inline=True, **known))
        spare = bind(moves.spare)
        quick = bind(
            quick_tricks.quick_tricks,
            inline=False,
            cheapest=bind(quick_tricks.least_worth),
            dearest=bind(quick_tricks.top_worth),
        )
        reach = bind(
            search.reach_need, inline=False, answers=answers, spare=spare, quick_tricks=quick,
            is_safe=bind(quick_tricks.is_safe), order=bind(moves.order), leads=bind(moves.leads),
            next_best=bind(moves.next_best), is_lost=bind(quick_tricks.is_lost), position_key=bind(search.key_of),
            verdict=bind(search.after_trick), last_trick=bind(search.wins_last), remember=bind(search.recall_past),
        )  # fmt: skip
        getattr(reach, "py_func", reach).__globals__["reach"] = reach
        value_of = bind(search.value_after, inline=False, ask=bind(search.ask_once, inline=False, reach=reach))
        return bind(
            search.answer_rows, inline=False, open_deal=bind(search.prepare, inline=False), value_of=value_of,
            answers=answers, spare=spare,
        )  # fmt: skip

    def arena(self, row: int, aim: int, marked: int, bonus: int) -> Ints:
        """A fresh arena for a contract and an aim."""
        made = np.zeros(self.base + ar.SIZE, np.int64)
        made[self.base :] = loaded(self.base, self.numbering, row, aim, self.numbering.tables["WORTH"][row])
        marks = self.numbering.cards(row, marked)
        made[self.base + ar.MARKED], made[self.base + ar.BONUS] = marks, bonus
        made[self.base + ar.EQUALS] &= ~(marks | marks >> 1)
        if bonus >> self.numbering.value_bits:
            raise BadInput(f"the last trick adds at most {(1 << self.numbering.value_bits) - 1} here, not {bonus}")
        return made

    def ask(
        self, states: Ints, aim: int, asked: Ints, *, need: Ints | None = None, taken: Ints | None = None,
        only: int = at.ANY, marked: int = 0, bonus: int = 0, threads: int = 1,
    ) -> Ints:  # fmt: skip
        """[n, CARDS]: what the seats `asked` (masks) still get after each legal card, or whether they get `need`.

        `only` are the cards asked about; with none of them the first column has the answer for the best card.
        """
        if self.points_only and aim >= ar.NO_TRICK:
            raise BadInput(f"the solver of {self.game.name} was made for points and tricks only")
        n = len(states)
        out = np.full((n, len(self.game.deck.names)), search.NOTHING, np.int64)
        wanted = np.zeros(n, np.int64) if need is None else np.asarray(need, np.int64)
        had = np.zeros(n, np.int64) if taken is None else np.minimum(taken, 1)
        kinds = np.maximum(0, states[:, at.CONTRACT]) * 2 + (states[:, at.OUT] >= 0)
        for kind in np.unique(kinds):
            rows, key = np.flatnonzero(kinds == kind), (int(kind) // 2, aim, marked, bonus)
            answer, arenas = self.answer(self.game.seats - int(kind) % 2), self.free.setdefault(key, [])
            step = min(PIECE, len(rows)) if threads > 1 else len(rows)

            def work(start: int) -> None:
                piece = rows[start : start + step]
                try:
                    space = arenas.pop()
                except IndexError:
                    space = self.arena(*key)
                found = np.full((len(piece), out.shape[1]), search.NOTHING, np.int64)
                answer(space, states[piece], asked[piece], had[piece], wanted[piece], found, need is None, only)
                out[piece] = found
                arenas.append(space)

            if step == len(rows):
                work(0)
                continue
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(work, range(0, len(rows), step)))
        return out


@cache
def solver_of(game: TrickGame, points_only: bool = False) -> Solver:
    """The solver of a game, made once."""
    return Solver(game, points_only)

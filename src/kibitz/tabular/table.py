"""Tabular policies as data: an npz file of plain arrays that says which game it belongs to. No pickle."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.arrays import TEXT, Column, check_offsets, check_range, json_array, read_arrays
from kibitz.core.errors import BadPolicy, BadRecord, KibitzError
from kibitz.core.files import whole_file
from kibitz.core.game import Game, same_rules
from kibitz.core.jit import specialise
from kibitz.core.schema import OPTIONS, Anything, Fields, Whole, line
from kibitz.core.shapes import Floats, Ints
from kibitz.core.tree import Tree
from kibitz.core.view import Views
from kibitz.tabular.abstraction import FULL, Abstraction
from kibitz.tabular.abstraction import abstraction as abstraction_of
from kibitz.tabular.regret_store import ROWS, Store

FORMAT = 1
ANY_SEAT = -1
SLACK = 1e-6
"""How far the probabilities of a row may be from one together."""
MOST_PLAYERS, MOST_ACTIONS = 64, 1 << 20
"""More than any game has."""

abstraction: Any = None  # bound by specialise


@dataclass(frozen=True, repr=False)
class Table:
    """Action probabilities per information set; rows are sorted by (seat, key)."""

    about: Mapping[str, Any]
    """game, options, version, and how the table was made (method, iterations, seed, ...)."""
    seat: NDArray[np.int32]
    """[rows]: whose information set it is, ANY_SEAT if the game looks the same from every seat."""
    key: Ints
    """[rows]"""
    offset: Ints
    """[rows + 1]: where the row's actions start in `choice` and `policy`."""
    choice: NDArray[np.int32]
    policy: Floats
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Arrays that let a solver go on: regret, strategy_sum, ..."""

    def rows(self, seats: Ints, keys: Ints) -> Ints:
        """[n]: the row of each (seat, key), -1 where the table has none."""
        found = np.full(len(keys), -1, np.int64)
        for seat in np.unique(self.seat):
            low, high = np.searchsorted(self.seat, [seat, seat + 1])
            asked = np.arange(len(seats)) if seat == ANY_SEAT else np.flatnonzero(seats == seat)
            if not len(asked) or low == high:
                continue
            place = np.minimum(low + np.searchsorted(self.key[low:high], keys[asked]), high - 1)
            found[asked] = np.where(self.key[place] == keys[asked], place, found[asked])
        return found

    def probabilities(self, views: Views) -> Floats:
        """[n, ACTIONS]: the policy at each view; uniform over the legal actions where the table has no row."""
        if self.about.get("keys", FULL) != FULL or self.about.get("actions", FULL) != FULL:
            return self._seen_through_a_lens(views)
        out = views.masks / views.masks.sum(axis=1, keepdims=True)
        rows = self.rows(views.seats, views.infosets())
        known = np.flatnonzero(rows >= 0)
        whose, entry = _entries(self.offset, rows[known])
        if not views.masks[known[whose], self.choice[entry]].all():
            wrong = np.flatnonzero(~views.masks[known[whose], self.choice[entry]])[0]
            raise _illegal(int(rows[known[whose[wrong]]]))
        out[known] = 0.0
        out[known[whose], self.choice[entry]] = self.policy[entry]
        return out

    def _seen_through_a_lens(self, views: Views) -> Floats:
        """[n, ACTIONS]: abstract actions as the actions they stand for,
        uniform over them where the table has no row."""
        out = np.zeros((len(views), views.game.ACTIONS))
        is_shared = not len(self.seat) or self.seat[0] == ANY_SEAT
        wanted = np.full(len(views), ANY_SEAT) if is_shared else views.seats
        low, high = np.searchsorted(self.seat, wanted), np.searchsorted(self.seat, wanted, "right")
        read = _row_reader(abstraction_of(views.game, self.about.get("keys", FULL), self.about.get("actions", FULL)))
        wrong = read(views.states, views.seats, low, high, self.key, self.offset, self.choice, self.policy, out)
        if wrong >= 0:
            raise _illegal(wrong)
        return out

    def belongs_to(self, game: Game) -> bool:
        """Whether the table was made for this game with these options."""
        return same_rules(game, self.about["game"], self.about["options"], self.about["version"])

    def __repr__(self) -> str:
        made = f" by {self.about['method']}" if "method" in self.about else ""
        return f"a policy for {self.about['game']}{made}: {len(self.key):,} information sets"

    def save(self, path: str | Path) -> None:
        """Write the table; the file is whole or not there."""
        header = np.frombuffer(json.dumps({"format": FORMAT, **self.about}).encode(), np.uint8)
        with whole_file(path) as file:
            np.savez_compressed(
                file, header=header, seat=self.seat, key=self.key, offset=self.offset, choice=self.choice,
                policy=self.policy, **self.extra,
            )  # fmt: skip


def from_tree(tree: Tree, policy: Floats, about: Mapping[str, Any], extra: Mapping[str, Any] | None = None) -> Table:
    """The table of a policy over an unrolled game."""
    game = tree.game
    head = {"game": game.name, "options": dict(game.options), "version": game.version}
    return Table(
        head | dict(about), tree.owner, tree.key, tree.offset.astype(np.int64), tree.choice, policy, extra or {}
    )


def on_tree(table: Table, tree: Tree) -> Floats:
    """[entries]: a table's policy over an unrolled game, uniform where it has no row."""
    policy = tree.uniform()
    rows = table.rows(tree.owner.astype(np.int64), tree.key)
    known = np.flatnonzero(rows >= 0)
    sizes, theirs = np.diff(tree.offset)[known], np.diff(table.offset)[rows[known]]
    wrong = rows[known][sizes != theirs]
    if len(wrong):
        raise _illegal(int(wrong[0]))
    ours, entries = _entries(tree.offset, known)[1], _entries(table.offset, rows[known])[1]
    if not np.array_equal(tree.choice[ours], table.choice[entries]):
        place = np.flatnonzero(tree.choice[ours] != table.choice[entries])[0]
        raise _illegal(int(np.searchsorted(table.offset, entries[place], "right")) - 1)
    policy[ours] = table.policy[entries]
    return policy


def _illegal(row: int) -> BadPolicy:
    return BadPolicy(f"row {row} of the table has other actions than are legal at its information set: it is damaged")


def _entries(offset: NDArray[Any], rows: Ints) -> tuple[Ints, Ints]:
    """The entries of some rows one after another, and which of the rows each belongs to."""
    sizes = offset[rows + 1] - offset[rows]
    whose = np.repeat(np.arange(len(rows)), sizes)
    first = np.repeat(offset[rows] - (np.cumsum(sizes) - sizes), sizes)
    return whose, first + np.arange(len(whose))


def from_store(seen: Abstraction, store: Store, about: Mapping[str, Any], game: Game | None = None) -> Table:
    """The table of the average policy a sampling solver has found;
    `game` is the one it shall play if not the one learned on."""
    made = game or seen.game
    head = {"game": made.name, "options": dict(made.options), "version": made.version}
    rows = int(store.counts[ROWS])
    order = np.lexsort((store.key[:rows], store.who[:rows]))
    sizes = np.diff(store.start[: rows + 1])[order]
    offset = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    place = np.repeat(store.start[:rows][order] - offset[:-1], sizes) + np.arange(offset[-1])
    sums = store.total[place]
    mass = np.repeat(np.add.reduceat(sums, offset[:-1]) if rows else np.zeros(0), sizes)
    policy = np.where(mass > 0.0, sums / np.where(mass > 0.0, mass, 1.0), 1.0 / np.repeat(sizes, sizes))
    kind = {"keys": seen.keys, "actions": seen.actions}
    return Table(
        head | kind | dict(about), store.who[:rows][order], store.key[:rows][order], offset, store.choice[place], policy
    )


@cache
def _row_reader(seen: Abstraction) -> Callable[..., int]:
    return specialise(_read_rows, seen.tag, abstraction=seen.space)


def _read_rows(
    states: Ints, seats: Ints, low: Ints, high: Ints, keys: Ints, offset: Ints, choice: NDArray[np.int32],
    policy: Floats, out: Floats,
) -> int:  # fmt: skip
    """Fill in `out`, each state with the rows low to high;
    gives the first row with an action that is illegal there, or -1."""
    mask = np.zeros(abstraction.ACTIONS, np.bool_)
    for i in range(len(states)):
        key = abstraction.key(states[i], seats[i])
        row = low[i] + np.searchsorted(keys[low[i] : high[i]], key)
        n = abstraction.legal(states[i], mask)
        if row < high[i] and keys[row] == key:
            for e in range(offset[row], offset[row + 1]):
                if not mask[choice[e]]:
                    return row
                out[i, abstraction.concrete(states[i], choice[e])] += policy[e]
        else:
            for action in range(abstraction.ACTIONS):
                if mask[action]:
                    out[i, abstraction.concrete(states[i], action)] += 1.0 / n
    return -1


HEADER = Fields(
    {"format": Whole(FORMAT, FORMAT), "game": line(100), "options": OPTIONS, "version": Whole()},
    {"keys": line(100), "actions": line(100)},
    rest=Anything(),
)
"""What a table says of itself."""


def columns(players: int, actions: int) -> dict[str, Column]:
    """The arrays of a table for so many seats and actions."""
    return {
        "header": TEXT, "seat": Column("i4", ("rows",), ANY_SEAT, players - 1), "key": Column("i8", ("rows",)),
        "offset": Column("i8", ("rows+1",), 0), "choice": Column("i4", ("entries",), 0, actions - 1),
        "policy": Column("f8|f4", ("entries",), 0.0, 1.0 + SLACK),
    }  # fmt: skip


def load(path: str | Path, game: Game | None = None) -> Table:
    """Read a table, and check that it is one and that it belongs to the game."""
    try:
        arrays = read_arrays(path, columns(MOST_PLAYERS, MOST_ACTIONS), rest=Column(""))
        about = json_array(arrays, "header")
        if isinstance(about, dict) and about.get("format") != FORMAT:
            raise BadPolicy(f"{path} is of another format than this version reads ({FORMAT})")
        HEADER.check(about)
        del about["format"]
        fields = {name: arrays.pop(name) for name in ("seat", "key", "offset", "choice", "policy")}
        table = Table(about, **fields, extra=arrays)
        _check(table)
        if game is None:
            return table
        if not table.belongs_to(game):
            options = " ".join(f"--set {key}={value}" for key, value in about["options"].items())
            raise BadPolicy(f"{path} was made for {about['game']} {options}".rstrip() + f", not for this {game.name}")
        _check_game(table, game)
    except FileNotFoundError:
        raise BadPolicy(f"there is no file {path}: `kibitz solve GAME --out FILE` writes one") from None
    except BadPolicy:
        raise
    except KibitzError as problem:
        raise BadPolicy(f"{path} is not a policy file of kibitz, or is damaged: {problem}") from None
    return table


def _check(table: Table) -> None:
    """What must be right before rows are looked up: rows in order, one behind the other, each a distribution."""
    check_offsets("offset", table.offset, len(table.choice))
    seat, key = table.seat, table.key
    unsorted = (seat[1:] < seat[:-1]) | ((seat[1:] == seat[:-1]) & (key[1:] <= key[:-1]))
    if unsorted.any():
        place = int(np.flatnonzero(unsorted)[0]) + 1
        raise BadRecord(
            f"key[{place}] is {key[place]}: more than key[{place - 1}] is, for rows are sorted by seat and key"
        )
    if len(seat) and seat[0] == ANY_SEAT and seat[-1] != ANY_SEAT:
        raise BadRecord(f"seat[{len(seat) - 1}] is {seat[-1]}: {ANY_SEAT} is, as in the other rows")
    sums = np.add.reduceat(table.policy, table.offset[:-1]) if len(key) else np.ones(1)
    if not np.allclose(sums, 1.0, atol=SLACK):
        row = int(np.flatnonzero(~np.isclose(sums, 1.0, atol=SLACK))[0])
        raise BadRecord(f"the probabilities of row {row} sum to {sums[row]:g}: one is right")


def _check_game(table: Table, game: Game) -> None:
    """What must be right before a kernel of the game meets the table."""
    space = abstraction_of(game, table.about.get("keys", FULL), table.about.get("actions", FULL)).space
    check_range("seat", Column("i4", None, ANY_SEAT, game.PLAYERS - 1), table.seat)
    check_range("choice", Column("i4", None, 0, space.ACTIONS - 1), table.choice)

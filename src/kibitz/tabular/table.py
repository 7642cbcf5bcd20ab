"""Tabular policies as data: an npz file of plain arrays that says which game it belongs to. No pickle."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.errors import BadPolicy
from kibitz.core.files import whole_file
from kibitz.core.game import Game, same_rules
from kibitz.core.jit import specialise
from kibitz.core.tree import Tree
from kibitz.core.view import Views
from kibitz.tabular.lens import FULL, Lens
from kibitz.tabular.lens import lens as lens_of
from kibitz.tabular.store import ROWS, Store

FORMAT = 1
ANY_SEAT = -1

lens: Any = None  # bound by specialise

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


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
        out[known] = 0.0
        out[known[whose], self.choice[entry]] = self.policy[entry]
        return out

    def _seen_through_a_lens(self, views: Views) -> Floats:
        """[n, ACTIONS]: abstract actions as the actions they stand for, uniform over them where the table has no row."""
        out = np.zeros((len(views), views.game.ACTIONS))
        rows = _row_reader(lens_of(views.game, self.about.get("keys", FULL), self.about.get("actions", FULL)))
        rows(views.states, views.seats, self.key, self.offset, self.choice, self.policy.astype(np.float64), out)
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
    policy[_entries(tree.offset, known)[1]] = table.policy[_entries(table.offset, rows[known])[1]]
    return policy


def _entries(offset: NDArray[Any], rows: Ints) -> tuple[Ints, Ints]:
    """The entries of some rows one after another, and which of the rows each belongs to."""
    sizes = offset[rows + 1] - offset[rows]
    whose = np.repeat(np.arange(len(rows)), sizes)
    first = np.repeat(offset[rows] - (np.cumsum(sizes) - sizes), sizes)
    return whose, first + np.arange(len(whose))


def from_store(seen: Lens, store: Store, about: Mapping[str, Any], game: Game | None = None) -> Table:
    """The table of the average policy a sampling solver has found; `game` is the one it shall play if not the one learned on."""
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
def _row_reader(seen: Lens) -> Callable[..., None]:
    return specialise(_read_rows, seen.tag, lens=seen.space)


def _read_rows(
    states: Ints, seats: Ints, keys: Ints, offset: Ints, choice: NDArray[np.int32], policy: Floats, out: Floats
) -> None:
    mask = np.zeros(lens.ACTIONS, np.bool_)
    for i in range(len(states)):
        key = lens.key(states[i], seats[i])
        row = np.searchsorted(keys, key)
        if row < len(keys) and keys[row] == key:
            for e in range(offset[row], offset[row + 1]):
                out[i, lens.concrete(states[i], choice[e])] += policy[e]
        else:
            n = lens.legal(states[i], mask)
            for action in range(lens.ACTIONS):
                if mask[action]:
                    out[i, lens.concrete(states[i], action)] += 1.0 / n


def load(path: str | Path, game: Game | None = None) -> Table:
    """Read a table, and check that it is one and that it belongs to the game."""
    try:
        with np.load(path, allow_pickle=False) as data:
            arrays = {name: data[name] for name in data.files}
        about = json.loads(arrays.pop("header").tobytes())
        if about.pop("format") != FORMAT:
            raise BadPolicy(f"{path} is of another format than this version reads ({FORMAT})")
        fields = {name: arrays.pop(name) for name in ("seat", "key", "offset", "choice", "policy")}
        table = Table(about, **fields, extra=arrays)
        _check(table)
    except FileNotFoundError:
        raise BadPolicy(f"there is no file {path}: `kibitz solve GAME --out FILE` writes one") from None
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, EOFError, AttributeError) as problem:
        if isinstance(problem, BadPolicy):
            raise
        reason = "it is no npz file" if "pickle" in str(problem) else problem
        raise BadPolicy(f"{path} is not a policy file of kibitz, or is damaged: {reason}") from None
    if game is not None and not table.belongs_to(game):
        options = " ".join(f"--set {key}={value}" for key, value in about["options"].items())
        raise BadPolicy(f"{path} was made for {about['game']} {options}".rstrip() + f", not for this {game.name}")
    return table


def _check(table: Table) -> None:
    if len(table.offset) != len(table.key) + 1 or table.offset[-1] != len(table.choice) != len(table.policy):
        raise BadPolicy("its arrays do not fit together")
    sums = np.add.reduceat(table.policy, table.offset[:-1]) if len(table.key) else np.ones(1)
    if not np.allclose(sums, 1.0, atol=1e-6) or (table.policy < 0).any():
        raise BadPolicy("its probabilities do not sum to one")

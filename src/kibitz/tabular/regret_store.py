"""Information sets that are found while a game is sampled: a hash table that grows without losing entries.

Rows are numbered in the order of their first visit; a row's actions lie side by side in `choice`, `regret`, `total`.
Compiled code only fills a store; between two iterations Python makes room, so a row never moves while it is in use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.arrays import Column, check_offsets
from kibitz.core.bits import mix
from kibitz.core.errors import BadInput, BadRecord
from kibitz.core.jit import kernel
from kibitz.core.schema import MOST_COUNT
from kibitz.core.shapes import Floats, Ints

ROWS, ENTRIES, COUNTS_TOUCHED, LOST, MOST_NEW = range(5)
EMPTY = -1
GIGA = 10**9


class Store(NamedTuple):
    """The arrays of a table that is being learned."""

    slots: NDArray[np.int32]
    """[power of two]: row numbers by hash, EMPTY where free."""
    key: Ints
    """[rows]"""
    who: NDArray[np.int32]
    """[rows]: the seat, or -1 for keys shared by all seats."""
    start: Ints
    """[rows + 1]"""
    choice: NDArray[np.int32]
    """[entries]: action ids."""
    regret: Floats
    total: Floats
    """[entries]: strategy sums."""
    skip: NDArray[np.int32]
    """[entries]: for how many more visits an action need not be looked at."""
    counts: Ints
    """Rows, entries, nodes touched, sets that found no room, and the most new rows of one iteration."""


def empty_store(rows: int = 1 << 12, width: int = 4) -> Store:
    """A store with room for so many rows of so many actions."""
    entries = rows * width
    return Store(
        np.full(_slots_for(rows), EMPTY, np.int32), np.zeros(rows, np.int64), np.zeros(rows, np.int32),
        np.zeros(rows + 1, np.int64), np.zeros(entries, np.int32), np.zeros(entries), np.zeros(entries),
        np.zeros(entries, np.int32), np.zeros(5, np.int64),
    )  # fmt: skip


def roomy(store: Store, actions: int, most: int) -> Store:
    """The same store, or a larger copy if the next iterations might fill it; refuses to take more than `most` bytes."""
    if store.counts[LOST]:
        raise BadInput("one iteration met more new information sets than there was room for: begin with a larger store")
    rows, entries = int(store.counts[ROWS]), int(store.counts[ENTRIES])
    margin = max(len(store.key) // 4, 4 * int(store.counts[MOST_NEW]), 2)  # two: a walk stops before the last row
    width = max(4, -(-entries // max(rows, 1)))
    wants_rows = rows + margin > len(store.key)
    wants_entries = entries + margin * width + actions > len(store.choice)
    if not wants_rows and not wants_entries:
        return store
    new_rows = max(len(store.key) * 2, rows + 2 * margin) if wants_rows else len(store.key)
    new_entries = max(len(store.choice) * 2, entries + 2 * margin * width + actions)
    wanted = _bytes(store, new_rows, new_entries)
    if wanted > most:
        raise BadInput(
            f"{rows:,} information sets fill the memory allowed, and {wanted / GIGA:.1f} GB would be next: --memory "
            "allows more; a smaller --depth, other --keys or a smaller game needs less"
        )
    larger = empty_store(new_rows, 1)
    names = ("choice", "regret", "total", "skip")
    parts: dict[str, Any] = {name: np.zeros(new_entries, getattr(store, name).dtype) for name in names}
    for name in names:
        parts[name][:entries] = getattr(store, name)[:entries]
    larger.key[:rows], larger.who[:rows] = store.key[:rows], store.who[:rows]
    larger.start[: rows + 1] = store.start[: rows + 1]
    larger.counts[:] = store.counts
    grown = larger._replace(**parts)
    _fill_slots(grown, rows)
    return grown


def packed(store: Store) -> dict[str, NDArray[np.generic]]:
    """What a store holds, without its spare room: enough to go on."""
    rows, entries = int(store.counts[ROWS]), int(store.counts[ENTRIES])
    return {
        "row_key": store.key[:rows], "row_who": store.who[:rows], "row_start": store.start[: rows + 1],
        "row_choice": store.choice[:entries], "regret": store.regret[:entries], "total": store.total[:entries],
        "skip": store.skip[:entries], "counts": store.counts,
    }  # fmt: skip


def columns(players: int, actions: int) -> dict[str, Column]:
    """The arrays that `packed` gives for a game of so many seats and actions."""
    return {
        "row_key": Column("i8", ("rows",)), "row_who": Column("i4", ("rows",), -1, players - 1),
        "row_start": Column("i8", ("rows+1",), 0), "row_choice": Column("i4", ("entries",), 0, actions - 1),
        "regret": Column("f8", ("entries",)), "total": Column("f8", ("entries",), 0.0),
        "skip": Column("i4", ("entries",)), "counts": Column("i8", (5,), 0, MOST_COUNT),
    }  # fmt: skip


def check_packed(arrays: Mapping[str, NDArray[Any]]) -> None:
    """What must be right in a store beyond the ranges of its numbers."""
    rows, entries = len(arrays["row_key"]), len(arrays["row_choice"])
    check_offsets("row_start", arrays["row_start"], entries)
    for place, right in ((ROWS, rows), (ENTRIES, entries), (LOST, 0)):
        if arrays["counts"][place] != right:
            raise BadRecord(f"counts[{place}] is {arrays['counts'][place]}: {right} is")
    if arrays["counts"][MOST_NEW] > rows:
        raise BadRecord(f"counts[{MOST_NEW}] is {arrays['counts'][MOST_NEW]}: a number up to {rows} is")
    order = np.lexsort((arrays["row_key"], arrays["row_who"]))
    key, who = arrays["row_key"][order], arrays["row_who"][order]
    if ((key[1:] == key[:-1]) & (who[1:] == who[:-1])).any():
        raise BadRecord("row_key names an information set twice")


def unpacked(arrays: Mapping[str, NDArray[Any]]) -> Store:
    """A store from what `packed` gave."""
    rows, entries = len(arrays["row_key"]), len(arrays["row_choice"])
    store = empty_store(max(2 * rows, 1 << 12), 1)
    parts: dict[str, Any] = {}
    for name, source in (("choice", "row_choice"), ("regret", "regret"), ("total", "total"), ("skip", "skip")):
        parts[name] = np.zeros(max(2 * entries, 1 << 14), getattr(store, name).dtype)
        parts[name][:entries] = arrays[source]
    store.key[:rows], store.who[:rows] = arrays["row_key"], arrays["row_who"]
    store.start[: rows + 1] = arrays["row_start"]
    store.counts[:] = arrays["counts"]
    store = store._replace(**parts)
    _fill_slots(store, rows)
    return store


def added(stores: Sequence[Store]) -> Store:
    """One store with every row of several and their strategy sums added."""
    most = sum(int(store.counts[ROWS]) for store in stores)
    whole = empty_store(most + 2, 1)
    entries = sum(int(store.counts[ENTRIES]) for store in stores)
    whole = whole._replace(choice=np.zeros(entries, np.int32), regret=np.zeros(entries), total=np.zeros(entries))
    for store in stores:
        _add(whole, store)
    return whole


def memory(store: Store) -> int:
    """Bytes that the store takes, spare room included."""
    return int(sum(part.nbytes for part in store))


def _bytes(store: Store, rows: int, entries: int) -> int:
    """What a store of this size takes."""
    of_rows = sum(part.itemsize for part in (store.key, store.who, store.start))
    of_entries = sum(part.itemsize for part in (store.choice, store.regret, store.total, store.skip))
    return _slots_for(rows) * store.slots.itemsize + rows * of_rows + entries * of_entries


def _slots_for(rows: int) -> int:
    return 1 << max(4, (2 * rows - 1).bit_length())


@kernel
def slot_of(slots: NDArray[np.int32], keys: Ints, whos: NDArray[np.int32], key: int, who: int) -> int:
    """Where a set is, or where it would go."""
    last = len(slots) - 1
    at = mix(key ^ (who + 1)) & last
    while slots[at] != EMPTY:
        row = slots[at]
        if keys[row] == key and whos[row] == who:
            break
        at = (at + 1) & last
    return at


@kernel
def find(slots: NDArray[np.int32], keys: Ints, whos: NDArray[np.int32], key: int, who: int) -> int:
    """The row of a set, EMPTY if it has none."""
    return slots[slot_of(slots, keys, whos, key, who)]


@kernel
def row_for(
    slots: NDArray[np.int32], keys: Ints, whos: NDArray[np.int32], start: Ints, choices: NDArray[np.int32],
    counts: Ints, key: int, who: int, actions: NDArray[np.int32], base: int, n: int,
) -> int:  # fmt: skip
    """The row of a set, made if it is new with actions[base : base + n]; EMPTY (and counted as lost) without room."""
    at = slot_of(slots, keys, whos, key, who)
    row = slots[at]
    if row != EMPTY:
        return row
    row = counts[ROWS]
    first = counts[ENTRIES]
    if row + 1 >= len(keys) or first + n > len(choices):
        counts[LOST] += 1
        return EMPTY
    slots[at] = row
    keys[row] = key
    whos[row] = who
    start[row] = first
    start[row + 1] = first + n
    for k in range(n):
        choices[first + k] = actions[base + k]
    counts[ROWS] = row + 1
    counts[ENTRIES] = first + n
    return row


@kernel
def listed(mask: NDArray[np.bool_], choice: NDArray[np.int32], base: int) -> int:
    """Write the actions of a mask to choice[base:]; gives how many there are."""
    n = 0
    for action in range(len(mask)):
        if mask[action]:
            choice[base + n] = action
            n += 1
    return n


@kernel
def match(start: Ints, regret: Floats, row: int, n: int, sigma: Floats, base: int) -> bool:
    """Regret matching at a row, written to sigma[base : base + n]; gives whether any regret is positive."""
    positive = 0.0
    if row != EMPTY:
        first = start[row]
        for k in range(n):
            sigma[base + k] = max(regret[first + k], 0.0)
            positive += sigma[base + k]
    for k in range(n):
        sigma[base + k] = sigma[base + k] / positive if positive > 0.0 else 1.0 / n
    return positive > 0.0


@kernel
def may_skip(r: rng.Rng, skip: NDArray[np.int32], regret: Floats, e: int, step: float, odds: float) -> bool:
    """Whether an action nobody would choose is left out at this visit:
    as its count says, or by chance if `odds` are given."""
    if odds > 0.0:
        return regret[e] < -step and rng.uniform(r) < odds
    if skip[e] > 0:
        skip[e] -= 1
        return True
    return False


@kernel
def surely_negative(regret: float, step: float, is_linear: bool) -> int:
    """For how many visits a regret stays negative if each raises it by at most `step`;
    linear weights may double meanwhile."""
    return int(-regret / (step * (2.0 if is_linear else 1.0)))


@kernel
def draw(r: rng.Rng, sigma: Floats, base: int, n: int) -> int:
    """An index below n, drawn with the weights sigma[base : base + n]."""
    left = rng.uniform(r)
    last = 0
    for k in range(n):
        if sigma[base + k] > 0.0:
            last = k
            left -= sigma[base + k]
            if left < 0.0:
                return k
    return last


@kernel
def _add(whole: Store, store: Store) -> None:
    for row in range(store.counts[ROWS]):
        first, n = store.start[row], store.start[row + 1] - store.start[row]
        there = row_for(
            whole.slots, whole.key, whole.who, whole.start, whole.choice, whole.counts, store.key[row], store.who[row],
            store.choice, first, n,
        )  # fmt: skip
        for k in range(n):
            whole.total[whole.start[there] + k] += store.total[first + k]


@kernel
def _fill_slots(store: Store, rows: int) -> None:
    for row in range(rows):
        store.slots[slot_of(store.slots, store.key, store.who, store.key[row], store.who[row])] = row

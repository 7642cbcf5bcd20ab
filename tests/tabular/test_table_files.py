"""Tables and checkpoints that are well-formed and wrong: refused with the place, before a kernel meets them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import BadInput, BadPolicy
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.shipped import shipped_folder
from kibitz.tabular.solving import load_checkpoint, save_checkpoint, start
from kibitz.tabular.table import load

pytestmark = pytest.mark.skipif(PLAIN, reason="too slow without compilation")

Change = Callable[[dict[str, Any]], None]


def changed(source: Path, target: Path, change: Change) -> Path:
    with np.load(source) as data:
        arrays = {name: data[name] for name in data.files}
    change(arrays)
    with open(target, "wb") as file:
        np.savez(file, **arrays)
    return target


def put(name: str, place: int, value: float) -> Change:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name][place] = value

    return change


def swapped(name: str) -> Change:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name][[3, 4]] = arrays[name][[4, 3]]

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("choice", 7, 10**8), r"choice\[7\] is 100000000"),
        (put("choice", 7, 5000), r"choice\[7\] is 5000: a number from 0 up to"),
        (put("choice", 7, -1), r"choice\[7\] is -1"),
        (put("offset", 5, 2**40), r"offset\[6\] is"),
        (put("offset", 0, 1), r"offset\[0\] is 1: 0 is"),
        (put("offset", -1, 3), r"offset\[37921\] is 3"),
        (put("policy", 0, 7.0), r"policy\[0\] is 7.0"),
        (put("policy", 0, float("nan")), r"policy\[0\] is nan"),
        (swapped("key"), r"key\[4\] is .*: more than key\[3\] is"),
        (put("seat", 0, 5), "seat|key"),
        (lambda arrays: arrays.update(policy=arrays["policy"][:-1]), "policy has the shape"),
        (lambda arrays: arrays.update(policy=arrays["policy"][:-1], choice=arrays["choice"][:-1]), "offset"),
        (lambda arrays: arrays.pop("header"), "header is missing"),
    ],
)
def test_a_wrong_table_is_refused_with_the_place(tmp_path: Path, change: Change, said: str) -> None:
    path = changed(shipped_folder() / "cheat-paper.npz", tmp_path / "x.npz", change)
    with pytest.raises(BadPolicy, match=said) as raised:
        load(path, make("cheat-paper"))
    assert "\n" not in str(raised.value)


def test_a_row_with_illegal_actions_is_refused_when_it_is_played(tmp_path: Path) -> None:
    from kibitz.bots import make_bot
    from kibitz.core.batch import Batch

    game = make("leduc")
    run = start(game, "cfr+")
    run.run(3)
    run.table({"method": "cfr+"}).save(tmp_path / "good.npz")

    def change(arrays: dict[str, Any]) -> None:
        arrays["choice"][:] = 0  # nobody may fold before there is a bet

    bot = make_bot(game, f"table:{changed(tmp_path / 'good.npz', tmp_path / 'bad.npz', change)}")
    with pytest.raises(BadPolicy, match="other actions than are legal"):
        bot.act_batch(Batch(game, 4, seed=1).views())


@pytest.mark.parametrize(
    ("method", "change", "said"),
    [
        ("external", put("row_start.0", 1, 2**40), r"row_start.0\[|row_start\["),
        ("external", put("row_choice.0", 0, 3), r"row_choice.0\[0\] is 3: a number from 0 up to 2 is"),
        ("external", put("row_who.0", 0, 9), r"row_who.0\[0\] is 9"),
        ("external", put("counts.0", 0, 2**40), r"counts\[0\] is 1099511627776"),
        ("external", put("counts.0", 4, 2**40), r"counts\[4\] is"),
        ("external", lambda arrays: arrays.update({"row_key.0": arrays["row_key.0"][:-1]}), "has the shape"),
        ("external", lambda arrays: arrays["row_key.0"].fill(0), "twice"),
        ("cfr+", lambda arrays: arrays.update(regret=arrays["regret"][:-1]), "regret has the shape"),
        ("cfr+", lambda arrays: arrays.update(iterations=np.array(-1)), "iterations is -1"),
        ("cfr+", put("total", 0, -1.0), r"total\[0\] is -1.0"),
        ("cfr+", lambda arrays: arrays.pop("prediction"), "prediction is missing"),
    ],
)
def test_a_wrong_checkpoint_is_refused_with_the_place(tmp_path: Path, method: str, change: Change, said: str) -> None:
    run = start(make("leduc"), method)
    run.run(20)
    save_checkpoint(tmp_path / "good.npz", run, {"method": method})
    path = changed(tmp_path / "good.npz", tmp_path / "bad.npz", change)
    with pytest.raises(BadInput, match=said):
        load_checkpoint(path, start(make("leduc"), method), {"method": method})
    load_checkpoint(tmp_path / "good.npz", run, {"method": method})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (put("walk_where.0", 0, 2), r"walk_where is \[2, .*not possible"),
        (put("walk_where.0", 1, -1), r"walk_where.0\[1\] is -1"),
        (put("walk_path.0", 0, 10**6), r"walk_path.0\[0\] is 1000000: a number from 0 up to"),
        (put("walk_at.0", 0, 3), r"walk_at.0\[0\] is 3: a number from 0 up to 2 is"),
        (put("walk_sigma.0", 0, 1.5), r"walk_sigma.0\[0\] is 1.5"),
        (put("walk_value.0", 0, float("inf")), r"walk_value.0\[0\] is inf"),
        (put("walk_luck.0", 0, 1), "walk_luck is not that of iteration 1 of seed 1"),
        (lambda arrays: arrays.pop("walk_where.0"), "walk_where is missing"),
        (lambda arrays: arrays.update({"walk_at.0": arrays["walk_at.0"][:-1]}), "has the shape"),
        (lambda arrays: arrays.update({"walk_at.1": arrays["walk_at.0"]}), "walk_at.1 is no part of it"),
    ],
)
def test_a_wrong_walk_is_refused_with_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change, said: str
) -> None:
    monkeypatch.setattr("kibitz.tabular.mccfr.NODES", 4)
    run = start(make("leduc"), "external")
    run.run_to(1, until=0.0)
    save_checkpoint(tmp_path / "good.npz", run, {})
    path = changed(tmp_path / "good.npz", tmp_path / "bad.npz", change)
    with pytest.raises(BadInput, match=said):
        load_checkpoint(path, start(make("leduc"), "external"), {})
    load_checkpoint(tmp_path / "good.npz", start(make("leduc"), "external"), {})

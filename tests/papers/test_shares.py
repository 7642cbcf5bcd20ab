"""An experiment's pieces in parts: each is computed once, by one part, and joined they give what one run gives."""

import pickle
from functools import partial

import pytest

from kibitz.arena.parts import Part
from kibitz.core.errors import BadInput
from kibitz.papers.cost import experiments_cost
from kibitz.papers.experiment import Asked, OthersTurn, Scale
from kibitz.papers.pieces import Pieces

COUNT = 7


def pieces(tmp_path, part=None, place=0, join=False):
    return Pieces(tmp_path, "shared.squares", 1, "quick", 1, part, place, join)


def scale(tmp_path, **more):
    return Scale("quick", pieces=pieces(tmp_path, **more))


def squared(done, number):
    done.append(number)
    return number * number


def squares(given, done):
    """Independent pieces, then one that needs them all."""
    found = given.each([Asked(f"square {k}", [k], partial(squared, done, k)) for k in range(COUNT)], "squares")
    return given.piece("sum", [], lambda: sum(found))


def test_each_gives_the_values_in_order_and_computes_none_again(tmp_path):
    done = []
    assert squares(scale(tmp_path), done) == sum(k * k for k in range(COUNT))
    assert done == list(range(COUNT))
    assert squares(scale(tmp_path), done) == sum(k * k for k in range(COUNT)) and len(done) == COUNT
    assert squares(Scale(), done) == sum(k * k for k in range(COUNT)) and len(done) == 2 * COUNT


def test_parts_compute_every_piece_once_and_stop_where_others_must_go_on(tmp_path):
    done = []
    for number in (1, 2, 3):
        with pytest.raises(OthersTurn, match="belong"):
            squares(scale(tmp_path, part=Part(number, 3), place=1), done)
        with pytest.raises(BadInput, match="run the parts that are missing"):
            squares(scale(tmp_path, join=True), done)
    assert sorted(done) == list(range(COUNT))
    # The sum belongs to the second part, by the place of the experiment; it had to wait for the third.
    assert squares(scale(tmp_path, part=Part(2, 3), place=1), done) == 91
    assert squares(scale(tmp_path, join=True), done) == 91 and len(done) == COUNT


def test_what_travels_of_a_scale_is_what_decides_results():
    told = []
    there = pickle.loads(pickle.dumps(Scale("full", 7, 2, lambda *words: told.append(words))))
    assert (there.name, there.seed, there.threads, there.pieces, there.executor) == ("full", 7, 2, None, None)


def test_a_dry_run_of_experiments_counts_what_is_kept_as_done(tmp_path):
    whole = experiments_cost(["kuhn.value"], Scale("full"), tmp_path)
    (tmp_path / "kuhn.value").mkdir()
    (tmp_path / "kuhn.value" / "piece.json").write_text('{"seconds": 1000000}')
    (tmp_path / "kuhn.value" / "other.json").write_text("half a fi")
    assert whole.core_hours > 0 == experiments_cost(["kuhn.value"], Scale("full"), tmp_path).core_hours

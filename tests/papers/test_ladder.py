"""Ladders are played, kept and shown; the page is what the kept data say."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from kibitz.arena.ladder import _ratings, climb, entrants
from kibitz.bots import make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.papers import ladder

ROOT = Path(__file__).parents[2]


def test_the_page_is_written_from_what_is_kept():
    assert not ladder.outdated(ROOT), "docs/ladder.md and src/kibitz/papers/ladders differ: run kibitz ladder --docs"
    assert ladder.kept_ladders()


def test_a_ladder_is_played_written_and_goes_on(tmp_path):
    game = make("kuhn")
    first = climb(game, {}, entrants(game), 2, 3, shards=tmp_path / "shards")
    assert [rung["bot"] for rung in first["rungs"]] == ["kuhn-rule", "random"]
    assert first["anchor"] == "kuhn-rule" and first["rungs"][1]["mean"] < 0
    pieces = {path: path.stat().st_mtime_ns for path in (tmp_path / "shards").iterdir()}
    assert pieces
    again = climb(game, {}, entrants(game), 2, 3, shards=tmp_path / "shards")
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "shards").iterdir()} == pieces
    assert again["rungs"][1]["mean"] == first["rungs"][1]["mean"]
    ladder.write_ladder(first, tmp_path / "kept" / "kuhn.json")
    (tmp_path / "docs").mkdir()
    assert len(ladder.write_page(tmp_path, tmp_path / "kept")) == 2 and not ladder.outdated(tmp_path, tmp_path / "kept")
    text = (tmp_path / "docs" / "ladder.md").read_text()
    assert "`kibitz match kuhn --bots random,kuhn-rule --deals 200 --seed 3`" in text


def test_who_wins_every_deal_has_a_rating():
    won = SimpleNamespace(sheet=SimpleNamespace(difference=np.ones(5000)))
    found = _ratings("a", {"b": won})
    assert found["a"] == (0.0, 0.0) and found["b"][0] > 1000 and found["b"][1] > 0


def test_a_damaged_ladder_is_refused_in_one_line(tmp_path):
    (tmp_path / "kuhn.json").write_text('{"format": 1}')
    with pytest.raises(BadInput, match="is no ladder") as raised:
        ladder.kept_ladders(tmp_path)
    assert "\n" not in str(raised.value)


def test_the_plain_searcher_takes_no_knobs():
    with pytest.raises(BadInput, match="plain has no knobs"):
        make_bot(make("skat"), "pimc:plain:worlds=3")

"""Every preset still plays its golden games word for word."""

import numpy as np
import pytest

from kibitz.core.errors import UnknownGame
from tests import playthroughs
from tests.presets import presets


@pytest.mark.parametrize("name", presets())
def test_golden_playthrough(name):
    golden = (playthroughs.FOLDER / f"{name}.txt").read_text()
    assert playthroughs.text(name) == golden, f"if this is meant: python -m tests.playthroughs {name}, and bump VERSION"


def test_the_golden_games_of_one_preset_are_written_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(playthroughs, "FOLDER", tmp_path)
    playthroughs.write(["kuhn"])
    assert [path.name for path in tmp_path.iterdir()] == ["kuhn.txt"]
    with pytest.raises(UnknownGame, match="did you mean kuhn"):
        playthroughs.write(["leduc", "kuhm"])
    assert len(list(tmp_path.iterdir())) == 1


def test_perft_counts_leduc_by_hand():
    from kibitz.core.conformance import perft
    from kibitz.core.game import make
    from kibitz.core.position import Position

    s = Position(make("leduc"), deal="Ks Jh").state
    # call or raise; after call: call or raise, after raise: fold, call or raise.
    assert [perft(make("leduc"), s, depth) for depth in (1, 2)] == [2, 5]
    assert np.array_equal(s, Position(make("leduc"), deal="Ks Jh").state)

"""Every preset still plays its golden games word for word."""

import numpy as np
import pytest

from tests import playthroughs
from tests.presets import presets


@pytest.mark.parametrize("name", presets())
def test_golden_playthrough(name):
    golden = (playthroughs.FOLDER / f"{name}.txt").read_text()
    assert playthroughs.text(name) == golden, "if this change is meant: python -m tests.playthroughs, and bump VERSION"


def test_perft_counts_leduc_by_hand():
    from kibitz.core.conformance import perft
    from kibitz.core.game import make
    from kibitz.core.position import Position

    s = Position(make("leduc"), deal="Ks Jh").state
    # call or raise; after call: call or raise, after raise: fold, call or raise.
    assert [perft(make("leduc"), s, depth) for depth in (1, 2)] == [2, 5]
    assert np.array_equal(s, Position(make("leduc"), deal="Ks Jh").state)

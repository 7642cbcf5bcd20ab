"""Win-rate intervals cover the truth 19 times in 20,
though partners win together and a deal comes up in several seatings."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.arena.fused import own_roles
from kibitz.arena.match import match, summary
from kibitz.arena.scoresheet import COLUMNS
from kibitz.arena.seatings import usual
from kibitz.arena.shards import Shard, line_up
from kibitz.bots import rules
from kibitz.core.game import make, names
from kibitz.core.jit import PLAIN

LEAST = 0.91  # of 400 to 1000 matches; where one deal in ten decides, 95 % cannot quite be had from 40 deals
SEED = 5


def with_sides():
    """Every game in which seats win together."""
    return [name for name in names() if usual(make(name)) != "each" or own_roles(make(name))]


def coverage(name, bots, matches, deals, seatings=None):
    """How often the interval of a small match holds the rate of all of them together, by side or role and bot."""
    game = make(name)
    whole = match(game, bots, matches * deals, SEED, seatings=seatings)
    asked = Shard(game, (line_up(bots[0]), line_up(bots[1])), whole.form, SEED, 0, deals)
    truth = {(k, row.bot, getattr(row, "role", "")): row.wins.rate for k, row in rows(whole)}
    covered = {key: [] for key in truth}
    for at in range(0, matches * deals, deals):
        part = {column: getattr(whole.sheet, column)[at : at + deals] for column in COLUMNS}
        for k, row in rows(summary(asked, replace(whole.sheet, **part))):
            key = (k, row.bot, getattr(row, "role", ""))
            covered[key].append(row.wins.low <= truth[key] <= row.wins.high)
    return {key: float(np.mean(found)) for key, found in covered.items()}


def rows(found):
    """Sides and roles; a bot that plays itself is on both sides, so A and B are told apart by place."""
    yield from enumerate(found.sides)
    for role in found.roles:
        yield "role", role


@pytest.mark.skipif(PLAIN, reason="thousands of games")
def test_intervals_of_partners_cover_19_times_in_20():
    found = coverage("collaborative-kuhn", ["ckp-rule", "random"], 400, 20)
    assert min(found.values()) >= LEAST, found


@pytest.mark.slow
@pytest.mark.parametrize("deals", [10, 40])
@pytest.mark.parametrize("rival", ["random", None])
@pytest.mark.parametrize("name", with_sides())
def test_intervals_cover_19_times_in_20_in_every_game_with_sides(name, rival, deals):
    rule = next(iter(rules(make(name))))
    found = coverage(name, [rule, rival or rule], 1000, deals)
    assert min(found.values()) >= LEAST, found


@pytest.mark.slow
@pytest.mark.parametrize("seatings", ["four", "six", "eight"])
def test_intervals_cover_19_times_in_20_in_every_form_with_a_soloist(seatings):
    found = coverage("skat-suit", ["skat-rule", "random"], 1000, 25, seatings)
    assert min(found.values()) >= LEAST, found

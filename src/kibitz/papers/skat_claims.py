"""What the paper on inference in Skat says, and what our tournaments can tell of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kibitz.arena.statistics import Comparison, Score
from kibitz.papers import claims
from kibitz.papers.result import Claim, Published

PAPER_DEALS = 5_000
"""Of each kind of game; the errors beside the published differences are what so many deals leave."""
OTHER_PLAYERS = (
    "auctions, opponents and the data that policies learned from are of rule-based players, the paper's are of people"
)
WORLDS = (
    "CLI weighs 20,000 worlds here and half a million in the paper, and a hand that comes up in many worlds is "
    "judged once here"
)


def difference(key: str, says: str, published: float, found: Comparison) -> Claim:
    """A difference of tournament points; too few deals to tell the published one from nothing show the form only."""
    ours = found.difference
    known = Published(published, round(ours.se * math.sqrt(ours.n / PAPER_DEALS), 2))
    needed = math.ceil(ours.n * (claims.SURE * ours.se / abs(published)) ** 2 / 100) * 100
    too_few = f"about {needed:,} deals would"
    return claims.difference(key, says, known, ours, reason=OTHER_PLAYERS, too_few=too_few, is_alike=False)


def defence(found: Mapping[str, Mapping[str, Comparison]]) -> Claim:
    """Most of the gain comes from the defenders."""
    larger = [
        name for name, parts in found.items() if abs(parts["def"].difference.mean) > abs(parts["sol"].difference.mean)
    ]
    says = "Most of the gain comes from the defenders: ΔDef is larger than ΔSol"
    told = f"in {len(larger)} of {len(found)} comparisons"
    return claims.sentence(
        "defence", says, "consistently", told, len(larger) > 0.75 * len(found), reason=OTHER_PLAYERS, is_alike=False
    )


def middle(checks: Sequence[tuple[str, Score]]) -> list[Claim]:
    """PI above the others, by the logarithm of the true world's probability in the middle game."""
    return [
        claims.sentence(
            f"PI over {other}",
            f"PI finds the true world more often than {other} (middle game, logarithm of the ratio)",
            "above, everywhere", gain, gain.low > 0, reason=OTHER_PLAYERS, is_alike=False,
        )
        for other, gain in checks
    ]  # fmt: skip


def time_of_a_move(ratio: float) -> Claim:
    """The price of policy inference."""
    says = "A move of PI20 takes roughly 5 times one of CLI"
    return claims.number(
        "PI over CLI", says, Published(5), round(ratio, 2), tolerance=1.0, reason=WORLDS, is_alike=False
    )

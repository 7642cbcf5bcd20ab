"""What the paper on inference in Skat says, and what our tournaments can tell of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kibitz.arena.statistics import Comparison, Score
from kibitz.papers import claims
from kibitz.papers.result import Claim, Published, Verdict

PAPER_DEALS = 5_000
"""Of each kind of game; the errors beside the published differences are what so many deals leave."""
OTHER_PLAYERS = (
    "auctions, opponents and the data that policies learned from are of rule-based players, the paper's are of people"
)
SIGNIFICANT = 0.05


def difference(
    key: str, says: str, published: float, found: Comparison, p: float, paper_deals: int = PAPER_DEALS
) -> Claim:
    """A difference of tournament points with its p, corrected for all that are judged with it.

    What is not significant is undecided, and says how many deals would tell the published one from nothing, unless it
    lies too far from that; it is never reproduced.
    """
    ours = found.difference
    known = Published(published, round(ours.se * math.sqrt(ours.n / paper_deals), 2))
    away = abs(ours.mean - published) > claims.MOST * math.hypot(ours.se, known.se)
    if p < SIGNIFICANT and (ours.mean > 0) != (published > 0):
        ruling = Verdict("missed", "points the other way")
        return Claim(key, says, known, ours, ruling, OTHER_PLAYERS, is_alike=False)
    if p < SIGNIFICANT or away:
        return claims.number(key, says, known, ours, reason=OTHER_PLAYERS, is_alike=False)
    needed = claims.SURE * ours.se / abs(published) if published else math.inf
    if not math.isfinite(needed):
        return claims.form(key, says, known, ours, "undecided", is_alike=False)
    deals = max(ours.n + 100, math.ceil(ours.n * needed**2 / 100) * 100)
    return claims.form(key, says, known, ours, f"undecided, would need {deals:,} deals", is_alike=False)


def cheating(found: Mapping[str, Score]) -> list[Claim]:
    """Cheating loses in suit and grand, and wins in null."""
    signs = {"suit": -1, "grand": -1, "null": 1}
    made = []
    for kind, ours in found.items():
        words = "wins" if signs[kind] > 0 else "loses"
        key, says = f"{kind} cheating", f"{kind.capitalize()} games: who sees all cards {words} against CLI"
        if not abs(ours.mean) > claims.SURE * ours.se:
            made.append(claims.form(key, says, words, ours, "undecided", is_alike=False))
        else:
            holds = ours.mean * signs[kind] > 0
            made.append(claims.sentence(key, says, words, ours, holds, reason=OTHER_PLAYERS, is_alike=False))
    return made


BETTER = (("PI", "PIF", ("suit", "grand", "null")), ("PI100", "PI", ("suit", "grand")), ("PI", "PI100", ("null",)))
"""Which of two variants the paper finds better, and in which kinds of game."""


def variants(found: Mapping[str, Mapping[str, Score]]) -> list[Claim]:
    """What one variant wins more from CLI than another; errors as if each had played deals of its own."""
    made = []
    for first, second, kinds in BETTER:
        for kind in (one for one in kinds if one in found[first]):
            a, b = found[first][kind], found[second][kind]
            gap = Score(a.mean - b.mean, math.hypot(a.se, b.se), min(a.n, b.n), "deal")
            key = f"{kind} {first} over {second}"
            says = f"{kind.capitalize()} games: {first} wins more from CLI than {second}"
            if not abs(gap.mean) > claims.SURE * gap.se:
                made.append(claims.form(key, says, "more", gap, "undecided", is_alike=False))
            else:
                holds = gap.mean > 0
                made.append(claims.sentence(key, says, "more", gap, holds, reason=OTHER_PLAYERS, is_alike=False))
    return made


def larger_in_defence(kind: str, defender: Score, soloist: Score) -> Claim:
    """The ratio is larger in defence, except in null ouvert."""
    is_larger = kind != "null ouvert"
    gap = Score(defender.mean - soloist.mean, math.hypot(defender.se, soloist.se), min(defender.n, soloist.n), "game")
    says = f"{kind.capitalize()} games: PI's ratio is {'larger' if is_larger else 'not larger'} in defence (logarithm)"
    return claims.sentence(
        f"defence {kind}", says, "larger" if is_larger else "not larger", gap, (gap.mean > 0) == is_larger,
        reason=OTHER_PLAYERS, is_alike=False,
    )  # fmt: skip


def turns(when: str, first: str, second: str, gain: Score) -> Claim:
    """KI is above CLI at the start, CLI above KI later."""
    says = f"{when.capitalize()} in the play {first} is above {second} (logarithm of the ratio)"
    return claims.sentence(
        f"{first} over {second}, {when}", says, "above", gain, gain.mean > 0, reason=OTHER_PLAYERS, is_alike=False
    )


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


def time_of_a_move(ratio: float, with_ours: float) -> Claim:
    """The price of policy inference; being faster is no merit here."""
    says = f"A move of PI20 takes roughly 5 times one of CLI (of ours, with as many worlds as PI, {with_ours:.2g})"
    text = "other machines and programs: the ratio is shown, not judged"
    return claims.form("PI over CLI", says, Published(5), round(ratio, 2), text, is_alike=False)

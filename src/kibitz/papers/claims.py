"""Claims: what a paper says, ours beside it, and a verdict that a reader can check.

A claim about a number is reproduced if ours lies within three combined standard errors of it. Where one side is better
it is beaten beyond that on the good side and not reproduced on the bad one. A sentence either holds or does not. Where
the paper prints nothing to compare with, or compares what depends on the run, only the form is shown.

Verdicts are given to full editions. A quick edition is asked one thing only:
whether it shows what the full one leads one to expect.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from kibitz.arena.statistics import Score, WinRate, centre, z_score
from kibitz.papers.result import Cell, Claim, Published, Result, Verdict

MOST = 3.0
"""Combined standard errors within which a number is reproduced."""
SURE = 2.0
"""Standard errors beyond which a difference is told from nothing."""
EXPECTED = 4.0
"""Within which a quick edition shows what the full one does: many are compared, and few should be off by luck."""
ROUNDING = 1e-3
"""The same, relative, for numbers without an error."""


def number(
    key: str, says: str, published: Published, ours: Score | WinRate | float, *, better: str = "",
    tolerance: float | None = None, reason: str = "", caveat: str = "", is_alike: bool = True,
) -> Claim:  # fmt: skip
    """A published number and ours; `better` is `higher` or `lower` where one side is an improvement.

    A tolerance, in the unit of the published number, takes the place of standard errors. The reason is for a number
    that is not reproduced, the caveat for one that is beaten: what made it easier here.
    """
    gap = _value(ours) * (100.0 if published.unit == "%" and isinstance(ours, WinRate) else 1.0) - published.value
    if tolerance is not None:
        away, most = abs(gap), tolerance
        words = f"{gap:+.2g}, {tolerance:.2g} allowed" if gap else "exactly"
    else:
        away, most = abs(_errors_apart(ours, published)), MOST
        words = f"{gap:+.3g}" if math.isinf(away) else f"{away:.1f} standard errors apart"
    if away <= most:
        ruling = Verdict("reproduced", words)
    elif better and (gap > 0) == (better == "higher"):
        ruling = Verdict("beaten", f"by {abs(gap):.3g}{' points' if published.unit == '%' else ''}")
    else:
        ruling = Verdict("missed", words)
    why = {"missed": reason, "beaten": caveat}.get(ruling.kind, "")
    return Claim(key, says, published, ours, ruling, why, is_alike)


def difference(
    key: str, says: str, published: Published, ours: Score, *, reason: str, too_few: str = "", is_alike: bool = True
) -> Claim:  # fmt: skip
    """A published difference and ours: one that points the other way is not reproduced, however wide the errors are.

    If ours can be told neither from the published one nor from nothing, that decides nothing:
    `too_few` says what would.
    """
    reach = SURE * ours.se
    if abs(ours.mean) <= reach:
        if abs(ours.mean - published.value) <= math.hypot(reach, SURE * published.se):
            return form(
                key, says, published, ours, f"not told from nothing{too_few and ': '}{too_few}", is_alike=is_alike
            )
    elif (ours.mean > 0) != (published.value > 0):
        return Claim(key, says, published, ours, Verdict("missed", "points the other way"), reason, is_alike)
    return number(key, says, published, ours, reason=reason, is_alike=is_alike)


def sentence(
    key: str, says: str, published: Cell, ours: Cell, holds: bool, text: str = "", *, reason: str = "",
    is_alike: bool = True
) -> Claim:  # fmt: skip
    """Something the paper says in words, and whether it holds here."""
    ruling = Verdict("reproduced" if holds else "missed", text)
    return Claim(key, says, published, ours, ruling, "" if holds else reason, is_alike)


def form(key: str, says: str, published: Cell, ours: Cell, text: str, *, is_alike: bool = True) -> Claim:
    """What can be shown but not judged, and why not."""
    return Claim(key, says, published, ours, Verdict("form", text), "", is_alike)


def expected(full: Claim, quick: Claim) -> Verdict:
    """Whether a quick edition shows what the full one does; short editions that cannot show only the form."""
    if not full.is_alike or not quick.is_alike:
        return Verdict("form", "too short to judge")
    ours, theirs = quick.ours, full.ours
    if isinstance(ours, Score | WinRate) and isinstance(theirs, Score | WinRate):
        away = abs(z_score(ours, _value(theirs), theirs.se))
        if math.isnan(away):
            return Verdict("open", "no error known")
        kind = "agrees" if away <= EXPECTED else "near"
        return Verdict(kind, "as the full edition" if kind == "agrees" else f"{away:.1f} se from the full edition")
    if isinstance(ours, int | float) and isinstance(theirs, int | float):
        same = math.isclose(ours, theirs, rel_tol=ROUNDING, abs_tol=1e-9)
    else:
        same = ours == theirs
    return Verdict("agrees", "as the full edition") if same else Verdict("near", "other than the full edition")


def claim_of(result: Result, key: str) -> Claim | None:
    """The claim of this key."""
    return next((claim for claim in result.claims if claim.key == key), None)


def summary(claims: Iterable[Claim]) -> str:
    """One word for several claims: what all of them are, or what stands in the way."""
    kinds = {claim.verdict.kind for claim in claims}
    for kind in ("missed", "beaten", "reproduced"):
        if kind in kinds:
            return kind
    return "form"


def _value(ours: Score | WinRate | float) -> float:
    return centre(ours) if isinstance(ours, Score | WinRate) else float(ours)


def _errors_apart(ours: Score | WinRate | float, published: Published) -> float:
    """How many combined standard errors lie between; without any error they are equal or infinitely apart."""
    if isinstance(ours, Score | WinRate):
        scale = 100.0 if published.unit == "%" and isinstance(ours, WinRate) else 1.0
        found = z_score(ours, published.value / scale, published.se / scale)
        return math.inf if math.isnan(found) else found
    gap = ours - published.value
    return gap / published.se if published.se else (0.0 if gap == 0 else math.copysign(math.inf, gap))

"""Playing Coinche with Deep Counterfactual Regret Minimization:
its rule players measured, and its all-pass equilibrium put to the test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import partial
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.arena.play import play
from kibitz.arena.statistics import Score, WinRate, score
from kibitz.bots import CompiledBot, seat_bots
from kibitz.core import rng, uniform
from kibitz.core.bits import popcount
from kibitz.core.game import Game, State, make
from kibitz.core.jit import kernel
from kibitz.games.belotes import ACE, ACES, JACK, NINE, TEN
from kibitz.games.coinche.bots import BOTS, bid_of, strong_plus
from kibitz.games.coinche.layout import BIDDER, HAND, NOBODY, PASS, PHASE, PLAYING, TURN
from kibitz.games.coinche.metrics import RATES, Metrics, metrics
from kibitz.games.coinche.rules import deal
from kibitz.papers import claims
from kibitz.papers.experiment import Cell, Claim, Published, Result, Scale, Table, experiment

PLAYERS = ("random", "coinche-simple", "coinche-strong", "coinche-strong-plus")
SHOWN = ("attack_rate", "success_attacker", "success_defender", "bid_precision", "contract_value", "reward_mean")
PEOPLE: dict[str, Cell] = {
    "attack_rate": Published(40, unit="%"),
    "bid_precision": Published(10),
    "contract_value": "100 to 120",
    "table_turns": Published(10),
}
"""What Appendix C expects of people."""
READINGS = ("", ":tie=1", ":reraise=1", ":faithful_code=1", ":reraise=1:faithful_code=1:tie=1")


def tallies_of(game: Game, bots: str, deals: int, scale: Scale) -> NDArray[np.float64]:
    """The counters of a number of deals between bots."""

    def compute() -> NDArray[np.float64]:
        total = np.zeros(game.TALLIES)
        for chunk in play(game, seat_bots(game, bots), deals, scale.seed, threads=scale.threads):
            total += chunk.tallies
        return total

    return np.array(scale.piece(bots, [game, deals], compute))


def cell(side: Metrics, name: str) -> Cell:
    """One metric as a cell of a table."""
    found = side[name]
    if not found.n:
        return None
    return (
        WinRate(round(found.mean * found.n), found.n) if name in RATES else Score(found.mean, found.se, found.n, "deal")
    )


@experiment("coinche.heuristics")
def heuristics(scale: Scale) -> Result:
    """All pairings of the players, on the paper's rules and on the federation's."""
    deals = scale.pick(quick=20_000, full=1_000_000)
    tables = [_pairings(preset, deals, scale) for preset in ("coinche-paper", "coinche")]
    notes = [
        f"{deals} deals per pairing; the first player sits North and South, the dealer is drawn for every deal.",
        "The paper prints no numbers for these pairings (its curves are images); people are what its Appendix C "
        "expects.",
        "coinche-strong-plus is ours: it does not overtake its partner, counts cards and signals with its discards.",
    ]
    paper = make("coinche-paper")
    both = {
        (us, them): metrics(tallies_of(paper, f"{us},{them},{us},{them}", deals, scale))[0]
        for us, them in (
            ("coinche-simple", "coinche-simple"),
            ("coinche-simple", "coinche-strong"),
            ("coinche-strong", "coinche-strong"),
        )
    }
    made = [
        claims.form(
            f"{us} {them}", f"Mirror reward per deal of {us} against {them}", "no numbers", cell(side, "reward_mean"),
            "the paper prints none"
        )
        for (us, them), side in both.items()
    ]  # fmt: skip
    return Result("Coinche's rule players", tables=[*tables, _readings(deals, scale)], notes=notes, claims=made)


def _pairings(preset: str, deals: int, scale: Scale) -> Table:
    game = make(preset)
    rows: dict[tuple[str, str], list[Cell]] = {}
    pairs = list(combinations_with_replacement(PLAYERS, 2))
    for us, them in scale.track(pairs, f"pairings of {preset}"):
        both = metrics(tallies_of(game, f"{us},{them},{us},{them}", deals, scale))
        rows[us, them] = [us, them, *(cell(both[0], name) for name in (*SHOWN, "table_turns"))]
        rows[them, us] = [them, us, *(cell(both[1], name) for name in (*SHOWN, "table_turns"))]
    order = [rows[us, them] for us in PLAYERS for them in PLAYERS]
    people: list[Cell] = ["people", "", *(PEOPLE.get(name) for name in (*SHOWN, "table_turns"))]
    return Table(f"Every pairing, preset {preset}", ["we", "they", *SHOWN, "table_turns"], [*order, people])


def _readings(deals: int, scale: Scale) -> Table:
    """The paper's rules leave things open: how much do the readings matter?"""
    game = make("coinche-paper")
    rows: list[list[Cell]] = []
    for knobs in scale.track(READINGS, "readings"):
        us, them = f"coinche-strong{knobs}", f"coinche-simple{knobs}"
        side = metrics(tallies_of(game, f"{us},{them},{us},{them}", deals, scale))[0]
        rows.append([knobs.lstrip(":") or "as in PLAYERS.md", *(cell(side, name) for name in SHOWN)])
    return Table("coinche-strong against coinche-simple, by reading of the paper", ["both players", *SHOWN], rows)


# ---- Is all-pass an equilibrium? ------------------------------------------------------------------------------------

HONOURS = ("J", "9", "A", "10")
CLASSES = 16 * 8 * 4
CARD_KNOBS = tuple(BOTS["coinche-strong-plus"].knobs.values())
FEWEST = 30
SURE = 2.0
"""A class of hands is opened if its mean return lies so many standard errors above nothing."""
NEVER = -1.0
OPENING_PAYS = (
    "strong hands gain by opening, whether all four play their cards well or at random: the paper's argument needs "
    "players who cannot play"
)
OTHER_DEALS = 1000  # added to the seed where hands are tried that were chosen on its deals


@kernel
def hand_class(hand: int, suit: int) -> int:
    """What a hand promises in a suit: jack, nine, ace, ten (16), number of trumps (8), aces outside (4,
    three or more alike)."""
    own = hand >> 8 * suit & 255
    length = popcount(own)
    if length == 0:
        return 0
    honours = (own >> JACK & 1) + 2 * (own >> NINE & 1) + 4 * (own >> ACE & 1) + 8 * (own >> TEN & 1)
    outside = min(3, popcount(hand & ACES & ~(255 << 8 * suit)))
    return (honours * 8 + length - 1) * 4 + outside


@kernel
def dealt_classes(first: int, count: int, root: State, blank: State, out: NDArray[np.int64]) -> None:
    """The class of North's spades in each of a run of deals."""
    s = blank.copy()
    r = np.zeros(rng.SLOTS, np.int64)
    for k in range(count):
        rng.enter(r, root, first + k, rng.DEALER, rng.PLAY, 0)
        deal(s, r)
        out[k] = hand_class(s[HAND], 0)


@kernel
def opening_call(view: State, values: NDArray[np.float64]) -> int:
    """80 in the suit whose class pays most, if any pays and nobody has bid; else pass."""
    hand = view[HAND + view[TURN]]
    best, chosen = 0.0, -1
    for suit in range(4):
        value = values[hand_class(hand, suit)]
        if value > best:
            best, chosen = value, suit
    return bid_of(80, chosen) if chosen >= 0 and view[BIDDER] == NOBODY else PASS


@kernel
def competent(view: State, mask: NDArray[np.bool_], r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """Calls by a table of hand classes (empty: always passes), plays its cards as coinche-strong-plus."""
    if view[PHASE] != PLAYING:
        return opening_call(view, knobs[5:])
    return strong_plus(view, mask, r, knobs)


@kernel
def careless(view: State, mask: NDArray[np.bool_], r: rng.Rng, knobs: NDArray[np.float64]) -> int:
    """Calls by a table of hand classes (empty: always passes), plays any legal card."""
    if view[PHASE] != PLAYING:
        return opening_call(view, knobs[5:])
    return uniform.choose(view, mask, r, knobs)


CARD_PLAY = {"competent": competent, "random": careless}


@dataclass(frozen=True)
class Worth:
    """What a contract of 80 returns by the class of the taker's hand."""

    count: NDArray[np.int64]
    mean: NDArray[np.float64]
    se: NDArray[np.float64]

    @property
    def pays(self) -> NDArray[np.bool_]:
        """Where opening pays beyond doubt."""
        return (self.count >= FEWEST) & (self.mean > SURE * self.se)

    def table(self) -> NDArray[np.float64]:
        """The mean where opening pays, else a number below nothing."""
        return np.where(self.pays, self.mean, NEVER)


def players(game: Game, cards: str, openings: Sequence[float] | None) -> list[CompiledBot]:
    """Four players with the same cards; North opens by his table, the others always pass."""
    closed = np.full(CLASSES, NEVER)
    north = closed if openings is None else np.asarray(openings)
    made = CARD_PLAY[cards]
    others = CompiledBot(f"passes, {cards} cards", game, made, [*CARD_KNOBS, *closed])
    return [CompiledBot(f"opens, {cards} cards", game, made, [*CARD_KNOBS, *north]), others, others, others]


def worth_of_eighty(cards: str, deals: int, scale: Scale) -> Worth:
    """Play contracts of 80 spades by North with every hand he may be dealt;
    suits are alike, so spades stand for all."""
    game = make("coinche-paper", auction="none", contract="80s", taker=0)
    parts = []
    for chunk in play(game, players(game, cards, None), deals, scale.seed, threads=scale.threads):
        classes = np.zeros(len(chunk.returns), np.int64)
        dealt_classes(chunk.first, len(classes), rng.root(scale.seed), game.blank(), classes)
        parts.append((classes, chunk.returns[:, 0]))
    classes, returns = (np.concatenate(part) for part in zip(*parts, strict=True))
    count = np.bincount(classes, minlength=CLASSES)
    total = np.bincount(classes, returns, CLASSES)
    squares = np.bincount(classes, returns * returns, CLASSES)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / count
        se = np.sqrt(np.maximum(squares - total * mean, 0) / (count - 1) / count)
    return Worth(count, mean, se)


def deviation(cards: str, worth: Worth, deals: int, scale: Scale) -> tuple[Score, WinRate, Score | None]:
    """North opens where it pays, everybody else passes, on deals of another seed:
    gain per deal, how often, gain when open."""
    game = make("coinche-paper")
    bots = players(game, cards, worth.table().tolist())
    chunks = play(game, bots, deals, scale.seed + OTHER_DEALS, threads=scale.threads)
    gains = np.concatenate([chunk.returns[:, 0] for chunk in chunks])
    opened = gains[gains != 0]
    return score(gains, "deal"), WinRate(len(opened), len(gains)), score(opened, "opening") if len(opened) > 1 else None


def _worth_kept(cards: str, deals: int, scale: Scale) -> list[NDArray[Any]]:
    found = worth_of_eighty(cards, deals, scale)
    return [found.count, found.mean, found.se]


def _deviation_kept(cards: str, worth: Worth, deals: int, scale: Scale) -> dict[str, Any]:
    gain, rate, opened = deviation(cards, worth, deals, scale)
    return {"gain": astuple(gain), "rate": [rate.wins, rate.games], "opened": opened and astuple(opened)}


def class_name(index: int) -> str:
    """A class of hands in words."""
    honours, length, outside = index // 32, index // 4 % 8 + 1, index % 4
    held = " ".join(name for k, name in enumerate(HONOURS) if honours >> k & 1) or "no honour"
    aces = ("no ace", "1 ace", "2 aces", "3 aces")[outside]
    return f"{held}, {length} trumps, {aces} outside"


@experiment("coinche.all_pass")
def all_pass(scale: Scale) -> Result:
    """The paper's section 4.2: with competent cards, on which hands does opening pay against three who always pass?"""
    deals = scale.pick(quick=200_000, full=8_000_000)
    trial = scale.pick(quick=200_000, full=8_000_000)
    rows: list[list[Cell]] = []
    made: list[Claim] = []
    found = {}
    for cards in scale.track(list(CARD_PLAY), "card play"):
        kept = scale.piece(f"80 with {cards} cards", deals, partial(_worth_kept, cards, deals, scale))
        worth = found[cards] = Worth(*(np.array(part) for part in kept))
        tried = scale.piece(
            f"openings with {cards} cards", [deals, trial], partial(_deviation_kept, cards, worth, trial, scale)
        )
        gain, opened = Score(*tried["gain"]), tried["opened"]
        rate, open_gain = WinRate(*tried["rate"]), Score(*opened) if opened else None
        share = float(worth.count[worth.pays].sum() / deals)
        rows.append([cards, int(worth.pays.sum()), f"{100 * share:.2f} %", rate, open_gain, gain, _judgement(gain)])
        says = f"Passing always is an equilibrium ({cards} cards): what opening 80 on chosen hands gains a deal"
        holds = gain.mean <= 3 * gain.se
        made.append(claims.sentence(cards, says, "nothing", gain, holds, reason=OPENING_PAYS))
    columns = [
        "cards of all four",
        "classes that pay",
        "of hands, per suit",
        "deals opened",
        "per opening",
        "per deal",
        "all-pass",
    ]
    summary = Table("North opens 80 where it pays, the others always pass (mirror reward)", columns, rows)
    notes = [
        f"Classes were found on {deals} contracts of 80 spades and tried on {trial} other deals; hands are told apart "
        "by the jack, nine, ace and ten of trumps, the number of trumps and the aces outside.",
        "Failing 80 costs 160 and making it brings 80, so opening pays from a chance of 2/3.",
        "The paper argues that all-pass is an equilibrium because its players cannot play their cards; the argument "
        "needs that.",
    ]
    tables = [summary, _best_hands(found["competent"], deals)]
    return Result("Is all-pass an equilibrium?", tables=tables, notes=notes, claims=made)


def _judgement(gain: Score) -> str:
    return "is not an equilibrium" if gain.mean > 3 * gain.se else "no gain found"


def _best_hands(worth: Worth, deals: int) -> Table:
    """The paying classes that come up most often."""
    best = sorted(np.flatnonzero(worth.pays), key=lambda index: -worth.count[index] * worth.mean[index])[:15]
    rows: list[list[Cell]] = []
    for index in best:
        mean, se, n = float(worth.mean[index]), float(worth.se[index]), int(worth.count[index])
        made = round((mean + 160) / 240 * n)
        rows.append(
            [class_name(int(index)), f"{100 * n / deals:.3f} %", WinRate(made, n), Score(mean, se, n, "opening")]
        )
    return Table("Hands on which 80 pays, those that bring most first", ["trumps", "of hands", "made", "return"], rows)

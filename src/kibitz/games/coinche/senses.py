"""Coinche: what a seat can know (chapter 12 of RULES.md), as numbers.

The suits stand in an order that does not depend on their names: renaming them changes nothing a learner sees.
"""

from __future__ import annotations

from kibitz.core.bits import lowest, mix, popcount
from kibitz.core.game import Observation, State
from kibitz.core.jit import kernel
from kibitz.core.shapes import Ints, Singles
from kibitz.games.belotes import STRENGTH, SUIT_CARDS, side_points, side_tricks
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.auction import bid_level, bid_suit
from kibitz.games.coinche.scoring import usual_target
from kibitz.games.pieces import slices


@kernel
def suit_places(s: State, seat: int) -> int:
    """The place of each suit in the seat's order, two bits a suit.

    Trumps come first once the cards are played; then the suits by the length and the strength of what the seat was
    dealt in them, longest first. Equal ones are told apart by what has been called and played in them; where that is
    equal too, they are the same for the seat and their order does not matter.
    """
    places = 0
    for suit in range(4):
        place = 0
        for other in range(4):
            if other != suit and _comes_first(s, seat, other, suit):
                place += 1
        places |= place << 2 * suit
    return places


@kernel
def _comes_first(s: State, seat: int, suit: int, other: int) -> bool:
    if s[at.PHASE] != at.CALLING and (s[at.CONTRACT] == suit or s[at.CONTRACT] == other):
        return s[at.CONTRACT] == suit
    own = s[at.HAND + seat] | s[at.PLAYED + seat]
    mine, theirs = own >> 8 * suit & 255, own >> 8 * other & 255
    if mine != theirs:
        return popcount(mine) * 256 + mine > popcount(theirs) * 256 + theirs
    mine, theirs = _history(s, suit), _history(s, other)
    return mine > theirs or (mine == theirs and suit < other)


@kernel
def _history(s: State, suit: int) -> int:
    """A number for everything public that has happened in a suit, the same whatever the suit is called."""
    key = mix(s[at.DEAD] >> 8 * suit & 255)
    for k in range(s[at.CALLED]):
        action = s[at.LOG + k]
        if action != at.PASS and action < at.COINCHE and bid_suit(action) == suit:
            key = mix(key ^ (64 * (k + 1) + bid_level(action)))
    for k in range(s[at.CALLED], s[at.MOVES]):
        card = s[at.LOG + k] - at.CARD
        if card >> 3 == suit:
            key = mix(key ^ (64 * (k + 1) + 32 + (card & 7)))
    return key


@kernel
def place_of(places: int, suit: int) -> int:
    """Where a suit stands in an order; sans-atout and tout-atout stay where they are."""
    return places >> 2 * suit & 3 if suit < 4 else suit


@kernel
def card_place(places: int, card: int) -> int:
    """A card renamed by an order of the suits."""
    return 8 * (places >> 2 * (card >> 3) & 3) + (card & 7)


@kernel
def call_place(places: int, call: int) -> int:
    """A call renamed by an order of the suits."""
    if call == at.PASS or call >= at.COINCHE:
        return call
    strain = (call - 1) % at.STRAINS
    return call if strain > 3 else call - strain + (places >> 2 * strain & 3)


@kernel
def canonical(s: State, seat: int, order: Ints) -> None:
    """order[action] = the number of the action in the order of the suits that the seat's observation uses."""
    places = suit_places(s, seat)
    for action in range(at.ACTIONS):
        order[action] = action
    if not at.SHARED or s[at.PHASE] != at.PLAYING:
        for call in range(at.CALLS):
            order[call] = call_place(places, call)
    if not at.SHARED or s[at.PHASE] == at.PLAYING:
        for card in range(at.CARDS):
            order[at.CARD + card] = at.CARD + card_place(places, card)


_WIDTHS = {
    "hand": 32, "played": 4 * 32, "order": 32, "trick": 3 * 32, "face_up": 32, "voids": 4 * 4, "ceiling": 4 * 8,
    "belote": 4 * (4 if at.TOUT else 1), "leader": 4, "led": 4, "points": 2, "tricks": 2, "totals": 2, "phase": 3,
    "opener": 4, "contract": 1, "suit": 6, "taker": 4, "coinched": 3, "passes": 1,
}  # fmt: skip
SLICES = slices(**_WIDTHS, ladder=at.LEVELS * (4 + at.STRAINS), coincher=4, surcoincher=4)
SENSES = SLICES["surcoincher"].stop
ONEHOT_SLICES = slices(**_WIDTHS, calls=at.LONGEST_AUCTION * at.CALLS)
PAPER_SLICES = slices(
    calls=37, played=32, hand=32, trick=32, points=2, attacker=1, value=1, trump=1, coinched=1, phase=1
)

(
    _HAND, _PLAYED, _ORDER, _TRICK, _FACE_UP, _VOIDS, _CEILING, _BELOTE, _LEADER, _LED, _POINTS, _TRICKS, _TOTALS,
    _PHASE, _OPENER, _CONTRACT, _SUIT, _TAKER, _COINCHED, _PASSES, _LADDER, _COINCHER, _SURCOINCHER,
) = (piece.start for piece in SLICES.values())  # fmt: skip


@kernel
def _mark(cards: int, places: int, start: int, out: Singles) -> None:
    left = cards
    while left:
        out[start + card_place(places, lowest(left))] = 1.0
        left &= left - 1


@kernel
def _observe_cards(s: State, seat: int, places: int, out: Singles) -> None:
    """The hand, who has played what and when, the trick, and what the play has shown."""
    _mark(s[at.HAND + seat], places, _HAND, out)
    if at.EACH < 8:
        _mark(s[at.DEAD], places, _FACE_UP, out)
    for k in range(4):
        player = (seat + k) & 3
        _mark(s[at.PLAYED + player], places, _PLAYED + 32 * k, out)
        for suit in range(4):
            if s[at.LACKS + player] & SUIT_CARDS[suit] == SUIT_CARDS[suit]:
                out[_VOIDS + 4 * k + place_of(places, suit)] = 1.0
        if 0 <= s[at.CONTRACT] < 4:
            absent = s[at.LACKS + player] & SUIT_CARDS[s[at.CONTRACT]]
            while absent:
                out[_CEILING + 8 * k + STRENGTH[s[at.CONTRACT], lowest(absent)]] = 1.0
                absent &= absent - 1
        for suit in range(4):
            if s[at.ANNOUNCED] >> (4 * suit + player) & 1:
                out[_BELOTE + (4 * k + place_of(places, suit) if at.TOUT else k)] = 1.0
    for k in range(s[at.CALLED], s[at.MOVES]):
        out[_ORDER + card_place(places, s[at.LOG + k] - at.CARD)] = (k - s[at.CALLED] + 1) / 32
    for k in range(s[at.COUNT]):
        other = (s[at.LEADER] + k - seat) & 3
        if other > 0:
            out[_TRICK + 32 * (other - 1) + card_place(places, s[at.TABLE + k])] = 1.0


@kernel
def _observe_table(s: State, seat: int, places: int, out: Singles) -> None:
    """The score so far, whose lead it is, and the contract that stands."""
    out[_LEADER + ((s[at.LEADER] - seat) & 3)] = 1.0
    if s[at.COUNT] > 0:
        out[_LED + place_of(places, s[at.TABLE] >> 3)] = 1.0
    for k in range(2):
        side = (seat + k) & 1
        out[_POINTS + k] = side_points(s, side) / 162.0
        out[_TRICKS + k] = side_tricks(s, side) / 8.0
        out[_TOTALS + k] = (s[at.TOTAL_EW] if side else s[at.TOTAL_NS]) / (
            s[at.TARGET] if s[at.TARGET] else usual_target(s[at.SCORING])
        )
    out[_PHASE + s[at.PHASE]] = 1.0
    out[_OPENER + ((s[at.DEALER] + 1 - seat) & 3)] = 1.0
    out[_PASSES] = s[at.PASSES] / 4.0
    if s[at.BIDDER] != at.NOBODY:
        out[_CONTRACT] = s[at.VALUE] / 250.0
        out[_SUIT + place_of(places, s[at.CONTRACT])] = 1.0
        out[_TAKER + ((s[at.DECLARER] - seat) & 3)] = 1.0
        out[_COINCHED + s[at.COINCHED]] = 1.0


@kernel
def observe(s: State, seat: int, out: Singles) -> None:
    """Everything the seat knows, with the suits in its own order and the seats counted from itself.

    The ladder has a row per level: who bid it and in which suit. As every bid is higher than the last and the passes
    between two bids follow from who made them, it tells the whole auction.
    """
    places = suit_places(s, seat)
    _observe_cards(s, seat, places, out)
    _observe_table(s, seat, places, out)
    for k in range(s[at.CALLED]):
        action = s[at.LOG + k]
        if action == at.PASS or action >= at.COINCHE:
            continue
        row = _LADDER + (4 + at.STRAINS) * bid_level(action)
        out[row + ((s[at.DEALER] + 1 + k - seat) & 3)] = 1.0
        out[row + 4 + (call_place(places, action) - 1) % at.STRAINS] = 1.0
    if s[at.COINCHER] != at.NOBODY:
        out[_COINCHER + ((s[at.COINCHER] - seat) & 3)] = 1.0
    if s[at.SURCOINCHER] != at.NOBODY:
        out[_SURCOINCHER + ((s[at.SURCOINCHER] - seat) & 3)] = 1.0


@kernel
def observe_onehot(s: State, seat: int, out: Singles) -> None:
    """As `observe`, with every call of the auction one-hot instead of the ladder."""
    places = suit_places(s, seat)
    _observe_cards(s, seat, places, out)
    _observe_table(s, seat, places, out)
    for k in range(s[at.CALLED]):
        out[_LADDER + at.CALLS * k + call_place(places, s[at.LOG + k])] = 1.0


@kernel
def observe_paper(s: State, seat: int, out: Singles) -> None:
    """The paper's 140 numbers (rule 12.3)."""
    for k in range(37):
        called = k - 37 + s[at.CALLED]
        out[k] = s[at.LOG + called] if called >= 0 else at.PAD
    table = 0
    for k in range(s[at.COUNT]):
        table |= 1 << s[at.TABLE + k]
    past = s[at.DEAD]
    for player in range(4):
        past |= s[at.PLAYED + player]
    past &= ~table
    for card in range(32):
        out[37 + card] = past >> card & 1
        out[69 + card] = s[at.HAND + seat] >> card & 1
        out[101 + card] = table >> card & 1
    out[133] = side_points(s, seat & 1)
    out[134] = side_points(s, 1 - (seat & 1))
    if s[at.BIDDER] != at.NOBODY and s[at.DECLARER] & 1 == seat & 1:
        out[135] = 1.0
    out[136] = s[at.VALUE]
    out[137] = s[at.CONTRACT]
    out[138] = s[at.COINCHED]
    out[139] = s[at.PHASE]


OBSERVATIONS = {"onehot": Observation(ONEHOT_SLICES["calls"].stop, observe_onehot, ONEHOT_SLICES)}
if at.CALLS == 43:  # rule 12.3: the paper's numbers know no other calls
    OBSERVATIONS["paper"] = Observation(PAPER_SLICES["phase"].stop, observe_paper, PAPER_SLICES)

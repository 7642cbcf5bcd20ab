"""Skat: actions, deals and states as text, in English and German."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.core.errors import BadRecord
from kibitz.core.game import Game, State
from kibitz.games.skat.cards import (
    ANNOUNCED,
    BID_WORDS,
    BIDS,
    CARDS,
    CLASS,
    CLASSES,
    DECK,
    DECLARATIONS,
    DECLARED_KIND,
    DECLARED_VALUE,
    GRAND,
    HAND,
    HAND_DECLARATIONS,
    JACKS,
    KINDS,
    N_BIDS,
    NULL,
    OUVERT,
    PICKUP_DECLARATIONS,
    STRENGTH,
)  # fmt: skip
from kibitz.games.skat.contracts import set_up
from kibitz.games.skat.iss import record_line
from kibitz.games.skat.rules import moves, start
from kibitz.games.skat.senses import dealt_hand, dealt_skat, view
from kibitz.games.skat.state import (
    ANSWERING,
    AUCTION,
    BID,
    BIDDING,
    CHOOSING,
    DECLARE,
    DECLARED,
    DECLARER,
    DECLARING,
    DISCARDING,
    DONE,
    ENDED,
    FAMILY,
    HANDS,
    HIDDEN,
    HIGH,
    IS_HAND,
    IS_RAMSCH,
    KIND,
    LAYING,
    LOG,
    MATADORS,
    MOVES,
    NOBODY,
    ON_TABLE,
    OPENING,
    OVERBID,
    PHASE,
    PLAYED,
    PLAYERS,
    PLAYING,
    PUSHED,
    PUSHING,
    SCORE,
    SEAT,
    SKAT,
    SUCCESS,
    TAKEN,
    TOTAL,
    TRICK,
    TRICK_POINTS,
    TRICKS,
    WHO,
)  # fmt: skip
from kibitz.games.skat.tallies import BID_SUM, GAMES, OVERBIDS, PASSED_IN, RAMSCHES, SCORE_SUM, SHEETS, WINS

ACTION_WORDS = (*DECK.names, "hold", "pass", *BID_WORDS, "pickup", "hand", *DECLARATIONS)
RECORD_FORMATS = {".sgf": record_line}
"""Endings of files that records are written to in another format than JSON."""
FAMILIES = ("auction", "suit", "grand", "null", "null-ouvert", "any")
KIND_WORDS = ("clubs", "spades", "hearts", "diamonds", "grand", "null")
SEAT_WORDS = ("forehand", "middlehand", "rearhand")
SERIES = 36
"""Deals in a series at a table of three (8.2)."""

SYNONYMS = {
    "yes": "hold", "y": "hold", "ja": "hold", "halten": "hold", "p": "pass", "passe": "pass", "weg": "pass", "passen": "pass",
    "skat": "pickup", "pick-up": "pickup", "aufnehmen": "pickup", "aus der hand": "hand", "handspiel": "hand",
    "clubs": "C", "spades": "S", "hearts": "H", "diamonds": "D", "grand": "G", "null": "N", "null ouvert": "NO",
    "kreuz": "C", "pik": "S", "herz": "H", "karo": "D", "kreuz hand": "CH", "pik hand": "SH", "herz hand": "HH", "karo hand": "DH",
    "grand hand": "GH", "null hand": "NH", "null ouvert hand": "NOH", "grand ouvert": "GO",
}  # fmt: skip
LANGUAGES: Mapping[str, Mapping[str, str]] = {
    "de": {
        "hold": "ja", "pass": "passe", "pickup": "aufnehmen", "hand": "Handspiel",
        "forehand": "Vorhand", "middlehand": "Mittelhand", "rearhand": "Hinterhand", "you": "du",
        "clubs": "Kreuz", "spades": "Pik", "hearts": "Herz", "diamonds": "Karo", "grand": "Grand", "null": "Null",
        "contract": "Spiel", "declarer": "Alleinspieler", "bid": "gereizt", "trick": "Stich", "tricks": "Stiche",
        "points": "Augen", "skat": "Skat", "Ramsch": "Ramsch", "to move": "ist dran", "passed in": "eingepasst",
        "auction": "Reizen", "schneider": "Schneider", "schwarz": "schwarz", "announced": "angesagt", "ouvert": "ouvert",
        "with": "mit", "without": "ohne", "won": "gewonnen", "lost": "verloren", "overbid": "überreizt", "laid away": "gedrückt",
        "counts": "zählt", "a card": "eine Karte", "lays away": "drückt", "passes on": "schiebt", "lays away a card": "drückt eine Karte",
        "passes on a card": "schiebt eine Karte",
    }
}  # fmt: skip


def spell(text: str) -> str:
    """The house word for what a person typed: a word of either language, a card in either order, 10 for T."""
    word = " ".join(text.split())
    if word.lower() in SYNONYMS:
        return SYNONYMS[word.lower()]
    if word.lower() in ACTION_WORDS:
        return word.lower()
    if word.upper() in DECLARATIONS:
        return word.upper()
    for spelling in (word, word[1:] + word[:1]):
        try:
            return DECK.names[DECK.card(spelling)]
        except BadRecord:
            continue
    return word


def contract_text(declaration: int, lang: str = "en") -> str:
    """A declaration in full: `clubs hand schneider announced`."""
    announced = int(ANNOUNCED[declaration])
    word = DECLARATIONS[declaration]
    parts = [KIND_WORDS[DECLARED_KIND[declaration]]]
    if announced & OUVERT:
        parts.append("ouvert")
    if announced & HAND and not (announced & OUVERT and DECLARED_KIND[declaration] != NULL):
        parts.append("hand")
    if word.endswith(("HS", "HZ")):
        parts += ["schneider" if word.endswith("S") else "schwarz", "announced"]
    return " ".join(_said(part, lang) for part in parts)


def _said(word: str, lang: str) -> str:
    return word if lang == "en" else LANGUAGES[lang].get(word, word)


def told(before: State, after: State, seat: int, mover: int, lang: str) -> str:
    """What a seat hears and sees of a move: of cards laid away or passed on only that they were, unless it receives them."""
    heard, phase = int(after[LOG + before[MOVES]]), before[PHASE]
    if phase in (DISCARDING, PUSHING) and seat != mover:
        verb = _said("lays away" if phase == DISCARDING else "passes on", lang)
        is_received = phase == PUSHING and mover < 2 and after[SEAT] == seat  # rearhand passes on to nobody
        return f"{verb} {DECK.text(int(after[PUSHED + mover])) if is_received else _said('a card', lang)}"
    if heard >= DECLARE:
        return contract_text(heard - DECLARE, lang)
    return _said(ACTION_WORDS[heard], lang)


def deal_text(s: State) -> str:
    """The deal, forehand first, skat last: `7c .. | .. | .. | Kd 8s`; a contract follows as `| 1 D Ts Th 18`."""
    hands = [DECK.text(dealt_hand(s, seat)) for seat in range(PLAYERS)]
    parts = [*hands, DECK.text(dealt_skat(s))]
    if s[FAMILY] != AUCTION:
        laid = [] if s[IS_HAND] else DECK.text(int(s[SKAT])).split()
        parts.append(" ".join([str(s[DECLARER]), DECLARATIONS[s[DECLARED]], *laid, BID_WORDS[s[HIGH]]]))
    return " | ".join(parts)


def read_deal(text: str, s: State) -> None:
    """Write the deal, and its contract where the game begins with one, into a blank state."""
    parts = [part.strip() for part in text.split("|")]
    wanted = 4 if s[FAMILY] == AUCTION else 5
    if len(parts) != wanted:
        contract = "" if wanted == 4 else ", and a contract like 1 D Ts Th 18"
        raise BadRecord(f"a deal has three hands and the skat, set apart by |{contract}: this has {len(parts)} parts")
    piles = [DECK.cards(part) for part in parts[:4]]
    for name, pile, size in zip((*SEAT_WORDS, "the skat"), piles, (10, 10, 10, 2), strict=True):
        if len(pile) != size:
            raise BadRecord(f"{name} has {len(pile)} cards in the deal: {size} are right")
    DECK.cards([DECK.names[card] for pile in piles for card in pile])
    start(s)
    for seat in range(PLAYERS):
        s[HANDS + seat] = sum(1 << card for card in piles[seat])
    s[SKAT] = sum(1 << card for card in piles[3])
    if wanted == 5:
        _read_contract(parts[4], s)


def _read_contract(text: str, s: State) -> None:
    """`1 D Ts Th 18`: declarer, declaration, discards unless from the hand, bid."""
    words = text.split()
    if len(words) < 3 or words[0] not in ("0", "1", "2"):
        raise BadRecord(f"contract {text!r} should name seat, declaration, two discards and bid, like 1 D Ts Th 18")
    declarer, word, bid = int(words[0]), words[1], words[-1]
    if word not in DECLARATIONS:
        raise BadRecord(f"{word!r} is no declaration: there are {' '.join(DECLARATIONS)}")
    if bid not in BID_WORDS:
        raise BadRecord(f"{bid!r} is no bid: there are {' '.join(BID_WORDS)}")
    declaration = DECLARATIONS.index(word)
    if DECLARED_VALUE[declaration] < int(bid):
        raise BadRecord(f"{word} cannot be declared at {bid}: it is worth {DECLARED_VALUE[declaration]}")
    if not _fits(int(s[FAMILY]), declaration):
        raise BadRecord(f"{word} does not belong to contract={FAMILIES[s[FAMILY]]}")
    laid = DECK.cards(words[2:-1])
    is_hand = bool(ANNOUNCED[declaration] & HAND)
    if len(laid) != (0 if is_hand else 2):
        raise BadRecord(f"{word} goes with {'no' if is_hand else 'two'} discards, not {len(laid)}")
    twelve = int(s[HANDS + declarer] | s[SKAT])
    for card in laid:
        if not twelve >> card & 1:
            raise BadRecord(f"{DECK.names[card]} cannot be laid away: seat {declarer} has {DECK.text(twelve)}")
    set_up(s, declarer, declaration, sum(1 << card for card in laid), BID_WORDS.index(bid))


def _fits(family: int, declaration: int) -> bool:
    """Whether a given contract belongs to the game: hand and announcements are free, the kind is not."""
    kind = DECLARED_KIND[declaration]
    if FAMILIES[family] == "suit":
        return bool(kind < GRAND)
    if FAMILIES[family] == "grand":
        return bool(kind == GRAND)
    if FAMILIES[family] in ("null", "null-ouvert"):
        return bool(kind == NULL and (ANNOUNCED[declaration] & OUVERT > 0) == (FAMILIES[family] == "null-ouvert"))
    return True


def why_not(s: State, action: int) -> str:
    """Why an action is illegal here."""
    seat, phase = int(s[SEAT]), int(s[PHASE])
    if phase == PLAYING and action < CARDS:
        return _why_not_card(s, seat, action)
    if phase in (DISCARDING, PUSHING) and action < CARDS:
        return _why_not_laid(s, seat, action)
    if phase in (BIDDING, OPENING) and BID <= action < BID + N_BIDS:
        return _why_not_bid(s, action - BID)
    if phase == DECLARING and action >= DECLARE:
        return _why_not_declared(s, action - DECLARE)
    due = {
        BIDDING: "it is to bid or pass", OPENING: "it may take the game at 18 or pass", ANSWERING: "it is to hold or pass",
        CHOOSING: "it is to pickup the skat or play hand", DISCARDING: "it is to lay away a card",
        PUSHING: "it is to pass on a card", DECLARING: "it is to declare a game", PLAYING: "it is to play a card",
    }  # fmt: skip
    return due.get(phase, "the deal is over")


def _why_not_card(s: State, seat: int, card: int) -> str:
    hand = int(s[HANDS + seat])
    if not hand >> card & 1:
        return f"it does not hold it, but {DECK.text(hand)}"
    led = int(CLASS[s[KIND], s[TRICK]])
    name = "trumps" if led == 4 else KIND_WORDS[led]
    return f"{name} were led and it holds {DECK.text(hand & int(CLASSES[s[KIND], led]))}"


def _why_not_laid(s: State, seat: int, card: int) -> str:
    if not int(s[HANDS + seat]) >> card & 1:
        return f"it does not hold it, but {DECK.text(int(s[HANDS + seat]))}"
    if s[PHASE] == PUSHING and JACKS >> card & 1:
        return "jacks are not passed on"
    legal = DECK.text(int(moves(s)))
    if s[LAYING]:
        return f"the second card must have the higher number; lay away one of {legal}"
    return f"it has the highest number of all, so it can only be the second; begin with one of {legal}"


def _why_not_bid(s: State, bid: int) -> str:
    if bid <= s[HIGH]:
        return f"{BID_WORDS[s[HIGH]]} was already named; the next number is {BID_WORDS[min(s[HIGH] + 1, N_BIDS - 1)]}"
    return f"numbers must not be left out; the next is {BID_WORDS[s[HIGH] + 1]} (jumps=on would allow it)"


def _why_not_declared(s: State, declaration: int) -> str:
    if (declaration >= len(PICKUP_DECLARATIONS)) != bool(s[IS_HAND]):
        games = HAND_DECLARATIONS if s[IS_HAND] else PICKUP_DECLARATIONS
        return f"the skat was {'not ' if s[IS_HAND] else ''}picked up; it may declare {' '.join(games)}"
    return f"it is worth {DECLARED_VALUE[declaration]} and the bid was {BID_WORDS[s[HIGH]]}"


def sorted_text(cards: int, kind: int) -> str:
    """Cards as people hold them: trumps first, then suit by suit, high to low."""
    kind = GRAND if kind == NOBODY else kind
    piles = [int(CLASSES[kind, 4]), *(int(CLASSES[kind, suit]) for suit in range(4))]
    order = [sorted(_cards(pile), key=lambda card: -int(STRENGTH[kind, card])) for pile in piles]
    return "  ".join(text for pile in order if (text := DECK.text(cards, pile)))


def _cards(mask: int) -> list[int]:
    return [card for card in range(CARDS) if mask >> card & 1]


def show(s: State, seat: int | None = None, lang: str = "en") -> str:
    """The table as a person sees it from a seat (or with all cards open)."""
    if seat is not None:
        seen = s.copy()
        view(s, seat, seen)
        s = seen

    def said(word: str) -> str:
        return _said(word, lang)

    lines = [_calls_line(s, lang)] if s[FAMILY] == AUCTION else []
    if s[DECLARED] != NOBODY:
        contract = contract_text(int(s[DECLARED]), lang)
        lines.append(
            f"{said('contract')}: {contract}   {said('declarer')}: {said(SEAT_WORDS[s[DECLARER]])}   {said('bid')}: {BIDS[s[HIGH]]}"
        )
    elif s[IS_RAMSCH]:
        lines.append(f"{said('contract')}: {said('Ramsch')}")
    for k in range(PLAYERS):
        name = said(SEAT_WORDS[k]) + (f" ({said('you')})" if k == seat else "")
        score = (
            f"   {said('tricks')} {s[TRICKS + k]} {said('points')} {s[TRICK_POINTS + k]}" if s[PHASE] >= PLAYING else ""
        )
        lines.append(f"{name}: {_hand_text(s, k, seat)}{score}")
    lines.append(f"{said('skat')}: {_skat_text(s, seat)}")
    if s[PHASE] == PLAYING:
        trick = " ".join(DECK.names[s[TRICK + k]] for k in range(s[ON_TABLE]))
        lines.append(f"{said('trick')} {s[DONE] + 1}: {trick}".rstrip())
    return "\n".join([*lines, _last_line(s, lang)])


def hand(s: State, seat: int) -> list[str]:
    """The cards of a seat as people hold them."""
    return sorted_text(int(s[HANDS + seat]), int(s[KIND])).split()


def unseen(s: State, seat: int) -> list[str]:
    """The cards the seat has not held, picked up, or seen played or laid open."""
    seen = s.copy()
    view(s, seat, seen)
    piles = [SKAT, TAKEN, PUSHED, PUSHED + 1, *range(HANDS, HANDS + PLAYERS), *range(PLAYED, PLAYED + PLAYERS)]
    return sorted_text((1 << CARDS) - 1 & ~int(np.bitwise_or.reduce(seen[piles])), int(s[KIND])).split()


def trick(s: State) -> dict[int, str]:
    """The cards on the table by seat, in the order played."""
    return _by_seat(s, s[TRICK : TRICK + s[ON_TABLE]])


def last_trick(s: State) -> dict[int, str]:
    """The last complete trick, in the order played."""
    end = int(LOG + s[MOVES] - s[ON_TABLE])
    return _by_seat(s, s[end - PLAYERS : end]) if s[DONE] else {}


def _by_seat(s: State, cards: State) -> dict[int, str]:
    return {seat: DECK.names[card] for card in cards for seat in range(PLAYERS) if int(s[PLAYED + seat]) >> card & 1}


def contract(s: State) -> str:
    """The declared game with its declarer, or the bid that stands."""
    if s[IS_RAMSCH]:
        return "Ramsch"
    if s[DECLARED] != NOBODY:
        return f"{contract_text(int(s[DECLARED]))} by {SEAT_WORDS[s[DECLARER]]}"
    return BID_WORDS[s[HIGH]] if s[HIGH] != NOBODY else ""


def points(s: State) -> list[float]:
    """The card points in each seat's tricks, without the skat."""
    return [float(s[TRICK_POINTS + seat]) for seat in range(PLAYERS)]


def _calls_line(s: State, lang: str) -> str:
    calls = []
    for action in s[LOG : LOG + s[MOVES]]:
        if action == HIDDEN:
            calls.append("??")
        elif action >= CARDS:
            calls.append(_said(ACTION_WORDS[action], lang))
    return f"{_said('auction', lang)}: {' '.join(calls)}".rstrip()


def _hand_text(s: State, k: int, seat: int | None) -> str:
    cards = int(s[HANDS + k])
    if cards or seat is None or seat == k or s[PHASE] == ENDED:
        return sorted_text(cards, int(s[KIND]))
    return "??"


def _skat_text(s: State, seat: int | None) -> str:
    if s[SKAT]:
        return DECK.text(int(s[SKAT]))
    is_taken_up = s[PHASE] in (DISCARDING, PUSHING) and seat in (None, s[SEAT])
    return "" if is_taken_up else "?? ??"


def _last_line(s: State, lang: str) -> str:

    def said(word: str) -> str:
        return _said(word, lang)

    if s[PHASE] != ENDED:
        return f"{said(SEAT_WORDS[s[SEAT]])} {said('to move')}"
    if s[WHO] == NOBODY:
        return said("passed in")
    if s[IS_RAMSCH]:
        return f"{said('Ramsch')}: {said(SEAT_WORDS[s[WHO]])} {said('counts')} {s[SCORE]:+d}"
    parts = [said("won") if s[SUCCESS] else said("lost"), f"{s[SCORE]:+d}", f"{s[TOTAL]} {said('points')}"]
    if s[MATADORS]:
        parts.append(f"{said('with') if s[MATADORS] > 0 else said('without')} {abs(s[MATADORS])}")
    if s[OVERBID]:
        parts.append(said("overbid"))
    return f"{said(SEAT_WORDS[s[WHO]])} {', '.join(parts)}"


def report(game: Game, tallies: Any, games: int) -> dict[str, Any]:
    """Contract distribution, win rate per contract, mean bid and passed-in rate of a simulation."""
    played = {word: float(tallies[GAMES + k]) for k, word in enumerate(DECLARATIONS)}
    declared = sum(played.values())
    contracts = {
        word: {
            "games": int(count),
            "share": count / declared,
            "win_rate": float(tallies[WINS + k]) / count,
            "mean_value": float(tallies[SCORE_SUM + k]) / count,
        }
        for k, (word, count) in enumerate(played.items())
        if count
    }
    kinds = {}
    for letter, name in zip(KINDS, KIND_WORDS, strict=True):
        count = sum(played[word] for word in DECLARATIONS if word[0] == letter)
        wins = sum(float(tallies[WINS + k]) for k, word in enumerate(DECLARATIONS) if word[0] == letter)
        if count:
            kinds[name] = {"games": int(count), "share": count / declared, "win_rate": wins / count}
    wins = float(sum(tallies[WINS : WINS + len(DECLARATIONS)]))
    return {
        "contracts": contracts,
        "kinds": kinds,
        "declared": int(declared),
        "declarer_win_rate": wins / declared if declared else None,
        "mean_bid": float(tallies[BID_SUM]) / declared if declared else None,
        "overbid_rate": float(tallies[OVERBIDS]) / declared if declared else None,
        "passed_in_rate": (float(tallies[PASSED_IN]) + float(tallies[RAMSCHES])) / games if games else None,
        "sheet_per_series": [
            SERIES * float(tallies[SHEETS + seat]) / games if games else None for seat in range(PLAYERS)
        ],
    }

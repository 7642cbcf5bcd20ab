"""Coinche as text: actions, deals, the table in English or French, and the score of a deal item by item."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kibitz.core.errors import BadRecord
from kibitz.core.game import OVER, Game, State, Value
from kibitz.core.languages import catalogue, spellings
from kibitz.core.shapes import Floats
from kibitz.games.belotes import ABOVE, DECK, SUIT_CARDS, side_points, side_tricks
from kibitz.games.coinche import SCORINGS
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.auction import bid_level, level_value, may_coinche, may_surcoinche, open_auction
from kibitz.games.coinche.metrics import metrics
from kibitz.games.coinche.scoring import is_made, is_void, multiplier, score_of, usual_target
from kibitz.games.decks import UNKNOWN, mask_of
from kibitz.games.tricks.words import Words

SEATS = ("N", "E", "S", "W")
STRAIN_LETTERS = "shdc" + "n" * at.SANS + "t" * at.TOUT
LEVEL_NAMES = [*map(str, range(80, 170 + 20 * at.HIGH, 10)), "capot-"] + ["generale-"] * at.GENERALE
BID_WORDS = tuple(level + letter for level in LEVEL_NAMES for letter in STRAIN_LETTERS)
CALL_WORDS = ("pass", *BID_WORDS, "coinche", "surcoinche")
SYNONYMS = {
    "p": "pass", "passe": "pass", "double": "coinche", "contre": "coinche", "redouble": "surcoinche",
    "surcontre": "surcoinche",
}  # fmt: skip


def _action_words() -> tuple[str, ...]:
    if not at.SHARED:
        return (*CALL_WORDS, *DECK.names)
    doubled = [f"{call}|{card}" for call, card in zip(CALL_WORDS, DECK.names, strict=False)]
    return (*doubled, *CALL_WORDS[at.CARDS :], "-")


def target(options: Mapping[str, Value]) -> int:
    """Rule 9.3."""
    return int(options["target"]) or int(usual_target(SCORINGS.index(str(options["scoring"]))))


def contract_word(s: State) -> str:
    """The contract, or the bid that stands, as a bid."""
    level = {at.CAPOT: "capot-", at.GENERALE_VALUE: "generale-"}.get(int(s[at.VALUE]), str(s[at.VALUE]))
    return level + "shdcnt"[s[at.CONTRACT]]


class Tongue:
    """One language: words of the table, cards and calls."""

    def __init__(self, lang: str) -> None:
        self.words = catalogue("fr", "terminal", "tricks", "coinche") if lang == "fr" else {}
        self.ranks, self.suits = (spellings("fr", what) if lang == "fr" else {} for what in ("ranks", "suits"))

    def say(self, word: str) -> str:
        """A word of the table."""
        return self.words.get(word, word)

    def item(self, word: str, text: str) -> str:
        """A word of the table, and what there is to say under it."""
        return f"{self.say(word)}{self.say(': ')}{text}"

    def cards(self, text: str) -> str:
        """Cards, however many: Qh is Dc in French."""
        return re.sub(r"(\w)(\w)", lambda card: self._rank(card[1]) + self._suit(card[2]), text)

    def call(self, word: str) -> str:
        """A call: 80h is 80c in French."""
        if word in ("pass", "coinche", "surcoinche", "-") or not self.words:
            return self.say(word)
        return word[:-1].replace("generale", "générale") + {"n": "sa", "t": "ta"}.get(word[-1], self._suit(word[-1]))

    def action(self, word: str) -> str:
        """A call, a card, or both where they share a number."""
        return "|".join(self.cards(part) if part in DECK.names else self.call(part) for part in word.split("|"))

    def _rank(self, letter: str) -> str:
        return self.ranks.get(letter, (letter,))[0].upper()

    def _suit(self, letter: str) -> str:
        return self.suits.get(letter, (letter,))[0]

    def sides(self, both: Any) -> str:
        """A number for each side."""
        return f"N+S {both[0]}   E+{self.say('W')} {both[1]}"

    def points(self, s: State) -> str:
        """The points in each side's tricks."""
        return self.item("points", self.sides([side_points(s, side) for side in range(2)]))

    def contract(self, s: State) -> str:
        """The contract or the bid that stands, with who plays it."""
        if s[at.BIDDER] < 0:
            return self.say("no bid yet")
        doubled = ("", ", " + self.say("coinched"), ", " + self.say("surcoinched"))[s[at.COINCHED]]
        bid, seat = self.call(contract_word(s)), self.say(SEATS[s[at.DECLARER]])
        return f"{self.say('contract')} {bid} {self.say('by')} {seat}{doubled}"


class CoincheWords(Words):
    """The kit's words, with seats by the points of the compass, calls, French, and the score item by item."""

    POINTS_OF_SIDES = True
    SHEET = "match"

    def __init__(self, game: Any, rules: Any, senses: Any) -> None:
        super().__init__(game, rules, senses)
        self.ACTION_WORDS = _action_words()
        french = Tongue("fr")
        self.LANGUAGES = {"fr": {**french.words, **{word: french.action(word) for word in self.ACTION_WORDS}}}

    def spell(self, text: str) -> str:
        """The house word for what a person typed: `10S`, `80 h` and `contre` are understood."""
        word = text.strip().lower().replace(" ", "").replace("é", "e")
        word = SYNONYMS.get(word, word)
        if re.fullmatch(r"(capot|generale)[shdcnt]", word):
            word = f"{word[:-1]}-{word[-1]}"
        if re.fullmatch(r"(10|[789tjqka])[shdc]", word):
            word = word[:-1].upper().replace("10", "T") + word[-1]
        if at.SHARED:
            return next((both for both in self.ACTION_WORDS if word in both.split("|")), word)
        return word

    def deal_text(self, s: State) -> str:
        """The dealer and the four hands, seat 0 first: `W: As Ts ... | ... | ... | ...`."""
        hands = " | ".join(DECK.text(s[at.HAND + seat] | s[at.PLAYED + seat]) for seat in range(4))
        return f"{SEATS[s[at.DEALER]]}: {hands}"

    def read_deal(self, text: str, s: State) -> None:
        """Write the deal into a blank state; without a dealer before the colon, West deals and North opens."""
        name, colon, rest = text.rpartition(":")
        dealer = name.strip().upper() if colon else "W"
        if dealer not in (*SEATS, "0", "1", "2", "3"):
            raise BadRecord(f"{name.strip()!r} cannot deal: the dealer is one of {' '.join(SEATS)}, before a colon")
        hands = [DECK.cards(hand) for hand in rest.split("|")]
        if len(hands) != 4 or any(len(hand) != at.EACH for hand in hands):
            sizes = ", ".join(str(len(hand)) for hand in hands)
            raise BadRecord(f"a deal is four hands of {at.EACH} cards with | between them, not hands of {sizes}")
        cards = [card for hand in hands for card in hand]
        for card in cards:
            if cards.count(card) > 1:
                raise BadRecord(f"{DECK.names[card]} is dealt twice: every card goes to one hand")
        stray = mask_of(cards) & ~(at.SHORT_PACK if at.SHORT else at.PACK)
        if stray:
            pack = DECK.text(at.SHORT_PACK)
            raise BadRecord(f"{DECK.text(stray)} cannot be dealt from a short pack: it has {pack}")
        self.rules.clear(s)
        s[at.HAND : at.HAND + 4] = [mask_of(hand) for hand in hands]
        s[at.DEAD] = at.PACK & ~mask_of(cards)
        s[at.DEALER] = SEATS.index(dealer) if dealer in SEATS else int(dealer)
        open_auction(s, s[at.DEALER])

    def told(self, before: State, after: State, seat: int, mover: int, lang: str) -> str:
        """What a seat hears and sees of a move: the call, or the card, with the belote announced with it (rule 5.6)."""
        tongue, action = Tongue(lang), after[at.LOG + before[at.MOVES]]
        if before[at.PHASE] != at.PLAYING:
            return tongue.call(CALL_WORDS[action])
        belote = f", {tongue.say('belote')}" if after[at.ANNOUNCED] != before[at.ANNOUNCED] else ""
        return tongue.cards(DECK.names[action - at.CARD]) + belote

    def contract(self, s: State) -> str:
        """The contract, or the bid that stands: `100h by S, coinched`."""
        return "" if s[at.BIDDER] < 0 else Tongue("en").contract(s).removeprefix("contract ")

    def points(self, s: State) -> list[float]:
        """For each seat the points in its side's tricks."""
        return [float(side_points(s, seat % 2)) for seat in range(4)]

    def report(self, game: Game, tallies: Floats, games: int) -> dict[str, Any]:
        """The metrics of both sides: means by name, with counts, errors and intervals."""
        return {"metrics": [side.as_json() for side in metrics(tallies)]}

    def breakdown(self, s: State) -> dict[str, Any]:
        """Everything that went into the score of a deal that is over, side by side."""
        if is_void(s):
            return {"void": True, "score": [0, 0]}
        return {
            "void": False,
            "contract": contract_word(s),
            "taker": int(s[at.DECLARER]),
            "attackers": int(s[at.DECLARER] % 2),
            "value": int(s[at.VALUE]),
            "coinched": int(s[at.COINCHED]),
            "multiplier": int(multiplier(s)),
            "tricks": [int(side_tricks(s, side)) for side in range(2)],
            "points": [int(side_points(s, side)) for side in range(2)],
            "belotes": [int(s[at.BELOTES + side]) for side in range(2)],
            "made": bool(is_made(s)),
            "score": [int(score_of(s, side)) for side in range(2)],
        }

    def show(self, s: State, seat: int | None = None, lang: str = "en") -> str:
        """The table as a person sees it from a seat (or with all cards open)."""
        tongue = Tongue(lang)
        say = tongue.say
        lines = [f"{say('dealer')} {say(SEATS[s[at.DEALER]])}   {tongue.contract(s)}"]
        if s[at.CALLED]:
            seats = [say(SEATS[(s[at.DEALER] + 1 + k) % 4]) for k in range(s[at.CALLED])]
            called = "  ".join(f"{n} {tongue.call(CALL_WORDS[s[at.LOG + k]])}" for k, n in enumerate(seats))
            lines.append(tongue.item("auction", called))
        if s[at.DEAD]:
            lines.append(tongue.item("face up", tongue.cards(self.cards_text(s, s[at.DEAD]))))
        lines += [self._seat_text(s, player, seat, tongue) for player in range(4)]
        if s[at.TURN] == OVER and is_void(s):
            return "\n".join([*lines, say("void deal")])
        if s[at.PHASE] != at.CALLING:
            lines.append(tongue.points(s))
        if s[at.TURN] == OVER:
            return "\n".join([*lines, *self._score_lines(s, tongue)])
        if s[at.COUNT]:
            trick = self.trick(s).items()
            lines.append(tongue.item("trick", "  ".join(f"{say(SEATS[k])} {tongue.cards(card)}" for k, card in trick)))
        doing = say("to call" if s[at.PHASE] == at.CALLING else "to play")
        return "\n".join([*lines, f"{say(SEATS[s[at.TURN]])} {doing}"])

    def seat_names(self, lang: str) -> list[str]:
        """North, East, South and West."""
        return [Tongue(lang).say(seat) for seat in SEATS]

    def marks(self, s: State, lang: str) -> list[list[str]]:
        """Who deals."""
        return [[Tongue(lang).say("dealer")] * int(seat == s[at.DEALER]) for seat in range(4)]

    def score_lines(self, s: State, lang: str) -> list[str]:
        """Points, contract, tricks, belote and score."""
        tongue = Tongue(lang)
        return [tongue.say("void deal")] if is_void(s) else [tongue.points(s), *self._score_lines(s, tongue)]

    def deal_options(self, options: Mapping[str, Value], deal: int, totals: Sequence[float]) -> dict[str, Value]:
        """Rule 9.1: the deal goes round; players may look at the score of the match."""
        ours, theirs = (max(0, int(total)) for total in totals[:2])
        score: dict[str, Value] = {"target": target(options), "total_ns": ours, "total_ew": theirs}
        return score if int(options["dealer"]) >= 0 else {"dealer": (3 + deal) % 4, **score}

    def entries(self, s: State) -> list[float]:
        """What each side writes down."""
        return [float(self.breakdown(s)["score"][seat % 2]) for seat in range(4)]

    def aim(self, options: Mapping[str, Value]) -> tuple[str, int]:
        """Rule 9.3."""
        return "a match to {} points", target(options)

    def is_over(self, options: Mapping[str, Value], deals: int, totals: Sequence[float]) -> bool:
        """Rule 9.2."""
        return max(totals) >= target(options) and totals[0] != totals[1]

    def _seat_text(self, s: State, player: int, seat: int | None, tongue: Tongue) -> str:
        you = f" ({tongue.say('you')})" if player == seat else ""
        hand = tongue.cards(self.cards_text(s, s[at.HAND + player]))
        if seat is not None and seat != player:
            hand = " ".join([UNKNOWN] * self.senses.hand_size(s, player))
        tricks = f"   {tongue.say('tricks')} {s[at.TRICKS + player]}" if s[at.PHASE] != at.CALLING else ""
        announced = any(s[at.ANNOUNCED] >> (4 * suit + player) & 1 for suit in range(4))
        belote = f"   {tongue.say('belote')}" if announced else ""
        return f"{tongue.say(SEATS[player])}{you}{tongue.say(': ')}{hand}{tricks}{belote}"

    def _score_lines(self, s: State, tongue: Tongue) -> list[str]:
        """The score item by item."""
        facts = self.breakdown(s)
        outcome = tongue.say("made" if facts["made"] else "failed")
        lines = [f"{tongue.call(facts['contract'])} {outcome}   {tongue.say('multiplier')} {facts['multiplier']}"]
        names = {"tricks": "tricks", "belotes": "belote", "score": "score"}
        return lines + [tongue.item(name, tongue.sides(facts[item])) for item, name in names.items()]

    def why_not(self, s: State, action: int) -> str:
        """Why an action is illegal here."""
        if s[at.PHASE] == at.PLAYING:
            if at.CARD <= action < at.CARD + at.CARDS:
                return self._why_not_card(s, action - at.CARD)
            return "the auction is over; it must play a card"
        if action >= at.CALLS or (at.SHARED and action == at.ACTIONS - 1):
            return "the auction is not over; it must call"
        return self._why_not_call(s, action)

    def _why_not_call(self, s: State, action: int) -> str:
        if s[at.BIDDER] < 0:
            return "nobody has bid yet; it may pass or bid"
        standing = f"the bid that stands is {contract_word(s)} by {SEATS[s[at.BIDDER]]}"
        if action == at.COINCHE:
            if s[at.COINCHED]:
                return f"{SEATS[s[at.COINCHER]]} has coinched already"
            return "" if may_coinche(s) else f"{standing}: only the other side may coinche"
        if action == at.SURCOINCHE:
            if not s[at.COINCHED]:
                return "nobody has coinched"
            return "" if may_surcoinche(s) else f"{standing}: only its own side may surcoinche"
        if s[at.COINCHED]:
            return f"after a coinche nobody may bid; {standing}"
        level = int(s[at.LEVEL]) + 1
        if bid_level(action) >= level:
            return ""
        if level == at.LEVELS:
            return f"{standing}; nothing is higher"
        least = {at.CAPOT_LEVEL: "capot", at.CAPOT_LEVEL + 1: "générale"}.get(level, str(level_value(level)))
        return f"{standing}; a bid must be at least {least}"

    def _why_not_card(self, s: State, card: int) -> str:
        seat, suit = s[at.TURN], s[at.CONTRACT]
        hand, legal = int(s[at.HAND + seat]), int(self.rules.legal_cards(s, seat))
        if not hand >> card & 1:
            return f"it holds {DECK.text(hand)}"
        if legal >> card & 1:
            return ""
        led = int(s[at.TABLE]) >> 3
        may = f"it may play {DECK.text(legal)}"
        best = DECK.names[s[at.BEST]]
        if hand & int(SUIT_CARDS[led]):
            if card >> 3 != led:
                return f"{self.class_names[led]} were led and it holds {DECK.text(hand & int(SUIT_CARDS[led]))}; {may}"
            return f"it must play a higher trump than {best}; {may}"
        if card >> 3 == suit:
            return f"it must overtrump {best}; {may}"
        if legal & int(ABOVE[suit, s[at.BEST]]) or s[at.BEST] >> 3 != suit:
            winner = SEATS[s[at.BEST_SEAT]]
            return f"it has no {self.class_names[led]} and {winner} is winning with {best}: it must trump; {may}"
        return f"it has no {self.class_names[led]} and must undertrump; {may}"

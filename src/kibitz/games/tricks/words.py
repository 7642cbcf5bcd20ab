"""Cards, deals and tables of a trick-taking game as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.errors import BadRecord
from kibitz.core.game import OVER, State
from kibitz.games.decks import UNKNOWN, Deck, mask_of
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.stock import piles_dealt
from kibitz.games.tricks.tables import Tables

SUIT_NAMES = {"c": "clubs", "s": "spades", "h": "hearts", "d": "diamonds", "t": "trumps"}


class Words:
    """The text of one game: what the contract asks of a game's `words`."""

    CATALOGUES: tuple[str, ...] = ("tricks",)
    """The sections that a language's catalogue has for several games (core/languages.py)."""

    def __init__(self, game: Any, rules: Any, senses: Any) -> None:
        self.game, self.rules, self.senses = game, rules, senses
        self.deck: Deck = game.deck
        self.tables: Tables = game.tables
        self.first_card: int = game.first_card
        before, after = game.call_words[: game.first_card], game.call_words[game.first_card :]
        self.ACTION_WORDS: tuple[str, ...] = (*before, *self.deck.names, *after)
        self.CARDS = self.deck.names
        self.class_names = [*(SUIT_NAMES.get(suit, suit) for suit in game.suits), "trumps"]

    def spell(self, text: str) -> str:
        """The word of an action for what a person typed."""
        low = text.strip().lower()
        if low in self.ACTION_WORDS:
            return low
        try:
            return self.deck.names[self.deck.card(text)]
        except BadRecord:
            return low

    def deal_text(self, s: State) -> str:
        """The hands as dealt, what lies aside, and what the game's own slots add: `2c 3c .. | .. ; ...`."""
        game = self.game
        text = " | ".join(
            self.deck.text(pile) if isinstance(pile, int) else " ".join(self.deck.names[card] for card in pile)
            for pile in self.piles(s)
        )
        start = game.start_text(s)
        return f"{text} ; {start}" if start else text

    def piles(self, s: State) -> list[int | list[int]]:
        """The piles of a deal: hands, then what else was dealt, as masks or in their order."""
        return piles_dealt(s, self.game)

    def read_deal(self, text: str, s: State) -> None:
        """Write a deal into a blank state."""
        cards_text, _, start = text.partition(";")
        game = self.game
        parts = cards_text.split("|")
        sizes = game.piles
        if len(parts) != len(sizes):
            raise BadRecord(f"a deal is {len(sizes)} piles of cards separated by |; this one has {len(parts)} parts")
        piles = [self.deck.cards(part) for part in parts]
        names = [f"seat {seat}" for seat in range(game.seats)] + ["the turned card"] * game.turns_up + [game.rest]
        seen: dict[int, str] = {}
        for pile, cards in zip(names, piles, strict=False):
            for card in cards:
                if card in seen:
                    raise BadRecord(f"{self.deck.names[card]} is dealt twice, to {seen[card]} and to {pile}")
                seen[card] = pile
        lost = self.deck.text(((1 << len(self.deck.names)) - 1) & ~mask_of(seen))
        for pile, cards, wanted in zip(names, piles, sizes, strict=False):
            if len(cards) != wanted:
                nobody = f"; nobody has {lost}" if lost else ""
                raise BadRecord(f"{pile} has {len(cards)} cards instead of {wanted}{nobody}")
        self.rules.clear(s)
        self.rules.place(s, np.array([card for pile in piles for card in pile], np.int64))
        game.read_start(start.strip(), s)

    def cards_text(self, s: State, cards: int) -> str:
        """Cards sorted as in a hand: suits apart, trumps first, strong cards first."""
        row = int(s[at.CONTRACT]) if s[at.CONTRACT] >= 0 else self.game.unnamed
        classes, strength = self.tables.classes[row], self.tables.strength[row]
        held = [card for card in range(len(self.deck.names)) if int(cards) >> card & 1]
        groups = []
        for suit in [self.tables.masks.shape[1] - 1, *range(self.tables.masks.shape[1] - 1)]:
            own = sorted((card for card in held if classes[card] == suit), key=lambda card: -strength[card])
            groups.append(" ".join(self.deck.names[card] for card in own))
        return "  ".join(group for group in groups if group)

    def why_not(self, s: State, action: int) -> str:
        """Why an action may not be taken here."""
        card, hand = action - self.first_card, int(s[at.HAND + s[at.TURN]])
        if not 0 <= card < len(self.deck.names):
            return "a card is to be played now" if s[at.PHASE] == at.PLAYING else ""
        if s[at.PHASE] not in (at.PLAYING, at.PASSING, at.LAYING):
            return "no card is to be played now"
        if not hand >> card & 1:
            return f"it does not hold {self.deck.names[card]}"
        if s[at.PHASE] != at.PLAYING:
            return "cards are named from the lowest up, and enough of them must be left to name"
        led = int(s[at.TABLE]) if s[at.COUNT] else at.NOTHING
        is_ours = bool(s[at.COUNT]) and self.rules.side(s, int(s[at.BEST_SEAT])) == self.rules.side(s, int(s[at.TURN]))
        for k in range(self.game.rungs):
            wanted, allowed = (int(mask) for mask in self.rules.duty(s, led, int(s[at.BEST]), is_ours, k))
            if hand & wanted:
                return f"it holds {self.cards_text(s, hand & wanted)} and may play {self.cards_text(s, hand & allowed)}"
        return ""

    def seen(self, s: State, seat: int | None) -> State:
        """The state as a seat knows it, or with all cards open."""
        out = s.copy()
        if seat is not None:
            self.senses.view(s, seat, out)
        return out

    def hand(self, s: State, seat: int) -> list[str]:
        """The cards of a seat as people hold them."""
        return self.cards_text(s, int(s[at.HAND + seat])).split()

    def unseen(self, s: State, seat: int) -> list[str]:
        """The cards of which a seat does not know where they are."""
        return self.cards_text(s, int(self.senses.unseen(s, seat))).split()

    def trick(self, s: State) -> dict[int, str]:
        """The cards on the table by seat, in the order played."""
        return self._by_seat(s, s[at.TABLE : at.TABLE + int(s[at.COUNT])])

    def last_trick(self, s: State) -> dict[int, str]:
        """The last complete trick, in the order played."""
        end = self.rules.LOG + int(s[at.MOVES]) - int(s[at.COUNT])
        size = self.game.seats - int(s[at.OUT] >= 0)
        return self._by_seat(s, s[end - size : end] - self.first_card) if s[at.DONE] else {}

    def _by_seat(self, s: State, cards: State) -> dict[int, str]:
        seats = range(self.game.seats)
        return {seat: self.deck.names[c] for c in cards for seat in seats if int(s[at.PLAYED + seat]) >> int(c) & 1}

    def contract(self, s: State) -> str:
        """The contract's name, with its declarer; empty where there is none yet."""
        name = self.game.contracts[int(s[at.CONTRACT])].name if s[at.CONTRACT] >= 0 else ""
        return f"{name} by seat {s[at.DECLARER]}" if name and s[at.DECLARER] >= 0 else name

    def points(self, s: State) -> list[float]:
        """The points in each seat's tricks so far."""
        return [self.game.unit * int(s[at.POINTS + seat]) for seat in range(self.game.seats)]

    def show(self, s: State, seat: int | None = None) -> str:
        """The table as a person sees it from a seat, or with all cards open."""
        game, s = self.game, self.seen(s, seat)
        points = self.points(s)
        lines = [f"{game.headline(s)}   trick {min(int(s[at.DONE]) + 1, game.each)} of {game.each}"]
        for holder in range(game.seats):
            name = f"seat {holder}" + (" (you)" if holder == seat else "")
            mark = "declarer" if s[at.DECLARER] == holder and s[at.CONTRACT] >= 0 else ""
            tally = f"tricks {s[at.TRICKS + holder]}, points {points[holder]:g}"
            lines.append(f"{name:<13} {mark:<9} {tally:<22} {self._hand_text(s, holder, seat)}".rstrip())
        if s[at.DEAD]:
            lines.append(f"{'lies open':<23} {self.cards_text(s, int(s[at.DEAD]))}")
        if size := self._aside_size(s):
            cards = self._known_aside(s, seat)
            lines.append(f"{'lies aside':<23} {self._some_known(s, cards, size - cards.bit_count())}")
        shown = "; ".join(f"seat {k} {', '.join(suits)}" for k, suits in enumerate(self.lacks(s)) if suits)
        if shown:
            lines.append(f"{'have none of':<23} {shown}")
        if s[at.TURN] == OVER:
            return "\n".join([*lines, f"over: {game.result_text(s)}"])
        if s[at.PHASE] == at.PLAYING:
            lines.append(f"{'trick':<23} {self._trick_text(s)}")
        doing = {at.PLAYING: "to play", at.PASSING: "to pass a card on", at.LAYING: "to lay a card away"}
        return "\n".join([*lines, f"seat {s[at.TURN]} {doing.get(int(s[at.PHASE]), 'to call')}"])

    def beside(self, s: State, seat: int | None, lang: str) -> list[dict[str, Any]]:
        """What lies on the table beside the trick, as a seat (None: everybody) sees it."""
        found = []
        if s[at.DEAD]:
            shown = self.cards_text(s, int(s[at.DEAD])).split()
            found.append({"name": "open", "cards": shown, "count": len(shown)})
        if (size := self._aside_size(s)) > 0:
            cards = self.cards_text(s, self._known_aside(s, seat)).split()
            found.append({"name": "aside", "cards": cards, "count": size})
        return found

    def lines(self, s: State, lang: str) -> list[str]:
        """The headline of the table."""
        return self.game.headline(s).splitlines()[-1:]

    def score_lines(self, s: State, lang: str) -> list[str]:
        """How the deal ended."""
        return self.game.result_text(s).splitlines()

    def _hand_text(self, s: State, holder: int, seat: int | None) -> str:
        if seat is None or seat == holder:
            return self.cards_text(s, int(s[at.HAND + holder])) or "-"
        known = int(s[at.HAND + holder]) & int(self.senses.known(s, seat, holder))
        return self._some_known(s, known, int(self.senses.hand_size(s, holder)) - known.bit_count())

    def _some_known(self, s: State, cards: int, left: int) -> str:
        parts = [self.cards_text(s, cards)] * bool(cards) + [f"{UNKNOWN} x {left}"] * bool(left)
        return "  ".join(parts) or "-"

    def _known_aside(self, s: State, seat: int | None) -> int:
        return int(s[at.ASIDE]) if seat is None else int(s[at.ASIDE]) & int(self.senses.known_aside(s, seat))

    def _aside_size(self, s: State) -> int:
        game = self.game
        held = sum(int(self.senses.hand_size(s, seat)) for seat in range(game.seats))
        gone = sum(int(s[at.PLAYED + seat]).bit_count() for seat in range(game.seats))
        return len(self.deck.names) - held - gone - int(s[at.DEAD]).bit_count()

    def told(self, before: State, after: State, seat: int, mover: int, lang: str) -> str:
        """What a seat sees of a move, from its views before and after it."""
        moves = int(before[at.MOVES])
        action = int(after[self.rules.LOG + moves])
        if action == at.HIDDEN:
            return "chooses a card"
        verbs = {at.PASSING: "passes on ", at.LAYING: "lays away "}
        return verbs.get(int(before[at.PHASE]), "") + self.ACTION_WORDS[action]

    def _trick_text(self, s: State) -> str:
        if s[at.COUNT] == 0:
            return f"seat {s[at.TURN]} leads"
        seats = [int(s[at.LEADER])]
        while len(seats) < s[at.COUNT]:
            seats.append(int(self.rules.next_seat(s, seats[-1])))
        played = []
        for k, player in enumerate(seats):
            star = "*" if s[at.TABLE + k] == s[at.BEST] else ""
            played.append(f"seat {player}: {self.deck.names[s[at.TABLE + k]]}{star}")
        return "   ".join(played)

    def winning(self, s: State) -> int:
        """The seat whose card wins the trick so far."""
        return int(s[at.BEST_SEAT]) if s[at.COUNT] else at.NOBODY

    def tricks(self, s: State) -> list[int]:
        """How many tricks each seat has taken; empty before the play."""
        count = [int(s[at.TRICKS + seat]) for seat in range(self.game.seats)]
        return count if s[at.PHASE] in (at.PLAYING, at.ENDED) or s[at.DONE] else []

    def lacks(self, s: State) -> list[list[str]]:
        """The suits that each seat has shown not to have."""
        row = max(0, int(s[at.CONTRACT]))
        masks, names = self.tables.masks[row], self.class_names
        return [
            [names[k] for k, mask in enumerate(masks) if int(mask) and not int(mask) & ~int(s[at.LACKS + holder])]
            for holder in range(self.game.seats)
        ]

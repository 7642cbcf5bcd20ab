"""Cego in plain Python: slow and obvious, to be read beside the RULES.md whose numbers it cites."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import combinations

SEATS = [0, 1, 2, 3]
BLACK = ["7", "8", "9", "10", "J", "R", "Q", "K"]
RED = ["4", "3", "2", "1", "J", "R", "Q", "K"]
TRUMPS = [str(n) for n in range(1, 22)] + ["G"]
RANKS = {"c": BLACK, "s": BLACK, "h": RED, "d": RED, "t": TRUMPS}  # rules 1.2, 1.3: low to high
DECK = [rank + suit for suit in "cshdt" for rank in RANKS[suit]]  # rule 1.6: the place is the card number
VALUES = {"K": 4.5, "Q": 3.5, "R": 2.5, "J": 1.5, "G": 4.5}

SUBGAMES = ["standard", "solo", "ultimo", "bettel", "piccolo", "raeuber"]
SPECIALS = ["bettel", "piccolo", "solo", "ultimo"]  # rule 7.1: low to high
LEVELS = ["cego", "eine", "eine-leere", "zwei-leere", "zwei-verschiedene"]  # rule 7.5: low to high
EXPOSING = ["eine-leere", "zwei-leere", "zwei-verschiedene"]
COUNTED = ["standard", "solo", *LEVELS]  # rule 3.1: games decided by card points


def suit(card: str) -> str:
    """The suit letter of a card."""
    return card[-1]


def strength(card: str) -> int:
    """The place of a card inside its suit, 0 for the lowest."""
    return RANKS[suit(card)].index(card[:-1])


def number(card: str) -> int:
    """The card number of rule 1.6."""
    return DECK.index(card)


def value(card: str) -> float:
    """The card value of rule 1.5."""
    return 4.5 if card in ("1t", "21t") else VALUES.get(card[:-1], 0.5)


def worth(cards: Iterable[str]) -> float:
    """The value of several cards."""
    return sum(value(card) for card in cards)


def is_empty(card: str) -> bool:
    """Whether the card is one of the four lowest of a plain suit (rule 1.4)."""
    return suit(card) != "t" and strength(card) < 4


def is_low(card: str) -> bool:
    """Whether the card is one of the thirty low cards (rule 4.4)."""
    return strength(card) < 6


def qualifies(hand: Iterable[str], subgame: str) -> bool:
    """Whether eleven dealt cards fit a sub-game under restrict=on (rule 4.3)."""
    cards = list(hand)
    trumps = [card for card in cards if suit(card) == "t"]
    high_trumps = [card for card in trumps if strength(card) >= strength("17t")]
    plain_suits = {suit(card) for card in cards if suit(card) != "t"}
    low = [card for card in cards if is_low(card)]
    if subgame == "standard":
        return worth(cards) >= 15
    if subgame == "solo":
        return len(trumps) >= 8 or (len(trumps) == 7 and len(high_trumps) >= 2 and len(plain_suits) <= 2)
    if subgame == "ultimo":
        return "1t" in cards and len(trumps) >= 8 and len(high_trumps) >= 2
    if subgame == "bettel":
        return len(low) == 11
    if subgame == "piccolo":
        return len(low) == 10
    assert subgame == "raeuber"
    return True


def winning_card(trick: Sequence[str], exposed: Sequence[str]) -> str:
    """The card that wins the trick as it lies (rules 2.4 and 8.7)."""
    trumps = [card for card in trick if suit(card) == "t"]
    if trumps:
        return max(trumps, key=strength)
    able = [card for card in trick if card not in exposed]
    if not able:
        return trick[0]  # an exposed card was led and lies alone
    followers = [card for card in able if suit(card) == suit(trick[0])]
    # Rule 8.7: with none, the second card of the trick, the first that is not exposed, takes the place of the lead.
    return max(followers or [card for card in able if suit(card) == suit(able[0])], key=strength)


class Play:
    """The tricks of one game, from the first lead to its end (parts 2 and 3, rules 8.6 and 8.7)."""

    def __init__(
        self, hands: Sequence[Iterable[str]], game: str, leader: int, legage: Iterable[str], exposed: Iterable[str]
    ) -> None:
        self.hands = [set(hand) for hand in hands]
        self.game = game
        self.single = leader  # rule 3.8
        self.leader = leader
        self.turn: int | None = leader
        self.legage = list(legage)
        self.exposed = list(exposed)
        self.trick: list[str] = []
        self.tricks: list[tuple[int, list[str]]] = []  # winner and cards
        assert all(len(hand) == 11 for hand in self.hands)

    def legal(self) -> set[str]:
        """The cards that the seat to move may play."""
        assert self.turn is not None
        hand = self.hands[self.turn]
        if not self.trick:
            return self.leads(hand)
        following = {card for card in hand if suit(card) == suit(self.trick[0])}
        trumps = {card for card in hand if suit(card) == "t"}
        return following or trumps or set(hand)  # rule 2.2

    def leads(self, hand: set[str]) -> set[str]:
        """The cards that may be led from a hand (rules 2.1 and 8.6)."""
        trick_number = len(self.tricks) + 1
        if (self.game == "eine-leere" and trick_number == 1) or (self.game == "zwei-leere" and trick_number <= 2):
            return {card for card in hand if suit(card) == suit(self.exposed[0])}
        if self.game == "zwei-verschiedene" and trick_number <= 2:
            return {card for card in hand if card in self.exposed}
        return set(hand)

    def winner(self) -> int:
        """The seat that wins the current trick as it lies."""
        return (self.leader + self.trick.index(winning_card(self.trick, self.exposed))) % 4

    def play(self, card: str) -> None:
        """Play a card from the hand of the seat to move."""
        assert self.turn is not None and card in self.legal()
        self.hands[self.turn].remove(card)
        self.trick.append(card)
        self.turn = (self.turn + 1) % 4
        if len(self.trick) == 4:
            self.take()
        if self.is_over():
            self.turn = None

    def take(self) -> None:
        """Give the full trick to its winner and let the next leader lead."""
        self.leader = self.winner()
        self.tricks.append((self.leader, self.trick))
        self.trick = []
        if self.game in ("zwei-leere", "zwei-verschiedene") and len(self.tricks) == 1:
            self.leader = self.single  # rule 8.6
        self.turn = self.leader

    def is_over(self) -> bool:
        """Whether the game has ended (part 3)."""
        if self.game == "ultimo":
            early = [card for _, cards in self.tricks[:10] for card in cards]
            early += self.trick if len(self.tricks) < 10 else []
            return "1t" in early or len(self.tricks) == 11
        if self.game == "bettel" and self.tricks_of(self.single) >= 1:
            return True
        if self.game == "piccolo" and self.tricks_of(self.single) >= 2:
            return True
        return len(self.tricks) == 11

    def tricks_of(self, seat: int) -> int:
        """How many tricks a seat has won."""
        return len([winner for winner, _ in self.tricks if winner == seat])

    def points(self, seat: int) -> float:
        """The value of a seat's own tricks and, for the single player, of the Legage."""
        won = worth(card for winner, cards in self.tricks if winner == seat for card in cards)
        return won + (worth(self.legage) if seat == self.single else 0)

    def is_made(self) -> bool:
        """Whether the single player reached his aim (rules 3.1 to 3.4)."""
        if self.game == "ultimo":
            return len(self.tricks) == 11 and winning_card(self.tricks[10][1], []) == "1t"
        if self.game == "bettel":
            return self.tricks_of(self.single) == 0
        if self.game == "piccolo":
            return self.tricks_of(self.single) == 1
        assert self.game in COUNTED
        return self.points(self.single) >= 40

    def raeuber_losers(self, raeuber_tie: str) -> list[int]:
        """The seats that lose a Räuber (rules 3.5 and 3.6)."""
        in_turn = [(self.single + i) % 4 for i in SEATS]
        most = max(self.points(seat) for seat in SEATS)
        tied = [seat for seat in in_turn if self.points(seat) == most]
        return tied[:1] if raeuber_tie == "first" else tied

    def winners(self, raeuber_tie: str) -> list[int]:
        """The seats that have won (rule 3.9)."""
        assert self.turn is None
        if self.game == "raeuber":
            losers = self.raeuber_losers(raeuber_tie)
            return [seat for seat in SEATS if seat not in losers]
        return [seat for seat in SEATS if (seat == self.single) == self.is_made()]


def exchanged(hand: Iterable[str], blind: Iterable[str]) -> tuple[list[str], list[str]]:
    """The playing hand and the Legage of Standard-Cego (rule 4.2)."""

    def order(card: str) -> tuple[bool, int, int]:
        return (suit(card) == "t", strength(card), number(card))

    own, taken = sorted(hand, key=order), sorted(blind, key=order)
    return own[-2:] + taken[1:], own[:-2] + taken[:1]


class SubGame:
    """One of the six sub-games; seat 0 is the single player (part 4)."""

    def __init__(
        self,
        hands: Sequence[Iterable[str]],
        blind: Iterable[str],
        subgame: str = "standard",
        restrict: str = "on",
        reward: str = "",
        raeuber_tie: str = "first",
    ) -> None:
        dealt, middle = [list(hand) for hand in hands], list(blind)
        assert sorted([card for hand in dealt for card in hand] + middle) == sorted(DECK) and len(middle) == 10
        assert subgame in SUBGAMES and restrict in ("on", "off") and raeuber_tie in ("first", "all")
        assert restrict == "off" or qualifies(dealt[0], subgame)  # rule 4.3
        assert subgame != "ultimo" or "1t" in dealt[0]  # rule 4.5
        self.subgame = subgame
        self.raeuber_tie = raeuber_tie
        self.reward = reward or ("points" if subgame in COUNTED else "win")  # rule 4.6
        assert self.reward in ("win", "sign") or (self.reward == "points" and subgame in COUNTED)
        legage = middle if subgame == "solo" else []
        if subgame == "standard":
            dealt[0], legage = exchanged(dealt[0], middle)
        self.table = Play(dealt, subgame, 0, legage, [])

    @property
    def turn(self) -> int | None:
        """The seat to move, None when the game is over."""
        return self.table.turn

    def legal(self) -> set[str]:
        """The legal card words."""
        return self.table.legal() if self.turn is not None else set()

    def play(self, word: str) -> None:
        """Play one card."""
        self.table.play(word)

    def won(self, seat: int) -> bool:
        """Whether a seat has won (rule 3.9)."""
        return seat in self.table.winners(self.raeuber_tie)

    def score(self) -> list[float]:
        """Points so far: shared by the three opponents in standard and solo (rule 4.7), own tricks elsewhere."""
        points = [self.table.points(seat) for seat in SEATS]
        return [points[0]] + [sum(points[1:])] * 3 if self.subgame in COUNTED else points

    def returns(self) -> list[float]:
        """The reward of each seat (rule 4.6)."""
        assert self.turn is None
        if self.reward == "points":
            return self.score()
        lost = 0.0 if self.reward == "win" else -1.0
        return [1.0 if self.won(seat) else lost for seat in SEATS]

    def paper_observation(self, seat: int) -> list[int]:
        """The 336 bits of rule 5.1."""
        table = self.table
        known = list(table.hands[seat]) + [card for _, cards in table.tricks for card in cards] + table.trick
        if seat == 0 and self.subgame == "standard":
            known += table.legage
        bits = [int(card in table.hands[seat]) for card in DECK]
        bits += [int(card not in known) for card in DECK]
        bits += [int(bool(table.trick) and card == winning_card(table.trick, [])) for card in DECK]
        for place in (0, 1, 2):
            bits += [int(table.trick[place : place + 1] == [card]) for card in DECK]
        if self.subgame == "raeuber":
            bits += [int(other == seat) for other in SEATS]
        else:
            bits += [int((other == 0) == (seat == 0)) for other in SEATS]
        bits += [int(bool(table.trick) and other == table.winner()) for other in SEATS]
        bits += [int(other == table.leader) for other in SEATS]
        return bits


def keeps(hand: Iterable[str], level: str) -> list[tuple[str, ...]]:
    """The cards that may be kept at a level, each choice in rising card number (rules 8.1 to 8.3)."""
    size = 1 if level in ("eine", "eine-leere") else 2
    choices = list(combinations(sorted(hand, key=number), size))
    if level not in EXPOSING:
        return choices
    choices = [choice for choice in choices if all(suit(card) != "t" for card in choice)]
    if level == "zwei-leere":
        choices = [(a, b) for a, b in choices if suit(a) == suit(b)]
    if level == "zwei-verschiedene":
        choices = [(a, b) for a, b in choices if suit(a) != suit(b)]
    most = max([sum(is_empty(card) for card in choice) for choice in choices], default=0)
    return [choice for choice in choices if sum(is_empty(card) for card in choice) == most]


def game_value(game: str, points: float, against_solo: bool = False) -> int:
    """What one opponent receives or pays (rules 9.2 and 9.3)."""
    fixed = {"ultimo": 80, "piccolo": 40, "bettel": 30}
    if game in fixed:
        return fixed[game]
    fach = 1
    while abs(points - 39.5) > 5 * fach:
        fach += 1
    if game == "solo":
        multiplier = 2 if points >= 40 else 1
    else:
        multiplier = LEVELS.index(game) + 1 + int(against_solo)
    paid = 5 * fach * multiplier
    return paid if paid % 10 == 0 else paid + 5


def session_dealer(deal: int) -> int:
    """The dealer of a deal of a session, deals counted from 0 (rule 6.2)."""
    return (3 + deal) % 4


class FullGame:
    """One deal of the whole game (parts 6 to 9)."""

    def __init__(
        self,
        hands: Sequence[Iterable[str]],
        blind: Iterable[str],
        dealer: int = 3,
        contra_solo: str = "off",
        compulsory_solo: str = "off",
        raeuber_tie: str = "first",
    ) -> None:
        self.hands = [set(hand) for hand in hands]
        self.blind = set(blind)
        assert sorted([card for hand in self.hands for card in hand] + list(self.blind)) == sorted(DECK)
        assert dealer in SEATS and len(self.blind) == 10 and all(len(hand) == 11 for hand in self.hands)
        assert contra_solo in ("on", "off") and compulsory_solo in ("on", "off") and raeuber_tie in ("first", "all")
        self.contra_solo, self.compulsory_solo, self.raeuber_tie = contra_solo, compulsory_solo, raeuber_tie
        self.forehand = (dealer + 1) % 4  # rule 6.1
        self.phase = "announce"
        self.speaker = self.forehand
        self.game = ""  # the highest word so far, in the end the game that is played
        self.single = self.forehand  # who said it
        self.soloist: int | None = None  # in and after the phase contra
        self.passed: set[int] = set()
        self.kept: list[str] = []
        self.legage: list[str] = []
        self.table: Play | None = None
        self.log: list[tuple[int, str, bool]] = []  # seat, word, open to all

    @property
    def turn(self) -> int | None:
        """The seat to move, None when the deal is over."""
        return self.speaker if self.table is None else self.table.turn

    def legal(self) -> set[str]:
        """The legal words of the seat to move."""
        if self.turn is None:
            return set()
        if self.table is not None:
            return self.table.legal()
        hand = self.hands[self.speaker]
        if self.phase == "announce":
            return self.announcements(hand)
        if self.phase == "settle":
            return {"cego", "raeuber"}  # rule 7.9
        if self.phase == "keep":
            said = len(self.kept)
            choices = keeps(hand, self.game)
            return {choice[said] for choice in choices if list(choice[:said]) == self.kept}  # rule 8.2
        if self.phase == "discard":
            return self.discards(hand)
        higher = LEVELS[LEVELS.index(self.game) + 1 :] if self.game in LEVELS else LEVELS  # rules 7.6, 7.10
        bids = {level for level in higher if keeps(hand, level)}  # rule 7.8
        opening = self.phase == "raise" and not self.game
        return (bids - {"cego"}) | {"hold"} if opening else bids | {"pass"}  # rules 7.5, 7.6

    def announcements(self, hand: set[str]) -> set[str]:
        """The special games a hand may announce now, and pass (rules 7.1 and 7.3)."""
        higher = SPECIALS[SPECIALS.index(self.game) + 1 :] if self.game else SPECIALS
        words = {word for word in higher if word != "ultimo" or "1t" in hand}
        if self.compulsory_solo == "on" and qualifies(hand, "solo") and "solo" in words:
            return words & {"solo", "ultimo"}
        return words | {"pass"}

    def discards(self, hand: set[str]) -> set[str]:
        """The cards that may be discarded (rule 8.4)."""
        if self.game == "cego":
            return set(hand)
        trumps = sorted([card for card in self.blind if suit(card) == "t"], key=strength)
        if not trumps:
            return set(self.blind)
        return {trumps[0] if self.game == "zwei-leere" else trumps[-1]}

    def play(self, word: str) -> None:
        """Say one word or play one card."""
        assert self.turn is not None and word in self.legal()
        hidden = self.phase in ("keep", "discard") and self.game not in EXPOSING  # rule 6.5
        self.log.append((self.turn, word, not hidden))
        if self.table is not None:
            self.table.play(word)
            self.phase = "over" if self.table.turn is None else "play"
        elif self.phase == "announce":
            self.announce(word)
        elif self.phase in ("raise", "contra"):
            self.bid(word)
        elif self.phase == "settle":
            self.game = word
            self.start("play" if word == "raeuber" else "keep")
        elif self.phase == "keep":
            self.keep(word)
        else:
            self.hands[self.single].remove(word)
            self.legage.append(word)
            self.start("play")

    def announce(self, word: str) -> None:
        """Hear one announcement (rules 7.1 to 7.4)."""
        if word != "pass":
            self.game, self.single = word, self.speaker
        self.speaker = (self.speaker + 1) % 4
        if word != "ultimo" and len(self.log) < 4:
            return
        if not self.game:
            self.phase, self.speaker = "raise", self.forehand
        elif self.game == "solo" and self.contra_solo == "on":
            self.phase, self.soloist = "contra", self.single
            self.passed = {self.single}
            self.speaker = next(seat for seat in self.in_turn(self.forehand) if seat not in self.passed)
        else:
            self.start("play")

    def in_turn(self, first: int) -> list[int]:
        """The four seats in turn from a first one."""
        return [(first + i) % 4 for i in SEATS]

    def bid(self, word: str) -> None:
        """Hear one word of raise or contra (rules 7.5 to 7.10)."""
        if word == "pass":
            self.passed.add(self.speaker)
        else:
            self.game, self.single = ("cego" if word == "hold" else word), self.speaker
        rivals = [s for s in self.in_turn(self.speaker + 1) if s not in self.passed and s != self.single]
        if rivals and self.game != "zwei-verschiedene":
            self.speaker = rivals[0]
        elif self.game == "solo":
            self.start("play")
        else:
            # In raise a standing "cego" can only be forehand's hold; in contra it is a bid like any other.
            self.start("settle" if self.game == "cego" and self.phase == "raise" else "keep")

    def start(self, phase: str) -> None:
        """Enter settle, keep, discard or play with the single player to move."""
        self.phase, self.speaker = phase, self.single
        if phase == "play":
            legage = self.blind if self.game == "solo" else self.legage
            self.table = Play(self.hands, self.game, self.single, legage, self.kept if self.game in EXPOSING else [])

    def keep(self, word: str) -> None:
        """Keep one card and, when all are named, lay the rest away and take up the blind (rule 8.1)."""
        self.kept.append(word)
        wanted = 1 if self.game in ("eine", "eine-leere") else 2
        if len(self.kept) < wanted:
            return
        self.legage = sorted(self.hands[self.single] - set(self.kept), key=number)
        self.hands[self.single] = set(self.kept) | self.blind
        self.start("play" if wanted == 1 else "discard")

    def heard(self, seat: int) -> list[tuple[int, str]]:
        """All words said so far as one seat knows them, ?? for the hidden words of another (rule 6.5)."""
        return [(who, word if shown or who == seat else "??") for who, word, shown in self.log]

    def won(self, seat: int) -> bool:
        """Whether a seat has won (rule 3.9)."""
        assert self.table is not None
        return seat in self.table.winners(self.raeuber_tie)

    def returns(self) -> list[float]:
        """The payment of the deal (part 9)."""
        assert self.table is not None and self.turn is None
        if self.game == "raeuber":
            losers = self.table.raeuber_losers(self.raeuber_tie)
            due = {seat: 80 if seat == self.single else 40 for seat in losers}  # rule 9.5
            total = sum(due.values())
            return [float(total if s not in losers else -due[s] * (4 - len(losers))) for s in SEATS]
        paid = game_value(self.game, self.table.points(self.single), self.soloist is not None)
        paid = paid if self.table.is_made() else -paid
        return [float(3 * paid if seat == self.single else -paid) for seat in SEATS]


def random_deal(rng: random.Random, subgame: str = "", restrict: str = "off") -> tuple[list[list[str]], list[str]]:
    """Four hands and a blind; seat 0's hand fits the sub-game where that is asked for (rules 4.3 and 4.5)."""
    low, high = [card for card in DECK if is_low(card)], [card for card in DECK if not is_low(card)]
    while True:
        if restrict == "on" and subgame in ("bettel", "piccolo"):
            # Drawn directly: throwing deals in would take thousands of shuffles.
            first = rng.sample(low, 11) if subgame == "bettel" else rng.sample(low, 10) + rng.sample(high, 1)
        else:
            first = rng.sample(DECK, 11)
        fits = qualifies(first, subgame) if restrict == "on" else subgame != "ultimo" or "1t" in first
        if fits:
            break
    rest = [card for card in DECK if card not in first]
    rng.shuffle(rest)
    return [first, rest[:11], rest[11:22], rest[22:33]], rest[33:]


def random_game(rng: random.Random, subgame: str = "", dealer: int = 3, **options: str) -> SubGame | FullGame:
    """Deal a sub-game, or the whole game if none is named."""
    hands, blind = random_deal(rng, subgame, options.get("restrict", "on") if subgame else "off")
    if subgame:
        return SubGame(hands, blind, subgame=subgame, **options)
    return FullGame(hands, blind, dealer=dealer, **options)

"""Cheat, slow and obvious: hands are sorted strings of rank letters; numbers in brackets are rules of RULES.md."""

import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

RANKS = "A23456789TJQK"  # (1.1)
PASS, TRUST, CHEAT = "pass", "trust", "cheat"
UNSEEN = "?"


@dataclass(frozen=True)
class Options:
    """The options of section 8."""

    players: int = 2
    ranks: int = 7
    copies: int = 4
    cards_each: int = 6
    max_discard: int = 0
    first_player: int | str = "random"
    max_turns: int = 200
    on_limit: str = "draw"
    payoff: str = "zero_sum"
    reset_on_challenge: bool = False
    allow_pass: bool = False
    reveal_pile: bool = False

    @property
    def deck(self) -> str:
        """The whole pack (1.1)."""
        return "".join(rank * self.copies for rank in RANKS[: self.ranks])

    @property
    def most(self) -> int:
        """The largest discard allowed (3.2)."""
        return self.max_discard or self.copies


PRESETS: dict[str, dict[str, Any]] = {
    "cheat-paper": {},
    "cheat-half": {"cards_each": 0, "max_turns": 20_000},
    "cheat-whole": {"ranks": 13, "cards_each": 0, "max_turns": 20_000},
    "cheat-tiny": {"ranks": 3, "copies": 2, "cards_each": 2, "max_turns": 4},
    "cheat-party": {"players": 4, "ranks": 13, "copies": 8, "cards_each": 0, "max_discard": 4, "max_turns": 20_000},
}


class Event(NamedTuple):
    """One thing a seat hears or sees (6.7); cards it cannot see are question marks."""

    kind: str  # deal, pass, discard, trust, cheat, takes
    seat: int
    cards: str = ""
    pile: tuple[tuple[int, str], ...] = ()
    sizes: tuple[int, ...] = ()


class Play(NamedTuple):
    """One decision and what an observer of all cards knew of it (section 10)."""

    seat: int
    word: str
    rank: str
    hand: str
    discarder: int
    cards: str  # the discard made or judged


def arrange(cards: str) -> str:
    """The cards in rank order (1.1)."""
    return "".join(sorted(cards, key=RANKS.index))


def without(cards: str, gone: str) -> str:
    """The cards left when some are taken away."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return "".join(left)


def handfuls(hand: str, most: int) -> set[str]:
    """Every different choice of 1 to `most` cards of a sorted hand (3.2)."""
    words = {""}
    for card in hand:
        words |= {word + card for word in words if len(word) < most}
    return words - {""}


class Game:
    """One game from a complete deal; whatever no hand holds at the start is out of play (2.4)."""

    def __init__(self, hands: list[str], first: int = 0, **options: Any) -> None:
        self.options = Options(**{"players": len(hands), **options})
        assert len(hands) == self.options.players and 0 <= first < len(hands) and all(hands)
        self.hands = [arrange(hand) for hand in hands]
        self.undealt = without(self.options.deck, "".join(hands))
        self.first = self.discarder = first
        self.rank = RANKS[0]  # (2.5)
        self.asked: int | None = None  # the seat being asked, in the challenge phase
        self.pile: list[tuple[int, str]] = []  # who laid what, the last discard last
        self.turns = 0  # turns completed
        self.winners: list[int] | None = None  # set when the game is over; empty for a draw
        self.plays: list[Play] = []
        self.seen: dict[int | None, list[Event]] = {seat: [] for seat in [None, *range(len(hands))]}
        for seat, events in self.seen.items():
            hand = "" if seat is None else self.hands[seat]
            events.append(Event("deal", first, hand, sizes=tuple(len(dealt) for dealt in hands)))

    @property
    def turn(self) -> int | None:
        """The seat to move."""
        if self.winners is not None:
            return None
        return self.discarder if self.asked is None else self.asked

    @property
    def claim(self) -> int:
        """How many cards the last discard has, 0 outside the challenge phase."""
        return 0 if self.asked is None else len(self.pile[-1][1])

    def legal(self) -> set[str]:
        """The action words of the seat to move."""
        if self.winners is not None:
            return set()
        if self.asked is not None:
            return {TRUST, CHEAT}  # (4.2)
        words = handfuls(self.hands[self.discarder], self.options.most)  # (3.2)
        return words | {PASS} if self.options.allow_pass else words  # (3.6)

    def play(self, word: str) -> None:
        """Make one move."""
        seat = self.turn
        assert seat is not None and word in self.legal(), (seat, word)
        judged = word if self.asked is None else self.pile[-1][1]
        self.plays.append(Play(seat, word, self.rank, self.hands[seat], self.discarder, judged))
        if self.asked is not None:
            self._answer(word)
        elif word == PASS:
            self._tell(Event(PASS, seat))
            self._end_turn(challenged=False)  # (3.6)
        else:
            self._discard(word)

    def _discard(self, cards: str) -> None:
        seat = self.discarder
        self.hands[seat] = without(self.hands[seat], cards)
        self.pile.append((seat, cards))
        for observer, events in self.seen.items():  # (3.4)
            events.append(Event("discard", seat, cards if observer == seat else UNSEEN * len(cards)))
        self.asked = (seat + 1) % self.options.players  # (4.1)

    def _answer(self, word: str) -> None:
        assert self.asked is not None
        self._tell(Event(word, self.asked))  # (4.3)
        if word == CHEAT:
            last = self.pile[-1][1]
            is_lie = any(card != self.rank for card in last)  # (4.4)
            self._take_pile(self.discarder if is_lie else self.asked)  # (4.5)
            self._end_turn(challenged=True)
            return
        self.asked = (self.asked + 1) % self.options.players
        if self.asked == self.discarder:  # (4.6) nobody doubted
            self._end_turn(challenged=False)

    def _take_pile(self, taker: int) -> None:
        for observer, events in self.seen.items():
            events.append(Event("takes", taker, pile=tuple(self._pile_as_seen(observer, taker))))
        self.hands[taker] = arrange(self.hands[taker] + "".join(cards for _, cards in self.pile))
        self.pile = []

    def _pile_as_seen(self, observer: int | None, taker: int) -> list[tuple[int, str]]:
        """The discards in the order they were laid, as far as the observer sees them (4.4, 4.7, 8.12)."""
        is_open = observer == taker or self.options.reveal_pile
        last = len(self.pile) - 1
        return [
            (seat, cards if is_open or at == last or seat == observer else UNSEEN * len(cards))
            for at, (seat, cards) in enumerate(self.pile)
        ]

    def _end_turn(self, challenged: bool) -> None:
        self.turns += 1
        self.asked = None
        if not self.hands[self.discarder]:
            self.winners = [self.discarder]  # (5.1)
        elif self.turns == self.options.max_turns:
            self.winners = self._limit_winners()
        else:
            at = 0 if challenged and self.options.reset_on_challenge else RANKS.index(self.rank) + 1  # (4.8, 8.10)
            self.rank = RANKS[at % self.options.ranks]
            self.discarder = (self.discarder + 1) % self.options.players  # (4.8)

    def _limit_winners(self) -> list[int]:
        """Who wins when the last turn is played: nobody, or the shortest hands (5.3, 8.8)."""
        sizes = [len(hand) for hand in self.hands]
        if self.options.on_limit == "draw" or len(set(sizes)) == 1:
            return []
        return [seat for seat, size in enumerate(sizes) if size == min(sizes)]

    def _tell(self, event: Event) -> None:
        for events in self.seen.values():
            events.append(event)

    def won(self, seat: int) -> bool:
        """Whether the seat won (5.4)."""
        assert self.winners is not None
        return seat in self.winners

    def returns(self) -> list[float]:
        """The payoff of every seat (5.5, 8.13)."""
        assert self.winners is not None
        seats = range(self.options.players)
        if not self.winners:
            return [0.0 for _ in seats]  # (5.3)
        if self.options.payoff == "rank":
            return [float(self._place_value(seat)) for seat in seats]
        if self.options.payoff == "win_loss":
            return [1.0 if self.won(seat) else -1.0 for seat in seats]
        losers = self.options.players - len(self.winners)
        return [1 / len(self.winners) if self.won(seat) else -1 / losers for seat in seats]

    def _place_value(self, seat: int) -> Fraction:
        """From 1 for the shortest hand to -1 for the longest; equal hands share the mean of their places (8.13)."""
        sizes = [len(hand) for hand in self.hands]
        better = sum(size < sizes[seat] for size in sizes)
        equal = sum(size == sizes[seat] for size in sizes)
        mean_place = better + Fraction(equal - 1, 2)
        return 1 - 2 * mean_place / (len(sizes) - 1)


def deal_sizes(first: int, options: Options) -> list[int]:
    """How many cards each seat is dealt (2.2, 2.3)."""
    if options.cards_each:
        return [options.cards_each] * options.players
    sizes = [0] * options.players
    for at in range(len(options.deck)):
        sizes[(first + at) % options.players] += 1
    return sizes


def random_game(rng: random.Random, **options: Any) -> Game:
    """Shuffle, deal and draw the first player (section 2)."""
    chosen = Options(**options)
    drawn = rng.randrange(chosen.players)
    first = drawn if chosen.first_player == "random" else int(chosen.first_player)
    deck = list(chosen.deck)
    rng.shuffle(deck)
    hands = []
    for size in deal_sizes(first, chosen):
        hands.append("".join(deck.pop() for _ in range(size)))
    return Game(hands, first, **options)


class Memory:
    """Everything one seat knows (section 6), built only from the events it witnessed; seat None is a bystander."""

    def __init__(self, seat: int | None, options: Options) -> None:
        self.seat = seat
        self.options = options
        self.hand = ""
        self.rank = RANKS[0]
        self.discarder = 0
        self.sizes: list[int] = []
        self.pile: list[tuple[int, str]] = []
        self.claim = 0
        self.known: list[Counter[str]] = [Counter() for _ in range(options.players)]
        self._silent = 0  # seats that have trusted the present claim

    def hear(self, event: Event) -> None:
        """Take in the next event."""
        if event.kind == "deal":
            self.hand, self.discarder, self.sizes = event.cards, event.seat, list(event.sizes)
        elif event.kind == "discard":
            self._discard(event.seat, event.cards)
        elif event.kind == "trust":
            self._silent += 1
            if self._silent == self.options.players - 1:
                self._end_turn(challenged=False)
        elif event.kind == "takes":
            self._takes(event.seat, event.pile)
            self._end_turn(challenged=True)
        elif event.kind == "pass":
            self._end_turn(challenged=False)

    def _discard(self, seat: int, cards: str) -> None:
        self.pile.append((seat, cards))
        self.claim = len(cards)
        self.sizes[seat] -= len(cards)
        if seat == self.seat:
            self.hand = without(self.hand, cards)

    def _takes(self, taker: int, pile: tuple[tuple[int, str], ...]) -> None:
        """The one rule of memory (6.5)."""
        laid = [sum(len(cards) for seat, cards in pile if seat == owner) for owner in range(self.options.players)]
        shown: list[Counter[str]] = [Counter() for _ in range(self.options.players)]
        for seat, cards in pile:
            shown[seat].update(cards.replace(UNSEEN, ""))
        for seat in range(self.options.players):
            if seat == self.seat:
                continue
            known = self.known[seat]
            if seat == taker:
                known = known | shown[seat]  # the larger count of each rank: they may be the same cards
                for other in range(self.options.players):
                    if other != taker:
                        known = known + shown[other]
            else:
                dark = laid[seat] - shown[seat].total()
                known = Counter({rank: known[rank] - shown[seat][rank] - dark for rank in known})
            self.known[seat] = +known
        self.sizes[taker] += sum(laid)
        if taker == self.seat:
            self.hand = arrange(self.hand + "".join(cards for _, cards in pile))
        self.pile = []

    def _end_turn(self, challenged: bool) -> None:
        at = 0 if challenged and self.options.reset_on_challenge else RANKS.index(self.rank) + 1
        self.rank = RANKS[at % self.options.ranks]
        self.discarder = (self.discarder + 1) % self.options.players
        self.claim = 0
        self._silent = 0

    def laid(self, seat: int) -> str:
        """The seat's cards in the pile, question marks for those not seen (6.2, 6.3)."""
        return "".join(cards for owner, cards in self.pile if owner == seat)

    def own(self) -> Counter[str]:
        """Own cards: those in hand and those laid in the pile (6.2)."""
        return Counter() if self.seat is None else Counter(self.hand + self.laid(self.seat))


def memory_of(game: Game, seat: int | None) -> Memory:
    """What a seat knows now, from the whole of what it witnessed."""
    memory = Memory(seat, game.options)
    for event in game.seen[seat]:
        memory.hear(event)
    return memory


def naive_choices(memory: Memory, mode: str = "uniform_count", p_ch: float = 0.5) -> dict[str, Fraction]:
    """The words cheat-naive may choose with their probabilities (9.1 to 9.3)."""
    options, hand, rank = memory.options, memory.hand, memory.rank
    if memory.claim:
        if memory.claim + hand.count(rank) > options.copies:
            return {CHEAT: Fraction(1)}  # (9.3)
        doubt = Fraction(p_ch)
        return {word: p for word, p in ((CHEAT, doubt), (TRUST, 1 - doubt)) if p}
    if set(hand) == {rank} and len(hand) <= options.most:
        return {hand: Fraction(1)}  # (9.1)
    words = handfuls(hand, options.most)
    if mode == "uniform_subset":
        return {word: Fraction(1, len(words)) for word in words}
    counts = 1 if mode == "single" else min(len(hand), options.most)
    return {  # (9.2) a count, then that many of the cards in hand
        word: Fraction(_ways(hand, word), comb(len(hand), len(word)) * counts) for word in words if len(word) <= counts
    }


def _ways(hand: str, word: str) -> int:
    ways = 1
    for rank in set(word):
        ways *= comb(hand.count(rank), word.count(rank))
    return ways


def heuristic_choice(memory: Memory, thr: float = 0.5) -> str:
    """The word cheat-heuristic chooses (9.4 to 9.8)."""
    if not memory.claim:
        true = memory.hand.count(memory.rank)
        if true:
            return memory.rank * min(true, memory.options.most)  # (9.4)
        return max(memory.hand, key=lambda card: _turns_away(card, memory))  # (9.5) max keeps the first of equals
    if memory.sizes[memory.discarder] == 0:
        return CHEAT  # (9.6)
    if memory.claim + _placed(memory)[memory.rank] > memory.options.copies:
        return CHEAT  # (9.7)
    is_doubtful = truth_chance(memory) < Fraction(thr) - Fraction(1, 10**9)
    return CHEAT if is_doubtful else TRUST  # (9.8)


def _turns_away(card: str, memory: Memory) -> tuple[int, int]:
    """Own turns until the rank comes round, and nearness to the current rank to part those that never do (9.5)."""
    ranks, players = memory.options.ranks, memory.options.players
    ahead = (RANKS.index(card) - RANKS.index(memory.rank)) % ranks
    turns = [turn for turn in range(1, ranks + 1) if turn * players % ranks == ahead]
    return (min(turns) if turns else ranks + 1, -ahead)


def _placed(memory: Memory) -> Counter[str]:
    """The cards known to be out of the discarder's reach: one's own and those known of third seats (9.7)."""
    placed = memory.own()
    for seat in range(memory.options.players):
        if seat not in (memory.seat, memory.discarder):
            placed = placed + memory.known[seat]
    return placed


def truth_chance(memory: Memory) -> Fraction:
    """The chance that the discarder held as many cards of the rank as he claims (9.8)."""
    rank, speaker = memory.rank, memory.discarder
    earlier = len(memory.laid(speaker)) - memory.claim
    surely = +Counter({card: count - earlier for card, count in memory.known[speaker].items()})
    placed = _placed(memory) + surely
    population = len(memory.options.deck) - placed.total()
    good = memory.options.copies - placed[rank]
    drawn = memory.sizes[speaker] + memory.claim - surely.total()
    needed = memory.claim - surely[rank]
    ways = sum(comb(good, hits) * comb(population - good, drawn - hits) for hits in range(max(needed, 0), drawn + 1))
    return Fraction(ways, comb(population, drawn))


def behaviour(game: Game) -> list[Counter[str]]:
    """The counts of section 10 for every seat."""
    counts: list[Counter[str]] = [Counter() for _ in range(game.options.players)]
    for play in game.plays:
        count = counts[play.seat]
        is_lie = any(card != play.rank for card in play.cards)
        if play.word == PASS:
            count["passes"] += 1
        elif play.word in (TRUST, CHEAT):
            is_challenge = play.word == CHEAT
            count["asked"] += 1
            count["lies_heard"] += is_lie
            count["challenges"] += is_challenge
            count["right"] += is_challenge and is_lie
            counts[play.discarder]["challenged"] += is_challenge
            counts[play.discarder]["caught"] += is_challenge and is_lie
        else:
            is_able = play.rank in play.hand
            count["discards"] += 1
            count["cards"] += len(play.cards)
            count["lies"] += is_lie
            count["mixed"] += is_lie and play.rank in play.cards
            count["able"] += is_able
            count["able_lies"] += is_able and is_lie
    return counts

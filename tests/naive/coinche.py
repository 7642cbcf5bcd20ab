"""Coinche once more, slow and obvious; rule numbers are those of src/kibitz/games/coinche/RULES.md."""

import random
from collections.abc import Sequence
from typing import Any

SUITS = "shdc"
RANKS = "789JQKTA"  # rule 1.2: weakest first in a plain suit
TRUMP_RANKS = "78QKTA9J"  # rule 1.3: weakest first in trumps
PACK = [rank + suit for suit in SUITS for rank in RANKS]
PLAIN_POINTS = {"7": 0, "8": 0, "9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}
TRUMP_POINTS = {"7": 0, "8": 0, "9": 14, "J": 20, "Q": 3, "K": 4, "T": 10, "A": 11}
SANS_ATOUT_POINTS = {"7": 0, "8": 0, "9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 19}  # rule 10.2
TOUT_ATOUT_POINTS = {"7": 0, "8": 0, "9": 9, "J": 13, "Q": 2, "K": 3, "T": 5, "A": 6}  # rule 10.3

DEFAULTS: dict[str, Any] = {  # rule 13.1
    "rules": "ffb",
    "scoring": "made_plus_announced",
    "belote": True,
    "must_beat_defence": False,
    "eighty_means_82": False,
    "surcoinche_multiplier": 4,
    "round10": "none",
    "belote_untakeable": False,
    "sans_atout": False,
    "tout_atout": False,
    "tout_atout_belotes": False,
    "high_bids": False,
    "generale": False,
    "reward": "score_diff",
    "normalise": False,
    "all_pass_reward": 0,
    "auction": "full",
    "contract": "80s",
    "taker": 0,
    "coinched": 0,
    "tricks": 8,
    "pack": "full",
    "paper_coinche_swaps_attack": False,
    "paper_either_side_coinches": False,
}
PRESETS: dict[str, dict[str, Any]] = {  # rule 13.3
    "coinche": {},
    "coinche-paper": {"rules": "picot", "scoring": "announced_paper", "belote": False},
}
TARGETS = {"made_plus_announced": 2000, "colver": 2000, "announced_paper": 1000, "announced": 1000, "made": 1000}


def parse_bid(word: str) -> tuple[str, str]:
    """Split a bid into its level and its suit: 80s, capot-h, generale-c."""
    return word[:-1].rstrip("-"), word[-1]


def bid_word(level: str, suit: str) -> str:
    return level + suit if level.isdigit() else f"{level}-{suit}"


class Game:
    """One deal from the auction to the score."""

    def __init__(self, hands: Sequence[Sequence[str] | str], dealer: int = 0, **options: Any) -> None:
        unknown = set(options) - set(DEFAULTS)
        assert not unknown, f"unknown options {unknown}"
        self.options: dict[str, Any] = {**DEFAULTS, **options}
        assert self.options["rules"] in ("ffb", "picot") and self.options["scoring"] in TARGETS, "rule 13.1"
        split = [hand.split() if isinstance(hand, str) else list(hand) for hand in hands]
        self.dealt = [[card.replace("10", "T") for card in hand] for hand in split]
        self.size: int = self.options["tricks"]
        in_play = [card for hand in self.dealt for card in hand]
        assert len(self.dealt) == 4 and all(len(hand) == self.size for hand in self.dealt), "rule 2.1, 11.2"
        assert len(set(in_play)) == len(in_play) and set(in_play) <= set(PACK), "rule 1.1"
        self.dead = [card for card in PACK if card not in in_play]  # rule 11.3
        self.dealer = dealer
        self.opener = (dealer + 1) % 4  # rules 3.1 and 4.1
        self.hands = [list(hand) for hand in self.dealt]
        self.calls: list[tuple[int, str]] = []
        self.tricks: list[list[tuple[int, str]]] = []
        self.table: list[tuple[int, str]] = []

    # ---- the auction ------------------------------------------------------------------------------------------

    def levels(self) -> list[str]:
        """Bid levels in rising order (rules 3.2, 10.4, 10.5)."""
        numbers = [str(value) for value in range(80, 190 if self.options["high_bids"] else 170, 10)]
        return numbers + ["capot"] + (["generale"] if self.options["generale"] else [])

    def bid_suits(self) -> list[str]:
        suits = list(SUITS)
        suits += ["n"] if self.options["sans_atout"] else []  # rule 10.2
        suits += ["t"] if self.options["tout_atout"] else []  # rule 10.3
        return suits

    def standing(self) -> tuple[int, str, str] | None:
        """Seat, level and suit of the last bid."""
        if self.options["auction"] == "none":  # rule 11.1
            level, suit = parse_bid(self.options["contract"])
            return self.options["taker"], level, suit
        bids = [(seat, *parse_bid(word)) for seat, word in self.calls if word not in ("pass", "coinche", "surcoinche")]
        return bids[-1] if bids else None

    def coinche_level(self) -> int:
        if self.options["auction"] == "none":
            return int(self.options["coinched"])
        return sum(word in ("coinche", "surcoinche") for _, word in self.calls)

    def auction_open(self) -> bool:
        if self.options["auction"] == "none":
            return False
        words = [word for _, word in self.calls]
        if "surcoinche" in words:
            return False  # rule 3.7
        if self.standing() is None:
            return len(words) < 4  # rule 3.8
        return words[-3:] != ["pass"] * 3  # rule 3.7

    def void(self) -> bool:
        return not self.auction_open() and self.standing() is None

    def legal_calls(self, seat: int) -> set[str]:
        calls = {"pass"}
        bid, coinched, either = self.standing(), self.coinche_level(), self.options["paper_either_side_coinches"]
        if coinched == 0:  # rule 3.5: a coinche ends the bidding
            above = self.levels()[self.levels().index(bid[1]) + 1 :] if bid else self.levels()  # rule 3.3
            calls |= {bid_word(level, suit) for level in above for suit in self.bid_suits()}
            if bid and (bid[0] % 2 != seat % 2 or either):
                calls.add("coinche")  # rule 3.5
        elif coinched == 1 and bid and (bid[0] % 2 == seat % 2 or either):
            calls.add("surcoinche")  # rule 3.6
        return calls

    def taker(self) -> int:
        """Seat whose call decided the contract (rule 3.9)."""
        bid = self.standing()
        assert bid is not None
        if self.options["paper_coinche_swaps_attack"] and self.options["auction"] == "full":
            return [seat for seat, word in self.calls if word != "pass"][-1]
        return bid[0]

    def attackers(self) -> int:
        return self.taker() % 2

    def trump(self) -> str:
        """Trump suit, or n or t; empty before the first bid."""
        bid = self.standing()
        return bid[2] if bid else ""

    def value(self) -> int:
        """What the contract counts for (rule 3.10)."""
        bid = self.standing()
        assert bid is not None
        return {"capot": 250, "generale": 500}.get(bid[1]) or int(bid[1])

    # ---- cards ------------------------------------------------------------------------------------------------

    def is_trump(self, card: str) -> bool:
        return self.trump() in (card[1], "t")

    def points_of(self, card: str) -> int:
        special = {"n": SANS_ATOUT_POINTS, "t": TOUT_ATOUT_POINTS}.get(self.trump())
        return (special or (TRUMP_POINTS if self.is_trump(card) else PLAIN_POINTS))[card[0]]

    def strength(self, card: str) -> int:
        """Rank of a card within its own suit."""
        return (TRUMP_RANKS if self.is_trump(card) else RANKS).index(card[0])

    def beats(self, card: str, other: str) -> bool:
        """Would the card, played later, take the trick from the other? (rule 5.1)"""
        if card[1] == other[1]:
            return self.strength(card) > self.strength(other)
        return card[1] == self.trump()

    def best(self, trick: list[tuple[int, str]]) -> tuple[int, str]:
        """Seat and card winning the trick so far."""
        winner = trick[0]
        for play in trick[1:]:
            if self.beats(play[1], winner[1]):
                winner = play
        return winner

    def legal_cards(self, seat: int) -> set[str]:
        hand, trump = self.hands[seat], self.trump()
        if not self.table:
            return set(hand)  # rule 4.2
        led = self.table[0][1][1]
        follow = [card for card in hand if card[1] == led]
        winner, high = self.best(self.table)
        trumps = [card for card in hand if card[1] == trump]
        on_table = [card for _, card in self.table if card[1] == trump]
        rising = [card for card in trumps if all(self.beats(card, other) for other in on_table)]
        if follow:
            risers = [card for card in follow if self.beats(card, high)]
            return set(risers or follow) if trump in (led, "t") else set(follow)  # rules 4.3, 4.4, 10.3
        if not trumps:
            return set(hand)  # rule 4.7
        plain = [card for card in hand if card[1] != trump]
        if winner % 2 == seat % 2:  # rule 4.5
            return set(plain + (rising or trumps)) if self.options["rules"] == "picot" else set(hand)
        if rising:
            return set(rising)  # rule 4.6
        return set(trumps) if self.options["rules"] == "picot" else set(hand)

    # ---- moving -----------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        if self.auction_open():
            return (self.opener + len(self.calls)) % 4
        if self.void() or len(self.tricks) == self.size:
            return None
        leader = self.best(self.tricks[-1])[0] if self.tricks else self.opener  # rule 4.1
        return (leader + len(self.table)) % 4

    def legal(self) -> set[str]:
        seat = self.turn
        if seat is None:
            return set()
        return self.legal_calls(seat) if self.auction_open() else self.legal_cards(seat)

    def play(self, word: str) -> None:
        seat = self.turn
        assert seat is not None and word in self.legal(), f"{word} is illegal for seat {seat}"
        if self.auction_open():
            self.calls.append((seat, word))
            return
        self.hands[seat].remove(word)
        self.table.append((seat, word))
        if len(self.table) == 4:
            self.tricks.append(self.table)
            self.table = []

    # ---- the count --------------------------------------------------------------------------------------------

    def tricks_won(self) -> list[int]:
        winners = [self.best(trick)[0] for trick in self.tricks]
        return [sum(seat % 2 == side for seat in winners) for side in (0, 1)]

    def points(self) -> list[int]:
        """Points of the tricks taken so far by each side, with the bonus for the last (rules 5.2 to 5.4)."""
        points = [0, 0]
        for trick in self.tricks:
            points[self.best(trick)[0] % 2] += sum(self.points_of(card) for _, card in trick)
        if len(self.tricks) == self.size:
            last = self.best(self.tricks[-1])[0] % 2
            points[last] += 100 if self.tricks_won()[last] == self.size else 10
        return points

    def belotes(self) -> list[int]:
        """Belote points held by each side (rules 5.5 and 10.3)."""
        suits = [self.trump()] if self.trump() in SUITS else []
        if self.trump() == "t" and self.options["tout_atout_belotes"]:
            suits = list(SUITS)
        held = [0, 0]
        for seat, hand in enumerate(self.dealt):
            held[seat % 2] += sum(20 for suit in suits if {"K" + suit, "Q" + suit} <= set(hand))
        return held if self.options["belote"] else [0, 0]

    def made(self) -> bool:
        bid, attack = self.standing(), self.attackers()
        assert bid is not None and self.turn is None
        if bid[1] == "capot":
            return self.tricks_won()[attack] == self.size  # rule 6.2
        if bid[1] == "generale":
            return all(self.best(trick)[0] == self.taker() for trick in self.tricks)  # rule 10.5
        totals = [points + belote for points, belote in zip(self.points(), self.belotes(), strict=True)]
        needed = 82 if self.options["eighty_means_82"] and self.value() == 80 else self.value()  # rule 6.4
        beaten = self.options["must_beat_defence"] and totals[attack] <= totals[1 - attack]  # rule 6.3
        return totals[attack] >= needed and not beaten  # rule 6.1

    def multiplier(self) -> int:
        return [1, 2, int(self.options["surcoinche_multiplier"])][self.coinche_level()]  # rule 7.1

    def score(self) -> list[int]:
        """What each side writes down for the deal (chapter 7)."""
        assert self.turn is None
        if self.void():
            return [0, 0]  # rule 3.8
        attack, made, value, m = self.attackers(), self.made(), self.value(), self.multiplier()
        winner = attack if made else 1 - attack
        points, belotes, scoring = self.points(), self.belotes(), self.options["scoring"]
        counted = made and m == 1  # rule 7.2: only then does each side keep what it took
        slam = {250: 500, 500: 1000}.get(value)
        score = [0, 0]
        if scoring == "announced_paper":  # rule 7.4
            score[winner] = m * (value if made or slam else 160)
        elif scoring == "announced":  # rule 7.5
            score[winner] = m * value
        elif scoring in ("made_plus_announced", "made") and slam:  # rules 7.6 and 7.7
            score[winner] = m * slam
        elif scoring == "made_plus_announced":  # rule 7.6
            score = list(points) if counted else score
            score[winner] += value if counted else m * (160 + value)
        elif scoring == "made":  # rule 7.7
            score = list(points) if counted else score
            score[winner] += 0 if counted else m * 160
        elif scoring == "colver":  # rule 7.8
            score = list(points) if counted else score
            base = 252 if made and self.tricks_won()[attack] == self.size else 162
            score[winner] += value if counted else base + [1, 2, 3][self.coinche_level()] * value
        if scoring != "announced_paper":  # rule 7.3
            own = counted or self.options["belote_untakeable"]
            for side in (0, 1):
                score[side] += belotes[side] if own else sum(belotes) * (side == winner)
        if self.options["round10"] == "nearest":  # rule 7.9
            score = [(side + 5) // 10 * 10 for side in score]
        return score

    def breakdown(self) -> dict[str, Any]:
        """Everything that went into the score, side by side."""
        if self.void():
            return {"void": True, "score": [0, 0]}
        bid = self.standing()
        assert bid is not None
        return {
            "void": False,
            "contract": bid_word(bid[1], bid[2]),
            "taker": self.taker(),
            "attackers": self.attackers(),
            "value": self.value(),
            "coinched": self.coinche_level(),
            "multiplier": self.multiplier(),
            "tricks": self.tricks_won(),
            "points": self.points(),
            "belotes": self.belotes(),
            "made": self.made(),
            "score": self.score(),
        }

    def side_rewards(self) -> list[float]:
        attack, made, m, reward = self.attackers(), self.made(), self.multiplier(), self.options["reward"]
        if reward == "score_diff":  # rule 8.2
            ours, theirs = self.score()
            return [ours - theirs, theirs - ours]
        bid = self.value()
        fall = bid if bid in (250, 500) else 160
        matrix = {  # rule 8.3: attack made, defence loses, attack failed, defence wins
            "classic": (bid, 0, 0, fall),
            "mirror": (bid, -bid, -fall, fall),
            "no_defense": (bid, -bid, -fall, 0),
            "good": (bid, -bid, -bid, fall),
        }[reward]
        attack_gain, defence_gain = matrix[:2] if made else matrix[2:]
        return [m * (attack_gain if side == attack else defence_gain) for side in (0, 1)]

    def returns(self) -> list[float]:
        assert self.turn is None
        scale = 250 if self.options["normalise"] else 1  # rule 8.5
        sides = [self.options["all_pass_reward"]] * 2 if self.void() else self.side_rewards()  # rule 8.4
        return [sides[seat % 2] / scale for seat in range(4)]

    def won(self, seat: int) -> bool:
        assert self.turn is None
        return not self.void() and self.made() == (seat % 2 == self.attackers())  # rule 8.6

    def trick_rewards(self, weight: float = 0.1, zero_sum: bool = False) -> list[list[float]]:
        """Shaping handed to the four seats after each trick (rule 8.7)."""
        rewards = []
        for number, trick in enumerate(self.tricks, start=1):
            worth = weight * (sum(self.points_of(card) for _, card in trick) + (10 if number == self.size else 0))
            side = self.best(trick)[0] % 2
            loss = -worth if zero_sum else 0.0
            rewards.append([worth if seat % 2 == side else loss for seat in range(4)])
        return rewards

    # ---- what the paper's learners see --------------------------------------------------------------------------

    def call_number(self, word: str) -> int:
        """The paper's number of a call (rule 12.3)."""
        fixed = {"pass": 0, "coinche": 41, "surcoinche": 42}
        if word in fixed:
            return fixed[word]
        level, suit = parse_bid(word)
        return 1 + 4 * self.levels().index(level) + SUITS.index(suit)

    def paper_observation(self, seat: int) -> list[float]:
        """The 140 numbers of rule 12.3."""
        variants = ("sans_atout", "tout_atout", "high_bids", "generale")
        assert not any(self.options[name] for name in variants), "the layout knows 43 calls only"
        calls = [self.call_number(word) for _, word in self.calls]
        past = self.dead + [card for trick in self.tricks for _, card in trick]
        trick = [card for _, card in self.table]
        blocks = [int(card in cards) for cards in (past, self.hands[seat], trick) for card in PACK]
        points = self.points()
        bid = self.standing()
        contract = [
            int(bid is not None and self.attackers() == seat % 2),
            self.value() if bid else 0,
            SUITS.index(bid[2]) if bid else -1,
        ]
        phase = 2 if self.turn is None else 0 if self.auction_open() else 1
        numbers = [43] * (37 - len(calls)) + calls + blocks + [points[seat % 2], points[1 - seat % 2]]
        return [float(number) for number in [*numbers, *contract, self.coinche_level(), phase]]


def random_game(rng: random.Random, **options: Any) -> Game:
    """Deal a game to a random dealer."""
    tricks = options.get("tricks", 8)
    short = options.get("pack", "full") == "short"
    pack = [card for card in PACK if not short or card[0] in RANKS[8 - tricks :]]  # rules 11.2 and 11.4
    rng.shuffle(pack)
    hands = [pack[seat * tricks : (seat + 1) * tricks] for seat in range(4)]
    return Game(hands, dealer=rng.randrange(4), **options)


class Match:
    """Deals added up to a target (chapter 9)."""

    def __init__(self, dealer: int = 0, scoring: str = "made_plus_announced", **options: Any) -> None:
        self.dealer = dealer
        self.target: int = options.get("target") or TARGETS[scoring]
        self.strictly_exceed: bool = options.get("strictly_exceed", False)
        self.deals: int = options.get("deals", 0)
        self.fixed_dealer: bool = options.get("paper_fixed_dealer", False)
        self.totals = [0, 0]
        self.played = 0

    def add(self, score: Sequence[int]) -> None:
        """Write down one deal, void or not, and pass the deal on."""
        assert not self.over()
        self.totals = [total + points for total, points in zip(self.totals, score, strict=True)]
        self.played += 1
        self.dealer = self.dealer if self.fixed_dealer else (self.dealer + 1) % 4  # rule 9.1

    def over(self) -> bool:
        if self.deals:
            return self.played == self.deals  # rule 9.4
        enough = self.target + 1 if self.strictly_exceed else self.target
        return max(self.totals) >= enough and self.totals[0] != self.totals[1]  # rules 9.2 and 9.3

    def winner(self) -> int | None:
        assert self.over()
        return None if self.totals[0] == self.totals[1] else self.totals.index(max(self.totals))

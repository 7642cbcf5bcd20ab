"""Coinche matches: deals added up to a target, with the dealer moving on (chapter 9 of RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.game import Game, State
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.games.coinche import layout as at
from kibitz.games.coinche.scoring import usual_target

PACKETS = ((3, 2, 3), (3, 3, 2), (2, 3, 3))
SMALLEST_PART = 3
MOST_DEALS = 1 << 20  # a match of players who always pass has no end of its own


@dataclass(frozen=True)
class MatchRules:
    """Rule 13.2; target 0 is the number usual with the scoring."""

    target: int = 0
    strictly_exceed: bool = False
    deals: int = 0
    deal: str = "shuffle"
    paper_fixed_dealer: bool = False

    def __post_init__(self) -> None:
        if self.deal not in ("shuffle", "cut"):
            raise BadInput(f"deal={self.deal} is not possible: it is shuffle or cut")
        if self.target < 0 or not 0 <= self.deals <= MOST_DEALS:
            raise BadInput(f"a match to {self.target} points or of {self.deals} deals is not possible")


@dataclass
class Match:
    """The sheet on which the deals are written down."""

    rules: MatchRules
    target: int
    dealer: int
    totals: list[int] = field(default_factory=lambda: [0, 0])
    scores: list[tuple[int, int]] = field(default_factory=list)

    def add(self, score: tuple[int, int]) -> None:
        """Write down one deal, void or not, and pass the deal on (rule 9.1)."""
        self.scores.append(score)
        self.totals = [total + points for total, points in zip(self.totals, score, strict=True)]
        if not self.rules.paper_fixed_dealer:
            self.dealer = (self.dealer + 1) % 4

    @property
    def is_over(self) -> bool:
        """Rules 9.2 to 9.4."""
        if self.rules.deals:
            return len(self.scores) >= self.rules.deals
        enough = self.target + self.rules.strictly_exceed
        return (max(self.totals) >= enough and self.totals[0] != self.totals[1]) or len(self.scores) >= MOST_DEALS

    @property
    def winner(self) -> int | None:
        """The side that has won a match that is over, None for a draw."""
        return None if self.totals[0] == self.totals[1] else self.totals.index(max(self.totals))


def play_match(
    game: Game, bots: Sequence[Bot], seed: int = 0, number: int = 0, rules: MatchRules | None = None
) -> Match:
    """Play one match; its luck depends on (seed, number) alone."""
    rules = rules or MatchRules(int(game.options["target"]))
    if rules.deal == "cut" and game.parts["rules"].EACH < 8:
        raise BadInput("deal=cut is not possible in a reduced game: it takes all 32 cards")
    s = game.blank()
    first = rng.fresh(seed, number * MOST_DEALS)
    target = rules.target or int(usual_target(s[at.SCORING]))
    s[at.TARGET] = target
    match = Match(rules, target, int(rng.below(first, 4)))
    pack: list[int] = []
    while not match.is_over:
        place = number * MOST_DEALS + len(match.scores) + 1
        luck = rng.fresh(seed, place)
        s[at.SET_DEALER], s[at.TOTAL_NS], s[at.TOTAL_EW] = match.dealer, *match.totals
        if pack and rules.deal == "cut":
            deal_cut(game, s, pack, match.dealer, luck)
        else:
            game.deal(s, luck)
        dealt = s[at.HAND : at.HAND + 4].copy()
        tricks = _play_deal(game, bots, s, seed, place)
        pack = _gather_pack(s, dealt, tricks)
        ours, theirs = game.words.breakdown(s)["score"]
        match.add((ours, theirs))
    return match


def deal_cut(game: Game, s: State, pack: Sequence[int], dealer: int, luck: rng.Rng) -> None:
    """Cut the pack (bottom card first) and deal it in packets from the top (rule 2.3)."""
    place = SMALLEST_PART + int(rng.below(luck, len(pack) - 2 * SMALLEST_PART + 1))
    cards = [*pack[place:], *pack[:place]]
    hands = [0, 0, 0, 0]
    for packet in PACKETS[rng.below(luck, len(PACKETS))]:
        for k in range(1, 5):
            for _ in range(packet):
                hands[(dealer + k) % 4] |= 1 << cards.pop()
    s[at.HAND : at.HAND + 4] = hands
    game.parts["rules"].start(s, dealer)


def _play_deal(game: Game, bots: Sequence[Bot], s: State, seed: int, number: int) -> list[tuple[int, list[int]]]:
    """Play a deal to its end, in `s`; the tricks with their winners, in the order played."""
    tricks: list[tuple[int, list[int]]] = []
    position = Position.at(game, s, seed)
    position.number = number
    while not position.is_over:
        position.push(bots[position.turn].act(position.view(position.turn)))
        s[:] = position.state
        if s[at.DONE] > len(tricks):
            end = at.LOG + s[at.MOVES]
            tricks.append((int(s[at.LEADER]), [int(card) for card in s[end - 4 : end] - game.parts["rules"].CARD]))
    return tricks


def _gather_pack(s: State, dealt: State, tricks: list[tuple[int, list[int]]]) -> list[int]:
    """The pack after a deal, bottom card first (rule 2.3)."""
    if s[at.BIDDER] == at.NOBODY:
        seats = [(int(s[at.DEALER]) + k) % 4 for k in range(1, 5)]
        return [card for seat in seats for card in range(32) if int(dealt[seat]) >> card & 1]
    return [card for side in (0, 1) for winner, cards in tricks if winner % 2 == side for card in cards]

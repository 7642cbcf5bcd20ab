"""The rule players and the metrics of Coinche, slow and obvious; rule numbers are those of PLAYERS.md.

A player is a function from the game to the set of words its rule allows: one word unless the rule leaves a tie open.
"""

import math
from collections.abc import Sequence
from typing import Any

from .coinche import PACK, RANKS, SUITS, Game, bid_word, parse_bid


def pick(keys: dict[str, Any], tie: str) -> set[str]:
    """The words with the smallest key; ties between suits go to the first suit, or stay open (rule 1.4)."""
    least = [word for word in keys if keys[word] == min(keys.values())]
    return {min(least, key=lambda word: SUITS.index(word[-1]))} if tie == "index" else set(least)


def bids_of(game: Game, seats: Sequence[int]) -> list[tuple[int, str]]:
    """Levels (as numbers) and suits bid by the seats, oldest first."""
    order = game.levels()
    words = [word for seat, word in game.calls if seat in seats and word not in ("pass", "coinche", "surcoinche")]
    return [(80 + 10 * order.index(parse_bid(word)[0]), parse_bid(word)[1]) for word in words]


def opening(hand: list[str], suit: str, player: str) -> int:
    """Value the player would open in the suit, 0 for none (rules 2.3 and 3.2)."""
    jack, nine, ace, ten = ((rank + suit) in hand for rank in "J9AT")
    length = sum(card[1] == suit for card in hand)
    outside = any(card[0] == "A" and card[1] != suit for card in hand)
    if player == "simple":
        if jack and nine and (length >= 3 or outside):
            return 90
        return 80 if (jack or nine) and (length >= 3 or (length >= 2 and outside)) else 0
    if jack and nine and ace and ten:
        return 110
    if jack and nine and length >= 3:
        return 90
    return 80 if (jack or nine) and (ace or length >= 3) else 0


def raise_by(hand: list[str], suit: str, player: str, faithful_code: bool) -> int:
    """Points added to the partner's bid in the suit (rules 2.4 and 3.3)."""
    length = sum(card[1] == suit for card in hand)
    aces = sum(card[0] == "A" and card[1] != suit for card in hand)
    nine = "9" + suit in hand
    if player == "strong" and not faithful_code:
        nine = nine and length >= 2
    lonely = 10 if player == "strong" and faithful_code and length <= 1 else 0
    return 20 * ("J" + suit in hand) + 10 * nine + 10 * aces - lonely


def wanted_calls(game: Game, player: str, reraise: bool, tie: str, faithful_code: bool) -> set[str]:
    seat = game.turn
    assert seat is not None
    hand = game.hands[seat]
    if bids_of(game, [seat]) and not reraise:
        return {"pass"}  # rule 2.5
    partner = bids_of(game, [(seat + 2) % 4])
    if partner:
        value, suit = partner[-1]
        more = raise_by(hand, suit, player, faithful_code) if value in (80, 90) and suit in SUITS else 0
        return {bid_word(str(min(160, value + more)), suit)} if more > 0 else {"pass"}
    theirs = max((value for value, _ in bids_of(game, [(seat + 1) % 4, (seat + 3) % 4])), default=0)
    if theirs > 80:
        return {"pass"}  # rule 2.2
    values = {suit: opening(hand, suit, player) for suit in SUITS}
    if not any(values.values()):
        return {"pass"}
    up = 10 if theirs == 80 else 0
    return {bid_word(str(values[suit] + up), suit) for suit in pick({suit: -values[suit] for suit in SUITS}, tie)}


def simple_calls(game: Game, reraise: bool = False, tie: str = "index") -> set[str]:
    return {word if word in game.legal() else "pass" for word in wanted_calls(game, "simple", reraise, tie, False)}


def strong_calls(game: Game, reraise: bool = False, tie: str = "index", faithful_code: bool = False) -> set[str]:
    words = wanted_calls(game, "strong", reraise, tie, faithful_code)
    return {word if word in game.legal() else "pass" for word in words}


def simple_cards(game: Game, faithful_code: bool = False) -> set[str]:
    """The highest trump, else the highest plain card, whatever its suit (rules 2.6 and 2.7)."""
    legal = game.legal()
    if faithful_code:
        return pick({card: (game.is_trump(card), -"789TJQKA".index(card[0])) for card in legal}, "random")
    return pick({card: (not game.is_trump(card), -game.strength(card)) for card in legal}, "random")


def lowest(game: Game, cards: set[str], tie: str) -> set[str]:
    """The card of lowest value, plain before trump, then lower rank (rule 1.5)."""
    keys = {card: (game.points_of(card), game.is_trump(card), RANKS.index(card[0])) for card in cards}
    return pick(keys, tie)


def strong_leads(game: Game, seat: int, tie: str) -> set[str]:
    hand = game.hands[seat]
    trumps = {card for card in hand if game.is_trump(card)}
    plain = {card for card in hand if card not in trumps}
    length = {suit: sum(card[1] == suit for card in plain) for suit in SUITS}
    aces = {card for card in plain if card[0] == "A"}
    if seat % 2 == game.attackers():
        if trumps:
            return pick({card: -game.strength(card) for card in trumps}, tie)  # rule 3.4
        if aces:
            return pick({card: -length[card[1]] for card in aces}, tie)
        suits = pick({suit: length[suit] for suit in SUITS if length[suit]}, tie)
        return {word for suit in suits for word in lowest(game, {card for card in plain if card[1] == suit}, tie)}
    if aces:
        return pick({card: length[card[1]] for card in aces}, tie)  # rule 3.5
    if plain:
        return lowest(game, plain, tie)
    return pick({card: game.strength(card) for card in trumps}, tie)


def strong_cards(game: Game, tie: str = "index") -> set[str]:
    seat, legal = game.turn, game.legal()
    assert seat is not None
    if not game.table:
        return strong_leads(game, seat, tie)
    high = game.best(game.table)[1]
    winners = {card: (game.is_trump(card), game.strength(card)) for card in legal if game.beats(card, high)}
    return pick(winners, tie) if winners else lowest(game, legal, tie)  # rules 3.6 and 3.7


def strong_plus_cards(game: Game, tie: str = "index") -> set[str]:
    """As strong, but it does not overtake its partner (rule 4.1)."""
    seat, legal = game.turn, game.legal()
    assert seat is not None
    if not game.table or game.best(game.table)[0] != (seat + 2) % 4:
        return strong_cards(game, tie)
    high = game.best(game.table)[1]
    seen = {card for trick in [*game.tricks, game.table] for _, card in trick} | set(game.dead) | set(game.hands[seat])
    above = {card for card in PACK if card[1] == high[1] and game.beats(card, high)}
    plain = {card: (-game.points_of(card), RANKS.index(card[0])) for card in legal if not game.is_trump(card)}
    if plain and (len(game.table) == 3 or above <= seen):
        return pick(plain, tie)
    return lowest(game, legal, tie)


def miss(game: Game) -> int:
    """How far the attackers ended from their bid; an unbid capot counts its last trick as 10 (rule 5.12)."""
    attack = game.attackers()
    bonus = 90 if game.value() < 250 and game.tricks_won()[attack] == game.size else 0
    return abs(game.value() - (game.points()[attack] - bonus + game.belotes()[attack]))


def metrics(games: Sequence[Game], side: int) -> dict[str, float]:
    """The ten metrics of PLAYERS.md chapter 5 for one side; NaN where nothing was counted."""

    def mean(numbers: list[float]) -> float:
        return sum(numbers) / len(numbers) if numbers else math.nan

    played = [game for game in games if not game.void()]
    ours = [game for game in played if game.attackers() == side]
    theirs = [game for game in played if game.attackers() != side]
    return {
        "attack_rate": mean([game.attackers() == side for game in played]),
        "reward_attacker": mean([game.returns()[side] for game in ours]),
        "reward_defender": mean([game.returns()[side] for game in theirs]),
        "reward_mean": mean([game.returns()[side] for game in games]),
        "success_attacker": mean([game.made() for game in ours]),
        "success_defender": mean([not game.made() for game in theirs]),
        "bid_precision": mean([miss(game) for game in ours if not game.coinche_level()]),
        "bid_precision_all": mean([miss(game) for game in ours]),
        "contract_value": mean([game.value() for game in ours]),
        "capot_rate": mean([game.value() == 250 for game in ours]),
        "table_turns": mean([math.ceil(len(game.calls) / 4) + len(game.tricks) for game in games]),
    }

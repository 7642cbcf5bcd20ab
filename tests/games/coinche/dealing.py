"""What the Coinche tests share: positions written as text, and the naive game beside the real one."""

import random
from typing import Any

import numpy as np

from kibitz.core.game import Game, State, make
from kibitz.core.position import Position
from kibitz.games.coinche import layout
from kibitz.games.coinche.scoring import settle
from tests.naive import coinche as naive

RENAMED = {"short_pack": ("pack", {0: "full", 1: "short"})}
SWITCHES = {name for name, value in naive.DEFAULTS.items() if isinstance(value, bool)}

# Every suit is one player's: N spades, E hearts, S diamonds, W clubs.
SUITED = "7s 8s 9s Js Qs Ks Ts As | 7h 8h 9h Jh Qh Kh Th Ah | 7d 8d 9d Jd Qd Kd Td Ad | 7c 8c 9c Jc Qc Kc Tc Ac"


def play(deal: str, words: str = "", **options: object) -> Position:
    """A position from a deal and the moves made in it."""
    name = str(options.pop("preset", "coinche"))
    position = Position(make(name, **options), deal=deal)
    for word in words.split():
        position.push(word)
    return position


def contract(bid: str, deal: str, words: str = "", **options: object) -> Position:
    """The cards of a deal in a contract of North's; West deals and North leads unless the deal says otherwise."""
    return play(deal, words, auction="none", contract=bid, **options)


def play_out(position: Position, luck: random.Random) -> Position:
    """Play at random to the end."""
    while not position.is_over:
        position.push(luck.choice(position.legal_actions()))
    return position


def finished(points: tuple[int, int], bid: str = "100s", belote: int | None = None, **options: object) -> State:
    """A deal that is over, by its result: points of attack (North and South) and defence, and which side had belote."""
    position = contract(bid, SUITED, **options)
    s = position.state
    s[layout.PHASE] = layout.ENDED
    s[layout.POINTS : layout.POINTS + 2] = points
    tricks = (8, 0) if points[0] == 252 else (0, 8) if points[1] == 252 else (5, 3)
    s[layout.TRICKS : layout.TRICKS + 4] = [*tricks, 0, 0]
    s[layout.HAND : layout.HAND + 4] = s[layout.PLAYED : layout.PLAYED + 4] = 0
    if belote is not None:
        s[layout.PLAYED + belote] = 0b110000
    settle(s)
    return s


def naive_game(game: Game, position: Position) -> naive.Game:
    """The naive game of the same deal and options."""
    hands = position.deal_text.partition(": ")[2].split(" | ")
    known: dict[str, Any] = {}
    for name, value in game.options.items():
        name, words = RENAMED.get(name, (name, {}))
        if name in naive.DEFAULTS:
            known[name] = words.get(value, value) if words else bool(value) if name in SWITCHES else value
    return naive.Game(hands, dealer="NESW".index(position.deal_text[0]), **known)


def compare(game: Game, seed: int, numbers: range) -> int:
    """Play random games in both implementations and compare them at every move; the number of moves."""
    luck = random.Random(f"{seed} {numbers}")
    moves = 0
    for number in numbers:
        position = Position(game, seed, number)
        other = naive_game(game, position)
        while not position.is_over:
            assert other.turn == position.turn, (number, position.actions)
            assert set(position.legal()) == other.legal(), (number, position.actions)
            compare_paper(position, other)
            # The naive game passes often, so that long auctions are met too.
            word = "pass" if "pass" in other.legal() and luck.random() < 0.6 else luck.choice(sorted(other.legal()))
            position.push(word)
            other.play(word)
            moves += 1
        compare_paper(position, other)
        assert other.turn is None
        assert position.returns() == other.returns(), (number, position.actions)
        assert [position.won(seat) for seat in range(4)] == [other.won(seat) for seat in range(4)]
        assert game.words.breakdown(position.state) == other.breakdown(), (number, position.actions)
    return moves


def compare_paper(position: Position, other: naive.Game) -> None:
    """Compare the paper's observation of all four seats, where it is defined."""
    if "paper" not in position.game.observations or position.game.options["contract"][-1] in "nt":
        return
    seat = len(position.actions) % 4
    out = np.zeros(140, np.float32)
    position.game.observation("paper").observe(position.state, seat, out)
    assert out.tolist() == other.paper_observation(seat), position.actions

"""The rule players keep to PLAYERS.md: they agree with the naive ones, never move illegally, rank as they should."""

import random

import pytest

from kibitz.arena.simulate import simulate
from kibitz.bots import make_bot, seat_bots
from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.coinche import layout
from tests.games.coinche.dealing import contract, naive_game, play
from tests.naive import coinche_players as naive

GAMES = 10 if PLAIN else 30
VARIANTS = {"sans_atout": 1, "tout_atout": 1, "high_bids": 1, "generale": 1}


def allowed(other: naive.Game, player: str, tie: str, reraise: bool, faithful: bool) -> set[str]:
    """What the naive player may do."""
    if other.auction_open():
        if player == "simple":
            return naive.simple_calls(other, reraise, tie)
        return naive.strong_calls(other, reraise, tie, faithful)
    if player == "simple":
        return naive.simple_cards(other, faithful)
    return naive.strong_cards(other, tie) if player == "strong" else naive.strong_plus_cards(other, tie)


@pytest.mark.parametrize("player", ["simple", "strong", "strong-plus"])
@pytest.mark.parametrize(
    ("tie", "reraise", "faithful"), [("index", False, False), ("random", True, False), ("index", True, True)]
)
@pytest.mark.parametrize("preset", ["coinche", "coinche-paper"])
def test_players_agree_with_the_naive_ones(preset: str, player: str, tie: str, reraise: bool, faithful: bool) -> None:
    game = make(preset)
    knobs = f":tie={int(tie == 'random')}:reraise={int(reraise)}:faithful_code={int(faithful)}"
    plain = ":counts=0:signals=0" if player == "strong-plus" else ""
    bot = make_bot(game, f"coinche-{player}{knobs}{plain}")
    luck = random.Random(7)
    for number in range(GAMES):
        position = Position(game, 51, number)
        other = naive_game(game, position)
        while not position.is_over:
            word = game.words.ACTION_WORDS[bot.act(position.view(position.turn))]
            assert word in allowed(other, player, tie, reraise, faithful), (number, position.actions)
            if luck.random() < 0.1:  # leave the player's own path now and then, so that strange auctions come up too
                word = luck.choice(sorted(other.legal()))
            position.push(word)
            other.play(word)


def test_ties_are_broken_at_random_if_asked() -> None:  # rule 1.4
    deal = "Js 9s 7s Jh 9h 7h 7d 7c | 8s Qs Ks Ts As 8h Qh Kh | Th Ah 8d 9d Jd Qd Kd Td | Ad 8c 9c Jc Qc Kc Tc Ac"
    game = make("coinche")
    opening = {
        make_bot(game, f"coinche-strong:tie={tie}").act(Position(game, seed, deal=deal).view(0))
        for tie, seed in [(0, 1), (0, 2)]
    }
    assert opening == {5}
    bot = make_bot(game, "coinche-strong:tie=1")
    assert {bot.act(Position(game, seed, deal=deal).view(0)) for seed in range(30)} == {5, 6}


@pytest.mark.parametrize("bot", ["coinche-simple", "coinche-strong", "coinche-strong-plus"])
def test_players_never_move_illegally_and_beat_random(bot: str) -> None:
    game = make("coinche")
    outcome = simulate(game, seat_bots(game, f"{bot},random,{bot},random"), 10 if PLAIN else 2000, 5)
    assert outcome.scores[0].mean > 10 * outcome.scores[0].se or PLAIN


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["coinche-simple", "coinche-strong", "coinche-strong-plus"])
def test_players_cope_with_the_variants(bot: str) -> None:
    game = make("coinche", **VARIANTS)
    outcome = simulate(game, seat_bots(game, f"{bot},random,{bot},random"), 2000, 5)
    assert outcome.scores[0].mean > 10 * outcome.scores[0].se


@pytest.mark.parametrize(
    ("better", "worse"), [("coinche-strong", "coinche-simple"), ("coinche-strong-plus", "coinche-strong")]
)
def test_the_players_rank_as_their_names_say(better: str, worse: str) -> None:
    if PLAIN:
        pytest.skip("too many deals for plain Python")
    game = make("coinche")
    outcome = simulate(game, seat_bots(game, f"{better},{worse},{better},{worse}"), 20_000, 9)
    assert outcome.scores[0].mean > 5 * outcome.scores[0].se


def act(position: Position, bot: str) -> str:
    """The word of a player's move."""
    choice = make_bot(position.game, bot).act(position.view(position.turn))
    return str(position.game.words.ACTION_WORDS[choice])


def test_players_open_as_the_paper_says() -> None:  # rules 2.2, 2.3 and 3.2
    deal = "Js 9s As Ts 7h 8h 7d 7c | 8s Qs Ks 9h Jh Qh Kh Ah | 7s Th 8d 9d Jd Qd Kd Td | Ad 8c 9c Jc Qc Kc Tc Ac"
    assert act(play(deal), "coinche-strong") == "110s"
    assert act(play(deal), "coinche-simple") == "90s"
    assert act(play("S: " + deal, "80c"), "coinche-strong") == "120s"
    assert act(play("S: " + deal, "90c"), "coinche-strong") == "pass"


def test_an_answer_counts_from_the_partners_bid() -> None:  # rules 2.4 and 3.3
    deal = "Js As 8s 7h 8h 7d 8d 7c | 7s Qs Ks 9h Jh Qh Kh Th | 9s Ah Ad 9d Jd Qd Kd Td | Ts 8c 9c Jc Qc Kc Tc Ac"
    assert act(play(deal, "80s pass"), "coinche-simple") == "110s"
    assert act(play(deal, "80s pass"), "coinche-strong") == "100s"  # a lonely nine does not count
    assert act(play(deal, "80s 120h"), "coinche-strong") == "pass"  # the sum would be illegal


def test_strong_plus_does_not_overtake_its_partner_and_counts_trumps() -> None:  # chapter 4
    void = "Js 9s 7h 8h 7d 8d 7c 8c | 7s 8s 9h Jh 9d Jd 9c Jc | Ah Th Kh Qh Qd Kd Qc Kc | Qs Ks Ts As Td Ad Tc Ac"
    led = contract("80s", void, "Js 7s")
    assert act(led, "coinche-strong-plus:counts=0:signals=0") == "Ah"  # rule 4.1: the most points to a sure trick
    assert act(led, "coinche-strong-plus") == "Kd"  # rule 4.2: but not of cards that will win tricks themselves
    drawn = "Js 9s Ah 7h 7d 8d 7c 8c | 7s 8s 8h 9h 9d Jd 9c Jc | Qs Ks Th Kh Qd Kd Qc Kc | Ts As Jh Qh Td Ad Tc Ac"
    after = contract("80s", drawn, "Js 7s Qs Ts 9s 8s Ks As")
    assert after.turn == 0 and after.state[layout.COUNT] == 0
    assert act(after, "coinche-strong-plus") == "Ah"

"""Both ways of playing give the same games, and a bot that fails spoils its own game only."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.arena.continued import Start, play_on
from kibitz.arena.match import match
from kibitz.arena.play import play
from kibitz.arena.scoresheet import COLUMNS, ScoreSheet
from kibitz.arena.seatings import form_of
from kibitz.arena.shards import Shard, cut, play_shard
from kibitz.bots import CompiledBot, make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.jit import PLAIN, kernel
from kibitz.core.position import Position
from tests.arena.players import BatchClumsy, Clumsy, Liar, Lowest, Lucky

GAMES = 200 if PLAIN else 3000


@kernel
def _always_three(view, mask, r, knobs):
    return 3


@kernel
def _minus_one_sometimes(view, mask, r, knobs):
    return -1 if view[0] > 0 else 0


def together(game, bots, games=GAMES, **options):
    chunks = list(play(game, bots, games, 5, **options))
    columns = {
        name: np.concatenate([getattr(chunk, name) for chunk in chunks])
        for name in ("returns", "won", "length", "moves", "roles", "soloist")
    }
    columns["log"] = [
        row[:moves].tolist() for chunk in chunks for row, moves in zip(chunk.log, chunk.moves, strict=True)
    ]
    return columns, [failure for chunk in chunks for failure in chunk.failures]


def same(one, other):
    return all(np.array_equal(one[k], other[k]) if k != "log" else one[k] == other[k] for k in one)


@pytest.mark.parametrize("name, rule", [("kuhn", "kuhn-rule"), ("leduc", "leduc-rule")])
def test_fused_batched_and_refereed_games_are_the_same(name, rule):
    game = make(name)
    bots = [make_bot(game, "random"), make_bot(game, rule)]
    wanted, _ = together(game, bots, keep_log=True)
    for options in ({"fused": False}, {"fused": False, "batch": 7}, {"fused": False, "catch": True}, {"catch": True}):
        found, failures = together(game, bots, keep_log=True, **options)
        assert same(wanted, found) and not failures


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_play_every_game_once(threads):
    game = make("kuhn")
    bots = [make_bot(game, "random")] * 2
    games = 20 if PLAIN else 30 * 4096 + 5
    chunks = list(play(game, bots, games, 5, threads=threads))
    alone = list(play(game, bots, games, 5))
    assert [chunk.first for chunk in chunks] == [chunk.first for chunk in alone]
    assert all(np.array_equal(one.returns, other.returns) for one, other in zip(chunks, alone, strict=True))


def test_compiled_batched_and_slow_bots_sit_at_one_table():
    game = make("kuhn", players=3)
    bots = [make_bot(game, "random"), Lucky(), Lowest()]
    wanted, _ = together(game, bots, 200, keep_log=True, batch=64)
    alike, _ = together(game, [make_bot(game, "random")] * 2 + [Lowest()], 200, keep_log=True, batch=3)
    assert same(wanted, alike)  # Lucky draws from the same luck as the random bot


def test_bots_can_be_seated_from_the_soloist_on():
    game = make("skat-suit")
    bots = [Lowest("alone"), Lucky(name="left"), Lucky(name="right")]
    columns, _ = together(game, bots, 60, by_soloist=True, keep_log=True)
    assert set(columns["soloist"]) == {0, 1, 2}
    for number in range(0, 60, 7):
        position = Position(game, 5, number)
        declarer = next(seat for seat in range(3) if game.side(position.state, seat) == 0)
        assert columns["soloist"][number] == declarer
        for action in columns["log"][number]:
            if position.turn == declarer:
                assert action == position.legal_actions()[0]
            position.push(action)


@pytest.mark.parametrize("bot", [Clumsy("raises"), Clumsy("illegal"), BatchClumsy("raises"), BatchClumsy("illegal")])
def test_a_failing_bot_spoils_its_own_games_only(bot):
    game = make("leduc")
    clean, _ = together(game, [Lowest(), make_bot(game, "random")], 300)
    found, failures = together(game, [bot, make_bot(game, "random")], 300, catch=True, batch=32)
    spoiled = {failure.number for failure in failures}
    assert 10 < len(spoiled) < 290
    for number in range(300):
        if number in spoiled:
            assert np.isnan(found["returns"][number]).all()
        else:
            assert np.array_equal(found["returns"][number], clean["returns"][number])
    again, more = together(game, [bot, make_bot(game, "random")], 300, catch=True, batch=1)
    assert np.array_equal(found["returns"], again["returns"], equal_nan=True)
    assert [failure.record for failure in failures] == [failure.record for failure in more]


def test_a_failure_is_told_with_its_record():
    game = make("leduc")
    _, failures = together(game, [Clumsy("raises"), Lowest()], 50, catch=True)
    failure = failures[0]
    assert failure.bot == "clumsy-raises" and failure.seat == 0
    assert "RuntimeError: I have lost my cards" in failure.reason
    assert failure.record.returns == [] and failure.record.seats == ["clumsy-raises", "lowest"]
    position = Position(game, 5, failure.number, manual_chance=True)
    assert position.deal_text == failure.record.deal
    for action in failure.record.ids:
        position.push(action)
    assert position.turn == failure.seat and failure.move == len(failure.record.ids)


def test_an_illegal_choice_is_told_in_words():
    _, failures = together(make("leduc"), [Clumsy("illegal"), Lowest()], 50, catch=True)
    assert "which is illegal: legal are" in failures[0].reason


def test_actions_of_the_wrong_kind_are_asked_for_again_one_by_one():
    game = make("leduc")
    wanted, _ = together(game, [Lowest(), Lowest()], 50)
    found, failures = together(game, [Liar(), Lowest()], 50, catch=True)
    assert not failures and same(wanted, found)


def test_a_bot_that_takes_too_long_is_broken_off():
    game = make("leduc")
    _, failures = together(game, [Clumsy("slow"), Lowest()], 12, catch=True, move_time=0.1)
    assert failures and all("longer than the 0.1 s allowed" in failure.reason for failure in failures)


@pytest.mark.parametrize("chooser", [_always_three, _minus_one_sometimes])
def test_an_illegal_compiled_bot_is_found_out(chooser):
    game = make("kuhn")
    bot = CompiledBot("bad", game, chooser)
    with pytest.raises(ValueError, match="illegal"):
        together(game, [bot, bot], 50)
    _, failures = together(game, [bot, bot], 50, catch=True)
    assert failures and failures[0].bot == "bad"


def test_without_a_referee_the_error_is_raised():
    with pytest.raises(RuntimeError, match="lost my cards"):
        together(make("leduc"), [Clumsy("raises"), Lowest()], 50)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_game_that_goes_on_from_its_deal_is_the_game(name):
    game, number = make(name), 7
    bots = [make_bot(game, "random")] * game.PLAYERS
    (chunk,) = play(game, bots, 1, 3, first=number)
    deal = Position(game, 3, number)
    end, paid = play_on(game, deal.state, bots, 3, number), np.zeros(game.PLAYERS)
    game.returns(end, paid)
    assert paid.tolist() == chunk.returns[0].tolist()


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_shard_that_goes_on_from_its_deals_is_the_shard(name):
    game, sides = make(name), (("random",), ("random",))
    whole = Shard(game, sides, form_of(game), 3, 5, 6)
    starts = tuple(Start(number, Position(game, 3, number).state) for number in range(5, 11))
    wanted = play_shard(whole)
    for shards in ([replace(whole, starts=starts)], cut(replace(whole, starts=starts), 4)):
        found = ScoreSheet.joined([play_shard(shard) for shard in shards])
        for column in COLUMNS:
            assert (getattr(found, column) == getattr(wanted, column)).all(), column
        assert whole.key not in {shard.key for shard in shards}


def test_a_bot_that_looks_plays_only_where_an_experiment_says_so():
    class Looker(Lowest):
        def look(self, state):
            self.seen = state.copy()

    game, bot = make("kuhn"), Looker()
    with pytest.raises(BadInput, match="shown all cards"):
        match(game, [bot, "random"], 2)
    with pytest.raises(BadInput, match="shown all cards"):
        play_on(game, Position(game, 1).state, [bot, bot], 1, 0)
    shard = Shard(
        game, ((bot,), (bot,)), form_of(game), 1, 0, 1, starts=(Start(0, Position(game, 1).state),), may_look=True
    )
    with pytest.raises(BadInput, match="shown all cards"):
        play_shard(replace(shard, may_look=False))
    play_shard(shard)
    play_on(game, Position(game, 1).state, [bot, bot], 1, 0, may_look=True)
    assert len(bot.seen) == game.SIZE


def test_one_bot_per_seat():
    with pytest.raises(BadInput, match="2 seats, not 3"):
        list(play(make("kuhn"), [Lowest()] * 3, 1))

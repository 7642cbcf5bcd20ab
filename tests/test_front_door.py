"""The front door: everything one does with a game from `import kibitz`, typed, readable,
and with one line for bad input."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import kibitz
from kibitz.core.errors import BadInput, BadRecord, IllegalMove, KibitzError, UnknownBot
from kibitz.core.game import CONSTANTS, KERNELS, OPTIONAL_KERNELS

VERBS = ["bot", "load", "make", "match", "simulate", "solve", "train"]


class Caller(kibitz.OneByOne):
    name = "caller"

    def act(self, view):
        return view.read("call")


class OnlyActs:
    def act(self, view):
        return view.legal()[-1]


def test_import_kibitz_offers_everything_by_name():
    assert {*VERBS, "Position", "Game", "View", "Card"} <= set(kibitz.__all__) <= set(dir(kibitz))
    for name in kibitz.__all__:
        assert getattr(kibitz, name) is not None
    with pytest.raises(AttributeError, match=r"kibitz has no sovle: it has .*solve"):
        _ = kibitz.sovle


def test_the_front_door_itself_loads_neither_torch_nor_numba_before_it_is_used():
    code = (
        "import kibitz, sys; dir(kibitz); kibitz.__version__; print([m for m in ('numba','torch') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


@pytest.mark.slow
def test_a_type_checker_sees_real_types(tmp_path):
    script = tmp_path / "typed.py"
    script.write_text(
        "import kibitz\n"
        "game = kibitz.make('leduc')\n"
        "p = kibitz.Position(game)\n"
        "reveal_type(game.PLAYERS)\nreveal_type(game.turn(p.state))\nreveal_type(p.hand(0))\n"
        "reveal_type(kibitz.solve(game).nash_conv)\nreveal_type(kibitz.bot(game, 'random')(p.view()))\n"
    )
    found = subprocess.run([sys.executable, "-m", "mypy", "--strict", script], capture_output=True, text=True).stdout
    told = [line.split('"')[1] for line in found.splitlines() if "Revealed" in line]
    kinds = [kind.replace("builtins.", "") for kind in told]
    assert kinds == ["int", "int", "list[kibitz.core.readable.Card]", "float | None", "str"], found


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_game_has_its_kernels_and_constants_as_attributes_of_its_own(name):
    game = kibitz.make(name)
    for attribute in (*CONSTANTS, "CHANCES", *KERNELS, *OPTIONAL_KERNELS):
        assert attribute in vars(game) and getattr(game, attribute) is getattr(game.kernels, attribute)
    assert pickle.loads(pickle.dumps(game)) is game
    with pytest.raises(AttributeError, match="no attribute 'setp'"):
        _ = game.setp


def test_bots_say_their_move_as_a_word_and_leave_the_view_as_it_was():
    p = kibitz.Position(kibitz.make("leduc"), seed=2)
    view = p.view()
    luck = view.rng.copy()
    bot = kibitz.bot("leduc", "random")
    word = bot(view)
    assert word in p.legal() and bot(view) == word and np.array_equal(view.rng, luck)
    p.push(word)
    with pytest.raises(BadInput, match="seat 0 is not to move"):
        bot(p.view(0))


def test_bots_explain_themselves():
    p = kibitz.Position(kibitz.make("leduc"), seed=2)
    told = kibitz.bot(p.game, "random").explain(p.view(), draws=200)
    assert set(told.probabilities) == set(p.legal()) and sum(told.probabilities.values()) == pytest.approx(1)
    assert str(told).startswith(f"random plays {told.choice} (200 draws)") and " %" in str(told)
    assert kibitz.bot(p.game, Caller()).explain(p.view()).probabilities["call"] == 1


def test_anything_that_can_play_is_a_bot():
    p = kibitz.Position(kibitz.make("leduc"), seed=2)
    solution = kibitz.solve("leduc", iterations=5)
    for who in ("leduc-rule", Caller(), OnlyActs(), solution, solution.policy):
        assert kibitz.bot("leduc", who)(p.view()) in p.legal()
    with pytest.raises(UnknownBot, match="did you mean leduc-rule"):
        kibitz.bot("leduc", "leduc-rul")
    with pytest.raises(BadInput, match="made for leduc"):
        kibitz.bot("kuhn", solution)
    with pytest.raises(BadInput, match=r"3 cannot play: a bot is a spec, an object with act\(view\)"):
        kibitz.bot("leduc", 3)


def test_simulate_takes_specs_and_objects_and_prints_each_seat():
    named = kibitz.simulate("leduc", "random,leduc-rule", games=50, seed=1)
    again = kibitz.simulate(kibitz.make("leduc"), ["random", kibitz.bot("leduc", "leduc-rule")], games=50, seed=1)
    assert named.scores == again.scores
    assert "seat 1 (leduc-rule): " in str(named) and "50 games of leduc" in str(named)
    with pytest.raises(BadInput, match="leduc has 2 seats: give one bot for all or 2 bots, not 3"):
        kibitz.simulate("leduc", "random,random,random")


def test_match_takes_specs_and_objects_and_prints_the_difference():
    found = kibitz.match("leduc", "leduc-rule,random", deals=50, seed=1)
    again = kibitz.match("leduc", [kibitz.bot("leduc", "leduc-rule"), "random"], deals=50, seed=1)
    assert found.difference == again.difference
    assert str(found).startswith("leduc-rule against random, 50 deals of leduc: ") and "±" in str(found)


def test_solve_says_value_and_nash_conv_and_what_it_saves_is_loaded(tmp_path):
    solution = kibitz.solve("kuhn", iterations=500)
    assert solution.value == pytest.approx(-1 / 18, abs=1e-3) and solution.nash_conv < 0.01
    assert "value per seat -0.05" in str(solution) and "NashConv" in str(solution)
    solution.save(tmp_path / "kuhn.npz")
    table = kibitz.load(tmp_path / "kuhn.npz", "kuhn")
    assert str(table) == "a policy for kuhn by cfr+: 12 information sets"
    assert np.array_equal(table.policy, solution.policy.policy) and table.about["nash_conv"] == solution.nash_conv
    with pytest.raises(BadInput, match="0 iterations are not possible"):
        kibitz.solve("kuhn", iterations=0)
    with pytest.raises(KibitzError, match="leduc"):
        kibitz.load(tmp_path / "kuhn.npz", "leduc")


def test_load_opens_records_and_says_what_is_missing(tmp_path):
    kibitz.simulate("kuhn", games=7, records=tmp_path / "games.jsonl")
    records = kibitz.load(tmp_path / "games.jsonl")
    assert len(records) == 7 and records[6].number == 6 and len(records[2:4]) == 2
    assert str(records) == f"7 games of kuhn in {tmp_path / 'games.jsonl'}"
    with pytest.raises(BadInput, match=r"there is no file or folder nothing, .* shipped are .*cheat-paper"):
        kibitz.load("nothing")
    with pytest.raises(BadInput, match=r"a folder without card\.json"):
        kibitz.load(tmp_path)
    (tmp_path / "notes.txt").write_text("hello\n")
    with pytest.raises(BadRecord, match="line 1: not a record of kibitz"):
        kibitz.load(tmp_path / "notes.txt")


def test_load_knows_shipped_tables_by_name():
    table = kibitz.load("cheat-paper")
    assert table.about["game"] == "cheat-paper" and "information sets" in str(table)


def test_train_gives_a_model_that_plays_and_is_loaded(tmp_path):
    model = kibitz.train("kuhn", tmp_path / "run", frames=600, evaluation_games=64, layers=(8,), games=16, batch=16)
    assert "a model of kuhn by dmc" in str(model) and "±" in str(model)
    p = kibitz.Position(kibitz.make("kuhn"), seed=1)
    bot = kibitz.bot("kuhn", model)
    told = bot.explain(p.view())
    assert told.choice == bot(p.view()) == max(told.values, key=told.values.get) and set(told.values) == {"pass", "bet"}
    assert kibitz.load(tmp_path / "run").card == model.card
    with pytest.raises(BadInput, match="has learned kuhn"):
        kibitz.bot("leduc", model)
    with pytest.raises(BadInput, match="a run needs an end: say frames="):
        kibitz.train("kuhn", tmp_path / "run")
    with pytest.raises(BadInput, match=r"learners=\(2,\) is not possible: seats from 0 to 1 are"):
        kibitz.train("kuhn", tmp_path / "run", frames=10, learners=(2,))


def test_coinche_is_solved_card_by_card_and_pimc_explains_its_values():
    p = kibitz.Position(kibitz.make("coinche"), deal="W: " + DEAL)
    with pytest.raises(BadInput, match="only positions in which a card is to be played"):
        p.solve()
    p.push("160s")
    while "pass" in p.legal():
        p.push("pass")
    while len(p.hand(0)) > 2:
        p.push(p.view().playable[0])
    values = p.solve()
    assert set(values) == set(p.legal()) and all(value == 162 for value in values.values())
    assert set(values) <= set(p.hand(p.to_move)) and str(values).startswith("{" + p.legal()[0])
    pimc = kibitz.bot(p.game, "pimc:worlds=3")
    told = pimc.explain(p.view())
    assert set(told.values) == set(p.legal()) and pimc(p.view()) == told.choice
    assert told.worlds > 0 and set(told.ahead) == set(p.legal()) and f"over {told.worlds} imagined deals" in str(told)
    assert all(world.solve() == values for world in p.view().worlds(2))


DEAL = "As Ks Qs Js Ts 9s 8s 7s | Ah Kh Qh Jh Th 9h 8h 7h | Ad Kd Qd Jd Td 9d 8d 7d | Ac Kc Qc Jc Tc 9c 8c 7c"
"""North has every spade."""


def test_small_games_are_not_solved_with_open_cards():
    with pytest.raises(BadInput, match="kuhn cannot be solved with open cards"):
        kibitz.Position(kibitz.make("kuhn")).solve()


def test_a_wrong_word_is_told_what_would_be_right():
    with pytest.raises(IllegalMove, match="rise is no move here: did you mean raise"):
        kibitz.Position(kibitz.make("leduc")).push("rise")

"""OpenSpiel: its simulation tests, its solvers and its exploitability agree with ours."""

import importlib

import numpy as np
import pyspiel
import pytest

import kibitz.adapters.openspiel as adapter  # noqa: E402
from kibitz.arena.play import play  # noqa: E402
from kibitz.bots import make_bot  # noqa: E402
from kibitz.core import rng  # noqa: E402
from kibitz.core.game import make, names  # noqa: E402
from kibitz.core.tree import unroll  # noqa: E402
from kibitz.core.view import view_of  # noqa: E402
from kibitz.tabular.best_response import nash_conv  # noqa: E402
from kibitz.tabular.cfr import Solver  # noqa: E402
from kibitz.tabular.table import from_tree  # noqa: E402
from tests.adapters.tables import EVERY, SOME, redealt  # noqa: E402

SMALL = ["kuhn", *(pytest.param(name, marks=pytest.mark.slow) for name in ("leduc", "collaborative-kuhn"))]


def load(name, **params):
    return pyspiel.load_game(adapter.short_name(name), params)


@pytest.mark.parametrize("name", EVERY)
def test_random_simulations_pass(name):
    pyspiel.random_sim_test(load(name), 3, True, False)


@pytest.mark.parametrize("name", EVERY)
def test_openspiels_own_simulation_passes(name):
    """Clones, text, pickles, bounds of the returns: what OpenSpiel's tests ask of every game they know."""
    suite = importlib.import_module("open_spiel.python.tests.games_sim_test")
    np.random.seed(0)
    suite.GamesSimTest().sim_game(load(name))


@pytest.mark.parametrize("name", EVERY)
def test_states_answer_as_the_interface_asks(name):
    luck, game = np.random.default_rng(1), load(name)
    state = game.new_initial_state()
    for _ in range(60):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1) and len(outcomes) <= game.max_chance_outcomes()
            state.apply_action(int(luck.choice(outcomes, p=chances)))
            continue
        seat, legal = state.current_player(), state.legal_actions()
        assert legal == sorted(legal) and legal[0] >= 0 and legal[-1] < game.num_distinct_actions()
        assert [state.string_to_action(seat, state.action_to_string(seat, action)) for action in legal] == legal
        assert all(state.legal_actions(other) == [] for other in range(game.num_players()) if other != seat)
        for player in range(game.num_players()):
            assert np.shape(state.information_state_tensor(player)) == tuple(game.information_state_tensor_shape())
            assert np.shape(state.observation_tensor(player)) == tuple(game.observation_tensor_shape())
        state.apply_action(int(luck.choice(legal)))
    assert len(state.returns()) == game.num_players()


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_many_random_simulations_pass(name):
    pyspiel.random_sim_test(load(name), 50, True, False)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_trees_are_the_same(name):
    """Every history, its information state and its returns, against our own unrolled tree."""
    tree, ends, infosets = unroll(make(name)), [], set()

    def walk(state):
        if state.is_terminal():
            ends.append(tuple(state.returns()))
            return
        if not state.is_chance_node():
            seat = state.current_player()
            infosets.add(state.information_state_string(seat))
            assert len(state.information_state_tensor(seat)) == make(name).SENSES
        for action in state.legal_actions():
            walk(state.child(action))

    walk(load(name).new_initial_state())
    assert len(ends) == tree.terminals and len(infosets) == tree.infosets
    assert sorted(ends) == sorted(map(tuple, tree.utility[tree.seat < 0][tree.children[tree.seat < 0] == 0].tolist()))


@pytest.mark.parametrize("name", SMALL)
def test_openspiel_measures_our_policies_as_we_do(name):
    from open_spiel.python.algorithms import exploitability as theirs

    tree = unroll(make(name))
    solver = Solver(tree)
    solver.run(20)
    policy, game = solver.average(), load(name)
    exported = adapter.tabular_policy(game, from_tree(tree, policy, {"method": "cfr"}))
    measured = theirs.nash_conv(game, exported)
    print(f"{name}: OpenSpiel {measured:.12f}, kibitz {nash_conv(tree, policy):.12f}")
    assert abs(measured - nash_conv(tree, policy)) < 1e-8


def test_openspiel_solves_our_kuhn():
    from open_spiel.python.algorithms import cfr, expected_game_score

    game = load("kuhn")
    solver = cfr.CFRSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [solver.average_policy()] * 2)
    assert values[0] == pytest.approx(-1 / 18, abs=0.01)


def test_options_are_parameters_and_come_back_from_text():
    game = pyspiel.load_game("kibitz_kuhn(players=3)")
    assert game.num_players() == 3 and game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert (game.min_utility(), game.max_utility()) == (-2, 4)
    state = game.new_initial_state()
    state.apply_action(5)
    state.apply_action(state.legal_actions()[0])
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    assert again.history() == state.history() and (again.s == state.s).all()


UTILITIES = [
    ("coinche", {}, "ZERO_SUM", 2020),
    ("coinche", {"reward": "classic"}, "GENERAL_SUM", 1000),
    ("skat", {}, "ZERO_SUM", 335),
    ("cego", {}, "ZERO_SUM", 600),
    ("cego-solo", {}, "GENERAL_SUM", 79),
    ("cego-raeuber", {}, "CONSTANT_SUM", 1),
    ("cheat", {}, "ZERO_SUM", 1),
]


@pytest.mark.parametrize(("name", "options", "utility", "most"), UTILITIES)
def test_utilities_are_declared_as_they_are(name, options, utility, most):
    game, payoffs = load(name, **options), make(name, **options).payoffs
    assert game.get_type().utility == getattr(pyspiel.GameType.Utility, utility)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (payoffs.least, most, payoffs.total)


def test_the_registry_knows_which_games_sum_to_zero():
    types = {one.short_name: one.utility for one in pyspiel.registered_games() if one.short_name.startswith("kibitz_")}
    ours = [name for name in names() if adapter.short_name(name) in types]  # other tests may have added games since
    zero = {name for name in ours if types[adapter.short_name(name)] == pyspiel.GameType.Utility.ZERO_SUM}
    assert zero == {name for name in ours if make(name).payoffs.total == 0} and "coinche" in zero


@pytest.mark.parametrize("name", EVERY)
def test_nobody_notices_a_redeal(name):
    """String, tensor and legal actions of every seat; and resampling gives states that the seat cannot tell apart."""
    luck = np.random.default_rng(0)
    state = load(name).new_initial_state()
    for move in range(60):
        if state.is_terminal():
            break
        if state.is_dealt and not state.is_chance_node():
            for seat in range(state.num_players()):
                other = state.clone()
                other.s[:] = redealt(state.table, state.s, seat, move)
                assert given(state, seat) == given(other, seat)
            mover = state.current_player()
            resampled = state.resample_from_infostate(mover, luck.random)
            assert given(state, mover) == given(resampled, mover)
        outcomes = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(luck.choice(outcomes)))


def given(state, seat):
    legal = state.legal_actions() if seat == state.current_player() else []
    words = [state.action_to_string(seat, action) for action in legal]
    tensor = tuple(state.information_state_tensor(seat))
    return state.information_state_string(seat), tensor, tuple(state.observation_tensor(seat)), legal, words


def test_the_observer_names_its_pieces():
    from open_spiel.python.observation import make_observation

    game = load("coinche")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(1)
    seen = make_observation(game)
    seen.set_from(state, 0)
    assert set(seen.dict) == set(make("coinche").observation("default").slices)
    assert seen.dict["hand"].sum() == 8


@pytest.mark.parametrize("name", SOME)
def test_our_bots_play_at_their_tables(name):
    game = load(name)
    spec = next(iter(make(name).parts["bots"].BOTS), "random")
    bots = [adapter.SpielBot(make_bot(game.table, spec), seat) for seat in range(game.num_players())]
    state = game.new_initial_state()
    luck = np.random.default_rng(3)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(luck.choice(outcomes, p=chances)))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    assert np.isfinite(state.returns()).all()


@pytest.mark.parametrize("name", EVERY)
def test_their_bots_see_a_world_made_from_the_view_alone(name):
    """Two deals that the seat cannot tell apart lead to the same world, in which it knows what it knew."""
    shown = []

    class Witness:
        def step(self, state):
            shown.append((state.s.tobytes(), given(state, state.current_player()), state.history()))
            return state.legal_actions()[0]

    game, luck = make(name), np.random.default_rng(0)
    bot, state = adapter.OpenSpielBot(game, lambda *_: Witness()), load(name).new_initial_state()
    for move in range(40):
        if state.is_terminal():
            break
        if not state.is_chance_node():
            seat, other = state.current_player(), state.clone()
            other.s[:] = redealt(game, state.s, seat, move)
            chosen = [game_action(bot, one, seat, move) for one in (state, other)]
            assert shown[-1] == shown[-2] and chosen[0] == chosen[1]
            assert shown[-1][1] == given(state, seat) and shown[-1][2] == []
        outcomes = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(luck.choice(outcomes)))


def game_action(bot, state, seat, move):
    return bot.act(view_of(state.table, state.s, seat, rng.fresh(7, 0, seat, move)))


@pytest.mark.parametrize("name", ["leduc", pytest.param("cheat", marks=pytest.mark.slow), "cego-solo", "coinche"])
def test_their_bots_play_at_our_tables(name):
    from open_spiel.python.algorithms import ismcts, mcts

    def seat_bot(game, seat):
        luck = np.random.RandomState(seat)
        return ismcts.ISMCTSBot(
            game=game, uct_c=1.0, max_simulations=3, random_state=luck, evaluator=mcts.RandomRolloutEvaluator(1, luck)
        )

    game = make(name)
    bots = [adapter.OpenSpielBot(game, seat_bot), *[make_bot(game, "random")] * (game.PLAYERS - 1)]
    for chunk in play(game, bots, 1, 1):
        assert np.isfinite(chunk.returns).all()

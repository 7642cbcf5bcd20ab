"""RLCard: its loops, agents and tournaments run on our games unchanged, and its agents sit at our tables."""

import contextlib
import importlib
import io

import numpy as np
import pytest

from kibitz.adapters.rlcard import RLCardBot, make
from kibitz.arena.play import play
from kibitz.bots import make_bot
from kibitz.core.errors import BadInput, BadOption, IllegalMove
from kibitz.core.game import make as make_game
from tests.adapters.tables import EVERY, SOME, redealt


class Uniform:
    """An agent as RLCard asks for it, without rlcard."""

    use_raw = False

    def __init__(self, seed=0):
        self.luck = np.random.default_rng(seed)

    def step(self, state):
        return int(self.luck.choice(list(state["legal_actions"])))

    def eval_step(self, state):
        return self.step(state), {}


class RawUniform(Uniform):
    use_raw = True

    def step(self, state):
        return str(self.luck.choice(state["raw_legal_actions"]))


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("agent", [Uniform, RawUniform])
def test_run_gives_trajectories_as_rlcard_does(name, agent):
    env = make(name, {"seed": 1})
    env.set_agents([agent(seat) for seat in range(env.num_players)])
    for _ in range(2):
        trajectories, payoffs = env.run(is_training=True)
        assert len(payoffs) == env.num_players
        for seat, path in enumerate(trajectories):
            assert len(path) % 2 == 1
            for state, action in zip(path[:-1:2], path[1::2], strict=True):
                legal = state["raw_legal_actions"] if env.agents[seat].use_raw else state["legal_actions"]
                assert action in legal
                assert state["obs"].shape == tuple(env.state_shape[seat])
            assert not path[-1]["legal_actions"]


def test_rlcards_own_agents_and_tournament_run():
    rlcard = importlib.import_module("rlcard")
    importlib.import_module("rlcard.agents")
    env = make("cego-solo", {"seed": 1, "game_reward": "sign"})
    env.set_agents([rlcard.agents.RandomAgent(env.num_actions)] * env.num_players)
    payoffs = rlcard.utils.tournament(env, 20)
    assert len(payoffs) == 4 and all(abs(payoff) <= 1 for payoff in payoffs)
    transitions = rlcard.utils.reorganize(*env.run(is_training=True))
    assert all(steps[-1][-1] for steps in transitions)


def test_step_back_restores_what_every_seat_sees():
    env = make("leduc", {"seed": 2, "allow_step_back": True})
    env.reset()
    before = [repr(env.get_state(seat)["obs"]) for seat in (0, 1)]
    env.step(next(iter(env.get_state(env.get_player_id())["legal_actions"])))
    state, seat = env.step_back()
    assert seat == env.get_player_id() and state["legal_actions"]
    assert [repr(env.get_state(seat)["obs"]) for seat in (0, 1)] == before
    assert env.step_back() is False
    with pytest.raises(BadInput, match="allow_step_back"):
        make("kuhn").step_back()


def test_the_same_seed_deals_the_same_games():
    one, two = make("skat", {"seed": 9}), make("skat", {"seed": 9})
    for _ in range(3):
        assert (one.reset()[0]["obs"] == two.reset()[0]["obs"]).all()


@pytest.mark.parametrize("name", EVERY)
def test_nobody_notices_a_redeal(name):
    env, other = make(name, {"seed": 3}), make(name, {"seed": 3})
    luck = np.random.default_rng(0)
    for number in range(2):
        env.reset()
        other.reset()
        for move in range(60):
            for seat in range(env.num_players):
                other.turn_table.take(
                    redealt(env._table, env.turn_table.state, seat, 100 * number + move), env.turn_table.moves
                )
                other.action_recorder = env.action_recorder
                assert given(env.get_state(seat)) == given(other.get_state(seat))
                assert {mover for mover, _ in env.get_state(seat)["action_record"]} <= {seat}
            _, seat = env.step(int(luck.choice(list(env.get_state(env.get_player_id())["legal_actions"]))))
            if env.is_over():
                break


def given(state):
    view = state["raw_obs"]
    return [
        state["obs"].tobytes(), list(state["legal_actions"]), state["raw_legal_actions"], state["action_record"],
        view.state.tobytes(), view.mask.tobytes(), str(view),
    ]  # fmt: skip


@pytest.mark.parametrize("name", SOME)
def test_an_agent_sits_in_our_arena_and_never_errs(name):
    game = make_game(name)
    bots = [RLCardBot(Uniform(1)), *[make_bot(game, "random")] * (game.PLAYERS - 2), RLCardBot(RawUniform(2))]
    for chunk in play(game, bots, 20, 1):
        assert np.isfinite(chunk.returns).all()


def test_an_agent_sees_at_our_tables_what_it_saw_in_training():
    """The same numbers for the same cards: state by state, through a game of Coinche with its renamed suits."""
    env = make("coinche", {"seed": 5})

    class Witness(Uniform):
        def eval_step(self, state):
            trained = env.get_state(env.get_player_id())
            assert (trained["obs"] == state["obs"]).all()
            assert trained["legal_actions"] == state["legal_actions"]
            assert trained["raw_legal_actions"] == state["raw_legal_actions"]
            return self.step(state), {}

    bot = RLCardBot(Witness())
    state, _ = env.reset()
    while not env.is_over():
        action = bot.act(state["raw_obs"])
        state, _ = env.step(env._table.words.ACTION_WORDS[action], raw_action=True)


def test_bad_input_is_refused_with_the_reason():
    env = make("kuhn")
    with pytest.raises(BadInput, match="2 seats, not 3"):
        env.set_agents([Uniform()] * 3)
    with pytest.raises(BadOption, match="there is no setting sed"):
        make("kuhn", {"sed": 1})
    env.reset()
    with pytest.raises(IllegalMove):
        env.step(7)
    with pytest.raises(IllegalMove):
        env.step("dance", raw_action=True)


@pytest.mark.slow
@pytest.mark.parametrize("kind,games", [("dqn", 1000), ("nfsp", 500)])
def test_rlcards_learners_train_on_cego(kind, games):
    """DQN must rise above random by three standard errors; NFSP must run, which is all that so short a run can show."""
    mean, error, baseline = trained_on_cego(kind, episodes=3000, games=games)
    print(f"{kind}: {mean:.3f}, random {baseline:.3f}, standard error of the difference {error:.3f}")
    if kind == "dqn":
        assert mean > baseline + 3 * error


def trained_on_cego(kind, episodes, games):
    """The mean payoff of an agent trained as the soloist of Ultimo, what a random player gets,
    and the error between them."""
    torch = importlib.import_module("torch")
    agents = importlib.import_module("rlcard.agents")
    from rlcard.utils import reorganize

    torch.manual_seed(0)
    torch.set_num_threads(1)
    np.random.seed(0)
    env = make("cego-ultimo", {"seed": 0, "game_reward": "sign", "observation": "paper"})
    shape = env.state_shape[0]
    if kind == "dqn":
        agent = agents.DQNAgent(
            num_actions=env.num_actions, state_shape=shape, mlp_layers=[128], device=torch.device("cpu"), train_every=2,
            update_target_estimator_every=200, epsilon_decay_steps=6000, replay_memory_init_size=500,
            learning_rate=0.0005,
        )  # fmt: skip
    else:
        agent = agents.NFSPAgent(
            num_actions=env.num_actions, state_shape=shape, hidden_layers_sizes=[64], q_mlp_layers=[64],
            device=torch.device("cpu"), train_every=32, q_train_every=32, min_buffer_size_to_learn=500,
            q_replay_memory_init_size=500,
        )  # fmt: skip
    other = agents.RandomAgent(env.num_actions)
    env.set_agents([agent, other, other, other])
    with contextlib.redirect_stdout(io.StringIO()):  # the agents tell their loss at every step
        for _ in range(episodes):
            if kind == "nfsp":
                agent.sample_episode_policy()
            trajectories, payoffs = env.run(is_training=True)
            for transition in reorganize(trajectories, payoffs)[0]:
                agent.feed(transition)
    mean, error = payoff_of(env, agent, other, games)
    baseline, noise = payoff_of(env, other, other, games)
    return mean, float(np.hypot(error, noise)), baseline


def payoff_of(env, agent, other, games):
    env.seed(12345)
    env.set_agents([agent, other, other, other])
    got = np.array([env.run()[1][0] for _ in range(games)])
    return float(got.mean()), float(got.std() / np.sqrt(games))

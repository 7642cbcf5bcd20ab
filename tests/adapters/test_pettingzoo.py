"""PettingZoo: its own test suite over every game, and the masks, which the suite does not look at closely."""

import types
import warnings
from functools import partial

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test

import kibitz.adapters.pettingzoo as adapter
from kibitz.core.errors import BadInput, IllegalMove
from kibitz.core.game import make
from tests.adapters.tables import EVERY, SOME, redealt

DICTIONARY = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
)
"""What the suite says of any dictionary observation, and of the masks of agents whose game is over."""


def quietly(test, *args, **asked):
    """Run a test of the suite; any other warning is an error."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        test(*args, **asked)
    assert {str(warning.message) for warning in said} <= set(DICTIONARY)


@pytest.mark.parametrize("name", EVERY)
def test_the_suite_passes(name):
    quietly(api_test, adapter.env(name), num_cycles=100)
    quietly(api_test, adapter.env(name, deals=None, max_cycles=40), num_cycles=100)
    quietly(seed_test, partial(adapter.env, name), 100)
    quietly(parallel_api_test, adapter.parallel_env(name), 200)
    quietly(parallel_seed_test, partial(adapter.parallel_env, name), 100)


@pytest.mark.parametrize("name", EVERY)
def test_max_cycles_passes(name):
    """The test counts turns per agent, so it is given deals in which the turns go round evenly."""
    failures = []
    for seed in range(200):
        module = types.SimpleNamespace(
            env=lambda seed=seed, **asked: seeded(adapter.env(name, deals=None, **asked), seed),
            parallel_env=lambda seed=seed, **asked: adapter.parallel_env(name, deals=None, **asked),
        )
        try:
            max_cycles_test(module)
            return
        except AssertionError as problem:
            failures.append(problem)
    raise AssertionError(f"no deal of {name} has even turns in four cycles: {failures[-1]}")


def seeded(env, seed):
    """The test resets without a seed: the first such reset is of this one."""
    plain = env.reset
    env.reset = lambda seed=seed, options=None: plain(seed, options)
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    return env


@pytest.mark.parametrize("name", EVERY)
def test_only_the_seat_to_move_has_a_mask_and_nobody_notices_a_redeal(name):
    env, other = adapter.env(name, render_mode="ansi"), adapter.env(name, render_mode="ansi")
    luck = np.random.default_rng(0)
    for seed in range(3):
        env.reset(seed=seed)
        other.reset(seed=seed)
        for move in range(60):
            mover = env.agent_selection
            for seat, agent in enumerate(env.agents):
                seen = env.observe(agent)
                assert seen["action_mask"].any() == (agent == mover)
                other.turn_table.take(redealt(env.game, env.turn_table.state, seat, move), env.turn_table.moves)
                again = other.observe(agent)
                assert seen["observation"].tobytes() == again["observation"].tobytes()
                assert seen["action_mask"].tobytes() == again["action_mask"].tobytes()
                other.agent_selection = agent
                env.agent_selection = agent
                assert env.render() == other.render()
                env.agent_selection = mover
            env.step(int(luck.choice(np.flatnonzero(env.observe(mover)["action_mask"]))))
            if any(env.terminations.values()):
                break


def test_rewards_are_the_returns_of_the_deal():
    env = adapter.env("coinche")
    env.reset(seed=4)
    while not any(env.terminations.values()):
        env.step(env.action_space(env.agent_selection).sample())
    assert list(env.rewards.values()) == env.turn_table.returns().tolist()


def test_deals_follow_one_another():
    env = adapter.env("kuhn", deals=5)
    env.reset(seed=0)
    paid = 0
    while env.agents:
        over = env.terminations[env.agent_selection]
        env.step(None if over else env.action_space(env.agent_selection).sample())
        paid += any(env.rewards.values())
    assert paid >= 5 and env.turn_table.number == 4


def test_modules_and_registry_lead_to_the_same_environment():
    from kibitz.adapters.pettingzoo import cego_solo_v0

    assert str(cego_solo_v0.env()) == "cego_solo_v0"
    assert str(pettingzoo.make("aec", "kibitz/CegoSolo-v0")) == "cego_solo_v0"
    with pytest.raises(AttributeError, match="nothing_v0"):
        adapter.nothing_v0  # noqa: B018


def test_an_illegal_action_is_refused_with_the_reason():
    env = adapter.env("cego-solo")
    env.reset(seed=0)
    wrong = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(IllegalMove, match="is illegal for seat"):
        env.step(wrong)
    with pytest.raises(BadInput, match="None is no action"):
        env.step(None)
    with pytest.raises(BadInput, match="max_cycles"):
        adapter.env("kuhn", deals=None)


@pytest.mark.parametrize("name", SOME)
def test_spaces_hold_what_is_seen(name):
    env = adapter.env(name, observation=next(reversed(make(name).observations)))
    env.reset(seed=1)
    for agent in env.agents:
        assert env.observation_space(agent).contains(env.observe(agent))

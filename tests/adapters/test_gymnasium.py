"""Gymnasium: the registered environments pass the checkers,
refuse illegal moves and play the same games as Position."""

import importlib
import os
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import kibitz.adapters.gymnasium as adapter
from kibitz.adapters import env_ids
from kibitz.bots import make_bot
from kibitz.core.errors import BadInput, IllegalMove
from kibitz.core.game import make, names
from kibitz.core.position import Position
from tests.adapters.tables import EVERY, SOME, redealt


def registered(name, **asked):
    env_id = next(env_id for env_id, game in env_ids().items() if game == name)
    return gymnasium.make(env_id, **asked).unwrapped


def test_every_game_has_an_id():
    assert set(env_ids().values()) == set(names())
    assert {"kibitz/Coinche-v0", "kibitz/Skat-v0", "kibitz/CegoSolo-v0"} <= set(gymnasium.registry)


def test_an_id_can_name_the_module_that_registers_it():
    code = "import gymnasium; print(gymnasium.make('kibitz.adapters.gymnasium:kibitz/Kuhn-v0').unwrapped.game.name)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "kuhn"


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("flatten", [False, True])
def test_gymnasium_check_env_has_nothing_to_say(name, flatten):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(registered(name, flatten=flatten))


def test_gymnasium_check_env_has_nothing_to_say_about_any_registered_environment():
    """In plain Python, where nothing has to be compiled."""
    code = """
import sys, warnings, gymnasium
from gymnasium.utils.env_checker import check_env
import kibitz.adapters.gymnasium

warnings.simplefilter("error")
for env_id in [env_id for env_id in gymnasium.registry if env_id.startswith("kibitz/")]:
    for flatten in (False, True):
        check_env(gymnasium.make(env_id, flatten=flatten).unwrapped)
    print(env_id)
"""
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=plain)
    assert ran.returncode == 0, ran.stderr
    assert set(ran.stdout.split()) == set(env_ids())


@pytest.mark.parametrize("name", SOME)
def test_a_seeded_space_draws_the_first_move_of_the_deal_to_come(name):
    env = adapter.SeatEnv(name, seat="any")
    for seed in range(20):
        env.action_space.seed(seed)
        action = env.action_space.sample()
        env.reset(seed=seed)
        assert env.action_masks()[action]
        env.action_space.seed(seed + 1)  # the deal has begun: what is drawn now is for now
        env.step(env.action_space.sample())


def test_before_the_first_deal_any_action_may_be_drawn():
    env = adapter.SeatEnv("coinche")
    assert len({int(env.action_space.sample()) for _ in range(200)}) > 40
    with pytest.raises(BadInput, match="reset"):
        env.step(env.action_space.sample())


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("flatten", [False, True])
def test_stable_baselines_check_env_has_nothing_to_say(name, flatten):
    checker = importlib.import_module("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(registered(name, flatten=flatten))


@pytest.mark.parametrize("name", SOME)
def test_the_random_loop_plays_to_the_end(name):
    env = gymnasium.make(f"kibitz/{gymnasium_title(name)}-v0")
    env.action_space.seed(1)
    for episode in range(5):
        obs, info = env.reset(seed=episode)
        over = False
        while not over:
            assert (obs["action_mask"] == info["action_mask"]).all()
            assert (info["action_mask"] == env.get_wrapper_attr("action_masks")()).all()
            obs, reward, over, cut, info = env.step(env.action_space.sample())
            assert not cut and (over or reward == 0)
        assert reward == info["returns"][0]
        assert not info["action_mask"].any()


def gymnasium_title(name):
    return next(env_id for env_id, game in env_ids().items() if game == name).split("/")[1].removesuffix("-v0")


@pytest.mark.parametrize("name", SOME)
def test_a_table_plays_the_game_that_position_plays(name):
    """Same seed, same bots, same luck: the bots' moves and the returns are those of Position."""
    game = make(name)
    bot = next((bot for bot in game.parts["bots"].BOTS), "random")
    env = adapter.SeatEnv(name, seat=1, opponents=bot)
    luck = np.random.default_rng(0)
    for number in range(3):
        env.reset(seed=5) if number == 0 else env.reset()
        position, over = Position(game, 5, int(env.tables.number[0])), False
        while not over:
            let_others_move(position, make_bot(game, bot), 1)
            assert (position.state == env.tables.state[0]).all()
            action = int(luck.choice(np.flatnonzero(env.action_masks())))
            position.push(env.word(action))
            *_, over, _, info = env.step(action)
        let_others_move(position, make_bot(game, bot), 1)
        assert position.returns() == info["returns"].tolist()


def let_others_move(position, bot, learner):
    while position.turn >= 0 and position.turn != learner:
        position.push(bot.act(position.view(position.turn)))


def test_a_team_shares_a_policy_and_its_reward():
    env = adapter.SeatEnv("coinche", seat=(0, 2), opponents="coinche-simple")
    _, info = env.reset(seed=3)
    seats, over = set(), False
    while not over:
        seats.add(info["seat"])
        _, reward, over, _, info = env.step(env.action_space.sample())
    assert seats == {0, 2}
    assert reward == info["returns"][[0, 2]].mean()


def test_a_roaming_learner_sits_everywhere():
    env = adapter.SeatEnv("cego-solo", seat="any")
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(40)}
    assert seats == {0, 1, 2, 3}


class Counting:
    """A bot of the user's own: no kernel, the first legal action."""

    name = "counting"

    def __init__(self):
        self.asked = 0

    def act(self, view):
        return view.legal()[0]

    def act_batch(self, views):
        self.asked += len(views)
        return np.array([self.act(view) for view in views])


def test_bots_by_name_and_by_hand_share_a_pool():
    mine = Counting()
    env = adapter.SeatEnv("coinche", opponents=["random", mine, "coinche-simple"])
    env.reset(seed=0)
    for _ in range(200):
        if env.step(env.action_space.sample())[2]:
            env.reset()
    assert mine.asked > 50


def test_a_bot_for_each_seat_can_be_asked_for():
    mine = Counting()
    env = adapter.SeatEnv("cego-solo", opponents={2: mine})
    env.reset(seed=0)
    over = False
    while not over:
        over = env.step(env.action_space.sample())[2]
    assert mine.asked == 11
    assert [type(env.tables.pool.bots[k]).__name__ for k in env.tables.who[0]][2] == "Counting"


def test_an_illegal_action_is_refused_with_the_reason():
    env = adapter.SeatEnv("coinche")
    env.reset(seed=0)
    wrong = int(np.flatnonzero(~env.action_masks())[-1])
    with pytest.raises(IllegalMove, match=f"{env.word(wrong)} is illegal for seat 0"):
        env.step(wrong)
    with pytest.raises(IllegalMove, match="action 99 is illegal"):
        env.step(99)


def test_what_does_not_fit_is_refused():
    with pytest.raises(BadInput, match="seats 0 to 3"):
        adapter.SeatEnv("coinche", seat=4)
    with pytest.raises(BadInput, match="any"):
        adapter.SeatEnv("coinche", seat="north")
    with pytest.raises(BadInput, match="at least one bot"):
        adapter.SeatEnv("coinche", opponents=[])
    env = adapter.SeatEnv("kuhn")
    with pytest.raises(BadInput, match="reset"):
        env.step(0)


@pytest.mark.resized
def test_the_papers_single_environment_has_one_head_for_calls_and_cards():
    """It is the game of the plain environment: a number stands for a call in the auction and for a card in the play."""
    asked = {"observation": "paper", "flatten": True}
    env = adapter.SeatEnv("coinche-paper", options={"shared_head": True}, **asked)
    plain = adapter.SeatEnv("coinche-paper", **asked)
    assert env.action_space.n == 44 and env.observation_space.shape == (140,)
    used = {False: set(), True: set()}
    for deal in range(20):
        (seen, _), (other, _) = (env.reset(seed=0), plain.reset(seed=0)) if not deal else (env.reset(), plain.reset())
        over = False
        while not over:
            assert (seen == other).all()
            is_play = bool(plain.action_masks()[43:].any())
            shift = 43 if is_play else 0
            assert (np.flatnonzero(env.action_masks()) + shift == np.flatnonzero(plain.action_masks())).all()
            action = int(env.action_space.sample())
            used[is_play].add(action)
            seen, reward, over, _, _ = env.step(action)
            other, same_reward, *_ = plain.step(action + shift)
        assert reward == same_reward
    assert used[False] & used[True]


@pytest.mark.parametrize("name", SOME)
def test_actions_are_numbered_as_the_observation_shows_them(name):
    """A learner that knows one numbering can play every legal word, and every number means one word."""
    env = adapter.SeatEnv(name)
    env.reset(seed=2)
    legal = np.flatnonzero(env.action_masks())
    game_legal = np.zeros(env.game.ACTIONS, bool)
    env.game.legal(env.tables.state[0], game_legal)
    words = {env.game.words.ACTION_WORDS[action] for action in np.flatnonzero(game_legal)}
    assert {env.word(action) for action in legal} == words and len(legal) == len(words)


def test_the_hand_in_the_observation_has_the_numbers_of_the_cards():
    env = adapter.SeatEnv("coinche", options={"auction": "none"})
    for seed in range(20):
        obs, _ = env.reset(seed=seed)
        hand = obs["observation"][env.game.observation("default").slices["hand"]]
        cards = obs["action_mask"][-32:]
        assert (hand[cards.astype(bool)] == 1).all()


@pytest.mark.parametrize("name", EVERY)
def test_nothing_the_learner_is_given_changes_under_a_redeal(name):
    env = adapter.SeatEnv(name, render_mode="ansi", seat="any")
    other = adapter.SeatEnv(name, render_mode="ansi", seat="any")
    luck = np.random.default_rng(1)
    for number in range(4):
        env.reset(seed=11) if number == 0 else env.reset()
        for move in range(60):
            other.reset(seed=1)
            for field in ("turn", "me", "learner", "who", "moves"):
                getattr(other.tables, field)[:] = getattr(env.tables, field)
            seat = int(env.tables.me[0])
            other.tables.state[0] = redealt(env.game, env.tables.state[0], seat, move)
            other.tables.look()
            assert given(env) == given(other)
            if env.step(int(luck.choice(np.flatnonzero(env.action_masks()))))[2]:
                break


def given(env):
    return [
        env.tables.obs[0].tobytes(), env.action_masks().tobytes(), str(env._info()), env.render(),
        [env.word(action) for action in np.flatnonzero(env.action_masks())],
    ]  # fmt: skip

"""The vector environment does what as many single environments do, in every mode of autoreset."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import kibitz.adapters.gymnasium as adapter
from kibitz.adapters.vector import SeatVectorEnv
from kibitz.core.errors import BadInput, IllegalMove
from tests.adapters.tables import EVERY, SOME, redealt
from tests.adapters.test_gymnasium import Counting

N = 5


def singles(name, **asked):
    return [lambda: adapter.SeatEnv(name, **asked)] * N


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("name", SOME)
def test_rows_are_single_environments(name, mode):
    """Against Gymnasium's own vector environment over single ones: every array, every info, every final observation."""
    asked = {"opponents": ["random"], "seat": "any"}
    theirs = gymnasium.vector.SyncVectorEnv(singles(name, **asked), autoreset_mode=mode)
    ours = SeatVectorEnv(name, N, autoreset_mode=mode, **asked)
    assert ours.metadata["autoreset_mode"] is mode
    assert same(theirs.reset(seed=3), ours.reset(seed=3))
    ours.action_space.seed(0)
    for _ in range(60):
        actions = ours.action_space.sample()
        assert same(theirs.step(actions), ours.step(actions))


def same(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray) and a.dtype == object:
        return all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    return a == b


def test_bots_that_are_not_compiled_see_the_same_tables():
    theirs = gymnasium.vector.SyncVectorEnv(singles("coinche", opponents=["coinche-simple", Counting()]))
    ours = SeatVectorEnv("coinche", N, opponents=["coinche-simple", Counting()])
    assert same(theirs.reset(seed=3), ours.reset(seed=3))
    for _ in range(40):
        actions = ours.action_space.sample()
        assert same(theirs.step(actions), ours.step(actions))


def test_a_disabled_autoreset_waits_for_a_reset():
    env = SeatVectorEnv("kuhn", N, autoreset_mode="Disabled")
    env.reset(seed=0)
    over = np.zeros(N, bool)
    while not over.any():
        *_, over, _, _ = env.step(env.action_space.sample())
    with pytest.raises(BadInput, match="reset_mask"):
        env.step(env.action_space.sample())
    numbers = env.tables.number.copy()
    env.reset(options={"reset_mask": over})
    assert (env.tables.number == numbers + over).all()
    env.step(env.action_space.sample())


@pytest.mark.parametrize("mode", [None, "vector_entry_point"])
def test_make_vec_takes_the_native_environment(mode):
    env = gymnasium.make_vec("kibitz/CegoSolo-v0", 3, vectorization_mode=mode, flatten=True)
    assert isinstance(env.unwrapped, SeatVectorEnv)
    obs, infos = env.reset(seed=1)
    assert obs in env.observation_space and obs.shape == (3, 750)
    assert (infos["action_mask"].sum(axis=1) > 0).all()


def test_arrays_that_were_given_out_are_left_alone():
    env = SeatVectorEnv("cego-solo", N)
    kept = [env.reset(seed=1)[0]]
    copies = [kept[0]["observation"].copy()]
    for _ in range(30):
        kept.append(env.step(env.action_space.sample())[0])
        copies.append(kept[-1]["observation"].copy())
    env.reset(seed=2)
    assert all((seen["observation"] == copy).all() for seen, copy in zip(kept, copies, strict=True))
    fast = SeatVectorEnv("cego-solo", N, copy=False)
    first = fast.reset(seed=1)[0]["observation"]
    assert fast.step(fast.action_space.sample())[0]["observation"] is first


def test_arrays_that_nobody_has_any_more_are_used_again():
    env = SeatVectorEnv("cego-solo", N)
    seen = env.reset(seed=1)[0]
    places = set()
    for _ in range(20):
        seen = env.step(env.action_space.sample())[0]
        places.add(seen["observation"].ctypes.data)
    assert len(places) <= 3


def test_a_mask_that_is_written_on_does_not_make_a_move_legal():
    env = SeatVectorEnv("cego-solo", N)
    seen, infos = env.reset(seed=1)
    actions = env.action_space.sample()
    actions[2] = int(np.flatnonzero(~env.action_masks()[2])[0])
    seen["action_mask"][:], infos["action_mask"][:] = 1, 1
    with pytest.raises(IllegalMove):
        env.step(actions)


@pytest.mark.parametrize("name", EVERY)
def test_nothing_the_learner_is_given_changes_under_a_redeal(name):
    """Everything that `reset` and `step` give out, flat and masked, for tables that differ only in what is hidden."""
    env = SeatVectorEnv(name, N, seat="any", render_mode="ansi", autoreset_mode="SameStep")
    seen, infos = env.reset(seed=5)
    for move in range(25):
        before, text = (seen, infos["action_mask"].copy()), env.render()
        for row in range(N):
            env.tables.state[row] = redealt(env.game, env.tables.state[row], int(env.tables.me[row]), move)
        env.tables.look()
        assert same(before, (env._seen(env._mask()), env._infos(env._mask())["action_mask"])) and env.render() == text
        seen, _, _, _, infos = env.step(env.action_space.sample())


@pytest.mark.parametrize("name", EVERY)
def test_what_is_given_lies_in_the_spaces(name):
    """What Gymnasium's checker asks of a single environment, asked of every array of the vector environment."""
    env = SeatVectorEnv(name, N)
    env.action_space.seed(0)
    seen, infos = env.reset(seed=0)
    for _ in range(20):
        assert seen in env.observation_space and same(seen["action_mask"], infos["action_mask"])
        actions = env.action_space.sample()
        assert actions in env.action_space
        seen, rewards, over, cut, infos = env.step(actions)
        assert rewards.shape == over.shape == cut.shape == (N,) and not cut.any()
        assert (rewards[~over] == 0).all()
    assert same(env.reset(seed=0), SeatVectorEnv(name, N).reset(seed=0))


def test_seeds_are_checked_and_can_be_given_one_by_one():
    env = SeatVectorEnv("kuhn", 2)
    one = env.reset(seed=[7, 8])[0]
    two = env.reset(seed=7)[0]
    assert same(one, two)
    with pytest.raises(BadInput, match="3 seeds for 2 tables"):
        env.reset(seed=[1, 2, 3])


def test_an_illegal_action_is_refused_with_the_reason():
    env = SeatVectorEnv("cego-solo", 4)
    env.reset(seed=0)
    actions = env.action_space.sample()
    actions[2] = int(np.flatnonzero(~env.action_masks()[2])[0])
    with pytest.raises(IllegalMove, match="is illegal for seat 0"):
        env.step(actions)


def test_samples_are_legal_and_reach_every_legal_action():
    env = SeatVectorEnv("coinche", 64)
    env.reset(seed=0)
    env.action_space.seed(1)
    masks, seen = env.action_masks(), np.zeros((64, 75), int)
    for _ in range(2000):
        seen[np.arange(64), env.action_space.sample()] += 1
    assert (seen[~masks] == 0).all() and (seen[masks] > 0).all()

"""MaskablePPO of sb3-contrib learns Coinche: one policy for seats 0 and 2 against two rule-based players.

python examples/ppo_coinche.py [steps]
"""

import sys

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from kibitz.adapters.gymnasium import SeatEnv


def table() -> SeatEnv:
    return SeatEnv("coinche", seat=(0, 2), opponents="coinche-simple", flatten=True, options={"normalise": True})


def mean_return(model: MaskablePPO | None, deals: int) -> float:
    """What the team makes per deal with a model, or at random."""
    env, total = table(), 0.0
    for deal in range(deals):
        seen, info = env.reset(seed=0) if deal == 0 else env.reset()
        over = False
        while not over:
            if model is None:
                action = int(env.action_space.sample())
            else:
                action = int(model.predict(seen, action_masks=info["action_mask"])[0])
            seen, reward, over, _, info = env.step(action)
        total += reward
    return total / deals


def main(steps: int = 10_000, deals: int = 100) -> tuple[float, float]:
    torch.set_num_threads(1)
    np.random.seed(0)
    model = MaskablePPO("MlpPolicy", DummyVecEnv([table] * 8), n_steps=min(256, steps // 8), seed=0)
    print(f"learning for {steps} steps (100000 show what it can do) ...", flush=True)
    before = mean_return(None, deals)
    model.learn(steps)
    after = mean_return(model, deals)
    print(f"at random {before:+.3f}, after {steps} steps {after:+.3f} (in units of 250 points a deal)")
    return before, after


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

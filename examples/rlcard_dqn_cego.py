"""RLCard's DQN learns to win the last trick of Cego's Ultimo with the lowest trump, then sits down at our tables.

python examples/rlcard_dqn_cego.py [episodes]
"""

import sys

import numpy as np
import torch
from rlcard.agents import DQNAgent, RandomAgent
from rlcard.utils import reorganize

from kibitz.adapters.rlcard import RLCardBot, make
from kibitz.arena.simulate import simulate
from kibitz.bots import make_bot


def main(episodes: int = 600, games: int = 500) -> tuple[float, float]:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    np.random.seed(0)
    env = make("cego-ultimo", {"seed": 0, "game_reward": "sign", "observation": "paper"})
    agent = DQNAgent(
        num_actions=env.num_actions,
        state_shape=env.state_shape[0],
        mlp_layers=[128],
        device=torch.device("cpu"),
        train_every=2,
        update_target_estimator_every=200,
        epsilon_decay_steps=6000,
        replay_memory_init_size=500,
        learning_rate=0.0005,
    )
    env.set_agents([agent] + [RandomAgent(env.num_actions)] * 3)
    for _ in range(episodes):
        trajectories, payoffs = env.run(is_training=True)
        for transition in reorganize(trajectories, payoffs)[0]:
            agent.feed(transition)
    game = env.turn_table.game
    others = [make_bot(game, "random")] * 3
    trained, untrained = (
        simulate(game, [soloist, *others], games, 1).scores[0] for soloist in (RLCardBot(agent, "paper"), others[0])
    )
    print(f"\nsoloist after {episodes} episodes {trained}, at random {untrained}")
    return trained.mean, untrained.mean


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

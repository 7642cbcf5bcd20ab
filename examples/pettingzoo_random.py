"""The PettingZoo loop over a deal of Skat, every agent choosing at random from its mask.

python examples/pettingzoo_random.py [seed]
"""

import sys

from kibitz.adapters.pettingzoo import env


def main(seed: int = 0) -> dict[str, float]:
    table = env("skat", render_mode="ansi")
    table.reset(seed=seed)
    rewards: dict[str, float] = {}
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, _ = table.last()
        if terminated or truncated or seen is None:
            rewards[agent] = reward
            table.step(None)
            continue
        space = table.action_space(agent)
        space.seed(seed + len(rewards))
        action = int(space.sample(seen["action_mask"]))
        print(f"{agent} plays {table.turn_table.word(action)}")
        table.step(action)
    print(rewards)
    return rewards


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

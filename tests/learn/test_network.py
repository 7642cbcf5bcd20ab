"""Both forms of network, compared with the obvious way to compute them."""

import torch

from kibitz.learn.network import NEVER, STATE_ACTION, Network

SENSES, ACTIONS = 7, 5


def batch(n: int = 12) -> tuple[torch.Tensor, torch.Tensor]:
    luck = torch.Generator().manual_seed(3)
    allowed = torch.rand((n, ACTIONS), generator=luck) < 0.5
    allowed[:, 2] = True
    return torch.randn((n, SENSES), generator=luck), allowed


def test_state_action_values_are_those_of_pairs_joined() -> None:
    network = Network(SENSES, ACTIONS, (16, 8), STATE_ACTION, seed=1)
    seen, allowed = batch()
    values = network.values(seen, allowed)
    for row in range(len(seen)):
        for action in range(ACTIONS):
            joined = torch.cat([seen[row], torch.nn.functional.one_hot(torch.tensor(action), ACTIONS).float()])
            wanted = network(joined[None])[0, 0] if allowed[row, action] else torch.tensor(NEVER)
            assert torch.isclose(values[row, action], wanted, atol=1e-5)


def test_taken_is_the_value_of_the_action() -> None:
    seen, allowed = batch()
    actions = allowed.float().argmax(dim=1)
    for form in ("actions", STATE_ACTION):
        network = Network(SENSES, ACTIONS, (16, 8), form, seed=1)
        assert torch.allclose(
            network.taken(seen, actions), network.values(seen, allowed).gather(1, actions[:, None])[:, 0]
        )


def test_a_seed_gives_the_same_weights_and_leaves_the_global_luck_alone() -> None:
    torch.manual_seed(9)
    before = torch.random.get_rng_state()
    first, second, other = (Network(SENSES, ACTIONS, (4,), seed=seed) for seed in (1, 1, 2))
    assert torch.equal(torch.random.get_rng_state(), before)
    assert torch.equal(first.layers[0].weight, second.layers[0].weight)
    assert not torch.equal(first.layers[0].weight, other.layers[0].weight)

"""The forms of networks, compared with the obvious way to compute them."""

import pytest
import torch

from kibitz.core.errors import BadOption
from kibitz.learn.network import HEARD, NEVER, RECURRENT, STATE_ACTION, Listener, Network
from kibitz.learn.senses import Calls

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


CALLS = Calls(start=5, longest=6, width=3, opener=1)


def auctions(*spoken: list[int]) -> torch.Tensor:
    """Observations of 25 numbers: who opened (seat 2 from here), and the calls."""
    seen = torch.zeros(len(spoken), 25)
    seen[:, 3] = 1.0
    for row, calls in enumerate(spoken):
        for k, call in enumerate(calls):
            seen[row, 5 + 3 * k + call] = 1.0
    seen[:, 23:] = torch.tensor([0.25, 0.5])
    return seen


def test_a_listener_hears_the_calls_in_order_and_nothing_behind_the_last_one() -> None:
    torch.manual_seed(1)
    listener = Listener(CALLS)
    seen = auctions([0, 2, 1], [2, 0, 1], [0, 2, 1, 1, 0, 2], [])
    heard = listener(seen)
    assert heard.shape == (4, listener.width(25)) == (4, 7 + HEARD)
    assert torch.equal(heard[:, :5], seen[:, :5]) and torch.equal(heard[:, 5:7], seen[:, 23:])
    assert torch.allclose(heard[0], listener(seen[:1])[0], atol=1e-6)
    assert not torch.allclose(heard[0, 7:], heard[1, 7:], atol=1e-3) and not heard[3, 7:].any()
    state = torch.zeros(1, 1, HEARD)
    for k, call in enumerate([0, 2, 1]):
        step = torch.zeros(1, 1, 7)
        step[0, 0, call], step[0, 0, 3 + (2 + k) % 4] = 1.0, 1.0
        _, state = listener.memory(step, state)
    assert torch.allclose(heard[0, 7:], state[0, 0], atol=1e-6)


def test_forms_that_cannot_be_are_refused() -> None:
    assert Network(25, ACTIONS, (8,), RECURRENT, calls=CALLS)(auctions([0, 1])).shape == (1, ACTIONS)
    with pytest.raises(BadOption, match="needs an observation with every call"):
        Network(SENSES, ACTIONS, (8,), RECURRENT)
    with pytest.raises(BadOption, match="form=convolution is not possible"):
        Network(SENSES, ACTIONS, (8,), "convolution")

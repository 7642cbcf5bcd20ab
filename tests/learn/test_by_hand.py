"""Gradients written out are those of autograd."""

import copy

import numpy as np
import pytest
import torch
from torch.nn import functional

from kibitz.bots import make_bot
from kibitz.core.errors import BadOption
from kibitz.core.game import make
from kibitz.learn.by_hand import ByHand
from kibitz.learn.network import STATE_ACTION, Network
from kibitz.learn.run import Plan, configured, make_learner
from tests.learn.test_run import SMALL


@pytest.mark.parametrize("layers", [(16,), (32, 16), (16, 16, 8)])
def test_values_and_gradients_are_those_of_autograd(layers: tuple[int, ...]) -> None:
    network = Network(20, 5, layers, seed=3)
    other = copy.deepcopy(network)
    by_hand = ByHand(network)
    seen, wanted = torch.randn(7, 20).relu(), torch.randn(7, 5)
    passed = by_hand.forward(seen)
    assert torch.allclose(passed[-1], other(seen), atol=1e-6)
    by_hand.backward(passed, 2.0 * (passed[-1] - wanted) / wanted.numel())
    functional.mse_loss(other(seen), wanted).backward()
    optimisers = [torch.optim.SGD(one.parameters(), 1.0) for one in (by_hand, other)]
    for optimiser in optimisers:
        optimiser.step()
    for weight, usual in zip(network.parameters(), other.parameters(), strict=True):
        assert torch.allclose(weight, usual, atol=1e-5)


@pytest.mark.parametrize("method", ["dqn", "nfsp"])
@pytest.mark.parametrize("double", ["on", "off"])
def test_learners_learn_the_same_by_hand(method: str, double: str) -> None:
    torch.set_num_threads(1)
    game = make("leduc")
    found = []
    for by_hand in ("on", "off"):
        changes = {**SMALL[method], "by_hand": by_hand, "double": double, "first_epsilon": "0.1"}
        config = configured(method, "default", changes)
        _, learner = make_learner(Plan(game, method, config, frames=1), {"random": make_bot(game, "random")})
        losses = [learner.round(0.5) for _ in range(3)]
        weights = torch.cat([one.detach().flatten() for one in learner.networks[0].parameters()])
        found.append((weights, [list(loss.values()) for loss in losses], learner))
    (weights, losses, learner), (usual, usual_losses, _) = found
    assert torch.allclose(weights, usual, atol=1e-5) and np.allclose(losses, usual_losses, atol=1e-5)
    _, again = make_learner(Plan(game, method, learner.config, frames=1), {"random": make_bot(game, "random")})
    again.restore(learner.state())
    assert learner.round(0.5) == again.round(0.5)
    assert all(map(torch.equal, learner.networks[0].parameters(), again.networks[0].parameters()))


def test_only_plain_networks_are_written_out() -> None:
    with pytest.raises(BadOption, match="form=actions"):
        ByHand(Network(20, 5, (8,), STATE_ACTION))

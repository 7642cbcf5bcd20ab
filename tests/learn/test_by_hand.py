"""Gradients written out are those of autograd."""

import copy

import numpy as np
import pytest
import torch
from torch.nn import functional

from kibitz.bots import make_bot
from kibitz.core.errors import BadOption
from kibitz.core.game import make
from kibitz.learn import deep_cfr, slopes
from kibitz.learn.by_hand import ByHand
from kibitz.learn.descent import OneVectorAdam, make_optimiser, set_rate
from kibitz.learn.network import NEVER, STATE_ACTION, Network
from kibitz.learn.ppo import surrogate
from kibitz.learn.run import Plan, configured, make_learner
from tests.learn.test_run import SMALL

SMALLER = SMALL | {
    "deep-cfr": {"layers": "16", "policy_layers": "16", "traversals": "32", "steps": "5", "policy_steps": "5"},
    "ppo": {"layers": "16", "games": "64", "batch": "32", "gradient": "0.1", "value_gradient": "0.1"},
}


@pytest.mark.parametrize("skips_zeros", [True, False])
@pytest.mark.parametrize("layers", [(16,), (32, 16), (16, 16, 8)])
def test_values_and_gradients_are_those_of_autograd(layers: tuple[int, ...], skips_zeros: bool) -> None:
    network = Network(20, 5, layers, seed=3)
    other = copy.deepcopy(network)
    by_hand = ByHand(network, skips_zeros=skips_zeros)
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


N, ALL = 40, 7
"""Rows and actions of the batches below."""


def batch(luck: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Numbers of some actions, and which are allowed: at least one of each row."""
    allowed = torch.from_numpy(luck.random((N, ALL)) < 0.5)
    allowed[torch.arange(N), torch.from_numpy(luck.integers(0, ALL, N))] = True
    return torch.from_numpy(luck.normal(size=(N, ALL)).astype(np.float32)).requires_grad_(), allowed


@pytest.mark.parametrize("loss", ["squared", "policy_squared", "policy_entropy"])
def test_losses_of_deep_cfr_have_the_slopes_of_autograd(loss: str) -> None:
    luck = np.random.default_rng(5)
    out, allowed = batch(luck)
    wanted = torch.from_numpy(luck.random((N, ALL)).astype(np.float32)) * allowed
    when, slope = torch.arange(1.0, N + 1), torch.empty(N, ALL)
    logits = out.masked_fill(~allowed, NEVER)
    missed = {
        "squared": torch.where(allowed, out - wanted, 0.0).square(),
        "policy_squared": (functional.softmax(logits, dim=1) - wanted).square(),
        "policy_entropy": -(wanted * functional.log_softmax(logits, dim=1)),
    }[loss]
    usual = deep_cfr.weighed(missed.sum(dim=1), when, 30)
    usual.backward()
    told = (allowed, wanted, deep_cfr.weights(when, 30))
    found = getattr(slopes, loss)(out.detach().numpy(), *(one.numpy() for one in told), slope.numpy())
    assert found == pytest.approx(float(usual.detach()), rel=1e-5)
    assert out.grad is not None and torch.allclose(slope, out.grad, atol=1e-6)


@pytest.mark.parametrize("is_double", [True, False])
def test_the_loss_of_one_step_has_the_slopes_of_autograd(is_double: bool) -> None:
    luck = np.random.default_rng(5)
    out, allowed = batch(luck)
    chooser, ahead = (torch.from_numpy(luck.normal(size=(N, ALL)).astype(np.float32)) for _ in range(2))
    chooser = chooser if is_double else ahead
    action, is_last = torch.from_numpy(luck.integers(0, ALL, N)), torch.from_numpy(luck.random(N) < 0.2)
    reward, slope = torch.from_numpy(luck.normal(size=N).astype(np.float32)), torch.empty(N, ALL)
    best = ahead.gather(1, chooser.masked_fill(~allowed, NEVER).argmax(dim=1, keepdim=True)).squeeze(1)
    wanted = reward + 0.9 * best.masked_fill(is_last, 0.0)
    usual = functional.mse_loss(out.gather(1, action[:, None]).squeeze(1), wanted)
    usual.backward()
    told = (one.numpy() for one in (out.detach(), chooser, ahead, allowed, action, reward, is_last))
    assert slopes.one_step(*told, 0.9, slope.numpy()) == pytest.approx(float(usual.detach()), rel=1e-5)
    assert out.grad is not None and torch.allclose(slope, out.grad, atol=1e-6)


@pytest.mark.parametrize("imitates", [True, False])
def test_the_clipped_loss_has_the_slopes_of_autograd(imitates: bool) -> None:
    luck = np.random.default_rng(5)
    out, allowed = batch(luck)
    action, slope = allowed.int().argmax(dim=1), torch.empty(N, ALL)
    logs = functional.log_softmax(out.masked_fill(~allowed, NEVER), dim=1)
    now = logs.gather(1, action[:, None]).squeeze(1)
    before = now.detach() + torch.from_numpy(luck.normal(0.0, 0.3, N).astype(np.float32))
    advantage = torch.from_numpy(luck.normal(size=N).astype(np.float32))
    usual = -now.mean() if imitates else surrogate(now, before, advantage, 0.2)
    undecided = -(logs.exp() * logs).sum(dim=1).mean()
    (usual - 0.3 * undecided).backward()
    told = (one.numpy() for one in (out.detach(), allowed, action, before, advantage))
    loss, entropy = slopes.policy_clipped(*told, 0.2, 0.3, imitates, N, slope.numpy())
    assert (loss, entropy) == pytest.approx((float(usual.detach()), float(undecided.detach())), rel=1e-5)
    assert out.grad is not None and torch.allclose(slope, out.grad, atol=1e-6)


@pytest.mark.parametrize(
    ("method", "changes"),
    [
        *((method, {"double": on, "first_epsilon": "0.1"}) for method in ("dqn", "nfsp") for on in ("on", "off")),
        *((method, {"replay": "500", "target_every": "20"}) for method in ("dqn", "nfsp")),  # values are remembered
        *(("deep-cfr", {"policy_loss": loss}) for loss in ("entropy", "squared")),
        ("ppo", {}),
        ("ppo", {"coach": "random", "coached": "1"}),
    ],
)
def test_learners_learn_the_same_by_hand(method: str, changes: dict[str, str]) -> None:
    torch.set_num_threads(1)
    game = make("leduc")
    found = []
    for by_hand in ("on", "off"):
        config = configured(method, "default", {**SMALLER[method], **changes, "by_hand": by_hand})
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


def test_adam_of_one_vector_is_that_of_torch() -> None:
    network = Network(20, 5, (16,), seed=3)
    other = copy.deepcopy(network)
    by_hand, luck = ByHand(network), torch.Generator().manual_seed(1)
    own, usual = make_optimiser("adam", by_hand, 0.01), torch.optim.Adam([torch.nn.Parameter(by_hand.weights.clone())])
    (weights,) = usual.param_groups[0]["params"]
    assert isinstance(own, OneVectorAdam) and not isinstance(make_optimiser("adam", other, 0.01), OneVectorAdam)
    for rate in (0.01, 0.01, 0.003, 0.0001):
        for optimiser, one in ((own, by_hand.weights), (usual, weights)):
            set_rate(optimiser, rate)
            one.grad = torch.randn(len(one), generator=luck.manual_seed(int(rate * 1e4)))
            optimiser.step()
        assert torch.allclose(by_hand.weights, weights, rtol=1e-5, atol=1e-7)
        for name, held in usual.state[weights].items():
            assert torch.allclose(own.state[by_hand.weights][name], held, rtol=1e-5, atol=1e-7)


def test_adam_forgets_slopes_that_have_ended() -> None:
    network = ByHand(Network(20, 5, (16,), seed=3))
    optimiser = make_optimiser("adam", network, 0.01)
    for step in range(1000):
        network.weights.grad = torch.full_like(network.weights, 0.01 if step == 0 else 0.0)
        optimiser.step()
    assert not optimiser.state[network.weights]["exp_avg"].any()  # in torch's 0.01 * 0.9^1000, many times slower


def test_only_plain_networks_are_written_out() -> None:
    with pytest.raises(BadOption, match="form=actions"):
        ByHand(Network(20, 5, (8,), STATE_ACTION))

"""Networks that imitate: what players did in recorded games, learned by maximum likelihood, without playing a game.

Forms of examples: a choice of one among several; a number known only to lie between bounds (a highest bid); an
unordered pair of several, with the product of two scores as its weight (a discard); and a place for each of many cards.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kibitz.core import rng
from kibitz.core.errors import BadInput

HOPELESS = -1e9
TRAINING = 0


@dataclass(frozen=True)
class Imitation:
    """Settings of the learner."""

    layers: tuple[int, ...] = (96, 96)
    rate: float = 2e-3
    batch: int = 1024
    epochs: int = 6
    least: int = 1500
    """Steps, where examples are few; they are still not seen more than five times as often."""
    seconds: float = 0.0
    """No more than this for one network, 0 for no limit; with a limit the result depends on the machine."""
    decay: float = 1e-4


@dataclass(frozen=True)
class Fitted:
    """A network that has learned, as plain arrays, and how well it predicts."""

    weights: list[NDArray[np.float32]]
    """[inputs, outputs] of each layer."""
    biases: list[NDArray[np.float32]]
    losses: dict[str, float]
    """Mean negative log probability, by part of the data; `uniform` is that of no knowledge."""
    examples: int
    seconds: float


def fit(
    form: str,
    inputs: NDArray[np.float16],
    allowed: NDArray[np.bool_],
    target: NDArray[np.int64],
    part: NDArray[np.int64],
    parts: tuple[str, ...],
    config: Imitation,
    seed: int,
    progress: Callable[[float], None] = lambda share: None,
) -> Fitted:
    """Learn from the examples of the first part, and measure on all parts."""
    if form not in FORMS:
        raise BadInput(f"there is no form {form}: there are {', '.join(FORMS)}")
    torch.manual_seed(rng.derived(seed, "network"))
    luck = rng.generator(seed, "imitation")
    started = time.perf_counter()
    outputs = int(np.prod(allowed.shape[1:]))
    network = _network((inputs.shape[1], *config.layers, outputs))
    rows = np.flatnonzero(part == TRAINING)
    if not len(rows):
        raise BadInput("there is nothing to learn from: every example is held out for testing")
    once = config.epochs * len(rows) / config.batch
    steps = max(1, int(once), min(config.least, int(5 * once)))
    optimiser = torch.optim.AdamW(network.parameters(), config.rate, weight_decay=config.decay)
    order = luck.permutation(rows)
    place = 0
    for step in range(steps):
        spent = (time.perf_counter() - started) / config.seconds if config.seconds > 0 else 0.0
        gone = max(step / steps, spent)
        if gone >= 1.0:
            break
        if place + config.batch > len(order):
            order, place = luck.permutation(rows), 0
        picked = order[place : place + config.batch]
        place += config.batch
        for group in optimiser.param_groups:
            group["lr"] = config.rate * (1.0 - gone)
        loss = _losses(network, form, inputs, allowed, target, picked).mean()
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        if step % 50 == 0:
            progress(gone)
    losses = {
        name: _measured(network, form, inputs, allowed, target, np.flatnonzero(part == number))
        for number, name in enumerate(parts)
        if (part == number).any()
    }
    losses["uniform"] = float(_uniform(form, allowed, target))
    layers = [layer for layer in network if isinstance(layer, nn.Linear)]
    return Fitted(
        [layer.weight.detach().numpy().T.copy() for layer in layers],
        [layer.bias.detach().numpy().copy() for layer in layers],
        losses,
        len(rows),
        time.perf_counter() - started,
    )


def _network(sizes: tuple[int, ...]) -> nn.Sequential:
    parts: list[nn.Module] = []
    for k, (before, after) in enumerate(itertools.pairwise(sizes)):
        parts += [nn.Linear(before, after)] + ([nn.ReLU()] if k < len(sizes) - 2 else [])
    return nn.Sequential(*parts)


def _losses(
    network: nn.Module, form: str, inputs: NDArray[np.float16], allowed: NDArray[np.bool_], target: NDArray[np.int64],
    rows: NDArray[np.intp],
) -> Tensor:  # fmt: skip
    """[rows]: the negative log probability of what was done."""
    values = network(torch.from_numpy(inputs[rows].astype(np.float32)))
    return FORMS[form](values, torch.from_numpy(allowed[rows]), torch.from_numpy(target[rows]))


def _measured(
    network: nn.Module, form: str, inputs: NDArray[np.float16], allowed: NDArray[np.bool_], target: NDArray[np.int64],
    rows: NDArray[np.intp], most: int = 20_000,
) -> float:  # fmt: skip
    rows = rows[:: max(1, len(rows) // most)]
    with torch.inference_mode():
        parts = [_losses(network, form, inputs, allowed, target, rows[k : k + 4096]) for k in range(0, len(rows), 4096)]
    return float(torch.cat(parts).mean())


def _uniform(form: str, allowed: NDArray[np.bool_], target: NDArray[np.int64]) -> float:
    blank = torch.zeros(min(len(target), 20_000), int(np.prod(allowed.shape[1:])))
    n = len(blank)
    return float(FORMS[form](blank, torch.from_numpy(allowed[:n]), torch.from_numpy(target[:n])).mean())


def _choice(values: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
    logs = torch.log_softmax(values.masked_fill(~allowed, HOPELESS), dim=1)
    return -logs.gather(1, target[:, None])[:, 0]


def _range(values: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
    logs = torch.log_softmax(values, dim=1)
    numbers = torch.arange(values.shape[1])[None]
    inside = (numbers >= target[:, :1]) & (numbers <= target[:, 1:])
    return -torch.logsumexp(logs.masked_fill(~inside, HOPELESS), dim=1)


def _pair(values: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
    held = values.masked_fill(~allowed, HOPELESS)
    held = held - held.max(dim=1, keepdim=True).values.detach()
    worth = torch.exp(held)
    pairs = (worth.sum(dim=1) ** 2 - (worth * worth).sum(dim=1)) / 2.0
    return torch.log(pairs.clamp_min(1e-9)) - held.gather(1, target).sum(dim=1)


def _places(values: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
    logs = torch.log_softmax(values.view(allowed.shape).masked_fill(~allowed, HOPELESS), dim=2)
    unseen = target >= 0
    found = logs.gather(2, target.clamp_min(0)[:, :, None])[:, :, 0]
    return -(found * unseen).sum(dim=1) / unseen.sum(dim=1).clamp_min(1)


FORMS: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "choice": _choice,
    "range": _range,
    "pair": _pair,
    "places": _places,
}

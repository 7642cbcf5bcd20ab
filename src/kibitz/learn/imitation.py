"""Networks that imitate: what players did in recorded games, learned by maximum likelihood, without playing a game.

Forms of examples: a choice of one among several; a number known only to lie between bounds (a highest bid); an
unordered pair of several, with the product of two scores as its weight (a discard); and a place for each of many cards.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from kibitz.core import rng
from kibitz.core.errors import BadInput

HOPELESS = -1e9


@dataclass(frozen=True)
class Imitation:
    """Settings of the learner."""

    layers: tuple[int, ...] = (96, 96)
    rate: float = 2e-3
    batch: int = 1024
    epochs: int = 6
    """How often every example is seen at most."""
    least: int = 1500
    """Steps, where examples are few; they are still not seen more than five times as often."""
    seen: int = 12_000_000
    """Examples a network sees at most, those that come again counted again."""
    patience: int = 4
    """Looks at examples that are not learned from without getting better before learning stops."""
    seconds: float = 0.0
    """No more than this for one network, 0 for no limit; with a limit the result depends on the machine."""
    decay: float = 1e-4


LOOKS = 24
"""How often a network is tried on examples that it does not learn from."""


class Batch(Protocol):
    """Some examples, one row each."""

    @property
    def inputs(self) -> NDArray[np.float32]:
        """[n, inputs]: what was seen."""
        ...

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """[n, outputs]: what could have been chosen."""
        ...

    @property
    def target(self) -> NDArray[np.int64]:
        """[n, targets]: what was chosen; bounds, a pair, or a place for each of many cards, -1 where that is known."""
        ...

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Fitted:
    """A network that has learned, as plain arrays, and how well it predicts."""

    weights: list[NDArray[np.float32]]
    """[inputs, outputs] of each layer."""
    biases: list[NDArray[np.float32]]
    losses: dict[str, float]
    """Mean negative log probability, by part of the data; `uniform` is that of no knowledge."""
    examples: int
    """That were learned from, each counted once."""
    seen: int
    seconds: float


def fit(
    form: str,
    sizes: tuple[int, int],
    stream: Callable[[int], Iterator[Batch]],
    count: int,
    choosing: Batch | None,
    measured: Mapping[str, Batch],
    config: Imitation,
    seed: int,
    progress: Callable[[float], None] = lambda share: None,
) -> Fitted:
    """Learn from a stream of examples, `stream(epoch)` being all of them once in some order, about `count`.

    What is kept is the network that predicts `choosing` best; learning stops when it does not get better at that.
    """
    if form not in FORMS:
        raise BadInput(f"there is no form {form}: there are {', '.join(FORMS)}")
    torch.manual_seed(rng.derived(seed, "network"))
    started = time.perf_counter()
    network = _network((sizes[0], *config.layers, sizes[1]))
    once = config.epochs * count / config.batch
    steps = max(1, min(max(int(once), min(config.least, int(5 * once))), config.seen // config.batch))
    every = max(50, steps // LOOKS)
    optimiser = torch.optim.AdamW(network.parameters(), config.rate, weight_decay=config.decay)
    best, kept, bad, examples, seen = float("inf"), _copied(network), 0, 0, 0
    sample: Batch | None = None
    for step, (epoch, batch) in enumerate(_batches(stream, config.batch)):
        if sample is None:
            sample, started = batch, time.perf_counter()  # what compiles before the first batch is not learning
        spent = (time.perf_counter() - started) / config.seconds if config.seconds > 0 else 0.0
        gone = max(step / steps, spent)
        if gone >= 1.0 or bad >= config.patience:
            break
        seen += len(batch)
        examples += len(batch) if epoch == 0 else 0
        for group in optimiser.param_groups:
            group["lr"] = config.rate * (1.0 - gone)
        loss = _losses(network, form, batch).mean()
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        if step % 50 == 0:
            progress(gone)
        if choosing is not None and (step + 1) % every == 0:
            found = _measured(network, form, choosing)
            bad = 0 if found < best else bad + 1
            if found < best:
                best, kept = found, _copied(network)
    if sample is None:
        raise BadInput("there is nothing to learn from: every example is held out for testing")
    if choosing is not None and _measured(network, form, choosing) > best:
        network.load_state_dict(kept)
    losses = {name: _measured(network, form, batch) for name, batch in {"training": sample, **measured}.items()}
    losses["uniform"] = float(_uniform(form, sample))
    layers = [layer for layer in network if isinstance(layer, nn.Linear)]
    return Fitted(
        [layer.weight.detach().numpy().T.copy() for layer in layers],
        [layer.bias.detach().numpy().copy() for layer in layers],
        losses, examples, seen, time.perf_counter() - started,
    )  # fmt: skip


def _batches(stream: Callable[[int], Iterator[Batch]], size: int) -> Iterator[tuple[int, Batch]]:
    """Batches of one size with the number of their epoch, for ever; what is left of an epoch makes a smaller one."""
    for epoch in itertools.count():
        is_empty = True
        for some in stream(epoch):
            for k in range(0, len(some), size):
                is_empty = False
                yield epoch, _Rows(some.inputs[k : k + size], some.allowed[k : k + size], some.target[k : k + size])
        if is_empty:
            return


@dataclass(frozen=True)
class _Rows:
    inputs: NDArray[np.float32]
    allowed: NDArray[np.bool_]
    target: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.inputs)


def _copied(network: nn.Module) -> dict[str, Tensor]:
    return {name: values.clone() for name, values in network.state_dict().items()}


def _network(sizes: tuple[int, ...]) -> nn.Sequential:
    parts: list[nn.Module] = []
    for k, (before, after) in enumerate(itertools.pairwise(sizes)):
        parts += [nn.Linear(before, after)] + ([nn.ReLU()] if k < len(sizes) - 2 else [])
    return nn.Sequential(*parts)


def _losses(network: nn.Module, form: str, batch: Batch) -> Tensor:
    """[rows]: the negative log probability of what was done."""
    values = network(torch.from_numpy(batch.inputs))
    return FORMS[form](values, torch.from_numpy(batch.allowed), torch.from_numpy(batch.target))


def _measured(network: nn.Module, form: str, batch: Batch) -> float:
    with torch.inference_mode():
        parts = [
            _losses(network, form, some) for _, some in _batches(lambda epoch: iter(() if epoch else (batch,)), 4096)
        ]
    return float(torch.cat(parts).mean())


def _uniform(form: str, batch: Batch) -> float:
    blank = torch.zeros(batch.allowed.shape)
    return float(FORMS[form](blank, torch.from_numpy(batch.allowed), torch.from_numpy(batch.target)).mean())


def _choice(values: Tensor, allowed: Tensor, target: Tensor) -> Tensor:
    logs = torch.log_softmax(values.masked_fill(~allowed, HOPELESS), dim=1)
    return -logs.gather(1, target)[:, 0]


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
    shape = (len(values), target.shape[1], -1)
    logs = torch.log_softmax(values.view(shape).masked_fill(~allowed.view(shape), HOPELESS), dim=2)
    unseen = target >= 0
    found = logs.gather(2, target.clamp_min(0)[:, :, None])[:, :, 0]
    return -(found * unseen).sum(dim=1) / unseen.sum(dim=1).clamp_min(1)


FORMS: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "choice": _choice,
    "range": _range,
    "pair": _pair,
    "places": _places,
}

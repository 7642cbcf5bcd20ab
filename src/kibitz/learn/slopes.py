"""Losses of a batch with their slopes in what a network puts out [n, actions], row by row, for gradients by hand.

Softmax runs over what is allowed: elsewhere a policy has no logarithm, and most of the actions are elsewhere.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from kibitz.core.jit import kernel

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@kernel
def squared(out: Floats, allowed: Bools, wanted: Floats, weight: Floats, slope: Floats) -> float:
    """How far the numbers of allowed actions are from those wanted, squared and weighted."""
    missed = np.zeros(out.shape[1])  # action by action, so that a processor adds many at once
    for row in range(len(out)):
        for action in range(out.shape[1]):
            away = out[row, action] - wanted[row, action] if allowed[row, action] else np.float32(0.0)
            slope[row, action] = np.float32(2.0) * weight[row] * away
            missed[action] += weight[row] * away * away
    return missed.sum()


@kernel
def one_step(
    out: Floats, chooser: Floats, ahead: Floats, allowed: Bools, action: Ints, reward: Floats, is_last: Bools,
    discount: float, slope: Floats,
) -> float:  # fmt: skip
    """How far the values of actions taken are from the reward and the value `ahead` of the next action that the chooser
    likes best, squared: a mean over rows."""
    loss, n = 0.0, len(out)
    for row in range(n):
        wanted = reward[row]
        if not is_last[row]:
            best = -1
            for other in range(out.shape[1]):
                if allowed[row, other] and (best < 0 or chooser[row, other] > chooser[row, best]):
                    best = other
            wanted += np.float32(discount) * ahead[row, best]
        away = out[row, action[row]] - wanted
        slope[row] = 0.0
        slope[row, action[row]] = np.float32(2.0) * away / np.float32(n)
        loss += away * away
    return loss / n


@kernel
def policy_squared(out: Floats, allowed: Bools, wanted: Floats, weight: Floats, slope: Floats) -> float:
    """How far the probabilities are from those wanted, squared and weighted."""
    loss = 0.0
    for row in range(len(out)):
        soften(out[row], allowed[row], slope[row])
        missed = shared = 0.0
        for action in range(out.shape[1]):
            if allowed[row, action]:
                away = slope[row, action] - wanted[row, action]
                missed += away * away
                shared += away * slope[row, action]
        for action in range(out.shape[1]):
            if allowed[row, action]:
                away = slope[row, action] - wanted[row, action]
                slope[row, action] *= 2.0 * weight[row] * (away - shared)
        loss += weight[row] * missed
    return loss


@kernel
def policy_entropy(out: Floats, allowed: Bools, wanted: Floats, weight: Floats, slope: Floats) -> float:
    """The cross entropy of the probabilities wanted, weighted."""
    loss = 0.0
    for row in range(len(out)):
        top = soften(out[row], allowed[row], slope[row])
        whole = 0.0
        for action in range(out.shape[1]):
            if allowed[row, action]:
                whole += wanted[row, action]
                loss -= weight[row] * wanted[row, action] * (out[row, action] - top)
        for action in range(out.shape[1]):
            if allowed[row, action]:
                slope[row, action] = weight[row] * (slope[row, action] * whole - wanted[row, action])
    return loss


@kernel
def policy_clipped(
    out: Floats, allowed: Bools, action: Ints, before: Floats, advantage: Floats, clip: float, entropy: float,
    imitates: bool, n: int, slope: Floats,
) -> tuple[float, float]:  # fmt: skip
    """PPO's clipped loss less `entropy` times the entropy: its slope, the loss and the entropy, each a sum by n.

    `before` is the logarithm of how likely the actions were; who imitates makes them likelier whatever they brought.
    """
    loss = undecided = 0.0
    for row in range(len(out)):
        top = soften(out[row], allowed[row], slope[row])
        now = out[row, action[row]] - top
        if imitates:
            loss -= now
            pull = -1.0
        else:
            ratio = math.exp(now - before[row])
            gain, held = ratio * advantage[row], min(max(ratio, 1.0 - clip), 1.0 + clip) * advantage[row]
            loss -= min(gain, held)
            pull = -gain if gain <= held else 0.0
        spread = 0.0
        for other in range(out.shape[1]):
            if allowed[row, other]:
                spread -= slope[row, other] * (out[row, other] - top)
        undecided += spread
        for other in range(out.shape[1]):
            if allowed[row, other]:
                chance = slope[row, other]
                slope[row, other] = (chance * (entropy * (out[row, other] - top + spread) - pull)) / n
        slope[row, action[row]] += pull / n
    return loss / n, undecided / n


@kernel
def soften(logits: Floats, allowed: Bools, out: Floats) -> float:
    """Set `out` to the probabilities; gives what the logits exceed their logarithms by."""
    most = -np.inf
    for action in range(len(logits)):
        if allowed[action]:
            most = max(most, logits[action])
    total = 0.0
    for action in range(len(logits)):
        out[action] = math.exp(logits[action] - most) if allowed[action] else 0.0
        total += out[action]
    for action in range(len(logits)):
        out[action] /= total
    return most + math.log(total)

"""Putting a learner aside and taking it up again: networks, optimisers and memories as arrays,
checked when they come back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from numpy.typing import NDArray

from kibitz.core.arrays import Arrays, Column, check_column
from kibitz.core.checkpoint import read_checkpoint, write_checkpoint
from kibitz.core.errors import BadInput, BadRecord

FORMAT = 1
MOST_COUNTED = 2**45
"""Frames, rounds and the like; times the games of a round they still count games in 64 bits."""


def module_state(module: torch.nn.Module) -> Arrays:
    """A network's weights as arrays."""
    return {name: tensor.detach().numpy().copy() for name, tensor in module.state_dict().items()}


def restore_module(module: torch.nn.Module, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Put weights back."""
    module.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})


def optimiser_state(optimiser: torch.optim.Optimizer) -> Arrays:
    """An optimiser's moments and counts as arrays."""
    found: Arrays = {}
    for k, parameter in enumerate(_parameters(optimiser)):
        for name, value in optimiser.state[parameter].items():
            if isinstance(value, torch.Tensor):
                found[f"{k}.{name}"] = value.detach().numpy().copy()
    return found


MOMENTS: Mapping[type[torch.optim.Optimizer], tuple[str, ...]] = {
    torch.optim.Adam: ("exp_avg", "exp_avg_sq"),
    torch.optim.RMSprop: ("square_avg",),
}
"""What an optimiser keeps of every weight, besides the number of its steps."""


def restore_optimiser(optimiser: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Put moments and counts back; their shapes are checked, for the optimisers themselves do not."""
    left = set(arrays)
    moments = next(names for kind, names in MOMENTS.items() if isinstance(optimiser, kind))
    for k, parameter in enumerate(_parameters(optimiser)):
        shapes: dict[str, tuple[int, ...]] = dict.fromkeys(moments, tuple(parameter.shape))
        own = {name: f"{k}.{name}" for name in ("step", *shapes)}
        if not left & set(own.values()):
            continue
        for name, full in own.items():
            is_signed = name == "exp_avg"
            taken(arrays, full, Column("f4", shapes.get(name, ()), None if is_signed else 0.0))
        left -= set(own.values())
        optimiser.state[parameter] = {name: torch.from_numpy(arrays[full].copy()) for name, full in own.items()}
    if left:
        raise BadRecord(f"{min(left)} is nothing that the optimiser keeps")


def taken(arrays: Mapping[str, NDArray[Any]], name: str, column: Column) -> NDArray[Any]:
    """One array of several, checked."""
    if name not in arrays:
        raise BadRecord(f"{name} is missing")
    check_column(name, column, arrays[name])
    return arrays[name]


def counts(arrays: Mapping[str, NDArray[Any]], name: str, size: int, most: int = MOST_COUNTED) -> list[int]:
    """Some whole numbers that count something."""
    return [int(count) for count in taken(arrays, name, Column("i8", (size,), 0, most))]


def count(arrays: Mapping[str, NDArray[Any]], name: str, most: int = MOST_COUNTED) -> int:
    """A whole number that counts something."""
    return int(taken(arrays, name, Column("i8", (), 0, most)))


def _parameters(optimiser: torch.optim.Optimizer) -> list[torch.Tensor]:
    return [parameter for group in optimiser.param_groups for parameter in group["params"]]


def refill(memory: torch.Tensor, rows: int, arrays: Mapping[str, NDArray[Any]], name: str) -> None:
    """Put the first rows of a memory back."""
    like = memory[:0].numpy()
    kind = f"{like.dtype.kind}{like.dtype.itemsize}"
    memory[:rows] = torch.from_numpy(taken(arrays, name, Column(kind, (rows, *memory.shape[1:]))))


def packed(head: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays under a common head, to lie beside others in one file."""
    return {f"{head}/{name}": array for name, array in arrays.items()}


def unpacked(head: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays that lie under a head."""
    return {name.removeprefix(f"{head}/"): array for name, array in arrays.items() if name.startswith(f"{head}/")}


class Kept(Protocol):
    """What can be put aside and taken up again."""

    def state(self) -> Arrays:
        """Everything needed to go on."""
        ...

    def restore(self, arrays: Arrays) -> None:
        """Go on from there."""
        ...


Part = torch.nn.Module | torch.optim.Optimizer | Kept
"""What can be put aside under a name."""


def numbered(**parts: Sequence[Part]) -> dict[str, Part]:
    """Parts of several kinds, each named by its kind and its number."""
    return {f"{kind}{k}": part for kind, own in parts.items() for k, part in enumerate(own)}


def state_of_parts(parts: Mapping[str, Part]) -> Arrays:
    """The arrays of several parts, each under its name."""
    found: Arrays = {}
    for name, part in parts.items():
        found |= packed(name, _state_of(part))
    return found


def restore_parts(parts: Mapping[str, Part], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Put several parts back."""
    for name, part in parts.items():
        own = unpacked(name, arrays)
        if isinstance(part, torch.nn.Module):
            restore_module(part, own)
        elif isinstance(part, torch.optim.Optimizer):
            restore_optimiser(part, own)
        else:
            part.restore(own)


def _state_of(part: Part) -> Arrays:
    if isinstance(part, torch.nn.Module):
        return module_state(part)
    return optimiser_state(part) if isinstance(part, torch.optim.Optimizer) else part.state()


def all_finite(modules: Iterable[torch.nn.Module]) -> bool:
    """Whether every weight is a number."""
    return all(bool(torch.isfinite(weight).all()) for module in modules for weight in module.parameters())


def save_checkpoint(path: Path, label: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write everything a run needs to go on."""
    write_checkpoint(path, FORMAT, label, arrays)


def load_checkpoint(path: Path, label: Mapping[str, Any]) -> Arrays:
    """The arrays of a run put aside, if the file belongs to it."""
    return read_checkpoint(path, FORMAT, label, {"spent": Column("f8", (), 0.0, 1e12)}, rest=Column(""))


def take_up(path: Path, learner: Kept, arrays: Arrays) -> None:
    """Restore a learner and check that it then is what the arrays say, to the last name and shape."""
    try:
        learner.restore(arrays)
        again = {name: (array.dtype, array.shape) for name, array in learner.state().items()}
        for name in dict.fromkeys([*again, *arrays]):
            if name not in arrays or name not in again:
                raise BadRecord(f"{name} is {'missing' if name in again else 'no part of it'}")
            if again[name] != (arrays[name].dtype, arrays[name].shape):
                raise BadRecord(f"{name} has the shape {arrays[name].shape}: {again[name][1]} is right")
    except (KeyError, IndexError, TypeError, ValueError, RuntimeError, OverflowError) as problem:
        said = " ".join(str(problem).split())
        raise BadInput(f"{path} is not a checkpoint of this learner, or is damaged: {said[:300]}") from None

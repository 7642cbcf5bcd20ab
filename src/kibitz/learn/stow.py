"""Putting a learner aside and taking it up again: checkpoints as one npz file of plain arrays. No pickle."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from kibitz.core.errors import BadInput
from kibitz.core.files import whole_file

Arrays = dict[str, NDArray[Any]]
FORMAT = 1


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


def restore_optimiser(optimiser: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Put moments and counts back."""
    for k, parameter in enumerate(_parameters(optimiser)):
        own = {name.split(".", 1)[1]: array for name, array in arrays.items() if name.startswith(f"{k}.")}
        if own:
            optimiser.state[parameter] = {name: torch.from_numpy(array.copy()) for name, array in own.items()}


def _parameters(optimiser: torch.optim.Optimizer) -> list[torch.Tensor]:
    return [parameter for group in optimiser.param_groups for parameter in group["params"]]


def packed(head: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays under a common head, to lie beside others in one file."""
    return {f"{head}/{name}": array for name, array in arrays.items()}


def unpacked(head: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays that lie under a head."""
    return {name.removeprefix(f"{head}/"): array for name, array in arrays.items() if name.startswith(f"{head}/")}


def all_finite(modules: Iterable[torch.nn.Module]) -> bool:
    """Whether every weight is a number."""
    return all(bool(torch.isfinite(weight).all()) for module in modules for weight in module.parameters())


def save_checkpoint(path: Path, label: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write everything a run needs to go on; the file is whole or the old one."""
    header = np.frombuffer(json.dumps({"format": FORMAT, **label}, sort_keys=True).encode(), np.uint8)
    with whole_file(path) as file:
        np.savez(file, label=header, **arrays)  # type: ignore[arg-type]


def load_checkpoint(path: Path, label: Mapping[str, Any]) -> Arrays:
    """The arrays of a run put aside, if the file belongs to it."""
    try:
        with np.load(path, allow_pickle=False) as data:
            arrays: Arrays = {name: data[name] for name in data.files}
        found = json.loads(arrays.pop("label").tobytes())
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, EOFError, NotImplementedError) as problem:
        raise BadInput(f"{path} is not a checkpoint of kibitz, or is damaged: {problem}") from None
    wanted = json.loads(json.dumps({"format": FORMAT, **label}))
    if found != wanted:
        raise BadInput(
            f"{path} is the checkpoint of another run ({_difference(found, wanted)}): choose another folder or remove it"
        )
    return arrays


def _difference(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """The first thing in which two labels differ: the game before the method, that before its settings."""
    key = next(key for key in dict.fromkeys([*wanted, *found]) if found.get(key) != wanted.get(key))
    had, asked = found.get(key), wanted.get(key)
    if isinstance(had, Mapping) and isinstance(asked, Mapping):
        return _difference(had, asked)
    return f"{key} {had}, asked for {asked}"

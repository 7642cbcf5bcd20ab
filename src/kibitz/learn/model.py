"""Trained networks in a folder: a card that says what they are, and their weights. No pickle.

`card.json` names the game with its options and version, the observation, the networks and which seat each plays, how it
all came about and what it scored; and it names the weights' file and its sha256. A new model is written beside the old
one and comes into force when its card replaces the old card, so a folder always holds one whole model.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load as read_tensors
from safetensors.torch import save as tensors_bytes

from kibitz.core.errors import BadInput, BadOption, BadRecord
from kibitz.core.files import whole_file
from kibitz.core.game import Game, make, same_rules
from kibitz.core.jit import kernel
from kibitz.core.rng import MOST_SEED
from kibitz.core.schema import (
    OPTIONS,
    Anything,
    Either,
    Fields,
    Listed,
    Mapped,
    Nothing,
    Number,
    Text,
    Whole,
    line,
    read_json_file,
    shown,
)  # fmt: skip
from kibitz.core.view import Views
from kibitz.learn.network import FORMS, Network
from kibitz.learn.senses import Sense, sense
from kibitz.learn.senses.rows import ObservationBatch, look

FORMAT = 1
CARD = "card.json"
VALUES, POLICY = "values", "policy"
NOBODY = -1


@dataclass(frozen=True)
class Card:
    """What a folder of weights is: everything needed to play it and to know where it came from."""

    game: str
    options: Mapping[str, Any]
    version: int
    observation: str
    senses: int
    actions: int
    layers: Sequence[int]
    form: str
    kind: str
    """values (the highest is best) or policy (logits of probabilities)."""
    seats: Sequence[int]
    """Which network plays each seat; NOBODY where none has learned."""
    method: str
    config: Mapping[str, Any]
    command: str = ""
    seed: int = 0
    frames: int = 0
    seconds: float = 0.0
    scores: Mapping[str, Any] = field(default_factory=dict)
    """Measured strength: what was played -> mean, standard error, games, share of games won."""
    file: str = ""
    sha256: str = ""
    format: int = FORMAT
    note: str = ""
    """What else one should know of it."""


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """Networks ready to decide for the seats they have learned."""

    card: Card
    game: Game
    sense: Sense
    networks: Sequence[Network]

    def __repr__(self) -> str:
        card = self.card
        scores = "".join(
            f"\n{what}: {one['mean']:+.3f} ± {one['se']:.3f} ({one['games']:,} games)"
            for what, one in card.scores.items()
        )
        return f"a model of {card.game} by {card.method}: {card.frames:,} frames in {card.seconds:,.0f} s{scores}"

    def values(self, observed: ObservationBatch) -> NDArray[np.float32]:
        """[n, ACTIONS]: the networks' numbers at a batch of observations, in the observation's numbering of actions."""
        out = np.empty(observed.allowed.shape, np.float32)
        which = np.array(self.card.seats)[observed.seats]
        if (which == NOBODY).any():
            seat = int(observed.seats[np.flatnonzero(which == NOBODY)[0]])
            able = ", ".join(str(seat) for seat, net in enumerate(self.card.seats) if net != NOBODY)
            raise BadInput(
                f"this model of {self.card.game} has not learned seat {seat}, only {able}: give the other seats to "
                "other bots, as in --bots net:NAME,random,..."
            )
        with torch.inference_mode():
            for net in np.unique(which):
                asked = np.flatnonzero(which == net)
                seen = torch.from_numpy(np.ascontiguousarray(observed.observation[asked]))
                allowed = torch.from_numpy(observed.allowed[asked])
                out[asked] = self.networks[net].values(seen, allowed).numpy()
        return out

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """[n, ACTIONS]: a policy's probabilities, or all on the best action of a network of values."""
        observed = self.look(views)
        values = self.values(observed).astype(np.float64)
        chances = softmax(values) if self.card.kind == POLICY else _all_on_best(values)
        out = np.zeros((len(views), self.game.ACTIONS))
        rows, numbers = np.nonzero(observed.allowed)
        out[rows, observed.real[rows, numbers]] = chances[rows, numbers]
        return out

    def look(self, views: Views) -> ObservationBatch:
        """What the networks see of some views."""
        rows = np.arange(len(views))
        seen = look(self.sense, views.states, views.masks, views.rngs, rows, views.seats)
        return seen.without(barred_actions(self.card))


def barred_actions(card: Card) -> Sequence[int]:
    """What the model was taught never to do."""
    barred: Any = card.config.get("barred", ())
    if not isinstance(barred, list | tuple) or not all(type(a) is int and 0 <= a < card.actions for a in barred):
        raise BadInput(f"barred is {shown(barred)}: a list of actions from 0 to {card.actions - 1} is right")
    return barred


def unsaved(
    seen: Sense, networks: Sequence[Network], kind: str, seats: Sequence[int] | None = None, method: str = "",
    barred: Sequence[int] = (),
) -> Model:  # fmt: skip
    """Networks as a model without a folder; without `seats` the first one plays everywhere."""
    game, network = seen.game, networks[0]
    card = Card(
        game.name, dict(game.options), game.version, seen.kind, seen.size, game.ACTIONS, list(network.sizes),
        network.form, kind, list(seats or [0] * game.PLAYERS), method, {"barred": list(barred)},
    )  # fmt: skip
    return Model(card, game, seen, networks)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """[n, actions]: probabilities from logits."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return chances


def drawn(chances: NDArray[np.float64], luck: NDArray[np.float64]) -> NDArray[np.int64]:
    """[n]: an action each, drawn with luck from 0 to 1."""
    actions = np.zeros(len(chances), np.int64)
    _draw_rows(chances, luck, actions)
    return actions


@kernel
def _draw_rows(chances: NDArray[np.float64], luck: NDArray[np.float64], actions: NDArray[np.int64]) -> None:
    for row in range(len(chances)):
        total = 0.0
        for action in range(chances.shape[1]):
            total += chances[row, action]
        wanted, reached = luck[row] * total, 0.0
        for action in range(chances.shape[1]):
            reached += chances[row, action]
            if wanted < reached:
                actions[row] = action
                break


def _all_on_best(values: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.zeros_like(values)
    out[np.arange(len(values)), values.argmax(axis=1)] = 1.0
    return out


def save_model(folder: Path, card: Card, networks: Sequence[Network]) -> Card:
    """Write a model; the folder holds the old one or the new one, never half of either. Gives the card as written."""
    tensors = {
        f"{k}.{name}": tensor.detach().contiguous()
        for k, network in enumerate(networks)
        for name, tensor in network.state_dict().items()
    }
    data = tensors_bytes(tensors)
    sha256 = hashlib.sha256(data).hexdigest()
    written = Card(**{**asdict(card), "file": f"{sha256[:12]}.safetensors", "sha256": sha256})
    with whole_file(folder / written.file) as file:
        file.write(data)
    write_card(folder, written)
    for old in folder.glob("*.safetensors"):
        if old.name != written.file:
            old.unlink(missing_ok=True)
    return written


def write_card(folder: Path, card: Card) -> None:
    """Write a model's card."""
    with whole_file(folder / CARD) as file:
        file.write((json.dumps(asdict(card), indent=1, ensure_ascii=False) + "\n").encode())


MOST_WIDE, MOST_LAYERS = 1 << 16, 64
"""Units of a layer, and layers."""
SCORE = Mapped(Either((Number(), Text(1000), Nothing()), "a number"))
CARD_FIELDS = Fields(
    {
        "game": line(100), "options": OPTIONS, "version": Whole(), "observation": line(100),
        "senses": Whole(1, 1 << 20), "actions": Whole(1, 1 << 20),
        "layers": Listed(Whole(1, MOST_WIDE), 1, MOST_LAYERS), "form": Text(100, FORMS),
        "kind": Text(100, (VALUES, POLICY)), "seats": Listed(Whole(NOBODY, 63), 1, 64), "method": Text(100),
        "config": Mapped(Anything()), "file": Text(200, pattern=r"[\w-][\w.-]*",
            right="a file's name without a folder"),
        "sha256": Text(64, pattern=r"[0-9a-f]{64}", right="64 digits of a checksum"), "format": Whole(),
    },
    {
        "command": Text(), "seed": Whole(0, MOST_SEED), "frames": Whole(), "seconds": Number(0.0),
        "scores": Mapped(SCORE), "note": Text(),
    },
)  # fmt: skip
"""A model's card."""


def read_card(folder: Path) -> Card:
    """The card of a model's folder."""
    path = folder / CARD
    try:
        data = read_json_file(path, MOST_CARD, halves=True)
        if isinstance(data, dict) and data.get("format") != FORMAT:
            raise BadInput(
                f"{path} is a model of format {shown(data.get('format'))}: this version reads format {FORMAT}"
            )
        CARD_FIELDS.check(data)
        barred_actions(Card(**data))
        seats = data["seats"]
        if set(seats) - {NOBODY} != set(range(max(seats) + 1)) or max(seats) == NOBODY:
            raise BadRecord(f"seats is {shown(seats)}: networks 0, 1, ... in turn and {NOBODY} for nobody are right")
        return Card(**data)
    except FileNotFoundError:
        raise BadInput(f"{folder} holds no model: there is no {CARD}; `kibitz train` writes one") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror or problem}") from None
    except BadRecord as problem:
        raise BadInput(f"{path} is not a model's card, or is damaged: {problem}") from None


def load_model(folder: str | Path, game: Game | None = None) -> Model:
    """Read a model, checked against its card; `game` is the one it shall play: its own, or one that differs in options
    that leave observation and actions as they are, such as the scoring.

    Where a trainer puts a new model into the folder in between, the new one is read.
    """
    while True:
        card = read_card(Path(folder))
        try:
            return _load(Path(folder), card, game)
        except BadInput:
            if read_card(Path(folder)) == card:
                raise


def _load(folder: Path, card: Card, game: Game | None) -> Model:
    try:
        own = make(card.game, **dict(card.options))
    except BadOption as problem:
        raise BadInput(f"{folder} is a model of a game that has changed: {problem}") from None
    except TypeError:  # an option that is called like an argument of `make`
        raise BadInput(f"{folder} is a model of a game that has changed: it has other options") from None
    if not same_rules(own, card.game, card.options, card.version):
        raise BadInput(
            f"{folder} learned {card.game} version {card.version}, and this is version {own.version}: train it again"
        )
    if game is not None and (game.tag, game.version) != (own.tag, card.version):
        raise BadInput(f"{folder} is a model of {_spelled(card.game, card.options)}, not of {_spelled_game(game)}")
    seen = sense(own, card.observation)
    if (seen.size, own.ACTIONS, own.PLAYERS) != (card.senses, card.actions, len(card.seats)):
        raise BadInput(
            f"{folder} sees {card.senses} numbers and knows {card.actions} actions; {card.game} now has {seen.size} "
            f"and {own.ACTIONS}"
        )
    count = max(card.seats) + 1
    with torch.device("meta"):  # shapes alone: what the layers take is known before room is made for them
        shapes = Network(card.senses, card.actions, card.layers, card.form, calls=seen.calls).state_dict()
    data = _weights(folder, card, {f"{k}.{name}": one.shape for k in range(count) for name, one in shapes.items()})
    networks = [Network(card.senses, card.actions, card.layers, card.form, calls=seen.calls) for _ in range(count)]
    for k, network in enumerate(networks):
        part = {name.removeprefix(f"{k}."): value for name, value in data.items() if name.startswith(f"{k}.")}
        network.load_state_dict(part)
        network.eval()
    return Model(card, game or own, sense(game or own, card.observation), networks)


MOST_CARD = 1 << 22
MOST_HEADER = 1 << 20
"""Bytes that a file of weights may have beyond the weights."""
SINGLE = 4
"""Bytes of a weight."""


def _weights(folder: Path, card: Card, shapes: Mapping[str, Sequence[int]]) -> dict[str, torch.Tensor]:
    """The weights of a card's layers, every one a finite number."""
    path = folder / card.file
    needed = SINGLE * sum(math.prod(shape) for shape in shapes.values())
    misfit = f"{folder}: the weights do not fit the layers that {CARD} names"
    try:
        size = path.stat().st_size
        if not needed <= size <= needed + MOST_HEADER:
            raise BadInput(f"{misfit}: they should take {needed:,} bytes and {path.name} has {size:,}")
        data = path.read_bytes()
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror or problem}") from None
    if hashlib.sha256(data).hexdigest() != card.sha256:
        raise BadInput(f"{path} is truncated or altered: its sha256 is not the one in {CARD}")
    try:
        tensors = read_tensors(data)
    except Exception as problem:  # safetensors raises its own kinds, and torch's
        said = " ".join(str(problem).split())[:300]
        raise BadInput(f"{path} is no file of weights, or damaged: {said}") from None
    if set(tensors) != set(shapes):
        odd = sorted(set(tensors) ^ set(shapes))[0]
        raise BadInput(f"{misfit}: {odd} is {'missing' if odd in shapes else 'none of them'}")
    for name, tensor in tensors.items():
        if tuple(tensor.shape) != tuple(shapes[name]) or tensor.dtype != torch.float32:
            raise BadInput(f"{misfit}: {name} has the shape {tuple(tensor.shape)}, and {tuple(shapes[name])} is right")
        if not bool(torch.isfinite(tensor).all()):
            raise BadInput(f"{path}: {name} holds what is no number")
    return tensors


def _spelled(name: str, options: Mapping[str, Any]) -> str:
    """A game with the options that are not its preset's."""
    try:
        usual = make(name).options
    except ValueError:
        usual = {}
    changed = [f"{key}={value}" for key, value in options.items() if usual.get(key) != value]
    return " ".join([name, *changed])


def _spelled_game(game: Game) -> str:
    return _spelled(game.name, game.options)

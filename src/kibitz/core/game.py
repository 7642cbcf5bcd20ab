"""The game contract: what every game's modules provide, and `make`, which turns a name and options into a Game.

A game is a package with a light `__init__` (OPTIONS, PRESETS, VERSION and payoffs(values), what returns can be; where
they mean something ABOUT with a line for each preset, check(values), seatings(values), the usual form of a match, and
ROLES, what a seat can turn out to be: data only) and four modules:

rules.py   PLAYERS, ACTIONS, SIZE, LONGEST and the kernels deal, turn, legal, step, returns, side; where they
           mean something won (otherwise: returns > 0), chances with CHANCES, deals, deal_at, moves with
           block, tally with TALLIES
senses.py  SENSES, SLICES and the kernels view, observe, infoset, redeal; further observations in OBSERVATIONS
words.py   ACTION_WORDS, show, deal_text, read_deal, told; where they mean something chance_word, why_not, report, and
           what a position and a view answer in words, on full states and on views alike:
             hand(s, seat) -> list[str]       the cards a seat holds, in the order people hold them
             unseen(s, seat) -> list[str]     the cards a seat has not seen so far, its own and those played left out
             trick(s) -> dict[int, str]       the cards of the trick on the table, by seat, in the order played
             last_trick(s) -> dict[int, str]  the same of the last complete trick
             contract(s) -> str               the contract, or the bid that stands; empty where there is none yet
             points(s) -> list[float]         the points in tricks so far, for each seat (or its side, if sides count)
bots.py    BOTS: the rule-based players that belong to the game

Options that change sizes are read with `jit.size` while the modules are imported; all others are the first slots of the
state, in the order of OPTIONS, so that presets share one compilation.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import re
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core.catalogue import OWN
from kibitz.core.catalogue import names as names
from kibitz.core.catalogue import origin_of as origin_of
from kibitz.core.catalogue import package_of as package_of
from kibitz.core.catalogue import register as register
from kibitz.core.errors import BadGame, BadOption, KibitzError
from kibitz.core.faults import fault_of

OVER = -1
"""turn(s) when the game has ended."""
CHANCE = -2
"""turn(s) when chance moves."""

State = NDArray[np.int64]
Luck = NDArray[np.int64]
"""A generator of core/rng.py."""
Value = int | str

KERNELS = ("deal", "turn", "legal", "step", "returns", "side", "view", "observe", "infoset", "redeal")
OPTIONAL_KERNELS = ("won", "chances", "deals", "deal_at", "moves", "block", "tally", "canonical")
CONSTANTS = ("PLAYERS", "ACTIONS", "SIZE", "LONGEST", "SENSES", "TALLIES")
PARTS = ("rules", "senses", "words", "bots")


SWITCH = {"true": 1, "on": 1, "yes": 1, "false": 0, "off": 0, "no": 0}
"""How somebody may write an option that is on or off."""


@dataclass(frozen=True)
class Option:
    """One switch of a game: whole numbers in a range, or one of a few words; range(2) is for what is on or off."""

    name: str
    default: Value
    values: range | tuple[str, ...]
    about: str
    size: bool = False

    def read(self, value: object) -> Value:
        """The option's value from a number or a word somebody typed."""
        if isinstance(self.values, range):
            text = str(SWITCH.get(str(value).lower(), value)) if self.values == range(2) else str(value)
            if re.fullmatch(r"-?[0-9]{1,18}", text) and int(text) in self.values:
                return int(text)
        elif str(value) in self.values:
            return str(value)
        raise BadOption(f"{self.name}={value} is not possible: {self.name} is {self.range_text()}")

    def range_text(self) -> str:
        """The possible values, for people."""
        if self.values == range(2):
            return "true or false"
        if isinstance(self.values, range):
            return f"a whole number from {self.values.start} to {self.values[-1]}"
        return "one of " + ", ".join(self.values)

    def code(self, value: Value) -> int:
        """The value as a slot of the state holds it."""
        return int(value) if isinstance(self.values, range) else self.values.index(str(value))


@dataclass(frozen=True)
class Payoffs:
    """What the returns of a game with its options can be: none is below `least` or above `most`."""

    least: float
    most: float
    total: float | None = None
    """What the returns of all seats add up to, where that is always the same: 0 in a zero-sum game."""


@dataclass(frozen=True)
class Observation:
    """One way to write what a seat sees as numbers: its length, its kernel and its named slices."""

    senses: int
    observe: Callable[[State, int, NDArray[np.float32]], None]
    slices: Mapping[str, slice]


@dataclass(frozen=True, eq=False, repr=False)
class Game:
    """One game with its options bound; made by `make`, equal to itself alone, pickled by name.

    Constants and kernels are attributes; those of optional kernels
    that the game does not provide are stand-ins (`has`).
    """

    name: str
    options: Mapping[str, Value]
    version: int
    title: str
    tag: str
    parts: Mapping[str, Any]
    kernels: Any = field(repr=False)
    """A module object that holds the kernels and constants: what `specialise` binds to a template's `game`."""

    PLAYERS: int = field(init=False)
    ACTIONS: int = field(init=False)
    SIZE: int = field(init=False)
    """Length of the state."""
    LONGEST: int = field(init=False)
    """No game has more moves, chance moves included."""
    SENSES: int = field(init=False)
    """Length of the default observation."""
    TALLIES: int = field(init=False)
    CHANCES: int = field(init=False)
    """The most outcomes of a chance move after the deal, 0 without."""

    deal: Callable[[State, Luck], None] = field(init=False)
    """Shuffle and start, in place."""
    turn: Callable[[State], int] = field(init=False)
    """The seat to move, or OVER, or CHANCE."""
    legal: Callable[[State, NDArray[np.bool_]], int] = field(init=False)
    """Write bool[ACTIONS]; gives how many are legal."""
    step: Callable[[State, int], None] = field(init=False)
    """Play an action in place; the caller guarantees that it is legal."""
    returns: Callable[[State, NDArray[np.float64]], None] = field(init=False)
    """Write float[PLAYERS], once the game is over."""
    side: Callable[[State, int], int] = field(init=False)
    """Which side a seat is on now."""
    view: Callable[[State, int, State], None] = field(init=False)
    """Write the state as a seat knows it: what it cannot know is blank."""
    observe: Callable[[State, int, NDArray[np.float32]], None] = field(init=False)
    """Write float[SENSES]: what a seat sees."""
    infoset: Callable[[State, int], int] = field(init=False)
    """The key of a seat's information set."""
    redeal: Callable[[State, int, Luck], None] = field(init=False)
    """Draw what a seat cannot see again, every world that fits equally likely."""

    won: Callable[[State, int], bool] = field(init=False)
    """Whether a seat has won; ask `has_won`, which also knows games without this kernel."""
    chances: Callable[[State, NDArray[np.float64]], int] = field(init=False)
    """Write the probabilities of the chance move that is due; gives how many outcomes there are."""
    deals: Callable[[], int] = field(init=False)
    """How many deals can be listed."""
    deal_at: Callable[[State, int], None] = field(init=False)
    """Start from the k-th deal, in place."""
    moves: Callable[[State], int] = field(init=False)
    """The legal actions of a phase as bits; bit 0 is action `block(s)`."""
    block: Callable[[State], int] = field(init=False)
    tally: Callable[[State, NDArray[np.float64]], None] = field(init=False)
    """Add to float[TALLIES] what a game counts at its end."""
    canonical: Callable[[State, int, NDArray[np.int64]], None] = field(init=False)
    """Write the order of actions that goes with an observation of suits in an order of the seat's own."""

    def __post_init__(self) -> None:
        for name in (*CONSTANTS, "CHANCES", *KERNELS, *OPTIONAL_KERNELS):
            object.__setattr__(self, name, getattr(self.kernels, name))

    def __reduce__(self) -> tuple[Any, ...]:
        return _remake, (self.name, dict(self.options))

    def __repr__(self) -> str:
        package = importlib.import_module(package_of(self.name))
        usual = {option.name: option.default for option in package.OPTIONS} | package.PRESETS[self.name]
        changed = [f", {key}={value!r}" for key, value in self.options.items() if usual[key] != value]
        return f"make({self.name!r}{''.join(changed)})"

    @property
    def words(self) -> Any:
        """The module that turns actions and states into text and back."""
        return self.parts["words"]

    @property
    def observations(self) -> Mapping[str, Observation]:
        """Every observation this game offers, by name."""
        senses = self.parts["senses"]
        default = Observation(senses.SENSES, senses.observe, senses.SLICES)
        return {"default": default, **getattr(senses, "OBSERVATIONS", {})}

    def observation(self, name: str) -> Observation:
        """One observation by name."""
        if name not in self.observations:
            raise BadOption(f"{self.name} has no observation {name}: it has {', '.join(self.observations)}")
        return self.observations[name]

    @property
    def payoffs(self) -> Payoffs:
        """The bounds of the returns, and their sum where it is always the same."""
        return payoffs_of(self.name, self.options)

    def has(self, kernel: str) -> bool:
        """Whether the game provides an optional kernel."""
        return kernel in OPTIONAL_KERNELS and bool(getattr(self.kernels, f"HAS_{kernel.upper()}"))

    def has_won(self, s: State, seat: int) -> bool:
        """Whether the seat has won a game that is over, in the sense of its game."""
        if self.has("won"):
            return bool(self.kernels.won(s, seat))
        out = np.zeros(self.PLAYERS)
        self.returns(s, out)
        return bool(out[seat] > 0)

    def blank(self) -> State:
        """A state with the slots of options set and nothing dealt."""
        s = np.zeros(self.SIZE, np.int64)
        package = importlib.import_module(package_of(self.name))
        slots = [option for option in package.OPTIONS if not option.size]
        for k, option in enumerate(slots, getattr(self.parts["rules"], "FIRST_OPTION", 0)):
            s[k] = option.code(self.options[option.name])
        return s


_lock = threading.RLock()


def make(name: str, **options: object) -> Game:
    """The game of that name, with options by keyword: make("kuhn", players=3)."""
    package = importlib.import_module(package_of(name))
    known = {option.name: option for option in package.OPTIONS}
    values: dict[str, Value] = {key: option.default for key, option in known.items()}
    values |= package.PRESETS[name]
    for key, value in options.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"; did you mean {near[0]}?" if near else f": it has {', '.join(known) or 'none'}"
            raise BadOption(f"{name} has no option {key}{hint}")
        values[key] = known[key].read(value)
    with _lock:
        try:
            return _build(name, tuple(values.items()))
        except Exception as problem:
            if origin_of(name) == OWN or isinstance(problem, KibitzError):
                raise
            why = fault_of(problem, package_of(name)).line()
            raise BadGame(f"{name} of {origin_of(name)} cannot be made: {why}; see kibitz check {name}") from problem


def same_rules(game: Game, name: str, options: Mapping[str, object], version: int) -> bool:
    """Whether a file written for (name, options, version) belongs to this game."""
    return game.name == name and dict(game.options) == dict(options) and game.version == version


def _remake(name: str, options: dict[str, Value]) -> Game:
    return make(name, **options)


def payoffs_of(name: str, values: Mapping[str, Value]) -> Payoffs:
    """What returns can be in a game with these values of its options; the game need not be made for that."""
    package = importlib.import_module(package_of(name))
    if not hasattr(package, "payoffs"):
        raise AttributeError(f"a game must provide payoffs: {package.__name__} has none")
    payoffs: Payoffs = package.payoffs(values)
    return payoffs


@cache
def _build(name: str, items: tuple[tuple[str, Value], ...]) -> Game:
    package = importlib.import_module(package_of(name))
    values = dict(items)
    if hasattr(package, "check"):
        package.check(values)
    sizes = {option.name: values[option.name] for option in package.OPTIONS if option.size}
    parts = _parts(package.__name__, tuple(sizes.items()))
    family = package.__name__.rsplit(".", 1)[-1]
    tag = ",".join([family, *(f"{key}={value}" for key, value in sizes.items())])
    title = getattr(package, "ABOUT", {}).get(name) or (package.__doc__ or name).strip().splitlines()[0]
    version = package.VERSION
    return Game(name, types.MappingProxyType(values), version, title, tag, parts, _kernels(tag, parts))


@cache
def _parts(package: str, sizes: tuple[tuple[str, Value], ...]) -> Mapping[str, Any]:
    """The game's modules, imported anew for every choice of sizes so that all their constants follow.

    A game on a kit declares itself as GAME, in its package, or in `rules` if sizes matter; then its modules, as far as
    it has any, hold what is its own.
    """
    home = importlib.import_module(package)
    if not hasattr(home, "__path__"):
        raise BadGame(f"{package} is a single file; a game is a folder: put it into {package}/__init__.py")
    declared = getattr(home, "GAME", None)
    places = {part: f"{package}.{part}" for part in PARTS}
    with _sized_imports(package, dict(sizes)):
        found = {part: importlib.import_module(p) for part, p in places.items() if importlib.util.find_spec(p)}
        declared = declared or getattr(found.get("rules"), "GAME", None)
        if not hasattr(declared, "joined"):
            declared = None
            found = {part: importlib.import_module(place) for part, place in places.items()}
    joined: Mapping[str, Any] = declared.joined(found) if declared is not None else found
    return joined


def further_part(game: Game, part: str) -> types.ModuleType | None:
    """A module of the game's package beyond the four, for the sizes of this game; None if there is none."""
    package = package_of(game.name)
    place = f"{package}.{part}"
    if importlib.util.find_spec(place) is None:
        return None
    options = importlib.import_module(package).OPTIONS
    with _sized_imports(package, {option.name: game.options[option.name] for option in options if option.size}):
        return importlib.import_module(place)


@contextmanager
def _sized_imports(package: str, sizes: Mapping[str, Value]) -> Iterator[None]:
    """Modules of a game imported inside follow these sizes; those imported before come back at the end."""
    from kibitz.core.jit import sized

    defaults = {option.name: option.default for option in importlib.import_module(package).OPTIONS if option.size}
    if sizes == defaults:
        yield
        return
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if name.startswith(package + ".")}
    for name in before:  # or `from package import module` would find them
        vars(sys.modules[package]).pop(name.removeprefix(package + "."), None)
    try:
        with sized(",".join(f"{key}={value}" for key, value in sizes.items()), dict(sizes)):
            yield
    finally:
        _restore(package, before)


def _restore(package: str, before: Mapping[str, types.ModuleType]) -> None:
    """Put the modules back as they were, in sys.modules and as attributes of the package."""
    home = sys.modules[package]
    for name in [name for name in sys.modules if name.startswith(package + ".")]:
        vars(home).pop(name.removeprefix(package + "."), None)
        del sys.modules[name]
    for name, module in before.items():
        sys.modules[name] = module
        setattr(home, name.removeprefix(package + "."), module)


def _kernels(tag: str, parts: Mapping[str, Any]) -> types.ModuleType:
    """Everything a template may ask of `game`, as attributes
    of one module object (which Numba resolves at compile time)."""
    space = types.ModuleType(f"game {tag}")
    sources: Sequence[Any] = (parts["rules"], parts["senses"])
    for name in (*CONSTANTS, *KERNELS):
        setattr(space, name, _first(sources, name, 0 if name == "TALLIES" else None))
    space.CHANCES = int(getattr(parts["rules"], "CHANCES", 0))  # type: ignore[attr-defined]
    from kibitz.core import defaults

    for name in OPTIONAL_KERNELS:
        provided = _first(sources, name, False)
        setattr(space, f"HAS_{name.upper()}", bool(provided))
        setattr(space, name, provided or getattr(defaults, name))
    space.peek = space.view  # type: ignore[attr-defined]  # Numba takes any attribute called view for ndarray.view
    return space


def _first(sources: Iterable[Any], name: str, default: Any) -> Any:
    for source in sources:
        if hasattr(source, name):
            return getattr(source, name)
    if default is None:
        raise AttributeError(f"a game must provide {name}")
    return default

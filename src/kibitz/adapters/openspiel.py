"""Our games as OpenSpiel Python games: importing this module registers `kibitz_kuhn`, `kibitz_cego_solo`, ...

    game = pyspiel.load_game("kibitz_kuhn(players=3)")

Options of a game are its parameters. Where the deals of a game can be listed, the first chance node lists them;
otherwise the number of a deal is drawn digit by digit, so that every history can be written down and replayed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from kibitz.adapters import missing
from kibitz.core import rng
from kibitz.core.action_order import game_number, is_renamed, learner_number, order_of
from kibitz.core.bits import WORD
from kibitz.core.game import CHANCE, OVER, Game, State, Value, make, names, package_of, payoffs_of
from kibitz.core.policy import Bot, OneByOne, Policy
from kibitz.core.view import View, Views, view_of

try:
    import pyspiel
    from open_spiel.python.policy import TabularPolicy
except ImportError:
    raise missing("open_spiel", "openspiel") from None

DIGITS, BASE = 4, 256
"""A deal that cannot be listed has a number of so many digits of this base."""
CHANCE_PLAYER, NOBODY = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
KIND = "default"
"""The observation that tensors hold; it has perfect recall."""


def short_name(game: str) -> str:
    """A game's name in OpenSpiel's registry: kibitz_cego_solo."""
    return f"kibitz_{game.replace('-', '_')}"


def _defaults(name: str) -> dict[str, Value]:
    package = importlib.import_module(package_of(name))
    return {option.name: option.default for option in package.OPTIONS} | dict(package.PRESETS[name])


def _type_of(name: str, values: Mapping[str, Value]) -> Any:
    total, utility = payoffs_of(name, values).total, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(name),
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if total is None else utility.CONSTANT_SUM if total else utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=10,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(name),
    )


def _info_of(game: Game) -> Any:
    payoffs = game.payoffs
    return pyspiel.GameInfo(
        num_distinct_actions=int(game.ACTIONS),
        max_chance_outcomes=max(BASE if not game.has("deals") else int(game.deals()), int(game.CHANCES)),
        num_players=int(game.PLAYERS),
        min_utility=payoffs.least,
        max_utility=payoffs.most,
        utility_sum=payoffs.total,
        max_game_length=int(game.LONGEST),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games, as OpenSpiel loads it; the subclasses that are registered know its name."""

    preset: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.table = make(self.preset, **dict(params or {}))
        super().__init__(_type_of(self.preset, self.table.options), _info_of(self.table), dict(params or {}))

    def new_initial_state(self) -> SpielState:
        """A state in which nothing is dealt."""
        return _state_class(self.table)(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """The observer of a seat's knowledge, with the observation's pieces by name."""
        return SpielObserver(self.table)

    def __reduce__(self) -> tuple[Any, ...]:
        return load, (str(self),)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of one of our games.

    OpenSpiel clones a Python state by making a new one and copying its attributes one by one, so whatever belongs to
    the game is an attribute of the class.
    """

    table: Game
    blank: State

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.s = self.blank.copy()
        self.digits: list[int] = []
        """What chance has said about the deal so far."""
        self.is_dealt = False
        self.player = CHANCE_PLAYER

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's numbers for chance and the end."""
        return self.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.player == NOBODY

    def look(self) -> None:
        """Note that the cards are dealt, and who is to move, after `s` was written."""
        turn = int(self.table.turn(self.s))
        self.is_dealt = True
        self.player = CHANCE_PLAYER if turn == CHANCE else NOBODY if turn == OVER else turn

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals or the digits of their numbers, or the outcomes of a chance move of the game."""
        if not self.is_dealt:
            n = int(self.table.deals()) if self.table.has("deals") else BASE
            return [(k, 1.0 / n) for k in range(n)]
        p = np.zeros(max(1, self.table.CHANCES))
        n = int(self.table.chances(self.s, p))
        return [(k, float(p[k])) for k in range(n) if p[k] > 0]

    def _legal_actions(self, player: int) -> list[int]:
        legal = np.zeros(self.table.ACTIONS, np.bool_)
        self.table.legal(self.s, legal)
        if not is_renamed(self.table, KIND):
            return [int(action) for action in np.flatnonzero(legal)]
        return sorted(order_of(self.table, KIND, self.s, player)[legal].tolist())

    def _apply_action(self, action: int) -> None:
        if self.is_dealt:
            self.table.step(self.s, action if self.player == CHANCE_PLAYER else self.real(self.player, action))
            self.look()
            return
        self.digits.append(action)
        if self.table.has("deals"):
            self.table.deal_at(self.s, action)
        elif len(self.digits) < DIGITS:
            return
        else:
            self.table.deal(self.s, rng.fresh(0, self.deal_number))
        self.look()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return str(self.table.words.chance_word(self.s, action)) if self.is_dealt else f"deal {action}"
        return str(self.table.words.ACTION_WORDS[self.real(player, action)])

    def returns(self) -> list[float]:
        """The final scores; zeros before the end."""
        out = np.zeros(self.table.PLAYERS)
        if self.is_terminal():
            self.table.returns(self.s, out)
        return [float(x) for x in out]

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> SpielState:
        """A state that the player cannot tell from this one, drawn uniformly from those that fit what it knows."""
        other: SpielState = self.clone()
        self.table.redeal(other.s, player_id, rng.fresh(int(sampler() * (1 << 53)), 0, player_id))
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return load_state, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    def __str__(self) -> str:
        return str(self.table.words.show(self.s, None)) if self.is_dealt else f"deal {self.digits}"

    @property
    def deal_number(self) -> int:
        """The number of the deal among those of seed 0."""
        return sum(digit * BASE**k for k, digit in enumerate(self.digits))

    def view(self, seat: int) -> View:
        """What a bot in a seat is given."""
        # OpenSpiel has no seed to keep secret: luck made from what the seat knows can tell it nothing else.
        known = int(self.table.infoset(self.s, seat)) & WORD
        return view_of(self.table, self.s, seat, rng.fresh(known, 0, seat, self.move_number()))

    def real(self, seat: int, action: int) -> int:
        """The game's number of an action in the order of the seat's observation."""
        if not is_renamed(self.table, KIND):
            return int(action)
        return game_number(self.table, KIND, self.s, seat, action)


@cache
def _state_class(game: Game) -> type[SpielState]:
    return type("SpielState", (SpielState,), {"table": game, "blank": game.blank()})


def load(text: str) -> SpielGame:
    """A game from OpenSpiel's text for it; in a module of ours, so that whoever unpickles a game has it registered."""
    game: SpielGame = pyspiel.load_game(text)
    return game


def load_state(text: str) -> SpielState:
    """A state from OpenSpiel's text for it and its game."""
    state: SpielState = pyspiel.deserialize_game_and_state(text)[1]
    return state


class SpielObserver:
    """What a seat knows, as a tensor with named pieces and as the key of its information set."""

    def __init__(self, game: Game) -> None:
        self._observation = game.observation(KIND)
        self.tensor = np.zeros(self._observation.senses, np.float32)
        self.dict = {name: self.tensor[part] for name, part in self._observation.slices.items()}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees."""
        self.tensor.fill(0)
        if state.is_dealt:
            self._observation.observe(state.s, player, self.tensor)

    def string_from(self, state: SpielState, player: int) -> str:
        """The key of a player's information set."""
        if not state.is_dealt:
            return f"{player}:"
        return f"{player}:{int(state.table.infoset(state.s, player)) & (1 << 64) - 1:016x}"


def tabular_policy(game: SpielGame, policy: Policy, players: Sequence[int] | None = None) -> TabularPolicy:
    """A policy of ours, such as a table, over every information state of an OpenSpiel game."""
    out = TabularPolicy(game, None if players is None else list(players))
    states = [(state, state.current_player()) for state in out.states]
    views = [state.view(seat) for state, seat in states]
    chances = policy.probabilities(
        Views(
            game.table,
            np.array([view.seat for view in views]),
            np.stack([view.state for view in views]),
            np.stack([view.mask for view in views]),
            np.stack([view.rng for view in views]),
        )
    )
    for row, (state, seat) in enumerate(states):
        index = out.state_lookup[state.information_state_string(seat)]
        out.action_probability_array[index, order_of(game.table, KIND, state.s, seat)] = chances[row]
    return out


class SpielBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our bots at an OpenSpiel table."""

    def __init__(self, bot: Bot, player: int) -> None:
        super().__init__()
        self.bot, self.player = bot, player

    def player_id(self) -> int:
        """The seat the bot sits in."""
        return self.player

    def restart_at(self, state: SpielState) -> None:
        """Our bots remember nothing between moves: all is in the view."""

    def step(self, state: SpielState) -> int:
        """The action that the bot chooses, in OpenSpiel's numbers."""
        action = self.bot.act(state.view(self.player))
        return learner_number(state.table, KIND, state.s, self.player, action)


class OpenSpielBot(OneByOne):
    """An OpenSpiel bot at our tables.

    It is shown a state drawn uniformly from those that fit what its seat knows, never the true one; so it may ask for
    information states, legal actions and samples of hidden cards, but the history of the state is empty.
    """

    def __init__(self, game: Game, seat_bot: Callable[[SpielGame, int], Any], name: str = "openspiel") -> None:
        self.name, self._seat_bot = name, seat_bot
        self._game: SpielGame = pyspiel.load_game(short_name(game.name), dict(game.options))
        self._bots: dict[int, Any] = {}

    def act(self, view: View) -> int:
        """The action the bot chooses at one view."""
        if view.seat not in self._bots:
            self._bots[view.seat] = self._seat_bot(self._game, view.seat)
        state = self._game.new_initial_state()
        state.s[:] = view.state
        view.game.redeal(state.s, view.seat, view.rng)
        state.look()
        return state.real(view.seat, int(self._bots[view.seat].step(state)))


def register() -> None:
    """Enter every game in OpenSpiel's registry; what is there already stays."""
    known = set(pyspiel.registered_names())
    for name in names():
        if short_name(name) not in known:
            pyspiel.register_game(_type_of(name, _defaults(name)), type("SpielGame", (SpielGame,), {"preset": name}))


register()

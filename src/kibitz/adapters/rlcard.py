"""Our games as RLCard environments, and RLCard's agents at our tables; rlcard itself is not needed.

env = make("cego-solo", {"seed": 3})
env.set_agents([DQNAgent(...), *[RandomAgent(env.num_actions)] * 3])
trajectories, payoffs = env.run(is_training=True)
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.adapters.turn_table import TurnTable
from kibitz.core import rng
from kibitz.core.action_order import learner_number, order_of
from kibitz.core.errors import BadInput, BadOption
from kibitz.core.game import Game
from kibitz.core.game import make as make_game
from kibitz.core.policy import OneByOne
from kibitz.core.position import read_move
from kibitz.core.view import View

State = dict[str, Any]
CONFIG = ("seed", "allow_step_back", "observation")


class RLCardEnv:
    """A game behind the interface of rlcard.envs.Env: everything its agents and its tournament ask for.

    `raw_obs` is the view of the seat (print it to see the table). `action_record` holds the seat's own moves only:
    those of the others may be hidden, and what the seat has seen of them is in the observation.
    """

    def __init__(
        self, game: Game, *, seed: int | None = None, allow_step_back: bool = False, observation: str = "default"
    ) -> None:
        self._table, self.name = game, game.name
        self.turn_table = TurnTable(game, observation)
        self.allow_step_back = allow_step_back
        self.num_players, self.num_actions = int(game.PLAYERS), int(game.ACTIONS)
        self.state_shape = [[self.turn_table.senses] for _ in range(self.num_players)]
        self.action_shape: list[Any] = [None for _ in range(self.num_players)]
        self.agents: list[Any] = []
        self.timestep = 0
        self.action_recorder: list[tuple[int, str]] = []
        self._past: list[tuple[Any, ...]] = []
        self._seed, self._number = 0, -1
        self.seed(seed)

    @property
    def game(self) -> RLCardEnv:
        """RLCard's loops ask `env.game` whether it is over and who is to move."""
        return self

    def seed(self, seed: int | None = None) -> int:
        """Start the games of a seed; without one, of a seed drawn by the system."""
        self._seed = rng.unguessable() if seed is None else int(seed)
        self._number = -1
        return self._seed

    def set_agents(self, agents: Sequence[Any]) -> None:
        """One agent for each seat."""
        if len(agents) != self.num_players:
            raise BadInput(f"{self.name} has {self.num_players} seats, not {len(agents)}: it takes an agent for each")
        self.agents = list(agents)

    def reset(self) -> tuple[State, int]:
        """Deal the next game; the state of the seat to move, and that seat."""
        self._number += 1
        self.turn_table.deal(self._seed, self._number)
        self.action_recorder, self._past = [], []
        return self.get_state(self.turn_table.turn), self.turn_table.turn

    def step(self, action: int | str, raw_action: bool = False) -> tuple[State, int]:
        """Play an action of the seat to move, given as a number or as a raw word."""
        number = self._number_of(str(action)) if raw_action else int(action)
        saved = self.turn_table.save() if self.allow_step_back else ()
        seat, word = self.turn_table.turn, self._word(number)
        self.turn_table.push(number)
        self.timestep += 1
        self.action_recorder.append((seat, word))
        self._past.append(saved)
        seat = max(0, self.turn_table.turn)
        return self.get_state(seat), seat

    def step_back(self) -> tuple[State, int] | bool:
        """Take the last action back; False at the start of a game."""
        if not self.allow_step_back:
            raise BadInput("stepping back is off: make the environment with allow_step_back=True")
        if not self._past:
            return False
        self.turn_table.restore(self._past.pop())
        self.action_recorder.pop()
        return self.get_state(self.turn_table.turn), self.turn_table.turn

    def run(self, is_training: bool = False) -> tuple[list[list[Any]], NDArray[np.float64]]:
        """Play one game: for each seat its states and actions in turn, ending with a state; and the payoffs."""
        trajectories: list[list[Any]] = [[] for _ in range(self.num_players)]
        state, seat = self.reset()
        while not self.is_over():
            agent = self.agents[seat]
            action = agent.step(state) if is_training else agent.eval_step(state)[0]
            trajectories[seat] += [state, action]
            state, seat = self.step(action, agent.use_raw)
        for player in range(self.num_players):
            trajectories[player].append(self.get_state(player))
        return trajectories, self.get_payoffs()

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.turn_table.turn < 0

    def get_player_id(self) -> int:
        """The seat to move."""
        return self.turn_table.turn

    def get_num_players(self) -> int:
        """How many seats there are."""
        return self.num_players

    def get_num_actions(self) -> int:
        """How many actions there are."""
        return self.num_actions

    def get_state(self, player_id: int) -> State:
        """What a seat is given: nothing is legal unless it is to move."""
        legal = np.flatnonzero(self.turn_table.mask_of(player_id)).tolist()
        return {
            "obs": self.turn_table.observe(player_id),
            "legal_actions": OrderedDict.fromkeys(legal),
            "raw_obs": self.turn_table.view(player_id),
            "raw_legal_actions": [self.turn_table.word(action) for action in legal],
            "action_record": [(seat, word) for seat, word in self.action_recorder if seat == player_id],
        }

    def get_payoffs(self) -> NDArray[np.float64]:
        """The returns of a game that is over."""
        return self.turn_table.returns()

    def get_perfect_information(self) -> dict[str, Any]:
        """Everything, hidden cards included: for looking on, never for an agent."""
        return {
            "state": self.turn_table.state.copy(),
            "table": str(self._table.words.show(self.turn_table.state, None)),
        }

    def get_action_feature(self, action: int) -> NDArray[np.int8]:
        """An action as a one-hot vector."""
        feature = np.zeros(self.num_actions, np.int8)
        feature[action] = 1
        return feature

    def _word(self, number: int) -> str:
        is_played = 0 <= number < self.num_actions and self.turn_table.turn >= 0
        return self.turn_table.word(number) if is_played else ""

    def _number_of(self, word: str) -> int:
        legal = np.zeros(self.num_actions, np.bool_)
        self._table.legal(self.turn_table.state, legal)
        real = read_move(self._table, self.turn_table.state, legal, word)
        return learner_number(self._table, self.turn_table.kind, self.turn_table.state, self.turn_table.turn, real)


def make(name: str, config: Mapping[str, Any] | None = None) -> RLCardEnv:
    """An environment by the name of its game; the config takes RLCard's `seed` and `allow_step_back`, our
    `observation`, and the options of the game as `game_<option>`."""
    asked = dict(config or {})
    options = {key.removeprefix("game_"): asked.pop(key) for key in list(asked) if key.startswith("game_")}
    for key in asked:
        if key not in CONFIG:
            raise BadOption(f"there is no setting {key}: there are {', '.join(CONFIG)} and game_<option>")
    return RLCardEnv(make_game(name, **options), **asked)


class RLCardBot(OneByOne):
    """An RLCard agent at our tables: it is asked by `eval_step`, with the state its training environment gives.

    Only `action_record` is empty here: bots are given what they know, not a list of moves.
    """

    def __init__(self, agent: Any, observation: str = "default", name: str | None = None) -> None:
        self.agent, self.observation = agent, observation
        self.name = name or f"rlcard-{type(agent).__name__}"

    def act(self, view: View) -> int:
        """The action the agent chooses at one view."""
        game = view.game
        order = order_of(game, self.observation, view.state, view.seat)
        real = {int(order[action]): action for action in view.legal()}
        legal = sorted(real)
        state = {
            "obs": view.observe(self.observation),
            "legal_actions": OrderedDict.fromkeys(legal),
            "raw_obs": view,
            "raw_legal_actions": [game.words.ACTION_WORDS[real[number]] for number in legal],
            "action_record": [],
        }
        chosen = self.agent.eval_step(state)[0]
        if self.agent.use_raw:
            return read_move(game, view.state, view.mask, str(chosen))
        return real.get(int(chosen), -1)

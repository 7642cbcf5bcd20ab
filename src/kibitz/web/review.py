"""A decision looked at again in two columns that are never merged: by what was known then, and by the true deal.

Values are in what the game pays the seat. Where open cards can be searched they come from solved worlds; elsewhere
(calls, betting, claims) from deals played out by the rule-based player after each move,
with the same luck for every move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.bots import make_bot, rules
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.policy import Bot
from kibitz.core.position import Position
from kibitz.core.scene import move_text
from kibitz.core.shapes import Floats
from kibitz.core.view import View
from kibitz.search import worlds as deals
from kibitz.search.pimc import Pimc

States = NDArray[np.int64]

WORLDS = 24
"""Worlds that fitted the view, for the column of what was known."""
BELIEF_WORLDS = 400
CANDIDATES = 14
"""Moves that are played out where a player has many:
what was played, what bots prefer, and others spread over the rest."""
MOST_MOVES = 600
"""A deal that is played out is broken off after so many moves."""
A_SHARE = 0.002
"""A loss smaller than this share of what the game can pay is none."""
SAME = 1e-9

FINE, ERROR, BAD_LUCK, LUCKY = "fine", "error", "bad luck", "lucky"


def judged(
    game: Game, view: View, state: States, action: int, reviewer: Bot, voters: Sequence[Bot], lang: str
) -> dict[str, Any]:
    """What a decision was worth by what was known and in the true deal, what others would have done,
    and the verdict."""
    votes = {voter.name: _vote(voter, view) for voter in (reviewer, *voters)}
    actions = _candidates(view, action, [vote for vote in votes.values() if vote is not None])
    known, weights, how = _known(game, view, actions, reviewer)
    true = _true(game, view, state, actions, reviewer)
    means = weights @ known
    here = actions.index(action)
    best, right = int(means.argmax()), int(true.argmax())
    small = A_SHARE * (game.payoffs.most - game.payoffs.least)
    cost, true_cost = float(means[best] - means[here]), float(true[right] - true[here])
    noise = 2.0 * _error(known[:, best] - known[:, here], weights)
    was_known, was_true = cost > max(small, noise), true_cost > small
    verdict = {(True, True): ERROR, (False, True): BAD_LUCK, (True, False): LUCKY}.get((was_known, was_true), FINE)
    top = known.max(axis=1, keepdims=True) - SAME
    can_win = game.payoffs.most > 0
    rows = [
        {
            "word": game.words.ACTION_WORDS[one], "text": move_text(game, view.state, one, lang),
            "known": float(means[k]), "best": float(weights @ (known[:, k] >= top[:, 0])), "true": float(true[k]),
            "wins": float(weights @ (known[:, k] > 0)) if can_win else None,
        }
        for k, one in enumerate(actions)
    ]  # fmt: skip
    rows.sort(key=lambda row: -float(row["known"]))
    return {
        "played": game.words.ACTION_WORDS[action], "text": move_text(game, view.state, action, lang),
        "prefers": game.words.ACTION_WORDS[actions[best]],
        "prefers_text": move_text(game, view.state, actions[best], lang), "cost": cost, "noise": noise,
        "true_cost": true_cost, "verdict": verdict, "rows": rows, "worlds": len(known), "how": how,
        "size": cost if was_known else 0.0, "votes": [
            {"bot": name, "text": "" if vote is None else move_text(game, view.state, vote, lang)}
            for name, vote in votes.items()
        ],
    }  # fmt: skip


def _vote(bot: Bot, view: View) -> int | None:
    """What a bot would play; none if it cannot say."""
    try:
        action = int(bot.act(View(view.game, view.seat, view.state, view.mask, view.rng.copy())))
    except KibitzError:
        return None
    return action if 0 <= action < view.game.ACTIONS and view.mask[action] else None


def _candidates(view: View, action: int, preferred: Sequence[int]) -> list[int]:
    legal = view.legal()
    if len(legal) <= CANDIDATES:
        return legal
    chosen = dict.fromkeys([action, *preferred])
    rest = [one for one in legal if one not in chosen]
    step = max(1, len(rest) // max(1, CANDIDATES - len(chosen)))
    return sorted([*chosen, *rest[::step][: CANDIDATES - len(chosen)]])


def _can_search(reviewer: Bot, view: View) -> bool:
    return isinstance(reviewer, Pimc) and bool(reviewer.payoff.can_play(view.state))


def _known(game: Game, view: View, actions: Sequence[int], reviewer: Bot) -> tuple[Floats, Floats, str]:
    """[worlds, moves]: what each move is worth in worlds that fitted the view, the weights of these,
    and how it was found."""
    if isinstance(reviewer, Pimc) and _can_search(reviewer, view):
        states, weights = reviewer.imagine(view)
        return reviewer.payoff.close(game, states, view.seat, 1)[:, actions], weights, "open cards"
    states = deals.sample(view, WORLDS)
    return _played_out(game, states, view.seat, actions), np.full(len(states), 1.0 / len(states)), "played out"


def worth(game: Game, view: View, bot: Bot) -> tuple[dict[int, float], int]:
    """What each legal move pays the seat, over how many worlds; nothing where no search can say."""
    if not _can_search(bot, view):
        return {}, 0
    actions = view.legal()
    known, weights, _ = _known(game, view, actions, bot)
    return dict(zip(actions, (weights @ known).tolist(), strict=True)), len(known)


def _true(game: Game, view: View, state: States, actions: Sequence[int], reviewer: Bot) -> Floats:
    """[moves]: what each move was worth in the true deal."""
    if isinstance(reviewer, Pimc) and _can_search(reviewer, view):
        found: Floats = reviewer.payoff.close(game, state[None], view.seat, 1)[0, actions]
        return found
    return _played_out(game, np.repeat(state[None], 4, axis=0), view.seat, actions).mean(axis=0)


def _played_out(game: Game, states: States, seat: int, actions: Sequence[int]) -> Floats:
    """[worlds, moves]: what the seat receives when everybody goes on by rule."""
    rule = make_bot(game, next(reversed([*rules(game)]), "random"))
    out = np.zeros((len(states), len(actions)))
    for row, state in enumerate(states):
        for column, action in enumerate(actions):
            position = Position.at(game, state, seed=row)
            position.push(action)
            moves = 0
            while not position.is_over and moves < MOST_MOVES:
                position.push(int(rule.act(position.view(position.turn))))
                moves += 1
            out[row, column] = position.returns()[seat] if position.is_over else 0.0
    return out


def _error(differences: Floats, weights: Floats) -> float:
    """The standard error of a weighted mean of differences."""
    mean = weights @ differences
    return float(np.sqrt(weights**2 @ (differences - mean) ** 2))


def places(view: View, bot: Bot | None = None) -> dict[str, Any]:
    """For every card the seat has not seen, how likely it lies in each hand; the rest is elsewhere."""
    game = view.game
    if isinstance(bot, Pimc) and bot.weigher is not None:
        states, weights = bot.imagine(view)
        how = bot.name
    else:
        states = deals.sample(view, BELIEF_WORLDS)
        weights, how = np.full(len(states), 1.0 / len(states)), "all worlds alike"
    cards = Counter(game.words.unseen(view.state, view.seat))
    found: dict[str, list[float]] = {card: [0.0] * game.PLAYERS for card in cards}
    for state, weight in zip(states, weights, strict=True):
        for seat in range(game.PLAYERS):
            if seat != view.seat:
                for card, times in Counter(game.words.hand(state, seat)).items():
                    if card in found:
                        found[card][seat] += float(weight) * times
    rows = [{"card": card, "copies": cards[card], "chances": chances} for card, chances in found.items()]
    return {"how": how, "worlds": len(states), "rows": rows}

"""What a bot thinks at a view: its choice, how it weighs the legal actions, and what it says they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz.core import rng
from kibitz.core.errors import BadInput
from kibitz.core.policy import Bot, OneByOne, Policy, Together
from kibitz.core.view import View, Views

DRAWS = 1000
"""How often a fast bot is asked, with other luck each time, to see how it mixes."""
POINTS = "points of the game"  # what a bot's values count, unless it has a `unit` of its own


@dataclass(frozen=True)
class Opinion:
    """What a bot would do at a view: its choice with the luck of the game, and how it weighs the legal actions."""

    bot: str
    choice: str
    probabilities: dict[str, float]
    source: str
    """Where the probabilities come from: the bot itself, or how many draws of luck."""
    values: dict[str, float]
    """What the bot thinks each action is worth, if it says so."""
    worlds: int = 0
    """How many deals it has imagined for that."""
    ahead: dict[str, float] = field(default_factory=dict)
    """In what share of them its side comes out ahead after each action."""
    unit: str = POINTS
    """What the values count."""

    def order(self) -> list[str]:
        """The legal actions, the likeliest first."""
        return sorted(self.probabilities, key=lambda word: (-self.probabilities[word], -self.values.get(word, 0.0)))

    def reason(self) -> list[tuple[str, list[str]]]:
        """Why it chooses so: sentences, each with what belongs into its gaps, numbers and moves; none where there is
        nothing to say but how often it chooses what."""
        if len(self.probabilities) == 1:
            return [("it is the only move", [])]
        rivals = [word for word in self.values if word != self.choice]
        if self.choice not in self.values or not rivals:
            return []
        second = max(rivals, key=lambda word: (self.values[word], self.ahead.get(word, 0.0)))
        shares = [f"{100 * self.ahead.get(word, 0.0):.0f} %" for word in (self.choice, second)]
        worths = [f"{self.values[word]:+.2f}" for word in (self.choice, second)]
        shown = worths
        if self.worlds and shares[0] != shares[1]:
            shown, first = shares, ("ahead in {} of {} imagined deals", [shares[0], str(self.worlds)])
        elif self.worlds:
            first = ("worth {} on average over {} imagined deals", [worths[0], str(self.worlds)])
        else:
            first = ("worth {}", [worths[0]])
        if shown[0] == shown[1]:
            return [first, ("{} is as good", [second])]
        return [first, ("next best {} with {}", [second, shown[1]])]

    def __str__(self) -> str:
        """One line a legal action, the likeliest first."""
        order = self.order()
        width = max(map(len, order))
        why = "; ".join(sentence.format(*given) for sentence, given in self.reason())
        lines = [f"{self.bot} plays {self.choice} ({self.source})" + (f": {why}" if why else "")]
        for word in order:
            worth = f"  worth {self.values[word]:+.3f}" if word in self.values else ""
            lines.append(f"  {word:<{width}}  {100 * self.probabilities[word]:5.1f} %{worth}")
        return "\n".join([*lines, *([f"worth is counted in {self.unit}"] if self.values else [])])


def opinion_at(bot: Bot, view: View, draws: int | None = None) -> Opinion:
    """What a bot thinks at a view of a seat that is to move."""
    if not view.mask.any():
        raise BadInput(f"seat {view.seat} is not to move: ask at the view of the seat that is")
    words = view.game.words.ACTION_WORDS
    mix, source = _mix(bot, view, draws)
    choice = words[bot.act(_fresh(view))]

    def told(numbers: NDArray[np.float64]) -> dict[str, float]:
        return {words[a]: float(x) for a, x in enumerate(numbers) if np.isfinite(x) and view.mask[a]}

    worlds, *ahead = _said(bot, "imagined", view)
    return Opinion(
        bot.name, choice, {words[a]: float(mix[a]) for a in view.legal()}, source,
        told(_said(bot, "values", view)[1:]), int(worlds), told(np.array(ahead)), unit_of(bot),
    )  # fmt: skip


def unit_of(bot: Bot) -> str:
    """What a bot's values count."""
    return str(getattr(bot, "unit", POINTS))


def _fresh(view: View) -> View:
    """The same view with luck of its own: a bot that draws from it changes it."""
    return View(view.game, view.seat, view.state, view.mask, view.rng.copy())


def _mix(bot: Bot, view: View, draws: int | None) -> tuple[NDArray[np.float64], str]:
    """The bot's own probabilities, or how often it chooses what when its luck is drawn again and again."""
    if isinstance(bot, Policy):
        return bot.probabilities(_copies(view, [view.rng]))[0], "the bot"
    count = draws or (1 if isinstance(bot, OneByOne | Together) else DRAWS)
    # The first draw is the luck of the game itself, the others are made for this question.
    lucks = [view.rng.copy(), *(rng.forked(view.rng, rng.THINKING, k) for k in range(1, count))]
    chosen = bot.act_batch(_copies(view, lucks))
    return np.bincount(chosen, minlength=len(view.mask)) / count, f"{count} draw{'s' * (count > 1)}"


def _copies(view: View, lucks: Sequence[NDArray[np.int64]]) -> Views:
    n = len(lucks)
    return Views(
        view.game, np.full(n, view.seat), np.tile(view.state, (n, 1)), np.tile(view.mask, (n, 1)), np.array(lucks)
    )


def _said(bot: Any, what: str, view: View) -> NDArray[np.float64]:
    """What the bot says of its actions, float[1 + ACTIONS], nan for those it says nothing of: what they are worth, or
    how many worlds it has imagined and in what share of them its side comes out ahead."""
    says = getattr(bot, what, None)
    if not callable(says):
        return np.zeros(1)
    found = np.asarray(says(_fresh(view)), np.float64)
    return found if what == "imagined" else np.append(0.0, found)

"""Asks bots for their actions and notes who raised, chose what is not legal, or took too long."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kibitz.bots import CompiledBot
from kibitz.bots.conduct import NoMove, at_home, illegal, numbers, raised, timed
from kibitz.bots.stranger import Stranger
from kibitz.core.errors import BotFailed
from kibitz.core.policy import Actions, Bot
from kibitz.core.view import Views


def ask(bot: Bot, look: Callable[[], Views], move_time: float | None) -> tuple[Actions, dict[int, str]]:
    """The actions of a bot at many views, and for each view at which it failed the reason.

    `look` gives fresh views: a bot that raises for the whole batch is asked again, one view at a time,
    to find out where.
    """
    views = look()
    if isinstance(bot, Stranger):
        return bot.ask(views, move_time)
    if move_time is not None and not isinstance(bot, CompiledBot):
        return _one_by_one(bot, views, move_time)
    masks = views.masks.copy()  # the bot may write into its own
    try:
        actions = numbers(bot.act_batch(views), len(views))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return _one_by_one(bot, look(), None)
    reasons: dict[int, str] = {}
    illegal(views, masks, actions, reasons, at_home(bot))
    return actions, reasons


def demand(bot: Bot, views: Views) -> Actions:
    """The actions of a bot at many views, where nobody referees:
    an exception is the caller's, the rest is BotFailed."""
    if isinstance(bot, CompiledBot):
        return bot.act_batch(views)
    masks = views.masks.copy()
    try:
        actions = numbers(bot.act_batch(views), len(views))
    except NoMove as problem:
        raise BotFailed(f"{bot.name} {raised(problem, bot)}") from None
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as problem:  # a bot that leaves must not take the result with it
        raise BotFailed(f"{bot.name} {raised(problem, bot)}") from problem
    reasons: dict[int, str] = {}
    illegal(views, masks, actions, reasons, at_home(bot))
    if reasons:
        raise BotFailed(f"{bot.name} in seat {views.seats[min(reasons)]} {reasons[min(reasons)]}")
    return actions


def _one_by_one(bot: Bot, views: Views, move_time: float | None) -> tuple[Actions, dict[int, str]]:
    masks = views.masks.copy()
    actions = np.full(len(views), -1, np.int64)
    reasons: dict[int, str] = {}
    for i, view in enumerate(views):
        try:
            actions[i] = timed(bot.act, view, move_time)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            reasons[i] = raised(problem, bot)
    illegal(views, masks, actions, reasons, at_home(bot))
    return actions, reasons

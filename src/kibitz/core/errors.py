"""Everything that can go wrong because of what somebody asked for: each message says what would be right."""

from __future__ import annotations

from pathlib import Path


class KibitzError(ValueError):
    """A request that cannot be met; at the command line it is one line and exit code 2."""


class UnknownGame(KibitzError):
    """No game is registered under this name."""


class BadGame(KibitzError):
    """A game of somebody else's cannot be made; the message names its package and the place in its file."""


class UnknownBot(KibitzError):
    """No bot is registered under this name."""


class UnknownExperiment(KibitzError):
    """No experiment of a paper is registered under this name."""


class BadOption(KibitzError):
    """A game, bot or learner has no such option, or not with this value."""


class IllegalMove(KibitzError):
    """The rules forbid this move here."""


class BadRecord(KibitzError):
    """A written game, deal or result does not say what its format asks for."""


class BadPolicy(KibitzError):
    """A policy is not one probability distribution over the legal actions of each information set."""


class BadInput(KibitzError):
    """Arguments that do not fit together."""


class BotFailed(KibitzError):
    """A bot raised, chose what is not legal, took too long or died; the message names it and the place in its file."""


class MissingExtra(KibitzError):
    """An optional dependency is not installed; the message names the command that installs it."""

    def __init__(self, package: str | None, extras: str) -> None:
        super().__init__(f"{package} is not installed: {install_command(extras)}")


def install_command(extras: str) -> str:
    """What installs an optional dependency, from a checkout or from anywhere."""
    checkout = (Path(__file__).parents[3] / "pyproject.toml").exists()
    where = "." if checkout else "kibitz"
    return f"pip install '{where}[{extras}]'"

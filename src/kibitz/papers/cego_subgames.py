"""Cego: models of the six sub-games in the paper's set-ups (Table VII)."""

from __future__ import annotations

from kibitz.arena.statistics import Measured, centre
from kibitz.papers import claims
from kibitz.papers.cego import SPREAD, TABLE_3, titled
from kibitz.papers.cego_playing import (
    SEEDS_7,
    TABLE_7,
    TABLE_7_RAEUBER,
    Seated,
    everybody,
    is_shipped,
    per_seed_7,
    published,
    soloist,
)  # fmt: skip
from kibitz.papers.experiment import Cell, Claim, Published, Result, Scale, Table, experiment

SETUPS = {1: (0,), 2: (1,), 3: (0, 1), 4: (0, 1, 2, 3)}
"""The seats that models play; random players have the others."""
RAEUBER_SETUPS = {1: (0,), 2: (0, 1), 3: (0, 1, 2, 3)}
SPECIALISTS = {1: "soloist", 2: "defender"}
"""Models that learned one seat against random players alone, by the set-up they are made for."""
JUDGED = (1, 2)
BALANCE = "what soloist and defenders of one run do to each other: a balance, no level to reach"
FEWER = "our models learned from 2 to 96 million decisions, the paper's from 1,500 to 2,500 million frames"
EASIER = (
    "ours see suits in a canonical order, trust the network's values on the way to the end, and met random players in "
    "a part of their games"
)
SPECIAL = "it learned against random players alone, where the paper's learned by self-play"


@experiment("cego.table7")
def table7(scale: Scale) -> Result:
    """Play the shipped models of every sub-game in the paper's set-ups."""
    rows: list[list[Cell]] = []
    alone: list[list[Cell]] = []
    made: list[Claim] = []
    special: list[Claim] = []
    better: list[str] = []
    for subgame in scale.track(list(TABLE_7), "sub-games"):
        for setup, seats in SETUPS.items():
            known = published(subgame, TABLE_7[subgame][setup - 1])
            name = f"cego-{subgame}"
            if is_shipped(name):
                measured = _measured(subgame, name, seats, scale)
                away = from_random(subgame, measured)
                rows.append([subgame, setup, name, known, measured, f"{away:+.0f}"])
                made.append(judged(subgame, setup, known, measured))
                if setup == 1 and away > 5:
                    better.append(subgame)
            name = f"cego-{subgame}-{SPECIALISTS.get(setup, '')}"
            if setup in SPECIALISTS and is_shipped(name):
                measured = _measured(subgame, name, seats, scale)
                alone.append([subgame, setup, name, known, measured])
                special.append(judged(subgame, setup, known, measured, is_special=True))
    raeuber = _raeuber(scale, alone, made, special)
    above = "Every soloist beats random play (set-up 1, by five standard errors)"
    made.insert(
        0, claims.sentence("above random", above, ", ".join(TABLE_7), ", ".join(better), len(better) == len(TABLE_7))
    )
    games = f"{len(SEEDS_7)} seeds with {per_seed_7(scale):,} games each"
    return Result(
        "Models of the six sub-games (Table VII)",
        tables=[
            Table(
                f"Self-play models: the soloist's result, {games}",
                ["sub-game", "set-up", "model", "published", "ours", "standard errors from random play"],
                rows,
            ),
            Table(
                f"Räuber, self-play model: games won by position, {games}",
                ["set-up", "position", "player", "published", "ours"],
                raeuber,
            ),
            Table(
                f"Specialists, which learned one seat against random players alone, {games}",
                ["sub-game", "set-up", "specialist", "published, by self-play", "ours, against random players"],
                alone,
            ),
        ],
        claims=[*made, *special],
        notes=[
            "Set-up 1: model as soloist, the others random. 2: model in seat 2, the others random. 3: models in seats "
            "1 and 2. 4: models in all seats. Räuber: models in seat 1; in seats 1 and 2; in all.",
            "cego-NAME learned in all four seats by self-play; now and then a random player took a seat (in Standard "
            "and Räuber the rule player too), as its card says.",
            "In set-ups 2 and 4 a lower value for the soloist is better for the models that oppose him. Set-up 4 sets "
            "soloist and defenders of one run against each other, so it measures their balance and not their strength.",
            "Random play is Table III; in set-up 2 the model has improved on it if the soloist has less.",
            "The errors of the published values are those of 250,000 games; the paper itself prints none.",
        ],
    )


def _measured(subgame: str, name: str, seats: tuple[int, ...], scale: Scale) -> Measured:
    players = [Seated(name) if seat in seats else None for seat in range(4)]
    points, won = soloist(subgame, players, SEEDS_7, per_seed_7(scale), scale)
    return points if subgame in SPREAD else won


def _raeuber(scale: Scale, alone: list[list[Cell]], made: list[Claim], special: list[Claim]) -> list[list[Cell]]:
    """The rows of Räuber, where everybody plays for himself; adds what is claimed of them."""
    rows: list[list[Cell]] = []
    name = "cego-raeuber"
    for setup, seats in scale.track(list(RAEUBER_SETUPS.items()) if is_shipped(name) else [], "Räuber"):
        rates = everybody("raeuber", [Seated(name) if s in seats else None for s in range(4)], SEEDS_7,
                          per_seed_7(scale), scale)  # fmt: skip
        for seat, rate in enumerate(rates):
            known = raeuber_known(setup, seat)
            rows.append([setup, seat + 1, "model" if seat in seats else "random", known, rate])
            key = f"raeuber {setup} {seat + 1}"
            if setup < 3 and seat in seats:
                says = f"Räuber, self-play models in {setup} of 4 seats: games won by model {seat + 1}"
                made.append(claims.number(key, says, known, rate, better="higher", reason=FEWER, caveat=EASIER))
            elif setup == 3:
                says = f"Räuber, self-play models in all seats: games won in position {seat + 1}"
                made.append(claims.form(key, says, known, rate, BALANCE))
    name = "cego-raeuber-soloist"
    if is_shipped(name):
        rate = everybody("raeuber", [Seated(name), None, None, None], SEEDS_7, per_seed_7(scale), scale)[0]
        alone.append(["raeuber", 1, name, raeuber_known(1, 0), rate])
        says = "Räuber, a specialist against random players in seat 1: games won"
        special.append(
            claims.number("raeuber special", says, raeuber_known(1, 0), rate, better="higher", reason=FEWER,
                          caveat=SPECIAL)
        )  # fmt: skip
    return rows


def raeuber_known(setup: int, seat: int) -> Published:
    """A value of Table VII for Räuber."""
    return published("raeuber", TABLE_7_RAEUBER[setup - 1][seat])


def from_random(subgame: str, ours: Measured) -> float:
    """How far a soloist's result lies from random play, in standard errors."""
    return (centre(ours) - TABLE_3[subgame][0] / (1 if subgame in SPREAD else 100)) / ours.se


def judged(subgame: str, setup: int, known: Published, ours: Measured, *, is_special: bool = False) -> Claim:
    """A number of Table VII: more is better for soloists, less for those who oppose him, and the rest is a balance."""
    what = "points" if subgame in SPREAD else "games won"
    learned = "a specialist against random players" if is_special else "self-play"
    key = f"{subgame} {setup}{' special' if is_special else ''}"
    says = f"{titled(subgame)}, set-up {setup}, {learned}: the soloist's {what}"
    if setup not in JUDGED:
        return claims.form(key, says, known, ours, BALANCE)
    better = "higher" if setup == 1 else "lower"
    caveat = SPECIAL if is_special else EASIER
    return claims.number(key, says, known, ours, better=better, reason=FEWER, caveat=caveat)

"""The solver of the trick-taking kit agrees with minimax over every line of play, also in the middle of a trick."""

import json
import subprocess
import sys
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kibitz.core.game import make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.games.tricks import layout as at
from kibitz.games.tricks.kit import TrickGame
from kibitz.search.solver import arena as ar
from kibitz.search.solver.solver import Solver, solver_of
from tests.search.trick_brute import PENALTIES, brute_values

NAMES = ("hearts", "euchre", "belote")
AIMS = {
    "hearts": (ar.FEW_POINTS, ar.POINTS, ar.TRICKS, ar.NO_TRICK, ar.ONE_TRICK),
    "euchre": (ar.TRICKS, ar.NO_TRICK, ar.ONE_TRICK),
    "belote": (ar.POINTS, ar.TRICKS, ar.FEW_POINTS, ar.ONE_TRICK),
}
AIM_NAMES = ("POINTS", "TRICKS", "FEW_POINTS", "NO_TRICK", "ONE_TRICK", "LAST_TRICK")
PAIRS = [pytest.param(name, aim, id=f"{name}-{AIM_NAMES[aim]}") for name in NAMES for aim in AIMS[name]]
FEW = 8 if PLAIN else 40


def kit_of(name: str) -> TrickGame:
    found: TrickGame = import_module(f"kibitz.games.{name}").GAME
    return found


@cache
def endings(name: str, cards: int, n: int, seed: int = 1, alone: bool | None = None, **options: str) -> list[Any]:
    """States of random games in which nobody has more cards than that: at the start of a trick or within it."""
    game, luck, found = make(name, **options), np.random.default_rng(seed), []
    number = 0
    while len(found) < n:
        p = Position(game, seed, number)
        number += 1
        while not p.is_over and not is_ending(p.state, cards):
            p.push(int(luck.choice(p.legal_actions())))
        for _ in range(int(luck.integers(0, 4))):
            if not p.is_over:
                p.push(int(luck.choice(p.legal_actions())))
        if not p.is_over and (alone is None or alone == (p.state[at.OUT] >= 0)):
            found.append(p.state.copy())
    return found


def is_ending(s: Any, cards: int) -> bool:
    sizes = [int(s[at.HAND + seat]).bit_count() for seat in range(4) if seat != s[at.OUT]]
    return bool(s[at.PHASE] == at.PLAYING) and max(sizes) <= cards


def asked_of(name: str, number: int) -> int:
    """In Hearts a seat, elsewhere a side."""
    return 1 << number % 4 if name == "hearts" else (5, 10)[number % 2]


def found_values(row: NDArray[np.int64]) -> dict[int, int]:
    return {int(card): int(row[card]) for card in np.flatnonzero(row >= 0)}


def shown(kit: TrickGame, s: Any) -> str:
    return str(make(kit.name).words.show(s))


def bonus_of(name: str, aim: int) -> int:
    return 10 if name == "belote" and aim in (ar.POINTS, ar.FEW_POINTS) else 0


def compare(name: str, aim: int, states: list[Any]) -> None:
    kit, bonus = kit_of(name), bonus_of(name, aim)
    asked = np.array([asked_of(name, k) for k in range(len(states))])
    taken = np.array([k // 4 % 2 for k in range(len(states))])
    values = solver_of(kit).ask(np.array(states), aim, asked, taken=taken, bonus=bonus)
    for s, who, had, row in zip(states, asked, taken, values, strict=True):
        found, wanted = found_values(row), brute_values(kit, s, aim, int(who), bonus=bonus, taken=int(had))
        if aim == ar.NO_TRICK:  # whether there is one is asked, not how many
            found, wanted = at_most_one(found), at_most_one(wanted)
        assert found == wanted, f"{AIM_NAMES[aim]} of {who:04b}, {had} taken\n{shown(kit, s)}"


def at_most_one(values: dict[int, int]) -> dict[int, int]:
    return {card: min(1, value) for card, value in values.items()}


@pytest.mark.parametrize(("name", "aim"), PAIRS)
def test_three_cards_agree_with_brute_force(name: str, aim: int) -> None:
    compare(name, aim, endings(name, 3, FEW))


@pytest.mark.slow
@pytest.mark.parametrize("cards", [4, 5])
@pytest.mark.parametrize(("name", "aim"), PAIRS)
def test_five_cards_agree_with_brute_force(name: str, aim: int, cards: int) -> None:
    compare(name, aim, endings(name, cards, 6 if cards == 5 else 60, seed=2))


def test_roots_lie_at_the_start_and_within_a_trick() -> None:
    for name in NAMES:
        counts = {int(s[at.COUNT]) for s in endings(name, 3, FEW)}
        assert len(counts) > 2 or PLAIN, name


@pytest.mark.parametrize("cards", [3, pytest.param(5, marks=pytest.mark.slow)])
def test_belote_without_undertrumping_agrees_with_brute_force(cards: int) -> None:
    compare("belote", ar.POINTS, endings("belote", cards, FEW if cards == 3 else 12, 3, undertrump="off"))


@pytest.mark.parametrize("cards", [3, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("aim", [ar.TRICKS, ar.ONE_TRICK], ids=["TRICKS", "ONE_TRICK"])
def test_euchre_alone_agrees_with_brute_force(aim: int, cards: int) -> None:
    states = endings("euchre", cards, FEW // 2 if cards == 3 else 12, 4, alone=True)
    assert all(s[at.OUT] >= 0 for s in states)
    compare("euchre", aim, states)


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
def test_another_process_answers_with_the_kernels_that_were_kept() -> None:
    states = np.array(endings("euchre", 3, 4, 4, alone=True))
    asked = np.full(len(states), 5)
    wanted = solver_of(kit_of("euchre")).ask(states, ar.TRICKS, asked)
    found = subprocess.run([sys.executable, "-c", ANOTHER, json.dumps(states.tolist())], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == wanted.tolist()


ANOTHER = """
import json, sys
import numpy as np
from kibitz.games.euchre import GAME
from kibitz.search.solver import arena, solver
states = np.array(json.loads(sys.argv[1]))
print(json.dumps(solver.solver_of(GAME).ask(states, arena.TRICKS, np.full(len(states), 5)).tolist()))
"""


def test_games_with_three_and_four_players_are_answered_together() -> None:
    states = np.array(endings("euchre", 3, 4, 4, alone=True) + endings("euchre", 3, 4, 4, alone=False))[::-1]
    solver = solver_of(kit_of("euchre"))
    asked = np.full(len(states), 5)
    whole = solver.ask(states, ar.TRICKS, asked)
    for k in range(len(states)):
        assert (whole[k] == solver.ask(states[k : k + 1], ar.TRICKS, asked[:1])[0]).all()


@pytest.mark.parametrize("cards", [3, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMES)
def test_last_trick_with_a_marked_card_agrees_with_brute_force(name: str, cards: int) -> None:
    kit, both = kit_of(name), set()
    for k, s in enumerate(endings(name, cards, FEW if cards == 3 else 12, 5)):
        seat = next(seat for seat in (k % 4, (k + 1) % 4) if seat != s[at.OUT])
        held = [card for card in range(len(kit.deck.names)) if int(s[at.HAND + seat]) >> card & 1]
        if not held:
            continue
        marked = 1 << held[k // 4 % len(held)]
        asked = 1 << seat if name == "hearts" else 5 << seat % 2
        found = solver_of(kit).ask(s[None], ar.LAST_TRICK, np.array([asked]), marked=marked)[0]
        wanted = brute_values(kit, s, ar.LAST_TRICK, asked, marked=marked)
        assert found_values(found) == wanted, f"{kit.deck.text(marked)} of seat {seat}\n{shown(kit, s)}"
        both |= set(wanted.values())
    assert both == {0, 1} or PLAIN or cards > 3


@pytest.mark.parametrize(("name", "aim"), PAIRS)
def test_questions_agree_with_values(name: str, aim: int) -> None:
    states = np.array(endings(name, 3 if PLAIN else 5, FEW))
    asked = np.array([asked_of(name, k) for k in range(len(states))])
    ask = solver_of(kit_of(name)).ask
    values = ask(states, aim, asked, bonus=bonus_of(name, aim))
    needs = (0, 1) if aim in (ar.NO_TRICK, ar.ONE_TRICK) else (0, 1, 2, 3, 5, 8, 13, 20, 40, 90)
    for need in needs:
        answers = ask(states, aim, asked, need=np.full(len(states), need), bonus=bonus_of(name, aim))
        assert (answers == np.where(values >= 0, values >= need, -1)).all(), need


@pytest.mark.parametrize(("name", "aim"), PAIRS)
def test_without_each_the_best_card_is_told(name: str, aim: int) -> None:
    states = np.array(endings(name, 3 if PLAIN else 5, FEW))
    asked = np.array([asked_of(name, k) for k in range(len(states))])
    ask, bonus = solver_of(kit_of(name)).ask, bonus_of(name, aim)
    need = np.ones(len(states), np.int64) if aim == ar.NO_TRICK else None
    values = ask(states, aim, asked, need=need, bonus=bonus)
    best = ask(states, aim, asked, need=need, bonus=bonus, only=0)
    for s, who, row, told in zip(states, asked, values, best, strict=True):
        own = bool(who >> s[at.TURN] & 1) == (aim not in (ar.FEW_POINTS, ar.NO_TRICK))
        wanted = max(found_values(row).values()) if own else min(found_values(row).values())
        assert told[0] == wanted and (told[1:] == -1).all()


@pytest.mark.parametrize("name", NAMES)
def test_two_threads_answer_as_one(name: str) -> None:
    states = np.array(endings(name, 3 if PLAIN else 5, FEW))
    asked = np.array([asked_of(name, k) for k in range(len(states))])
    aim = AIMS[name][0]
    one, two = (solver_of(kit_of(name)).ask(states, aim, asked, threads=n) for n in (1, 2))
    assert (one == two).all()


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    states = np.array(endings("hearts", 3 if PLAIN else 5, FEW))
    asked = np.array([asked_of("hearts", k) for k in range(len(states))])
    used, fresh = solver_of(kit_of("hearts")), Solver(kit_of("hearts"))
    for k in (0, len(states) // 2, len(states) - 1):
        row = slice(k, k + 1)
        fresh.free.clear()
        one, other = (solver.ask(states[row], ar.FEW_POINTS, asked[row]) for solver in (used, fresh))
        assert (one == other).all()


@pytest.mark.parametrize("seed", range(4))
def test_hearts_that_are_not_broken_yet_may_be_led_once_they_are(seed: int) -> None:
    kit, luck = kit_of("hearts"), np.random.default_rng(seed)
    s = unbroken(kit, luck)
    for seat in range(4):
        found = solver_of(kit).ask(s[None], ar.FEW_POINTS, np.array([1 << seat]))[0]
        assert found_values(found) == brute_values(kit, s, ar.FEW_POINTS, 1 << seat), f"seat {seat}\n{shown(kit, s)}"


def unbroken(kit: TrickGame, luck: np.random.Generator) -> NDArray[np.int64]:
    """Nine tricks were played without a heart or the queen of spades; the leader has another card."""
    names = kit.deck.names
    penalties = [card for card, name in enumerate(names) if name in PENALTIES]
    others = [card for card in range(52) if card not in penalties]
    luck.shuffle(others)
    left = penalties + others[:2]
    luck.shuffle(left)
    s = Position(make("hearts", passing="keep"), deal=dealt(names, left, others[2:])).state
    for seat in range(4):
        kept = sum(1 << card for card in left[4 * seat : 4 * seat + 4])
        s[at.PLAYED + seat] = int(s[at.HAND + seat]) & ~kept
        s[at.HAND + seat] = kept
    s[at.DONE] = 9
    s[at.TRICKS] = 9
    s[at.TURN] = s[at.LEADER] = next(seat for seat in range(4) if set(left[4 * seat : 4 * seat + 4]) & set(others))
    return s


def dealt(names: tuple[str, ...], left: list[int], gone: list[int]) -> str:
    hands = [left[4 * seat : 4 * seat + 4] + gone[9 * seat : 9 * seat + 9] for seat in range(4)]
    return " | ".join(" ".join(names[card] for card in hand) for hand in hands) + " ; keep"

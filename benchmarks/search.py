"""Open-card solvers, worlds and the searching player: the figures of docs/methods/search.md.

CPU time of one thread, so that a busy machine disturbs little. `python benchmarks/search.py [DEALS]`.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from kibitz.bots import make_bot
from kibitz.core.batch import Batch
from kibitz.core.game import Game, make
from kibitz.core.view import view_of
from kibitz.games.coinche import layout as coinche
from kibitz.games.skat import contracts
from kibitz.games.skat import state as skat
from kibitz.search import worlds
from kibitz.search.pimc import Pimc, payoff_of
from kibitz.search.solver.solver import Solver

Ints = NDArray[np.int64]
FOUND: dict[str, float] = {}
"""What has been measured, per second, by the line that tells it."""


def declared(n: int, is_grand: bool, seed: int = 2024) -> Ints:
    """Plausible Skat deals: the strongest of three seats on twelve cards declares."""
    states = Batch(make("skat"), n, seed=seed, games=n).state.copy()
    for s in states:
        cards = [int(s[skat.HAND + seat] | s[skat.ASIDE]) for seat in range(3)]
        seat = max(range(3), key=lambda k: strength(cards[k], is_grand))
        kind = 4 if is_grand else int(contracts.longest_suit(cards[seat]))
        contracts.set_up(s, seat, kind, contracts.planned_discards(cards[seat], kind), 0)
    return states


def strength(cards: int, is_grand: bool) -> float:
    held = [card for card in range(32) if cards >> card & 1]
    jacks, aces, tens = (sum(card % 8 == rank for card in held) for rank in (7, 6, 5))
    if is_grand:
        return 3 * jacks + 2 * aces + tens
    suit = contracts.longest_suit(cards)
    return 2 * jacks + 2 * sum(card // 8 == suit and card % 8 != 7 for card in held) + 1.5 * aces + 0.7 * tens


def declared_by_rule(n: int, kind: int, tries: int) -> Ints:
    """Games of a kind that skat-rule declares in so many deals for each."""
    game = make("skat")
    bot = make_bot(game, "skat-rule")
    batch = Batch(game, tries * n, seed=7, games=tries * n)
    while (early := (batch.turn >= 0) & (batch.state[:, skat.PHASE] != skat.PLAYING)).any():
        rows = np.flatnonzero(early)
        actions = np.zeros(batch.n, np.int64)
        actions[rows] = bot.act_batch(batch.views(rows))
        waiting = batch.turn.copy()
        batch.turn[~early] = -1
        batch.step(actions)
        batch.turn[~early] = waiting[~early]
    return batch.state[(batch.turn >= 0) & (batch.state[:, skat.CONTRACT] == kind)][:n]


def solve_times(game: Game, states: Ints, each: bool = False, need: int | None = None) -> NDArray[np.float64]:
    """Milliseconds for the exact value of every position (or whether it reaches `need`), or for each card in it.

    Of the search alone: a question costs a tenth of a millisecond of Python besides, however many positions it has.
    """
    payoff = payoff_of(game)
    wanted = None if need is None else np.array([need])
    only = -1 if each else 0
    payoff.values(states[:1], wanted, 1, only=only)
    found = []
    with searching() as spent:
        for row in range(len(states)):
            spent.clear()
            payoff.values(states[row : row + 1], wanted, 1, only=only)
            found.append(1000 * sum(spent))
    return np.array(found)


@contextmanager
def searching() -> Iterator[list[float]]:
    """The seconds that each call of a compiled search takes."""
    spent: list[float] = []
    compiled = Solver.answer

    def answer(solver: Solver, in_trick: int) -> Callable[..., None]:
        def timed(*question: object) -> None:
            start = time.thread_time()
            compiled(solver, in_trick)(*question)
            spent.append(time.thread_time() - start)

        return timed

    with mock.patch.object(Solver, "answer", answer):
        yield spent


def line(name: str, ms: NDArray[np.float64]) -> float:
    print(
        f"{name:52} mean {ms.mean():8.2f} ms  median {np.median(ms):7.2f}  p95 {np.percentile(ms, 95):8.2f}  max "
        f"{ms.max():8.1f}"
    )
    FOUND[name] = 1000 / float(ms.mean())
    return float(ms.mean())


def skat_figures(n: int) -> None:
    game = make("skat")
    for is_grand in (False, True):
        kind = "grand" if is_grand else "suit"
        states = declared(n, is_grand)
        line(f"Skat {kind}, ten cards: 61?", solve_times(game, states, need=61))
        line(f"Skat {kind}, ten cards: 61? for every card", solve_times(game, states, True, 61))
        line(f"Skat {kind}, ten cards: exact value", solve_times(game, states))
    line("Skat grand as skat-rule declares: 61?", solve_times(game, declared_by_rule(n, 4, 4), need=61))
    line("Skat null as skat-rule declares", solve_times(game, declared_by_rule(n, 5, 30)))


def coinche_figures(n: int) -> None:
    states = []
    for suit, letter in enumerate("shdc"):
        game = make("coinche", auction="none", contract=f"80{letter}", dealer=0)
        states.append(Batch(game, n // 4, seed=suit, games=n // 4).state)
    every = np.concatenate(states)
    ours = line("Coinche, eight tricks: exact value", solve_times(game, every))
    try:
        import colver
    except ImportError:
        print("colver is not installed: no comparison")
        return
    spent = []
    for s in every[:: max(1, len(every) // 40)]:
        hands = [[card for card in range(32) if int(s[coinche.HAND + seat]) >> card & 1] for seat in range(4)]
        peer = colver.Env.deal_with_hands(0, hands)
        start = time.thread_time()
        peer.solve_all_suits()
        spent.append(1000 * (time.thread_time() - start) / 4)
    theirs = line("colver, eight tricks, per trump suit", np.array(spent))
    print(f"{'ratio colver / ours':52} {theirs / ours:.1f}")


def cego_figures(n: int) -> None:
    few = max(4, n // 10)
    for name in ("standard", "solo", "ultimo", "bettel", "piccolo", "raeuber"):
        game = make(f"cego-{name}")
        bot = make_bot(game, "cego-rule")
        batch = Batch(game, 10 * few, seed=3, games=10 * few)
        for _ in range(16):
            rows = np.flatnonzero(batch.turn >= 0)
            actions = np.zeros(batch.n, np.int64)
            actions[rows] = bot.act_batch(batch.views(rows))
            batch.step(actions)
        states = batch.state[batch.turn >= 0][:few]
        line(f"Cego {name}, seven cards: exact, every card", solve_times(game, states, each=True))


def world_figures(n: int) -> None:
    cases: list[tuple[str, dict[str, object]]] = [
        ("skat-suit", {}),
        ("coinche", {"auction": "none"}),
        *((f"cego-{name}", {}) for name in ("standard", "solo", "ultimo", "bettel", "piccolo", "raeuber")),
    ]
    for name, options in cases:
        game = make(name, **options)
        s = Batch(game, 1, seed=5, games=1).state[0]
        for seat in (0, 1):
            view = view_of(game, s, seat)
            worlds.sample(view, 20_000)  # compiles, and takes its memory
            found = rate(lambda view=view: worlds.sample(view, 20_000), 20_000)  # type: ignore[misc]
            FOUND[f"{name}, seat {seat}: worlds"] = found
            print(f"{f'{name}, seat {seat}: worlds a second':52} {found:,.0f}")


def rate(work: Callable[[], object], count: int) -> float:
    start = time.thread_time()
    work()
    return count / (time.thread_time() - start)


def player_figures(n: int) -> None:
    game = make("skat-suit")
    for played, name in ((0, "first card"), (9, "fourth trick")):
        wall, cpu = moves(game, max(4, n // 10), played)
        line(f"Skat pimc, 32 worlds, two threads: {name}, wall", wall)
        line(f"Skat pimc, 32 worlds, two threads: {name}, CPU", cpu)


def moves(game: Game, n: int, played: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Milliseconds for a card, by the clock and of all threads together."""
    rule, bot = make_bot(game, "skat-rule"), Pimc(game, worlds=32, threads=2)
    batch = Batch(game, n + 1, seed=11, games=n + 1)
    for _ in range(played):
        batch.step(rule.act_batch(batch.views()))
    found = []
    for view in batch.views():
        wall, cpu = time.perf_counter(), time.process_time()
        bot.act(view)
        found.append((1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - cpu)))
    times = np.array(found[1:])  # the first one may compile
    return times[:, 0], times[:, 1]


def rates(*parts: Callable[[int], None], n: int = 80) -> dict[str, float]:
    """Deals, worlds and moves a second of kibitz alone."""
    FOUND.clear()
    for part in parts or FIGURES:
        part(n)
    return {name: rate for name, rate in FOUND.items() if not name.startswith("colver") and not name.endswith("wall")}


FIGURES = (skat_figures, coinche_figures, cego_figures, world_figures, player_figures)
PARTS = {
    "skat": partial(rates, skat_figures), "coinche": partial(rates, coinche_figures),
    "cego": partial(rates, cego_figures), "worlds": partial(rates, world_figures),
    "player": partial(rates, player_figures),
}  # fmt: skip


def main() -> None:
    for part in FIGURES:
        part(int(sys.argv[1]) if len(sys.argv) > 1 else 200)


if __name__ == "__main__":
    main()

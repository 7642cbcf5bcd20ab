"""What every game must keep, checked by playing it: run it over your own game too.

from kibitz.core.conformance import check
check(make("kuhn", players=3), games=200)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from kibitz.core import rng
from kibitz.core.batch import Batch, infoset_rows
from kibitz.core.errors import KibitzError
from kibitz.core.game import CHANCE, OVER, Game, State
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.core.record import read_record, replay, write_record
from kibitz.core.telling import told

SEED = 7
CLOSELY, NOW_AND_THEN = (4, 23) if PLAIN else (60, 97)
A_FEW, FEWER = 12, 3
FEW_DEALS, MANY_DEALS = 600, 4000
FEW_VALUES, UNLIKELY = 16, 1e-7
REPLAYED = 7
"""Redealt worlds are replayed after every so many moves."""
LONG_ENOUGH = 600
"""The first moves of a game are all looked at closely, then one in so many; a game as long as this (Cheat) is left
there. Plain Python is slow: there fewer moves are looked at."""


class Broken(AssertionError):
    """A game does not keep the contract; `kernels` are what to look at, the likeliest first."""

    def __init__(self, what: str, kernels: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.kernels = kernels


def check(game: Game, games: int = 100, seed: int = SEED) -> None:
    """Play random games and check everything below at every move; raises Broken with the place."""
    check_options(game)
    for number in range(games):
        check_game(game, seed, number)
    check_batch(game, min(games, 64), seed)
    check_luck(game, min(games, 8), seed)
    if game.has("chances"):
        check_chance(game, FEW_DEALS if PLAIN else MANY_DEALS, seed)


def check_options(game: Game) -> None:
    """Slots of options come first and `deal` leaves them alone; constants are sane."""
    s = game.blank()
    slots = np.flatnonzero(s)
    before = s.copy()
    game.deal(s, rng.fresh(SEED, 0))
    _hold(bool((s[slots] == before[slots]).all()), game, "deal changes the slots of options", "deal")
    _hold(len(game.words.ACTION_WORDS) == game.ACTIONS, game, "there is not one word per action", "ACTION_WORDS")
    for kind, observation in game.observations.items():
        top = max(part.stop for part in observation.slices.values())
        _hold(top == observation.senses, game, f"the slices of observation {kind} do not end at its length", "SLICES")


def check_game(game: Game, seed: int, number: int) -> None:
    """One random game: legality, views, redeals, what listeners are told, undo, words, record."""
    luck = rng.generator(seed, "conformance", number)
    p = Position(game, seed, number, manual_chance=True)
    twin = Position(game, seed, number, manual_chance=True)
    _hold(_same(p.state, twin.state), game, f"game {number}: the same seed deals differently", "deal")
    again = Position(game, seed, number, deal=p.deal_text, manual_chance=True)
    _hold(
        _same(p.state, again.state),
        game,
        f"game {number}: the deal's text does not give the deal back",
        "read_deal",
        "deal_text",
    )
    moves: list[int] = []
    while p.turn != OVER:
        where = f"game {number} after {moves[-CLOSELY:]}"
        _hold(len(moves) < game.LONGEST, game, f"{where}: longer than LONGEST", "LONGEST")
        if len(moves) == LONG_ENOUGH:
            return
        legal = p.legal_actions()
        _hold(bool(legal), game, f"{where}: nothing is legal before the game is over", "legal")
        if p.turn >= 0 and (len(moves) < CLOSELY or len(moves) % NOW_AND_THEN == 0):
            _check_moves(game, p.state, where)
            _check_words(p, where, luck)
            _check_seats(game, p, where, luck)
        move = int(luck.choice(legal))
        mover, before = p.turn, p.state.copy()
        p.push(move)
        if len(moves) < CLOSELY or len(moves) % NOW_AND_THEN == 0:
            _check_telling(game, before, p.state, mover, [other for other in legal if other != move], where, luck)
        if len(moves) % 5 == 0:
            p.pop()
            _hold(_same(p.state, before), game, f"{where}: pop does not restore the bytes", "step")
            p.push(move)
        moves.append(move)
    returns = p.returns()
    _hold(bool(np.isfinite(returns).all()), game, f"game {number}: returns are not finite", "returns")
    least, most, total = game.payoffs.least, game.payoffs.most, game.payoffs.total
    _hold(
        least <= min(returns) and max(returns) <= most,
        game,
        f"game {number}: {returns} beyond {least} to {most}",
        "returns",
        "payoffs",
    )
    if total is not None:
        _hold(
            abs(sum(returns) - total) < 1e-9,
            game,
            f"game {number}: returns {returns} do not sum to {total:g}",
            "returns",
            "payoffs",
        )
    record = write_record(game, seed, number, ["random"] * game.PLAYERS, moves)
    back = read_record(record.line())
    _hold(back == record, game, f"game {number}: the record does not survive JSON", "deal_text")
    _hold(
        _same(replay(back).state, p.state),
        game,
        f"game {number}: the record replays to other bytes",
        "read_deal",
        "step",
    )


def check_batch(game: Game, games: int, seed: int) -> None:
    """Batch and Position agree move by move, whatever the size of the batch."""
    tables = Batch(game, 7, seed, games=games, keep_log=True)
    logs: dict[int, list[int]] = {}
    positions = {int(n): Position(game, seed, int(n)) for n in tables.number if n >= 0}
    steps = 0
    while (tables.turn >= 0).any() and steps < LONG_ENOUGH:
        steps += 1
        actions = np.zeros(tables.n, np.int64)
        for row in np.flatnonzero(tables.turn >= 0):
            number = int(tables.number[row])
            p = positions.setdefault(number, Position(game, seed, number))
            _hold(_same(p.state, tables.state[row]), game, f"game {number}: Batch and Position differ", "step")
            _hold(
                p.legal_actions() == list(np.flatnonzero(tables.mask[row])),
                game,
                f"game {number}: masks differ",
                "legal",
            )
            legal = np.flatnonzero(tables.mask[row])
            actions[row] = legal[(number * 31 + len(p.actions)) % len(legal)]
            p.push(int(actions[row]))
        tables.step(actions)
        for row in np.flatnonzero(tables.ended):
            number = int(tables.last_number[row])
            p = positions[number]
            _hold(list(tables.returns[row]) == p.returns(), game, f"game {number}: returns differ", "returns")
            logs[number] = [int(x) for x in tables.last_log[row, : tables.last_moves[row]]]
            _hold(logs[number] == p.actions, game, f"game {number}: logs differ")
    _hold(steps == LONG_ENOUGH or sorted(logs) == list(range(games)), game, "not every game was played")


def check_luck(game: Game, games: int, seed: int) -> None:
    """The luck a seat is given is its own: no key of the dealer or of another seat,
    and no dealer to be replayed with it."""
    for number in range(games):
        p = Position(game, seed, number)
        keys = {who: _key(rng.fresh(seed, number, who)) for who in range(rng.DEALER, game.PLAYERS)}
        _hold(len(set(keys.values())) == len(keys), game, f"game {number}: two of the keys are the same")
        while p.turn >= 0 and len(p.actions) < CLOSELY:
            seat = p.turn
            given = p.view(seat).rng
            others = {word for who, key in keys.items() if who != seat for word in key if word}
            _hold(_key(given) == keys[seat], game, f"game {number}: seat {seat} is not given its own luck")
            _hold(not others & set(given.tolist()), game, f"game {number}: seat {seat} is given the key of another")
            p.push(p.legal_actions()[number % len(p.legal_actions())])


def check_chance(game: Game, games: int, seed: int) -> None:
    """The first chance move after the deal does not depend on the deal beyond the probabilities
    that the rules give it."""
    dealt, expected, drawn = [], [], []
    for number in range(games):
        p = Position(game, seed, number, manual_chance=True)
        before = p.state.copy()
        while p.turn >= 0:
            p.push(p.legal_actions()[0])
        if p.turn == CHANCE:
            chances = np.zeros(game.CHANCES)
            chances[: len(p.chances())] = p.chances()
            outcome = np.zeros(game.CHANCES)
            outcome[
                rng.sample(rng.fresh(seed, number, rng.DEALER, len(p.actions), rng.CHANCE), chances, len(chances))
            ] = 1
            dealt.append(before)
            expected.append(chances)
            drawn.append(outcome)
    if drawn:
        for slot, values in enumerate(np.array(dealt).T):
            likely = _as_likely(values, np.array(expected), np.array(drawn))
            _hold(
                likely > UNLIKELY / game.SIZE,
                game,
                f"the first chance move depends on slot {slot} of the deal",
                "chances",
            )


def _as_likely(values: NDArray[np.int64], expected: NDArray[np.float64], drawn: NDArray[np.float64]) -> float:
    """How likely chance outcomes that do not depend on these values are to lie so far from their probabilities."""
    kinds = np.unique(values)
    if len(kinds) > FEW_VALUES:
        return 1.0
    score, freedom = 0.0, 0
    for kind in kinds:
        wanted, found = expected[values == kind].sum(axis=0), drawn[values == kind].sum(axis=0)
        enough = wanted >= 5.0
        score += float(((found - wanted)[enough] ** 2 / wanted[enough]).sum())
        freedom += int(enough.sum())
    return float(chdtrc(freedom, score)) if freedom else 1.0


def _key(r: NDArray[np.int64]) -> tuple[int, int]:
    return int(r[rng.KEY]), int(r[rng.WHITENING])


def _check_moves(game: Game, s: State, where: str) -> None:
    """The mask of legal actions is counted, and as bits it says the same."""
    mask = np.zeros(game.ACTIONS, np.bool_)
    count = game.legal(s, mask)
    _hold(count == mask.sum(), game, f"{where}: legal does not count its mask", "legal")
    if game.has("moves"):
        bits, first = int(game.moves(s)), int(game.block(s))
        listed = [first + k for k in range(64) if bits >> k & 1]
        _hold(listed == list(np.flatnonzero(mask)), game, f"{where}: moves and legal differ", "moves", "legal")


def _check_words(p: Position, where: str, luck: np.random.Generator) -> None:
    """The word of a legal action reads back as that action."""
    legal = p.legal_actions()
    for action in legal if len(legal) <= A_FEW else luck.choice(legal, A_FEW, replace=False):
        _hold(p.read(p.word(action)) == action, p.game, f"{where}: {p.word(action)} does not read back", "ACTION_WORDS")


def _check_seats(game: Game, p: Position, where: str, luck: np.random.Generator) -> None:
    """Whatever a seat is given is unchanged when everything it cannot see is dealt anew."""
    for seat in range(game.PLAYERS):
        given = _given(game, p.state, seat)
        blanked = np.zeros(game.SIZE, np.int64)
        game.view(p.state, seat, blanked)
        for part, seen in _given(game, blanked, seat).items():
            _hold(seen == given[part], game, f"{where}: {part} gives seat {seat} more than its view", part, "view")
        other = p.state.copy()
        game.redeal(other, seat, rng.fresh(int(luck.integers(1 << 40)), 0, seat))
        for part, seen in _given(game, other, seat).items():
            what = f"{where}: seat {seat} notices a redeal by {part}{_change(game, p.state, other, seat)}"
            _hold(seen == given[part], game, what, part, "redeal")
        if len(p.actions) % REPLAYED == 0:
            _check_replay(game, other, p, f"{where}: seat {seat}")
        if seat == p.turn:
            _hold(game.turn(other) == seat, game, f"{where}: another seat is to move after a redeal", "redeal", "turn")
        if not p.actions:
            _check_redealt(game, other, seat, where)


def _check_redealt(game: Game, s: State, seat: int, where: str) -> None:
    """Before the first move a redeal is a deal: its text can be read.
    (Not its bytes: a memory may be kept in other ways.)"""
    text = game.words.deal_text(s)
    again = game.blank()
    try:
        game.words.read_deal(text, again)
    except KibitzError as problem:
        raise Broken(f"{game.name}: {where}: redealt for seat {seat}: {problem}", ("redeal", "read_deal")) from None
    is_same = game.words.deal_text(again) == text
    _hold(is_same, game, f"{where}: redealt for seat {seat}, {text!r} does not read back", "redeal", "read_deal")


def _change(game: Game, s: State, other: State, seat: int) -> str:
    """The first slot of a seat's view in which two states differ, for people."""
    seen = np.zeros((2, game.SIZE), np.int64)
    game.view(s, seat, seen[0])
    game.view(other, seat, seen[1])
    slots = np.flatnonzero(seen[0] != seen[1])
    return f" (slot {slots[0]}: {seen[0, slots[0]]} before, {seen[1, slots[0]]} after)" if len(slots) else ""


def _check_replay(game: Game, world: State, p: Position, where: str) -> None:
    """A redealt world is a game that can have been played: its own deal and moves lead to it."""
    history = getattr(game.parts["rules"], "history", None)
    if history is None:
        return
    again = Position(game, p.seed, p.number, deal=game.words.deal_text(world), manual_chance=True)
    for place, move in enumerate(history(world)):
        _hold(
            move in again.legal_actions(),
            game,
            f"{where}: move {place} is illegal in a redealt world",
            "redeal",
            "legal",
        )
        again.push(move)
    _hold(_same(again.state, world), game, f"{where}: a redealt world is not what its moves lead to", "redeal", "step")


def _check_telling(
    game: Game, before: State, after: State, mover: int, others: list[int], where: str, luck: np.random.Generator
) -> None:
    """A listener is told of a move what it sees of it: the same in every world it can imagine, something if it notices
    anything, and something else if another move would have looked different."""
    followers = []
    for other in luck.permutation(others)[:FEWER]:
        following = before.copy()
        game.step(following, other)
        followers.append(following)
    listeners = [seat for seat in range(game.PLAYERS) if seat != mover]
    redealt = luck.choice(listeners)  # one of them will do, for redeals are slow
    for seat in [redealt] if PLAIN else listeners:
        heard = told(game, before, after, seat, mover)
        if seat == redealt and game.turn(after) != OVER:
            then = after.copy()
            game.redeal(then, seat, rng.fresh(int(luck.integers(1 << 40)), 0, seat))
            is_same = told(game, before, then, seat, mover) == heard
            _hold(is_same, game, f"{where}: {heard!r} tells seat {seat} what is hidden", "told")
        seen = _looks(game, after, seat)
        _hold(bool(heard) or seen == _looks(game, before, seat), game, f"{where}: seat {seat} is told nothing", "told")
        for following in followers:
            if _looks(game, following, seat) != seen:
                is_other = told(game, before, following, seat, mover) != heard
                _hold(is_other, game, f"{where}: seat {seat} is told {heard!r} of moves that look different", "told")


def _looks(game: Game, s: State, seat: int) -> bytes:
    """What a person in a seat is shown of a state, and what the default observation says."""
    seen: NDArray[np.float32] = np.zeros(game.SENSES, np.float32)
    game.observe(s, seat, seen)
    return str(game.words.show(s, seat)).encode() + seen.tobytes()


def _given(game: Game, s: State, seat: int) -> dict[str, bytes]:
    """Everything that may reach a bot or a person in a seat as bytes, by the kernel that gives it."""
    blanked = np.zeros(game.SIZE, np.int64)
    game.view(s, seat, blanked)
    parts = {"view": blanked.tobytes(), "turn": str(game.turn(s)).encode()}
    for observation in game.observations.values():
        seen: NDArray[np.float32] = np.zeros(observation.senses, np.float32)
        observation.observe(s, seat, seen)
        parts["observe"] = parts.get("observe", b"") + seen.tobytes()
    parts["infoset"] = infoset_rows(game, s[None], np.array([seat])).tobytes()
    parts["show"] = str(game.words.show(s, seat)).encode()
    if game.turn(s) == seat:
        mask = np.zeros(game.ACTIONS, np.bool_)
        game.legal(s, mask)
        parts["legal"] = mask.tobytes()
    return parts


def _same(a: State, b: State) -> bool:
    return a.tobytes() == b.tobytes()


def _hold(truth: bool, game: Game, what: str, *kernels: str) -> None:
    if not truth:
        raise Broken(f"{game.name} {dict(game.options)}: {what}", kernels)


def perft(game: Game, s: State, depth: int) -> int:
    """The number of legal action sequences of a length (shorter where the game ends sooner;
    chance outcomes count too)."""
    seat = game.turn(s)
    if depth == 0 or seat == OVER:
        return 1
    if seat == CHANCE:
        p = np.zeros(max(1, game.CHANCES))
        count = game.chances(s, p)
        choices = np.flatnonzero(p[:count] > 0)
    else:
        mask = np.zeros(game.ACTIONS, np.bool_)
        game.legal(s, mask)
        choices = np.flatnonzero(mask)
    if depth == 1:
        return len(choices)
    total = 0
    for choice in choices:
        following = s.copy()
        game.step(following, int(choice))
        total += perft(game, following, depth - 1)
    return total

"""An archive in the form of the Internet Skat Server, of any size: games of many settings of skat-rule with names,
ratings and dates, some resigned, some lines damaged.

    python benchmarks/skat_archive.py archive.sgf.bz2 --games 1000000
    python benchmarks/skat_archive.py archive.sgf.bz2 --measure    # how fast it is read, and made into examples
"""

from __future__ import annotations

import argparse
import bz2
import datetime
import gzip
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.cost import peak_memory
from kibitz.arena.play import play
from kibitz.arena.skat import replay
from kibitz.bots import make_bot
from kibitz.core import rng
from kibitz.core.game import Game, make
from kibitz.core.jit import UNBOUND, specialise
from kibitz.core.shapes import Ints
from kibitz.games.skat import state as at
from kibitz.games.skat.cards import BID_WORDS, DECLARATIONS
from kibitz.games.skat.iss import CARD_WORDS, cards_text, result_text

game: Any = UNBOUND
SYLLABLES = (
    "an", "be", "ca", "do", "el", "fi", "ga", "ha", "in", "jo",
    "ka", "lu", "ma", "ne", "ol", "pe", "ra", "su", "ti", "vo",
)  # fmt: skip
FIRST_DAY = datetime.date(2008, 1, 1)
DAYS = 4000
A_TABLE = 500
RESIGNED, DAMAGED = 0.03, 0.003


def _follow(first: int, root: Ints, blank: Ints, log: Any, moves: Ints, deals: Ints, codes: Ints) -> None:
    """The deal of every game, and its moves with the seats that made them."""
    r = np.zeros(rng.SLOTS, np.int64)
    s = blank.copy()
    for i in range(len(moves)):
        s[:] = blank
        rng.enter(r, root, first + i, rng.DEALER, rng.PLAY, 0)
        game.deal(s, r)
        for seat in range(at.PLAYERS):
            deals[i, seat] = s[at.HAND + seat]
        deals[i, at.PLAYERS] = s[at.ASIDE]
        for k in range(moves[i]):
            codes[i, k] = s[at.TURN] << replay.SEAT_SHIFT | log[i, k]
            game.step(s, log[i, k])


def players(count: int, luck: np.random.Generator) -> list[tuple[str, str, float]]:
    """Names, specs and ratings: the noisier, the weaker."""
    found = []
    for number in range(count):
        name = "".join(luck.choice(SYLLABLES, 3)).capitalize() + str(number)
        noise = round(float(luck.exponential(0.03)), 3)
        knobs = {
            "aggression": round(float(luck.normal(0.0, 0.07)), 3), "noise": min(noise, 0.4),
            "null": round(max(0.0, float(luck.normal(0.05, 0.15))), 3),
            "hand": round(float(luck.normal(0.0, 0.03)), 3), "keep_trump": round(float(luck.normal(8.0, 3.0)), 1),
            "keep_side": round(float(luck.normal(6.0, 2.0)), 1), "pull": round(float(luck.normal(8.0, 3.0)), 1),
        }  # fmt: skip
        spec = "skat-rule:" + ":".join(f"{knob}={value}" for knob, value in knobs.items())
        found.append((name, spec, round(1600 - 1500 * noise + float(luck.normal(0, 40)), 1)))
    return found


def words(deal: Ints, codes: list[int]) -> list[str]:
    """A game's moves as ISS writes them."""
    told = ["w", ".".join(cards_text(int(pile)) for pile in deal)]
    laid: list[int] = []
    has_taken = is_playing = False
    for code in codes:
        seat, action = str(code >> replay.SEAT_SHIFT), code & 255
        if action == replay.RESIGN:
            told += [seat, "RE"]
        elif action >= at.DECLARE:
            cards = "".join(f".{CARD_WORDS[card]}" for card in laid) if has_taken else ""
            told += [seat, DECLARATIONS[action - at.DECLARE] + cards]
            is_playing = True
        elif action == at.PICKUP:
            told += [seat, "s", "w", cards_text(int(deal[at.PLAYERS]))]
            has_taken = True
        elif action == at.HAND_GAME:
            continue
        elif action >= at.HOLD:
            word = "y" if action == at.HOLD else "p" if action == at.PASS else BID_WORDS[action - at.BID]
            told += [seat, word]
        elif is_playing:
            told += [seat, CARD_WORDS[action]]
        else:
            laid.append(action)
    return told


def lines(made: Game, games: int, people: int, seed: int) -> Any:
    """The lines of an archive."""
    luck = np.random.default_rng(seed)
    crowd = players(people, luck)
    follow = specialise(_follow, f"archive {made.tag}", game=made.kernels)
    number = 0
    s, verdict = np.zeros(at.SIZE, np.int64), np.zeros(replay.VERDICT, np.int64)
    while number < games:
        seated = [crowd[k] for k in luck.choice(people, 3, replace=False)]
        bots = [make_bot(made, spec) for _, spec, _ in seated]
        count = min(A_TABLE, games - number)
        names = "".join(f"P{k}[{name}]" for k, (name, _, _) in enumerate(seated))
        names += "".join(f"R{k}[{rating}]" for k, (_, _, rating) in enumerate(seated))
        day = FIRST_DAY + datetime.timedelta(days=DAYS * number // games)
        for chunk in play(made, bots, count, seed, first=number, keep_log=True):
            n = len(chunk.moves)
            deals, codes = np.zeros((n, 4), np.int64), np.zeros((n, made.LONGEST + 2), np.int64)
            follow(chunk.first, rng.root(seed), made.blank(), chunk.log, chunk.moves, deals, codes)
            chance = luck.random((n, 2))
            for i in range(n):
                own = codes[i, : chunk.moves[i]]
                resigned = 0
                start = np.flatnonzero((own & 255) >= at.DECLARE)
                if chance[i, 0] < RESIGNED and len(start) and len(own) - start[0] > 8:
                    declarer = int(own[start[0]]) >> replay.SEAT_SHIFT
                    own = np.append(own[: -int(2 + 5 * chance[i, 1])], declarer << replay.SEAT_SHIFT | replay.RESIGN)
                    resigned = 1 << declarer
                replay.replay_game(deals[i], own, at.ISKO, s, verdict)
                result = result_text(s, resigned=int(bool(resigned)))
                head = f"(;GM[Skat]PC[kibitz]CO[]SE[{number // 36}]ID[{chunk.first + i}]DT[{day}/12:00:00/UTC]{names}"
                line = f"{head}MV[{' '.join(words(deals[i], own.tolist()))} ]R[{result}] ;)"
                yield line[: len(line) // 2] if chance[i, 1] < DAMAGED else line
        number += count


def measure(path: Path) -> float:
    """Read an archive, replay it and make every example of every lesson, in one process; gives records a second."""
    from kibitz.arena.skat.lessons import in_turn
    from kibitz.arena.skat.rows import LESSONS
    from kibitz.arena.skat.shards import read_text_shard, stretches_of

    spent = {"unpacking": 0.0, "reading": 0.0, "examples": 0.0}
    games = records = examples = 0
    texts = stretches_of([path])
    is_warm = False
    while True:
        begun = time.process_time()
        text = next(texts, None)
        if text is None:
            break
        unpacked = time.process_time()
        shard = read_text_shard(text)
        read = time.process_time()
        everybody = np.zeros((len(shard), at.PLAYERS), np.int64)
        made = sum(len(some) for one in LESSONS.values() for some in in_turn(one, shard.states, everybody))
        if is_warm:  # the first stretch has compiled
            parts = (unpacked - begun, read - unpacked, time.process_time() - read)
            spent = {name: spent[name] + part for name, part in zip(spent, parts, strict=True)}
            games, records, examples = games + len(shard), records + sum(shard.classes.values()), examples + made
        is_warm = True
    total = sum(spent.values())
    print(f"{records:,} records, {games:,} declared games, {examples:,} examples in {total:.1f} s of processor time")
    print(", ".join(f"{name} {seconds:.1f} s" for name, seconds in spent.items()))
    print(f"{records / total:,.0f} records a second; peak memory {peak_memory() / 2**20:,.0f} MB")
    return records / total


def rates(games: int = 20_000) -> dict[str, float]:
    """Records a second, from text to examples."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.sgf"
        path.write_text("\n".join(lines(make("skat"), games, 600, 2_026)))
        return {"Skat: records made into examples": measure(path)}


def main() -> None:
    """Write an archive."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("out", type=Path)
    asked.add_argument("--games", type=int, default=1_000_000)
    asked.add_argument("--players", type=int, default=600)
    asked.add_argument("--seed", type=int, default=2_026)
    asked.add_argument("--measure", action="store_true")
    given = asked.parse_args()
    if given.measure:
        measure(given.out)
        return
    opened: Any = {".bz2": bz2.open, ".gz": gzip.open}.get(given.out.suffix, open)
    begun = time.perf_counter()
    with opened(given.out, "wt") as file:
        for number, line in enumerate(lines(make("skat"), given.games, given.players, given.seed), 1):
            file.write(line + "\n")
            if number % 50_000 == 0:
                print(f"{number:,} games, {number / (time.perf_counter() - begun):,.0f} a second", flush=True)


if __name__ == "__main__":
    main()

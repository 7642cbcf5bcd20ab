"""All tables of a server: they are opened, bots are asked to think for them,
and everybody who looks is told what changed."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput, BotFailed, KibitzError
from kibitz.core.game import Game, make
from kibitz.core.position import Position
from kibitz.core.record import Record
from kibitz.core.scene import moves
from kibitz.web import jobs
from kibitz.web.journal import Journal, read_events
from kibitz.web.session import BOT, PERSON, Deal, Player, Table, reopened
from kibitz.web.thinking import LATER, Workers

Send = Callable[[dict[str, Any]], Awaitable[None]]
Say = Callable[[str], None]

PREPARING = 900.0
"""Seconds between two signs of life while a game is compiled."""
SLOWEST = 1.2
"""Seconds for which a bot's card is held back at pace 1, at most; drawn without looking at its hand."""
MOST_TABLES = 5000
MOST_UNREAD, ENOUGH_UNREAD = 256, 32
"""Messages that wait for a browser: beyond the first its line is closed, beyond the second it is not listened to."""
OWN = "python:"
"""Bots of people's own are not asked before it is their turn: one that hangs would hold up those who prepare."""
AWAY = 3.0
"""Seconds after which somebody who has left is shown as gone."""


class Watcher:
    """One browser at a table, with what it has not been handed yet: nobody waits for a line that is slow."""

    def __init__(self, write: Send, player: int | None, lang: str, is_host: bool) -> None:
        self._write, self.player, self.lang, self.is_host = write, player, lang, is_host
        self._unread: asyncio.Queue[dict[str, Any]] = asyncio.Queue(MOST_UNREAD)
        self._has_room = asyncio.Event()
        self._has_room.set()
        self.is_stuck = asyncio.Event()
        """Set once so much was not read that the line must be closed; whoever comes again gets the present view."""

    async def send(self, said: dict[str, Any]) -> None:
        """Say something, without waiting until it is read."""
        try:
            self._unread.put_nowait(said)
        except asyncio.QueueFull:
            self.is_stuck.set()
        if self._unread.qsize() > ENOUGH_UNREAD:
            self._has_room.clear()

    async def has_read(self) -> None:
        """Wait until most of what was said has been handed on."""
        await self._has_room.wait()

    async def post(self) -> None:
        """Hand on what was said, one after the other, for as long as the browser stays."""
        while True:
            await self._write(await self._unread.get())
            if self._unread.qsize() <= ENOUGH_UNREAD:
                self._has_room.set()


class Room:
    """The tables of a data folder."""

    def __init__(self, data: Path, workers: Workers, say: Say) -> None:
        self.data, self.workers, self.say = data, workers, say
        self.tables: dict[str, Table] = {}
        self.watchers: dict[str, list[Watcher]] = {}
        self.progress: dict[str, list[int]] = {}
        """Games that are being prepared, by key: steps done and in all."""
        self._ready: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._busy: set[str] = set()
        self.started = time.time()

    # -- tables

    def reopen(self) -> int:
        """Open all tables of the data folder as they were."""
        for path in sorted((self.data / "tables").glob("*.jsonl")):
            journal = Journal(path)
            try:
                table = reopened(read_events(path, self.say), journal, self.say)
            except (OSError, KibitzError) as problem:
                self.say(f"{path.name} cannot be opened: {problem}")
                continue
            if table is not None:
                self.tables[table.id] = table
        return len(self.tables)

    async def new_table(
        self, name: str, options: dict[str, Any], seats: Sequence[dict[str, str]], pace: float
    ) -> Table:
        """A table for a game; seats say who sits there: a person by name, or a bot by its spec."""
        if len(self.tables) >= MOST_TABLES:
            raise BadInput(f"there are {MOST_TABLES} tables already: close some")
        game = await asyncio.to_thread(make, name, **options)
        if len(seats) != game.PLAYERS:
            raise BadInput(f"{game.name} has {game.PLAYERS} seats, not {len(seats)}")
        players = []
        for seat in seats:
            if seat["kind"] == BOT:
                await asyncio.to_thread(checked_bot, game, seat["spec"])
                players.append(Player(BOT, seat["spec"], seat["spec"]))
            else:
                players.append(Player(PERSON, seat["name"], ""))
        ident = secrets.token_hex(4)
        table = Table(ident, game, players, Journal(self.data / "tables" / f"{ident}.jsonl"), pace=pace)
        table.begin()
        self.tables[ident] = table
        self.say(f"table {ident} opened: {game.name}, {sum(p.kind == PERSON for p in players)} people")
        self.wake(table)
        return table

    def close_table(self, table: Table) -> None:
        """Take a table away; its games stay in the records."""
        table.journal.write(e="closed")
        table.journal.remove()
        self.tables.pop(table.id, None)
        self.say(f"table {table.id} closed")

    def wake(self, table: Table) -> None:
        """See to it that a table goes on: prepare its game, deal, let bots move."""
        if table.id not in self._busy:
            self._busy.add(table.id)
            self._run(self._go_on(table))

    def _run(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _go_on(self, table: Table) -> None:
        try:
            await self.prepared(table)
            if table.deal is None:
                table.next_deal()
                self.say(f"table {table.id} deal 1")
                await self.tell(table)
            while True:
                player = table.turn_of()
                if player is None:
                    await self.finished(table)
                    return
                if table.players[player].kind == PERSON:
                    return
                await self._bot_moves(table, player)
        except KibitzError as problem:
            table.notes.append(str(problem))
            self.say(f"table {table.id}: {problem}")
        finally:
            self._busy.discard(table.id)
            with suppress(Exception):
                await self.tell(table)

    async def _bot_moves(self, table: Table, player: int) -> None:
        deal, spec = table.deal, table.players[player].spec
        assert deal is not None
        due = deal.due
        table.is_thinking = True
        game = deal.position.game
        delay = secrets.SystemRandom().uniform(0.4, SLOWEST) * table.pace
        begun = time.monotonic()
        shown = jobs.shown(table.view(player))
        try:
            action = await self.workers.ask("act", game.name, dict(game.options), spec, shown)
        except BotFailed as problem:
            action = await self._in_its_stead(table, spec, problem, game, shown)
        if table.pace:
            await asyncio.sleep(max(0.0, delay - (time.monotonic() - begun)))
        table.is_thinking = False
        if table.deal is deal and deal.due == due and table.turn_of() == player:
            table.play(player, due, [action])
            await self.tell(table)

    async def _in_its_stead(self, table: Table, spec: str, problem: BotFailed, game: Game, shown: Any) -> int:
        """A bot has failed: say so, and let the rule-based player move."""
        rule = jobs.usual_bot(game)
        rule = rule if rule != spec else "random"
        table.notes.append(f"{spec}: {problem}; {rule} moves in its stead")
        self.say(f"table {table.id}: bot failed: {problem}")
        try:
            return int(await self.workers.ask("act", game.name, dict(game.options), rule, shown))
        except BotFailed as again:  # nobody can think just now: any legal move keeps the deal going
            self.say(f"table {table.id}: bot failed: {again}")
            return int(secrets.choice(np.flatnonzero(shown[2])))

    async def prepared(self, table: Table) -> None:
        """Wait until a game and the bots of a table are ready to play; whoever looks sees how far it is."""
        game = table.game
        specs = sorted({p.spec for p in table.players if p.kind == BOT and not p.spec.startswith(OWN)})
        key = f"{game.tag}|{','.join(specs)}"
        if key not in self._ready or (self._ready[key].done() and self._ready[key].exception()):
            self._ready[key] = asyncio.get_running_loop().create_task(self._prepare(key, game, specs))
        await asyncio.shield(self._ready[key])

    async def _prepare(self, key: str, game: Game, specs: list[str]) -> None:
        steps = [0, len(jobs.steps_of(specs))]
        self.progress[key] = steps

        def so_far(done: list[int]) -> None:
            steps[:] = done
            self._run(self.tell_progress(game, steps))

        async def bots_too() -> None:
            with suppress(BotFailed):  # a bot that cannot be made is named when it is to move
                asked = ("prepare", game.name, dict(game.options), specs)
                await self.workers.ask(*asked, seconds=PREPARING, progress=so_far)

        try:
            self._run(bots_too())
            # Here too, at the same time: with a warm cache the first card can be played at once.
            await asyncio.to_thread(lambda: list(jobs.warmed(game, [])))
        finally:
            self.progress.pop(key, None)

    async def tell_progress(self, game: Game, steps: list[int]) -> None:
        """Tell everybody who waits for a game how far it is."""
        said = {"type": "preparing", "game": game.name, "done": steps[0], "of": steps[1]}
        for table in list(self.tables.values()):
            if table.game.tag == game.tag and table.deal is None:
                await self._send_all(table, lambda watcher: said)

    async def finished(self, table: Table) -> None:
        """Write down a deal that is over, and keep its record."""
        record = table.finish()
        if record is None:
            return
        self.keep(record)
        self.say(f"table {table.id} deal {len(table.deals)} over after {len(record.ids)} moves")

    def keep(self, record: Record) -> None:
        """Add a record to those of its game."""
        folder = self.data / "games"
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{record.game}.jsonl", "a", encoding="utf-8") as file:
            file.write(record.line() + "\n")

    # -- whoever looks

    def enter(self, table: Table, watcher: Watcher) -> None:
        """A browser comes to a table."""
        self.watchers.setdefault(table.id, []).append(watcher)
        if watcher.player is None:
            table.watchers += 1
        else:
            table.players[watcher.player].here += 1
        self.wake(table)

    def leave(self, table: Table, watcher: Watcher) -> None:
        """A browser has gone; its person is shown as gone soon after."""
        self.watchers[table.id].remove(watcher)
        if watcher.player is None:
            table.watchers -= 1
        else:
            table.players[watcher.player].here -= 1
        self._run(self._tell_later(table))

    async def _tell_later(self, table: Table) -> None:
        await asyncio.sleep(AWAY)
        await self.tell(table)

    async def tell(self, table: Table) -> None:
        """Send everybody what they may see now."""
        await self._send_all(table, lambda watcher: self.seen(table, watcher))

    def seen(self, table: Table, watcher: Watcher) -> dict[str, Any]:
        """What one browser is shown of a table."""
        found = table.message(watcher.player, watcher.lang)
        if table.deal is None and self.progress:
            steps = next(iter(self.progress.values()))
            found |= {"preparing": list(steps)}
        return found | {"host": watcher.is_host}

    async def _send_all(self, table: Table, said: Callable[[Watcher], dict[str, Any]]) -> None:
        for watcher in list(self.watchers.get(table.id, [])):
            await watcher.send(said(watcher))

    # -- questions

    async def hint(self, table: Table, player: int, spec: str, lang: str) -> dict[str, Any]:
        """What a bot would do in the player's place."""
        if table.turn_of() != player:
            raise BadInput("a hint is for the one who is to move")
        deal, view, bot = table.deal, table.view(player), spec or jobs.usual_bot(table.game)
        assert deal is not None  # or nobody would be to move
        due, game = deal.due, (view.game.name, dict(view.game.options))
        found = await self.workers.ask("hint", *game, bot, jobs.shown(view), lang, when=LATER)
        laid = [found["choice"]]
        copy = Position.at(view.game, deal.position.state, deal.position.seed)
        for _ in range(max(len(one["actions"]) for one in moves(view)) - 1):  # cards that are laid together
            copy.push(laid[-1])
            laid.append(copy.word(await self.workers.ask("act", *game, bot, jobs.shown(copy.view()), when=LATER)))
        return {"type": "hint", "n": due, "laid": laid, **found}

    async def review(self, table: Table, player: int, spec: str, votes: Sequence[str], lang: str, send: Send) -> None:
        """Judge every decision of a player in the deal that is over, and say how far it is."""
        deal = table.deal
        if deal is None or not deal.position.is_over:
            raise BadInput("a deal is looked at again once it is over")
        decisions = decisions_of(deal, deal.seats[player])
        game = deal.position.game
        done = 0

        async def judge(place: int, position: Position) -> dict[str, Any]:
            nonlocal done
            shown = jobs.shown(position.view(position.turn))
            row = await self.workers.ask(
                "judge", game.name, dict(game.options), spec, list(votes), shown, position.state, deal.choices[place],
                lang, when=LATER,
            )  # fmt: skip
            done += 1
            await send({"type": "reviewing", "done": done, "of": len(decisions)})
            return {"n": place, "ply": len(position.actions), **row}

        await send({"type": "reviewing", "done": 0, "of": len(decisions)})
        rows = await asyncio.gather(*(judge(place, position) for place, position in decisions), return_exceptions=True)
        good = [row for row in rows if isinstance(row, dict)]
        bad = [str(row) for row in rows if isinstance(row, BaseException)]
        await send({"type": "review", "bot": spec, "rows": good, "failed": sorted(set(bad))})

    async def belief(self, table: Table, player: int, n: int, spec: str) -> dict[str, Any]:
        """Where a player's unseen cards could lie at a decision of the deal that is over."""
        deal = table.deal
        if deal is None or not deal.position.is_over:
            raise BadInput("beliefs are shown once the deal is over")
        found = dict(decisions_of(deal, deal.seats[player])).get(n)
        if found is None:
            raise BadInput(f"move {n} was no decision of yours")
        game, shown = found.game, jobs.shown(found.view(found.turn))
        told = await self.workers.ask("belief", game.name, dict(game.options), spec, shown, when=LATER)
        return {"type": "belief", "n": n, **told}

    async def compare(self, table: Table, player: int, spec: str) -> dict[str, Any]:
        """What a bot in the player's seat makes of the same cards, the other seats as they were (people:
        by that bot too)."""
        deal = table.deal
        if deal is None or not deal.position.is_over:
            raise BadInput("the same cards are compared once the deal is over")
        seat, position = deal.seats[player], deal.position
        specs = []
        for k in range(position.game.PLAYERS):
            other = table.players[deal.player_at(k)]
            specs.append(spec if k == seat or other.kind == PERSON else other.spec)
        name, options = position.game.name, dict(position.game.options)
        returns = await self.workers.ask("deal_again", name, options, position.seed, specs, when=LATER)
        mine, theirs = position.returns()[seat], returns[seat]
        if deal.counts and table.deal is deal:
            table.journal.write(e="same", deal=len(table.deals), bot=spec, value=mine - theirs)
            table.compared.setdefault(spec, []).append(mine - theirs)
        return {"type": "compared", "bot": spec, "you": mine, "they": theirs}


def decisions_of(deal: Deal, seat: int) -> list[tuple[int, Position]]:
    """The positions in which a seat had a choice, with the number of the decision."""
    position = Position(deal.position.game, deal.position.seed)
    found = []
    for place, action in enumerate(deal.choices):
        if position.turn == seat and len(position.legal_actions()) > 1:
            now = Position.at(position.game, position.state, position.seed)
            now.actions = list(position.actions)
            found.append((place, now))
        position.push(action)
    return found


def checked_bot(game: Game, spec: str) -> None:
    """Refuse a spec that names no bot; bots of people's own and models are loaded when they are to play."""
    if spec.split(":")[0] in ("python", "net", "table"):
        return
    if spec.split(":")[0] == "person":
        raise BadInput("person is for the terminal: people sit at this table by their link")
    make_bot(game, spec)

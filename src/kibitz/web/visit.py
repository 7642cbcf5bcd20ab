"""One browser at a table: what it may say, and what happens then."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz.core.errors import BadInput, KibitzError
from kibitz.core.game import make
from kibitz.core.schema import Fields, Flag, Listed, Number, Text, Whole, read_json
from kibitz.web import choices
from kibitz.web.room import Room, Watcher, checked_bot
from kibitz.web.session import MOST_NAME, Table

MOST_MESSAGE = 4096
"""Bytes of a message from a browser."""
MOST_A_SECOND = 20
CLOSING = 2.0
"""Seconds for a line to close."""
GONE = (WebSocketDisconnect, RuntimeError, OSError)
"""What a line raises that has closed."""

SPEC = Text(300)
LANG = Text(5, pattern="[a-z]{2}", right="a language of two letters")
TOKEN = Text(64)
MESSAGES: dict[str, Fields] = {
    "hello": Fields({"do": Text(10), "token": TOKEN}, {"lang": LANG, "host": TOKEN}),
    "move": Fields({"do": Text(10), "n": Whole(0, 10**6), "actions": Listed(Whole(0, 10**6), 1, 16)}),
    "why": Fields({"do": Text(10), "card": Text(40)}),
    "back": Fields({"do": Text(10)}),
    "next": Fields({"do": Text(10)}),
    "again": Fields({"do": Text(10)}, {"seat": Whole(0, 63)}),
    "hint": Fields({"do": Text(10)}, {"bot": SPEC}),
    "review": Fields({"do": Text(10)}, {"bot": SPEC}),
    "belief": Fields({"do": Text(10), "n": Whole(0, 10**6)}, {"bot": SPEC}),
    "compare": Fields({"do": Text(10)}, {"bot": SPEC}),
    "name": Fields({"do": Text(10), "name": Text(MOST_NAME, least=1)}),
    "lang": Fields({"do": Text(10), "lang": LANG}),
    "pace": Fields({"do": Text(10), "pace": Number(0, 5)}),
    "bot": Fields({"do": Text(10), "k": Whole(0, 63), "bot": SPEC}),
    "person": Fields({"do": Text(10), "k": Whole(0, 63), "name": Text(MOST_NAME, least=1)}),
    "open": Fields({"do": Text(10), "open": Flag()}),
}
"""What a browser may say."""


def sender(line: WebSocket) -> Callable[[dict[str, Any]], Awaitable[None]]:
    """What writes to a browser."""

    async def send(said: dict[str, Any]) -> None:
        await line.send_text(json.dumps(said, separators=(",", ":")))

    return send


def message(text: str) -> dict[str, Any]:
    """A message of a browser, checked."""
    if len(text.encode("utf-8", "replace")) > MOST_MESSAGE:
        raise BadInput(f"a message has {MOST_MESSAGE} bytes at most")
    data = read_json(text)
    kind = data.get("do") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in MESSAGES:
        raise BadInput(f"there is no such request: {', '.join(MESSAGES)} are")
    MESSAGES[kind].check(data)
    found: dict[str, Any] = data
    return found


class Visit:
    """One browser while it stays at a table."""

    def __init__(self, room: Room, line: WebSocket, table: Table, watcher: Watcher) -> None:
        self.room, self.line, self.table, self.watcher = room, line, table, watcher
        self.allowance, self.counted = float(MOST_A_SECOND), time.monotonic()
        self.asking: asyncio.Task[None] | None = None

    async def stay(self) -> None:
        """Until the line closes, or nobody reads at its other end."""
        self.room.enter(self.table, self.watcher)
        loop = asyncio.get_running_loop()
        tasks = [loop.create_task(work) for work in (self._listen(), self.watcher.post(), self.watcher.is_stuck.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.room.leave(self.table, self.watcher)
            for task in (*tasks, *([self.asking] if self.asking is not None else [])):
                task.cancel()
            for ended in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ended, Exception) and not isinstance(ended, GONE):
                    self.room.say(f"table {self.table.id}: a line failed: {type(ended).__name__}")
            with suppress(Exception):
                await asyncio.wait_for(self.line.close(1013), CLOSING)

    async def _listen(self) -> None:
        await self.watcher.send(self.room.seen(self.table, self.watcher))
        await self.room.tell(self.table)
        while True:
            try:
                text = await self.line.receive_text()
            except KeyError:  # bytes
                return
            await self.watcher.has_read()
            if not self._in_time():
                await self._say("error", f"not so fast: {MOST_A_SECOND} messages a second at most")
                continue
            await self._heard(text)

    def _in_time(self) -> bool:
        now = time.monotonic()
        self.allowance = min(MOST_A_SECOND, self.allowance + (now - self.counted) * MOST_A_SECOND)
        self.counted = now
        if self.allowance < 1.0:
            return False
        self.allowance -= 1.0
        return True

    async def _heard(self, text: str) -> None:
        try:
            said = message(text)
            if said["do"] != "hello":
                await getattr(self, f"_{said['do']}")(said)
        except KibitzError as problem:
            await self._say("error", str(problem))
            await self.watcher.send(self.room.seen(self.table, self.watcher))

    async def _say(self, kind: str, text: str) -> None:
        await self.watcher.send({"type": kind, "text": text})

    def _player(self) -> int:
        if self.watcher.player is None:
            raise BadInput("you are looking on: only players can do that")
        return self.watcher.player

    def _host(self) -> None:
        if not self.watcher.is_host:
            raise BadInput("only the host of the table can do that")

    def _spec(self, said: dict[str, Any], usual: str) -> str:
        """A bot that this browser may ask: any for the host, known ones for others."""
        spec = str(said.get("bot") or usual)
        if not self.watcher.is_host and spec not in choices.known_bots(make(self.table.game.name)):
            raise BadInput(f"{spec[:60]} cannot be asked here: {', '.join(choices.known_bots(self.table.game))} can")
        checked_bot(self.table.game, spec)
        return spec

    async def _move(self, said: dict[str, Any]) -> None:
        player, deal = self._player(), self.table.deal
        if deal is not None and said["n"] == deal.due:
            self.table.play(player, said["n"], said["actions"])
        await self.room.tell(self.table)  # a repeated or late move is answered with the present view
        self.room.wake(self.table)

    async def _why(self, said: dict[str, Any]) -> None:
        await self._say("why", self.table.why_not(self._player(), said["card"]))

    async def _back(self, said: dict[str, Any]) -> None:
        self.table.take_back(self._player())
        await self.room.tell(self.table)
        self.room.wake(self.table)

    async def _next(self, said: dict[str, Any]) -> None:
        self._player()
        self.table.next_deal()
        self.room.say(f"table {self.table.id} deal {len(self.table.deals) + 1}")
        await self.room.tell(self.table)
        self.room.wake(self.table)

    async def _again(self, said: dict[str, Any]) -> None:
        self.table.again(self._player(), said.get("seat"))
        await self.room.tell(self.table)
        self.room.wake(self.table)

    async def _hint(self, said: dict[str, Any]) -> None:
        player, spec = self._player(), self._spec(said, choices.reviewer(self.table.game))
        self._ask(lambda: self._send_later(self.room.hint(self.table, player, spec, self.watcher.lang)))

    async def _review(self, said: dict[str, Any]) -> None:
        player, spec = self._player(), self._spec(said, choices.reviewer(self.table.game))
        votes = [bot for bot in (choices.usual(self.table.game),) if bot != spec]
        lang, send = self.watcher.lang, self.watcher.send
        self._ask(lambda: self.room.review(self.table, player, spec, votes, lang, send))

    async def _belief(self, said: dict[str, Any]) -> None:
        player, spec = self._player(), self._spec(said, choices.reviewer(self.table.game))
        self._ask(lambda: self._send_later(self.room.belief(self.table, player, said["n"], spec)))

    async def _compare(self, said: dict[str, Any]) -> None:
        player, spec = self._player(), self._spec(said, choices.reviewer(self.table.game))
        self._ask(lambda: self._compared(player, spec))

    async def _compared(self, player: int, spec: str) -> None:
        await self.watcher.send(await self.room.compare(self.table, player, spec))
        await self.room.tell(self.table)

    async def _send_later(self, found: Awaitable[dict[str, Any]]) -> None:
        await self.watcher.send(await found)

    def _ask(self, work: Callable[[], Awaitable[None]]) -> None:
        """Let somebody think, one question of a browser at a time."""
        if self.asking is not None and not self.asking.done():
            raise BadInput("one question at a time: the last one is being thought about")

        async def answered() -> None:
            try:
                await work()
            except KibitzError as problem:
                with suppress(Exception):
                    await self._say("error", str(problem))

        self.asking = asyncio.get_running_loop().create_task(answered())

    async def _name(self, said: dict[str, Any]) -> None:
        self.table.seat_person(self._player(), said["name"])
        await self.room.tell(self.table)

    async def _lang(self, said: dict[str, Any]) -> None:
        self.watcher.lang = said["lang"]
        await self.watcher.send(self.room.seen(self.table, self.watcher))

    async def _pace(self, said: dict[str, Any]) -> None:
        if self.watcher.player is None:
            self._host()
        self.table.set(pace=float(said["pace"]))

    async def _bot(self, said: dict[str, Any]) -> None:
        self._host()
        self._place(said["k"])
        checked_bot(self.table.game, said["bot"])
        self.table.seat_bot(said["k"], said["bot"])
        await self.room.tell(self.table)
        self.room.wake(self.table)

    async def _person(self, said: dict[str, Any]) -> None:
        self._host()
        self._place(said["k"])
        self.table.seat_person(said["k"], said["name"])
        await self.room.tell(self.table)

    async def _open(self, said: dict[str, Any]) -> None:
        self._host()
        self.table.set(is_open=said["open"])
        await self.room.tell(self.table)

    def _place(self, k: int) -> None:
        if k >= len(self.table.players):
            raise BadInput(f"there is no place {k}: there are 0 to {len(self.table.players) - 1}")

"""Routes and sockets of the table in the browser; what happens at tables is the room's business.

Tokens travel in the fragment of a link, in a header or in the first message of a socket,
never in an address that is logged.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz import __version__
from kibitz.core.errors import BadInput, BadRecord, KibitzError
from kibitz.core.game import make
from kibitz.core.record import Record
from kibitz.core.schema import Fields, Flag, Listed, Mapped, Number, Part, Text, Whole, read_json
from kibitz.web import choices, records
from kibitz.web.room import Room, Watcher, checked_bot
from kibitz.web.session import MOST_NAME, Table, same_token

STATIC = Path(__file__).parent / "static"
MOST_MESSAGE = 4096
"""Bytes of a message from a browser."""
MOST_A_SECOND = 20
MOST_UPLOAD = 1 << 24
MOST_OPENED = 100
"""Files of records that are kept open."""
HELLO = 10.0
"""Seconds for the first message of a socket."""
CLOSING = 2.0
"""Seconds for a line to close."""
GONE = (WebSocketDisconnect, RuntimeError, OSError)
"""What a line raises that has closed."""
POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}  # fmt: skip

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
SEAT: Part = Fields({"kind": Text(10, among=("person", "bot"))}, {"name": Text(MOST_NAME), "spec": SPEC})
NEW_TABLE = Fields(
    {"game": Text(100), "seats": Listed(SEAT, 1, 64)},
    {"options": Mapped(Text(100), 100), "pace": Number(0, 5)},
)


class Refused(Exception):
    """Somebody asked for what their token does not allow."""


@dataclass
class Server:
    """Everything that requests share."""

    room: Room
    token: str
    opened: OrderedDict[str, list[Record]] = field(default_factory=OrderedDict)
    """Files of records that were opened, by a name of their own."""
    is_closing: bool = False

    def check_host(self, request: Request) -> None:
        """Only the host may."""
        given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
        if not same_token(given, self.token):
            raise Refused

    def table(self, request: Request | WebSocket) -> Table:
        """The table of a path."""
        table = self.room.tables.get(str(request.path_params["id"]))
        if table is None:
            raise BadInput("there is no such table: it was closed, or the link is not complete")
        return table

    def keep_open(self, found: list[Record], name: str) -> str:
        """Remember an opened file."""
        self.opened[name] = found
        while len(self.opened) > MOST_OPENED:
            self.opened.popitem(last=False)
        return name


def app(server: Server, *, on_start: Callable[[], Awaitable[None]] | None = None) -> Starlette:
    """The application."""

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        if on_start is not None:
            await on_start()
        yield
        server.is_closing = True

    routes = [
        Route("/", page), Route("/t/{id}", page), Route("/records/{id}", page), Route("/healthz", healthz),
        Route("/api/games", games), Route("/api/games/{name}", game_details),
        Route("/api/tables", tables, methods=["GET"]), Route("/api/tables", new_table, methods=["POST"]),
        Route("/api/tables/{id}", close_table, methods=["DELETE"]), Route("/api/tables/{id}/links", links),
        Route("/api/tables/{id}/records", table_records), Route("/api/records", open_records, methods=["POST"]),
        Route("/api/records/{id}", list_records), Route("/api/records/{id}/{k:int}", one_record),
        Route("/api/records/{id}/{k:int}/{ply:int}", record_frame), WebSocketRoute("/ws/{id}", socket),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]  # fmt: skip
    made = Starlette(
        routes=routes, lifespan=life,
        exception_handlers={KibitzError: _bad, Refused: _refused, Exception: _broken},
    )  # fmt: skip
    made.state.server = server
    made.add_middleware(SafeHeaders)
    return made


class SafeHeaders:
    """Adds to every answer what keeps a page from loading anything of others'."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Pass on."""

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = [(key.lower().encode(), value.encode()) for key, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *headers, (b"cache-control", b"no-cache")]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


def _server(request: Request | WebSocket) -> Server:
    found: Server = request.app.state.server
    return found


async def _bad(_: Request, problem: Exception) -> Response:
    return JSONResponse({"error": str(problem)}, 400)


async def _refused(_: Request, problem: Exception) -> Response:
    return JSONResponse({"error": "this link does not allow that: use the one that kibitz serve printed"}, 403)


async def _broken(request: Request, problem: Exception) -> Response:
    _server(request).room.say(f"a request failed: {type(problem).__name__}")
    return JSONResponse({"error": "something went wrong in the server"}, 500)


async def page(_: Request) -> Response:
    """The one page; its scripts see to the rest."""
    return FileResponse(STATIC / "index.html")


async def healthz(request: Request) -> Response:
    """Whether the server lives, for those who watch over it."""
    room = _server(request).room
    people = sum(len(watchers) for watchers in room.watchers.values())
    return JSONResponse(
        {"status": "ok", "version": __version__, "tables": len(room.tables), "sockets": people,
         "seconds": round(time.time() - room.started)}
    )  # fmt: skip


async def games(_: Request) -> Response:
    """All games."""
    return JSONResponse(await asyncio.to_thread(choices.listed))


async def game_details(request: Request) -> Response:
    """One game."""
    return JSONResponse(await asyncio.to_thread(choices.details, request.path_params["name"]))


async def tables(request: Request) -> Response:
    """The tables, for the host."""
    server = _server(request)
    server.check_host(request)
    rows = [
        {
            "id": table.id, "game": table.game.name, "deals": len(table.deals),
            "players": [p.name for p in table.players], "link": _links(table)["players"],
            "people": [p.kind for p in table.players],
        }
        for table in server.room.tables.values()
    ]  # fmt: skip
    return JSONResponse(rows)


async def new_table(request: Request) -> Response:
    """Open a table."""
    server = _server(request)
    server.check_host(request)
    asked = await _json(request, 1 << 14)
    NEW_TABLE.check(asked)
    seats = [{"name": f"Player {k + 1}", "spec": "", **seat} for k, seat in enumerate(asked["seats"])]
    options = {key: value for key, value in asked.get("options", {}).items() if value != ""}
    table = await server.room.new_table(asked["game"], options, seats, float(asked.get("pace", 1.0)))
    return JSONResponse({"id": table.id, **_links(table)})


async def close_table(request: Request) -> Response:
    """Take a table away."""
    server = _server(request)
    server.check_host(request)
    server.room.close_table(server.table(request))
    return JSONResponse({})


async def links(request: Request) -> Response:
    """The links of a table, for the host."""
    server = _server(request)
    server.check_host(request)
    return JSONResponse(_links(server.table(request)))


def _links(table: Table) -> dict[str, Any]:
    people = [f"/t/{table.id}#{p.token}" if p.kind == "person" else None for p in table.players]
    return {"players": people, "watch": f"/t/{table.id}#{table.watch}"}


async def table_records(request: Request) -> Response:
    """The records of a table's finished deals, for those who sit there."""
    server = _server(request)
    table = server.table(request)
    given = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    if not (table.who(given)[0] == "player" or same_token(given, server.token)):
        raise Refused
    text = "".join(line + "\n" for line in table.deals)
    return PlainTextResponse(text, media_type="application/jsonl")


async def open_records(request: Request) -> Response:
    """Open a file of records that was sent."""
    server = _server(request)
    server.check_host(request)
    raw = await _body(request, MOST_UPLOAD)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    skipped: list[str] = []
    found = await asyncio.to_thread(records.read_text, text, skipped.append)
    from kibitz.web.session import new_token

    name = server.keep_open(found, new_token())
    return JSONResponse({"id": name, "games": [records.about(one) for one in found[:1000]], "skipped": skipped[:20]})


def _records(request: Request) -> list[Record]:
    found = _server(request).opened.get(str(request.path_params["id"]))
    if found is None:
        raise BadInput("these records are not open any more: open the file again")
    return found


def _record(request: Request) -> Record:
    found, k = _records(request), request.path_params["k"]
    if k >= len(found):
        raise BadInput(f"there is no game {k}: the file has {len(found)}")
    return found[k]


async def list_records(request: Request) -> Response:
    """The games of an opened file."""
    return JSONResponse([records.about(one) for one in _records(request)[:1000]])


async def one_record(request: Request) -> Response:
    """One game of an opened file, to be kept."""
    return PlainTextResponse(_record(request).line() + "\n", media_type="application/jsonl")


async def record_frame(request: Request) -> Response:
    """One moment of a game of an opened file."""
    asked = request.query_params
    seat = asked.get("seat", "")
    record = _record(request)
    if seat and not (seat.isdecimal() and int(seat) < len(record.seats)):
        raise BadInput(f"seat {seat[:10]} is not possible: 0 to {len(record.seats) - 1} are")
    whose = int(seat) if seat else None
    shown = await asyncio.to_thread(
        records.frame, record, request.path_params["ply"], whose, asked.get("lang", "en")[:2]
    )
    return JSONResponse(shown)


async def _body(request: Request, most: int) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise BadInput(f"that is too much: {most:,} bytes at most are right")
        parts.append(part)
    return b"".join(parts)


async def _json(request: Request, most: int) -> Any:
    raw = await _body(request, most)
    try:
        return read_json(raw.decode())
    except UnicodeDecodeError:
        raise BadRecord("it is no text") from None


# -- sockets


async def socket(line: WebSocket) -> None:
    """A browser at a table: a first message with its token, then moves and questions."""
    server = _server(line)
    origin, host = line.headers.get("origin"), line.headers.get("host", "")
    if origin is not None and origin.split("//")[-1] != host:
        await line.close(1008)
        return
    await line.accept()
    try:
        visit = await _greeted(server, line)
    except (KibitzError, WebSocketDisconnect, TimeoutError) as problem:
        with suppress(Exception):
            await line.send_json({"type": "refused", "text": str(problem) or "no greeting came"})
            await line.close(1008)
        return
    await visit.stay()


async def _greeted(server: Server, line: WebSocket) -> _Visit:
    said = _message(await asyncio.wait_for(line.receive_text(), HELLO))
    if said["do"] != "hello":
        raise BadInput("the first message is a greeting with a token")
    table = server.table(line)
    what, player = table.who(said["token"])
    is_host = same_token(said.get("host", ""), server.token) or same_token(said["token"], server.token)
    if not what and not is_host:
        raise BadInput("this link does not lead to a place at the table: ask for a new one")
    return _Visit(server, line, table, Watcher(_sender(line), player, said.get("lang", "en"), is_host))


def _sender(line: WebSocket) -> Callable[[dict[str, Any]], Awaitable[None]]:
    async def send(said: dict[str, Any]) -> None:
        await line.send_text(json.dumps(said, separators=(",", ":")))

    return send


def _message(text: str) -> dict[str, Any]:
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


class _Visit:
    """One browser while it stays at a table."""

    def __init__(self, server: Server, line: WebSocket, table: Table, watcher: Watcher) -> None:
        self.server, self.line, self.table, self.watcher = server, line, table, watcher
        self.room = server.room
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
            said = _message(text)
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

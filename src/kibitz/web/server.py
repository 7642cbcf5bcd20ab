"""Routes of the table in the browser; what happens at tables is the room's business, what a browser says `visit`'s.

Tokens travel in the fragment of a link, in a header or in the first message of a socket,
never in an address that is logged.
"""

from __future__ import annotations

import asyncio
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
from kibitz.core.record import Record
from kibitz.core.schema import Fields, Listed, Mapped, Number, Part, Text, read_json
from kibitz.web import choices, records
from kibitz.web.room import Room, Watcher
from kibitz.web.session import MOST_NAME, Table, new_token, same_token
from kibitz.web.visit import SPEC, Visit, message, sender

STATIC = Path(__file__).parent / "static"
MOST_UPLOAD = 1 << 24
MOST_OPENED = 100
"""Files of records that are kept open."""
HELLO = 10.0
"""Seconds for the first message of a socket."""
POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}  # fmt: skip

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
        raise BadInput(f"there is no game {k + 1}: the games are 1 to {len(found)}")
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


async def _greeted(server: Server, line: WebSocket) -> Visit:
    said = message(await asyncio.wait_for(line.receive_text(), HELLO))
    if said["do"] != "hello":
        raise BadInput("the first message is a greeting with a token")
    table = server.table(line)
    what, player = table.who(said["token"])
    is_host = same_token(said.get("host", ""), server.token) or same_token(said["token"], server.token)
    if not what and not is_host:
        raise BadInput("this link does not lead to a place at the table: ask for a new one")
    watcher = Watcher(sender(line), player, said.get("lang", "en"), is_host)
    return Visit(server.room, line, table, watcher)

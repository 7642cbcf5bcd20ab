"""A server from its start to its end: it binds, reopens its tables, prints the link,
and stops without losing anything."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import importlib
import os
import secrets
import signal
import socket as sockets
import sys
import time
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from kibitz.core.errors import BadInput
from kibitz.core.files import sole_writer
from kibitz.core.plain_text import one_line
from kibitz.web import records
from kibitz.web.room import Room
from kibitz.web.server import Server, app
from kibitz.web.thinking import Workers
from kibitz.web.visit import MOST_MESSAGE

TOKEN_FILE = "token"
BACKLOG = 1024


def run(*, host: str, port: int, data: Path, workers: int, browser: bool, show: Path | None) -> None:
    """Serve until somebody interrupts; `show` is a file of records to open at once."""
    line = bound(host, port)
    with contextlib.closing(line), sole_writer(data, "served"):
        with contextlib.suppress(OSError):
            data.chmod(0o700)
        thinkers = Workers(workers)
        try:
            asyncio.run(_serve(line, host, data, thinkers, browser, show))
        finally:
            thinkers.close()
    say("stopped; all tables are kept")


def bound(host: str, port: int) -> sockets.socket:
    """A socket that listens there; one line if that cannot be."""
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    line = sockets.socket(family, sockets.SOCK_STREAM)
    line.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        line.bind((host, port))
        line.listen(BACKLOG)
    except OSError as problem:
        line.close()
        if problem.errno == errno.EADDRINUSE:
            raise BadInput(f"port {port} is in use: another server runs there, or give another --port") from None
        raise BadInput(f"{host} port {port} cannot be listened at: {problem.strerror}") from None
    return line


def say(text: str) -> None:
    """One line of the log: when and what, never cards or tokens."""
    print(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {one_line(text)}", file=sys.stderr, flush=True)


def host_token(data: Path) -> str:
    """The token of whoever runs the server: the same for a data folder as long as its file is there."""
    path = data / TOKEN_FILE
    if path.exists():
        kept = path.read_text(encoding="ascii", errors="replace").strip()
        if len(kept) == 32 and all(digit in "0123456789abcdef" for digit in kept):
            return kept
    token = secrets.token_hex(16)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(token + "\n")
    return token


def made(data: Path, workers: Workers, speak: Callable[[str], None] = say) -> Server:
    """A server for a data folder."""
    data.mkdir(parents=True, exist_ok=True)
    return Server(Room(data, workers, speak), host_token(data))


async def _serve(
    line: sockets.socket, host: str, data: Path, workers: Workers, browser: bool, show: Path | None
) -> None:
    server = made(data, workers)
    port = line.getsockname()[1]
    place = f"http://{'localhost' if host in ('127.0.0.1', '::1', '0.0.0.0', '::') else host}:{port}"
    link = f"{place}/#{server.token}"
    if show:
        found = await asyncio.to_thread(records.read_file, show)
        link = f"{place}/records/{server.keep_open(found, secrets.token_hex(16))}#{server.token}"

    async def begun() -> None:
        asyncio.get_running_loop().run_in_executor(
            None, importlib.import_module, "kibitz.core.jit"
        )  # numba takes a while
        asyncio.get_running_loop().create_task(_reopened(server))
        print(link, flush=True)
        if browser:
            await asyncio.to_thread(_open_browser, link)

    settings = uvicorn.Config(
        app(server, on_start=begun), log_config=None, access_log=False, ws_max_size=MOST_MESSAGE, ws="auto",
        timeout_graceful_shutdown=3, lifespan="on",
    )  # fmt: skip
    running = _Quiet(settings)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: setattr(running, "should_exit", True))
    await running.serve(sockets=[line])


class _Quiet(uvicorn.Server):
    """A server that leaves signals to us: once it has stopped we still have something to do."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take none."""
        yield


async def _reopened(server: Server) -> None:
    """Open the tables of the folder once the page is there: their games may take a while to load."""
    if not any((server.room.data / "tables").glob("*.jsonl")):
        return
    count = await asyncio.to_thread(server.room.reopen)
    say(f"{count} tables reopened")
    for table in list(server.room.tables.values()):
        server.room.wake(table)


def _open_browser(link: str) -> None:
    with contextlib.suppress(Exception):
        if sys.stdout.isatty():
            webbrowser.open(link)

"""A server in a thread and a browser that plays by clicks, for the tests of the table."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from websockets.sync.client import connect

from kibitz.web.running import bound, made
from kibitz.web.server import Server, app
from kibitz.web.thinking import Workers
from kibitz.web.visit import MOST_MESSAGE

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip
CORNER = {"x": 12, "y": 16}
"""Where a card is clicked: others may lie on its middle."""
PATIENCE = 300_000
"""Milliseconds: a game may have to be compiled first."""


class Running:
    """A server at some port of this machine."""

    def __init__(self, data: Path, workers: int = 1) -> None:
        self.said: list[str] = []
        self.workers = Workers(workers)
        self.server: Server = made(data, self.workers, self.said.append)
        self.line = bound("127.0.0.1", 0)
        self.place = f"http://127.0.0.1:{self.line.getsockname()[1]}"
        settings = uvicorn.Config(
            app(self.server), log_config=None, access_log=False, ws_max_size=MOST_MESSAGE, timeout_graceful_shutdown=1
        )
        self.uvicorn = uvicorn.Server(settings)
        self.thread = threading.Thread(target=lambda: asyncio.run(self.uvicorn.serve([self.line])), daemon=True)

    def __enter__(self) -> Running:
        self.thread.start()
        while not self.uvicorn.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: Any) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(10)
        self.workers.close()
        self.line.close()

    def ask(self: Any, path: str, body: Any = None, token: str | None = None, method: str | None = None) -> Any:
        """A request and its JSON answer; (status, answer) where it is refused."""
        data = None if body is None else json.dumps(body).encode() if not isinstance(body, bytes) else body
        request = urllib.request.Request(self.place + path, data, method=method)
        request.add_header("Authorization", f"Bearer {self.server.token if token is None else token}")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read() or "{}")
        except urllib.error.HTTPError as problem:
            return problem.code, json.loads(problem.read())

    def table(
        self: Any, game: str, people: int = 1, bot: str = "random", seat: int = 0, **options: str
    ) -> dict[str, Any]:
        """A table with people from a seat on and bots elsewhere, without pauses."""
        count = int(options.get("players") or self.ask(f"/api/games/{game}")["players"])
        seats: list[dict[str, str]] = [{"kind": "bot", "spec": bot} for _ in range(count)]
        for k in range(people):
            seats[(seat + k) % count] = {"kind": "person", "name": f"Ann {k}"}
        found = self.ask("/api/tables", {"game": game, "seats": seats, "options": options, "pace": 0})
        assert isinstance(found, dict), found
        return found


def kibitz_serve(folder: Path, *more: str, **environment: str) -> subprocess.Popen[str]:
    """`kibitz serve` for a folder, as a process of its own, in plain Python."""
    command = [sys.executable, "-m", "kibitz", "serve", "--data", str(folder), "--workers", "1", "--no-browser", *more]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", **environment},
    )


class Address:
    """A server of another process."""

    def __init__(self, run: subprocess.Popen[str]) -> None:
        assert run.stdout is not None
        self.link = run.stdout.readline().strip()
        self.place, _, token = self.link.partition("/#")
        self.server: Any = type("Token", (), {"token": token})()

    ask, table = Running.ask, Running.table


@contextmanager
def plain_server(folder: Path) -> Iterator[Address]:
    """A server that compiles nothing: a deal of any game can be played at once."""
    run = kibitz_serve(folder, "--port", "0")
    try:
        yield Address(run)
    finally:
        run.terminate()
        run.communicate(timeout=30)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; a machine without one is told what is missing."""
    from playwright.sync_api import sync_playwright

    assert CHROMIUM, "no chromium was found: apt-get install chromium"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Person:
    """Somebody at a browser who clicks what is lit; errors of the page are kept."""

    def __init__(
        self, browser: Any, width: int = 1280, height: int = 800, scheme: str = "light", lang: str = "en", **more: Any
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale=lang, **more
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda problem: self.errors.append(str(problem)))
        self.page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))

    def open(self, link: str) -> Person:
        """Go to a table."""
        self.page.goto(link)
        self.page.wait_for_selector(".felt")
        return self

    def is_over(self) -> bool:
        """Whether the deal is over."""
        return bool(self.page.locator(".ending").count())

    def step(self, prefer: str = "") -> bool:
        """One decision by clicks: a card that is lit, a set of cards, or a call. False once the deal is over."""
        page = self.page
        page.wait_for_selector(".ending, .status.turn")
        if self.is_over():
            return False
        before = self.number()
        page.mouse.move(1, 1)  # a card under the pointer lies on its neighbour
        preferred = page.locator(f'[data-call="{prefer}"]') if prefer else None
        if preferred is not None and preferred.count():
            preferred.first.click()
        elif page.locator('[data-key="lay"]').count():
            while page.locator('[data-key="lay"][disabled]').count():
                page.locator("button.card.lit:not(.chosen)").first.click(position=CORNER)
                page.mouse.move(1, 1)
            page.locator('[data-key="lay"]').click()
        elif page.locator("button.card.lit").count():
            page.locator("button.card.lit").first.click(position=CORNER)
        else:
            page.locator("[data-call]").first.click()
        page.wait_for_function(
            "n => document.querySelector('.ending') || Number(document.querySelector('main').dataset.n) !== n",
            arg=before,
        )
        return True

    def number(self) -> int:
        """The number of the decision that is due."""
        return int(self.page.locator("main").get_attribute("data-n") or 0)

    def play(self, prefer: str = "", most: int = 1000) -> int:
        """To the end of the deal; how many decisions that took."""
        count = 0
        while count < most and self.step(prefer):
            count += 1
        return count


class Seat:
    """A place at a table, without a browser."""

    def __init__(self, server: Any, link: str, **more: Any) -> None:
        path, _, self.token = link.partition("#")
        self.line = connect(
            f"ws{server.place[4:]}/ws/{path.split('/')[-1]}", max_size=1 << 22, close_timeout=1, **more
        ).__enter__()
        self.traffic: list[str] = []
        self.say({"do": "hello", "token": self.token})

    def say(self, message: Any) -> None:
        """Send a message."""
        self.line.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def hear(self, kind: str = "table", seconds: float = 300, where: Any = lambda message: True) -> Any:
        """The next message of a kind for which something holds."""
        end = time.monotonic() + seconds
        while True:
            text = self.line.recv(timeout=max(0.1, end - time.monotonic()))
            self.traffic.append(text)
            message = json.loads(text)
            if message["type"] == kind and where(message):
                return message

    def dealt(self) -> Any:
        """The first view of a deal."""
        return self.hear(where=lambda message: "scene" in message)

    def my_turn(self) -> Any:
        """The view when it is this seat's turn, or the deal is over."""
        return self.hear(where=lambda m: "end" in m or ("scene" in m and m["scene"]["turn"] == m["scene"]["seat"]))

    def close(self) -> None:
        """Leave."""
        self.line.close()

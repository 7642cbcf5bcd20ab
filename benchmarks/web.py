"""Load on the table in the browser: many tables of one person and rule-based bots, played through real sockets.

    python benchmarks/web.py --tables 500 --seconds 600 --game leduc --bot leduc-rule

Each person moves so many times a second (0.3 unless told). Printed are the times from a move to its acknowledgement,
what went wrong, and the memory of the server at the beginning and at the end.
"""

import argparse
import asyncio
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from websockets.asyncio.client import connect

RATE = 0.3


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


class Load:
    """A server in a process of its own, and the people at its tables."""

    def __init__(self, game: str, bot: str, rate: float) -> None:
        self.game, self.bot, self.rate = game, bot, rate
        self.waits: list[float] = []
        self.faults: list[str] = []
        command = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--no-browser", "--data", tempfile.mkdtemp()]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.server.stdout is not None
        self.place, _, self.token = self.server.stdout.readline().strip().partition("/#")

    def ask(self, path: str, body: object = None) -> dict:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.place + path, data, {"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=600) as answer:
            return json.loads(answer.read())

    def table(self) -> str:
        players = self.ask(f"/api/games/{self.game}")["players"]
        seats = [{"kind": "person", "name": "a"}] + [{"kind": "bot", "spec": self.bot}] * (players - 1)
        return self.ask("/api/tables", {"game": self.game, "seats": seats, "pace": 0})["players"][0]

    async def person(self, link: str, end: float) -> None:
        """Play deal after deal until the time is up."""
        path, _, token = link.partition("#")
        try:
            async with connect(f"ws{self.place[4:]}/ws/{path.split('/')[-1]}", max_size=1 << 22) as line:
                await line.send(json.dumps({"do": "hello", "token": token}))
                luck, over = random.Random(token), 0
                await asyncio.sleep(luck.uniform(0, 1 / self.rate))
                while time.monotonic() < end:
                    message = json.loads(await asyncio.wait_for(line.recv(), 60))
                    if message["type"] != "table" or "scene" not in message:
                        continue
                    if "end" in message:
                        if message["deal"] > over:
                            over = message["deal"]
                            await line.send('{"do":"next"}')
                    elif message["scene"]["turn"] == message["scene"]["seat"]:
                        await self.move(line, message, luck)
        except Exception as problem:
            self.faults.append(f"{type(problem).__name__}: {problem}")

    async def move(self, line, message, luck) -> None:
        choice = luck.choice(message["scene"]["moves"])
        begun = time.perf_counter()
        await line.send(json.dumps({"do": "move", "n": message["n"], "actions": choice["actions"]}))
        while True:
            answer = json.loads(await asyncio.wait_for(line.recv(), 60))
            if answer["type"] == "error":
                self.faults.append(answer["text"])
                return
            if answer["type"] == "table" and (answer.get("n") != message["n"] or "end" in answer):
                break
        self.waits.append(time.perf_counter() - begun)
        await asyncio.sleep(luck.expovariate(self.rate))
        await line.send('{"do":"lang","lang":"en"}')  # the present view, whatever came in between

    async def run(self, tables: int, seconds: float) -> dict:
        links = [await asyncio.to_thread(self.table)]
        await asyncio.sleep(1)
        links += [await asyncio.to_thread(self.table) for _ in range(tables - 1)]
        end = time.monotonic() + seconds
        people = asyncio.gather(*(self.person(link, end) for link in links))
        await asyncio.sleep(min(20.0, seconds / 4))
        first = memory(self.server.pid)
        await people
        waits = np.array(self.waits) * 1000
        return {
            "tables": tables, "seconds": seconds, "moves": len(waits), "moves_a_second": round(len(waits) / seconds, 1),
            "p50_ms": round(float(np.percentile(waits, 50)), 1), "p99_ms": round(float(np.percentile(waits, 99)), 1),
            "most_ms": round(float(waits.max()), 1), "faults": len(self.faults),
            "first_fault": (self.faults or [""])[0], "megabytes_early": round(first),
            "megabytes_late": round(memory(self.server.pid)),
        }  # fmt: skip

    def close(self) -> None:
        self.server.terminate()
        self.server.wait(20)


def measured(game: str, bot: str, tables: int, seconds: float, rate: float) -> dict:
    load = Load(game, bot, rate)
    try:
        found = asyncio.run(load.run(tables, seconds))
    finally:
        load.close()
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"game": game, **found, "server_cpu_seconds": round(spent.ru_utime + spent.ru_stime, 1)}


def rates() -> Iterator[tuple[str, float]]:
    """Acknowledged moves a second at fifty tables that do not wait."""
    found = measured("leduc", "leduc-rule", 50, 10.0, 50.0)
    yield "web: moves a second at 50 tables of leduc", found["moves_a_second"]


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("--tables", type=int, default=500)
    asked.add_argument("--seconds", type=float, default=60.0)
    asked.add_argument("--game", default="leduc")
    asked.add_argument("--bot", default="")
    asked.add_argument("--rate", type=float, default=RATE)
    given = asked.parse_args()
    print(
        json.dumps(
            measured(given.game, given.bot or f"{given.game}-rule", given.tables, given.seconds, given.rate), indent=1
        )
    )

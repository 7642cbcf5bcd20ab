"""The server through its real sockets: tokens, other seats, hostile messages, bots that fail, files, stops."""

import asyncio
import json
import os
import random
import signal
import socket
import string
import subprocess
import sys
import time

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kibitz.web.room import MOST_UNREAD, Watcher
from kibitz.web.thinking import Workers
from tests.web.driving import Address, Running, Seat, kibitz_serve


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Running(tmp_path_factory.mktemp("web")) as running:
        yield running


def test_a_page_and_its_scripts_come_from_here_alone(server):
    import urllib.request

    with urllib.request.urlopen(server.place + "/") as answer:
        assert answer.headers["content-security-policy"].startswith("default-src 'self'")
        text = answer.read().decode()
    assert "http" not in text.replace("http-equiv", "")


def test_health(server):
    assert server.ask("/healthz", token="")["status"] == "ok"


def test_without_the_hosts_token_nothing_is_opened(server):
    for path, body in (("/api/tables", {"game": "kuhn", "seats": []}), ("/api/records", b"{}"), ("/api/tables", None)):
        status, said = server.ask(path, body, token="0" * 32)
        assert status == 403 and "kibitz serve printed" in said["error"]


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ({"game": "skta", "seats": [{"kind": "person"}]}, "did you mean skat"),
        ({"game": "kuhn", "seats": [{"kind": "person"}]}, "has 2 seats"),
        ({"game": "kuhn", "seats": [{"kind": "person"}, {"kind": "bot", "spec": "nobody"}]}, "there is no bot nobody"),
        ({"game": "kuhn", "seats": [{"kind": "ghost"}, {"kind": "person"}]}, "one of person, bot"),
        ({"game": "kuhn", "seats": [{"kind": "person"}] * 2, "options": {"players": "99"}}, "whole number from"),
        ([], "an object"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_what_would_be_right(server, asked, right):
    status, said = server.ask("/api/tables", asked)
    assert status == 400 and right in said["error"]


def test_a_whole_deal_of_kuhn_through_the_socket(server):
    table = server.table("kuhn", bot="kuhn-rule")
    seat = Seat(server, table["players"][0])
    message = seat.my_turn()
    while "end" not in message:
        seat.say({"do": "move", "n": message["n"], "actions": message["scene"]["moves"][0]["actions"]})
        message = seat.my_turn()
    assert len(message["end"]["returns"]) == 2
    seat.close()
    record = server.server.room.data / "games" / "kuhn.jsonl"
    assert "person:Ann 0" in record.read_text()


def test_a_token_opens_its_own_seat_and_nothing_else(server):
    table = server.table("kuhn", people=2)
    first, second = (Seat(server, link) for link in table["players"])
    message = first.dealt()
    other = second.dealt()
    assert (message["you"], other["you"]) == (0, 1)
    waiting = second if message["scene"]["turn"] == 0 else first
    waiting.say({"do": "move", "n": 0, "actions": [0]})
    assert "not your turn" in waiting.hear("error")["text"]
    watcher = Seat(server, table["watch"])
    seen = watcher.dealt()
    assert seen["you"] is None and all(not seat["cards"] for seat in seen["scene"]["seats"])
    watcher.say({"do": "move", "n": 0, "actions": [0]})
    assert "looking on" in watcher.hear("error")["text"]
    watcher.say({"do": "bot", "k": 0, "bot": "random"})
    assert "only the host" in watcher.hear("error")["text"]
    stranger = Seat(server, f"{table['players'][0].split('#')[0]}#{'0' * 32}")
    assert "does not lead to a place" in stranger.hear("refused")["text"]
    for one in (first, second, watcher, stranger):
        one.close()


def test_a_page_from_elsewhere_cannot_use_the_socket(server):
    table = server.table("kuhn")
    path = table["players"][0].split("#")[0].split("/")[-1]
    with (
        pytest.raises(Exception, match=r"403|1008|rejected"),
        connect(f"ws{server.place[4:]}/ws/{path}", origin="http://evil.example") as line,
    ):
        line.recv(timeout=5)


def test_a_repeated_move_is_answered_with_the_present_view(server):
    table = server.table("leduc", people=2)
    seats = [Seat(server, link) for link in table["players"]]
    views = [seat.dealt() for seat in seats]
    mover = seats[views[0]["scene"]["turn"]]
    for _ in range(2):
        mover.say({"do": "move", "n": 0, "actions": [1]})
    for _ in range(2):
        assert mover.hear(where=lambda m: m.get("n") == 1)["n"] == 1
    assert len(server.server.room.tables[table["id"]].deal.choices) == 1
    for seat in seats:
        seat.close()


def test_the_host_can_give_a_place_to_a_bot_and_the_old_link_ends(server):
    table = server.table("kuhn", people=2)
    first = Seat(server, table["players"][0])
    first.dealt()
    host = Seat(server, f"{table['players'][0].split('#')[0]}#{server.server.token}")
    host.dealt()
    host.say({"do": "bot", "k": 1, "bot": "kuhn-rule"})
    assert first.hear(where=lambda m: m["players"][1]["kind"] == "bot")
    assert "does not lead" in Seat(server, table["players"][1]).hear("refused")["text"]
    first.close()
    host.close()


def hostile(luck, tokens):
    """A message that nobody should send."""
    junk = "".join(luck.choices(string.printable, k=luck.randint(0, 60)))
    number = luck.choice([-1, 0, 1, 2**31, 2**63, 10**30, 1.5, None, "1", [], {}, True])
    deep = "[" * luck.randint(1, 1500)
    kinds = [
        junk, deep, deep + "]" * len(deep), json.dumps({"do": junk}),
        json.dumps({"do": "move", "n": number, "actions": number}),
        json.dumps({"do": "move", "n": 0, "actions": [number]}),
        json.dumps({"do": "move", "n": number, "actions": [0]}),
        json.dumps({"do": "again", "seat": number}), json.dumps({"do": "bot", "k": number, "bot": junk}),
        json.dumps({"do": "next"}), json.dumps({"do": "hello", "token": luck.choice(tokens)}),
        json.dumps({"do": "pace", "pace": number}), json.dumps({"do": "back", "x": 1}),
        json.dumps({"do": "why", "card": junk}), json.dumps({"do": "review"}),
        json.dumps({"do": "belief", "n": number}), "null", "\x00", '{"do":"move"',
        json.dumps({"do": "name", "name": ""}), json.dumps({"do": "open", "open": True}),
        json.dumps({"do": "compare", "bot": junk}), "9" * 4000,
    ]  # fmt: skip
    return luck.choice(kinds)


def check_hostile(server, count, monkeypatch):
    monkeypatch.setattr("kibitz.web.visit.MOST_A_SECOND", 10**9)
    table = server.table("leduc", people=2)
    seats = [Seat(server, link) for link in table["players"]]
    views = [seat.dealt() for seat in seats]
    idle = seats[1 - views[0]["scene"]["turn"]]
    kept = server.server.room.tables[table["id"]]
    before = (kept.deal.position.state.tolist(), [player.kept() for player in kept.players], kept.watch)
    luck = random.Random(5)
    tokens = [one.partition("#")[2] for one in (*table["players"], table["watch"])] + ["0" * 32]
    for k in range(count):
        idle.say(hostile(luck, tokens))
        if k % 20 == 19:
            idle.say({"do": "hint", "bot": f"mark{k}"})
            idle.hear("error", where=lambda m, mark=f"mark{k} ": m["text"].startswith(mark))
            idle.traffic.clear()
    idle.say({"do": "lang", "lang": "en"})
    assert idle.hear(where=lambda m: "scene" in m)["n"] == 0
    now = (kept.deal.position.state.tolist(), [player.kept() for player in kept.players], kept.watch)
    assert now == before and not [said for said in server.said if "request failed" in said]
    assert server.ask("/healthz")["status"] == "ok"
    for seat in seats:
        seat.close()


def test_hostile_messages_change_nothing(server, monkeypatch):
    check_hostile(server, 1000, monkeypatch)


@pytest.mark.slow
def test_a_hundred_thousand_hostile_messages_change_nothing(server, monkeypatch):
    check_hostile(server, 100_000, monkeypatch)


def test_nobody_waits_for_a_browser_that_does_not_read():
    async def told():
        read = []

        async def never(said):
            await asyncio.Event().wait()

        async def at_once(said):
            read.append(said["n"])

        asleep, awake = Watcher(never, 0, "en", False), Watcher(at_once, 1, "en", False)
        tasks = [asyncio.create_task(watcher.post()) for watcher in (asleep, awake)]
        for n in range(MOST_UNREAD + 2):
            for watcher in (asleep, awake):
                await watcher.send({"n": n})
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        return asleep.is_stuck.is_set(), awake.is_stuck.is_set(), read

    assert asyncio.run(told()) == (True, False, list(range(MOST_UNREAD + 2)))


def test_a_message_that_is_too_long_ends_the_line_and_nothing_else(server):
    table = server.table("kuhn", people=2)
    seat = Seat(server, table["players"][0])
    seat.dealt()
    with pytest.raises(ConnectionClosed):
        seat.say({"do": "why", "card": "x" * 5000})
        while True:
            seat.line.recv(timeout=10)
    back = Seat(server, table["players"][0])
    assert back.dealt()["n"] == 0
    back.close()


def test_messages_come_at_most_twenty_a_second(server):
    table = server.table("kuhn", people=2)
    seat = Seat(server, table["players"][0])
    seat.dealt()
    for _ in range(60):
        seat.say({"do": "why", "card": "K"})
    assert "not so fast" in seat.hear("error")["text"]
    seat.close()


RAISING = """
class Angry:
    name = "angry"
    def act(self, view):
        raise RuntimeError("no")
"""


def test_a_bot_that_raises_is_named_and_the_deal_goes_on(server, tmp_path):
    (tmp_path / "angry.py").write_text(RAISING)
    table = server.table("kuhn", bot=f"python:{tmp_path}/angry.py:Angry")
    seat = Seat(server, table["players"][0])
    message = seat.my_turn()
    while "end" not in message:
        seat.say({"do": "move", "n": message["n"], "actions": message["scene"]["moves"][0]["actions"]})
        message = seat.my_turn()
    assert (
        "raised RuntimeError: no (angry.py, line 5)" in message["notes"][0]
        and "kuhn-rule moves in its stead" in message["notes"][0]
    )
    seat.close()


def test_a_bot_that_hangs_is_stopped():
    from kibitz.core.errors import BotFailed

    async def ask():
        workers = Workers(1)
        try:
            with pytest.raises(BotFailed, match=r"took longer than 0\.01 s"):
                await workers.ask("prepare", "kuhn", {}, [], seconds=0.01)
        finally:
            workers.close()

    asyncio.run(ask())


def test_a_hint_names_all_cards_that_are_laid_together(server):
    seat = Seat(server, server.table("hearts", bot="hearts-rule")["players"][0])
    scene = seat.my_turn()["scene"]
    seat.say({"do": "hint"})
    hint = seat.hear("hint")
    assert hint["laid"][0] == hint["choice"]
    assert bool(hint["unit"]) == any(row["value"] is not None for row in hint["rows"])
    assert sorted(hint["laid"]) in [sorted(move["cards"]) for move in scene["moves"]] and len(hint["laid"]) == 3


def test_a_hint_a_review_a_belief_and_the_same_cards_for_kuhn(server):
    table = server.table("kuhn", bot="kuhn-rule")
    seat = Seat(server, table["players"][0])
    message = seat.my_turn()
    seat.say({"do": "hint"})
    hint = seat.hear("hint")
    assert {row["word"] for row in hint["rows"]} == {"pass", "bet"} and abs(
        sum(row["share"] for row in hint["rows"]) - 1
    ) < 1e-6
    seat.say({"do": "hint", "bot": "python:/tmp/x.py:Y"})
    assert "cannot be asked here" in seat.hear("error")["text"]
    while "end" not in message:
        seat.say({"do": "move", "n": message["n"], "actions": message["scene"]["moves"][0]["actions"]})
        message = seat.my_turn()
    seat.say({"do": "review"})
    review = seat.hear("review")
    assert not review["failed"] and review["rows"]
    for row in review["rows"]:
        assert (
            row["verdict"] in ("fine", "error", "bad luck", "lucky")
            and {"known", "true", "best", "wins"} <= row["rows"][0].keys()
        )
    seat.say({"do": "belief", "n": review["rows"][0]["n"]})
    belief = seat.hear("belief")
    assert abs(sum(row["chances"][1] for row in belief["rows"]) - 1) < 1e-9  # the other has one card
    seat.say({"do": "compare"})
    assert seat.hear("compared")["bot"] == "kuhn-rule"
    assert seat.hear(where=lambda m: m["compared"])["compared"][0]["deals"] == 1
    seat.close()


def test_records_are_opened_and_looked_at_from_any_seat(server, tmp_path):
    from kibitz.arena.simulate import simulate
    from kibitz.bots import seat_bots
    from kibitz.core.game import make

    game = make("leduc")
    simulate(game, seat_bots(game, "random"), 3, 1, records=tmp_path / "g.jsonl")
    opened = server.ask("/api/records", (tmp_path / "g.jsonl").read_bytes() + b"rubbish\n")
    assert len(opened["games"]) == 3 and "line 4" in opened["skipped"][0]
    frame = server.ask(f"/api/records/{opened['id']}/1/0?seat=1")
    assert frame["scene"]["seats"][0]["cards"] == [] and frame["scene"]["seats"][1]["cards"]
    last = server.ask(f"/api/records/{opened['id']}/1/{frame['of']}")
    assert last["end"]["returns"] and all(seat["cards"] for seat in last["scene"]["seats"])
    assert server.ask(f"/api/records/{opened['id']}/9/0")[0] == 400
    assert server.ask("/api/records", b"not a record")[0] == 400


def test_a_port_in_use_costs_one_line(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        run = kibitz_serve(tmp_path / "d", "--port", str(other.getsockname()[1]))
        out, err = run.communicate(timeout=60)
    assert run.returncode == 2 and "is in use" in err and len(err.splitlines()) == 1 and not out


def test_other_machines_are_let_in_only_when_that_is_said(tmp_path):
    run = kibitz_serve(tmp_path / "d", "--host", "0.0.0.0")
    _, err = run.communicate(timeout=60)
    assert run.returncode == 2 and "--public" in err and len(err.splitlines()) == 1


def check_kill(tmp_path, count, how):
    run = kibitz_serve(tmp_path / "d", "--port", "0")
    server = Address(run)
    tables = [server.table("leduc", people=2) for _ in range(count)]
    acknowledged = []
    for table in tables:
        seats = [Seat(server, link) for link in table["players"]]
        first = seats[0].dealt()
        mover = seats[first["scene"]["turn"]]
        mover.say({"do": "move", "n": 0, "actions": [1]})
        mover.hear(where=lambda m: m.get("n") == 1)
        acknowledged.append(first["commitment"])
        for seat in seats:
            seat.line.close()
    run.send_signal(how)
    _, err = run.communicate(timeout=30)
    assert not any(table["players"][0].partition("#")[2] in err for table in tables)
    again = kibitz_serve(tmp_path / "d", "--port", "0")
    server = Address(again)
    for table, bound in zip(tables, acknowledged, strict=True):
        end = time.monotonic() + 60
        while True:
            seat = Seat(server, table["players"][0])
            message = json.loads(seat.line.recv(timeout=30))
            if message["type"] == "table" or time.monotonic() > end:
                break
            time.sleep(0.2)
        message = message if "scene" in message else seat.dealt()
        assert message["n"] == 1 and message["commitment"] == bound
        seat.close()
    again.send_signal(signal.SIGINT)
    again.communicate(timeout=30)
    return run.returncode, again.returncode, err


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path):
    assert check_kill(tmp_path, 3, signal.SIGKILL)[0] == -signal.SIGKILL


@pytest.mark.slow
def test_two_hundred_tables_go_on_after_a_kill(tmp_path):
    check_kill(tmp_path, 200, signal.SIGKILL)


def test_a_server_that_is_told_to_stop_says_so_and_keeps_its_tables(tmp_path):
    code, _, err = check_kill(tmp_path, 1, signal.SIGTERM)
    assert "all tables are kept" in err and code == 0, (code, err)
    assert (tmp_path / "d").stat().st_mode & 0o077 == 0 and os.listdir(tmp_path / "d" / "tables")


def test_games_with_people_are_listed(tmp_path):
    from tests.web.test_session import finish, table_of

    folder = tmp_path / "data" / "games"
    folder.mkdir(parents=True)
    (folder / "kuhn.jsonl").write_text(finish(table_of(tmp_path, "kuhn")).line() + "\n")
    command = [sys.executable, "-m", "kibitz", "records", "list", str(tmp_path / "data"), "--people"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "person:p0" in run.stdout and "1 games, 1 with people" in run.stderr

"""What goes wrong at a table, and what is said of it: bots that hang, damaged journals, records, logs."""

import json
import signal
import subprocess
import sys
import time

import pytest

from kibitz.core.record import read_record
from tests.naive.iss_examples import EXAMPLES
from tests.web.driving import Address, Person, Running, Seat, chromium, kibitz_serve
from tests.web.test_session import finish, table_of


def played(seat, message):
    """Play on with the first choice until the deal is over."""
    while "end" not in message:
        seat.say({"do": "move", "n": message["n"], "actions": message["scene"]["moves"][0]["actions"]})
        message = seat.my_turn()
    return message


BOTS = {
    "Asleep": "import time\nclass Bot:\n    name = 'asleep'\n    def act(self, view):\n        time.sleep(1000)\n",
    "Angry": "class Bot:\n    name = 'angry'\n    def act(self, view):\n        raise RuntimeError('no')\n",
    "Wrong": "class Bot:\n    name = 'wrong'\n    def act(self, view):\n        return 10**6\n",
    "Leaving": "import os\nclass Bot:\n    name = 'leaving'\n    def act(self, view):\n        os._exit(1)\n",
}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Asleep", "took longer than 1.5 s and was stopped"),
        ("Angry", "raised RuntimeError: no"),
        ("Wrong", "which is illegal"),
        ("Leaving", "bot.py:Bot in seat 0"),
    ],
)
def test_a_bot_that_fails_is_named_the_rule_player_moves_and_the_deal_is_kept(tmp_path, monkeypatch, name, said):
    (tmp_path / "bot.py").write_text(BOTS[name])
    with Running(tmp_path / "data") as server:
        warm = Seat(server, server.table("kuhn", bot="kuhn-rule")["players"][0])
        played(warm, warm.my_turn())  # from here on a move takes no time
        warm.close()
        if name == "Asleep":
            monkeypatch.setattr("kibitz.web.thinking.PATIENCE", 1.5)
        seat = Seat(server, server.table("kuhn", bot=f"python:{tmp_path}/bot.py:Bot", seat=1)["players"][1])
        message = played(seat, seat.my_turn())
        seat.close()
        notes = " ".join(message["notes"])
        assert said in notes and "kuhn-rule moves in its stead" in notes
        assert any("bot failed" in line and said in line for line in server.said)
        kept = (tmp_path / "data" / "games" / "kuhn.jsonl").read_text().splitlines()
        assert len(kept) == 2 and read_record(kept[1]).seats[1] == "person:Ann 0"


def test_a_damaged_line_of_a_journal_is_named_when_the_server_opens_its_tables(tmp_path):
    with Running(tmp_path) as server:
        tables = [server.table("leduc", people=2) for _ in range(2)]
        for table in tables:
            seats = [Seat(server, link) for link in table["players"]]
            first = seats[0].dealt()
            seats[first["scene"]["turn"]].say({"do": "move", "n": 0, "actions": [1]})
            seats[0].hear(where=lambda m: m.get("n") == 1)
            for seat in seats:
                seat.close()
    path = tmp_path / "tables" / f"{tables[0]['id']}.jsonl"
    path.write_text(path.read_text()[:-9] + "\n")
    with Running(tmp_path) as server:
        assert server.server.room.reopen() == 2
        assert any(f"{path.name} line 3 skipped" in line for line in server.said), server.said
        assert [server.server.room.tables[table["id"]].deal.due for table in tables] == [0, 1]


def shown_records(file):
    """The page that `kibitz replay FILE --web` opens, and the process."""
    command = [sys.executable, "-m", "kibitz", "replay", str(file), "--web", "--no-browser"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return run, run.stdout.readline().strip()


def test_replay_opens_records_of_ours_and_of_iss_in_the_browser(tmp_path):
    ours, iss = tmp_path / "ours.jsonl", tmp_path / "iss.sgf"
    ours.write_text(finish(table_of(tmp_path, "leduc")).line() + "\n")
    whole = [one for one in EXAMPLES if one.expected in ("PLAYED", "SHORTENED")][:2]
    iss.write_text("\n".join(one.text for one in whole) + "\n")
    with chromium() as browser:
        for file, title in ((ours, "Leduc"), (iss, "Skat")):
            run, link = shown_records(file)
            try:
                person = Person(browser)
                person.page.goto(link)
                person.page.wait_for_selector(".replay")
                assert person.page.locator(".head h1").text_content() == title
                person.page.keyboard.press("End")
                person.page.wait_for_selector('.panel h2:has-text("Score")')
                assert not person.errors
                person.context.close()
            finally:
                run.send_signal(signal.SIGINT)
                run.communicate(timeout=30)


def test_replay_of_what_is_no_record_costs_one_line(tmp_path):
    (tmp_path / "x.jsonl").write_text("hello\n")
    run = subprocess.run(
        [sys.executable, "-m", "kibitz", "replay", str(tmp_path / "x.jsonl"), "--web"], capture_output=True, text=True
    )
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1 and "Traceback" not in run.stderr


def test_logs_hold_neither_cards_nor_tokens(tmp_path):
    run = kibitz_serve(tmp_path / "d", "--port", "0")
    server = Address(run)
    made = server.table("leduc", bot="leduc-rule")
    seat = Seat(server, made["players"][0])
    message = played(seat, seat.my_turn())
    end = message["end"]
    seat.close()
    assert server.ask("/healthz", token="")["tables"] == 1
    run.send_signal(signal.SIGTERM)
    _, said = run.communicate(timeout=30)
    tokens = [link.partition("#")[2] for link in (*made["players"], made["watch"]) if link] + [server.server.token]
    assert not any(word in said for word in (*tokens, end["seed"], end["salt"]))
    lines = said.splitlines()
    assert not any(f" {card}" in line for hand in end["hands"] for card in hand for line in lines)
    assert all(time.strptime(line[:19], "%Y-%m-%d %H:%M:%S") for line in lines) and len(lines) >= 3


def test_games_of_the_table_can_be_learned_from(tmp_path):
    """What `train skat --method imitation --records DATA/games` reads: people are players like others."""
    from kibitz.arena.skat.shards import gather, read_shard

    folder = tmp_path / "games"
    folder.mkdir()
    table = table_of(tmp_path, "skat")
    while table.turn_of() is not None:
        position = table.deal.position
        word = next((w for w in ("18", "yes", "hand", "G") if w in position.legal()), position.legal()[0])
        table.play(table.turn_of(), table.deal.due, [position.read(word)])
    record = table.finish()
    (folder / "skat.jsonl").write_text(record.line() + "\n")
    (folder / "kuhn.jsonl").write_text(finish(table_of(tmp_path / "k", "kuhn")).line() + "\n")
    shards = [read_shard(path) for path in gather(sorted(folder.iterdir()), tmp_path / "shards")]
    games = [shard for shard in shards if len(shard)]
    assert len(games) == 1 and "person:p0" in games[0].names, json.loads(record.line())["actions"]
    assert sum(shard.refused.get("it is of another game", 0) for shard in shards) == 1


@pytest.mark.slow
def test_with_an_empty_cache_the_page_is_there_at_once_and_says_how_far_it_is(tmp_path):
    run = kibitz_serve(tmp_path / "d", "--port", "0", NUMBA_DISABLE_JIT="0", KIBITZ_CACHE=str(tmp_path / "cache"))
    server = Address(run)
    seat = Seat(server, server.table("leduc", bot="leduc-rule")["players"][0])
    message = json.loads(seat.line.recv(timeout=20))
    assert message["type"] in ("table", "preparing") and "scene" not in message
    steps = [message.get("preparing") or [message["done"], message["of"]]]
    while message["type"] != "table" or "scene" not in message:
        message = json.loads(seat.line.recv(timeout=600))
        if message["type"] == "preparing":
            steps.append([message["done"], message["of"]])
    assert len(steps) > 2 and steps == sorted(steps)
    seat.close()
    run.terminate()
    run.communicate(timeout=30)

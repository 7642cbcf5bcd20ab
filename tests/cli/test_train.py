"""`kibitz train` and `kibitz models` at the command line."""

import json
from pathlib import Path

import pytest

from kibitz.cli.main import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err


def test_a_model_is_trained_and_plays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = [
        "train",
        "kuhn",
        "--out",
        str(tmp_path),
        "--frames",
        "500",
        "--with",
        "games=64",
        "--evaluation-games",
        "64",
    ]
    code, out, _ = run(capsys, *asked, "--json")
    told = json.loads(out)
    assert code == 0 and told["frames"] >= 500 and len(told["sha256"]) == 64
    bots = f"net:{tmp_path},net:{tmp_path}"
    code, out, _ = run(capsys, "simulate", "kuhn", "--bots", bots, "--games", "50", "--json")
    assert code == 0 and json.loads(out)["games"] == 50
    code, out, _ = run(capsys, *asked)
    assert code == 0 and "seat 0 against random" in out and f"net:{tmp_path}" in out


def test_a_run_bounded_by_time_can_be_lengthened_and_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ["train", "kuhn", "--out", str(tmp_path / "run"), "--with", "games=64", "--evaluation-games", "64"]
    code, out, _ = run(capsys, *asked, "--time", "0.3s")
    assert code == 0 and "NashConv" in out  # the game is small enough to say how far from an equilibrium it is
    first = json.loads((tmp_path / "run" / "card.json").read_text())["frames"]
    code, out, _ = run(capsys, *asked, "--time", "0.6s", "--plot", str(tmp_path / "curve.svg"), "--json")
    told = json.loads(out)
    assert code == 0 and told["frames"] > first and 0 <= told["nash_conv"] <= 6
    assert (tmp_path / "curve.svg").read_text().lstrip().startswith("<?xml")
    code, _, err = run(capsys, *asked, "--time", "0.1s")
    assert code == 2 and "checkpoint of another run" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--frames", "9", "--time", "3s"], "--time 3m or --frames 1000000, one of the two"),
        ([], "--time 3m or --frames 1000000, one of the two"),
        (["--time", "soon"], "write 90s, 30m or 2h"),
        (["--frames", "9", "--learners", "5"], "seats from 0 to 1"),
        (["--frames", "9", "--method", "sarsa"], "there is no method sarsa"),
        (["--frames", "9", "--preset", "huge"], "dmc has no preset huge"),
        (["--frames", "9", "--with", "speed=1"], "dmc has no setting speed"),
        (["--frames", "9", "--with", "speed"], "write --with key=value"),
        (["--frames", "9", "--with", "rate=-1"], "rate=-1 is not possible: numbers from 1e-12"),
        (["--frames", "9", "--with", "rate=nan"], "rate=nan is not possible"),
        (["--frames", "9", "--with", "batch=0"], "batch=0 is not possible: numbers from 1"),
        (["--frames", "9", "--with", "layers=64,0"], "layers=64,0 is not possible"),
        (["--frames", "9", "--with", "epsilon=5"], "numbers from 0 to 1 are"),
        (["--frames", "9", "--method", "matches"], "matches learns Coinche and not kuhn"),
        (["--frames", "9", "--threads", "-1"], "--threads -1 is not possible"),
        (["--frames", "9", "--checkpoint-every", "-3"], "a number of seconds is"),
        (["--frames", "9", "--rivals", "nobody"], "there is no bot nobody"),
        (["--frames", "9", "--rival-share", "2"], "a number from 0 to 1"),
        (["--frames", "9", "--with", "observation=xray"], "has no observation xray"),
    ],
)
def test_wrong_requests_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], message: str
) -> None:
    code, out, err = run(capsys, "train", "kuhn", "--out", str(tmp_path / "x"), *words)
    assert code == 2 and out == ""
    assert message in err and err.count("\n") == 1


def test_shipped_models_are_listed_and_load(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "models", "--json")
    rows = {row["bot"]: row for row in json.loads(out)}
    assert code == 0 and "table:cheat-paper" in rows
    networks = [row for row in rows.values() if row["bot"].startswith("net:")]
    assert networks and sum(row["bytes"] for row in networks) < 50_000_000
    for row in networks:
        assert row["scores"] and all(score["games"] >= 10_000 for score in row["scores"].values())


def test_every_shipped_network_fits_its_game() -> None:
    from kibitz.core.shipped import shipped_folder
    from kibitz.learn.model import load_model

    cards = sorted(shipped_folder().glob("*/card.json"))
    assert cards
    for card in cards:
        assert load_model(card.parent).card.game

"""Models in folders: whole or not there, for one game, refused with one clear line when damaged."""

import json
from pathlib import Path

import numpy as np
import pytest

from kibitz.bots import make_bot
from kibitz.core.batch import Batch
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.shipped import note_on, strangers_for
from kibitz.learn import model
from kibitz.learn.model import POLICY, VALUES, Card, load_model, read_card, save_model
from kibitz.learn.network import Network
from kibitz.learn.senses import sense


def saved(
    folder: Path, name: str = "leduc", kind: str = VALUES, seats: tuple[int, ...] = (0, 0), seed: int = 4,
    **options: object,
) -> Card:  # fmt: skip
    game = make(name, **options)
    seen = sense(game)
    network = Network(seen.size, game.ACTIONS, (8,), seed=seed)
    card = Card(
        game.name, dict(game.options), game.version, seen.kind, seen.size, game.ACTIONS, [8], "actions", kind, seats,
        "dmc", {"rate": 1.0},
    )  # fmt: skip
    return save_model(folder, card, [network])


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    card = saved(tmp_path)
    found = load_model(tmp_path, make("leduc"))
    assert found.card == read_card(tmp_path) and found.card.sha256 == card.sha256
    assert (tmp_path / card.file).exists()


def test_a_new_model_replaces_the_old_one(tmp_path: Path) -> None:
    saved(tmp_path, "leduc")
    card = saved(tmp_path, "kuhn")
    assert [path.name for path in tmp_path.glob("*.safetensors")] == [card.file]
    assert load_model(tmp_path).game.name == "kuhn"


def test_a_reader_finds_weights_though_the_model_changes_under_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path)
    read, seeds = model.read_card, iter((5, 6, 7))

    def read_then_replaced(folder: Path) -> Card:
        card = read(folder)
        for seed in seeds:
            newest.append(saved(folder, seed=seed))
            break
        return card

    newest: list[Card] = []
    monkeypatch.setattr(model, "read_card", read_then_replaced)
    assert load_model(tmp_path).card.sha256 == newest[-1].sha256 and len(newest) == 3


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder, file: file.write_bytes(file.read_bytes()[:-9]), "truncated or altered"),
        (lambda folder, file: file.write_bytes(file.read_bytes()[:-1] + b"x"), "truncated or altered"),
        (lambda folder, file: file.unlink(), "cannot be read: No such file"),
        (lambda folder, file: (folder / "card.json").write_text("{"), "not a model's card, or is damaged"),
        (lambda folder, file: (folder / "card.json").write_text("[]"), "not a model's card, or is damaged"),
        (lambda folder, file: (folder / "card.json").unlink(), "holds no model"),
        (lambda folder, file: change(folder, format=99), "format 99: this version reads format 1"),
        (lambda folder, file: change(folder, version=7), "learned leduc version 7, and this is version"),
        (lambda folder, file: change(folder, layers=[9]), "do not fit the layers"),
        (lambda folder, file: change(folder, senses=3), "sees 3 numbers"),
        (lambda folder, file: change(folder, options={"ranks": 99}), "a game that has changed"),
        (lambda folder, file: change(folder, file=-1), "file is -1: a file"),
        (lambda folder, file: change(folder, seats=-1), "not a model's card, or is damaged"),
        (lambda folder, file: change(folder, options=-1), "options is -1: an object is"),
        (
            lambda folder, file: (folder / "card.json").write_text('{"format": 1, "game": "leduc"}'),
            "options is missing",
        ),
    ],
)
def test_damaged_models_are_refused_in_one_line(tmp_path: Path, damage, message: str) -> None:
    card = saved(tmp_path)
    damage(tmp_path, tmp_path / card.file)
    with pytest.raises(BadInput, match=message) as raised:
        load_model(tmp_path, make("leduc"))
    assert "\n" not in str(raised.value)


def change(folder: Path, **fields: object) -> None:
    path = folder / "card.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_a_model_of_another_game_is_refused(tmp_path: Path) -> None:
    saved(tmp_path, "leduc")
    with pytest.raises(BadInput, match="is a model of leduc, not of kuhn"):
        make_bot(make("kuhn"), f"net:{tmp_path}")


def test_a_seat_that_was_not_learned_is_refused(tmp_path: Path) -> None:
    saved(tmp_path, "leduc", seats=(0, -1))
    bot = make_bot(make("leduc"), f"net:{tmp_path}")
    batch = Batch(make("leduc"), 3, seed=1)
    assert bot.act_batch(batch.views()).shape == (3,)
    batch.step(batch.mask.argmax(axis=1))
    with pytest.raises(BadInput, match="has not learned seat 1, only 0"):
        bot.act_batch(batch.views())


def test_a_policy_is_played_greedily_or_sampled(tmp_path: Path) -> None:
    saved(tmp_path, "leduc", POLICY)
    game = make("leduc")
    views = Batch(game, 4000, seed=1).views()
    greedy, sampled = make_bot(game, f"net:{tmp_path}"), make_bot(game, f"net:{tmp_path}:sample")
    chances = sampled.probabilities(views)
    assert np.allclose(chances.sum(axis=1), 1) and (chances[~views.masks] == 0).all()
    assert (greedy.act_batch(views) == chances.argmax(axis=1)).all()
    drawn = np.bincount(sampled.act_batch(views), minlength=game.ACTIONS) / len(views)
    assert np.allclose(drawn, chances.mean(axis=0), atol=0.04)
    assert sampled.act(views[7]) == sampled.act_batch(views)[7]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("net", "net needs a folder or a shipped model"),
        ("net:nowhere", "there is no folder nowhere, and no shipped model"),
        ("net:{}:loudly", "loudly is not possible behind a model"),
        ("net:{}:sample", "knows values, not probabilities"),
    ],
)
def test_wrong_specs_are_explained(tmp_path: Path, spec: str, message: str) -> None:
    saved(tmp_path)
    with pytest.raises(BadInput, match=message):
        make_bot(make("leduc"), spec.format(tmp_path))


def test_a_model_plays_its_game_with_another_scoring_and_says_so() -> None:
    other = make("coinche", scoring="colver")
    assert "net:coinche-player" in strangers_for(other) and "net:coinche-player" not in strangers_for(make("coinche"))
    assert "scoring=made_plus_announced" in note_on(other, "net:coinche-player")
    assert make_bot(other, "best").name == "net:coinche-player"
    with pytest.raises(BadInput, match="is a model of coinche, not of coinche tricks=4"):
        make_bot(make("coinche", tricks=4), "net:coinche-player")

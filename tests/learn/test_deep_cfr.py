"""Deep CFR: batched traversals equal recursive ones, sampling is fair, runs resume,
and small games are nearly solved."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from kibitz.bots import make_bot
from kibitz.core import rng
from kibitz.core.errors import BadInput, BadOption
from kibitz.core.game import CHANCE, OVER, Game, make
from kibitz.core.tree import unroll
from kibitz.learn.deep_cfr import PRESETS, DeepCfr, DeepCfrConfig
from kibitz.learn.ledger import Ledger, Ledgers, Notes
from kibitz.learn.model import Card, drawn, load_model
from kibitz.learn.probes import Probing
from kibitz.learn.run import News, Plan, configured, train
from kibitz.learn.seats import Seating, Seats
from kibitz.learn.selfplay import Actor
from kibitz.learn.senses import Sense, sense
from kibitz.learn.senses.branches import dealt
from kibitz.learn.senses.rows import ObservationBatch, look
from kibitz.learn.traversal import Company, Harvest, Sampling, Traversal, drawn_often, matched, picked
from kibitz.learn.tree_policy import entries
from kibitz.tabular.best_response import nash_conv
from tests.learn.kills import ends_the_same

SMALL = {
    "layers": "16", "policy_layers": "16", "traversals": "64", "batch": "64", "policy_batch": "64", "steps": "5",
    "policy_steps": "5", "memory": "300", "policy_memory": "300",
}  # fmt: skip


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def crooked(observed: ObservationBatch) -> np.ndarray:
    """A strategy that depends on what is seen and likes no two actions alike."""
    liking = 1.0 + (observed.observation @ np.arange(observed.observation.shape[1])) % 3
    weights = observed.allowed * (1.0 + np.arange(observed.allowed.shape[1]) * liking[:, None])
    return weights / weights.sum(axis=1, keepdims=True)


def traversed(game: Game, count: int, sampling: Sampling, strategy=crooked, at_once: int = 10**6) -> Harvest:
    seats = np.arange(count) % game.PLAYERS
    players = [Actor(lambda observed: np.zeros(0), 0)] * game.PLAYERS
    table = Traversal(Company(sense(game), players, [strategy]), sampling)
    return table.run(dealt(game, 3, np.arange(count)), seats, 0.0, np.random.default_rng(1))


def recursive(seen: Sense, s: np.ndarray, number: int, moves: int, seat: int, found: list[np.ndarray]) -> float:
    """External sampling as the textbook writes it, with the same luck."""
    game, turn = seen.game, seen.game.turn(s)
    if turn == OVER:
        out = np.zeros(game.PLAYERS)
        game.returns(s, out)
        return float(out[seat])
    if turn == CHANCE:
        p = np.zeros(game.CHANCES)
        n = game.chances(s, p)
        game.step(s, rng.sample(rng.fresh(3, number, rng.DEALER, moves, rng.CHANCE), p, n))
        return recursive(seen, s, number, moves + 1, seat, found)
    mask = np.zeros((1, game.ACTIONS), np.bool_)
    game.legal(s, mask[0])
    observed = look(seen, s[None], mask, rng.fresh(3, number, turn, moves)[None], np.array([0]), np.array([turn]))
    strategy = crooked(observed)
    if turn != seat:
        game.step(s, int(observed.played(drawn(strategy, observed.luck[:, 0]))[0]))
        return recursive(seen, s, number, moves + 1, seat, found)
    worth = np.zeros(game.ACTIONS)
    for choice in np.flatnonzero(observed.allowed[0]):
        after = s.copy()
        game.step(after, int(observed.real[0, choice]))
        worth[choice] = recursive(seen, after, number, moves + 1, seat, found)
    own = float(strategy[0] @ worth)
    found.append(np.where(observed.allowed[0], worth - own, 0.0))
    return own


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_batched_traversals_equal_recursive_ones(name: str) -> None:
    game = make(name)
    harvest = traversed(game, 50, Sampling())
    regrets: list[np.ndarray] = []
    for number in range(50):
        s = game.blank()
        game.deal(s, rng.fresh(3, number))
        value = recursive(sense(game), s, number, 0, number % game.PLAYERS, regrets)
        assert value == pytest.approx(harvest.values[number])
    assert len(regrets) == len(harvest.regrets)
    ours, theirs = harvest.regrets.numbers.astype(np.float64), np.array(regrets)
    assert np.sort(ours, axis=0) == pytest.approx(np.sort(theirs, axis=0), abs=1e-5)


def mean_regrets(harvest: Harvest) -> dict[bytes, np.ndarray]:
    """Per observation: the mean of all regrets noted there, which is what a network comes to predict."""
    found: dict[bytes, list[tuple[np.ndarray, np.ndarray]]] = {}
    notes = harvest.regrets
    for seen, numbers, allowed in zip(notes.observation, notes.numbers, notes.allowed, strict=True):
        found.setdefault(seen.tobytes(), []).append((numbers, allowed))
    means = {}
    for key, rows in found.items():
        numbers, counted = (np.sum(part, axis=0, dtype=np.float64) for part in zip(*rows, strict=True))
        means[key] = numbers / np.maximum(counted, 1)
    return means


def test_sampled_regrets_are_right_on_average_and_the_papers_are_not() -> None:
    count, game = 60_000, make("kuhn")
    exact = mean_regrets(traversed(game, count, Sampling()))
    gaps = {}
    for estimator in ("unbiased", "paper"):
        found = mean_regrets(traversed(game, count, Sampling((1,), estimator)))
        gaps[estimator] = max(np.abs(found[key] - exact[key]).max() for key in exact)
    assert gaps["unbiased"] < 0.15
    assert gaps["paper"] > 0.4


def test_as_many_samples_as_actions_are_external_sampling() -> None:
    game = make("leduc")
    assert np.array_equal(traversed(game, 64, Sampling((3,))).values, traversed(game, 64, Sampling((0,))).values)


def test_actions_are_picked_as_likely_as_they_say() -> None:
    strategy = np.array([[0.7, 0.2, 0.1, 0.0, 0.0]])
    allowed = np.array([[True, True, True, True, False]])
    for wanted in (1, 2, 3):
        luck = (np.arange(4000) + 0.5) / 4000
        rows = np.zeros(4000, np.int64)
        followed, likelihood = picked(strategy[rows], allowed[rows], np.full(4000, wanted), 0.4, luck)
        assert (followed.sum(axis=1) == wanted).all()
        assert followed.mean(axis=0) == pytest.approx(np.where(allowed[0], likelihood[0], 0.0), abs=1e-3)
        assert likelihood[0, :4].sum() == pytest.approx(wanted)


def test_the_paper_draws_with_replacement_from_the_strategy() -> None:
    strategy = np.tile([0.5, 0.5, 0.0], (4000, 1))
    allowed = np.ones((4000, 3), np.bool_)
    followed = drawn_often(strategy, allowed, np.full(4000, 2), np.random.default_rng(1))
    assert not followed[:, 2].any()
    assert followed[:, 0].mean() == pytest.approx(0.75, abs=0.03)


def test_regret_matching_has_two_ways_out_without_positive_regret() -> None:
    advantages = np.array([[1.0, 3.0, 9.0], [-1.0, -3.0, -0.5]], np.float32)
    allowed = np.array([[True, True, False], [True, True, False]])
    assert matched(advantages, allowed, True).tolist() == [[0.25, 0.75, 0.0], [0.5, 0.5, 0.0]]
    assert matched(advantages, allowed, False).tolist() == [[0.25, 0.75, 0.0], [1.0, 0.0, 0.0]]


def test_a_ledger_keeps_a_fair_sample() -> None:
    kept = np.zeros(1000)
    for seed in range(60):
        ledger, luck = Ledger(100, 1, 1), np.random.default_rng(seed)
        for part in np.arange(1000, dtype=np.float32).reshape(20, 50, 1):
            ledger.add(Notes(part, np.ones((50, 1), np.bool_), part), 1, luck)
        kept[ledger.numbers[:, 0].numpy().astype(int)] += 1
        assert len(set(ledger.numbers[:, 0].tolist())) == 100
    assert kept[:100].sum() / 60 == pytest.approx(10, abs=1.5)
    assert kept[-100:].sum() / 60 == pytest.approx(10, abs=1.5)


def plan(**other: object) -> Plan:
    asked: Any = other.pop("config", {})
    changes = SMALL | {key: str(value) for key, value in asked.items()}
    defaults = {
        "seating": Seating((0, 1)), "frames": 1500, "evaluation_games": 64, "checkpoint_every": 0.0,
    }  # fmt: skip
    merged: Any = defaults | other
    return Plan(make("leduc"), "deep-cfr", configured("deep-cfr", "default", changes), **merged)


def run(asked: Plan, out: Path, stop_at: int = 10**9) -> Card:
    def watch(news: News) -> None:
        if news.frames >= stop_at:
            raise RuntimeError("killed")

    return train(asked, out, make_bot, watch)


@pytest.mark.parametrize("afresh", ["on", "off"])
def test_a_killed_run_ends_with_the_same_weights(tmp_path: Path, afresh: str) -> None:
    asked = plan(config={"afresh": afresh, "samples": "2,1"})
    whole = run(asked, tmp_path / "whole")
    for stop in (300, 900):
        with pytest.raises(RuntimeError, match="killed"):
            run(asked, tmp_path / "parts", stop)
    assert run(asked, tmp_path / "parts").sha256 == whole.sha256


def test_rule_players_and_shared_networks_may_sit_at_the_table(tmp_path: Path) -> None:
    seating = Seating((0, 2), "all", ("random",))
    game = make("kuhn", players=3)
    asked = Plan(game, "deep-cfr", configured("deep-cfr", "default", SMALL), seating, frames=300, evaluation_games=64)
    card = run(asked, tmp_path)
    assert list(card.seats) == [0, -1, 0] and card.kind == "policy"


def test_only_seats_that_no_rival_has_taken_are_traversed() -> None:
    game = make("kuhn")
    bots = {"kuhn-rule": make_bot(game, "kuhn-rule")}
    seating = Seating((0, 1), "all", ("kuhn-rule",), rival_share=1.0, rivals_take="side")
    learner = DeepCfr(sense(game), Seats(game, seating, bots, 1), configured("deep-cfr", "default", SMALL), 1)
    learner.round(0.0)
    assert learner.frames >= 64  # the traverser has a decision in each of 64 deals


def test_bad_settings_are_refused_in_one_line() -> None:
    game = make("leduc")
    seats = Seats(game, Seating((0, 1)), {}, 1)
    for changes, message in (
        ({"estimator": "lucky"}, "unbiased or paper or probes"),
        ({"policy_loss": "lost"}, "entropy or squared"),
        ({"samples": ()}, "samples=4,4,1"),
        ({"kinds": (99,)}, "rising order"),
    ):
        with pytest.raises(BadOption, match=message):
            DeepCfr(sense(game), seats, DeepCfrConfig(**changes), 1)


def test_too_many_lines_are_refused_before_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.learn.traversal.MOST_LINES", 100)
    with pytest.raises(BadInput, match="samples=4,4,1"):
        traversed(make("leduc"), 64, Sampling())


def test_the_papers_preset_is_its_table_3() -> None:
    paper = PRESETS["paper"]
    assert (paper.layers, paper.rate, paper.memory, paper.traversals) == ((64, 64), 3e-4, 100_000, 256)
    assert (paper.policy_layers, paper.policy_rate, paper.policy_memory) == ((64, 64), 3e-4, 500_000)
    assert (paper.epochs, paper.policy_epochs, paper.samples, paper.batch) == (4, 4, (4,), 256)


def probed(game: Game, count: int, strategy=crooked, probes=(1,), tries: int = 0, **settings: object) -> Harvest:
    kinds = Ledgers(settings.pop("kinds", ()), 10, sense(game).size, game.ACTIONS)  # type: ignore[call-overload]
    players = [Actor(lambda observed: np.zeros(0), 0)] * game.PLAYERS
    company = Company(sense(game), players, [strategy], **settings)  # type: ignore[arg-type]
    table = Probing(company, kinds, probes, tries, 0.0)
    return table.run(dealt(game, 3, np.arange(count)), np.arange(count) % game.PLAYERS, np.random.default_rng(1))


def test_probed_regrets_are_right_on_average() -> None:
    """Probes see what follows an action drawn from everybody's strategy,
    external sampling what is best for the traverser."""
    count, game = 60_000, make("kuhn")
    exact = mean_regrets(traversed(game, count, Sampling()))
    for tries in (0, 1):
        found = mean_regrets(probed(game, count, probes=(9,), tries=tries))
        assert set(found) == set(exact)
        assert max(np.abs(found[key] - exact[key]).max() for key in exact) < 0.15


def test_deals_are_probed_as_often_as_asked_and_the_others_decisions_are_noted() -> None:
    harvest = probed(make("leduc"), 40)
    assert len(harvest.regrets) == 40 and len(harvest.values) == 40
    assert len(probed(make("leduc"), 40, probes=(9,)).regrets) > 60
    assert len(harvest.strategies[0]) >= 40 and harvest.strategies[0].numbers.sum(axis=1) == pytest.approx(1.0)
    assert (harvest.regrets.numbers[~harvest.regrets.allowed] == 0).all()


def test_kinds_of_decisions_are_remembered_apart_and_drawn_alike() -> None:
    ledgers, luck = Ledgers((2,), 10, 1, 3), np.random.default_rng(1)
    allowed = np.array([[True, False, False]] * 90 + [[False, False, True]] * 5)
    seen = np.arange(95, dtype=np.float32)[:, None]
    ledgers.add(Notes(seen, allowed, np.zeros((95, 3), np.float32)), 1, luck)
    assert [len(part) for part in ledgers.parts] == [10, 5] and len(ledgers) == 15
    drawn_seen, drawn_allowed, _, _ = ledgers.draw(luck, 8)
    assert drawn_allowed[:, 2].sum() == 4 and (drawn_seen[drawn_allowed[:, 2]] >= 90).all()
    again = Ledgers((2,), 10, 1, 3)
    again.restore(ledgers.state())
    assert all((ledgers.state()[name] == array).all() for name, array in again.state().items())


def test_probing_with_kinds_is_taken_up_where_it_was_killed(tmp_path: Path) -> None:
    asked = plan(
        config={"estimator": "probes", "kinds": "1", "probes": "1,2", "tries": "1", "explore": "0.2", "power": "2"},
        frames=640,
    )
    whole = run(asked, tmp_path / "whole")
    with pytest.raises(RuntimeError, match="killed"):
        run(asked, tmp_path / "parts", 300)
    assert run(asked, tmp_path / "parts").sha256 == whole.sha256


def test_a_coach_decides_for_those_that_learn_and_barred_actions_are_not_tried() -> None:
    game = make("leduc")
    first = np.zeros(game.ACTIONS, np.bool_)

    class Always(Actor):
        name = "always the last legal action"

        def act_batch(self, views):  # type: ignore[no-untyped-def]
            return views.masks.shape[1] - 1 - views.masks[:, ::-1].argmax(axis=1)

    coach = Always(lambda observed: np.zeros(0))
    shown = probed(game, 30, coach=coach).strategies[0]
    best = shown.numbers.argmax(axis=1)
    assert (best == shown.allowed.shape[1] - 1 - shown.allowed[:, ::-1].argmax(axis=1)).all()
    assert shown.numbers.max(axis=1).min() >= 0.9
    barred = probed(game, 200, barred=(0,)).regrets.allowed
    first[0] = True
    assert not (barred[:, 0] & (barred.sum(axis=1) > 1)).any()


def test_a_higher_power_leaves_less_to_small_advantages() -> None:
    advantages, allowed = np.array([[1.0, 3.0, -1.0]], np.float32), np.ones((1, 3), np.bool_)
    assert matched(advantages, allowed, False, 2.0)[0] == pytest.approx([0.1, 0.9, 0.0])


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_probes_nearly_solve_kuhn(tmp_path: Path, seed: int) -> None:
    game = make("kuhn")
    config = configured("deep-cfr", "default", {"estimator": "probes", "explore": "0.2"})
    run(Plan(game, "deep-cfr", config, Seating((0, 1)), seed, 150_000, evaluation_games=256), tmp_path)
    tree = unroll(game)
    assert nash_conv(tree, entries(tree, load_model(tmp_path, game))) < 0.15


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("name", "frames", "gate"), [("kuhn", 150_000, 0.1), ("leduc", 1_000_000, 0.8)])
def test_small_games_are_nearly_solved(tmp_path: Path, name: str, frames: int, gate: float, seed: int) -> None:
    game = make(name)
    asked = Plan(game, "deep-cfr", configured("deep-cfr"), Seating((0, 1)), seed, frames, evaluation_games=256)
    run(asked, tmp_path)
    tree = unroll(game)
    gap = nash_conv(tree, entries(tree, load_model(tmp_path, game)))
    print(f"Deep CFR, {name}, seed {seed}: NashConv {gap:.4f}")
    assert gap < gate


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_process_killed_at_twenty_moments_ends_with_the_same_weights(tmp_path: Path) -> None:
    changes = [part for key, value in SMALL.items() for part in ("--with", f"{key}={value}")]
    assert ends_the_same(tmp_path, "leduc", "--method", "deep-cfr", "--frames", "30000", *changes)

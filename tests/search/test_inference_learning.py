"""Learning from records: examples, the split by deals and players, the tables, and what comes with kibitz."""

import bz2
import gzip
import json
from collections import Counter

import numpy as np
import pytest

from kibitz.arena.explanation import explanation
from kibitz.arena.simulate import simulate
from kibitz.arena.skat import shards as shards_room
from kibitz.arena.skat.lessons import (
    CHOOSING,
    NEW_DEALS,
    NEW_PLAYERS,
    TRAINING,
    Filter,
    Source,
    held_out_players,
)  # fmt: skip
from kibitz.arena.skat.reading import stretches
from kibitz.arena.skat.rows import CHOICE, LESSONS, OUT, PAIR, PLACES
from kibitz.arena.skat.shards import gather, make_shard, read_shard
from kibitz.bots import make_bot
from kibitz.cli.main import main
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.streams import CutShort
from kibitz.core.view import view_of
from kibitz.games.skat.cards import DECK, DECLARATIONS
from kibitz.games.skat.knowledge import dealt_hand
from kibitz.games.skat.senses import FRAME
from kibitz.games.skat.state import ASIDE, CONTRACT, DECLARED, DECLARER, HAND, IS_HAND, PHASE, PLAYING, TURN
from kibitz.search import worlds as deals
from kibitz.search.skat.inference import ki, policies
from kibitz.search.skat.inference.configurations import CARD_AT, configurations, sampled
from kibitz.search.skat.inference.history import RECEIVED, before_play, bounds, cards_played, decisions, moments
from kibitz.search.skat.inference.pi import PolicyInference
from kibitz.search.skat.inference.policies import KINDS
from kibitz.search.skat.inference.pool import STRANGER, TABLES
from tests.naive.iss_examples import RECORDS
from tests.search.policy_player import random_policies

CROWD = ("skat-rule:null=0.3", "skat-rule:noise=0.1", "skat-rule:aggression=0.1")


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    game = make("skat")
    simulate(game, [make_bot(game, spec) for spec in CROWD], 60, 11, records=path)
    return path


@pytest.fixture(scope="module")
def shards(records, tmp_path_factory):
    return gather([records], tmp_path_factory.mktemp("shards"))


@pytest.fixture(scope="module")
def games(shards):
    (path,) = shards
    return read_shard(path)


def test_records_are_read_as_declared_games(games):
    assert 40 < len(games) <= 60 and games.classes == {"PLAYED": 60}
    for state, seats in zip(games.states, games.seats, strict=True):
        assert tuple(games.names[place] for place in seats) == CROWD
        start = before_play(state)
        assert start[PHASE] == PLAYING and cards_played(start) == 0
        assert [int(hand).bit_count() for hand in configurations(start).hands[0]] == [10, 10, 10]


def test_archives_of_the_skat_server_are_read(tmp_path):
    path = tmp_path / "archive.sgf.gz"
    path.write_bytes(gzip.compress(("\n".join(example.text for example in RECORDS) + "\nnot a record\n").encode()))
    source = Source(gather([path], tmp_path / "shards"))
    assert source.games > 5 and source.classes["PLAYED"] > 5
    luck = np.random.default_rng(1)
    assert sum(len(one) for one in source.examples(LESSONS["suit"], luck, TRAINING)) > 20


def test_shards_are_made_once_and_a_longer_archive_goes_on(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(shards_room, "make_shard", lambda stretch: made.append(1) or make_shard(stretch))
    monkeypatch.setattr(shards_room, "stretches", lambda path, size: stretches(path, 1500))
    path = tmp_path / "archive.sgf"
    texts = [example.text for example in RECORDS]
    path.write_text("\n".join(texts[:6]))
    first = gather([path], tmp_path / "shards")
    before = len(made)
    assert before == len(first) > 1
    assert gather([path], tmp_path / "shards") == first and len(made) == before
    path.write_text("\n".join(texts))
    assert gather([path], tmp_path / "shards")[: len(first) - 1] == first[:-1] and len(made) > before
    assert Source(first).classes.total() == 6


def test_what_was_read_before_a_cut_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(shards_room, "stretches", lambda path, size: stretches(path, 50_000))
    packed = bz2.compress("\n".join(example.text for example in RECORDS * 30).encode(), 1)
    path = tmp_path / "archive.sgf.bz2"
    path.write_bytes(packed[: len(packed) * 9 // 10])
    with pytest.raises(CutShort, match="cut short"):
        gather([path], tmp_path / "shards")
    assert len(list((tmp_path / "shards").iterdir())) >= 1


def test_replaying_a_story_ends_where_the_game_ended(games):
    game = make("skat")
    for state in games.states[:10]:
        passed = [(cards_played(before), card) for before, card in moments(game, state)]
        assert [number for number, _ in passed] == list(range(cards_played(state)))
        assert [decision.card for decision in decisions(game, state)] == [card for _, card in passed]


def test_data_is_split_by_deal_and_by_player(shards, games):
    parts = Source(shards, held_out=frozenset({CROWD[1]})).parts(games)
    assert {TRAINING, NEW_PLAYERS} <= set(parts.ravel().tolist())
    who = np.array([games.names.index(name) for name in CROWD])
    assert (parts[games.seats == who[1]] == NEW_PLAYERS).all()
    assert (parts[:, 0] == parts[:, 2]).all()
    assert {CHOOSING, NEW_DEALS} & set(parts[:, 0].tolist())
    assert held_out_players(["a", "b"]) == frozenset()
    assert 0 < len(held_out_players([f"player {k}" for k in range(200)])) < 60


def test_a_filter_leaves_decisions_out(shards, games):
    def counted(**wanted):
        return (Source(shards, Filter(**wanted)).parts(games) != OUT).sum()

    everything = counted()
    assert everything == 3 * len(games)
    assert counted(players=frozenset({CROWD[0]})) == len(games)
    assert counted(min_games=61) == counted(min_rating=0.0) == counted(since=20090101) == 0
    assert 0 < counted(types=("grand",)) < everything
    with pytest.raises(BadInput, match="nobody of that name"):
        Source(shards, Filter(players=frozenset({"x"})))


def test_examples_are_what_was_done(shards, games):
    source = Source(shards)
    everybody = np.zeros((len(games), 3), np.int64)
    for lesson in LESSONS.values():
        rows = lesson.fits(games.states)
        found = lesson.examples(games.states[rows], everybody[rows])
        n = np.arange(len(found))
        if lesson.form == CHOICE:
            assert found.allowed[n, found.target[:, 0]].all(), lesson.name
        if lesson.form == PAIR:
            assert found.allowed[n[:, None], found.target].all() and (found.allowed.sum(axis=1) == 12).all()
        if lesson.form == PLACES:
            assert ((found.target >= 0) == found.allowed.reshape(-1, 32, 3).any(axis=2)).all()
        if lesson.name == "bid":
            assert len(found) == 3 * len(games) and (found.target[:, 0] <= found.target[:, 1]).all()
        assert source.about(lesson, TRAINING) <= lesson.most * len(games)


def test_compiled_examples_are_what_networks_are_asked(games):
    """Inputs, legal cards and places as the inference modules make them at the same views."""
    game = make("skat")
    for state in games.states[:6]:
        nobody = np.full((1, 3), OUT)
        plays, looks = [], []
        for before, card in moments(game, state):
            seat, kind = int(before[TURN]), int(before[CONTRACT])
            view = view_of(game, before, seat)
            legal = view.mask[CARD_AT[kind + 1]]
            looks.append(view.observe())
            pools = np.zeros((32, 3), np.bool_)
            for cards, where in deals.facts(view).pools:
                for place in where:
                    pools[:, place] |= cards >> CARD_AT[kind + 1] & 1 == 1
            looks[-1] = (looks[-1], pools)
            if legal.sum() > 1:
                seen = view.observe("compact")
                seen[RECEIVED] = 0.0
                plays.append((seen, legal, FRAME[kind + 1, card]))
        group = KINDS[int(state[CONTRACT])]
        found = LESSONS[group].examples(state[None], np.zeros_like(nobody))
        assert len(found) == len(plays)
        for row, (seen, legal, target) in enumerate(plays):
            assert (found.inputs[row] == seen).all() and (found.allowed[row] == legal).all()
            assert found.target[row, 0] == target
        found = LESSONS[f"places_{group}"].examples(state[None], np.zeros_like(nobody))
        assert len(found) == sum(pools.any() for _, pools in looks)
        for row, (seen, pools) in enumerate((seen, pools) for seen, pools in looks if pools.any()):
            assert (found.inputs[row] == seen).all() and (found.allowed[row].reshape(32, 3) == pools).all()
        assert len(LESSONS[group].examples(state[None], nobody)) == 0


def naive_description(s, seat):
    """What the tables say of a seat before the first card: for each of them its context and bucket, card by card."""
    declarer, skat = int(s[DECLARER]), held(int(s[ASIDE]))
    cards = held(int(s[HAND + seat]))
    is_picked_up = not s[IS_HAND]
    if seat == declarer and is_picked_up:
        cards |= skat
    by_rank = Counter(card[0] for card in cards)
    longest = max(sum(card[1] == suit and card[0] != "J" for card in cards) for suit in "cshd")
    if seat != declarer:
        low, high = (int(bound[seat]) for bound in bounds(s))
        said = 3 + (low >= 3) + (low >= 7) if low >= 0 else (high >= 0) + (high >= 3)
        found = {"jacks": by_rank["J"], "aces": by_rank["A"], "tens": by_rank["T"], "longest": longest}
        return {f"bidder_{name}": (said, bucket) for name, bucket in found.items()}
    game = DECLARATIONS[int(s[DECLARED])]
    kind = "null ouvert" if game[:2] == "NO" else {"G": "grand", "N": "null"}.get(game[0], "suit")
    context = 2 * ("suit", "grand", "null", "null ouvert").index(kind) + (not is_picked_up)
    trumps = [card for card in cards if card[0] == "J" or card[1] == game[0].lower()] if game[0] != "N" else []
    points = sum({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0) for card in skat)
    found = {
        "trumps": len(trumps), "jack_pattern": sum(1 << "cshd".index(card[1]) for card in cards if card[0] == "J"),
        "aces": by_rank["A"], "tens": by_rank["T"], "longest": longest, "skat_points": min(points // 2, 15),
        "low": sum(by_rank[rank] for rank in "789"),
    }  # fmt: skip
    return {f"declarer_{name}": (context, bucket) for name, bucket in found.items()}


def held(mask):
    return {name for card, name in enumerate(DECK.names) if mask >> card & 1}


def test_counted_features_are_those_that_tables_are_asked_for(games):
    counting = ki.Counting()
    states = games.states[:30]
    counting.add_games(states, np.ones((30, 3), np.bool_), 1)
    wanted = {name: np.zeros(shape) for name, shape in ki.SHAPES.items()}
    for number, state in enumerate(states):
        start = before_play(state)
        for seat in range(3):
            if seat != number % 3:
                for table, (context, bucket) in naive_description(start, seat).items():
                    wanted[table][context, bucket] += 1
    for name, counts in wanted.items():
        assert (counting.true[name] == counts).all(), name
        assert counting.drawn[name].sum() == pytest.approx(counts.sum())


def test_tables_know_that_a_declarer_has_trumps(shards):
    tables = Source(shards).tables(1)
    suit_after_pickup = tables["declarer_trumps"][0]
    assert suit_after_pickup[6:9].mean() > 0 > suit_after_pickup[1:4].mean()


def test_bounds_of_bids_hold_for_whoever_declares(games):
    for state in games.states:
        low, high = bounds(state)
        assert (low <= high).all() and low[state[DECLARER]] >= 0
        assert int(dealt_hand(state, 0)).bit_count() == 10


def test_imitation_learns_what_players_do_and_the_folder_plays(records, tmp_path, capsys):
    out = tmp_path / "learned"
    arguments = ["train", "skat", "--method", "imitation", "--records", str(records), "--out", str(out)]
    arguments += ["--with", "seconds=1", "--with", "layers=16", "--held-out", CROWD[1]]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code in (0, None)
    about = json.loads((out / "about.json").read_bytes())
    suit = about["networks"]["suit"]["losses"]
    assert suit["training"] < suit["uniform"]
    assert "new players" in suit
    assert (out / "tables.npz").exists() and (out / "bid.npz").exists()
    capsys.readouterr()
    for otherwise, why in ((["--min-games", "1"], "another filter"), (["--with", "layers=8"], "other settings")):
        with pytest.raises(SystemExit) as ended:
            main([*arguments, *otherwise])
        said = capsys.readouterr().err.strip().splitlines()
        assert ended.value.code == 2 and f"learned with {why}: choose another --out" in said[-1]
        assert json.loads((out / "about.json").read_bytes()) == about
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code in (0, None) and "suit: already learned" in capsys.readouterr().err
    game = make("skat-grand")
    position = Position(game, 2, 1)
    for name in ("pi", "cli", "ki"):
        bot = make_bot(game, f"pimc:{name}:{out}:worlds=1")
        assert position.mask()[bot.act(position.view(position.turn))]
    (out / "grand.npz").unlink()
    read_policies_anew()
    with pytest.raises(BadInput, match=r"there is no grand\.npz in"):
        make_bot(game, f"pimc:pi:{out}")
    with pytest.raises(BadInput, match="there is no folder"):
        make_bot(game, f"pimc:pi:{out}x")
    with pytest.raises(BadInput, match="learned nothing"):
        make_bot(game, f"pimc:ni:{out}")


def read_policies_anew():
    policies._read.cache_clear()


def test_records_of_another_game_are_refused_in_one_line(tmp_path, capsys):
    path = tmp_path / "chess.sgf"
    path.write_text("(;GM[1]FF[4];B[aa])\n(;GM[Chess]MV[e4]R[x] ;)\n" * 5)
    with pytest.raises(SystemExit) as ended:
        main(["train", "skat", "--method", "imitation", "--records", str(path), "--out", str(tmp_path / "out")])
    said = capsys.readouterr().err.strip().splitlines()
    assert ended.value.code == 2 and "no declared game of Skat" in said[-1]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--since", "2020"], "passes --since 2020: its records have no dates"),
        (["--min-rating", "900", "--types", "null"], "its records have no ratings"),
        (["--min-games", "100000"], "passes --min-games 100000"),
        (["--since", "2009-13-45"], "--since 2009-13-45 is not possible"),
        (["--since", "2012", "--until", "2010"], "leaves no day"),
    ],
)
def test_filters_that_leave_nothing_are_refused_in_one_line(options, says, records, tmp_path, capsys):
    out = tmp_path / "out"
    with pytest.raises(SystemExit) as ended:
        main(["train", "skat", "--method", "imitation", "--records", str(records), "--out", str(out), *options])
    said = capsys.readouterr().err.strip().splitlines()
    assert ended.value.code == 2 and says in said[-1] and not (out / "about.json").exists()


def test_records_are_for_imitation_alone(records, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["train", "skat", "--method", "dmc", "--records", str(records), "--out", str(tmp_path / "out")])
    assert ended.value.code == 2 and "--records is for --method imitation" in capsys.readouterr().err


@pytest.mark.slow  # searching players play
def test_rounds_of_self_play_learn_from_strong_players_and_go_on(tmp_path, capsys):
    out = tmp_path / "learned"
    arguments = ["train", "skat", "--method", "imitation", "--out", str(out), "--with", "games=8", "--with", "rounds=1"]
    arguments += ["--with", "strong=2", "--with", "seconds=0.1", "--with", "layers=8"]
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code in (0, None)
    about = json.loads((out / "round1" / "about.json").read_bytes())
    assert about["round"] == 1 and about["strong_games"] <= 2 and about["repeated"] == 10
    assert (out / "round1" / "suit.npz").exists()
    assert "already learned" in capsys.readouterr().err


def test_the_pool_is_varied_and_has_a_stranger():
    game = make("skat")
    names = {name for table in TABLES for name in table.seats}
    assert len(names) >= 6 and STRANGER in names
    for name in names:
        assert make_bot(game, name)


@pytest.mark.parametrize("name", ["ni", "ki", "cli", "pi", "pif"])
def test_shipped_modules_play_out_of_the_box(name):
    game = make("skat-grand")
    bot = make_bot(game, f"pimc:{name}:worlds=2")
    position = Position(game, 2, 1)
    for _ in range(14):
        position.push(int(np.flatnonzero(position.mask())[0]))
    before = position.view(position.turn)
    assert before.mask[bot.act(before)]


def test_shipped_policies_hold_the_truth_likelier_than_chance(games):
    game = make("skat")
    module = PolicyInference(300)
    gains = []
    for final in games.states[:12]:
        for state, _ in moments(game, final):
            if cards_played(state) == 9:
                for seat in range(3):
                    view = view_of(game, state, seat)
                    logs = module.log_weights(view, sampled(view, 300))
                    true = module.log_weights(view, configurations(state))[0]
                    gains.append(true - np.log(np.exp(logs).mean()))
    assert np.mean(gains) > 0.5


def test_a_searching_bot_gives_its_reasons():
    game = make("skat-suit")
    position = Position(game, 4, 2)
    for _ in range(12):
        position.push(int(np.flatnonzero(position.mask())[-1]))
    while len(position.legal()) < 2:
        position.push(position.legal()[0])
    seat = position.turn
    bot = make_bot(game, "pimc:pi:worlds=4")
    bot.weigher = PolicyInference(200, random_policies(3))
    why = explanation(bot, position.view(seat))
    assert why is not None and set(why.values) == set(position.legal())
    assert 1 <= why.effective <= why.worlds <= 4
    assert why.places and all(sum(chances.values()) == pytest.approx(1.0) for chances in why.places.values())
    assert explanation(make_bot(game, "skat-rule"), position.view(seat)) is None
    assert position.state[CONTRACT] >= 0

"""What a seat's luck may tell it: nothing about the deal, about chance or about others.
The attacks stand here as code."""

import itertools
import re
import secrets
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import kibitz
from kibitz.core import rng
from kibitz.core.batch import Batch
from kibitz.core.bits import WORD, keyed, signed
from kibitz.core.conformance import Broken, check_chance
from kibitz.core.game import Game, make
from kibitz.core.jit import PLAIN
from kibitz.core.position import Position
from kibitz.core.rng import DEALER, KEY, PLAY, WHITENING

GAMES = ("kuhn", "leduc", "coinche", "skat", "cego-standard", "cego", "cheat-paper", "collaborative-kuhn")
Keys = list[tuple[int, int]]


def unmixed(x: int) -> int:
    """The word that `mix` scrambles into x: mixing alone hides nothing."""
    x &= WORD
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        y = x
        for _ in range(64 // shift):
            y = x ^ (y >> shift)
        x = y * pow(factor, -1, 1 << 64) & WORD
    return signed(x)


def guesses(given: list[NDArray[np.int64]]) -> Keys:
    """Dealer's keys that somebody who was given all this luck might try."""
    words = sorted({int(r[KEY]) for r in given})
    words += [unmixed(word) for word in words]
    found: Keys = [*itertools.product(words, repeat=2), *((word, 0) for word in words)]
    for low, high in list(found):
        found.append(keyed(low, high, 0))
        found += [(low ^ k, high ^ k) for k in (1, 2, 3, 64, 65)]
    return found


def dealt_with(game: Game, key: tuple[int, int]) -> bytes:
    s = game.blank()
    r = np.array([*key, 0], np.int64)
    game.deal(s, r)
    return s.tobytes()


def dealt(game: Game, seed: int, number: int = 0) -> bytes:
    s = game.blank()
    game.deal(s, rng.fresh(seed, number))
    return s.tobytes()


def all_luck(game: Game, seed: int, number: int, seat: int, most: int = 40) -> list[NDArray[np.int64]]:
    """Everything a seat is given in a game in which everybody plays the first legal move."""
    p, given = Position(game, seed, number), []
    while not p.is_over and len(p.actions) < most:
        if p.turn == seat:
            given.append(p.view(seat).rng)
        p.push(p.legal_actions()[0])
    return given


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [0, 1, 12345, 2**63, 2**128 - 1])
def test_no_guess_from_a_seats_luck_gives_the_deal_or_the_key_of_another(name: str, seed: int) -> None:
    game = make(name)
    for number, seat in itertools.product(range(1 if PLAIN else 2), range(game.PLAYERS)):
        tried = guesses(all_luck(game, seed, number, seat))
        secret = {who: rng.fresh(seed, number, who) for who in range(DEALER, game.PLAYERS) if who != seat}
        assert not {(int(r[KEY]), int(r[WHITENING])) for r in secret.values()} & set(tried)
        few_deals = len({dealt(game, 3, k) for k in range(300)}) < 300
        if not few_deals:
            assert dealt(game, seed, number) not in {dealt_with(game, key) for key in tried[:400]}


def test_replaying_the_dealer_gives_the_true_deal_no_oftener_than_another_deal() -> None:
    game = make("kuhn")
    right = sum(
        dealt_with(game, (int(r[KEY]), int(r[WHITENING]))) == dealt(game, 5, number)
        for number in range(600)
        for r in all_luck(game, 5, number, 0)[:1]
    )
    assert stats.binomtest(right, 600, 1 / 6).pvalue > 1e-5


def test_the_attack_finds_the_deal_of_somebody_who_hands_out_the_dealers_key() -> None:
    game = make("coinche")
    r = rng.fresh(5, 3, DEALER)
    assert dealt_with(game, (int(r[KEY]), int(r[WHITENING]))) == dealt(game, 5, 3)
    assert unmixed(int(rng.mix(77))) == 77


def test_rows_of_a_batch_hand_out_the_movers_luck_alone() -> None:
    game = make("leduc")
    batch = Batch(game, 50, seed=9)
    for view, number in zip(batch.views(), batch.number, strict=True):
        expected = rng.fresh(9, int(number), view.seat, 0)
        assert (view.rng == expected).all()


def test_every_bit_of_a_seed_matters_and_small_seeds_do_not_find_a_drawn_one() -> None:
    game = make("coinche")
    seed = rng.unguessable()
    deals = {dealt(game, seed)} | {dealt(game, seed ^ 1 << bit) for bit in range(128)}
    assert len(deals) == 129
    drawn = {dealt(game, rng.unguessable()) for _ in range(20)}
    assert not drawn & {dealt(game, small) for small in range(200 if PLAIN else 20_000)}


@pytest.mark.slow
def test_a_long_search_of_seeds_finds_no_drawn_game() -> None:
    game = make("coinche")
    drawn = {dealt(game, rng.unguessable()) for _ in range(1000)}
    assert not drawn & {dealt(game, small) for small in range(1_000_000)}


def test_unseeded_play_uses_the_systems_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(secrets, "randbits", lambda bits: asked.append(bits) or (1 << bits) - 1)
    assert rng.unguessable() == 2**128 - 1
    assert asked == [128]


def test_seeds_out_of_bounds_are_refused() -> None:
    for seed in (-1, 2**128):
        with pytest.raises(kibitz.core.errors.BadInput, match="from 0 to"):
            rng.root(seed)


def test_siphash_gives_the_published_functions_answers() -> None:
    # SipHash-1-3 with 128 bits of the bytes 0..7 under the key 0..15, as OpenSSL computes it
    low, high = (int.from_bytes(range(k, k + 8), "little") for k in (0, 8))
    first, second = keyed(low, high, int.from_bytes(range(8), "little"))
    answer = (first & WORD).to_bytes(8, "little") + (second & WORD).to_bytes(8, "little")
    assert answer.hex() == "aa12fee1d5e3dab4724f16ab35f9c799"


def test_no_two_purposes_share_a_draw() -> None:
    draws = set()
    for seed, number, who, move, purpose in itertools.product((0, 7), (0, 1), (-1, 0, 1, 2), range(8), rng.PURPOSES):
        r = rng.fresh(seed, number, who, move, purpose)
        draws |= {int(rng.draw(r)) for _ in range(4)}
        if who >= 0:
            forks = [rng.forked(r, other, k) for other in (rng.WORLDS, rng.WEIGHTS) for k in range(2)]
            if purpose == PLAY:
                draws |= {int(rng.draw(fork)) for fork in forks}
    forked = 2 * 2 * 3 * 8 * 4
    assert len(draws) == 2 * 2 * 4 * 8 * len(rng.PURPOSES) * 4 + forked


def test_no_two_streams_are_alike() -> None:
    places = [(seed, *numbers) for seed in (0, 1, 2**32) for numbers in ((), (0,), (1,), (0, 0), (0, 1), (1, 0))]
    seeds = [rng.derived(place[0], stream, *place[1:]) for stream in rng.STREAMS for place in places]
    firsts = [float(rng.generator(place[0], stream, *place[1:]).random()) for stream in rng.STREAMS for place in places]
    assert len(set(seeds)) == len(seeds)
    assert len(set(firsts)) == len(firsts)
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_every_stream_is_used_and_nobody_makes_generators_elsewhere() -> None:
    package = Path(kibitz.__file__).parent
    sources = {path: path.read_text() for path in package.rglob("*.py") if path.name != "rng.py"}
    everything = "\n".join(sources.values())
    assert [stream for stream in rng.STREAMS if f'"{stream}"' not in everything] == []
    loose = re.compile(r"default_rng\(|SeedSequence\(|RandomState\(|import random\b|torch\.Generator\(")
    assert [path.name for path, text in sources.items() if loose.search(text) and path.name != "cego_learning.py"] == []


def test_the_oracles_first_word_does_not_repeat_the_deal() -> None:
    game = make("collaborative-kuhn", oracle="noisy", blur="noise", rewards="tied")
    counts: dict[tuple[str, int], int] = {}
    for number in range(300 if PLAIN else 3000):
        p = Position(game, 1, number)
        place = (p.deal_text.split()[0], p.actions[0])
        counts[place] = counts.get(place, 0) + 1
    cards, words = ({place[k] for place in counts} for k in (0, 1))
    table = [[counts.get((card, word), 0) for word in words] for card in cards]
    assert len(cards) > 1
    assert len(words) > 1
    assert stats.chi2_contingency(table).pvalue > 1e-6


def test_conformance_notices_a_chance_move_that_repeats_the_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("collaborative-kuhn", oracle="noisy", blur="noise", rewards="tied")
    check_chance(game, 600, 3)
    fresh = rng.fresh
    monkeypatch.setattr(rng, "fresh", lambda seed, number, who=-1, move=0, purpose=0: fresh(seed, number, who, 0, 0))
    with pytest.raises(Broken, match="first chance move depends"):
        check_chance(game, 600, 3)

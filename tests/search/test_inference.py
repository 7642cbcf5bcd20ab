"""Inference: worlds are weighed as Bayes has it, the truth never counts nothing, and measures measure."""

from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from kibitz.bots import make_bot
from kibitz.core.errors import BadInput
from kibitz.core.game import make
from kibitz.core.position import Position
from kibitz.core.view import view_of
from kibitz.games.skat.cards import CARDS
from kibitz.games.skat.knowledge import dealt_hand, has_picked_up
from kibitz.games.skat.senses import FRAME
from kibitz.games.skat.state import ASIDE, CONTRACT, DECLARER, PHASE, PLAYED, PLAYING, TAKEN, TURN
from kibitz.search import worlds as deals
from kibitz.search.network import load_network, random_network, save_network
from kibitz.search.skat.inference import ki, measures
from kibitz.search.skat.inference.card_locations import SHAPE, CardLocations
from kibitz.search.skat.inference.cheating import CheatingPimc
from kibitz.search.skat.inference.configurations import bits, configurations, listed, sampled
from kibitz.search.skat.inference.history import (
    HAND,
    LAID,
    before_play,
    bounds,
    cards_played,
    decisions,
    legal_cards,
    moments,
)
from kibitz.search.skat.inference.module import NoInference, plain
from kibitz.search.skat.inference.pi import PolicyInference
from kibitz.search.skat.inference.policies import KINDS, TRUSTS, discard_inputs, read_policies
from tests.search.policy_player import PolicyPlayer, card_chances, random_policies

POLICIES = random_policies(7)


@cache
def played_games(name: str, count: int) -> tuple:
    """Final states of games whose cards were drawn from the policies, whoever called."""
    game = make(name)
    rule = make_bot(game, "skat-rule:null=0.15")
    player = PolicyPlayer(POLICIES, bidder=rule.act)
    found = []
    number = 0
    while len(found) < count:
        position = Position(game, 3, number)
        number += 1
        while not position.is_over:
            position.push(player.act(position.view(position.turn)))
        if position.state[CONTRACT] >= 0:
            found.append(position.state.copy())
    return game, tuple(found)


def at(game, final, cards):
    """The state of a game after so many cards."""
    for state, _ in moments(game, final):
        if cards_played(state) == cards:
            return state.copy()
    return None


def modules():
    places = {name: random_network((SHAPE[0], 8, SHAPE[1]), 3) for name in dict.fromkeys(KINDS)}
    luck = np.random.default_rng(5)
    tables = {name: luck.normal(size=shape) for name, shape in ki.SHAPES.items()}
    return {
        "NI": NoInference(500),
        "KI": ki.Tables(500, tables),
        "CLI": CardLocations(500, places),
        "PI": PolicyInference(500, POLICIES),
        "PIF": PolicyInference(500, POLICIES, has_history=True),
    }


def brute_force(game, view, world):
    """Log likelihood of everything the others did in one world, asked of the players themselves."""
    total = 0.0
    for state, card in moments(game, world):
        seat = int(state[TURN])
        if seat != view.seat:
            total += np.log(card_chances(POLICIES, view_of(game, state, seat))[card])
    known = bounds(view.state)
    if known is None:
        return total
    low, high = known
    for seat in range(3):
        if seat == view.seat:
            continue
        ten = np.array([dealt_hand(world, seat)])
        is_declarer = seat == world[DECLARER]
        if not is_declarer or not has_picked_up(world):
            total += POLICIES.bids(ten, seat, int(low[seat]), int(high[seat]))[0]
        if is_declarer and not has_picked_up(world):
            total += POLICIES.pickup(ten, world)[0] + POLICIES.declares_from_hand(ten, world)[0]
        elif is_declarer:
            twelve = ten | world[ASIDE] | world[PLAYED + seat] | configurations(world).hands[:, seat]
            total += POLICIES.declares(twelve, world)[0] + POLICIES.discards(twelve, np.array([world[ASIDE]]), world)[0]
    return total


@pytest.mark.parametrize("name", ["skat", "skat-suit", "skat-null"])
@pytest.mark.parametrize("cards", [21, 23])
def test_policy_inference_is_bayes_on_a_tiny_skat(name, cards):
    """Three or two cards a hand and the skat: all worlds, each replayed card by card with what each player saw."""
    game, finals = played_games(name, 4)
    tried = 0
    for final in finals:
        state = at(game, final, cards)
        if state is None:
            continue
        for seat in range(3):
            view = view_of(game, state, seat)
            worlds = listed(view)
            pick = np.arange(len(worlds))[:: max(1, len(worlds) // 12)]
            ours = PolicyInference(500, POLICIES).log_weights(view, worlds)[pick]
            theirs = np.array([brute_force(game, view, worlds.write(k, state)) for k in pick])
            # What both leave out alike is a constant.
            np.testing.assert_allclose(ours - ours[0], theirs - theirs[0], atol=2e-4)
            tried += len(pick)
    assert tried > 0


def test_listed_configurations_are_those_of_the_engine():
    game, finals = played_games("skat", 4)
    for final in finals:
        state = at(game, final, 21)
        if state is None:
            continue
        for seat in range(3):
            view = view_of(game, state, seat)
            ours, theirs = listed(view), configurations(deals.every(view))
            assert len(ours) == deals.count(view)
            key = lambda worlds: {(*map(int, hands), int(skat)) for hands, skat in zip(worlds.hands, worlds.skat)}  # noqa: E731
            assert key(ours) == key(theirs)


def test_no_module_gives_the_true_world_weight_zero():
    game, finals = played_games("skat", 6)
    for final in finals:
        for cards in (0, 4, 10, 20):
            state = at(game, final, cards)
            if state is None:
                continue
            for seat in range(3):
                view = view_of(game, state, seat)
                worlds = np.concatenate([state[None], deals.sample(view, 30)])
                for name, module in modules().items():
                    weights = module.weigh(view, worlds)
                    assert weights.shape == (31,) and np.isfinite(weights).all(), name
                    assert weights[0] > 0.0, name


def test_without_inference_the_ratio_is_one():
    game, finals = played_games("skat", 3)
    for final in finals:
        for cards in (0, 15, 22):
            state = at(game, final, cards)
            if state is not None:
                for seat in range(3):
                    found = measures.judge(NoInference(2000), view_of(game, state, seat), state)
                    assert found.tssr == pytest.approx(1.0, rel=1e-9)
                    assert found.log_score == pytest.approx(-np.log(found.worlds), rel=1e-6)


def test_estimated_ratio_agrees_with_the_exact_one():
    logs = np.random.default_rng(1).normal(size=2000)
    whole = measures.exact(logs, 17)
    drawn = np.random.default_rng(2).choice(np.delete(logs, 17), 20_000)
    guess = measures.estimated(logs[17:18], drawn, len(logs))
    assert guess.tssr == pytest.approx(whole.tssr, rel=0.05)
    assert guess.log_score == pytest.approx(whole.log_score, abs=0.05)
    assert guess.rank == pytest.approx(whole.rank, abs=0.02)


def test_few_samples_make_the_ratio_smaller():
    """A likely true world is drawn less often than it deserves when it is seldom among the samples."""
    few, many = (measures.tssr(50.0, 1.0, 10_000, n) for n in (20, 5_000))
    assert 1.0 < few < many < 50.0


def test_a_state_with_history_stands_for_all_pickups():
    game, finals = played_games("skat", 6)
    for final in finals:
        state = before_play(final)
        defender = (int(state[DECLARER]) + 1) % 3
        view = view_of(game, state, defender)
        ways = measures.every_pickup(view, configurations(state))
        assert len(ways) == (66 if has_picked_up(state) else 1)
        if has_picked_up(state):
            assert state[TAKEN] in ways.taken
        found = measures.judge(PolicyInference(400, POLICIES, has_history=True), view, state)
        assert found.tssr > 0 and 0 <= found.rank <= 1


def score_of(module, game, finals, cards):
    scores = []
    for final in finals:
        state = at(game, final, cards)
        if state is not None:
            for seat in range(3):
                scores.append(measures.judge(module, view_of(game, state, seat), state, samples=3000).log_score)
    return np.array(scores)


def test_with_the_perfect_model_policy_inference_scores_best():
    """All players are the very policies that inference assumes: then its posterior is exact, the best there is."""
    game, finals = played_games("skat-grand", 40)
    found = {name: score_of(module, game, finals, 19) for name, module in modules().items() if name != "PIF"}
    best = found.pop("PI")
    for name, scores in found.items():
        gain = best - scores
        assert gain.mean() > 2 * gain.std() / np.sqrt(len(gain)), name


def test_with_the_perfect_model_probabilities_are_calibrated():
    game, finals = played_games("skat-grand", 40)
    shares, hits = [], []
    for final in finals:
        state = at(game, final, 21)
        if state is None:
            continue
        view = view_of(game, state, int(state[TURN]))
        worlds = listed(view)
        weights = plain(PolicyInference(500, POLICIES).log_weights(view, worlds))
        true = configurations(state)
        shares += list(weights / weights.sum())
        hits += list((worlds.hands == true.hands).all(axis=1) & (worlds.skat == true.skat))
    assert sum(hits) == len([final for final in finals if at(game, final, 21) is not None])
    top = np.array_split(np.argsort(shares, kind="stable"), 100)[-1]  # the hundredth that is held most likely
    given, true_share, number = np.array(shares)[top].mean(), np.array(hits)[top].mean(), len(top)
    assert number > 10 and abs(given - true_share) < 4 * np.sqrt(given * (1 - given) / number) + 0.02
    likely = np.array(shares) > 0.3
    gap = np.array(hits)[likely].mean() - np.array(shares)[likely].mean()
    assert abs(gap) < 4 * 0.5 / np.sqrt(likely.sum())


def test_pickup_history_changes_the_weights_of_defenders_only():
    game, finals = played_games("skat", 6)
    for final in finals:
        state = before_play(final)
        if not has_picked_up(state):
            continue
        plain_pi, full = PolicyInference(50, POLICIES), PolicyInference(50, POLICIES, has_history=True)
        for seat in range(3):
            view = view_of(game, state, seat)
            worlds = sampled(view, 40)
            same = np.allclose(plain_pi.log_weights(view, worlds), full.log_weights(view, worlds))
            assert same == (seat == state[DECLARER])


def plain_plays(policies, hands, laid, kind, story):
    """The formula of `plays` as it stands: every hand with all its inputs, and the whole distribution."""
    total, later = np.zeros(len(hands)), 0
    for decision in reversed(story):
        later |= 1 << decision.card
        inputs = np.repeat(decision.public[None], len(hands), axis=0)
        inputs[:, HAND] = bits(hands | later, kind)
        if laid is not None:
            inputs[:, LAID] = bits(laid, kind)
        legal = bits(legal_cards(hands | later, kind, decision.led), kind) > 0
        total += np.log(policies.cards(inputs, legal, kind)[:, FRAME[kind + 1, decision.card]])
    return total


def plain_discards(policies, twelve, laid, s):
    """The pair's share of the weights of all 66 pairs, pair by pair."""
    scores = np.exp(policies.networks["discard"](discard_inputs(twelve, s)).astype(float))
    place = FRAME[int(s[CONTRACT]) + 1]
    found = []
    for row in range(len(twelve)):
        cards = [card for card in range(CARDS) if twelve[row] >> card & 1]
        pairs = {1 << a | 1 << b: scores[row, place[a]] * scores[row, place[b]] for a, b in combinations(cards, 2)}
        share = pairs[int(laid[row])] / sum(pairs.values())
        found.append(np.log((1 - policies.floor) * share + policies.floor / len(pairs)))
    return np.array(found)


def test_the_fast_way_is_the_plain_formula():
    game, finals = played_games("skat", 3)
    asked = 0
    for final in finals:
        state = at(game, final, 13)
        if state is None:
            continue
        kind, declarer = int(state[CONTRACT]), int(state[DECLARER])
        view = view_of(game, state, (declarer + 1) % 3)
        worlds = sampled(view, 1100)  # more than are asked at once
        story = [one for one in decisions(game, state) if one.seat == declarer]
        for laid in (None, worlds.skat):
            ours = POLICIES.plays(worlds.hands[:, declarer], laid, kind, story)
            theirs = plain_plays(POLICIES, worlds.hands[:, declarer], laid, kind, story)
            np.testing.assert_allclose(ours, theirs, atol=2e-4)
        twelve = (worlds.hands[:, declarer] | state[PLAYED + declarer] | worlds.skat)[:40]
        if has_picked_up(state):
            ours = POLICIES.discards(twelve, worlds.skat[:40], state)
            np.testing.assert_allclose(ours, plain_discards(POLICIES, twelve, worlds.skat[:40], state), atol=2e-4)
        asked += 1
    assert asked


@pytest.mark.parametrize("cards", [2, 9, 20])
def test_modules_judged_together_think_what_they_think_alone(cards):
    game, finals = played_games("skat", 3)
    doubting = replace(POLICIES, trusts=TRUSTS)
    asked = [*modules().values(), PolicyInference(500, doubting), PolicyInference(2500, POLICIES)]
    for final in finals:
        state = at(game, final, cards)
        view = view_of(game, state, int(state[TURN]))
        samples = [one.samples for one in asked]
        for module, found in zip(asked, measures.judge_together(asked, view, state, samples), strict=True):
            if getattr(module, "has_history", False):
                continue  # what was picked up is drawn after all other cards, so it is another draw
            alone = measures.judge(module, view, state)
            assert found.is_exact == alone.is_exact
            assert found.log_score == pytest.approx(alone.log_score, abs=1e-4)
            assert found.tssr == pytest.approx(alone.tssr, rel=1e-3)


def test_hands_are_judged_once_each():
    """Whatever the order and number of copies of worlds, each gets the same weight."""
    game, finals = played_games("skat", 2)
    state = at(game, finals[0], 12)
    view = view_of(game, state, int(state[TURN]))
    worlds = sampled(view, 60)
    order = np.random.default_rng(3).integers(0, 60, 300)
    module = PolicyInference(60, POLICIES)
    np.testing.assert_allclose(
        module.log_weights(view, worlds)[order], module.log_weights(view, worlds.pick(order)), atol=1e-4
    )


def test_cheating_needs_to_be_shown_the_cards():
    game = make("skat-suit")
    rule = make_bot(game, "skat-rule")
    bot = CheatingPimc(game, "C", rule=rule.act)
    position = Position(game, 1, 0)
    with pytest.raises(BadInput, match="shown"):
        bot.think(position.view(0))
    bot.look(position.state)
    thought = bot.think(position.view(0))
    assert len(thought.worlds) == 1 and (thought.worlds[0] == position.state).all()


def test_missing_and_damaged_policy_files_are_told(tmp_path):
    with pytest.raises(BadInput, match=r"there is no bid\.npz"):
        read_policies(tmp_path)
    (tmp_path / "bid.npz").write_bytes(b"no archive")
    with pytest.raises(BadInput, match=r"bid\.npz"):
        load_network(tmp_path / "bid.npz", 35, 64)
    save_network(tmp_path / "other.npz", random_network((3, 4, 5), 1))
    with pytest.raises(BadInput, match="35 inputs"):
        load_network(tmp_path / "other.npz", 35, 64)


def test_inference_is_for_skat_only():
    with pytest.raises(BadInput, match="there is no inference ki for coinche; "):
        make_bot(make("coinche"), "pimc:ki")


def test_policy_player_plays_legal_cards():
    game, finals = played_games("skat", 2)
    for final in finals:
        state = at(game, final, 3)
        view = view_of(game, state, int(state[TURN]))
        chances = card_chances(POLICIES, view)
        assert chances.sum() == pytest.approx(1.0) and (chances > 0).tolist() == view.mask[:CARDS].tolist()
        assert state[PHASE] == PLAYING


def test_doubt_is_the_mean_over_what_may_be_a_policys_share():
    """One share is plain policy inference with that floor; two are Bayes over them, for each player apart."""
    game, finals = played_games("skat", 3)
    shares = (0.95, 0.3)
    for final in finals:
        state = at(game, final, 15)
        if state is None:
            continue
        view = view_of(game, state, int(state[TURN]))
        worlds = sampled(view, 40)
        floors = [
            PolicyInference(40, replace(POLICIES, floor=1.0 - share)).log_weights(view, worlds) for share in shares
        ]
        for share, logs in zip(shares, floors, strict=True):
            alone = PolicyInference(40, replace(POLICIES, trusts=((share, 1.0),)))
            np.testing.assert_allclose(alone.log_weights(view, worlds), logs, atol=1e-6)
        both = PolicyInference(40, replace(POLICIES, trusts=((shares[0], 0.5), (shares[1], 0.5))))
        found = both.log_weights(view, worlds)
        assert (found > np.max(floors, axis=0) - 2 * np.log(2.0) - 1e-9).all()


def test_who_keeps_doing_the_unlikely_is_trusted_less():
    trusting = replace(POLICIES, trusts=((0.99, 0.9), (0.01, 0.1)))
    likely, unlikely = np.log([[0.9, 0.5]]), np.log([[0.01, 0.3]])
    one = trusting.believed(likely) + trusting.believed(unlikely * 5)
    assert one[0] > np.log(0.9) + 5 * np.log(0.01)
    assert trusting.believed(unlikely * 5)[0] == pytest.approx(5 * np.log(0.3) + np.log(0.1), abs=1e-3)
    assert (POLICIES.believed(likely[:, 0]) == likely[:, 0]).all()

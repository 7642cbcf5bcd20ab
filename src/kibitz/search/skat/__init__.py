"""Skat's own part of the search room."""

PAYOFF = "kibitz.search.skat.payoff"
FACTS = "kibitz.search.skat.hidden_cards"
BIDDER = "kibitz.search.skat.caller"
BIDS_BY_SEARCH = True
CALLS = "kibitz.search.skat.call_learning"
"""Whose `call_oddly` brings deals to the first card for those who learn to play it."""
WEIGHERS: dict[str, tuple[str, dict[str, int], str]] = {
    "ki": ("kibitz.search.skat.inference.ki", {}, "tables counted from games, for bids and declarations"),
    "cli": ("kibitz.search.skat.inference.card_locations", {}, "a network over the places of cards, 20,000 worlds"),
    "cli500": (
        "kibitz.search.skat.inference.card_locations",
        {"samples": 500_000},
        "the same with 500,000 worlds, a gigabyte",
    ),
    "pi": (
        "kibitz.search.skat.inference.pi",
        {},
        "policies of the others, 20,000 worlds; pimc:pi:DIR, pimc:cli:DIR and pimc:ki:DIR have what you taught them",
    ),
    "pi100": ("kibitz.search.skat.inference.pi", {"samples": 100_000}, "the same with 100,000 worlds"),
    "pit": (
        "kibitz.search.skat.inference.pi",
        {"doubts": True},
        "pi that trusts a player's policy less, the more often he does what it calls unlikely",
    ),
    "judge": ("kibitz.search.skat.inference.judged", {}, "good cards for what the declarer declared, 1,000 worlds"),
    "pif": ("kibitz.search.skat.inference.pi", {"has_history": True}, "pi over states with what was picked up"),
}
"""Inference modules: name -> module with `weigher(game, **settings)`, settings, a line about it."""

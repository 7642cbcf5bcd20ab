"""Coinche's own part of the search room."""

PAYOFF = "kibitz.search.coinche.payoff"
BIDDER = "kibitz.search.coinche.bidder"
BIDS_BY_SEARCH = True
WEIGHERS: dict[str, tuple[str, dict[str, int], str]] = {
    "calls": ("kibitz.search.coinche.calls", {}, "tables of what calls say about hands"),
    "auction": (
        "kibitz.search.coinche.reading",
        {},
        "hands weighed by how a learned bidder would have called with them",
    ),
}

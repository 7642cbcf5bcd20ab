"""The whole game of Cego in the search room."""

PAYOFF = "kibitz.search.cego.payoff"
BIDDER = "kibitz.search.cego.bidder"

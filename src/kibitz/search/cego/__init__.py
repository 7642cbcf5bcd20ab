"""The whole game of Cego in the search room."""

PAYOFF = "kibitz.search.cego.payoff"
BIDDER = "kibitz.search.cego.bidder"
POLICIES = "kibitz.search.cego.policies"
"""Weighs worlds by what the player would have done in them that goes on there."""

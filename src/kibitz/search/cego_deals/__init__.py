"""Cego's sub-games in the search room."""

PAYOFF = "kibitz.search.cego_deals.payoff"
FACTS = "kibitz.search.cego_deals.hidden_cards"

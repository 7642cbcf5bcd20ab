"""Bidding by search: a network distilled from solved deals, worlds weighed by what has been called."""

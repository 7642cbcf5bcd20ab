"""Skat's rule-based player."""
from kibitz.core.policy import Rule
BOTS: dict[str, Rule] = {}

"""Matches between bots, and what may honestly be concluded from them."""

"""The papers whose numbers kibitz computes again: one module each, imported only when its experiments are asked for."""

PAPERS = ("kuhn", "cego", "cheat", "coinche", "convergence", "ckp", "cheat_training")
"""Modules of this package that register experiments."""

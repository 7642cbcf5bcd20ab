"""Tabular methods: exact and sampled regret minimisation, pruning, best responses, team values, tables."""

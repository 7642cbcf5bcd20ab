"""Inference for Skat: how likely the worlds of a view are, judged by what the others have bid, declared and played."""

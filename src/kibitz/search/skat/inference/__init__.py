"""Inference for Skat: how likely the worlds are that fit a view, judged by what the others have bid, declared and played."""

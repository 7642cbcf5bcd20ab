"""Skat's own part of the command line."""

TRAINING = {"imitation": "kibitz.cli.skat.imitate"}
"""Ways to train that play no rounds: name -> module with `train`."""
ARCHIVE = "kibitz.cli.skat.iss"

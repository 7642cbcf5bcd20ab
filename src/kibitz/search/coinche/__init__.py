"""Open-card Coinche: the attack's points, or whether it takes every trick."""

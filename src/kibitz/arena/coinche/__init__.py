"""What the arena has for Coinche alone: matches by its own rules."""

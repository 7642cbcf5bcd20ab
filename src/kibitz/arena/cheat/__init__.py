"""What the arena has for Cheat alone: how players behave."""

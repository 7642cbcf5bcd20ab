"""The table at the terminal: what a person sees there, what may be typed, and what is kept of the games."""

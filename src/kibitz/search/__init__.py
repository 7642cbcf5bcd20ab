"""Search: an open-card solver of trick-taking games, worlds that fit a view, and players that put the two together."""

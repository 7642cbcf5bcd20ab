"""Search: open-card solvers of the trick-taking games, worlds that fit a view, and players that put the two together."""

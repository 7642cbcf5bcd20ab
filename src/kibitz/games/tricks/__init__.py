"""The kit: what every trick-taking game shares. A game on it is a page of tables (`kit.TrickGame`) and some kernels."""

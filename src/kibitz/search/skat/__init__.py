"""Open-card Skat: suit games and grands by card points or tricks, null by whether the declarer is clean."""

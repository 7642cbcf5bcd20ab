"""The table in the browser: people and bots at one table, hints, reviews, records. `kibitz serve` opens it."""

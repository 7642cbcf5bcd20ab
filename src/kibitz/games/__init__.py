"""The games of this package; each folder holds one, with its presets, rules, senses, words and rule-based players."""

CATALOGUE = (
    "kuhn",
    "leduc",
    "collaborative_kuhn",
    "cheat",
    "coinche",
    "cego_deals",
    "skat",
    "cego",
    "hearts",
    "euchre",
    "belote",
)

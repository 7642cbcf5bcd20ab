"""What the arena has for Skat alone: archives of the Internet Skat Server, read, checked and kept in shards, and the
examples that are learned from them."""

RECORD_READERS = {"(;GM[Skat]": "kibitz.arena.skat.archive"}
"""Who reads records of other programs (its `read_records`), by how their lines begin."""

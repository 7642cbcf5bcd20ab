"""Hypothesis without deadlines: the first example of a test may have to wait for a compilation."""

from hypothesis import settings

settings.register_profile("kibitz", deadline=None, print_blob=True)
settings.load_profile("kibitz")

"""tmp"""
from kibitz.games.tarock import TAROCK
ACTION_WORDS = TAROCK.names

"""The sentences of the table itself, in German and French; English is the key. Games bring their own (`CATALOGUE` of their words)."""

from __future__ import annotations

SENTENCES: dict[str, dict[str, str]] = {"de": {}, "fr": {}}

"""RLCard's rule-based player of Leduc (pip install rlcard) at our tables: it raises whenever it can, else it calls.

kibitz match leduc --bots python:examples/rlcard_leduc.py:Rule,leduc-rule --deals 10000
"""

from rlcard.models.leducholdem_rule_models import LeducHoldemRuleAgentV1

from kibitz.core.policy import OneByOne
from kibitz.core.view import View


class Rule(OneByOne):
    """Tells RLCard's agent the legal words; our call is its check where there is nothing to call."""

    def __init__(self) -> None:
        self.name, self.agent = "rlcard-rule", LeducHoldemRuleAgentV1()

    def act(self, view: View) -> int:
        word = self.agent.step({"raw_legal_actions": view.legal_words()})
        return int(view.game.words.ACTION_WORDS.index(word))

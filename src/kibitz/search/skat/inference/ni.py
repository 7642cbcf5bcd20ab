"""NI, no inference: every world that fits the view is as likely as any other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.core.shapes import Floats
from kibitz.core.view import View
from kibitz.search.skat.inference.configurations import Configurations
from kibitz.search.skat.inference.module import Inference


@dataclass(frozen=True)
class NoInference(Inference):
    """Weighs all worlds alike."""

    samples: int = 256

    def log_weights(self, view: View, worlds: Configurations) -> Floats:
        """[n]: zeros."""
        return np.zeros(len(worlds))

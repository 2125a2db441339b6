"""What "agrees" means in these tests.

Runs are made at TOL = 1e-10: no step errs by more than 1e-10 of the mechanism's length. Over some hundred steps of a
regular motion that adds up to 1e-8; CLOSE leaves a factor of ten. Where a test needs another bound it says why.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

TOL = 1e-10
CLOSE = 1e-7


def largest(difference: ArrayLike) -> float:
    """The largest absolute value."""
    return float(np.max(np.abs(np.asarray(difference, float))))

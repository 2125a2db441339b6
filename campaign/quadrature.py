"""Running integrals of a smooth function of time, by Gauss–Legendre's rule on short panels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from campaign.structure import Array

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


def running_integral(f: Callable[[Array], Array], times: Array, moment: float) -> Array:
    """∫₀^t f at sorted times, with panels no longer than the time in which f changes by its own size."""
    edges = np.concatenate([[0.0], times])
    lows, widths, owners = [], [], []
    for k, (low, high) in enumerate(pairwise(edges.tolist())):
        count = int(np.ceil((high - low) / moment)) or 1
        width = (high - low) / count
        lows.append(low + width * np.arange(count))
        widths.append(np.full(count, width))
        owners.append(np.full(count, k))
    low, width = np.concatenate(lows), np.concatenate(widths)
    at = low[:, None] + 0.5 * width[:, None] * (1.0 + _NODES)
    pieces = 0.5 * width * (f(at.ravel()).reshape(at.shape) @ _WEIGHTS)
    result: Array = np.cumsum(np.bincount(np.concatenate(owners), pieces, len(times)))
    return result

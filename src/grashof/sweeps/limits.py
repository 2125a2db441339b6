"""Which values the numbers of a mechanism may have, for many rows of them at once."""

from __future__ import annotations

import numpy as np

from grashof.errors import ModelError
from grashof.model.check import check
from grashof.model.model import Model
from grashof.model.parameters import numbers, with_numbers

Array = np.ndarray


class Limits:
    """The values that numbers may have: found by asking the checks of a description."""

    def __init__(self, model: Model, paths: tuple[str, ...]) -> None:
        self._model, self._paths = model, paths
        known = numbers(model)
        self._lower = np.array([self._least(path, known[path].value) for path in paths])
        bounds = [(known[path].lower, known[path].upper) for path in paths]
        self._bounds = np.array([(-np.inf if a is None else a, np.inf if b is None else b) for a, b in bounds])
        self._together = model.dimension == 3 and any(".inertia" in path for path in paths)

    def _least(self, path: str, nominal: float) -> float:
        """The number above which a path must stay; zero may be allowed."""
        size = abs(nominal) or 1.0
        if self._passes({path: -0.1 * size}) or not nominal >= 0.0:
            return -np.inf
        return -1e-300 if self._passes({path: 0.0}) else 0.0

    def _passes(self, values: dict[str, float]) -> bool:
        try:
            check(with_numbers(self._model, values))
        except ModelError:
            return False
        return True

    def allow(self, rows: Array) -> Array:
        """Which rows (B, P) are possible."""
        inside = np.all((rows > self._lower) & (rows >= self._bounds[:, 0]) & (rows <= self._bounds[:, 1]), axis=1)
        inside &= np.all(np.isfinite(rows), axis=1)
        if self._together:  # numbers that must fit together
            inside &= [self._passes(dict(zip(self._paths, row.tolist(), strict=True))) for row in rows]
        return np.asarray(inside)

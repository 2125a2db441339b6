"""Which values the numbers of a mechanism may have, tested for many rows at once."""

from __future__ import annotations

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.model.check import CheckedModel, check_changes, vouch_for
from grashof.model.definitions import recompute_values
from grashof.model.parameters import numbers, with_numbers

Array = np.ndarray

PROBES = np.array([-1000.0, -2.0, -0.5, -0.1, 0.1, 0.5, 1.0, 1000.0])
"""Offsets from its nominal value at which a number is tested, relative to its magnitude."""


class Limits:
    """The values that numbers may have, found by applying the checks of a description.

    Most numbers may have any value, or any positive value. Numbers that are defined by varied ones must be possible,
    too. Rows with numbers that are limited in other ways, such as the components of a direction, are checked one by
    one.
    """

    def __init__(self, model: CheckedModel, paths: tuple[str, ...]) -> None:
        self._model, self._paths = model, paths
        self._alone = vouch_for(msgspec.structs.replace(model, defined={}))
        known = numbers(model)
        self._all = tuple(recompute_values(model, {path: known[path].value for path in paths}))
        values = [float(known[path].value) for path in self._all]
        bounds = [(known[path].lower, known[path].upper) for path in self._all]
        self._bounds = np.array([(-np.inf if a is None else a, np.inf if b is None else b) for a, b in bounds])
        self._lower = np.array([self._least(path, x) for path, x in zip(self._all, values, strict=True)])
        others = [k for k, x in enumerate(values) if not self._plain(k, x)]
        self._lower[others] = -np.inf
        self._each = bool(others) or (model.dimension == 3 and any(".inertia" in path for path in self._all))

    def _least(self, path: str, nominal: float) -> float:
        """The value above which a number must stay; zero may be allowed."""
        if self._passes(self._alone, {path: -0.1 * _size(nominal)}) or not nominal >= 0.0:
            return -np.inf
        return -1e-300 if self._passes(self._alone, {path: 0.0}) else 0.0

    def _plain(self, k: int, nominal: float) -> bool:
        """Whether all values above the lower limit and within the bounds appear to be possible."""
        tried = (nominal + _size(nominal) * PROBES)[:, None]
        inside = tried[self._within(tried, slice(k, k + 1))[:, 0], 0]
        return all(self._passes(self._alone, {self._all[k]: float(x)}) for x in inside)

    def _within(self, values: Array, columns: slice) -> Array:
        low, high = self._bounds[columns].T
        return np.asarray((values > self._lower[columns]) & (values >= low) & (values <= high))

    def _passes(self, model: CheckedModel, values: dict[str, float]) -> bool:
        try:
            check_changes(with_numbers(model, values), model)
        except ModelError:
            return False
        return True

    def allow(self, rows: Array) -> Array:
        """Which rows (B, P) are possible."""
        with np.errstate(all="ignore"):
            found = recompute_values(self._model, dict(zip(self._paths, rows.T, strict=True)))
        values = np.column_stack([np.broadcast_to(found[path], len(rows)) for path in self._all])
        inside = np.all(self._within(values, slice(None)) & np.isfinite(values), axis=1)
        if self._each:
            for i in np.flatnonzero(inside):
                inside[i] = self._passes(self._model, dict(zip(self._paths, rows[i].tolist(), strict=True)))
        return np.asarray(inside)


def _size(nominal: float) -> float:
    return abs(nominal) or 1.0

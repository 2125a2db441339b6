"""Designs: which numbers each row has. Row i depends only on the design, the seed and i.

grid    all combinations of the values; the last number varies fastest
zip     the first values of all numbers, then the second ones, and so on
sobol   low-discrepancy points between bounds: Sobol's sequence with a random digital shift
normal  independent normal distributions with given means and standard deviations
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from grashof.common.errors import ModelError
from grashof.scalar import cos, log, sqrt

Array = np.ndarray

DESIGNS = ("grid", "zip", "sobol", "normal")

BITS = 32
"""Bits of the coordinates of Sobol's points before the shift: there are 2³² points."""

_SHIFTED = 52
"""Bits of the shift: doubles hold them exactly."""


class Design(Protocol):
    """A number of rows of P numbers each."""

    @property
    def count(self) -> int:
        """The number of rows."""

    def rows(self, first: int, last: int) -> Array:
        """The rows first ≤ i < last, (last − first, P)."""


@dataclass(frozen=True)
class Grid:
    """All combinations of the values."""

    values: tuple[Array, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(x) for x in self.values)

    @property
    def count(self) -> int:
        total = 1
        for length in self.shape:
            total *= length
        return total

    def rows(self, first: int, last: int) -> Array:
        places = np.unravel_index(np.arange(first, last), self.shape)
        return np.stack([x[place] for x, place in zip(self.values, places, strict=True)], axis=1)


@dataclass(frozen=True)
class Zip:
    """Values side by side."""

    values: tuple[Array, ...]

    @property
    def count(self) -> int:
        return len(self.values[0])

    def rows(self, first: int, last: int) -> Array:
        return np.stack([x[first:last] for x in self.values], axis=1)


@dataclass
class Sobol:
    """low + (high − low) u, where u is Sobol's sequence with a digital shift (P. L'Ecuyer and C. Lemieux, 2002): in
    each coordinate the same random bits are flipped for all points, which preserves their even distribution. Use a
    power of two as the number of rows."""

    low: Array
    high: Array
    count: int
    seed: int
    _sequence: Any = field(default=None, init=False)

    def rows(self, first: int, last: int) -> Array:
        if self._sequence is None or self._sequence.num_generated > first:
            self._sequence = _qmc().Sobol(len(self.low), scramble=False, bits=BITS)
        if first > self._sequence.num_generated:
            self._sequence.fast_forward(first - self._sequence.num_generated)
        scale = 2.0**_SHIFTED
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning that the first part of the sequence is not balanced
            points = (self._sequence.random(last - first) * scale).astype(np.uint64)
        shift = np.random.Philox(key=self.seed).random_raw(len(self.low)) >> np.uint64(64 - _SHIFTED)
        u: Array = (points ^ shift) / scale
        numbers: Array = self.low + (self.high - self.low) * u
        return numbers


@dataclass(frozen=True)
class NormalDistribution:
    """mean + deviation · z, where z = √(−2 ln u₁) cos 2πu₂ (G. E. P. Box and M. E. Muller, 1958) with counter-based
    uniform numbers: number j of row i uses those at 2 (i P + j) of the generator Philox (J. K. Salmon et al., 2011)
    with the seed as its key."""

    mean: Array
    deviation: Array
    count: int
    seed: int

    def rows(self, first: int, last: int) -> Array:
        width = 2 * len(self.mean)
        generator = np.random.Philox(key=self.seed)
        generator.advance(first * width // 4)  # which generates four numbers at a time
        skipped = first * width % 4
        raw = generator.random_raw(skipped + (last - first) * width)[skipped:]
        u = ((raw >> np.uint64(11)) + 0.5) * 2.0**-53  # never 0
        first_u, second_u = u.reshape(last - first, len(self.mean), 2).transpose(2, 0, 1)
        z: Array = sqrt(-2.0 * log(first_u)) * cos(2.0 * np.pi * second_u)
        numbers: Array = self.mean + self.deviation * z
        return numbers


def _qmc() -> Any:
    try:
        from scipy.stats import qmc
    except ImportError as problem:
        raise ModelError("Sobol's sequence needs scipy: install grashof[sweep], or choose another sample.") from problem
    return qmc

"""Whether energy changes only by work: the energy balance of runs of which energies and works are known at some
times."""

from __future__ import annotations

import numpy as np

from grashof.scalar.functions import Scalar, absolute, maximum, minimum
from grashof.tape import Tape, trace

CHECKED = 4
"""Number of quantities by which a run is checked: its kinetic and potential energies and the work done, up to a
constant, J, and the least cos(θ − f) of the angles θ that motors prescribe as f."""

EXTREMES = 6
"""Number of quantities that describe a run so far: its energy minus the work at the start, the largest kinetic
energy, and the least and the largest potential energy and work."""

AT_REST = 1e-6
"""The fraction of the potential energy included in the energy scale, so that round-off is not significant where
nothing moves."""


def balance(checked: np.ndarray) -> np.ndarray:
    """The energy-balance error, up to a constant, J, (…), from the quantities by which runs are checked, (…,
    CHECKED)."""
    return np.asarray(_unexplained(*(checked[..., i] for i in range(3))))


def adds_up(checked: np.ndarray, allowed: float) -> np.ndarray:
    """For runs with these quantities at m times, the first of which is the start, (…, m, CHECKED): whether energy
    changes only by work, and motors keep the angles that they prescribe.

    allowed   the permitted energy-balance error, relative to the energy scale of the motion
    """
    kinetic, potential, done, held = (checked[..., i] for i in range(CHECKED))
    unexplained = balance(checked)
    largest = np.max(np.abs(unexplained - unexplained[..., :1]), axis=-1)
    heights, works = ((np.min(x, axis=-1), np.max(x, axis=-1)) for x in (potential, done))
    margin = _margin(largest, np.max(kinetic, axis=-1), heights, works[1] - works[0], allowed)
    return np.asarray((margin >= 0.0) & np.all(held > 0.0, axis=-1))


def balance_tape(allowed: float) -> Tape:
    """The same for a run that goes on: a function of its extremes so far and of the quantities at a later time. It
    gives the new extremes, then a number that is negative if the energy does not balance, and cos(θ − f)."""

    def checked(x: list[Scalar]) -> list[Scalar]:
        base, most, *ranges = x[:EXTREMES]
        kinetic, potential, done, held = x[EXTREMES:]
        most = maximum(most, kinetic)
        low, high = minimum(ranges[0], potential), maximum(ranges[1], potential)
        least, largest = minimum(ranges[2], done), maximum(ranges[3], done)
        unexplained = absolute(_unexplained(kinetic, potential, done) - base)
        margin = _margin(unexplained, most, (low, high), largest - least, allowed)
        return [base, most, low, high, least, largest, margin, held]

    return trace(lambda x, _: checked(x), EXTREMES + CHECKED, 0)


def _unexplained(kinetic: Scalar, potential: Scalar, done: Scalar) -> Scalar:
    """The energy that the work does not explain, up to a constant."""
    return kinetic + potential - done


def _margin(
    unexplained: Scalar,
    kinetic: Scalar,
    potential: tuple[Scalar, Scalar],
    done: Scalar,
    allowed: float,
    tremble: float = 0.0,
) -> Scalar:
    """How much larger than its error the permitted error of an energy balance is, J; given the largest kinetic energy,
    the range of the potential energy, and how far works change.

    tremble   the round-off of displacements relative to these: energies follow their squares
    """
    resting = AT_REST * maximum(absolute(potential[0]), absolute(potential[1]))
    moving = kinetic + (potential[1] - potential[0]) + done
    permitted = allowed * (moving + resting)
    return (permitted + tremble * (2.0 + tremble) * moving if tremble else permitted) - unexplained


class EnergyBalance:
    """The energies of a run whose rows are added piece by piece.

    kinetic   the largest kinetic energy, J
    error     the largest |energy that no work explains|, J
    """

    def __init__(self) -> None:
        self.kinetic = self.error = 0.0
        self._low, self._high = np.asarray(np.inf), np.asarray(-np.inf)

    def add(self, kinetic: float, low: np.ndarray, high: np.ndarray, unexplained: float) -> None:
        """Adds rows: their largest kinetic energy, the ranges of potential energies and all works, up to constants
        (K,), and the largest absolute value of what these do not explain."""
        self.kinetic = float(np.maximum(self.kinetic, kinetic))
        self.error = float(np.maximum(self.error, unexplained))
        self._low, self._high = np.minimum(self._low, low), np.maximum(self._high, high)

    def holds(self, allowed: float, tremble: float = 0.0) -> bool:
        """Whether the error is permitted (see `_margin`)."""
        done, heights = float((self._high - self._low)[1:].sum()), (float(self._low[0]), float(self._high[0]))
        return bool(_margin(self.error, self.kinetic, heights, done, allowed, tremble) >= 0.0)

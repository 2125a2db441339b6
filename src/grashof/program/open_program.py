"""A mechanism with open numbers, as machine code that takes them as inputs.

    setup    p → c          once per run: from the open numbers to coefficients, and to the guessed positions of the bodies
    place    x, c → q, e    the start (see `start`)
    keep     x, c → …       the values that couplings keep from there on
    launch   x, c → v
    derivative, project, observe    x, c → …    as for a mechanism whose numbers are all known
    gradients    x, c → …   those of the constraints, with which runs in lanes are checked

It is created by `compiling`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.assembly.positions import fixed_angles
from grashof.formulation.layout import Layout
from grashof.formulation.natural.equations import Dynamics
from grashof.integrate import Integrator
from grashof.integrate.lanes import LaneIntegrator, checked_rows
from grashof.program import Program
from grashof.program.native import Native
from grashof.program.structure import Structure
from grashof.tape.staging import Staged

Matrix = NDArray[np.float64]

STRIDE = 0.05
"""How far open numbers move in one stride from the values of the structure towards others, relative to their size."""

LONGEST = 256
"""Largest number of strides before shorter ones are tried."""

ATTEMPTS = (1, 4, 16)
"""Factors by which strides are shortened, tried one after the other until the start is found."""

PLACED = 1e-10
"""The equations of the start hold if their residual is below this fraction of the mechanism's length."""

ITERATIONS = 4
"""Pairs of Newton steps after the last stride: always the same number, so that a row does not depend on others."""

SETTLED, LAUNCHED = 1e-13, 1e-10
"""Newton steps shorter than this fraction of the mechanism's length, or of its speed, are round-off."""

CONTRACTS = 0.25
"""A Newton step is accepted if the next one is shorter by this factor."""


@dataclass(frozen=True, eq=False)
class Starts:
    """Starts for rows of values: states (B, size), coefficients (B, C), and whether each could be assembled on the branch of the nominal one."""

    y: Matrix
    coefficients: Matrix
    placed: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class OpenProgram:
    """A mechanism compiled for all values of some of its numbers.

    program    the mechanism with its nominal values
    names      the open numbers, P
    nominal    their nominal values, (P,)
    keeping    couplings that keep the value they have at the start: these values are found there, and are open as well
    kept       these values at the nominal start
    observes   the quantities that `observe` returns, K
    dynamics   over open numbers
    staged     the tapes
    """

    program: Program
    names: tuple[str, ...]
    nominal: Matrix
    kept: Matrix
    keeping: tuple[str, ...]
    observes: tuple[str, ...]
    structure: Structure
    dynamics: Dynamics
    staged: Staged
    native: Native

    @property
    def layout(self) -> Layout:
        """The layout of a state."""
        return self.dynamics.layout

    @property
    def time(self) -> float:
        """The time at which runs begin, s."""
        return self.program.assembly.time

    @property
    def length(self) -> float:
        """The mechanism's length at the nominal values, m."""
        return self.dynamics.system.length

    def values(self, given: Mapping[str, float]) -> Matrix:
        """All open numbers, (P,); those that are not given have their nominal values."""
        return np.array([given.get(name, x) for name, x in zip(self.names, self.nominal, strict=True)])

    def integrator(self, coefficients: ArrayLike) -> Integrator:
        """The integrator of one mechanism at a time."""
        return Integrator(self.native.library, self.layout.sizes, coefficients)

    def lanes(self, lanes: int | None = None) -> LaneIntegrator:
        """The integrator of many mechanisms at a time; their number is chosen for the processor unless given."""
        tapes = {name: self.staged.tapes[name] for name in ("derivative", "project", "observe", "gradients")}
        pattern, redundant = checked_rows(self.dynamics), self.structure.implied
        return LaneIntegrator(tapes, self.layout.sizes, pattern, lanes, redundant=redundant)

    def _early(self, p: Matrix, kept: Matrix | None = None) -> Matrix:
        """All results of the set-up for rows of values (B, P): coefficients, guessed coordinates, those of the nominal poses, and a mass."""
        values = np.hstack([p, np.tile(self.kept, (len(p), 1)) if kept is None else kept])
        return self.native.rows("setup", values, np.empty((len(p), 0)))

    def _set_up(self, p: Matrix, kept: Matrix | None = None) -> tuple[Matrix, Matrix, Matrix]:
        """Coefficients, guessed coordinates, and those of the poses at the nominal start."""
        found, count, n = self._early(p, kept), self.staged.count, self.layout.nq
        return np.ascontiguousarray(found[:, :count]), found[:, count : count + n], found[:, count + n : count + 2 * n]

    def masses(self, p: Matrix) -> Matrix:
        """For rows of values (B, P), masses with which mass·speed² is a kinetic energy, kg (B,)."""
        return np.asarray(self._early(p)[:, -1])

    def assemble(self, p: Matrix) -> Starts:
        """The start for each row of values (B, P), followed from the nominal one in small strides."""
        p = np.ascontiguousarray(p, dtype=float)
        numbers = np.all(np.isfinite(p), axis=1)
        with np.errstate(over="ignore"):
            away = np.abs(p - self.nominal) / (STRIDE * self.structure.scales)
        y, placed = np.zeros((len(p), self.layout.size)), np.zeros(len(p), bool)
        coefficients = np.zeros((len(p), self.staged.count))
        far = np.max(away, axis=1, initial=0.0, where=numbers[:, None])
        strides = np.clip(np.ceil(far), 1, LONGEST).astype(int)
        for attempt in ATTEMPTS:
            left = np.flatnonzero(~placed & numbers)
            for count in np.unique(strides[left]):
                rows = left[strides[left] == count]
                y[rows], coefficients[rows], placed[rows] = self._followed(p[rows], int(count) * attempt)
        return Starts(y, coefficients, placed)

    @cached_property
    def extra(self) -> Matrix:
        """The extra states at the nominal start."""
        still = np.zeros(self.layout.nq), np.zeros(self.layout.nv)
        return self.dynamics.start_state(*still, self.program.assembly.angles)[self.layout.of_e]

    def _followed(self, p: Matrix, count: int) -> tuple[Matrix, Matrix, NDArray[np.bool_]]:
        """States, coefficients, and whether each start was found."""
        layout, length, base = self.layout, self.length, self.nominal
        q, v, e = (slice(1 + part.start, 1 + part.stop) for part in (layout.of_q, layout.of_v, layout.of_e))
        _, guess, posed = self._set_up(base[None])
        x = np.zeros((len(p), 1 + layout.size))
        x[:, 0], x[:, q], x[:, e] = self.time, posed, self.extra
        going = np.ones(len(p), bool)
        for k in range(1, count + 1):
            c, ahead, _ = self._set_up(base + (p - base) * (k / count))
            x[:, q] += ahead - guess
            guess = ahead
            for _ in range(1 if k < count else ITERATIONS):
                found = self.native.rows("place", x, c)
                x[:, q], x[:, e] = found[:, : layout.nq], found[:, layout.nq : layout.nq + layout.extra]
                last, before, missed = found[:, -3:].T
                going &= last <= np.maximum(CONTRACTS**2 * before, (SETTLED * length) ** 2)
        going &= missed <= (PLACED * length) ** 2
        x[:, v], x[:, e] = 0.0, self.wrapped(x[:, e])
        kept = self.native.rows("keep", x, c)
        c = self._set_up(p, kept)[0]
        for name, k in self.integrated.items():
            x[:, e][:, self.layout.angles.index(name)] = kept[:, k]
        for _ in range(ITERATIONS):
            found = self.native.rows("launch", x, c)
            x[:, v] = found[:, :-1]
        speed = np.max(np.abs(x[:, v]), axis=1, initial=0.0)
        going &= found[:, -1] <= (LAUNCHED * speed) ** 2
        return x[:, 1:], c, going & np.all(np.isfinite(x), axis=1)

    @cached_property
    def integrated(self) -> dict[str, int]:
        """The states that motors of varying speed integrate, and the kept value with which each begins."""
        model = self.dynamics.system.model
        return {name: self.keeping.index(motor.name) for motor in model.motors for name in motor.integrates}

    def wrapped(self, e: Matrix) -> Matrix:
        """Extra states in which angles whose whole turns nothing determines are within ±π, as in a rebuilt mechanism."""
        angles = self.program.assembly.angles
        given = {angle.name for angle, _ in fixed_angles(self.program.system, self.time)}
        wrapped = e.copy()
        for k, name in enumerate(self.layout.angles):
            if name not in given and abs(angles[name]) <= np.pi and self.dynamics.system.model.quantities[name].winds:
                wrapped[:, k] -= 2.0 * np.pi * np.round(e[:, k] / (2.0 * np.pi))
        return wrapped

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
from grashof.integrate.start_path import StartFinder, StartPath
from grashof.program import Program
from grashof.program.native import Native
from grashof.program.structure import Structure
from grashof.tape.staging import Staged

Matrix = NDArray[np.float64]


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
        return self.dynamics.length

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

    def _early(self, p: Matrix) -> Matrix:
        """All results of the set-up for rows of values (B, P): coefficients, guessed coordinates, those of the nominal poses, and a mass."""
        values = np.hstack([p, np.tile(self.kept, (len(p), 1))])
        return self.native.rows("setup", values, np.empty((len(p), 0)))

    def masses(self, p: Matrix) -> Matrix:
        """For rows of values (B, P), masses with which mass·speed² is a kinetic energy, kg (B,)."""
        return np.asarray(self._early(p)[:, -1])

    def assemble(self, p: Matrix) -> Starts:
        """The start for each row of values (B, P), followed from the nominal one in small strides."""
        found = self._finder.find(p)
        return Starts(found.x[:, 1:], found.c, found.found)

    @cached_property
    def _finder(self) -> StartFinder:
        return StartFinder(self.path, self.native.library)

    @cached_property
    def path(self) -> StartPath:
        """How its start is followed to other values."""
        layout, count = self.layout, self.staged.count
        early = self._early(self.nominal[None])[0]
        posed, still = early[count + layout.nq : count + 2 * layout.nq], np.zeros(layout.nv)
        extra = self.dynamics.start_state(posed, still, self.program.assembly.angles)[layout.of_e]
        return StartPath(
            sizes=layout.sizes,
            nominal=self.nominal.tolist(),
            scales=self.structure.scales.tolist(),
            begin=[self.time, *posed.tolist(), *still.tolist(), *extra.tolist()],
            kept=self.kept.tolist(),
            count=count,
            early=len(early),
            length=float(self.length),
            integrated=self._integrated(),
            wrapped=self._wrapped(),
        )

    def _integrated(self) -> list[tuple[int, int]]:
        """The states that motors of varying speed integrate, and the kept value with which each begins."""
        motors, angles = self.dynamics.model.motors, self.layout.angles
        return [(angles.index(name), self.keeping.index(x.name)) for x in motors for name in x.integrates]

    def _wrapped(self) -> list[int]:
        """The angles whose whole turns nothing determines: they are within ±π, as in a rebuilt mechanism."""
        angles, quantities = self.program.assembly.angles, self.dynamics.model.quantities
        given = {angle.name for angle, _ in fixed_angles(self.program.system, self.time)}
        return [
            k
            for k, name in enumerate(self.layout.angles)
            if name not in given and abs(angles[name]) <= np.pi and quantities[name].winds
        ]

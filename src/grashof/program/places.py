"""A mechanism rebuilt at other values of its open numbers, to find its structure there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from grashof.assembly.assemble import Assembly, assemble
from grashof.assembly.initial_offsets import initial_offsets, with_offsets
from grashof.branch.equations import Equation, Findings, make_branch, search
from grashof.branch.narrow_misses import narrowly_missed
from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import Positions
from grashof.formulation.natural.equations import Dynamics, make_dynamics, softened
from grashof.formulation.natural.forms import Form
from grashof.formulation.natural.presolve import BRANCH, Row
from grashof.formulation.natural.system import compile_system, with_couplings_of
from grashof.geometry.poses import poses_at
from grashof.model.model import Model
from grashof.model.parameters import with_numbers
from grashof.model.start import Pose
from grashof.program.program import IN_DEPENDENCY, Program, refinements_at
from grashof.scalar.functions import Scalar
from grashof.singular.start_branches import position_ahead

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Relation:
    """q_gives + Σ terms q + constant + Σ slopes p = 0, on the branch of the motion."""

    gives: int
    terms: dict[int, float]
    constant: float
    slopes: tuple[float, ...]

    def row(self, opened: Sequence[Scalar]) -> Row:
        """The relation as a row, for these numbers."""
        constant: Scalar = self.constant
        for slope, x in zip(self.slopes, opened, strict=True):
            constant = constant + slope * x
        return Row(Form(self.terms, constant), BRANCH, self.gives)


@dataclass(frozen=True, eq=False)
class Trial:
    """A mechanism rebuilt at other values for comparison; the last of these are the values that couplings keep."""

    values: Matrix
    dynamics: Dynamics
    state: Matrix


@dataclass(frozen=True, eq=False)
class Places:
    """A mechanism at other values than the nominal ones."""

    model: Model
    program: Program
    names: tuple[str, ...]

    @cached_property
    def poses(self) -> dict[str, Pose]:
        return poses_at(self.program.system, self.program.assembly.q)

    def at(self, values: Matrix) -> Place:
        start = msgspec.structs.replace(self.model.start, guesses=self.poses)
        changed = with_numbers(
            msgspec.structs.replace(self.model, start=start),
            {k: float(x) for k, x in zip(self.names, values, strict=True) if not k.startswith("start.guesses.")},
        )
        try:
            system = compile_system(changed, self.program.system.length)
            kept = initial_offsets(system)
            joints = make_dynamics(with_couplings_of(system, with_offsets(changed, kept)))
            assembly = assemble(joints)
        except ModelError as problem:
            raise ModelError(
                f"With {', '.join(self.names)} left open, mechanism '{self.model.name}' cannot be assembled at values near the given ones: "
                f"{problem} Leave fewer numbers open, or tie them to each other by expressions."
            ) from problem
        return Place(values, np.array(list(kept.values())), joints, assembly)


@dataclass(frozen=True, eq=False)
class Place:
    values: Matrix
    kept: Matrix
    joints: Dynamics
    assembly: Assembly

    @cached_property
    def turns(self) -> Sequence[float]:
        return self.joints.rows.turns([self.assembly.angles[name] for name in self.joints.system.tracked])

    @cached_property
    def regular(self) -> tuple[float, Matrix]:
        """A regular position, and its time."""
        if not self.assembly.singular:
            return self.assembly.time, self.assembly.q
        positions = Positions(self.joints, self.assembly.time, turns=self.turns)
        there, q = position_ahead(positions, self.assembly.q, self.assembly.v)
        return there.time, q

    @cached_property
    def findings(self) -> Findings:
        """What holds along the motion."""
        if not self.joints.rows.closed or self.joints.bearings:
            return Findings()
        at, q = self.regular
        found, branch = search(self.joints.system, q)
        dependencies = Positions(self.joints, at, turns=self.turns).dependencies(q)
        return Findings() if branch is None or narrowly_missed(self.joints, q, len(dependencies)) else found

    def dynamics(self, relations: Sequence[Relation], quadrics: Sequence[Equation]) -> Reduced:
        """The dynamics with the relations that hold along the motion substituted."""
        rows = tuple(Equation.of(x.row(self.values.tolist())) for x in relations)
        at, q = self.regular
        dynamics, left = self.joints, tuple(range(self.joints.n))
        if rows or quadrics:
            branch = make_branch(self.joints.system, Findings(rows, tuple(quadrics)))
            dynamics, left = make_dynamics(branch.system), branch.left
        here = q[list(left)]
        dependencies = Positions(dynamics, at, turns=self.turns).dependencies(here)
        redundant = np.flatnonzero(np.max(np.abs(dependencies), axis=0, initial=0.0) > IN_DEPENDENCY).tolist()
        dynamics = softened(dynamics, set(redundant))
        needed = refinements_at(dynamics, at, here.tolist(), self.turns)
        refinements = 2 * needed if redundant else needed
        y = dynamics.start_state(here, self.assembly.v[list(left)], self.assembly.angles)
        y[dynamics.layout.of_switches] = 1.0  # so that the code of all forces is compared, and all laws are examined
        return Reduced(
            left,
            tuple(redundant),
            refinements,
            len(dependencies),
            Trial(np.append(self.values, self.kept), replace(dynamics, refinements=refinements), np.append(at, y)),
        )


@dataclass(frozen=True, eq=False)
class Reduced:
    left: tuple[int, ...]
    redundant: tuple[int, ...]
    refinements: int
    implied: int
    trial: Trial

    @property
    def freedom(self) -> int:
        """Degrees of freedom."""
        return self.trial.dynamics.freedom(self.implied)

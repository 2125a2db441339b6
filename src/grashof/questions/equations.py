"""A mechanism's equations as dense matrices, with exact derivatives.

    f = Q(t, q, v) − Jᵀ λ,        M a = f,        Φ = 0,        Φ̇ = J v + Φ_t,        Φ̈ = J a − γ

The equations are traced once. Their derivatives with respect to all coordinates and velocities come from one evaluation
of that program with dual numbers whose derivative parts are arrays, one entry per direction: no differences are taken,
so they are exact to rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.assembly.assembled_model import assemble_with_start
from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import DEPENDENT, Positions
from grashof.formulation.natural.equations import Dynamics, without_mass
from grashof.formulation.natural.state import SystemState, measure_parts
from grashof.model.masses import is_massless, with_unit_masses, without_masses
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.tape import Tape, trace

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class FullState:
    """A state of a mechanism with the multipliers that hold it.

    q, v, a       coordinates, velocities and accelerations, (n,)
    multipliers   λ, (m,), N; with those of rows for velocities, if there are any
    turns         tracked angles, with their whole turns, rad
    """

    t: float
    q: Array
    v: Array
    a: Array
    multipliers: Array
    turns: Array

    def at_rest(self, multipliers: Array) -> FullState:
        """The same position without motion, held by these multipliers."""
        nothing = np.zeros(len(self.q))
        return replace(self, v=nothing, a=nothing, multipliers=multipliers)


@dataclass(frozen=True, eq=False)
class Slopes:
    """Derivatives of f (n rows), Φ̇ and Φ̈ (m rows, then those for velocities) with respect to q and v (n columns)."""

    force_q: Array
    force_v: Array
    rate_q: Array
    bias_q: Array
    bias_v: Array


class QuestionEquations:
    """The equations of a mechanism, evaluated at single points.

    rolling   whether rows for velocities only are allowed: the question takes them into account
    """

    def __init__(self, dynamics: Dynamics, *, rolling: bool = False) -> None:
        if dynamics.bearings:
            force = next(force.name for force in dynamics.model.forces if force.bearings())
            raise ModelError(
                f"Force '{force}': friction proportional to a reaction (mu) is supported in simulations only; use a "
                "given friction force (coulomb) here, or leave it out."
            )
        if dynamics.slips.count and not rolling:
            raise ModelError(
                f"'{dynamics.system.slips[0].owner}' restricts velocities but not positions, as blades and wheels do; "
                "such mechanisms are supported in simulations and in modes about a motion (at=0.0). Leave it out here."
            )
        self.dynamics = dynamics
        self.system = dynamics.system
        self.n, self.m = dynamics.n, dynamics.rows.count

    def mass(self, q: Array) -> Array:
        """M, (n, n), kg."""
        return self.dynamics.mass_matrix(q.tolist())

    def positions(self, t: float, turns: Array) -> Positions:
        """The constraint rows at a time, near tracked angles with these whole turns."""
        return Positions(self.dynamics, t, (), self.dynamics.rows.turns(turns.tolist()))

    def jacobian(self, t: float, q: Array, turns: Array) -> Array:
        """J, (m, n)."""
        rows = self.dynamics.rows
        return rows.dense(rows.jacobian(t, q.tolist(), rows.turns(turns.tolist())))

    def all_rows(self, t: float, q: Array, turns: Array) -> Array:
        """J, and below it the rows for velocities only, (m + p, n)."""
        rows = self.dynamics.velocity_rows
        return rows.dense(rows.jacobian(t, q.tolist(), self.dynamics.rows.turns(turns.tolist()), ()))

    def unit_rows(self, t: float, q: Array, turns: Array) -> Array:
        """J with rows of unit length, (m, n)."""
        return self.positions(t, turns).unit_rows(q)[0]

    def freedoms(self, t: float, q: Array, turns: Array) -> Array:
        """Z: an orthonormal basis of all δq with J δq = 0, as columns. Rows of J are scaled to unit length."""
        _, s, vt = np.linalg.svd(self.unit_rows(t, q, turns))
        return np.asarray(vt[int(np.sum(s > DEPENDENT)) :].T)

    def forces(self, t: float, q: Array, v: Array, turns: Array) -> Array:
        """Q, (n,), N."""
        motion = self.motion(t, q.tolist(), v.tolist(), turns.tolist())
        return np.array(self.dynamics.forces(motion), float)

    def turns(self, q: Array, near: Array) -> Array:
        """The tracked angles at q, each with the whole turns that bring it nearest to a known one."""
        return np.array(
            [self._angle_near(name, q, x) for name, x in zip(self.system.tracked, near, strict=True)], float
        )

    def balance(self, t: float, q: Array, turns: Array) -> tuple[Array, Array]:
        """λ that balance Q at rest as far as possible, and the remainder f = Q − Jᵀ λ, N."""
        forces = self.forces(t, q, np.zeros(self.n), turns)
        jacobian = self.jacobian(t, q, turns)
        multipliers = np.linalg.lstsq(jacobian.T, forces, rcond=DEPENDENT)[0]
        return multipliers, forces - jacobian.T @ multipliers

    def slopes(self, point: FullState) -> Slopes:
        """All derivatives at a point."""
        n, m = self.n, self.m + self.dynamics.slips.count
        directions = np.eye(2 * n)
        x: list[Scalar] = [point.t]
        x += [Dual(value, directions[i]) for i, value in enumerate([*point.q.tolist(), *point.v.tolist()])]
        x += [*point.a.tolist(), *point.multipliers.tolist(), *point.turns.tolist()]
        rows = np.zeros((n + 2 * m, 2 * n))
        for line, value in zip(rows, self.tape.evaluate(x), strict=True):
            if isinstance(value, Dual):
                line[:] = value.slope
        force, rate, bias = rows[:n], rows[n : n + m], rows[n + m :]
        return Slopes(force[:, :n], force[:, n:], rate[:, :n], bias[:, :n], bias[:, n:])

    @cached_property
    def tape(self) -> Tape:
        """f, Φ̇ and Φ̈ from [t, q, v, a, λ, tracked angles nearby]."""
        return trace(self._all, 1 + 3 * self.n + self.m + self.dynamics.slips.count + len(self.system.tracked))

    def _all(self, x: list[Scalar]) -> list[Scalar]:
        t, rest = x[0], iter(x[1:])
        q, v, a = ([next(rest) for _ in range(self.n)] for _ in range(3))
        multipliers = [next(rest) for _ in range(self.m + self.dynamics.slips.count)]
        turns = list(rest)
        motion = self.motion(t, q, v, turns)
        near = self.dynamics.rows.turns(turns)
        force = self.dynamics.forces(motion)
        for inertia in self.dynamics.inertias:  # M a depends on the position with these
            gradient = inertia.gradient(q)
            taken = inertia.inertance * sum((x_i * a[i] for i, x_i in gradient.items()), 0.0)
            for i, x_i in gradient.items():
                force[i] = force[i] - x_i * taken
        rows = self.dynamics.velocity_rows
        rates = list(rows.slip(t, q, near))
        excess = [-x for x in rows.bias(t, q, v, near, ())]
        for k, row in enumerate(rows.by_row(rows.jacobian(t, q, near, ()))):
            for i, x_i in row.items():
                force[i] = force[i] - x_i * multipliers[k]
                rates[k] = rates[k] + x_i * v[i]
                excess[k] = excess[k] + x_i * a[i]
        return [*force, *rates, *excess]

    def motion(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Sequence[Scalar]) -> SystemState:
        """The state as joints, measures and forces see it, over any scalars, with angles near these."""
        tracked = self.system.tracked
        angles = {name: self._angle_near(name, q, near) for name, near in zip(tracked, turns, strict=True)}
        return SystemState(self.system, t, q, v, angles)

    def _angle_near(self, name: str, q: Sequence[Scalar] | Array, near: Scalar) -> Scalar:
        """An angle of the position, with the whole turns that bring it nearest to a known one."""
        angle = self.system.model.quantities[name]
        return angle.value([part.at(q) for part in measure_parts(self.system, angle)], near)


def turned_over(before: Array, after: Array) -> bool:
    """Whether a matrix of full column rank has passed through a lower rank between two positions.

    With the singular vectors u, w of the first matrix, uᵀ A w is a singular value there, and has changed its sign at
    the second if it has passed through zero. A determinant would not detect two that do so together.
    """
    u, _, wt = np.linalg.svd(before, full_matrices=False)
    return bool(np.any(np.sum((u.T @ after) * wt, axis=1) < 0.0))


def assemble_equations(mechanism: Mechanism | Model) -> tuple[QuestionEquations, Assembly]:
    """The equations of a mechanism as its joints describe it, with smooth friction, and its start."""
    model = as_model(mechanism).with_smooth_friction()
    refuse_unknown(model)
    found = assemble_with_start(model)
    return QuestionEquations(found.dynamics), found.assembly


def assemble_structure(mechanism: Mechanism | Model) -> tuple[QuestionEquations, Assembly]:
    """Like `assemble_equations`; what cannot move needs no masses, if nothing has any."""
    model = as_model(mechanism)
    if is_massless(model):
        equations, assembly = assemble_equations(with_unit_masses(model))
        if not equations.freedoms(assembly.time, assembly.q, start_point(equations, assembly).turns).size:
            light = without_mass(equations.dynamics, without_masses(equations.system.model))
            return QuestionEquations(light), assembly
    return assemble_equations(model)


def refuse_unknown(model: Model) -> None:
    """Raises ModelError if a controller has a state of its own or something bounces: these are supported in
    simulations only."""
    for name in model.integrals:
        raise ModelError(
            f"Mechanism '{model.name}': '{name}' is the state of a controller, which is supported in "
            "simulations only; set ki = 0 in that controller."
        )
    for force in model.sampled:
        raise ModelError(
            f"Mechanism '{model.name}': controller '{force.name}' is sampled, which is supported in simulations only; "
            "leave `every` out, so that it acts continuously."
        )
    for event in model.all_events:
        if event.bounces is not None:
            raise ModelError(
                f"Event '{event.name}': impacts are supported in simulations only. Give a rigid stop a stiffness "
                "instead of a restitution, or leave it out."
            )
    for grip in model.grips:
        raise ModelError(
            f"Mechanism '{model.name}': friction '{grip.name}' is exact, which is supported in simulations only; give "
            "it a positive slip_speed."
        )


def start_point(equations: QuestionEquations, assembly: Assembly) -> FullState:
    """The start of a mechanism."""
    turns = np.array([assembly.angles[name] for name in equations.system.tracked], float)
    nothing = np.zeros(equations.n)
    return FullState(assembly.time, assembly.q, assembly.v, nothing, np.zeros(equations.m), turns)

"""The equations of motion of a mechanism as functions, for integrators and formulations of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grashof.common.blas import one_thread
from grashof.common.errors import ModelError, did_you_mean
from grashof.formulation.natural.constraints import Constraints
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.questions.equations import QuestionEquations, assemble_equations, start_point

Array = np.ndarray

ZERO = 1e-11
"""Singular values of the equations below this fraction of the largest count as zero: those of redundant constraints are
some 1e-16, those of a mass of a millionth beside others some 1e-6."""


@dataclass(frozen=True, eq=False)
class EquationsOfMotion:
    """M(t, q) a + J(t, q)ᵀ λ = Q(t, q, v),   J a = γ(t, q, v),   with Φ(t, q) = 0 and J v = −Φ_t(t, q).

    The coordinates q are *natural* ones: positions of points and components of directions that are fixed in bodies,
    all in metres, of which those that follow linearly from others have been eliminated. M and the constraints are at
    most quadratic in them, unless a coupling or an inerter is not.

    name         the mechanism
    coordinates  what each coordinate is, n names; all are in m, their rates in m/s
    constraints  to which body, joint or coupling each constraint belongs, m names; rows may be redundant
    t, q, v      the start, assembled and with consistent velocities
    """

    name: str
    coordinates: tuple[str, ...]
    constraints: tuple[str, ...]
    t: float
    q: Array
    v: Array
    _equations: QuestionEquations
    _turns: Array

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def m(self) -> int:
        """Number of constraints."""
        return len(self.constraints)

    def mass(self, t: float, q: Array) -> Array:
        """M, (n, n), kg; symmetric, possibly singular."""
        return self._equations.mass(self._checked(q))

    def mass_matrix(self, t: float, q: Array) -> Array:
        """M, (n, n), kg: the same as `mass`, by the name that textbooks use."""
        return self.mass(t, q)

    def rhs(self, t: float, y: Array) -> Array:
        """ẏ of the state y = [q, v], (2 n,), as `scipy.integrate.solve_ivp` takes it: [v, a]. Nothing keeps a long
        solution on the constraints (see docs/own-integrator.md)."""
        n = self.n
        if np.shape(y) != (2 * n,):
            raise ModelError(f"A state of mechanism '{self.name}' is [q, v], {2 * n} numbers, not {np.shape(y)}.")
        q, v = np.asarray(y[:n], float), np.asarray(y[n:], float)
        return np.concatenate([v, self.accelerations(t, q, v)[0]])

    def forces(self, t: float, q: Array, v: Array) -> Array:
        """Q, (n,), N: gravity and all forces, as they act on the coordinates."""
        q = self._checked(q)
        return self._equations.forces(t, q, self._checked(v), self._near(q))

    def violation(self, t: float, q: Array) -> Array:
        """Φ, (m,): zero where the joints hold."""
        q = self._checked(q)
        return np.array(self._rows.violation(t, q.tolist(), self._rows.turns(self._near(q).tolist())), float)

    def jacobian(self, t: float, q: Array) -> Array:
        """J = ∂Φ/∂q, (m, n)."""
        q = self._checked(q)
        return self._equations.jacobian(t, q, self._near(q))

    def velocity_term(self, t: float, q: Array) -> Array:
        """Φ_t, (m,): J v = −Φ_t; zero without motors."""
        q = self._checked(q)
        return np.array(self._rows.slip(t, q.tolist(), self._rows.turns(self._near(q).tolist())), float)

    def bias(self, t: float, q: Array, v: Array) -> Array:
        """γ, (m,): J a = γ."""
        q, v = self._checked(q), self._checked(v)
        return np.array(self._rows.bias(t, q.tolist(), v.tolist(), self._rows.turns(self._near(q).tolist())), float)

    @one_thread()
    def accelerations(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """a, (n,), m/s², and the smallest multipliers λ, (m,), also where constraints are redundant."""
        n, jacobian, mass = self.n, self.jacobian(t, q), self.mass(t, q)
        size = float(np.max(np.abs(mass)))  # so that small masses do not pass for none
        matrix = np.block([[mass / size, jacobian.T], [jacobian, np.zeros((self.m, self.m))]])
        right = np.concatenate([self.forces(t, q, v) / size, self.bias(t, q, v)])
        found = np.linalg.lstsq(matrix, right, rcond=ZERO)[0]
        return found[:n], size * found[n:]

    def point(self, name: str, q: Array) -> Array:
        """The place of a point such as "rod.end" at q, (2,) or (3,), m."""
        points = self._equations.system.model.points
        if name not in points:
            raise ModelError(f"Mechanism '{self.name}' has no point '{name}'; {did_you_mean(name, points)}")
        state = self._checked(q).tolist()
        return np.array([form.at(state) for form in self._equations.system.point(name)], float)

    def __str__(self) -> str:
        return (
            f"{self.name}: M ({self.n} × {self.n}) and Q ({self.n}) in {self.n} natural coordinates, "
            f"J ({self.m} × {self.n}) and γ ({self.m}) of {self.m} constraints."
        )

    @property
    def _rows(self) -> Constraints:
        return self._equations.dynamics.rows

    def _near(self, q: Array) -> Array:
        """Tracked angles at q, each within half a turn of its start."""
        return self._equations.turns(q, self._turns)

    def _checked(self, x: Array | Sequence[float]) -> Array:
        values = np.asarray(x, float)
        if values.shape != (self.n,):
            raise ModelError(f"Mechanism '{self.name}' has {self.n} coordinates; an array of {values.shape} was given.")
        return values


def equations(mechanism: Mechanism | Model) -> EquationsOfMotion:
    """Returns the mass matrix, the Jacobian, the forces and the bias of a mechanism as functions of (t, q, v).

    Mechanisms with blades or wheels that roll, with controllers that have states of their own, with stops, and with
    friction that depends on reactions are refused. Angles on which forces depend are taken within half a turn of their
    start.

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> eq = equations(m)
    >>> print(eq)
    pendulum: M (2 × 2) and Q (2) in 2 natural coordinates, J (1 × 2) and γ (1) of 1 constraints.
    >>> a, multipliers = eq.accelerations(0.0, eq.q, eq.v)
    """
    found, assembly = assemble_equations(mechanism)
    start = start_point(found, assembly)
    return EquationsOfMotion(
        name=found.system.model.name,
        coordinates=found.system.labels,
        constraints=tuple(found.system.owners),
        t=start.t,
        q=start.q,
        v=start.v,
        _equations=found,
        _turns=start.turns,
    )

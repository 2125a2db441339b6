"""The equations of motion and the projection on the constraints, in scalar Python.

    Φ(t, q) = 0,    J = Φ_q,    J v + Φ_t = 0,    J a = γ = −(d/dt J) v − 2 (d/dt Φ_t along v) − Φ_tt
    M a + Jᵀ λ = Q(t, q, v)

State: q, v and extra states e (tracked angles, then works that have to be integrated). Everything takes and gives flat lists of
scalars: floats for the oracle, mpmath numbers for references, traced nodes for machine code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.dynamics.kkt import Kkt, make_kkt
from grashof.dynamics.state import Gradient, Motion, angle_parts
from grashof.errors import ModelError
from grashof.model.fields import dot
from grashof.model.forces import Force, Load
from grashof.scalar.functions import Scalar, atan2, cos, sin, sqrt, where
from grashof.scalar.jet import Jet
from grashof.system.forms import Expression, Form
from grashof.system.system import Factor, System
from grashof.tape import TraceError, block

EPSILON = 1e-10
"""ε relative to the inverse masses a row acts on: small enough to pass singular positions, large enough for round-off there."""

EPSILON_REDUNDANT = 1e-3
"""The same where rows are redundant at every position. The stages of a step are a little off the constraints, and there redundant
rows contradict each other: what they make of a distance δ is δ²/(δ² + ε), which is smooth only over distances of √ε. With a large ε
the integrator sees a smooth function; refinement brings back what ε takes from the rows that are independent."""

LOST = 0.1
"""How far an integrated angle may be from that of the positions, rad: a step's error is far smaller, and half a turn far larger."""


@dataclass(frozen=True, eq=False)
class Dynamics:
    """A system made ready for evaluation."""

    system: System
    kkt: Kkt
    refinements: int

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return self.system.n

    @property
    def extra(self) -> int:
        """Number of extra states."""
        return len(self.system.tracked) + len(self.integrated)

    @cached_property
    def dissipative(self) -> tuple[Force, ...]:
        """Forces whose work is an extra state."""
        zeros = [0.0] * self.n
        rough = Motion(
            self.system, 0.0, [1.0 + 0.1 * i for i in range(self.n)], zeros, dict.fromkeys(self.system.tracked, 0.0)
        )
        return tuple(force for force in self.system.model.forces if force.work(rough) is None)

    @cached_property
    def closed(self) -> bool:
        """Whether rows can depend on each other: not if all can be taken away one after the other, each with a point or direction
        that no other row has any more, as those of open chains can.

        Its gradient with respect to that point must not vanish. That of a rod to a point on a line does where the rod is at right angles to
        the line, so the point must have as many coordinates in the row as the others there.
        """
        left = [Counter(self.system.groups[a] for a in columns) for columns in self.kkt.pattern]
        while left:
            owners = Counter(group for row in left for group in row)
            held = [
                row
                for row in left
                if all(owners[group] > 1 or count < max(row.values()) for group, count in row.items())
            ]
            if len(held) == len(left):
                return True
            left = held
        return False

    @property
    def integrated(self) -> tuple[str, ...]:
        """Forces and motors whose work is an extra state."""
        return (*(force.name for force in self.dissipative), *(motor.owner for motor in self.system.motors))

    # -- constraints

    @block
    def violation(self, t: Scalar, q: Sequence[Scalar]) -> list[Scalar]:
        """Φ(t, q), in metres."""
        values = [row.expression.at(q) for row in self.system.rows]
        for motor in self.system.motors:
            total: Scalar = 0.0
            for factor, expression in motor.terms:
                total = total + factor(t) * expression.at(q)
            values.append(total)
        return values

    @block
    def jacobian(self, t: Scalar, q: Sequence[Scalar]) -> list[Scalar]:
        """The entries of J that can be non-zero, row by row."""
        rows: list[Gradient] = [row.expression.gradient(q) for row in self.system.rows]
        for motor in self.system.motors:
            total: Gradient = {}
            for factor, expression in motor.terms:
                for a, x in expression.gradient(q).items():
                    total[a] = total.get(a, 0.0) + factor(t) * x
            rows.append(total)
        return [row.get(a, 0.0) for row, columns in zip(rows, self.kkt.pattern, strict=True) for a in columns]

    def slip(self, t: Scalar, q: Sequence[Scalar]) -> list[Scalar]:
        """Φ_t: how fast motors move their rows, m/s."""
        values: list[Scalar] = [0.0] * len(self.system.rows)
        for motor in self.system.motors:
            total: Scalar = 0.0
            for factor, expression in motor.terms:
                total = total + time_jet(factor, t).first * expression.at(q)
            values.append(total)
        return values

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
        """γ, the right-hand side of J a = γ, m/s²."""
        values: list[Scalar] = [-_curvature(row.expression, v) for row in self.system.rows]
        for motor in self.system.motors:
            total: Scalar = 0.0
            for factor, expression in motor.terms:
                f = time_jet(factor, t)
                rate = expression.rate(v) if isinstance(expression, Form) else expression.rate(q, v)
                total = total - f.value * _curvature(expression, v) - 2.0 * f.first * rate - f.second * expression.at(q)
            values.append(total)
        return values

    # -- dynamics

    def motion(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], e: Sequence[Scalar]) -> Motion:
        """The state as forces see it."""
        return Motion(self.system, t, q, v, dict(zip(self.system.tracked, e, strict=False)))

    def forces(self, motion: Motion) -> list[Scalar]:
        """Q(t, q, v): generalized forces, gravity included."""
        total: list[Scalar] = [-self.system.gravity.terms.get(i, 0.0) for i in range(self.n)]
        for force in self.system.model.forces:
            for target, effort in _loads(force, motion):
                for i, x in motion.gradient(target, effort).items():
                    total[i] = total[i] + x
        return total

    def accelerations(self, motion: Motion, refinements: int | None = None) -> tuple[list[Scalar], list[Scalar]]:
        """a and λ."""
        t, q, v = motion.time, motion.q, motion.v
        jacobian = self.jacobian(t, q)
        factors = self.kkt.factor(jacobian)
        right = self.forces(motion) + self.bias(t, q, v)
        count = self.refinements if refinements is None else refinements
        solution = self.kkt.solve_refined(jacobian, factors, right, count)
        return solution[: self.n], solution[self.n :]

    def derivative(
        self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], e: Sequence[Scalar], refinements: int | None = None
    ) -> list[Scalar]:
        """The accelerations, then the rates of the extra states."""
        motion = self.motion(t, q, v, e)
        a, multipliers = self.accelerations(motion, refinements)
        rates = [motion.measure(name).first for name in self.system.tracked]
        rates += [self._power(force, motion) for force in self.dissipative]
        if self.system.motors:
            slip = self.slip(t, q)
            first = len(self.system.rows)
            rates += [multipliers[k] * slip[k] for k in range(first, len(slip))]
        return a + rates

    def _power(self, force: Force, motion: Motion) -> Scalar:
        """What the force delivers beyond what it stores, in W."""
        stored = force.potential(motion)
        total: Scalar = stored.first if isinstance(stored, Jet) else 0.0
        measures = self.system.model.all_measures
        for target, effort in _loads(force, motion):
            place = [motion.measure(target)] if target in measures else motion.point(target)
            for x, jet in zip(effort, place, strict=True):
                total = total + x * jet.first
        return total

    def project(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], e: Sequence[Scalar]) -> list[Scalar]:
        """The state put back on the constraints, least moved in the metric of M; then the squared violation that is left.

        One factorisation serves two Newton sweeps for the positions and two for the velocities. ε grows with the violation
        (Yamashita and Fukushima, 2001): where σ² is smaller than the violation, the linearised constraints say nothing
        about where the nearest consistent position is, and Newton's step would overshoot.

        Tracked angles become those of the positions. Where a direction swung past its angle's axis within the step, the integrated
        angle may not have followed it, and nobody could tell the whole turns: then the violation is made too large for any step.
        """
        jacobian = self.jacobian(t, q)
        error = self.violation(t, q)
        softness = sqrt(dot(error, error)) * (1.0 / self.system.length) if error else 0.0
        factors = self.kkt.factor(jacobian, softness)
        still: list[Scalar] = [0.0] * self.n

        def correction(rest: list[Scalar]) -> list[Scalar]:
            right = still + [-x for x in rest]
            return self.kkt.solve(factors, self.kkt.augmented(jacobian, right))

        for _ in range(2):
            q = [x + dx for x, dx in zip(q, correction(error), strict=False)]
            error = self.violation(t, q)
        left = dot(error, error) if error else 0.0

        rows = self.kkt.rows(self.jacobian(t, q))
        slip = self.slip(t, q)
        for _ in range(2):
            rest = []
            for row, drift in zip(rows, slip, strict=True):
                for a, x in row.items():
                    drift = drift + x * v[a]
                rest.append(drift)
            v = [x + dx for x, dx in zip(v, correction(rest), strict=False)]

        e = list(e)
        for k, name in enumerate(self.system.tracked):
            sine, cosine = (x.at(q) for x in angle_parts(self.system, self.system.model.all_measures[name]))  # type: ignore[arg-type]
            # the angle nearest to the integrated one that has this sine and cosine
            ahead = atan2(sine * cos(e[k]) - cosine * sin(e[k]), cosine * cos(e[k]) + sine * sin(e[k]))
            e[k] = e[k] + ahead
            left = left + where(ahead * ahead - LOST**2, self.n * self.system.length**2, 0.0)
        return [*q, *v, *e, left]

    # -- energies

    def kinetic(self, v: Sequence[Scalar]) -> Scalar:
        """T = ½ vᵀ M v, in J."""
        total: Scalar = 0.0
        for (i, j), x in self.system.mass.items():
            total = total + (0.5 * x if i == j else x) * (v[i] * v[j])
        return total

    def potential(self, motion: Motion) -> Scalar:
        """V of gravity and springs, in J."""
        total = self.system.gravity.at(motion.q)
        for force in self.system.model.forces:
            stored = force.potential(motion)
            total = total + (stored.value if isinstance(stored, Jet) else stored)
        return total


def _loads(force: Force, motion: Motion) -> list[Load]:
    try:
        return force.loads(motion)
    except TraceError as problem:
        raise ModelError(f"Force '{force.name}' cannot be made into machine code: {problem}.") from problem


def make_dynamics(system: System, refinements: int = 1) -> Dynamics:
    """Prepares a system: pattern of J, elimination order, ε and, where M is singular, α."""
    rows = [set(row.expression.gradient([1.0] * system.n)) for row in system.rows]
    for motor in system.motors:
        rows.append({a for _, expression in motor.terms for a in expression.gradient([1.0] * system.n)})
    pattern = tuple(tuple(sorted(row)) for row in rows)
    diagonal = [system.mass.get((i, i), 0.0) for i in range(system.n)]
    largest = max(diagonal, default=1.0)
    typical = float(np.mean([d for d in diagonal if d > 0.0])) if largest > 0.0 else 1.0
    regular = _is_positive_definite(system)
    inverse = []
    for columns in pattern:
        # where M is singular its small entries say nothing of what resists the row: with them ε would be far too large
        masses = [diagonal[a] for a in columns] if regular else []
        inverse.append(float(np.mean([1.0 / x for x in masses])) if masses else 1.0 / typical)
    augment = [0.0 if regular else 1.0 / x for x in inverse]
    epsilon = [EPSILON * x for x in inverse]
    kkt = make_kkt(system.n, system.mass, pattern, system.groups, epsilon, inverse, augment)
    return Dynamics(system, kkt, refinements)


def softened(dynamics: Dynamics, redundant: Collection[int]) -> Dynamics:
    """The same with the large ε for rows that at every position others imply, and for these others."""
    kkt = dynamics.kkt
    rows = enumerate(zip(kkt.epsilon, kkt.softening, strict=True))
    epsilon = tuple(EPSILON_REDUNDANT * inverse if k in redundant else usual for k, (usual, inverse) in rows)
    return replace(dynamics, kkt=replace(kkt, epsilon=epsilon))


def _is_positive_definite(system: System) -> bool:
    """Whether M is safely so: with a unit diagonal, no pivot is small."""
    diagonal = [system.mass.get((i, i), 0.0) for i in range(system.n)]
    if not all(d > 0.0 for d in diagonal):
        return False
    scaled = {(i, j): x / (diagonal[i] * diagonal[j]) ** 0.5 for (i, j), x in system.mass.items()}
    matrix = make_kkt(system.n, scaled, (), system.groups)
    try:
        pivots = matrix.factor([])[-system.n :]
    except ZeroDivisionError:
        return False
    return all(0.0 < x < 1e9 for x in pivots)


def _curvature(expression: Expression, v: Sequence[Scalar]) -> Scalar:
    return 0.0 if isinstance(expression, Form) else expression.curvature(v)


def time_jet(factor: Factor, t: Scalar) -> Jet:
    """A function of time with its first and second derivative."""
    result = factor(Jet(t, 1.0, 0.0))
    return result if isinstance(result, Jet) else Jet(result, 0.0, 0.0)

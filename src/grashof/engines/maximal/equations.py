"""The equations of motion ẏ = f(t, y) of rigid bodies with joints, and the projection onto the joint equations.

Accelerations and multipliers solve M u̇ + Jᵀ λ = f − ω × I ω, J u̇ − δ λ = −bias − δ λ₀ (`saddle`), once with λ₀ = 0
and again with the λ found: a proximal-point iteration, which tends to J u̇ = −bias with the least λ at any rank of J.

These equations do not prevent a slow drift from Φ = 0. `projected` corrects a state by one Gauss–Newton step for the
positions and one for the velocities, each the smallest in the metric of M. In these steps δ grows with the violation
(Yamashita and Fukushima, 2001): near singular positions, where J determines the nearest consistent position less
accurately than the violation is large, a full step would overshoot. One-step integrators continue from the projected
state; multistep integrators integrate `drawn` instead, in which drift decays.

If all motion is in one plane, bodies keep three of their six degrees of freedom, and equations that then always hold
are left out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grashof.engines.loads import Loads
from grashof.engines.maximal.expressions import BodyArrays, Polynomials, SymbolicFields
from grashof.engines.maximal.saddle import Saddle
from grashof.formulation.natural.forms import Expression, Form, Quadratic
from grashof.model.couplings import Motor
from grashof.model.fields import Fields
from grashof.model.measures import Measure
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.situation import Situation
from grashof.situation.motion import Motion
from grashof.situation.rotations import cross, matrices, quaternion_rates, quaternions_of, turns

Array = np.ndarray

DELTA = 1e-9
"""δ against the diagonal of J M⁻¹ Jᵀ: singular positions are passed in less time than any step, round-off stays
small."""

PASSES = 2
"""Solutions for λ, the first with λ₀ = 0."""

DRAW = 5.0
"""How fast drift decays in `drawn`, against the pace of the motion."""

OVERFLOW = 1e30
"""Rates beyond this are no motion any more, in SI units."""


class MaximalEquations:
    """y = (c, quaternions, ċ, ω), each body by body."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.fields = SymbolicFields(situation)
        self.count = len(situation.bodies)
        self.inertias = situation.positive_inertias()
        self.basis = _basis(situation.normal)  # (6, d): the freedoms a body keeps
        self.weights = situation.masses[:, None] * situation.gravity
        self.forces = Loads(situation) if situation.original.forces else None
        self._read_constraints()
        self.saddle = Saddle(self.count, self.basis.shape[1], self.size, self.block_row, self.block_body)
        self.scale = self._scale()

    # -- what is read once

    def _read_constraints(self) -> None:
        """The joint equations, then the terms of the motors' equations, each with a factor that depends on time."""
        model = self.situation.original
        rows = [_expression(x) for joint in model.joints for x in joint.equations(self.fields)]
        rows = [row for row, needed in zip(rows, self._find_needed_rows(rows), strict=True) if needed]
        equation = list(range(len(rows)))  # of each polynomial
        self.size = len(rows) + len(model.motors)
        self.laws = []
        for k, motor in enumerate(model.motors, start=len(rows)):
            for factor, expression in _terms(motor, model.quantities[motor.target], self.fields):
                self.laws.append(factor)
                equation.append(k)
                rows.append(_expression(expression))
        self.polynomials = Polynomials(rows)
        self.equation = np.array(equation, int)
        keys = self.equation[self.polynomials.row] * 2**32 + self.polynomials.body
        found, self.block = np.unique(keys, return_inverse=True)
        self.block_row, self.block_body = found // 2**32, found % 2**32

    def _find_needed_rows(self, rows: list[Expression]) -> Array:
        """Which equations depend on the degrees of freedom that the bodies keep, determined with all bodies
        displaced at random."""
        if self.situation.normal is None or not rows:
            return np.ones(len(rows), bool)
        polynomials = Polynomials(rows)
        random = np.random.default_rng(1)
        needed = np.zeros(len(rows), bool)
        still = np.zeros((self.count, 3))
        for _ in range(2):
            turn = turns(self.situation.normal, random.uniform(-3.0, 3.0, self.count))
            shift = random.normal(size=(self.count, 2)) @ self.basis[:3, :2].T * self.fields.length
            bodies = BodyArrays(self.situation.positions + shift, turn @ self.situation.rotations, still, still)
            slopes = polynomials.slopes(bodies, polynomials.gradients(bodies.numbers())) @ self.basis
            needed[polynomials.row[np.abs(slopes).max(axis=1) > 1e-9]] = True
        return needed

    def _scale(self) -> Array:
        """The diagonal of J M⁻¹ Jᵀ at the start; zeros are replaced by its largest entry."""
        bodies = self._bodies(self.start())
        blocks = self._constraints(self.situation.time, bodies)[0]
        inverse = np.linalg.inv(self._masses(bodies))[self.block_body]
        diagonal = np.bincount(self.block_row, np.einsum("pi,pij,pj->p", blocks, inverse, blocks), self.size)
        largest = diagonal.max(initial=1e-300)
        return np.where(diagonal > 1e-12 * largest, diagonal, largest)

    # -- the state

    def start(self) -> Array:
        """y at the start; the angles on which forces depend are reset to their initial values, too."""
        s = self.situation
        arms = np.einsum("bij,bj->bi", s.rotations, s.centers)
        if self.forces is not None:
            self.forces.reset()
        parts = [s.positions + arms, quaternions_of(s.rotations), s.velocities + cross(s.spins, arms), s.spins]
        return np.concatenate([p.ravel() for p in parts])

    def pace(self, duration: float) -> float:
        """1/τ, the rate of the motion at the start in 1/s: the largest of |v|/ℓ, |ω|, the square roots of their
        rates, and 1/duration."""
        n, y = self.count, self.start()
        rates = self.derivative(self.situation.time, y)
        lengths = np.repeat([self.fields.length, 1.0], 3 * n)
        speeds, accelerations = (np.abs(x[7 * n :] / lengths).max(initial=0.0) for x in (y, rates))
        return float(max(speeds, np.sqrt(accelerations), 1.0 / duration if duration > 0.0 else 1.0))

    def sizes(self, pace: float) -> Array:
        """The typical size of each component of y: ℓ, 1, ℓ/τ and 1/τ, where 1/τ is the pace."""
        n, length = self.count, self.fields.length
        each = [(3 * n, length), (4 * n, 1.0), (3 * n, length * pace), (3 * n, pace)]
        return np.concatenate([np.full(k, x) for k, x in each])

    def motion(self, times: Array, y: Array) -> Motion:
        """The bodies from states (T, len(y))."""
        n, count = self.count, len(times)
        centers = y[:, : 3 * n].reshape(count, n, 3)
        axes = matrices(y[:, 3 * n : 7 * n].reshape(count, n, 4))
        velocities = y[:, 7 * n : 10 * n].reshape(count, n, 3)
        spins = y[:, 10 * n : 13 * n].reshape(count, n, 3)
        arms = np.einsum("tbij,bj->tbi", axes, self.situation.centers)
        return Motion(times, centers - arms, axes, velocities - cross(spins, arms), spins)

    # -- the equations

    def derivative(self, t: float, y: Array) -> Array:
        """f(t, y)"""
        n, bodies, delta = self.count, self._bodies(y), DELTA * self.scale
        blocks, bias, _, _ = self._constraints(t, bodies)
        solve = self.saddle.factor(self._masses(bodies), blocks, delta)
        forces, multipliers = (self._loads(t, bodies) @ self.basis).ravel(), np.zeros(self.size)
        for _ in range(PASSES):
            accelerations, multipliers = solve(forces, -bias - delta * multipliers)
        turning = quaternion_rates(y[3 * n : 7 * n].reshape(n, 4), bodies.spins)
        speeding = self._split_freedoms(accelerations)
        result = np.concatenate([x.ravel() for x in (bodies.velocities, turning, *speeding)])
        if not np.abs(result).max(initial=0.0) < OVERFLOW:
            raise ArithmeticError(f"accelerations grow beyond all bounds at t = {t:g} s")
        return result

    def project(self, t: float, y: Array) -> Array:
        """y with its positions, and then its velocities, projected onto the joint equations."""
        n, y, bodies = self.count, y.copy(), self._bodies(y)
        blocks, _, violation, _ = self._constraints(t, bodies)
        softness = np.linalg.norm(violation) / self.fields.length
        solve = self.saddle.factor(self._masses(bodies), blocks, (DELTA + softness) * self.scale)
        still, turn = np.zeros(self.basis.shape[1] * n), slice(3 * n, 7 * n)
        shift, turning = self._split_freedoms(solve(still, -violation)[0])
        y[: 3 * n] += shift.ravel()
        y[turn] += quaternion_rates(y[turn].reshape(n, 4), turning).ravel()
        violation_rate = self._constraints(t, self._bodies(y))[3]
        y[7 * n :] += np.concatenate([x.ravel() for x in self._split_freedoms(solve(still, -violation_rate)[0])])
        return y

    def rates_towards_constraints(self, t: float, y: Array, pace: float) -> Array:
        """f(t, P(y)) + κ (P(y) − y), where P is the projection and κ is five times the pace."""
        there = self.project(t, y)
        rates: Array = self.derivative(t, there) + DRAW * pace * (there - y)
        return rates

    # -- parts of the equations

    def _split_freedoms(self, freedoms: Array) -> tuple[Array, Array]:
        """Converts the degrees of freedom of the bodies, (B d,), to translations and rotations in space, (B, 3)
        each."""
        full = freedoms.reshape(self.count, -1) @ self.basis.T
        return full[:, :3], full[:, 3:]

    def _bodies(self, y: Array) -> BodyArrays:
        n = self.count
        axes = matrices(y[3 * n : 7 * n].reshape(n, 4))
        return BodyArrays(
            y[: 3 * n].reshape(n, 3), axes, y[7 * n : 10 * n].reshape(n, 3), y[10 * n : 13 * n].reshape(n, 3)
        )

    def _masses(self, bodies: BodyArrays) -> Array:
        """The mass matrices of the bodies, (B, d, d)."""
        full = np.zeros((self.count, 6, 6))
        full[:, [0, 1, 2], [0, 1, 2]] = self.situation.masses[:, None]
        full[:, 3:, 3:] = bodies.axes @ self.inertias @ bodies.axes.transpose(0, 2, 1)
        masses: Array = self.basis.T @ full @ self.basis
        return masses

    def _constraints(self, t: float, bodies: BodyArrays) -> tuple[Array, Array, Array, Array]:
        """J in blocks (equation, body), the bias Φ̈ − J u̇, Φ and Φ̇."""
        p, z = self.polynomials, bodies.numbers()
        gradients = p.gradients(z)
        first, second = bodies.rates()
        value, speed = p.values(z), p.along(gradients, first)
        bias = p.along(gradients, second) + p.curvature(first)
        slopes = p.slopes(bodies, gradients)
        if not self.laws:
            return slopes @ self.basis, bias, value, speed
        factor, d_factor, dd_factor = self._factors(t)
        blocks = np.zeros((len(self.block_row), 6))
        np.add.at(blocks, self.block, slopes * factor[p.row, None])
        levels = (
            factor * bias + 2.0 * d_factor * speed + dd_factor * value,
            factor * value,
            factor * speed + d_factor * value,
        )
        bias, value, speed = (np.bincount(self.equation, level, self.size) for level in levels)
        return blocks @ self.basis, bias, value, speed

    def _factors(self, t: float) -> tuple[Array, Array, Array]:
        """The time-dependent factor of each polynomial and its derivatives; 1, 0, 0 for joints."""
        factors = np.zeros((3, self.polynomials.size))
        factors[0] = 1.0
        for k, law in enumerate(self.laws, start=self.polynomials.size - len(self.laws)):
            f = law(Jet(t, 1.0, 0.0))
            factors[:, k] = (f.value, f.first, f.second) if isinstance(f, Jet) else (f, 0.0, 0.0)
        return factors[0], factors[1], factors[2]

    def _loads(self, t: float, bodies: BodyArrays) -> Array:
        """Forces and torques about the centre of mass on each body, (B, 6)."""
        own = np.einsum("bji,bj->bi", bodies.axes, bodies.spins)
        momentum = np.einsum("bij,bjk,bk->bi", bodies.axes, self.inertias, own)
        loads = np.concatenate([self.weights, -cross(bodies.spins, momentum)], axis=1)
        if self.forces is not None:
            arms = np.einsum("bij,bj->bi", bodies.axes, self.situation.centers)
            velocities = bodies.velocities - cross(bodies.spins, arms)
            wrenches = self.forces(t, bodies.centers - arms, bodies.axes, velocities, bodies.spins)
            loads += wrenches
            loads[:, 3:] -= cross(arms, wrenches[:, :3])
        return loads


def _expression(x: Scalar) -> Expression:
    return x if isinstance(x, Form | Quadratic) else Form({}, x)


def _basis(normal: Array | None) -> Array:
    """The degrees of freedom of a body: all six, or two translations in the plane and the rotation about its normal,
    (6, d)."""
    if normal is None:
        return np.eye(6)
    side = cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    side /= np.linalg.norm(side)
    basis = np.zeros((6, 3))
    basis[:3, 0], basis[:3, 1], basis[3:, 2] = side, cross(normal, side), normal
    return basis


def _terms(motor: Motor, measure: Measure, fields: Fields) -> list[tuple[Callable[[Scalar], Scalar], Scalar]]:
    """A motor's equation as Σ f(t) P, in metres, with polynomials P."""
    terms = measure.miss_terms(measure.parts(fields), fields.length)

    def of_time(factor: Callable[[Scalar], Scalar]) -> Callable[[Scalar], Scalar]:
        return lambda t: factor(motor.value(t))

    return [(of_time(factor), part) for factor, part in terms]

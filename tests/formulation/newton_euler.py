"""The equations of motion in the classical way: six coordinates a body, Newton's and Euler's equations, dense.

    m v̇ = f,    I α + ω × I ω = τ,    and every joint's second derivative is zero:    J u̇ + β = 0

u collects the velocity of each centre of mass and each angular velocity. Nothing of grashof but the description is
used. Joints are written with dot products of directions, not as equal vectors. A planar mechanism is a spatial one that
may only use v_x, v_y and ω_z.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.model.bodies import Bar, Body
from grashof.model.forces import Force, PointForce, SpringDamper, Torque, TorsionSpring
from grashof.model.joints import (
    Cylindrical,
    Distance,
    Joint,
    PinInSlot,
    Plane,
    Revolute,
    Slider,
    Spherical,
    Universal,
    Weld,
)
from grashof.model.measures import Angle, Measure
from grashof.model.model import Model

Array = np.ndarray

ZERO = 1e-12
"""Singular values so much smaller than the largest are zeros of redundant rows."""


@dataclass(frozen=True)
class Kinematic:
    """A vector or a scalar x with ẋ = jacobian · u and ẍ = jacobian · u̇ + bias."""

    value: Array
    rate: Array
    jacobian: Array
    bias: Array

    def __sub__(self, other: Kinematic) -> Kinematic:
        return Kinematic(
            self.value - other.value,
            self.rate - other.rate,
            self.jacobian - other.jacobian,
            self.bias - other.bias,
        )

    def dot(self, other: Kinematic) -> Kinematic:
        """(a·b)¨ = ä·b + 2 ȧ·ḃ + a·b̈"""
        return Kinematic(
            self.value @ other.value,
            self.rate @ other.value + self.value @ other.rate,
            self.jacobian.T @ other.value + other.jacobian.T @ self.value,
            self.bias @ other.value + 2.0 * self.rate @ other.rate + self.value @ other.bias,
        )


def skew(r: Array) -> Array:
    """r̃ with r̃ x = r × x"""
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def turned(angle: float) -> Array:
    """The axes of a body in the plane, as columns."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


class BodyCoordinates:
    """A mechanism at given poses (origin, axes as columns) and velocities u (6 a body)."""

    def __init__(self, model: Model, poses: dict[str, tuple[Array, Array]], u: Array | None = None) -> None:
        self.model = model
        self.names = [body.name for body in model.bodies]
        self.size = 6 * len(self.names)
        self.u = np.zeros(self.size) if u is None else u
        self.axes = {name: _spatial(rotation) for name, (_, rotation) in poses.items()}
        self.origins = {name: _wide(position) for name, (position, _) in poses.items()}
        self.centers, self.mass, self.inertia = {}, {}, {}
        for body in model.bodies:
            center, inertia = _mass_properties(body)
            r = self.axes[body.name]
            self.centers[body.name] = self.origins[body.name] + r @ center
            self.mass[body.name], self.inertia[body.name] = body.mass, r @ inertia @ r.T

    @cached_property
    def free(self) -> Array:
        """The components of u that may differ from zero."""
        each = [0, 1, 5] if self.model.dimension == 2 else list(range(6))
        return np.array([6 * k + i for k in range(len(self.names)) for i in each])

    # -- kinematics

    def point(self, reference: str) -> Kinematic:
        """The point `body.point` of the description."""
        return self.point_at(reference.rpartition(".")[0], self.model.points[reference])

    def point_at(self, body: str, local: Array | tuple[float, ...]) -> Kinematic:
        """P = c + r,  P̈ = v̇ + α × r + ω × (ω × r)"""
        place = self.origins[body] + self.axes[body] @ _wide(local)
        return self._carried(body, place, place - self.centers.get(body, place), moves=True)

    def arrow(self, body: str, direction: Array | tuple[float, ...]) -> Kinematic:
        """A body-fixed direction e: ë = α × e + ω × (ω × e)"""
        e = self.axes[body] @ _wide(direction)
        return self._carried(body, e, e, moves=False)

    def _carried(self, body: str, value: Array, r: Array, moves: bool) -> Kinematic:
        jacobian = np.zeros((3, self.size))
        if body not in self.names:
            return Kinematic(value, np.zeros(3), jacobian, np.zeros(3))
        first = 6 * self.names.index(body)
        omega = self.u[first + 3 : first + 6]
        jacobian[:, first : first + 3] = np.eye(3) * moves
        jacobian[:, first + 3 : first + 6] = -skew(r)
        return Kinematic(value, jacobian @ self.u, jacobian, np.cross(omega, np.cross(omega, r)))

    def sine_cosine(self, angle: Angle) -> tuple[Kinematic, Kinematic]:
        """sin θ and cos θ, up to a common factor."""
        if self.model.dimension == 2:
            axis, zero, direction = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), (1.0, 0.0, 0.0)
        else:
            axis, zero, direction = np.array(angle.axis), np.array(angle.zero), angle.direction
        u = self.arrow(angle.body, direction)
        ahead = self.arrow(angle.reference, np.cross(axis, zero))
        return ahead.dot(u), self.arrow(angle.reference, zero).dot(u)

    def measure(self, measure: Measure) -> Kinematic:
        """θ = atan2(s, c) or d = |b − a|, with derivatives."""
        if isinstance(measure, Angle):
            s, c = self.sine_cosine(measure)
            square = s.value**2 + c.value**2
            rate = (c.value * s.rate - s.value * c.rate) / square
            jacobian = (c.value * s.jacobian - s.value * c.jacobian) / square
            growth = 2.0 * (s.value * s.rate + c.value * c.rate)
            bias = (c.value * s.bias - s.value * c.bias - rate * growth) / square
            return Kinematic(np.arctan2(s.value, c.value), rate, jacobian, bias)
        span = self.point(measure.b) - self.point(measure.a)
        square = span.dot(span)
        length = math.sqrt(square.value)
        rate = square.rate / (2.0 * length)
        bias = square.bias / (2.0 * length) - rate**2 / length
        return Kinematic(np.float64(length), rate, square.jacobian / (2.0 * length), bias)

    # -- joints

    def rows(self, joint: Joint) -> list[Kinematic]:
        """What the joint holds at zero (or, for a distance, constant)."""
        a, b = joint.bodies
        span = self.point(joint.b) - self.point(joint.a)
        parts = [Kinematic(span.value[i], span.rate[i], span.jacobian[i], span.bias[i]) for i in range(3)]

        def aligned(direction_a: tuple[float, ...], direction_b: tuple[float, ...]) -> list[Kinematic]:
            return [self.arrow(a, n).dot(self.arrow(b, direction_b)) for n in _across(_wide(direction_a))]

        def on_line(direction: tuple[float, ...]) -> list[Kinematic]:
            return [self.arrow(a, n).dot(span) for n in _across(_wide(direction))]

        match joint:
            case Revolute():
                return parts + (aligned(joint.axis_a, joint.axis_b) if self.model.dimension == 3 else [])
            case Spherical():
                return parts
            case Universal():
                return [*parts, self.arrow(a, joint.axis_a).dot(self.arrow(b, joint.axis_b))]
            case Cylindrical():
                return on_line(joint.axis_a) + aligned(joint.axis_a, joint.axis_b)
            case Plane():
                return [self.arrow(a, joint.normal_a).dot(span), *aligned(joint.normal_a, joint.normal_b)]
            case Slider() | Weld():
                turning = aligned(joint.axis_a, joint.axis_b)
                if self.model.dimension == 3:
                    side = np.cross(joint.axis_b, joint.normal_b)
                    turning.append(self.arrow(a, joint.normal_a).dot(self.arrow(b, side)))
                return turning + (parts if isinstance(joint, Weld) else on_line(joint.axis_a))
            case PinInSlot():
                return on_line(joint.axis_a)
            case Distance():
                return [span.dot(span)]

    def constraints(self, laws: dict[str, float] | None = None) -> tuple[Array, Array]:
        """J and γ of J u̇ = γ; `laws` gives the second derivative of each motor's law."""
        rows = [row for joint in self.model.joints for row in self.rows(joint)]
        jacobian = [row.jacobian for row in rows]
        gamma = [-row.bias for row in rows]
        for motor in self.model.motors if laws is not None else ():
            measure = self.measure(self.model.all_measures[motor.target])
            jacobian.append(measure.jacobian)
            gamma.append((laws or {})[motor.name] - measure.bias)
        return np.array(jacobian).reshape(-1, self.size)[:, self.free], np.array(gamma, float)

    # -- forces

    def forces(self) -> Array:
        """Forces and torques on every body, those of gravity and of turning (−ω × I ω) included."""
        total = np.zeros(self.size)
        for k, name in enumerate(self.names):
            omega = self.u[6 * k + 3 : 6 * k + 6]
            total[6 * k : 6 * k + 3] = self.mass[name] * _wide(self.model.gravity)
            total[6 * k + 3 : 6 * k + 6] = -np.cross(omega, self.inertia[name] @ omega)
        for force in self.model.forces:
            total += self._generalized(force)
        return total

    def _generalized(self, force: Force) -> Array:
        match force:
            case PointForce():
                f = _wide(force.force)
                point = self.point(force.point)
                return point.jacobian.T @ (
                    f if force.axes == "world" else self.axes[force.point.rpartition(".")[0]] @ f
                )
            case SpringDamper():
                span = self.point(force.b) - self.point(force.a)
                length = float(np.linalg.norm(span.value))
                along = span.value / length
                pull = force.stiffness * (length - force.length) + force.damping * float(along @ span.rate)
                return -pull * span.jacobian.T @ along
            case Torque():
                return force.torque * self.measure(self.model.all_measures[force.angle]).jacobian
            case TorsionSpring():
                angle = self.measure(self.model.all_measures[force.angle])
                return (-force.stiffness * (angle.value - force.rest) - force.damping * angle.rate) * angle.jacobian
        raise NotImplementedError(type(force))

    # -- motion

    def mass_matrix(self) -> Array:
        """Block diagonal: m 1 and I for each body."""
        full = np.zeros((self.size, self.size))
        for k, name in enumerate(self.names):
            full[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = self.mass[name] * np.eye(3)
            full[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = self.inertia[name]
        return full[np.ix_(self.free, self.free)]

    def accelerations(self, laws: dict[str, float]) -> Array:
        """u̇ from [M Jᵀ; J 0], by least squares, since J may have redundant rows."""
        matrix, right = self._equations(laws)
        full = np.zeros(self.size)
        full[self.free] = np.linalg.lstsq(matrix, right, rcond=ZERO)[0][: len(self.free)]
        return full

    def rounding(self, laws: dict[str, float], unit: float) -> float:
        """How large the effect of rounding the equations' entries by a unit on the solution x may be: ‖δx‖ (Wedin's
        bound: Higham, Accuracy and Stability of Numerical Algorithms, theorem 20.1). The residual r is what the
        equations contradict each other by, such as a torque about a slender bar, which no inertia resists.
        """
        matrix, right = self._equations(laws)
        x, _, _, s = np.linalg.lstsq(matrix, right, rcond=ZERO)
        kappa = s[0] / s[s > ZERO * s[0]][-1]
        residual = np.linalg.norm(right - matrix @ x)
        return float(unit * kappa * (2.0 * np.linalg.norm(x) + (kappa + 1.0) * residual / s[0]))

    def _equations(self, laws: dict[str, float]) -> tuple[Array, Array]:
        jacobian, gamma = self.constraints(laws)
        mass, m = self.mass_matrix(), len(gamma)
        matrix = np.block([[mass, jacobian.T], [jacobian, np.zeros((m, m))]])
        return matrix, np.concatenate([self.forces()[self.free], gamma])


def _wide(x: Array | tuple[float, ...]) -> Array:
    wide = np.zeros(3)
    wide[: len(x)] = x
    return wide


def _mass_properties(body: Body) -> tuple[Array, Array]:
    """Centre of mass and inertia about it, in body axes."""
    if isinstance(body, Bar):
        moment = body.mass * body.length**2 / 12.0
        return np.array([0.5 * body.length, 0.0, 0.0]), np.diag([0.0, moment, moment])
    if isinstance(body.inertia, float):
        return _wide(body.center), np.diag([0.0, 0.0, body.inertia])
    xx, yy, zz, xy, xz, yz = (*body.inertia, 0.0, 0.0, 0.0)[:6]
    return _wide(body.center), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _spatial(rotation: Array) -> Array:
    full = np.eye(3)
    full[: len(rotation), : len(rotation)] = rotation
    return full


def _across(direction: Array) -> list[Array]:
    """Two directions at right angles to this one (and to each other); in the plane one of them is z."""
    seed = np.array([0.0, 0.0, 1.0]) if abs(direction[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    first = np.cross(seed, direction)
    first /= np.linalg.norm(first)
    return [first, np.cross(direction, first)]

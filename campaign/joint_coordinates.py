"""Trees in the coordinates of their joints: turns and slides, with rows that tie them and rigid stops.

    M(q) q̈ + b(q, q̇) = Q + Jᵀλ,   J q̈ = γ,

with M and b from the Jacobians of the bodies and the accelerations at q̈ = 0, integrated by SciPy's DOP853 from impact
to impact. Everything is dense and evaluated anew; nothing here is shared with the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from campaign.energy_integral import NotJudged
from campaign.maximal import ATOL, GRAZING, MOST_IMPACTS, RTOL, SETTLED, Profile
from campaign.structure import Array


@dataclass(frozen=True)
class Limb:
    """A body on its joint; all vectors are in the axes of the ground in the position q = 0.

    parent    the number of the body that carries it, None for the ground
    turns     whether it turns about `axis` through `anchor`; otherwise it slides along `axis`
    inertia   about the centre of mass, (3, 3)
    inertance of an inerter on the joint, kg m² or kg
    """

    parent: int | None
    turns: bool
    axis: Array
    anchor: Array
    mass: float
    center: Array
    inertia: Array
    drag: float = 0.0
    inertance: float = 0.0


@dataclass(frozen=True)
class Spot:
    """A material point, by its place in the position q = 0."""

    body: int
    place: Array


class Pose(NamedTuple):
    """A body in motion: rotation, image of its anchor, ω, velocity of the anchor's image, and their accelerations at
    q̈ = 0, with the Jacobians of ω and of that velocity."""

    axes: Array
    origin: Array
    spin: Array
    speed: Array
    turning: Array
    bias: Array
    by_spin: Array
    by_speed: Array


class Row:
    """A function g(q, t) of the motion, with its gradient, ∂g/∂t, and g̈ at q̈ = 0."""

    def at(self, tree: Tree, t: float, q: Array, v: Array, poses: Sequence[Pose]) -> tuple[float, Array, float, float]:
        raise NotImplementedError


@dataclass(frozen=True)
class Sum(Row):
    """Σ c q − f(q[j]) − h(t): gears, racks, cams, motors."""

    terms: dict[int, float]
    of: int = 0
    profile: Profile = lambda x: (0.0, 0.0, 0.0)
    law: Profile = lambda t: (0.0, 0.0, 0.0)

    def at(self, tree: Tree, t: float, q: Array, v: Array, poses: Sequence[Pose]) -> tuple[float, Array, float, float]:
        gradient = np.zeros(len(q))
        for k, c in self.terms.items():
            gradient[k] += c
        value, slope, bend = self.profile(float(q[self.of]))
        target, speed, acceleration = self.law(t)
        total = float(gradient @ q) - value - target
        gradient[self.of] -= slope
        return total, gradient, -speed, -bend * float(v[self.of]) ** 2 - acceleration


@dataclass(frozen=True)
class Along(Row):
    """The coordinate of a spot along a direction, minus a function of time."""

    spot: Spot
    direction: Array
    law: Profile = lambda t: (0.0, 0.0, 0.0)

    def at(self, tree: Tree, t: float, q: Array, v: Array, poses: Sequence[Pose]) -> tuple[float, Array, float, float]:
        place, by_place, bias = tree.see(self.spot, poses)
        target, speed, acceleration = self.law(t)
        d = self.direction
        return float(d @ place) - target, d @ by_place, -speed, float(d @ bias) - acceleration


@dataclass(frozen=True)
class Distance(Row):
    """The distance of a spot from a place."""

    spot: Spot
    place: Array

    def at(self, tree: Tree, t: float, q: Array, v: Array, poses: Sequence[Pose]) -> tuple[float, Array, float, float]:
        place, by_place, bias = tree.see(self.spot, poses)
        away = place - self.place
        distance = float(np.sqrt(away @ away))
        unit, speed = away / distance, by_place @ v
        across = float(speed @ speed - (unit @ speed) ** 2) / distance
        return distance, unit @ by_place, 0.0, float(unit @ bias) + across


@dataclass(frozen=True)
class Stop:
    """sign · (g − limit) ≥ 0"""

    row: Row
    sign: float
    limit: float
    restitution: float


@dataclass
class Tree:
    """A tree with rows and stops."""

    gravity: Array
    limbs: list[Limb] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    stops: list[Stop] = field(default_factory=list)
    springs: list[tuple[Spot, Array, float]] = field(default_factory=list)

    def poses(self, q: Array, v: Array) -> list[Pose]:
        """All bodies."""
        n, zero = len(q), np.zeros(3)
        ground = Pose(np.eye(3), zero, zero, zero, zero, zero, np.zeros((3, n)), np.zeros((3, n)))
        found: list[Pose] = []
        for k, limb in enumerate(self.limbs):
            base = ground if limb.parent is None else found[limb.parent]
            begin = zero if limb.parent is None else self.limbs[limb.parent].anchor
            axis = base.axes @ limb.axis
            shift = limb.anchor - begin + (0.0 if limb.turns else q[k]) * limb.axis
            arm = base.axes @ shift
            by_spin, by_speed = base.by_spin.copy(), base.by_speed - _cross(arm) @ base.by_spin
            spin, turning = base.spin, base.turning
            bias = base.bias + _product(base.turning, arm) + _product(base.spin, _product(base.spin, arm))
            axes = base.axes
            if limb.turns:
                by_spin[:, k] += axis
                spin, turning = spin + axis * v[k], turning + _product(base.spin, axis * v[k])
                axes = axes @ rotation(limb.axis, float(q[k]))
            else:
                by_speed[:, k] += axis
                bias = bias + 2.0 * _product(base.spin, axis * v[k])
            found.append(Pose(axes, base.origin + arm, spin, by_speed @ v, turning, bias, by_spin, by_speed))
        return found

    def see(self, spot: Spot, poses: Sequence[Pose]) -> tuple[Array, Array, Array]:
        """Place, Jacobian, and acceleration at q̈ = 0 of a material point."""
        pose = poses[spot.body]
        arm = pose.axes @ (spot.place - self.limbs[spot.body].anchor)
        bias = pose.bias + _product(pose.turning, arm) + _product(pose.spin, _product(pose.spin, arm))
        return pose.origin + arm, pose.by_speed - _cross(arm) @ pose.by_spin, bias

    def equations(self, q: Array, v: Array, poses: Sequence[Pose]) -> tuple[Array, Array]:
        """M and Q − b."""
        mass = np.diag([limb.inertance for limb in self.limbs])
        force = -np.array([limb.drag for limb in self.limbs]) * v
        for k, (limb, pose) in enumerate(zip(self.limbs, poses, strict=True)):
            _, by_place, bias = self.see(Spot(k, limb.center), poses)
            inertia = pose.axes @ limb.inertia @ pose.axes.T
            mass += limb.mass * by_place.T @ by_place + pose.by_spin.T @ inertia @ pose.by_spin
            torque = inertia @ pose.turning + _product(pose.spin, inertia @ pose.spin)
            force -= limb.mass * by_place.T @ (bias - self.gravity) + pose.by_spin.T @ torque
        for spot, hook, stiffness in self.springs:  # of no length when slack
            place, by_place, _ = self.see(spot, poses)
            force -= stiffness * by_place.T @ (place - hook)
        return mass, force

    def system(self, t: float, q: Array, v: Array, poses: Sequence[Pose]) -> tuple[Array, Array, Array, Array]:
        """Φ, J, Φ_t and γ."""
        found = [row.at(self, t, q, v, poses) for row in self.rows]
        jacobian = np.array([row[1] for row in found]).reshape(len(found), len(q))
        phi, rate, bias = (np.array([row[k] for row in found]) for k in (0, 2, 3))
        return phi, jacobian, rate, -bias

    def accelerations(self, t: float, q: Array, v: Array) -> Array:
        """q̈"""
        poses = self.poses(q, v)
        mass, force = self.equations(q, v, poses)
        _, jacobian, _, gamma = self.system(t, q, v, poses)
        return _solve(mass, jacobian, force, gamma)

    def velocities(self, t: float, q: Array, known: dict[int, float]) -> Array:
        """The q̇ that the rows allow with these entries."""
        poses = self.poses(q, np.zeros(len(q)))
        _, jacobian, rate, _ = self.system(t, q, np.zeros(len(q)), poses)
        more = np.zeros((len(known), len(q)))
        for row, k in zip(more, known, strict=True):
            row[k] = 1.0
        whole = np.vstack([jacobian, more])
        if len(whole) != len(q) or np.linalg.cond(whole) > 1e3:
            raise NotJudged("the rates do not determine the velocities")
        return np.asarray(np.linalg.solve(whole, np.concatenate([-rate, list(known.values())])))

    def motion(self, q: Array, v: Array, times: Array) -> tuple[Array, Array, int]:
        """q and q̇ at the times, (times, n) each, and the number of impacts."""
        n, now, state, fastest = len(q), 0.0, np.concatenate([q, v]), 0.0
        found = np.empty((len(times), 2 * n))

        def slopes(t: float, y: Array) -> Array:
            return np.concatenate([y[n:], self.accelerations(t, y[:n], y[n:])])

        for hits in range(MOST_IMPACTS):
            solved = solve_ivp(
                slopes, (now, float(times[-1])), state, "DOP853", rtol=RTOL, atol=ATOL, dense_output=True,
                events=[self._margin(stop) for stop in self.stops] or None, max_step=float(times[-1]) / 50.0,
            )  # fmt: skip
            if not solved.success:
                raise NotJudged(solved.message)
            reached = float(solved.t[-1])
            inside = (times >= now) & (times <= reached)
            if np.any(inside):
                found[inside] = solved.sol(times[inside]).T
            fastest = max(fastest, float(np.max(np.abs(solved.y[n:]))))
            now, state = reached, solved.y[:, -1].copy()
            if solved.status != 1:
                phi = self.system(now, state[:n], state[n:], self.poses(state[:n], state[n:]))[0]
                if np.max(np.abs(phi), initial=0.0) > SETTLED:
                    raise NotJudged("the rows of the judge have drifted")
                return found[:, :n], found[:, n:], hits
            which = next(k for k, hit in enumerate(solved.t_events or ()) if len(hit))
            state[n:] = self._rebound(now, state[:n], state[n:], self.stops[which], fastest)
        raise NotJudged("too many impacts")

    def _rebound(self, t: float, q: Array, v: Array, stop: Stop, fastest: float) -> Array:
        """q̇ after an impact: an impulse along the function, while the rows hold."""
        poses = self.poses(q, v)
        _, gradient, rate, _ = stop.row.at(self, t, q, v, poses)
        speed = float(gradient @ v) + rate
        if abs(speed) < GRAZING * fastest:
            raise NotJudged("a grazing impact")
        mass, _ = self.equations(q, v, poses)
        _, jacobian, _, _ = self.system(t, q, v, poses)
        push = _solve(mass, jacobian, gradient, np.zeros(len(jacobian)))
        return np.asarray(v - (1.0 + stop.restitution) * speed / float(gradient @ push) * push)

    def _margin(self, stop: Stop) -> Callable[[float, Array], float]:
        def margin(t: float, y: Array) -> float:
            n = len(self.limbs)
            return stop.sign * (stop.row.at(self, t, y[:n], y[n:], self.poses(y[:n], y[n:]))[0] - stop.limit)

        margin.terminal = True  # type: ignore[attr-defined]
        margin.direction = -1.0  # type: ignore[attr-defined]
        return margin


def _solve(mass: Array, jacobian: Array, force: Array, gamma: Array) -> Array:
    """q̈ with M q̈ − Jᵀλ = Q, J q̈ = γ."""
    free = np.linalg.solve(mass, np.column_stack([force, jacobian.T]))
    if not len(jacobian):
        return np.asarray(free[:, 0])
    multipliers = np.linalg.solve(jacobian @ free[:, 1:], gamma - jacobian @ free[:, 0])
    return np.asarray(free[:, 0] + free[:, 1:] @ multipliers)


def _product(a: Array, b: Array) -> Array:
    """a × b; NumPy's takes ten times as long for single vectors."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def _cross(a: Array) -> Array:
    """The matrix of a ×."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def rotation(axis: Array, angle: float) -> Array:
    """The rotation about a unit vector (Rodrigues)."""
    k = _cross(axis)
    return np.asarray(np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k)

"""Planar mechanisms in maximal coordinates: the position of each centre of mass and the angle of each body.

    q = (x, y, θ) of all bodies,   M q̈ = Q + Jᵀλ,   J q̈ = γ,

integrated by SciPy's DOP853 from impact to impact. Nothing here is shared with the engine: other coordinates, other
equations, another method.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.integrate import solve_ivp

from campaign.energy_integral import NotJudged
from campaign.structure import Array

RTOL, ATOL = 1e-12, 1e-13

SETTLED = 1e-8
"""Largest violation of the joints at the end of a motion that can be judged."""

GRAZING = 1e-2
"""Impacts at less than this fraction of the largest speed are not judged: any error changes their times too much."""

MOST_IMPACTS = 100

Profile = Callable[[float], tuple[float, float, float]]
"""A function of one variable, with its first and second derivative."""

Load = Callable[[float, Array, Array, Array, Array], None]
"""Adds a force to Q (the last argument), from t, q, q̇ and the integrals."""


@dataclass(frozen=True)
class Place:
    """A point of a body, relative to its centre of mass; of the ground if there is no body."""

    body: int | None
    x: float
    y: float

    def at(self, q: Array) -> tuple[float, float, float, float]:
        """Its position, and its arm from the centre of mass, in the axes of the ground."""
        if self.body is None:
            return self.x, self.y, 0.0, 0.0
        k = 3 * self.body
        c, s = np.cos(q[k + 2]), np.sin(q[k + 2])
        rx, ry = c * self.x - s * self.y, s * self.x + c * self.y
        return float(q[k]) + rx, float(q[k + 1]) + ry, rx, ry


class Row:
    """Conditions of positions: Φ(q, t) = 0, J q̇ + Φ_t = 0, J q̈ = γ."""

    count = 1

    def write(self, t: float, q: Array, v: Array, phi: Array, jacobian: Array, gamma: Array, rate: Array) -> None:
        """Writes Φ, J, γ and Φ_t."""
        raise NotImplementedError


@dataclass(frozen=True)
class Pin(Row):
    """Two points coincide."""

    a: Place
    b: Place
    count = 2

    def write(self, t: float, q: Array, v: Array, phi: Array, jacobian: Array, gamma: Array, rate: Array) -> None:
        for place, sign in ((self.a, -1.0), (self.b, 1.0)):
            x, y, rx, ry = place.at(q)
            phi[0] += sign * x
            phi[1] += sign * y
            if place.body is None:
                continue
            k, w = 3 * place.body, v[3 * place.body + 2]
            jacobian[0, k] += sign
            jacobian[1, k + 1] += sign
            jacobian[0, k + 2] -= sign * ry
            jacobian[1, k + 2] += sign * rx
            gamma[0] += sign * rx * w * w
            gamma[1] += sign * ry * w * w


@dataclass(frozen=True)
class Sum(Row):
    """Σ c q = constant: guides along an axis, gears, racks."""

    terms: dict[int, float]
    constant: float

    def write(self, t: float, q: Array, v: Array, phi: Array, jacobian: Array, gamma: Array, rate: Array) -> None:
        phi[0] = sum(c * q[k] for k, c in self.terms.items()) - self.constant
        for k, c in self.terms.items():
            jacobian[0, k] = c


@dataclass(frozen=True)
class OnLine(Row):
    """A point stays on a line through a point of the ground, with the normal (nx, ny)."""

    place: Place
    nx: float
    ny: float
    constant: float

    def write(self, t: float, q: Array, v: Array, phi: Array, jacobian: Array, gamma: Array, rate: Array) -> None:
        assert self.place.body is not None
        x, y, rx, ry = self.place.at(q)
        k = 3 * self.place.body
        phi[0] = self.nx * x + self.ny * y - self.constant
        jacobian[0, k], jacobian[0, k + 1] = self.nx, self.ny
        jacobian[0, k + 2] = self.ny * rx - self.nx * ry
        gamma[0] = (self.nx * rx + self.ny * ry) * v[k + 2] ** 2


@dataclass(frozen=True)
class Cam(Row):
    """One coordinate is a function of another."""

    follower: int
    driver: int
    profile: Profile

    def write(self, t: float, q: Array, v: Array, phi: Array, jacobian: Array, gamma: Array, rate: Array) -> None:
        value, slope, bend = self.profile(float(q[self.driver]))
        phi[0] = q[self.follower] - value
        jacobian[0, self.follower], jacobian[0, self.driver] = 1.0, -slope
        gamma[0] = bend * v[self.driver] ** 2


@dataclass(frozen=True)
class Motor(Row):
    """A coordinate follows a function of time."""

    driven: int
    law: Profile

    def write(self, t: float, q: Array, v: Array, phi: Array, jacobian: Array, gamma: Array, rate: Array) -> None:
        value, speed, acceleration = self.law(t)
        phi[0], jacobian[0, self.driven], gamma[0], rate[0] = q[self.driven] - value, 1.0, acceleration, -speed


@dataclass(frozen=True)
class Rope(Row):
    """The sum of the distances from point to point is constant."""

    places: tuple[Place, ...]
    length: float

    def write(self, t: float, q: Array, v: Array, phi: Array, jacobian: Array, gamma: Array, rate: Array) -> None:
        phi[0] = -self.length
        for a, b in zip(self.places[:-1], self.places[1:], strict=True):
            ends = [(place, sign, *place.at(q)) for place, sign in ((a, -1.0), (b, 1.0))]
            dx, dy = ends[1][2] - ends[0][2], ends[1][3] - ends[0][3]
            distance = float(np.hypot(dx, dy))
            ux, uy = dx / distance, dy / distance
            phi[0] += distance
            sx = sy = 0.0  # the velocity of b relative to a
            for place, sign, _, _, rx, ry in ends:
                if place.body is None:
                    continue
                k = 3 * place.body
                w = v[k + 2]
                jacobian[0, k] += sign * ux
                jacobian[0, k + 1] += sign * uy
                jacobian[0, k + 2] += sign * (uy * rx - ux * ry)
                gamma[0] += sign * (ux * rx + uy * ry) * w * w
                sx += sign * (v[k] - ry * w)
                sy += sign * (v[k + 1] + rx * w)
            gamma[0] -= (sx * sx + sy * sy - (ux * sx + uy * sy) ** 2) / distance


@dataclass(frozen=True)
class Rub:
    """Friction of a pin in proportion to its force, μ r |λ| φ(ω/ω_s), with ω the turning of `b` relative to `a`."""

    pin: Pin
    reach: float
    slip: float


@dataclass(frozen=True)
class Wall:
    """A rigid stop: sign·(q[k] − place) ≥ 0."""

    k: int
    sign: float
    place: float
    restitution: float


@dataclass(frozen=True)
class Switch:
    """At the first upward crossing of `place` by q[k] a load is taken away."""

    k: int
    place: float
    load: Load


@dataclass
class Plane:
    """A planar mechanism."""

    gravity: float
    masses: list[float] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    rubs: list[Rub] = field(default_factory=list)
    walls: list[Wall] = field(default_factory=list)
    switches: list[Switch] = field(default_factory=list)
    integrands: list[Callable[[float, Array, Array], float]] = field(default_factory=list)

    def body(self, mass: float, inertia: float, x: float, y: float, angle: float) -> int:
        """A further body with its centre of mass at (x, y); returns its number."""
        self.masses += [mass, mass, inertia]
        self.start += [x, y, angle]
        return len(self.masses) // 3 - 1

    def system(self, t: float, q: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        """Φ, J, γ and Φ_t."""
        count = sum(row.count for row in self.rows)
        phi, gamma, rate, jacobian = np.zeros(count), np.zeros(count), np.zeros(count), np.zeros((count, len(q)))
        k = 0
        for row in self.rows:
            part = slice(k, k + row.count)
            row.write(t, q, v, phi[part], jacobian[part], gamma[part], rate[part])
            k += row.count
        return phi, jacobian, gamma, rate

    def accelerations(self, t: float, q: Array, v: Array, e: Array, loads: Sequence[Load]) -> Array:
        """q̈, with friction that depends on λ found by iteration."""
        mass = np.array(self.masses)
        force = np.zeros(len(q))
        force[1::3] -= self.gravity * mass[1::3]
        for load in loads:
            load(t, q, v, e, force)
        _, jacobian, gamma, _ = self.system(t, q, v)
        inverse = np.linalg.inv(jacobian / mass @ jacobian.T) if len(jacobian) else np.zeros((0, 0))
        torques = np.zeros(len(self.rubs))
        for _ in range(100):
            whole = force.copy()
            for torque, rub in zip(torques, self.rubs, strict=True):
                for place, sign in ((rub.pin.a, -1.0), (rub.pin.b, 1.0)):
                    if place.body is not None:
                        whole[3 * place.body + 2] += sign * torque
            multipliers = inverse @ (gamma - jacobian @ (whole / mass))
            before, torques = torques, np.array([self._rubbing(rub, multipliers, v) for rub in self.rubs])
            if not len(torques) or np.max(np.abs(torques - before)) <= 1e-15 * (1.0 + np.max(np.abs(torques))):
                return np.asarray((whole + jacobian.T @ multipliers) / mass)
        raise NotJudged("friction and reactions do not settle")

    def _rubbing(self, rub: Rub, multipliers: Array, v: Array) -> float:
        k = sum(row.count for row in self.rows[: next(i for i, row in enumerate(self.rows) if row is rub.pin)])
        turning = sum(
            sign * float(v[3 * place.body + 2])
            for place, sign in ((rub.pin.a, -1.0), (rub.pin.b, 1.0))
            if place.body is not None
        )
        return -rub.reach * float(np.hypot(*multipliers[k : k + 2])) * smooth_sign(turning / rub.slip)

    def velocities(self, t: float, q: Array, known: dict[int, float]) -> Array:
        """The q̇ that the joints allow with these entries; NotJudged if there is none or more than one."""
        _, jacobian, _, rate = self.system(t, q, np.zeros(len(q)))
        more = np.zeros((len(known), len(q)))
        for row, k in zip(more, known, strict=True):
            row[k] = 1.0
        whole, right = np.vstack([jacobian, more]), np.concatenate([-rate, list(known.values())])
        if np.linalg.matrix_rank(whole) < len(q):
            raise NotJudged("the rates do not determine the velocities")
        v = np.linalg.lstsq(whole, right, rcond=None)[0]
        if np.max(np.abs(whole @ v - right)) > 1e-10:
            raise NotJudged("the rates contradict the joints")
        return np.asarray(v)

    def motion(self, q: Array, v: Array, times: Array) -> tuple[Array, Array, int]:
        """q and q̇ at the times, (times, n) each, and the number of impacts and switches."""
        n, now, loads, switches = len(q), 0.0, list(self.loads), list(self.switches)
        state = np.concatenate([q, v, np.zeros(len(self.integrands))])
        found = np.empty((len(times), 2 * n))
        fastest = 0.0
        for hits in range(MOST_IMPACTS):

            def slopes(t: float, y: Array) -> Array:
                q, v, e = y[:n], y[n : 2 * n], y[2 * n :]
                errors = [integrand(t, q, v) for integrand in self.integrands]
                return np.concatenate([v, self.accelerations(t, q, v, e, loads), errors])

            margins = [
                *(_margin(w.k, w.sign, w.place) for w in self.walls),
                *(_margin(s.k, -1, s.place) for s in switches),
            ]
            solved = solve_ivp(
                slopes, (now, float(times[-1])), state, "DOP853", rtol=RTOL, atol=ATOL,
                dense_output=True, events=margins or None, max_step=float(times[-1]) / 100.0,
            )  # fmt: skip
            if not solved.success:
                raise NotJudged(solved.message)
            reached = float(solved.t[-1])
            inside = (times >= now) & (times <= reached)
            if np.any(inside):
                found[inside] = solved.sol(times[inside])[: 2 * n].T
            fastest = max(fastest, float(np.max(np.abs(solved.y[n : 2 * n]))))
            now, state = reached, solved.y[:, -1].copy()
            if solved.status != 1:
                phi, *_ = self.system(now, state[:n], state[n : 2 * n])
                if len(phi) and np.max(np.abs(phi)) > SETTLED:
                    raise NotJudged("the joints of the judge have drifted")
                return found[:, :n], found[:, n:], hits
            which = next(k for k, hit in enumerate(solved.t_events or ()) if len(hit))
            if which < len(self.walls):
                state[n : 2 * n] = self._rebound(now, state[:n], state[n : 2 * n], self.walls[which], fastest)
            else:
                loads.remove(switches.pop(which - len(self.walls)).load)
        raise NotJudged("too many impacts")

    def _rebound(self, t: float, q: Array, v: Array, wall: Wall, fastest: float) -> Array:
        """q̇ after an impact: an impulse along the coordinate, while the joints hold."""
        if abs(v[wall.k]) < GRAZING * fastest:
            raise NotJudged("a grazing impact")
        _, jacobian, _, _ = self.system(t, q, v)
        mass = np.array(self.masses)
        push = np.zeros(len(q))
        push[wall.k] = 1.0 / mass[wall.k]
        if len(jacobian):
            push -= jacobian.T @ np.linalg.solve(jacobian / mass @ jacobian.T, jacobian @ push) / mass
        return np.asarray(v - (1.0 + wall.restitution) * v[wall.k] / push[wall.k] * push)


def _margin(k: int, sign: float, place: float) -> Callable[[float, Array], float]:
    def margin(t: float, y: Array) -> float:
        return sign * (float(y[k]) - place)

    margin.terminal = True  # type: ignore[attr-defined]
    margin.direction = -1.0  # type: ignore[attr-defined]
    return margin


def smooth_sign(x: float) -> float:
    """The engine's documented law of Coulomb friction: x (3 − x²)/2 within ±1, and ±1 beyond."""
    return float(np.sign(x)) if abs(x) >= 1.0 else 0.5 * x * (3.0 - x * x)

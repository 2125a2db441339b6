"""Rigid bodies in space by position and quaternion, with all joint forces as multipliers, in decimal arithmetic.

The state of a body is its centre r, its unit quaternion p, its velocity v and its angular velocity ω in its own axes:

    m v̇ = f + Σ λ,     I ω̇ + ω × I ω = τ + Σ λ,     ṗ = ½ p ∘ ω

Every joint equation is used as the row J (v̇, ω̇) = −bias of its second derivative. No angle, sine or cosine occurs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from grashof.precise.extrapolation import Slope, State
from grashof.precise.jets import cross, inner, lean, times_vector
from grashof.precise.pins import ZERO, solve
from grashof.precise.solving import augmented_acceleration, constrained_acceleration

Row = list[Decimal]
Local = Sequence[Decimal]
SIZE = 13
"""Numbers of a body: r, p, v, ω."""

SENTENCE = (
    "Second: positions and quaternions of all bodies with all joint forces as multipliers (no angles), integrated by "
    "extrapolation (Gragg, Bulirsch, Stoer) with {} digits in decimal floating point."
)
"""The method, for a reference's provenance."""

AXES = tuple(tuple(Decimal(i == k) for k in range(3)) for i in range(3))


@dataclass(frozen=True)
class RigidBody:
    """mass [kg]; the inertia about its centre, in its own axes [kg m²]."""

    mass: Decimal
    inertia: Sequence[Sequence[Decimal]]


@dataclass(frozen=True)
class Now:
    """A body at a time: centre, rotation matrix, velocity, angular velocity in its own axes."""

    r: Row
    a: list[Row]
    v: Row
    w: Row

    def world(self, x: Local) -> Row:
        return [inner(row, x) for row in self.a]

    def local(self, x: Local) -> Row:
        (a, b, c), (d, e, f), (g, h, i) = self.a
        u, v, w = x
        return [a * u + d * v + g * w, b * u + e * v + h * w, c * u + f * v + i * w]

    def point(self, s: Local) -> tuple[Row, Row, Row]:
        """Place, velocity and centripetal acceleration of a point."""
        turned = cross(self.w, s)
        place = [x + y for x, y in zip(self.r, self.world(s), strict=True)]
        speed = [x + y for x, y in zip(self.v, self.world(turned), strict=True)]
        return place, speed, self.world(cross(self.w, turned))


GROUND = Now([ZERO] * 3, [list(axis) for axis in AXES], [ZERO] * 3, [ZERO] * 3)


@dataclass(frozen=True)
class Meet:
    """Point s of body i and point u of body k are at one place; a body of −1 is the ground."""

    i: int
    s: Local
    k: int
    u: Local

    def rows(self, at: Moment) -> list[tuple[dict[int, tuple[Row, Row]], Decimal]]:
        one, other = at[self.i], at[self.k]
        bias = [x - y for x, y in zip(one.point(self.s)[2], other.point(self.u)[2], strict=True)]
        found = []
        for axis, b in zip(AXES, bias, strict=True):
            left = (list(axis), cross(self.s, one.local(axis)))
            right = ([-x for x in axis], [-x for x in cross(self.u, other.local(axis))])
            found.append(({self.i: left, self.k: right}, -b))
        return found


@dataclass(frozen=True)
class Perpendicular:
    """Direction a of body i is perpendicular to direction b of body k."""

    i: int
    a: Local
    k: int
    b: Local

    def rows(self, at: Moment) -> list[tuple[dict[int, tuple[Row, Row]], Decimal]]:
        one, other = at[self.i], at[self.k]
        a, b = one.world(self.a), other.world(self.b)
        fast, quick = cross(one.w, self.a), cross(other.w, self.b)
        bias = inner(one.world(cross(one.w, fast)), b) + 2 * inner(one.world(fast), other.world(quick))
        bias += inner(a, other.world(cross(other.w, quick)))
        none = [ZERO] * 3
        return [({self.i: (none, cross(self.a, one.local(b))), self.k: (none, cross(self.b, other.local(a)))}, -bias)]


@dataclass(frozen=True)
class Beside:
    """Direction a of body i is perpendicular to the way from its point s to point u of body k."""

    i: int
    a: Local
    s: Local
    k: int
    u: Local

    def rows(self, at: Moment) -> list[tuple[dict[int, tuple[Row, Row]], Decimal]]:
        one, other = at[self.i], at[self.k]
        (p, dp, ddp), (q, dq, ddq) = one.point(self.s), other.point(self.u)
        d, rate, bend = ([y - x for x, y in zip(*pair, strict=True)] for pair in ((p, q), (dp, dq), (ddp, ddq)))
        a, fast = one.world(self.a), cross(one.w, self.a)
        bias = inner(one.world(cross(one.w, fast)), d) + 2 * inner(one.world(fast), rate) + inner(a, bend)
        turn = [x - y for x, y in zip(cross(self.a, one.local(d)), cross(self.s, one.local(a)), strict=True)]
        return [({self.i: ([-x for x in a], turn), self.k: (a, cross(self.u, other.local(a)))}, -bias)]


@dataclass(frozen=True)
class Roll:
    """Body i is a thin wheel around its centre, with its axle along y, that rolls without slip on z = 0."""

    i: int
    radius: Decimal

    def rows(self, at: Moment) -> list[tuple[dict[int, tuple[Row, Row]], Decimal]]:
        one = at[self.i]
        omega, axle = one.world(one.w), [row[1] for row in one.a]
        up, rate = lean(axle, omega)
        arm = one.local([-self.radius * x for x in up])
        bias = cross(omega, [-self.radius * x for x in rate])
        return [({self.i: (list(axis), cross(arm, one.local(axis)))}, -b) for axis, b in zip(AXES, bias, strict=True)]


@dataclass(frozen=True)
class RigidSpring:
    """Between point s of body i and point u of body k: stiffness [N/m], damping [N s/m], rest length [m]."""

    i: int
    s: Local
    k: int
    u: Local
    stiffness: Decimal
    damping: Decimal
    rest: Decimal

    def pull(self, at: Moment) -> Row:
        """The force on body i."""
        (p, dp, _), (q, dq, _) = at[self.i].point(self.s), at[self.k].point(self.u)
        d, rate = ([y - x for x, y in zip(*pair, strict=True)] for pair in ((p, q), (dp, dq)))
        length = inner(d, d).sqrt()
        force = self.stiffness * (length - self.rest) + self.damping * inner(d, rate) / length
        return [force * x / length for x in d]


Moment = dict[int, Now]
Rule = Meet | Perpendicular | Beside | Roll


@dataclass(frozen=True)
class Rigid:
    """Rigid bodies with joint equations, springs and gravity [m/s²]; `rank` of the equations are independent, by
    default all."""

    bodies: Sequence[RigidBody]
    rules: Sequence[Rule]
    gravity: Sequence[Decimal]
    springs: Sequence[RigidSpring] = ()
    rank: int | None = None

    def at(self, state: State) -> Moment:
        """The bodies, by number, and the ground."""
        found = {-1: GROUND}
        for i in range(len(self.bodies)):
            r, p, v, w = (state[SIZE * i + a : SIZE * i + b] for a, b in ((0, 3), (3, 7), (7, 10), (10, 13)))
            found[i] = Now(r, rotation(p), v, w)
        return found

    def slope(self) -> Slope:
        """The rates of (r, p, v, ω) of all bodies."""
        n = 6 * len(self.bodies)
        thin = any(not body.inertia[k][k] for body in self.bodies for k in range(3))
        inverse = (
            []
            if thin
            else [
                [list(row) for row in zip(*solve(body.inertia, [list(axis) for axis in AXES]), strict=True)]
                for body in self.bodies
            ]
        )

        def divide(i: int, force: Row, torque: Row) -> Row:
            return [*(x / self.bodies[i].mass for x in force), *times_vector(inverse[i], torque)]

        def rates(state: State) -> State:
            at = self.at(state)
            forces = [[b.mass * g for g in self.gravity] for b in self.bodies]
            torques = [
                [-x for x in cross(at[i].w, times_vector(b.inertia, at[i].w))] for i, b in enumerate(self.bodies)
            ]
            for spring in self.springs:
                pull = spring.pull(at)
                for i, s, sign in ((spring.i, spring.s, 1), (spring.k, spring.u, -1)):
                    if i >= 0:
                        force = [sign * x for x in pull]
                        forces[i] = [x + y for x, y in zip(forces[i], force, strict=True)]
                        torques[i] = [x + y for x, y in zip(torques[i], cross(s, at[i].local(force)), strict=True)]
            jacobian, gains, right = [], [], []
            for rule in self.rules:
                for parts, value in rule.rows(at):
                    row, gain = [ZERO] * n, [ZERO] * n
                    for i, (move, turn) in parts.items():
                        if i >= 0:
                            row[6 * i : 6 * i + 6] = [*move, *turn]
                            gain[6 * i : 6 * i + 6] = [ZERO] * 6 if thin else divide(i, move, turn)
                    jacobian.append(row)
                    gains.append(gain)
                    right.append(value)
            if thin:
                force = [x for pair in zip(forces, torques, strict=True) for part in pair for x in part]
                found = augmented_acceleration(self._mass(), jacobian, force, right, self.rank)
            else:
                free = [x for i, pair in enumerate(zip(forces, torques, strict=True)) for x in divide(i, *pair)]
                found = constrained_acceleration(gains, jacobian, free, right, self.rank) if jacobian else free
            out: State = []
            for i in range(len(self.bodies)):
                p, (x, y, z) = state[SIZE * i + 3 : SIZE * i + 7], at[i].w
                spin = [
                    -p[1] * x - p[2] * y - p[3] * z,
                    p[0] * x + p[2] * z - p[3] * y,
                    p[0] * y + p[3] * x - p[1] * z,
                    p[0] * z + p[1] * y - p[2] * x,
                ]
                out += [*at[i].v, *(value / 2 for value in spin), *found[6 * i : 6 * i + 6]]
            return out

        return rates

    def _mass(self) -> list[Row]:
        """The mass matrix of all bodies."""
        n = 6 * len(self.bodies)
        mass = [[ZERO] * n for _ in range(n)]
        for i, body in enumerate(self.bodies):
            for k in range(3):
                mass[6 * i + k][6 * i + k] = body.mass
                for j in range(3):
                    mass[6 * i + 3 + k][6 * i + 3 + j] = body.inertia[k][j]
        return mass

    def kinetic(self, at: Moment) -> Decimal:
        """T, J."""
        total = ZERO
        for i, body in enumerate(self.bodies):
            total += body.mass * inner(at[i].v, at[i].v) + inner(at[i].w, times_vector(body.inertia, at[i].w))
        return total / 2

    def potential(self, at: Moment) -> Decimal:
        """Of gravity, zero at the origin, and of the springs, J."""
        total = -sum((b.mass * inner(self.gravity, at[i].r) for i, b in enumerate(self.bodies)), ZERO)
        for s in self.springs:
            d = [x - y for x, y in zip(at[s.i].point(s.s)[0], at[s.k].point(s.u)[0], strict=True)]
            total += s.stiffness * (inner(d, d).sqrt() - s.rest) ** 2 / 2
        return total


def hinge(i: int, s: Local, k: int, u: Local, axis: Local, across: Sequence[Local]) -> tuple[Rule, ...]:
    """A revolute joint about an axis of body i: two directions `across` it belong to body k."""
    return (Meet(i, s, k, u), *(Perpendicular(i, axis, k, b) for b in across))


def rotation(p: Local) -> list[Row]:
    """The rotation matrix of a unit quaternion (scalar first)."""
    w, x, y, z = p
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


def diagonal(*values: Decimal) -> list[Row]:
    """A diagonal matrix."""
    return [[x if i == k else ZERO for k in range(len(values))] for i, x in enumerate(values)]

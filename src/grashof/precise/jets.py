"""Equations of motion in any coordinates, from the positions of the bodies alone: numbers that carry derivatives.

A `Jet` is a function f of the coordinates q, given by its value, its gradient, and its first and second derivative
along the motion with constant rates, ḟ = ∇f·v and vᵀ∇²f v. The places p and rotations R of the bodies as jets give

    the Jacobians of velocities  ∂p/∂q_i,  ω_i = vee(Rᵀ ∂R/∂q_i)
    the accelerations without q̈  p̈₀,  ω̇₀ = vee(Rᵀ R̈)

and d'Alembert's principle gives M q̈ + h = Q + Gᵀ λ: with m and the inertia I in the body's axes,

    M_ij = m p_i·p_j + ω_i·I ω_j,     h_i = p_i·m (p̈₀ − g) + ω_i·(I ω̇₀ + ω × I ω)

A constraint φ = 0 adds the row ∇φ q̈ = −φ̈₀.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from grashof.precise.pins import ZERO, solve
from grashof.precise.solving import constrained_acceleration
from grashof.precise.trigonometry import sine_and_cosine

Row = list[Decimal]


class Jet:
    """f, ∇f, ∇f·v and vᵀ∇²f v."""

    __slots__ = ("g", "h", "r", "x")

    def __init__(self, x: Decimal, g: Row, r: Decimal, h: Decimal) -> None:
        self.x, self.g, self.r, self.h = x, g, r, h

    def __add__(self, other: Jet | Decimal | int) -> Jet:
        if isinstance(other, Jet):
            g = [a + b for a, b in zip(self.g, other.g, strict=True)]
            return Jet(self.x + other.x, g, self.r + other.r, self.h + other.h)
        return Jet(self.x + other, self.g, self.r, self.h)

    __radd__ = __add__

    def __neg__(self) -> Jet:
        return self * Decimal(-1)

    def __sub__(self, other: Jet | Decimal | int) -> Jet:
        return self + (-other)

    def __rsub__(self, other: Decimal | int) -> Jet:
        return -self + other

    def __mul__(self, other: Jet | Decimal | int) -> Jet:
        if isinstance(other, Jet):
            x, y = self.x, other.x
            g = [a * y + x * b for a, b in zip(self.g, other.g, strict=True)]
            return Jet(x * y, g, self.r * y + x * other.r, self.h * y + 2 * self.r * other.r + x * other.h)
        return Jet(self.x * other, [a * other for a in self.g], self.r * other, self.h * other)

    __rmul__ = __mul__

    def chain(self, f: Decimal, slope: Decimal, curvature: Decimal) -> Jet:
        """f of this number, given its value and its first and second derivative."""
        return Jet(f, [slope * a for a in self.g], slope * self.r, slope * self.h + curvature * self.r * self.r)

    def sqrt(self) -> Jet:
        root = self.x.sqrt()
        slope = 1 / (2 * root)
        return self.chain(root, slope, -slope / (2 * self.x))

    def sine_and_cosine(self) -> tuple[Jet, Jet]:
        s, c = sine_and_cosine(self.x)
        return self.chain(s, c, -s), self.chain(c, -s, -c)


Number = Jet | Decimal | int
Triple = Sequence[Number]
Matrix = Sequence[Triple]
IDENTITY: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def turn(axis: str, angle: Jet) -> Matrix:
    """The rotation about an axis x, y or z."""
    s, c = angle.sine_and_cosine()
    turns: dict[str, Matrix] = {
        "x": ((1, 0, 0), (0, c, -s), (0, s, c)),
        "y": ((c, 0, s), (0, 1, 0), (-s, 0, c)),
        "z": ((c, -s, 0), (s, c, 0), (0, 0, 1)),
    }
    return turns[axis]


def times(a: Matrix, b: Matrix) -> Matrix:
    """The product of two matrices."""
    return [
        [
            _sum(x * y for x, y in zip(row, column, strict=True) if _some(x) and _some(y))
            for column in zip(*b, strict=True)
        ]
        for row in a
    ]


def apply(a: Matrix, x: Triple) -> list[Number]:
    """The product of a matrix and a vector."""
    return [_sum(p * q for p, q in zip(row, x, strict=True) if _some(p) and _some(q)) for row in a]


def plus(*vectors: Triple) -> list[Number]:
    """The sum of vectors."""
    return [_sum(x for x in parts if _some(x)) for parts in zip(*vectors, strict=True)]


def dot(a: Triple, b: Triple) -> Number:
    """The scalar product."""
    return _sum(x * y for x, y in zip(a, b, strict=True) if _some(x) and _some(y))


def _some(x: Number) -> bool:
    return isinstance(x, Jet) or x != 0


def _sum(parts: object) -> Number:
    total: Number | None = None
    for part in parts:  # type: ignore[attr-defined]
        total = part if total is None else total + part
    return 0 if total is None else total


@dataclass(frozen=True)
class JetBody:
    """mass [kg]; the inertia about its centre [kg m²] as a full matrix in its axes; its centre [m] and rotation."""

    mass: Decimal
    inertia: Sequence[Sequence[Decimal]]
    centre: Triple
    rotation: Matrix


@dataclass(frozen=True)
class JetSpring:
    """length [m], stiffness [N/m], damping [N s/m], rest length [m]."""

    length: Jet
    stiffness: Decimal
    damping: Decimal
    rest: Decimal


@dataclass(frozen=True)
class JetWheel:
    """A body whose y axis is the axle of a thin wheel that rolls without slip on z = 0: which one, and the radius."""

    body: int
    radius: Decimal


@dataclass(frozen=True)
class JetSystem:
    """A mechanism at a position; `rank` of its constraints are independent, by default all."""

    bodies: Sequence[JetBody]
    constraints: Sequence[Jet] = ()
    springs: Sequence[JetSpring] = ()
    wheels: Sequence[JetWheel] = ()
    gravity: Sequence[Decimal] = field(default=(ZERO, ZERO, ZERO))
    rank: int | None = None


Describe = Callable[[Decimal, list[Jet]], JetSystem]
"""The mechanism at time t with coordinates q. (Time enters as one more coordinate whose rate is one.)"""


def coordinates(q: Row, v: Row) -> list[Jet]:
    """The coordinates themselves."""
    n = len(q)
    return [Jet(x, [Decimal(i == k) for k in range(n)], u, ZERO) for i, (x, u) in enumerate(zip(q, v, strict=True))]


@dataclass(frozen=True)
class Motion:
    """The velocities and bias accelerations of a body: by coordinate, and in all."""

    moves: list[Row]  # ∂p/∂q_i
    turns: list[Row]  # ω_i in the body's axes
    centre: Row  # p̈₀
    velocity: Row
    omega: Row  # in the body's axes
    spin: Row  # ω̇₀ in the body's axes


def motion_of(body: JetBody, n: int) -> Motion:
    """The motion of a body with n coordinates."""
    zeros = [ZERO] * n
    p = [x if isinstance(x, Jet) else Jet(Decimal(x), zeros, ZERO, ZERO) for x in body.centre]
    r = [[x if isinstance(x, Jet) else Jet(Decimal(x), zeros, ZERO, ZERO) for x in row] for row in body.rotation]
    pairs = ((2, 1), (0, 2), (1, 0))  # S₃₂, S₁₃, S₂₁ of the skew matrix
    turns = [[sum((row[a].x * row[b].g[i] for row in r), ZERO) for a, b in pairs] for i in range(n)]
    omega = [sum((row[a].x * row[b].r for row in r), ZERO) for a, b in pairs]
    spin = [sum((row[a].x * row[b].h - row[b].x * row[a].h for row in r), ZERO) / 2 for a, b in pairs]
    return Motion([[x.g[i] for x in p] for i in range(n)], turns, [x.h for x in p], [x.r for x in p], omega, spin)


def cross(a: Sequence[Decimal], b: Sequence[Decimal]) -> Row:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def times_vector(matrix: Sequence[Sequence[Decimal]], x: Sequence[Decimal]) -> Row:
    return [sum((a * b for a, b in zip(row, x, strict=True) if a), ZERO) for row in matrix]


def inner(a: Sequence[Decimal], b: Sequence[Decimal]) -> Decimal:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def accelerate(system: JetSystem, n: int, driven: int = 0) -> Row:
    """q̈, of which the last `driven` coordinates are given and have none."""
    free = n - driven
    mass = [[ZERO] * free for _ in range(free)]
    force = [ZERO] * free
    motions = [motion_of(body, n) for body in system.bodies]
    for body, m in zip(system.bodies, motions, strict=True):
        push = [body.mass * (g - a) for g, a in zip(system.gravity, m.centre, strict=True)]
        gyro = cross(m.omega, times_vector(body.inertia, m.omega))
        twist = [-a - b for a, b in zip(times_vector(body.inertia, m.spin), gyro, strict=True)]
        for i in range(free):
            force[i] += inner(m.moves[i], push) + inner(m.turns[i], twist)
            heavy, stiff = [body.mass * x for x in m.moves[i]], times_vector(body.inertia, m.turns[i])
            for k in range(i + 1):
                value = inner(heavy, m.moves[k]) + inner(stiff, m.turns[k])
                mass[i][k] += value
                if k < i:
                    mass[k][i] += value
    for spring in system.springs:
        pull = spring.stiffness * (spring.length.x - spring.rest) + spring.damping * spring.length.r
        for i in range(free):
            force[i] -= pull * spring.length.g[i]
    rows = [phi.g[:free] for phi in system.constraints]
    right = [-phi.h for phi in system.constraints]
    for wheel in system.wheels:
        more, bias = _rolling(system.bodies[wheel.body], motions[wheel.body], wheel.radius, free)
        rows += more
        right += bias
    first, *gains = solve(mass, [force, *rows])
    result = constrained_acceleration(gains, rows, first, right, system.rank) if rows else first
    return [*result, *[ZERO] * driven]


def _rolling(body: JetBody, m: Motion, radius: Decimal, n: int) -> tuple[list[Row], Row]:
    """Rows of v + ω × (−R u) = 0 with u, the direction in the wheel's plane away from the ground."""
    r = [[x.x if isinstance(x, Jet) else Decimal(x) for x in row] for row in body.rotation]

    def world(x: Row) -> Row:
        return [inner(row, x) for row in r]

    omega, axle = world(m.omega), [row[1] for row in r]
    up, rate = lean(axle, omega)
    arm = [-radius * x for x in up]
    turns = [world(turn) for turn in m.turns[:n]]
    rows = [[m.moves[i][k] + cross(turns[i], arm)[k] for i in range(n)] for k in range(3)]
    swing, spin = cross(omega, [-radius * x for x in rate]), cross(world(m.spin), arm)
    return rows, [-(a + b + c) for a, b, c in zip(m.centre, swing, spin, strict=True)]


def lean(axle: Row, omega: Row) -> tuple[Row, Row]:
    """The unit vector u in the plane of a wheel that points away from the ground z = 0, and its rate."""
    moving = cross(omega, axle)
    square = 1 - axle[2] * axle[2]
    length = square.sqrt()
    stretched = [-axle[2] * x for x in axle]
    stretched[2] += 1
    up = [x / length for x in stretched]
    change = [-moving[2] * x - axle[2] * y for x, y in zip(axle, moving, strict=True)]
    shrink = -axle[2] * moving[2] / length
    return up, [(a - x * shrink) / length for a, x in zip(change, up, strict=True)]


def kinetic(bodies: Sequence[JetBody], n: int) -> Decimal:
    """T, J."""
    total = ZERO
    for body in bodies:
        m = motion_of(body, n)
        total += body.mass * inner(m.velocity, m.velocity) + inner(m.omega, times_vector(body.inertia, m.omega))
    return total / 2

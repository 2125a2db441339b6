"""Planar mechanisms as pins and rods: equations of motion without angles, integrated in decimal arithmetic.

The unknowns are the positions p of the moving pins. A body carries two pins P and Q; its centre of mass lies at
z = P + a (Q − P), with points as complex numbers and a complex constant a, so its kinetic energy is quadratic in ṗ
with constant coefficients,

    T = ½ m |ż|² + ½ (I/L²) |Q̇ − Ṗ|²

A rod keeps its length, Φ = ½ (|d|² − L²) = 0 with d = Q − P. With the mass matrix M of all bodies and forces f,

    M p̈ + Jᵀλ = f,     J p̈ = −|ḋ|²  (rod by rod),     J = ∂Φ/∂p

and S = J M⁻¹ Jᵀ gives the multipliers, S λ = J M⁻¹ f + |ḋ|². If no rod is redundant, which holds for everything
built here, M and S are positive definite and can be factorised without pivoting. One more unknown is the angle
of the first rod, including whole turns: θ̇ = d × ḋ/|d|².
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from operator import mul
from typing import NamedTuple

from grashof.precise.extrapolation import Done, Slope, State, integrate

ZERO = Decimal(0)
Vector = tuple[Decimal, Decimal]

SENTENCE = (
    "Second: positions of the pins (no angles) with the rod forces as multipliers, integrated by extrapolation "
    "(Gragg, Bulirsch, "
    "Stoer) with {} digits in decimal floating point."
)
"""The method, for a reference's provenance."""


class PreciseBody(NamedTuple):
    """A body between two pins, given by their numbers."""

    start: int
    end: int
    mass: Decimal  # kg
    centre: Vector  # a = (z − P)/(Q − P): real and imaginary part
    turning: Decimal  # kg: I/L², the inertia about the centre of mass by the square of |Q − P|


class PreciseMoment(NamedTuple):
    """The pins at a time."""

    place: State  # m: x, y of pin 0, x, y of pin 1, …
    velocity: State  # m/s
    angle: Decimal  # rad, of the first rod


@dataclass(frozen=True)
class Pins:
    """A mechanism of `moving` pins, numbered first, and pins on the ground, numbered after them.

    rods   pairs of pins that keep their distance
    force  the forces [N] on the moving pins, given their positions [m]
    """

    moving: int
    ground: Sequence[Vector]
    bodies: Sequence[PreciseBody]
    rods: Sequence[tuple[int, int]]
    force: Callable[[State], State]

    def kinetic(self, velocity: State) -> Decimal:
        """T = ½ ṗᵀ M ṗ, J."""
        return dot(velocity, [dot(row, velocity) for row in mass_matrix(self.moving, self.bodies)]) / 2

    def motion(
        self, start: PreciseMoment, times: Sequence[str], digits: int, done: Done = lambda part: None
    ) -> list[PreciseMoment]:
        """The motion at the times [s], calculated with `digits` digits in the current decimal context."""
        n = 2 * self.moving
        begin = [*start.place, *start.velocity, start.angle]
        states = integrate(self._slope(), begin, [Decimal(time) for time in times], digits, done)
        return [PreciseMoment(state[:n], state[n : 2 * n], state[-1]) for state in states]

    def _slope(self) -> Slope:
        """(p, ṗ, θ) → (ṗ, p̈, θ̇)"""
        n = 2 * self.moving
        inverse = solve(mass_matrix(self.moving, self.bodies), [[Decimal(i == k) for i in range(n)] for k in range(n)])
        fixed, resting = [x for point in self.ground for x in point], [ZERO] * (2 * len(self.ground))
        padded = [row + resting for row in inverse]
        # M⁻¹Jᵀ of a rod with d = (x, y) is x·pulls + y·lifts
        pulls, lifts = ([[row[2 * k + c] - row[2 * i + c] for row in padded] for i, k in self.rods] for c in (0, 1))

        def slope(state: State) -> State:
            place, velocity = state[:n] + fixed, state[n : 2 * n] + resting
            d, u = ([between(rod, values) for rod in self.rods] for values in (place, velocity))
            force = self.force(place)
            free = [dot(row, force) for row in inverse] + resting
            gains = [
                [x * a + y * b for a, b in zip(pull, lift, strict=True)] + resting
                for (x, y), pull, lift in zip(d, pulls, lifts, strict=True)
            ]
            schur = [[dot(x, between(rod, gain)) for gain in gains] for rod, x in zip(self.rods, d, strict=True)]
            right = [dot(x, between(rod, free)) + dot(v, v) for rod, x, v in zip(self.rods, d, u, strict=True)]
            multipliers = solve(schur, [right])[0]
            acceleration = [a - dot(multipliers, held) for a, *held in zip(free, *gains, strict=True)]
            (x, y), (vx, vy) = d[0], u[0]
            return [*state[n : 2 * n], *acceleration[:n], (x * vy - y * vx) / (x * x + y * y)]

        return slope


def between(rod: tuple[int, int], values: State) -> Vector:
    """Q − P of a rod, or its rate."""
    i, k = rod
    return values[2 * k] - values[2 * i], values[2 * k + 1] - values[2 * i + 1]


def dot(a: Sequence[Decimal], b: Sequence[Decimal]) -> Decimal:
    """Σ a b"""
    return sum(map(mul, a, b), ZERO)


def weights(body: PreciseBody) -> tuple[tuple[int, Vector], tuple[int, Vector]]:
    """Weights of the pins in the centre of mass: z = (1 − a) P + a Q."""
    a, b = body.centre
    return (body.start, (1 - a, -b)), (body.end, (a, b))


def mass_matrix(moving: int, bodies: Sequence[PreciseBody]) -> list[State]:
    """M of the moving pins: weights u and w give the block m (Re, −Im; Im, Re) of ū w."""
    matrix = [[ZERO] * (2 * moving) for _ in range(2 * moving)]
    for body in bodies:
        turn = ((body.start, (Decimal(-1), ZERO)), (body.end, (Decimal(1), ZERO)))
        for mass, shares in ((body.mass, weights(body)), (body.turning, turn)):
            for i, (ux, uy) in shares:
                for k, (wx, wy) in shares:
                    if max(i, k) < moving:
                        real, imaginary = mass * (ux * wx + uy * wy), mass * (ux * wy - uy * wx)
                        for row, column, value in ((0, 0, real), (0, 1, -imaginary), (1, 0, imaginary), (1, 1, real)):
                            matrix[2 * i + row][2 * k + column] += value
    return matrix


def solve(matrix: Sequence[Sequence[Decimal]], right: Sequence[State]) -> list[State]:
    """The solutions x of a positive definite matrix times x = b, for each right side b."""
    n = len(matrix)
    rows = [[*row, *(b[i] for b in right)] for i, row in enumerate(matrix)]
    for i, pivot in enumerate(rows):
        for row in rows[i + 1 :]:
            factor = row[i] / pivot[i]
            row[i:] = [x - factor * y for x, y in zip(row[i:], pivot[i:], strict=True)]
    found = [[ZERO] * n for _ in right]
    for column, x in enumerate(found):
        for i in reversed(range(n)):
            x[i] = (rows[i][n + column] - dot(rows[i][i + 1 : n], x[i + 1 :])) / rows[i][i]
    return found

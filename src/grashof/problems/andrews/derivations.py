"""Andrews' squeezer in two derivations: time as a quadrature over the crank angle, and four pins with seven rods.

The moving pins are F, E, G and H. Six links are bodies between two pins; the triangle E–B–D is the one between E and
the ground's B, with D = E + δ (B − E), δ a complex constant. The spring pulls at D, so δ shares its force between E and
B: the part of E is (1 − δ̄) times it. The torque τ turns O–F: a force τ i F/|F|² on F.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal, localcontext
from typing import Any

import numpy as np

from grashof.precise.derivation import DIGITS, HALF_UNIT, Columns, Derivations, exact
from grashof.precise.extrapolation import Done
from grashof.precise.pins import SENTENCE, ZERO, Pins, PreciseBody, PreciseMoment, Vector, dot
from grashof.problems.andrews.reference import (
    IFTOMM,
    IVP_BETA0,
    CrankMotion,
    Pair,
    Squeezer,
    precise_solution,
    solution,
)
from grashof.problems.base import Case

F, E, G, H, O, A, B = range(7)
GUESSES = {E: ("-0.021", "0.0013"), G: ("-0.034", "0.016"), H: ("-0.031", "-0.016")}
"""Approximate initial positions [m] of the pins: G above the line A–E, H below it."""


def derivations(case: Case) -> Derivations:
    """The squeezer from rest; the corrected `opensim` version is the same mechanism."""
    beta0 = IVP_BETA0 if case.variant == "ivp" else str(IFTOMM.beta0)
    torque, begin = _number(IFTOMM.torque), Decimal(beta0)

    def first(times: Sequence[str]) -> Columns:
        crank = precise_solution(times, beta0, digits=DIGITS)
        with localcontext(prec=DIGITS + 12):
            return {
                "x_F": [exact(x) for x in crank.x_f],
                "y_F": [exact(x) for x in crank.y_f],
                "kinetic": [exact(x) for x in crank.kinetic],
                "potential": [exact(x) for x in crank.potential],
                "work": [torque * (exact(x) - begin) for x in crank.beta],
            }

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=DIGITS + 12):
            spring = _Spring(IFTOMM)
            pins = _pins(IFTOMM, spring)
            motion = pins.motion(_start(begin, IFTOMM), times, DIGITS, done)
            return {
                "x_F": [now.place[2 * F] for now in motion],
                "y_F": [now.place[2 * F + 1] for now in motion],
                "kinetic": [pins.kinetic(now.velocity) for now in motion],
                "potential": [spring.energy(now.place) for now in motion],
                "work": [torque * (now.angle - begin) for now in motion],
            }

    crank = (
        "First: energy gives the time as a quadrature over the crank angle (Gauss–Legendre), inverted with "
        f"{DIGITS} digits."
    )
    return Derivations(
        first,
        second,
        lambda times, columns: _effect(np.array([float(time) for time in times]), float(beta0)),
        (crank, SENTENCE.format(DIGITS)),
        "every length, mass, inertia and coefficient, β₀, the time",
    )


def _number(x: float) -> Decimal:
    return Decimal(str(x))


def _pair(pair: Pair) -> Vector:
    return _number(pair[0]), _number(pair[1])


def _ratio(a: Vector, b: Vector) -> Vector:
    """a/b of complex numbers."""
    square = b[0] * b[0] + b[1] * b[1]
    return (a[0] * b[0] + a[1] * b[1]) / square, (a[1] * b[0] - a[0] * b[1]) / square


class _Spring:
    """The spring C–D, with D carried by E and B."""

    def __init__(self, data: Squeezer) -> None:
        self.delta = _ratio(_pair(data.triangle.d), _pair(data.triangle.b))
        self.b, self.c = _pair(data.b), _pair(data.c)
        self.stiffness, self.rest = _number(data.stiffness), _number(data.rest_length)

    def _reach(self, place: Sequence[Decimal]) -> tuple[Vector, Decimal]:
        """D − C and its length, m."""
        p, q = self.delta
        x, y = self.b[0] - place[2 * E], self.b[1] - place[2 * E + 1]
        d = place[2 * E] + p * x - q * y - self.c[0], place[2 * E + 1] + p * y + q * x - self.c[1]
        return d, (d[0] * d[0] + d[1] * d[1]).sqrt()

    def energy(self, place: Sequence[Decimal]) -> Decimal:
        """½ k (|D − C| − l₀)², J."""
        return self.stiffness * (self._reach(place)[1] - self.rest) ** 2 / 2

    def force(self, place: Sequence[Decimal]) -> Vector:
        """On E, N: −k (|D − C| − l₀) (1 − δ̄) (D − C)/|D − C|."""
        (x, y), length = self._reach(place)
        pull = -self.stiffness * (length - self.rest) / length
        p, q = 1 - self.delta[0], self.delta[1]
        return pull * (p * x - q * y), pull * (p * y + q * x)


def _pins(data: Squeezer, spring: _Spring) -> Pins:
    number = {"F": F, "E": E, "G": G, "H": H, "O": O, "A": A}
    bodies = []
    for rod in data.rods:
        length = _number(rod.length)
        centre = _ratio(_pair(rod.com), (length, ZERO))
        bodies.append(
            PreciseBody(number[rod.start], number[rod.end], _number(rod.mass), centre, _number(rod.inertia) / length**2)
        )
    triangle = data.triangle
    b = _pair(triangle.b)
    bodies.append(
        PreciseBody(E, B, _number(triangle.mass), _ratio(_pair(triangle.com), b), _number(triangle.inertia) / dot(b, b))
    )
    drive = _number(data.torque) / _number(data.rods[0].length) ** 2

    def force(place: list[Decimal]) -> list[Decimal]:
        return [-drive * place[2 * F + 1], drive * place[2 * F], *spring.force(place), ZERO, ZERO, ZERO, ZERO]

    return Pins(4, [(ZERO, ZERO), _pair(data.a), _pair(data.b)], bodies, [body[:2] for body in bodies], force)


def _start(beta0: Decimal, data: Squeezer) -> PreciseMoment:
    """At rest at β₀; E, G and H by Newton's method on their two distances."""
    import mpmath

    with mpmath.workdps(60):
        turn = mpmath.expj(mpmath.mpf(str(beta0)))
        direction = exact(turn.real), exact(turn.imag)
    length = {rod.start + rod.end: _number(rod.length) for rod in data.rods}
    b = _pair(data.triangle.b)
    f = (length["OF"] * direction[0], length["OF"] * direction[1])
    e = _corner(f, length["EF"], _pair(data.b), dot(b, b).sqrt(), GUESSES[E])
    g = _corner(_pair(data.a), length["AG"], e, length["GE"], GUESSES[G])
    h = _corner(_pair(data.a), length["AH"], e, length["HE"], GUESSES[H])
    return PreciseMoment([*f, *e, *g, *h], [ZERO] * 8, beta0)


def _corner(p: Vector, a: Decimal, q: Vector, b: Decimal, guess: tuple[str, str]) -> Vector:
    """The point at distance a from p and b from q, near the guess."""
    x = [Decimal(value) for value in guess]
    for _ in range(12):  # Newton doubles the digits of a guess that is off by a tenth of the lengths: 8 rounds give 60
        u, w = ([s - t for s, t in zip(x, centre, strict=True)] for centre in (p, q))
        left, right = (dot(u, u) - a * a) / 2, (dot(w, w) - b * b) / 2
        cross = u[0] * w[1] - u[1] * w[0]
        x = [x[0] - (left * w[1] - right * u[1]) / cross, x[1] - (right * u[0] - left * w[0]) / cross]
    return x[0], x[1]


def _effect(times: np.ndarray, beta0: float) -> dict[str, np.ndarray]:
    """What half a unit of a double in each datum changes, from the quadrature in doubles with changes of 1e-7."""
    change = 1e-7

    def columns(motion: CrankMotion, torque: float, begin: float) -> dict[str, np.ndarray]:
        return {
            "x_F": motion.x_f,
            "y_F": motion.y_f,
            "kinetic": motion.kinetic,
            "potential": motion.potential,
            "work": torque * (motion.beta - begin),
        }

    base = columns(solution(times, beta0), IFTOMM.torque, beta0)
    others = [
        columns(solution(times * (1 + change), beta0), IFTOMM.torque, beta0),
        columns(solution(times, beta0 * (1 + change)), IFTOMM.torque, beta0 * (1 + change)),
    ]
    for path in _data(replace(IFTOMM, beta0=0.0, duration=0.0)):  # of these two, one is done and one is no datum
        data = _scale_number(IFTOMM, path, 1 + change)
        others.append(columns(solution(times, beta0, data), data.torque, beta0))
    return {name: sum(abs(other[name] - base[name]) for other in others) / change * HALF_UNIT for name in base}


def _data(x: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Where in the data there are numbers other than zero."""
    if is_dataclass(x):
        for field in fields(x):
            yield from _data(getattr(x, field.name), (*path, field.name))
    elif isinstance(x, tuple):
        for index, item in enumerate(x):
            yield from _data(item, (*path, index))
    elif isinstance(x, float) and x != 0.0:
        yield path


def _scale_number(x: Any, path: tuple[str | int, ...], factor: float) -> Any:
    """The data with one number multiplied."""
    if not path:
        return x * factor
    key, rest = path[0], path[1:]
    if isinstance(key, int):
        return (*x[:key], _scale_number(x[key], rest, factor), *x[key + 1 :])
    return replace(x, **{key: _scale_number(getattr(x, key), rest, factor)})

"""The governor in two derivations: by the turning of its shaft, the slider's height and the rods' angle; and by the
direction of a rod as a unit vector, with the angular momentum.

The two rods move alike, because they begin so: the second derivation uses one of them and counts it twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, getcontext, localcontext
from typing import TypeVar

import numpy as np

from grashof.precise.collocation import integrate_second_order
from grashof.precise.derivation import Columns, Derivations
from grashof.precise.extrapolation import Done, State
from grashof.precise.jets import (
    IDENTITY,
    Jet,
    JetBody,
    JetSpring,
    JetSystem,
    accelerate,
    apply,
    coordinates,
    dot,
    plus,
    times,
    turn,
)
from grashof.precise.pins import ZERO
from grashof.precise.rigid import diagonal
from grashof.precise.taylor import Series, integrate_by_series
from grashof.precise.trigonometry import pi, sine_and_cosine
from grashof.precise.twofold import Data, Row, angle_of
from grashof.problems.base import Case
from grashof.problems.certified import effect_by_simulation
from grashof.problems.governor.case import COLUMNS, DATA, mechanism

Number = TypeVar("Number", Series, Decimal)
DIGITS, GUARD, STEP, ORDER = 17, 12, "0.005", 40
NAMES = ("s", "omega", "alpha")
VARY = ("g", "ball", "length", "stiffness", "damping", "spin_pi", "angle_deg")


def derivations(case: Case) -> Derivations:
    return derive()


def derive() -> Derivations:
    def first(times: Sequence[str]) -> Columns:
        with localcontext(prec=DIGITS + GUARD):
            return by_angles(numbers(DATA), [Decimal(time) for time in times])

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=DIGITS + 2 * GUARD):
            return by_direction(numbers(DATA), [Decimal(time) for time in times], ORDER, done)

    def effect(times: Sequence[str], columns: Columns) -> dict[str, np.ndarray]:
        return effect_by_simulation(mechanism, DATA, VARY, COLUMNS[1:4], times)

    words = (
        "First: the turning of the shaft, the slider's height and the angle of the rods, with all bodies in space, "
        f"integrated by collocation at Gauss points (order 16, Newton's method) with {DIGITS} digits in decimal "
        "floating point.",
        "Second: the slider's height and the direction of a rod as a unit vector with a multiplier, at constant "
        f"angular momentum, integrated by Taylor series of order {ORDER} with {DIGITS + 2 * GUARD} digits in decimal "
        "floating point.",
    )
    return Derivations(first, second, effect, words, ", ".join([*VARY, "the time"]))


def numbers(data: Mapping[str, str]) -> Data:
    """The data, with π."""
    found = {name: Decimal(text) for name, text in data.items()}
    half_turn = pi(getcontext().prec + 10)
    return found | {"spin": found["spin_pi"] * half_turn, "angle": found["angle_deg"] * half_turn / 180}


def _inertias(data: Data) -> tuple[Decimal, Decimal, Decimal]:
    """Of a rod along itself and across, both for each kg, and of the slider [kg m²]."""
    square = data["width"] ** 2
    return square / 6, (data["length"] ** 2 + square) / 12, data["slider"] * data["cube"] ** 2 / 6


def by_angles(data: Data, moments: Sequence[Decimal]) -> Columns:
    """φ, s, α: two rods at α below the horizontal, opposite to each other."""
    along, across, cube = _inertias(data)
    length = data["length"]
    none = diagonal(ZERO, ZERO, ZERO)

    def describe(q: list[Jet]) -> JetSystem:
        phi, s, alpha = q
        round_ = turn("z", phi)
        shaft = JetBody(
            data["shaft"], diagonal(*[data["shaft"] * x for x in (across, across, along)]), (0, 0, 0), round_
        )
        slider = JetBody(data["slider"], diagonal(cube, cube, cube), (0, 0, s), round_)
        bodies, springs = [shaft, slider], []
        for side in (1, -1):
            # the rod points along ±x of the shaft, and is turned downwards by α
            rotation = times(round_, turn("y", side * alpha))
            pivot = apply(round_, (side * data["pivot"], 0, 0))
            half = apply(rotation, (side * length / 2, 0, 0))
            middle = plus(pivot, (0, 0, length), half)
            rod = diagonal(*[data["rod"] * x for x in (along, across, across)])
            bodies += [
                JetBody(data["rod"], rod, middle, rotation),
                JetBody(data["ball"], none, plus(middle, half), IDENTITY),
            ]
            away = [a - b for a, b in zip(middle, plus(pivot, (0, 0, s)), strict=True)]
            square = dot(away, away)
            assert isinstance(square, Jet)
            springs.append(JetSpring(square.sqrt(), data["stiffness"], data["damping"], length / 2))
        return JetSystem(bodies, springs=springs, gravity=(ZERO, ZERO, -data["g"]))

    def acceleration(t: Decimal, q: Row, v: Row) -> Row:
        return accelerate(describe(coordinates(q, v)), 3)

    q, v = [ZERO, data["start"], data["angle"]], [data["spin"], ZERO, ZERO]
    states = integrate_second_order(acceleration, q, v, moments, Decimal(STEP), DIGITS + 2, stiff=True)
    rows = [(q[1], v[0], q[2]) for q, v in states]
    return dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))


def by_direction(data: Data, moments: Sequence[Decimal], order: int, done: Done = lambda part: None) -> Columns:
    """s, the rod's direction (u, −w) outwards and upwards, and their rates; J Ω is constant."""
    along, across, cube = _inertias(data)
    m, ball, a, length, g = data["rod"], data["ball"], data["pivot"], data["length"], data["g"]
    fixed = data["shaft"] * along + cube
    swing = 2 * (m * length**2 / 4 + m * across + ball * length**2)
    weight = 2 * g * (m * length / 2 + ball * length)
    half, half2 = length / 2, length**2 / 4

    def inertia(u: Number, w: Number) -> Number:
        middle, tip = half * u + a, length * u + a
        return fixed + 2 * (m * (middle * middle) + m * across * (u * u) + m * along * (w * w) + ball * (tip * tip))

    sine, cosine = sine_and_cosine(data["angle"])
    momentum = inertia(cosine, sine) * data["spin"]

    def slope(y: Sequence[Series]) -> list[Series]:
        s, u, w, sdot, udot, wdot = y
        turning = momentum / inertia(u, w)
        square = turning * turning
        drop = length - s - half * w  # of the middle of the rod below its pivot, up to the slider
        d = (half2 * (u * u) + drop * drop).sqrt()
        stretch = (half2 * (u * udot) - drop * (sdot + half * wdot)) / d
        pull = 2 * (data["stiffness"] * (d - half) + data["damping"] * stretch) / d
        by_u = 2 * (m * half * (half * u + a) + m * across * u + ball * length * (length * u + a))
        by_w = 2 * m * along * w
        p = by_u * square - half2 * (pull * u)
        q = by_w * square + half * (pull * drop) + weight
        # u u̇ + w ẇ = 0 holds at the start and stays: the multiplier f
        f = -(swing * (udot * udot + wdot * wdot) + u * p + w * q) / (u * u + w * w)
        return [sdot, udot, wdot, pull * drop / data["slider"] - g, (p + f * u) / swing, (q + f * w) / swing]

    start: State = [data["start"], cosine, sine, ZERO, ZERO, ZERO]
    states = integrate_by_series(slope, start, moments, order, done)
    rows = [(y[0], momentum / inertia(y[1], y[2]), angle_of(y[2], y[1])) for y in states]
    return dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))

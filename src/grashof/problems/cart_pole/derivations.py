"""The light cart-pole in two derivations: a quadrature over the angle, and positions with the pole's force."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from typing import Any

import numpy as np

from grashof.precise.derivation import Columns, Derivations, change_number, effects, exact
from grashof.precise.extrapolation import Done, State, integrate
from grashof.precise.pins import ZERO
from grashof.precise.twofold import angle_of
from grashof.problems.base import Case
from grashof.problems.cart_pole.reference import DATA, motion

DIGITS, FEWER = 20, 16
"""Digits of the derivations, and of the effect of rounded data."""
SPARSE = 8
"""Every how many official times that effect is calculated."""
NAMES = ("x", "theta", "xdot", "thetadot")


def derivations(case: Case) -> Derivations:
    return derive()


def derive() -> Derivations:
    def first(times: Sequence[str]) -> Columns:
        return _named(motion(times, DATA, DIGITS))

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=DIGITS + 14):
            moments = [Decimal(time) for time in times]
            start: State = [ZERO, Decimal(DATA["length"]), ZERO, ZERO, ZERO, ZERO]
            states = integrate(_slope, start, moments, DIGITS, done)
            rows = [_observe(state) for state in states]
            return {name: [row[name] for row in rows] for name in NAMES}

    def effect(times: Sequence[str], columns: Columns) -> dict[str, np.ndarray]:
        change, some = Decimal("1e-9"), sorted({*range(0, len(times), SPARSE), len(times) - 1})
        few = [times[i] for i in some]
        base = _named(motion(few, DATA, FEWER))
        others = [_named(motion([change_number(time, change) for time in few], DATA, FEWER))]
        for name, value in DATA.items():
            others.append(_named(motion(few, DATA | {name: change_number(value, change)}, FEWER)))
        place = np.searchsorted(some, np.arange(len(times)))  # the next of these times
        return {name: np.maximum.accumulate(x)[place] for name, x in effects(base, others, change).items()}

    words = (
        "First: energy and momentum give the time as a quadrature over the angle (Gauss–Legendre), inverted with "
        f"{DIGITS} digits in binary floating point.",
        "Second: positions of cart and bob with the force of the pole as multiplier, integrated by extrapolation "
        f"(Gragg, Bulirsch, Stoer) with {DIGITS} digits in decimal floating point.",
    )
    return Derivations(first, second, effect, words, "g, the length, both masses, the time")


def _named(rows: Sequence[tuple[Any, ...]]) -> Columns:
    return {name: [exact(x) for x in column] for name, column in zip(NAMES, zip(*rows, strict=True), strict=True)}


def _slope(state: State) -> State:
    """Cart at (x, 0), bob at (X, Y), and their velocities."""
    cart, bob, gravity = (Decimal(DATA[name]) for name in ("cart", "bob", "g"))
    x, a, b, u, v, w = state
    d, rate = a - x, v - u
    force = (rate * rate + w * w - gravity * b) / (d * d * (1 / bob + 1 / cart) + b * b / bob)
    return [u, v, w, force * d / cart, -force * d / bob, -force * b / bob - gravity]


def _observe(state: State) -> dict[str, Decimal]:
    x, a, b, u, v, w = state
    d, rate, length = a - x, v - u, Decimal(DATA["length"])
    values = (x, angle_of(d, -b), u, (d * w - b * rate) / length**2)
    return dict(zip(NAMES, values, strict=True))

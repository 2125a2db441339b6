"""Decimal integration of pins and rods against closed forms."""

from __future__ import annotations

from decimal import Decimal, localcontext

import mpmath

from grashof.precise.extrapolation import integrate
from grashof.precise.pins import ZERO, Pins, PreciseBody, PreciseMoment, mass_matrix, solve


def test_extrapolation_follows_a_circle_to_forty_digits() -> None:
    with localcontext(prec=55), mpmath.workdps(55):
        times = [Decimal("0.25"), Decimal(3), Decimal("10.5")]
        found = integrate(lambda y: [-y[1], y[0]], [Decimal(1), ZERO], times, 42)
        for time, (x, y) in zip(times, found, strict=True):
            t = mpmath.mpf(str(time))
            assert abs(mpmath.mpf(str(x)) - mpmath.cos(t)) < 1e-40
            assert abs(mpmath.mpf(str(y)) - mpmath.sin(t)) < 1e-40


def test_a_bar_between_two_pins_has_the_masses_of_its_ends() -> None:
    """A uniform bar: T = m (v₁² + v₁·v₂ + v₂²)/6."""
    mass = Decimal(6)
    with localcontext(prec=30):
        matrix = mass_matrix(2, [PreciseBody(0, 1, mass, (Decimal("0.5"), ZERO), mass / 12)])
    assert matrix == [[2, 0, 1, 0], [0, 2, 0, 1], [1, 0, 2, 0], [0, 1, 0, 2]]


def test_a_centre_beside_the_line_of_the_pins_moves_with_both() -> None:
    """A point mass at P + i (Q − P): with Q held and P moving along x at 1, ż = (1 − i), and 2T = m |ż|² = 2m."""
    matrix = mass_matrix(1, [PreciseBody(0, 1, Decimal(3), (ZERO, Decimal(1)), ZERO)])
    assert matrix == [[6, 0], [0, 6]]


def test_elimination_solves() -> None:
    matrix = [[Decimal(4), Decimal(2)], [Decimal(2), Decimal(3)]]
    assert solve(matrix, [[Decimal(2), Decimal(-1)], [Decimal(6), Decimal(5)]]) == [[1, -1], [1, 1]]


def test_a_rod_without_forces_turns_at_its_rate_and_counts_its_turns() -> None:
    """A bar about its end, 2 rad/s: after 10 s it has turned by 20 rad, and is still 1 m long."""
    with localcontext(prec=40), mpmath.workdps(40):
        bar = PreciseBody(1, 0, Decimal(1), (Decimal("0.5"), ZERO), Decimal(1) / 12)
        pins = Pins(1, [(ZERO, ZERO)], [bar], [(1, 0)], lambda place: [ZERO, ZERO])
        end = pins.motion(PreciseMoment([Decimal(1), ZERO], [ZERO, Decimal(2)], ZERO), ["10"], 28)[0]
        assert abs(end.angle - 20) < Decimal("1e-25")
        assert abs(mpmath.mpf(str(end.place[0])) - mpmath.cos(20)) < 1e-25
        assert abs(mpmath.mpf(str(end.place[1])) - mpmath.sin(20)) < 1e-25
        assert abs(pins.kinetic(end.velocity) - Decimal(2) / 3) < Decimal("1e-25")

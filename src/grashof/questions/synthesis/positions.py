"""Four-bars that carry a body through three positions."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence

import numpy as np

from grashof.common.errors import ModelError
from grashof.questions.synthesis.design import FourBarDesign, Pair, branch_of

STRAIGHT = 1e-9
"""Three places lie in line if their triangle has less than this part of the square of its longest side."""


def four_bar_for_positions(
    positions: Sequence[tuple[float, float, float]],
    *,
    moving: Sequence[Pair] | None = None,
    fixed: Sequence[Pair] | None = None,
) -> FourBarDesign:
    """Finds a four-bar whose coupler passes three positions (L. Burmester, Lehrbuch der Kinematik, 1888).

    A pin of the coupler moves on a circle about a fixed pivot, so that the pivot is the centre of the circle through
    the three places of the pin. Give either the two pins, or the two pivots; then the pins follow in the same way from
    the places of the pivot in the axes of the coupler.

    positions   three times x, y (m) and angle (rad) of the body
    moving      the two pins in the body's axes, m: that of the crank, and that of the rocker
    fixed       the two pivots on the ground, m: that of the crank, and that of the rocker

    The point P of the result is the origin of the body. A remark says if the positions are on both branches, between
    which the four-bar cannot move.

    >>> design = four_bar_for_positions([(0, 0, 0), (1, 1, 0.5), (2, 1, 1.2)], moving=[(0, 0), (1, 0)])
    >>> design.error < 1e-12
    True
    """
    if len(positions) != 3:
        raise ModelError(f"There are {len(positions)} positions; three determine a four-bar with two given pins.")
    if (moving is None) == (fixed is None):
        raise ModelError("Give either the two moving pins or the two fixed pivots.")
    frames = [(complex(x, y), cmath.exp(1j * angle)) for x, y, angle in positions]
    given = [complex(*pair) for pair in (moving if moving is not None else fixed) or ()]
    if len(given) != 2 or given[0] == given[1]:
        raise ModelError(f"{len(given)} points are given; give two different ones, of the crank and of the rocker.")
    if moving is not None:
        pins, pivots = given, [_centre([p + e * pin for p, e in frames], "pin", pin) for pin in given]
    else:
        pivots = given
        pins = [_centre([(pivot - p) / e for p, e in frames], "pivot", pivot) for pivot in given]
    (a, d), (first, second) = pivots, pins
    if abs(second - first) < STRAIGHT * abs(d - a):
        raise ModelError("Both pins are at one place of the body; choose other points.")
    places = [(p + e * first, p + e * second) for p, e in frames]
    branches = [branch_of(b, c, d) for b, c in places]
    angles = np.array([cmath.phase(b - a) for b, _ in places])
    own = -first / cmath.exp(1j * cmath.phase(second - first))
    (b, c), remarks = places[0], []
    if len(set(branches)) > 1:
        remarks.append("The positions are not on one branch: the four-bar would have to be taken apart between them.")
    design = FourBarDesign(
        pivots=((a.real, a.imag), (d.real, d.imag)),
        crank=abs(b - a),
        coupler=abs(second - first),
        rocker=abs(c - d),
        point=(own.real, own.imag),
        branch=branches[0],
        angles=angles,
        errors=np.zeros(3),
        remarks=tuple(remarks),
    )
    # of each position, on its branch: the place of P and, as a length, the direction of the coupler
    found = [
        FourBarDesign(**{**design.__dict__, "branch": branch}).places(angle)
        for branch, angle in zip(branches, angles, strict=True)
    ]
    errors = [
        math.dist(p[0], (frame[0].real, frame[0].imag)) + math.dist(pin[0], (place[1].real, place[1].imag))
        for (_, pin, p), frame, place in zip(found, frames, places, strict=True)
    ]
    return FourBarDesign(**{**design.__dict__, "errors": np.array(errors)})


def _centre(places: Sequence[complex], kind: str, given: complex) -> complex:
    """The centre of the circle through three places."""
    z, w = places[1] - places[0], places[2] - places[0]
    cross = (z.conjugate() * w).imag
    if abs(cross) <= STRAIGHT * max(abs(z), abs(w), abs(z - w)) ** 2:
        raise ModelError(
            f"The three places of the {kind} ({given.real:.6g}, {given.imag:.6g}) lie in line or coincide, so that no "
            "circle goes through them; choose another point, or a slider."
        )
    return places[0] + (abs(z) ** 2 * w - abs(w) ** 2 * z) / (2j * cross)

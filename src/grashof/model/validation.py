"""Checks that kinds of bodies, joints, forces and measures make of their own fields: numbers, directions, references.

Every refusal is one sentence that names the item and states what was found, and what was expected or what to do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.fields import Vector, body_of, dot

if TYPE_CHECKING:
    from grashof.model.laws import Law
    from grashof.model.model import Model

ROUND_OFF = 1e-9
"""The tolerance for lengths that should be one, cosines that should be zero and, relatively, limits of inertia."""


def check_count(words: str, vector: Sequence[Law], dimension: int, *, may_be_empty: bool = False) -> None:
    """Checks the number of components; with `may_be_empty`, an empty vector stands for zero."""
    if len(vector) != dimension and not (may_be_empty and not vector):
        place = "in the plane" if dimension == 2 else "in space"
        raise ModelError(
            f"{words} is {vector}, which has {len(vector)} components; {place} it has {dimension} "
            "(the mechanism's 'dimension' says which)."
        )


def check_not_negative(words: str, value: float | None, unit: str) -> None:
    """Checks the sign of a value; None stands for a value that varies."""
    if value is not None and value < 0.0:
        raise ModelError(f"{words} is {value} {unit}; it must be zero or positive.")


def check_positive(words: str, value: float, unit: str) -> None:
    if value <= 0.0:
        raise ModelError(f"{words} is {value} {unit}; it must be positive.")


def check_direction(words: str, direction: Vector, dimension: int, *, needed: bool, advice: str) -> None:
    """Checks that a needed direction has length one, and that others, which have no meaning in the plane, are absent.

    `advice` is given if a needed direction is missing.
    """
    if not needed:
        if direction:
            raise ModelError(f"{words} is {direction}, which has no meaning in the plane; leave it out.")
        return
    if not direction:
        raise ModelError(f"{words} is missing; {advice}")
    check_count(words, direction, dimension)
    length = math.hypot(*direction)
    if abs(length - 1.0) > ROUND_OFF:
        remedy = "give one that is not zero" if length == 0.0 else "divide it by its length"
        raise ModelError(f"{words} is {direction}, of length {length:.12g}; a direction has length 1: {remedy}.")


def check_right_angle(owner: str, fields: tuple[str, str], first: Vector, second: Vector) -> None:
    cosine = dot(first, second)
    if abs(cosine) > ROUND_OFF:
        degrees = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
        raise ModelError(
            f"{owner}: {fields[0]} {first} and {fields[1]} {second} are {degrees:.9g}° apart; "
            "they must be at right angles."
        )


def check_point(owner: str, reference: str, model: Model) -> None:
    """Checks that `reference` is an existing point, written body.point."""
    if reference in model.points:
        return
    body = body_of(reference)
    if not body:
        raise ModelError(
            f"{owner}: '{reference}' is not a point; points are written body.point: "
            f"{did_you_mean(reference, model.points)}"
        )
    bodies = model.body_names
    if body not in bodies:
        raise ModelError(f"{owner}: point '{reference}' is on no known body; {did_you_mean(body, bodies)}")
    own = [point for point in model.points if body_of(point) == body]
    raise ModelError(f"{owner}: body '{body}' has no point '{reference}'; {did_you_mean(reference, own)}")


def check_two_bodies(owner: str, model: Model, a: str, b: str, why: str) -> None:
    """Checks that a and b are points of different bodies; `why` explains why one body makes no sense."""
    check_point(owner, a, model)
    check_point(owner, b, model)
    if body_of(a) == body_of(b):
        raise ModelError(f"{owner}: '{a}' and '{b}' are points of the same body, {why}; take points of two bodies.")

"""Checks that numbers are finite and have the right count and sign, and that directions are unit vectors."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import msgspec

from grashof.common.errors import ModelError
from grashof.model.check.names import named_parts
from grashof.model.fields import Vector, dot
from grashof.model.laws import Law
from grashof.model.model import Model

ROUND_OFF = 1e-9
"""The tolerance for lengths that should be one, cosines that should be zero and, relatively, limits of inertia."""


def check_finite(model: Model, known: Collection[int]) -> None:
    """Checks that all numbers of a description are finite, except in the parts with these identities."""
    _refuse_infinite(f"Mechanism '{model.name}': gravity", model.gravity)
    _refuse_infinite("Ground: point", model.ground)
    for kind, part in named_parts(model):
        if id(part) not in known:
            _refuse_infinite(f"{kind} '{part.name}':", part)
    if id(model.start) in known:
        return
    _refuse_infinite("Start: time", model.start.time)
    for name, pose in model.start.guesses.items():
        _refuse_infinite(f"Start: guess of '{name}':", pose)
    for word, conditions in (("need", model.start.needs), ("want", model.start.wants)):
        for condition in conditions:
            _refuse_infinite(f"Start: {word} of '{condition.quantity}':", condition)


def _refuse_infinite(words: str, value: object) -> None:
    """Descends to numbers and rows of numbers; `words` describe the place reached."""
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            _refuse_infinite(f"{words} {field}", getattr(value, field))
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_infinite(f"{words} '{key}'", item)
    else:
        numbers = value if isinstance(value, tuple) else (value,)
        if not all(math.isfinite(x) for x in numbers if isinstance(x, int | float)):
            raise ModelError(f"{words} is {value}; it must be finite.")


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

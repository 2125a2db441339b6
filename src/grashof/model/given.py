"""Converts arguments of the builder to the types of the description: numbers to float, vectors to tuples, names to str.

NumPy scalars and arrays are accepted. Anything else is refused with a message that names the argument.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from grashof.common.errors import ModelError
from grashof.model.fields import Vector
from grashof.model.formula import Formula
from grashof.model.laws import Law
from grashof.model.units import is_quantity, si

Number = float | str | Formula
"""A number, a string with a unit such as "120 mm", or an expression of other numbers, as a string or a formula."""


def number(what: str, value: Any, unit: str | None = None) -> float:
    """A real number as a float; NumPy scalars and zero-dimensional arrays are accepted and, if there is a unit, strings
    such as "120 mm".

    >>> number("mass", np.float32(0.5)), number("length", "120 mm", "m")
    (0.5, 0.12)
    """
    if unit is not None and isinstance(value, str):
        return si(what, value, unit)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise ModelError(f"{what} is {reprlib.repr(value)}; it must be a number.")
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise ModelError(f"{what} is {reprlib.repr(value)}; it must be finite.")
    return found


def numbers(what: str, values: Any, count: int | None = None, unit: str | None = None) -> Vector:
    """A tuple of `count` numbers from a tuple, a list or a one-dimensional array; with a unit, strings are accepted.

    >>> numbers("position", np.array([1, 2]), 2)
    (1.0, 2.0)
    """
    return tuple(number(f"{what}[{i}]", x, unit) for i, x in enumerate(row(what, values, count)))


def is_row(values: Any) -> bool:
    """Whether this is a tuple, a list or a one-dimensional array, whatever its items are."""
    if isinstance(values, np.ndarray):
        return values.ndim == 1
    return isinstance(values, Sequence) and not isinstance(values, str | bytes)


def row(what: str, values: Any, count: int | None = None) -> list[Any]:
    """The items of a tuple, a list or a one-dimensional array."""
    if not is_row(values) or len(values) != (count or len(values)):
        expected = "several numbers" if count is None else f"{count} numbers"
        raise ModelError(f"{what} is {reprlib.repr(values)}; it must be {expected}.")
    return list(values)


def law(what: str, value: Any, unit: str | None = None) -> Law:
    """A law from a number, a string with a unit, or an expression, which is a string or a formula.

    >>> law("torque", "-0.3*crank.angle.rate"), law("torque", 2)
    ('-0.3*crank.angle.rate', 2.0)
    """
    if isinstance(value, Formula):
        return value.text
    if isinstance(value, str) and not (unit is not None and is_quantity(value)):
        return str(value)
    if callable(value):
        raise ModelError(
            f"{what} is a Python function; write it as an expression, such as '5*sin(2*t)', or give it as a "
            "force of its own by m.user_force."
        )
    return number(what, value, unit)


def text(what: str, value: Any) -> str:
    """A string, such as a name."""
    if not isinstance(value, str):
        raise ModelError(f"{what} is {reprlib.repr(value)}; it must be a text.")
    return str(value)


def given_name(value: Any) -> str | None:
    """A name, if one is given."""
    return None if value is None else text("A name", value)

"""Expressions built in Python: arithmetic with parameters that records how it was written.

>>> length = Formula("L", 0.1)
>>> rod = 3*length + 0.05
>>> rod.text, rod.value
('3*L + 0.05', 0.35000000000000003)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from grashof.model.expressions import FUNCTIONS
from grashof.scalar import functions
from grashof.scalar.functions import Scalar
from grashof.scalar.numpy_functions import NumpyScalar

SUM, PRODUCT, ATOM = 1, 2, 3
"""Precedence of the outermost operation: an operand of lower precedence is put in parentheses."""

_NAMES = {"absolute": "abs", "minimum": "min", "maximum": "max"}


@dataclass(frozen=True, eq=False)
class Formula(NumpyScalar):
    """An expression of parameters and numbers of a mechanism: its text, and its value with the current numbers.

    The functions of `grashof` and of NumPy work on it; those of `math` do not, because they would lose the text.
    """

    text: str
    value: float
    level: int = ATOM

    def __add__(self, other: Scalar) -> Scalar:
        return _join_terms(self, other, " + ", operator.add, SUM)

    def __radd__(self, other: Scalar) -> Scalar:
        return _join_terms(other, self, " + ", operator.add, SUM)

    def __sub__(self, other: Scalar) -> Scalar:
        return _join_terms(self, other, " - ", operator.sub, SUM)

    def __rsub__(self, other: Scalar) -> Scalar:
        return _join_terms(other, self, " - ", operator.sub, SUM)

    def __mul__(self, other: Scalar) -> Scalar:
        return _join_terms(self, other, "*", operator.mul, PRODUCT)

    def __rmul__(self, other: Scalar) -> Scalar:
        return _join_terms(other, self, "*", operator.mul, PRODUCT)

    def __truediv__(self, other: Scalar) -> Scalar:
        return _join_terms(self, other, "/", operator.truediv, PRODUCT)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return _join_terms(other, self, "/", operator.truediv, PRODUCT)

    def __pow__(self, other: Scalar) -> Scalar:
        return _join_terms(self, other, "**", functions.power, ATOM)

    def __rpow__(self, other: Scalar) -> Scalar:
        return _join_terms(other, self, "**", functions.power, ATOM)

    def __neg__(self) -> Formula:
        return Formula(f"-{_within(self, PRODUCT)}", -self.value, PRODUCT)

    def __pos__(self) -> Formula:
        return self

    def apply_function(self, name: str, *arguments: Scalar) -> Scalar:
        """The formula that results from applying a function of `grashof.scalar` to these arguments."""
        written = _NAMES.get(name, name)
        parts = [_as_formula(x) for x in arguments]
        known = [x for x in parts if x is not None]
        if written not in FUNCTIONS or len(known) < len(parts):
            return NotImplemented
        value = getattr(functions, name)(*(x.value for x in known))
        return Formula(f"{written}({', '.join(x.text for x in known)})", value)

    def __eq__(self, other: object) -> bool:  # type: ignore[override]
        return isinstance(other, Formula) and (self.text, self.value) == (other.text, other.value)

    def __ne__(self, other: object) -> bool:  # type: ignore[override]
        return not self == other

    def __hash__(self) -> int:
        return hash(self.text)

    def __bool__(self) -> NoReturn:
        raise TypeError(f"'{self.text}' depends on parameters and has no truth value; ask its value, {self.value!r}.")

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else self.text


def value_of(x: Scalar) -> Scalar:
    """The value of a formula; anything else is returned unchanged."""
    return x.value if isinstance(x, Formula) else x


def has_formulas(values: Any) -> bool:
    """Whether any item of a row is a formula."""
    return isinstance(values, Sequence) and any(isinstance(x, Formula) for x in values)


def _as_formula(x: Scalar) -> Formula | None:
    """The formula itself, or a number as a formula; None for anything else."""
    if isinstance(x, Formula):
        return x
    if hasattr(x, "dtype") and getattr(x, "shape", None) == ():
        x = x.item()
    if isinstance(x, bool) or not isinstance(x, int | float):
        return None
    return Formula(repr(x), float(x), PRODUCT if x < 0 else ATOM)


def _join_terms(a: Scalar, b: Scalar, sign: str, operation: Callable[[float, float], float], level: int) -> Scalar:
    left, right = _as_formula(a), _as_formula(b)
    if left is None or right is None:
        return NotImplemented
    text = f"{_within(left, level)}{sign}{_within(right, min(level + 1, ATOM))}"  # operations go from left to right
    return Formula(text, operation(left.value, right.value), PRODUCT if sign == "**" else level)


def _within(part: Formula, level: int) -> str:
    return part.text if part.level >= level else f"({part.text})"


def span(start: Iterable[Scalar], end: Iterable[Scalar]) -> list[Scalar]:
    """The vector from one point to another, whose coordinates may be formulas.

    >>> [str(x) for x in span([0.0, Formula("h", 2.0)], [Formula("L", 0.1), Formula("h", 2.0)])]
    ['L', '0.0']
    """
    found = []
    for a, b in zip(start, end, strict=True):
        found.append(b if a == 0.0 else 0.0 if a == b else -a if b == 0.0 else b - a)
    return found


def rotate_vector(matrix: Sequence[Sequence[float]] | NDArray[np.float64], vector: Iterable[Scalar]) -> list[Scalar]:
    """A matrix of numbers times a vector that contains formulas; terms multiplied by zero are left out.

    >>> [str(x) for x in rotate_vector([[1.0, 0.0], [0.5, 2.0]], [Formula("L", 0.1), 3.0])]
    ['L', '0.5*L + 6.0']
    """
    found, given = [], list(vector)
    for row in matrix:
        terms = [
            x if factor == 1.0 else float(factor) * x for factor, x in zip(row, given, strict=True) if factor != 0.0
        ]
        found.append(reduce(operator.add, terms) if terms else 0.0)
    return found


def unit_formula(vector: Sequence[Scalar]) -> tuple[Scalar, ...]:
    """The unit vector along a direction, as formulas; along a coordinate axis it does not depend on the length.

    >>> [str(x) for x in unit_formula([0.0, Formula("L", -0.1)])]
    ['0.0', '-1.0']
    """
    parts = [x for x in vector if isinstance(x, Formula) or x != 0.0]
    if len(parts) == 1:
        return tuple(functions.sign(value_of(x)) for x in vector)
    length = functions.sqrt(reduce(operator.add, [x * x for x in parts]))
    return tuple(x / length if isinstance(x, Formula) or x != 0.0 else 0.0 for x in vector)

"""Laws: numbers that may vary with time and with the motion.

Every coefficient of a force is a number, or an expression in t, named quantities and parameters (see `expressions`).

>>> constant("2*pi/60", "force 'f'"), constant("2*t", "force 'f'")
(0.10471975511965977, None)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from grashof.model.expressions import Expression, Scope, parse
from grashof.model.state import RATE, State
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

Law = float | str
"""A number, or an expression."""


NONE: Mapping[str, Scalar] = {}
"""No parameters."""


def constant(law: Law, owner: str, parameters: Mapping[str, Scalar] = NONE) -> Scalar | None:
    """The value of a constant law, NaN if its arithmetic fails; None if the law may vary."""
    if not isinstance(law, str):
        return law
    expression = parse(law, owner).given(parameters)
    if not expression.is_constant:
        return None
    try:
        found = expression.at(Scope(0.0))
        return float(found) if isinstance(found, int) else found
    except (ArithmeticError, ValueError):
        return math.nan


def value(law: Law, owner: str, state: State, parameters: Mapping[str, Scalar] = NONE) -> Scalar:
    """The value of a law in this state."""
    return evaluate_law(parse(law, owner).given(parameters), state) if isinstance(law, str) else law


def evaluate_with_rate(law: Law, owner: str, state: State, parameters: Mapping[str, Scalar] = NONE) -> Jet:
    """The value of a law in this state, with its rate; contributions of quantities that are rates themselves are
    unknown, and left out of the rate."""
    if not isinstance(law, str):
        return Jet(law, 0.0, 0.0)

    def quantity(name: str) -> Scalar:
        jet = state.measure(name.removesuffix(RATE))
        return jet.first if name.endswith(RATE) else jet

    found = parse(law, owner).given(parameters).at(Scope(Jet(state.time, 1.0, 0.0), quantity, state.tables))
    return found if isinstance(found, Jet) else Jet(found, 0.0, 0.0)


def evaluate_law(expression: Expression, state: State) -> Scalar:
    """The value of an expression in this state."""

    def quantity(name: str) -> Scalar:
        jet = state.measure(name.removesuffix(RATE))
        return jet.first if name.endswith(RATE) else jet.value

    return expression.at(Scope(state.time, quantity, state.tables))


def quantities(laws: Iterable[Law], owner: str, parameters: Mapping[str, Scalar] = NONE) -> list[str]:
    """The quantities that laws depend on, by the names used in their expressions."""
    texts = (law for law in laws if isinstance(law, str))
    return list(dict.fromkeys(name for text in texts for name in parse(text, owner).given(parameters).quantities))

"""Laws: numbers that may change with time and with the motion.

Wherever a force has a coefficient, it is a number or an expression of t and of named quantities (see `expressions`).

>>> constant("2*pi/60", "force 'f'"), constant("2*t", "force 'f'")
(0.10471975511965977, None)
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from grashof.model.expressions import Expression, Scope, parse
from grashof.model.state import RATE, State, source
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

Law = float | str
"""A number, or an expression."""


def constant(law: Law, owner: str) -> float | None:
    """The number that a law always is, NaN if its arithmetic fails; None if it may change."""
    if not isinstance(law, str):
        return law
    expression = parse(law, owner)
    if not expression.is_constant:
        return None
    try:
        return float(expression.at(Scope(0.0)))
    except (ArithmeticError, ValueError):
        return math.nan


def value(law: Law, owner: str, state: State) -> Scalar:
    """The law, now."""
    return evaluated(parse(law, owner), state) if isinstance(law, str) else law


def rated(law: Law, owner: str, state: State) -> Jet:
    """The law, now, with its rate; that of a law which depends on rates itself is not known, and left out."""
    if not isinstance(law, str):
        return Jet(law, 0.0, 0.0)

    def quantity(name: str) -> Scalar:
        jet = state.measure(name.removesuffix(RATE))
        return jet.first if name.endswith(RATE) else jet

    found = parse(law, owner).at(Scope(Jet(state.time, 1.0, 0.0), quantity, state.tables))
    return found if isinstance(found, Jet) else Jet(found, 0.0, 0.0)


def evaluated(expression: Expression, state: State) -> Scalar:
    """An expression, now."""

    def quantity(name: str) -> Scalar:
        jet = state.measure(name.removesuffix(RATE))
        return jet.first if name.endswith(RATE) else jet.value

    return expression.at(Scope(state.time, quantity, state.tables))


def quantities(laws: Iterable[Law], owner: str) -> list[str]:
    """The quantities that laws depend on, as they are written there."""
    texts = (law for law in laws if isinstance(law, str))
    return list(dict.fromkeys(name for text in texts for name in parse(text, owner).quantities))


def sources(laws: Iterable[Law], owner: str) -> list[str]:
    """The measures and points that laws depend on."""
    return list(dict.fromkeys(source(name) for name in quantities(laws, owner)))

"""Parameters, and numbers computed from them, as methods of the builder."""

from __future__ import annotations

import re
from keyword import iskeyword
from typing import Any, cast

from grashof.common.errors import ModelError
from grashof.model.building.base import Methods
from grashof.model.definitions import instead_of
from grashof.model.expressions import Scope, parse
from grashof.model.fields import Vector
from grashof.model.formula import SUM, Formula, value_of
from grashof.model.given import Number, number, row, text
from grashof.model.parameter import Parameter, fields_in_si
from grashof.model.paths import leaves
from grashof.model.units import UNITS, is_quantity


class ParameterMethods(Methods):
    """Parameters, for the builder."""

    def parameter(
        self, name: str, value: Number, *, unit: str = "", bounds: tuple[Number | None, Number | None] = (None, None)
    ) -> Formula:
        """Declares a parameter with its nominal value, SI unit and bounds.

        The returned formula can be used in arithmetic, and be given wherever a number is expected.

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("crank and rod")
        >>> L = m.parameter("L", "100 mm", bounds=(0.05, 0.2))
        >>> crank, rod = m.bar("crank", length=L, mass=1.0), m.bar("rod", length=3*L, mass="2*crank.mass")
        >>> m.model.defined
        {'crank.length': 'L', 'rod.length': '3*L', 'rod.mass': '2*crank.mass'}
        """
        m = self._mechanism
        words = f"Parameter '{text('The name of a parameter', name)}'"
        if name in m._parameters:
            raise ModelError(f"There is already a parameter '{name}'; give each parameter a name of its own.")
        lower, upper = row(f"{words}: bounds", bounds, 2)
        fields = fields_in_si(
            {"name": name, "value": value, "unit": text(f"{words}: unit", unit), "lower": lower, "upper": upper}
        )
        for bound in ("lower", "upper"):
            fields[bound] = None if fields[bound] is None else number(f"{words}: {bound}", fields[bound])
        fields["value"] = self._number(f"{words}: value", fields["value"])
        m._parameters[name] = Parameter(**fields)
        is_word = name.isidentifier() and not iskeyword(name)
        return Formula(name if is_word else f"`{name}`", value_of(fields["value"]))

    # -- inside

    def _number(self, what: str, value: Any, unit: str | None = None) -> float:
        """A number from a number, a string with a unit, or an expression of existing numbers.

        An expression becomes a `Formula`, which stays in the field until the description is complete.
        """
        if isinstance(value, str) and not is_quantity(value):
            value = Formula(str(value), self._evaluated(what, value), SUM)
        if isinstance(value, Formula):
            self._mechanism._has_formulas = True
            return cast(float, value)
        product = re.fullmatch(r"([-+.\d]+)\s*(\w+)", value) if isinstance(value, str) else None
        if product and product[2] in self._mechanism._parameters and product[2] not in UNITS:
            raise ModelError(f"{what} is '{value}'; write the product as '{product[1]}*{product[2]}'.")
        return number(what, value, unit)

    def _numbers(self, what: str, values: Any, count: int | None = None, unit: str | None = None) -> Vector:
        """A row of `count` such numbers."""
        return tuple(self._number(f"{what}[{i}]", x, unit) for i, x in enumerate(row(what, values, count)))

    def _evaluated(self, what: str, expression: str) -> float:
        """The value of an expression, with the numbers that the mechanism has so far."""
        m = self._mechanism
        law = parse(expression, what)
        if law.of_time or law.tables:
            raise ModelError(
                f"{what} is '{expression}'; it must be a number, or an expression of parameters and numbers."
            )
        known = m._known | {name: parameter.value for name, parameter in m._parameters.items()}
        if not known.keys() >= set(law.quantities):
            known = m._known = {path: leaf.value for path, leaf in leaves(m._unchecked()).items()}
        for name in law.quantities:
            if name not in known or isinstance(known[name], str):
                raise ModelError(
                    f"{what} is '{expression}', but the mechanism has no number '{name}'; {instead_of(name, known)}"
                )
        try:
            return float(law.at(Scope(0.0, lambda name: value_of(known[name]))))
        except (ArithmeticError, ValueError):
            raise ModelError(f"{what} is '{expression}', which has no value; change it.") from None

"""Checks that laws depend on existing quantities and call existing tables."""

from __future__ import annotations

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.expressions import FUNCTIONS, Expression
from grashof.model.model import Model
from grashof.model.quantities import moving_names


def check_expression(owner: str, expression: Expression, model: Model) -> None:
    """Checks all names in an expression."""
    for name in expression.tables:
        if name not in model.tables_by_name:
            known = [*FUNCTIONS, *model.tables_by_name]
            raise ModelError(
                f"{owner}: it calls '{name}', which is neither a function nor a table; {did_you_mean(name, known)}"
            )
    unknown = [name for name in expression.quantities if name not in model.parameter_values]
    known = moving_names(model) if unknown else []
    for name in unknown:
        if name not in known:
            own = f"if it is a number of your own, declare the parameter '{name}'; " if name.isidentifier() else ""
            raise ModelError(
                f"{owner}: it depends on '{name}', which is not a measure, a coordinate body.point.x, a rate "
                "of one of these, or a parameter; "
                f"{own}{did_you_mean(name, [*known, *model.parameter_values])}"
            )

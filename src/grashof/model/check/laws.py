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
            _refuse_effects(owner, name, model)
            own = f"if it is a number of your own, declare the parameter '{name}'; " if name.isidentifier() else ""
            raise ModelError(
                f"{owner}: it depends on '{name}', which is not a measure, a coordinate body.point.x, a rate of one of "
                f"these, or a parameter; {own}{did_you_mean(name, [*known, *model.parameter_values])}"
            )


def _refuse_effects(owner: str, name: str, model: Model) -> None:
    """Refuses accelerations, and forces of constraints: they follow from the forces that would depend on them."""
    carrier, _, kind = name.rpartition(".")
    reacts = carrier in model.joints_by_name and kind in REACTIONS
    drives = carrier in {x.name for x in model.own_couplings} and kind in ("torque", "force")
    if not reacts and not drives and not (kind == "acceleration" and carrier in moving_names(model)):
        return
    what = "the reaction of a joint" if reacts else "the effort of a motor or coupling" if drives else "an acceleration"
    raise ModelError(
        f"{owner}: it depends on '{name}', {what}. That follows from all forces at the same instant, so that a law or "
        f"an event which depends on it is an algebraic loop. Read it from a run, run['{name}'], or use a quantity of "
        "the motion, such as the deflection of a stiff spring; friction in proportion to a reaction is given by mu."
    )


REACTIONS = ("fx", "fy", "fz", "mx", "my", "mz")
"""The components of the reaction of a joint."""

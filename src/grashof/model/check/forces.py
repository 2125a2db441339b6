"""Checks what all forces have: coefficients that can be evaluated, and switches that make sense."""

from __future__ import annotations

import math

from grashof.common.errors import ModelError
from grashof.model.check.laws import check_expression
from grashof.model.expressions import parse
from grashof.model.forces import Force
from grashof.model.model import Model


def check_force(force: Force, model: Model) -> None:
    """Checks one force: its coefficients, then its own fields."""
    owner = f"Force '{force.name}'"
    for law in force.laws():
        if isinstance(law, str):
            check_expression(owner, parse(law, f"force '{force.name}'"), model)
        number = force.constant(law)
        if number is not None and not math.isfinite(number):
            raise ModelError(f"{owner}: the law '{law}' has no finite value; change it.")
    if force.events() and not force.active:
        raise ModelError(f"{owner}: active is false, and no event can switch a stop on; leave 'active' out.")
    force.check(owner, model)

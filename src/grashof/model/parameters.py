"""The numbers of a mechanism that can be varied, by their paths (see `paths`), and mechanisms with other numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.check import CheckedModel, check_changes
from grashof.model.definitions import recompute_values
from grashof.model.given import number
from grashof.model.laws import constant
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.paths import leaves, replace_values
from grashof.scalar.functions import Scalar

CHANGE = 1e-6
"""A small relative change of a number: far larger than round-off, and too small to have a practical effect."""


@dataclass(frozen=True)
class Number:
    """A number of a mechanism.

    value          value in SI units
    unit           SI unit; empty for a dimensionless number, and where the unit depends on other fields, as that of a
                   stop's stiffness depends on its exponent
    formula        the expression by which it is given; empty if there is none
    lower, upper   bounds of a declared parameter
    """

    value: Scalar
    unit: str
    formula: str = ""
    lower: float | None = None
    upper: float | None = None


def numbers(mechanism: Mechanism | Model) -> dict[str, Number]:
    """Lists all numbers of a mechanism that can be varied, by their paths; declared parameters by their names.

    A law with a constant value, such as "2*pi/60", is a number; a law that varies is not. Points of tables and curves
    are not listed.
    """
    model = mechanism.model if isinstance(mechanism, Mechanism) else mechanism
    declared = {parameter.name: parameter for parameter in model.parameters}
    found = {}
    for path, leaf in leaves(model).items():
        always = constant(leaf.value, f"'{path}'", model.parameter_values)
        if always is None or (isinstance(always, float) and math.isnan(always)):
            continue
        bounds = (declared[path].lower, declared[path].upper) if path in declared else (None, None)
        found[path] = Number(always, leaf.unit, model.defined.get(path, ""), *bounds)
    return found


def with_numbers(mechanism: Mechanism | Model, values: Mapping[str, Scalar]) -> Model:
    """Returns the mechanism with other values of some numbers, by path in SI units; numbers defined by them are
    recomputed.

    A number that was defined by an expression loses its definition if it is given here. Values may be scalars of any
    kind (see `grashof.scalar`), which are stored as they are; they are not checked (see `check_numbers`).
    """
    model = mechanism.model if isinstance(mechanism, Mechanism) else mechanism
    known = leaves(model)
    values = {path: value.item() if isinstance(value, np.generic) else value for path, value in values.items()}
    for path in values:
        if path not in known or constant(known[path].value, f"'{path}'", model.parameter_values) is None:
            raise ModelError(f"Mechanism '{model.name}' has no number '{path}'; {did_you_mean(path, numbers(model))}")
    changes = {known[path].place: value for path, value in recompute_values(model, values).items()}
    if not model.defined.keys().isdisjoint(values):
        changes[("defined",)] = {path: text for path, text in model.defined.items() if path not in values}
    return replace_values(model, changes)


def check_numbers(mechanism: Mechanism | Model, values: Mapping[str, float]) -> CheckedModel:
    """Like `with_numbers`, but refuses values that are not finite, are outside the bounds of a parameter, or are
    impossible, such as a negative mass."""
    plain = {path: number(f"'{path}'", value) for path, value in values.items()}
    model = as_model(mechanism)
    return check_changes(with_numbers(model, plain), model)


def check_changeable(mechanism: Mechanism | Model, names: Sequence[str]) -> None:
    """Refuses numbers that cannot be changed independently, such as one component of a direction."""
    known = numbers(mechanism)
    for name in names:
        value = known[name].value
        for change in (CHANGE, -CHANGE):
            try:
                check_numbers(mechanism, {name: value + change * (abs(value) or 1.0)})
            except ModelError as problem:
                refusal = problem
            else:
                break
        else:
            raise ModelError(f"'{name}' cannot be changed alone. {refusal}")

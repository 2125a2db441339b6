"""Checks that parameters have unique names, SI units and values within bounds, and that definitions make sense."""

from __future__ import annotations

from grashof.common.errors import ModelError
from grashof.model.check.names import RESERVED
from grashof.model.definitions import order_definitions
from grashof.model.expressions import CONSTANTS, FUNCTIONS
from grashof.model.model import Model
from grashof.model.parameter import Parameter
from grashof.model.units import read


def check_parameters(model: Model) -> None:
    """Checks all parameters, and the definitions that use them."""
    check_parameter_names(model)
    for parameter in model.parameters:
        _check_unit(parameter)
        _check_bounds(parameter)
    order_definitions(model)


def check_parameter_names(model: Model) -> None:
    """Checks, before any expression is evaluated, that the names of parameters are unambiguous in expressions."""
    measures = {measure.name for measure in model.measures}
    for parameter in model.parameters:
        _check_name(parameter.name, measures)


def _check_name(name: str, measures: set[str]) -> None:
    if name in RESERVED or name in FUNCTIONS or name in CONSTANTS or "`" in name:
        raise ModelError(f"Parameter '{name}': this name means something else in an expression; choose another.")
    if "." in name:
        raise ModelError(f"Parameter '{name}': the name has a dot, as paths such as 'rod.length' have; leave it out.")
    if name in measures:
        raise ModelError(f"Parameter '{name}': a measure has this name, too; rename one of them.")


def _check_unit(parameter: Parameter) -> None:
    if not parameter.unit:
        return
    unit = read(f"Parameter '{parameter.name}'", parameter.unit)
    if unit.factor != 1 or unit.pi != 0:
        raise ModelError(
            f"Parameter '{parameter.name}': unit is '{parameter.unit}', but numbers are kept in SI units; name the SI "
            f"unit, and give the value as a text such as '5 {parameter.unit}'."
        )


def _check_bounds(parameter: Parameter) -> None:
    value, lower, upper = parameter.value, parameter.lower, parameter.upper
    unit = f" {parameter.unit}" if parameter.unit else ""
    if lower is not None and upper is not None and not lower <= upper:
        raise ModelError(
            f"Parameter '{parameter.name}': its bounds are {lower} and {upper}{unit}; the lower one must be "
            "below the upper one."
        )
    if (lower is not None and value < lower) or (upper is not None and value > upper):
        between = f"{'−∞' if lower is None else lower} to {'∞' if upper is None else upper}{unit}"
        raise ModelError(
            f"Parameter '{parameter.name}' is {value}{unit}, beyond its bounds, {between}; give it a value "
            "within them, or wider bounds."
        )

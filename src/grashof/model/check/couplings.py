"""Couplings and motors tie measures that there are; their laws exist where the motion starts."""

from __future__ import annotations

import math

from grashof.errors import ModelError, did_you_mean
from grashof.model.couplings import Linear, Motor
from grashof.model.measures import Measure, Separation
from grashof.model.model import Model
from grashof.scalar.jet import Jet


def check_coupling(coupling: Linear, model: Model) -> None:
    """One coupling: what it ties, with which factors, and its law."""
    owner = f"Coupling '{coupling.name}'"
    if not coupling.terms:
        raise ModelError(f"{owner}: it has no terms; give each measure that it ties a factor.")
    for name, factor in coupling.terms.items():
        if name not in model.quantities:
            raise ModelError(
                f"{owner}: there is no measure '{name}'; {did_you_mean(name, [*model.all_measures, *model.quantities])}"
            )
        if factor == 0.0:
            raise ModelError(f"{owner}: the factor of '{name}' is 0; give another one or leave the measure out.")
    _check_laws(owner, coupling, model.start.time)


def check_motors(model: Model) -> None:
    """All motors: each drives a measure of its own."""
    drivers: dict[str, str] = {}
    for motor in model.motors:
        owner = f"Motor '{motor.name}'"
        measure = model.quantities.get(motor.target)
        if measure is None:
            raise ModelError(
                f"{owner}: there is no measure '{motor.target}' to drive; "
                f"{did_you_mean(motor.target, model.all_measures)}"
            )
        if motor.target in drivers:
            raise ModelError(
                f"{owner} drives '{motor.target}', which motor '{drivers[motor.target]}' drives already; "
                "remove one of them."
            )
        drivers[motor.target] = motor.name
        _check_law(owner, motor, measure, model.start.time)


def _check_law(owner: str, motor: Motor, measure: Measure, time: float) -> None:
    """The law, its rate and its acceleration must exist where the motion starts; a distance is positive there."""
    (f,) = _check_laws(owner, motor, time)
    if isinstance(measure, Separation) and f.value <= 0.0:
        raise ModelError(
            f"{owner}: the law '{motor.law}' starts at {f.value} m; a driven distance must start positive."
        )


def _check_laws(owner: str, coupling: Linear | Motor, time: float) -> list[Jet]:
    """The functions of time in a coupling at the start, with their rates and accelerations, all finite."""
    try:
        laws = coupling.laws(Jet(time, 1.0, 0.0))
    except ModelError:  # it cannot be read
        raise
    except (ArithmeticError, ValueError):
        laws = [math.nan]
    found = [law if isinstance(law, Jet) else Jet(law, 0.0, 0.0) for law in laws]
    if not all(math.isfinite(x) for f in found for x in (f.value, f.first, f.second)):
        raise ModelError(
            f"{owner}: the law '{coupling.law}' has no finite value, rate and acceleration at the start, "
            f"t = {time} s; change the law or the start time."
        )
    return found

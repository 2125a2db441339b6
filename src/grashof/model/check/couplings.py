"""Checks that couplings and motors refer to existing measures, and that their laws are defined at the start."""

from __future__ import annotations

import math

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.bodies import GROUND
from grashof.model.couplings import Coupling, Motor
from grashof.model.measures import Measure
from grashof.model.model import Model
from grashof.model.validation import check_two_bodies
from grashof.scalar.jet import Jet


def check_coupling(coupling: Coupling, model: Model) -> None:
    """Checks one coupling: its measures, its numbers, and its laws."""
    owner = f"Coupling '{coupling.name}'"
    known = model.quantities
    coupling.check(owner)
    if coupling.planar and model.dimension == 3:
        raise ModelError(f"{owner}: this kind of coupling is for the plane; the mechanism has dimension 3.")
    if coupling.places:
        a, b = (getattr(coupling, field) for field in coupling.places)
        check_two_bodies(owner, model, a, b, "which cannot move relative to itself")
    for name in coupling.names:
        if name not in known:
            raise ModelError(
                f"{owner}: there is no measure '{name}'; "
                f"{did_you_mean(name, dict.fromkeys([*model.all_measures, *known]))}"
            )
        if coupling.names.count(name) > 1:
            raise ModelError(f"{owner}: it ties '{name}' to itself; give it measures that differ.")
    for fields, unit, kind in (
        (coupling.angles, "rad", "an angle"),
        (coupling.lengths, "m", "a coordinate or a distance"),
    ):
        for field in fields:
            name = getattr(coupling, field)
            if name != GROUND and known[name].unit != unit:
                raise ModelError(f"{owner}: {field} is '{name}', which is in {known[name].unit}; it must be {kind}.")
    for field in (*coupling.positive, *coupling.not_zero):
        _check_number(f"{owner}: {field}", getattr(coupling, field), may_be_negative=field in coupling.not_zero)
    if not coupling.measures(known):
        raise ModelError(f"{owner}: nothing in it can move; give it at least one measure.")
    _check_laws(owner, coupling, model.start.time)


def _check_number(words: str, given: float | tuple[float, ...], *, may_be_negative: bool) -> None:
    values = given if isinstance(given, tuple) else (given,)
    if 0.0 in values:
        raise ModelError(f"{words} is {given}; it must not be zero.")
    if min(values) < 0.0 and not may_be_negative:
        raise ModelError(f"{words} is {given}; it must be positive.")


def check_motors(model: Model) -> None:
    """Checks all motors, each of which must drive a different measure."""
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
        if (motor.law is None) == (motor.speed is None):
            raise ModelError(f"{owner}: it must have either a law or a speed.")
        _check_law(owner, motor, measure, model.start.time)


def _check_law(owner: str, motor: Motor, measure: Measure, time: float) -> None:
    """Checks that the law, its rate and its acceleration exist at the start, and that a distance is positive there."""
    (f,) = _check_laws(owner, motor, time)
    if measure.never_negative and not motor.open and f.value <= 0.0:
        raise ModelError(
            f"{owner}: the law '{motor.law}' starts at {f.value} m; a driven distance must start positive."
        )


def _check_laws(owner: str, coupling: Coupling | Motor, time: float) -> list[Jet]:
    """The functions of time in a coupling at the start, with rates and accelerations, which must all be finite."""
    try:
        laws = coupling.laws(Jet(time, 1.0, 0.0))
    except ModelError:  # it cannot be parsed
        raise
    except (ArithmeticError, ValueError):
        laws = [math.nan]
    found = [law if isinstance(law, Jet) else Jet(law, 0.0, 0.0) for law in laws]
    if not all(math.isfinite(x) for f in found for x in (f.value, f.first, f.second)):
        law = getattr(coupling, "speed", None) or getattr(coupling, "law", "")
        raise ModelError(
            f"{owner}: the law '{law}' has no finite value, rate and acceleration at the start, "
            f"t = {time} s; change the law or the start time."
        )
    return found

"""Motors that contradict the initial conditions."""

from __future__ import annotations

import math

from grashof.model.model import Model
from grashof.scalar.jet import Jet

AGREE = 1e-9
"""The tolerance within which a need and a motor agree, relative to the motor's value or rate."""


def motor_against_need(model: Model) -> str | None:
    """A message about a motor that contradicts the value or rate of a need; None if there is no such motor."""
    driven = {motor.target: motor for motor in model.motors}
    time = model.start.time
    for need in model.start.needs:
        if (motor := driven.get(need.quantity)) is None:
            continue
        unit = model.quantities[need.quantity].unit
        now = motor.value(Jet(time, 1.0, 0.0))
        value, rate = (now.value, now.first) if isinstance(now, Jet) else (now, 0.0)
        off = 0.0 if need.value is None or motor.open else need.value - value
        if unit == "rad":
            off = math.remainder(off, 2.0 * math.pi)
        if abs(off) > AGREE * max(1.0, abs(value)):
            return (
                f"motor '{motor.name}' puts {need.quantity} at {value:.6g} {unit} at t = {time:g} s, but the "
                f"start needs {need.value:.6g} {unit}. "
                "Change one of them, or give the motor a speed: it then starts from what the start needs."
            )
        if need.rate is not None and abs(need.rate - rate) > AGREE * max(1.0, abs(rate)):
            return (
                f"motor '{motor.name}' moves {need.quantity} at {rate:.6g} {unit}/s at t = {time:g} s, but the start "
                f"needs {need.rate:.6g} {unit}/s. Change one of them."
            )
    return None

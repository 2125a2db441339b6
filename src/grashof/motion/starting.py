"""Starts taken from elsewhere: the position and velocities of another motion, or values of quantities by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import numpy as np
from msgspec.structs import replace

from grashof.common.errors import ModelError, did_you_mean
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.system import System
from grashof.formulation.natural.turning import angular_velocity
from grashof.geometry.poses import poses_at
from grashof.model.check import vouch_for
from grashof.model.model import Model
from grashof.model.start import Condition, Start
from grashof.model.state import RATE
from grashof.quantities.catalog import catalog_of
from grashof.quantities.snapshot import CoordinateSnapshot

MISSED = 1e-6
"""A value that a start was given is missed if the start differs from it by more, relative to its size if larger
than 1."""


@runtime_checkable
class StartingPoint(Protocol):
    """A motion or position in which another motion can begin."""

    def as_start(self) -> Start:
        """The initial conditions of a motion that begins there."""


GivenStart = Start | StartingPoint | Mapping[str, float]
"""What `simulate` takes as `start`."""


def start_at(system: System, time: float, q: np.ndarray, v: np.ndarray, angles: Mapping[str, float]) -> Start:
    """The start at coordinates q with velocities v. Positions become guesses, which are consistent, velocities
    become wants, which can all be met, and so do angles, because of their whole turns."""
    state = SystemState(system, time, q.tolist(), v.tolist())
    wants = [Condition(name, value=float(value)) for name, value in angles.items()]
    for body in system.model.bodies:
        if system.dimension == 3:
            directions = [[state.jet(x) for x in d] for d in system.frames[body.name].directions]
            spin = tuple(float(x) for x in angular_velocity(directions))
            wants.append(Condition(body.name, angular_velocity=spin))
        else:
            wants.append(_rate(state, f"{body.name}.angle"))
        points = [name for name in system.model.points if name.rpartition(".")[0] == body.name]
        wants += [_rate(state, f"{name}.{axis}") for name in points[:1] for axis in "xyz"[: system.dimension]]
    return Start(time, poses_at(system, q), (), tuple(wants))


def _rate(state: SystemState, name: str) -> Condition:
    return Condition(name, rate=float(state.measure(name).first))


def begin_at(model: Model, given: GivenStart) -> Model:
    """A mechanism that begins elsewhere: its needs and wants are replaced, and so are its guesses unless the start
    consists of values by name."""
    if isinstance(given, Mapping):
        start = _start_of_values(model, given)
    else:
        start = given.as_start() if isinstance(given, StartingPoint) else given
        known = {body.name for body in model.bodies}
        strange = [name for name in start.guesses if name not in known]
        if strange:
            raise ModelError(
                f"The start gives the position of a body '{strange[0]}', which mechanism '{model.name}' does not have; "
                f"{did_you_mean(strange[0], known)} A start can be taken from a mechanism with the same bodies only."
            )
    return vouch_for(replace(model, start=start))


def _start_of_values(model: Model, given: Mapping[str, float]) -> Start:
    """Values and rates of coordinates and measures as wants; `t` is the time. Other quantities of a motion, which
    follow from these, are left out."""
    catalog, wants = catalog_of(model), []
    for name, value in given.items():
        quantity = name.removesuffix(RATE)
        if not np.isfinite(value):
            raise ModelError(f"The start gives '{name}' the value {value}; it must be a finite number.")
        if quantity in model.quantities:
            wants.append(
                Condition(quantity, rate=float(value)) if name != quantity else Condition(quantity, float(value))
            )
        else:
            catalog[name]  # refuses a name that is not one of its quantities
    if not wants:
        raise ModelError(
            f"The start of mechanism '{model.name}' gives no value of a coordinate or measure; give some by name, such "
            f"as {{'{next(iter(model.quantities), 'rod.angle')}': 0.0}}."
        )
    return Start(float(given.get("t", model.start.time)), model.start.guesses, (), tuple(wants))


def check_values(given: GivenStart, now: CoordinateSnapshot) -> None:
    """Refuses a start in which a value given by name is missed."""
    values = given if isinstance(given, Mapping) else {}
    found: dict[str, float] = {}
    for name in values:
        quantity = name.removesuffix(RATE)
        if quantity in now.model.quantities:
            jet = now.measure(quantity)
            found[name] = float(jet.first if name != quantity else jet.value)
    off = {key: abs(found[key] - values[key]) / max(1.0, abs(values[key])) for key in found}
    worst = max(off, key=lambda key: off[key], default="")
    if worst and off[worst] > MISSED:
        raise ModelError(
            f"Mechanism '{now.model.name}' cannot start with '{worst}' at {values[worst]:.6g}: with the other values "
            f"that the start gives, the nearest is {found[worst]:.6g}. Give fewer values, or ones that fit together."
        )

"""Couplings that keep the value they have at the start, and motors that continue from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import msgspec

from grashof.assembly.assemble import assemble
from grashof.assembly.positions import angles_near, closed_position
from grashof.assembly.whole_turns import value_of
from grashof.common.errors import ModelError
from grashof.formulation.natural.equations import Dynamics, make_dynamics
from grashof.formulation.natural.system import System, with_couplings_of
from grashof.model.couplings import CouplingBase
from grashof.model.model import Model
from grashof.scalar.functions import Scalar

AnyCoupling = TypeVar("AnyCoupling", bound=CouplingBase)


def enter_initial_offsets(system: System) -> System:
    """The mechanism with the initial values entered in all couplings that do not give one."""
    values = initial_offsets(system)
    return with_couplings_of(system, with_offsets(system.model, values)) if values else system


def initial_offsets(system: System) -> dict[str, float]:
    """These values, by the names of couplings and motors; they are found from the start without these couplings."""
    model, time = system.model, system.model.start.time
    if not any(coupling.open for coupling in model.all_couplings):
        return {}
    q = closed_position(_without_open(system)).q
    angles = angles_near(system, time, q)
    found = {}
    for coupling in (x for x in model.all_couplings if x.open):
        measures = coupling.measures(model.quantities)
        try:
            values = [angles[m.name] if m.name in angles else value_of(system, m, q) for m in measures]
            found[coupling.name] = float(coupling.equation(values, time))
        except (ArithmeticError, ValueError):
            raise ModelError(
                f"Coupling '{coupling.name}' has no value where the mechanism '{model.name}' starts; change "
                "the coupling or the start."
            ) from None
    return found


def free_at_start(system: System) -> int:
    """How many degrees of freedom the start leaves open before the couplings without a given value take theirs."""
    return assemble(_without_open(system)).free


def _without_open(system: System) -> Dynamics:
    """The dynamics without the couplings that keep their initial value."""
    return make_dynamics(replace(system, couplings=tuple(row for row in system.couplings if not row.coupling.open)))


def with_offsets(model: Model, values: Mapping[str, Scalar]) -> Model:
    """The mechanism with these values entered in the couplings that keep their initial value."""
    if not values:
        return model

    def enter(coupling: AnyCoupling) -> AnyCoupling:
        return coupling.kept(values[coupling.name]) if coupling.name in values else coupling

    couplings, motors = (tuple(map(enter, some)) for some in (model.couplings, model.motors))
    return msgspec.structs.replace(model, couplings=couplings, motors=motors)

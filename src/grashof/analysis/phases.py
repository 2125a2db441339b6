"""Couplings that keep the value which they have at the start."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from grashof.analysis.start import angles_near, closed_position, value_of
from grashof.dynamics.equations import make_dynamics
from grashof.model.model import Model
from grashof.system.system import compile_system


def with_phases(model: Model) -> Model:
    """The mechanism with that value in each coupling which does not give one: found where it starts without these couplings."""
    if not any(coupling.open for coupling in model.couplings):
        return model
    system = compile_system(model)
    known = tuple(row for row in system.couplings if not row.coupling.open)
    time = model.start.time
    q = closed_position(make_dynamics(replace(system, couplings=known))).q
    angles = angles_near(system, time, q)
    couplings = []
    for coupling in model.couplings:
        if coupling.open:
            measures = coupling.measures(model.quantities)
            values = [angles[m.name] if m.name in angles else value_of(system, m, q) for m in measures]
            coupling = coupling.kept(float(coupling.equation(values, time)))
        couplings.append(coupling)
    return msgspec.structs.replace(model, couplings=tuple(couplings))

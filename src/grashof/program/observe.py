"""Quantities of a traced motion and their rates."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grashof.formulation.protocol import Formulation
from grashof.model.events import Event
from grashof.model.model import Model
from grashof.program.examination import held
from grashof.quantities.catalog import catalog_of, work_done
from grashof.quantities.snapshot import CoordinateSnapshot
from grashof.scalar.functions import Scalar
from grashof.tape.differentiate import rates_of
from grashof.tape.node import Node
from grashof.tape.open import as_node


def observed(dynamics: Formulation, names: Sequence[str], x: Sequence[Node]) -> list[Scalar]:
    """The values of quantities (of those that count from the start, up to a constant), then their rates; then the
    kinetic and potential energies and the work done, up to a constant, J, and the least cos(θ − f) of the angles
    that motors prescribe, which is 1 unless one of them slipped."""
    model, layout, rates = dynamics.model, dynamics.layout, dynamics.derivative(x)
    t, _, _, e = layout.split(x)
    state = dynamics.state(x)
    now = CoordinateSnapshot(model, dynamics.natural, state, e, lambda: dynamics.natural_rates(x, rates))
    known = catalog_of(model).known(now)
    values = [as_node(known[name].value(now)) for name in names]
    return [
        *values,
        *rates_of(values, x, [1.0, *x[1:][layout.sizes.of_direct_v], *map(as_node, rates)]),
        now.kinetic,
        now.potential,
        work_done(now),
        held(dynamics.natural, t, state.q),
    ]


def tracking(model: Model, observe: Sequence[str]) -> Model:
    """The description with the observed angles among the states, so that their whole turns are tracked."""
    angles = [name for name in observe if name in model.all_measures and model.all_measures[name].winds]
    events = [Event(name=f"observed {name}", quantity=f"`{name}`") for name in angles]
    return msgspec.structs.replace(model, events=(*model.events, *events)) if angles else model

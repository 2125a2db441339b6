"""Whether rigid stops are respected."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.protocol import Formulation
from grashof.model.forces.stop import LIMITS
from grashof.model.model import Model

Array = NDArray[np.float64]


def unit_of_stop(model: Model, name: str) -> str:
    """The unit of what a stop limits, m or rad."""
    stop = next(stop for force in model.all_forces if (stop := force.stop) and stop.name == name)
    return model.quantities[stop.measure].unit


def beyond(dynamics: Formulation, t: Array, y: Array, *, rigid: bool = True) -> dict[str, Array]:
    """For each rigid stop, or for each compliant one, how far its measure is beyond a limit at times t and states y
    (times, size): m or rad; negative inside the limits."""
    stops = [stop for force in dynamics.model.all_forces if (stop := force.stop) and stop.rigid is rigid]
    if not stops:
        return {}
    motion = dynamics.state([t, *y.T])
    found = {}
    for stop in stops:
        value = np.broadcast_to(np.asarray(motion.measure(stop.measure).value, float), t.shape)
        found[stop.name] = np.max([LIMITS[which] * (value - limit) for which, limit in stop.limits], axis=0)
    return found

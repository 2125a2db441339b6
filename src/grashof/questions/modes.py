"""The modes of a mechanism: about its position at rest, or about its start as it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grashof.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.questions.descent import BALANCED
from grashof.questions.equations import assembled, start_point
from grashof.questions.equilibrium import equilibrium
from grashof.questions.linearised import Modes, modes_at


def modes(mechanism: Mechanism | Model, *, at: str = "equilibrium") -> Modes:
    """Eigenvalues, frequencies, damping and shapes of the linearised motion.

    at   "equilibrium": about the position into which the mechanism settles from its start (see `equilibrium`);
         "start": about the start, which should be at rest; what is not balanced there is told

    >>> m = Mechanism("double pendulum", gravity=(0, -9.81))
    >>> first, second = m.bar("first", length=1.0, mass=1.0), m.bar("second", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), first.start)
    >>> _ = m.revolute(first.end, second.start)
    >>> [round(mode.frequency, 6) for mode in modes(m)]
    [0.426553, 1.144113]
    """
    if at == "equilibrium":
        return equilibrium(mechanism).modes
    if at != "start":
        raise ModelError(f"Modes are asked for at {at!r}; it must be 'equilibrium' or 'start'.")
    equations, assembly = assembled(mechanism)
    start = start_point(equations, assembly)
    multipliers, rest = equations.balance(start.t, start.q, start.turns)
    found = modes_at(equations, assembly, start.at_rest(multipliers))
    forces = equations.forces(start.t, start.q, 0.0 * start.v, start.turns)
    left, acting = (float(np.max(np.abs(x), initial=0.0)) for x in (rest, forces))
    remark = found.remark
    if left > BALANCED * acting:
        remark = (
            f"The start is not at rest: {left:.3g} N of {acting:.3g} N are not balanced. These are the modes of the equations frozen there, "
            f"which depend on the coordinates chosen. {remark}"
        ).rstrip()
    return replace(found, remark=remark)

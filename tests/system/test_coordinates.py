"""Natural coordinates of a body: which points and directions are chosen."""

from __future__ import annotations

import numpy as np

from grashof.model.mechanism import Mechanism
from grashof.system.system import compile_system


def test_directions_of_a_body_are_far_from_parallel() -> None:
    """Two jointed points seen from a third under an angle of three degrees are no basis: rounding would grow thirty-fold."""
    m = Mechanism("plate", gravity=(0, 0, -9.81))
    plate = m.body(
        "plate", mass=1.0, inertia=(1.0, 1.0, 1.0), points={"o": (0, 0, 0), "a": (1, 0, 0), "b": (1, 0.05, 0)}
    )
    m.spherical(m.ground.at(0, 0, 0), plate.o)
    for name, place in (("a", (1.0, 0.0, 0.0)), ("b", (1.0, 0.05, 0.0))):
        weight = m.body(f"weight {name}", mass=1.0, inertia=(1.0, 1.0, 1.0), points={"p": (0, 0, 0)}, position=place)
        m.spherical(getattr(plate, name), weight.p)
    directions = compile_system(m.model).frames["plate"].directions_local
    units = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    assert len(units) == 3
    assert np.linalg.cond(units) < 5.0

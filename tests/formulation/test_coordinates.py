"""Natural coordinates of a body: which points and directions are chosen."""

from __future__ import annotations

import numpy as np

import grashof as gr
from grashof.assembly.guess import starting_coordinates
from grashof.formulation.natural.system import compile_system
from grashof.model.fields import unit
from grashof.model.mechanism import Mechanism

from ..linkages import SARRUS, revolute_loop


def test_directions_of_a_body_are_far_from_parallel() -> None:
    """Two jointed points seen from a third under an angle of three degrees are no basis: rounding would grow
    thirty-fold."""
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


def test_an_axis_nearly_in_the_plane_of_others_keeps_its_digits() -> None:
    """Sarrus's linkage with hinges along (1, 4e-6, 3e-6) and (−4e-6, 1, −2e-6), drawn where it closes: all rows hold
    there.

    Two hinges of the body between the legs, and its pins, are nearly in one plane.
    """
    pins, _ = SARRUS
    axes = [unit((1.0, 4e-6, 3e-6))] * 3 + [unit((-4e-6, 1.0, -2e-6))] * 3
    model = revolute_loop("Sarrus", pins, axes).model
    system = compile_system(model)
    q = starting_coordinates(system).tolist()
    assert max(abs(row.expression.at(q)) for row in system.rows) < 1e-10
    assert gr.build(model).assembly.residual[0] < 1e-12

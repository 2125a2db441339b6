"""Functions of user forces keep their identity under a name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.forces.user_force import allow, register, resolve


def test_functions_made_in_a_loop_are_not_confused() -> None:
    laws = [lambda t, p, v, gain=gain: [gain] for gain in (1.0, 2.0, 3.0)]
    names = [register(law) for law in laws]
    assert len(set(names)) == 3
    assert [resolve(name) for name in names] == laws


def test_a_function_registered_twice_keeps_its_name() -> None:
    def law(t: Any, p: Any, v: Any) -> list[Any]:
        return [0.0]

    assert register(law) == register(law)


def test_an_unknown_function_is_refused() -> None:
    with pytest.raises(ModelError, match="'nowhere:law' is code and was not loaded"):
        resolve("nowhere:law")


def test_allowing_imports_a_function() -> None:
    allow("math:hypot")
    assert resolve("math:hypot")(3.0, 4.0) == 5.0


def pulse(t: Any, positions: list[Any], velocities: list[Any]) -> list[Any]:
    """6 N along x between 0.25 s and 0.75 s, and a drag, as anyone would write them."""
    along = np.array([1.0, 0.0])
    return [np.where((t > 0.25) & ~(t > 0.75), 6.0, 0.0) * along - 0.5 * np.array(velocities[0])]


def test_a_force_is_written_as_for_numpy() -> None:
    """2 kg: v̇ = 3 during half a second, and −v/4."""
    m = gr.Mechanism("block")
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    m.user_force(pulse, on=[block.p])
    run = gr.simulate(m, 2.0)
    v = 12.0 * (1.0 - np.exp(-0.125)) * np.exp(-0.25 * 1.25)
    assert run["block.p.x.rate"][-1] == pytest.approx(v, rel=1e-7)

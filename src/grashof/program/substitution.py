"""Equations over open numbers with plain numbers put in: what was decided for the open numbers stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Form, Quadratic
from grashof.formulation.natural.system import System, with_couplings_of
from grashof.model.model import Model
from grashof.tape.node import Recorder
from grashof.tape.open import Open

PARTS = ("frames", "mass", "gravity", "rows")
"""The parts of a system that contain numbers, apart from those of the description and the rows of couplings, which
are made from it."""


class Substitution:
    """The equations of a mechanism over open numbers, and the same for certain values of these.

    further   forms that belong to the equations
    """

    def __init__(self, recorder: Recorder, dynamics: Dynamics, further: Sequence[Form] = ()) -> None:
        self._dynamics = dynamics
        system = dynamics.system
        self._parts = ({name: getattr(system, name) for name in PARTS}, dynamics.kkt, tuple(further))
        self._opened = open_numbers(self._parts)
        self._tape = recorder.tape([number.node for number in self._opened])

    def at(self, values: Sequence[float], model: Model) -> tuple[Dynamics, tuple[Form, ...]]:
        """The equations for these values of the inputs, which the description has already, and the further forms."""
        found = iter(self._tape.evaluate([*values, *[0.0] * (self._tape.inputs - len(values))]))
        parts, kkt, further = _put(self._parts, lambda _: float(next(found)))
        system: System = replace(self._dynamics.system, **parts)
        dynamics = replace(self._dynamics, system=with_couplings_of(system, model), kkt=kkt)
        # a coefficient that is zero for these values would take the work of its force out of the state
        acting = {force.name: force for force in model.acting}
        vars(dynamics)["dissipative"] = tuple(acting[force.name] for force in self._dynamics.dissipative)
        return dynamics, further


def open_numbers(parts: Any) -> list[Open]:
    """All open numbers in some parts."""
    found: list[Open] = []

    def note(number: Open) -> float:
        found.append(number)
        return number.value

    _put(parts, note)
    return found


def _put(parts: Any, number: Callable[[Open], float]) -> Any:
    """Parts with numbers in place of open ones; what is shared stays shared."""
    done: dict[int, Any] = {}

    def put(x: Any) -> Any:
        if isinstance(x, Open):
            return number(x)
        if isinstance(x, float | int | str) or x is None:
            return x
        if id(x) not in done:
            done[id(x)] = made(x)
        return done[id(x)]

    def made(x: Any) -> Any:
        if isinstance(x, Form):
            return Form({i: put(a) for i, a in x.terms.items()}, put(x.constant))
        if isinstance(x, Quadratic):
            return Quadratic([(put(w), put(f), put(g)) for w, f, g in x.products], put(x.linear))
        if isinstance(x, np.ndarray):
            return np.array([put(y) for y in x.ravel()], float).reshape(x.shape) if x.dtype == object else x
        if isinstance(x, dict):
            return {key: put(y) for key, y in x.items()}
        if isinstance(x, list | tuple):
            return type(x)(put(y) for y in x)
        return replace(x, **{field.name: put(getattr(x, field.name)) for field in fields(x)})

    return put(parts)

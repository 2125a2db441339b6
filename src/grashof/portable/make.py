"""A mechanism that is about to leave Python: its code, and which of its numbers are parameters and inputs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grashof.common.errors import ModelError
from grashof.common.wording import some
from grashof.live.make import SessionCode, session_code
from grashof.live.numbers import bounds_of, candidates
from grashof.model.check import CheckedModel
from grashof.model.inputs import drives_motor
from grashof.model.parameters import numbers as numbers_of
from grashof.quantities.catalog import Catalog, catalog_of
from grashof.simulation.options import Options

MOST = 200
"""Largest number of quantities that are outputs by default."""


@dataclass(frozen=True)
class Variable:
    """A parameter, an input or an output.

    start     nominal value of a number
    least, most   its bounds
    """

    name: str
    unit: str
    start: float = 0.0
    least: float = -math.inf
    most: float = math.inf


@dataclass(frozen=True, eq=False)
class Portable:
    """A mechanism that is about to leave Python.

    numbers      parameters, then inputs that are forces, then inputs that are speeds of motors
    counts       how many there are of each kind
    """

    model: CheckedModel
    code: SessionCode
    numbers: tuple[Variable, ...]
    counts: tuple[int, int, int]
    outputs: tuple[Variable, ...]

    @property
    def catalog(self) -> Catalog:
        """The quantities of the mechanism."""
        return catalog_of(self.model)

    @property
    def begin(self) -> float:
        """Start time, s."""
        return self.code.session.state[0]

    @property
    def end(self) -> float:
        """Default stop time, s."""
        return self.code.task.t_end


def identifier(name: str) -> str:
    """A name as one of C.

    >>> identifier("Slider-crank (2)"), identifier("5 bars"), identifier("?")
    ('Slider_crank_2', 'm_5_bars', 'mechanism')
    """
    plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "mechanism"
    return f"m_{plain}" if plain[0].isdigit() else plain


def make_portable(
    model: CheckedModel,
    t_end: float | None,
    *,
    parameters: Sequence[str] | None,
    inputs: Sequence[str],
    outputs: Sequence[str] | None,
    options: Options,
    place: str,
) -> Portable:
    """Compiles a mechanism; see `grashof.export`."""
    inputs = tuple(dict.fromkeys(inputs))
    forces = [name for name in inputs if not drives_motor(model, name)]
    motions = [name for name in inputs if drives_motor(model, name)]
    observed = tuple(_default_outputs(model) if outputs is None else outputs)
    code = None
    for chosen in _choices(model, parameters, inputs):
        try:
            code = session_code(
                model,
                t_end,
                numbers=(*chosen, *forces, *motions),
                observe=(*observed, *_turning(model, observed)),
                options=options,
                held=False,
                place=place,
            )
        except ModelError:
            if parameters is not None or not chosen:
                raise
            continue
        break
    assert code is not None
    opened, catalog = code.made.open_code, catalog_of(model)
    scales = opened.scales.tolist() if opened else []
    found = tuple(_variable(model, name, scale) for name, scale in zip(code.names, scales, strict=True))
    counts = len(found) - len(inputs), len(forces), len(motions)
    return Portable(model, code, found, counts, tuple(Variable(x, catalog[x].unit) for x in observed))


def _choices(model: CheckedModel, parameters: Sequence[str] | None, inputs: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Lists of parameters to try."""
    if parameters is not None:
        twice = [name for name in parameters if name in inputs]
        if twice:
            raise ModelError(f"{some(twice, 3)} cannot be a parameter and an input at the same time; name it once.")
        yield tuple(dict.fromkeys(parameters))
        return
    for chosen in candidates(model):
        yield tuple(name for name in chosen if name not in inputs)
    yield ()


def _variable(model: CheckedModel, name: str, scale: float) -> Variable:
    number = numbers_of(model)[name]
    value = float(number.value)
    least, most = bounds_of(model, name, value, scale)
    least = number.lower if number.lower is not None else least
    most = number.upper if number.upper is not None else most
    return Variable(name, number.unit, value, -math.inf if least is None else least, math.inf if most is None else most)


def _turning(model: CheckedModel, outputs: Sequence[str]) -> list[str]:
    """Angles along which forces act, whose whole turns their work depends on; those that are outputs are known."""
    targets = [name for force in model.all_forces for name in force.targets()]
    angles = [name for name in targets if name in model.quantities and model.quantities[name].winds]
    return [name for name in dict.fromkeys(angles) if name not in outputs]


def _default_outputs(model: CheckedModel) -> list[str]:
    """All measures and the coordinates of all points, and the energies."""
    return [*list(model.quantities)[:MOST], "kinetic", "potential"]

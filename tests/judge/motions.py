"""Results of Grashof's own runs, as any other tool would hand them in."""

from __future__ import annotations

from functools import cache

import msgspec
import numpy as np

from grashof.problems import Case, make_case
from grashof.program import build
from grashof.simulation.simulate import simulate

Columns = dict[str, np.ndarray]


@cache
def _run(name: str, variant: str | None, gravity: float | None, parameters: tuple[tuple[str, float], ...]) -> Columns:
    case = make_case(name, variant, dict(parameters))
    model = case.model if gravity is None else msgspec.structs.replace(case.model, gravity=(0.0, -gravity))
    run = simulate(build(model), case.t_end, tol=1e-8, times=case.times(case.t_end))
    assert run.status.ok
    return {column.name: column.value(run) for column in case.columns}


def result(
    name: str, variant: str | None = None, gravity: float | None = None, **parameters: float
) -> tuple[Case, Columns]:
    """A case, and the official columns of a run of it at tolerance 1e-8."""
    columns = _run(name, variant, gravity, tuple(parameters.items()))
    return make_case(name, variant, parameters), dict(columns)

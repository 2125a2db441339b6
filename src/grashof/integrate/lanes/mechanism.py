"""The tapes of a mechanism that lanes run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from grashof.analysis.nodes import SIDES, independent_rows
from grashof.dynamics.equations import Dynamics
from grashof.integrate.lanes.runs import LaneIntegrator
from grashof.scalar.functions import Scalar
from grashof.tape import trace

Function = Callable[[Scalar, Sequence[Scalar], Sequence[Scalar], Sequence[Scalar]], Sequence[Scalar]]
"""Of t, q, v and e."""


def lanes_of(
    dynamics: Dynamics,
    t: float,
    y: np.ndarray,
    redundant: int = 0,
    observe: Function | None = None,
    lanes: int | None = None,
) -> LaneIntegrator:
    """Many runs of a mechanism, without coefficients.

    t, y        a regular state, in which rows are chosen that are independent
    redundant   rows that others imply
    lanes       runs at once; as many as suit the processor unless given
    """
    layout = dynamics.layout
    size = 1 + layout.size
    functions: dict[str, Function] = {"derivative": dynamics.derivative, "project": dynamics.project}
    if observe is not None:
        functions["observe"] = observe
    tapes = {name: trace(lambda x, _, of=of: of(*layout.split(x)), size, 0) for name, of in functions.items()}
    pattern = dynamics.kkt.pattern
    if not dynamics.closed or len(pattern) > SIDES:
        return LaneIntegrator(tapes, layout.n, layout.extra, len(layout.works), lanes=lanes)
    chosen = independent_rows(dynamics, t, y, redundant)

    def gradients(x: Sequence[Scalar], _: Sequence[Scalar]) -> list[Scalar]:
        at, q, _, e = layout.split(x)
        rows = dynamics.kkt.rows(dynamics.jacobian(at, q, dynamics.turns(e)))
        return [entry for k in chosen for entry in rows[k].values()]

    tapes["gradients"] = trace(gradients, size, 0)
    independent = [pattern[k] for k in chosen]
    return LaneIntegrator(tapes, layout.n, layout.extra, len(layout.works), independent, lanes)

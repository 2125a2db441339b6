"""The tapes of a mechanism for runs in lanes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grashof.formulation.protocol import Formulation
from grashof.integrate.lanes.runs import LaneIntegrator
from grashof.scalar.functions import Scalar
from grashof.singular.sides import SIDES, Pattern
from grashof.tape import trace

Function = Callable[[Sequence[Scalar]], Sequence[Scalar]]
"""A function of x = [t, q, v, e]."""


def lanes_of(
    formulation: Formulation, redundant: int = 0, observe: Function | None = None, lanes: int | None = None
) -> LaneIntegrator:
    """Many runs of a mechanism, without coefficients.

    redundant   rows that others imply
    observe     the function to observe
    lanes       number of runs at once; chosen for the processor unless given
    """
    layout = formulation.layout
    size = 1 + layout.size
    functions: dict[str, Function] = {"derivative": formulation.derivative, "project": formulation.project}
    if observe is not None:
        functions["observe"] = observe
    pattern = checked_rows(formulation)
    if pattern:
        functions["gradients"] = formulation.gradients
    tapes = {name: trace(lambda x, _, of=of: of(x), size, 0) for name, of in functions.items()}
    return LaneIntegrator(tapes, layout.sizes, pattern, lanes, redundant=redundant)


def checked_rows(formulation: Formulation) -> Pattern:
    """The pattern of the rows by whose gradients runs are checked: none if they cannot depend on each other, or are
    too many."""
    rows = formulation.rows
    return rows.pattern if rows.closed and rows.count <= SIDES else ()

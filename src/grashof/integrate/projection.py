"""Projection of the end of a step onto the constraints, as native code.

A step is retried at half the size if the projection leaves a violation √(r/nq) larger than the permitted error of
positions, length·max(tol, 1e-10). A projection that works leaves about the square of the violation it finds, which is
far less: this catches only those that fail. Below 1e-10 of the length a violation may be round-off near a singular
position, which smaller steps do not remove; it is no reason to stop.
"""

from __future__ import annotations

from collections.abc import Callable

from grashof.formulation.natural.equations import EPSILON
from grashof.integrate.control import CONSTRAINTS, NOT_FINITE
from grashof.integrate.controller import SHRINK_BY, reject
from grashof.integrate.kernel import Kernel
from grashof.integrate.step import Step
from grashof.integrate.values import Array, Record, Value

ROUGH = 1e-3  # largest ordinary change of a velocity by the projection, relative to the speed
REACHABLE = EPSILON  # violation, relative to length, that is always accepted


def close(k: Kernel, c: Record, step: Step, size: Value, smallest: Value) -> None:
    """Projects the end of the step onto the constraints and evaluates its slope."""
    sizes, end, last = step.sizes, step.end.at(1), step.slopes[-1]
    step.project()
    c.projections += 1
    allowed = c.length * k.math("maxnum", c.tolerance, REACHABLE)
    with k.when(~(step.end[1 + sizes.size] <= float(sizes.nq) * allowed * allowed)):  # or it is NaN
        reject(k, c, step, CONSTRAINTS, SHRINK_BY[CONSTRAINTS] * size, smallest)
    step.evaluate(step.end, last)
    c.evaluations += 1

    def times_zero(vector: Array) -> Callable[[Value, list[Value]], list[Value]]:
        return lambda i, so_far: [so_far[0] + 0.0 * vector[i]]

    of_end = k.fold(sizes.size, [k.zeros()], times_zero(end))
    (nothing,) = k.fold(sizes.rates, of_end, times_zero(last))
    with k.when(~k.total(nothing).equals(0.0)):  # zero only if all numbers are finite
        reject(k, c, step, NOT_FINITE, SHRINK_BY[NOT_FINITE] * size, smallest)


def rough(k: Kernel, c: Record, step: Step) -> Value:
    """Whether the projection moved velocities far."""
    before, after = (step.parts(x)[1].at(step.sizes.own) for x in (step.trial, step.end))

    def update(i: Value, most: list[Value]) -> list[Value]:
        return [k.math("maxnum", most[0], k.math("fabs", after[i] - before[i]))]

    (most,) = k.fold(step.sizes.nv, [k.constant(0.0)], update, lanes=1)
    return most > ROUGH * c.speed

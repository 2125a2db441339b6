"""The step-size controller as native code: the error of a step, whether the step is accepted, and the size of the next
one.

Error norm: root mean square over q/(tol·length), v/(tol·speed), works/(tol·energy) and the other controlled extra
states. Speed is the largest |v_i| so far, at least the given one; energy is the largest of mass·speed² and of the works
so far. Coordinates have no natural zero, so no error is relative to them.

Step control (Hairer, Nørsett, Wanner I, II.4) of a method of order p: the next step is h·0.7·err^(−1/p), between a
third and six times the last (docs/measurements.md); it does not grow right after a rejection. A step is retried with a
smaller size when

- err > 1;
- a stage, the projected state or its derivative is not finite (factor 1/5);
- the projection did not meet the constraints (factor 1/2, see `projection`).

A method without an error estimate keeps its step size, and stops where a step would have to be retried.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from grashof.integrate.control import CONSTRAINTS, ERROR, NOT_FINITE, STUCK
from grashof.integrate.kernel import Kernel
from grashof.integrate.step import Step
from grashof.integrate.values import Array, Record, Value

SAFETY, SHRINK, GROW = 0.7, 1 / 3, 6.0
SHRINK_BY = {NOT_FINITE: 1 / 5, CONSTRAINTS: 1 / 2}
SMALLEST = 1e-14  # smallest step, relative to max(|t|, span): a few tens of rounding errors of t


def smallest_step(k: Kernel, c: Record, t: Value) -> Value:
    """The shortest step that time can resolve, s."""
    return SMALLEST * k.math("maxnum", k.math("fabs", t), c.span)


def next_time(k: Kernel, c: Record, t: Value, smallest: Value, goal: Value) -> Value:
    """The time at which the step ends: exactly the goal if that is near, half-way there if it is less than two steps
    away."""
    room = k.math("fabs", goal - t)
    size = k.math("maxnum", k.math("minnum", c.size, c.longest), smallest)
    ordinary = t + k.math("copysign", size, goal - t)
    halfway = t + 0.5 * (goal - t)
    inside = k.choose(room < 2.0 * size, halfway, ordinary)
    return k.choose(room < 1.01 * size, goal, inside)


def judge(k: Kernel, c: Record, step: Step, h: Value, smallest: Value) -> Value:
    """Rejects the step if its error is too large; otherwise returns the factor by which the next one may grow."""
    size, err = k.math("fabs", h), error(k, c, step, h)
    with k.when(~(err < inf)):
        reject(k, c, step, NOT_FINITE, SHRINK_BY[NOT_FINITE] * size, smallest)
    factor = SAFETY / root(k, step, err)
    with k.when(err > 1.0):
        reject(k, c, step, ERROR, k.math("maxnum", factor, SHRINK) * size, smallest)
    return factor


def grow(k: Kernel, c: Record, step: Step, factor: Value, size: Value) -> None:
    """Sets the size of the next step."""
    limit = step.method.limit_growth(step)
    longest = k.constant(GROW) if limit is None else k.math("minnum", limit, GROW)
    largest = k.choose(c.hold.equals(1), k.constant(1.0), longest)
    next_size = k.math("minnum", factor, largest) * size
    if step.sizes.sample:  # a step that a sample has made shorter does not make the next ones shorter
        unlimited = (largest < factor) & ~c.hold.equals(1)
        next_size = k.choose(unlimited, k.math("maxnum", next_size, c.size), next_size)
    c.size = next_size


def reject(k: Kernel, c: Record, step: Step, cause: int, size: Value, smallest: Value) -> None:
    """Counts the rejection and retries with this size, unless the step is fixed or too small for time to resolve."""
    if cause == ERROR:
        c.rejected_error += 1
    elif cause == NOT_FINITE:
        c.rejected_not_finite += 1
    else:
        c.rejected_constraints += 1
    c.cause, c.hold, c.size = cause, 1, size
    with k.when(size < (smallest if step.method.adaptive else inf)):
        c.state = STUCK
    k.again()


def error(k: Kernel, c: Record, step: Step, h: Value) -> Value:
    """err (see `Method`), the norms being root mean squares of weighted components."""
    squares = step.squares(step.method.estimates, *step.method.estimate(step, h))
    size = k.math("fabs", h)
    if step.method.estimates == 1:
        return size * k.math("sqrt", squares[0] / c.controlled)
    both = k.math("maxnum", squares[0] + 0.01 * squares[1], 1e-300)  # no 0/0 when nothing moves
    return size * squares[0] / k.math("sqrt", both * c.controlled)


def norm(k: Kernel, c: Record, step: Step, of_q: Callable[[Value], Value], of_rates: Callable[[Value], Value]) -> Value:
    (square,) = step.squares(1, lambda i: [of_q(i)], lambda i: [of_rates(i)])
    return k.math("sqrt", square / c.controlled)


def follow_scales(k: Kernel, c: Record, step: Step) -> None:
    """The scales of velocities and works, and with them their weights, follow the largest |v_i| and |work| of
    accepted states."""
    _, rates = step.parts(step.start)
    sizes, works = step.sizes, step.sizes.works
    fastest = k.largest(rates.at(sizes.own), sizes.nv, c.speed)
    with k.when(fastest > c.speed):
        c.speed = fastest
        _weigh(k, c, step.weights.at(sizes.own), sizes.nv, fastest)
    if works:
        first = sizes.rates - works
        energy = k.largest(rates.at(first), works, k.math("maxnum", c.energy, c.mass * c.speed * c.speed))
        with k.when(energy > c.energy):
            c.energy = energy
            _weigh(k, c, step.weights.at(first), works, energy)


def weigh(k: Kernel, c: Record, step: Step) -> None:
    """Sets the weights of coordinates, velocities and works by their scales."""
    sizes, weights = step.sizes, step.weights
    _weigh(k, c, step.weights_q, sizes.direct, c.length)
    _weigh(k, c, weights, sizes.own, c.length)
    _weigh(k, c, weights.at(sizes.own), sizes.nv, c.speed)
    _weigh(k, c, weights.at(sizes.rates - sizes.works), sizes.works, c.energy)


def _weigh(k: Kernel, c: Record, weights: Array, count: int, scale: Value) -> None:
    weight = 1.0 / (c.tolerance * scale)
    for i in k.each(count, 1):
        weights[i] = weight


def root(k: Kernel, step: Step, value: Value) -> Value:
    """value^(1/p)."""
    return k.root(value, step.method.estimate_order)

"""The adaptive time loop as native code: `begin` evaluates and chooses the first step, `advance` takes steps.

Error norm: root mean square over q/(tol·length), v/(tol·speed) and the controlled extra states, speed being
the largest |v_i| met, at least the given one. Coordinates have no natural zero: nothing is relative to them.

Step control (Hairer, Nørsett, Wanner I, II.4): the next step is h·0.8·err^(−1/8), between a third and six times the
last; it does not grow right after a rejection. On five mechanisms (four-bars, chains, a slider-crank; tolerances 1e-4
to 1e-10; errors against a run at 1e-13) this took 4 % fewer evaluations than 0.9 with limits 1/5 and 5, with 60 % fewer
rejections and errors about a third smaller; most of it is due to the 0.8. A step is tried again, smaller, when

- err > 1;
- a stage, the projected state or its derivative is not finite (factor 1/5);
- the projection left a violation √(r/n) larger than the error that positions may have, length·max(tol, 1e-10)
  (factor 1/2). A projection that works leaves about the square of what it finds, which is far less: this catches
  only those that do not work. Below 1e-10 of the length a violation may be round-off near a
  singular position, which smaller steps do not cure: it is no reason to stop.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from grashof.integrate.control import ARRIVED, CONSTRAINTS, ERROR, NOT_FINITE, STUCK, Control
from grashof.integrate.dop853 import E3, E5, STAGES, C
from grashof.integrate.kernel import Kernel
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Record, Value

SAFETY, SHRINK, GROW = 0.8, 1 / 3, 6.0
SHRINK_NOT_FINITE, SHRINK_CONSTRAINTS = 1 / 5, 1 / 2
SMALLEST = 1e-14  # step, relative to max(|t|, span): some tens of roundings of t
REACHABLE = 1e-10  # violation, relative to length, that is always good enough


def begin_ir(space: Workspace) -> str:
    """`begin(control, work)`: the derivative at the start, and the size of the first step if none is given.

    Hairer's choice (II.4), made independent of the unit of time. With norms in units of the tolerated error, the
    state changes by its own scale in about

        T = min(1/(tol·‖f₀‖), 1/√(tol·‖f₁ − f₀‖/h₀))      f₀ = f(t₀, y₀),  f₁ = f(t₀ + h₀, y₀ + h₀ f₀)

    where h₀ = 0.01/(tol·‖f₀‖). The step with (h/T)⁸ = tol/100 is taken, at most a hundredth of the run.
    """
    k = Kernel("begin")
    c = k.record("control", Control)
    step = Step(k, space, k.array("work"))
    first, second = step.slopes[:2]
    step.evaluate(step.start, first)
    c.evaluations += 1
    with k.when(c.size.equals(0.0)):
        longest = 0.01 * c.span
        f0 = _norm(k, c, step, lambda i: first[i])
        h0 = k.math("minnum", 0.01 / (c.tolerance * f0), longest)
        h = k.math("copysign", h0, c.t_end - step.start[0])
        step.stage(1, h / C[1])  # an Euler step of C₁ times its argument
        step.evaluate(step.trial, second)
        c.evaluations += 1
        change = _norm(k, c, step, lambda i: second[i] - first[i]) / h0
        time = k.math("minnum", 1.0 / (c.tolerance * f0), 1.0 / k.math("sqrt", c.tolerance * change))
        size = k.math("minnum", time * _eighth_root(k, 0.01 * c.tolerance), longest)
        c.size = k.choose(change < inf, size, h0)
    return k.text()


def advance_ir(space: Workspace) -> str:
    """`advance(control, work, times, states)`: steps until t_end, until `control.pause` or until stuck.

    Row `control.steps` of times and states is the last one recorded. All that the next step depends on is in
    control and work: pauses leave no trace in the results.
    """
    k = Kernel("advance")
    c = k.record("control", Control)
    work, times, states = k.array("work"), k.array("times"), k.array("states")
    step = Step(k, space, work)
    first, last, end = step.slopes[0], step.slopes[STAGES], step.end.at(1)

    with k.forever():
        t = step.start[0]
        with k.when(t.equals(c.t_end)):
            c.state = ARRIVED
            k.exit()
        with k.when(~(c.tried < c.pause)):
            k.exit()
        c.tried += 1
        smallest = SMALLEST * k.math("maxnum", k.math("fabs", t), c.span)
        t_next = _next_time(k, c, t, smallest)
        h = t_next - t  # as the dense output will find it from the recorded times
        size = k.math("fabs", h)

        k.call("stages", h, work)
        step.trial[0] = t_next
        c.evaluations += STAGES - 1
        error = _error(k, c, step, size)
        with k.when(~(error < inf)):
            _reject(k, c, NOT_FINITE, SHRINK_NOT_FINITE * size, smallest)
        factor = SAFETY / _eighth_root(k, error)
        with k.when(error > 1.0):
            _reject(k, c, ERROR, k.math("maxnum", factor, SHRINK) * size, smallest)

        step.project()
        c.projections += 1
        allowed = c.length * k.math("maxnum", c.tolerance, REACHABLE)
        with k.when(~(step.end[1 + space.size] <= float(space.n) * allowed * allowed)):  # or it is NaN
            _reject(k, c, CONSTRAINTS, SHRINK_CONSTRAINTS * size, smallest)

        step.evaluate(step.end, last)
        c.evaluations += 1
        state, slope = step.squares(2, lambda i: (end[i], last[i]))
        with k.when(~(state + slope < inf)):
            _reject(k, c, NOT_FINITE, SHRINK_NOT_FINITE * size, smallest)

        largest = k.choose(c.hold.equals(1), k.constant(1.0), k.constant(GROW))
        c.size = k.math("minnum", factor, largest) * size
        c.hold = 0
        k.copy(step.end, step.start, 1 + space.size)
        k.copy(last, first, space.size)
        _follow_speed(k, c, step)
        c.steps += 1
        times[c.steps] = t_next
        k.copy(step.start.at(1), states.at(c.steps * space.size), space.size)
    return k.text()


def _next_time(k: Kernel, c: Record, t: Value, smallest: Value) -> Value:
    """Where the step ends: exactly at t_end if that is near, half-way if it is less than two steps away."""
    room = k.math("fabs", c.t_end - t)
    size = k.math("maxnum", c.size, smallest)
    ordinary = t + k.math("copysign", size, c.t_end - t)
    halfway = t + 0.5 * (c.t_end - t)
    inside = k.choose(room < 2.0 * size, halfway, ordinary)
    return k.choose(room < 1.01 * size, c.t_end, inside)


def _error(k: Kernel, c: Record, step: Step, size: Value) -> Value:
    """err = h·‖e₅‖²/√(‖e₅‖² + 0.01·‖e₃‖²), the norms being root mean squares of weighted components."""
    square5, square3 = step.squares(2, lambda i: [step.combination(row, i) for row in (E5, E3)])
    both = k.math("maxnum", square5 + 0.01 * square3, 1e-300)  # no 0/0 when nothing moves
    return size * square5 / k.math("sqrt", both * c.controlled)


def _norm(k: Kernel, c: Record, step: Step, vector: Callable[[Value], Value]) -> Value:
    (square,) = step.squares(1, lambda i: [vector(i)])
    return k.math("sqrt", square / c.controlled)


def _follow_speed(k: Kernel, c: Record, step: Step) -> None:
    """The scale of velocities, and with it their weights, follows the largest |v_i| of an accepted state."""
    velocities = step.start.at(1 + step.n)

    def update(i: Value, fastest: list[Value]) -> list[Value]:
        return [k.math("maxnum", fastest[0], k.math("fabs", velocities[i]))]

    (fastest,) = k.fold(step.n, 1, [c.speed], update)
    with k.when(fastest > c.speed):
        c.speed = fastest
        weight, weights = 1.0 / (c.tolerance * c.speed), step.weights.at(step.n)
        with k.each(step.n) as i:
            weights[i] = weight


def _reject(k: Kernel, c: Record, cause: int, size: Value, smallest: Value) -> None:
    """Count, and try again with this size, unless time cannot resolve it any more."""
    if cause == ERROR:
        c.rejected_error += 1
    elif cause == NOT_FINITE:
        c.rejected_not_finite += 1
    else:
        c.rejected_constraints += 1
    c.cause, c.hold, c.size = cause, 1, size
    with k.when(size < smallest):
        c.state = STUCK
        k.exit()
    k.again()


def _eighth_root(k: Kernel, value: Value) -> Value:
    return k.math("sqrt", k.math("sqrt", k.math("sqrt", value)))

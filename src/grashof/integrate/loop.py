"""The time loop as native code: `begin` evaluates and chooses the first step, `advance` takes steps.

Error norm: root mean square over q/(tol·length), v/(tol·speed), works/(tol·energy) and the other controlled extra states. Speed is the
largest |v_i| met, at least the given one; energy is the largest of mass·speed² and of the works met. Coordinates have no natural zero:
nothing is relative to them.

Step control (Hairer, Nørsett, Wanner I, II.4) of a method of order p: the next step is h·0.7·err^(−1/p), between a third and six
times the last; it does not grow right after a rejection. For errors as large as the rules of the six benchmark runs allow, down to a
thousandth of that, 0.7 takes 2 % less work than 0.8 and 7 % less than 0.9 (DOP853; 1 % and 9 % with BS5); the limits make no
difference. A step is tried again, smaller, when

- err > 1;
- a stage, the projected state or its derivative is not finite (factor 1/5);
- the projection left a violation √(r/n) larger than the error that positions may have, length·max(tol, 1e-10)
  (factor 1/2). A projection that works leaves about the square of what it finds, which is far less: this catches
  only those that do not work. Below 1e-10 of the length a violation may be round-off near a
  singular position, which smaller steps do not cure: it is no reason to stop.

A method without an error estimate keeps its step, and stops where it would have to be tried again.

Python may ask to have a look (`control.attentive`) where there may be a singular position: where the size falls to a tenth of the usual one
or, if it is fixed, where the projection has much to do.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from grashof.integrate.control import ARRIVED, CONSTRAINTS, ERROR, NOT_FINITE, STUCK, Control
from grashof.integrate.kernel import Kernel
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Array, Record, Value

SAFETY, SHRINK, GROW = 0.7, 1 / 3, 6.0
SHRINK_NOT_FINITE, SHRINK_CONSTRAINTS = 1 / 5, 1 / 2
SMALLEST = 1e-14  # step, relative to max(|t|, span): some tens of roundings of t
FALLEN, FADING = (
    0.1,
    0.98,
)  # sizes are compared with the largest of the last, which count less by so much with every step
ROUGH = 1e-3  # what the projection may move a velocity by, relative to the speed
REACHABLE = 1e-10  # violation, relative to length, that is always good enough


def begin_ir(space: Workspace) -> str:
    """`begin(control, work)`: the derivative at the start, and the size of the first step if none is given.

    Hairer's choice (II.4), made independent of the unit of time. With norms in units of the tolerated error, the
    state changes by its own scale in about

        T = min(1/(tol·‖f₀‖), 1/√(tol·‖f₁ − f₀‖/h₀))      f₀ = f(t₀, y₀),  f₁ = f(t₀ + h₀, y₀ + h₀ f₀)

    where h₀ = 0.01/(tol·‖f₀‖). The step with (h/T)ᵖ = tol/100 is taken, at most a hundredth of the run.
    """
    k = Kernel("begin", space.lanes)
    c = k.record("control", Control)
    step = Step(k, space, k.array("work"))
    first, second = step.slopes[:2]
    (q0, v0), (q1, v1) = step.parts(step.start), step.parts(step.trial)
    step.evaluate(step.start, first)
    c.evaluations += 1
    with k.when(c.size.equals(0.0)):
        longest = 0.01 * c.span
        f0 = _norm(k, c, step, lambda i: v0[i], lambda i: first[i])
        h0 = k.math("minnum", 0.01 / (c.tolerance * f0), longest)
        h = k.math("copysign", h0, c.t_end - step.start[0])
        step.trial[0] = step.start[0] + h
        wide_h = k.splat(h)
        for i in k.each(space.n):
            q1[i] = q0[i] + wide_h * v0[i]
        for i in k.each(space.rates):
            v1[i] = v0[i] + wide_h * first[i]
        step.evaluate(step.trial, second)
        c.evaluations += 1
        change = _norm(k, c, step, lambda i: v1[i] - v0[i], lambda i: second[i] - first[i]) / h0
        time = k.math("minnum", 1.0 / (c.tolerance * f0), 1.0 / k.math("sqrt", c.tolerance * change))
        size = k.math("minnum", time * _root(k, step, 0.01 * c.tolerance), longest)
        c.size = k.choose(change < inf, size, h0)
    return k.text()


def advance_ir(space: Workspace) -> str:
    """`advance(control, work, times, states)`: steps until t_end, until `control.pause`, until `control.fallen` or until stuck.

    Row `control.steps` of times and states is the last one recorded. All that the next step depends on is in
    control and work: pauses leave no trace in the results.
    """
    k = Kernel("advance", space.lanes)
    c = k.record("control", Control)
    work, times, states = k.array("work"), k.array("times"), k.array("states")
    step, method = Step(k, space, work), space.method

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
        h = t_next - t
        size = k.math("fabs", h)

        k.call("stages", h, work)
        step.trial[0] = t_next
        c.evaluations += method.stages - 1
        if method.closes or not method.adaptive:
            _close(k, c, step, size, smallest)
        if method.adaptive:
            error = _error(k, c, step, h)
            with k.when(~(error < inf)):
                _reject(k, c, step, NOT_FINITE, SHRINK_NOT_FINITE * size, smallest)
            factor = SAFETY / _root(k, step, error)
            with k.when(error > 1.0):
                _reject(k, c, step, ERROR, k.math("maxnum", factor, SHRINK) * size, smallest)
            if not method.closes:
                _close(k, c, step, size, smallest)
            largest = k.choose(c.hold.equals(1), k.constant(1.0), k.constant(GROW))
            c.size = k.math("minnum", factor, largest) * size

        troubled = c.size < FALLEN * c.usual if method.adaptive else _rough(k, c, step)
        c.usual = k.math("maxnum", FADING * c.usual, c.size)
        c.hold = 0
        k.copy(step.end, step.start, 1 + space.size)
        k.copy(step.slopes[method.stages], step.slopes[0], space.rates)
        _follow_scales(k, c, step)
        c.steps += 1
        times[c.steps] = t_next
        k.copy(step.start.at(1), states.at(c.steps * space.size), space.size)
        with k.when(troubled), k.when(~c.attentive.equals(0)):
            c.fallen = 1
            k.exit()
    return k.text()


def _rough(k: Kernel, c: Record, step: Step) -> Value:
    """Whether the projection moved velocities far."""
    (_, before), (_, after) = step.parts(step.trial), step.parts(step.end)

    def update(i: Value, most: list[Value]) -> list[Value]:
        return [k.math("maxnum", most[0], k.math("fabs", after[i] - before[i]))]

    (most,) = k.fold(step.n, [k.constant(0.0)], update, lanes=1)
    return most > ROUGH * c.speed


def _next_time(k: Kernel, c: Record, t: Value, smallest: Value) -> Value:
    """Where the step ends: exactly at t_end if that is near, half-way if it is less than two steps away."""
    room = k.math("fabs", c.t_end - t)
    size = k.math("maxnum", k.math("minnum", c.size, c.longest), smallest)
    ordinary = t + k.math("copysign", size, c.t_end - t)
    halfway = t + 0.5 * (c.t_end - t)
    inside = k.choose(room < 2.0 * size, halfway, ordinary)
    return k.choose(room < 1.01 * size, c.t_end, inside)


def _close(k: Kernel, c: Record, step: Step, size: Value, smallest: Value) -> None:
    """The end of the step on the constraints, and its slope."""
    space, end, last = step.space, step.end.at(1), step.slopes[step.method.stages]
    step.project()
    c.projections += 1
    allowed = c.length * k.math("maxnum", c.tolerance, REACHABLE)
    with k.when(~(step.end[1 + space.size] <= float(space.n) * allowed * allowed)):  # or it is NaN
        _reject(k, c, step, CONSTRAINTS, SHRINK_CONSTRAINTS * size, smallest)
    step.evaluate(step.end, last)
    c.evaluations += 1

    def times_zero(vector: Array) -> Callable[[Value, list[Value]], list[Value]]:
        return lambda i, so_far: [so_far[0] + 0.0 * vector[i]]

    of_end = k.fold(space.size, [k.zeros()], times_zero(end))
    (nothing,) = k.fold(space.rates, of_end, times_zero(last))
    with k.when(~k.total(nothing).equals(0.0)):  # which only finite numbers make
        _reject(k, c, step, NOT_FINITE, SHRINK_NOT_FINITE * size, smallest)


def _error(k: Kernel, c: Record, step: Step, h: Value) -> Value:
    """err (see `Method`), the norms being root mean squares of weighted components."""
    rows, rows_q, wide_h = step.method.errors, step.method.errors_twice, k.splat(h)
    squares = step.squares(
        len(rows),
        lambda i: [wide_h * step.combination(row, i) for row in rows_q],
        lambda i: [step.combination(row, i) for row in rows],
    )
    size = k.math("fabs", h)
    if len(rows) == 1:
        return size * k.math("sqrt", squares[0] / c.controlled)
    both = k.math("maxnum", squares[0] + 0.01 * squares[1], 1e-300)  # no 0/0 when nothing moves
    return size * squares[0] / k.math("sqrt", both * c.controlled)


def _norm(
    k: Kernel, c: Record, step: Step, of_q: Callable[[Value], Value], of_rates: Callable[[Value], Value]
) -> Value:
    (square,) = step.squares(1, lambda i: [of_q(i)], lambda i: [of_rates(i)])
    return k.math("sqrt", square / c.controlled)


def _follow_scales(k: Kernel, c: Record, step: Step) -> None:
    """The scales of velocities and works, and with them their weights, follow the largest |v_i| and |work| of accepted states."""
    _, rates = step.parts(step.start)

    def largest(of: Array, count: int, least: Value) -> Value:
        def update(i: Value, most: list[Value]) -> list[Value]:
            return [k.math("maxnum", most[0], k.math("fabs", of[i]))]

        return k.fold(count, [least], update, lanes=1)[0]

    def weigh(first: int, count: int, scale: Value) -> None:
        weight = 1.0 / (c.tolerance * scale)
        for i in k.each(count, 1):
            step.weights.at(first)[i] = weight

    fastest = largest(rates, step.n, c.speed)
    with k.when(fastest > c.speed):
        c.speed = fastest
        weigh(0, step.n, fastest)
    works = step.space.works
    if works:
        first = step.space.rates - works
        energy = largest(rates.at(first), works, k.math("maxnum", c.energy, c.mass * c.speed * c.speed))
        with k.when(energy > c.energy):
            c.energy = energy
            weigh(first, works, energy)


def _reject(k: Kernel, c: Record, step: Step, cause: int, size: Value, smallest: Value) -> None:
    """Count, and try again with this size, unless the step is fixed or time cannot resolve it any more."""
    if cause == ERROR:
        c.rejected_error += 1
    elif cause == NOT_FINITE:
        c.rejected_not_finite += 1
    else:
        c.rejected_constraints += 1
    c.cause, c.hold, c.size = cause, 1, size
    with k.when(size < (smallest if step.method.adaptive else inf)):
        c.state = STUCK
        k.exit()
    k.again()


def _root(k: Kernel, step: Step, value: Value) -> Value:
    """value^(1/p)."""
    return k.root(value, step.method.order)

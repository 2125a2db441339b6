"""The time loop as native code: `begin` evaluates the derivative and chooses the first step size, `advance` takes
steps. Where forces are determined at samples, steps end at these, and the loop goes on with the steps it has: nothing
else begins anew.

A single step is defined in `step`, its error and the size of the next one in `controller`, the projection onto the
constraints in `projection`.

If Python asks for it (`control.attentive`), the loop returns where there may be a singular position: where the step
size falls to a tenth of the usual one or, if it is fixed, where the projection moves velocities far. It also returns
where a watched function may have changed its sign (`watch`).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from grashof.integrate.control import ARRIVED, RUNNING, Control
from grashof.integrate.controller import follow_scales, grow, judge, next_time, norm, root, smallest_step
from grashof.integrate.inner import record, width
from grashof.integrate.kernel import Kernel
from grashof.integrate.projection import close, rough
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Array, Record, Value

FALLEN, FADING = 0.1, 0.98
"""A step has fallen if it is below the first times a running maximum, which decays by the second with each step."""


Watcher = Callable[[Value, Value], None]
"""Emits statements about an accepted step of length h that ends at t."""


def begin_ir(space: Workspace) -> str:
    """`begin(control, work)`: the derivative at the start, and the size of the first step if none is given."""
    k = space.kernel("begin")
    c = k.record("control", Control)
    step = Step(k, space, k.array("work"))
    first_slope(c, step)
    first_size(k, c, step)
    return k.text()


def first_slope(c: Record, step: Step) -> None:
    """The derivative at the start."""
    step.method.forget(step)
    step.evaluate(step.start, step.slopes[0])
    c.evaluations += 1


def first_size(k: Kernel, c: Record, step: Step) -> None:
    """The size of the first step, if none is given.

    Hairer's choice (II.4), made independent of the unit of time. With norms in units of the permitted error, the
    state changes by its own scale in a time of about

        T = min(1/(tol·‖f₀‖), 1/√(tol·‖f₁ − f₀‖/h₀))      f₀ = f(t₀, y₀),  f₁ = f(t₀ + h₀, y₀ + h₀ f₀)

    where h₀ = 0.01/(tol·‖f₀‖). The step with (h/T)ᵖ = tol/100 is taken, at most a hundredth of the run.
    """
    first, second = step.slopes[:2]
    (q0, r0), (q1, r1) = step.parts(step.start), step.parts(step.trial)
    v0, v1 = r0.at(step.sizes.own), r1.at(step.sizes.own)
    with k.when(c.size.equals(0.0)):
        longest = 0.01 * c.span
        f0 = norm(k, c, step, lambda i: v0[i], lambda i: first[i])
        h0 = k.math("minnum", 0.01 / (c.tolerance * f0), longest)
        h = k.math("copysign", h0, c.t_end - step.start[0])
        step.trial[0] = step.start[0] + h
        wide_h = k.splat(h)
        for i in k.each(step.sizes.direct):
            q1[i] = q0[i] + wide_h * v0[i]
        for i in k.each(step.sizes.rates):
            r1[i] = r0[i] + wide_h * first[i]
        step.evaluate(step.trial, second)
        c.evaluations += 1
        change = norm(k, c, step, lambda i: v1[i] - v0[i], lambda i: second[i] - first[i]) / h0
        time = k.math("minnum", 1.0 / (c.tolerance * f0), 1.0 / k.math("sqrt", c.tolerance * change))
        size = k.math("minnum", time * root(k, step, 0.01 * c.tolerance), longest)
        c.size = k.choose(change < inf, size, h0)


def advance_ir(space: Workspace) -> str:
    """`advance(control, work, times, states, inner)`: steps until t_end, until `control.pause`, until `control.fallen`
    or `control.event`, or until stuck.

    Row `control.steps` of times, states and what is known of the motion inside the step that ends there (see `inner`)
    is the last one recorded. Everything the next step depends on is in control and work, so pauses do not affect the
    results.
    """
    k = space.kernel("advance")
    c = k.record("control", Control)
    work, times, states, inner = k.array("work"), k.array("times"), k.array("states"), k.array("inner")
    step = Step(k, space, work)

    def made(h: Value, _: Value) -> None:
        if space.events:
            k.call("watch", c, h, work)

    def put(t: Value) -> None:
        times[c.steps] = t
        k.copy(step.start.at(1), states.at(c.steps * space.sizes.size), space.sizes.size)

    def taken(_: Value, t: Value) -> None:
        put(t)
        record(step, inner.at(c.steps * width(space.method, space.sizes)))

    def sampled(t: Value) -> None:
        c.steps += 1
        put(t)
        if space.method.inner:  # no step ends in this row
            row = inner.at(c.steps * width(space.method, space.sizes))
            for i in k.each(width(space.method, space.sizes), 1):
                row[i] = k.constant(0.0)

    take_steps(k, c, step, work, made, taken, sampled=sampled)
    return k.text()


def take_steps(
    k: Kernel,
    c: Record,
    step: Step,
    work: Array,
    made: Watcher,
    taken: Watcher,
    ready: Callable[[], None] | None = None,
    sampled: Callable[[Value], None] | None = None,
) -> None:
    """Steps until the function returns; with several runs, as soon as any of them has to return.

    made     called for an accepted step from start to end, with slopes 0 and S; may change the trial
    taken    called when the next step is to begin at its end
    ready    called before each step; may leave the function
    sampled  called when samples have changed the state at the start of the next step
    """
    sizes, method = step.sizes, step.method
    with k.when(c.state.equals(RUNNING)), k.forever():
        with k.when(~c.state.equals(RUNNING)):
            k.exit()
        t = step.start[0]
        with k.when(t.equals(c.t_end)):
            c.state = ARRIVED
            k.exit()
        with k.when(~(c.tried < c.pause)):
            k.exit()
        if ready is not None:
            ready()
        c.tried += 1
        smallest, goal = smallest_step(k, c, t), c.t_end
        if sizes.sample:
            with k.when(~(t < step.start[sizes.sample])):
                take_samples(step, c)
                if sampled is not None:
                    sampled(t)
            goal = k.math("minnum", goal, step.start[sizes.sample])
        t_next = next_time(k, c, t, smallest, goal)
        h = t_next - t
        size = k.math("fabs", h)

        k.call("stages", h, work)
        step.trial[0] = t_next
        c.evaluations += method.count_evaluations(step)
        if method.closes or not method.adaptive:
            close(k, c, step, size, smallest)
        if method.adaptive:
            factor = judge(k, c, step, h, smallest)
            if not method.closes:
                close(k, c, step, size, smallest)
            grow(k, c, step, factor, size)

        troubled = c.size < FALLEN * c.usual if method.adaptive else rough(k, c, step)
        method.keep_inside(step)
        made(h, t_next)
        c.usual = k.math("maxnum", FADING * c.usual, c.size)
        c.hold = 0
        method.accept(step, h)
        k.copy(step.end, step.start, 1 + sizes.size)
        k.copy(step.slopes[-1], step.slopes[0], sizes.rates)
        follow_scales(k, c, step)
        c.steps += 1
        taken(h, t_next)
        with k.when(troubled), k.when(~c.attentive.equals(0)):
            c.fallen = 1
        with k.when(~(c.fallen | c.event).equals(0)):
            k.exit()


def take_samples(step: Step, c: Record) -> None:
    """Changes what forces hold at the start of the next step. The size of the steps remains."""
    step.call("hold", step.start, step.trial.at(1))
    step.kernel.copy(step.trial.at(1), step.start.at(1), step.sizes.size)
    step.method.forget_past(step)
    step.evaluate(step.start, step.slopes[0])
    c.evaluations += 1

"""The dense output as native code: `sample` evaluates a run at given times (order 7, see `dop853`).

Only times and states of the steps are recorded. A step that holds samples is computed again, to the same bits, with
three more stages; a sample is then put on the constraints and its derivative evaluated. A sample at the very
time of a step is that step's state.
"""

from __future__ import annotations

from grashof.integrate.dop853 import DENSE_ORDER, STAGES, A, D
from grashof.integrate.kernel import Kernel
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import LANES, Array, Value


def sample_ir(space: Workspace) -> str:
    """`sample(work, steps, t, y, count, times, states, derivatives)`, times sorted in the direction of t."""
    k = Kernel("sample")
    work, steps, t, y = k.array("work"), k.number("steps", "i64"), k.array("t"), k.array("y")
    count, times = k.number("count", "i64"), k.array("times")
    states, derivatives = k.array("states"), k.array("derivatives")
    step = Step(k, space, work)
    direction = t[steps] - t[0]
    zero = k.constant(0, "i64")
    i, s, built = k.local(zero), k.local(zero), k.local(zero - 1)

    with k.forever():
        with k.when(~(s.value < count)):
            k.exit()
        time = times[s.value]
        with k.when(i.value < steps), k.when(~(direction * (time - t[i.value + 1]) < 0.0)):
            i.value += 1
            k.again()

        with k.when(time.equals(t[i.value])):
            step.end[0] = time
            k.copy(y.at(i.value * space.size), step.end.at(1), space.size)
        with k.when(~time.equals(t[i.value])):
            h = t[i.value + 1] - t[i.value]
            with k.when(~built.value.equals(i.value)):
                built.value = i.value
                step.start[0] = t[i.value]
                k.copy(y.at(i.value * space.size), step.start.at(1), space.size)
                _build(k, step, work, h)
            step.trial[0] = time
            _interpolate(k, step, (time - t[i.value]) / h)
            step.project()

        k.copy(step.end.at(1), states.at(s.value * space.size), space.size)
        k.call("derivative", step.end, derivatives.at(s.value * (space.n + space.extra)))
        s.value += 1
    return k.text()


def _build(k: Kernel, step: Step, work: Array, h: Value) -> None:
    """All slopes of the step from start, and from them the vectors F of the polynomial."""
    first, last, wide_h = step.slopes[0], step.slopes[STAGES], k.splat(h)
    step.evaluate(step.start, first)
    k.call("stages", h, work)
    step.evaluate(step.trial, last)
    start, end = step.start.at(1), step.trial.at(1)
    with k.each(step.space.padded, LANES) as i:
        change = end[i] - start[i]
        step.dense[0][i] = change
        step.dense[1][i] = wide_h * first[i] - change
        step.dense[2][i] = 2.0 * change - wide_h * (first[i] + last[i])
    for s in range(STAGES + 1, len(A)):
        step.stage(s, h)
        step.evaluate(step.trial, step.slopes[s])
    with k.each(step.space.padded, LANES) as i:
        for row, vector in zip(D, step.dense[3:], strict=True):
            vector[i] = wide_h * step.combination(row, i)


def _interpolate(k: Kernel, step: Step, theta: Value) -> None:
    """trial = y₀ + θ (F₀ + (1−θ) (F₁ + θ (F₂ + …)))."""
    start, trial = step.start.at(1), step.trial.at(1)
    factors = [k.splat(theta), k.splat(1.0 - theta)]
    with k.each(step.space.padded, LANES) as i:
        value = k.zeros()
        for power in reversed(range(DENSE_ORDER)):
            value = factors[power % 2] * (step.dense[power][i] + value)
        trial[i] = start[i] + value

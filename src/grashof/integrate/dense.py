"""The dense output as native code: `sample` evaluates a run at given times (order 7, see `dop853`).

Only times and states of the steps are recorded. A step that holds samples is computed again, to the same bits, with
three more stages; a sample is then put on the constraints and its derivative evaluated. A sample at the very
time of a step is that step's state.
"""

from __future__ import annotations

from grashof.integrate.dop853 import DENSE, STAGES, A
from grashof.integrate.kernel import LANES, Array, Kernel, Value
from grashof.integrate.step import ROW_DENSE, Step, Workspace


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
    step.evaluate(step.start, step.slope(0))
    k.call("stages", h, work)
    step.evaluate(step.trial, step.slope(STAGES))
    with k.each(len(A) - STAGES - 1) as more:
        s = more + (STAGES + 1)
        step.stage(s, h)
        step.evaluate(step.trial, step.slope(s))
    with k.each(len(DENSE)) as power:
        vector = step.dense.at(power * step.space.padded)
        step.combine(power + ROW_DENSE, h, step.zeros, vector)
        step.combine(power + (ROW_DENSE + len(DENSE)), h, vector, vector)


def _interpolate(k: Kernel, step: Step, theta: Value) -> None:
    """trial = y₀ + θ (F₀ + (1−θ) (F₁ + θ (F₂ + …)))."""
    start, trial, padded = step.start.at(1), step.trial.at(1), step.space.padded
    factors = [theta, 1.0 - theta]
    with k.each(padded, LANES) as i:
        value = k.zeros()
        for power in reversed(range(len(DENSE))):
            value = factors[power % 2] * (step.dense.at(power * padded)[i] + value)
        trial[i] = start[i] + value

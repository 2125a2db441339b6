"""The protocol of formulations that make steps: what a method, of this package or of one's own, must be able to do."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from time import process_time
from typing import Any, ClassVar

import numpy as np

from grashof.integrate.methods import EXPLICIT
from grashof.lab.equations import FormulationFailed, LabEquations
from grashof.lab.member import Member, Performed
from grashof.lab.motion import Reached, trajectory
from grashof.lab.status import Ending
from grashof.lab.subject import Subject

Array = np.ndarray

FACTORS = (2.0, 1.0, 0.5, 0.25, 0.125)
"""Steps relative to the time between judged rows."""

FAR = 1e6
"""A coordinate this many lengths of the mechanism away is no motion any more."""


@dataclass(frozen=True, eq=False)
class LabState:
    """A state at the end of a step.

    t            s
    q, v         coordinates and velocities, (n,)
    a            accelerations, (n,); only formulations that need them from step to step keep them up to date
    multipliers  λ, (m,); likewise
    kept         anything else that a formulation carries from step to step
    """

    t: float
    q: Array
    v: Array
    a: Array
    multipliers: Array
    kept: Any = None


class Formulation(Member):
    """A formulation with its integrator: it makes steps of a given length.

    A class derives from this one, has a `name` and a `card`, and defines `step`; it may also define `start`. Make it a
    frozen dataclass whose fields are its parameters, with the defaults of its paper. A step that cannot be made raises
    FormulationFailed with a sentence; numbers that are not finite are found by the laboratory.
    """

    setting: ClassVar[str] = "step"

    def start(self, eq: LabEquations) -> LabState:
        """The state at the start: assembled, with consistent velocities, accelerations and multipliers."""
        a, multipliers = eq.accelerations(eq.at(eq.t, eq.q, eq.v))
        return LabState(eq.t, eq.q, eq.v, a, multipliers)

    @abstractmethod
    def step(self, eq: LabEquations, now: LabState, h: float) -> LabState:
        """The state at now.t + h."""

    def settings(self, subject: Subject) -> Iterable[float]:
        """Steps from twice the time between rows down to an eighth of it, s."""
        return [subject.step * factor for factor in FACTORS]

    def perform(self, subject: Subject, setting: float, limit_s: float) -> Performed:
        """Equal steps from the start to the end; as many as fit, a whole number of them between two rows or the other
        way round."""
        eq = subject.equations
        eq.reset()
        steps = max(1, round((subject.t_end - eq.t) / setting))
        h = (subject.t_end - eq.t) / steps
        states, angles = [(eq.t, eq.q, eq.v)], [eq.turns]
        ending, why = Ending.FINISHED, ""
        begin = process_time()
        try:
            now = self.start(eq)
            for k in range(1, steps + 1):
                with np.errstate(all="ignore"):
                    now = self.step(eq, now, h)
                if not np.isfinite([now.q, now.v]).all() or np.abs(now.q).max() > FAR * eq.length:
                    ending = Ending.NOT_FINITE
                    break
                states.append((eq.t + k * h, now.q, now.v))
                angles.append(eq.follow(now.q))
                if process_time() - begin > limit_s:
                    ending, why = Ending.GIVEN_UP, f"The limit is {limit_s:g} s of CPU time for a run."
                    break
        except FormulationFailed as problem:
            ending, why = Ending.UNSOLVED, str(problem)
        cpu_s = process_time() - begin
        t, q, v = (np.array(part, float) for part in zip(*states, strict=True))
        readings = trajectory(Reached(t, q, v, np.array(angles).reshape(len(t), -1)), subject.program)
        counts = eq.evaluations, eq.slopes_taken, eq.solutions
        violations = eq.violations(t, q, v, angles)
        return Performed(readings, ending, float(t[-1]), why, len(t) - 1, *counts, cpu_s, violations)


class ExplicitFormulation(Formulation):
    """A formulation that gives accelerations, integrated by an explicit Runge–Kutta method with fixed steps.

    Its field `integrator` names a method of `gr.simulate`: "rk4", "dop853", "dopri5", "bs5" or "verner9".
    """

    integrator: str

    @abstractmethod
    def acceleration(self, eq: LabEquations, t: float, q: Array, v: Array) -> Array:
        """v̇ at a state, (n,)."""

    def begin(self, eq: LabEquations, now: LabState) -> Any:
        """What is chosen at the beginning of a step and passed to `correct`."""

    def correct(self, eq: LabEquations, t: float, q: Array, v: Array, chosen: Any) -> tuple[Array, Array]:
        """Positions and velocities of each later stage and of the end of a step, moved towards the constraints."""
        return q, v

    def finish(self, eq: LabEquations, state: LabState) -> LabState:
        """The end of a step, after a projection if the formulation has one."""
        return state

    def step(self, eq: LabEquations, now: LabState, h: float) -> LabState:
        method = EXPLICIT[self.integrator]
        chosen = self.begin(eq, now)
        rates, slopes = [now.v], [self.acceleration(eq, now.t, now.q, now.v)]
        t, q, v = now.t, now.q, now.v
        for stage in range(1, method.stages + 1):
            t = now.t + method.c[stage] * h
            q = now.q + h * sum(x * rates[j] for j, x in method.a[stage].items())
            v = now.v + h * sum(x * slopes[j] for j, x in method.a[stage].items())
            q, v = self.correct(eq, t, q, v, chosen)
            if stage < method.stages:
                rates.append(v)
                slopes.append(self.acceleration(eq, t, q, v))
        return self.finish(eq, replace(now, t=now.t + h, q=q, v=v))


def unconverged(what: str, iterations: int, advice: str = "Try a smaller step.") -> FormulationFailed:
    """The failure of an iteration."""
    return FormulationFailed(f"{what} did not converge in {iterations} iterations. {advice}")

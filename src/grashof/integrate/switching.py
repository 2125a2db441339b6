"""Changes of the method within a run, which goes on from the state it has reached.

With an explicit method, a run is stiff if its steps are limited by stability (see `stiffness`) and many are left: then
an implicit method goes on. With an implicit method, stiffness is over if the explicit one could go on with steps that
are, by their stability, so long that they take less time. How long a step takes is predicted (see `work`) and not
measured, so that a run is the same every time. Whoever changes often waits longer and longer before the next change, so
that changes which do not pay cost little.

A second run, from which the error is estimated, changes its methods at the same times as the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from grashof.integrate.control import RUNNING
from grashof.integrate.methods import Explicit, Method, Switch
from grashof.integrate.stiffness import MANY, NEAR, PowerIteration, scale_of

if TYPE_CHECKING:
    from grashof.integrate.run import Run

FIRST, SETTLED, EVERY = 40, 100, 20
"""After how many attempted steps of an explicit and of an implicit method a run is first examined. If it seems that
another method is better, it is examined again after the third number with an explicit method and the second with an
implicit one; otherwise after as many more as were attempted so far."""
TIMES = 2
"""Number of successive examinations that must agree."""
FEW = 2_000
"""Number of explicit steps to the end from which an implicit method that is compiled already is worth a change."""
PATIENCE = 4
"""Each return to the explicit method makes intervals between its examinations this many times as long."""
GAIN = 1.3
"""The explicit method goes on where that takes less time by this factor (docs/measurements.md)."""
CHANGE = 1e6
"""What a change takes, in operations (see `work`)."""
SEEN = 20
"""Number of the last steps over which forces are compared."""
NOTHING = 1e-3
"""Changes of velocities below this part of the permitted error may be round-off."""
FASTER = 10.0
"""The scales of power iterations are made anew where the mechanism has become this many times as fast."""


class Switching:
    """The methods of one run.

    choice    the methods so far
    planned   the changes that are made at given times
    tried     the number of attempted steps at which the run is examined next
    """

    def __init__(self, run: Run) -> None:
        self.run, self.choice = run, run.settings.method
        self.planned = list(self.choice.switches)
        first, other = self.choice.first, run.settings.alternative
        self._explicit: Explicit | None = None
        self._implicit: Method | None = None
        if self.choice.tentative and not self.planned and isinstance(first, Explicit) and other is not None:
            self._explicit, self._implicit = first, other
        self._patience, self._agreeing = 1, 0
        self._time, self._steps, self._begun, self.tried = run.t0, 0, 0, FIRST
        self._counted, self._power = (0, 0), (0.0, cast(PowerIteration, None))

    @property
    def watchful(self) -> bool:
        """Whether the method may change."""
        return self._explicit is not None

    def look(self) -> None:
        """Examines the run if that is due, and changes its method if another one is better."""
        control, rows = self.run.control, self.run.rows
        if self._explicit is None or control.tried < self.tried or control.state != RUNNING:
            return
        if control.event or control.fallen:  # the last steps may be taken back
            return
        row = int(control.steps)
        time, steps = float(rows.times[row]), rows.before + row
        taken, span, counted = steps - self._steps, abs(time - self._time), (control.tried, control.evaluations)
        attempts, evaluations = (now - before for now, before in zip(counted, self._counted, strict=True))
        self._time, self._steps, self._counted = time, steps, counted
        moving = taken > 0 and span > 0.0
        better = self._better_method(span / taken, attempts / taken, evaluations / attempts) if moving else None
        self._agreeing = self._agreeing + 1 if better else 0
        self.tried = control.tried + (self._soon if better else max(EVERY, control.tried - self._begun))
        if better is not None and self._agreeing == TIMES:
            method, reason = better
            self._patience *= PATIENCE if isinstance(method, Explicit) else 1
            self.choice = self.choice.switched(Switch(time, method, reason))
            self.run.use(method)
            self._agreeing, self._begun = 0, control.tried
            self.tried = control.tried + (self._patience * FIRST if isinstance(method, Explicit) else SETTLED)

    @property
    def _soon(self) -> int:
        """After how many attempted steps an examination is repeated. What is stiff at times, as friction, is so again
        soon: the implicit method has time."""
        return self._patience * EVERY if self.run.loop.space.method is self._explicit else SETTLED

    def pass_time(self, t: float) -> None:
        """Makes the changes that are planned for a time."""
        while self.planned and self.planned[0].time == t:
            self.run.use(self.planned.pop(0).method)

    def memory(self) -> dict[str, Any]:
        """Everything that is known about the run so far."""
        kept = {name: x for name, x in vars(self).items() if name not in ("run", "tried", "_begun", "_counted")}
        return {**kept, "planned": [*self.planned], "method": self.run.loop.space.method}

    def recall(self, memory: dict[str, Any]) -> None:
        """Returns to an earlier time of the run."""
        if memory["method"] is not self.run.loop.space.method:
            self.run.use(memory["method"])
        vars(self).update({name: x for name, x in memory.items() if name != "method"})
        self.planned = [*self.planned]
        control = self.run.control
        self._begun, self._counted = int(control.tried), (control.tried, control.evaluations)

    def _better_method(self, step: float, attempts: float, evaluations: float) -> tuple[Method, str] | None:
        """The method that would be better than the present one, and why, given the mean length of the last steps, their
        attempts and the evaluations of each of these."""
        run, explicit, implicit = self.run, self._explicit, self._implicit
        assert explicit is not None
        assert implicit is not None
        left, work = abs(run.t_end - self._time) / step, run.equations.work
        if run.loop.space.method is explicit:
            if left < (FEW if self.choice.switches else MANY):
                return None
            if not self._is_stiffer(NEAR * explicit.reach / step):
                return None
            return implicit, f"steps of {explicit.name} are limited to {step:.1e} s by their stability"
        takes = attempts * implicit.predict_work(work, evaluations) - CHANGE / left
        if not takes > 0.0 or self._is_stiffer(
            takes / GAIN / explicit.predict_work(work, explicit.stages) * explicit.reach / step
        ):
            return None
        return explicit, f"steps of {implicit.name} are only {step:.1e} s long there"

    def _is_stiffer(self, limit: float) -> bool:
        """Whether there are eigenvalues above a limit, 1/s."""
        return self._spectral_radius() > limit or self._steepest_forces() > limit

    def _spectral_radius(self) -> float:
        """That of the Jacobian at the last state, 1/s."""
        run, row = self.run, int(self.run.control.steps)
        speed, power = self._power
        if not FASTER * speed > run.control.speed:
            speed = run.control.speed
            power = PowerIteration(run.equations, scale_of(run.equations.sizes, run.control.length, speed))
            self._power = speed, power
        return power.spectral_radius(self._time, run.rows.states[row])

    def _steepest_forces(self) -> float:
        """The largest change of accelerations over a step, divided by that of velocities, 1/s: friction of little slip
        speed can let steps end on either side, where it is constant."""
        run, last = self.run, int(self.run.control.steps)
        rows, sizes = slice(max(0, last - SEEN), last + 1), run.equations.sizes
        states = run.rows.states[rows]
        rates = run.equations.derivatives(run.rows.times[rows], states)
        moved, changed = (
            np.square(np.diff(x, axis=0)).sum(axis=1) for x in (states[:, sizes.of_v], rates[:, sizes.of_a])
        )
        seen = moved > (NOTHING * run.control.tolerance * run.control.speed) ** 2
        return float(np.sqrt(np.max(changed[seen] / moved[seen], initial=0.0)))

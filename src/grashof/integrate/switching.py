"""Changes of the method within a run, which goes on from the state it has reached.

With an explicit method, a run is stiff if its steps are limited by stability (see `stiffness`) and many are left: then
an implicit method goes on. With an implicit method, stiffness is over if the explicit one could go on with steps that
are, by their stability, so long that they take less time. Whoever changes often waits longer and longer before the next
change, so that changes which do not pay cost little.

A second run, from which the error is estimated, changes its methods at the same times as the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from grashof.integrate.control import RUNNING
from grashof.integrate.methods import Explicit, Method, Switch
from grashof.integrate.methods.rodas5p import RODAS5P
from grashof.integrate.stiffness import MANY, NEAR, scale_of, spectral_radius

if TYPE_CHECKING:
    from grashof.integrate.run import Run

FIRST, SETTLED, EVERY = 60, 200, 40
"""After how many attempted steps of an explicit and of an implicit method a run is first examined, and after how many
more again if it seems that another method is better; otherwise after as many more as were attempted so far."""
TIMES = 2
"""Number of successive examinations that must agree."""
FEW = 2_000
"""Number of explicit steps to the end from which an implicit method that is compiled already is worth a change."""
PATIENCE = 4
"""Each return to the explicit method makes intervals between its examinations this many times as long."""
SHORT, SHORTER = 2.0, 5.0
"""The explicit method goes on where steps of RODAS5P, and of other implicit methods, are shorter than so many explicit
ones at their limit of stability: half of what they cost, so that methods do not change for little
(docs/measurements.md)."""


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
        taken, span = steps - self._steps, abs(time - self._time)
        self._time, self._steps = time, steps
        better = self._better_method(time, span / taken, rows.states[row]) if taken > 0 and span > 0.0 else None
        self._agreeing = self._agreeing + 1 if better else 0
        self.tried = control.tried + (self._waiting * EVERY if better else max(EVERY, control.tried - self._begun))
        if better is not None and self._agreeing == TIMES:
            method, reason = better
            self._patience *= PATIENCE if isinstance(method, Explicit) else 1
            self.choice = self.choice.switched(Switch(time, method, reason))
            self.run.use(method)
            self._agreeing, self._begun = 0, control.tried
            self.tried = control.tried + self._waiting * (FIRST if isinstance(method, Explicit) else SETTLED)

    @property
    def _waiting(self) -> int:
        return self._patience if self.run.loop.space.method is self._explicit else 1

    def pass_time(self, t: float) -> None:
        """Makes the changes that are planned for a time."""
        while self.planned and self.planned[0].time == t:
            self.run.use(self.planned.pop(0).method)

    def memory(self) -> dict[str, Any]:
        """Everything that is known about the run so far."""
        kept = {name: x for name, x in vars(self).items() if name not in ("run", "tried", "_begun")}
        return {**kept, "planned": [*self.planned], "method": self.run.loop.space.method}

    def recall(self, memory: dict[str, Any]) -> None:
        """Returns to an earlier time of the run."""
        if memory["method"] is not self.run.loop.space.method:
            self.run.use(memory["method"])
        vars(self).update({name: x for name, x in memory.items() if name != "method"})
        self.planned = [*self.planned]
        self._begun = int(self.run.control.tried)

    def _better_method(self, time: float, step: float, state: np.ndarray) -> tuple[Method, str] | None:
        """The method that would be better than the present one, and why, given the mean length of the last steps."""
        run, explicit, implicit = self.run, self._explicit, self._implicit
        assert explicit is not None
        assert implicit is not None
        present = run.loop.space.method
        left = abs(run.t_end - time) / step
        if present is explicit and left < (FEW if self.choice.switches else MANY):
            return None
        scales = scale_of(run.equations.sizes, run.control.length, run.control.speed)
        rate = spectral_radius(run.equations, time, state, scales)
        if present is explicit:
            if not step * rate > NEAR * explicit.reach:
                return None
            return implicit, f"steps of {explicit.name} are limited to {step:.1e} s by their stability"
        if not step * rate < (SHORT if implicit is RODAS5P else SHORTER) * explicit.reach:
            return None
        return explicit, f"steps of {implicit.name} are only {step:.1e} s long there"

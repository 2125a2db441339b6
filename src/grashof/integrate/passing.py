"""How a run passes singular positions.

Where steps become small it looks ahead (see `crossing`): a node is crossed in one long step; where a singular position
is missed, steps are made small enough to resolve by how much. When a stretch is finished, its steps are checked for
jumps from one part of the branch to another.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grashof.integrate.approach import BEGIN, OVERSHOT, ROUGHLY
from grashof.integrate.collocation import Crossing, Flow
from grashof.integrate.control import RUNNING, Control
from grashof.integrate.crossing import CrossingSurroundings, Dense, Follow, Lost, Miss, Scale, cross, first_jump
from grashof.integrate.following import Curves, Following
from grashof.integrate.step import Workspace
from grashof.scalar.algebra import roughly
from grashof.singular.folds import Fold

Vector = NDArray[np.float64]

FAILED = 0.25
"""The fraction of a run's evaluations that may be spent on failed steps across."""

CUSP = (
    "The positions of the mechanism form a curve with a cusp, which it reaches at about t = {:.4g} s: it can "
    "return from there, but there is no position beyond it."
)
"""What is said where a configuration curve ends."""

AFTER_CUSP = (
    "End the run before this position, or choose a start with which the mechanism turns back before it; "
    "what follows is an impact, and depends on the elasticity of the bodies."
)

CAREFUL = 1e-4
"""Where a singular position is missed, the permitted error of a step relative to the distance by which it is missed."""


class Passing:
    """The singular positions of one run.

    crossings    the steps across
    checked      the row up to which steps were checked for jumps
    undecided    when one was first passed so narrowly that the motion after it is uncertain
    fold         where the motors reach the limit that the joints allow, or where the configuration curve ends, if the
                 run is near it
    following    the configuration curve that the run follows, if branches touch nearby
    """

    def __init__(
        self,
        flow: Flow,
        space: Workspace,
        control: Control,
        work: Vector,
        surroundings: CrossingSurroundings,
        dense: Dense,
    ) -> None:
        self.flow, self.space, self.control, self.work = flow, space, control, work
        self.surroundings, self.dense = surroundings, dense
        self.crossings: list[Crossing] = []
        self.undecided: float | None = None
        self.fold: Fold | None = None
        self.following: Following | None = None
        self._curves = Curves(surroundings.continuation, space.sizes, control.length)
        self._failed = 0  # evaluations
        self.checked = 0

    def look(self, times: Vector, states: Vector, since: int) -> bool:
        """Looks ahead from the last of the rows, of which those from `since` on belong to one stretch; returns
        whether the run restarts from another row."""
        count, before = self.control.steps + 1, self.control.evaluations
        patient = self._failed <= FAILED * before
        found = cross(
            self.flow,
            times[since:count],
            states[since:count],
            self.surroundings,
            self._scale(),
            self._curves,
            patient=patient,
        )
        if found is None:
            self._failed += self.control.evaluations - before
            return False
        if isinstance(found, Fold):
            self.fold = found
            return False
        row = since + found.row
        if isinstance(found, Miss):
            return self._refined(found.size, row, times, states)
        if isinstance(found, Follow | Lost):
            return self._followed(found, row, times, states)
        self._back_to(row, times, states)
        self._add(found.crossing, found.end, times, states)
        return True

    def follow(self, times: Vector, states: Vector) -> bool:
        """Makes the next step along the configuration curve; returns whether there was one."""
        if self.following is None:
            return False
        control, row = self.control, int(self.control.steps)
        t, y = float(times[row]), states[row].copy()
        forward = float(np.sign(control.t_end - t))
        if t != self.following.time:  # an event has changed the motion, or the run went back
            if self.following.inside(t, y):
                self._doubt(t)
            self.following = None
            return False
        step = self.following.step(t, y, forward, self._scale())
        if step is not None:
            self._add(step, step.at(np.array([step.end]))[0][0], times, states)
            self.following.time = float(times[row + 1])
            return True
        if self.following.ends is not None:
            self.fold = Fold(t, y[self.space.sizes.of_q], CUSP.format(self.following.ends), AFTER_CUSP)
        elif self.following.inside(t, y) or not self.following.moved:
            self._doubt(t)
            self._curves.lost = True
        else:
            states[row] = self.flow.projected(t, y)
            self._resume(row, control.size, times, states)
        self.following, self._curves.left = None, t
        return True

    def _followed(self, found: Follow | Lost, row: int, times: Vector, states: Vector) -> bool:
        """Goes back to a row to follow the configuration curve from there; if that is not known, the motion is
        undecided."""
        if isinstance(found, Lost) or self._curves.lost:
            self._doubt(float(times[row]))
            self._curves.lost = True
            self.control.attentive = 0  # whatever follows is one of several possible motions
            return False
        self._back_to(row, times, states)
        self.following = Following(self.flow, self.surroundings, found.curve, float(times[row]))
        return True

    def _add(self, crossing: Crossing, end: Vector, times: Vector, states: Vector) -> None:
        """Makes a step across the next one."""
        row, sample = int(self.control.steps), self.space.sizes.sample
        if sample and crossing.end > states[row][sample - 1]:  # what changes there, the step does not see
            self._doubt(float(times[row]))
        ended = (self.control.t_end - crossing.end) * crossing.length <= 0.0
        times[row + 1] = self.control.t_end if ended else crossing.end
        states[row + 1] = crossing.at(times[row + 1 : row + 2])[0][0] if ended else end
        self._resume(row + 1, abs(times[row] - times[row - 1]) if row else abs(crossing.length), times, states)
        self.crossings.append(crossing)

    def look_for_fold(self, times: Vector, states: Vector, since: int, *, stuck: bool) -> bool:
        """Looks for a fold although the step size did not fall; returns whether the run ends at an earlier row, because
        it has gone beyond the fold.

        stuck   whether the run cannot continue: then states may be far from singular, or beyond the fold
        """
        last = int(self.control.steps)
        for row in range(last, max(since, last - OVERSHOT) if stuck else last - 1, -1):
            if row <= since:
                break
            before, here = self.surroundings.distances(times[row - 1 : row + 1], states[row - 1 : row + 1])
            if here < before and (stuck or here < BEGIN[0]):
                left = here / (before - here) * (times[row] - times[row - 1])
                self.fold = self.surroundings.fold(float(times[row]), states[row], float(left))
            if self.fold is not None:
                self.control.steps = row
                return row < last
        return False

    def check(self, times: Vector, states: Vector) -> bool:
        """Checks the steps since the last check for jumps; returns whether the run restarts before one, with smaller
        steps."""
        end = self.control.steps + 1
        while self.checked + 1 < end:
            rows = slice(self.checked, end)
            known = {x.begin for x in self.crossings}
            first = self.checked

            def dense(steps: slice, at: Vector, first: int = first) -> Vector:
                return self.dense(slice(first + steps.start, first + steps.stop), at)

            jump = first_jump(times[rows], states[rows], self.surroundings, self._scale(), dense, known, self._curves)
            if jump is None:
                self.checked = end - 1
                return False
            row = self.checked + jump.row
            if isinstance(jump, Follow | Lost):
                if self._followed(jump, row, times, states):
                    return True
            elif self._refined(jump.size, row, times, states):
                return True
            self._doubt(float(times[row]))
            self.checked = row + 1
        return False

    def memory(self) -> tuple[Any, ...]:
        """Everything that is known about the run so far."""
        return [*self.crossings], self.undecided, self.fold, self._failed, self.checked

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Returns to an earlier time of the run."""
        crossings, self.undecided, self.fold, self._failed, self.checked = memory
        self.crossings = [*crossings]

    def _scale(self) -> Scale:
        control = self.control

        def error(difference: Vector) -> float:
            weights = np.concatenate(self._weights())
            return float(np.sqrt(np.sum((weights * difference) ** 2) / control.controlled))

        return Scale(error, control.length, control.tolerance)

    def _weights(self) -> tuple[Vector, Vector]:
        """The weights of the direct coordinates, and those of everything else."""
        place, sizes = self.space.places, self.space.sizes
        return self.work[place["weights_q"] :][: sizes.direct], self.work[place["weights"] :][: sizes.rates]

    def _refined(self, size: float, row: int, times: Vector, states: Vector) -> bool:
        """Goes back to a row with steps that resolve distances of this size, m, if they did not before; the passage
        is undecided if no step can."""
        control = self.control
        if size < self.surroundings.unheld * control.length:
            self._doubt(float(times[row]))
            return False
        finer = float(roughly(CAREFUL * size / (control.length * control.tolerance), ROUGHLY))
        if not finer < 1.0:
            return False
        if not self.space.method.adaptive:
            self._doubt(float(times[row]))
            return False
        control.tolerance *= finer
        for weights in self._weights():
            weights /= finer
        self._back_to(row, times, states)
        return True

    def _back_to(self, row: int, times: Vector, states: Vector) -> None:
        begun = times[row]
        if self._curves.left is not None and abs(begun - self.control.t_end) > abs(
            self._curves.left - self.control.t_end
        ):
            self._curves.left = None
        self.crossings = [x for x in self.crossings if (begun - x.begin) * x.length > 0.0]
        self.checked = min(self.checked, row)
        self._resume(row, abs(times[row] - times[row - 1]) if row else 0.0, times, states)

    def _resume(self, row: int, size: float, times: Vector, states: Vector) -> None:
        """Makes a row the start of the next step."""
        control, start = self.control, self.space.places["start"]
        self.work[start], self.work[start + 1 :][: self.space.sizes.size] = times[row], states[row]
        control.steps, control.state, control.hold = row, RUNNING, 0
        if self.space.method.adaptive:
            control.size = size
        control.usual = control.size

    def _doubt(self, time: float) -> None:
        if self.undecided is None:
            self.undecided = time

"""The angles of a run, including whole turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from grashof.common.errors import ModelError
from grashof.formulation.natural.state import SystemState, measure_parts
from grashof.formulation.natural.winding import UndefinedAngleError, Winding, follow, nearest_turn, require_defined
from grashof.integrate import Steps
from grashof.program import Program

Array = np.ndarray

ROUND_OFF = 1e-9
"""A direction that is nearer to its axis than this, in rad, has no angle about it: its projection is then round-off
of the positions, which satisfy the constraints to about 1e-12, and of the times at which they are computed."""

LARGEST = 0.1
"""rad; whatever the error of a run is, directions farther from their axis than this have an angle. In the plane all
have."""


class Turns(Mapping[str, Array]):
    """Angles by name at times t, at which the states are y; each is computed when it is first requested.

    An angle is a state of the run, or prescribed by a motor, or followed along the steps (see `winding`). Raises
    ModelError for an angle that is undefined at some time.
    """

    def __init__(self, program: Program, steps: Steps, t: Array, y: Array) -> None:
        self.program, self.steps, self.t, self.y = program, steps, t, y
        self._known: dict[str, Array] = {}
        self._between: tuple[Array, Array] = np.empty(0), np.empty(0)

    def __getitem__(self, name: str) -> Array:
        if name not in self:
            raise KeyError(name)
        if name not in self._known:
            self._known[name] = self._with_turns(name)
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self.program.assembly.angles

    def __iter__(self) -> Iterator[str]:
        return iter(self.program.assembly.angles)

    def __len__(self) -> int:
        return len(self.program.assembly.angles)

    def _with_turns(self, name: str) -> Array:
        system = self.program.system
        if name in system.tracked:
            state: Array = self.y[:, self.program.dynamics.layout.of_angles][:, system.tracked.index(name)]
            return state
        extract = self.steps.extract
        if extract is not None:
            if name in extract.undefined:
                raise ModelError(extract.undefined[name])
            return extract.angles[name][extract.rows(self.t)]
        law = next((motor.value for motor in self.program.model.motors if motor.target == name), None)
        try:
            if law is not None:
                return nearest_turn(np.angle(self._defined(name)), law(self.t))
            return self._followed(name).at(self.t, self._defined(name))
        except UndefinedAngleError as there:
            raise ModelError(
                f"Angle '{name}' is not defined at t = {there.time:.9g} s: the direction that it measures comes as "
                f"close to the axis as the error of the run, {self._nearest:.1e}, so it cannot be decided on which "
                "side it passes, and whole turns cannot be counted from there on. Choose another axis or direction for "
                "the angle, a smaller tolerance, or a start from which the motion keeps its distance."
            ) from there

    @cached_property
    def _nearest(self) -> float:
        """How near to its axis, in rad, a direction may come: the error of the run, if it was estimated or is kept
        below a bound."""
        companion, bound = self.steps.companion, self.steps.bound
        return min(max((bound or 0.0) if companion is None else companion.error, ROUND_OFF), LARGEST)

    @property
    def _least(self) -> float:
        """The same for ℓ² (cos θ + i sin θ), m²."""
        return self._nearest * self.program.system.length**2

    def _defined(self, name: str) -> Array:
        return require_defined(self.t, self._path(name, self.y)[0], self._least)

    def _followed(self, name: str) -> Winding:
        steps = self.steps

        def path(t: Array) -> tuple[Array, Array]:
            return self._path(name, steps.y if t is steps.t else self._states(t))

        start = self.program.assembly.angles if steps.angles is None else steps.angles
        if name not in start:
            raise ModelError(
                f"Angle '{name}' was not defined at an earlier time of the run, and whole turns cannot be "
                "counted after that."
            )
        return follow(start[name], steps.t, path, self._least)

    def _states(self, t: Array) -> Array:
        """The states at these times. The last ones are kept, because most angles are needed half-way between all
        steps and nowhere else."""
        if not np.array_equal(t, self._between[0]):
            self._between = t, self.program.integrator.sample(self.steps, t)[0]
        return self._between[1]

    def _path(self, name: str, y: Array) -> tuple[Array, Array]:
        """ℓ² (cos θ + i sin θ) and its rate at the states y (times, …)."""
        system = self.program.system
        layout = self.program.dynamics.layout
        motion = SystemState(system, 0.0, list(y[:, layout.of_q].T), list(y[:, layout.of_v].T))
        sine, cosine = (motion.jet(x) for x in measure_parts(system, system.model.all_measures[name]))
        z, rate = np.empty(len(y), complex), np.empty(len(y), complex)
        # a body that cannot rotate has one angle, not one for each time
        z.real, z.imag, rate.real, rate.imag = cosine.value, sine.value, cosine.first, sine.first
        return z, rate

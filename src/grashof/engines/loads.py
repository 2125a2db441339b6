"""All forces of a mechanism as one compiled function: body poses in, forces and torques on the bodies out.

For forces for which an engine has no element of its own, and for engines that are stepped from Python anyway.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed
from grashof.engines.observed import Bodies, placed_bodies
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, body_of, cross, difference
from grashof.model.forces import Force, Load
from grashof.model.measures import MeasureBase
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar, atan2, cos, sin
from grashof.scalar.jet import Jet
from grashof.situation import Situation
from grashof.tape import Library, emit, trace

UNSURE = 2.0
"""Between two evaluations an angle that turns smoothly moves by far less than half a turn. One whose vector passes
close to its axis jumps by almost half a turn, in a direction that only finer steps can resolve.
"""

_POSE = 18  # origin, rotation matrix row by row, velocity, angular velocity


class CompiledLoads(ABC):
    """Forces as a compiled function of the numbers that describe the poses of the bodies.

    Angles keep their whole turns from call to call (in `angles`, those that some force depends on). Where one of them
    differs by more than UNSURE from the previous call, its whole turns cannot be determined, and `check` reports it
    after the run. `reset` goes back to the start.
    """

    def __init__(self, situation: Situation, forces: tuple[Force, ...], inputs: int, outputs: int) -> None:
        for force in forces:
            if force.bearings() or force.integrals() or force.period is not None:
                raise EngineFailed(
                    f"Force '{force.name}': it depends on more than the motion of the bodies, and other "
                    "engines return only that."
                )
        self.situation, self.forces = situation, forces
        measures = situation.original.all_measures
        wanted = (name for force in forces for name in force.tracked())
        self._tracked = tuple(dict.fromkeys(name for name in wanted if name in measures and measures[name].winds))
        self._inputs = np.zeros(inputs + len(self._tracked))
        self._outputs = np.zeros(outputs + len(self._tracked))
        self.angles, self._turned = self._inputs[inputs:], self._outputs[outputs:]
        self.reset()

    def reset(self) -> None:
        """Resets the angles to those of the start."""
        self.angles[:] = [self.situation.assembly.angles[name] for name in self._tracked]
        self._lost: str | None = None

    def check(self) -> None:
        """Raises EngineFailed if the whole turns of an angle could not be determined since the last reset."""
        if self._lost is not None:
            raise EngineFailed(
                f"The angle '{self._lost}' jumps by more than {UNSURE} rad between two evaluations of the "
                "forces, so its whole turns cannot be determined."
            )

    @abstractmethod
    def _evaluate(self, x: list[Scalar]) -> list[Scalar]:
        """Forces and angles from the inputs and the previous angles, as traced scalars."""

    def _run(self) -> None:
        """From `_inputs` to `_outputs`."""
        self._function(*self._addresses)
        if self._tracked and self._lost is None:
            jumps = np.abs(self._turned - self.angles)
            if not jumps.max() <= UNSURE:
                self._lost = self._tracked[int(np.argmax(jumps))]
        self.angles[:] = self._turned

    @cached_property
    def _addresses(self) -> tuple[int, int]:
        return self._inputs.ctypes.data, self._outputs.ctypes.data

    @cached_property
    def _function(self) -> Any:
        library = Library(emit({"loads": trace(self._evaluate, len(self._inputs))}))
        return library.function("loads", None, ctypes.c_void_p, ctypes.c_void_p)


@contextmanager
def aside(forces: CompiledLoads | None) -> Iterator[None]:
    """For trial steps: restores the angles afterwards."""
    angles = None if forces is None else forces.angles.copy()
    yield
    if forces is not None:
        forces.angles[:] = angles


class Loads(CompiledLoads):
    """Forces (N) and torques about the body origins (N m), in world axes, without gravity."""

    def __init__(self, situation: Situation, forces: tuple[Force, ...] | None = None) -> None:
        count = len(situation.bodies)
        super().__init__(
            situation, situation.original.forces if forces is None else forces, 1 + _POSE * count, 6 * count
        )

    def __call__(
        self, time: float, positions: np.ndarray, rotations: np.ndarray, velocities: np.ndarray, spins: np.ndarray
    ) -> np.ndarray:
        """(B, 6): force and torque on each body, from arrays (B, 3), (B, 3, 3), (B, 3), (B, 3); valid until the next
        call."""
        count, x = len(self.situation.bodies), self._inputs
        pose = x[1 : 1 + _POSE * count].reshape(count, _POSE)
        x[0] = time
        pose[:, 0:3], pose[:, 3:12] = positions, rotations.reshape(count, 9)
        pose[:, 12:15], pose[:, 15:18] = velocities, spins
        self._run()
        return self._outputs[: 6 * count].reshape(count, 6)

    def _evaluate(self, x: list[Scalar]) -> list[Scalar]:
        s = self.situation
        count = len(s.bodies)
        rows = [x[1 + _POSE * k : 1 + _POSE * (k + 1)] for k in range(count)]
        origins = [[Jet(r[i], r[12 + i], 0.0) for i in range(3)] for r in rows]
        axes = [[r[3:6], r[6:9], r[9:12]] for r in rows]
        placed = placed_bodies(s.original, s.bodies, origins, axes, [r[15:18] for r in rows])
        bodies = Bodies(s.original, s.system.length, x[0], placed)
        before = dict(zip(self._tracked, x[1 + _POSE * count :], strict=True))
        wrenches = total_wrenches(bodies, self.forces, before)
        none: list[Scalar] = [0.0] * 6
        return [x for name in s.bodies for x in wrenches.get(name, none)] + list(bodies.turns.values())


def total_wrenches(bodies: Bodies, forces: Sequence[Force], before: Mapping[str, Scalar]) -> dict[str, list[Scalar]]:
    """Force and torque about the origin on every body that the forces act on; whole turns are continued from
    `before`.
    """
    bodies.turns = {name: _nearest(bodies.measure(name).value, angle) for name, angle in before.items()}
    total: dict[str, list[Scalar]] = {}
    for force in forces:
        for load in force.loads(bodies):
            for body, wrench in _wrenches(bodies, load):
                if body != GROUND:
                    total[body] = [a + b for a, b in zip(total.get(body, [0.0] * 6), wrench, strict=True)]
    return total


def _nearest(angle: Scalar, before: Scalar) -> Scalar:
    """The angle, with the whole turns that bring it closest to its previous value."""
    return before + atan2(sin(angle - before), cos(angle - before))


def _wrenches(bodies: Bodies, load: Load) -> list[tuple[str, list[Scalar]]]:
    """Force and torque about the origin for every body that a load acts on."""
    target, effort = load
    measure = bodies.model.target(target)
    if measure is None:
        assert isinstance(target, str)
        return [_at_point(bodies, target, effort)]
    moved = [body for body in dict.fromkeys(measure.bodies) if body != GROUND]
    return [(body, [effort[0] * x for x in _gradient(bodies, measure, body)]) for body in moved]


def _at_point(bodies: Bodies, reference: str, force: list[Scalar]) -> tuple[str, list[Scalar]]:
    body = body_of(reference)
    if body == GROUND:
        return body, [0.0] * 6
    arm = [x.value for x in difference(bodies.point(reference), bodies.placed[body].origin)]
    f, r = ([*v, 0.0][:3] for v in (force, arm))
    return body, [*f, *cross(tuple(r), tuple(f))]


def _gradient(bodies: Bodies, measure: MeasureBase, moving: str) -> list[Scalar]:
    """How a measure changes with the place of a body and with its rotation about its origin: six numbers."""
    slopes = []
    for k in range(6):
        value = measure.value(measure.parts(_Displaced(bodies, moving, k)))
        slopes.append(value.slope if isinstance(value, Dual) else 0.0)
    return slopes


@dataclass(frozen=True)
class _Displaced:
    """Fields in which one body is displaced along axis k, or turned about axis k − 3 at its origin."""

    bodies: Bodies
    moving: str
    k: int

    @property
    def dimension(self) -> int:
        return self.bodies.dimension

    @property
    def length(self) -> float:
        return self.bodies.length

    def point(self, reference: str) -> list[Scalar]:
        place = [x.value for x in self.bodies.point(reference)]
        if body_of(reference) != self.moving:
            return place
        if self.k < 3:
            return [Dual(x, 1.0 if i == self.k else 0.0) for i, x in enumerate(place)]
        arm = [x - o.value for x, o in zip(place, self.bodies.placed[self.moving].origin, strict=True)]
        return self._turn_about_axis(place, arm)

    def arrow(self, body: str, direction: Vector) -> list[Scalar]:
        drawn = [x.value for x in self.bodies.arrow(body, direction)]
        return self._turn_about_axis(drawn, drawn) if body == self.moving and self.k >= 3 else drawn

    def _turn_about_axis(self, place: list[Scalar], arm: list[Scalar]) -> list[Scalar]:
        axis = tuple(1.0 if i == self.k - 3 else 0.0 for i in range(3))
        rates = cross(axis, tuple([*arm, 0.0][:3]))
        return [Dual(x, rate) for x, rate in zip(place, rates, strict=False)]

"""Whether a mechanism with varied numbers is in the assembly mode of the nominal one.

The numbers are changed from their nominal values in small steps, and the mechanism is reassembled after each from its
previous position, so that its assembly mode is followed. If the result is not the position in which the mechanism with
the varied numbers would start on its own, that position belongs to another assembly mode, or to one that cannot be
reached in this way.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from msgspec.structs import replace

from grashof.assembly.assembled_model import assemble_with_start
from grashof.assembly.initial_offsets import free_at_start
from grashof.common.errors import ModelError
from grashof.formulation.natural.system import compile_system
from grashof.geometry.poses import poses_at
from grashof.integrate.start_path import STRIDE
from grashof.model.model import Model
from grashof.model.parameters import numbers, with_numbers
from grashof.model.rotations import rotation_matrix
from grashof.model.start import Pose
from grashof.program import Program

Poses = dict[str, Pose]

MOST = 100
"""Largest number of steps."""

SAME = 1e-6
"""Positions count as equal if they differ by less than this fraction of the mechanism's length, directions by this
many radians."""


class NominalBranch:
    """The assembly mode of a mechanism as described. If the start leaves a degree of freedom undetermined, any
    position is accepted."""

    def __init__(self, model: Model, paths: tuple[str, ...]) -> None:
        known = numbers(model)
        self._model, self._paths = model, paths
        self._nominal = np.array([known[path].value for path in paths], float)

    @cached_property
    def _start(self) -> Poses | None:
        """Where the bodies are at the nominal start, if that is determined."""
        try:
            found = assemble_with_start(self._model)
            free = found.assembly.free
            if any(coupling.open for coupling in self._model.all_couplings):
                free = free_at_start(compile_system(self._model))
        except ModelError:
            return None  # it cannot be assembled, so it has no assembly mode
        return None if free else poses_at(found.system, found.assembly.q)

    def leads_to(self, values: np.ndarray, found: Program) -> bool:
        """Whether the mechanism with these values of its numbers is in this assembly mode."""
        if self._start is None or found.assembly.free:
            return True
        there, length = _poses(found), found.system.length
        if self._same(self._start, there, length):
            return True
        size = np.where(self._nominal == 0.0, 1.0, np.abs(self._nominal))
        count = int(np.clip(np.ceil(np.max(np.abs(values - self._nominal) / size) / STRIDE), 2, MOST))
        poses = self._start
        for part in np.arange(1, count + 1) / count:
            numbers_there = dict(
                zip(self._paths, (self._nominal + part * (values - self._nominal)).tolist(), strict=True)
            )
            try:
                poses = _assemble_poses(with_numbers(self._model, numbers_there), poses)
            except ModelError:
                return False
        return self._same(poses, there, length)

    def _same(self, one: Poses, other: Poses, length: float) -> bool:
        """Whether all bodies are at the same places; slender bars may have any spin."""
        for body in self._model.bodies:
            here, there = one[body.name], other[body.name]
            apart = np.max(np.abs(np.subtract(here.position, there.position)))
            turned = abs(np.remainder(here.angle - there.angle + np.pi, 2.0 * np.pi) - np.pi)
            if self._model.dimension == 3:
                rotations = [rotation_matrix(pose.rotation) for pose in (here, there)]
                columns = 1 if body.slender else 3
                turned = float(np.max(np.abs(rotations[0] - rotations[1])[:, :columns]))
            if apart > SAME * length or turned > SAME:
                return False
        return True


def _assemble_poses(model: Model, guesses: Poses) -> Poses:
    """The poses of the bodies when the mechanism is assembled from these guesses."""
    found = assemble_with_start(replace(model, start=replace(model.start, guesses=guesses)))
    return poses_at(found.system, found.assembly.q)


def _poses(program: Program) -> Poses:
    return poses_at(program.system, program.assembly.q)

"""Joint reactions in the classical way, dense, and what a comparison with them may differ by."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import cast

import numpy as np

from grashof.formulation.natural.system import compile_system
from grashof.model.joints import Joint
from grashof.model.measures import Angle
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory
from grashof.reactions import Reactions

from ..formulation.newton_euler import BodyCoordinates, skew
from ..formulation.states import accelerations_at, converged

Array = np.ndarray

DIGITS = 1e-8
"""Relative to the largest reaction. Accelerations carry a trace of ε = 1e-10 (1e-8 where constraints are redundant),
squared by one refinement, times what the mechanism's own dimensions make of it."""

RUN = 1e-7
"""The same for what depends on where the run has got to, at tolerances of 1e-8 and below."""


def largest(found: Reactions) -> float:
    """The largest component, moments divided by ℓ."""
    return float(np.max(np.abs(found.efforts)))


def moments(model: Model, *bodies: BodyCoordinates) -> Trajectory:
    """A run of some moments, one a second: where bodies are, how they move, and their accelerations to the last
    digit."""
    dynamics = converged(compile_system(model), *bodies)
    rows = []
    for here in bodies:
        q, v, turns, a = accelerations_at(dynamics, here)
        rows.append((q, v, a, np.concatenate([q, v, turns])))
    program = SimpleNamespace(model=model, dynamics=dynamics, system=dynamics.system)
    q, v, a, y = (np.array(column) for column in zip(*rows, strict=True))
    run = SimpleNamespace(program=program, t=np.arange(float(len(bodies))), q=q, v=v, a=a, y=y)
    return cast(Trajectory, run)


@dataclass(frozen=True)
class Classical:
    """Joint wrenches from the classical equations, dense: the bodies' needs M u̇ − f, and what joints can give them."""

    bodies: BodyCoordinates
    length: float
    second: dict[str, float]

    @property
    def kept(self) -> list[int]:
        return [0, 1, 5] if self.bodies.model.dimension == 2 else list(range(6))

    def on_bodies(self, a: str, b: str, place: Array, wrench: Array) -> Array:
        """A wrench (f, m) at a place on b, and its opposite on a, about the bodies' centres."""
        column = np.zeros(self.bodies.size)
        for body, sign in ((a, -1.0), (b, 1.0)):
            if body in self.bodies.names:
                first = 6 * self.bodies.names.index(body)
                lever = place - self.bodies.centers[body]
                column[first : first + 3] += sign * wrench[:3]
                column[first + 3 : first + 6] += sign * (wrench[3:] + skew(lever) @ wrench[:3])
        return column

    def basis(self, joint: Joint) -> tuple[Array, Array]:
        """The joint's point, and orthonormal wrenches (moments divided by ℓ) that it can transmit, as rows."""
        a, b = joint.bodies
        place = self.bodies.point(joint.b).value
        moving, sign = (b, 1.0) if b in self.bodies.names else (a, -1.0)
        first = 6 * self.bodies.names.index(moving)
        rows = []
        for row in self.bodies.rows(joint):
            force, moment = sign * row.jacobian[first : first + 3], sign * row.jacobian[first + 3 : first + 6]
            moment = moment - skew(place - self.bodies.centers[moving]) @ force
            rows.append(np.concatenate([force, moment / self.length])[self.kept])
        _, s, vt = np.linalg.svd(np.array(rows))
        full = np.zeros((int(np.sum(s > 1e-9 * s[0])), 6))
        full[:, self.kept] = vt[: len(full)]
        return place, full

    def solve(self) -> tuple[Array, Array]:
        """All components in the order of Reactions.values, the smallest ones; and how much each takes part in
        self-stress."""
        model, free = self.bodies.model, self.bodies.free
        columns, parts = [], []
        for joint in model.joints:
            place, basis = self.basis(joint)
            scales = np.array([1.0] * 3 + [self.length] * 3)
            for wrench in basis:
                columns.append(self.on_bodies(*joint.bodies, place, scales * wrench)[free])
            parts.append(basis[:, self.kept].T)
        for motor in model.motors:
            measure = model.all_measures[motor.target]
            unit = self.length if isinstance(measure, Angle) else 1.0
            columns.append(unit * self.bodies.measure(measure).jacobian[free])
            parts.append(np.eye(1))
        matrix = np.array(columns).T
        need = self.bodies.mass_matrix() @ self.bodies.accelerations(self.second)[free] - self.bodies.forces()[free]
        u, s, vt = np.linalg.svd(matrix)
        rank = int(np.sum(s > 1e-9 * s[0]))
        strengths = vt[:rank].T @ ((u[:, :rank].T @ need) / s[:rank])
        stress = vt[rank:].T
        first, values, shares = 0, [], []
        for part in parts:
            here = slice(first, first + part.shape[1])
            values.append(part @ strengths[here])
            shares.append(np.linalg.norm(part @ stress[here], axis=1))
            first = here.stop
        return np.concatenate(values), np.concatenate(shares)

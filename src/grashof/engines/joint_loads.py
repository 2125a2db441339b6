"""All forces of a mechanism as one compiled function of its tree coordinates, for engines that use such coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grashof.engines.loads import CompiledLoads, total_wrenches
from grashof.engines.observed import Bodies, Placed
from grashof.model.bodies import GROUND
from grashof.model.fields import cross, dot
from grashof.model.forces import Force
from grashof.scalar.functions import Scalar, cos, sin
from grashof.scalar.jet import Jet
from grashof.situation import Freedom, Situation

Matrix = list[list[Scalar]]

Layout = Mapping[str, list[tuple[int, int]]]
"""For each body, the offsets of its coordinates and speeds."""


@dataclass(frozen=True)
class Displacement:
    """x → R x + p, from the start, in world axes."""

    rotation: Matrix
    shift: list[Scalar]

    def then(self, inner: Displacement) -> Displacement:
        """This one after the inner one."""
        columns = list(zip(*inner.rotation, strict=True))
        rotation = [[dot(row, column) for column in columns] for row in self.rotation]
        return Displacement(rotation, self.place(inner.shift))

    def turn(self, x: list[Scalar]) -> list[Scalar]:
        """A direction."""
        return [dot(row, x) for row in self.rotation]

    def place(self, x: list[Scalar]) -> list[Scalar]:
        """A place."""
        return [a + b for a, b in zip(self.turn(x), self.shift, strict=True)]


class JointLoads(CompiledLoads):
    """Generalized forces (N, N m) in the coordinates of the situation's tree; by default those of all forces except
    gravity.

    q, v: of a turn or slide one number each; of a ball the quaternion x, y, z, w and the angular velocity in turned
    axes; of a free body its shift and quaternion, and both velocities in turned axes.
    """

    def __init__(
        self, situation: Situation, layout: Layout, nq: int, nv: int, forces: tuple[Force, ...] | None = None
    ) -> None:
        self._layout, self._nq, self._nv = layout, nq, nv
        super().__init__(situation, situation.original.forces if forces is None else forces, 1 + nq + nv, nv)

    def __call__(self, time: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(nv,), valid until the next call."""
        x, nq, nv = self._inputs, self._nq, self._nv
        x[0], x[1 : 1 + nq], x[1 + nq : 1 + nq + nv] = time, q, v
        self._run()
        return self._outputs[:nv]

    def _evaluate(self, x: list[Scalar]) -> list[Scalar]:
        s, nq, nv = self.situation, self._nq, self._nv
        q, v, angles = x[1 : 1 + nq], x[1 + nq : 1 + nq + nv], x[1 + nq + nv :]
        here = {GROUND: Displacement(np.eye(3).tolist(), [0.0] * 3)}
        steps: dict[str, list[tuple[Freedom, int, Displacement, Displacement]]] = {GROUND: []}
        placed = {}
        for link in s.tree:
            now, way = here[link.parent], list(steps[link.parent])
            for freedom, (i, j) in zip(link.freedoms, self._layout[link.body], strict=True):
                after = now.then(_displacement(freedom, q[i : i + 7], v[j : j + 6]))
                way.append((freedom, j, now, after))
                now = after
            here[link.body], steps[link.body] = now, way
            placed[link.body] = _place_loads(s, link.body, now)
        bodies = Bodies(s.original, s.system.length, x[0], placed)
        wrenches = total_wrenches(bodies, self.forces, dict(zip(self._tracked, angles, strict=True)))
        total: list[Scalar] = [0.0] * nv
        for body, wrench in wrenches.items():
            origin = [_value(c) for c in here[body].place(s.pose(body)[0].tolist())]
            for freedom, j, before, after in steps[body]:
                for k, effort in enumerate(_efforts(freedom, before, after, origin, wrench)):
                    total[j + k] = total[j + k] + effort
        return total + list(bodies.turns.values())


def _displacement(freedom: Freedom, q: list[Scalar], v: list[Scalar]) -> Displacement:
    axis, center = freedom.axis.tolist(), freedom.through.tolist()
    eye = np.eye(3).tolist()
    if freedom.kind == "slide":
        return Displacement(eye, [a * Jet(q[0], v[0], 0.0) for a in axis])
    shift: list[Scalar] = [0.0] * 3
    if freedom.kind == "turn":
        angle = Jet(q[0], v[0], 0.0)
        s, c = sin(angle), cos(angle)
        skew = [[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]]
        rotation: Matrix = [
            [eye[i][k] * c + skew[i][k] * s + axis[i] * axis[k] * (1.0 - c) for k in range(3)] for i in range(3)
        ]
    elif freedom.kind == "ball":
        rotation = _rotation(q[:4], v[:3])
    else:
        rotation = _rotation(q[3:7], v[3:6])
        rates = [dot([_value(r) for r in row], v[:3]) for row in rotation]
        shift = [Jet(x, rate, 0.0) for x, rate in zip(q[:3], rates, strict=True)]
    # about the centre: c + shift + R (x − c)
    turned = [dot(row, center) for row in rotation]
    return Displacement(rotation, [c + d - t for c, d, t in zip(center, shift, turned, strict=True)])


def _rotation(quaternion: list[Scalar], spin: list[Scalar]) -> Matrix:
    """The matrix of a quaternion x, y, z, w that turns with an angular velocity in turned axes: q̇ = ½ q ∘ ω."""
    a, b, c, d = quaternion
    p, r, s = (0.5 * w for w in spin)
    x = Jet(a, d * p + b * s - c * r, 0.0)
    y = Jet(b, d * r + c * p - a * s, 0.0)
    z = Jet(c, d * s + a * r - b * p, 0.0)
    w = Jet(d, -(a * p) - b * r - c * s, 0.0)
    return [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]


def _place_loads(situation: Situation, body: str, now: Displacement) -> Placed:
    origin, axes = situation.pose(body)
    size = situation.original.dimension
    columns = [now.turn(axes[:, k].tolist())[:size] for k in range(size)]
    return Placed(
        [_jet(x) for x in now.place(origin.tolist())[:size]], [[_jet(x) for x in column] for column in columns]
    )


def _efforts(
    freedom: Freedom, before: Displacement, after: Displacement, origin: list[Scalar], wrench: list[Scalar]
) -> list[Scalar]:
    """The generalized force along a freedom on the path to a body, of a force and a torque at the body's origin."""
    force, torque = wrench[:3], wrench[3:]
    center = [_value(x) for x in after.place(freedom.through.tolist())]
    arm = [x - c for x, c in zip(origin, center, strict=True)]
    moment = [a + b for a, b in zip(torque, cross(tuple(arm), tuple(force)), strict=True)]
    if freedom.kind in ("turn", "slide"):
        axis = [_value(x) for x in before.turn(freedom.axis.tolist())]
        return [dot(axis, moment if freedom.kind == "turn" else force)]
    columns = [[_value(row[k]) for row in after.rotation] for k in range(3)]
    turning = [dot(column, moment) for column in columns]
    return turning if freedom.kind == "ball" else [dot(column, force) for column in columns] + turning


def _jet(x: Scalar) -> Jet:
    return x if isinstance(x, Jet) else Jet(x, 0.0, 0.0)


def _value(x: Scalar) -> Scalar:
    return x.value if isinstance(x, Jet) else x

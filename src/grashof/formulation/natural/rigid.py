"""Constraint violations at the joints: bodies are made exactly rigid, and gaps are measured at the joints, in metres.

The integrator works with presolved rows, in which pins are satisfied by construction and bodies stretch instead. Here
each body regains its true shape, placed by its first point and its directions (made orthonormal), and the joints' own
equations are evaluated with their first and second time derivatives.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from grashof.formulation.natural.coordinates import Frame
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Form
from grashof.formulation.natural.system import System
from grashof.model.fields import Vector, body_of, dot
from grashof.scalar.functions import Scalar, sqrt
from grashof.scalar.jet import Jet
from grashof.tape import Library, emit, trace

Axes = list[list[Jet]]

AT_ONCE = 10_000
"""Number of times whose states are assembled in one batch, which bounds the memory."""


@dataclass
class RigidFields:
    """Fields over jets, of arrays or of any other scalars, in which every body is rigid."""

    system: System
    q: Sequence[Scalar]
    v: Sequence[Scalar]
    a: Sequence[Scalar]

    def __post_init__(self) -> None:
        self._bodies = {name: self._place(frame) for name, frame in self.system.frames.items()}

    @property
    def dimension(self) -> int:
        return self.system.dimension

    @property
    def length(self) -> float:
        return self.system.length

    def point(self, reference: str) -> list[Jet]:
        frame = self.system.frames[body_of(reference)]
        origin, axes, local_axes = self._bodies[body_of(reference)]
        local = np.subtract(self.system.model.points[reference], frame.origin_local)
        return [p + x for p, x in zip(origin, _along(axes, local_axes @ local, self.dimension), strict=True)]

    def arrow(self, body: str, direction: Vector) -> list[Jet]:
        _, axes, local_axes = self._bodies[body]
        return _along(axes, local_axes @ np.array(direction) * self.length, self.dimension)

    def _jets(self, forms: list[Form]) -> list[Jet]:
        return [Jet(f.at(self.q), f.rate(self.v), f.rate(self.a)) for f in forms]

    def _place(self, frame: Frame) -> tuple[list[Jet], Axes, np.ndarray]:
        """Origin, orthonormal axes, and the same axes in the body's own frame (rows)."""
        axes: Axes = []
        local_axes: list[np.ndarray] = []
        for forms, local in zip(frame.directions, frame.directions_local, strict=True):
            direction, own = self._jets(forms), np.array(local, float)
            for e, o in zip(axes, local_axes, strict=True):
                share = dot(direction, e)
                direction = [x - share * y for x, y in zip(direction, e, strict=True)]
                own = own - (own @ o) * o
            size = sqrt(dot(direction, direction))
            axes.append([x / size for x in direction])
            local_axes.append(own / np.linalg.norm(own))
        if self.dimension == 2:
            (x, y), (u, w) = axes[0], local_axes[0]
            axes.append([-y, x])
            local_axes.append(np.array([-w, u]))
        elif len(axes) == 2:
            axes.append(_cross(axes[0], axes[1]))
            local_axes.append(np.cross(local_axes[0], local_axes[1]))
        return self._jets(frame.origin), axes, np.array(local_axes).reshape(-1, self.dimension)


def _along(axes: Axes, components: np.ndarray, size: int) -> list[Jet]:
    total = [Jet(0.0, 0.0, 0.0)] * size  # a point mass has no axes
    for e, c in zip(axes, components, strict=True):
        total = [t + float(c) * x for t, x in zip(total, e, strict=True)]
    return total


def _cross(a: list[Jet], b: list[Jet]) -> list[Jet]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def violations(
    dynamics: Dynamics, t: np.ndarray, y: np.ndarray, a: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Norms of the equations of joints and couplings and of their first and second time derivatives, at each time,
    from states and accelerations."""
    layout = dynamics.layout
    evaluate = _compile_sums(dynamics)
    squares = np.empty((len(t), 3))
    for k in range(0, len(t), AT_ONCE):
        some = slice(k, k + AT_ONCE)
        states = np.column_stack([t[some], y[some, : layout.of_v.stop], a[some], y[some, layout.of_angles]])
        place, width = states.ctypes.data, states.strides[0]
        result = squares.ctypes.data + k * squares.strides[0]
        for i in range(len(states)):
            evaluate(place + i * width, result + i * squares.strides[0])
    norms = np.sqrt(squares)
    return norms[:, 0], norms[:, 1], norms[:, 2]


@lru_cache(maxsize=16)
def _compile_sums(dynamics: Dynamics) -> Callable[[int, int], None]:
    """A function of the addresses of [t, q, v, a, tracked angles] and of three numbers, which receive the sums of
    squares; as a program with loops, which takes little time to compile."""
    n = dynamics.n

    def squares(x: list[Scalar]) -> list[Scalar]:
        q, v, a, turns = (x[1 + k * n : 1 + (k + 1) * n if k < 3 else None] for k in range(4))
        return squared_violations(dynamics.system, x[0], q, v, a, turns)

    size = 1 + 3 * n + len(dynamics.system.tracked)
    library = Library(emit({"violations": trace(squares, size)}, unroll=False))
    function: Callable[[int, int], None] = library.function("violations", None, ctypes.c_void_p, ctypes.c_void_p)
    return function


def squared_violations(
    system: System, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], a: Sequence[Scalar], turns: Sequence[Scalar]
) -> list[Scalar]:
    """The sums of the squares of all equations, of their first and of their second time derivatives. Those of
    rows for velocities only are first derivatives."""
    fields = RigidFields(system, q, v, a)
    rows: list[Jet] = [row for joint in system.model.joints for row in joint.equations(fields)]
    near = dict(zip(system.tracked, turns, strict=False))
    for coupling in system.model.all_couplings:
        rows.append(coupling.error(system.model.quantities, fields, Jet(t, 1.0, 0.0), near))
    for source in dict.fromkeys(row.source for row in system.slips):
        for slip in source.slips(source.parts(fields), Jet(t, 1.0, 0.0), turns):
            rows.append(Jet(0.0, slip.value, slip.first))
    sums: list[Scalar] = [0.0, 0.0, 0.0]
    for row in rows:
        sums = [s + x * x for s, x in zip(sums, (row.value, row.first, row.second), strict=True)]
    return sums

"""The linearised motion about a moving state, in coordinates of the joints.

Natural coordinates rotate with the bodies, so their linearised equations change with time even if the motion is steady,
as in a governor that rotates at a constant rate. Angles and travels of joints, ξ = s(q), do not: with B = [J; s_q], B Z
= [0; I] and B Y = [−∂Φ̇/∂q; −∂ξ̇/∂q] Z

    δq = Z δξ,        δv = Z δξ̇ + Y δξ,        ZᵀM δa = Zᵀ(f_q δq + f_v δv),        B δa = [−Φ̈_q δq − Φ̈_v δv; …],

and δξ̈ = s_q δa + (∂ξ̈/∂q) δq + (∂ξ̈/∂v) δv. All derivatives are exact.

Rows for velocities only, A v = b, as those of wheels that roll, add their multipliers μ and δ(A a) = δβ to the
equations for δa. Their solutions keep δ(A v − b) constant; allowed are those with zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import DEPENDENT
from grashof.formulation.natural.forms import curvature_of, rate_of
from grashof.formulation.natural.state import measure_parts
from grashof.formulation.natural.system import System
from grashof.model.measures import Measure
from grashof.model.model import Model
from grashof.questions.equations import Array, FullState, QuestionEquations
from grashof.questions.linearised import LinearisedMotion, resolution
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.tape import Tape, trace

INDEPENDENT = 1e-6
"""A coordinate is independent if the others leave at least this fraction of its rate undetermined."""


def joint_measures(model: Model) -> list[Measure]:
    """The angles and travels of all joints."""
    found: list[Measure] = []
    for joint in model.joints:
        name = joint.name.replace(".", " ")  # which a measure's name must not have
        axle, slides = joint.axle, [motion for motion in joint.motions or () if motion.kind == "slide"]
        if axle is not None:
            found.append(joint.measure_of(axle, f"angle of {name}"))
        if len(slides) == 1:
            found.append(joint.measure_of(slides[0], f"travel of {name}"))
    return found


def with_joint_measures(model: Model) -> Model:
    """In space, the mechanism with these measures, so that its bodies have the directions that the angles need; in
    the plane, the same mechanism."""
    if model.dimension == 2:
        return model
    return msgspec.structs.replace(model, measures=(*model.measures, *joint_measures(model)))


@dataclass(frozen=True, eq=False)
class JointCoordinates:
    """As many measures as there are degrees of freedom."""

    system: System
    measures: tuple[Measure, ...]

    @cached_property
    def _tape(self) -> Tape:
        n = self.system.n

        def rates(x: list[Scalar]) -> list[Scalar]:
            q, v, a = x[:n], x[n : 2 * n], x[2 * n :]
            first, second = [], []
            for measure in self.measures:
                parts = []
                for part in measure_parts(self.system, measure):
                    along = sum((slope * a[i] for i, slope in part.gradient(q).items()), start=0.0)
                    parts.append(Jet(part.at(q), rate_of(part, q, v), along + curvature_of(part, v)))
                value = measure.value(parts)
                first.append(value.first if isinstance(value, Jet) else 0.0)
                second.append(value.second if isinstance(value, Jet) else 0.0)
            return first + second

        return trace(rates, 3 * n)

    def slopes(self, q: Array, v: Array, a: Array) -> tuple[Array, Array]:
        """Derivatives of ξ̇ and of ξ̈ with respect to q and v, (k, 2n) each. Those of ξ̇ with respect to v are s_q."""
        n, k = self.system.n, len(self.measures)
        eye = np.eye(2 * n)
        moving = [Dual(x, eye[i]) for i, x in enumerate([*q.tolist(), *v.tolist()])]
        rows = np.zeros((2 * k, 2 * n))
        for line, value in zip(rows, self._tape.evaluate([*moving, *a.tolist()]), strict=True):
            if isinstance(value, Dual):
                line[:] = value.slope
        return rows[:k], rows[k:]


def choose_coordinates(equations: QuestionEquations, point: FullState) -> JointCoordinates:
    """Angles and travels of joints, then other measures and coordinates of points, until all freedoms are covered."""
    system, free = equations.system, equations.freedoms(point.t, point.q, point.turns)
    candidates = [*joint_measures(system.model), *system.model.all_measures.values(), *system.model.quantities.values()]
    every = JointCoordinates(system, tuple(candidates))
    rows = every.slopes(point.q, point.v, point.a)[0][:, system.n :] @ free
    chosen: list[Measure] = []
    known = np.zeros((0, free.shape[1]))
    for measure, row in zip(candidates, rows, strict=True):
        size = float(np.linalg.norm(row))
        if len(chosen) == free.shape[1]:
            break
        if not np.isfinite(size) or size <= 1e-9:
            continue
        left = row / size
        for _ in range(2):
            left = left - known.T @ (known @ left)
        if np.linalg.norm(left) > INDEPENDENT:
            known = np.vstack([known, left / np.linalg.norm(left)])
            chosen.append(measure)
    if len(chosen) < free.shape[1]:
        raise ModelError(
            f"Mechanism '{system.model.name}' has {free.shape[1]} degrees of freedom, but angles and travels of "
            f"joints, measures and coordinates of points tell only {len(chosen)} of them apart; give a body a point "
            "beside the others, or add an angle, for modes about a motion. A body that turns freely can be held by "
            "three pins through two rings without mass, the axis of its rotation first."
        )
    return JointCoordinates(system, tuple(chosen))


def linearise_moving(equations: QuestionEquations, point: FullState, coordinates: JointCoordinates) -> LinearisedMotion:
    """δξ̈ = −stiffness δξ − damping δξ̇, in coordinates of the joints."""
    n, m, k = equations.n, equations.m, len(coordinates.measures)
    slopes = equations.slopes(point)
    rate, second = coordinates.slopes(point.q, point.v, point.a)
    s_q, rate_q, second_q, second_v = rate[:, n:], rate[:, :n], second[:, :n], second[:, n:]
    rows = equations.all_rows(point.t, point.q, point.turns)
    back = np.linalg.pinv(np.vstack([rows[:m], s_q]), rcond=1e-10)
    z = back[:, m:]
    y = back @ np.vstack([-slopes.rate_q[:m], -rate_q]) @ z
    # with δq and δv for a unit of each ξ, then of each ξ̇
    dq, dv = np.hstack([z, np.zeros((n, k))]), np.hstack([y, z])
    excess = slopes.bias_q @ dq + slopes.bias_v @ dv
    bent = back[:, :m] @ -excess[:m]
    whole = equations.mass(point.q)
    mass = z.T @ whole @ z
    force = z.T @ (slopes.force_q @ dq + slopes.force_v @ dv - whole @ bent)
    slip = rows[m:]
    da = z @ _solve_held(mass, slip @ z, force, -(excess[m:] + slip @ bent)) + bent
    response = s_q @ da + second_q @ dq + second_v @ dv
    return LinearisedMotion(
        z,
        np.eye(k),
        -response[:, k:],
        -response[:, :k],
        resolution(whole, slopes, z),
        _null_space(slopes.rate_q[m:] @ dq + slip @ dv) if len(slip) else None,
    )


def _solve_held(mass: Array, held: Array, force: Array, excess: Array) -> Array:
    """x in M x + Aᵀ μ = force, A x = excess; rows of A may depend on each other."""
    if not len(held):
        return np.linalg.solve(mass, force)
    size = float(np.max(np.abs(mass)))
    matrix = np.block([[mass / size, held.T], [held, np.zeros((len(held), len(held)))]])
    return np.asarray(np.linalg.lstsq(matrix, np.vstack([force / size, excess]), rcond=DEPENDENT)[0][: len(mass)])


def _null_space(rows: Array) -> Array:
    """An orthonormal basis, as columns, of what rows of any length map to zero."""
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    _, s, vt = np.linalg.svd(rows / np.where(sizes > 0.0, sizes, 1.0))
    return np.asarray(vt[int(np.sum(s > DEPENDENT)) :].T)

"""The motion of a mechanism on a configuration curve, next to a singular position.

There the constraints do not determine accelerations. But the coordinates on the curve (see `curves`) are known
functions of u, so that q = q(u) for them, and the other coordinates z satisfy the remaining rows, which are regular:

    a = S [ü, z̈] + [q″ u̇², 0],    S = [q′ 0; 0 1],    Sᵀ M a + Sᵀ Jᵀ λ = Sᵀ f,    J a = γ    for the remaining rows

If motors move the mechanism along the curve, u is time, and ü is zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.natural.equations import Dynamics
from grashof.singular.curves import Continuation

Array = NDArray[np.float64]

SETTLING = 3
"""Newton iterations with which the other coordinates follow those on the curve: they are near already."""


class CurveMotion:
    """The equations of motion on a curve."""

    def __init__(self, dynamics: Dynamics, curve: Continuation) -> None:
        self.dynamics, self.curve = dynamics, curve
        on = set(curve.columns.tolist())
        self._others = np.array([a for a in range(dynamics.n) if a not in on], int)
        self._rows = np.array([k for k, columns in enumerate(dynamics.rows.pattern) if not on.issuperset(columns)], int)

    def rates(self, t: float, y: Array, usual: Array) -> Array:
        """[a, ė] on the curve.

        usual   those that follow from all constraints. Of these, ė is right except for the power of motors, the sum of
                which follows from a
        """
        dynamics, layout, curve = self.dynamics, self.dynamics.layout, self.curve
        q, v, e = (y[part].tolist() for part in (layout.of_q, layout.of_v, layout.of_e))
        _, once, twice = curve.at(curve.of(t, y[layout.of_q]))
        bent = np.zeros(dynamics.n)
        bent[curve.columns] = curve.rate(y[layout.of_v]) ** 2 * twice
        ways = self._ways(once)
        forces = np.array(dynamics.forces(dynamics.state([t, *y.tolist()])), float)
        mass = dynamics.mass_matrix(y[layout.of_q].tolist())
        matrix, right = ways.T @ mass @ ways, ways.T @ (forces - mass @ bent)
        if self._rows.size:
            gradients = self._gradients(t, y)
            bias = np.array(dynamics.rows.bias(t, q, v, dynamics.rows.turns(e)), float)[self._rows] - gradients @ bent
            rows = gradients @ ways
            matrix = np.block([[matrix, rows.T], [rows, np.zeros((len(rows), len(rows)))]])
            right = np.append(right, bias)
        shares = np.linalg.lstsq(matrix, right)[0][: ways.shape[1]]
        found = usual.copy()
        a = found[: dynamics.n] = ways @ shares + bent
        if dynamics.system.driving:
            power = float(y[layout.of_v] @ (mass @ a - forces))
            first = layout.of_works.start - dynamics.n + len(dynamics.dissipative)
            found[first] += power - np.sum(found[first : first + len(dynamics.system.driving)])
        return found

    def placed(self, t: float, y: Array) -> Array:
        """The state on the curve with the same u and its rate; the other coordinates follow."""
        dynamics, layout, curve = self.dynamics, self.dynamics.layout, self.curve
        found = y.copy()
        q, v = found[layout.of_q], found[layout.of_v]
        place, once, _ = curve.at(curve.of(t, q))
        q[curve.columns], v[curve.columns] = place, curve.rate(v) * once
        if not self._rows.size:
            return found
        turns = dynamics.rows.turns(y[layout.of_e].tolist())
        for _ in range(SETTLING):
            errors = np.array(dynamics.rows.violation(t, q.tolist(), turns), float)[self._rows]
            q[self._others] -= np.linalg.lstsq(self._gradients(t, found)[:, self._others], errors)[0]
        gradients, slip = self._gradients(t, found), np.array(dynamics.rows.slip(t, q.tolist(), turns), float)
        v[self._others] -= np.linalg.lstsq(gradients[:, self._others], gradients @ v + slip[self._rows])[0]
        return found

    def _ways(self, once: Array) -> Array:
        """S; without its first column if motors move the mechanism along the curve."""
        ways = np.zeros((self.dynamics.n, 1 + len(self._others)))
        ways[self.curve.columns, 0] = once
        ways[self._others, 1 + np.arange(len(self._others))] = 1.0
        return ways[:, 1:] if self.curve.timed else ways

    def _gradients(self, t: float, y: Array) -> Array:
        """J of the remaining rows."""
        layout = self.dynamics.layout
        rows = self.dynamics.jacobians(np.array([t]), y[None, layout.of_q], y[None, layout.of_angles])
        return np.asarray(rows[0, self._rows])

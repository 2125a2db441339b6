"""The smallest joint wrenches that supply every body with what it needs, and which of them are unique.

The joints of a spanning tree of the bodies are cut one after another. The part beyond the cut is in balance, so that

    w_j = Σ needs − Σ (± Cᵀ_k x_k)        over the bodies beyond joint j, and the joints and couplings k that close
                                          loops to them

and joint j cannot transmit anything along its freedoms:

    S_jᵀ w_j = 0   for all j, together   A x = r,

from which the wrenches x of the closing joints follow, and then all others. A null vector of A is a state of
self-stress: wrenches that joints can exert on each other without any load. Its contribution to every joint is N z, and
of all solutions w + N z the smallest is taken:

    min Σ |f|² + |m/ℓ|²   over the joints, each at its point, and the couplings (efforts in N, torques divided by ℓ).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.freedoms.joint_twists import RANK, Array, Hold, carry
from grashof.model.bodies import GROUND
from grashof.model.loops import SpanningTree

CONDITION = 1e10
"""Largest acceptable condition number of normal equations: they lose ten digits, and one refinement restores all but
the last four."""

IDLE = 1e-12
"""An unknown whose coefficients are nowhere larger than this does not occur: it is a state of self-stress on its
own, such as the wrench that holds a plane loop in its plane."""


@dataclass(frozen=True, eq=False)
class JointPull:
    """A coupling: its wrench on each body at the common centre, for a unit effort in N along its first measure;
    (times, 3 or 6)."""

    wrenches: dict[str, Array]

    def at(self, times: Array) -> JointPull:
        """The coupling at some of the times."""
        return JointPull({body: wrench[times] for body, wrench in self.wrenches.items()})


@dataclass(frozen=True, eq=False)
class Solution:
    """The components of all joint wrenches, joint by joint in the order of the holds, then the couplings' efforts.

    smallest   (times, components), N: forces, moments divided by ℓ
    shares     how far a state of self-stress of unit size can change a component: 0 if it is unique; (times,
               components)
    stresses   number of independent states of self-stress, (times,)
    residual   the efforts along freedoms of joints that would be needed to balance all bodies, N, (times,)
    """

    smallest: Array
    shares: Array
    stresses: Array
    residual: Array


def solve(
    tree: SpanningTree,
    holds: dict[str, Hold],
    couplings: list[JointPull],
    needs: dict[str, Array],
    center: Array,
    length: float,
) -> Solution:
    """Balances all bodies at all times; `needs` are wrenches at `center`."""
    balance = _Balance(tree, holds, couplings, needs, center, length)
    constant, linear, equations, right = balance.constant, balance.linear, balance.equations, balance.right
    idle = np.max(np.abs(equations), axis=(0, 1), initial=0.0) <= IDLE * max(
        1.0, float(np.max(np.abs(equations), initial=0.0))
    )
    x, sure = np.zeros(right.shape[:1] + linear.shape[2:]), np.zeros(len(right), bool)
    x[:, ~idle], sure = _solve_regular(equations[:, :, ~idle], right)
    smallest, shares = constant + _apply(linear, x), np.zeros_like(constant)
    stresses = np.where(sure, np.count_nonzero(idle), 0)
    if np.any(idle):
        _relieve(linear[:, :, idle], smallest, shares)
    for k in np.flatnonzero(~sure):
        x[k], nothing = _solve_any(equations[k], right[k])
        stresses[k] = nothing.shape[1]
        smallest[k], shares[k] = constant[k] + linear[k] @ x[k], 0.0
        if stresses[k]:
            _relieve((linear[k] @ nothing)[None], smallest[k : k + 1], shares[k : k + 1])
    residual = np.linalg.norm(_apply(equations, x) - right, axis=1)
    balance.keep_what_is_held(smallest)
    return Solution(smallest, shares, stresses, residual)


def _relieve(stresses: Array, wrenches: Array, shares: Array) -> None:
    """Removes states of self-stress (times, components, states) from wrenches, and records how far they change each
    component."""
    part = np.flatnonzero(np.any(stresses, axis=(0, 2)))
    some = stresses[:, part]
    back = some @ np.linalg.inv(
        some.swapaxes(1, 2) @ some
    )  # well conditioned, because N contains the closing joints' own wrenches
    wrenches[:, part] -= _apply(back, _apply(some.swapaxes(1, 2), wrenches[:, part]))
    shares[:, part] = np.sqrt(np.sum(some * back, axis=2))


def _solve_regular(equations: Array, right: Array) -> tuple[Array, Array]:
    """x by normal equations, refined once, and the times at which it is reliable: A has full rank there."""
    transposed = equations.swapaxes(1, 2)
    normal = transposed @ equations
    size = np.maximum(1.0, np.linalg.norm(normal, axis=(1, 2)))
    inverse = np.linalg.inv(normal + 1e-15 * size[:, None, None] * np.eye(normal.shape[1]))  # exists, whatever the rank
    x = _apply(inverse, _apply(transposed, right))
    x += _apply(inverse, _apply(transposed, right - _apply(equations, x)))
    return x, np.linalg.norm(inverse, axis=(1, 2)) * size < CONDITION


def _solve_any(equations: Array, right: Array) -> tuple[Array, Array]:
    """The smallest x at one time, and the null vectors Z of A as columns."""
    u, s, vt = np.linalg.svd(equations)
    rank = int(np.sum(s > RANK * max(1.0, float(s[0]) if s.size else 0.0)))
    return vt[:rank].T @ ((u[:, :rank].T @ right) / s[:rank]), vt[rank:].T


class _Balance:
    """All wrenches as `constant + linear x`, and the equations `equations x = right` that x has to satisfy."""

    def __init__(
        self,
        tree: SpanningTree,
        holds: dict[str, Hold],
        couplings: list[JointPull],
        needs: dict[str, Array],
        center: Array,
        length: float,
    ) -> None:
        self.holds, self.center, self.length = holds, center, length
        self.size = 3 if center.shape[1] == 2 else 6
        self.first = {name: self.size * i for i, name in enumerate(holds)}
        times, components = len(center), self.size * len(holds) + len(couplings)
        unknowns = sum(holds[name].holds.shape[1] for name in tree.closing) + len(couplings)
        self.constant = np.zeros((times, components))
        self.linear = np.zeros((times, components, unknowns))
        equations, right = self._cut(tree, needs, self._close(tree, couplings, [GROUND, *needs]))
        self.equations = np.concatenate([np.zeros((times, 0, unknowns)), *equations], axis=1)
        self.right = np.concatenate([np.zeros((times, 0)), *right], axis=1)

    def _close(self, tree: SpanningTree, couplings: list[JointPull], bodies: list[str]) -> dict[str, Array]:
        """The effect of the unknowns on each body, as wrenches at the centre: (times, 3 or 6, unknowns)."""
        times, _, unknowns = self.linear.shape
        pulls = {body: np.zeros((times, self.size, unknowns)) for body in bodies}
        column = 0
        for name in tree.closing:
            hold = self.holds[name]
            wrenches = hold.holds.swapaxes(1, 2)
            columns = slice(column, column + wrenches.shape[2])
            at_center = carry(hold.place - self.center, self.length).swapaxes(1, 2) @ wrenches
            pulls[hold.b][:, :, columns] += at_center
            pulls[hold.a][:, :, columns] -= at_center
            self.linear[:, self.rows(name), columns] = wrenches
            column = columns.stop
        for k, coupling in enumerate(couplings, start=-len(couplings)):
            for body, wrench in coupling.wrenches.items():
                pulls[body][:, :, k] += wrench
            self.linear[:, k, k] = 1.0
        return pulls

    def _cut(
        self, tree: SpanningTree, needs: dict[str, Array], pulls: dict[str, Array]
    ) -> tuple[list[Array], list[Array]]:
        """From the outermost cut inwards: the load beyond it, transmitted by its joint; then the condition that the
        joint's freedoms transmit none."""
        beyond = {body: need.copy() for body, need in needs.items()}
        equations, right = [], []
        for cut in reversed(tree.ties):
            need, pull = beyond[cut.body], pulls[cut.body]
            if cut.joint is None:
                equations.append(pull)
                right.append(need)
                continue
            if cut.base != GROUND:
                beyond[cut.base] += need
                pulls[cut.base] += pull
            hold, rows = self.holds[cut.joint], self.rows(cut.joint)
            sign = 1.0 if hold.b == cut.body else -1.0
            to_joint = sign * carry(self.center - hold.place, self.length).swapaxes(1, 2)
            self.constant[:, rows] = _apply(to_joint, need)
            self.linear[:, rows] = -to_joint @ pull
            free = hold.leaves.swapaxes(1, 2)
            equations.append(free @ self.linear[:, rows])
            right.append(-_apply(free, self.constant[:, rows]))
        return equations, right

    def rows(self, joint: str) -> slice:
        """Where a joint's components are."""
        return slice(self.first[joint], self.first[joint] + self.size)

    def keep_what_is_held(self, wrenches: Array) -> None:
        """Removes from every joint what it cannot transmit: the residual."""
        for name, hold in self.holds.items():
            rows = self.rows(name)
            wrenches[:, rows] -= _apply(hold.leaves, _apply(hold.leaves.swapaxes(1, 2), wrenches[:, rows]))


def _apply(matrices: Array, vectors: Array) -> Array:
    """Matrix times vector, at each time."""
    return np.asarray((matrices @ vectors[:, :, None])[:, :, 0])

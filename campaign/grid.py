"""A grid of R × C four-bars in a plane of space with R degrees of freedom, the angles of its rows.

As long as it stays a grid, all uprights of row r are parallel to d_r = (sin φ_r, −cos φ_r), and a particle is at
x = x₀ + Σ_r k_r d_r with constant k_r. So, with e_r = d_r′ = (cos φ_r, sin φ_r),

    T = ½ Σ_rs A_rs cos(φ_r − φ_s) φ̇_r φ̇_s,     A_rs = Σ m k_r k_s
    Σ_s A_rs (cos(φ_r − φ_s) φ̈_s + sin(φ_r − φ_s) φ̇_s²) = B_r g·e_r,     B_r = Σ m k_r

which SciPy's DOP853 solves to twelve digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from campaign.matter import slender
from campaign.plane import PlaneFrame
from campaign.structure import GROUND, Array, Hinge, Poses, Solid, Structure
from campaign.truth import NUDGE, Truth


@dataclass(frozen=True)
class Grid(Structure):
    """The grid.

    frame     its plane; −y is down for φ, whatever gravity is
    heights   of the rows, m (R,)
    pivots    along x, m (C + 1,)
    """

    frame: PlaneFrame
    heights: Array
    pivots: Array

    @property
    def coefficients(self) -> Array:
        """k of every watched point, (points, R)."""
        rows, parts = np.arange(len(self.heights)), []
        for body in self.bodies:
            kind, r, _ = body.name.split("_")
            above = np.where(rows < int(r), self.heights, 0.0)
            share = body.watched[:, 0] / self.heights[int(r)] if kind == "vertical" else np.ones(len(body.watched))
            own = np.where(rows == int(r), self.heights, 0.0)
            parts.append(above + np.multiply.outer(share, own))
        return np.vstack(parts)

    def poses(self, phi: Array) -> Poses:
        """The bodies at the row angles, (k, R)."""
        e1, e2, normal = self.frame.axes.T
        down = np.sin(phi)[..., None] * e1 - np.cos(phi)[..., None] * e2
        nodes = np.concatenate([np.zeros((len(phi), 1, 3)), np.cumsum(self.heights[:, None] * down, axis=1)], axis=1)
        poses = {}
        for body in self.bodies:
            kind, r, c = body.name.split("_")
            pivot = self.frame.origin + self.pivots[int(c)] * e1
            if kind == "vertical":
                x, origin = down[:, int(r)], pivot + nodes[:, int(r)]
            else:
                x, origin = np.broadcast_to(e1, (len(phi), 3)), pivot + nodes[:, int(r) + 1]
            third = np.broadcast_to(normal, x.shape)
            poses[body.name] = (origin, np.stack([x, np.cross(third, x), third], axis=-1))
        return poses


def make_grid(rng: np.random.Generator, rows: int, columns: int, frame: PlaneFrame, *, square: bool) -> Grid:
    """A grid of slender bars; square: all equal, as in the benchmark, hanging along gravity."""
    heights = np.ones(rows) if square else rng.uniform(0.5, 1.5, rows)
    widths = np.ones(columns) if square else rng.uniform(0.5, 1.5, columns)
    pivots = np.concatenate([[0.0], np.cumsum(widths)])

    def bar(name: str, length: float) -> Solid:
        return slender(name, length, 1.0 if square else rng.uniform(0.2, 2.0), 3)

    bodies, hinges, axis = [], [], np.array([0.0, 0.0, 1.0])
    for r in range(rows):
        for c in range(columns + 1):
            name = f"vertical_{r}_{c}"
            bodies.append(bar(name, heights[r]))
            place = frame.origin + pivots[c] * frame.axes[:, 0]
            above = (GROUND, place) if r == 0 else (f"vertical_{r - 1}_{c}", "end")
            hinges.append(Hinge(above[0], name, above[1], "start", axis))
        for c in range(columns):
            name = f"horizontal_{r}_{c}"
            bodies.append(bar(name, widths[c]))
            hinges.append(Hinge(f"vertical_{r}_{c}", name, "end", "start", axis))
            hinges.append(Hinge(f"vertical_{r}_{c + 1}", name, "end", "end", axis))
    name = f"{rows} × {columns} grid"
    length = float(np.mean([*heights, *widths]))
    gravity = -9.81 * frame.axes[:, 1]
    return Grid(name, tuple(bodies), tuple(hinges), gravity, length, frame, heights, pivots)


def swinging(grid: Grid, phi: Sequence[float] | Array, rates: Sequence[float] | Array, times: Array) -> Truth:
    """The motion from these row angles and rates; sensitivity is that to the rates."""
    k = grid.coefficients
    weighted = grid.weights[:, None] * k
    inertia, moments = weighted.T @ k, weighted.sum(axis=0)
    gravity = grid.gravity @ grid.frame.axes[:, :2]
    rows = len(grid.heights)

    def slope(_: float, y: Array) -> Array:
        angles, speeds = y.reshape(2, 2, rows)  # the motion and its neighbour, side by side
        between = angles[:, :, None] - angles[:, None, :]
        right = moments * (gravity[0] * np.cos(angles) + gravity[1] * np.sin(angles))
        right -= np.einsum("rs,jrs,js->jr", inertia, np.sin(between), speeds**2)
        bent = np.linalg.solve(inertia * np.cos(between), right[:, :, None])[:, :, 0]
        return np.concatenate([speeds.ravel(), bent.ravel()])

    speeds = np.asarray(rates, float)
    start = np.concatenate([phi, phi, speeds, (1.0 + NUDGE) * speeds])
    found = solve_ivp(slope, (0.0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-13).y
    angles, turning = found.T.reshape(len(times), 2, 2, rows).transpose(1, 2, 0, 3)

    def points(j: int) -> tuple[Array, Array]:
        e1, e2 = grid.frame.axes[:, 0], grid.frame.axes[:, 1]
        ahead = np.cos(angles[j])[..., None] * e1 + np.sin(angles[j])[..., None] * e2
        moving: Array = np.einsum("pr,kr,kri->kpi", k, turning[j], ahead)
        return grid.watched(grid.poses(angles[j])), moving

    places, velocities = points(0)
    total = float(0.5 * grid.inertia(velocities[:1])[0] + grid.potential(places[:1])[0])
    vigour = float(np.max(0.5 * grid.inertia(velocities)))
    truth = Truth(
        grid,
        times,
        places,
        velocities,
        np.ones(len(times)),
        total,
        vigour,
        lambda seen: _from_grid(grid, seen),
    )
    growth = truth.distance(*points(1)) / NUDGE
    return Truth(grid, times, places, velocities, np.maximum.accumulate(growth), total, vigour, truth.deviation)


def _from_grid(grid: Grid, places: Array) -> Array:
    """Distance from the grid whose rows have the angles of its first uprights, m."""
    names = [body.name for body in grid.bodies]
    starts = np.concatenate([[0], np.cumsum([len(body.watched) for body in grid.bodies])])
    angles = []
    for r in range(len(grid.heights)):
        first = starts[names.index(f"vertical_{r}_0")]
        arm = (places[:, first + 2] - places[:, first]) @ grid.frame.axes[:, :2]
        angles.append(np.arctan2(arm[:, 0], -arm[:, 1]))
    nearest = grid.watched(grid.poses(np.stack(angles, axis=-1)))
    result: Array = np.linalg.norm(places - nearest, axis=-1).max(axis=-1)
    return result

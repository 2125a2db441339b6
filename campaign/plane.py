"""Change-point four-bars in the plane, alone and in rows, and the same laid into space.

A window has ground pivots A and D, a crank from A to B, a coupler from B to C and an output from D to C. Given B, C is
one of the two points where circles about B and D meet. Pivots and links of the windows here are such that both points
are known without a root:

    parallelogram      |BC| = |AD|, |CD| = |AB|:   C = B + D − A
    antiparallelogram  the same links:             C = mirror image of B + D − A in the line BD
    kite               |BC| = |AB|, |CD| = |AD|:   C = mirror image of A in the line BD; convex and concave (deltoid) in
                       turn
    folded kite        the same links:             C = A, crank and coupler turning together

so that it is an analytic function of B, and goes smoothly through the flat positions, where B lies on AD and the
branches meet. With |AD| ≠ |AB|, B never meets D. In the change-point four-bar of no special shape,

    C = D + α w + β w⊥,   w = B − D,   d = |w|,   α = (c² − b² + d²)/2d²,   β = ±√((b + c)² − d²) √(d² − (b − c)²)/2d²

one of the roots is a perfect square: (b + c)² − d² = 4ga cos²(θ/2) if g + a = b + c, and d² − (b − c)² = 4ga sin²(θ/2)
if |g − a| = |b − c|. With the sign of cos(θ/2) or sin(θ/2), it is analytic, too; every second turn of the crank has
the other sign, so the period is two turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from campaign.linkage import Linkage
from campaign.matter import link
from campaign.structure import GROUND, Array, Hinge, Pose, Poses

Window = Callable[[Array, Array, Array], Array]
"""(A, B, D) → C."""


def _mirrored(point: Array, through: Array, direction: Array) -> Array:
    """The mirror image in a line; complex numbers stand for neighbouring reals here, so nothing is conjugated."""
    arm = point - through
    share = np.sum(arm * direction, axis=-1) / np.sum(direction * direction, axis=-1)
    result: Array = through + 2.0 * share[..., None] * direction - arm
    return result


WINDOWS: dict[str, Window] = {
    "parallelogram": lambda a, b, d: b + d - a,
    "antiparallelogram": lambda a, b, d: _mirrored(b + d - a, d, b - d),
    "kite": lambda a, b, d: _mirrored(a, d, b - d),
    "folded kite": lambda a, b, d: a + 0.0 * b,
}


@dataclass(frozen=True)
class PlaneFrame:
    """The plane of a linkage in space: an origin and three axes as columns, the last one normal to it."""

    origin: Array
    axes: Array


def random_frame(rng: np.random.Generator) -> PlaneFrame:
    """A random plane, sometimes aligned with the world's axes."""
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    if rng.random() < 0.25:
        axes = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return PlaneFrame(rng.normal(size=3), axes)


def row(
    rng: np.random.Generator,
    kinds: Sequence[str],
    *,
    square: bool = False,
    level: bool = True,
    general: bool = False,
    scale: float = 1.0,
    frame: PlaneFrame | None = None,
) -> Linkage:
    """Windows side by side: the output of each is the crank of the next.

    square    all links, pivot distances and masses equal, as in the benchmark
    level     pivots on one line
    general   bodies of particles instead of slender bars
    frame     in space, if given; gravity is then random
    """
    dimension = 2 if frame is None else 3
    uprights, couplers, pivots = _dimensions(rng, kinds, square, level, scale)
    masses = np.ones(2 * len(kinds) + 1) if square else rng.uniform(0.2, 2.0, 2 * len(kinds) + 1)
    solids = [link(rng, f"upright{i}", length, masses[i], dimension, general) for i, length in enumerate(uprights)] + [
        link(rng, f"top{i}", length, masses[len(uprights) + i], dimension, general) for i, length in enumerate(couplers)
    ]

    def path(s: Array) -> Poses:
        pin = pivots[0] + uprights[0] * np.stack([np.cos(s), np.sin(s)], axis=-1)
        poses = {"upright0": along(pivots[0], pin, uprights[0])}
        for i, kind in enumerate(kinds):
            there = WINDOWS[kind](pivots[i], pin, pivots[i + 1])
            poses[f"top{i}"] = along(pin, there, couplers[i])
            poses[f"upright{i + 1}"] = along(pivots[i + 1], there, uprights[i + 1])
            pin = there
        return poses

    hinges = [Hinge(GROUND, f"upright{i}", pivots[i], "start") for i in range(len(uprights))]
    for i in range(len(kinds)):
        hinges.append(Hinge(f"upright{i}", f"top{i}", "end", "start"))
        hinges.append(Hinge(f"upright{i + 1}", f"top{i}", "end", "end"))
    name = f"{len(kinds)} × {kinds[0]}" if len(set(kinds)) == 1 else " + ".join(kinds)
    linkage = Linkage(
        name,
        tuple(solids),
        tuple(hinges),
        np.array([0.0, -9.81]),
        float(np.mean([*uprights, *couplers])),
        path,
        2.0 * np.pi,
        _flats(kinds, pivots),
    )
    return linkage if frame is None else laid_into_space(rng, linkage, frame)


def _dimensions(
    rng: np.random.Generator, kinds: Sequence[str], square: bool, level: bool, scale: float
) -> tuple[list[float], list[float], list[Array]]:
    """Lengths of uprights and couplers, and the pivots."""
    uprights, couplers, pivots = [scale if square else scale * rng.uniform(0.5, 2.0)], [], [np.zeros(2)]
    heading = 0.0 if level else rng.uniform(-np.pi, np.pi)
    for kind in kinds:
        crank = uprights[-1]
        width = scale if square else crank * np.exp(rng.choice([-1, 1]) * rng.uniform(0.3, 0.9))
        couplers.append(crank if "kite" in kind else width)
        uprights.append(width if "kite" in kind else crank)
        pivots.append(pivots[-1] + width * np.array([np.cos(heading), np.sin(heading)]))
        heading += 0.0 if level else rng.uniform(-0.8, 0.8)
    return uprights, couplers, pivots


def _flats(kinds: Sequence[str], pivots: list[Array]) -> tuple[float, ...]:
    """Angles of the first crank at which a window is flat: the first window, and the others as long as cranks stay
    parallel."""
    flats = []
    for i, kind in enumerate(kinds):
        dx, dy = pivots[i + 1] - pivots[i]
        flats += [float(np.arctan2(dy, dx)), float(np.arctan2(-dy, -dx))]
        if kind != "parallelogram":
            break
    return tuple(dict.fromkeys(flats))


def change_point(rng: np.random.Generator, *, general: bool = False, frame: PlaneFrame | None = None) -> Linkage:
    """A change-point four-bar of no special shape whose crank goes round."""
    dimension = 2 if frame is None else 3
    ground = rng.uniform(0.5, 2.0)
    crank = ground * np.exp(rng.choice([-1, 1]) * rng.uniform(0.3, 0.9))
    total, difference = ground + crank, ground - crank
    stretched = bool(rng.random() < 0.5)  # flat with the crank pointing away from D, or towards it
    if stretched:
        reach, excess = total, rng.uniform(-0.85, 0.85) * difference
    else:
        reach, excess = total * rng.uniform(1.15, 1.8), rng.choice([-1, 1]) * difference
    coupler = 0.5 * (reach + excess)
    output = reach - coupler
    side = rng.choice([-1.0, 1.0])
    heading = rng.uniform(-np.pi, np.pi)
    there = ground * np.array([np.cos(heading), np.sin(heading)])
    lengths = {"crank": crank, "coupler": coupler, "output": output}
    solids = [link(rng, name, x, rng.uniform(0.2, 2.0), dimension, general) for name, x in lengths.items()]

    def path(s: Array) -> Poses:
        pin = crank * np.stack([np.cos(heading + s), np.sin(heading + s)], axis=-1)
        w = pin - there
        square = np.sum(w * w, axis=-1)
        both, gap = (coupler + output) ** 2, (coupler - output) ** 2
        root = np.cos(0.5 * s) * np.sqrt(square - gap) if stretched else np.sin(0.5 * s) * np.sqrt(both - square)
        alpha = 0.5 * (output**2 - coupler**2 + square) / square
        beta = side * np.sqrt(ground * crank) * root / square
        across = np.stack([-w[:, 1], w[:, 0]], axis=-1)
        joint = there + alpha[:, None] * w + beta[:, None] * across
        origin = np.zeros(2)
        return {
            "crank": along(origin, pin, crank),
            "coupler": along(pin, joint, coupler),
            "output": along(there, joint, output),
        }

    hinges = (
        Hinge(GROUND, "crank", np.zeros(2), "start"),
        Hinge(GROUND, "output", there, "start"),
        Hinge("crank", "coupler", "end", "start"),
        Hinge("output", "coupler", "end", "end"),
    )
    flat = np.pi if stretched else 0.0
    linkage = Linkage(
        "change point",
        tuple(solids),
        hinges,
        np.array([0.0, -9.81]),
        float(np.mean(list(lengths.values()))),
        path,
        4.0 * np.pi,
        (flat, flat + 2.0 * np.pi),
    )
    return linkage if frame is None else laid_into_space(rng, linkage, frame)


def laid_into_space(rng: np.random.Generator, linkage: Linkage, frame: PlaneFrame) -> Linkage:
    """A planar linkage whose bodies are spatial already, in a plane of space; gravity is random and not normal to
    it."""
    flat, normal = frame.axes[:, :2], frame.axes[:, 2]
    down = rng.normal(size=3)
    while np.linalg.norm(down @ flat) < 0.3 * np.linalg.norm(down):
        down = rng.normal(size=3)

    def path(s: Array) -> Poses:
        poses = {}
        for name, (origin, axes) in linkage.path(s).items():
            turned = np.zeros((*axes.shape[:1], 3, 3), dtype=axes.dtype)
            turned[:, :, :2] = flat @ axes
            turned[:, :, 2] = normal
            poses[name] = (frame.origin + origin @ flat.T, turned)
        return poses

    up = np.array([0.0, 0.0, 1.0])
    hinges = tuple(
        replace(hinge, axis=up, at_a=hinge.at_a if isinstance(hinge.at_a, str) else frame.origin + flat @ hinge.at_a)
        for hinge in linkage.hinges
    )
    gravity = 9.81 * down / np.linalg.norm(down)
    return replace(linkage, hinges=hinges, gravity=gravity, path=path)


def along(start: Array, end: Array, length: float) -> Pose:
    """The pose of a link of this length from start to end."""
    start, end = np.broadcast_arrays(start, end)
    x, y = ((end - start) / length).T
    return start, np.stack([np.stack([x, -y], axis=-1), np.stack([y, x], axis=-1)], axis=-2)

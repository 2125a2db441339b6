"""Special geometry: directions that are nearly parallel or perpendicular, lengths that are nearly equal, points that
are nearly collinear.

The functions that yield rows give the derivatives of a quantity that should be zero with respect to the geometry of a
`Shape`, and its residual.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import msgspec
import numpy as np

from grashof.geometry.shape import BodyPose, Shape
from grashof.model.fields import body_of, perpendicular, unit

Condition = tuple[np.ndarray, float]

MOST_POINTS = 12
"""Largest number of jointed points of a body that are compared with each other."""


def conditions(shape: Shape, nearly: float, right_angles: bool) -> list[Condition]:
    """All rows for geometry that is special within `nearly`. Right angles may be too much to ask for, because the
    ends of a bar stay on its axis."""
    found = [*_equal_lengths(shape, nearly), *_straight_lines(shape, nearly)]
    return [*found, *_right_angles(shape, nearly)] if right_angles else found


def make_parallel(shape: Shape, poses: dict[str, BodyPose], nearly: float) -> None:
    """In space, turns directions that are nearly parallel to their mean; those of several joints are then kept
    there."""
    if shape.model.dimension == 2:
        return
    sides = [(k, side) for k, joint in enumerate(shape.joints) for side in "ab" if (side, joint.name) in shape.columns]
    drawn = []
    for k, side in sides:
        joint = shape.joints[k]
        axes = poses[joint.bodies["ab".index(side)]].axes
        drawn += [(k, field, axes, axes @ np.array(x)) for field, x in joint.directions() if field[-1] == side]
    means = _means([w for *_, w in drawn], nearly)
    shared = set()
    for (k, field, axes, now), (mean, others) in zip(drawn, means, strict=True):
        joint = shape.joints[k]
        if any(drawn[other][0] != k for other in others):
            shared.add((field[-1], joint.name))
        if field.startswith("normal") and f"axis_{field[-1]}" in dict(joint.directions()):
            axis = axes @ np.array(getattr(joint, f"axis_{field[-1]}"))
            mean = mean - axis * (axis @ mean)
        shape.joints[k] = msgspec.structs.replace(joint, **{field: unit(tuple((axes.T @ mean).tolist()))})
        shape.change[shape.columns[field[-1], joint.name]] += axes.T @ np.cross(now, mean)
    for key in shared:
        shape.turned[key] = float(np.linalg.norm(shape.change[shape.columns.pop(key)]))


def _jointed_points(shape: Shape) -> Iterator[list[str]]:
    """The jointed points of each body."""
    jointed: dict[str, list[str]] = {}
    for kind, name in shape.columns:
        if kind == "point":
            jointed.setdefault(body_of(name), []).append(name)
    return (names[:MOST_POINTS] for names in jointed.values())


def _row(shape: Shape, *moves: tuple[str, np.ndarray]) -> np.ndarray:
    """The derivatives of a quantity with respect to the geometry, given its gradients with respect to points of a
    body, all relative to ℓ."""
    row = np.zeros(shape.count)
    for name, gradient in moves:
        where = shape.columns["point", name]
        row[where] += gradient[: where.stop - where.start]
    return row


def _equal_lengths(shape: Shape, nearly: float) -> Iterator[Condition]:
    """Rows that make nearly equal distances, each between two points of a body, exactly equal, and their residuals."""
    spans: list[tuple[float, np.ndarray]] = []
    for names in _jointed_points(shape):
        for p, q in combinations(names, 2):
            arm = shape.points[q] - shape.points[p]
            size = float(np.linalg.norm(arm))
            if size > nearly * shape.length:
                spans.append((size / shape.length, _row(shape, (p, -arm / size), (q, arm / size))))
    for joint in shape.joints:
        if joint.rod is not None:
            row = np.zeros(shape.count)
            row[shape.columns["length", joint.name]] = 1.0
            spans.append((joint.rod / shape.length, row))
    spans.sort(key=lambda span: span[0])
    for (shorter, first), (longer, second) in pairwise(spans):
        if longer - shorter <= nearly:
            yield second - first, longer - shorter


def _right_angles(shape: Shape, nearly: float) -> Iterator[Condition]:
    """Rows that in space put two points of a body into a plane perpendicular to a joint's direction, if they nearly
    are, and their residuals."""
    axes: dict[str, list[np.ndarray]] = {}
    for joint in shape.joints if shape.model.dimension == 3 else ():
        for field, direction in joint.directions():
            axes.setdefault(joint.bodies["ab".index(field[-1])], []).append(np.array(direction))
    for names in _jointed_points(shape):
        for axis in axes.get(body_of(names[0]), []):
            for p, q in combinations(names, 2):
                along = float(axis @ (shape.points[q] - shape.points[p])) / shape.length
                row = _row(shape, (p, -axis), (q, axis))
                if abs(along) <= nearly and np.linalg.norm(row) > 0.5:
                    yield row, along


def _straight_lines(shape: Shape, nearly: float) -> Iterator[Condition]:
    """Rows that make three nearly collinear points of a body collinear, and their residuals."""
    for names in _jointed_points(shape):
        for three in combinations(names, 3):
            pairs = list(combinations(three, 2))
            p, q = max(pairs, key=lambda pair: float(np.linalg.norm(shape.points[pair[1]] - shape.points[pair[0]])))
            (r,) = set(three) - {p, q}
            line, arm = shape.points[q] - shape.points[p], shape.points[r] - shape.points[p]
            size = float(np.linalg.norm(line))
            if size <= nearly * shape.length:
                continue
            share = float(line @ arm) / size**2
            beside = arm - share * line
            if np.linalg.norm(beside) <= nearly * shape.length:
                for across in _across(line / size):
                    moves = ((r, across), (p, (share - 1.0) * across), (q, -share * across))
                    yield _row(shape, *moves), float(across @ beside) / shape.length


def _across(direction: np.ndarray) -> list[np.ndarray]:
    """Unit vectors perpendicular to a direction: one in the plane, two in space."""
    first = np.array(perpendicular(tuple(direction.tolist())))
    return [first] if len(direction) == 2 else [first, np.cross(direction, first)]


def _means(directions: list[np.ndarray], nearly: float) -> list[tuple[np.ndarray, list[int]]]:
    """For each unit vector, the mean of all vectors that are parallel or antiparallel to it within an angle, and the
    indices of these.

    Means that are nearly perpendicular are made exactly so.
    """
    groups: list[list[int]] = []
    for k, direction in enumerate(directions):
        near = [group for group in groups if np.linalg.norm(np.cross(directions[group[0]], direction)) <= nearly]
        if near:
            near[0].append(k)
        else:
            groups.append([k])
    means = [np.mean([directions[k] * np.sign(directions[k] @ directions[g[0]]) for k in g], axis=0) for g in groups]
    for _ in range(3):
        for one, other in combinations(means, 2):
            cosine = float(one @ other)
            if abs(cosine) <= nearly:
                one -= 0.5 * cosine * other
                other -= 0.5 * cosine * one
        for mean in means:
            mean /= np.linalg.norm(mean)
    found: dict[int, tuple[np.ndarray, list[int]]] = {}
    for group, mean in zip(groups, means, strict=True):
        found |= {k: (mean * np.sign(directions[k] @ mean), group) for k in group}
    return [found[k] for k in range(len(directions))]

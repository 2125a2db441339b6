"""Lines and polygons of symbols in a plane, as arrays (n, 2)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

Array = np.ndarray


def across(along: Array) -> Array:
    """A unit vector to the left of a direction; zero if the direction is zero."""
    length = float(np.linalg.norm(along))
    return np.array([-along[1], along[0]]) / length if length > 0.0 else np.zeros(2)


def circle(center: Array, radius: float, corners: int = 48) -> Array:
    """A circle as a polygon."""
    turn = np.linspace(0.0, 2.0 * np.pi, corners, endpoint=False)
    return np.asarray(center + radius * np.column_stack([np.cos(turn), np.sin(turn)]))


def arc(center: Array, radius: float, begin: float, end: float) -> Array:
    """A part of a circle from one angle to another."""
    turn = np.linspace(begin, end, max(3, int(abs(end - begin) / 0.07) + 2))
    return np.asarray(center + radius * np.column_stack([np.cos(turn), np.sin(turn)]))


def hull(points: Array) -> Array:
    """The convex hull, counter-clockwise (Andrew's monotone chain, 1979)."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]

    def half(sequence: Array) -> list[Array]:
        chain: list[Array] = []
        for point in sequence:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def _turn(a: Array, b: Array, c: Array) -> float:
    """Positive if a → b → c turns left."""
    (ux, uy), (vx, vy) = b - a, c - a
    return float(ux * vy - uy * vx)


def rounded_hull(points: Array, radius: float) -> Array:
    """The outline at a distance from the convex hull of points: a bar with round ends for two, a disc for one."""
    return hull(np.concatenate([circle(point, radius, 32) for point in points]))


def rectangle(center: Array, along: Array, length: float, width: float) -> Array:
    """A rectangle along a unit vector; `length` and `width` are half its sides."""
    long, wide = length * along, width * across(along)
    return np.array([center + long + wide, center - long + wide, center - long - wide, center + long - wide])


def zigzag(a: Array, b: Array, width: float, coils: int = 8) -> Array:
    """A spring from a to b: straight ends, and between them a zigzag of the given half-width."""
    span = b - a
    peaks = 0.18 + 0.64 * (np.arange(2 * coils) + 0.5) / (2 * coils)
    parts = np.concatenate([[0.0, 0.18], peaks, [0.82, 1.0]])
    swing = np.concatenate([[0.0, 0.0], width * (-1.0) ** np.arange(2 * coils), [0.0, 0.0]])
    return np.asarray(a + parts[:, None] * span + swing[:, None] * across(span))


def damper(a: Array, b: Array, width: float) -> list[Array]:
    """A dashpot from a to b: a rod to a piston, and a cylinder that is open towards b."""
    span = b - a
    side = width * across(span)
    back, front, piston = (a + part * span for part in (0.32, 0.7, 0.55))
    cup = np.array([front + side, back + side, back - side, front - side])
    head = np.array([piston + 0.75 * side, piston - 0.75 * side])
    return [np.array([a, back]), cup, head, np.array([piston, b])]


def spiral(center: Array, inner: float, outer: float, begin: float, turns: float = 2.25) -> Array:
    """An Archimedean spiral that begins at a given angle."""
    part = np.linspace(0.0, 1.0, 72)
    turn = begin + 2.0 * np.pi * turns * part
    reach = inner + (outer - inner) * part
    return np.asarray(center + reach[:, None] * np.column_stack([np.cos(turn), np.sin(turn)]))


def arrow_head(tip: Array, along: Array, size: float) -> Array:
    """A triangle with the given tip that points along a unit vector."""
    back = tip - size * along
    return np.array([tip, back + 0.42 * size * across(along), back - 0.42 * size * across(along)])


def hatch_strokes(line: Array, size: float) -> list[Array]:
    """Short strokes on the right of a line, which represent the ground."""
    lengths = np.linalg.norm(np.diff(line, axis=0), axis=1)
    total = float(lengths.sum())
    if total == 0.0:
        return []
    count = max(2, round(total / size))
    places = (np.arange(count) + 0.5) / count * total
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    feet = np.column_stack([np.interp(places, along, line[:, k]) for k in (0, 1)])
    parts = np.clip(np.searchsorted(along, places, side="right") - 1, 0, len(lengths) - 1)
    strokes = []
    for foot, part in zip(feet, parts, strict=True):
        ahead = (line[part + 1] - line[part]) / lengths[part]
        strokes.append(np.array([foot, foot - 0.75 * size * (across(ahead) + 0.8 * ahead)]))
    return strokes


def beside(line: Array, distance: float) -> Array:
    """A line at a given distance on the left of another one; on the right if the distance is negative."""
    ahead = np.gradient(line, axis=0)
    return np.asarray(line + distance * np.array([across(x) for x in ahead]))


def gear_outline(radius: float, teeth: int, begin: float, internal: bool) -> Array:
    """The outline of a gear wheel about the origin, with the middle of a tooth at the angle `begin`.

    Teeth have straight flanks. With the module m = 2 r/z they extend m beyond the pitch circle and 1.15 m below it, so
    that two wheels mesh.
    """
    module = 2.0 * radius / teeth
    high, low = (radius - module, radius + 1.15 * module) if internal else (radius + module, radius - 1.15 * module)
    # fractions of the pitch at which flanks begin and end; at the pitch circle a tooth is as wide as a gap
    parts = np.array([-0.36, -0.14, 0.14, 0.36])
    turn = begin + 2.0 * np.pi * (np.arange(teeth)[:, None] + parts) / teeth
    reach = np.tile([low, high, high, low], (teeth, 1))
    return np.column_stack([(reach * np.cos(turn)).ravel(), (reach * np.sin(turn)).ravel()])


def around(centers: Array, radii: Array, closed: bool) -> Array | None:
    """A tight belt around circles, in the given order; None if there is none, because a circle lies within another.

    radii   positive if the belt passes the circle counter-clockwise, negative if clockwise, zero for a point
    """
    pairs = list(pairwise(range(len(centers)))) + ([(len(centers) - 1, 0)] if closed else [])
    ends = []
    for i, j in pairs:
        # the common tangent leaves circle i and arrives at circle j at the same angle: n·(c_j − c_i) = r_i − r_j
        span = centers[j] - centers[i]
        apart = float(np.linalg.norm(span))
        offset = radii[i] - radii[j]
        if apart <= abs(offset):
            return None
        # with n the unit normal on the right of the straight part, it touches a circle at c + r n
        aim = np.arctan2(span[1], span[0]) + np.arcsin(offset / apart)
        normal = np.array([np.sin(aim), -np.cos(aim)])
        ends.append((centers[i] + radii[i] * normal, centers[j] + radii[j] * normal))
    line = [ends[0][0]]
    count = len(pairs)
    for k, (_, arrive) in enumerate(ends):
        line.append(arrive)
        last = k == count - 1
        if last and not closed:
            break
        center, radius = centers[pairs[k][1]], radii[pairs[k][1]]
        leave = ends[(k + 1) % count][0]
        if radius != 0.0:
            begin, end = (float(np.arctan2(*(place - center)[::-1])) for place in (arrive, leave))
            turn = (end - begin) % (2.0 * np.pi) if radius > 0.0 else -((begin - end) % (2.0 * np.pi))
            line.extend(arc(center, abs(radius), begin, begin + turn))
        line.append(leave)
    return np.array(line)


def hang(a: Array, b: Array, length: float, up: Array) -> Array:
    """A rope of the given length between two places in the viewer's axes, (n, 3).

    It is straight, or a parabola whose length is about right if they are side by side. Where one is above the other it
    bulges to the right, so that its two parts can be seen.
    """
    gap = b - a
    sag = np.sqrt(max(3.0 / 16.0 * (length * length - float(gap @ gap)), 0.0))
    part = np.linspace(0.0, 1.0, 25)[:, None]
    upright = float(gap @ up) ** 2 / max(float(gap @ gap), 1e-300)
    bulge = 0.3 * upright * np.array([1.0, 0.0, 0.0])
    return np.asarray(a + part * gap + 4.0 * sag * part * (1.0 - part) * (bulge - up))


def distance_beside(points: Array, place: Array) -> float:
    """The distance of a place from the convex hull of points, (n, 2); zero within it."""
    corners = hull(points)
    edges, gaps = np.roll(corners, -1, axis=0) - corners, place - corners
    if len(corners) > 2 and np.all(edges[:, 0] * gaps[:, 1] >= edges[:, 1] * gaps[:, 0]):
        return 0.0
    squares = np.maximum(np.sum(edges * edges, axis=1), np.finfo(float).tiny)
    parts = np.clip(np.sum(edges * gaps, axis=1) / squares, 0.0, 1.0)
    return float(np.min(np.linalg.norm(gaps - parts[:, None] * edges, axis=1)))

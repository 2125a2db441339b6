"""Interference: which bodies of a planar mechanism overlap along a motion, when, and how deep."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from grashof.common.blas import one_thread
from grashof.common.errors import ModelError, did_you_mean
from grashof.common.notebook import report_html
from grashof.common.wording import count_of, join_words
from grashof.geometry.convex import ConvexPart, gap
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, body_of
from grashof.model.given import Number
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory
from grashof.scene import describe
from grashof.scene.plates import OutlineGiven, Outlines, find_outlines
from grashof.scene.poses import poses

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

Array = np.ndarray
Pair = tuple[str, str]

LEAST = 240
"""Smallest number of intervals into which a motion is divided at first, besides the steps of its integrator."""

FINE = 1e-3
"""Intervals in which bodies could touch or part are halved until the bodies move by less than this part of the
mechanism's length in them; what begins and ends within one interval is then found by the extreme of the distance."""

TURN = 0.3
"""Largest rotation of a body between two times, rad, and its largest way, in lengths of the mechanism, by its
velocities at these times: a body that turned once between them would seem to stand still."""

MOST = 50_000
"""Largest number of times for one pair of bodies."""

SMALL = 1e-12
"""Distances that differ by less than this part of the mechanism's length are equal, but for rounding."""

PARTS = 8
"""An extreme or a zero is enclosed by dividing its interval into this many parts, again and again."""

TIMES = 11
"""How often: 8⁻¹¹ ≈ 1e-10 of the interval."""


@dataclass(frozen=True)
class Overlap:
    """Two bodies that overlap for a time.

    bodies       their names
    start, end   when, s
    depth        the largest penetration depth, m: the shortest displacement that would separate the bodies or, if they
                 consist of several convex parts, the two parts that overlap most
    time         when it is that deep, s
    """

    bodies: Pair
    start: float
    end: float
    depth: float
    time: float

    def __str__(self) -> str:
        first, second = self.bodies
        return (
            f"'{first}' and '{second}' overlap from {self.start:.6g} to {self.end:.6g} s, at most by "
            f"{self.depth:.4g} m at {self.time:.6g} s"
        )


@dataclass(frozen=True, eq=False)
class PairCourse:
    """The distance of two bodies along the motion.

    t, gap     times, s, and the distance at each, m; where the bodies overlap, it is minus the penetration depth
    least      the smallest distance, m
    time       when that occurs, s
    overlaps   where it is negative
    """

    bodies: Pair
    t: Array
    gap: Array
    least: float
    time: float
    overlaps: tuple[Overlap, ...]

    def __str__(self) -> str:
        if self.overlaps:
            return "; ".join(str(x) for x in self.overlaps)
        first, second = self.bodies
        return f"'{first}' and '{second}': clearance {self.least:.4g} m at {self.time:.6g} s"


@dataclass(frozen=True, eq=False)
class Interference:
    """Overlaps and clearances of bodies along a motion. `print(found)` gives a report, and `found["crank", "rocker"]`
    is one pair.

    pairs      every pair that was compared, the deepest overlap first
    adjacent   pairs that were not compared, because a joint or coupling connects them
    outlines   the shapes of the bodies, as convex parts in their axes
    """

    run: Trajectory
    pairs: tuple[PairCourse, ...]
    adjacent: tuple[Pair, ...]
    outlines: Outlines

    @property
    def overlaps(self) -> tuple[Overlap, ...]:
        """All overlaps, in the order in which they begin."""
        return tuple(sorted((x for pair in self.pairs for x in pair.overlaps), key=lambda x: x.start))

    @property
    def clearance(self) -> float:
        """The smallest distance of all pairs, m; negative if bodies overlap."""
        return min(pair.least for pair in self.pairs)

    def __getitem__(self, bodies: Pair) -> PairCourse:
        """The course of one pair, in either order."""
        for pair in self.pairs:
            if isinstance(bodies, tuple) and set(pair.bodies) == set(bodies):
                return pair
        known = [f"{a}, {b}" for a, b in (pair.bodies for pair in self.pairs)]
        asked = ", ".join(bodies) if isinstance(bodies, tuple) else str(bodies)
        raise ModelError(f"The pair '{asked}' was not compared; {did_you_mean(asked, known)}")

    def __str__(self) -> str:
        name, t = self.run.program.model.name, self.run.t
        count = sum(bool(pair.overlaps) for pair in self.pairs)
        whole = count_of(len(self.pairs), "pair of bodies", "pairs of bodies")
        verb = "overlaps" if count == 1 else "overlap"
        lines = [f"{name}, {t[0]:g} to {t[-1]:g} s: {count or 'none'} of {whole} {verb}."]
        if not self.run.status.ok:
            lines.append(f"  {self.run.status}")
        lines += [f"  {pair}" for pair in self.pairs]
        if self.adjacent:
            names = join_words([f"{a}–{b}" for a, b in self.adjacent])
            lines.append(f"  not compared, because they are joined: {names}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The report, as a notebook shows it."""
        return report_html(str(self))

    def as_dict(self) -> dict[str, Any]:
        """The results as plain data."""
        return {
            "name": self.run.program.model.name,
            "status": self.run.status.code.name.lower(),
            "t_start": float(self.run.t[0]),
            "t_end": float(self.run.t[-1]),
            "clearance": self.clearance,
            "pairs": [
                {
                    "bodies": list(pair.bodies),
                    "least": pair.least,
                    "time": pair.time,
                    "overlaps": [
                        {"start": x.start, "end": x.end, "depth": x.depth, "time": x.time} for x in pair.overlaps
                    ],
                }
                for pair in self.pairs
            ],
            "not_compared": [list(pair) for pair in self.adjacent],
        }

    def to_pandas(self) -> pandas.DataFrame:
        """The overlaps as a data frame, one row each: bodies, start, end, depth and time of the largest depth."""
        from grashof.common.data_frames import data_frame

        rows = [
            {"first": x.bodies[0], "second": x.bodies[1], "start": x.start, "end": x.end, "depth": x.depth, "t": x.time}
            for x in self.overlaps
        ]
        return data_frame(rows, ("first", "second", "start", "end", "depth", "t"))

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """The outlines where the bodies are deepest in each other or closest to each other, with the area that they
        share in red, and the distances over time; written to a file if a path is given."""
        from grashof.show.interference import draw_interference

        closest = self.pairs[0]
        courses = {" – ".join(pair.bodies): (pair.t, pair.gap) for pair in self.pairs}
        places = _Places(self.run).at(np.array([closest.time]))[0]
        return draw_interference(self.run, closest.time, self.outlines, closest.bodies, places, courses, path)


@one_thread()
def interference(
    run: Trajectory,
    outlines: Mapping[str, OutlineGiven] | None = None,
    *,
    width: Number | None = None,
    pairs: Sequence[Pair] | None = None,
) -> Interference:
    """Finds which bodies of a planar mechanism overlap along a motion, when and how deep, and the clearance of all
    others.

    run        what `simulate` or `kinematics` returns
    outlines   shapes of bodies: a width, m, with round ends about the body's points, which makes a bar of two and a
               disc of one; or the corners of a polygon in the body's axes, m. The ground has a shape only if it is
               given here
    width      that of all other bodies, m. Without outlines and width, bodies are as wide as they are drawn, which
               shows the arrangement but is no dimension
    pairs      pairs of bodies to compare; by default all that no joint and no coupling connects

    Bodies are compared as if all of them were in one plane. Times are located to rounding accuracy between the output
    times of the run.

    >>> import grashof as gr
    >>> m = gr.Mechanism("wipers")
    >>> left, right = m.bar("left", length=0.5), m.bar("right", length=0.5)
    >>> _ = m.revolute(m.ground.at(0, 0), left.start)
    >>> _ = m.revolute(m.ground.at(0.6, 0), right.start)
    >>> m.motor(left, "pi/2 - t")
    >>> m.motor(right, "pi/2 + t")
    >>> found = gr.interference(gr.kinematics(m, 1.0), width=0.02)
    >>> [f"{x.start:.4f}" for x in found.overlaps]
    ['0.6187']
    """
    model = run.program.model
    shapes = find_outlines(model, describe(run, run.t[:1], quantities=False), outlines, width)
    chosen, adjacent = _choose_pairs(model, list(shapes), pairs)
    places = _Places(run)
    found = [_compare(places, pair, shapes) for pair in chosen]
    return Interference(run, tuple(sorted(found, key=lambda x: x.least)), tuple(adjacent), shapes)


def _choose_pairs(model: Model, names: list[str], pairs: Sequence[Pair] | None) -> tuple[list[Pair], list[Pair]]:
    """The pairs to compare, and those that are left out because something connects them."""
    if pairs is not None:
        for pair in pairs:
            if not isinstance(pair, tuple | list) or len(pair) != 2 or pair[0] == pair[1]:
                raise ModelError(f"pairs: {pair!r} is not a pair of bodies; write it as ('crank', 'rocker').")
            for name in pair:
                if name not in names:
                    raise ModelError(f"pairs: '{name}' has no outline; {did_you_mean(name, names)}")
        return [(first, second) for first, second in pairs], []
    connected = [*_joined_bodies(model)]
    every = list(combinations(names, 2))
    joined = [pair for pair in every if any(set(pair) <= group for group in connected)]
    chosen = [pair for pair in every if pair not in joined]
    if not chosen:
        raise ModelError(
            f"Mechanism '{model.name}' has no two bodies with outlines that nothing connects; name the pairs to "
            "compare."
        )
    return chosen, joined


def _joined_bodies(model: Model) -> Iterator[set[str]]:
    """Bodies that a joint, a pin through several of them, or a coupling connects."""
    yield from (set(joint.bodies) for joint in model.joints)
    pins: list[set[tuple[str, Vector]]] = []
    for joint in model.joints:
        if joint.points_meet:
            pin = {(body_of(point), model.points[point]) for point in (joint.a, joint.b)}
            pins = [pin.union(*(x for x in pins if x & pin)), *(x for x in pins if not x & pin)]
    yield from ({body for body, _ in pin} for pin in pins)
    for coupling in model.couplings:
        yield {body for measure in coupling.measures(model.quantities) for body in measure.bodies} - {GROUND}


class _Places:
    """The poses of all bodies of a planar mechanism at any time: x, y and the angle, (times, bodies, 3); the ground
    first."""

    def __init__(self, run: Trajectory) -> None:
        self.run, system = run, run.program.system
        self.numbers = {GROUND: 0} | {body.name: k for k, body in enumerate(run.program.model.bodies, 1)}
        self.length = system.length
        self.exact = run.steps.extract is None and len(run.t) > 1
        times = np.asarray(run.t, float)
        if self.exact:
            even = np.linspace(times[0], times[-1], LEAST + 1)
            inside = (run.steps.t > times[0]) & (run.steps.t < times[-1])
            times = self._closely(np.unique(np.concatenate([times[[0, -1]], even, run.steps.t[inside]])))
        self.t: Array = np.unique(times)

    def _closely(self, times: Array) -> Array:
        """Times between which no body moves far."""
        model, length = self.run.program.model, self.length
        points = {body_of(point): point for point in model.points}
        for _ in range(4):
            at = Trajectory(self.run.program, self.run.steps, times)
            speed = np.zeros(len(times))
            for body in model.bodies:
                speed = np.maximum(speed, np.abs(at[f"{body.name}.angle.rate"]))
                for axis in "xy" if body.name in points else "":
                    speed = np.maximum(speed, np.abs(at[f"{points[body.name]}.{axis}.rate"]) / length)
            counts = np.ceil(np.diff(times) * np.maximum(speed[1:], speed[:-1]) / TURN).astype(int).clip(1)
            if np.sum(counts) > MOST:
                raise ModelError(
                    f"Mechanism '{model.name}' moves so fast that comparing its bodies would take {np.sum(counts):,} "
                    f"times; {MOST:,} are possible. Compare them along a shorter run."
                )
            if np.all(counts == 1):
                break
            parts = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(times, times[1:], counts, strict=False)]
            times = np.concatenate([*parts, times[-1:]])
        return times

    def at(self, times: Array) -> Array:
        """The poses at times in order."""
        run = self.run
        found = poses(run.program.system, Trajectory(run.program, run.steps, times).q)
        moving = np.stack([found[..., 0], found[..., 1], 2.0 * np.arctan2(found[..., 6], found[..., 3])], axis=2)
        return np.concatenate([np.zeros((len(times), 1, 3)), moving], axis=1)


Gap = Callable[[Array], Array]


def _compare(places: _Places, bodies: Pair, shapes: Outlines) -> PairCourse:
    """The distance of two bodies over the whole motion, with its zeros and its smallest value."""
    first, second = (places.numbers[name] for name in bodies)
    ours, theirs = (shapes[name] for name in bodies)

    def relative(times: Array) -> Array:
        """The second body's corners in the axes of the first, (times, corners, 2)."""
        found = places.at(times)
        return _into(found[:, first], _out_of(found[:, second], np.vstack([part.corners for part in theirs])))

    def gap_of(corners: Array) -> Array:
        ends = np.cumsum([len(part.corners) for part in theirs])[:-1]
        pieces = np.split(corners, ends, axis=1)
        return _smallest_gap(ours, [(piece, part.radius) for piece, part in zip(pieces, theirs, strict=True)])

    def gaps(times: Array) -> Array:
        return gap_of(relative(times))

    t, corners = places.t, relative(places.t)
    values = gap_of(corners)
    while places.exact:
        moved = np.linalg.norm(np.diff(corners, axis=0), axis=2).max(axis=1)
        nearest = 0.5 * np.abs(values[1:] + values[:-1]) - 0.75 * moved
        doubtful = ((values[1:] > 0.0) == (values[:-1] > 0.0)) & (nearest < 0.0) & (moved > FINE * places.length)
        if not np.any(doubtful):
            break
        if len(t) + np.sum(doubtful) > MOST:
            raise ModelError(
                f"Bodies '{bodies[0]}' and '{bodies[1]}' are so close to each other for so long that comparing them "
                f"would take more than {MOST:,} times. Compare them along a shorter run, or leave this pair out by "
                "`pairs`."
            )
        middle = 0.5 * (t[1:] + t[:-1])[doubtful]
        between = relative(middle)
        at = np.searchsorted(t, middle)
        t, corners = np.insert(t, at, middle), np.insert(corners, at, between, axis=0)
        values = np.insert(values, at, gap_of(between))
    if places.exact:
        t, values = _with_extremes(gaps, t, values, 1.0, SMALL * places.length)
        t, values = _with_extremes(gaps, t, values, -1.0, SMALL * places.length)
    overlaps = _overlaps(gaps if places.exact else None, bodies, t, values)
    low = int(np.argmin(values))
    return PairCourse(bodies, t, values, float(values[low]), float(t[low]), overlaps)


def _out_of(pose: Array, local: Array) -> Array:
    """Places in the axes of a body, (n, 2), in the axes of the ground, (times, n, 2)."""
    c, s = np.cos(pose[:, 2:]), np.sin(pose[:, 2:])
    x, y = local.T
    return np.stack([pose[:, :1] + c * x - s * y, pose[:, 1:2] + s * x + c * y], axis=2)


def _into(pose: Array, world: Array) -> Array:
    """Places in the axes of the ground, (times, n, 2), in those of a body."""
    c, s = np.cos(pose[:, 2:]), np.sin(pose[:, 2:])
    x, y = world[..., 0] - pose[:, :1], world[..., 1] - pose[:, 1:2]
    return np.stack([c * x + s * y, c * y - s * x], axis=2)


def _smallest_gap(ours: Sequence[ConvexPart], theirs: Sequence[tuple[Array, float]]) -> Array:
    """The distance of the two parts that are closest or deepest in each other, (times,)."""
    found = [gap(part.corners[None], corners) - part.radius - radius for part in ours for corners, radius in theirs]
    return np.asarray(np.min(found, axis=0))


def _with_extremes(gaps: Gap, t: Array, values: Array, sign: float, small: float) -> tuple[Array, Array]:
    """The course with its local minima, if the sign is 1: those that could be below zero or the smallest of all. With
    −1, with the maxima below zero that could be above it. Values that differ by less than `small` are as good."""
    course = sign * values
    drop = np.maximum(np.abs(np.diff(course, prepend=course[0])), np.abs(np.diff(course, append=course[-1])))
    chosen = np.zeros(len(t), bool)
    chosen[1:-1] = (course[1:-1] <= course[:-2]) & (course[1:-1] <= course[2:])
    goal = max(0.0, float(values.min())) if sign > 0.0 else 0.0
    rows = np.flatnonzero(chosen & (course - drop < goal) & (drop > small) & ((sign > 0.0) | (course > 0.0)))
    times, found = _narrow(lambda x: sign * gaps(x), t[rows - 1], t[rows + 1], _around_the_least)
    whole, order = np.unique(np.concatenate([t, times]), return_index=True)
    return whole, np.concatenate([values, sign * found])[order]


def _around_the_least(values: Array) -> tuple[Array, Array]:
    """The neighbours of the smallest of several values, (intervals, values)."""
    low = np.argmin(values, axis=1)
    return np.maximum(low - 1, 0), np.minimum(low + 1, PARTS)


def _around_the_change(values: Array) -> tuple[Array, Array]:
    """The values between which the sign changes for the first time."""
    below = values < 0.0
    first = np.argmax(below[:, 1:] != below[:, :-1], axis=1)
    return first, first + 1


def _narrow(gaps: Gap, begin: Array, end: Array, choose: Callable[[Array], tuple[Array, Array]]) -> tuple[Array, Array]:
    """The times and values to which intervals shrink that are divided again and again; `choose` picks from the values
    at the ends of their parts."""
    rows, fractions = np.arange(len(begin)), np.linspace(0.0, 1.0, PARTS + 1)
    for _ in range(TIMES if len(begin) else 0):
        times = begin[:, None] + (end - begin)[:, None] * fractions
        order = np.argsort(times, axis=None)
        values = np.empty(times.size)
        values[order] = gaps(times.ravel()[order])
        first, last = choose(values.reshape(times.shape))
        begin, end = times[rows, first], times[rows, last]
    middle = 0.5 * (begin + end)
    order = np.argsort(middle)
    values = np.empty(len(middle))
    values[order] = gaps(middle[order])
    return middle, values


def _overlaps(gaps: Gap | None, bodies: Pair, t: Array, values: Array) -> tuple[Overlap, ...]:
    """Where the distance is negative; without `gaps`, to the nearest of the given times."""
    below = values < 0.0
    change = np.flatnonzero(np.diff(below.astype(int), prepend=0, append=0))
    first, after = change[::2], change[1::2]
    start, end = t[first], t[after - 1]
    if gaps is not None:
        early, late = first > 0, after < len(t)
        start[early], _ = _narrow(gaps, t[first[early] - 1], start[early], _around_the_change)
        end[late], _ = _narrow(gaps, end[late], t[after[late]], _around_the_change)
    found = []
    for k in range(len(first)):
        deepest = first[k] + int(np.argmin(values[first[k] : after[k]]))
        found.append(Overlap(bodies, float(start[k]), float(end[k]), -float(values[deepest]), float(t[deepest])))
    return tuple(found)

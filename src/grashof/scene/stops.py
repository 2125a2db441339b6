"""The symbols of stops: pegs, walls, bumpers, and ropes that may be slack."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.model.fields import body_of
from grashof.model.forces import Stop
from grashof.model.measures import Measure
from grashof.scene import kinds, types
from grashof.scene.couplings import Facts
from grashof.scene.start import SceneStart, perpendicular, space

WHOLE_TURN = 2.0 * np.pi
"""A peg cannot show a limit that is farther away."""


def stop_symbols(start: SceneStart, name: str, stop: Stop) -> Iterator[kinds.Kind]:
    """The symbols of the limits of a stop, each at the place of its measure."""
    measure = start.model.quantities.get(stop.measure)
    if measure is None:
        return
    for which, limit in stop.limits:
        facts: Facts = (("type", "stop"), (which, f"{limit:.6g} {measure.unit}"))
        if measure.motion is not None and measure.motion.kind == "turn":
            yield from _peg(start, name, facts, measure, float(limit), 1.0 if which == "upper" else -1.0)
        elif measure.motion is not None and measure.ends is not None:
            yield _wall(start, name, facts, measure, float(limit), -1.0 if which == "upper" else 1.0)
        elif rope := (measure.rope or [(end, 0.0) for end in measure.ends or ()]):
            yield from _tie(start, name, facts, rope, which, float(limit))


def _peg(
    start: SceneStart, name: str, facts: Facts, measure: Measure, limit: float, outward: float
) -> Iterator[kinds.Kind]:
    pivot, beyond = start.pivot(measure), limit - start.value(measure)
    if pivot is None or abs(beyond) > WHOLE_TURN:
        return
    spot, own_axis = pivot
    reference, body = measure.bodies
    axis = start.direction(spot.body, own_axis)
    ends = [np.array(space(at)) - spot.at for point, at in start.model.points.items() if body_of(point) == body]
    arms = [arm - (arm @ own_axis) * np.array(own_axis) for arm in ends]
    arm = max(arms, key=lambda x: float(np.linalg.norm(x)), default=np.zeros(3))
    length = float(np.linalg.norm(arm))
    now = start.direction(spot.body, space(arm / length if length else perpendicular(np.array(own_axis))))
    there = np.cos(beyond) * now + np.sin(beyond) * np.cross(axis, now)
    number = start.numbers[reference]
    yield kinds.Peg(
        name=name,
        facts=facts,
        a=spot,
        reference=number,
        axis=start.local(number, axis),
        along=start.local(number, there),
        outward=outward,
        length=length,
    )


def _wall(start: SceneStart, name: str, facts: Facts, measure: Measure, limit: float, free: float) -> kinds.Kind:
    """A wall across the direction of a coordinate, as wide as its point moves."""
    assert measure.motion is not None
    assert measure.ends is not None
    number = start.numbers[measure.bodies[0]]
    origin, point = (start.spot(end) if end else types.Spot(0, (0.0, 0.0, 0.0)) for end in measure.ends)
    along = space(measure.motion.axis_a or ())
    first = np.array([along[1], -along[0], 0.0]) if start.model.dimension == 2 else perpendicular(np.array(along))
    across = (first,) if start.model.dimension == 2 else (first, np.cross(along, first))
    ranges = tuple((space(x), *start.travel(origin, point, number, space(x), margin=0.0)) for x in across)
    at, normal = np.array(origin.at) + limit * np.array(along), free * np.array(along)
    return kinds.Wall(name=name, facts=facts, body=number, at=space(at), normal=space(normal), ranges=ranges)


def _tie(
    start: SceneStart, name: str, facts: Facts, rope: list[tuple[str, float]], which: str, limit: float
) -> Iterator[kinds.Kind]:
    """A rope for an upper limit, and for a lower limit of the distance of two points a bumper."""
    places, radii = tuple(start.spot(point) for point, _ in rope), tuple(float(radius) for _, radius in rope)
    straight = len(places) == 2 and not any(radii)
    if which == "upper":
        yield kinds.Rope(
            name=name, facts=facts, through=places, radii=radii if any(radii) else (), length=limit if straight else 0.0
        )
    elif straight:
        yield kinds.Bumper(name=name, facts=facts, a=places[0], b=places[1], length=limit)

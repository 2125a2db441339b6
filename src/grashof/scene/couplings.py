"""The symbols of couplings: wheels, belts, racks, ropes, cams."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grashof.model import couplings as coupled
from grashof.model.bodies import GROUND
from grashof.model.couplings.profile import OnCurve
from grashof.model.fields import body_of
from grashof.scene import kinds, types
from grashof.scene.start import PARALLEL, SceneStart, perpendicular, space

Array = np.ndarray
Facts = tuple[tuple[str, str], ...]

FEWEST = 6
"""Smallest number of teeth that are drawn; gears may also be given by their radii."""


@dataclass(frozen=True)
class Couplings:
    """Makes the symbols of those couplings that can be drawn at a place."""

    start: SceneStart
    zeros: dict[tuple[types.Spot, int, bool], types.Vec3] = field(default_factory=dict)

    def all(self) -> Iterator[kinds.Kind]:
        """The symbols of all couplings."""
        draw: dict[str, Callable[[Any, Facts], Iterator[kinds.Kind]]] = {
            "gears": self._gears,
            "belt": self._belt,
            "rack": self._rack,
            "ropes": self._ropes,
            "cam": self._cam,
        }
        for coupling in self.start.model.couplings:
            kind = (("type", str(coupling.__struct_config__.tag)),)
            if coupling.symbol:
                yield from draw[coupling.symbol](coupling, kind)

    # -- wheels

    def _gears(self, gear: coupled.Gear, facts: Facts) -> Iterator[kinds.Kind]:
        """Two wheels, each about the pin of its body, with radii that follow from the distance between their axes.

        Nothing is drawn if the axes are not parallel or coincide.
        """
        facts = (*facts, ("teeth", " : ".join(f"{x:g}" for x in gear.teeth)))
        wheels = [self._wheel(name, gear.carrier) for name in (gear.a, gear.b)]
        if wheels[0] is None or wheels[1] is None:
            return
        (spot_a, axis_a), (spot_b, axis_b) = wheels[0], wheels[1]
        axis = self.start.direction(spot_a.body, axis_a)
        if np.linalg.norm(np.cross(axis, self.start.direction(spot_b.body, axis_b))) > PARALLEL:
            return
        span = self.start.world(spot_b) - self.start.world(spot_a)
        span = span - axis * (axis @ span)
        apart = float(np.linalg.norm(span))
        first, second = (float(z) for z in gear.teeth)
        share = abs(second - first) if gear.internal else first + second
        if share == 0.0 or apart <= 1e-9 * float(np.max(np.abs(self.start.origins), initial=1.0)):
            return
        counts = [round(z) if z >= FEWEST and abs(z - round(z)) < 1e-9 else 0 for z in (first, second)]
        rings = [gear.internal and first > second, gear.internal and second > first]
        # the teeth touch on the line of centres: between them, or beyond the smaller one
        toward = span / apart if not gear.internal or second < first else -span / apart
        zeros = self._meshing((spot_a, spot_b), axis, toward, counts, rings)
        for spot, own, number, ring, z, zero in zip(
            (spot_a, spot_b), (axis_a, axis_b), counts, rings, (first, second), zeros, strict=True
        ):
            yield kinds.Wheel(
                name=gear.name,
                facts=facts,
                a=spot,
                axis=own,
                radius=apart * z / share,
                teeth=number,
                internal=ring,
                zero=zero,
            )

    def _meshing(
        self, spots: tuple[types.Spot, types.Spot], axis: Array, toward: Array, counts: list[int], rings: list[bool]
    ) -> list[types.Vec3]:
        """The directions of teeth for which a tooth of one wheel is in a gap of the other.

        A wheel that already has a direction from another pair keeps it.

        toward   direction from the first centre to the point of contact
        """
        keys = [(spot, count, ring) for spot, count, ring in zip(spots, counts, rings, strict=True)]
        aside = np.cross(axis, toward)
        if not all(counts):
            return [self.start.local(spot.body, toward) for spot in spots]
        internal = any(rings)
        contacts = [
            0.0,
            0.0 if internal else np.pi,
        ]  # the angle from `toward`, about the axis, at which each wheel is in contact
        order = (1, 0) if keys[1] in self.zeros and keys[0] not in self.zeros else (0, 1)
        known, other = order
        if keys[known] not in self.zeros:
            self.zeros[keys[known]] = self.start.local(spots[known].body, toward * np.cos(contacts[known]))
        zero = self.start.direction(spots[known].body, self.zeros[keys[known]])
        begin = float(np.arctan2(zero @ aside, zero @ toward))
        # distance in pitches by which the contact is ahead of the middle of a tooth; ahead on one wheel is behind on
        # the other, except for an internal gear
        ahead = (contacts[known] - begin) * counts[known] / (2.0 * np.pi)
        turn = contacts[other] + (0.5 + (-ahead if internal else ahead)) * 2.0 * np.pi / counts[other]
        if keys[other] not in self.zeros:
            self.zeros[keys[other]] = self.start.local(spots[other].body, np.cos(turn) * toward + np.sin(turn) * aside)
        return [self.zeros[key] for key in keys]

    def _wheel(self, angle: str, carrier: str) -> tuple[types.Spot, types.Vec3] | None:
        """The centre of a wheel and its axis; a fixed wheel is centred at the pin of the carrier."""
        measures = self.start.model.all_measures
        held = measures.get(carrier)
        holder = held.bodies[-1] if held is not None and held.winds else GROUND
        if angle != GROUND:
            return self.start.pivot(measures.get(angle), holder)
        found = self.start.pivot(held, GROUND)
        if found is None:
            return None
        spot, axis = found
        return self.start.local_spot(0, self.start.world(spot)), self.start.local(
            0, self.start.direction(spot.body, axis)
        )

    def _belt(self, belt: coupled.Belt, facts: Facts) -> Iterator[kinds.Kind]:
        wheels = [self._wheel(name, belt.carrier) for name in (belt.a, belt.b)]
        if wheels[0] is None or wheels[1] is None:
            return
        radii = (float(belt.radii[0]), float(belt.radii[1]))
        for (spot, axis), radius in zip((wheels[0], wheels[1]), radii, strict=True):
            zero = space(perpendicular(np.array(axis)))
            yield kinds.Wheel(
                name=belt.name, facts=facts, a=spot, axis=axis, radius=radius, teeth=0, internal=False, zero=zero
            )
        (a, axis), (b, _) = wheels[0], wheels[1]
        yield kinds.Band(name=belt.name, facts=facts, a=a, b=b, radii=radii, crossed=belt.crossed, axis=axis)

    def _rack(self, rack: coupled.Rack, facts: Facts) -> Iterator[kinds.Kind]:
        """The pinion, and the rack at the contact with it.

        For a rolling wheel only the wheel is drawn here; its track is drawn in place of the slot of its centre.
        """
        start = self.start
        found = start.pivot(start.model.all_measures.get(rack.pinion))
        if found is None:
            return
        spot, axis = found
        radius = abs(float(rack.radius))
        zero = space(perpendicular(np.array(axis)))
        yield kinds.Wheel(
            name=rack.name, facts=facts, a=spot, axis=axis, radius=radius, teeth=0, internal=False, zero=zero
        )
        travel = start.model.quantities[rack.rack]
        if rack.name in start.tracks or travel.motion is None or travel.ends is None:
            return
        holder, moving = (start.numbers[body] for body in travel.bodies)
        direction = space(travel.motion.axis_a or ())
        along = start.direction(holder, direction)
        # the velocity of the rack is ω × r n, so n is perpendicular to both
        out = np.cross(along, start.direction(spot.body, axis)) * np.sign(rack.radius)
        length = float(np.linalg.norm(out))
        if abs(length - 1.0) > PARALLEL:
            return
        tooth = start.spot(travel.ends[1])
        lower, upper = start.travel(tooth, spot, holder, direction)
        level = start.world(spot) + radius * out
        base = level + along * (along @ (start.world(tooth) - level))
        ends = [start.local_spot(moving, base + reach * along).at for reach in (lower - radius, upper + radius)]
        if rack.radius < 0.0:  # the pinion is on the left
            ends.reverse()
        yield kinds.Outline(name=rack.name, facts=facts, body=moving, corners=tuple(ends), closed=False)

    # -- ropes and cams

    def _ropes(self, coupling: coupled.Linear, facts: Facts) -> Iterator[kinds.Kind]:
        for term in coupling.terms:
            measure = self.start.model.all_measures.get(term)
            if measure is not None and (rope := measure.rope):
                yield kinds.Rope(
                    name=coupling.name,
                    facts=(("type", "rope"),),
                    through=tuple(self.start.spot(point) for point, _ in rope),
                    radii=tuple(float(radius) for _, radius in rope) if any(radius for _, radius in rope) else (),
                )

    def _cam(self, curve: coupled.Curve, facts: Facts) -> Iterator[kinds.Kind]:
        """The curve, and the roller on it."""
        start = self.start
        corners = self._corners(curve)
        if corners:
            closed = curve.radius is not None or (bool(curve.points) and curve.closed)
            yield kinds.Outline(
                name=curve.name, facts=facts, body=start.numbers[curve.body], corners=corners, closed=closed
            )
        touching = next((body for body in start.model.bodies if body.name == body_of(curve.point)), None)
        if touching is not None and touching.slender and touching.name in start.contacts:
            radius = float(touching.ends(2)["end"][0])
            yield kinds.Wheel(
                name=curve.name,
                facts=(("type", "roller"), ("radius", f"{radius:.6g} m")),
                a=start.spot(f"{touching.name}.start"),
                axis=(0.0, 0.0, 1.0),
                radius=radius,
                teeth=0,
                internal=False,
            )

    def _corners(self, curve: OnCurve) -> tuple[types.Vec3, ...]:
        """Corners of the curve in the axes of its body; none for an implicit curve, which has no parametrisation."""
        if curve.implicit is not None:
            return ()
        base = self.start.model.points[curve.origin]
        if curve.radius is not None or (curve.points and curve.closed):
            around = np.linspace(-np.pi, np.pi, 181)[:-1]
            # g = r − R(φ): at radius 1, R = 1 − g
            radii = [1.0 - _value(curve, float(np.cos(phi)), float(np.sin(phi))) for phi in around]
            corners = [(r * np.cos(phi), r * np.sin(phi)) for r, phi in zip(radii, around, strict=True)]
        else:
            origin, point = self.start.spot(curve.origin), self.start.spot(curve.point)
            lower, upper = self.start.travel(origin, point, origin.body, (1.0, 0.0, 0.0))
            more = 0.5 * (upper - lower)
            reach = (curve.points[0][0], curve.points[-1][0]) if curve.points else (lower - more, upper + more)
            corners = [(x, -_value(curve, float(x), 0.0)) for x in np.linspace(*reach, 121)]
        return tuple(space([base[0] + x, base[1] + y]) for x, y in corners if np.isfinite(x) and np.isfinite(y))


def _value(curve: OnCurve, x: float, y: float) -> float:
    """g(x, y); NaN where it is undefined."""
    try:
        return float(curve.g(x, y))
    except (ArithmeticError, ValueError):
        return float("nan")

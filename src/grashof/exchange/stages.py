"""A mechanism's tree as the joints of other programs: frames on both bodies, and coordinates with their values at the
start.

Frames are made from the joint's points and directions, and from the measures declared for it, so that a model read from
a file is written back unchanged. A coordinate without a measure gets its name from the joint.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

import numpy as np

from grashof.exchange.frames import across, frame, rotation
from grashof.exchange.source import Source, numbers
from grashof.model.bodies import GROUND
from grashof.model.couplings import Coupling
from grashof.model.fields import Vector, body_of, cross, dot
from grashof.model.measures import Angle, Coordinate, Measure, angles_between, coordinates_between
from grashof.situation import Freedom, Link, Situation, StartFields
from grashof.situation.tree import TreeCoordinate, coordinate_of, start_rates

Kind = Literal[
    "WeldJoint",
    "PinJoint",
    "SliderJoint",
    "PlanarJoint",
    "UniversalJoint",
    "BallJoint",
    "GimbalJoint",
    "FreeJoint",
    "CustomJoint",
]
ORIGIN: Vector = (0.0, 0.0, 0.0)
RIGHT = 1e-9
"""Directions count as perpendicular if the cosine of their angle is below this."""
AS_GIVEN = 1e-12
"""Round-off: the requested values and the start may differ by this much (relative to values above 1)."""


@dataclass(frozen=True)
class Slot:
    """A coordinate of a joint.

    name      that of its measure, or made from the joint's name and its index
    freedom   its motion, in world axes at the start
    value, rate   at the start
    told      its rate in the file that it was read from
    measured  whether it is a declared measure
    """

    name: str
    freedom: Freedom
    value: float
    rate: float = 0.0
    told: float | None = None
    measured: bool = False


@dataclass(frozen=True)
class Stage:
    """A joint of OpenSim's: its kind, and frames on the parent and the child, each a place and axes (columns) in the
    body's own axes.

    slots   in the order in which they move the child
    order   their places in the order in which OpenSim lists them
    """

    kind: Kind
    parent: tuple[Vector, np.ndarray]
    child: tuple[Vector, np.ndarray]
    slots: tuple[Slot, ...] = ()
    order: tuple[int, ...] = ()
    points: tuple[str, str] = ("", "")
    """Names of the points that the frames are at, if they have one."""
    along: int = 0
    """The axis of the parent frame along which a custom joint slides; the joint turns about z."""
    known: tuple[Vector | None, Vector | None] = (None, None)
    """The angles of its frames in the file that it was read from."""
    name: str = ""
    """Its name in that file, if the description has no joint."""


@dataclass
class Hung:
    """A link of the tree as stages, with massless bodies between them."""

    link: Link
    stages: list[Stage] = field(default_factory=list)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All coordinates, in the order in which they move the child."""
        return tuple(slot for stage in self.stages for slot in stage.slots)


def hang(s: Situation, source: Source | None = None, near: float = AS_GIVEN) -> list[Hung]:
    """The whole tree; frames and coordinates in `source` are used where they are still valid, and requested values
    where the start differs from them by less than `near`.
    """
    return [Hung(link, _with_rates(s, link, _Hanger(s, link, source or {}, near).stages(), near)) for link in s.tree]


def coordinate(s: Situation, measure: Measure | None) -> TreeCoordinate | None:
    """The coordinate that a measure represents, or the only one on which it depends, if there is one."""
    found = None if measure is None else _measured_coordinates(s).get(measure.name)
    return found or coordinate_of(s, measure)


def linear_combination(s: Situation, coupling: Coupling) -> list[tuple[TreeCoordinate, float]] | None:
    """A coupling as a linear combination of joint coordinates; None if it is of another kind."""
    total = coupling.as_sum
    if total is None or total.timed:
        return None
    found = []
    for name, factor in total.factors().items():
        one = coordinate(s, s.model.quantities[name])
        if one is None:
            return None
        found.append((one, factor * one.sign))
    return found


@lru_cache(maxsize=1)
def _measured_coordinates(s: Situation) -> dict[str, TreeCoordinate]:
    """The coordinates that are declared measures."""
    return {
        slot.name: TreeCoordinate(k, i, 1.0)
        for k, hung in enumerate(hang(s))
        for i, slot in enumerate(hung.slots)
        if slot.measured
    }


class _Hanger:
    """One link."""

    def __init__(self, situation: Situation, link: Link, source: Source, near: float) -> None:
        self.s, self.link, self.source, self.near = situation, link, source, near
        self.key = f"body {link.body}" if link.joint is None else f"joint {link.joint.name}"
        self.name = link.body if link.joint is None else link.joint.name
        self.origin, self.axes = situation.pose(link.body)
        self.base, self.base_axes = situation.pose(link.parent)

    def stages(self) -> list[Stage]:
        found = self._stages()
        reverse = self.link.joint is not None and body_of(self.link.joint.a) == self.link.body
        first, last = (numbers(self.source, self.key, f"orientation_{side}", 3) for side in ("ba" if reverse else "ab"))
        if len(found) > 1:
            return [replace(found[0], known=(first, None)), *found[1:-1], replace(found[-1], known=(None, last))]
        return [replace(found[0], known=(first, last))]

    def _stages(self) -> list[Stage]:
        s, link, joint = self.s, self.link, self.link.joint
        if joint is None:
            return [self._floating()]
        mine, theirs = (joint.b, joint.a) if body_of(joint.b) == link.body else (joint.a, joint.b)
        here, there = s.model.points[mine], s.model.points[theirs]
        names = (theirs.rpartition(".")[2], mine.rpartition(".")[2])
        reverse = mine == joint.a

        given = dict(joint.directions())
        kinds = " ".join(motion.kind for motion in joint.motions or ())

        def own(which: str) -> tuple[Vector, Vector]:
            """A direction on the parent and on the child."""
            a, b = given[f"{which}_a"], given[f"{which}_b"]
            return (b, a) if reverse else (a, b)

        if kinds in ("", "slide"):
            (x_p, x_c), (y_p, y_c) = own("axis"), own("normal")
            frames = (there, frame(x=x_p, y=y_p)), (here, frame(x=x_c, y=y_c))
            if not kinds:
                return [Stage("WeldJoint", *frames, points=names)]
            return [Stage("SliderJoint", *frames, (self._slide(mine, theirs, x_p, 0),), (0,), names)]
        if kinds == "ball":
            return [self._ball("BallJoint", there, here, names)]
        if kinds == "turn turn":
            return [self._cross(*own("axis"), there, here, names)]
        if not joint.lower_pair:
            return self._slot(given["axis_a"], mine, theirs, reverse, names)
        slides = kinds.count("slide")
        z_p, z_c = own("normal" if slides == 2 else "axis")
        turn, zero, direction = self._turn(z_p, z_c, slides)
        frames = (there, frame(x=zero, z=z_p)), (here, frame(x=direction, z=z_c))
        if slides == 0:
            return [Stage("PinJoint", *frames, (turn,), (0,), names)]
        if slides == 1:
            return [Stage("CustomJoint", *frames, (self._slide(mine, theirs, z_p, 0), turn), (1, 0), names, 2)]
        # the slides are those of the child's point, about which it turns
        turn = replace(turn, freedom=replace(turn.freedom, through=s.place(mine)))
        side = self._sliding(mine, theirs, cross(z_p, zero)).direction
        slots = (self._slide(mine, theirs, zero, 0), self._slide(mine, theirs, side, 1), turn)
        frames = (there, np.column_stack([zero, side, z_p])), frames[1]
        return [Stage("PlanarJoint", *frames, slots, (2, 0, 1), names)]

    def _turn(self, z_p: Vector, z_c: Vector, place: int) -> tuple[Slot, Vector, Vector]:
        """A turn about an axis that both bodies have; zero on the parent and direction on the child."""
        for measure in angles_between(self.s.model.measures, self.link.body, self.link.parent):
            if measure.axis == z_p and abs(dot(measure.direction, z_c)) < RIGHT:
                break
        else:
            measure = Angle("", self.link.body, self.link.parent, z_p, across(z_p), across(z_c))
        through = next(freedom.through for freedom in self.link.freedoms if freedom.kind == "turn")
        return self._slot_of(measure, "turn", z_p, through, place), measure.zero, measure.direction

    def _slide(self, mine: str, theirs: str, along: Vector, place: int) -> Slot:
        """A slide of one point against another along a direction of the parent's."""
        return self._slot_of(self._sliding(mine, theirs, along), "slide", along, np.zeros(3), place)

    def _sliding(self, mine: str, theirs: str, along: Vector) -> Coordinate:
        """The measure that a slide is."""
        for known in coordinates_between(self.s.model.measures, mine, theirs):
            if max(abs(x - y) for x, y in zip(known.direction, along, strict=True)) < 1e-14:
                return known
        return Coordinate("", mine, along, theirs)

    def _slot_of(
        self, measure: Measure, kind: Literal["turn", "slide"], axis: Vector, through: np.ndarray, place: int
    ) -> Slot:
        name = measure.name or f"{self.name}_{place}".replace(".", "_")
        world = self.base_axes @ np.array(axis)
        return Slot(name, Freedom(kind, world, through), self.value(measure), measured=bool(measure.name))

    def value(self, measure: Measure) -> float:
        """A measure at the start; the requested value, if it agrees up to round-off."""
        return nearest_requested(self.s, measure.name, "value", reading(self.s, measure), self.near)

    def _floating(self) -> Stage:
        """A body without a joint: a planar joint in the plane, otherwise a free joint."""
        s, body = self.s, self.link.body
        if s.original.dimension == 2:
            x, y, _ = np.eye(3)
            turn = next(iter(angles_between(s.model.measures, body, GROUND)), Angle("", body, GROUND).in_space())
            slots = (
                Slot(f"{body}_tx", Freedom("slide", x, np.zeros(3)), float(self.origin[0])),
                Slot(f"{body}_ty", Freedom("slide", y, np.zeros(3)), float(self.origin[1])),
                self._slot_of(turn, "turn", (0.0, 0.0, 1.0), self.origin, 2),
            )
            return Stage("PlanarJoint", (ORIGIN, np.eye(3)), (ORIGIN, np.eye(3)), slots, (2, 0, 1))
        return self._ball("FreeJoint", ORIGIN, ORIGIN, ("", ""))

    def _ball(self, kind: Kind, there: Vector, here: Vector, names: tuple[str, str]) -> Stage:
        """A ball, or a free body: angles about the parent's axes that are zero at the start, so that they are
        regular there."""
        if found := self._as_told(kind, there, here, names):
            return found
        relative = self.base_axes.T @ self.axes
        center = self.origin + self.axes @ np.array(here)
        turns = [
            Slot(f"{self.name}_r{x}", Freedom("turn", axis, center), 0.0)
            for x, axis in zip("xyz", self.base_axes.T, strict=True)
        ]
        slides = [
            Slot(f"{self.name}_t{x}", Freedom("slide", axis, center), float(place))
            for x, axis, place in zip(
                "xyz", self.base_axes.T, self.base_axes.T @ (self.origin - self.base), strict=True
            )
        ]
        frames = (there, np.eye(3)), (here, relative.T)
        if kind == "BallJoint":
            return Stage(kind, *frames, tuple(turns), (0, 1, 2), names)
        return Stage(kind, *frames, (*slides, *turns), (3, 4, 5, 0, 1, 2), names)

    def _as_told(self, kind: Kind, there: Vector, here: Vector, names: tuple[str, str]) -> Stage | None:
        """A ball or a free body with the frames and the coordinates that it had in a file, if these give the pose at
        the start."""
        told = self.source.get(self.key, {})
        count = 6 if kind == "FreeJoint" else 3
        parent, child = (numbers(self.source, self.key, f"orientation_{side}", 3) for side in "ab")
        values, speeds = (numbers(self.source, self.key, field, count) for field in ("values", "speeds"))
        coordinates = told.get("coordinates", "").split()
        if parent is None or child is None or values is None or speeds is None or len(coordinates) != count:
            return None
        if kind == "FreeJoint":
            places = [numbers(self.source, self.key, f"location_{side}", 3) for side in "ab"]
            there, here = (place or ORIGIN for place in places)
        first, second = rotation(parent), rotation(child)
        turned = first @ rotation(values[:3]) @ second.T
        moved = np.array(there) + first @ np.array(values[3:] or ORIGIN) - turned @ np.array(here)
        place = self.base_axes.T @ (self.origin - self.base)
        near = self.near * max(1.0, float(np.abs(place).max()))
        if np.abs(turned - self.base_axes.T @ self.axes).max() > self.near or np.abs(moved - place).max() > near:
            return None
        # the speeds of a gimbal are rates of its angles, those of others an angular velocity in the axes of the parent
        # frame
        about = np.eye(3)
        if told.get("type") == "GimbalJoint" and kind == "BallJoint":
            kind = "GimbalJoint"
            alpha, beta, _ = values
            about = np.column_stack(
                [about[:, 0], rotation((alpha, 0.0, 0.0))[:, 1], rotation((alpha, beta, 0.0))[:, 2]]
            )
        center = self.origin + self.axes @ np.array(here)
        world = self.base_axes @ first
        slots = [
            Slot(coordinate, Freedom("turn" if k < 3 else "slide", axis, center), value, told=speed)
            for k, (coordinate, axis, value, speed) in enumerate(
                zip(coordinates, [*(world @ about).T, *world.T], values, speeds, strict=False)
            )
        ]
        frames = (there, first), (here, second)
        if kind == "FreeJoint":
            order = (3, 4, 5, 0, 1, 2)
            return Stage(kind, *frames, (*slots[3:], *slots[:3]), order, names, name=told.get("name", ""))
        return Stage(kind, *frames, tuple(slots), (0, 1, 2), names)

    def _cross(self, x_p: Vector, y_c: Vector, there: Vector, here: Vector, names: tuple[str, str]) -> Stage:
        """The first turn is about the parent's arm x, the second about the child's arm y."""
        parent, child = self.link.parent, self.link.body
        first = Angle("", child, parent, x_p, across(x_p), y_c)
        second = Angle("", parent, child, tuple(-x for x in y_c), across(y_c), x_p)
        for known in angles_between(self.s.model.measures, child, parent):
            if (known.axis, known.direction) == (x_p, y_c):
                first = known
        for known in angles_between(self.s.model.measures, parent, child):
            if (known.axis, known.direction) == (second.axis, x_p):
                second = known
        center = self.origin + self.axes @ np.array(here)
        slots = (
            self._slot_of(first, "turn", x_p, center, 0),
            Slot(
                second.name or f"{self.name}_1".replace(".", "_"),
                Freedom("turn", self.axes @ np.array(y_c), center),
                self.value(second),
                measured=bool(second.name),
            ),
        )
        frames = (there, frame(x=x_p, y=first.zero)), (here, frame(x=second.zero, y=y_c))
        return Stage("UniversalJoint", *frames, slots, (0, 1), names)

    def _slot(self, axis: Vector, mine: str, theirs: str, reverse: bool, names: tuple[str, str]) -> list[Stage]:
        """A pin in a slot of the plane; where the child has the slot, a massless body turns about the pin first."""
        s, z = self.s, (0.0, 0.0, 1.0)
        turn, zero, direction = self._turn(z, z, 1)
        here, there = s.model.points[mine], s.model.points[theirs]
        if not reverse:
            slide = self._slide(mine, theirs, axis, 0)
            # translations of a custom joint are along the axes of its parent frame, and turns may begin anywhere
            turned = np.array(frame(x=axis, z=z))
            angle = math.atan2(dot(cross(zero, axis), z), dot(zero, axis))
            turn = replace(turn, value=turn.value - angle)
            return [
                Stage("CustomJoint", (there, turned), (here, frame(x=direction, z=z)), (slide, turn), (1, 0), names)
            ]
        pin = tuple(float(x) for x in self.axes.T @ (s.place(theirs) - self.origin))
        first = Stage(
            "PinJoint", (there, frame(x=zero, z=z)), (pin, frame(x=direction, z=z)), (turn,), (0,), (names[0], "")
        )
        world = self.axes @ np.array(axis)
        slide = Slot(f"{self.name}_0", Freedom("slide", world, np.zeros(3)), 0.0)
        frames = (ORIGIN, frame(x=axis, z=z)), (ORIGIN, frame(x=axis, z=z))
        return [first, Stage("SliderJoint", *frames, (slide,), (0,))]


def _with_rates(s: Situation, link: Link, stages: list[Stage], near: float) -> list[Stage]:
    """The rates of the coordinates at the start, from the velocities of the bodies."""
    rates = iter(start_rates(s, link, [slot.freedom for stage in stages for slot in stage.slots]))
    found = []
    for stage in stages:
        rated = []
        for slot in stage.slots:
            rate = float(next(rates))
            if slot.told is not None and abs(slot.told - rate) <= near * max(1.0, abs(rate)):
                rated.append(replace(slot, rate=slot.told))
            else:
                rated.append(replace(slot, rate=nearest_requested(s, slot.name, "rate", rate, near)))
        found.append(replace(stage, slots=tuple(rated)))
    return found


def nearest_requested(
    s: Situation, name: str, field: Literal["value", "rate"], found: float, near: float = AS_GIVEN
) -> float:
    """The requested value, where the start differs from it by less than `near`; zero where the value is nothing but
    round-off.
    """
    for condition in (*s.original.start.needs, *s.original.start.wants):
        asked = getattr(condition, field)
        if condition.quantity == name and asked is not None and abs(asked - found) <= near * max(1.0, abs(asked)):
            return float(asked)
    return 0.0 if abs(found) < 1e-15 else found


def reading(s: Situation, measure: Measure) -> float:
    """An angle, with its whole turns if they are known, or a coordinate or a distance at the start."""
    if measure.winds and measure.name and (known := s.assembly.angles.get(measure.name)) is not None:
        return float(known)
    return float(measure.value(measure.parts(StartFields(s))))

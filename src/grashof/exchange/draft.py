"""A spatial mechanism under construction from a file of another program: bodies are attached to each other by turns and
slides.

Files describe a joint by a frame on the parent, a sequence of motions, and a frame on the child. Here they become
joints, measures that represent the file's coordinates, and a start: guesses of all poses, and wants for the values and
rates in the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.draft_parts import Parts
from grashof.exchange.frames import column
from grashof.exchange.moves import Frame, Move, beside, constant_first, direction, inverse, move_frame
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND, RigidBody
from grashof.model.check import check
from grashof.model.fields import Vector
from grashof.model.forces.friction import SLIP_SPEED, Friction
from grashof.model.joints import Joint
from grashof.model.measures import Angle, Coordinate
from grashof.model.model import Model
from grashof.model.rotations import quaternion
from grashof.model.start import Condition, Pose, Start
from grashof.situation.rotations import turns

RIGHT = 1e-9
"""Directions count as parallel or perpendicular if the sine or cosine of their angle is below this."""


@dataclass(frozen=True)
class How:
    """How a joint is made.

    placing    its second body is placed by it
    upwards    its first body is attached to the second one
    measured   each of its coordinates must be a measure
    """

    placing: bool
    upwards: bool
    measured: bool


@dataclass
class PlacedFrame:
    """The pose and velocity of a body, in world axes."""

    origin: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axes: np.ndarray = field(default_factory=lambda: np.eye(3))
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    spin: np.ndarray = field(default_factory=lambda: np.zeros(3))


class Draft(Parts):
    """A mechanism whose bodies are attached to each other."""

    def __init__(self, name: str, gravity: Vector, near: float = 0.0) -> None:
        super().__init__(name, gravity, near)
        self.placed: dict[str, PlacedFrame] = {GROUND: PlacedFrame()}
        self.parents: dict[str, tuple[str, Joint | None]] = {}
        self.values: dict[str, float] = {}
        self.rates: dict[str, float] = {}
        self._loose: list[tuple[str, Frame]] = []
        self._moving = False

    def body(self, name: str, mass: float, center: Vector, inertia: Sequence[float]) -> None:
        super().body(name, mass, center, inertia)
        self.placed[name] = PlacedFrame()

    def hang(
        self,
        name: str,
        parent: str,
        at: Frame,
        child: str,
        on: Frame,
        moves: Sequence[Move],
        points: tuple[str, str],
        *,
        reverse: bool = False,
        closing: bool = False,
        measured: bool = False,
    ) -> list[str]:
        """Attaches a body to another one; returns the names of the measures that represent the coordinates, "" for a
        coordinate without a measure.

        at, on    frames on the parent and on the child
        points    the names of the points at their origins
        reverse   the moves lead from the frame on the child to the frame on the parent
        closing   both bodies are already placed, so the joint closes a loop
        measured  every coordinate must be a measure, so three turns are not merged into a ball
        """
        if not closing and child in self.parents:
            raise ModelError(
                f"joint '{name}': body '{child}' is already attached to '{self.parents[child][0]}'; a body can "
                "have only one parent."
            )
        if reverse:
            parent, at, child, on, points = child, on, parent, at, points[::-1]
        moves = constant_first([move for move in moves if move.name or move.value])
        moving = [k for k, move in enumerate(moves) if move.name]
        first, last = (moving[0], moving[-1]) if moving else (len(moves), len(moves) - 1)
        at, on = move_frame(at, moves[:first]), move_frame(on, inverse(moves[last + 1 :]))
        inner = moves[first : last + 1]
        if reverse and not closing:
            self._place(child, on, parent, at, inverse(inner))
        how = How(placing=not (reverse or closing), upwards=reverse and not closing, measured=measured)
        found = self._joined(name, parent, at, child, on, inner, points, how)
        if not closing and "" in found:
            self._loose.append((parent, at) if reverse else (child, on))
            self._moving = self._moving or any(move.rate for move in inner)
        return found

    def _joined(
        self,
        name: str,
        parent: str,
        at: Frame,
        child: str,
        on: Frame,
        moves: list[Move],
        points: tuple[str, str],
        how: How,
    ) -> list[str]:
        """The joint that is equivalent to these moves."""
        pattern = [move.kind for move in moves]
        constant = any(not move.name for move in moves)
        axes = [np.array(move.axis) / np.linalg.norm(move.axis) for move in moves]

        def parallel(i: int, j: int) -> bool:
            return bool(np.linalg.norm(np.cross(axes[i], axes[j])) < RIGHT)

        def right(i: int, j: int) -> bool:
            return bool(abs(axes[i] @ axes[j]) < RIGHT)

        shown: list[str] | None = None
        if not constant:
            match pattern:
                case []:
                    shown = self._weld(name, parent, at, child, on, points)
                case ["turn"]:
                    shown = self._single(kinds.Revolute, name, parent, at, child, on, moves, points)
                case ["slide"]:
                    shown = self._slider(name, parent, at, child, on, moves[0], points)
                case ["slide", "turn"] | ["turn", "slide"] if parallel(0, 1):
                    ordered = sorted(moves, key=lambda move: move.kind)
                    both = self._single(kinds.Cylindrical, name, parent, at, child, on, ordered, points)
                    shown = both if moves == ordered else both[::-1]
                case ["slide", "slide", "turn"] if right(0, 1) and right(0, 2) and right(1, 2):
                    shown = self._single(kinds.Plane, name, parent, at, child, on, moves, points)
                case ["turn", "turn"] if right(0, 1):
                    shown = self._cross(name, parent, at, child, on, moves, points)
                case ["turn", "turn", "turn"] if not how.measured and abs(np.linalg.det(np.array(axes))) > RIGHT:
                    self.join(kinds.Spherical(name=name, **self._ends(parent, at, child, on, points)))
                    shown = ["", "", ""]
                case ["slide", "slide", "slide", "turn", "turn", "turn"] if (
                    not how.measured
                    and abs(np.linalg.det(np.array(axes[:3]))) > RIGHT
                    and abs(np.linalg.det(np.array(axes[3:]))) > RIGHT
                ):
                    shown = [""] * 6  # all that there is: no joint at all
        if shown is None:
            return self._in_stages(name, parent, at, child, on, moves, points, how)
        joint = None if len(shown) == 6 else self.joints[-1]
        if how.upwards:
            self.parents[parent] = child, joint
        elif how.placing:
            self.parents[child] = parent, joint
        if how.placing:
            self._place(parent, at, child, on, moves)
        for move, measure in zip(moves, shown, strict=True):
            if measure:
                self.values[measure], self.rates[measure] = move.value, move.rate
        return shown

    def _in_stages(
        self,
        name: str,
        parent: str,
        at: Frame,
        child: str,
        on: Frame,
        moves: list[Move],
        points: tuple[str, str],
        how: How,
    ) -> list[str]:
        """Moves without an equivalent joint: one joint for each move, with massless bodies in between."""
        found, here, frame, label = [], parent, at, points[0]
        for k, move in enumerate(moves):
            last = k + 1 == len(moves)
            below = child if last else f"{name}_between_{k + 1}".replace(".", "_")
            if not last:
                self.body(below, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            ends = (label, points[1]) if last else (label, "o")
            target: Frame = on if last else ((0.0, 0.0, 0.0), np.eye(3))
            if not move.name:
                raise ModelError(
                    f"joint '{name}': it has a constant part between two motions, which is not supported; move "
                    "it into a frame."
                )
            called = name if last else f"{name}_{k + 1}"
            between = replace(how, placing=how.placing or not last)
            found += self._joined(called, here, frame, below, target, [move], ends, between)
            here, frame, label = below, ((0.0, 0.0, 0.0), np.eye(3)), "o"
        return found

    def _ends(self, parent: str, at: Frame, child: str, on: Frame, points: tuple[str, str]) -> dict[str, str]:
        return {"a": self.point(parent, points[0], at[0]), "b": self.point(child, points[1], on[0])}

    def _weld(self, name: str, parent: str, at: Frame, child: str, on: Frame, points: tuple[str, str]) -> list[str]:
        ends = self._ends(parent, at, child, on, points)
        (x_a, y_a), (x_b, y_b) = ((column(axes, 0), column(axes, 1)) for _, axes in (at, on))
        self.join(kinds.Weld(name=name, **ends, axis_a=x_a, axis_b=x_b, normal_a=y_a, normal_b=y_b))
        return []

    def _single(
        self,
        kind: type,
        name: str,
        parent: str,
        at: Frame,
        child: str,
        on: Frame,
        moves: Sequence[Move],
        points: tuple[str, str],
    ) -> list[str]:
        """A joint with one turn, the last of its moves, and slides along directions of the parent's."""
        ends, turn = self._ends(parent, at, child, on, points), moves[-1]
        axis_a, axis_b = direction(at, turn.axis), direction(on, turn.axis)
        which = "normal" if len(moves) == 3 else "axis"
        self.join(kind(name=name, **ends, **{f"{which}_a": axis_a, f"{which}_b": axis_b}))
        zero = moves[0].axis if len(moves) == 3 else beside(turn.axis)
        found = [
            self.measure(Coordinate(move.name, ends["b"], direction(at, move.axis), ends["a"])) for move in moves[:-1]
        ]
        angle = Angle(turn.name, child, parent, axis_a, direction(at, zero), direction(on, zero))
        return [*found, self.measure(angle)]

    def _slider(
        self, name: str, parent: str, at: Frame, child: str, on: Frame, move: Move, points: tuple[str, str]
    ) -> list[str]:
        ends, side = self._ends(parent, at, child, on, points), beside(move.axis)
        axis_a, axis_b = direction(at, move.axis), direction(on, move.axis)
        self.join(
            kinds.Slider(
                name=name,
                **ends,
                axis_a=axis_a,
                axis_b=axis_b,
                normal_a=direction(at, side),
                normal_b=direction(on, side),
            )
        )
        return [self.measure(Coordinate(move.name, ends["b"], axis_a, ends["a"]))]

    def _cross(
        self, name: str, parent: str, at: Frame, child: str, on: Frame, moves: Sequence[Move], points: tuple[str, str]
    ) -> list[str]:
        """A universal joint: the first arm is the parent's, the second one the child's."""
        first, second = moves
        ends = self._ends(parent, at, child, on, points)
        arm_a, arm_b = direction(at, first.axis), direction(on, second.axis)
        self.join(kinds.Universal(name=name, **ends, axis_a=arm_a, axis_b=arm_b))
        one = Angle(first.name, child, parent, arm_a, direction(at, second.axis), arm_b)
        other = Angle(second.name, parent, child, tuple(-x for x in arm_b), direction(on, first.axis), arm_a)
        return [self.measure(one), self.measure(other)]

    # -- the start

    def _place(self, parent: str, at: Frame, child: str, on: Frame, moves: Sequence[Move]) -> None:
        """The pose and velocity of the child, from those of the parent."""
        base = self.placed[parent]
        axes, place = base.axes @ at[1], base.origin + base.axes @ np.array(at[0])
        velocity, spin = base.velocity + np.cross(base.spin, place - base.origin), base.spin
        for move in moves:
            axis = np.array(move.axis) / np.linalg.norm(move.axis)
            world = axes @ axis
            if move.kind == "slide":
                place = place + world * move.value
                velocity = velocity + np.cross(spin, world * move.value) + world * move.rate
            else:
                axes = axes @ turns(axis, np.array([move.value]))[0]
                spin = spin + world * move.rate
        own = axes @ on[1].T
        arm = -own @ np.array(on[0])
        self.placed[child] = PlacedFrame(place + arm, own, velocity + np.cross(spin, arm), spin)

    def place_body(self, body: str, frame: Frame) -> None:
        """Places a body that is not attached to any other."""
        self.placed[body] = PlacedFrame(np.array(frame[0]), frame[1])

    def carried_by(self, body: str) -> list[str]:
        """A body and all that hangs on it."""
        found = [body]
        below: dict[str, list[str]] = {}
        for child, (parent, _) in self.parents.items():
            below.setdefault(parent, []).append(child)
        for here in found:
            found += below.get(here, ())
        return found

    def inertia_about(self, bodies: Sequence[str], place: Sequence[float], axis: np.ndarray, *, turns: bool) -> float:
        """The inertia of bodies where they are placed: kg m² about an axis through a place, or their mass, kg."""
        total = 0.0
        for name in bodies:
            body, placed = self.bodies[name], self.placed[name]
            arm = placed.origin + placed.axes @ np.array(body.center) - np.array(place)
            own = placed.axes.T @ axis
            spin = body.mass * float(arm @ arm - (arm @ axis) ** 2) + float(own @ body.inertia_matrix @ own)
            total += spin if turns else body.mass
        return total

    def _velocities(self, body: str, on: Frame) -> Iterator[Condition]:
        """Wants for the velocities of three points, in place of the rates of a ball or a free body."""
        placed = self.placed[body]
        for label, offset in (("o", np.zeros(3)), ("x", on[1][:, 0]), ("y", on[1][:, 1])):
            place = np.array(on[0]) + offset
            point = self.point(body, f"start_{label}", place)
            rate = placed.velocity + np.cross(placed.spin, placed.axes @ place)
            for axis, x in zip("xyz", rate, strict=True):
                yield Condition(f"{point}.{axis}", rate=float(x))

    def rub(self, name: str, joint: str, friction: float) -> None:
        """Dry friction in a joint: exact, as no slip speed is given, unless the joint has several freedoms."""
        found = next(x for x in self.joints if x.name == joint)
        slip_speed = 0.0 if len(found.freedoms("")) == 1 else SLIP_SPEED
        self.push(Friction(name=name, joint=joint, coulomb=friction, slip_speed=slip_speed))

    def finish(self) -> Model:
        """The description, checked."""
        moving = self._moving or any(self.rates.values())
        wants = [
            Condition(name, value=value, rate=self.rates[name] if moving else None)
            for name, value in self.values.items()
        ]
        # if anything moves at the start, balls and free bodies at rest need explicit zero velocities
        for body, on in self._loose if moving else ():
            wants += self._velocities(body, on)
        model = Model(
            name=self.name,
            dimension=3,
            gravity=self.gravity,
            ground=self.points[GROUND],
            bodies=tuple(replace_points(body, self.points[body.name]) for body in self.bodies.values()),
            joints=tuple(self.joints),
            forces=tuple(self.forces),
            motors=tuple(self.motors),
            measures=tuple(self.measures.values()),
            couplings=tuple(self.couplings),
            start=Start(guesses=self._guesses(), wants=tuple(wants)),
            source=self.source,
        )
        events = (event for force in model.all_forces for event in force.events())
        if any(force.bearings() for force in model.all_forces) or any(event.bounces is not None for event in events):
            model = model.with_smooth_friction()  # exact friction cannot be combined with these
        return check(model)

    def _guesses(self) -> dict[str, Pose]:
        found = {}
        for name in self.bodies:
            placed = self.placed[name]
            found[name] = Pose(tuple(float(x) + 0.0 for x in placed.origin), 0.0, quaternion(placed.axes))
        return found


def replace_points(body: RigidBody, points: dict[str, Vector]) -> RigidBody:
    """The body with these points."""
    return RigidBody(body.name, body.mass, body.center, body.inertia, dict(points))

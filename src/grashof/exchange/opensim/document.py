"""The OpenSim document of a mechanism: a tree of joints, constraints that close the loops, and the start.

Every joint has the frames that the description gives it; coordinates are the declared measures, if there are any, and
have the values of the mechanism's start. A pin that closes a loop of a planar motion is a point on a line (two
equations), in space a point and a point on a line (five), so that no constraint is redundant.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.coupled import closing_equations
from grashof.exchange.frames import GIVEN, angles, definite, frame
from grashof.exchange.names import Names
from grashof.exchange.opensim.forms import CONSTRAINTS, JOINTS
from grashof.exchange.opensim.kept_parts import Told
from grashof.exchange.opensim.laws import Function, Sine, add_function, shift_function, times, value
from grashof.exchange.opensim.rewriting import add_as_told, is_start_known, value_now
from grashof.exchange.source import Source, numbers
from grashof.exchange.stages import AS_GIVEN, Hung, Slot, Stage, coordinate, hang, reading
from grashof.exchange.xml import Maker
from grashof.model.bodies import GROUND
from grashof.model.couplings import Coupling
from grashof.model.fields import Vector, body_of
from grashof.model.joints import Joint
from grashof.situation import Situation

VERSION = "40000"
"""The version of the documents, which OpenSim 4.0 and later can read."""


def joint_refusal(s: Situation, told: Collection[str] = ()) -> str | None:
    """Why OpenSim lacks a constraint that the mechanism needs, or None if it does not; `told` joints are written as
    joints."""
    for joint in s.closures:
        slides = [motion for motion in joint.motions or () if motion.kind == "slide"]
        if len(slides) > 1 and joint.name not in told:
            return f"Joint '{joint.name}': OpenSim has no constraint that closes a loop with a face on a face."
    return None


@dataclass
class Named:
    """A coordinate with its name in the document.

    slot     the coordinate of a joint, or a measure, that is a multiple of it
    factor   the ratio of that to the coordinate
    sign     of that against the coordinate of the tree
    """

    name: str
    slot: Slot
    element: Maker
    factor: float = 1.0
    sign: float = 1.0


class OpenSimDocument:
    """Builds the OpenSim document of a situation; forces are added to it.

    relations   whether loops may be closed by equations between coordinates, where the motion on its branch satisfies
                such equations
    source      the numbers of the file that the mechanism was read from
    told        joints and constraints in the form of that file
    as_told     whether coordinates have the values and speeds of that file, even if these do not close the loops
    """

    def __init__(
        self,
        s: Situation,
        relations: bool = True,
        source: Source | None = None,
        told: Sequence[Told] = (),
        as_told: bool = False,
    ) -> None:
        self.situation = s
        self.source = source or {}
        self.near = math.inf if as_told else AS_GIVEN
        self.hung: list[Hung] = hang(s, self.source, self.near)
        cut = {joint.name for joint in s.closures}
        self.told = [
            one
            for one in told
            if (as_told or is_start_known(s, one)) and (one.element.tag in JOINTS or one.joints <= cut)
        ]
        shown = {name for one in self.told for name in one.joints}
        if reason := joint_refusal(s, shown):
            raise ModelError(reason)
        self._names, self.coordinate_names, self._constraint_names = Names(), Names(), Names()
        self._force_names, self._marker_names = Names(), Names()
        self._names.new(GROUND)
        self.bodies = {GROUND: "/ground"}
        self.told_coordinates: dict[str, tuple[str, Maker]] = {}
        self._level: dict[str, int] = {}
        self._levels: list[int] = []
        """How many joints are between each body and the ground, and the same for each joint."""
        self.root = Maker("OpenSimDocument", Version=VERSION)
        model = self.root.add("Model", name=Names().new(s.original.name))
        self._model = model
        self._controllers: Maker | None = None
        self._anchor = ""
        model.add("Ground", name=GROUND)
        model.add("gravity", tuple(map(float, s.gravity)))
        self._bodies = model.add("BodySet", name="bodyset").add("objects")
        self._joints = model.add("JointSet", name="jointset").add("objects")
        self._constraints = model.add("ConstraintSet", name="constraintset").add("objects")
        self.forces = model.add("ForceSet", name="forceset").add("objects")
        self._markers = model.add("MarkerSet", name="markerset").add("objects")
        self.groups = {
            "JointSet": (self._names, self._joints),
            "ConstraintSet": (self._constraint_names, self._constraints),
            "ForceSet": (self._force_names, self.forces),
            "MarkerSet": (self._marker_names, self._markers),
        }
        inertias = s.positive_inertias()
        omitted = {body for one in self.told for body in one.bodies}
        for k, name in enumerate(s.bodies):
            inertia = s.inertias[k]
            if s.masses[k] > 0.0 and not definite(inertia):
                known = numbers(self.source, f"body {name}", "inertia", 6)
                inertia = inertia if known == _entries(inertia) else inertias[k]
            if name not in omitted:
                self._body(name, float(s.masses[k]), s.centers[k], inertia)
        self._roots: dict[str, str] = {}
        """The body without a joint that each body is attached to, through others."""
        for link in s.tree:
            self._roots[link.body] = link.body if link.joint is None else self._roots.get(link.parent, GROUND)
        told_as = [self._told_as(hung) for hung in self.hung]
        place = {joint.name: k for k, joint in enumerate(s.model.joints)}
        steps: list[tuple[int, int | Told]] = [
            (-1 if hung.link.joint is None else place[hung.link.joint.name], number)
            for number, hung in enumerate(self.hung)
            if told_as[number] is None
        ]
        for one in self.told:
            if one.element.tag in JOINTS and (one.joints or one in told_as):
                steps.append((min((place[name] for name in one.joints), default=-1), one))
        if self.source:  # then the order of the description is that of the file
            steps.sort(key=lambda step: step[0])
        self.coordinates: list[list[Named]] = [[] for _ in self.hung]
        for _, step in steps:
            if isinstance(step, Told):
                add_as_told(self, step)
            else:
                self.coordinates[step] = self._hang(self.hung[step])
        if not self.source:  # as they are read again, beginning at the ground
            joints = self._joints.element
            joints[:] = [joints[k] for k in sorted(range(len(joints)), key=self._levels.__getitem__)]
        for number, form in enumerate(told_as):
            if form is not None:
                self.coordinates[number] = self._told_slots(form, number, self.hung[number])
        tied = closing_equations(s, self.hung) if relations and not (s.model.couplings or self.source) else None
        for tie in tied or ():
            every = dict(zip(tie.independent, tie.factors, strict=True))
            terms = {k: factor for k, factor in every.items() if factor} or every
            names = [self.coordinates[k][0].name for k in (tie.dependent, *terms)]
            self._couple(f"{names[0]}_tied", names, (*terms.values(), tie.offset))
        for joint in s.closures if tied is None else ():
            form = next((one for one in self.told if joint.name in one.joints), None)
            if form is None:
                self._close(joint)
            elif form.element.tag in CONSTRAINTS:
                add_as_told(self, form)
        self._mark([joint for joint in s.closures if joint.name not in shown])

    def text(self) -> str:
        """The document."""
        return self.root.document()

    def body(self, reference: str) -> str:
        """The path of the body that a point belongs to."""
        return self.bodies[body_of(reference)]

    def force(self, kind: str, name: str) -> Maker:
        """A new force."""
        return self.forces.add(kind, name=self._force_names.new(name))

    def anchor(self) -> str:
        """The path of a body without mass that is welded to the ground."""
        if not self._anchor:
            self._anchor = f"/bodyset/{self._body('ground_anchor', 0.0, np.zeros(3), np.zeros((3, 3)))}"
            frames = ((0.0, 0.0, 0.0), np.eye(3)), ((0.0, 0.0, 0.0), np.eye(3))
            self._joint(
                self._names.new("ground_anchor_weld"), Stage("WeldJoint", *frames), self.bodies[GROUND], self._anchor
            )
        return self._anchor

    def control(self, actuator: Maker, law: Function) -> None:
        """Prescribes the control of an actuator."""
        if self._controllers is None:
            self._controllers = self._model.add("ControllerSet", name="controllerset").add("objects")
        name = actuator.element.attrib["name"]
        made = self._controllers.add("PrescribedController", name=f"{name}_control")
        made.add("actuator_list", name)
        add_function(made.add("FunctionSet", name="ControlFunctions").add("objects"), law, name)

    def named(self, measure: str) -> tuple[Named, float]:
        """The coordinate that a measure represents, and the sign of the measure against it."""
        found = coordinate(self.situation, self.situation.model.quantities[measure])
        assert found is not None
        named = self.coordinates[found.link][found.freedom]
        return named, 1.0 if named.slot.name == measure else found.sign * named.sign

    def drive(self, target: str, law: tuple[float, ...] | Sine | None) -> None:
        """Prescribes the coordinate that a measure represents: q(t) = q₀ + sign · (f(t) − f(start)), or locks it at its
        value.
        """
        s = self.situation
        assert law is not None
        named, sign = self.named(target)
        if isinstance(law, tuple) and len(law) == 1:
            named.element.add("locked", True)
            return
        given: Function = law
        if named.slot.name != target:
            given = shift_function(times(sign, law), named.slot.value - sign * value(law, s.time))
        given = times(1.0 / named.factor, given)
        add_function(named.element.add("prescribed_function"), given, "function")
        named.element.add("prescribed", True)

    def couple(self, coupling: Coupling) -> bool:
        """Writes a linear coupling of joint coordinates; returns whether the coupling is linear."""
        s = self.situation
        if any(coupling.name in one.couplings for one in self.told):
            return True
        total = coupling.as_sum
        if total is None or total.timed:
            return False
        names, weights, right = [], [], float(total.right(s.time))
        for measure, factor in total.factors().items():
            if coordinate(s, s.model.quantities[measure]) is None:
                return False
            named, sign = self.named(measure)
            names.append(named.name)
            weights.append(factor * sign * named.factor)
            if named.slot.name != measure:
                # m = m₀ + sign · (q − q₀)
                right += factor * (sign * named.slot.value - reading(s, s.model.quantities[measure]))
        first, *others = weights
        self._couple(coupling.name, names, [*(-x / first + 0.0 for x in others), right / first])
        return True

    # -- parts

    def _body(self, name: str, mass: float, center: np.ndarray, inertia: np.ndarray) -> str:
        called = self._names.new(name)
        made = self._bodies.add("Body", name=called)
        made.add("mass", mass)
        made.add("mass_center", tuple(map(float, center)))
        made.add("inertia", _entries(inertia))
        self.bodies[name] = f"/bodyset/{called}"
        return called

    def _hang(self, hung: Hung) -> list[Named]:
        link, found = hung.link, []
        above = self.bodies[link.parent]
        for k, stage in enumerate(hung.stages):
            last = k + 1 == len(hung.stages)
            joint = (stage.name or f"{link.body}_to_{link.parent}") if link.joint is None else link.joint.name
            name = self._names.new(joint if last else f"{joint}_{k}")
            below = (
                self.bodies[link.body]
                if last
                else f"/bodyset/{self._body(f'{link.body}_between', 0.0, np.zeros(3), np.zeros((3, 3)))}"
            )
            found += self._joint(name, stage, above, below)
            above = below
        return found

    def _joint(self, name: str, stage: Stage, above: str, below: str) -> list[Named]:
        made = self._joints.add(stage.kind, name=name)
        self._level[below] = self._level.get(above, -1) + 1
        self._levels.append(self._level[below])
        ends = [
            self._end(path, point, k) for k, (path, point) in enumerate(zip((above, below), stage.points, strict=True))
        ]
        called = {place: self.coordinate_names.new(stage.slots[place].name) for place in stage.order}
        ends = [f"{end}_frame" if end in called.values() else end for end in ends]  # a joint's parts differ in name
        if ends[0] == ends[1]:
            ends[1] += "_child"
        made.add("socket_parent_frame", ends[0])
        made.add("socket_child_frame", ends[1])
        named: dict[int, Named] = {}
        if stage.slots:
            listed = made.add("coordinates")
            for place in stage.order:
                slot = stage.slots[place]
                element = listed.add("Coordinate", name=called[place])
                element.add("default_value", slot.value)
                element.add("default_speed_value", slot.rate)
                element.add("range", (-1e6, 1e6))
                named[place] = Named(called[place], slot, element)
        frames = made.add("frames")
        sides = zip(ends, (above, below), (stage.parent, stage.child), stage.known, strict=True)
        for end, path, (place_, axes), known in sides:
            offset = frames.add("PhysicalOffsetFrame", name=end)
            offset.add("socket_parent", path)
            offset.add("translation", tuple(map(float, place_)))
            offset.add("orientation", angles(axes, GIVEN.get(stage.kind, (0, 2)), known))
        if stage.kind == "CustomJoint":
            self._transform(made, stage, [named[place].name for place in stage.order])
        return [named[place] for place in range(len(stage.slots))]

    def _transform(self, joint: Maker, stage: Stage, names: list[str]) -> None:
        """Turns about z, slides along the axis that the stage says."""
        made = joint.add("SpatialTransform")
        turn, slide = names
        axes = np.eye(3)
        order = [stage.along, (stage.along + 1) % 3, (stage.along + 2) % 3]
        for k, (kind, axis) in enumerate(
            [
                ("rotation", axes[2]),
                ("rotation", axes[0]),
                ("rotation", axes[1]),
                *(("translation", axes[i]) for i in order),
            ]
        ):
            element = made.add("TransformAxis", name=f"{kind}{k % 3 + 1}")
            moves = {0: turn, 3: slide}.get(k)
            if moves:
                element.add("coordinates", moves)
            element.add("axis", tuple(map(float, axis)))
            if moves:
                element.add("LinearFunction", name="function").add("coefficients", (1.0, 0.0))
            else:
                element.add("Constant", name="function").add("value", 0.0)

    # -- in the form of a file

    def _told_as(self, hung: Hung) -> Told | None:
        """The element that a link is a part of."""
        link = hung.link
        if link.joint is None and "type" in self.source.get(f"body {link.body}", {}):
            return None  # its own free joint
        for one in self.told:
            if link.joint is None:
                free = one.element.tag in JOINTS and not one.joints
                if free and any(self._roots.get(x) == link.body for x in one.ends):
                    return one
            elif one.element.tag in JOINTS and link.joint.name in one.joints:
                return one
        return None

    def _told_slots(self, told: Told, number: int, hung: Hung) -> list[Named]:
        """The coordinates of a link by those of the element that it is a part of."""
        s, found = self.situation, []
        for i, slot in enumerate(hung.slots):
            named = Named("", slot, self._joints)
            for measure, (name, factor) in told.coordinates.items():
                own = coordinate(s, s.model.quantities[measure])
                if own is not None and (own.link, own.freedom) == (number, i):
                    shown = replace(slot, name=measure, value=value_now(self, measure))
                    called, element = self.told_coordinates[name]
                    named = Named(called, shown, element, factor, own.sign)
            found.append(named)
        return found

    def _end(self, path: str, point: str, k: int) -> str:
        return Names().new(point) if point else f"{path.rpartition('/')[2]}_{'child' if k else 'parent'}"

    # -- loops

    def _close(self, joint: Joint) -> None:
        """Closes a loop with the smallest number of equations that OpenSim's constraints allow."""
        s, (a, b) = self.situation, joint.bodies
        place_a, place_b = (np.array(s.model.points[p]) for p in (joint.a, joint.b))
        reach = s.system.length

        def meet() -> None:
            made = self._constraint("PointConstraint", joint, ("body_1", a), ("body_2", b))
            made.add("location_body_1", tuple(map(float, place_a)))
            made.add("location_body_2", tuple(map(float, place_b)))

        def on_line(axis: Vector, offset_a: np.ndarray | float = 0.0, offset_b: np.ndarray | float = 0.0) -> None:
            made = self._constraint("PointOnLineConstraint", joint, ("line_body", a), ("follower_body", b))
            made.add("line_direction_vec", axis)
            made.add("point_on_line", tuple(map(float, place_a + offset_a)))
            made.add("point_on_follower", tuple(map(float, place_b + offset_b)))

        def rod(place_a: np.ndarray, place_b: np.ndarray, length: float) -> None:
            made = self._constraint("ConstantDistanceConstraint", joint, ("body_1", a), ("body_2", b))
            made.add("location_body_1", tuple(map(float, place_a)))
            made.add("location_body_2", tuple(map(float, place_b)))
            made.add("constant_distance", length)

        def along(axis: Vector) -> np.ndarray:
            return reach * np.array(axis)

        given = dict(joint.directions())
        kinds = [motion.kind for motion in joint.motions or ()]
        if joint.rod is not None:
            rod(place_a, place_b, joint.rod)
        elif not kinds:
            made = self._constraint("WeldConstraint", joint)
            made.add("socket_frame1", "frame_1")
            made.add("socket_frame2", "frame_2")
            frames = made.add("frames")
            for k, (body, place, side) in enumerate(((a, place_a, "a"), (b, place_b, "b")), 1):
                offset = frames.add("PhysicalOffsetFrame", name=f"frame_{k}")
                offset.add("socket_parent", self.bodies[body])
                offset.add("translation", tuple(map(float, place)))
                axes = frame(x=given[f"axis_{side}"], y=given[f"normal_{side}"])
                known = numbers(self.source, f"joint {joint.name}", f"orientation_{side}", 3)
                offset.add("orientation", angles(axes, GIVEN["WeldJoint"], known))
        elif "slide" in kinds:
            on_line(given["axis_a"])
            if joint.lower_pair:
                on_line(given["axis_a"], offset_b=along(given["axis_b"]))
                if "turn" not in kinds and not s.planar:
                    on_line(given["axis_a"], along(given["normal_a"]), along(given["normal_b"]))
        elif kinds == ["turn"]:
            if not s.planar:
                meet()
            on_line(given["axis_a"], offset_b=0.0 if s.planar else along(given["axis_b"]))
        else:
            meet()
            if "turn" in kinds:
                tips = place_a + along(given["axis_a"]), place_b + along(given["axis_b"])
                rod(*tips, math.sqrt(2.0) * reach)

    def _couple(self, name: str, names: Sequence[str], coefficients: Sequence[float]) -> None:
        """The first coordinate is a sum of the others with these factors, and the last of the coefficients."""
        made = self._constraints.add("CoordinateCouplerConstraint", name=self._constraint_names.new(name))
        function = made.add("coupled_coordinates_function").add("LinearFunction")
        function.add("coefficients", tuple(coefficients))
        made.add("independent_coordinate_names", " ".join(names[1:]))
        made.add("dependent_coordinate_name", names[0])

    def _constraint(self, kind: str, joint: Joint, *sockets: tuple[str, str]) -> Maker:
        made = self._constraints.add(kind, name=self._constraint_names.new(joint.name))
        for socket, body in sockets:
            made.add(f"socket_{socket}", self.bodies[body])
        return made

    def _mark(self, closing: Sequence[Joint]) -> None:
        """Writes the points that are not at a joint. If two bodies have points of the same name, the second one is
        called body.point.
        """
        model, names = self.situation.model, self._marker_names
        taken: set[str] = set()
        used = {point for joint in model.joints if joint not in closing for point in (joint.a, joint.b)}
        for reference, place in model.points.items():
            form = next((one for one in self.told if reference in one.points), None)
            if form is not None:
                add_as_told(self, form)
                taken.add(form.element.name)
            elif reference not in used:
                point = reference.rpartition(".")[2]
                made = self._markers.add("Marker", name=names.new(reference if point in taken else point))
                taken.add(point)
                made.add("socket_parent_frame", self.body(reference))
                made.add("location", tuple(map(float, place)))
                made.add("fixed", True)


def _entries(inertia: np.ndarray) -> Vector:
    """xx, yy, zz, xy, xz, yz."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia
    return tuple(map(float, (xx, yy, zz, xy, xz, yz)))

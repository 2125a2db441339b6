"""Reads the assemblies of OndselSolver (.asmt), the solver of FreeCAD: parts with markers, joints, motions, limits.

Joints may close loops, and their frames may have to be brought together first. The axes of two markers that a joint
makes parallel may point against each other; the joint is then that of the nearest position, as in the solver itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.exchange.asmt.document import read_frame, scalar, value, vector
from grashof.exchange.asmt.laws import is_constant, law_at, read_law
from grashof.exchange.asmt.markers import Between, Marker, along_second, between
from grashof.exchange.draft import Draft, PlacedFrame
from grashof.exchange.frames import column
from grashof.exchange.moves import Frame, Move, compose
from grashof.exchange.names import Names
from grashof.exchange.passive import add_limits
from grashof.exchange.xml import Element
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND
from grashof.model.couplings import Motor
from grashof.model.couplings.equation import Equation
from grashof.model.couplings.linear import Linear
from grashof.model.measures import Angle, Coordinate
from grashof.model.model import Model
from grashof.situation.rotations import turns

UNITS = {"m": 1.0, "mm": 1e-3}
FREECAD = "OndselAssembly"
"""The name that FreeCAD gives to an assembly."""
X, Y, Z = (tuple(map(float, axis)) for axis in np.eye(3))
MOVES: dict[str, tuple[tuple[Literal["turn", "slide"], tuple[float, ...]], ...]] = {
    "FixedJoint": (),
    "RevoluteJoint": (("turn", Z),),
    "CylindricalJoint": (("slide", Z), ("turn", Z)),
    "TranslationalJoint": (("slide", Z),),
    "PlanarJoint": (("slide", X), ("slide", Y), ("turn", Z)),
    "SphericalJoint": (("turn", X), ("turn", Y), ("turn", Z)),
    "ConstantVelocityJoint": (("turn", X), ("turn", Y), ("turn", Z)),
    "UniversalJoint": (("turn", Z), ("turn", X)),
}
"""The joints that hold a part in a tree: the motions from marker I to marker J."""
LIKE_AXES = ("FixedJoint", "TranslationalJoint", "NoRotationJoint")
FREE = ("SphericalJoint", "ConstantVelocityJoint", "UniversalJoint")
"""Joints whose markers have axes that are not parallel."""
ROTATIONS: dict[str, tuple[tuple[int, int], ...]] = {
    "ParallelAxesJoint": ((0, 2), (1, 2)),
    "PerpendicularJoint": ((2, 2),),
    "NoRotationJoint": ((0, 1), (0, 2), (1, 2)),
    "AngleJoint": ((2, 2),),
    "LineInPlaneJoint": ((2, 2),),
    "RevCylJoint": ((0, 2), (1, 2)),
}
"""The products of an axis of I and one of J that a joint keeps constant."""
RODS = {
    "SphSphJoint": "SphericalJoint",
    "CylSphJoint": "PointInLineJoint",
    "RevCylJoint": "CylindricalJoint",
    "RevRevJoint": "RevoluteJoint",
}
"""Two joints with a rod between them, and the joint that they are if its length is zero."""
TIES = (*RODS, *ROTATIONS, "PointInPlaneJoint", "PointInLineJoint", "GearJoint", "RackPinionJoint", "ScrewJoint")
KNOWN = tuple(dict.fromkeys((*MOVES, *TIES)))
SIZES = {"GearJoint": ("radiusI", "radiusJ"), "RackPinionJoint": ("pitchRadius",), "ScrewJoint": ("pitch",)}
PARALLEL = 1e-9
"""Axes count as parallel if the sine of their angle is below this."""


def read(
    root: Element, path: Path | None = None, limits: str = "compliant", length: str = ""
) -> tuple[Model, list[str], list[str]]:
    """The mechanism, sentences about the parts of the document that were left out, and remarks; `limits` and `length`
    as in `load`."""
    if root.tag != "Assembly":
        raise ModelError(f"line {root.line}: the document begins with '{root.tag}' instead of Assembly.")
    reader = AsmtReader(root, limits, length)
    return reader.model(), reader.draft.left_out, reader.remarks


@dataclass(frozen=True)
class AsmtJoint:
    """A joint or a motion between two markers; `moves` are those of a motion."""

    element: Element
    kind: str
    name: str
    i: Marker
    j: Marker
    moves: tuple[Move, ...] | None = None

    @property
    def holds(self) -> bool:
        """Whether it can hold a part in a tree."""
        return self.moves is not None or self.kind in MOVES


@dataclass
class Drive:
    """What a motion makes a coordinate do."""

    element: Element
    law: str
    name: str


class AsmtReader:
    """One document."""

    def __init__(self, root: Element, limits: str, length: str) -> None:
        self.root, self.limits = root, limits
        self.remarks: list[str] = []
        unit = length or ("mm" if root.name == FREECAD else "m")
        if not length and unit == "mm":
            self.remarks.append(
                "lengths are taken to be in mm, which is FreeCAD's unit; choose length='m' if they are not."
            )
        self.scale = UNITS[unit]
        self.start = scalar(root.first("SimulationParameters") or Element(""), "tstart")
        gravity = root.first("ConstantGravity")
        g = np.zeros(3) if gravity is None else self.scale * vector(self.root, "ConstantGravity")
        self.draft = Draft(root.name, tuple(map(float, g)))
        self.markers: dict[str, Marker] = {}
        self.joints: dict[str, AsmtJoint] = {}
        """By their paths."""
        self.drives: dict[tuple[str, str], Drive] = {}
        self.measures: dict[tuple[str, str], str] = {}
        """By path of the joint and `turn` or `slide`."""
        self.hung: dict[str, str] = {}
        """The body that a joint holds in the tree."""
        self.arm = 1.0

    def model(self) -> Model:
        """The mechanism."""
        base = f"/{self.root.name}"
        self._add_markers(self.root, base, GROUND, read_frame(self.root, self.scale))
        for part in (self.root.first("Parts") or Element("")).all("Part"):
            self._add_part(base, part)
        if not self.draft.bodies:
            raise ModelError("the assembly has no parts.")
        self._note_placeholders()
        self.arm = max([self.scale, *(max(map(abs, one.frame[0])) for one in self.markers.values())])
        sets = self.root.first("ConstraintSets") or Element("")
        for part in (sets.first("Joints") or Element("")).children:
            self._add_joint(f"{base}/{part.name}", part)
        for part in (sets.first("Motions") or Element("")).children:
            self._add_motion(f"{base}/{part.name}", part)
        self._hang_all()
        for path, joint in self.joints.items():
            self._tie(path, joint)
        self._drive()
        self._limit((sets.first("Limits") or Element("")).children)
        for section in (sets.first("GeneralConstraintSets"), self.root.first("ForceTorques", "ForcesTorques")):
            for part in () if section is None else section.children:
                self.leave_out(part)
        for part in (self.root.first("KinematicIJs") or Element("")).children:
            self.leave_out(part)
        model = self.draft.finish()
        return msgspec.structs.replace(model, start=msgspec.structs.replace(model.start, time=self.start))

    def leave_out(self, part: Element, why: str = "") -> None:
        """Records a part of the document that is left out."""
        self.draft.left_out.append(f"{part.place}: {why or f'{part.tag} is not supported'}; it is left out.")

    # -- parts and markers

    def _add_part(self, base: str, part: Element) -> None:
        path = f"{base}/{part.name}"
        names = Names(r".\x00-\x1f\x7f")
        for taken in (GROUND, *self.draft.bodies):
            names.new(taken)
        body = names.new(part.name)
        inertial = part.first("PrincipalMassMarker") or Element("")
        place, axes = read_frame(inertial, self.scale)
        moments = self.scale * self.scale * vector(inertial, "MomentOfInertias")
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = (axes @ np.diag(moments) @ axes.T).tolist()
        entries = (xx, yy, zz, xy, xz, yz) if xy or xz or yz else (xx, yy, zz)
        try:
            self.draft.body(body, scalar(inertial, "Mass"), place, entries)
        except ModelError as problem:
            raise ModelError(f"{part.place}: {problem}") from None
        origin, turned = read_frame(part, self.scale)
        velocity, spin = self.scale * vector(part, "Velocity3D"), vector(part, "Omega3D")
        self.draft.placed[body] = PlacedFrame(np.array(origin), turned, velocity, spin)
        self.draft.point(body, "origin", (0.0, 0.0, 0.0))
        self._add_markers(part, path, body, ((0.0, 0.0, 0.0), np.eye(3)))
        self.markers.setdefault(f"{path}/{inertial.name}", Marker(body, inertial.name, (place, axes)))

    def _add_markers(self, owner: Element, path: str, body: str, at: Frame) -> None:
        for point in (owner.first("RefPoints") or Element("")).all("RefPoint"):
            frame = compose(at, read_frame(point, self.scale))
            for marker in (point.first("Markers") or Element("")).all("Marker"):
                found = Marker(body, marker.name, compose(frame, read_frame(marker, self.scale)))
                if self.markers.setdefault(f"{path}/{marker.name}", found) is not found:
                    raise ModelError(f"{marker.place}: there are two markers of that name on '{body}'.")

    def _note_placeholders(self) -> None:
        parts = (self.root.first("Parts") or Element("")).all("Part")
        masses = [part.first("PrincipalMassMarker") or Element("") for part in parts]
        if all(scalar(mass, "Mass") == 1.0 and np.all(vector(mass, "MomentOfInertias") == 1.0) for mass in masses):
            self.remarks.append(
                "every part has the mass 1 and the moments of inertia 1, which FreeCAD writes for all parts; positions "
                "and prescribed motions are those of the assembly, but motions under forces are not."
            )

    # -- joints and motions

    def _ends(self, part: Element) -> tuple[Marker, Marker]:
        found = []
        for tag in ("MarkerI", "MarkerJ"):
            path = value(part, tag)
            if path not in self.markers:
                raise ModelError(
                    f"{part.place}: {tag} is '{path}', and there is no such marker; {did_you_mean(path, self.markers)}"
                )
            found.append(self.markers[path])
        return found[0], found[1]

    def _add_joint(self, path: str, part: Element) -> None:
        if part.tag not in KNOWN:
            raise ModelError(
                f"{part.place}: joints of type {part.tag} are not supported; known: {', '.join(KNOWN)}. Without it its "
                "parts would not be held."
            )
        i, j = self._ends(part)
        if i.body == j.body:
            self.leave_out(part, f"it joins '{i.body}' to itself")
            return
        kind = part.tag
        if kind in RODS and not scalar(part, "distanceIJ"):
            kind = RODS[kind]
        for size in SIZES.get(kind, ()):
            if not scalar(part, size):
                self.leave_out(part, f"{size} is zero")
                return
        while path in self.joints:  # motions mean the first of the same name
            path += "+"
        self.joints[path] = AsmtJoint(part, kind, part.name or kind, i, j)

    def _add_motion(self, path: str, part: Element) -> None:
        if part.tag == "AllowRotation":
            return  # it holds a rotation while the assembly is brought together
        if part.tag not in ("RotationalMotion", "TranslationalMotion", "GeneralMotion"):
            self.leave_out(part)
            return
        try:
            if part.tag == "GeneralMotion":
                self._add_general_motion(path, part)
                return
            slides = part.tag == "TranslationalMotion"
            kind, tag = ("slide", "TranslationZ") if slides else ("turn", "RotationZ")
            law = read_law(part, tag, value(part, tag))
            law = f"{self.scale!r}*({law})" if slides and self.scale != 1.0 else law
            law_at(part, law, self.start)
        except ModelError as problem:
            self.leave_out(part, str(problem).removeprefix(f"{part.place}: ").rstrip("."))
            return
        along = self._find_joint(path, part)
        if (along, kind) in self.drives:
            self.leave_out(part, "another motion prescribes the same coordinate")
            return
        self.drives[along, kind] = Drive(part, law, part.name)

    def _find_joint(self, path: str, part: Element) -> str:
        """The path of the joint whose coordinate a motion or a limit is about; a pair of markers may stand for it."""
        along = value(part, "MotionJoint")
        if along and along not in self.joints:
            raise ModelError(
                f"{part.place}: MotionJoint is '{along}', and there is no such joint; "
                f"{did_you_mean(along, self.joints)}"
            )
        if not along:
            i, j = self._ends(part)
            along = next((known for known, one in self.joints.items() if (one.i, one.j) == (i, j)), path)
            self.joints.setdefault(along, AsmtJoint(part, part.tag, part.name, i, j))
        return along

    def _add_general_motion(self, path: str, part: Element) -> None:
        """A motion in which all six coordinates are given: slides along the axes of I, then three turns."""
        i, j = self._ends(part)
        order = value(part, "RotationOrder", "1 2 3").split()
        if len(order) != 3 or not set(order) <= {"1", "2", "3"} or order[1] in (order[0], order[2]):
            raise ModelError(f"{part.place}: RotationOrder is '{' '.join(order)}'; it must be three of 1, 2 and 3")
        moves: list[Move] = []
        for k in range(6):
            slides = k < 3
            tag = f"rIJI{k + 1}" if slides else f"angIJJ{k - 2}"
            law = read_law(part, tag, value(part, tag))
            law = f"{self.scale!r}*({law})" if slides and self.scale != 1.0 else law
            first = law_at(part, law, self.start)
            axis = (X, Y, Z)[k if slides else int(order[k - 3]) - 1]
            name = "" if is_constant(part, law) else f"{part.name}_{tag}"
            moves.append(Move("slide" if slides else "turn", axis, first, 0.0, name))
            if name:
                self.drives[path, name] = Drive(part, law, name)
        joint = AsmtJoint(part, part.tag, part.name, i, j, tuple(moves))
        if i.body == j.body or self.joints.setdefault(path, joint) is not joint:
            raise ModelError(f"{part.place}: it moves '{j.body}', which another motion of that name moves, or itself")

    def _hang_all(self) -> None:
        """Hangs parts on the ground by the joints that can hold them, and lets the others float; joints between parts
        that are placed close loops."""
        near: dict[str, list[str]] = {}
        for path, joint in self.joints.items():
            if joint.holds:
                near.setdefault(joint.i.body, []).append(path)
                near.setdefault(joint.j.body, []).append(path)
        reached: set[str] = set()
        done: set[str] = set()
        for root in (GROUND, *self.draft.bodies):
            if root in reached:
                continue
            if root != GROUND:
                self._float(root)
            reached.add(root)
            waiting = [root]
            while waiting:
                here = waiting.pop(0)
                for path in near.get(here, ()):
                    if path in done:
                        continue
                    done.add(path)
                    joint = self.joints[path]
                    closing = {joint.i.body, joint.j.body} <= reached
                    child = joint.i.body if joint.j.body in reached and not closing else joint.j.body
                    self._hang(path, joint, upwards=child == joint.i.body, closing=closing)
                    if not closing:
                        self.hung[path] = child
                        reached.add(child)
                        waiting.append(child)

    def _float(self, body: str) -> None:
        """Leaves a part where it is, with its velocity; one whose axis has a given angle to another axis is turned out
        of the position in which no small motion changes that angle."""
        placed = self.draft.placed[body]
        for joint in self.joints.values():
            seen = between(joint.i, joint.j, self.draft.placed)
            if joint.kind in ("AngleJoint", "PerpendicularJoint") and body == joint.j.body and seen.angle_is_flat:
                axis = placed.axes @ joint.j.frame[1][:, 0]
                by = scalar(joint.element, "theIzJz", 0.5 * math.pi)
                placed = self.draft.placed[body] = replace(placed, axes=turns(axis, np.array([by]))[0] @ placed.axes)
        speeds, rates = placed.axes.T @ placed.velocity, placed.axes.T @ placed.spin
        moves = [Move("slide", axis, 0.0, float(speeds[k]), f"{body}_{k}") for k, axis in enumerate((X, Y, Z))]
        moves += [Move("turn", axis, 0.0, float(rates[k]), f"{body}_{k + 3}") for k, axis in enumerate((X, Y, Z))]
        at = (tuple(map(float, placed.origin)), placed.axes)
        self.draft.hang(f"{body} floats", GROUND, at, body, ((0.0, 0.0, 0.0), np.eye(3)), moves, (body, "origin"))

    def _hang(self, path: str, joint: AsmtJoint, *, upwards: bool, closing: bool) -> None:
        i, j, moves = self._moves(path, joint)
        parent, child = (j, i) if upwards else (i, j)
        shown = self.draft.hang(
            joint.name, parent.body, parent.frame, child.body, child.frame, moves, (parent.name, child.name),
            reverse=upwards, closing=closing, measured=joint.moves is not None,
        )  # fmt: skip
        for move, measure in zip([move for move in moves if move.name], shown, strict=True):
            if measure:
                self.measures[path, move.name if joint.moves is not None else move.kind] = measure

    def _moves(self, path: str, joint: AsmtJoint) -> tuple[Marker, Marker, list[Move]]:
        """The frames of a joint and the motions from one to the other, with their values where the parts are placed, or
        those that a motion prescribes."""
        seen = between(joint.i, joint.j, self.draft.placed)
        if joint.moves is not None:
            return joint.i, joint.j, list(joint.moves)
        if joint.kind == "UniversalJoint":
            i, j = along_second(seen)
            seen = between(i, j, self.draft.placed)
        elif joint.kind in FREE:
            i, j = joint.i, joint.j.turned(seen.axes.T)
            seen = between(i, j, self.draft.placed)
        else:
            seen = seen.with_like_axes() if joint.kind in LIKE_AXES else seen.with_parallel_z()
        moves = [
            Move("slide", Z, scalar(joint.element, "offset") * self.scale) for _ in (0,) if joint.kind == "PlanarJoint"
        ]
        for kind, axis in MOVES[joint.kind]:
            k = axis.index(1.0)
            at = 0.0 if joint.kind in FREE else seen.angle if kind == "turn" else float(seen.place[k])
            rate = float((seen.spin if kind == "turn" else seen.velocity)[k])
            drive = self.drives.get((path, kind)) if axis == Z else None
            if drive is not None:
                at = self._start_of(drive, at, kind)
            name = f"{joint.name}_{'xyz'[k]}" if joint.kind in (*FREE, "PlanarJoint") and axis != Z else joint.name
            if kind == "slide" and joint.kind == "CylindricalJoint":
                name = f"{joint.name}_slide"
            moves.append(Move(kind, axis, at, rate, name))
        return seen.i, seen.j, moves

    def _start_of(self, drive: Drive, at: float, kind: str) -> float:
        """Where a motion starts. The solver accepts angles that are half a turn away, and takes the nearer one."""
        first = law_at(drive.element, drive.law, self.start)
        if kind == "turn" and math.cos(first - at) < -PARALLEL:
            self.remarks.append(
                f"{drive.element.place}: it begins at {first:.6g}, half a turn from where its parts are; it is taken "
                "from there, as OndselSolver does."
            )
            drive.law = f"{drive.law} + pi"
            return first + math.pi
        return first

    # -- what is no joint of a tree

    def _tie(self, path: str, joint: AsmtJoint) -> None:
        seen = between(joint.i, joint.j, self.draft.placed)
        element, kind, draft = joint.element, joint.kind, self.draft
        ends = {"a": draft.point(joint.i.body, joint.i.name, joint.i.frame[0]),
                "b": draft.point(joint.j.body, joint.j.name, joint.j.frame[0])}  # fmt: skip
        constant = 0.0
        if kind == "AngleJoint":
            constant = math.cos(scalar(element, "theIzJz"))
            if 1.0 - abs(constant) < PARALLEL:
                kind, constant = "ParallelAxesJoint", 0.0
        if kind in ("ParallelAxesJoint", "RevCylJoint"):
            seen = seen.with_parallel_z()
        elif kind in LIKE_AXES:
            seen = seen.with_like_axes()
        if kind not in MOVES and kind in ROTATIONS:
            for a, b in ROTATIONS[kind]:
                terms = self._product(joint.name, seen, a, b)
                self._couple(joint, terms, self.arm * constant)
        if kind in ("PointInPlaneJoint", "LineInPlaneJoint"):
            self._couple(joint, {self._along(joint.name, seen, 2): 1.0}, self.scale * scalar(element, "offset"))
        elif kind == "PointInLineJoint":
            draft.join(kinds.PointOnLine(name=joint.name, **ends, axis_a=column(joint.i.frame[1], 2)))
        elif kind == "SphSphJoint":
            rod = self.scale * abs(scalar(element, "distanceIJ"))
            draft.join(kinds.Distance(name=joint.name, **ends, length=rod))
        elif kind in RODS:
            self._hold_apart(joint, seen)
        elif kind == "ConstantVelocityJoint":
            crossed = [self._along(joint.name, seen, a, self._tip(seen.j, b)) for a, b in ((0, 1), (1, 0))]
            self._couple(joint, dict.fromkeys(crossed, 1.0), 0.0)
        elif kind == "RackPinionJoint":
            radius = self.scale * scalar(element, "pitchRadius")
            self._couple(joint, {self._along(joint.name, seen, 0): 1.0, self._turn(path, joint, seen): radius})
        elif kind == "ScrewJoint":
            lead = self.scale * scalar(element, "pitch") / (2.0 * math.pi)
            self._couple(joint, {self._along(joint.name, seen, 2): 1.0, self._turn(path, joint, seen): -lead})
        elif kind == "GearJoint":
            self._mesh(joint, seen)

    def _couple(self, joint: AsmtJoint, terms: dict[str, float], law: float | None = None) -> None:
        """Σ factor · measure = law, by default the sum that it has at the start."""
        self.draft.couplings.append(Linear(name=self.draft.work_name(joint.name), terms=terms, law=law))

    def _along(self, name: str, seen: Between, axis: int, place: np.ndarray | None = None) -> str:
        """The coordinate of a point of J, its origin by default, along an axis of I."""
        draft, i, j = self.draft, seen.i, seen.j
        at = np.array(j.frame[0]) if place is None else place
        end = draft.point(j.body, j.name, tuple(map(float, at)))
        direction = column(i.frame[1], axis)
        return draft.measure(Coordinate(f"{name}_{'xyz'[axis]}", end, direction, self._origin(i)))

    def _origin(self, marker: Marker) -> str:
        return self.draft.point(marker.body, marker.name, marker.frame[0])

    def _product(self, name: str, seen: Between, a: int, b: int) -> dict[str, float]:
        """The product of an axis of I and one of J, as a difference of coordinates of two points on the axis of J."""
        return {self._along(name, seen, a, self._tip(seen.j, b)): 1.0, self._along(name, seen, a): -1.0}

    def _tip(self, marker: Marker, axis: int) -> np.ndarray:
        """A point on an axis of a marker."""
        return np.array(marker.frame[0]) + self.arm * marker.frame[1][:, axis]

    def _hold_apart(self, joint: AsmtJoint, seen: Between) -> None:
        """A rod at right angles to the axis of I."""
        draft, rod = self.draft, self.scale * abs(scalar(joint.element, "distanceIJ"))
        if joint.kind == "RevRevJoint":
            seen = seen.with_parallel_z()
            frames = [column(one.frame[1], 2) for one in (seen.i, seen.j)]
            ends = {"a": self._origin(seen.i), "b": self._origin(seen.j)}
            draft.join(kinds.Plane(name=joint.name, **ends, normal_a=frames[0], normal_b=frames[1]))
        x, y = (self._along(joint.name, seen, axis) for axis in (0, 1))
        expression = f"hypot(`{x}`, `{y}`) - {rod!r}"
        draft.couplings.append(Equation(name=draft.work_name(joint.name), expression=expression))

    def _turn(self, path: str, joint: AsmtJoint, seen: Between) -> str:
        """The angle of J about the axis z of I."""
        if (known := self.measures.get((path, "turn"))) is not None:
            return known
        i, j = seen.i, seen.j
        axis, zero = column(i.frame[1], 2), column(i.frame[1], 0)
        return self.draft.measure(Angle(joint.name, j.body, i.body, axis, zero, column(j.frame[1], 0)))

    def _mesh(self, joint: AsmtJoint, seen: Between) -> None:
        """r_I θ_I + r_J θ_J stays constant, where both turn relative to the part that carries their axes."""
        if abs(seen.axes[2, 2]) < 1.0 - PARALLEL:
            self.leave_out(joint.element, "gears whose axes are not parallel are not supported")
            return
        carriers = [self._carriers(one) for one in (seen.i, seen.j)]
        both = [body for body in carriers[0] if body in carriers[1]]
        if not both:
            self.leave_out(joint.element, "its gears are not both held by revolute or cylindrical joints on one part")
            return
        terms = {}
        placed = self.draft.placed
        world = placed[seen.i.body].axes @ seen.i.frame[1]
        for one, size in ((seen.i, "radiusI"), (seen.j, "radiusJ")):
            frames = [(placed[body].axes.T @ world) for body in (both[0], one.body)]
            axis, zero = column(frames[0], 2), column(frames[0], 0)
            angle = Angle(f"{joint.name}_{one.body}", one.body, both[0], axis, zero, column(frames[1], 0))
            terms[self.draft.measure(angle)] = scalar(joint.element, size)
        self._couple(joint, terms)

    def _carriers(self, wheel: Marker) -> list[str]:
        """The bodies about whose axes, parallel to z, a wheel turns."""
        found = []
        for joint in self.joints.values():
            sides = (joint.i, joint.j) if joint.j.body == wheel.body else (joint.j, joint.i)
            if joint.kind in ("RevoluteJoint", "CylindricalJoint") and sides[1].body == wheel.body:
                along = abs(float(sides[1].frame[1][:, 2] @ wheel.frame[1][:, 2]))
                found += [sides[0].body] if along > 1.0 - PARALLEL else []
        return found

    # -- motions and limits

    def _drive(self) -> None:
        for (path, kind), drive in self.drives.items():
            measure = self._coordinate(path, kind, drive)
            self.draft.values.pop(measure, None)
            self.draft.rates.pop(measure, None)
            name = self.draft.work_name(drive.name)
            self.draft.motors.append(Motor(name=name, target=measure, law=drive.law))

    def _coordinate(self, path: str, kind: str, drive: Drive | None = None) -> str:
        """The coordinate of a joint, or of two markers."""
        if (path, kind) not in self.measures:
            joint = self.joints[path]
            seen = between(joint.i, joint.j, self.draft.placed)
            if kind == "turn" and drive is not None:
                self._start_of(drive, seen.angle, kind)
            made = self._along(joint.name, seen, 2) if kind == "slide" else self._turn(path, joint, seen)
            self.measures[path, kind] = made
        return self.measures[path, kind]

    def _limit(self, parts: list[Element]) -> None:
        """Limits of the same coordinate are one stop."""
        found: dict[tuple[str, str], list[float | None]] = {}
        for part in parts:
            kind = {"RotationLimit": "turn", "TranslationLimit": "slide"}.get(part.tag)
            side = {"=>": 0, "=<": 1}.get(value(part, "Type"))
            if kind is None or side is None:
                self.leave_out(part)
                continue
            path = self._find_joint(part.name, part)
            try:
                end = law_at(part, read_law(part, "Limit", value(part, "Limit")), 0.0)
            except ModelError as problem:
                self.leave_out(part, str(problem).removeprefix(f"{part.place}: ").rstrip("."))
                continue
            found.setdefault((path, kind), [None, None])[side] = end * (self.scale if kind == "slide" else 1.0)
        for (path, kind), (low, high) in found.items() if self.limits != "none" else ():
            joint = self.joints[path]
            if (path, kind) in self.drives:
                continue
            if low is not None and high is not None and low >= high:
                self.remarks.append(f"{joint.element.place}: its limits leave no room, so it has none.")
                continue
            bodies = self.draft.carried_by(self.hung[path]) if path in self.hung else [joint.j.body]
            here = compose(self._pose(joint.i.body), joint.i.frame)
            inertia = self.draft.inertia_about(bodies, here[0], here[1][:, 2], turns=kind == "turn")
            add_limits(self.draft, joint.name, self._coordinate(path, kind), (low, high), inertia, self.limits)

    def _pose(self, body: str) -> Frame:
        placed = self.draft.placed[body]
        return tuple(map(float, placed.origin)), placed.axes

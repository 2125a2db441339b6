"""Reads models of OpenSim: documents of version 4, and of version 3 where they have the same structure.

Frames of joints become points and directions, coordinates become measures; values, rates and locks become the start and
motors. Parts that Grashof does not support are left out and reported, one sentence each.
"""

from __future__ import annotations

from heapq import heappop, heappush
from pathlib import Path

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.draft import Draft
from grashof.exchange.frames import GIVEN, angles, definite, rotation, turned_by
from grashof.exchange.opensim.constraints import add_constraint, is_enforced
from grashof.exchange.opensim.curves import Curve
from grashof.exchange.opensim.forms import End, Offset, joint_form, part_form, table
from grashof.exchange.opensim.functions import law, scale_law
from grashof.exchange.opensim.joints import LOOSE, moves_of
from grashof.exchange.opensim.loads import add_forces
from grashof.exchange.parsing import child_number, child_truth, child_vector, numbers
from grashof.exchange.xml import Element, xml_text
from grashof.model.bodies import GROUND
from grashof.model.couplings import Motor
from grashof.model.couplings.equation import Equation
from grashof.model.couplings.linear import Linear
from grashof.model.fields import Vector
from grashof.model.model import Model

_KNOWN = (
    *(
        "Ground",
        "gravity",
        "BodySet",
        "JointSet",
        "ConstraintSet",
        "ForceSet",
        "ControllerSet",
        "MarkerSet",
        "defaults",
        "credits",
    ),
    *(
        "publications",
        "length_units",
        "force_units",
        "assembly_accuracy",
        "ground",
        "components",
        "ModelVisualPreferences",
    ),
    *("frame_geometry", "attached_geometry", "socket_frame"),
    "ProbeSet",  # they observe the motion
)


def read(root: Element, path: Path | None = None, unknown_joints: str = "") -> tuple[Model, list[str], list[str]]:
    """The mechanism, sentences about the parts of the document that were left out, and remarks; `unknown_joints` as in
    `load`."""
    model = root if root.tag == "Model" else root.first("Model")
    if root.tag not in ("OpenSimDocument", "Model") or model is None:
        raise ModelError(
            f"the root element is <{root.tag}>; that of an OpenSim model is <OpenSimDocument> with a <Model> in it."
        )
    return OpenSimReader(model, unknown_joints).model()


class OpenSimReader:
    """One document."""

    def __init__(self, model: Element, unknown_joints: str = "") -> None:
        self.element, self.unknown_joints = model, unknown_joints
        self.draft = Draft(model.name, child_vector(model, "gravity", (0.0, -9.80665, 0.0)))
        self.remarks: list[str] = []
        self.controlled = False
        """Whether a controller that is not supported may determine controls."""
        self.frames: dict[str, list[tuple[str, Element]]] = {}
        self.coordinates: dict[str, str] = {}
        """The measure that represents each coordinate, "" if there is none."""
        self.factors: dict[str, float] = {}
        """The measure divided by the coordinate."""
        self.coupled = self._find_coupled()
        """Coordinates that are a multiple of another one, plus a constant: the other one, factor and constant."""
        self.replaced: set[str] = set()
        """Those of them that no measure represents."""
        self._curves: list[tuple[str, str, str, Curve]] = []

    def model(self) -> tuple[Model, list[str], list[str]]:
        draft, model = self.draft, self.element
        bodies = self._objects("BodySet", "Body")
        for body in bodies:
            if body.name != GROUND:
                self._body(body)
        for owner in model.walk():
            for kept in owner.all("frames", "components"):
                for frame in kept.all("PhysicalOffsetFrame"):
                    self.frames.setdefault(frame.name, []).append((owner.name, frame))
        draft.source["document"] = {"format": "OpenSim"}
        self._hang_all(bodies)
        self._couple_curves()
        for marker in self._objects("MarkerSet", "Marker"):
            end = self.frame(marker, self.socket(marker, "parent_frame", "body"))
            on, (place, axes), *_ = end
            if end.chain or "." in marker.name.removeprefix(f"{on}."):  # points have no dots in their names
                self.keep_part(marker, {"parent_frame": end})
            at = np.array(place) + axes @ np.array(child_vector(marker, "location"))
            draft.point(
                on,
                marker.name.removeprefix(f"{on}."),
                child_vector(marker, "location") if not any(place) and np.array_equal(axes, np.eye(3)) else at,
            )
        for constraint in self._objects("ConstraintSet"):
            add_constraint(self, constraint)
        add_forces(self, self._objects("ForceSet"), self._objects("ControllerSet"))
        for other in model.children:
            objects = other.first("objects")
            if other.tag not in _KNOWN and objects is not None:
                for part in objects.children:
                    self.leave_out(part)
        return draft.finish(), draft.left_out, self.remarks

    def leave_out(self, part: Element, why: str = "") -> None:
        """Records a part of the document that is left out."""
        self.draft.left_out.append(f"{part.place}: {why or f'a {part.tag} is not supported'}; it is left out.")

    def _objects(self, group: str, *tags: str) -> list[Element]:
        found = self.element.first(group)
        objects = None if found is None else found.first("objects")
        return [] if objects is None else objects.all(*tags)

    # -- bodies and frames

    def _body(self, body: Element) -> None:
        inertia = child_vector(body, "inertia", (), 6)
        if not inertia:
            inertia = tuple(child_number(body, f"inertia_{x}", 0.0) for x in ("xx", "yy", "zz", "xy", "xz", "yz"))
        center = child_vector(body, "mass_center")
        try:
            self.draft.body(
                body.name, child_number(body, "mass", 0.0), center, inertia if any(inertia[3:]) else inertia[:3]
            )
        except ModelError as problem:
            raise ModelError(f"{body.place}: {problem}") from None
        made = self.draft.bodies[body.name]
        if made.mass and not definite(made.inertia_matrix):
            self.draft.source[f"body {body.name}"] = {"inertia": xml_text(inertia)}

    def socket(self, part: Element, *names: str) -> str:
        """The object that a part is connected to by the first of these sockets that it has."""
        for name in names:
            for tag in (f"socket_{name}", f"socket_{name}_connectee_name", name):
                if text := part.value(tag):
                    return text
        raise ModelError(f"{part.place}: its {names[0]} is missing; add <socket_{names[0]}>.")

    def frame(self, part: Element, path: str, depth: int = 0) -> End:
        """The body that a frame is fixed to, its pose on that body, and its name."""
        words = [word for word in path.split("/") if word not in ("", ".", "..")]
        last = words[-1] if words else ""
        if depth > 20:
            raise ModelError(
                f"{part.place}: the frame '{path}' is fixed to itself, or through a chain of more than 20 frames."
            )
        inside = part.first("frames", "components")
        own = [] if inside is None else [frame for frame in inside.all("PhysicalOffsetFrame") if frame.name == last]
        if (
            not (own and len(words) == 1)
            and last in self.draft.placed
            and (len(words) == 1 or words[-2:-1] in (["bodyset"], ["BodySet"]))
        ):
            return End(last, ((0.0, 0.0, 0.0), np.eye(3)), "o")
        if not own:
            owner = words[-2] if len(words) > 1 else ""
            found = self.frames.get(last, [])
            own = [frame for name, frame in found if name == owner] or ([found[0][1]] if len(found) == 1 else [])
        if not own and last in self.draft.placed:
            return End(last, ((0.0, 0.0, 0.0), np.eye(3)), "o")
        if not own:
            raise ModelError(f"{part.place}: there is no body or frame '{path}'.")
        offset = own[0]
        body, (place, axes), _, _, chain = self.frame(offset, self.socket(offset, "parent"), depth + 1)
        by, turned = child_vector(offset, "translation"), child_vector(offset, "orientation")
        chain = (*chain, Offset(offset.name, by, turned))
        if any(place) or not np.array_equal(axes, np.eye(3)):
            by = tuple(map(float, np.array(place) + axes @ np.array(by)))
            turned = turned_by(axes @ rotation(turned))
        return End(body, (by, rotation(turned)), offset.name, turned, chain)

    # -- joints

    def _hang_all(self, bodies: list[Element]) -> None:
        """Reads the joints, starting at the ground."""
        waiting: list[tuple[Element, End, End]] = []
        for joint in self._objects("JointSet"):
            parent, child = (self.frame(joint, self.socket(joint, end)) for end in ("parent_frame", "child_frame"))
            waiting.append((joint, parent, child))
        for body in bodies:
            for joint in (body.first("Joint") or Element("")).children:
                base = joint.value("parent_body")
                if base not in self.draft.placed:
                    raise ModelError(f"{joint.place}: there is no body '{base}'.")
                ends = []
                for on, word, suffix in ((base, "parent", "_in_parent"), (body.name, "child", "")):
                    turned = child_vector(joint, f"orientation{suffix}")
                    place = child_vector(joint, f"location{suffix}")
                    name = f"{joint.name}_{word}"
                    ends.append(End(on, (place, rotation(turned)), name, turned, (Offset(name, place, turned),)))
                waiting.append((joint, ends[0], ends[1]))
        self._hang_tree(waiting)

    def _hang_tree(self, waiting: list[tuple[Element, End, End]]) -> None:
        """Attaches bodies to those already placed, from parent to child or from child to parent; joints between two
        placed bodies close loops.
        """
        near: dict[str, list[int]] = {}
        for k, (_, parent, child) in enumerate(waiting):
            for body in {parent[0]: None, child[0]: None}:
                near.setdefault(body, []).append(k)
        children = {child[0] for _, _, child in waiting}
        # the ground, then bodies that are not the child of any joint, then bodies in rings
        roots = [GROUND, *sorted((x for x in self.draft.bodies), key=lambda x: x in children)]
        reached: set[str] = set()
        # joints from parent to child come first, then those near the root, then those early in the document
        ready: list[tuple[bool, int, int]] = []
        done: set[int] = set()

        def reach(body: str, steps: int) -> None:
            reached.add(body)
            for k in near.get(body, ()):
                heappush(ready, (waiting[k][2].body == body, steps, k))

        for root in roots:
            if root not in reached:
                reach(root, 0)
            while ready:
                _, steps, k = heappop(ready)
                if k in done:
                    continue
                done.add(k)
                joint, parent, child = waiting[k]
                closing = parent.body in reached and child.body in reached
                upwards = not closing and child.body in reached
                self._hang(joint, parent, child, upwards=upwards, closing=closing)
                if not closing:
                    reach(parent.body if upwards else child.body, steps + 1)

    def _hang(self, joint: Element, parent: End, child: End, *, upwards: bool, closing: bool) -> None:
        """Reads one joint; with `upwards` the parent is attached to the child."""
        listed = joint.first("coordinates")
        if listed is None:
            listed = (joint.first("CoordinateSet") or Element("")).first("objects")
        coordinates = [] if listed is None else listed.all("Coordinate")
        if parent[0] == child[0]:
            raise ModelError(f"{joint.place}: it joins body '{child[0]}' to itself.")
        transform = moves_of(joint, coordinates, self.coupled)
        if transform is None:
            hung = parent[0] if upwards else child[0]
            why = f"a {joint.tag} like this is not supported, so body '{hung}' has no joint"
            if self.unknown_joints != "free":
                raise ModelError(
                    f"{joint.place}: {why}. To read the file nevertheless, with that body free, use "
                    'load(path, unknown_joints="free") or --read unknown_joints=free.'
                )
            self.leave_out(joint, why)
            return
        here = parent[2] if child[2] == f"{parent[2]}_child" else child[2]  # frames of a joint must have two names
        # version 3: the transform leads from the frame on the child to the frame on the parent
        reverse = child_truth(joint, "reverse", False) != upwards
        ends = [parent, child._replace(name=here)]
        above, below = reversed(ends) if upwards else ends
        before = len(self.draft.joints)
        try:
            shown = self.draft.hang(
                joint.name,
                above.body,
                above.frame,
                below.body,
                below.frame,
                transform.moves,
                (above.name, below.name),
                reverse=reverse,
                closing=closing,
                measured=bool(transform.ties or transform.curves),
            )
        except ModelError as problem:
            raise ModelError(f"{joint.place}: {problem}") from None
        if closing and len(self.draft.joints) == before:
            self.leave_out(joint, "its bodies are already joined, and a free joint between them has no effect")
            return
        if closing:
            self.closes()
        a, b = (below, above) if reverse else (above, below)
        free = joint.tag == "FreeJoint" and a.body != GROUND
        if joint.tag == "CustomJoint" or free or reverse or closing or max(len(end.chain) for end in ends) > 1:
            listed_names = {one.name for one in coordinates}
            unlisted = [Element("Coordinate", {"name": x}) for x in transform.coordinates if x not in listed_names]
            form = joint_form(joint, ((a.body, a.chain), (b.body, b.chain)), [*coordinates, *unlisted])
            self.draft.source[f"{joint.tag} {joint.name}"] = table(form)
        else:
            self._keep_joint(joint, coordinates, a, b)
        measures = dict(zip([move.name for move in transform.moves if move.name], shown, strict=True))
        for coordinate, (move, factor) in transform.coordinates.items():
            self.coordinates[coordinate] = measures[move]
            self.factors[coordinate] = factor
        for dependent, (independent, factor) in transform.ties.items():
            terms = {measures[dependent]: 1.0, measures[independent]: -factor}
            self.draft.couplings.append(Linear(name=self.draft.work_name(f"{joint.name} tied"), terms=terms, law=0.0))
        for dependent, (coordinate, curve) in transform.curves.items():
            self._curves.append((joint.name, measures[dependent], coordinate, curve))
            if coordinate not in transform.coordinates:
                self.replaced.add(coordinate)
        for one in coordinates:
            self._hold(one)

    def _find_coupled(self) -> dict[str, tuple[str, float, float]]:
        """Coordinates that constraints make linear functions of one other coordinate."""
        found: dict[str, tuple[str, float, float]] = {}
        for part in self._objects("ConstraintSet", "CoordinateCouplerConstraint"):
            given = (part.first("coupled_coordinates_function") or Element("")).children
            others = part.value("independent_coordinate_names").split()
            if not is_enforced(part) or len(others) != 1 or len(given) != 1 or given[0].tag != "LinearFunction":
                continue
            coefficients = numbers(given[0], "coefficients", given[0].value("coefficients", "1 0"))
            scale = child_number(part, "scale_factor", 1.0)
            if len(coefficients) == 2:
                dependent, (slope, offset) = part.value("dependent_coordinate_name"), coefficients
                found.setdefault(dependent, (others[0], scale * slope, scale * offset))
        return found

    def _couple_curves(self) -> None:
        """Ties the moves that are functions of coordinates, which are all known now."""
        for joint, dependent, coordinate, curve in self._curves:
            other = self.coupled[coordinate][0] if coordinate in self.replaced else coordinate
            if not self.coordinates.get(other):
                raise ModelError(
                    f"CustomJoint '{joint}': its coordinate '{coordinate}' is coupled to '{other}', which no "
                    "joint has as an angle or a displacement; this is not supported."
                )
            height = curve.text(self.coordinate_text(coordinate))
            self.draft.couplings.append(
                Equation(name=self.draft.work_name(f"{joint} {dependent}"), expression=f"`{dependent}` - ({height})")
            )

    def coordinate_text(self, coordinate: str) -> str:
        """A coordinate as an expression of the measure that represents it."""
        if coordinate in self.replaced:
            other, slope, offset = self.coupled[coordinate]
            text = self.coordinate_text(other)
            text = text if slope == 1.0 else f"({slope!r}*{text})"
            return f"({text} + {offset!r})" if offset else text
        measure, factor = f"`{self.coordinates[coordinate]}`", self.factors[coordinate]
        return measure if factor == 1.0 else f"({measure}/{factor!r})"

    def _keep_joint(self, joint: Element, coordinates: list[Element], a: End, b: End) -> None:
        """Keeps the angles of a joint's frames and, if no measures are its coordinates, its coordinates."""
        key = f"body {b.body}" if joint.tag == "FreeJoint" else f"joint {self.draft.joints[-1].name}"
        if joint.tag not in LOOSE:
            self.keep_angles(key, a, b, GIVEN[joint.tag])
            return
        kept = {"type": joint.tag, "name": joint.name, "coordinates": " ".join(x.name for x in coordinates)}
        for side, end in (("a", a), ("b", b)):
            kept[f"location_{side}"], kept[f"orientation_{side}"] = xml_text(end.frame[0]), xml_text(end.angles)
        for field, tag in (("values", "default_value"), ("speeds", "default_speed_value")):
            kept[field] = xml_text([child_number(coordinate, tag, 0.0) for coordinate in coordinates])
        self.draft.source.setdefault(key, {}).update(kept)

    def closes(self) -> None:
        """Notes that the last joint closes a loop in the document, so that it is written in the same role again."""
        self.draft.source.setdefault(f"joint {self.draft.joints[-1].name}", {})["closes"] = "a loop"

    def keep_angles(self, key: str, a: End, b: End, given: tuple[int, int]) -> None:
        """Keeps the angles of frames that cannot be recovered from the axes in the description."""
        for side, end in (("a", a), ("b", b)):
            if angles(end.frame[1], given) != end.angles:
                self.draft.source.setdefault(key, {})[f"orientation_{side}"] = xml_text(end.angles)

    def _hold(self, coordinate: Element) -> None:
        """Locks and prescribed motions. Clamps are for editors and solvers of poses: OpenSim's simulations ignore them,
        too."""
        measure = self.coordinates.get(coordinate.name, "")
        locked, prescribed = child_truth(coordinate, "locked", False), child_truth(coordinate, "prescribed", False)
        if not (locked or prescribed):
            return
        given: float | str | None = child_number(coordinate, "default_value", 0.0)
        if prescribed and not locked:
            function = coordinate.first("prescribed_function")
            given = law(function.children[0]) if function is not None and function.children else None
        if given is None or not measure:
            why = (
                "its prescribed function is not supported"
                if given is None
                else "a single angle of a ball or a free body cannot be held"
            )
            self.leave_out(coordinate, f"{why}, and it is free")
            return
        name = self.draft.work_name(f"hold {measure}")
        self.draft.motors.append(Motor(name, measure, str(scale_law(given, self.factors[coordinate.name]))))

    def at(self, where: End, place: Vector, name: str) -> str:
        """A point of the body that a frame is on: OpenSim 4 takes the points of constraints and springs relative to
        the body, not to the frame."""
        return self.draft.point(where.body, name, place, any_name=True)

    def keep_part(self, part: Element, ends: dict[str, End]) -> None:
        """Keeps the form of a constraint, marker or spring with frames that are not those of bodies."""
        form = part_form(part, {socket: (end.body, end.chain) for socket, end in ends.items()})
        self.draft.source[f"{part.tag} {part.name}"] = table(form)

"""Reads SDFormat, the models of Gazebo: links, joints with damping, springs and limits, mimic joints. Joints may close
loops.

Links float unless a joint attaches them to the world. Joints are at zero where the document places the links.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.exchange.draft import Draft
from grashof.exchange.moves import Frame, Move, compose
from grashof.exchange.names import Names
from grashof.exchange.parsing import child_number, child_truth, child_vector, direction, number
from grashof.exchange.passive import add_damping, add_limits
from grashof.exchange.sdf.contacts import Surfaces
from grashof.exchange.sdf.poses import IDENTITY, MODEL, WORLD, Placed, Poses, read_pose, relative, scoped
from grashof.exchange.xml import Element
from grashof.model.bodies import GROUND
from grashof.model.couplings.linear import Linear
from grashof.model.fields import Vector, unit
from grashof.model.forces import Pull, TorsionSpring
from grashof.model.model import Model

GRAVITY: Vector = (0.0, 0.0, -9.8)
"""The default of the format."""
MOVES = {
    "revolute": ("turn",),
    "continuous": ("turn",),
    "prismatic": ("slide",),
    "revolute2": ("turn", "turn"),
    "universal": ("turn", "turn"),
    "ball": ("turn", "turn", "turn"),
    "fixed": (),
}
"""The motions of each kind of joint."""
UNLIMITED = 1e15
"""Limits of this size, m or rad, are none: the format's default is 1e16."""
_SKIPPED = frozenset(
    {"pose", "link", "joint", "frame", "static", "model", "allow_auto_disable", "enable_wind", "self_collide"}
)
_SCENERY = frozenset({"light", "physics", "scene", "gui", "audio", "atmosphere", "spherical_coordinates", "frame",
                      "gravity", "magnetic_field", "wind", "model", "include", "plugin", "state"})  # fmt: skip


def read(
    root: Element, path: Path | None = None, limits: str = "compliant", contact: bool = False
) -> tuple[Model, list[str], list[str]]:
    """The mechanism, sentences about the parts of the document that were left out, and remarks; `limits` and `contact`
    as in `load`."""
    if root.tag != "sdf":
        raise ModelError(f"the root element is <{root.tag}>; that of an SDF document is <sdf>.")
    reader = SdfReader(root, limits, contact)
    return reader.model(), reader.draft.left_out, reader.remarks


class SdfReader:
    """One document."""

    def __init__(self, root: Element, limits: str, contact: bool) -> None:
        self.surfaces = Surfaces() if contact else None
        world = root.first("world")
        self.root, self.limits = root, limits
        self.place = root if world is None else world
        models = self.place.all("model")
        self.draft = Draft(
            self.place.name if len(models) != 1 else models[0].name, child_vector(self.place, "gravity", GRAVITY)
        )
        self.remarks: list[str] = []
        self.names = Names(r".\x00-\x1f\x7f")
        self.names.new(GROUND)
        self.old_axes = root.attributes.get("version", "").strip() in ("1.0", "1.2", "1.3", "1.4")
        """Whether directions are given in the axes of the model by default."""

    def model(self) -> Model:
        """The mechanism."""
        several = len(self.place.all("model")) > 1
        for model in self.place.all("model"):
            SdfModel(self, model, compose(IDENTITY, read_pose(model)), f"{model.name}::" if several else "").read()
        if self.surfaces is not None:
            self.surfaces.touch(self.draft)
        for part in self.place.children:
            if part.tag in ("include", "plugin", "joint") or part.tag not in _SCENERY:
                self.leave_out(part)
        return self.draft.finish()

    def leave_out(self, part: Element, why: str = "") -> None:
        """Records a part of the document that is left out."""
        self.draft.left_out.append(f"{part.place}: {why or f'{part.tag} is not supported'}; it is left out.")


class SdfModel:
    """A model in a document, or in another model: its parts, whose names get a prefix if there are several models."""

    def __init__(self, reader: SdfReader, element: Element, at: Frame, prefix: str) -> None:
        self.reader, self.element, self.at, self.prefix = reader, element, at, prefix
        self.draft = reader.draft
        self.links: dict[str, str] = {}
        """The body of each link."""
        self.measures: dict[str, str] = {}
        self.poses = Poses({}, {})

    def read(self) -> None:
        """Adds the model's links and joints to the mechanism."""
        parts: dict[str, Placed] = {}
        fixed: dict[str, str] = {}
        nested = list(self._nested(self.element, "", MODEL))
        for name, part, base in nested:
            parts.setdefault(name, Placed(part, base))
            if part.tag in ("frame", "model"):
                fixed[name] = base
            elif part.tag == "joint":
                fixed[name] = scoped(name, part.value("child"))
        self.poses = Poses(parts, fixed)
        for name, part, _ in nested:
            if part.tag == "link":
                self._add_link(name, part)
        joints = [(name, part) for name, part, _ in nested if part.tag == "joint"]
        static = child_truth(self.element, "static", False)
        self._hang_all([] if static else joints)
        if static:
            for body in self.links.values():
                self._stand(body)
        for name, part in [] if static else joints:
            self._mimic(name, part)
        for part in self.element.children:
            if part.tag not in _SKIPPED:
                self.reader.leave_out(part)

    def _nested(self, model: Element, scope: str, frame: str) -> Iterator[tuple[str, Element, str]]:
        """Links, joints, frames and models, those of nested models too: name, element, and the frame that its pose
        is relative to by default."""
        if scope.count("::") > 20:
            raise ModelError(f"{model.place}: models are nested more than 20 deep, which is not supported.")
        for part in model.all("link", "frame", "joint", "model"):
            name = f"{scope}{part.name}"
            if part.tag == "joint":
                yield name, part, scoped(name, part.value("child"))
            elif part.tag == "frame":
                yield name, part, scoped(name, part.attributes.get("attached_to", "")) or frame
            else:
                yield name, part, frame
            if part.tag == "model":
                yield from self._nested(part, f"{name}::", name)

    def _add_link(self, name: str, link: Element) -> None:
        draft, inertial = self.draft, link.first("inertial")
        if name in self.links:
            raise ModelError(f"{link.place}: there are two links of that name; give each link a unique name.")
        mass, (place, axes), matrix = 1.0, IDENTITY, np.eye(3)
        if inertial is not None:
            (place, axes), mass = read_pose(inertial), child_number(inertial, "mass", 1.0)
            given = inertial.first("inertia") or Element("inertia")
            xx, yy, zz = (child_number(given, f"i{x}", 1.0) for x in ("xx", "yy", "zz"))
            xy, xz, yz = (child_number(given, f"i{x}", 0.0) for x in ("xy", "xz", "yz"))
            matrix = axes @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ axes.T
            if np.array_equal(axes, np.eye(3)):
                matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = matrix.tolist()
        body = self.links[name] = self.reader.names.new(f"{self.prefix}{name}")
        try:
            draft.body(body, mass, place, (xx, yy, zz, xy, xz, yz) if xy or xz or yz else (xx, yy, zz))
        except ModelError as problem:
            raise ModelError(f"{link.place}: {problem}") from None
        draft.point(body, "origin", (0.0, 0.0, 0.0))
        draft.place_body(body, compose(self.at, self.poses.of(name, link)))
        if self.reader.surfaces is not None:
            draft.left_out += self.reader.surfaces.add(body, link)
        for tag, usual in (("gravity", True), ("kinematic", False)):
            if child_truth(link, tag, usual) is not usual:
                self.reader.leave_out(link.first(tag) or link, f"{tag} of a single link is not supported")

    def _stand(self, body: str) -> None:
        """Fixes a body to the ground where it is."""
        placed = self.draft.placed[body]
        at = (tuple(map(float, placed.origin)), placed.axes)
        self.draft.hang(f"{body} to ground", GROUND, at, body, IDENTITY, [], (body, "origin"))

    # -- joints

    def _ends(self, name: str, joint: Element) -> tuple[str, str]:
        """The links of a joint, "" for the world."""
        ends = []
        for tag in ("parent", "child"):
            given = joint.value(tag) or (joint.first(tag) or Element(tag)).attributes.get("link", "")
            link = given if given == WORLD else self.poses.link_of(scoped(name, given), joint)
            if link not in self.links and link not in (WORLD, MODEL):
                raise ModelError(
                    f"{joint.place}: its {tag} is '{given}', and there is no such link; "
                    f"{did_you_mean(given, self.links)}"
                )
            ends.append("" if link == WORLD else link)
        if ends[0] == ends[1] or MODEL in ends:
            raise ModelError(f"{joint.place}: it joins '{ends[1] or WORLD}' to '{ends[0] or WORLD}'.")
        return ends[0], ends[1]

    def _hang_all(self, joints: list[tuple[str, Element]]) -> None:
        """Hangs links on the world or, in models that float, on links that are no joint's child; joints between links
        that are placed already close loops."""
        ends = {name: self._ends(name, joint) for name, joint in joints}
        if len(ends) < len(joints):
            raise ModelError(f"{self.element.place}: there are two joints of the same name; give each a unique name.")
        elements = dict(joints)
        near: dict[str, list[str]] = {}
        for name, pair in ends.items():
            for link in pair:
                near.setdefault(link, []).append(name)
        children = {child for _, child in ends.values()}
        reached: set[str] = set()
        done: set[str] = set()
        passive: list[tuple[str, str, str]] = []
        for root in ("", *sorted(self.links, key=lambda link: link in children)):
            waiting = [] if root in reached else [root]
            reached.add(root)
            while waiting:
                here = waiting.pop(0)
                for name in near.get(here, ()):
                    if name in done:
                        continue
                    done.add(name)
                    parent, child = ends[name]
                    closing = parent in reached and child in reached
                    upwards = not closing and child in reached
                    self._hang(name, elements[name], parent, child, upwards=upwards, closing=closing)
                    hung = parent if upwards else child
                    if not closing:
                        reached.add(hung)
                        waiting.append(hung)
                    passive.append((name, hung, "" if closing else hung))
        for name, at, top in passive:
            if len(MOVES[elements[name].attributes["type"]]) == 1:
                self._passive(name, elements[name], self._moved(name, elements[name], at, top))

    def _hang(self, name: str, joint: Element, parent: str, child: str, *, upwards: bool, closing: bool) -> None:
        kind = joint.attributes.get("type", "")
        if kind not in MOVES:
            raise ModelError(
                f"{joint.place}: joints of type '{kind}' are not supported; known: {', '.join(MOVES)}. Without it "
                f"'{child or WORLD}' would not be held."
            )
        frames = {link: relative(self._pose(link, joint), self.poses.of(name, joint)) for link in (parent, child)}
        moves = self._moves(name, joint, kind)
        above, below = (child, parent) if upwards else (parent, child)
        bodies = [self.links[link] if link else GROUND for link in (above, below)]
        try:
            shown = self.draft.hang(
                f"{self.prefix}{name}", bodies[0], frames[above], bodies[1], frames[below], moves, (name, name),
                reverse=upwards, closing=closing,
            )  # fmt: skip
        except ModelError as problem:
            raise ModelError(f"{joint.place}: {problem}") from None
        if len(shown) == 1:
            self.measures[name] = shown[0]
        for tag, kept in (("gearbox_ratio", False), ("physics", True), ("sensor", True)):
            if joint.first(tag) is not None and not kept:
                self.reader.leave_out(joint, f"{tag} is not supported")

    def _pose(self, link: str, user: Element) -> Frame:
        """A link in the axes of the model; the world is seen from there."""
        return self.poses.of(link, user) if link else relative(self.at, IDENTITY)

    def _moves(self, name: str, joint: Element, kind: str) -> list[Move]:
        words = MOVES[kind]
        if kind == "ball":
            for tag in ("damping", "friction"):
                dynamics = (joint.first("axis") or Element("axis")).first("dynamics")
                if dynamics is not None and child_number(dynamics, tag, 0.0):
                    self.reader.leave_out(dynamics, f"{tag} of a ball joint has no effect here")
            return [
                Move("turn", tuple(map(float, axis)), 0.0, 0.0, f"{name}_{x}")
                for x, axis in zip("xyz", np.eye(3), strict=True)
            ]
        found = []
        for k, word in enumerate(words):
            axis = joint.first("axis" if k == 0 else "axis2") or Element("axis")
            called = f"{self.prefix}{name}" if len(words) == 1 else f"{self.prefix}{name}_{k + 1}"
            found.append(Move("slide" if word == "slide" else "turn", self._axis(name, joint, axis), 0.0, 0.0, called))
        return found

    def _axis(self, name: str, joint: Element, axis: Element) -> Vector:
        """The direction of an axis in the axes of the joint's frame."""
        given = child_vector(axis, "xyz", (0.0, 0.0, 1.0))
        given = given if math.hypot(*given) == 1.0 else unit(direction(axis, "xyz", given))
        within = (axis.first("xyz") or Element("xyz")).attributes.get("expressed_in", "")
        if not within and child_truth(axis, "use_parent_model_frame", self.reader.old_axes):
            within = MODEL
        if not within:
            return given
        turned = relative(self.poses.of(name, joint), self.poses.of(scoped(name, within), axis))[1]
        return unit(tuple(map(float, turned @ np.array(given))))

    def _moved(self, name: str, joint: Element, at: str, top: str) -> float:
        """The inertia of all that hangs on a joint, at the start: kg m² about its axis, or kg."""
        move = self._moves(name, joint, joint.attributes["type"])[0]
        place, axes = compose(self.at, self.poses.of(name, joint))
        body = self.links.get(top or at, "")
        bodies = self.draft.carried_by(body) if top else [body] * bool(at)
        return self.draft.inertia_about(bodies, place, axes @ np.array(move.axis), turns=move.kind == "turn")

    def _passive(self, name: str, joint: Element, inertia: float) -> None:
        """Damping, friction, springs and limits of a joint with one coordinate."""
        draft, measure, axis = self.draft, self.measures.get(name, ""), joint.first("axis") or Element("axis")
        if not measure:
            return
        given = axis.first("dynamics") or Element("dynamics")
        add_damping(draft, name, measure, child_number(given, "damping", 0.0))
        if friction := child_number(given, "friction", 0.0):
            on = next(one.name for one in draft.joints if one.name == f"{self.prefix}{name}")
            draft.rub(f"friction {name}", on, friction)
        stiffness, rest = (child_number(given, tag, 0.0) for tag in ("spring_stiffness", "spring_reference"))
        if stiffness and draft.measures[measure].winds:
            draft.push(TorsionSpring(name=f"spring {name}", angle=measure, stiffness=stiffness, rest=rest))
        elif stiffness:
            draft.push(Pull(name=f"spring {name}", measure=measure, force=f"{-stiffness!r}*(`{measure}` - {rest!r})"))
        limit = axis.first("limit")
        if limit is None or self.limits_off(joint):
            return
        low, high = (child_number(limit, tag, sign * 1e16) for tag, sign in (("lower", -1.0), ("upper", 1.0)))
        ends = (low if low > -UNLIMITED else None, high if high < UNLIMITED else None)
        if low >= high:
            self.reader.remarks.append(f"{joint.place}: its limits are {low:g} and {high:g}, so it has none.")
        elif ends != (None, None):
            add_limits(draft, name, measure, ends, inertia, self.reader.limits)

    def limits_off(self, joint: Element) -> bool:
        """Whether the limits of a joint are disregarded."""
        return self.reader.limits == "none" or joint.attributes.get("type") == "continuous"

    def _mimic(self, name: str, joint: Element) -> None:
        """q = multiplier · (other − reference) + offset."""
        mimic = (joint.first("axis") or Element("axis")).first("mimic")
        if mimic is None:
            return
        other = self.measures.get(scoped(name, mimic.attributes.get("joint", "")))
        own = self.measures.get(name)
        if other is None or own is None or own == other:
            self.reader.leave_out(mimic, "it follows no other joint with one coordinate")
            return
        factor, offset, reference = (
            number(mimic, tag, mimic.value(tag) or usual)
            for tag, usual in (("multiplier", "1"), ("offset", "0"), ("reference", "0"))
        )
        terms = {own: 1.0} | ({other: -factor} if factor else {})
        law = offset - factor * reference
        self.draft.couplings.append(Linear(name=self.draft.work_name(f"mimic {name}"), terms=terms, law=law))

"""Reads MuJoCo's MJCF: bodies with joints, equality constraints, tendons between two points as springs, gravity and the first keyframe.

Masses come from `inertial`, or from the geoms where there is none. Joint coordinates become measures; the start is the reference position, or the first keyframe. Contacts,
limits, controls and whatever else a mechanism of ours has not is left out, each with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from grashof.errors import ModelError
from grashof.exchange.draft import Draft, Frame, Move
from grashof.exchange.frames import column
from grashof.exchange.lexis import direction, number, numbers, truth
from grashof.exchange.mjcf_shapes import Matter, Settings, attitude, of_geom, together
from grashof.exchange.torques import NotOurs, twist
from grashof.exchange.xml import Element
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND
from grashof.model.couplings.linear import Linear
from grashof.model.fields import Vector
from grashof.model.forces import Friction, PointForce, Pull, SpringDamper, Torque, TorsionSpring
from grashof.model.measures import Angle
from grashof.model.model import Model
from grashof.model.rotations import rotation_matrix

_SKIPPED = frozenset(
    {
        "compiler",
        "option",
        "size",
        "visual",
        "statistic",
        "default",
        "asset",
        "worldbody",
        "equality",
        "tendon",
        "actuator",
        "keyframe",
        "custom",
        "sensor",
        "contact",
    }
)
NEAR = 1e-12
"""m: where a joint is on its parent is calculated, and found among the sites up to round-off."""
_ORIGIN: Vector = (0.0, 0.0, 0.0)


def read(root: Element, path: Path | None = None) -> tuple[Model, list[str]]:
    """The mechanism, and what of the document it does not have, as sentences."""
    if root.tag != "mujoco":
        raise ModelError(f"the document begins with <{root.tag}>, and one of MuJoCo with <mujoco>.")
    return Reader(root).model()


class Reader:
    """One document."""

    def __init__(self, root: Element) -> None:
        self.root = root
        compiler, option = (
            {k: v for part in root.all(tag) for k, v in part.attributes.items()} for tag in ("compiler", "option")
        )
        self.settings = Settings(
            compiler.get("angle", "degree") != "radian",
            compiler.get("eulerseq", "xyz")
            if set(compiler.get("eulerseq", "xyz").lower()) <= set("xyz") and len(compiler.get("eulerseq", "xyz")) == 3
            else "xyz",
            compiler.get("inertiafromgeom", "auto"),
            compiler.get("autolimits", "true") != "false",
        )
        gravity = numbers(root, "gravity", option.get("gravity", "0 0 -9.81"), 3)
        self.draft = Draft(root.attributes.get("model", "mujoco"), gravity, NEAR)
        self.classes: dict[str, dict[str, dict[str, str]]] = {}
        self.reference: dict[str, Frame] = {GROUND: (_ORIGIN, np.eye(3))}
        """Where bodies are in the reference position."""
        self.joints: dict[str, tuple[str, float]] = {}
        """The measure of each joint, "" if it has none, and by how much the joint's coordinate is larger."""
        self.names: dict[str, str] = {}
        """The joint of ours that each single joint became."""
        self.sites: dict[str, tuple[str, Vector, np.ndarray]] = {}
        self.geoms = 0
        self.references: dict[str, float] = {}
        self.tendons = {tendon.name: tendon for group in root.all("tendon") for tendon in group.children}
        for default in root.all("default"):
            self._defaults(default, {}, default.attributes.get("class", "main"))
        key = next((key for frames in root.all("keyframe") for key in frames.all("key")), None)
        given = {} if key is None else key.attributes
        owner = key or root
        self._qpos = iter(numbers(owner, "qpos", given["qpos"])) if "qpos" in given else None
        self._qvel = iter(numbers(owner, "qvel", given["qvel"])) if "qvel" in given else None

    def model(self) -> tuple[Model, list[str]]:
        root, draft = self.root, self.draft
        for world in root.all("worldbody"):
            self._sites(world, GROUND, "")
            for child in world.all("body", "frame", "replicate", "composite", "flexcomp", "attach"):
                self._body(child, GROUND, "")
        for group in root.all("equality"):
            for part in group.children:
                self._with_place(part, self._equality)
        for group in root.all("tendon"):
            for part in group.all("spatial"):
                self._with_place(part, self._spring)
        for group in root.all("actuator"):
            for part in group.children:
                self._with_place(part, self._actuator)
        for part in root.children:
            if part.tag not in _SKIPPED:
                self.leave_out(part)
        flags = [flag for option in root.all("option") for flag in option.all("flag")]
        if self.geoms > 1 and not any(flag.attributes.get("contact") == "disable" for flag in flags):
            draft.left_out.append(f"{self.geoms} geoms: contact is not supported; they pass through each other.")
        return draft.finish(), draft.left_out

    def leave_out(self, part: Element, why: str = "") -> None:
        """Takes note of what is not part of the mechanism."""
        self.draft.left_out.append(f"{part.place}: {why or f'{part.tag} is not supported'}; it is left out.")

    def _with_place(self, part: Element, use: Callable[[Element], None]) -> None:
        try:
            use(part)
        except NotOurs as problem:
            self.leave_out(part, str(problem))
        except ModelError as problem:
            said = str(problem)
            raise ModelError(said if said.startswith("line ") else f"{part.place}: {said}") from None

    # -- defaults

    def _defaults(self, default: Element, above: dict[str, dict[str, str]], name: str) -> None:
        own = {tag: dict(values) for tag, values in above.items()}
        for part in default.children:
            if part.tag != "default":
                own[part.tag] = own.get(part.tag, {}) | part.attributes
        self.classes[name] = own
        for part in default.all("default"):
            self._defaults(part, own, part.attributes.get("class", ""))

    def given(self, part: Element, inherited: str = "") -> dict[str, str]:
        """Attributes, with those of its class."""
        name = part.attributes.get("class", inherited) or "main"
        return self.classes.get(name, self.classes.get("main", {})).get(part.tag, {}) | part.attributes

    # -- bodies

    def _body(self, body: Element, parent: str, inherited: str) -> None:
        if body.tag != "body":
            self.leave_out(body, f"<{body.tag}> is not supported, and what is in it")
            return
        inherited = body.attributes.get("childclass", inherited)
        name = body.name or f"body{len(self.draft.bodies) + 1}"
        if not body.name:
            while name in self.draft.placed:
                name += "_"
        matter = self._matter(body, inherited)
        xx, yy, zz, xy, xz, yz = (
            float(matter.inertia[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        )
        entries = (xx, yy, zz, xy, xz, yz) if xy or xz or yz else (xx, yy, zz)
        plain = name.replace(".", "_")
        try:
            self.draft.body(plain, matter.mass, tuple(map(float, matter.center)), entries)
            at = (
                numbers(body, "pos", body.attributes.get("pos", "0 0 0"), 3),
                attitude(body, body.attributes, self.settings),
            )
            place, axes = self.reference[parent]
            self.reference[plain] = (tuple(map(float, np.array(place) + axes @ np.array(at[0]))), axes @ at[1])
            self._sites(body, plain, inherited)
            self._hang(body, plain, parent, at, inherited)
        except ModelError as problem:
            said = str(problem)
            raise ModelError(said if said.startswith("line ") else f"{body.place}: {said}") from None
        for child in body.all("body", "frame", "replicate", "composite", "flexcomp", "attach"):
            self._body(child, plain, inherited)

    def _matter(self, body: Element, inherited: str) -> Matter:
        inertial = body.first("inertial")
        geoms = body.all("geom")
        self.geoms += len(geoms)
        if inertial is not None and self.settings.from_geoms != "true":
            given = inertial.attributes
            center = np.array(numbers(inertial, "pos", given.get("pos", "0 0 0"), 3))
            axes = attitude(inertial, given, self.settings)
            if "fullinertia" in given:
                xx, yy, zz, xy, xz, yz = numbers(inertial, "fullinertia", given["fullinertia"], 6)
                matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            else:
                matrix = np.diag(numbers(inertial, "diaginertia", given.get("diaginertia", "0 0 0"), 3))
            turned = matrix if np.array_equal(axes, np.eye(3)) else axes @ matrix @ axes.T
            return Matter(number(inertial, "mass", given.get("mass", "0")), center, turned)
        if self.settings.from_geoms == "false":
            return Matter(0.0, np.zeros(3), np.zeros((3, 3)))
        found = []
        for geom in geoms:
            matter = of_geom(geom, self.given(geom, inherited), self.settings)
            if matter is None:
                self.leave_out(geom, "the mass of a mesh is not known here")
            else:
                found.append(matter)
        return together(found)

    def _sites(self, body: Element, name: str, inherited: str) -> None:
        for site in body.all("site"):
            given = self.given(site, inherited)
            place = numbers(site, "pos", given.get("pos", "0 0 0"), 3)
            axes = attitude(site, given, self.settings)
            # written by us, a site is called body.point
            called = site.name.removeprefix(f"{name}.") or "site"
            self.draft.point(name, called, place)
            if site.name:
                self.sites[site.name] = (name, place, axes)

    def _hang(self, body: Element, name: str, parent: str, at: Frame, inherited: str) -> None:
        """The joints of a body, one after the other."""
        listed = [*body.all("freejoint"), *body.all("joint")]
        told = [(joint, self.given(joint, inherited)) for joint in listed]
        kind = [("free" if joint.tag == "freejoint" else given.get("type", "hinge")) for joint, given in told]
        if "free" in kind or "ball" in kind:
            if len(kind) > 1:
                raise ModelError("a ball or free joint together with others is not supported.")
            self._loose(kind[0], *told[0], name, parent, at)
            return
        single = [self._single(joint, given) for joint, given in told]
        turning = {place for move, place, _ in single if move.kind == "turn"}
        label = listed[0].name if listed else f"{name}_weld"
        slides_first = [move.kind for move, _, _ in single] == sorted((move.kind for move, _, _ in single))
        if len(turning) <= 1 and slides_first:
            on = next(iter(turning), _ORIGIN)
            frame = (tuple(map(float, np.array(at[0]) + at[1] @ np.array(on))), at[1]) if any(on) else at
            self._joined(label, parent, frame, name, (on, np.eye(3)), single)
        else:
            here, frame = parent, at
            for k, (move, place, offset) in enumerate(single):
                last = k + 1 == len(single)
                below = name if last else f"{name}_between_{k + 1}"
                if not last:
                    self.draft.body(below, 0.0, _ORIGIN, (0.0, 0.0, 0.0))
                shifted = (tuple(map(float, np.array(frame[0]) + frame[1] @ np.array(place))), frame[1])
                self._joined(move.name, here, shifted, below, (place, np.eye(3)), [(move, place, offset)])
                here, frame = below, (_ORIGIN, np.eye(3))
        for (joint, given), (move, _, _) in zip(told, single, strict=True):
            self._passive(joint, given, move, len(single))

    def _single(self, joint: Element, given: dict[str, str]) -> tuple[Move, Vector, float]:
        """A hinge or a slide: its move from the reference position, its place, and its coordinate there."""
        kind = given.get("type", "hinge")
        if kind not in ("hinge", "slide"):
            raise ModelError(f"{joint.place}: type is '{kind}'; it must be hinge, slide, ball or free.")
        axis = direction(joint, "axis", numbers(joint, "axis", given.get("axis", "0 0 1"), 3))
        ref = number(joint, "ref", given.get("ref", "0"))
        ref = self.settings.angle(ref) if kind == "hinge" else ref
        value, rate = self._next(joint, 1, (ref,)), self._rates(joint, 1)
        place = numbers(joint, "pos", given.get("pos", "0 0 0"), 3) if kind == "hinge" else _ORIGIN
        name = joint.name or f"joint{len(self.joints) + 1}"
        self.references[name] = ref
        return Move("turn" if kind == "hinge" else "slide", axis, value[0] - ref, rate[0], name), place, ref

    def _joined(
        self, label: str, parent: str, at: Frame, name: str, on: Frame, single: list[tuple[Move, Vector, float]]
    ) -> None:
        moves = [move for move, _, _ in single]
        offsets = [offset for _, _, offset in single]
        if len(single) == 1 and offsets[0]:
            # the coordinate itself: a constant part before it brings it to the reference position
            move = moves[0]
            moves = [
                Move(move.kind, move.axis, -offsets[0]),
                Move(move.kind, move.axis, move.value + offsets[0], move.rate, move.name),
            ]
            offsets = [0.0]
        shown = self.draft.hang(
            label, parent, at, name, on, moves, ("o" if not any(on[0]) and parent != GROUND else label, label)
        )
        for (move, _, _), measure, offset in zip(single, shown, offsets, strict=True):
            if move.name in self.joints:
                raise ModelError(f"joint '{move.name}' is there twice; give each joint a name of its own.")
            self.joints[move.name] = measure, offset
            self.names[move.name] = self.draft.joints[-1].name if self.draft.joints else ""

    def _loose(self, kind: str, joint: Element, given: dict[str, str], name: str, parent: str, at: Frame) -> None:
        """A ball, or a free body."""
        place = numbers(joint, "pos", given.get("pos", "0 0 0"), 3) if kind == "ball" else _ORIGIN
        turned = at[1]
        if kind == "free":
            values = self._next(joint, 7, (*at[0], 0.0, 0.0, 0.0, 0.0))
            origin = values[:3]
            if any(values[3:]):
                turned = rotation_matrix(values[3:])
            speeds = self._rates(joint, 6)
            moving = [*map(float, turned.T @ np.array(speeds[:3]))]
            axes = list(np.eye(3))
            moves = [
                Move("slide", tuple(map(float, axis)), 0.0, rate, f"slide{k}")
                for k, (axis, rate) in enumerate(zip(axes, moving, strict=True))
            ]
            spins = speeds[3:]
        else:
            values = self._next(joint, 4, (1.0, 0.0, 0.0, 0.0))
            origin = tuple(map(float, np.array(at[0]) + at[1] @ np.array(place)))
            turned = at[1] @ (np.eye(3) if not any(values[1:]) else rotation_matrix(values))
            moves, spins = [], self._rates(joint, 3)
        moves += [
            Move("turn", tuple(float(i == k) for i in range(3)), 0.0, rate, f"turn{k}") for k, rate in enumerate(spins)
        ]
        label = joint.name or f"{name}_{kind}"
        self.draft.hang(label, parent, (origin, turned), name, (place, np.eye(3)), moves, (label, label))
        self.joints[label] = "", 0.0
        if any(
            float(x)
            for key in ("stiffness", "damping", "frictionloss")
            if (x := given.get(key, "0")).replace(".", "").isdigit()
        ):
            self.leave_out(joint, f"springs, damping and friction of a {kind} joint are not supported")

    def _next(self, joint: Element, count: int, default: tuple[float, ...]) -> tuple[float, ...]:
        return self._taken(joint, "qpos", self._qpos, count) if self._qpos is not None else default

    def _rates(self, joint: Element, count: int) -> tuple[float, ...]:
        return self._taken(joint, "qvel", self._qvel, count) if self._qvel is not None else (0.0,) * count

    def _taken(self, joint: Element, what: str, values: Iterator[float], count: int) -> tuple[float, ...]:
        found = tuple(islice(values, count))
        if len(found) < count:
            raise ModelError(f"the keyframe's {what} has fewer numbers than the joints have coordinates.")
        return found

    def _passive(self, joint: Element, given: dict[str, str], move: Move, count: int) -> None:
        """Springs, dampers, friction and limits of a joint."""
        stiffness, damping, loss = (
            numbers(joint, key, given.get(key, "0"))[:1] or (0.0,) for key in ("stiffness", "damping", "frictionloss")
        )
        k, c, friction = stiffness[0], damping[0], loss[0]
        measure, offset = self.joints[move.name]
        turns = move.kind == "turn"
        if (k or c) and measure:
            rest = number(joint, "springref", given.get("springref", "0"))
            rest = (self.settings.angle(rest) if turns else rest) - offset
            name = f"spring {move.name}"
            if turns:
                self.draft.push(TorsionSpring(name=name, angle=measure, stiffness=k, rest=rest, damping=c))
            else:
                self.draft.push(
                    Pull(
                        name=name, measure=measure, force=f"-{k!r}*(`{measure}` - ({rest!r})) - {c!r}*`{measure}.rate`"
                    )
                )
        elif k or c:
            self.leave_out(joint, "springs and damping of hinges that make a ball together are not supported")
        if friction and count == 1:
            self.draft.push(Friction(name=f"friction {move.name}", joint=self.names[move.name], coulomb=friction))
        elif friction:
            self.leave_out(joint, "friction of one of several joints of a body is not supported")
        if number(joint, "armature", given.get("armature", "0")):
            self.leave_out(joint, "its armature, an inertia of the joint, is not supported")
        limited = given.get("limited", "auto")
        if limited == "true" or (limited == "auto" and self.settings.limits and "range" in given):
            self.draft.left_out.append(
                f"{joint.place}: it is limited to the range {given.get('range', '0 0')}, and such limits are not simulated; the joint is free."
            )

    # -- equalities, springs and forces

    def _site(self, part: Element, attribute: str) -> tuple[str, Vector, np.ndarray]:
        name = part.attributes.get(attribute, "")
        if name not in self.sites:
            raise ModelError(f"there is no site '{name}'.")
        return self.sites[name]

    def _named_body(self, part: Element, attribute: str) -> str:
        name = part.attributes.get(attribute, "").replace(".", "_") or GROUND
        name = GROUND if name == "world" else name
        if name not in self.reference:
            raise ModelError(f"there is no body '{name}'.")
        return name

    def _ends(self, part: Element) -> tuple[tuple[str, Frame], tuple[str, Frame]]:
        """The two frames that an equality makes one: of sites, or of bodies in the reference position."""
        given = part.attributes
        if "site1" in given:
            (a, place_a, axes_a), (b, place_b, axes_b) = self._site(part, "site1"), self._site(part, "site2")
            return (a, (place_a, axes_a)), (b, (place_b, axes_b))
        a, b = self._named_body(part, "body1"), self._named_body(part, "body2")
        anchor = numbers(part, "anchor", given.get("anchor", "0 0 0"), 3)
        (origin_a, axes_a), (origin_b, axes_b) = self.reference[a], self.reference[b]
        if part.tag == "weld":
            # the anchor of a weld is fixed in the second body
            pose = numbers(part, "relpose", given.get("relpose", "0 1 0 0 0 0 0"), 7)
            relative = axes_a.T @ axes_b
            offset = axes_a.T @ (np.array(origin_b) - np.array(origin_a))
            if any(pose[3:]):
                relative, offset = rotation_matrix(pose[3:]), np.array(pose[:3])
            return (a, (tuple(map(float, offset + relative @ np.array(anchor))), relative)), (b, (anchor, np.eye(3)))
        there = axes_b.T @ (np.array(origin_a) + axes_a @ np.array(anchor) - np.array(origin_b))
        return (a, (anchor, np.eye(3))), (b, (tuple(map(float, there)), np.eye(3)))

    def _equality(self, part: Element) -> None:
        draft, given, name = self.draft, self.given(part), part.name or f"{part.tag}{len(self.draft.joints)}"
        if not truth(part, "active", given.get("active", ""), True):
            return
        match part.tag:
            case "connect" | "weld":
                (a, (place_a, axes_a)), (b, (place_b, axes_b)) = self._ends(part)
                ends = {
                    "a": draft.point(a, f"{name}_1", place_a, any_name=True),
                    "b": draft.point(b, f"{name}_2", place_b, any_name=True),
                }
                if part.tag == "connect":
                    draft.join(kinds.Spherical(name=name, **ends))
                else:
                    x_a, y_a, x_b, y_b = column(axes_a, 0), column(axes_a, 1), column(axes_b, 0), column(axes_b, 1)
                    draft.join(kinds.Weld(name=name, **ends, axis_a=x_a, axis_b=x_b, normal_a=y_a, normal_b=y_b))
            case "joint":
                coefficients = (*numbers(part, "polycoef", given.get("polycoef", "0 1 0 0 0")), 0.0, 0.0, 0.0, 0.0, 0.0)
                if any(coefficients[2:]):
                    raise NotOurs("a polynomial of higher degree is not supported")
                terms, law = {}, coefficients[0]
                for attribute, factor in (("joint1", 1.0), ("joint2", -coefficients[1])):
                    joint = given.get(attribute, "")
                    if attribute == "joint2" and not joint:
                        continue
                    measure, offset = self._measure(joint)
                    if factor:
                        # both sides count from the reference position
                        terms[measure] = factor
                        law += factor * (self._at_reference(joint) - offset)
                draft.couplings.append(Linear(name=draft.work_name(name), terms=terms, law=law))
            case "tendon":
                self._held(part, given, name)
            case _:
                raise NotOurs(f"{part.tag} is not supported")

    def _measure(self, joint: str) -> tuple[str, float]:
        if joint not in self.joints:
            raise ModelError(f"there is no joint '{joint}'.")
        measure, offset = self.joints[joint]
        if not measure:
            raise NotOurs(f"'{joint}' has no single coordinate here")
        return measure, offset

    def _at_reference(self, joint: str) -> float:
        """A joint's coordinate in the reference position."""
        return self.references.get(joint, 0.0)

    def _held(self, part: Element, given: dict[str, str], name: str) -> None:
        """A tendon of constant length: a sum of joint coordinates, or a rod."""
        tendon = self.tendons.get(given.get("tendon1", ""))
        if tendon is None or "tendon2" in given or any(numbers(part, "polycoef", given.get("polycoef", "0"))[:1]):
            raise NotOurs("this equality of tendons is not supported")
        if tendon.tag == "fixed":
            terms, law = {}, 0.0
            for term in tendon.all("joint"):
                joint, factor = term.attributes.get("joint", ""), number(term, "coef", term.attributes.get("coef", "0"))
                measure, offset = self._measure(joint)
                terms[measure] = factor
                law += factor * (self._at_reference(joint) - offset)
            self.draft.couplings.append(Linear(name=self.draft.work_name(name), terms=terms, law=law))
            return
        a, b = self._two_sites(tendon)
        length = self._apart(tendon)
        self.draft.join(kinds.Distance(name=name, a=a, b=b, length=length))

    def _two_sites(self, tendon: Element) -> tuple[str, str]:
        if [part.tag for part in tendon.children] != ["site", "site"]:
            raise NotOurs("a tendon that is not straight between two sites is not supported")
        found = [self._site(part, "site") for part in tendon.children]
        first, second = (
            self.draft.point(body, f"{tendon.name}_{k}", place, any_name=True)
            for k, (body, place, _) in enumerate(found, 1)
        )
        return first, second

    def _apart(self, tendon: Element) -> float:
        """The distance of its two sites in the reference position."""
        places = []
        for part in tendon.children:
            body, place, _ = self._site(part, "site")
            origin, axes = self.reference[body]
            places.append(np.array(origin) + axes @ np.array(place))
        return float(np.linalg.norm(places[1] - places[0]))

    def _spring(self, tendon: Element) -> None:
        given = self.given(tendon)
        k, c = ((*numbers(tendon, key, given.get(key, "0")), 0.0)[0] for key in ("stiffness", "damping"))
        if not (k or c):
            return
        a, b = self._two_sites(tendon)
        lengths = numbers(tendon, "springlength", given.get("springlength", "-1")) or (-1.0,)
        length = self._apart(tendon) if lengths[0] < 0.0 else lengths[0]
        if len(lengths) > 1 and lengths[1] != lengths[0]:
            raise NotOurs("a spring with a dead band is not supported")
        self.draft.push(SpringDamper(name=tendon.name or "spring", a=a, b=b, stiffness=k, length=length, damping=c))

    def _actuator(self, part: Element) -> None:
        """Forces that do not depend on controls; controls come from outside."""
        draft, given, name = self.draft, self.given(part), part.name or f"actuator{len(self.draft.forces)}"
        bias = (*numbers(part, "biasprm", given.get("biasprm", "0")), 0.0, 0.0, 0.0)
        constant = part.tag == "general" and given.get("biastype") == "affine" and not any(bias[1:3])
        if not constant or number(
            part, "gainprm", given.get("gainprm", "1").split()[0] if given.get("gainprm", "1").split() else "1"
        ):
            raise NotOurs("its force depends on a control, which the document does not give")
        gear = [
            bias[0] * x
            for x in (*numbers(part, "gear", given.get("gear", "1 0 0 0 0 0")), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)[:6]
        ]
        if "joint" in given:
            measure, _ = self._measure(given["joint"])
            if isinstance(draft.measures[measure], Angle):
                draft.push(Torque(name=name, angle=measure, torque=gear[0]))
            else:
                draft.push(Pull(name=name, measure=measure, force=gear[0]))
            return
        body, place, axes = self._site(part, "site")
        world = "refsite" in given
        if world and self._site(part, "refsite")[0] != GROUND:
            raise NotOurs("its reference site is not on the ground, which is not supported")
        turned = self._site(part, "refsite")[2] if world else axes
        force, torque = turned @ np.array(gear[:3]), turned @ np.array(gear[3:])
        if force.any():
            point = draft.point(body, f"{name}_point", place, any_name=True)
            draft.push(
                PointForce(name=name, point=point, force=tuple(map(float, force)), axes="world" if world else "body")
            )
        if torque.any():
            along = torque if world else draft.placed[body].axes @ torque
            size = float(np.linalg.norm(along))
            axis = along / size
            if np.count_nonzero(np.abs(axis) > 1e-12) == 1:
                k = int(np.argmax(np.abs(axis)))
                size, axis = float(np.copysign(size, along[k])), np.eye(3)[k]
            twist(draft, name, body, GROUND, axis, size)

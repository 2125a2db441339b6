"""A mechanism as an MJCF document: bodies with joints, equalities that close the loops, sites, springs and constant
forces."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from grashof.exchange.coupled import closing_equations
from grashof.exchange.frames import frame
from grashof.exchange.mjcf.kept_parts import COORDINATES, ToldBody, settings_of, told_body, told_matter, told_part
from grashof.exchange.mjcf.parts import POSE, UNTURNED, ElementPart
from grashof.exchange.names import Names
from grashof.exchange.pulls import spring_of
from grashof.exchange.source import Source, numbers
from grashof.exchange.stages import Hung, coordinate, hang, reading
from grashof.exchange.xml import Maker
from grashof.model.bodies import GROUND
from grashof.model.couplings import Coupling
from grashof.model.fields import Vector, body_of
from grashof.model.forces import Force, Friction, Inerter, PointForce, Pull, SpringDamper, Torque, TorsionSpring
from grashof.model.joints import Joint
from grashof.model.laws import Law
from grashof.model.rotations import quaternion
from grashof.situation import Freedom, Link, Situation
from grashof.situation.cuts import cut_at, meeting, parts
from grashof.situation.tree import TreeCoordinate, start_rates

STEP = 1e-4
"""s; constraints pull back as critically damped oscillators with ω h = 0.35, which RK4 follows."""
_KINDS = {"turn": "hinge", "slide": "slide", "ball": "ball", "free": "free"}


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


def massless(s: Situation) -> set[str]:
    """Massless bodies between two others in the tree, with nothing else attached to them."""
    held = {body for joint in s.closures for body in joint.bodies}
    held |= {body_of(x) for force in s.model.forces for x in force.targets() if x in s.model.points}
    found = set()
    for link in s.tree:
        below = [other for other in s.tree if other.parent == link.body]
        loose = [freedom for one in (link, *below) for freedom in one.freedoms if freedom.kind in ("ball", "free")]
        i = s.index[link.body]
        if len(below) == 1 and link.body not in held and not (loose or s.masses[i] or s.inertias[i].any()):
            found.add(link.body)
    return found


class MjcfDocument:
    """Builds the MJCF document of a situation; forces and couplings are added to it.

    whole    whether every body and every joint has its own element. Otherwise massless bodies between joints are
             omitted, and loops may be closed by equations between coordinates, where the motion on its branch satisfies
             such equations
    source   the numbers of the document that the mechanism was read from; its reference position is used again if it is
             known
    """

    def __init__(self, s: Situation, whole: bool = False, source: Source | None = None) -> None:
        self.situation = s
        self.source = source or {}
        self.hung: list[Hung] = hang(s)
        self._joint_names, self._site_names, self._tendon_names = (
            Names(_INVISIBLE),
            Names(_INVISIBLE),
            Names(_INVISIBLE),
        )
        self.masses, self.inertias = parts(s, welds=False)
        self.root = Maker("mujoco", model=s.original.name)
        self.settings = settings_of(self.source)
        angle = "degree" if self.settings.degrees else "radian"
        given = {"eulerseq": self.settings.sequence} if self.settings.sequence != "xyz" else {}
        self._compiler = self.root.add("compiler", angle=angle, inertiafromgeom="false", autolimits="true", **given)
        option = self.root.add("option", timestep=repr(STEP), integrator="RK4", gravity=_row(s.gravity))
        option.add("flag", contact="disable")
        stiffness = (0.35 / STEP) ** 2
        self.root.add("default").add(
            "equality", solref=_row((-stiffness, -2.0 * 0.35 / STEP)), solimp="0.9999 0.9999 0.001 0.5 2"
        )
        self.bodies = {GROUND: self.root.add("worldbody")}
        self._tendons, self._equalities, self._actuators = (Maker(x) for x in ("tendon", "equality", "actuator"))
        self.joints: dict[tuple[int, int], tuple[str, Maker]] = {}
        self._springs: dict[str, tuple[float, str]] = {}
        """`springref` of joints that are unchanged since they were read from a document, in m or rad and as it is
        there."""
        self._starts: dict[int, tuple[Sequence[float], Sequence[float], Sequence[float]]] = {}
        """Coordinates in the reference position and at the start, and speeds at the start, by the number of the
        joint's element."""
        between = set() if whole else massless(s)
        above = {link.body: (k, link) for k, link in enumerate(s.tree)}
        for k, link in enumerate(s.tree):
            if link.body in between:
                continue
            chain, parent = [k], link.parent
            while parent in between:
                number, upper = above[parent]
                chain, parent = [number, *chain], upper.parent
            self._hang(link.body, link.body, parent, [(n, i) for n in chain for i in range(len(s.tree[n].freedoms))])
        for made in self.bodies.values():  # in the order of the description
            made.element[:] = sorted(made.element, key=lambda x: _rank(x, s.index))
        self._mark_points(between)
        ties = closing_equations(s, self.hung) if not (whole or self.source or s.model.couplings) else None
        for one in ties or ():
            factors = {one.dependent: 1.0} | {k: -x for k, x in zip(one.independent, one.factors, strict=True) if x}
            self._tie(
                f"{self.joints[one.dependent, 0][0]} tied", [(self.joints[k, 0][0], x) for k, x in factors.items()]
            )
        for joint in s.closures if ties is None else ():
            self._close(joint)

    def text(self) -> str:
        """The document; the keyframe gives the start, of joints in the order of its elements, which is MuJoCo's."""
        for group in (self._tendons, self._equalities, self._actuators):
            if len(group.element) and group.element not in self.root.element:
                self.root.element.append(group.element)
        starts = [self._starts[id(joint)] for joint in self.root.element.iter("joint") if id(joint) in self._starts]
        reference, positions, speeds = ([x for one in starts for x in one[k]] for k in range(3))
        given = {"qpos": _row(positions)} if positions != reference else {}
        given |= {"qvel": _row(speeds)} if any(speeds) else {}
        if given and self.root.element.find("keyframe") is None:
            self.root.add("keyframe").add("key", name="start", time=repr(float(self.situation.time)), **given)
        return self.root.document()

    # -- bodies and loops

    def _hang(self, name: str, body: str, parent: str, chain: Sequence[tuple[int, int]]) -> None:
        """Attaches a body to its parent with the freedoms of its link."""
        freedoms = [self.situation.tree[link].freedoms[i] for link, i in chain]
        told = told_body(self.source, body)
        kinds = [_KINDS[freedom.kind] for freedom in freedoms]
        if told is not None:
            own = [joint.kind for joint in told.joints]
            if own == kinds or (kinds == ["ball"] and own == ["hinge"] * 3):
                self._hang_as_told(name, parent, told, chain)
                self._weigh(name, body)
                return
        made = self._place(name, body, parent)
        s = self.situation
        origin, axes = s.pose(body)
        for (link, i), freedom in zip(chain, freedoms, strict=True):
            hung = self.hung[link]
            given, called, value = {}, f"{name}, freedom {i}", 0.0
            if freedom.kind in ("turn", "slide"):
                # the axes of a planar joint are those of its measures
                freedom, called, value = hung.slots[i].freedom, hung.slots[i].name, hung.slots[i].value
                given["axis"] = _tidy(axes.T @ freedom.axis)
            if freedom.kind in ("turn", "ball"):
                given["pos"] = _tidy(axes.T @ (freedom.through - origin))
            if hung.link.body == body and len(hung.stages) == 1:
                # the described axes, not those computed at the start
                place, own_axes = hung.stages[0].child
                if "pos" in given:
                    given["pos"] = _row(place)
                if "axis" in given and (literal := _literal(own_axes, axes.T @ freedom.axis)) is not None:
                    given["axis"] = _row(literal)
            if value:
                given["ref"] = repr(self._angle(value, freedom.kind == "turn"))
            called = self._joint_names.new(called)
            ordered = {word: given[word] for word in ("pos", "axis", "ref") if word in given}
            joint = made.add("joint", name=called, type=_KINDS[freedom.kind], **ordered)
            self.joints[link, i] = called, joint
            standing = {"ball": UNTURNED, "free": self._pose(body, parent)}.get(freedom.kind, (value,))
            self._starts[id(joint.element)] = standing, standing, self._rates(link, i, freedom)
        self._weigh(name, body)

    def _hang_as_told(self, name: str, parent: str, told: ToldBody, chain: Sequence[tuple[int, int]]) -> None:
        """Attaches a body with the joints that it had in a document."""
        made = self._add_told(self.bodies[parent], told.part, name=name)
        self.bodies[name] = made
        for k, one in enumerate(told.joints):
            called = self._joint_names.new(one.name)
            joint = self._add_told(made, one.part, name=called, type=one.kind)
            self._springs[called] = one.spring, self.source[f"body {name} joint {k + 1}"].get("springref", "0")
            still = (0.0,) * COORDINATES[one.kind][1]
            self._starts[id(joint.element)] = one.reference, one.position or one.reference, one.speed or still
            if len(chain) == len(told.joints):
                self.joints[chain[k]] = called, joint

    def _add_told(self, owner: Maker, part: ElementPart, **more: str) -> Maker:
        """Adds an element with its attributes and in its frames."""
        for enclosing in part.frames:
            owner = owner.add("frame", **enclosing)
        return owner.add(part.element.tag, **more, **part.given)

    def _angle(self, value: float, turning: bool) -> float:
        """A number of a joint in the units of the document."""
        return math.degrees(value) if turning and self.settings.degrees else value

    def _hang_part(self, name: str, body: str, parent: str, joint: Joint) -> None:
        """Attaches a second part of a body, under another name."""
        s, made = self.situation, self._place(name, body, parent)
        origin, axes = s.pose(body)
        freedoms = s.freedoms(body, joint)
        rates = start_rates(s, Link(body, parent, joint, freedoms), freedoms)
        for i, (freedom, rate) in enumerate(zip(freedoms, rates, strict=True)):
            given = {"pos": _tidy(axes.T @ (freedom.through - origin))} if freedom.kind == "turn" else {}
            given["axis"] = _tidy(axes.T @ freedom.axis)
            called = self._joint_names.new(f"{name}, freedom {i}")
            added = made.add("joint", name=called, type=_KINDS[freedom.kind], **given)
            self._starts[id(added.element)] = (0.0,), (0.0,), (float(rate),)
        self._weigh(name, body)

    def _pose(self, body: str, parent: str) -> Vector:
        """Place and quaternion of a body at the start, in the axes of another one."""
        (base, frame), (origin, axes) = self.situation.pose(parent), self.situation.pose(body)
        return (*_without_round_off(frame.T @ (origin - base)), *_without_round_off(quaternion(frame.T @ axes)))

    def _place(self, name: str, body: str, parent: str) -> Maker:
        pose = self._pose(body, parent)
        self.bodies[name] = self.bodies[parent].add("body", name=name, pos=_row(pose[:3]), quat=_row(pose[3:]))
        return self.bodies[name]

    def weightless(self) -> list[str]:
        """Moving bodies of the document that have no mass, or no inertia, themselves."""
        return [
            name
            for name, made in self.bodies.items()
            if "joint" in (own := {x.tag for x in _own(made.element)}) and not own & {"inertial", "geom"}
        ]

    def _weigh(self, name: str, body: str) -> None:
        k = self.situation.index[body]
        mass, inertia = float(self.masses[k]), self.inertias[k]
        told = told_matter(self.source, name)
        if told is not None:
            parts, found = told
            same = (found.mass, *found.center) == (mass, *self.situation.centers[k])
            if same and np.array_equal(np.triu(found.inertia), np.triu(inertia)):
                for part in parts:
                    self._add_told(self.bodies[name], part)
                if parts[0].element.tag == "geom":
                    self._compiler.element.attrib["inertiafromgeom"] = "auto"
                return
        if mass or inertia.any():
            entries = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
            self.bodies[name].add(
                "inertial", pos=_row(self.situation.centers[k]), mass=repr(mass), fullinertia=_row(entries)
            )

    def _rates(self, link: int, i: int, freedom: Freedom) -> list[float]:
        """Speeds of a joint at the start: of balls and free bodies, in their own axes."""
        s = self.situation
        if freedom.kind in ("turn", "slide"):
            return [self.hung[link].slots[i].rate]
        tie = s.tree[link]
        k, spin = s.index[tie.body], np.zeros(3)
        if tie.parent != GROUND:
            spin = s.spins[s.index[tie.parent]]
        turning = [*map(float, s.rotations[k].T @ (s.spins[k] - spin))]
        return turning if freedom.kind == "ball" else [*map(float, s.velocities[k]), *turning]

    def _mark_points(self, without: Collection[str]) -> None:
        """Writes every point as a site of the same name, except on bodies that are omitted."""
        self.sites: dict[str, str] = {}
        for reference, place in self.situation.model.points.items():
            body = body_of(reference)
            if body not in without:
                told = told_part(self.source, f"site {reference}", "site", POSE, self.settings)
                if told is None:
                    self.sites[reference] = self._mark(body, np.array(place), reference)
                else:
                    self.sites[reference] = self._site_names.new(reference)
                    self._add_told(self.bodies[body], told, name=self.sites[reference])

    def _mark(self, body: str, place: np.ndarray, name: str, **attitude: str) -> str:
        called = self._site_names.new(name)
        self.bodies[body].add("site", name=called, pos=_row(place), **attitude)
        return called

    def _close(self, joint: Joint) -> None:
        """Closes a loop: pins by points that coincide, rods by tendons, welds by sites, other joints by a second
        part of a body, welded to it."""
        s = self.situation
        told = self.source.get(f"joint {joint.name}", {})
        is_weld, is_ball = joint.motions == (), joint.points_meet and joint.lower_pair and not joint.axle
        if "between" in told and (is_weld or is_ball):
            a, b = joint.bodies
            given = {f"body{k}": x for k, x in ((1, a), (2, b)) if x != GROUND}
            given |= {
                word: told[word] for word in ("anchor", "relpose") if told.get(word, "").isprintable() and word in told
            }
            self._equalities.add("weld" if is_weld else "connect", name=joint.name, **given)
        elif joint.rod is not None:
            more = self._more(f"joint {joint.name}")
            tendon, _ = self._tendon(joint.name, joint.a, joint.b)
            self._equalities.add("tendon", name=joint.name, tendon1=tendon, **more)
        elif is_weld:
            ends, axes = [], dict(joint.directions())
            for side, point in (("a", joint.a), ("b", joint.b)):
                x, y = axes[f"axis_{side}"], axes[f"normal_{side}"]
                known = numbers(self.source, f"joint {joint.name}", f"quat_{side}", 4)
                attitude = _without_round_off(quaternion(frame(x=x, y=y))) if known is None else known
                body = body_of(point)
                called = f"{body}.{joint.name} {side}"
                ends.append(self._mark(body, np.array(s.model.points[point]), called, quat=_row(attitude)))
            self._equalities.add("weld", name=joint.name, site1=ends[0], site2=ends[1])
        elif cut := cut_at(joint):
            body, other = cut
            part = f"{body}, at {joint.name}"
            self._hang_part(part, body, other, joint)
            ends = [self._mark(name, np.zeros(3), f"{joint.name} {k}") for k, name in ((1, body), (2, part))]
            self._equalities.add("weld", name=joint.name, site1=ends[0], site2=ends[1])
        else:
            for k, places in enumerate(meeting(s, joint)):
                a, b = joint.bodies
                ends = [self.sites[joint.a], self.sites[joint.b]]
                if k:
                    ends = [
                        self._mark(body, place, f"{body}.{joint.name} axis")
                        for body, place in zip((a, b), places, strict=True)
                    ]
                self._equalities.add(
                    "connect", name=f"{joint.name}, axis" if k else joint.name, site1=ends[0], site2=ends[1]
                )

    def couple(self, coupling: Coupling) -> bool:
        """Writes a linear coupling as a fixed tendon of constant length; returns whether the coupling is linear."""
        found = linear_combination(self.situation, coupling)
        if found is None:
            return False
        terms = [(self.joints[x.link, x.freedom][0], factor) for x, factor in found]
        key = f"coupling {coupling.name}"
        if (polynomial := numbers(self.source, key, "polycoef", 2)) is not None and 1 <= len(terms) <= 2:
            second = {"joint2": terms[1][0]} if len(terms) > 1 else {}
            self._equalities.add("joint", name=coupling.name, joint1=terms[0][0], **second, polycoef=_row(polynomial))
        else:
            self._tie(coupling.name, terms, **self._more(key))
        return True

    def _more(self, key: str) -> dict[str, str]:
        """The offset that a document added to the length of a tendon in the reference position."""
        more = numbers(self.source, key, "polycoef", 1)
        return {} if more is None else {"polycoef": _row(more)}

    def _tie(self, name: str, terms: Sequence[tuple[str, float]], **more: str) -> None:
        tendon = self._tendons.add("fixed", name=self._tendon_names.new(name))
        for joint, factor in terms:
            tendon.add("joint", joint=joint, coef=repr(float(factor)))
        self._equalities.add("tendon", name=name, tendon1=tendon.element.attrib["name"], **more)

    # -- forces

    def push(self, force: Force) -> bool:
        """Adds a force as an equivalent MuJoCo element; returns whether there is one."""
        elements: dict[type, Callable[[Any], bool]] = {
            SpringDamper: self._spring,
            Friction: self._friction,
            Inerter: self._armature,
            PointForce: self._push_at_point,
            TorsionSpring: self._torsion_spring,
            Pull: self._pull,
            Torque: lambda torque: self._drive(torque, torque.angle, torque.torque),
        }
        element = elements.get(type(force))
        return element is not None and force.active and element(force)

    def _spring(self, force: SpringDamper) -> bool:
        if force.varies:
            return False
        k, length, c = (float(force.number(law)) for law in force.laws())
        _, spring = self._tendon(force.name, force.a, force.b)
        spring.element.attrib |= {"stiffness": repr(k), "damping": repr(c), "springlength": repr(length)}
        return True

    def _armature(self, force: Inerter) -> bool:
        found = coordinate(self.situation, self.situation.model.quantities[force.measure])
        if found is None:
            return False
        attributes = self.joints[found.link, found.freedom][1].element.attrib
        attributes["armature"] = repr(float(attributes.get("armature", "0")) + float(force.inertance))
        return True

    def _friction(self, force: Friction) -> bool:
        """Dry friction of a joint with one freedom, of a given size."""
        links = [k for k, link in enumerate(self.situation.tree) if link.joint and link.joint.name == force.joint]
        if force.varies or force.bearings() or len(links) != 1 or (links[0], 0) not in self.joints:
            return False
        if len(self.situation.tree[links[0]].freedoms) != 1 or force.number(force.viscous):
            return False
        attributes = self.joints[links[0], 0][1].element.attrib
        if attributes["type"] not in ("hinge", "slide") or "frictionloss" in attributes:
            return False
        attributes["frictionloss"] = repr(float(force.number(force.coulomb)))
        return True

    def _push_at_point(self, force: PointForce) -> bool:
        if force.varies:
            return False
        components = [float(force.number(x)) for x in force.force]
        world = {"refsite": self._world()} if force.axes == "world" else {}
        self._actuator(force.name, [*components, 0.0, 0.0, 0.0], site=self.sites[force.point], **world)
        return True

    def _torsion_spring(self, force: TorsionSpring) -> bool:
        if force.varies:
            return False
        k, rest, c = (float(force.number(law)) for law in force.laws())
        return self._coil(force.angle, k, rest, c)

    def _pull(self, force: Pull) -> bool:
        if sizes := spring_of(force):
            return self._coil(force.measure, *sizes)
        return self._drive(force, force.measure, force.force)

    def _coil(self, name: str, k: float, rest: float, c: float) -> bool:
        """The spring and damper of a joint along a measure, if the joint has none yet."""
        s = self.situation
        measure = s.model.quantities[name]
        found = coordinate(s, measure)
        if found is None:
            return False
        called, joint = self.joints[found.link, found.freedom]
        if "stiffness" in joint.element.attrib:
            return False
        slot = self.hung[found.link].slots[found.freedom]
        if slot.name != name:
            rest = slot.value + found.sign * (rest - reading(s, measure))
        told = ""
        if called in self._springs:
            # measures of several joints of one body count from the reference position
            (reference, position, _), (known, text) = self._starts[id(joint.element)], self._springs[called]
            asked = next((x.value for x in s.original.start.wants if x.quantity == name), position[0])
            shift = 0.0 if asked == position[0] else reference[0]
            told = text if known - shift == rest else ""
            rest += shift
        turning = joint.element.attrib["type"] == "hinge"
        rested = told or repr(self._angle(rest, turning))
        joint.element.attrib |= {"stiffness": repr(k), "damping": repr(c), "springref": rested}
        return True

    def _drive(self, force: Force, target: str, law: Law) -> bool:
        """A constant force or torque along a joint, along a tendon or, if the axis is fixed in both bodies, about that
        axis.
        """
        if force.varies:
            return False
        s = self.situation
        measure, effort = s.model.quantities[target], float(force.number(law))
        found = coordinate(s, measure)
        if found is not None:
            self._actuator(force.name, [found.sign * effort], joint=self.joints[found.link, found.freedom][0])
            return True
        if measure.motion is None or not s.coaxial(measure):
            return False
        axis = effort * s.axis_of(measure.motion, *measure.bodies)
        for body, sign in zip(measure.bodies[::-1], (1.0, -1.0), strict=True):
            if body != GROUND:
                site = self._mark(body, np.zeros(3), f"{force.name} {body}")
                self._actuator(f"{force.name} {body}", [0.0, 0.0, 0.0, *(sign * (s.pose(body)[1].T @ axis))], site=site)
        return True

    def _tendon(self, name: str, a: str, b: str) -> tuple[str, Maker]:
        called = self._tendon_names.new(name)
        made = self._tendons.add("spatial", name=called)
        made.add("site", site=self.sites[a])
        made.add("site", site=self.sites[b])
        return called, made

    def _world(self) -> str:
        if "world axes" not in self.sites:
            self.sites["world axes"] = self._mark(GROUND, np.zeros(3), "world axes")
        return self.sites["world axes"]

    def _actuator(self, name: str, gear: Sequence[float], **where: str) -> None:
        """A constant force that does not depend on the control."""
        constant = {"gaintype": "fixed", "gainprm": "0", "biastype": "affine", "biasprm": "1 0 0"}
        self._actuators.add("general", name=name, gear=_row(gear), **constant, **where)


_INVISIBLE = r"\x00-\x1f\x7f"


def _own(element: Element) -> Iterator[Element]:
    """The elements of a body, also those in frames."""
    for child in element:
        if child.tag == "frame":
            yield from _own(child)
        else:
            yield child


def _rank(element: Element, index: Mapping[str, int]) -> int:
    """The index of a body, or of the body in a frame; -1 for other elements."""
    own = [element, *_own(element)] if element.tag == "frame" else [element]
    return max((index[x.attrib["name"]] for x in own if x.tag == "body"), default=-1)


def _literal(axes: np.ndarray, direction: np.ndarray) -> np.ndarray | None:
    """The axis of a frame that equals a direction up to round-off, if there is one."""
    cosines = axes.T @ direction
    k = int(np.argmax(cosines))
    return axes[:, k] if cosines[k] > 1.0 - 1e-12 else None


def _row(values: Sequence[float] | np.ndarray) -> str:
    return " ".join(repr(float(x) + 0.0).removesuffix(".0") for x in values)


def _tidy(values: Sequence[float] | np.ndarray) -> str:
    return _row(_without_round_off(values))


def _without_round_off(values: Sequence[float] | np.ndarray) -> list[float]:
    """Numbers without the round-off of their computation."""
    scale = max(1e-300, *(abs(float(x)) for x in values))
    found = []
    for x in values:
        near = (float(f"{float(x):.{digits}g}") for digits in range(1, 17))
        found.append(next((y for y in near if abs(y - float(x)) <= 2.0**-52 * scale), float(x)))
    return [0.0 if abs(x) <= 2.0**-52 * scale else x for x in found]

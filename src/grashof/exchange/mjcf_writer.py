"""Writes a mechanism as MuJoCo's MJCF: nested bodies with joints, equality constraints that close the loops, springs, and the start.

MuJoCo's reference position is the start, so that the loops are closed when the file is opened; speeds are in the keyframe `start`. Joint coordinates are the declared measures
where there are such. MuJoCo's constraints are soft: how stiff they are depends on the time step, and is best set with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.exchange.coupled import coupled
from grashof.exchange.names import Names
from grashof.exchange.stages import Hung, hang, reading
from grashof.exchange.xml import Maker
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND
from grashof.model.couplings import Coupling
from grashof.model.couplings.sum import Sum
from grashof.model.fields import body_of
from grashof.model.forces import Force, PointForce, Pull, SpringDamper, Torque, TorsionSpring
from grashof.model.joints import Joint
from grashof.model.measures import Angle
from grashof.model.model import Model
from grashof.model.rotations import quaternion
from grashof.situation import Freedom, Situation, situation
from grashof.situation.cuts import cut_at, meeting, parts
from grashof.situation.tree import TreeCoordinate, coordinate_of

STEP = 1e-4
"""s; constraints pull back as critically damped oscillators with ω h = 0.35, which RK4 follows."""
_KINDS = {"turn": "hinge", "slide": "slide", "ball": "ball", "free": "free"}


def write(model: Model) -> tuple[str, list[str]]:
    """The document, and what of the mechanism is not in it, as sentences."""
    s = situation(model)
    document = Document(s)
    left_out = []
    for force in s.model.forces:
        if not document.push(force):
            why = "MuJoCo has no element that follows the same law."
            if force.varies:
                why = "its law changes with time or with the motion, and MJCF has constant forces and linear springs only."
            elif not force.active:
                why = "it is not active at the start, and MJCF has no events that switch it on."
            left_out.append(f"Force '{force.name}': {why}")
    for motor in s.model.motors:
        left_out.append(f"Motor '{motor.name}': MJCF has no joints whose motion is prescribed as a function of time.")
    for coupling in s.model.couplings:
        if not document.couple(coupling):
            left_out.append(
                f"Coupling '{coupling.name}': MJCF couples joint coordinates by sums with constant factors, and this is none."
            )
    for event in s.original.events:
        left_out.append(f"Event '{event.name}': MJCF has no events.")
    return document.text(), left_out


def tied(s: Situation, coupling: Coupling) -> list[tuple[TreeCoordinate, float]] | None:
    """A coupling as a sum of joint coordinates with their factors; None if it is none."""
    if not isinstance(coupling, Sum) or coupling.timed:
        return None
    found = []
    for name, factor in coupling.factors().items():
        coordinate = coordinate_of(s, s.model.quantities[name])
        if coordinate is None:
            return None
        found.append((coordinate, factor * coordinate.sign))
    return found


class Document:
    """A situation as MJCF, to which forces and couplings are added.

    relations   whether loops may be closed by equations between coordinates, where those of the branch are such
    """

    def __init__(self, s: Situation, relations: bool = True) -> None:
        self.situation = s
        self.hung: list[Hung] = hang(s)
        self._joint_names, self._site_names, self._tendon_names = (
            Names(_INVISIBLE),
            Names(_INVISIBLE),
            Names(_INVISIBLE),
        )
        self.masses, self.inertias = parts(s)
        self.root = Maker("mujoco", model=s.original.name)
        self.root.add("compiler", angle="radian", inertiafromgeom="false", autolimits="true")
        option = self.root.add("option", timestep=repr(STEP), integrator="RK4", gravity=_row(s.gravity))
        option.add("flag", contact="disable")
        stiffness = (0.35 / STEP) ** 2
        self.root.add("default").add(
            "equality", solref=_row((-stiffness, -2.0 * 0.35 / STEP)), solimp="0.9999 0.9999 0.001 0.5 2"
        )
        self.bodies = {GROUND: self.root.add("worldbody")}
        self._tendons, self._equalities, self._actuators = (Maker(x) for x in ("tendon", "equality", "actuator"))
        self.joints: dict[tuple[int, int], tuple[str, Maker]] = {}
        self._speeds: dict[int, list[float]] = {}
        """By the number of the joint's element."""
        for k, link in enumerate(s.tree):
            self._hang(link.body, link.body, link.parent, link.freedoms, k)
        self._mark_points()
        ties = coupled(s, self.hung) if relations and not s.model.couplings else None
        for one in ties or ():
            factors = {one.dependent: 1.0} | {k: -x for k, x in zip(one.independent, one.factors, strict=True) if x}
            self._tie(
                f"{self.joints[one.dependent, 0][0]} tied", [(self.joints[k, 0][0], x) for k, x in factors.items()]
            )
        for joint in s.closures if ties is None else ():
            self._close(joint)

    def text(self) -> str:
        """The document; of joints in the order of its elements, which is MuJoCo's, the keyframe gives the speeds."""
        for group in (self._tendons, self._equalities, self._actuators):
            if len(group.element) and group.element not in self.root.element:
                self.root.element.append(group.element)
        speeds = [x for joint in self.root.element.iter("joint") for x in self._speeds.get(id(joint), ())]
        if any(speeds) and self.root.element.find("keyframe") is None:
            self.root.add("keyframe").add("key", name="start", time=repr(float(self.situation.time)), qvel=_row(speeds))
        return self.root.document()

    # -- bodies and loops

    def _hang(self, name: str, body: str, parent: str, freedoms: tuple[Freedom, ...], link: int | None) -> None:
        """Hangs a body, or a part of it under another name, on its parent."""
        s, k = self.situation, self.situation.index[body]
        (base, frame), (origin, axes) = s.pose(parent), s.pose(body)
        made = self.bodies[parent].add(
            "body", name=name, pos=_tidy(frame.T @ (origin - base)), quat=_tidy(quaternion(frame.T @ axes))
        )
        self.bodies[name] = made
        slots = self.hung[link].slots if link is not None else ()
        for i, freedom in enumerate(freedoms):
            single = freedom.kind in ("turn", "slide")
            called = self._joint_names.new(slots[i].name if single and slots else f"{name}, freedom {i}")
            given = {"pos": _tidy(axes.T @ (freedom.through - origin))} if freedom.kind in ("turn", "ball") else {}
            if single:
                given["axis"] = _tidy(axes.T @ freedom.axis)
            if link is not None and len(self.hung[link].stages) == 1:
                # as they are described, not as they come out at the start
                place, own = self.hung[link].stages[0].child
                if "pos" in given:
                    given["pos"] = _row(place)
                if single and (literal := _literal(own, axes.T @ freedom.axis)) is not None:
                    given["axis"] = _row(literal)
            if single and slots and slots[i].value:
                given["ref"] = repr(slots[i].value)
            joint = made.add("joint", name=called, type=_KINDS[freedom.kind], **given)
            if link is not None:
                self.joints[link, i] = called, joint
            self._speeds[id(joint.element)] = self._rates(link, i, freedom)
        mass, inertia = float(self.masses[k]), self.inertias[k]
        if mass or inertia.any():
            entries = [inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
            made.add("inertial", pos=_row(s.centers[k]), mass=repr(mass), fullinertia=_row(entries))

    def _rates(self, link: int | None, i: int, freedom: Freedom) -> list[float]:
        """Speeds of a joint at the start: of balls and free bodies, in their own axes."""
        s = self.situation
        if link is None:
            return [0.0] * {"free": 6, "ball": 3}.get(freedom.kind, 1)
        if freedom.kind in ("turn", "slide"):
            return [self.hung[link].slots[i].rate]
        tie = s.tree[link]
        k, spin = s.index[tie.body], np.zeros(3)
        if tie.parent != GROUND:
            spin = s.spins[s.index[tie.parent]]
        turning = [*map(float, s.rotations[k].T @ (s.spins[k] - spin))]
        return turning if freedom.kind == "ball" else [*map(float, s.velocities[k]), *turning]

    def _mark_points(self) -> None:
        """Every point is a site of its name."""
        self.sites: dict[str, str] = {}
        for reference in self.situation.model.points:
            self.sites[reference] = self._mark(
                body_of(reference), np.array(self.situation.model.points[reference]), reference
            )

    def _mark(self, body: str, place: np.ndarray, name: str, part: str = "") -> str:
        called = self._site_names.new(name)
        self.bodies[part or body].add("site", name=called, pos=_row(place))
        return called

    def _close(self, joint: Joint) -> None:
        """Closes a loop: pins by points that coincide, rods by tendons, other joints by a second part of a body, welded to it."""
        s = self.situation
        if isinstance(joint, kinds.Distance):
            self._equalities.add("tendon", name=joint.name, tendon1=self._tendon(joint.name, joint.a, joint.b)[0])
        elif cut := cut_at(joint):
            body, other = cut
            part = f"{body}, at {joint.name}"
            self._hang(part, body, other, s.freedoms(body, joint), None)
            ends = [self._mark(body, np.zeros(3), f"{joint.name} {k}", name) for k, name in ((1, body), (2, part))]
            self._equalities.add("weld", name=joint.name, site1=ends[0], site2=ends[1])
        else:
            for k, places in enumerate(meeting(s, joint)):
                a, b = joint.bodies
                ends = [self.sites[joint.a], self.sites[joint.b]]
                if k:
                    ends = [
                        self._mark(body, place, f"{joint.name} {body}")
                        for body, place in zip((a, b), places, strict=True)
                    ]
                self._equalities.add(
                    "connect", name=f"{joint.name}, axis" if k else joint.name, site1=ends[0], site2=ends[1]
                )

    def couple(self, coupling: Coupling) -> bool:
        """Keeps a sum of joint coordinates, a fixed tendon, at its length; whether it is one."""
        found = tied(self.situation, coupling)
        if found is None:
            return False
        self._tie(coupling.name, [(self.joints[x.link, x.freedom][0], factor) for x, factor in found])
        return True

    def _tie(self, name: str, terms: Sequence[tuple[str, float]]) -> None:
        tendon = self._tendons.add("fixed", name=self._tendon_names.new(name))
        for joint, factor in terms:
            tendon.add("joint", joint=joint, coef=repr(float(factor)))
        self._equalities.add("tendon", name=name, tendon1=tendon.element.attrib["name"])

    # -- forces

    def push(self, force: Force) -> bool:
        """Adds a force as an element of MuJoCo's own, if there is one that is the same; whether there is."""
        if force.varies or not force.active:
            return False
        match force:
            case SpringDamper():
                k, length, c = (float(force.number(law)) for law in force.laws())
                _, spring = self._tendon(force.name, force.a, force.b)
                spring.element.attrib |= {"stiffness": repr(k), "damping": repr(c), "springlength": repr(length)}
            case PointForce():
                components = [float(force.number(x)) for x in force.force]
                world = {"refsite": self._world()} if force.axes == "world" else {}
                self._actuator(force.name, [*components, 0.0, 0.0, 0.0], site=self.sites[force.point], **world)
            case TorsionSpring():
                return self._coil(force)
            case Pull() | Torque():
                return self._drive(force)
            case _:
                return False
        return True

    def _coil(self, force: TorsionSpring) -> bool:
        """A joint's own spring and damper, if it has none yet."""
        s = self.situation
        angle = s.model.all_measures[force.angle]
        found = coordinate_of(s, angle)
        if found is None:
            return False
        _, joint = self.joints[found.link, found.freedom]
        if "stiffness" in joint.element.attrib:
            return False
        slot = self.hung[found.link].slots[found.freedom]
        k, rest, c = (float(force.number(law)) for law in force.laws())
        if slot.name != force.angle:
            rest = slot.value + found.sign * (rest - reading(s, angle))
        joint.element.attrib |= {"stiffness": repr(k), "damping": repr(c), "springref": repr(rest)}
        return True

    def _drive(self, force: Pull | Torque) -> bool:
        """A constant effort along a joint, a tendon or, if both its bodies share the axis for good, about it."""
        s = self.situation
        target, law = (force.measure, force.force) if isinstance(force, Pull) else (force.angle, force.torque)
        measure, effort = s.model.quantities[target], float(force.number(law))
        found = coordinate_of(s, measure)
        if found is not None:
            self._actuator(force.name, [found.sign * effort], joint=self.joints[found.link, found.freedom][0])
            return True
        if not isinstance(measure, Angle) or not s.coaxial(measure):
            return False
        axis = effort * s.heading(measure.reference, measure.axis)
        for body, sign in ((measure.body, 1.0), (measure.reference, -1.0)):
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
        """A force that is always the same, whatever the control is."""
        constant = {"gaintype": "fixed", "gainprm": "0", "biastype": "affine", "biasprm": "1 0 0"}
        self._actuators.add("general", name=name, gear=_row(gear), **constant, **where)


_INVISIBLE = r"\x00-\x1f\x7f"


def _literal(axes: np.ndarray, direction: np.ndarray) -> np.ndarray | None:
    """The axis of a frame that a direction is but for round-off, if it is one."""
    cosines = axes.T @ direction
    k = int(np.argmax(cosines))
    return axes[:, k] if cosines[k] > 1.0 - 1e-12 else None


def _row(values: Sequence[float] | np.ndarray) -> str:
    return " ".join(repr(float(x) + 0.0).removesuffix(".0") for x in values)


def _tidy(values: Sequence[float] | np.ndarray) -> str:
    """Numbers without the round-off of the way on which they were found."""
    scale = max(1e-300, *(abs(float(x)) for x in values))
    found = []
    for x in values:
        near = (float(f"{float(x):.{digits}g}") for digits in range(1, 17))
        found.append(next((y for y in near if abs(y - float(x)) <= 2.0**-52 * scale), float(x)))
    return _row([0.0 if abs(x) <= 2.0**-52 * scale else x for x in found])

"""A mechanism as an MJCF document: bodies with joints, equalities that close the loops, sites."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

import numpy as np

from grashof.exchange.coupled import closing_equations
from grashof.exchange.frames import frame
from grashof.exchange.mjcf.kept_parts import COORDINATES, ToldBody, settings_of, told_body, told_matter, told_part
from grashof.exchange.mjcf.parts import POSE, UNTURNED, ElementPart
from grashof.exchange.names import Names
from grashof.exchange.source import Source, numbers
from grashof.exchange.stages import Hung, hang, linear_combination
from grashof.exchange.xml import Maker
from grashof.model.bodies import GROUND
from grashof.model.couplings import Coupling
from grashof.model.fields import Vector, body_of
from grashof.model.joints import Joint
from grashof.model.rotations import quaternion
from grashof.situation import Freedom, Link, Situation
from grashof.situation.cuts import cut_at, meeting, parts
from grashof.situation.tree import start_rates

STEP = 1e-4
"""s; constraints pull back as critically damped oscillators with ω h = 0.35, which RK4 follows."""
_KINDS = {"turn": "hinge", "slide": "slide", "ball": "ball", "free": "free"}


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
    """Builds the MJCF document of a situation; couplings, and forces (see `force_elements`), are added to it.

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
        option = self.root.add("option", timestep=repr(STEP), integrator="RK4", gravity=row(s.gravity))
        option.add("flag", contact="disable")
        stiffness = (0.35 / STEP) ** 2
        self.root.add("default").add(
            "equality", solref=row((-stiffness, -2.0 * 0.35 / STEP)), solimp="0.9999 0.9999 0.001 0.5 2"
        )
        self.bodies = {GROUND: self.root.add("worldbody")}
        self._tendons, self._equalities, self.actuators = (Maker(x) for x in ("tendon", "equality", "actuator"))
        self.joints: dict[tuple[int, int], tuple[str, Maker]] = {}
        self.springs: dict[str, tuple[float, str]] = {}
        """`springref` of joints that are unchanged since they were read from a document, in m or rad and as it is
        there."""
        self.starts: dict[int, tuple[Sequence[float], Sequence[float], Sequence[float]]] = {}
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
        for group in (self._tendons, self._equalities, self.actuators):
            if len(group.element) and group.element not in self.root.element:
                self.root.element.append(group.element)
        starts = [self.starts[id(joint)] for joint in self.root.element.iter("joint") if id(joint) in self.starts]
        reference, positions, speeds = ([x for one in starts for x in one[k]] for k in range(3))
        given = {"qpos": row(positions)} if positions != reference else {}
        given |= {"qvel": row(speeds)} if any(speeds) else {}
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
                    given["pos"] = row(place)
                if "axis" in given and (literal := _literal(own_axes, axes.T @ freedom.axis)) is not None:
                    given["axis"] = row(literal)
            if value:
                given["ref"] = repr(self.angle(value, freedom.kind == "turn"))
            called = self._joint_names.new(called)
            ordered = {word: given[word] for word in ("pos", "axis", "ref") if word in given}
            joint = made.add("joint", name=called, type=_KINDS[freedom.kind], **ordered)
            self.joints[link, i] = called, joint
            standing = {"ball": UNTURNED, "free": self._pose(body, parent)}.get(freedom.kind, (value,))
            self.starts[id(joint.element)] = standing, standing, self._rates(link, i, freedom)
        self._weigh(name, body)

    def _hang_as_told(self, name: str, parent: str, told: ToldBody, chain: Sequence[tuple[int, int]]) -> None:
        """Attaches a body with the joints that it had in a document."""
        made = self._add_told(self.bodies[parent], told.part, name=name)
        self.bodies[name] = made
        for k, one in enumerate(told.joints):
            called = self._joint_names.new(one.name)
            joint = self._add_told(made, one.part, name=called, type=one.kind)
            self.springs[called] = one.spring, self.source[f"body {name} joint {k + 1}"].get("springref", "0")
            still = (0.0,) * COORDINATES[one.kind][1]
            self.starts[id(joint.element)] = one.reference, one.position or one.reference, one.speed or still
            if len(chain) == len(told.joints):
                self.joints[chain[k]] = called, joint

    def _add_told(self, owner: Maker, part: ElementPart, **more: str) -> Maker:
        """Adds an element with its attributes and in its frames."""
        for enclosing in part.frames:
            owner = owner.add("frame", **enclosing)
        return owner.add(part.element.tag, **more, **part.given)

    def angle(self, value: float, turning: bool) -> float:
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
            self.starts[id(added.element)] = (0.0,), (0.0,), (float(rate),)
        self._weigh(name, body)

    def _pose(self, body: str, parent: str) -> Vector:
        """Place and quaternion of a body at the start, in the axes of another one."""
        (base, frame), (origin, axes) = self.situation.pose(parent), self.situation.pose(body)
        return (*_without_round_off(frame.T @ (origin - base)), *_without_round_off(quaternion(frame.T @ axes)))

    def _place(self, name: str, body: str, parent: str) -> Maker:
        pose = self._pose(body, parent)
        self.bodies[name] = self.bodies[parent].add("body", name=name, pos=row(pose[:3]), quat=row(pose[3:]))
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
                "inertial", pos=row(self.situation.centers[k]), mass=repr(mass), fullinertia=row(entries)
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
                    self.sites[reference] = self.mark(body, np.array(place), reference)
                else:
                    self.sites[reference] = self._site_names.new(reference)
                    self._add_told(self.bodies[body], told, name=self.sites[reference])

    def mark(self, body: str, place: np.ndarray, name: str, **attitude: str) -> str:
        """Adds a site at a place of a body, and returns its name."""
        called = self._site_names.new(name)
        self.bodies[body].add("site", name=called, pos=row(place), **attitude)
        return called

    def tendon(self, name: str, a: str, b: str) -> tuple[str, Maker]:
        """Adds a tendon between two points; returns its name and its element."""
        called = self._tendon_names.new(name)
        made = self._tendons.add("spatial", name=called)
        made.add("site", site=self.sites[a])
        made.add("site", site=self.sites[b])
        return called, made

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
            tendon, _ = self.tendon(joint.name, joint.a, joint.b)
            self._equalities.add("tendon", name=joint.name, tendon1=tendon, **more)
        elif is_weld:
            ends, axes = [], dict(joint.directions())
            for side, point in (("a", joint.a), ("b", joint.b)):
                x, y = axes[f"axis_{side}"], axes[f"normal_{side}"]
                known = numbers(self.source, f"joint {joint.name}", f"quat_{side}", 4)
                attitude = _without_round_off(quaternion(frame(x=x, y=y))) if known is None else known
                body = body_of(point)
                called = f"{body}.{joint.name} {side}"
                ends.append(self.mark(body, np.array(s.model.points[point]), called, quat=row(attitude)))
            self._equalities.add("weld", name=joint.name, site1=ends[0], site2=ends[1])
        elif cut := cut_at(joint):
            body, other = cut
            part = f"{body}, at {joint.name}"
            self._hang_part(part, body, other, joint)
            ends = [self.mark(name, np.zeros(3), f"{joint.name} {k}") for k, name in ((1, body), (2, part))]
            self._equalities.add("weld", name=joint.name, site1=ends[0], site2=ends[1])
        else:
            for k, places in enumerate(meeting(s, joint)):
                a, b = joint.bodies
                ends = [self.sites[joint.a], self.sites[joint.b]]
                if k:
                    ends = [
                        self.mark(body, place, f"{body}.{joint.name} axis")
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
            self._equalities.add("joint", name=coupling.name, joint1=terms[0][0], **second, polycoef=row(polynomial))
        else:
            self._tie(coupling.name, terms, **self._more(key))
        return True

    def _more(self, key: str) -> dict[str, str]:
        """The offset that a document added to the length of a tendon in the reference position."""
        more = numbers(self.source, key, "polycoef", 1)
        return {} if more is None else {"polycoef": row(more)}

    def _tie(self, name: str, terms: Sequence[tuple[str, float]], **more: str) -> None:
        tendon = self._tendons.add("fixed", name=self._tendon_names.new(name))
        for joint, factor in terms:
            tendon.add("joint", joint=joint, coef=repr(float(factor)))
        self._equalities.add("tendon", name=name, tendon1=tendon.element.attrib["name"], **more)


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


def row(values: Sequence[float] | np.ndarray) -> str:
    """Numbers as an attribute, exactly."""
    return " ".join(repr(float(x) + 0.0).removesuffix(".0") for x in values)


def _tidy(values: Sequence[float] | np.ndarray) -> str:
    return row(_without_round_off(values))


def _without_round_off(values: Sequence[float] | np.ndarray) -> list[float]:
    """Numbers without the round-off of their computation."""
    scale = max(1e-300, *(abs(float(x)) for x in values))
    found = []
    for x in values:
        near = (float(f"{float(x):.{digits}g}") for digits in range(1, 17))
        found.append(next((y for y in near if abs(y - float(x)) <= 2.0**-52 * scale), float(x)))
    return [0.0 if abs(x) <= 2.0**-52 * scale else x for x in found]

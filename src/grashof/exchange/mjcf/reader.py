"""Reads MuJoCo's MJCF: bodies with joints and their limits, equality constraints, springs, actuators, gravity and a
keyframe.

Masses come from `inertial`, or from the geoms where there is none. Joint coordinates become measures; the start is a
keyframe, or the reference position. Contacts are left out unless they are asked for. Everything that Grashof does not
support is reported, one sentence each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.exchange.draft import Draft
from grashof.exchange.mjcf.actuators import add_actuator, add_rotor
from grashof.exchange.mjcf.bodies import add_bodies
from grashof.exchange.mjcf.contacts import Geom, add_contacts
from grashof.exchange.mjcf.include import FileFolder, expand_includes
from grashof.exchange.mjcf.inertia import ReferenceInertia
from grashof.exchange.mjcf.limits import Limit, add_limits
from grashof.exchange.mjcf.loads import add_tendon
from grashof.exchange.mjcf.meshes import Meshes
from grashof.exchange.mjcf.parts import ORIGIN, Defaults, ElementPart, End
from grashof.exchange.mjcf.replicate import expand_copies
from grashof.exchange.mjcf.shapes import CompilerSettings
from grashof.exchange.mjcf.ties import add_equality
from grashof.exchange.moves import Frame
from grashof.exchange.parsing import number, numbers
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element, xml_text
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector
from grashof.model.forces import PointForce
from grashof.model.measures import Path as PathLength
from grashof.model.measures import Separation
from grashof.model.model import Model

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
"""In m. The place of a joint on its parent is computed, so it matches a site only up to round-off."""


def read(
    root: Element,
    path: Path | None = None,
    *,
    limits: Literal["compliant", "rigid", "none"] = "compliant",
    keyframe: str | int | None = None,
    within: Path | None = None,
    contact: bool = False,
) -> tuple[Model, list[str]]:
    """The mechanism, and sentences about the parts of the document that were left out.

    limits     what the limits of joints become: compliant stops, rigid stops, or nothing
    keyframe   the name or number of the keyframe at which the motion starts; "" stands for the reference position. By
               default it is the first one, if there are any
    within     the folder that contains all files that the document may refer to; by default its own
    contact    whether simple geoms touch planes
    """
    if root.tag != "mujoco":
        raise ModelError(f"the root element is <{root.tag}>; that of an MJCF document is <mujoco>.")
    folder = FileFolder.of(path, within)
    return MjcfReader(expand_includes(root, folder), folder, limits, keyframe, contact).model()


class MjcfReader:
    """One document.

    reference   where bodies are in the reference position
    joints      the measure of each joint, "" if it has none, and by how much the joint's coordinate is larger
    names       the joint of ours that each single joint became
    references  the coordinate of each joint in the reference position
    lifted      the fraction of the weight of bodies that is compensated
    limits      the ranges of coordinates that become stops
    inertia     the mass matrix in the reference position
    used        the joints that other parts of the document refer to, so that their coordinates must be measures
    controls    those of the keyframe, one for each actuator
    """

    def __init__(
        self,
        root: Element,
        folder: FileFolder | None = None,
        limits: str = "compliant",
        keyframe: str | int | None = None,
        contact: bool = False,
    ) -> None:
        self.root, self.has_contact = root, contact
        self.rigid, self.has_limits = limits == "rigid", limits != "none"
        self.limits: list[Limit] = []
        self.inertia = ReferenceInertia()
        self.used = _used_joints(root)
        self.lifted: dict[str, float] = {}
        self._actuators = 0
        self.compiler, option = (
            {k: v for part in root.all(tag) for k, v in part.attributes.items()} for tag in ("compiler", "option")
        )
        flags = [flag for part in root.all("option") for flag in part.all("flag")]
        disabled = {name for flag in flags for name, word in flag.attributes.items() if word == "disable"}
        self.settings = _settings(root, self.compiler, frozenset(disabled))
        gravity = numbers(root, "gravity", option.get("gravity", "0 0 -9.81"), 3)
        self.draft = Draft(root.attributes.get("model", "mujoco"), ORIGIN if "gravity" in disabled else gravity, NEAR)
        self.defaults = Defaults(root)
        listed = [(mesh, self.defaults.given(mesh)) for asset in root.all("asset") for mesh in asset.all("mesh")]
        inside = self.compiler.get("meshdir", self.compiler.get("assetdir", ""))
        self.meshes = Meshes(listed, folder, inside, self.compiler.get("strippath") == "true")
        self.reference: dict[str, Frame] = {GROUND: (ORIGIN, np.eye(3))}
        self.joints: dict[str, tuple[str, float]] = {}
        self.names: dict[str, str] = {}
        self.references: dict[str, float] = {}
        self.sites: dict[str, End] = {}
        self._paths: dict[str, str] = {}
        self.geoms: list[Geom] = []
        self.tendons = {tendon.name: tendon for group in root.all("tendon") for tendon in group.children}
        self.step = number(root, "timestep", option.get("timestep", "0.002"))
        key = _find_key(root, keyframe)
        given = {} if key is None else key.attributes
        owner = key or root
        self.controls = iter(numbers(owner, "ctrl", given.get("ctrl", "")))
        self._qpos = iter(numbers(owner, "qpos", given["qpos"])) if "qpos" in given else None
        self._qvel = iter(numbers(owner, "qvel", given["qvel"])) if "qvel" in given else None
        for name in ("wind", "density", "viscosity"):
            if any(numbers(root, name, option.get(name, "0"))):
                self.draft.left_out.append(f"option {name}: a surrounding fluid is not supported; it is left out.")

    def model(self) -> tuple[Model, list[str]]:
        root, draft, off = self.root, self.draft, self.settings.disabled
        if self.compiler.get("coordinate", "local") != "local":
            raise ModelError(
                "the compiler's coordinates are global, which MuJoCo no longer supports; load the file in an "
                "earlier version of MuJoCo and save it again."
            )
        angle = "degree" if self.settings.degrees else "radian"
        draft.source["document"] = {"format": "MJCF", "angle": angle, "eulerseq": self.settings.sequence}
        expand_copies(root, self.settings)
        for world in root.all("worldbody"):
            add_bodies(self, world)
        self._finish_masses()
        off = self.settings.disabled
        for part in self._parts("actuator", "actuation" in off):
            self._with_place(part, add_rotor)
        uses: dict[str, Callable[[MjcfReader, Element], None]] = {
            "equality": add_equality,
            "tendon": add_tendon,
            "actuator": add_actuator,
        }
        switch = {"equality": "equality", "tendon": "", "actuator": "actuation"}
        for tag, use in uses.items():
            for part in self._parts(tag, switch[tag] in off):
                self._with_place(part, use)
        if self.limits and self.has_limits:
            add_limits(self)
        elif self.limits:
            draft.left_out.append(f"{len(self.limits)} limits of joints and tendons are left out, as it was asked for.")
        for part in root.children:
            if part.tag not in _SKIPPED:
                self.leave_out(part)
        count = sum(geom.body != GROUND for geom in self.geoms)
        if off & {"contact", "constraint"}:
            pass
        elif self.has_contact:
            add_contacts(self, self.geoms)
        elif count > 1:
            draft.left_out.append(f"{count} geoms: contact is left out, so they can pass through each other.")
        if not draft.bodies and draft.left_out:
            raise ModelError(f"it has no bodies that can be read: {draft.left_out[0]}")
        return draft.finish(), draft.left_out

    def _finish_masses(self) -> None:
        """Gives all bodies together the mass that the compiler asks for, then compensates their weights."""
        draft, total = self.draft, number(self.root, "settotalmass", self.compiler.get("settotalmass", "-1"))
        now = sum(body.mass for body in draft.bodies.values())
        if total > 0.0 and now > 0.0:
            for name, body in draft.bodies.items():
                assert isinstance(body.inertia, tuple)
                inertia = tuple(total / now * x for x in body.inertia)
                draft.bodies[name] = msgspec.structs.replace(body, mass=total / now * body.mass, inertia=inertia)
        for name, part in self.lifted.items():
            body = draft.bodies[name]
            point = draft.point(name, "center of mass", body.center, any_name=True)
            force = tuple(-part * body.mass * x for x in draft.gravity)
            if any(force):
                draft.push(PointForce(name=f"gravity compensation {name}", point=point, force=force))

    def _parts(self, tag: str, off: bool) -> Iterator[Element]:
        """The elements of a section, unless it is switched off."""
        return iter(() if off else [part for group in self.root.all(tag) for part in group.children])

    @property
    def coordinates(self) -> int:
        """The number of coordinates that have been read so far."""
        return len(self.inertia.motions)

    def row(self, joints: Mapping[str, float]) -> np.ndarray:
        """The gradient of a sum of joint coordinates with these factors."""
        found = np.zeros(self.coordinates)
        for joint, factor in joints.items():
            found[self.inertia.numbers[joint]] += factor
        return found

    def mobility(self, row: np.ndarray) -> float:
        """J M⁻¹ Jᵀ in the reference position, where J is a gradient."""
        own = np.concatenate([row, np.zeros(self.coordinates - len(row))])
        return float(own @ self._inverse @ own)

    @cached_property
    def _inverse(self) -> np.ndarray:
        """M⁻¹ in the reference position."""
        return np.linalg.pinv(self.inertia.matrix(self.draft.bodies, self.reference), rcond=1e-15, hermitian=True)

    def count_actuator(self) -> int:
        """The number of the next actuator without a name."""
        self._actuators += 1
        return self._actuators

    def leave_out(self, part: Element, why: str = "") -> None:
        """Records a part of the document that is left out."""
        self.draft.left_out.append(f"{part.place}: {why or f'{part.tag} is not supported'}; it is left out.")

    def _with_place(self, part: Element, use: Callable[[MjcfReader, Element], None]) -> None:
        try:
            use(self, part)
        except NotOurs as problem:
            self.leave_out(part, str(problem))
        except ModelError as problem:
            said = str(problem)
            raise ModelError(said if said.startswith("line ") else f"{part.place}: {said}") from None

    # -- what other parts refer to

    def site(self, name: str) -> End:
        """A site."""
        if name not in self.sites:
            raise ModelError(f"there is no site '{name}'.")
        return self.sites[name]

    def body(self, part: Element, attribute: str) -> str:
        """A body by its name."""
        name = part.attributes.get(attribute, "").replace(".", "_") or GROUND
        name = GROUND if name == "world" else name
        if name not in self.reference:
            raise ModelError(f"there is no body '{name}'.")
        return name

    def measure(self, joint: str) -> tuple[str, float]:
        """The measure that represents a joint's coordinate, and the offset of the coordinate from it."""
        if joint not in self.joints:
            raise ModelError(f"there is no joint '{joint}'.")
        measure, offset = self.joints[joint]
        if not measure:
            raise NotOurs(f"'{joint}' has no single coordinate here")
        return measure, offset

    def fixed_tendon(self, tendon: Element) -> tuple[dict[str, float], float]:
        """A tendon that is a sum of joint coordinates: the factors of their measures, and what the sum of these is
        in the reference position."""
        terms: dict[str, float] = {}
        at_reference = 0.0
        for term in tendon.all("joint"):
            joint, factor = term.attributes.get("joint", ""), number(term, "coef", term.attributes.get("coef", "0"))
            measure, offset = self.measure(joint)
            terms[measure] = factor
            at_reference += factor * (self.references.get(joint, 0.0) - offset)
        return terms, at_reference

    def tendon_terms(self, tendon: Element) -> tuple[dict[str, float], float, np.ndarray]:
        """The factors of the measures whose sum is the length of a tendon, by how much the length is larger, and its
        gradient in the reference position."""
        if tendon.tag != "fixed":
            measure, _ = self.path_of(tendon)
            return {measure: 1.0}, 0.0, self._gradient(tendon)
        terms: dict[str, float] = {}
        joints: dict[str, float] = {}
        offset = 0.0
        for term in tendon.all("joint"):
            joint, factor = term.attributes.get("joint", ""), number(term, "coef", term.attributes.get("coef", "0"))
            measure, more = self.measure(joint)
            if factor:
                terms[measure] = terms.get(measure, 0.0) + factor
                joints[joint] = joints.get(joint, 0.0) + factor
            offset += factor * more
        return terms, offset, self.row(joints)

    def path_of(self, tendon: Element) -> tuple[str, float]:
        """The measure of a tendon through sites, and its length in the reference position."""
        if len(tendon.children) < 2 or any(part.tag != "site" for part in tendon.children):
            raise NotOurs("a tendon with pulleys, or that wraps around geoms, is not supported")
        points, places = [], []
        for k, part in enumerate(tendon.children, 1):
            body, place, _ = self.site(part.attributes.get("site", ""))
            origin, axes = self.reference[body]
            points.append(self.draft.point(body, f"{tendon.name}_{k}", place, any_name=True))
            places.append(np.array(origin) + axes @ np.array(place))
        length = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(places))
        if tendon.name not in self._paths:
            name = tendon.name or "tendon"
            whole = Separation(name, *points) if len(points) == 2 else PathLength(name, tuple(points))
            self._paths[tendon.name] = self.draft.measure(whole)
        return self._paths[tendon.name], length

    def _gradient(self, tendon: Element) -> np.ndarray:
        """The gradient of the length of a tendon through sites, in the reference position."""
        found, before = np.zeros(self.coordinates), None
        for part in tendon.children:
            body, place, _ = self.site(part.attributes.get("site", ""))
            origin, axes = self.reference[body]
            there = np.array(origin) + axes @ np.array(place)
            rates = self.inertia.rates(body, there)
            if before is not None and (length := float(np.linalg.norm(there - before[0]))) > 0.0:
                found += (there - before[0]) / length @ (rates - before[1])
            before = there, rates
        return found

    def straight_tendon(self, tendon: Element) -> tuple[str, str, float]:
        """A tendon that is a straight line between two points, and how far they are apart in the reference position."""
        if [part.tag for part in tendon.children] != ["site", "site"]:
            raise NotOurs("a tendon that is not straight between two sites is not supported")
        found, places = [], []
        for k, part in enumerate(tendon.children, 1):
            body, place, _ = self.site(part.attributes.get("site", ""))
            origin, axes = self.reference[body]
            places.append(np.array(origin) + axes @ np.array(place))
            found.append(self.draft.point(body, f"{tendon.name}_{k}", place, any_name=True))
        return found[0], found[1], float(np.linalg.norm(places[1] - places[0]))

    # -- the keyframe

    def next_position(self, count: int, default: tuple[float, ...]) -> tuple[float, ...]:
        """The coordinates of the next joint."""
        return default if self._qpos is None else _taken_names("qpos", self._qpos, count)

    def keep(self, key: str, part: ElementPart, *words: str, **more: str) -> None:
        """Keeps some attributes of an element, and its frames, as the document gives them."""
        self.draft.source[key] = {**more, **part.form(*words)}
        for k, frame in enumerate(part.frames, 1):
            self.draft.source[f"{key} frame {k}"] = frame

    def keep_joint(self, key: str, part: ElementPart, name: str, kind: str, position: Vector, speed: Vector) -> None:
        """Keeps what the document says about a joint; what the keyframe says only if there is one."""
        given = {
            word: xml_text(values)
            for word, values, there in (("qpos", position, self._qpos), ("qvel", speed, self._qvel))
            if there is not None
        }
        self.keep(key, part, "pos", "axis", "ref", "springref", name=name, type=kind, **given)

    def next_speed(self, count: int) -> tuple[float, ...]:
        """The speeds of the next joint."""
        return (0.0,) * count if self._qvel is None else _taken_names("qvel", self._qvel, count)


def _taken_names(what: str, values: Iterator[float], count: int) -> tuple[float, ...]:
    found = tuple(islice(values, count))
    if len(found) < count:
        raise ModelError(f"the keyframe's {what} has too few numbers for the coordinates of the joints.")
    return found


def _find_key(root: Element, wanted: str | int | None) -> Element | None:
    """A keyframe by its name or number, by default the first."""
    keys = [key for frames in root.all("keyframe") for key in frames.all("key")]
    if wanted == "" or (wanted is None and not keys):
        return None
    if wanted is None:
        return keys[0]
    found = [key for k, key in enumerate(keys) if wanted in (k, key.name) or str(k) == wanted]
    if not found:
        names = [key.name or str(k) for k, key in enumerate(keys)]
        raise ModelError(f"there is no keyframe '{wanted}'; {did_you_mean(str(wanted), names)}")
    return found[0]


def _used_joints(root: Element) -> set[str]:
    """The joints that actuators, tendons and equalities refer to."""
    parts = [part for tag in ("actuator", "equality", "tendon") for group in root.all(tag) for part in group.walk()]
    words = ("joint", "jointinparent", "joint1", "joint2")
    return {part.attributes[word] for part in parts for word in words if word in part.attributes}


def _settings(root: Element, compiler: dict[str, str], disabled: frozenset[str]) -> CompilerSettings:
    sequence = compiler.get("eulerseq", "xyz")
    first, last = numbers(root, "inertiagrouprange", compiler.get("inertiagrouprange", "0 5"), 2)
    return CompilerSettings(
        compiler.get("angle", "degree") != "radian",
        sequence if set(sequence.lower()) <= set("xyz") and len(sequence) == 3 else "xyz",
        compiler.get("inertiafromgeom", "auto"),
        (first, last),
        compiler.get("autolimits", "true") != "false",
        disabled,
        number(root, "boundmass", compiler.get("boundmass", "0")),
        number(root, "boundinertia", compiler.get("boundinertia", "0")),
        compiler.get("balanceinertia", "false") == "true",
        compiler.get("alignfree", "false") == "true",
    )

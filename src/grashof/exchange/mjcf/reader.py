"""Reads MuJoCo's MJCF: bodies with joints, equality constraints, springs, constant forces, gravity and the first
keyframe.

Masses come from `inertial`, or from the geoms where there is none. Joint coordinates become measures; the start is the
reference position, or the first keyframe. Contacts, limits, controls and everything else that Grashof does not support
is left out and reported, one sentence each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.draft import Draft
from grashof.exchange.mjcf.bodies import add_bodies
from grashof.exchange.mjcf.include import expand_includes
from grashof.exchange.mjcf.loads import add_actuator, add_tendon
from grashof.exchange.mjcf.meshes import Meshes
from grashof.exchange.mjcf.parts import ORIGIN, Defaults, ElementPart, End
from grashof.exchange.mjcf.shapes import CompilerSettings
from grashof.exchange.mjcf.ties import add_equality
from grashof.exchange.moves import Frame
from grashof.exchange.parsing import number, numbers
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element, xml_text
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector
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
_MASSES = ("settotalmass", "boundmass", "boundinertia", "balanceinertia")
"""Attributes of the compiler that change masses after they are computed."""
NEAR = 1e-12
"""In m. The place of a joint on its parent is computed, so it matches a site only up to round-off."""


def read(root: Element, path: Path | None = None) -> tuple[Model, list[str]]:
    """The mechanism, and sentences about the parts of the document that were left out."""
    if root.tag != "mujoco":
        raise ModelError(f"the root element is <{root.tag}>; that of an MJCF document is <mujoco>.")
    return MjcfReader(expand_includes(root, path), path).model()


class MjcfReader:
    """One document.

    reference   where bodies are in the reference position
    joints      the measure of each joint, "" if it has none, and by how much the joint's coordinate is larger
    names       the joint of ours that each single joint became
    references  the coordinate of each joint in the reference position
    """

    def __init__(self, root: Element, path: Path | None = None) -> None:
        self.root = root
        self.compiler, option = (
            {k: v for part in root.all(tag) for k, v in part.attributes.items()} for tag in ("compiler", "option")
        )
        flags = [flag for part in root.all("option") for flag in part.all("flag")]
        disabled = {name for flag in flags for name, word in flag.attributes.items() if word == "disable"}
        self.settings = _settings(root, self.compiler, frozenset(disabled))
        gravity = numbers(root, "gravity", option.get("gravity", "0 0 -9.81"), 3)
        self.draft = Draft(root.attributes.get("model", "mujoco"), ORIGIN if "gravity" in disabled else gravity, NEAR)
        self.defaults = Defaults(root)
        folder = None if path is None else path.parent
        listed = [(mesh, self.defaults.given(mesh)) for asset in root.all("asset") for mesh in asset.all("mesh")]
        inside = self.compiler.get("meshdir", self.compiler.get("assetdir", ""))
        self.meshes = Meshes(listed, folder, inside, self.compiler.get("strippath") == "true")
        self.reference: dict[str, Frame] = {GROUND: (ORIGIN, np.eye(3))}
        self.joints: dict[str, tuple[str, float]] = {}
        self.names: dict[str, str] = {}
        self.references: dict[str, float] = {}
        self.sites: dict[str, End] = {}
        self.geoms = 0
        self.tendons = {tendon.name: tendon for group in root.all("tendon") for tendon in group.children}
        key = next((key for frames in root.all("keyframe") for key in frames.all("key")), None)
        given = {} if key is None else key.attributes
        owner = key or root
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
        for name in _MASSES:
            if self.compiler.get(name, "-1") not in ("-1", "0", "false"):
                draft.left_out.append(f"compiler {name}: it is ignored, and masses are as computed.")
        angle = "degree" if self.settings.degrees else "radian"
        draft.source["document"] = {"format": "MJCF", "angle": angle, "eulerseq": self.settings.sequence}
        for world in root.all("worldbody"):
            add_bodies(self, world)
        uses: dict[str, Callable[[MjcfReader, Element], None]] = {
            "equality": add_equality,
            "tendon": add_tendon,
            "actuator": add_actuator,
        }
        switch = {"equality": "equality", "tendon": "", "actuator": "actuation"}
        for tag, use in uses.items():
            for group in root.all(tag):
                for part in group.children if switch[tag] not in off else ():
                    self._with_place(part, use)
        for part in root.children:
            if part.tag not in _SKIPPED:
                self.leave_out(part)
        if self.geoms > 1 and not off & {"contact", "constraint"}:
            draft.left_out.append(f"{self.geoms} geoms: contact is not supported, so they can pass through each other.")
        return draft.finish(), draft.left_out

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

    def site(self, part: Element, attribute: str) -> End:
        """A site."""
        name = part.attributes.get(attribute, "")
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

    def straight_tendon(self, tendon: Element) -> tuple[str, str, float]:
        """A tendon that is a straight line between two points, and how far they are apart in the reference position."""
        if [part.tag for part in tendon.children] != ["site", "site"]:
            raise NotOurs("a tendon that is not straight between two sites is not supported")
        found, places = [], []
        for k, part in enumerate(tendon.children, 1):
            body, place, _ = self.site(part, "site")
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
    )

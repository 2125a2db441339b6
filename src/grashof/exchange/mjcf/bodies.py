"""Bodies of MJCF documents: masses, sites, and child bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.mjcf.contacts import Geom
from grashof.exchange.mjcf.joints import hang
from grashof.exchange.mjcf.meshes import Meshes
from grashof.exchange.mjcf.parts import GEOM, INERTIAL, POSE, ElementPart, members
from grashof.exchange.mjcf.shapes import ATTITUDES, CompilerSettings, Matter, attitude, of_geom, together, within_bounds
from grashof.exchange.moves import Frame
from grashof.exchange.parsing import number, numbers
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element
from grashof.model.bodies import GROUND

if TYPE_CHECKING:
    from grashof.exchange.mjcf.reader import MjcfReader

_GENERATED = ("composite", "flexcomp", "attach")
"""Elements from which MuJoCo makes bodies when it compiles."""


def add_bodies(reader: MjcfReader, world: Element) -> None:
    """The whole tree."""
    inside = members(reader.defaults, reader.settings, world, world.attributes.get("childclass", ""))
    _sites(reader, inside, GROUND)
    reader.geoms += _geoms(inside, GROUND)
    _add_inside(reader, inside, GROUND)


def _add_inside(reader: MjcfReader, inside: list[ElementPart], name: str) -> None:
    for part in inside:
        if part.element.tag == "body":
            _add_body(reader, part, name)
        elif part.element.tag in _GENERATED:
            reader.leave_out(part.element, f"<{part.element.tag}> and its contents are not supported")


def _add_body(reader: MjcfReader, part: ElementPart, parent: str) -> None:
    body, draft = part.element, reader.draft
    inherited = body.attributes.get("childclass", part.inherited)
    inside = members(reader.defaults, reader.settings, body, inherited)
    name = body.name or f"body{len(draft.bodies) + 1}"
    if not body.name:
        while name in draft.placed:
            name += "_"
    plain = name.replace(".", "_")
    weighing = _weighing(reader, inside)
    reader.geoms += _geoms(inside, plain)
    matter = within_bounds(matter_of(weighing, reader.settings, reader.meshes), reader.settings)
    xx, yy, zz, xy, xz, yz = (float(matter.inertia[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    entries = (xx, yy, zz, xy, xz, yz) if xy or xz or yz else (xx, yy, zz)
    try:
        draft.body(plain, matter.mass, tuple(map(float, matter.center)), entries)
        at = part.pose(reader.settings)
        reader.keep(f"body {plain}", part, *POSE)
        _keep_matter(reader, f"body {plain}", weighing)
        reader.inertia.parents[plain] = parent
        place, axes = reader.reference[parent]
        reader.reference[plain] = (tuple(map(float, np.array(place) + axes @ np.array(at[0]))), axes @ at[1])
        _sites(reader, inside, plain)  # before the joints, whose ends may be at them
        joints = [one for one in inside if one.element.tag in ("joint", "freejoint")]
        alone = not any(one.element.tag == "body" for one in inside)
        hang(reader, joints, plain, parent, at, _principal_frame(reader, weighing, matter, alone))
    except ModelError as problem:
        said = str(problem)
        raise ModelError(said if said.startswith("line ") else f"{body.place}: {said}") from None
    if body.attributes.get("mocap", "false") != "false":
        reader.leave_out(body, "mocap is not supported")
    if lifted := number(body, "gravcomp", body.attributes.get("gravcomp", "0")):
        reader.lifted[plain] = lifted
    _add_inside(reader, inside, plain)


def _geoms(inside: list[ElementPart], body: str) -> list[Geom]:
    """The geoms of a body."""
    return [Geom(body, part) for part in inside if part.element.tag == "geom"]


def _weighing(reader: MjcfReader, inside: list[ElementPart]) -> list[ElementPart]:
    """The elements that give the mass of a body: its `inertial`, or geoms."""
    settings = reader.settings
    geoms = [part for part in inside if part.element.tag == "geom"]
    inertial = next((part for part in inside if part.element.tag == "inertial"), None)
    if inertial is not None and settings.from_geoms != "true":
        return [inertial]
    found = []
    first, last = settings.groups
    for geom in geoms if settings.from_geoms != "false" else ():
        element, given = geom.element, geom.given
        if first <= number(element, "group", given.get("group", "0")) <= last:
            try:
                of_geom(element, given, settings, reader.meshes)
                found.append(geom)
            except NotOurs as problem:
                reader.leave_out(element, f"{problem}, so its mass is not known; give the body an <inertial>")
    return found


def matter_of(parts: list[ElementPart], settings: CompilerSettings, meshes: Meshes) -> Matter:
    """The mass that an `inertial` or geoms give a body."""
    if parts and parts[0].element.tag == "inertial":
        return _mass_given(parts[0], settings)
    return together([of_geom(geom.element, geom.given, settings, meshes).moved(geom.frame) for geom in parts])


def _principal_frame(
    reader: MjcfReader, weighing: list[ElementPart], matter: Matter, alone: bool
) -> Callable[[ElementPart], Frame | None]:
    """Of a body without others on it: the frame whose pose the coordinates of its free joint are, if they are those of
    its principal axes."""

    def find(joint: ElementPart) -> Frame | None:
        said = joint.given.get("align", "auto")
        if not alone or not (said == "true" or (said == "auto" and reader.settings.aligned)):
            return None
        if len(weighing) != 1 or "fullinertia" in weighing[0].given or weighing[0].given.get("type") == "mesh":
            reader.leave_out(joint.element, "align: the principal axes to which a keyframe refers are not computed")
            return None
        own = weighing[0]
        axes = _along(own, reader.settings) if "fromto" in own.given else own.pose(reader.settings)[1]
        return tuple(map(float, matter.center)), axes

    return find


def _along(geom: ElementPart, settings: CompilerSettings) -> np.ndarray:
    """The axes of a geom between two points."""
    ends = numbers(geom.element, "fromto", geom.given["fromto"], 6)
    along = np.array(ends[:3]) - np.array(ends[3:])
    given = {"zaxis": " ".join(map(repr, map(float, along)))}
    return geom.turned(attitude(geom.element, given, settings))


def _keep_matter(reader: MjcfReader, key: str, parts: list[ElementPart]) -> None:
    """Keeps geoms, or an `inertial` in another form than that of the writer; meshes are not part of a document."""
    if any(part.given.get("type") == "mesh" for part in parts):
        return
    for k, part in enumerate(parts, 1):
        if part.element.tag == "geom":
            reader.keep(f"{key} geom {k}", part, *GEOM)
        elif part.frames or part.form(*ATTITUDES, "diaginertia"):
            reader.keep(f"{key} inertial 1", part, *INERTIAL)


def _mass_given(inertial: ElementPart, settings: CompilerSettings) -> Matter:
    """The mass given in a document."""
    element, given = inertial.element, inertial.given
    center = np.array(numbers(element, "pos", given.get("pos", "0 0 0"), 3))
    axes = attitude(element, given, settings)
    if "fullinertia" in given:
        xx, yy, zz, xy, xz, yz = numbers(element, "fullinertia", given["fullinertia"], 6)
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        matrix = np.diag(numbers(element, "diaginertia", given.get("diaginertia", "0 0 0"), 3))
    turned = matrix if np.array_equal(axes, np.eye(3)) else axes @ matrix @ axes.T
    return Matter(number(element, "mass", given.get("mass", "0")), center, turned).moved(inertial.frame)


def _sites(reader: MjcfReader, inside: list[ElementPart], name: str) -> None:
    for part in inside:
        if part.element.tag == "site":
            site = part.element
            place, _ = part.pose(reader.settings)
            # written by us, a site is called body.point
            called = site.name.removeprefix(f"{name}.") or "site"
            point = reader.draft.point(name, called, place, alone=True)
            if part.frames or part.form(*ATTITUDES):
                reader.keep(f"site {point}", part, *POSE)
            if site.name:
                reader.sites[site.name] = (name, place, part.quaternion(reader.settings))

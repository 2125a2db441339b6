"""The links of a planar mechanism as plates with holes for their pins, for CAD programs, laser cutters and 3D
printers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grashof.assembly.assembled_model import assemble_with_start
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError, did_you_mean
from grashof.common.wording import count_of
from grashof.common.writing import write_atomically
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.given import Number, number
from grashof.model.masses import with_unit_masses
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.portable.dxf import dxf_bytes
from grashof.portable.plates import Plate, distance_inside, plate_of
from grashof.portable.stl import stl_bytes
from grashof.scene import describe_model
from grashof.scene.plates import OutlineGiven, given_shapes
from grashof.scene.poses import poses

Array = np.ndarray
Curve = Sequence[Sequence[float]] | Array

UNITS = {"mm": 1e3, "cm": 1e2, "m": 1.0, "in": 1.0 / 0.0254}
"""Units of files, per metre."""

SUFFIXES = (".dxf", ".stl")


@dataclass(frozen=True)
class Links:
    """The links of a mechanism as plates. `found["crank"]` is one of them; `found.save("links.dxf")` writes them.

    plates   in the axes of their bodies
    poses    x, y and the angle of each body at the start, m and rad
    """

    name: str
    plates: tuple[Plate, ...]
    poses: tuple[tuple[float, float, float], ...]

    def __getitem__(self, body: str) -> Plate:
        """The plate of a body."""
        for plate in self.plates:
            if plate.name == body:
                return plate
        raise ModelError(f"There is no link '{body}'; {did_you_mean(body, [plate.name for plate in self.plates])}")

    def __str__(self) -> str:
        lines = [f"{self.name}: {count_of(len(self.plates), 'link')}"]
        for plate in self.plates:
            bores = f", {count_of(len(plate.holes), 'hole')} of {1e3 * plate.bore:.6g} mm" if len(plate.holes) else ""
            lines.append(f"  {plate.name}: {1e4 * plate.area:.5g} cm²{bores}")
        return "\n".join(lines)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        thickness: Number | None = None,
        assembled: bool = False,
        curves: Mapping[str, Curve] | None = None,
        unit: str = "mm",
    ) -> None:
        """Writes the links as a drawing (.dxf) or as solids (.stl).

        thickness   of the plates, m (.stl)
        assembled   whether links lie as in the mechanism at its start; by default they lie side by side, each in the
                    direction of its own axes, to be cut or printed
        curves      lines that are drawn as well, each (n, 2), m, such as {"coupler.P": found.curve("coupler.P", 200)}
                    (.dxf)
        unit        of the numbers in the file: mm, cm, m or in
        """
        place, name = Path(path), os.fspath(path)
        suffix = place.suffix.lower()
        if suffix not in SUFFIXES:
            raise ModelError(f"{name}: links are written to files that end in {' or '.join(SUFFIXES)}.")
        if unit not in UNITS:
            raise ModelError(f"unit is '{unit}'; it must be one of {', '.join(UNITS)}.")
        if suffix == ".stl" and (thickness is None or curves):
            raise ModelError(f"{name}: solids need the thickness of the plates, and have no curves.")
        if suffix == ".dxf" and thickness is not None:
            raise ModelError(f"{name}: a drawing has no thickness; leave it out, or write a file that ends in .stl.")
        poses = self.poses if assembled else _side_by_side(self.plates)
        placed = [plate.moved(*pose) for plate, pose in zip(self.plates, poses, strict=True)]
        content = (
            dxf_bytes(placed, _checked(curves or {}), UNITS[unit], unit)
            if thickness is None
            else stl_bytes(placed, _positive("thickness", thickness), UNITS[unit])
        )
        try:
            write_atomically(place, content)
        except OSError as problem:
            raise ModelError(f"{name}: the file cannot be written ({problem.strerror}).") from problem


def links(
    mechanism: Mechanism | Model,
    outlines: Mapping[str, OutlineGiven] | None = None,
    *,
    width: Number | None = None,
    holes: Number | None = None,
) -> Links:
    """Makes plates of the bodies of a planar mechanism, to be drawn, cut or printed (docs/cad.md).

    outlines   shapes of bodies: a width, m, with round ends about the body's points; or the corners of a polygon in the
               body's axes, m
    width      that of all other bodies, m
    holes      the diameter of a hole for every pin, m; without it, there are none

    >>> m = Mechanism("two bars")
    >>> crank, rod = m.bar("crank", length=0.3), m.bar("rod", length=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), crank.start)
    >>> _ = m.revolute(crank.end, rod.start)
    >>> print(links(m, width="40 mm", holes="10 mm"))
    two bars: 2 links
      crank: 131 cm², 2 holes of 10 mm
      rod: 411.78 cm², 1 hole of 10 mm
    """
    model = as_model(mechanism)
    scene = describe_model(model)
    shapes = given_shapes(model, scene, outlines, width)
    if not shapes:
        raise ModelError(f"Mechanism '{model.name}': give the width of its links, or their outlines.")
    bore = 0.0 if holes is None else _positive("holes", holes)
    numbers = {body.name: k for k, body in enumerate(model.bodies)}
    places = _places(model)
    plates, at = [], []
    for name, shape in shapes.items():
        centers = _pins(model, name) if bore else np.zeros((0, 2))
        for center in centers:
            if distance_inside(shape, center) < 0.5 * bore:
                raise ModelError(
                    f"Link '{name}': a hole of {bore:g} m at ({center[0]:g}, {center[1]:g}) does not fit into its "
                    "outline; make the link wider or the holes smaller."
                )
        plates.append(plate_of(name, shape, centers, bore))
        at.append(places[-1 if name == GROUND else numbers[name]])
    return Links(model.name, tuple(plates), tuple(at))


def _places(model: Model) -> list[tuple[float, float, float]]:
    """x, y and the angle of every body at the start, m and rad, the ground last."""
    with one_thread():
        start = assemble_with_start(with_unit_masses(model))
    found = poses(start.system, np.asarray(start.assembly.q)[None])[0]
    return [*((float(p[0]), float(p[1]), 2.0 * float(np.arctan2(p[6], p[3]))) for p in found), (0.0, 0.0, 0.0)]


def _positive(owner: str, value: Number) -> float:
    found = number(owner, value, "m")
    if found <= 0.0:
        raise ModelError(f"{owner} is {found:g} m; it must be above zero.")
    return found


def _pins(model: Model, body: str) -> Array:
    """The places of a body at which pins hold it, (n, 2)."""
    points = [point for joint in model.joints if joint.is_pin for point in (joint.a, joint.b) if body_of(point) == body]
    places = dict.fromkeys(model.points[point] for point in points)
    return np.array([[float(x) for x in place] for place in places]).reshape(-1, 2)


def _side_by_side(plates: Sequence[Plate]) -> list[tuple[float, float, float]]:
    """Places in a row from left to right, with gaps of a twentieth of the largest plate."""
    boxes = [(outline.min(axis=0), outline.max(axis=0)) for outline in (plate.polygon for plate in plates)]
    space = 0.05 * max(float(np.max(high - low)) for low, high in boxes)
    left, found = 0.0, []
    for low, high in boxes:
        found.append((left - float(low[0]), -float(low[1]), 0.0))
        left += float(high[0] - low[0]) + space
    return found


def _checked(curves: Mapping[str, Curve]) -> dict[str, Array]:
    """Curves as arrays of places."""
    found = {}
    for name, curve in curves.items():
        places = np.asarray(curve, float)
        if places.ndim != 2 or places.shape[1] != 2 or len(places) < 2 or not np.all(np.isfinite(places)):
            raise ModelError(f"curves: '{name}' has the shape {places.shape}; it must be (n, 2), finite, in m.")
        found[name] = places
    return found

"""Links as drawings and solids: read back by ezdxf and by the reader of meshes, and compared with areas and volumes."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.portable.links import Links
from grashof.portable.plates import CHORDS, plate_of
from grashof.scene.plates import FlatShape

Array = np.ndarray

STADIUM = 0.3 * 0.04 + math.pi * 0.02**2
HOLE = math.pi * 0.005**2
L_SHAPE = [(0, 0), (0.2, 0), (0.2, 0.05), (0.05, 0.05), (0.05, 0.2), (0, 0.2)]


def four_bar() -> gr.Mechanism:
    m = gr.Mechanism("four-bar")
    crank, rocker, lever = m.bar("crank", length=0.3), m.bar("rocker", length=0.8), m.body("lever")
    coupler = m.body("coupler", points={"B": (0, 0), "C": (1, 0), "P": (0.5, 0.4)})
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.B)
    m.revolute(coupler.C, rocker.end)
    m.revolute(m.ground.at(1.1, 0), rocker.start)
    m.weld(rocker.start, lever.at(0.025, 0.025))
    return m


def plates() -> Links:
    return gr.links(four_bar(), {"lever": L_SHAPE}, width="40 mm", holes="10 mm")


def test_areas_in_closed_form() -> None:
    found = plates()
    assert found["crank"].area == pytest.approx(STADIUM - 2.0 * HOLE, rel=1e-13)
    # a triangle with base 1 and height 0.4, its perimeter times the radius, and one full circle
    perimeter = 1.0 + 2.0 * math.hypot(0.5, 0.4)
    assert found["coupler"].area == pytest.approx(0.2 + 0.02 * perimeter + math.pi * 0.02**2 - 2.0 * HOLE, rel=1e-13)
    assert found["lever"].area == pytest.approx(0.2 * 0.05 + 0.15 * 0.05, rel=1e-13)
    disc = gr.links(four_bar(), {"lever": 0.06})["lever"]
    assert disc.area == pytest.approx(math.pi * 0.03**2, rel=1e-13)


def test_a_drawing_has_exact_arcs_circles_layers_and_units(tmp_path: Path) -> None:
    ezdxf = pytest.importorskip("ezdxf")
    curve = gr.linkage(four_bar()).curve("coupler.P", 60)
    plates().save(tmp_path / "links.dxf", assembled=True, curves={"coupler.P": curve})
    document = ezdxf.readfile(tmp_path / "links.dxf")
    assert not document.audit().has_errors
    assert document.units == ezdxf.units.MM
    layers = {entity.dxf.layer for entity in document.modelspace()}
    assert layers == {"crank", "rocker", "coupler", "lever", "curve coupler.P"}
    (outline,) = document.modelspace().query('LWPOLYLINE[layer=="crank"]')
    arcs = [x for x in outline.virtual_entities() if x.dxftype() == "ARC"]
    lines = [x for x in outline.virtual_entities() if x.dxftype() == "LINE"]
    assert [arc.dxf.radius for arc in arcs] == pytest.approx([20.0, 20.0], rel=1e-12)
    assert [line.dxf.start.distance(line.dxf.end) for line in lines] == pytest.approx([300.0, 300.0], rel=1e-12)
    holes = document.modelspace().query('CIRCLE[layer=="crank"]')
    start = gr.assemble(four_bar())
    ends = [(0.0, 0.0), (300.0 * math.cos(angle := start.angles["crank.angle"]), 300.0 * math.sin(angle))]
    centers = sorted((hole.dxf.center.x, hole.dxf.center.y) for hole in holes)
    assert np.allclose(centers, sorted(ends), atol=1e-9)
    assert [h.dxf.radius for h in holes] == [5.0, 5.0]
    (path,) = document.modelspace().query('LWPOLYLINE[layer=="curve coupler.P"]')
    assert path.closed
    assert np.allclose(np.array(path.get_points("xy")), 1e3 * curve, atol=1e-9)


def test_links_side_by_side_do_not_overlap(tmp_path: Path) -> None:
    ezdxf = pytest.importorskip("ezdxf")
    bbox = pytest.importorskip("ezdxf.bbox")
    plates().save(tmp_path / "links.dxf", unit="in")
    space = ezdxf.readfile(tmp_path / "links.dxf").modelspace()
    boxes = [bbox.extents(space.query(f'*[layer=="{name}"]')) for name in ("crank", "rocker", "coupler", "lever")]
    edges = sorted((box.extmin.x, box.extmax.x) for box in boxes)
    assert all(after[0] > before[1] for before, after in pairwise(edges))
    assert boxes[0].size.x == pytest.approx(0.34 / 0.0254, rel=1e-9)


def shoelace(polygon: Array) -> float:
    x, y = polygon.T
    return 0.5 * float(x @ np.roll(y, -1) - np.roll(x, -1) @ y)


def read_stl(path: Path) -> tuple[Array, Array]:
    """Normals (n, 3) and corners (n, 3, 3)."""
    data = path.read_bytes()
    count = int.from_bytes(data[80:84], "little")
    assert len(data) == 84 + 50 * count
    rows = np.frombuffer(data[84:], np.dtype([("n", "<f4", 3), ("c", "<f4", (3, 3)), ("a", "<u2")]))
    return rows["n"].astype(float), rows["c"].astype(float)


def test_solids_are_closed_and_have_the_volume_of_their_plates(tmp_path: Path) -> None:
    """Every edge belongs to two triangles, in opposite directions; the volume follows from the divergence theorem, and
    is that of the polygons which stand for the arcs."""
    found = plates()
    found.save(tmp_path / "links.stl", thickness="5 mm")
    normals, corners = read_stl(tmp_path / "links.stl")
    edges: Counter[tuple[tuple[float, ...], ...]] = Counter()
    for triangle in corners.tolist():
        for k in range(3):
            edges[tuple(triangle[k - 1]), tuple(triangle[k])] += 1
    assert all(count == edges[b, a] for (a, b), count in edges.items())
    volume = float(np.sum(np.linalg.det(corners))) / 6.0
    bore = 0.5 * CHORDS * math.sin(2.0 * math.pi / CHORDS) * 5.0**2
    flat = sum(1e6 * shoelace(plate.polygon) - len(plate.holes) * bore for plate in found.plates)
    assert volume == pytest.approx(5.0 * flat, rel=1e-6)
    assert flat == pytest.approx(1e6 * sum(plate.area for plate in found.plates), rel=1e-4)
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert np.all(np.sum(outward * normals, axis=1) > 0.0)


def test_a_polygon_of_straight_sides_has_its_exact_volume(tmp_path: Path) -> None:
    """An L, read back by the reader of MJCF's meshes."""
    m = gr.Mechanism("lever")
    lever = m.body("lever")
    m.revolute(m.ground.at(0, 0), lever.at(0.025, 0.025))
    found = gr.links(m, {"lever": L_SHAPE})
    found.save(tmp_path / "lever.stl", thickness=0.01, unit="m")
    (tmp_path / "lever.xml").write_text(
        '<mujoco><compiler inertiafromgeom="true"/><asset><mesh name="l" file="lever.stl" inertia="exact"/></asset>'
        '<worldbody><body name="b"><freejoint/><geom type="mesh" mesh="l" density="1000"/></body></worldbody></mujoco>'
    )
    body = gr.load(tmp_path / "lever.xml").bodies[0]
    assert body.mass == pytest.approx(1000.0 * 0.0175 * 0.01, rel=1e-6)


def test_mistakes_are_explained(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="does not fit into its outline"):
        gr.links(four_bar(), width="40 mm", holes="50 mm")
    with pytest.raises(ModelError, match="give the width of its links"):
        gr.links(four_bar())
    found = plates()
    with pytest.raises(ModelError, match=r"end in \.dxf or \.stl"):
        found.save(tmp_path / "links.step")
    with pytest.raises(ModelError, match="solids need the thickness"):
        found.save(tmp_path / "links.stl")
    with pytest.raises(ModelError, match="a drawing has no thickness"):
        found.save(tmp_path / "links.dxf", thickness=0.01)
    with pytest.raises(ModelError, match="unit is 'ft'"):
        found.save(tmp_path / "links.dxf", unit="ft")
    with pytest.raises(ModelError, match="There is no link 'rod'"):
        found["rod"]
    with pytest.raises(ModelError, match="curves: 'P' has the shape"):
        found.save(tmp_path / "links.dxf", curves={"P": [(0, 0, 0)]})


@pytest.mark.parametrize("seed", range(5))
def test_plates_with_many_holes_keep_their_area(seed: int) -> None:
    """Triangles of a plate with holes at random places: their areas add up to that of the polygon less the holes."""
    rng = np.random.default_rng(seed)
    grid = np.array([(x, y) for x in range(4) for y in range(3)], float)
    centers = rng.permutation(grid)[: 3 + seed] + rng.uniform(-0.3, 0.3, (3 + seed, 2))
    outline = np.array([(-1, -1), (4, -1), (4, 3), (1.5, 2.9), (-1, 3)], float)
    found = plate_of("plate", FlatShape(outline), centers, 0.3)
    face = found.triangles()
    sides = face[:, 1:] - face[:, :1]
    areas = 0.5 * (sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
    assert np.all(areas > 0.0)
    circle = 0.5 * CHORDS * math.sin(2.0 * math.pi / CHORDS) * 0.15**2
    assert float(areas.sum()) == pytest.approx(shoelace(found.polygon) - len(found.holes) * circle, rel=1e-12)

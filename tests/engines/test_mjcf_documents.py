"""Random MJCF documents have the masses, places and motions here that MuJoCo gives them: classes, frames, includes,
meshes, several joints in a body."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file
from grashof.model.rotations import rotation_matrix
from grashof.situation import situation

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'grashof[engines]'")

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0.3, 0.2, 0), (0, 1, 0)])
"""A plate that is not convex."""
PLATE = [(1, 4, 3, 2), (1, 5, 4), (6, 7, 8, 9), (6, 9, 10), (1, 2, 7, 6), (2, 3, 8, 7), (3, 4, 9, 8), (4, 5, 10, 9), (5, 1, 6, 10)]  # fmt: skip


def plate(size: float) -> list[tuple[float, ...]]:
    return [(*(size * corner[:2]), z) for z in (0.0, 0.3 * size) for corner in CORNERS]


def obj(size: float) -> bytes:
    lines = ["# a plate", *(f"v {x} {y} {z}" for x, y, z in plate(size))]
    lines += ["f " + " ".join(f"{k}//1" for k in face) for face in PLATE[:4]]
    lines += ["f " + " ".join(str(k - 11) for k in face) for face in PLATE[4:]]
    return "\n".join(lines).encode()


def stl(size: float) -> bytes:
    corners = plate(size)
    triangles = [(face[0], face[k], face[k + 1]) for face in PLATE for k in range(1, len(face) - 1)]
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for k in one for x in corners[k - 1]), 0) for one in triangles)
    return b" " * 80 + struct.pack("<I", len(triangles)) + body


class Writer:
    """A random document; `files` are those that it needs."""

    def __init__(self, seed: int, meshes: bool) -> None:
        self.draw = random.Random(seed)
        self.kinds = ("", "capsule", "box", *(("mesh", "mesh") if meshes else ()))
        self.files = {"meshes/plate.obj": obj(0.4), "meshes/plate.stl": stl(0.3)}
        self.count = 0

    def numbers(self, count: int, size: float = 1.0) -> str:
        return " ".join(f"{self.draw.uniform(-size, size):.6f}" for _ in range(count))

    def pose(self) -> str:
        turned = self.draw.choice(
            ("", f'euler="{self.numbers(3, 90)}"', f'quat="{self.numbers(4)}"', f'zaxis="{self.numbers(3)}"')
        )
        return f'pos="{self.numbers(3, 0.5)}" {turned}'

    def framed(self, inside: str) -> str:
        """Within a frame, or two, or an included file, or as it is."""
        chosen = self.draw.random()
        if chosen < 0.3:
            childclass = self.draw.choice(("", 'childclass="heavy"'))
            return f"<frame {self.pose()} {childclass}>{self.framed(inside)}</frame>"
        if chosen < 0.45:
            name = f"part{len(self.files)}.xml"
            name = self.draw.choice((name, f"parts/{name}"))
            self.files[name] = f"<mujocoinclude>{inside}</mujocoinclude>".encode()
            return f'<include file="{name}"/>'
        return inside

    def geom(self) -> str:
        kind = self.draw.choice(self.kinds)
        if kind == "mesh":
            mesh = self.draw.choice(("legacy", "exact", "shell", "plate", "inline"))
            mass = self.draw.choice(("", 'mass="0.7"'))
            return f'<geom type="mesh" mesh="{mesh}" {self.pose()} {mass}/>'
        size = {"": 1, "capsule": 2, "box": 3}[kind]
        sizes = " ".join(f"{self.draw.uniform(0.05, 0.3):.5f}" for _ in range(size))
        shape = f'type="{kind}"' if kind else ""
        chosen = self.draw.choice(("", 'class="heavy"', 'class="light"'))
        return f'<geom {shape} size="{sizes}" {self.pose()} {chosen}/>'

    def body(self, depth: int) -> str:
        self.count += 1
        k = self.count
        joints = []
        for i in range(self.draw.choice((1, 1, 2))):
            kind = self.draw.choice(("hinge", "hinge", "slide"))
            damping = self.draw.choice(("", f'damping="{self.draw.uniform(0.1, 1):.4f}"', 'class="sprung"'))
            joints.append(
                f'<joint name="j{k}_{i}" type="{kind}" axis="{self.numbers(3)}" pos="{self.numbers(3, 0.2)}" '
                f"{damping}/>"
            )
        inside = "".join(map(self.framed, joints))
        if self.draw.random() < 0.3:
            inertial = f'<inertial {self.pose()} mass="1.2" diaginertia="0.3 0.4 0.5"/>'
            inside += inertial + "".join(self.framed(self.geom()) for _ in range(2))
        else:
            inside += "".join(self.framed(self.geom()) for _ in range(self.draw.choice((1, 2, 3))))
        inside += self.framed(f'<site name="s{k}" {self.pose()}/>')
        if depth:
            inside += "".join(self.framed(self.body(depth - 1)) for _ in range(self.draw.choice((0, 1, 2))))
        childclass = self.draw.choice(("", 'childclass="light"'))
        return f'<body name="b{k}" {self.pose()} {childclass}>{inside}</body>'

    def document(self) -> str:
        bodies = "".join(self.framed(self.body(2)) for _ in range(2))
        vertex = " ".join(f"{x:.6f}" for corner in plate(0.5) for x in corner)
        face = " ".join(str(face[i] - 1) for face in PLATE for k in range(1, len(face) - 1) for i in (0, k, k + 1))
        return f"""<mujoco model="random"><compiler meshdir="meshes" autolimits="true"/><option gravity="{self.numbers(3, 9)}"><flag contact="disable"/></option>
<default><geom density="900"/><default class="heavy"><geom density="4000"/><joint damping="0.2"/><default class="sprung"><joint stiffness="8" springref="20"/></default></default>
<default class="light"><geom density="300"/><mesh inertia="exact"/></default></default>
<asset><mesh name="legacy" file="plate.obj" scale="1 1.2 0.8" refpos="0.1 0 0.05" refquat="1 0.2 0 0.3"/><mesh name="exact" class="light" file="plate.stl" scale="1 1 2"/>
<mesh name="shell" file="plate.stl" inertia="shell"/><mesh file="plate.obj" inertia="exact"/><mesh name="inline" inertia="exact" vertex="{vertex}" face="{face}"/></asset>
<worldbody>{bodies}</worldbody></mujoco>"""

    def write(self, folder: Path) -> Path:
        text = self.document()
        for name, content in {**self.files, "model.xml": text.encode()}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        return folder / "model.xml"


@pytest.mark.parametrize("meshes", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_masses_places_and_motions_are_those_of_mujoco(seed: int, meshes: bool, tmp_path: Path) -> None:
    """MuJoCo keeps the corners of meshes in single precision, 6e-8 of their size."""
    path = Writer(seed, meshes).write(tmp_path)
    near = 3e-6 if meshes else 1e-9
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    here = load_file(path, strict=True).model
    s = situation(here)
    for k, name in enumerate(s.bodies):
        if "_between_" in name:
            continue
        there = model.body(name).id
        own = data.xmat[there].reshape(3, 3).T @ data.ximat[there].reshape(3, 3)
        assert s.masses[k] == pytest.approx(model.body_mass[there], rel=near)
        assert s.centers[k] == pytest.approx(model.body_ipos[there], abs=near)
        inertia = own @ np.diag(model.body_inertia[there]) @ own.T
        assert np.abs(s.inertias[k] - inertia).max() < near * np.abs(inertia).max()
        pose = here.start.guesses[name]
        assert pose.position == pytest.approx(data.xpos[there], abs=1e-13)
        assert rotation_matrix(pose.rotation).ravel() == pytest.approx(data.xmat[there], abs=1e-13)
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, 1e-4
    for _ in range(1000):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    run = gr.simulate(here, 0.1, tol=1e-9)
    sites = [
        (name, data.site(name.rpartition(".")[2]).xpos)
        for name in here.points
        if name.rpartition(".")[2].startswith("s")
    ]
    assert sites
    for name, place in sites:
        assert [run[f"{name}.{axis}"][-1] for axis in "xyz"] == pytest.approx(place, abs=3e-6 if meshes else 1e-8)

"""SDF documents are read as Drake reads them: random chains with poses relative to each other, axes expressed in other
frames, and nested models."""

import random

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import xml
from grashof.exchange.sdf.reader import read

pydrake = pytest.importorskip("pydrake.all")


def chain(draw: random.Random) -> str:
    """Five links on the world, in a document that says where things are in several ways."""

    def pose(tag: str = "") -> str:
        return f"<pose{tag}>{' '.join(repr(draw.uniform(-1.0, 1.0)) for _ in range(6))}</pose>"

    parts, names = [f'<frame name="f">{pose()}</frame>'], ["world"]
    for k in range(5):
        name, parent = f"l{k}", draw.choice(names)
        base = draw.choice(["f", "__model__", *(x for x in names if x != "world")])
        parts.append(
            f'<link name="{name}">{pose(f" relative_to={base!r}")}<inertial>{pose()}<mass>{draw.uniform(1, 3)!r}</mass><inertia>'
            "<ixx>0.3</ixx><iyy>0.25</iyy><izz>0.2</izz><ixy>0.02</ixy><iyz>0.01</iyz></inertia></inertial></link>"
        )
        within = draw.choice(["", ' expressed_in="f"', ' expressed_in="__model__"', f' expressed_in="{name}"'])
        xyz = f"<xyz{within}>{' '.join(repr(draw.uniform(-1.0, 1.0)) for _ in range(3))}</xyz>"
        kind = draw.choice(["revolute", "prismatic", "continuous"])
        parts.append(
            f'<joint name="j{k}" type="{kind}">{pose()}<parent>{parent}</parent><child>{name}</child><axis>{xyz}</axis></joint>'
        )
        names.append(name)
    return f'<sdf version="1.9"><model name="m"><pose>0.1 -0.2 0.3 0.4 0.5 0.6</pose>{"".join(parts)}</model></sdf>'


@pytest.mark.parametrize("seed", range(8))
def test_accelerations_are_those_of_drake(seed: int) -> None:
    text = chain(random.Random(seed))
    plant = pydrake.MultibodyPlant(0.0)
    pydrake.Parser(plant).AddModelsFromString(text, "sdf")
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -9.8])
    plant.Finalize()
    context = plant.CreateDefaultContext()
    plant.SetPositions(context, np.zeros(plant.num_positions()))
    mass = plant.CalcMassMatrixViaInverseDynamics(context)
    theirs = np.linalg.solve(mass, plant.CalcGravityGeneralizedForces(context))
    model, left_out, _ = read(xml.parse(text.encode()))
    assert not left_out
    run = gr.simulate(model, 1e-3, times=2)
    ours = [run[f"j{k}.acceleration"][0] for k in range(5)]
    order = [plant.GetJointByName(f"j{k}").velocity_start() for k in range(5)]
    assert ours == pytest.approx(theirs[order], rel=1e-9, abs=1e-9)
    for k in range(5):
        there = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(f"l{k}")).translation()
        assert [run[f"l{k}.origin.{x}"][0] for x in "xyz"] == pytest.approx(there, abs=1e-12)

"""A file that is read, saved as TOML and written again has the numbers of the file, to the last bit: random
documents with every kind of joint."""

from __future__ import annotations

import random

import msgspec
import pytest

import grashof as gr
from grashof.exchange import xml
from grashof.exchange.mjcf.reader import read as read_mjcf
from grashof.exchange.mjcf.writer import write as write_mjcf
from grashof.exchange.opensim.reader import read as read_osim
from grashof.exchange.opensim.writer import write as write_osim
from grashof.model.files import dumps, loads
from grashof.model.model import Model
from grashof.situation import situation

from . import forms
from .documents import JOINTS, body, document, joint

NUMBERS = (
    *("mass", "mass_center", "inertia", "translation", "orientation", "default_value", "default_speed_value"),
    *("location_body_1", "location_body_2", "point_on_line", "point_on_follower", "constant_distance"),
)


def told(root: xml.Element) -> dict[tuple[str, str], list[tuple[float, ...]]]:
    """All numbers, by the name of what they belong to; of the frames of a joint, in their order."""
    found: dict[tuple[str, str], list[tuple[float, ...]]] = {}

    def walk(part: xml.Element, owner: str) -> None:
        owner = part.name if part.name and part.tag != "PhysicalOffsetFrame" else owner
        for child in part.children:
            if child.tag in NUMBERS:
                found.setdefault((owner, child.tag), []).append(tuple(float(x) for x in child.text.split()))
            walk(child, owner)

    walk(root, "")
    return found


def osim(seed: int) -> str:
    """A tree of bodies on joints of all kinds, with oblique frames, values and speeds."""
    draw = random.Random(f"osim {seed}")
    kinds = {**JOINTS, "FreeJoint": "Coordinate " * 6}
    parts, names = [body("free", draw), joint("FreeJoint", "j_free", "ground", "free", draw, 6)], ["ground"]
    for k in range(draw.randint(1, 4)):
        name, kind = f"b{k}", draw.choice([*kinds])
        parent = "ground" if kind == "FreeJoint" else draw.choice(names)
        text = joint(kind, f"j{k}", parent, name, draw, kinds[kind].count("Coordinate"))
        for _ in range(kinds[kind].count("Coordinate")):
            speed = f"<default_speed_value>{draw.choice((0.0, draw.uniform(-2.0, 2.0)))!r}</default_speed_value>"
            text = text.replace("</default_value></C", f"</default_value>{speed}</C", 1)
        if kind == "WeldJoint":  # the same frames again, in a constraint
            again = text.replace("WeldJoint", "WeldConstraint").replace(f'"j{k}"', f'"w{k}"')
            parts.append(
                again.replace("socket_parent_frame", "socket_frame1").replace("socket_child_frame", "socket_frame2")
            )
        parts += [body(name, draw), text]
        names.append(name)
    return document(*parts)


@pytest.mark.parametrize("seed", range(60))
def test_documents_of_opensim_keep_every_number(seed: int) -> None:
    root = xml.parse(osim(seed).encode())
    model, left_out, *_ = read_osim(root)
    assert left_out == []
    text, left_out = write_osim(loads(dumps(model)))
    assert left_out == []
    written = told(xml.parse(text.encode()))
    for name, numbers in told(root).items():
        assert written[name] == numbers, name
    again, _, *_ = read_osim(xml.parse(text.encode()))
    assert unordered(again) == unordered(model)
    assert write_osim(loads(dumps(again)))[0] == text


@pytest.mark.parametrize("seed", range(50))
def test_documents_of_opensim_keep_their_forms(seed: int) -> None:
    """Custom joints, frames on frames, joints that lead towards the ground or close loops, values that do not close
    them, bodies without inertia."""
    while True:
        root = xml.parse(forms.osim(seed).encode())
        model, left_out, *_ = read_osim(root)
        assert left_out == []
        try:
            text, left_out = write_osim(loads(dumps(model)))
            break
        except gr.ModelError as problem:  # values so far from closing the loops that it cannot be assembled
            if "mirror image" not in str(problem):
                raise
            seed += 1000
    assert left_out == []
    written = forms.told(xml.parse(text.encode()))
    for name, said in forms.told(root).items():
        assert written[name] == said, name
    again, _, *_ = read_osim(xml.parse(text.encode()))
    assert unordered(again) == unordered(model)
    assert write_osim(loads(dumps(again)))[0] == text


KNEE = """<CustomJoint name="knee"><socket_parent_frame>hip</socket_parent_frame><socket_child_frame>/bodyset/shank</socket_child_frame>
<coordinates><Coordinate name="bend"><default_value>0.3</default_value></Coordinate></coordinates>
<frames><PhysicalOffsetFrame name="thigh_frame"><socket_parent>/bodyset/thigh</socket_parent><translation>0 -0.4 0</translation><orientation>0.1 0.2 0.3</orientation></PhysicalOffsetFrame>
<PhysicalOffsetFrame name="hip"><socket_parent>/jointset/knee/thigh_frame</socket_parent><translation>0.01 0.02 0</translation><orientation>0 0 0</orientation></PhysicalOffsetFrame></frames>
<SpatialTransform><TransformAxis name="rotation1"><coordinates>bend</coordinates><axis>0.3 0.5 0.7</axis><LinearFunction><coefficients>3 0</coefficients></LinearFunction></TransformAxis>
<TransformAxis name="translation1"><coordinates>bend</coordinates><axis>0 1 0</axis><LinearFunction><coefficients>0.02 0</coefficients></LinearFunction></TransformAxis></SpatialTransform></CustomJoint>"""


def knee() -> str:
    """A leg with a custom joint, between frames on frames, with one coordinate along two axes, and a spring."""
    spring = (
        "<SpringGeneralizedForce "
        'name="band"><coordinate>bend</coordinate><stiffness>0.7</stiffness><rest_length>0.1</rest_length><viscosity>0.05</viscosity></SpringGeneralizedForce>'
    )
    hip = joint("PinJoint", "hip_joint", "ground", "thigh", None, 1)
    return document(body("thigh"), body("shank"), hip, KNEE, forces=spring)


def edited(*changes: tuple[str, str]) -> tuple[Model, xml.Element]:
    """An edited TOML file of the leg, and the document that it gives."""
    toml = dumps(read_again(knee()))
    for old, new in changes:
        assert old in toml
        toml = toml.replace(old, new)
    model = loads(toml)
    text, left_out = write_osim(model)
    assert left_out == []
    return model, xml.parse(text.encode())


def numbers_of(root: xml.Element, name: str, tag: str) -> list[float]:
    part = next(part for part in root.walk() if part.name == name)
    return [float(x) for x in part.value(tag).split()]


def test_parts_that_are_not_edited_keep_their_form() -> None:
    """Another mass, another value of the start, another spring: the joint is written as it was, with its frames and
    axes."""
    knee_as_it_was = forms.told(xml.parse(knee().encode()))["knee"]
    _, root = edited(('name = "shank"\nmass = 2.0', 'name = "shank"\nmass = 3.0'))
    assert forms.told(root)["knee"] == knee_as_it_was
    assert numbers_of(root, "shank", "mass") == [3.0]
    assert [numbers_of(root, "band", tag) for tag in ("stiffness", "rest_length", "viscosity")] == [
        [0.7],
        [0.1],
        [0.05],
    ]
    _, root = edited(("-1749.9999999999998*", "-2500*"))
    assert forms.told(root)["knee"] == knee_as_it_was
    assert numbers_of(root, "band", "stiffness") == pytest.approx([1.0], rel=1e-15)
    _, root = edited(
        ('bend_translation1", value = 0.006', 'bend_translation1", value = 0.008'), ("0.8999999999999999", "1.2")
    )
    assert forms.told(root)["knee"][1] == knee_as_it_was[1]  # type: ignore[index]
    assert numbers_of(root, "bend", "default_value") == pytest.approx([0.4], rel=1e-12)


@pytest.mark.parametrize(
    "changes",
    [
        [("hip = [0.003570344083331682", "hip = [0.25")],
        [
            ("[0.3292927799690711, 0.5488212999484517, 0.7683498199278325]", "[0.6, 0.0, 0.8]"),
            ("[0.9442278671275494, -0.19139754063396275, -0.2679565568875479]", "[0.8, 0.0, -0.6]"),
        ],
        [("bend_translation1 = -150.0", "bend_translation1 = -100.0")],
        [
            (
                "center = [0.0, 0.0, 0.0]\ninertia = [0.0,",
                "mass = 0.5\ncenter = [0.0, 0.0, 0.0]\ninertia = [0.1, 0.1, 0.1]\n#",
            )
        ],
    ],
)
def test_edited_joints_are_written_as_edited(changes: list[tuple[str, str]]) -> None:
    """Another place, axis or ratio, or a mass between the two motions: the form of the file no longer describes the
    joint."""
    model, root = edited(*changes)
    assert not any(part.tag == "CustomJoint" for part in root.walk())
    again, _, *_ = read_osim(root)
    assert again.bodies[-1].mass == model.bodies[-1].mass
    assert again.couplings[0].factors() == pytest.approx(model.couplings[0].factors())  # type: ignore[union-attr]
    for ours, theirs in zip(model.joints, again.joints, strict=True):
        assert ours.name == theirs.name
        assert theirs.axis_a == pytest.approx(ours.axis_a, abs=1e-15)  # type: ignore[union-attr]
    assert again.points["thigh.hip"] == model.points["thigh.hip"]


@pytest.mark.parametrize("seed", range(20))
def test_random_edits_are_written(seed: int) -> None:
    """A mass, the points of a body or the values of the start, multiplied by 1.1: the bodies of the new document
    begin as the edited ones do."""
    draw = random.Random(f"edit {seed}")
    model = read_again(forms.osim(seed))
    place = draw.randrange(len(model.bodies))
    one = model.bodies[place]
    match draw.choice(["mass", "points", "values"]):
        case "mass":
            one = msgspec.structs.replace(one, mass=1.1 * one.mass)
        case "points":
            points = {name: tuple(1.1 * x for x in at) for name, at in one.points.items()}
            one = msgspec.structs.replace(one, points=points)
        case _:
            wants = [
                x if x.value is None else msgspec.structs.replace(x, value=1.1 * x.value) for x in model.start.wants
            ]
            model = msgspec.structs.replace(model, start=msgspec.structs.replace(model.start, wants=tuple(wants)))
    bodies = [*model.bodies[:place], one, *model.bodies[place + 1 :]]
    model = msgspec.structs.replace(model, bodies=tuple(bodies))
    right, found = situation(model), situation(read_again(write_osim(loads(dumps(model)))[0]))
    for name in set(right.bodies) & set(found.bodies):
        i, k = right.index[name], found.index[name]
        assert found.masses[k] == right.masses[i]
        for field in ("positions", "rotations", "velocities", "spins"):
            assert getattr(found, field)[k] == pytest.approx(getattr(right, field)[i], abs=1e-9)


def unordered(model: Model) -> dict[str, object]:
    """A description whose parts may be in any order."""
    fields = ("bodies", "joints", "forces", "motors", "measures", "couplings")
    found: dict[str, object] = {field: {part.name: part for part in getattr(model, field)} for field in fields}
    wants = {condition.quantity: condition for condition in model.start.wants}
    return found | {"ground": model.ground, "guesses": model.start.guesses, "wants": wants, "source": model.source}


def read_again(text: str) -> Model:
    model, left_out, *_ = read_osim(xml.parse(text.encode()))
    assert left_out == []
    return model


@pytest.mark.parametrize(
    "name",
    [
        *("klann", "pantograph", "peaucellier", "quick-return", "radial-engine", "scissor-lift", "scotch-yoke"),
        *("toggle-press", "multiple-four-bar"),
    ],
)
def test_loops_are_written_in_the_same_order_again(name: str) -> None:
    """Bodies, joints, coordinates and constraints: the second document is the first."""
    first, _ = write_osim(gr.example(name))
    assert write_osim(read_again(first))[0] == first


@pytest.mark.parametrize("name", ["rssr", "bennett"])
def test_documents_settle_after_the_first_one(name: str) -> None:
    """Reading adds points; the second document has them, and the third is the same."""
    first, _ = write_osim(gr.example(name))
    second, _ = write_osim(read_again(first))
    assert second != first
    assert write_osim(read_again(second))[0] == second


def test_joints_from_parent_to_child_come_before_others() -> None:
    """Of two joints that reach a body, the one that has it as its child places it; the other one, though first in
    the document, closes the loop."""
    draw = random.Random("order")
    joints = [("early", "b", "a"), ("one", "ground", "a"), ("two", "ground", "b")]
    parts = [joint("PinJoint", name, parent, child, draw, 1) for name, parent, child in joints]
    model = read_again(document(body("a", draw), body("b", draw), *parts))
    assert [part.name for part in model.joints] == ["one", "two", "early"]


def test_a_cam_that_is_written_without_its_contact_has_a_body_without_mass() -> None:
    """Neither format has the couplings of the contact. Without them nothing holds the massless link: this is
    reported, and the rest refused as a mechanism."""
    for write, read, program in ((write_osim, read_osim, "OpenSim"), (write_mjcf, read_mjcf, "MuJoCo")):
        text, left_out = write(gr.example("cam-follower"))
        assert [x.split(":")[0] for x in left_out if not x.startswith("Motor")] == [
            "Coupling 'outline'",
            "Coupling 'normal'",
            "Body 'contact'",
        ]
        assert f"mass, which {program} refuses" in left_out[-1]
        model, _, *_ = read(xml.parse(text.encode()))
        with pytest.raises(gr.ModelError, match=r"contact.* can move although nothing that moves with it has mass"):
            write(model)


def test_bodies_at_the_end_of_the_tree_need_mass_in_opensim_and_others_do_not() -> None:
    """The crank carries the coupler in the tree; the rocker carries nothing, since the joint between them is cut."""

    def refused(crank: float, coupler: float, rocker: float) -> list[str]:
        m = gr.Mechanism("four-bar", gravity=(0, -9.81))
        a = m.bar("crank", mass=crank, start=(0, 0), end=(0, 1))
        b = m.bar("coupler", mass=coupler, start=(0, 1), end=(2, 1.5))
        c = m.bar("rocker", mass=rocker, start=(2, 0), end=(2, 1.5))
        m.revolute(m.ground.at(0, 0), a.start)
        m.revolute(a.end, b.start)
        m.revolute(b.end, c.end)
        m.revolute(m.ground.at(2, 0), c.start)
        return [sentence.split(":")[0] for sentence in write_osim(m.model)[1]]

    assert refused(1.0, 1.0, 1.0) == refused(0.0, 1.0, 1.0) == []
    assert refused(1.0, 0.0, 1.0) == ["Body 'coupler'"]
    assert refused(1.0, 1.0, 0.0) == ["Body 'rocker'"]


def row(draw: random.Random, count: int, size: float = 1.0) -> str:
    return " ".join(repr(draw.uniform(-size, size)) for _ in range(count))


def attitude(draw: random.Random) -> str:
    """One of MJCF's ways to tell an attitude, or none."""
    ways = {"quat": 4, "euler": 3, "axisangle": 4, "xyaxes": 6, "zaxis": 3, "": 0}
    way = draw.choice([*ways])
    return f'{way}="{row(draw, ways[way])}"' if way else ""


def mjcf(seed: int) -> str:
    """Nested bodies on joints of all kinds, with a keyframe, springs, welds and couplings."""
    draw = random.Random(f"mjcf {seed}")
    positions: list[str] = []
    speeds: list[str] = []
    single: list[tuple[str, float, float]] = []
    count = 0

    def joints(name: str, top: bool) -> str:
        kind = draw.choice(["hinge", "slide", "ball", "several", "weld", *(["free"] if top else [])])
        if kind in ("ball", "free"):
            size = 4 if kind == "ball" else 7
            positions.append(row(draw, size))
            speeds.append(row(draw, size - 1))
            place = f'pos="{row(draw, 3)}"' if kind == "ball" else ""
            return f'<joint name="j {name}" type="{kind}" {place}/>'
        found, shared = "", row(draw, 3)
        for k in range({"weld": 0, "several": draw.randint(2, 3)}.get(kind, 1)):
            own = draw.choice(["hinge", "slide"]) if kind == "several" else kind
            place = shared if draw.random() < 0.5 else row(draw, 3)
            ref, value = draw.choice((0.0, draw.uniform(-1.0, 1.0))), draw.uniform(-1.0, 1.0)
            more = f'ref="{ref!r}"' if ref else ""
            more += draw.choice(["", f' stiffness="{draw.uniform(1, 5)!r}" springref="{row(draw, 1)}" damping="0.1"'])
            found += (
                f'<joint name="j{name}{k}" type="{own}" axis="{row(draw, 3)}" '
                f"{f'pos={chr(34)}{place}{chr(34)}' if own == 'hinge' else ''} {more}/>"
            )
            positions.append(repr(value))
            speeds.append(row(draw, 1))
            if kind != "several":
                single.append((f"j{name}{k}", ref, value))
        return found

    def bodies(depth: int) -> str:
        nonlocal count
        found = ""
        for _ in range(draw.randint(1, 2) if depth == 0 else draw.randint(0, 2)):
            name = f"b{count}"
            count += 1
            inertial = (
                f'<inertial pos="{row(draw, 3)}" mass="{draw.uniform(0.5, 2)!r}" fullinertia="1.1 0.9 1.3 '
                f'{row(draw, 3, 0.1)}"/>'
            )
            own = joints(name, depth == 0)
            site = f'<site name="s{name}" pos="{row(draw, 3)}"/>'
            inside = bodies(depth + 1) if depth < 2 else ""
            text = f'<body name="{name}" pos="{row(draw, 3)}" {attitude(draw)}>{own}{inertial}{site}{inside}</body>'
            found += f'<frame pos="{row(draw, 3)}" {attitude(draw)}>{text}</frame>' if draw.random() < 0.2 else text
        return found

    tree = '<body name="first"><joint name="turning"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>'
    positions.append(row(draw, 1))
    speeds.append(row(draw, 1))
    tree += bodies(0)
    compiler = draw.choice(['angle="radian"', 'angle="radian" eulerseq="ZYX"', 'angle="degree"'])
    ties, key = "", ""
    if draw.random() < 0.5:
        key = f'<keyframe><key name="start" qpos="{" ".join(positions)}" qvel="{" ".join(speeds)}"/></keyframe>'
    if len(single) > 1 and "degree" not in compiler:  # which holds at the start; the speeds may contradict it
        (first, ref_1, q_1), (second, ref_2, q_2) = draw.sample(single, 2)
        slope = draw.uniform(0.5, 2.0)
        offset = q_1 - ref_1 - slope * (q_2 - ref_2) if key else 0.0
        polynomial = f'polycoef="{offset!r} {slope!r} 0 0 0"'
        ties = f'<equality><joint name="tie" joint1="{first}" joint2="{second}" {polynomial}/></equality>'
    return f'<mujoco model="m"><compiler {compiler}/><worldbody>{tree}</worldbody>{ties}{key}</mujoco>'


def attributes(root: xml.Element, degrees: bool) -> dict[tuple[str, str, str], tuple[float, ...]]:
    """Numbers of bodies that are in no frame, of their joints, sites and masses, and of the keyframe."""
    found: dict[tuple[str, str, str], tuple[float, ...]] = {}

    def walk(part: xml.Element, owner: str) -> None:
        for child in part.children:
            name = child.name.rpartition(".")[2] or owner
            if child.tag == "frame":
                for body in child.all("body"):
                    walk(body, body.name)
                continue
            for key in (
                "pos",
                "quat",
                "axis",
                "ref",
                "stiffness",
                "springref",
                "mass",
                "fullinertia",
                "qpos",
                "qvel",
                "polycoef",
            ):
                if key in child.attributes and not (degrees and key in ("ref", "springref")):
                    found[child.tag, name, key] = tuple(float(x) for x in child.attributes[key].split())
            walk(child, name)

    walk(root, "")
    return found


@pytest.mark.parametrize("seed", range(60))
def test_documents_of_mujoco_keep_every_number(seed: int) -> None:
    source = mjcf(seed)
    root = xml.parse(source.encode())
    model, left_out = read_mjcf(root)
    assert left_out == []
    text, left_out = write_mjcf(loads(dumps(model)))
    written = attributes(xml.parse(text.encode()), False)
    for name, numbers in attributes(root, "degree" in source).items():
        if name[2] == "polycoef":
            numbers = numbers[:2]
        assert written[name] == numbers, name
    again, _ = read_mjcf(xml.parse(text.encode()))
    assert unordered(again) == unordered(model)
    assert write_mjcf(loads(dumps(again)))[0] == text


@pytest.mark.parametrize("seed", range(50))
def test_documents_of_mujoco_keep_their_forms(seed: int) -> None:
    """Frames, attitudes of every kind, degrees, geoms, principal inertias, bodies that are welded or connected."""
    root = xml.parse(forms.mjcf(seed).encode())
    model, left_out = read_mjcf(root)
    assert all("pass through each other" in sentence for sentence in left_out)
    text, left_out = write_mjcf(loads(dumps(model)))
    assert left_out == []
    written = forms.told_mjcf(xml.parse(text.encode()))
    for name, said in forms.told_mjcf(root).items():
        assert written[name] == said, name
    again, _ = read_mjcf(xml.parse(text.encode()))
    assert unordered(again) == unordered(model)
    assert write_mjcf(loads(dumps(again)))[0] == text


ARM = """<mujoco model="arm"><compiler eulerseq="zyx"/><worldbody><frame pos="0 0 1" euler="10 20 30">
<body name="upper" pos="0.1 0 0" axisangle="0 0 1 40"><joint name="shoulder" axis="0 1 0" ref="15" stiffness="2" springref="5"/>
<geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.4" density="700"/><body name="lower" pos="0 0 -0.4" xyaxes="1 0.1 0 0 1 0">
<joint name="elbow" axis="0 1 0"/><inertial pos="0 0 -0.2" mass="1" diaginertia="0.02 0.02 0.001" euler="0 5 0"/></body></body></frame></worldbody></mujoco>"""


def edited_arm(old: str, new: str) -> tuple[Model, dict[tuple[str, str], list[object]]]:
    """An edited TOML file of the arm, and what the document that it gives says."""
    toml = dumps(read_mjcf(xml.parse(ARM.encode()))[0])
    assert toml.count(old) == 1
    model = loads(toml.replace(old, new))
    text, left_out = write_mjcf(model)
    assert left_out == []
    again, _ = read_mjcf(xml.parse(text.encode()))
    right, found = situation(model), situation(again)
    assert found.masses == pytest.approx(right.masses, rel=1e-15)
    assert found.inertias == pytest.approx(right.inertias, abs=1e-15)
    for field in ("positions", "rotations", "velocities"):
        assert getattr(found, field) == pytest.approx(getattr(right, field), abs=1e-12)
    return again, forms.told_mjcf(xml.parse(text.encode()))


def test_edited_masses_and_springs_are_written_and_other_parts_keep_their_form() -> None:
    original = forms.told_mjcf(xml.parse(ARM.encode()))
    _, said = edited_arm('name = "lower"\nmass = 1.0', 'name = "lower"\nmass = 1.5')
    assert [name for name in original if said[name] != original[name]] == [("lower", "inertial")]
    again, said = edited_arm("stiffness = 2.0", "stiffness = 2.5")
    assert [name for name in original if said[name] != original[name]] == [("upper", "joint")]
    assert again.forces[0].stiffness == 2.5  # type: ignore[union-attr]


def test_an_edited_start_is_written() -> None:
    """Another angle of the elbow: all poses are computed, with angles in rad."""
    _, said = edited_arm('quantity = "elbow", value = 0.0', 'quantity = "elbow", value = 0.4')
    assert said["", "compiler"] == ["radian", "xyz"]

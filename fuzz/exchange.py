"""Damaged files of other programs: models of OpenSim, MJCF, URDF, SDF, OndselSolver, and OpenSim's tables; read, and some of them
assembled and written in every format."""

from __future__ import annotations

import random
import re
import warnings
from functools import cache
from pathlib import Path

import msgspec

import grashof as gr
from fuzz import NUMBERS, finding, mutated, scratch
from grashof.exchange import FORMATS, load_file, save_file, storage
from grashof.exchange.mjcf.writer import write as mjcf
from grashof.exchange.opensim.writer import write as osim
from grashof.show.tables import save_table

WORDS = (
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>",
    b"&a;",
    b"&#0;",
    b"<![CDATA[",
    b"<!--",
    b"]]>",
    b"<a>" * 200,
    b"</objects>",
    b"/ground",
    b"../..",
    b"part.xml",
    b"case.xml",
    b"/dev/zero",
    b"ground",
    b"world",
    b"q^q^q",
    b"__import__('os')",
    b"sin(" * 300,
    b"1e309",
    b"NaN",
    b"",
    b"0 0 0",
    b"true",
)
"""Replacements for a text or an attribute."""

URDF = b"""<robot name="r"><link name="base"/>
<link name="one"><inertial><origin xyz="0.1 0 0" rpy="0.1 0.2 0.3"/><mass value="1"/><inertia ixx="0.1" iyy="0.2" izz="0.2" ixy="0.01" ixz="0" iyz="0"/></inertial></link>
<link name="two"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
<joint name="p" type="revolute"><parent link="base"/><child link="one"/><origin xyz="0 0 1" rpy="0.3 0 0.2"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/><dynamics damping="0.1" friction="0.2"/></joint>
<joint name="q" type="prismatic"><parent link="one"/><child link="two"/><origin xyz="0.2 0 0"/><axis xyz="1 0 0"/><mimic joint="p" multiplier="0.2" offset="0.01"/></joint></robot>"""

SDF = b"""<sdf version="1.9"><world name="w"><gravity>0 0 -9.8</gravity><model name="m"><pose>0.1 0 1 0 0 0.3</pose>
<frame name="f" attached_to="a"><pose relative_to="b" degrees="true">0 1 0 0 0 90</pose></frame>
<link name="a"><inertial><pose>0.1 0 0 0.1 0.2 0.3</pose><mass>2</mass><inertia><ixx>0.3</ixx><iyy>0.2</iyy><izz>0.25</izz><ixy>0.01</ixy></inertia></inertial></link>
<link name="b"><pose relative_to="__model__">0.5 0 0 0 0 0.2</pose></link><model name="n"><link name="c"><pose rotation_format="quat_xyzw">1 0 0 0 0 0 1</pose></link></model>
<joint name="p" type="revolute"><parent>world</parent><child>a</child><axis><xyz expressed_in="f">0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit><dynamics><damping>0.1</damping></dynamics></axis></joint>
<joint name="q" type="prismatic"><pose>0 0 0.1 0 0 0</pose><parent>f</parent><child>n::c</child><axis><xyz>1 0 0</xyz></axis></joint>
<joint name="r" type="ball"><parent>n::c</parent><child>b</child></joint>
<joint name="s" type="revolute"><parent>a</parent><child>b</child><axis><mimic joint="p"><multiplier>0.2</multiplier></mimic></axis></joint></model></world></sdf>"""

OSIM = b"""<OpenSimDocument Version="40000"><Model name="leg"><BodySet><objects><Body name="a"><mass>1</mass><inertia>1 1 1 0 0 0</inertia>
<components><PhysicalOffsetFrame name="f"><socket_parent>/bodyset/a</socket_parent><translation>0 1 0</translation><orientation>0.1 0.2 0.3</orientation></PhysicalOffsetFrame></components></Body>
<Body name="b"><mass>2</mass><inertia>1 1 1 0 0 0</inertia></Body></objects></BodySet><JointSet><objects>
<CustomJoint name="k"><socket_parent_frame>/bodyset/a/f</socket_parent_frame><socket_child_frame>g</socket_child_frame>
<coordinates><Coordinate name="q"><default_value>0.3</default_value></Coordinate><Coordinate name="r"/></coordinates>
<frames><PhysicalOffsetFrame name="g"><socket_parent>/bodyset/b</socket_parent><translation>0 0.2 0</translation></PhysicalOffsetFrame></frames>
<SpatialTransform><TransformAxis name="rotation1"><coordinates>q</coordinates><axis>0 0.6 0.8</axis><LinearFunction><coefficients>2 0</coefficients></LinearFunction></TransformAxis>
<TransformAxis name="rotation2"><coordinates>r</coordinates><axis>1 0 0</axis><LinearFunction><coefficients>1 0</coefficients></LinearFunction></TransformAxis>
<TransformAxis name="translation1"><coordinates>q</coordinates><axis>1 0 0</axis><MultiplierFunction><function><LinearFunction><coefficients>0.1 0</coefficients></LinearFunction></function><scale>3</scale></MultiplierFunction></TransformAxis></SpatialTransform></CustomJoint>
<PinJoint name="p"><socket_parent_frame>/bodyset/a</socket_parent_frame><socket_child_frame>/ground</socket_child_frame><coordinates><Coordinate name="p0"/></coordinates></PinJoint></objects></JointSet>
<ConstraintSet><objects><PointOnLineConstraint name="l"><socket_line_body>/ground</socket_line_body><socket_follower_body>/bodyset/a/f</socket_follower_body><line_direction_vec>0 3 0</line_direction_vec></PointOnLineConstraint></objects></ConstraintSet>
<ForceSet><objects><SpringGeneralizedForce name="s"><coordinate>q</coordinate><stiffness>3</stiffness></SpringGeneralizedForce></objects></ForceSet></Model></OpenSimDocument>"""

MJCF = b"""<mujoco model="arm"><compiler angle="degree" eulerseq="xyz"/><default><joint damping="0.3"/><default class="stiff"><joint stiffness="20"/></default></default>
<worldbody><site name="w" pos="0 0 2"/><body name="a" pos="0.1 0 1" euler="0 30 0"><joint name="s" class="stiff" axis="0 1 0" pos="0 0.05 0" ref="10"/><geom type="capsule" size="0.04" fromto="0 0 0 0.5 0 0"/><site name="e" pos="0.5 0 0"/>
<body name="b" pos="0.5 0 0"><joint name="sl" type="slide" axis="1 0 0"/><joint name="h" axis="0 1 1"/><geom type="box" size="0.2 0.03 0.05" mass="1"/><site name="f"/></body></body>
<body name="c" pos="1 0 1"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody>
<tendon><spatial name="t" stiffness="10" springlength="0.3"><site site="w"/><site site="f"/></spatial></tendon>
<equality><connect body1="b" body2="c" anchor="0.1 0 0"/><joint joint1="s" joint2="h" polycoef="0.1 0.5"/></equality>
<actuator><general joint="s" gear="0.5" gaintype="fixed" gainprm="0" biastype="affine" biasprm="1 0 0"/></actuator>
<keyframe><key qpos="0.3 0.05 -0.4 1 0 1 1 0 0 0" qvel="0.5 0.1 -1 0 0 0 0.1 0 0"/></keyframe></mujoco>"""

ASMT = b"""OndselSolver
Assembly
\tName
\t\tA
\tRefPoints
\t\tRefPoint
\t\t\tPosition3D
\t\t\t\t0 0 1
\t\t\tMarkers
\t\t\t\tMarker
\t\t\t\t\tName
\t\t\t\t\t\tO
\t\t\t\t\tRotationMatrix
\t\t\t\t\t\t1\t0\t0
\t\t\t\t\t\t0\t0\t-1
\t\t\t\t\t\t0\t1\t0
\tParts
""" + b"".join(
    b"""\t\tPart
\t\t\tName
\t\t\t\t%c
\t\t\tPosition3D
\t\t\t\t0.3 0 %d
\t\t\tOmega3D
\t\t\t\t0 0.5 0
\t\t\tPrincipalMassMarker
\t\t\t\tName
\t\t\t\t\tM
\t\t\t\tPosition3D
\t\t\t\t\t0.1 0 0
\t\t\t\tMass
\t\t\t\t\t2
\t\t\t\tMomentOfInertias
\t\t\t\t\t0.1 0.2 0.25
""" % (name, k) for k, name in enumerate(b"abcde")
) + b"""\tConstraintSets
\t\tJoints
""" + b"".join(
    b"""\t\t\t%s
\t\t\t\tName
\t\t\t\t\t%s
\t\t\t\tMarkerI
\t\t\t\t\t/A/%s
\t\t\t\tMarkerJ
\t\t\t\t\t/A/%s/M
\t\t\t\t%s
\t\t\t\t\t0.4
""" % given
    for given in (
        (b"RevoluteJoint", b"r", b"O", b"a", b"note"), (b"UniversalJoint", b"u", b"a/M", b"b", b"note"),
        (b"CylSphJoint", b"s", b"b/M", b"c", b"distanceIJ"), (b"AngleJoint", b"n", b"O", b"e", b"theIzJz"),
        (b"CylindricalJoint", b"c", b"O", b"d", b"note"), (b"ScrewJoint", b"p", b"O", b"d", b"pitch"),
        (b"PlanarJoint", b"q", b"a/M", b"c", b"offset"),
    )
) + b"""\t\tMotions
\t\t\tRotationalMotion
\t\t\t\tName
\t\t\t\t\tm
\t\t\t\tMotionJoint
\t\t\t\t\t/A/r
\t\t\t\tRotationZ
\t\t\t\t\t2.0d*pi*time + arctan(3*time)^2
\t\tLimits
\t\t\tRotationLimit
\t\t\t\tName
\t\t\t\t\tl
\t\t\t\tMotionJoint
\t\t\t\t\t/A/c
\t\t\t\tLimit
\t\t\t\t\t30.0*pi/180.0
\t\t\t\tType
\t\t\t\t\t=<
\tConstantGravity
\t\t0 0 -9.81
"""  # fmt: skip

FRAMES = b"""<mujoco model="frames"><compiler meshdir="." inertiagrouprange="0 2"/><default><mesh scale="0.1 0.2 0.1"/><default class="heavy"><geom density="4000"/></default></default>
<asset><mesh name="m" file="mesh.obj"/><mesh name="n" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3" inertia="exact"/></asset>
<worldbody><frame pos="1 0 0" euler="0 0 30" childclass="heavy"><body name="a"><frame quat="1 0 1 0"><joint name="h"/><geom type="mesh" mesh="m" pos="0 1 0"/></frame><geom type="mesh" mesh="n"/><include file="part.xml"/></body></frame></worldbody>
<tendon><fixed name="t" stiffness="3" damping="1"><joint joint="h" coef="2"/></fixed></tendon></mujoco>"""
PART = (
    b'<mujocoinclude><body name="b"><joint name="k" axis="1 0 0"/><geom size="0.2"/></body><site '
    b'name="s"/></mujocoinclude>'
)
MESH = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/1 4/1\nf -4 -1 -2\nf 2 3 4\n"


def run(cases: int, seed: int) -> list[str]:
    """Each case is a correct file of which some text was changed."""
    found = []
    with warnings.catch_warnings(), scratch() as folder:
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)  # advice to the user
        for case in range(cases):
            draw = random.Random(f"{seed} exchange {case}")
            ending, data = draw.choice(_examples())
            data = mutated(data, draw) if draw.random() < 0.4 else _damaged(data, draw)
            depth = draw.choices(("read", "assembled", "written", "kept"), (83, 10, 4, 3))[0]
            path = Path(folder) / f"case{ending}"
            path.write_bytes(data)
            for name, content in (("part.xml", PART), ("mesh.obj", MESH)):
                (Path(folder) / name).write_bytes(mutated(content, draw) if draw.random() < 0.2 else content)
            sentence = finding(lambda: _use(path, depth, draw), f"exchange, case {case}, {ending}")  # noqa: B023
            if sentence is not None:
                found.append(sentence)
    return found


def _use(path: Path, depth: str, draw: random.Random) -> None:
    if path.suffix in (".sto", ".mot"):
        storage.read(path)
        return
    model = load_file(path).model
    if depth == "assembled":
        gr.assemble(model)
    elif depth in ("written", "kept"):
        if depth == "kept":
            model = msgspec.structs.replace(model, source=_damaged_source(model.source, draw))
        for ending in {form.writer: ending for ending, form in FORMATS.items() if form.writer}.values():
            save_file(model, path.with_name(f"again{ending}"))


def _damaged_source(source: dict[str, dict[str, str]], draw: random.Random) -> dict[str, dict[str, str]]:
    """What a description keeps of a file, with some keys and texts changed: it may come from any TOML file."""
    found = {key: dict(table) for key, table in source.items()}
    for _ in range(draw.choice((1, 1, 3)) if found else 0):
        table = found[draw.choice([*found])]
        word = draw.choice([*table, "closes", "pos"])
        other = draw.choice([text for one in found.values() for text in one.values()])
        hostile = draw.choice((*WORDS, *NUMBERS)).decode(errors="replace")
        table[draw.choice((word, hostile))] = draw.choice((other, hostile))
    return found


def _damaged(data: bytes, draw: random.Random) -> bytes:
    """Replaces a text, an attribute or a tag, or omits or repeats an element."""
    for _ in range(draw.choice((1, 1, 2, 3))):
        pattern = draw.choice(
            (
                rb">([^<>]+)<",
                rb'="([^"]*)"',
                rb"</?(\w+)",
                rb"(<\w+[^<>]*/>)",
                rb"(<\w+[^<>]*>[^<>]*</\w+>)",
                rb"\n\t+([^\n]*)",
            )
        )
        places = [found.span(1) for found in re.finditer(pattern, data)]
        if not places:
            continue
        begin, end = draw.choice(places)
        piece = data[begin:end]
        other = data[slice(*draw.choice(places))]
        data = (
            data[:begin]
            + draw.choice((b"", piece + piece, other, draw.choice(WORDS), draw.choice(NUMBERS)))
            + data[end:]
        )
    return data


@cache
def _examples() -> tuple[tuple[str, bytes], ...]:
    m = gr.Mechanism("loop", gravity=(0, 0, -9.81))
    crank = m.body("crank", mass=1.0, inertia=(0.02, 0.03, 0.03), points={"o": (0, 0, 0), "e": (0.2, 0, 0)})
    rocker = m.body(
        "rocker",
        mass=2.0,
        inertia=(0.05, 0.02, 0.06, 0.001, 0, 0),
        points={"o": (0, 0, 0), "e": (0, 0.4, 0)},
        position=(0.6, 0, 0),
    )
    free = m.body("free", mass=1.0, inertia=(0.1, 0.1, 0.1), points={"o": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), crank.o, axis=(0, 0, 1))
    m.revolute(m.ground.at(0.6, 0, 0), rocker.o, axis=(1, 0, 1))
    m.distance(crank.e, rocker.e, 0.6)
    m.spherical(rocker.e, free.o)
    m.spring(m.ground.at(0, 1, 0), rocker.e, stiffness=30.0, length=0.4, damping=0.5)
    m.torque(crank, 0.4)
    m.torsion_spring(rocker, stiffness=2.0, rest=0.1)
    m.force(rocker.e, (0.1, 0.0, 0.3))
    m.need(crank, value=0.3, rate=2.0)
    from grashof.problems import make_case

    run = gr.simulate(make_case("double-four-bar").model, 0.05, times=6)
    with scratch() as folder:
        save_table(run, Path(folder) / "run.sto")
        table = (Path(folder) / "run.sto").read_bytes()
    texts = [
        (".osim", osim(model)[0]) for model in (m.model, make_case("andrews").model, make_case("double-four-bar").model)
    ]
    texts += [(".xml", mjcf(m.model)[0]), (".xml", mjcf(make_case("andrews").model)[0])]
    rest = (
        (".osim", OSIM),
        (".urdf", URDF),
        (".sdf", SDF),
        (".asmt", ASMT),
        (".xml", MJCF),
        (".xml", FRAMES),
        (".sto", table),
    )
    return (*((ending, text.encode()) for ending, text in texts), *rest)

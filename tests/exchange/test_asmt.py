"""Assemblies of OndselSolver are read: what each joint holds, how motions prescribe coordinates, units, limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import Loaded, load_file
from grashof.exchange.asmt.laws import law_at, read_law
from grashof.exchange.xml import Element
from grashof.situation import situation
from grashof.situation.rotations import turns

EYE = np.eye(3)
FLIPPED = np.diag([1.0, -1.0, -1.0])


def lines(depth: int, *texts: str) -> str:
    """Lines that are indented by so many tabs, and by one more for each `>` they begin with."""
    return "".join("\t" * (depth + len(x) - len(x.lstrip(">"))) + x.lstrip(">") + "\n" for x in texts)


def frame(place: np.ndarray | tuple[float, ...], axes: np.ndarray = EYE) -> list[str]:
    rows = [">" + "\t".join(f"{x!r}" for x in row) for row in np.asarray(axes).tolist()]
    return ["Position3D", ">" + "\t".join(f"{float(x)!r}" for x in place), "RotationMatrix", *rows]


def points(depth: int, markers: dict[str, tuple[np.ndarray | tuple[float, ...], np.ndarray]]) -> str:
    found = lines(depth, "RefPoints")
    for name, (place, axes) in markers.items():
        found += lines(depth + 1, "RefPoint", *[">" + text for text in frame((0, 0, 0))], ">Markers", ">>Marker")
        found += lines(depth + 4, "Name", ">" + name, *frame(place, axes))
    return found + lines(depth, "RefCurves", "RefSurfaces")


def part(
    name: str,
    markers: dict[str, tuple[np.ndarray | tuple[float, ...], np.ndarray]],
    at: np.ndarray | tuple[float, ...] = (0, 0, 0),
    axes: np.ndarray = EYE,
    mass: float = 2.0,
    center: tuple[float, ...] = (0, 0, 0),
    moments: str = "0.1 0.2 0.25",
    omega: str = "0 0 0",
) -> str:
    rest = [
        "Velocity3D",
        ">0 0 0",
        "Omega3D",
        ">" + omega,
        "FeatureOrder",
        "PrincipalMassMarker",
        ">Name",
        ">>MassMarker",
    ]
    own = [">" + text for text in frame(center)] + [">Mass", f">>{mass}", ">MomentOfInertias", ">>" + moments]
    return lines(2, "Part") + lines(3, "Name", ">" + name, *frame(at, axes), *rest, *own) + points(3, markers)


def joint(kind: str, name: str, i: str, j: str, *more: str) -> str:
    return lines(3, kind, ">Name", ">>" + name, ">MarkerI", f">>/A/{i}", ">MarkerJ", f">>/A/{j}", *more)


def motion(kind: str, name: str, along: str, law: str) -> str:
    return lines(3, kind, ">Name", ">>" + name, ">MotionJoint", f">>/A/{along}", f">{kind[: -len('alMotion')].replace('Rotation', 'RotationZ').replace('Translation', 'TranslationZ')}", ">>" + law)  # fmt: skip


def assembly(
    markers: dict[str, tuple[np.ndarray | tuple[float, ...], np.ndarray]],
    parts: str,
    joints: str,
    motions: str = "",
    limits: str = "",
    gravity: str = "0 0 0",
    more: str = "",
) -> str:
    head = "OndselSolver\n" + lines(0, "Assembly", ">Notes", ">>", ">Name", ">>A")
    head += lines(1, *frame((0, 0, 0)), "Velocity3D", ">0 0 0", "Omega3D", ">0 0 0")
    head += points(1, markers) + lines(1, "Parts") + parts + lines(1, "KinematicIJs", "ConstraintSets", ">Joints")
    tail = lines(2, "Motions") + motions + lines(2, "Limits") + limits + lines(2, "GeneralConstraintSets")
    return head + joints + tail + lines(1, "ForceTorques") + more + lines(1, "ConstantGravity", ">" + gravity)


def read(folder: Path, text: str, **choices: object) -> Loaded:
    from grashof.exchange import Choices

    (folder / "case.asmt").write_text(text)
    return load_file(folder / "case.asmt", choices=Choices(**choices))  # type: ignore[arg-type]


def place(found: Loaded, body: str) -> tuple[np.ndarray, np.ndarray]:
    """Where a body is at the start."""
    return situation(found.model).pose(body)


def crank_slider(law: str) -> str:
    ground = {"O": ((0, 0, 0), EYE), "line": ((0, 0, 0), turns(np.array([0.0, 1.0, 0.0]), np.array([math.pi / 2]))[0])}
    crank = part("crank", {"O": ((0, 0, 0), EYE), "e": ((200, 0, 0), EYE)})
    rod = part("rod", {"s": ((0, 0, 0), FLIPPED), "e": ((500, 0, 0), EYE)}, (200, 0, 0))
    block = part("block", {"c": ((0, 0, 0), EYE), "line": ((0, 0, 0), ground["line"][1])}, (700, 0, 0))
    joints = [("O", "crank/O"), ("crank/e", "rod/s"), ("rod/e", "block/c")]
    text = "".join(joint("RevoluteJoint", f"J{k}", i, j) for k, (i, j) in enumerate(joints))
    text += joint("TranslationalJoint", "slide", "line", "block/line")
    return assembly(ground, crank + rod + block, text, motion("RotationalMotion", "turn", "J0", law))


def test_a_driven_crank_moves_its_slider_in_mm(tmp_path: Path) -> None:
    """x = r cos φ + √(ℓ² − r² sin² φ); the pin of the rod has axes that point against each other."""
    found = read(tmp_path, crank_slider("2.0d*pi*time + 0.1"), length="mm")
    assert found.left_out == found.remarks == ()
    run = gr.kinematics(found.model, 1.0, times=41)
    phi = 2 * math.pi * run.t + 0.1
    assert np.allclose(run["block.origin.x"], 0.2 * np.cos(phi) + np.sqrt(0.25 - (0.2 * np.sin(phi)) ** 2), atol=1e-12)


def test_a_motion_that_begins_half_a_turn_away_is_taken_from_where_the_parts_are(tmp_path: Path) -> None:
    found = read(tmp_path, crank_slider("pi + 0.1*time"), length="mm")
    assert "half a turn" in found.remarks[0]
    assert place(found, "block")[0][0] == pytest.approx(0.7, abs=1e-12)


def test_a_pendulum_falls_as_the_same_pendulum_does(tmp_path: Path) -> None:
    """Mass, centre, moments, gravity, and the angular velocity of a part at the start."""
    pivot = {"O": ((0.1, 0.2, 0.3), EYE)}
    rod = part("rod", {"p": ((0, 0, 0), EYE)}, (0.1, 0.2, 0.3), EYE, 2.0, (0.4, 0, 0), omega="0 0 1.5")
    found = read(tmp_path, assembly(pivot, rod, joint("RevoluteJoint", "J", "O", "rod/p"), gravity="0 -9.81 0"))
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    own = m.body("rod", mass=2.0, inertia=0.25, center=(0.4, 0), points={"origin": (0, 0)}, position=(0.1, 0.2))
    m.revolute(m.ground.at(0.1, 0.2), own.origin)
    m.want(own, value=0.0, rate=1.5)
    (one, two) = (gr.simulate(x, 1.0, tol=1e-10) for x in (found.model, m))
    assert one["J"][-1] == pytest.approx(two["rod.angle"][-1], abs=1e-8)


Holds = Callable[[np.ndarray, np.ndarray], list[float]]
JOINTS: dict[str, tuple[int, tuple[str, ...], Holds]] = {
    "FixedJoint": (0, (), lambda d, r: [*d, *(r - EYE).ravel()]),
    "RevoluteJoint": (1, (), lambda d, r: [*d, r[0, 2], r[1, 2]]),
    "CylindricalJoint": (2, (), lambda d, r: [d[0], d[1], r[0, 2], r[1, 2]]),
    "TranslationalJoint": (1, (), lambda d, r: [d[0], d[1], *(r - EYE).ravel()]),
    "SphericalJoint": (3, (), lambda d, r: [*d]),
    "UniversalJoint": (2, (), lambda d, r: [*d, r[2, 2]]),
    "ConstantVelocityJoint": (2, (), lambda d, r: [*d, r[0, 1] + r[1, 0]]),
    "PlanarJoint": (3, (">offset", ">>0.3"), lambda d, r: [d[2] - 0.3, r[0, 2], r[1, 2]]),
    "PointInPlaneJoint": (5, (">offset", ">>0.3"), lambda d, r: [d[2] - 0.3]),
    "LineInPlaneJoint": (4, (">offset", ">>0.3"), lambda d, r: [d[2] - 0.3, r[2, 2]]),
    "PointInLineJoint": (4, (), lambda d, r: [d[0], d[1]]),
    "ParallelAxesJoint": (4, (), lambda d, r: [r[0, 2], r[1, 2]]),
    "PerpendicularJoint": (5, (), lambda d, r: [r[2, 2]]),
    "NoRotationJoint": (3, (), lambda d, r: [*(r - EYE).ravel()]),
    "AngleJoint": (5, (">theIzJz", ">>0.7"), lambda d, r: [r[2, 2] - math.cos(0.7)]),
    "SphSphJoint": (5, (">distanceIJ", ">>0.6"), lambda d, r: [float(np.linalg.norm(d)) - 0.6]),
    "CylSphJoint": (5, (">distanceIJ", ">>0.6"), lambda d, r: [math.hypot(d[0], d[1]) - 0.6]),
    "RevCylJoint": (3, (">distanceIJ", ">>0.6"), lambda d, r: [math.hypot(d[0], d[1]) - 0.6, r[0, 2], r[1, 2]]),
    "RevRevJoint": (2, (">distanceIJ", ">>0.6"), lambda d, r: [math.hypot(d[0], d[1]) - 0.6, d[2], r[0, 2], r[1, 2]]),
}
"""For each kind its freedoms, its numbers, and what is zero, in the place d and the axes r of marker J seen from I."""


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_holds_what_it_should(kind: str, tmp_path: Path) -> None:
    """The parts are brought together from where they do not fit."""
    freedoms, numbers, holds = JOINTS[kind]
    draw = np.random.default_rng(len(kind))
    near = turns(np.array([0.6, 0.8, 0.0]), np.array([0.3]))[0]
    i, j = (turns(draw.normal(size=3), np.array([1.0]))[0] for _ in range(2))
    i, j = (np.linalg.qr(x)[0] for x in (i, j))
    i, j = (x * np.linalg.det(x) for x in (i, j))
    at = np.array([0.1, 0.2, 0.3])
    axes = i @ near @ j.T
    text = assembly(
        {"I": (at, i)},
        part("p", {"J": ((0.05, 0.1, -0.2), j)}, at + i @ np.array([0.3, 0.4, 0.2]) - axes @ (0.05, 0.1, -0.2), axes)
        + ("" if freedoms else part("q", {})),  # something must be able to move
        joint(kind, "J", "I", "p/J", *numbers),
    )
    found = read(tmp_path, text)
    assert not found.left_out
    if freedoms:
        assert gr.mobility(found.model).dof == freedoms
    origin, turned = place(found, "p")
    d = i.T @ (origin + turned @ (0.05, 0.1, -0.2) - at)
    assert np.allclose(holds(d, i.T @ turned @ j), 0.0, atol=1e-9)


def test_an_axis_leaves_the_position_in_which_its_angle_cannot_change(tmp_path: Path) -> None:
    text = assembly(
        {"I": ((0, 0, 0), EYE)},
        part("p", {"J": ((0, 0, 0), EYE)}),
        joint("AngleJoint", "J", "I", "p/J", ">theIzJz", ">>0.17"),
    )
    gr.assemble(read(tmp_path, text).model)


def wheels(kind: str, *numbers: str, slides: bool = False) -> str:
    """A wheel that is driven about z, and a second part that is coupled to it."""
    ground = {
        "a": ((0, 0, 0), EYE),
        "b": ((0.3, 0, 0), EYE),
        "x": ((0, 0, 0), np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])),
    }
    own = {"c": ((0, 0, 0), EYE), "x": ((0, 0, 0), ground["x"][1])}
    other = "TranslationalJoint" if slides else "RevoluteJoint"
    text = joint("RevoluteJoint", "J1", "a", "one/c")
    text += joint(other, "J2", *(("x", "two/x") if slides else ("b", "two/c")))
    pair = ("two/c", "one/c") if slides else ("one/c", "two/c")
    text += joint(kind, "J3", *pair, *numbers)
    parts = part("one", own) + part("two", own, (0, 0, 0) if slides else (0.3, 0, 0))
    return assembly(ground, parts, text, motion("RotationalMotion", "turn", "J1", "0.7*time"))


def test_gears_turn_in_the_ratio_of_their_radii(tmp_path: Path) -> None:
    found = read(tmp_path, wheels("GearJoint", ">radiusI", ">>0.1", ">radiusJ", ">>0.2"))
    assert not found.left_out
    run = gr.kinematics(found.model, 1.0, times=11)
    assert np.allclose(run["J2"], -0.5 * run["J1"], atol=1e-12)


def test_a_rack_moves_with_its_pinion(tmp_path: Path) -> None:
    """x + r θ stays the same, where x is the place of the pinion on the rack."""
    found = read(tmp_path, wheels("RackPinionJoint", ">pitchRadius", ">>0.1", slides=True))
    run = gr.kinematics(found.model, 1.0, times=11)
    assert np.allclose(run["two.origin.x"], 0.1 * 0.7 * run.t, atol=1e-12)


def test_a_screw_advances_by_its_pitch_in_each_turn(tmp_path: Path) -> None:
    text = joint("CylindricalJoint", "J", "a", "nut/c") + joint("ScrewJoint", "S", "a", "nut/c", ">pitch", ">>0.01")
    text = assembly(
        {"a": ((0, 0, 0), EYE)},
        part("nut", {"c": ((0, 0, 0), EYE)}),
        text,
        motion("RotationalMotion", "turn", "J", "2*pi*time"),
    )
    run = gr.kinematics(read(tmp_path, text).model, 3.0, times=4)
    assert np.allclose(run["nut.origin.z"], [0.0, 0.01, 0.02, 0.03], atol=1e-13)


def test_a_general_motion_moves_and_turns_a_part(tmp_path: Path) -> None:
    """J = slide(r), then turns about z, x and y in the order of the document."""
    laws = ["0.1*time", "0.2", "sin(time)", "0.3*time", "0.4", "time^2"]
    given = [
        text for k, law in enumerate(laws) for text in (f">{'rIJI' if k < 3 else 'angIJJ'}{k % 3 + 1}", ">>" + law)
    ]
    move = joint("GeneralMotion", "M", "a", "p/c", *given, ">RotationOrder", ">>3 1 2")
    found = read(tmp_path, assembly({"a": ((0, 0, 0), EYE)}, part("p", {"c": ((0, 0, 0), EYE), "tip": ((0, 0, 1), EYE), "side": ((1, 0, 0), EYE)}), joint("SphSphJoint", "rod", "a", "p/tip", ">distanceIJ", ">>1"), move))  # fmt: skip
    assert "two" not in found.model.name
    model = read(tmp_path, assembly({"a": ((0, 0, 0), EYE)}, part("p", {"c": ((0, 0, 0), EYE)}), "", move)).model
    run = gr.kinematics(model, 1.0, times=3)
    assert run["p.origin.z"][-1] == pytest.approx(math.sin(1.0), abs=1e-12)
    assert run["p.origin.x"][-1] == pytest.approx(0.1, abs=1e-12)


def limit(kind: str, along: str, end: str, sign: str) -> str:
    return lines(3, kind, ">Name", f">>{along}{sign}", ">MarkerI", ">>/A/a", ">MarkerJ", ">>/A/p/c", ">MotionJoint", f">>/A/{along}", ">Limit", ">>" + end, ">Type", ">>" + sign, ">Tol", ">>1e-9")  # fmt: skip


@pytest.mark.parametrize("how", ["compliant", "rigid"])
def test_limits_stop_a_part(how: str, tmp_path: Path) -> None:
    text = joint("RevoluteJoint", "J", "a", "p/c")
    ends = limit("RotationLimit", "J", "-30.0*pi/180.0", "=>") + limit("RotationLimit", "J", "10.0*pi/180.0", "=<")
    document = assembly(
        {"a": ((0, 0, 0), EYE)},
        part("p", {"c": ((0, 0, 0), EYE)}, center=(0.2, 0, 0)),
        text,
        limits=ends,
        gravity="0 -9.81 0",
    )
    run = gr.simulate(read(tmp_path, document, limits=how).model, 3.0)
    assert run["J"][-1] == pytest.approx(-math.pi / 6, abs=1e-9 if how == "rigid" else 5e-3)


def test_laws_are_translated_and_never_evaluated() -> None:
    part = Element("RotationalMotion", {"name": "m"}, 7)
    law = read_law(part, "RotationZ", '"a comment"<n>(45.0d + 1.5d1*sin((360.0d*time - 90)*pi/180.0d))^2 - arctan(3)')
    value = (45 + 15 * math.sin((360 * 0.3 - 90) * math.pi / 180)) ** 2 - math.atan(3)
    assert law_at(part, law, 0.3) == pytest.approx(value, rel=1e-14)
    with pytest.raises(gr.ModelError, match="line 7, RotationalMotion 'm': RotationZ contains 'spline'"):
        read_law(part, "RotationZ", "spline(time, 3)")


def test_what_is_not_read_is_listed(tmp_path: Path) -> None:
    pinned = joint("RevoluteJoint", "J", "a", "p/c")
    own = part("p", {"c": ((0, 0, 0), EYE)})
    moves = motion("RotationalMotion", "m", "J", "integral(time)") + lines(3, "OddMotion", ">Name", ">>o")
    text = assembly(
        {"a": ((0, 0, 0), EYE)},
        own,
        pinned + joint("GearJoint", "G", "a", "p/c"),
        moves,
        more=lines(2, "Wind", ">Name", ">>w"),
    )
    said = " ".join(read(tmp_path, text).left_out)
    assert all(word in said for word in ("'integral'", "OddMotion 'o'", "radiusI is zero", "Wind 'w'"))


def test_placeholders_of_freecad_and_its_unit_are_remarked(tmp_path: Path) -> None:
    own = part("p", {"c": ((0, 0, 0), EYE)}, mass=1.0, moments="1 1 1")
    text = assembly({"a": ((20, 0, 0), EYE)}, own, joint("RevoluteJoint", "J", "a", "p/c"))
    found = read(tmp_path, text.replace("\t\tA\n", "\t\tOndselAssembly\n", 1).replace("/A/", "/OndselAssembly/"))
    assert ["in mm" in found.remarks[0], "the mass 1" in found.remarks[1]] == [True, True]
    assert place(found, "p")[0][0] == pytest.approx(0.02, abs=1e-15)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("OndselSolver\n", "<xml/>\n", "not an assembly of OndselSolver"),
        ("\tParts\n", "\t\t\t\t\tParts\n", "it is indented by 5 tabs"),
        ("RevoluteJoint", "MagicJoint", "MagicJoint are not supported"),
        ("/A/p/c", "/A/p/d", "there is no such marker; did you mean '/A/p/c'"),
        ("1.0\t0.0\t0.0", "1.0\t0.5\t0.0", "right-handed frame"),
        ("0.1 0.2 0.25", "0.1 0.2", "it must be 3 numbers"),
    ],
)
def test_mistakes_are_refused_with_their_place(old: str, new: str, said: str, tmp_path: Path) -> None:
    text = assembly(
        {"a": ((0, 0, 0), EYE)}, part("p", {"c": ((0, 0, 0), EYE)}), joint("RevoluteJoint", "J", "a", "p/c")
    )
    with pytest.raises(gr.ModelError, match=said):
        read(tmp_path, text.replace(old, new))

"""Linearised motions, against closed forms and other formulations in higher precision."""

import math

import mpmath
import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from tests.questions.mechanisms import chain, diagonal_spring_four_bar, pendulum


def test_a_pendulum_swings_at_its_known_frequency_with_known_damping():
    found = gr.modes(pendulum(-1.0, stiffness=0.0, damping=0.3))
    # I φ̈ + c φ̇ + m g (l/2) φ = 0
    inertia, stiffness = 2.0 / 3.0, 9.81
    mode = found[0]
    assert mode.natural_frequency == pytest.approx(math.sqrt(stiffness / inertia) / (2.0 * math.pi), rel=1e-12)
    assert mode.damping_ratio == pytest.approx(0.3 / (2.0 * math.sqrt(stiffness * inertia)), rel=1e-12)


def test_shapes_are_orthogonal_in_mass_and_stiffness():
    found = gr.modes(chain([1.0, 0.7, 0.4, 0.9], [1.0, 2.0, 0.5, 0.3], [-1.0, -2.0, -1.0, -1.5]))
    shapes = np.array([mode.shape.real for mode in found])
    assert np.max(np.abs([mode.shape.imag for mode in found])) < 1e-9
    mass = shapes @ found.equations.dynamics.energies.matrix @ shapes.T
    z, stiffness = found.linear.directions, found.linear.stiffness
    stiff = shapes @ z @ stiffness @ z.T @ shapes.T
    for matrix in (mass, stiff):
        scale = np.sqrt(np.outer(np.diag(matrix), np.diag(matrix)))
        assert np.max(np.abs(matrix / scale - np.eye(4))) < 1e-9
    assert np.diag(stiff) / np.diag(mass) == pytest.approx([(2.0 * math.pi * mode.frequency) ** 2 for mode in found])


@pytest.mark.parametrize("seed", range(4))
def test_random_chains_have_the_eigenvalues_of_lagranges_equations_in_forty_digits(seed):
    rng = np.random.default_rng(seed)
    count = 2 + seed % 3
    lengths, masses = rng.uniform(0.3, 1.2, count), rng.uniform(0.2, 2.0, count)
    spring = (*rng.uniform(-1.5, 1.5, 2), rng.uniform(5.0, 60.0), rng.uniform(0.1, 1.0), rng.uniform(0.0, 2.0))
    m = chain(lengths, masses, rng.uniform(-2.5, -0.5, count), spring)
    found = gr.equilibrium(m)
    expected = lagrange_eigenvalues(lengths, masses, spring, [found[f"rod{k}.angle"] for k in range(count)])
    mine = list(found.modes.eigenvalues)
    for s in expected:
        nearest = min(mine, key=lambda x: abs(x - s))
        mine.remove(nearest)
        assert abs(nearest - s) < 1e-8 * max(map(abs, expected))


def lagrange_eigenvalues(lengths, masses, spring, angles):
    """From energies in angles, differentiated numerically with so many digits that the differences are exact."""
    x0, y0, k, rest, c = map(mpmath.mpf, map(float, spring))
    lengths, masses, n = [mpmath.mpf(float(x)) for x in lengths], [mpmath.mpf(float(x)) for x in masses], len(angles)

    def places(phi):
        x, y, centres = mpmath.mpf(0), mpmath.mpf(0), []
        for l, p in zip(lengths, phi, strict=True):
            centres.append((x + l / 2 * mpmath.cos(p), y + l / 2 * mpmath.sin(p)))
            x, y = x + l * mpmath.cos(p), y + l * mpmath.sin(p)
        return centres, (x, y)

    def stretch(phi):
        x, y = places(phi)[1]
        return mpmath.hypot(x - x0, y - y0)

    def potential(phi):
        weights = sum(m * mpmath.mpf("9.81") * y for m, (_, y) in zip(masses, places(phi)[0], strict=True))
        return weights + k / 2 * (stretch(phi) - rest) ** 2

    def slope(f, phi, i):
        h = mpmath.mpf(10) ** -15
        up, down = list(phi), list(phi)
        up[i] += h
        down[i] -= h
        return (f(up) - f(down)) / (2 * h)

    with mpmath.workdps(60):
        at = [mpmath.mpf(float(a)) for a in angles]
        stiffness = np.array(
            [[float(slope(lambda p, j=j: slope(potential, p, j), at, i)) for j in range(n)] for i in range(n)]
        )
        pull = np.array([float(slope(stretch, at, i)) for i in range(n)])
        mass = np.zeros((n, n))
        for body, m in enumerate(masses):
            for axis in (0, 1):
                row = np.array([float(slope(lambda p, b=body, a=axis: places(p)[0][b][a], at, i)) for i in range(n)])
                mass += float(m) * np.outer(row, row)
            mass[body, body] += float(m * lengths[body] ** 2 / 12)
    inverse = np.linalg.inv(mass)
    damping = float(c) * np.outer(pull, pull)
    matrix = np.block([[np.zeros((n, n)), np.eye(n)], [-inverse @ stiffness, -inverse @ damping]])
    return np.linalg.eigvals(matrix)


def test_a_free_wheel_has_a_zero_eigenvalue_once():
    m = gr.Mechanism("wheel", gravity=(0, -9.81))
    wheel = m.body("wheel", mass=2.0, inertia=0.1, points={"hub": (0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    found = gr.equilibrium(m)
    assert found.stability == "neutral"
    assert [mode.zero for mode in found.modes] == [True]


def test_a_spherical_pendulum_swings_alike_in_two_planes():
    m = gr.Mechanism("spherical pendulum", gravity=(0, 0, -9.81))
    bob = m.body("bob", mass=1.5, inertia=(0.02, 0.02, 0.01), center=(0, 0, -0.5), points={"top": (0, 0, 0)})
    m.spherical(m.ground.at(0, 0, 0), bob.top)
    found = gr.modes(m)
    swing = math.sqrt(1.5 * 9.81 * 0.5 / (0.02 + 1.5 * 0.25)) / (2.0 * math.pi)
    assert [mode.zero for mode in found] == [True, False, False]  # it may spin
    assert [mode.frequency for mode in found][1:] == pytest.approx([swing, swing], rel=1e-10)


def rotating_pendulum(rate, length, motor):
    """A bob that hangs from a shaft, out of the vertical where the shaft's rate holds it."""
    m = gr.Mechanism("rotating pendulum", gravity=(0, 0, -9.81))
    out = math.acos(9.81 / (rate * rate * length))
    shaft = m.body("shaft", mass=1.0, inertia=(0.1, 0.1, 0.2), points={"o": (0, 0, 0)})
    turned = (math.cos(out / 2.0), 0.0, -math.sin(out / 2.0), 0.0)
    bob = m.body("bob", mass=2.0, center=(0, 0, -length), inertia=(1e-9,) * 3, points={"o": (0, 0, 0)}, rotation=turned)
    m.revolute(m.ground.at(0, 0, 0), shaft.o, axis=(0, 0, 1))
    m.revolute(shaft.o, bob.o, axis=(0, 1, 0))
    m.angle("spin", shaft, axis=(0, 0, 1))
    m.angle("swing", bob, reference=shaft, axis=(0, 1, 0))
    m.need("swing", value=0.0, rate=0.0)
    if motor:
        m.motor("spin", f"{rate}*t")
    else:
        m.need("spin", value=0.0, rate=rate)
    return m, out


@pytest.mark.parametrize("time", [0.0, 0.7])
def test_a_governor_vibrates_about_its_steady_motion(time):
    rate, length = 5.0, 0.7
    m, out = rotating_pendulum(rate, length, motor=True)
    found = gr.modes(m, at=time)
    assert "not steady" not in found.remark
    # θ̈ = Ω² sin θ cos θ − (g/l) sin θ
    assert found[0].eigenvalue == pytest.approx(1j * rate * math.sin(out), rel=1e-6)
    free, _ = rotating_pendulum(rate, length, motor=False)
    found = gr.modes(free, at=time)
    # the angular momentum (J + m l² sin²θ) Ω is kept
    inertia = 2.0 * length**2
    stiffer = 1.0 + 4.0 * math.cos(out) ** 2 * inertia / (0.2 + inertia * math.sin(out) ** 2)
    assert [mode.zero for mode in found] == [True, False]
    assert found[1].eigenvalue == pytest.approx(1j * rate * math.sin(out) * math.sqrt(stiffer), rel=1e-6)


@pytest.mark.parametrize("spin", [20.0, 60.0])
def test_a_sleeping_top_stands_if_it_spins_fast_enough(spin):
    m = gr.Mechanism("top", gravity=(0, 0, -9.81))
    outer = m.body("outer", mass=1e-9, inertia=(1e-9,) * 3, points={"o": (0, 0, 0)})
    inner = m.body("inner", mass=1e-9, inertia=(1e-9,) * 3, points={"o": (0, 0, 0)})
    top = m.body("top", mass=1.0, inertia=(0.01, 0.01, 0.02), center=(0, 0, 0.3), points={"o": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), outer.o, axis=(1, 0, 0))
    m.revolute(outer.o, inner.o, axis=(0, 1, 0))
    m.revolute(inner.o, top.o, axis=(0, 0, 1))
    m.angle("spin", top, reference=inner, axis=(0, 0, 1))
    m.need("spin", value=0.0, rate=spin)
    found = gr.modes(m, at=0.4)
    assert "not steady" not in found.remark
    # A z̈ − i C Ω ż − m g l z = 0 for z = tilt about y + i tilt about x
    tilt, axial, weight = 0.01 + 0.09, 0.02, 9.81 * 0.3
    root = np.sqrt(complex(tilt * weight - (axial * spin / 2.0) ** 2)) / tilt
    for s in (1j * axial * spin / (2.0 * tilt) + root, 1j * axial * spin / (2.0 * tilt) - root):
        assert min(abs(found.eigenvalues - s)) < 1e-5 * abs(s)


def test_a_spring_on_a_turntable_is_softened_by_its_turning():
    m = gr.Mechanism("turntable")
    table = m.body("table", mass=1.0, inertia=0.5, points={"o": (0, 0)})
    block = m.body("block", mass=2.0, inertia=0.1, points={"o": (0, 0)}, position=(0.1, 0))
    m.revolute(m.ground.at(0, 0), table.o)
    m.slider(table.line((0, 0), (1, 0)), block.o)
    m.spring(table.o, block.o, stiffness=50.0, length=0.0)
    m.motor(table, "3*t")
    found = gr.modes(m, at=0.5)
    assert [mode.zero for mode in found] == [True, False]  # the block may turn about its pin
    assert found[1].eigenvalue == pytest.approx(1j * math.sqrt(50.0 / 2.0 - 9.0), rel=1e-9)
    assert "not steady" not in found.remark


def test_a_motion_that_is_not_steady_is_told_so():
    found = gr.modes(pendulum(0.0), at=0.3)
    assert "not steady" in found.remark
    with pytest.raises(gr.ModelError, match="begins at 0 s"):
        gr.modes(pendulum(0.0), at=-1.0)


def test_the_start_is_told_not_to_be_at_rest():
    found = gr.modes(diagonal_spring_four_bar(), at="start")
    assert "not at rest" in found.remark
    assert "not at rest" in str(found)
    with pytest.raises(gr.ModelError, match="'equilibrium', 'start' or a time"):
        gr.modes(diagonal_spring_four_bar(), at="moon")


def test_amplitudes_have_names_and_units_of_their_own():
    found = gr.modes(diagonal_spring_four_bar())
    # rod 1 turns about the origin: its end moves by 1 m if it turns by 1 rad
    assert abs(found.amplitude(0, "rod1.angle")) == pytest.approx(1.0)
    assert abs(found.amplitude(0, "rod2.angle")) == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(gr.ModelError, match="no quantity"):
        found.amplitude(0, "rod1.angle.rate")


def test_pictures(tmp_path):
    found = gr.modes(chain([1.0, 0.7], [1.0, 2.0], [-1.0, -2.0]))
    found.plot(tmp_path / "shapes.svg")
    found.animate(tmp_path / "mode.html", mode=1, amplitude=0.1)
    assert (tmp_path / "shapes.svg").stat().st_size > 1000
    assert (tmp_path / "mode.html").stat().st_size > 1000


def test_as_a_data_frame():
    pytest.importorskip("pandas")
    found = gr.modes(diagonal_spring_four_bar())
    frame = found.to_pandas()
    assert frame["eigenvalue"].tolist() == [mode.eigenvalue for mode in found]
    assert frame["damping_ratio"].tolist() == [mode.damping_ratio for mode in found]


def test_a_mechanism_that_is_held_says_why_it_has_no_modes():
    held = gr.example("four-bar")
    assert "Joints and motors hold it, so it has no modes" in str(gr.modes(held))
    assert str(gr.equilibrium(held)).count("hold it") == 0


@pytest.mark.parametrize("spin", [0.0, 2.0, 5.0, 10.0])
def test_a_thin_disc_that_rolls_upright_has_the_modes_of_its_closed_form(spin: float) -> None:
    """s² = ⅘ (g/r − 3 ω²), and six zeros: two of place, heading, spin, speed and the rate of heading, which s includes.

    (¼ + 1) m r² φ̈ = m g r φ − (½ + 1) m r² ω ψ̇ and ¼ ψ̈ = ½ ω φ̇ for lean φ and heading ψ.
    """
    radius, mass = 0.3, 2.0
    m = gr.Mechanism("disc", gravity=(0, 0, -9.81))
    inertia = [k * mass * radius**2 for k in (0.25, 0.5, 0.25)]
    points = {"hub": (0.0, 0.0, 0.0), "axle": (0.0, 1.0, 0.0)}
    disc = m.body("disc", mass=mass, inertia=inertia, points=points, position=(0, 0, radius))
    m.rolling_wheel(m.ground.at(0, 0, 0), disc.hub, radius=radius, axis=(0, 1, 0), name="roll")
    m.need(disc, angular_velocity=(0, spin, 0))
    with pytest.raises(ModelError, match=r"has 5 degrees of freedom, but .* tell only 4"):
        gr.modes(m, at=0.0)
    m.angle("spin", disc, reference=m.ground, axis=(0, 1, 0))
    found = gr.modes(m, at=0.0)
    square = 0.8 * (9.81 / radius - 3.0 * spin**2)
    (rest,) = {complex(round(s.real, 9), round(s.imag, 9)) for s in found.eigenvalues**2 if abs(s) > 1e-6}
    assert rest == pytest.approx(square, rel=1e-9)
    assert len(found.eigenvalues) == 8
    assert sum(abs(found.eigenvalues) == 0.0) == 6
    for mode in found:  # the shapes satisfy the rows of rolling: the hub stays at its height
        assert np.isfinite(mode.shape).all()
    moving = next(k for k, mode in enumerate(found) if not mode.zero)
    assert abs(found.amplitude(moving, "disc.hub.z")) < 1e-12


def test_modes_of_what_rolls_about_an_equilibrium_are_refused() -> None:
    m = gr.Mechanism("disc", gravity=(0, 0, -9.81))
    disc = m.body("disc", mass=1.0, inertia=(0.02, 0.04, 0.02), points={"hub": (0, 0, 0)}, position=(0, 0, 0.3))
    m.rolling_wheel(m.ground.at(0, 0, 0), disc.hub, radius=0.3, axis=(0, 1, 0), name="roll")
    with pytest.raises(ModelError, match="in modes about a motion"):
        gr.modes(m)

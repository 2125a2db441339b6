"""Linearised motions, against closed forms and other formulations in higher precision."""

import math

import mpmath
import numpy as np
import pytest

import grashof as gr
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
    mass = shapes @ found.equations.mass @ shapes.T
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


def test_the_start_is_told_not_to_be_at_rest():
    found = gr.modes(diagonal_spring_four_bar(), at="start")
    assert "not at rest" in found.remark
    assert "not at rest" in str(found)
    with pytest.raises(gr.ModelError, match="'equilibrium' or 'start'"):
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
    found.animate(tmp_path / "mode.gif", mode=1, amplitude=0.1)
    assert (tmp_path / "shapes.svg").stat().st_size > 1000
    assert (tmp_path / "mode.gif").stat().st_size > 1000

"""The linearisation problems of the IFToMM library: a four-bar with a diagonal spring, a five-bar with two springs."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr


def four_bar(damping: float) -> gr.Mechanism:
    """A rhombus of bars of 1 m and 1 kg; the spring goes from the crank's pivot to the far end of the rocker."""
    m = gr.Mechanism("four-bar with a diagonal spring", gravity=(0.0, -9.81))
    x, y = float(np.cos(2.2)), float(np.sin(2.2))
    crank = m.bar("crank", start=(0.0, 0.0), end=(x, y), mass=1.0)
    coupler = m.bar("coupler", start=(x, y), end=(x + 1.0, y), mass=1.0)
    rocker = m.bar("rocker", start=(1.0, 0.0), end=(x + 1.0, y), mass=1.0)
    ground = m.ground.at(0.0, 0.0)
    m.revolute(ground, crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(rocker.start, m.ground.at(1.0, 0.0))
    m.spring(ground, rocker.end, stiffness=25.0, damping=damping, length=np.sqrt(2.0))
    return m


@pytest.mark.parametrize("damping", [1.0, 0.0])
def test_the_four_bar_has_its_equilibrium_and_eigenvalues_to_twelve_digits(damping: float) -> None:
    """With the angle φ of crank and rocker, T = 5/6 φ̇², V = 2g sin φ + ½ k (ℓ − √2)², ℓ = 2 cos(φ/2): Newton's method
    on V′ = 0, and the roots of 5/3 s² + c ℓ′² s + V″. Published: φ = 2.23433101898. Whether the damper belongs to the
    problem is open, so both are tried."""
    g, k, phi = 9.81, 25.0, 2.2
    for _ in range(20):
        length, slope, bend = 2 * np.cos(phi / 2), -np.sin(phi / 2), -np.cos(phi / 2) / 2
        first = 2 * g * np.cos(phi) + k * (length - np.sqrt(2)) * slope
        second = -2 * g * np.sin(phi) + k * (slope**2 + (length - np.sqrt(2)) * bend)
        phi -= first / second
    assert phi == pytest.approx(2.23433101898, abs=6e-11)
    expected = np.roots([5 / 3, damping * slope**2, second])
    rest = gr.equilibrium(four_bar(damping))
    assert rest["rocker.angle"] == pytest.approx(phi, rel=1e-12)
    found = np.array([mode.eigenvalue for mode in rest.modes])
    pair = expected[expected.imag > 0]
    assert len(found) == 1
    assert complex(found[0].real, abs(found[0].imag)) == pytest.approx(complex(pair[0]), rel=1e-12, abs=1e-13)
    if damping:
        assert complex(pair[0]) == pytest.approx(-0.24238581 + 2.13395503j, abs=6e-9)


@pytest.mark.parametrize(
    ("gravity", "lift", "frequencies"),
    [(0.0, 0.0, (1.8151, 7.1913)), (9.81, 0.0, (3.2845, 7.1262)), (9.81, 24.525, (2.2787, 7.1816))],
    ids=["no gravity", "gravity", "gravity and a lift"],
)
def test_the_five_bar_has_the_frequencies_of_each_reading(
    gravity: float, lift: float, frequencies: tuple[float, float]
) -> None:
    """rad/s, as five digits are known of them. The text of the library was not available; these are three readings."""
    m = gr.Mechanism("five-bar with two springs", gravity=(0.0, -gravity))
    a, b, c, d, e = (0.0, 0.0), (1.0, 0.0), (-1.0, -1.0), (0.5, -2.0), (2.0, -1.0)
    ac, cd = m.bar("AC", start=a, end=c, mass=1.0), m.bar("CD", start=c, end=d, mass=1.5)
    de, eb = m.bar("DE", start=d, end=e, mass=1.5), m.bar("EB", start=e, end=b, mass=1.0)
    m.revolute(m.ground.at(*a), ac.start)
    m.revolute(ac.end, cd.start)
    m.revolute(cd.end, de.start)
    m.revolute(de.end, eb.start)
    m.revolute(eb.end, m.ground.at(*b))
    m.spring(m.ground.at(*b), ac.end, stiffness=100.0, length=np.sqrt(5.0))
    m.spring(m.ground.at(*b), cd.end, stiffness=100.0, length=np.sqrt(4.25))
    if lift:
        m.force(cd.end, (0.0, lift))
    found = sorted(2 * np.pi * mode.frequency for mode in gr.modes(m))
    assert found == pytest.approx(frequencies, abs=6e-5)

"""Linkages in the plane with pins alone, compared with circles that meet and with what their inventors proved."""

from __future__ import annotations

import numpy as np
import pytest

from tests.gallery.conftest import Runs
from tests.gallery.geometry import dyad, numbers, place


def test_four_bar_and_its_coupler_curve(run_of: Runs) -> None:
    run, n = run_of("four-bar"), numbers("four-bar")
    crank = n["a"] * np.exp(1j * (1 + n["omega"] * run.t))
    pin = dyad(crank, n["b"], n["d"], n["c"], 1)
    assert np.abs(place(run, "coupler.C") - pin).max() < 1e-7 * n["d"]
    coupler = (pin - crank) / n["b"]
    assert np.abs(place(run, "coupler.P") - (crank + (n["px"] + 1j * n["py"]) * coupler)).max() < 1e-7 * n["d"]


def test_peaucellier_draws_a_straight_line(run_of: Runs) -> None:
    run, n = run_of("peaucellier"), numbers("peaucellier")
    x, y = run["upper right.end.x"], run["upper right.end.y"]
    distance = (n["long"] ** 2 - n["short"] ** 2) / (2 * n["crank_length"])
    assert np.abs(x - distance).max() < 1e-9 * n["long"]
    # A is on the circle at twice the angle under which O sees it, and P is on the ray from O through A
    angle = n["swing"] * np.sin(n["omega"] * run.t)
    assert np.abs(y - distance * np.tan(angle / 2)).max() < 1e-7 * n["long"]
    assert np.ptp(y) > n["long"]


def test_hart_draws_a_straight_line(run_of: Runs) -> None:
    run, n = run_of("hart"), numbers("hart")
    x, y = run["second short.Q.x"], run["second short.Q.y"]
    distance = (n["m"] ** 2 - n["n"] ** 2) / (8 * n["c"])
    assert np.abs(x + distance).max() < 1e-9 * n["m"]
    assert np.abs(y + distance * np.tan(n["swing"] * np.sin(n["omega"] * run.t) / 2)).max() < 1e-7 * n["m"]


def _jansen(angle: np.ndarray) -> np.ndarray:
    """Places of the foot for angles of the crank, from circles that meet."""
    n = numbers("jansen")
    c, fixed = n["M"] * np.exp(1j * angle), -n["A"] - 1j * n["L"]
    top = dyad(c, n["J"], fixed, n["B"], -1)
    g = dyad(c, n["K"], fixed, n["C"], 1)
    outer = dyad(fixed, n["D"], top, n["E"], 1)
    f = dyad(outer, n["F"], g, n["G"], -1)
    return dyad(g, n["I"], f, n["H"], 1)


def test_jansen_foot_is_where_circles_meet(run_of: Runs) -> None:
    run, n = run_of("jansen"), numbers("jansen")
    foot = _jansen(-n["omega"] * run.t)
    assert np.abs(place(run, "leg.foot") - foot).max() < 1e-7 * n["K"]


def test_jansen_walks_with_a_flat_sole() -> None:
    """Half of the turn the foot is on the ground, which it leaves by a few per cent of its stride; then it is lifted
    and returns."""
    foot = _jansen(np.linspace(0, 2 * np.pi, 7201))
    stride, lift = np.ptp(foot.real), np.ptp(foot.imag)
    ground = np.sort(foot.imag)[: len(foot) // 2]
    assert np.ptp(ground) < 0.05 * stride
    assert lift > 0.2 * stride


def test_klann_steps_as_high_as_its_inventor_says(run_of: Runs) -> None:
    """His page gives a step height of 52.3 % of the stride; the patent's stride is one unit."""
    run, n = run_of("klann"), numbers("klann")
    unit, crank = n["unit"], n["unit"] * n["crank_ratio"] * np.exp(1j * n["omega"] * run.t)
    elbow = dyad(unit * (-0.590 - 0.176j), unit * n["lower_ratio"], crank, unit * n["elbow"], 1)
    knee = crank + (1.099 - 0.116j) * unit * (elbow - crank) / np.abs(elbow - crank)
    hip = dyad(knee, unit * abs(0.232 + 0.866j), unit * (-0.233 + 0.616j), unit * n["upper_ratio"], 1)
    foot = knee + (hip - knee) * (0.232 - 0.866j) / (0.232 + 0.866j)
    assert np.abs(place(run, "leg.foot") - foot).max() < 1e-7 * unit
    stride, height = np.ptp(run["leg.foot.x"]), np.ptp(run["leg.foot.y"])
    assert stride == pytest.approx(unit, rel=0.02)
    assert height / stride == pytest.approx(0.523, abs=0.001)


def test_watt_draws_his_curve(run_of: Runs) -> None:
    run, n = run_of("watt"), numbers("watt")
    a, b, c = np.hypot(n["b"], n["c"]), n["b"], n["c"]
    point = place(run, "coupler.P") * np.exp(-1j * np.angle(b - 1j * c))  # in axes along the pivots
    # r² = b² − (a sin φ ± √(c² − a² cos²φ))², freed of its root and its angle
    r2, x2, y2 = np.abs(point) ** 2, point.real**2, point.imag**2
    left = b * b * r2 - r2 * r2 - a * a * y2 - c * c * r2 + a * a * x2
    assert np.abs(left**2 - 4 * a * a * y2 * (c * c * r2 - a * a * x2)).max() < 1e-7 * b**8
    # where it starts it is straight, along y
    begin = slice(0, int(np.argmax(np.abs(run["coupler.P.y"]) > 0.5 * c)))
    assert np.abs(run["coupler.P.x"][begin]).max() < 2e-3 * c


def test_chebyshev_is_straight_to_a_third_of_a_percent(run_of: Runs) -> None:
    run, n = run_of("chebyshev"), numbers("chebyshev")
    u, p = n["unit"], place(run, "coupler.P")
    turned = np.pi / 2 + n["omega"] * run.t
    # C is on the circle about A, and C + 2u e^{iφ} on that about B = 4u: on that about 4u − 2u e^{iφ}
    c = dyad(0, 5 * u, 4 * u - 2 * u * np.exp(1j * turned), 5 * u, 1)
    assert np.abs(p - (c + u * np.exp(1j * turned))).max() < 1e-7 * u
    straight = np.cos(turned) < -1e-9
    assert p.imag[straight].min() > (4 - 1e-9) * u
    assert p.imag[straight].max() - 4 * u < 0.0035 * np.ptp(p.real[straight])
    # at the height 4 above the pivots and half-way between them
    for x, angle in ((4, np.pi / 2), (2, np.pi), (0, 3 * np.pi / 2)):
        row = int(np.argmin(np.abs(turned - angle)))
        assert turned[row] == pytest.approx(angle, abs=1e-9)
        assert p[row] == pytest.approx((x + 4j) * u, abs=1e-7 * u)


def test_roberts_meets_its_line_three_times(run_of: Runs) -> None:
    run, n = run_of("roberts"), numbers("roberts")
    p, phi = place(run, "coupler.P"), n["swing"] * np.sin(n["omega"] * run.t)
    base, turn = n["w"], np.exp(1j * phi)
    c = dyad(0, n["arm"], 2 * base - base * turn, n["arm"], 1)
    apex = base / 2 - 1j * np.sqrt(n["arm"] ** 2 - base**2 / 4)
    assert np.abs(p - (c + apex * turn)).max() < 1e-7 * base
    between = (p.real > 0) & (p.real < 2 * base)
    assert np.abs(p.imag[between]).max() < 0.02 * base
    assert p[0] == pytest.approx(base, abs=1e-8 * base)


def test_wipers_sweep_between_the_dead_centres(run_of: Runs) -> None:
    run, n = run_of("wiper"), numbers("wiper")
    shaft = 0.25 - 0.07j
    limits = [
        np.angle(1j * dyad(0, n["lever"], shaft, n["rod_length"] + sign * n["r"], -1)) for sign in (-1, 1)
    ]  # the lever points down at the angle 0
    angle = run["left arm.angle"]
    assert (angle.min(), angle.max()) == pytest.approx((min(limits), max(limits)), abs=1e-4)
    assert np.abs(run["right arm.angle"] - angle).max() < 1e-7


def test_pantograph_copies_to_scale(run_of: Runs) -> None:
    run, n = run_of("pantograph"), numbers("pantograph")
    turn = n["omega"] * run.t
    stylus = 0.2 + n["size"] * (np.sin(turn) + 1j * np.sin(2 * turn))
    assert np.abs(place(run, "second arm.end") - n["k"] * stylus).max() < 1e-7


def test_toggle_press_ram_and_its_force(run_of: Runs) -> None:
    """Where circles meet, and what the stop pushes with; the shaft gives what the ram takes, less what is in motion."""
    run, n = run_of("toggle-press"), numbers("toggle-press")
    pin = 0.36 - 0.25j + n["r"] * np.exp(1j * n["omega"] * run.t)
    knee = dyad(0, n["l"], pin, n["rod_length"], -1)
    ram = knee.imag - np.sqrt(n["l"] ** 2 - knee.real**2)
    assert np.abs(run["ram.pin.y"] - ram).max() < 1e-7
    assert np.abs(run["ram.pin.x"]).max() < 1e-9
    assert ram.min() < n["touch"] < ram.max()

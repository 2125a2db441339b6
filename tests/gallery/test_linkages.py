"""Linkages in the plane with pins alone, compared with circles that meet and with what their inventors proved."""

from __future__ import annotations

import numpy as np

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
    """Half of the turn the foot is on the ground, which it leaves by a few per cent of its stride; then it is lifted and returns."""
    foot = _jansen(np.linspace(0, 2 * np.pi, 7201))
    stride, lift = np.ptp(foot.real), np.ptp(foot.imag)
    ground = np.sort(foot.imag)[: len(foot) // 2]
    assert np.ptp(ground) < 0.05 * stride
    assert lift > 0.2 * stride

"""Which four-bar linkage moves a point along a given curve, at given times?

The curve is the path of a foot relative to the body of a walking machine: backwards along a straight line at constant
speed during stance, and forwards in an arc during swing. Chebyshev's lambda linkage, whose proportions are the initial
guess, comes close to it. Ten numbers of the linkage are then chosen by least squares, once with the gradients of the
mechanism's objective and once with gradients by finite differences, and the numbers of runs are compared.

    python examples/four_bar_synthesis.py [--short] [-o four_bar_synthesis.png]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import grashof as gr

START = {
    "ground.A.x": -0.16,
    "ground.A.y": -0.30,
    "ground.B.x": 0.0,
    "ground.B.y": -0.30,
    "crank.length": 0.08,
    "coupler.length": 0.20,
    "rocker.length": 0.20,
    "coupler.P.x": 0.40,
    "coupler.P.y": 0.0,
    "phase": np.pi / 2,
}
"""Chebyshev's lambda linkage: base 2, crank 1, coupler and rocker 2.5, and the point at twice the coupler's length;
m and rad."""

ROOM = {"ground": 0.3, "coupler.P": 0.4, "phase": 1.0}
"""Allowed change of coordinates and of the phase; lengths may change by a factor of three."""


def foot(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The required position of the foot: a step of 0.4 m in 1 s, lifted by 0.1 m. Velocities are continuous."""
    u = 2.0 * t - 1.0  # 0 to 1 during the swing
    x = np.where(u < 0.0, 0.2 - 0.8 * t, -0.2 - 0.4 * u + 2.4 * u**2 - 1.6 * u**3)
    y = np.where(u < 0.0, 0.0, 0.1 * np.sin(np.pi * u) ** 2)
    return x, y


def linkage(values: dict[str, float]) -> gr.Mechanism:
    """A four-bar linkage A-crank-coupler-rocker-B whose crank makes one turn per second."""
    m = gr.Mechanism("four-bar linkage")
    m.parameter("phase", values["phase"], unit="rad")
    crank, coupler, rocker = (
        m.bar(name, length=values[f"{name}.length"], mass=1.0) for name in ("crank", "coupler", "rocker")
    )
    m.add_point("coupler", "P", (values["coupler.P.x"], values["coupler.P.y"]))
    m.revolute(m.ground.at(values["ground.A.x"], values["ground.A.y"], name="A"), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(values["ground.B.x"], values["ground.B.y"], name="B"), rocker.start)
    m.motor(crank, "phase + 2*pi*t")
    return m


def bounds() -> list[tuple[float, float]]:
    """The bounds of the search."""
    found = []
    for name, value in START.items():
        room = next((room for kind, room in ROOM.items() if name.startswith(kind)), None)
        found.append((value / 3.0, value * 3.0) if room is None else (value - room, value + room))
    return found


@dataclass
class Search:
    """The result of a search: the numbers, the root mean square distance in m after each run, and the number of
    runs."""

    values: dict[str, float]
    distances: list[float]

    @property
    def runs(self) -> int:
        return len(self.distances)

    @property
    def distance(self) -> float:
        return min(self.distances)


def search(points: int, iterations: int, *, gradients: bool) -> Search:
    """The linkage that comes nearest to the curve at a number of times."""
    times = np.arange(points) / points
    x, y = foot(times)

    def miss(run: Any) -> Any:  # mean square distance, mm²
        return 1e6 / points * np.sum((run["coupler.P.x"] - x) ** 2 + (run["coupler.P.y"] - y) ** 2)

    fun = linkage(START).objective(list(START), miss, t_end=times[-1], times=times)
    distances = []

    def cost(values: np.ndarray) -> Any:
        value, gradient = fun(values)
        distances.append(1e-3 * np.sqrt(value))
        return (value, gradient) if gradients else value

    options = {"maxiter": iterations, "maxfun": 100_000, "ftol": 1e-9}
    found = minimize(cost, fun.x0, jac=gradients or None, method="L-BFGS-B", bounds=bounds(), options=options)
    return Search(dict(zip(START, found.x.tolist(), strict=True)), distances)


def draw(exact: Search, differences: Search, path: str) -> None:
    """Draws the curves with the linkage that was found, and the progress of the searches."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
    times = np.linspace(0.0, 1.0, 201)
    left.plot(*foot(times), "k.", markersize=3, label="given")
    for name, values in (("Chebyshev's proportions", START), ("found", exact.values)):
        run = gr.simulate(linkage(values), 1.0, times=times)
        left.plot(run["coupler.P.x"], run["coupler.P.y"], label=name)
    corners = ["crank.start", "crank.end", "coupler.P", "coupler.end", "crank.end", "coupler.end", "rocker.start"]
    left.plot(*([run[f"{corner}.{axis}"][0] for corner in corners] for axis in "xy"), "o-", color="0.6", zorder=0)
    left.set(title="Path of the foot", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    left.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    for name, way in (("gradients", exact), ("finite differences", differences)):
        right.plot(
            1 + np.arange(way.runs), 1e3 * np.minimum.accumulate(way.distances), label=f"{name}: {way.runs} runs"
        )
    right.set(
        title="Root mean square distance, best so far", xlabel="runs", ylabel="[mm]", xscale="log", ylim=(0.0, None)
    )
    right.legend()
    figure.savefig(path)
    plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> tuple[Search, Search]:
    """Searches with gradients and with differences, and prints and draws the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a few iterations with fewer points")
    parser.add_argument("-o", "--out", default="four_bar_synthesis.png", help="where the picture goes")
    given = parser.parse_args(arguments)
    points, iterations = (12, 8) if given.short else (36, 300)
    exact = search(points, iterations, gradients=True)
    differences = search(points, iterations, gradients=False)
    print(f"Root mean square distance: {1e3 * exact.distances[0]:.2f} mm with Chebyshev's proportions.")
    print(f"With gradients:          {1e3 * exact.distance:.3f} mm after {exact.runs} runs")
    print(f"With finite differences: {1e3 * differences.distance:.3f} mm after {differences.runs} runs")
    print(f"That is {differences.runs / exact.runs:.1f} times fewer runs with gradients.")
    for name, value in exact.values.items():
        print(f"  {name:15} {value: .4f} {'rad' if name == 'phase' else 'm'}")
    draw(exact, differences, given.out)
    return exact, differences


if __name__ == "__main__":
    main()

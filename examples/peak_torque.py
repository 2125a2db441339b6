"""Which spring minimises the peak torque of a slider-crank?

A crank that rotates at constant speed moves a heavy slider up and down. The motor has to lift, accelerate and
decelerate the slider. A spring can store most of this energy. Its stiffness and length are optimised with gradients,
and a sweep over both shows the path of the search.

    python examples/peak_torque.py [--short] [-o peak_torque.png]

The torque is the work of the motor over each five degrees of the crank, divided by this angle.
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

SPEED = 20.0
"""Speed of the crank, rad/s."""
TURN = 2.0 * np.pi / SPEED
"""The time of one turn, s."""
STEPS = 72
"""Number of intervals into which the turn is divided."""
POWER = 24
"""Exponent p of the p-norm (Σ xᵖ)^(1/p), a smooth approximation of the maximum."""

BOUNDS = {"spring.stiffness": (0.0, 6000.0), "spring.length": (0.25, 0.5)}
"""Bounds of the search, N/m and m."""


def slider_crank() -> gr.Mechanism:
    """A vertical slider-crank with a soft spring above the slider."""
    m = gr.Mechanism("slider crank", gravity=(0, -9.81))
    crank = m.bar("crank", length=0.1, mass=2.0)
    rod = m.bar("rod", length=0.3, mass=1.0)
    slider = m.body("slider", mass=8.0, inertia=0.01, points={"P": (0, 0)}, position=(0, 0.3), angle=0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.P)
    m.slider(m.ground.line((0, 0), (0, 1)), slider.P)
    m.spring(m.ground.at(0, 0.7), slider.P, stiffness=500.0, length=0.3, name="spring")
    m.motor(crank, f"{SPEED}*t", name="motor")
    return m


def torque(work: Any) -> Any:
    """From the work of the motor at the ends of all steps, J, its mean torque in each of them, N m."""
    return (work[..., 1:] - work[..., :-1]) * (STEPS / (2.0 * np.pi))


def peak(run: Any) -> Any:
    """A smooth approximation of the largest torque in a turn, N m."""
    return np.sum(torque(run["work.motor"]) ** POWER) ** (1.0 / POWER)


@dataclass
class Found:
    """The numbers after each iteration, the torques before and after the search in N m, and the number of runs."""

    way: list[np.ndarray]
    before: np.ndarray
    after: np.ndarray
    runs: int


def torques(values: np.ndarray) -> np.ndarray:
    """The torque in each step of a turn, N m."""
    mechanism = gr.with_numbers(slider_crank(), dict(zip(BOUNDS, values.tolist(), strict=True)))
    run = gr.simulate(mechanism, TURN, times=STEPS + 1)
    return np.asarray(torque(run["work.motor"]))


def search(iterations: int) -> Found:
    """Minimises the peak torque."""
    fun = slider_crank().objective(list(BOUNDS), peak, t_end=TURN, times=STEPS + 1)
    scale = np.array([upper for _, upper in BOUNDS.values()])

    def cost(z: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = fun(z * scale)
        return value, gradient * scale

    way = [fun.x0]
    minimize(
        cost,
        fun.x0 / scale,
        jac=True,
        method="L-BFGS-B",
        bounds=[(lower / upper, 1.0) for lower, upper in BOUNDS.values()],
        callback=lambda z: way.append(z * scale),
        options={"maxiter": iterations},
    )
    return Found(way, torques(way[0]), torques(way[-1]), fun.evaluations)


def landscape(size: int) -> tuple[list[np.ndarray], np.ndarray]:
    """Stiffnesses and lengths, and the peak torque with each pair of them, N m."""
    sides = [np.linspace(*bounds, size) for bounds in BOUNDS.values()]
    vary = dict(zip(BOUNDS, sides, strict=True))
    table = gr.sweep(slider_crank(), vary, TURN, outputs=["trajectory work.motor"], times=STEPS + 1, engine="compiled")
    largest = np.max(np.abs(torque(table["trajectory work.motor"])), axis=1)
    return sides, largest.reshape(size, size)


def draw(found: Found, size: int, path: str) -> None:
    """Draws the torque before and after, and the path of the search."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    angles = (np.arange(STEPS) + 0.5) * 360.0 / STEPS
    left.plot(angles, found.before, label=f"before: at most {np.max(np.abs(found.before)):.1f} N m")
    left.plot(angles, found.after, label=f"after: at most {np.max(np.abs(found.after)):.1f} N m")
    left.set(title="Torque of the motor", xlabel="angle of the crank [°]", ylabel="[N m]", xlim=(0, 360))
    left.legend()
    (stiffness, length), largest = landscape(size)
    filled = right.contourf(stiffness, length, largest.T, levels=np.linspace(0.0, 50.0, 26), extend="max")
    figure.colorbar(filled, ax=right, label="peak torque [N m]")
    right.plot(*np.array(found.way).T, "o-", color="white", markersize=3, label="search")
    right.plot(*found.way[-1], "*", color="red", markersize=14, label="found")
    right.set(title="Sweep over both numbers", xlabel="stiffness of the spring [N/m]", ylabel="its length at rest [m]")
    right.legend(loc="lower right")
    figure.savefig(path)
    plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> Found:
    """Searches, and prints and draws the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="fewer iterations, and a coarse sweep")
    parser.add_argument("-o", "--out", default="peak_torque.png", help="where the picture goes")
    given = parser.parse_args(arguments)
    found = search(12 if given.short else 200)
    before, after = (np.max(np.abs(x)) for x in (found.before, found.after))
    print(f"Peak torque: {before:.2f} N m before, {after:.2f} N m after {found.runs} runs with gradients.")
    for (name, (lower, upper)), value in zip(BOUNDS.items(), found.way[-1], strict=True):
        print(f"  {name:17} {value:9.4f} ({lower:g} to {upper:g})")
    draw(found, 8 if given.short else 60, given.out)
    return found


if __name__ == "__main__":
    main()

"""Identification of masses and friction from a measured motion.

A slider-crank with a spring and a rough guide is released, and its crank angle is measured with noise. The masses of
rod and slider and the coefficient of friction are estimated by fitting a run to the measurement with a gradient-based
search. Derivatives of the run at the solution give their standard errors, which are compared with the scatter of many
repeated measurements.

    python examples/identification.py [--short] [-o identification.png]
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

TRUE = {"rod.mass": 0.8, "slider.mass": 1.5, "rub.mu": 0.12}
"""The true values, unknown to the search, kg and 1."""
GUESS = {"rod.mass": 0.5, "slider.mass": 1.0, "rub.mu": 0.05}
BOUNDS = {"rod.mass": (0.1, 3.0), "slider.mass": (0.1, 5.0), "rub.mu": (0.0, 0.4)}

T_END = 1.5
NOISE = 0.005
"""Standard deviation of each measured angle, rad."""


def slider_crank(numbers: dict[str, float]) -> gr.Mechanism:
    """A slider-crank with a spring that pulls its slider, released from rest."""
    m = gr.Mechanism("slider crank", gravity=(0, -9.81))
    crank = m.bar("crank", length=0.15, mass=1.0)
    rod = m.bar("rod", length=0.4, mass=numbers["rod.mass"])
    slider = m.body("slider", mass=numbers["slider.mass"], inertia=0.01, points={"P": (0, 0)}, position=(0.5, 0))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.P)
    guide = m.slider(m.ground.line((0, 0), (1, 0)), slider.P)
    m.spring(m.ground.at(0.9, 0), slider.P, stiffness=300.0, length=0.3, name="spring")
    m.friction(guide, mu=numbers["rub.mu"], slip_speed=0.02, name="rub")
    m.need(crank.angle, value=2.0, rate=0.0)
    return m


def measure(times: np.ndarray, seed: int) -> np.ndarray:
    """The measured crank angle, with noise, rad."""
    run = gr.simulate(slider_crank(TRUE), T_END, times=times)
    return run["crank.angle"] + NOISE * np.random.default_rng(seed).normal(size=len(times))


@dataclass
class Estimate:
    """The estimated numbers, the number of runs, and the sum of squared residuals in units of the noise."""

    values: dict[str, float]
    runs: int
    chi2: float


def identify(times: np.ndarray, measured: np.ndarray) -> Estimate:
    """The numbers with which a run is nearest to the measurement: χ² = Σ ((φᵢ − measuredᵢ)/σ)² is smallest."""

    def chi2(run: Any) -> Any:
        return np.sum(((run["crank.angle"] - measured) / NOISE) ** 2)

    fun = slider_crank(GUESS).objective(list(GUESS), chi2, t_end=T_END, times=times)
    found = minimize(fun, fun.x0, jac=True, method="L-BFGS-B", bounds=list(BOUNDS.values()), options={"ftol": 1e-12})
    return Estimate(dict(zip(GUESS, found.x.tolist(), strict=True)), fun.evaluations, float(found.fun))


def covariance(times: np.ndarray, values: dict[str, float]) -> np.ndarray:
    """The covariance of the numbers to first order: σ² (JᵀJ)⁻¹ with the derivatives J of the measured angles."""
    angles = [f"crank.angle at {t!r}" for t in times.tolist()]
    found = gr.sensitivities(slider_crank(values), wrt=list(values), of=angles, t_end=T_END)
    if not found.status.ok:
        raise SystemExit(str(found.status))
    return np.asarray(NOISE**2 * np.linalg.inv(found.matrix.T @ found.matrix))


@dataclass
class Study:
    """Estimates from repeated measurements, the first one with the covariance of its numbers."""

    times: np.ndarray
    measured: np.ndarray
    estimates: list[Estimate]
    covariance: np.ndarray

    @property
    def errors(self) -> dict[str, float]:
        """Standard errors of the first estimate."""
        return dict(zip(TRUE, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    @property
    def scatter(self) -> dict[str, float]:
        """Standard deviations of the estimates about the true values."""
        return {
            name: float(np.sqrt(np.mean([(x.values[name] - true) ** 2 for x in self.estimates])))
            for name, true in TRUE.items()
        }


def study(count: int, repeats: int) -> Study:
    """Measures the angle at a number of times and identifies the numbers, repeatedly."""
    times = np.linspace(0.01, T_END, count)
    measurements = [measure(times, seed) for seed in range(1, repeats + 1)]
    estimates = [identify(times, measured) for measured in measurements]
    return Study(times, measurements[0], estimates, covariance(times, estimates[0].values))


def draw(found: Study, path: str) -> None:
    """Draws the motion, and the two masses with their standard errors."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    left.plot(found.times, found.measured, "k.", markersize=3, label="measured")
    for name, values in (("first guess", GUESS), ("identified", found.estimates[0].values)):
        run = gr.simulate(slider_crank(values), T_END)
        left.plot(run.t, run["crank.angle"], label=name)
    left.set(title="Angle of the crank", xlabel="t [s]", ylabel="[rad]")
    left.legend()
    for k, estimate in enumerate(found.estimates):
        label = "estimates" if k == 0 else None
        right.plot(estimate.values["rod.mass"], estimate.values["slider.mass"], "o", color="tab:orange", label=label)
    turn = np.linspace(0.0, 2.0 * np.pi, 100)
    ellipse = np.linalg.cholesky(found.covariance[:2, :2]) @ [np.cos(turn), np.sin(turn)]
    for size in (1, 2):
        x, y = np.array([[TRUE["rod.mass"]], [TRUE["slider.mass"]]]) + size * ellipse
        right.plot(x, y, color="0.6", label="one and two standard errors" if size == 1 else None)
    right.plot(TRUE["rod.mass"], TRUE["slider.mass"], "k+", markersize=12, label="true")
    right.set(title="Repeated measurements", xlabel="mass of the rod [kg]", ylabel="mass of the slider [kg]")
    right.legend()
    figure.savefig(path)
    plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> Study:
    """Identifies the numbers, and prints and draws the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="one measurement at fewer times")
    parser.add_argument("-o", "--out", default="identification.png", help="where the picture goes")
    given = parser.parse_args(arguments)
    found = study(50, 1) if given.short else study(150, 25)
    first = found.estimates[0]
    print(f"Identified in {first.runs} runs; χ² is {first.chi2:.1f} for {len(found.times)} measured angles.")
    for name, true in TRUE.items():
        print(
            f"  {name:12} {first.values[name]:.4f} ± {found.errors[name]:.4f}   (true: {true:g}; guessed: "
            f"{GUESS[name]:g})"
        )
    if len(found.estimates) > 1:
        scatter = ", ".join(f"{name} {x:.4f}" for name, x in found.scatter.items())
        print(f"{len(found.estimates)} measurements scatter about the true values by {scatter}.")
    draw(found, given.out)
    return found


if __name__ == "__main__":
    main()

"""How much do manufacturing tolerances change the motion of Andrews' squeezer mechanism?

A sweep runs a hundred thousand mechanisms with random lengths, springs and torques in seconds. Derivatives of one
nominal run predict the same scatter as long as it is small, and show which tolerances cause it; the histogram shows
where this prediction is not sufficient. A random selection of rows is computed again in another way, with each
mechanism built and simulated on its own.

    python examples/tolerance.py [--short] [--workers 2] [-o tolerance.png]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np

import grashof as gr
from grashof.problems import make_case
from grashof.sensitivity.result import Sensitivities

TOLERANCES = {
    "OF.F.x": 10e-6,
    "EF.F.x": 10e-6,
    "HE.E.x": 10e-6,
    "GE.E.x": 10e-6,
    "AG.G.x": 10e-6,
    "AH.H.x": 10e-6,
    "EBD.D.x": 10e-6,
    "spring.length": 50e-6,
    "spring.stiffness": 45.0,
    "drive.torque": 0.00033,
}
"""Standard deviations: of lengths of links in m, of the spring in m and N/m, of the torque in N m (one per cent)."""

OUTPUTS = {"OF.angle at end": "angle of the crank at the end", "OF.F.x at end": "x of its pin F at the end"}


@dataclass
class Study:
    """The table, the derivatives, and the same rows of the table computed one by one."""

    table: gr.Sweep
    sensitivities: Sensitivities
    chosen: np.ndarray
    again: gr.Sweep

    def deviations(self, output: str) -> np.ndarray:
        """The effect of each tolerance alone on an output, to first order: |∂f/∂p| σ."""
        return np.array([abs(self.sensitivities[output, name]) * sigma for name, sigma in TOLERANCES.items()])

    def predicted(self, output: str) -> float:
        """The standard deviation of an output to first order: √Σ (∂f/∂p σ)²."""
        return float(np.sqrt(np.sum(self.deviations(output) ** 2)))

    def difference(self, output: str) -> float:
        """The largest difference between the two computations of the same rows."""
        return float(np.max(np.abs(self.table[output][self.chosen] - self.again[output])))


def study(rows: int, checked: int, workers: int) -> Study:
    """Runs a number of mechanisms, and some of them again."""
    case = make_case("andrews")
    nominal = gr.numbers(case.model)
    scatter = {name: (nominal[name].value, sigma) for name, sigma in TOLERANCES.items()}
    began = time.perf_counter()
    table = gr.sweep(
        case.model,
        scatter,
        case.t_end,
        outputs=list(OUTPUTS),
        sample="normal",
        count=rows,
        seed=1,
        engine="compiled",
        workers=workers,
    )
    print(f"{table} in {time.perf_counter() - began:.1f} s, compilation included")
    sensitivities = gr.sensitivities(case.model, wrt=list(TOLERANCES), of=list(OUTPUTS), t_end=case.t_end)
    good = np.flatnonzero(table.ok)
    chosen = np.random.default_rng(2).choice(good, size=checked, replace=False)
    same = {name: table[name][chosen] for name in TOLERANCES}
    again = gr.sweep(case.model, same, case.t_end, outputs=list(OUTPUTS), sample="zip", engine="one by one")
    return Study(table, sensitivities, chosen, again)


def draw(found: Study, path: str) -> None:
    """Draws histograms with the prediction by derivatives, and the effect of each tolerance."""
    figure, axes = plt.subplots(2, 2, figsize=(11, 7), layout="constrained")
    for (output, title), (left, right) in zip(OUTPUTS.items(), axes, strict=True):
        values, unit = found.table[output][found.table.ok], found.table.unit(output)
        left.hist(values, bins=min(100, int(np.sqrt(len(values)))), density=True, color="0.75", label="sweep")
        x = np.linspace(values.min(), values.max(), 200)
        z = (x - found.sensitivities[output]) / found.predicted(output)
        density = np.exp(-0.5 * z**2) / (np.sqrt(2.0 * np.pi) * found.predicted(output))
        left.plot(x, density, color="tab:red", label="predicted by derivatives")
        left.set(title=title, xlabel=f"[{unit}]", yticks=[])
        left.legend()
        right.barh(list(TOLERANCES), found.deviations(output), color="tab:red")
        right.set(title="what each tolerance does", xlabel=f"|∂f/∂p| σ [{unit}]")
        right.invert_yaxis()
    figure.savefig(path)
    plt.close(figure)


def main(arguments: Sequence[str] | None = None) -> Study:
    """Runs the study, and prints and draws the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="500 runs instead of 100,000")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="threads")
    parser.add_argument("-o", "--out", default="tolerance.png", help="where the picture goes")
    given = parser.parse_args(arguments)
    found = study(500, 5, 1) if given.short else study(100_000, 40, given.workers)
    for output, title in OUTPUTS.items():
        values, unit = found.table[output][found.table.ok], found.table.unit(output)
        print(f"{title}: mean {values.mean():.6g} {unit}, standard deviation {values.std():.4g} {unit};")
        print(f"  derivatives at the nominal values predict {found.predicted(output):.4g} {unit}.")
        print(
            f"  {len(found.chosen)} rows computed one by one differ by at most {found.difference(output):.1e} {unit}."
        )
    draw(found, given.out)
    return found


if __name__ == "__main__":
    main()

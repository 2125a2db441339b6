"""Arms whose joints stick and slip by exact dry friction, in natural and in relative coordinates.

As in long runs, a success with an error of more than ten tolerances is wrong.
"""

from __future__ import annotations

import numpy as np

import grashof as gr
from campaign.blocks import random_times, with_rate
from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.sticking_arms import random_arm
from campaign.structure import Array
from campaign.suite import Cases, Rng

METHODS = {"auto": 0.6, "dop853": 0.2, "bs5": 0.2}
"""The probabilities with which methods are drawn."""

AGREE = 1e-9
"""How well two solutions have to agree, of which one begins 1e-12 rad farther on."""


def arms(rng: Rng) -> KnownMotion:
    """One to four bars that hang on each other, with friction in all pins; all 3ⁿ modes are tried at events."""
    count = int(rng.integers(1, 5))
    arm = random_arm(rng, count, (0.05, 4.0))
    formulation = str(rng.choice(["natural", "relative"]))
    times = random_times(rng, float(rng.uniform(0.5, 2.0)))
    angles, rates = arm.motion(times)
    beside = arm.beside(1e-12).motion(times)
    apart = float(np.max(np.abs(np.array(beside) - np.array([angles, rates])), initial=0.0))
    if not apart < AGREE:
        raise NotJudged("errors grow too fast")
    exact: dict[str, Array] = {}
    for k in range(count):
        exact |= with_rate(f"bar{k}.angle", angles[k], rates[k])
    fastest = max(float(np.max(np.abs(rates))), 1.0)
    return KnownMotion(
        f"{count} bars, {formulation}",
        arm.mechanism,
        times,
        exact,
        {name: fastest if name.endswith(".rate") else 1.0 for name in exact},
        1.0 / fastest,
        growth=max(1.0, apart / 1e-12),
        compiled=gr.build(arm.mechanism(), formulation=formulation),
    )


SUITE = Cases("sticking-joints", {"arms": (1, arms)}, mechanisms=60, factor=10.0, methods=METHODS)

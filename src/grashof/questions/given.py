"""Motions that are prescribed rather than integrated, as trajectories with the usual names, pictures and tables."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from grashof.assembly.assemble import Assembly
from grashof.common.status import Code, Status
from grashof.formulation.natural.equations import Dynamics
from grashof.integrate import Counters, Integrator, Steps
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory
from grashof.program import Program

Array = np.ndarray

Sample = Callable[[Array], tuple[Array, Array]]
"""From times to states [q, v, e] and rates [a, ė], (times, …) each."""


class GivenMotion(Integrator):
    """Takes the place of a trajectory's integrator for a motion that is known at any time."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample

    def sample(self, steps: Steps, times: ArrayLike) -> tuple[Array, Array]:
        """States and rates at these times."""
        return self._sample(np.asarray(times, float))

    def natural_rates(self, t: float, y: ArrayLike) -> Array:
        """The rates at a time; the motion determines the state y."""
        rates: Array = self._sample(np.array([t]))[1][0]
        return rates


def given_program(model: Model, dynamics: Dynamics, assembly: Assembly, sample: Sample) -> Program:
    """A mechanism whose motion is prescribed."""
    return Program(model, None, "", dynamics, assembly, GivenMotion(sample), (0, 0), 0.0, 0.0)


def positions_over(dynamics: Dynamics, assembly: Assembly, t: Array, q: Array) -> Trajectory:
    """A trajectory of given positions (times, n), to be drawn. Angles cannot be tracked from one position to the next,
    so forces that act on angles are left out.
    """
    model = dynamics.model
    seen = tuple(
        force for force in model.forces if all(x in model.points for x in (*force.targets(), *force.tracked()))
    )
    sizes = dynamics.layout.sizes
    states = np.hstack([q, np.zeros((len(t), sizes.size - sizes.nq))])
    rates = np.zeros((len(t), sizes.rates))

    def sample(times: Array) -> tuple[Array, Array]:
        rows = np.searchsorted(t, times).clip(0, len(t) - 1)
        return states[rows], rates[rows]

    done = Steps(t, states, Status(Code.SUCCESS, float(t[-1]), float(t[-1])), Counters(len(t) - 1, 0, 0, 0, 0, 0), 0.0)
    program = given_program(msgspec.structs.replace(model, forces=seen), dynamics, assembly, sample)
    return Trajectory(program, done, t)

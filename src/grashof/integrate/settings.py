"""How a run is to be integrated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from grashof.changes.between_steps import Between
from grashof.changes.kinks import Kinks, Stop
from grashof.common.progress import Progress
from grashof.integrate.control import Control
from grashof.integrate.crossing import CrossingSurroundings
from grashof.integrate.events import Watch
from grashof.integrate.methods import Choice, Method
from grashof.integrate.step import Workspace
from grashof.integrate.steps import DEFAULT

FIXED_STEPS = 1000
"""Number of steps of a fixed-step run if no step size is given."""


@dataclass(frozen=True)
class Spacing:
    """Limits on steps in addition to those by their errors. Runs that are compared differ in them, so that their
    truncation errors differ whatever limits the steps.

    scale     multiplies the longest step allowed, and fixed steps
    parts     the least number of steps between two stops; fixed steps are divided into so many
    longest   no step is longer than this, whatever the scale, s
    """

    scale: float = 1.0
    parts: int = 1
    longest: float = inf


@dataclass(frozen=True)
class Settings:
    """How to integrate.

    The error of a step is kept below tol in units of length (m) for q, of speed (m/s, or the largest |v_i| so far) for
    v, of mass·speed² (J, or the largest work so far) for works, and of 1/weights for other extra states; one of weight
    0, the default, is only an output.

    step           the size of the first step or, with a fixed-step method, of all steps; these are made a little
                   smaller to end at stops and at t_end
    longest        the longest step allowed
    stops          steps end at each of these sorted times, after which the run restarts
    max_steps      bounds the number of attempted steps
    progress       called from time to time with the fraction of the time that is done; KeyboardInterrupt, from there or
                   from the keyboard, ends the run with the steps made so far
    spacing        what else limits the steps
    surroundings   give the distance of a state from singular ones: where steps become small, one long step is tried
                   (see `crossing`)
    watch          the functions to watch during the run (see `events`)
    between        the functions to examine between the steps (see `changes.between_steps`)
    kinks          the switches in forces, of which no step may pass two
    alternative    the implicit method that may be taken while the equations are stiff, if the choice of the method is
                   tentative
    tolerances     the step tolerance of each method, if it may change
    period         the shortest time between the samples of a force, s
    """

    tol: float
    length: float
    speed: float
    mass: float = 1.0
    weights: Sequence[float] | NDArray[np.float64] = ()
    method: Choice = DEFAULT
    step: float | None = None
    longest: float = inf
    stops: Sequence[Stop] = ()
    max_steps: int = 1_000_000
    progress: Progress | None = None
    spacing: Spacing = Spacing()
    surroundings: CrossingSurroundings | None = None
    watch: Watch | None = None
    between: Between | None = None
    kinks: Kinks | None = None
    alternative: Method | None = None
    tolerances: Callable[[Method], float] | None = None
    period: float = inf


def make_control(space: Workspace, t0: float, t_end: float, asked: Settings) -> Control:
    """The control structure for a new run."""
    span = abs(t_end - t0)
    if not (0 < asked.tol < inf and 0 < asked.length < inf and 0 < asked.speed < inf and span < inf):
        raise ValueError(
            f"tol, length, speed must be positive and the times finite, not {asked.tol}, {asked.length}, "
            f"{asked.speed}, {t0} to {t_end}"
        )
    control = Control(
        t_end=t_end, span=span, tolerance=asked.tol, length=asked.length, speed=asked.speed, mass=asked.mass
    )
    control.energy = asked.mass * asked.speed * asked.speed
    control.controlled = space.sizes.nq + space.sizes.nv + space.sizes.works
    control.size = abs(asked.step) if asked.step else 0.0
    spacing = asked.spacing
    control.widest = min(spacing.scale * asked.longest, spacing.longest, asked.period / spacing.parts)
    control.parts = spacing.parts
    if not space.method.adaptive:
        control.widest = min(spacing.scale * (control.size or span / FIXED_STEPS), control.widest)
    return control

"""Events that nearly happen: with slightly different numbers they may change the motion."""

from __future__ import annotations

import numpy as np

from grashof.model.events import Event
from grashof.motion.trajectory import Trajectory

LOOKED = 2001
"""Number of times at which events are examined."""

NEARLY = 1e-3
"""An event nearly happens if its quantity comes this close to its value, relative to the range of the quantity during
the run."""


def nearly_happened(run: Trajectory) -> str:
    """A sentence that names the first event that would change the motion and nearly happens; empty if there is none.

    The event may be missed narrowly, or be about to happen when the run ends. A quantity that starts at the value of
    its event and moves away from it does not count.
    """
    program, steps = run.program, run.steps
    times = np.linspace(steps.t[0], steps.t[-1], LOOKED)
    y, _ = program.integrator.sample(steps, times)
    motion = program.dynamics.state([times, *y.T])
    for event in program.model.all_events:
        if event.does != "record" and not event.restarts:
            margin = np.broadcast_to(np.asarray(event.margin(motion), float), times.shape)
            near = _approaches(event, margin)
            if near.size:
                return (
                    f"Event '{event.name}' nearly happens at t = {times[near[0]]:.6g} s: with other numbers it may "
                    "change the motion."
                )
    return ""


def _approaches(event: Event, margin: np.ndarray) -> np.ndarray:
    """Where a margin comes close to zero on the side from which the event happens, and turns back or the run ends."""
    before, after = margin[:-1], np.append(margin[2:], margin[-1])
    here = margin[1:]
    size = np.abs(here)
    nearest = (size <= np.abs(before)) & (size <= np.abs(after)) & (before * here > 0.0) & (here * after > 0.0)
    side = np.ones(len(here), bool) if event.way == 0 else here * event.way < 0.0
    return 1 + np.flatnonzero(nearest & side & (size < NEARLY * np.ptp(margin)))

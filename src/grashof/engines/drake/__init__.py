"""Drake: a tree of joints, with loops closed by constraints of the discrete solver (SAP); Runge–Kutta 5 if there are
no loops."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grashof.engines.base import Engine, EngineFailed, Result, Setting, Stopwatch, no_motors
from grashof.engines.drake.plant import Plant
from grashof.situation import IN_SPACE, MADE_POSITIVE, Situation


class Drake(Engine):
    """A tree of joints with loop constraints, see the module."""

    name = "drake"
    package = "drake"
    notes: tuple[str, ...] = (
        IN_SPACE,
        "With loops (Drake's continuous integrators do not support constraints): MultibodyPlant in discrete mode, "
        "SAP's ball, weld and distance constraints; a pin is one ball where the motion is planar and two in space; "
        "other joints by a second part of a body, welded to it.",
        "Without loops: MultibodyPlant in continuous mode, runge_kutta5 with error control.",
        "Forces that Drake has no element for (followers, torsion springs, the user's own) are called in "
        "Python at each step.",
        MADE_POSITIVE,
        "Ball joints in the tree are described by roll, pitch and yaw, which are singular at a pitch of a "
        "quarter turn from the start.",
    )

    def refuses(self, situation: Situation) -> str | None:
        return no_motors(situation, "Drake")

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        if not situation.closures:
            return tuple(
                Setting(f"runge_kutta5, accuracy = {accuracy:.0e}", {"accuracy": accuracy})
                for accuracy in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
            )
        span = t_end - situation.time
        steps = (span / n for n in (1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000))
        return tuple(Setting(f"SAP, time step = {step:.3g} s", {"time_step": step}) for step in steps)

    def prepare(self, situation: Situation) -> PreparedDrake:
        prepared = PreparedDrake(situation)
        prepared.build(1e-3 if situation.closures else 0.0)  # says now what cannot be built
        return prepared


ENGINE = Drake()


@dataclass
class PreparedDrake:
    """The time step is part of Drake's model, so each run builds its own, outside the measured time."""

    situation: Situation

    def build(self, step: float) -> Plant:
        try:
            return Plant(self.situation, step)
        except RuntimeError as problem:
            raise EngineFailed(str(problem)) from problem

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator

        elapsed = times - self.situation.time
        step = 0.0
        if self.situation.closures:
            step = _step(float(setting.values["time_step"]), elapsed)
            # as Drake counts: a time beside the product by round-off would make it step twice
            elapsed = np.round(elapsed / step) * step
        plant = self.build(step)
        simulator = Simulator(plant.diagram)
        context = plant.start(simulator.get_mutable_context())
        if not self.situation.closures:
            ResetIntegratorFromFlags(simulator, "runge_kutta5", max_step_size=float(elapsed[-1]))
            simulator.get_mutable_integrator().set_target_accuracy(float(setting.values["accuracy"]))
        states = np.empty((len(times), plant.plant.num_multibody_states()))
        watch = Stopwatch(limit_s)
        try:
            for k, t in enumerate(elapsed):
                if t > 0.0:  # at the start Drake would already show the first step
                    with watch:
                        simulator.AdvanceTo(t)
                states[k] = plant.plant.GetPositionsAndVelocities(context)
        except RuntimeError as problem:
            raise EngineFailed(str(problem)) from problem
        if plant.loads is not None:
            plant.loads.check()
        steps = simulator.get_num_discrete_updates() or simulator.get_num_steps_taken()
        return Result(plant.motion(times, states), watch.cpu_s, watch.wall_s, steps)


def _step(wanted: float, elapsed: np.ndarray) -> float:
    """The largest step, not above the requested one, of which all times are multiples."""
    spacing = np.diff(elapsed, prepend=0.0)
    spacing = spacing[spacing > 0.0]
    if np.ptp(spacing) > 1e-6 * spacing[0]:
        raise EngineFailed("Drake's discrete time steps are equal; request equally spaced times.")
    each = float(elapsed[-1]) / len(spacing)
    return each / math.ceil(each / wanted - 1e-9)

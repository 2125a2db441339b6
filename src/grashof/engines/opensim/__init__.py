"""OpenSim (Simbody): a tree of joints, loops closed by constraints, adaptive Runge–Kutta–Merson with projection on them."""

from __future__ import annotations

from grashof.engines.base import Engine, EngineFailed, Setting
from grashof.engines.known import unknown
from grashof.engines.opensim.forces import drive, force_refusal, motor_refusal, push
from grashof.engines.opensim.model import Built
from grashof.engines.opensim.run import PreparedOpenSim, words
from grashof.engines.situation import IN_SPACE, MADE_POSITIVE, Situation
from grashof.model import joints as kinds

TOLERANCE, LEAST = 1e-6, 1e-14
"""Constraint tolerance by accuracy, and the least (m): with looser ones the steps stall at singular positions."""


class OpenSim(Engine):
    """See the module."""

    name = "opensim"
    package = "opensim"
    notes: tuple[str, ...] = (
        IN_SPACE,
        "A pin that closes a loop of a planar motion is a point on a line (two equations), in space a point and a point on a line (five).",
        f"Manager with RungeKuttaMerson, Simbody's projection on the constraints with tolerance {TOLERANCE:g} · accuracy, "
        f"from {LEAST:g} m on.",
        "States are kept at the integrator's own steps; between them, quintics through positions, rates and accelerations.",
        MADE_POSITIVE,
        "Balls turn by body-fixed angles x, y, z, as OpenSim sets them: they are singular a quarter turn about y away from the start.",
    )

    def refuses(self, situation: Situation) -> str | None:
        if reason := unknown(situation.original, "OpenSim"):
            return reason
        model = situation.model
        for joint in situation.closures:
            if isinstance(joint, kinds.Plane):
                return f"Joint '{joint.name}': OpenSim has no constraint that closes a loop with a face on a face."
        for force in model.forces:
            if reason := force_refusal(situation, force):
                return f"Force '{force.name}': {reason}"
        for motor in model.motors:
            if reason := motor_refusal(situation, motor):
                return f"Motor '{motor.name}': {reason}"
        return None

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        least = LEAST * max(1.0, situation.system.length)
        return tuple(
            Setting(
                f"accuracy = {accuracy:.0e}",
                {"accuracy": accuracy, "constraint tolerance": max(TOLERANCE * accuracy, least)},
            )
            for accuracy in (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-8, 1e-9)
        )

    def prepare(self, situation: Situation) -> PreparedOpenSim:
        import opensim

        opensim.Logger.setLevelString("Off")
        try:
            built = Built(situation)
            for force in situation.model.forces:
                push(built, force)
            for motor in situation.model.motors:
                drive(built, motor)
            return PreparedOpenSim(situation, built.model, *built.ready())
        except RuntimeError as problem:
            raise EngineFailed(words(problem)) from problem


ENGINE = OpenSim()

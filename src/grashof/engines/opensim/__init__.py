"""OpenSim (Simbody): a tree of joints, loops closed by constraints, adaptive Runge–Kutta–Merson with projection on
them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from grashof.engines.base import Engine, EngineFailed, Setting
from grashof.engines.opensim.run import PreparedOpenSim, ready, words
from grashof.exchange.opensim.document import OpenSimDocument
from grashof.exchange.opensim.forces import prescribed_function, push
from grashof.exchange.opensim.writer import refusal
from grashof.situation import IN_SPACE, MADE_POSITIVE, Situation

TOLERANCE, LEAST = 1e-6, 1e-14
"""Constraint tolerance by accuracy, and the least (m): with looser ones the steps stall at singular positions."""


class OpenSim(Engine):
    """See the module."""

    name = "opensim"
    package = "opensim"
    notes: tuple[str, ...] = (
        IN_SPACE,
        "A pin that closes a loop of a planar motion is a point on a line (two equations), in space a point "
        "and a point on a line (five).",
        f"Manager with RungeKuttaMerson, Simbody's projection on the constraints with tolerance {TOLERANCE:g} · "
        f"accuracy, from {LEAST:g} m on.",
        "States are kept at the integrator's own steps; between them, quintics through positions, rates and "
        "accelerations.",
        MADE_POSITIVE,
        "The model is the document that `grashof convert` writes, with the joints' own constraints.",
        "Ball joints are described by body-fixed angles about x, y and z, as in OpenSim, which are singular a "
        "quarter turn about y from the start.",
    )

    def refuses(self, situation: Situation) -> str | None:
        return refusal(situation)

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
        document = OpenSimDocument(situation, relations=False)
        for force in situation.model.forces:
            push(document, force)
        for motor in situation.model.motors:
            document.drive(motor.target, prescribed_function(motor))
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "model.osim"
                path.write_text(document.text(), encoding="utf-8")
                return ready(document, opensim.Model(str(path)))
        except RuntimeError as problem:
            raise EngineFailed(words(problem)) from problem


ENGINE = OpenSim()

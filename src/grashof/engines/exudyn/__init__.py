"""Exudyn: bodies, markers and joints in redundant coordinates, implicit time integration in C++ (J. Gerstmayr,
2023); open trees in minimal coordinates, explicit."""

from __future__ import annotations

import contextlib
import io
import math
import sys
from typing import Any

from grashof.engines.base import Engine, EngineFailed, Setting
from grashof.engines.exudyn.planar import Planar
from grashof.engines.exudyn.run import PreparedExudyn
from grashof.engines.exudyn.spatial import Spatial
from grashof.engines.exudyn.tree import Tree
from grashof.situation import Situation
from grashof.situation.known import unknown

STEPS = (250, 350, 500, 700, 1000, 1400, 2000, 2800, 4000, 5600, 8000, 12500, 16000, 22000, 32000)
"""The ladder: steps from the start to the end."""


class Exudyn(Engine):
    """Generalized-α with a range of step sizes, in the plane with Exudyn's planar bodies and joints; RK67 for
    mechanisms that can be modelled as open trees."""

    name = "exudyn"
    package = "exudyn"
    notes = (
        "Trees of turns and slides without loops and motors: ObjectKinematicTree, RK67 (explicit, of order 6), "
        "EigenDense.",
        "Else, where all motion is in one plane: planar bodies and joints (RigidBody2D, JointRevolute2D, "
        "JointPrismatic2D).",
        "In space: bodies with Euler parameters, JointGeneric; 1e-6 of m ℓ² added to the inertia about axes "
        "that have none.",
        "Index 3, spectral radius 0.9, the module without range checks, one thread.",
        "In the plane one full Newton iteration per step; in space, and with forces in Python, modified Newton "
        "until it converges.",
        "Linear solver: EigenSparse with reuseAnalyzedPattern; EigenDense with ignoreSingularJacobian, as its "
        "documentation advises, where it counts redundant joint equations.",
        "Forces that it has no element for (user forces, torques about axes that are no joint's) are functions "
        "in Python.",
        "If the requested times are not whole steps apart: cubic interpolation of coordinates and velocities "
        "at all steps.",
    )

    def refuses(self, situation: Situation) -> str | None:
        if reason := unknown(situation.original, "Exudyn"):
            return reason
        model = situation.model
        for motor in model.motors:
            measure = model.all_measures[motor.target]
            if not measure.winds:
                return f"Motor '{motor.name}': Exudyn has no distance that is prescribed as a function of time."
            if not situation.coaxial(measure):
                return (
                    f"Motor '{motor.name}': Exudyn drives angles about the axis of a joint; '{motor.target}' is "
                    "not one."
                )
        return None

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        span = t_end - situation.time
        if Tree.suits(situation):
            # in tens, so that results at tenths of the time fall on steps
            counts = (10 * math.ceil(0.1 * span / step) for step in situation.constant_steps(t_end, coarser=8))
            return tuple(
                Setting(f"RK67, h = {span / steps:.3g} s", {"stepSize": span / steps})
                for steps in dict.fromkeys(counts)
            )
        return tuple(
            Setting(f"h = {span / steps:.3g} s", {"stepSize": span / steps, "spectralRadius": 0.9}) for steps in STEPS
        )

    def prepare(self, situation: Situation) -> PreparedExudyn:
        exudyn = import_exudyn()
        kind = next(kind for kind in (Tree, Planar, Spatial) if kind.suits(situation))
        try:
            translated = kind(situation, exudyn.SystemContainer())
            translated.build()
        except (RuntimeError, ValueError) as problem:
            raise EngineFailed(f"Exudyn: {problem}") from problem
        return PreparedExudyn(translated)


ENGINE = Exudyn()


def import_exudyn() -> Any:
    """The package in its variant without range checks, with messages switched off."""
    sys.exudynFast = True  # type: ignore[attr-defined]  # the way its documentation gives
    with contextlib.redirect_stdout(io.StringIO()):
        import exudyn
    exudyn.config.printToConsole = False
    exudyn.config.suppressWarnings = True
    return exudyn

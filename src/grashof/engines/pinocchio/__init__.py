"""Pinocchio: a tree of joints, by the articulated-body algorithm, or with loops closed by `constraintDynamics`
(proximal); from Python."""

from __future__ import annotations

from grashof.engines.base import Engine, Setting, no_motors
from grashof.engines.pinocchio.model import PinocchioModel
from grashof.engines.pinocchio.run import MU, REFINEMENTS, PreparedPinocchio
from grashof.situation import IN_SPACE, MADE_POSITIVE, Situation

PULL = (0.05, 0.5, 1.0)
"""ω h of the closed loops, which pull back as critically damped oscillators of frequency ω (Baumgarte, 1972)."""


class Pinocchio(Engine):
    """See the module."""

    name = "pinocchio"
    package = "pin"
    notes = (
        "Stepped from Python, which costs about three times what the same steps cost in C++; 4 µs per stage on trees.",
        IN_SPACE,
        "Loops are closed by 3D and 6D constraints with Baumgarte gains ω², 2ω; ω h is in the setting.",
        f"With loops RK4 with a constant step h; proximal solver with μ = {MU:g}, at most {REFINEMENTS} iterations.",
        "Without loops the articulated-body algorithm (`aba`), and DOP853, of order 8, with a constant step h.",
        "Results between steps come from a shorter step, whose time is not counted.",
        MADE_POSITIVE,
    )

    def refuses(self, situation: Situation) -> str | None:
        if reason := no_motors(situation, "Pinocchio"):
            return reason
        for joint in situation.closures:
            if joint.rod is not None:
                return f"Joint '{joint.name}': Pinocchio closes loops with points and frames, not with distances."
        return None

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        if not situation.closures:
            steps = situation.constant_steps(t_end, coarser=8)
            return tuple(Setting(f"DOP853, h = {step:.3g} s", {"method": "DOP853", "h": step}) for step in steps)
        return tuple(
            Setting(f"RK4, h = {step:.3g} s, ω h = {pull:g}", {"method": "RK4", "h": step, "omega h": pull})
            for step in situation.constant_steps(t_end)
            for pull in PULL
        )

    def prepare(self, situation: Situation) -> PreparedPinocchio:
        return PinocchioModel(situation).prepare()


ENGINE = Pinocchio()

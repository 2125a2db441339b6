"""MuJoCo: a tree of joints in minimal coordinates, loops closed by stiff equality constraints, RK4 with a constant
step."""

from __future__ import annotations

from grashof.engines.base import Engine, EngineFailed, Setting, no_motors
from grashof.engines.loads import Loads
from grashof.engines.mujoco.run import PreparedMuJoCo, compile_document
from grashof.exchange.mjcf.document import MjcfDocument
from grashof.exchange.mjcf.force_elements import ForceElements
from grashof.exchange.stages import coordinate, linear_combination
from grashof.situation import IN_SPACE, MADE_POSITIVE, Situation

FIRM = ((0.999, 2.2, 0.2), (0.9999, 2.4, 0.15), (0.9999, 0.35, 1.0))
"""Impedance, ω h and damping ratio ζ of the constraints, which pull back as oscillators of frequency ω. MuJoCo takes
impedances up to 0.9999. Constraints give way by 1/ω², and RK4 takes oscillators up to ω h = 2.8, the less damped the
better: this is best where positions are singular. Where forces are large, the last one is, which is slow enough for
RK4 to follow it."""


class MuJoCo(Engine):
    """See the module."""

    name = "mujoco"
    package = "mujoco"
    notes = (
        IN_SPACE,
        "Couplings of joint coordinates are fixed tendons of constant length.",
        "Loops are closed by connect constraints of stiffness ω² and damping 2ζω; impedance, ω h and ζ are in "
        "the setting.",
        "RK4 with a constant step h by `mujoco.rollout`, one iteration of Newton's solver; contacts, limits, "
        "islands, sensors and warm starts off.",
        "Without loops its constraints are off, without forces its springs, dampers and actuators.",
        "Results between steps come from a shorter step, whose time is not counted.",
        "The model is the document that `grashof convert` writes; forces that are not in it come from a "
        "callback in Python, whose time counts.",
        MADE_POSITIVE,
    )

    def refuses(self, situation: Situation) -> str | None:
        refusal = no_motors(situation, "MuJoCo", couplings=True, inerters=True)
        if refusal is not None:
            return refusal
        for coupling in situation.model.couplings:
            if linear_combination(situation, coupling) is None:
                return (
                    f"Coupling '{coupling.name}': MuJoCo can only couple joint coordinates linearly with constant "
                    "factors, and this coupling is of another kind."
                )
        for name, _ in situation.model.inertances:
            if coordinate(situation, situation.model.quantities[name]) is None:
                return f"The inerter on '{name}': MuJoCo's armature resists the motion of a joint of its tree only."
        return None

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        held = FIRM if situation.closures or situation.model.couplings else FIRM[-1:]  # else there is nothing to hold
        return tuple(_setting(step, *firm) for step in situation.constant_steps(t_end) for firm in held)

    def prepare(self, situation: Situation) -> PreparedMuJoCo:
        try:
            document = MjcfDocument(situation, whole=True)
            forces = ForceElements(document)
            rest = tuple(force for force in situation.original.forces if not forces.push(force))
            for coupling in situation.model.couplings:
                document.couple(coupling)
            model = compile_document(document.text(), situation)
        except ValueError as problem:
            raise EngineFailed(str(problem)) from problem
        return PreparedMuJoCo(situation, model, Loads(situation, rest) if rest else None)


def _setting(step: float, impedance: float, omega: float, ratio: float) -> Setting:
    return Setting(
        f"RK4, h = {step:.3g} s, impedance {impedance:g}, ω h = {omega:g}, ζ = {ratio:g}",
        {"integrator": "RK4", "timestep": step, "impedance": impedance, "omega h": omega, "damping ratio": ratio},
    )


ENGINE = MuJoCo()

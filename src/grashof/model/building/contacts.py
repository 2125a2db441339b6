"""Friction and stops, as methods of the builder."""

from __future__ import annotations

from grashof.model.building.base import Methods
from grashof.model.forces import Friction, Stop
from grashof.model.forces.friction import SLIP_SPEED
from grashof.model.given import number, text
from grashof.model.handles import Handle
from grashof.model.joints import Joint
from grashof.model.laws import Law


class ContactMethods(Methods):
    """Friction and stops, for the builder."""

    def friction(
        self,
        joint: Joint | str,
        *,
        viscous: Law = 0.0,
        coulomb: Law = 0.0,
        mu: Law = 0.0,
        radius: float = 0.0,
        slip_speed: float = SLIP_SPEED,
        name: str | None = None,
    ) -> None:
        """Friction in a joint: viscous, Coulomb friction of a given size, and with a coefficient times the joint's own reaction; see `Friction`.

        In SI units: of forces in joints that slide, of torques in joints that only turn.
        """
        m = self._mechanism
        which = text("The joint of a friction", joint if isinstance(joint, str) else getattr(joint, "name", joint))
        called = _name(name, "friction", which)
        m._forces.append(
            Friction(
                name=called,
                joint=which,
                viscous=m._law(f"Force '{called}': viscous", viscous),
                coulomb=m._law(f"Force '{called}': coulomb", coulomb),
                mu=m._law(f"Force '{called}': mu", mu),
                radius=number(f"Force '{called}': radius", radius),
                slip_speed=number(f"Force '{called}': slip_speed", slip_speed),
            )
        )

    def stop(
        self,
        measure: Handle | str,
        *,
        lower: float | None = None,
        upper: float | None = None,
        stiffness: float = 0.0,
        damping: float = 0.0,
        exponent: float = 1.5,
        restitution: float | None = None,
        name: str | None = None,
    ) -> None:
        """Keeps a measure, or a body's angle, between limits (m, rad): compliant with a stiffness, rigid with a restitution; see `Stop`."""
        m = self._mechanism
        target = m._angle_name(measure)
        called = _name(name, "stop", target)

        def given(field: str, value: float) -> float:
            return number(f"Force '{called}': {field}", value)

        m._forces.append(
            Stop(
                name=called,
                measure=target,
                lower=None if lower is None else given("lower", lower),
                upper=None if upper is None else given("upper", upper),
                stiffness=given("stiffness", stiffness),
                damping=given("damping", damping),
                exponent=given("exponent", exponent),
                restitution=None if restitution is None else given("restitution", restitution),
            )
        )


def _name(name: str | None, *words: str) -> str:
    return " ".join(words) if name is None else text("A name", name)

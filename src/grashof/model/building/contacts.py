"""Friction, as a method of the builder."""

from __future__ import annotations

from typing import Protocol, cast

from grashof.model.forces import Force, Friction
from grashof.model.forces.friction import SLIP_SPEED
from grashof.model.given import number, text
from grashof.model.joints import Joint
from grashof.model.laws import Law


class Builder(Protocol):
    """What these methods need of the builder."""

    _forces: list[Force]

    def _law(self, what: str, value: Law) -> Law: ...


class ContactMethods:
    """Methods of `Mechanism`."""

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
        m = cast(Builder, self)
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


def _name(name: str | None, *words: str) -> str:
    return " ".join(words) if name is None else text("A name", name)

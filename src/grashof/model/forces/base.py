"""What every force has: a name, its loads, and how its energy is accounted for."""

from __future__ import annotations

from typing import Protocol

import msgspec

from grashof.model.fields import Scalars
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

Load = tuple[str, Scalars]
"""(target, effort): a force vector in N at a point `body.point`, or a torque [N m] / pull [N] along a measure."""


class State(Protocol):
    """The moving mechanism as a force sees it. Jets carry a value and its rate."""

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""

    @property
    def time(self) -> Scalar:
        """t in s"""

    def point(self, reference: str) -> list[Jet]:
        """Position (m) and velocity (m/s) of a point."""

    def measure(self, name: str) -> Jet:
        """An angle (rad, with its whole turns) or a distance (m), and its rate."""

    def axes(self, body: str) -> list[list[Jet]]:
        """The body's own unit axes, in world components."""


class ForceBase(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", omit_defaults=True, kw_only=True
):
    """A force; `loads` says where it acts and how strongly."""

    name: str

    def targets(self) -> list[str]:
        """The points and measures it acts on."""
        raise NotImplementedError

    def tracked(self) -> list[str]:
        """The angles whose whole turns the force itself depends on."""
        return []

    def bodies(self) -> list[str]:
        """The bodies whose own axes it uses."""
        return []

    def loads(self, state: State) -> list[Load]:
        """Where it acts and how strongly, now."""
        raise NotImplementedError

    def potential(self, state: State) -> Scalar:
        """Energy it stores, in J."""
        return 0.0

    def work(self, state: State) -> Scalar | None:
        """Work done beyond what is stored, up to a constant, in J; None if it has to be integrated along the motion."""
        return 0.0

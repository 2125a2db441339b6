"""The state of a moving mechanism as used by forces and laws, and its quantities by name.

rod.end.x            a coordinate of a point, m
crank.angle, gap     a measure, rad or m
crank.angle.rate     the time derivative of either
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from grashof.model.measures import MeasureBase
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

if TYPE_CHECKING:
    from grashof.model.joints import Joint

RATE = ".rate"


class State(Protocol):
    """The state of a moving mechanism as used by forces. Jets carry a value and its rate."""

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""

    @property
    def time(self) -> Scalar:
        """t in s"""

    @property
    def tables(self) -> Mapping[str, Callable[[Scalar], Scalar]]:
        """The tables that laws may call, by name."""

    @property
    def joints(self) -> Mapping[str, Joint]:
        """The joints of the mechanism by name."""

    def bearing(self, joint: str) -> Scalar:
        """The force that a joint transmits, N: see `JointBase.bearing`."""

    def slipping(self, event: str) -> Scalar:
        """The direction in which something slips that rests since an event, 1 or −1; 0 if it sticks or does not
        rest."""

    def point(self, reference: str) -> list[Jet]:
        """Position (m) and velocity (m/s) of a point."""

    def measure(self, name: str) -> Jet:
        """A measure or a coordinate `body.point.x` and its rate; an angle includes whole turns. A state of a force
        has no rate."""

    def jet_of(self, measure: MeasureBase) -> Jet:
        """The same for any measure, which need not belong to the mechanism."""

    def axes(self, body: str) -> list[list[Jet]]:
        """The body's own unit axes, in world components."""

    def switch(self, force: str, active: bool) -> Scalar:
        """1 while a force acts, 0 while it does not; `active` is whether it acts at the start."""

    def integral(self, name: str) -> Scalar:
        """The integral of a force since the start, or what it holds between samples; `name` is that of the quantity,
        NAME.integral or NAME.effort."""


def source(name: str) -> str:
    """The measure or point to which a quantity belongs.

    >>> source("crank.angle.rate"), source("rod.end.x")
    ('crank.angle', 'rod.end')
    """
    quantity = name.removesuffix(RATE)
    return quantity.rpartition(".")[0] if quantity.count(".") == 2 else quantity

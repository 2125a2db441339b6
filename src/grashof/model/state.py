"""The moving mechanism as forces and laws see it, and its quantities by name.

rod.end.x            a coordinate of a point, m
crank.angle, gap     a measure, rad or m
crank.angle.rate     the time derivative of either
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from grashof.model.joints import Joint
from grashof.model.measures import MeasureBase
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

RATE = ".rate"


class State(Protocol):
    """The moving mechanism as a force sees it. Jets carry a value and its rate."""

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""

    @property
    def time(self) -> Scalar:
        """t in s"""

    @property
    def tables(self) -> Mapping[str, Callable[[Scalar], Scalar]]:
        """What laws look things up in, by name."""

    @property
    def joints(self) -> Mapping[str, Joint]:
        """The joints of the mechanism by name."""

    def bearing(self, joint: str) -> Scalar:
        """The force that a joint transmits, N: see `JointBase.bearing`."""

    def point(self, reference: str) -> list[Jet]:
        """Position (m) and velocity (m/s) of a point."""

    def measure(self, name: str) -> Jet:
        """A measure or a coordinate `body.point.x`, and its rate; an angle with its whole turns. Or what a force integrates, without its rate."""

    def jet_of(self, measure: MeasureBase) -> Jet:
        """The same of any measure, which need not be one of the mechanism."""

    def axes(self, body: str) -> list[list[Jet]]:
        """The body's own unit axes, in world components."""

    def switch(self, force: str, active: bool) -> Scalar:
        """1 while a force acts, 0 while it does not; `active` tells which it is at the start."""

    def integral(self, name: str) -> Scalar:
        """What a force has integrated since the start, by the name of this quantity, NAME.integral."""


def source(name: str) -> str:
    """The measure or the point that a quantity is of.

    >>> source("crank.angle.rate"), source("rod.end.x")
    ('crank.angle', 'rod.end')
    """
    quantity = name.removesuffix(RATE)
    return quantity.rpartition(".")[0] if quantity.count(".") == 2 else quantity

"""What every kind of symbol defines."""

from __future__ import annotations

from collections.abc import Iterator

from grashof.scene.pens import PaperPen, SolidPen
from grashof.scene.types import AnyShape, Spot, Symbol, Vec3

Disc = tuple[Spot, Vec3, float]
"""A centre, an axis in the axes of its body, and a radius, m."""


class Kind(Symbol, frozen=True, kw_only=True):
    """A symbol that can draw itself. Its shapes are added when the size of the picture is known."""

    @property
    def pinned_places(self) -> tuple[Spot, ...]:
        """Places that it covers, where nothing else needs a mark."""
        return ()

    @property
    def links(self) -> tuple[tuple[Spot, Spot], ...]:
        """Pairs of places of which one supports the other."""
        return ()

    @property
    def shaped_bodies(self) -> tuple[int, ...]:
        """Bodies whose shape it is; they need no other if they have only one point."""
        return ()

    @property
    def reach(self) -> tuple[Disc, ...]:
        """Discs that it contains, beside named points."""
        return ()

    @property
    def wheels(self) -> tuple[Spot, ...]:
        """Centres of the wheels that cover a support behind them."""
        return ()

    @property
    def origins(self) -> tuple[Spot, ...]:
        """Places from which it is measured, where there need be no metal."""
        return ()

    def holds(self, body: int, middle: Vec3) -> Vec3 | None:
        """Where it is joined to the rest of a body whose other places have this middle; None if it is not a part of
        that body, or lies on a place of it."""
        return None

    @property
    def points_away(self) -> bool:
        """Whether it is an arrow, which needs room."""
        return False

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """Its lines and areas on paper."""
        raise NotImplementedError

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        """Its wires, plates and solids in space."""
        raise NotImplementedError


class Joining(Kind, frozen=True, kw_only=True):
    """A symbol that joins a place of one body to a place of another."""

    a: Spot
    b: Spot

    @property
    def pinned_places(self) -> tuple[Spot, ...]:
        return self.a, self.b

    @property
    def links(self) -> tuple[tuple[Spot, Spot], ...]:
        return ((self.a, self.b),)

"""What all measures share: a name, a unit, the bodies they depend on, and how their value follows from the
positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

import msgspec

from grashof.model.fields import Fields, Scalars
from grashof.model.motions import ElementaryMotion
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.model import Model

Term = tuple[Callable[[Scalar], Scalar], Scalar]
"""(f, P): a function f of a prescribed value, and what it multiplies."""


class MeasureBase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", omit_defaults=True):
    """A scalar function of the position of a mechanism, m = value(parts(q)).

    `parts` are linear or quadratic in points and arrows; `value` is any function of them. Evaluated with jets, it also
    gives the rate and the curvature, so that nothing else has to be defined for a measure.
    """

    unit: ClassVar[str] = "m"
    winds: ClassVar[bool] = False
    """Whether the position determines it only up to whole turns."""
    quadratic: ClassVar[bool] = True
    """Whether `miss` is linear or quadratic in points and arrows, so that an initial condition may require a value of
    it."""
    never_negative: ClassVar[bool] = False
    """Whether it is a length, which cannot be less than zero."""
    directions: ClassVar[tuple[str, ...]] = ()
    """Fields that are directions: vectors of any length in a file, unit vectors here."""

    name: str

    @property
    def smooth(self) -> bool:
        """Whether it changes as smoothly as the points and arrows on which it depends, so that it can be interpolated
        between two positions: unlike a distance, which turns suddenly where it is nearly zero."""
        return False

    @property
    def bodies(self) -> tuple[str, ...]:
        """The bodies on whose positions it depends."""
        raise NotImplementedError

    @property
    def motion(self) -> ElementaryMotion | None:
        """The motion of its second body relative to its first that it counts: a turn about an axis of the first, or a
        slide along one; None if it depends on the position in another way."""
        return None

    @property
    def ends(self) -> tuple[str, str] | None:
        """The points `body.point` from which and to which it measures a distance, or a coordinate (which has a
        `motion`); the first is empty for the origin of the ground."""
        return None

    @property
    def rope(self) -> list[tuple[str, float]]:
        """The points through which a rope of this length passes, with the radii of pulleys there; none if it is no
        rope."""
        return []

    def in_space(self) -> Self:
        """The measure of a planar mechanism that moves in the plane z = 0 of space."""
        return self

    def check(self, owner: str, model: Model) -> None:
        """Refuses errors in its fields; `owner` names the measure in the message."""

    def parts(self, fields: Fields) -> Scalars:
        """The functions of position from which `value` is computed."""
        raise NotImplementedError

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        """The measure, in its unit; an angle with the whole turns that bring it nearest to `near`, or else within
        ±π."""
        raise NotImplementedError

    def ahead(self, parts: Sequence[Scalar], of: Scalar) -> Scalar:
        """The measure minus a value; of an angle, within ±π."""
        return self.value(parts) - of

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        """The deviation from a value, in metres, as a smooth function that does not depend on whole turns.

        It is zero, but not stationary, where the measure has the value.

        length   ℓ, the characteristic length of the mechanism
        """
        raise NotImplementedError

    def miss_terms(self, parts: Sequence[Scalar], length: float) -> list[Term]:
        """`miss` as a sum Σ f(value) P, where P are linear or quadratic in points and arrows."""
        return [(lambda value: 1.0, self.value(parts)), (lambda value: value, -1.0)]

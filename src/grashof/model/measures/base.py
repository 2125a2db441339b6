"""What every measure has: a name, a unit, the bodies it depends on, and how its value follows from their position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from grashof.model.fields import Fields, Scalars
from grashof.scalar.functions import Scalar


class MeasureBase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", omit_defaults=True):
    """A number that belongs to each position of a mechanism, m = value(parts(q)).

    `parts` are linear or quadratic in points and arrows; `value` is any function of them. Over jets it gives the rate and the
    curvature, too: nothing else has to be known of a measure.
    """

    unit: ClassVar[str] = "m"
    winds: ClassVar[bool] = False
    """Whether its position gives it up to whole turns only."""
    quadratic: ClassVar[bool] = True
    """Whether `miss` is linear or quadratic in points and arrows, so that the start may need a value of it."""
    directions: ClassVar[tuple[str, ...]] = ()
    """Fields that are directions: of any length in a file, of length one here."""

    name: str

    @property
    def bodies(self) -> tuple[str, ...]:
        """The bodies whose position decides it."""
        raise NotImplementedError

    def check(self, owner: str, dimension: int) -> None:
        """Refuses, in the name of `owner`, what is wrong with its own fields."""

    def parts(self, fields: Fields) -> Scalars:
        """What it is a function of."""
        raise NotImplementedError

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        """The measure, in its unit; if it winds, with the whole turns that bring it nearest to `near`, or within ±π."""
        raise NotImplementedError

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        """By how much it misses a value, in metres, as a smooth function that needs no whole turns: zero, and not stationary, where it does not.

        length   ℓ, the mechanism's
        """
        raise NotImplementedError

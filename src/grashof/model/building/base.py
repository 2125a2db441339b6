"""What files of builder methods share."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism


class Methods:
    """Methods of the builder."""

    @property
    def _mechanism(self) -> Mechanism:
        """The builder that has these methods."""
        return cast("Mechanism", self)

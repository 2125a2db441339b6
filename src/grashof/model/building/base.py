"""What files of builder methods share."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from grashof.model.given import text

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism


class Methods:
    """Methods of the builder."""

    @property
    def _mechanism(self) -> Mechanism:
        """The builder that has these methods."""
        return cast("Mechanism", self)


def usual_name(name: str | None, *words: object) -> str:
    """The name that is given, or else these words."""
    return " ".join(map(str, words)) if name is None else text("A name", name)

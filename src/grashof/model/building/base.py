"""What the files of builder methods share."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from grashof.model.formula import Formula
from grashof.model.given import text
from grashof.model.laws import Law
from grashof.model.tables import Table

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism


GivenLaw = Law | Table | Formula
"""What a law may be given as: a number, an expression as text or made from parameters, or a table of time."""


class Methods:
    """Methods of the builder."""

    @property
    def _mechanism(self) -> Mechanism:
        """The builder that has these methods."""
        return cast("Mechanism", self)


def usual_name(name: str | None, *words: object) -> str:
    """The name that is given, or else these words."""
    return " ".join(map(str, words)) if name is None else text("A name", name)

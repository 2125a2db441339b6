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
"""The forms in which a law may be given: a number, an expression (a string or a formula), or a table over time."""


class Methods:
    """Methods of the builder."""

    @property
    def _mechanism(self) -> Mechanism:
        """The builder that has these methods."""
        return cast("Mechanism", self)


def usual_name(name: str | None, *words: object) -> str:
    """The given name or, if there is none, a name made of these words."""
    return " ".join(map(str, words)) if name is None else text("A name", name)

"""The formulations that the laboratory knows, one file each."""

from __future__ import annotations

from grashof.lab.formulations.baumgarte import Baumgarte
from grashof.lab.member import Member

KINDS: tuple[type[Member], ...] = (Baumgarte,)

FORMULATIONS: dict[str, type[Member]] = {kind.name: kind for kind in KINDS}
"""All of them by name."""

DEFAULT = tuple(FORMULATIONS)
"""Those that are compared if none are named."""

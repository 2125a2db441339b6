"""The formulations that the laboratory knows, one file each."""

from __future__ import annotations

from grashof.lab.formulations.ali3p import Ali3p
from grashof.lab.formulations.augmented_lagrangian import AugmentedLagrangian
from grashof.lab.formulations.baumgarte import Baumgarte
from grashof.lab.formulations.coordinate_partitioning import CoordinatePartitioning
from grashof.lab.formulations.energy_momentum import EnergyMomentum
from grashof.lab.formulations.generalized_alpha import GeneralizedAlpha
from grashof.lab.formulations.ggl import Ggl
from grashof.lab.formulations.hht import Hht
from grashof.lab.formulations.maximal import Maximal
from grashof.lab.formulations.natural import Natural
from grashof.lab.formulations.null_space import NullSpace
from grashof.lab.formulations.penalty import Penalty
from grashof.lab.formulations.relative import Relative
from grashof.lab.member import Member

KINDS: tuple[type[Member], ...] = (
    *(Baumgarte, Penalty, AugmentedLagrangian, Ali3p, GeneralizedAlpha, Hht, Ggl, EnergyMomentum),
    *(CoordinatePartitioning, NullSpace, Natural, Relative, Maximal),
)

FORMULATIONS: dict[str, type[Member]] = {kind.name: kind for kind in KINDS}
"""All of them by name."""

DEFAULT = tuple(name for name in FORMULATIONS if name != Maximal.name)
"""Those that are compared if none are named: they need no further package."""

"""From a description to equations and a consistent start: the one way for everything that needs a mechanism
assembled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grashof.assembly.assemble import Assembly, assemble
from grashof.assembly.fitting import Fit, contradictions_told, with_fitting_geometry
from grashof.assembly.initial_offsets import enter_initial_offsets
from grashof.assembly.positions import Position, closed_position
from grashof.formulation.natural.equations import Dynamics, make_dynamics
from grashof.formulation.natural.system import System, compile_system
from grashof.geometry.shape import GeometryChange
from grashof.model.masses import is_massless, with_unit_masses
from grashof.model.model import Model


@dataclass(frozen=True, eq=False)
class AssembledModel:
    """A mechanism as its joints describe it; its equations and its start are found when they are first needed.

    system    the mechanism in natural coordinates, with the values entered that couplings keep from the start
    changes   what was moved so that redundant joints fit together, largest first
    """

    system: System
    changes: tuple[GeometryChange, ...] = ()

    @property
    def model(self) -> Model:
        """The description, with these values and changes."""
        return self.system.model

    @cached_property
    def dynamics(self) -> Dynamics:
        """The equations of the joints."""
        return make_dynamics(self.system)

    @cached_property
    def position(self) -> Position:
        """The closed position at the start, whatever its velocities are."""
        with contradictions_told(self.model):
            return closed_position(self.dynamics)

    @cached_property
    def assembly(self) -> Assembly:
        """The consistent start; ModelError if there is none."""
        with contradictions_told(self.model):
            return assemble(self.dynamics, self.changes)


def assemble_model(given: Model | Fit, *, massless: bool = False) -> AssembledModel:
    """Enters the initial values of couplings, and writes the equations.

    given      the description, or the nearest mechanism that fits together (see `with_fitting_geometry`)
    massless   whether masses may be left out; the bodies of a mechanism without any then have unit masses
    """
    nearest = given if isinstance(given, Fit) else Fit(given, (), 0.0)
    model = with_unit_masses(nearest.model) if massless and is_massless(nearest.model) else nearest.model
    with contradictions_told(model):
        return AssembledModel(enter_initial_offsets(compile_system(model)), nearest.changes)


def assemble_with_start(model: Model) -> AssembledModel:
    """A mechanism, or the nearest one that fits together, whose start has been found."""

    def make(nearest: Fit) -> AssembledModel:
        found = assemble_model(nearest)
        _ = found.assembly
        return found

    return with_fitting_geometry(model, None, make)

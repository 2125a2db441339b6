"""How long a step of a method takes, predicted from numbers alone, so that runs decide the same on every machine.

The unit is the time of an operation of the mechanism's functions. What is counted: evaluations of the accelerations
and the projection, by their operations; the Jacobian; factors and solutions of linear equations; the vectors of the
step.
The constants are measured (docs/measurements.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grashof.formulation.layout import Sizes
from grashof.integrate.values import LANES

COLUMNS = 2.5
"""A group of columns of the Jacobian, in evaluations of the accelerations."""
FACTORED, SOLVED, ENTRY = 450.0, 150.0, 1.5
"""A row of a matrix that is factored, and of equations that are solved, which wait for the row before; an entry of
either."""
MOVED = 4.5
"""A component of the state in a stage."""


@dataclass(frozen=True)
class Dimensions:
    """The numbers on which the time of a step depends.

    derivative, project   operations of these functions
    """

    sizes: Sizes
    derivative: int = 100
    project: int = 100

    def step(
        self, evaluations: float, jacobians: float = 0.0, systems: Sequence[int] = (), solutions: float = 0.0
    ) -> float:
        """A step with so many evaluations and Jacobians.

        systems    the sizes of matrices that are factored once, in units of the number of velocities: 2 if complex
        solutions  how often the linear equations of all of them are solved
        """
        sizes = self.sizes
        groups = -(-(1 + sizes.size - sizes.works) // LANES)
        found = (evaluations + jacobians * groups * COLUMNS) * self.derivative + self.project
        for n in (part * (sizes.rates - sizes.works) for part in systems):
            found += n * (FACTORED + ENTRY * n * n) + solutions * n * (SOLVED + 2.0 * ENTRY * n)
        return found + MOVED * (evaluations + solutions) * sizes.size

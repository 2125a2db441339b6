"""An integration method: the coefficients of an explicit Runge–Kutta method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

Row = Mapping[int, float]
"""The nonzero coefficients of a row, {stage: coefficient}."""


@dataclass(frozen=True, eq=False)
class Method:
    """One step from y₀ at t₀ with step size h, for y′ = f(t, y):

        Y_s = y₀ + h Σ_j A_sj k_j      k_s = f(t₀ + C_s h, Y_s)      s = 0 … S − 1
        y₁  = Y_S                      e_i = Σ_j E_ij k_j

    The last row of A holds the weights b: the end of the step is one more stage. Its slope k_S is that of the state after
    projection, and the first of the next step; rows of E that use it (`closes`) are computed after the projection.

    order    p: the error of a step is O(h^(p+1)); its estimate is O(h^p)
    share    permitted error of one step as a fraction of the tolerance for the whole run, measured so that runs end about within their tolerance
    errors   the rows of E. None: the step is fixed. One: err = h·‖e₀‖. Two: err = h·‖e₀‖²/√(‖e₀‖² + 0.01·‖e₁‖²)

    Mechanisms have y = [q, v], q′ = v, so that velocities need not be stored for each stage:

        q_s = q₀ + h C_s v₀ + h² Σ_j (A·A)_sj a_j        v_s = v₀ + h Σ_j A_sj a_j
    """

    name: str
    title: str
    order: int
    share: float
    c: tuple[float, ...]
    a: tuple[Row, ...]
    errors: tuple[Row, ...] = ()

    @property
    def stages(self) -> int:
        """S: evaluations per accepted step."""
        return len(self.a) - 1

    @property
    def adaptive(self) -> bool:
        """Whether the step follows the estimated error."""
        return bool(self.errors)

    @property
    def closes(self) -> bool:
        """Whether the error estimate uses the slope at the end of the step."""
        return any(self.stages in row for row in self.errors)

    @cached_property
    def twice(self) -> tuple[Row, ...]:
        """The rows of A·A."""
        return self._times_a(self.a)

    @cached_property
    def errors_twice(self) -> tuple[Row, ...]:
        """The rows of E·A: as Σ_j E_ij = 0, the estimate for q is h Σ_j (E·A)_ij a_j."""
        return self._times_a(self.errors)

    def _times_a(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        products = []
        for row in rows:
            total: dict[int, float] = {}
            for stage, x in row.items():
                for j, y in self.a[stage].items():
                    total[j] = total.get(j, 0.0) + x * y
            products.append(dict(sorted(total.items())))
        return tuple(products)

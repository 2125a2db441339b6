"""The method of Hilber, Hughes and Taylor on the index-3 equations."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.lab.card import Card
from grashof.lab.formulations.generalized_alpha import AlphaMethod


@dataclass(frozen=True)
class Hht(AlphaMethod):
    """HHT-α on the index-3 equations.

    alpha   −α of the paper, 0 to 1/3: 0 is the trapezoidal rule, which is unstable on the index-3 equations
    """

    name = "hht"
    card = Card(
        title="HHT-α, index 3 (Hilber, Hughes and Taylor)",
        equations="as generalised-α with α_m = 0, α_f = α, γ = ½ + α, β = ¼ (1 + α)²",
        order=2,
        holds=("positions",),
        reference="H. M. Hilber, T. J. R. Hughes and R. L. Taylor, Earthquake Engineering and Structural Dynamics 5 "
        "(1977) 283–292; with constraints: D. Negrut, R. Rampalli, G. Ottarsson and A. Sajdak, Journal of "
        "Computational and Nonlinear Dynamics 2 (2007) 73–85",
    )
    alpha: float = 0.1

    @property
    def weights(self) -> tuple[float, float, float, float]:
        return 0.0, self.alpha, 0.5 + self.alpha, 0.25 * (1.0 + self.alpha) ** 2

"""Natural coordinates, as `gr.simulate` uses them."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.lab.card import Card
from grashof.lab.simulated import Simulated


@dataclass(frozen=True)
class Natural(Simulated):
    """The package's own: index-1 equations with projection, adaptive steps, and equations of the branch where several
    meet."""

    name = "natural"
    card = Card(
        title="Grashof in natural coordinates",
        equations="M a + Jᵀ λ = Q, J a = γ;  after each step the nearest q with Φ = 0 and v with J v + Φ_t = 0",
        order=None,
        holds=("positions", "velocities"),
        reference="J. García de Jalón and E. Bayo, Kinematic and Dynamic Simulation of Multibody Systems, 1994; "
        "docs/theory/natural-coordinates.md",
    )
    coordinates = "natural"

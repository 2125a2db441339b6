"""Relative coordinates, as `gr.simulate` uses them."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.lab.card import Card
from grashof.lab.simulated import Simulated


@dataclass(frozen=True)
class Relative(Simulated):
    """The package's own recursive formulation: motions of the joints of a spanning tree, with constraints where loops
    are closed."""

    name = "relative"
    card = Card(
        title="Grashof in relative coordinates",
        equations="H(q) a + Jᵀ λ = τ, J a = γ with the motions of joints as q, by the articulated-body algorithm; "
        "projected after each step",
        order=None,
        holds=("positions", "velocities"),
        reference="R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7; "
        "docs/theory/relative-coordinates.md",
    )
    coordinates = "relative"

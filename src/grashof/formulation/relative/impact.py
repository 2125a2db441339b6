"""Impacts of a tree, and limits against which its measures rest (see `natural.impact` and `natural.resting`).

The velocities are those of the tree: ∇g is a gradient with respect to these, and v⁺ = v⁻ + p x. The multipliers Λ are
those of the rows of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence

from grashof.formulation.natural.forms import Gradient
from grashof.formulation.natural.impact import free_yield
from grashof.formulation.natural.resting import with_margin
from grashof.formulation.natural.state import SystemState, sum_of_gradients
from grashof.formulation.relative.equations import Relative
from grashof.scalar.functions import Scalar


def answer(relative: Relative, x: Sequence[Scalar], pulls: Sequence[tuple[str, Scalar]]) -> list[Scalar]:
    """∇g, x, the response of the free masses, and Λ, for the sum of measures with weights, given [t, y]."""
    state, q = relative.state(x), relative.layout.split(x)[1]
    efforts = relative.efforts_of(state, _gradient(state, pulls))
    tree = relative.constrained(relative.place(state))
    found, multipliers = tree.solve(
        lambda given: tree.articulated.responses(efforts, given), [0.0] * relative.tree_rows.count
    )
    along = [efforts.get(k, [0.0] * len(own)) for k, own in enumerate(state.rates)]
    still = [[0.0] * len(own) for own in state.rates]
    plain = SystemState(relative.natural.system, state.time, state.q, state.v)
    free = free_yield(relative.natural, _gradient(plain, pulls))
    return [
        *relative.coordinates.loads(q, along),
        *relative.coordinates.accelerations(q, still, found),
        free,
        *multipliers,
    ]


def pressing(relative: Relative, x: Sequence[Scalar]) -> list[Scalar]:
    """For each bounce, the force against its limit, N along its row, then this force with a margin for round-off (see
    `natural.resting.pressing`)."""
    state, natural = relative.state(x), relative.natural
    _, multipliers = relative.accelerations(state)
    seen = natural.state([state.time, *state.q, *state.v, *relative.layout.split(x)[3]])
    return with_margin(
        natural,
        seen,
        natural.forces(seen),
        multipliers,
        len(relative.tree_rows.couplings) + len(relative.tree_rows.slips),
    )


def gaps(relative: Relative, x: Sequence[float]) -> list[float]:
    """How far the measures are from their limits, m."""
    place = relative.place(relative.state(x))
    return [float(row.at(place.time, place.z, ())) for row in relative.tree_rows.limits]


def driving_slips(relative: Relative, x: Sequence[float]) -> list[tuple[str, int, float]]:
    """The couplings that depend on time: name, number of the row, and Φ_t, m/s."""
    slips = relative.tree_rows.slip(relative.place(relative.state(x)))
    return [(row.owner, k, float(slips[k])) for k, row in enumerate(relative.tree_rows.couplings) if row.timed]


def _gradient(state: SystemState, pulls: Sequence[tuple[str, Scalar]]) -> Gradient:
    return sum_of_gradients([state.gradient(name, [weight]) for name, weight in pulls])

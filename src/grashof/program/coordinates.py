"""The choice of coordinates in which a motion is computed."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.common.errors import ModelError, did_you_mean
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.relative.equations import Relative
from grashof.formulation.relative.tree import make_tree
from grashof.tape import trace

FORMULATIONS = ("auto", "natural", "relative")
"""What can be asked for."""

SPATIAL, TURN = 650, 150
"""The most operations that a node of a tree takes; and those of a turn's sine and cosine (docs/measurements.md)."""

FASTER = 1.5
"""Relative coordinates are taken where natural ones take more than this many times as many operations."""

NOT_FEWER = "Natural coordinates: relative ones would not take much fewer operations."
"""The reason where natural coordinates are about as fast."""


@dataclass(frozen=True)
class CoordinateChoice:
    """Relative coordinates, or None for natural ones, and the reason as a sentence."""

    relative: Relative | None
    reason: str


def choose_coordinates(dynamics: Dynamics, asked: str, *, opened: bool = False) -> CoordinateChoice:
    """Chooses the coordinates for a mechanism. ModelError if those that are asked for cannot be used.

    opened   whether some of its numbers are left open
    """
    if asked not in FORMULATIONS:
        raise ModelError(f"There is no formulation '{asked}'; {did_you_mean(asked, FORMULATIONS)}")
    if asked == "natural":
        return CoordinateChoice(None, "Natural coordinates, as requested.")
    relative = Relative(dynamics, make_tree(dynamics.model))
    natural = dynamics.kkt.operations
    if asked == "auto" and natural < FASTER * _turning_operations(relative):
        return CoordinateChoice(None, NOT_FEWER)
    obstacle = _find_obstacle(relative, opened)
    if obstacle:
        if asked == "relative":
            raise ModelError(
                f"Mechanism '{dynamics.model.name}' cannot be computed in relative coordinates: {obstacle}. Use "
                "natural coordinates (formulation='natural' or 'auto')."
            )
        return CoordinateChoice(None, f"Natural coordinates: {obstacle}.")
    sizes = f"{relative.coordinates.count} instead of {dynamics.n} with {dynamics.rows.count} equations"
    if asked == "relative":
        return CoordinateChoice(relative, f"Relative coordinates, as requested: {sizes}.")
    if natural > FASTER * _count_operations(relative, natural / FASTER):
        return CoordinateChoice(relative, f"Relative coordinates: {sizes}, which take fewer operations.")
    return CoordinateChoice(None, NOT_FEWER)


def _turning_operations(relative: Relative) -> int:
    """What the sines and cosines of a tree take, in operations."""
    return TURN * sum(node.kind == "turn" for node in relative.tree.nodes)


def _count_operations(relative: Relative, enough: float) -> int:
    """How many operations the accelerations of a tree take; an estimate, if it decides whether that is enough."""
    turns = _turning_operations(relative)
    most = SPATIAL * len(relative.tree.nodes) + turns
    if most < enough and not relative.tree_rows.count:
        return most
    return turns + len(trace(lambda x, _: relative.derivative(x), 1 + relative.layout.size, 0))


def _find_obstacle(relative: Relative, opened: bool) -> str:
    """Why a mechanism cannot be computed in relative coordinates; empty if it can."""
    model, tree = relative.model, relative.tree
    if model.bearings:
        return "friction depends on joint reactions"
    closing = [name for name in tree.closing if model.joints_by_name[name].independent_equations(model.dimension)]
    if closing:
        return f"joint '{closing[0]}' closes a loop, or is not a chain of turns and slides"
    if not tree.nodes:
        return "nothing can move"
    if opened and relative.tree_rows.count:
        return "it has couplings, motors or rigid stops, and numbers are left open"
    if not relative.has_regular_rows:
        return "the equations of its couplings and motors may become linearly dependent"
    if relative.rotors is None:
        return "an inerter resists more than the motion of a single joint"
    loose = relative.find_loose_node()
    if loose is not None:
        joint = tree.nodes[loose].joint
        return f"no mass resists the motion of {f'joint {joint!r}' if joint else 'a free body'}"
    return ""

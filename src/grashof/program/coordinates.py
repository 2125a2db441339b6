"""The choice of coordinates in which a motion is computed."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.assembly.assemble import Assembly
from grashof.common.errors import ModelError, did_you_mean
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.relative.closures import find_closures, is_complete
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
        return _refuse(relative, asked, obstacle)
    sizes = f"{relative.coordinates.count} instead of {dynamics.n} with {dynamics.rows.count} equations"
    if asked == "relative":
        return CoordinateChoice(relative, f"Relative coordinates, as requested: {sizes}.")
    if natural > FASTER * _count_operations(relative, natural / FASTER):
        return CoordinateChoice(relative, f"Relative coordinates: {sizes}, which take fewer operations.")
    return CoordinateChoice(None, NOT_FEWER)


def compare_again(chosen: CoordinateChoice, dynamics: Dynamics) -> CoordinateChoice:
    """The choice of relative coordinates, or natural ones if these are about as fast with the equations of their
    branch."""
    relative, natural = chosen.relative, dynamics.kkt.operations
    if relative is None or natural > FASTER * _count_operations(relative, natural / FASTER):
        return chosen
    return CoordinateChoice(None, NOT_FEWER)


def complete_choice(chosen: CoordinateChoice, dynamics: Dynamics, start: Assembly, asked: str) -> CoordinateChoice:
    """The choice of relative coordinates, for which it is now decided how rows are solved; natural ones where these
    could not be solved accurately.

    dynamics   in natural coordinates, without equations of the branch
    start      the start of the motion
    """
    relative = chosen.relative
    if relative is None:
        return chosen
    begin = [start.time, *dynamics.start_state(start.q, start.v, start.angles).tolist()]
    found = relative.with_rows_of(dynamics, begin)
    if found.solving is not None and start.singular:
        return _refuse(relative, asked, "its loops are in a singular position at the start")
    if found.solving is not None and not found.is_solvable([start.time, *found.own_state(begin)]):
        return _refuse(relative, asked, "its loops are too near to a singular position, or its masses too unequal")
    return CoordinateChoice(found, chosen.reason)


def _refuse(relative: Relative, asked: str, obstacle: str) -> CoordinateChoice:
    """Natural coordinates, because of an obstacle; ModelError if relative ones are asked for."""
    if asked == "relative":
        raise ModelError(
            f"Mechanism '{relative.model.name}' cannot be computed in relative coordinates: {obstacle}. Use "
            "natural coordinates (formulation='natural' or 'auto')."
        )
    return CoordinateChoice(None, f"Natural coordinates: {obstacle}.")


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
    if model.rubs:
        return "rigid contacts have friction"
    closing = [x.joint for x in find_closures(model, tree, relative.length) if not is_complete(x, model)]
    if closing:
        return f"joint '{closing[0]}' is neither a chain of turns and slides nor a rod"
    if not tree.nodes:
        return "nothing can move"
    rows = relative.tree_rows
    if opened and (rows.closures or rows.limits or not relative.has_removable_rows):
        return "it has loops, rigid stops or couplings that may be linearly dependent, and numbers are left open"
    if opened and not all(prop.tied or sum(x != 0.0 for x in prop.row) == 1 for prop in relative.props):
        return "no mass resists the rotation of a body about an axis that is none of its own, and numbers are left open"
    if relative.rotors is None:
        return "an inerter resists more than the motion of a single joint"
    if relative.tied_props and not rows.count:
        return _loose(relative)
    return ""


def _loose(relative: Relative) -> str:
    """What no mass resists."""
    joint = relative.tree.nodes[relative.tied_props[0].node].joint
    return f"no mass resists the motion of {f'joint {joint!r}' if joint else 'a free body'}"

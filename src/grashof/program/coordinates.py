"""The choice of coordinates in which a motion is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.common.errors import ModelError, did_you_mean
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.protocol import Formulation
from grashof.formulation.relative.closures import common_node, find_closures, is_complete
from grashof.formulation.relative.equations import Relative, make_relative
from grashof.tape import Tape, trace
from grashof.tape.tape import FUNCTION

FORMULATIONS = ("auto", "natural", "relative")
"""What can be asked for."""

SPATIAL = 650
"""The most operations that a node of a tree takes, without sines and cosines (docs/measurements.md)."""

FASTER = 1.5
"""Relative coordinates are taken where natural ones take more than this many times as many operations."""

LOOPED = 2.0
"""The same for mechanisms with closed loops, whose runs near singular positions are repeated in natural coordinates."""

SPINNING = 0.5
"""The same where a part spins without an effect of its angle on any acceleration: natural coordinates change with it,
and steps must be short, while its angle changes steadily."""

UNCHANGED = 1e-9
"""Accelerations that change by a smaller fraction of the largest one are the same; smaller rates are zero."""

EXAMPLES = 64
"""Number of random states at which this is examined: parts that touch in some positions do so at some of them."""

NOT_FEWER = "Natural coordinates: relative ones would not take much fewer operations."
"""The reason where natural coordinates are about as fast."""


LOOPS = "Natural coordinates: equations of the branch carry planar loops through singular positions."
"""The reason where relative coordinates could only be left at each of these positions."""


@dataclass(frozen=True)
class CoordinateChoice:
    """Relative coordinates, or None for natural ones, and the reason as a sentence."""

    relative: Relative | None
    reason: str


def choose_coordinates(
    joints: Dynamics,
    asked: str,
    running: Callable[[], Dynamics],
    start: Callable[[], Assembly],
    *,
    opened: bool = False,
) -> CoordinateChoice:
    """Chooses the coordinates for a mechanism. ModelError if those that are asked for cannot be used.

    joints    the mechanism in natural coordinates
    running   gives the same with the equations of its branch, by which its motion would be computed
    start     gives its start, in the coordinates of `joints`
    opened    whether some of its numbers are left open
    """
    if asked not in FORMULATIONS:
        raise ModelError(f"There is no formulation '{asked}'; {did_you_mean(asked, FORMULATIONS)}")
    if asked == "natural":
        return CoordinateChoice(None, "Natural coordinates, as requested.")
    relative = make_relative(joints)
    planar = joints.model.dimension == 2
    if asked == "auto" and planar and relative.tree.closing:
        return CoordinateChoice(None, LOOPS)
    work = _Work(relative, running() if asked == "auto" and relative.tree.closing else joints)
    if asked == "auto" and not work.may_be_less():
        return CoordinateChoice(None, NOT_FEWER)
    obstacle = _find_obstacle(relative, opened)
    if obstacle:
        return _refuse(relative, asked, obstacle)
    sizes = f"{relative.coordinates.count} instead of {joints.n} with {joints.rows.count} equations"
    if asked == "relative":
        return CoordinateChoice(relative, f"Relative coordinates, as requested: {sizes}.")
    if work.is_less(LOOPED if relative.tree.closing else FASTER):
        return CoordinateChoice(relative, f"Relative coordinates: {sizes}, which take fewer operations.")
    if not planar and work.is_less(SPINNING) and work.has_spinning_part(start()):
        return CoordinateChoice(relative, f"Relative coordinates: {sizes}, which allow longer steps where parts spin.")
    return CoordinateChoice(None, NOT_FEWER)


@dataclass(frozen=True)
class _Work:
    """The operations of one evaluation of the accelerations, counted as far as they decide the choice.

    running   in natural coordinates
    """

    relative: Relative
    running: Dynamics

    def may_be_less(self) -> bool:
        """Whether relative coordinates may take less work: those that turn in closed loops need their sines and
        cosines, and others, which may spin, are not the only ones."""
        nodes, looped = self.relative.tree.nodes, self._looped
        least = 2 * FUNCTION * sum(nodes[k].kind == "turn" for k in looped)
        return not least or self._natural > (SPINNING if self._single_turns else FASTER) * least

    def is_less(self, times: float) -> bool:
        """Whether natural coordinates take more than this many times as many operations."""
        nodes, solving = self.relative.tree.nodes, self.running.kkt.operations
        most = SPATIAL * len(nodes) + 2 * FUNCTION * sum(node.kind == "turn" for node in nodes)
        if not self.relative.tree_rows.count and solving > times * most:
            return True
        own = self._tape.operations
        return solving > times * own or self._natural > times * own

    def has_spinning_part(self, start: Assembly) -> bool:
        """Whether a part turns, or begins to, whose angle has no effect on the accelerations."""
        relative, rng = self.relative, np.random.default_rng(1)
        states = rng.normal(size=(1 + relative.layout.size, EXAMPLES))
        states[1 : 1 + relative.n] *= relative.length
        before = self._accelerations(states)

        def has_no_effect(place: int) -> bool:
            turned = states.copy()
            turned[1 + place] += np.linspace(0.0, 2.0 * np.pi * relative.length, EXAMPLES)
            change = np.max(np.abs(self._accelerations(turned) - before), axis=0)
            return bool(np.all(change <= UNCHANGED * np.max(np.abs(before), axis=0)))

        free = [place for k in self._single_turns if has_no_effect(place := relative.coordinates.places[k].start)]
        if not free:
            return False
        y = relative.natural.start_state(start.q, start.v, start.angles)
        begin = np.array([start.time, *relative.own_state([start.time, *y.tolist()])], float)
        return any(
            np.max(np.abs(x[free])) > UNCHANGED * np.max(np.abs(x))
            for x in (begin[1:][relative.layout.of_v], self._accelerations(begin[:, None])[:, 0])
        )

    def _accelerations(self, x: np.ndarray) -> np.ndarray:
        """v̇ at states x = [t, y], (1 + size, k): (nv, k)."""
        with np.errstate(all="ignore"):
            found = self._tape.evaluate(list(x))[: self.relative.layout.nv]
        return np.array([np.broadcast_to(row, x.shape[1]) for row in found])

    @cached_property
    def _natural(self) -> int:
        return _trace_derivative(self.running).operations

    @cached_property
    def _tape(self) -> Tape:
        return _trace_derivative(self.relative)

    @cached_property
    def _looped(self) -> set[int]:
        """The nodes between the bodies of joints that close loops."""
        tree, found = self.relative.tree, set[int]()
        for name in tree.closing:
            ends = [tree.bodies[body].node for body in self.relative.model.joints_by_name[name].bodies]
            base = common_node(tree.nodes, *ends)
            for node in ends:
                while node != base:
                    found.add(node)
                    node = tree.nodes[node].parent
        return found

    @property
    def _single_turns(self) -> list[int]:
        """The nodes that turn without being part of a closed loop."""
        return [k for k, x in enumerate(self.relative.tree.nodes) if x.kind == "turn" and k not in self._looped]


def _trace_derivative(formulation: Formulation) -> Tape:
    return trace(lambda x, _: formulation.derivative(x), 1 + formulation.layout.size, 0)


def complete_choice(
    chosen: CoordinateChoice, dynamics: Dynamics, start: Assembly, asked: str, *, opened: bool = False
) -> CoordinateChoice:
    """The choice of relative coordinates, for which it is now decided how rows are solved; natural ones where these
    could not be solved accurately.

    dynamics   in natural coordinates, without equations of the branch
    start      the start of the motion
    opened     whether some of its numbers are left open: rows count as independent if they are so for all values
    """
    relative = chosen.relative
    if relative is None:
        return chosen
    begin = [start.time, *dynamics.start_state(start.q, start.v, start.angles).tolist()]
    found = relative.with_rows_of(dynamics, begin, opened=opened)
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


def _find_obstacle(relative: Relative, opened: bool) -> str:
    """Why a mechanism cannot be computed in relative coordinates; empty if it can."""
    model, tree = relative.model, relative.tree
    if model.rubs:
        return "rigid contacts have friction"
    for grip in model.grips:
        if grip.joint in tree.closing:
            return f"joint '{grip.joint}', which closes a loop, has exact friction"
    closing = [x.joint for x in find_closures(model, tree, relative.length) if not is_complete(x, model)]
    if closing:
        return f"joint '{closing[0]}' is neither a chain of turns and slides nor a rod"
    if not tree.nodes:
        return "nothing can move"
    if opened and not all(prop.tied or sum(x != 0.0 for x in prop.row) == 1 for prop in relative.props):
        return "no mass resists the rotation of a body about an axis that is none of its own, and numbers are left open"
    if relative.rotors is None:
        return "an inerter resists more than the motion of a single joint"
    for prop in relative.loose_props:
        joint = tree.nodes[prop.node].joint
        return f"no mass resists the motion of {f'joint {joint!r}' if joint else 'a free body'}"
    return ""

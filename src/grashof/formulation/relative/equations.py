"""The equations of motion of a tree in relative coordinates.

Forces, measures and everything above them see the mechanism in natural coordinates, which follow from the tree (see
`view`); only what they ask for becomes part of the machine code. The accelerations are those of the articulated-body
algorithm. There are no constraints: a position of the tree satisfies all joints.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.formulation.layout import Layout
from grashof.formulation.natural.equations import Dynamics, applied_loads
from grashof.formulation.natural.slips import SlipRows
from grashof.formulation.natural.state import SystemState, measure_parts
from grashof.formulation.relative.articulated import Articulated, Placement, Wrench, along, place_node
from grashof.formulation.relative.coordinates import TreeCoordinates
from grashof.formulation.relative.kinematics import Kinematics
from grashof.formulation.relative.state import LinearMeasure, RelativeState
from grashof.formulation.relative.tree import Tree
from grashof.formulation.relative.vectors import add, apply_transposed, in_space, vector_product
from grashof.formulation.relative.view import NaturalView, find_sources
from grashof.model.measures import MeasureBase
from grashof.model.model import Model
from grashof.scalar.functions import Scalar, atan2, cos, sin

SAME = 1e-12
"""A measure is a sum of coordinates of the tree if its weights at some positions differ by no more than this."""

EXAMPLES = 8
"""Number of these positions: a direction that can swing past the axis of its angle is on either side of it at half of
them."""

LOOSE = 1e-11
"""No mass resists a motion whose inertia is less than this fraction of that of its node about or along all axes: the
rest is round-off."""


class NoRows:
    """The constraints of a tree: none."""

    count = 0
    pattern: tuple[tuple[int, ...], ...] = ()
    closed = False

    def violation(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """Φ, m."""
        return []

    def jacobian(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """The entries of J."""
        return []

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """Φ_t, m/s."""
        return []

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """γ, m/s²."""
        return []

    def turns(self, e: Sequence[Scalar]) -> Sequence[Scalar]:
        """The extra states on which rows depend."""
        return []


@dataclass(frozen=True, eq=False)
class Relative:
    """A tree prepared for evaluation.

    natural   the same mechanism in natural coordinates
    """

    natural: Dynamics
    tree: Tree

    @property
    def model(self) -> Model:
        """The description of the mechanism."""
        return self.natural.model

    @property
    def length(self) -> float:
        """The mechanism's length, m."""
        return self.natural.length

    @cached_property
    def coordinates(self) -> TreeCoordinates:
        """Which coordinates belong to which node."""
        return TreeCoordinates(self.tree, self.length)

    @cached_property
    def layout(self) -> Layout:
        """The layout of the state of a run; its extra states are those in natural coordinates."""
        known, count = self.natural.layout, self.coordinates.count
        return Layout(count, count, known.angles, known.works, known.switches, known.integrals, known.resting)

    @cached_property
    def view(self) -> NaturalView:
        """The natural coordinates, seen from the tree."""
        return NaturalView(find_sources(self.natural.system, self.tree))

    @property
    def rows(self) -> NoRows:
        """The constraints."""
        return NoRows()

    @property
    def slips(self) -> SlipRows:
        """The rows that hold for velocities only."""
        return self.natural.slips

    def freedom(self, implied: int) -> int:
        """Degrees of freedom."""
        return self.coordinates.freedom

    def gradients(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The entries of J: none."""
        return []

    def state(self, x: Sequence[Scalar]) -> RelativeState:
        """The state as forces see it, given x = [t, q, v, e]."""
        return self._moving(x)[0]

    def derivative(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The accelerations, then the rates of the extra states, given x = [t, q, v, e]."""
        _, q, _, e = self.layout.split(x)
        state, motion = self._moving(x)
        wrenches, efforts = self._forces(state, motion)
        articulated = Articulated(self.tree, motion.placements)
        gravity = in_space(self.model.gravity or (0.0, 0.0, 0.0))
        found = articulated.accelerations(motion.rates, gravity, wrenches, efforts)
        return self.coordinates.accelerations(q, motion.rates, found) + self.natural.extra_rates(state, [], e)

    def project(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The state x = [t, q, v, e] with unit quaternions and with tracked angles that agree with the positions, then
        the remaining squared violation: zero."""
        t, q, v, e = self.layout.split(x)
        q, v = self.coordinates.normalise(q, v)
        e = list(e)
        state = self.state([t, *q, *v, *e])
        for k, name in enumerate(self.layout.angles):
            angle = self.model.quantities[name]
            if not angle.winds:
                continue
            found = self.linear(angle)
            if found is None:
                ahead = angle.ahead([part.at(state.q) for part in measure_parts(self.natural.system, angle)], e[k])
            else:
                rest = found.value(state.motions) - e[k]
                ahead = atan2(sin(rest), cos(rest))
            e[k] = e[k] + ahead
        return [*q, *v, *e, 0.0]

    def naturally(self, x: Sequence[Scalar], a: Sequence[Scalar]) -> list[Scalar]:
        """Natural coordinates, velocities and accelerations, given x = [t, q, v, e] and v̇."""
        _, q, v, _ = self.layout.split(x)
        motion = self._motion(q, v, self.coordinates.node_accelerations(q, v, a))
        return [number for part in self.view.coordinates(motion) for number in part]

    def natural_rates(self, x: Sequence[Scalar], rates: Sequence[Scalar]) -> list[Scalar]:
        """The rates in natural coordinates, given those of a state x = [t, y]."""
        own = self.layout.of_a
        return self.naturally(x, rates[own])[2 * self.natural.n :] + list(rates[own.stop :])

    def start_state(self, q: np.ndarray, v: np.ndarray, angles: Mapping[str, float]) -> np.ndarray:
        """The state at the start of a motion, given coordinates, velocities and tracked angles."""
        there = self.natural.start_state(np.zeros(self.natural.n), np.zeros(self.natural.n), angles)
        return np.concatenate([q, v, there[self.natural.layout.of_e]])

    def find_loose_node(self) -> int | None:
        """A node whose motion no mass resists, such as the rotation of a slender bar about its own axis."""
        for _, motion, _ in self._examples[:2]:
            try:
                resistances = Articulated(self.tree, motion.placements).resistances
            except ZeroDivisionError:
                resistances = [0.0] * len(self.tree.nodes)
            for k, share in enumerate(resistances):
                if not share > LOOSE:
                    return k
        return None

    def linear(self, measure: MeasureBase) -> LinearMeasure | None:
        """A measure as a sum of coordinates of the tree, if it is one at every position; found by comparing some
        positions. A distance between points is none, even along a slide, where it is the absolute value of one; nor is
        the angle of a direction that can swing past its axis, where it jumps by half a turn."""
        if measure.motion is None:
            return None
        if measure not in self._known_linear:
            self._known_linear[measure] = self._find_linear(measure)
        return self._known_linear[measure]

    @cached_property
    def _known_linear(self) -> dict[MeasureBase, LinearMeasure | None]:
        return {}

    def _find_linear(self, measure: MeasureBase) -> LinearMeasure | None:
        found = []
        for motions, motion, state in self._examples:
            gradient = state.gradient(measure, [1.0])
            efforts = joint_efforts(self.tree, motion.placements, self.view.wrenches(motion, gradient))
            value = state.jet_of(measure).value
            found.append((motions, efforts, value))
        total = {}
        for k, group in enumerate(zip(*(weights for _, weights, _ in found), strict=True)):
            size = max(abs(y) for w in group for y in w)
            if size <= SAME:
                continue
            (one, *_), *others = group
            if self.tree.nodes[k].kind == "ball" or any(abs(one - w[0]) > SAME * max(1.0, size) for w in others):
                return None
            total[k] = float(round(one)) if abs(one - round(one)) <= SAME else one
        offsets = [value - sum(w * motions[k][0] for k, w in total.items()) for motions, _, value in found]
        rests = [x - offsets[0] for x in offsets]
        if measure.winds:
            offsets, rests = ([atan2(sin(x), cos(x)) for x in group] for group in (offsets, rests))
        if not total or max(map(abs, rests)) > 1e3 * SAME * max(1.0, self.length):
            return None
        return LinearMeasure(total, 0.0 if abs(offsets[0]) <= SAME * max(1.0, self.length) else offsets[0])

    @cached_property
    def _examples(self) -> list[tuple[list[list[Scalar]], Kinematics, SystemState]]:
        """Random positions: the motions of the nodes, their kinematics, and the state."""
        rng, found = np.random.default_rng(1), []
        for _ in range(EXAMPLES):
            q = self.length * rng.uniform(-np.pi, np.pi, self.coordinates.count)
            motion = self._motion(q.tolist(), [0.0] * len(q))
            here, still, _ = self.view.coordinates(motion)
            found.append(
                (self.coordinates.motions(q.tolist()), motion, SystemState(self.natural.system, 0.0, here, still))
            )
        return found

    def _motion(
        self, q: Sequence[Scalar], v: Sequence[Scalar], accelerations: Sequence[Sequence[Scalar]] = ()
    ) -> Kinematics:
        motions = self.coordinates.motions(q)
        placements = [place_node(node, x) for node, x in zip(self.tree.nodes, motions, strict=True)]
        return Kinematics(self.tree, placements, self.coordinates.rates(q, v), accelerations)

    def _moving(self, x: Sequence[Scalar]) -> tuple[RelativeState, Kinematics]:
        t, q, v, e = self.layout.split(x)
        motion = self._motion(q, v)
        here, moving, _ = self.view.coordinates(motion)
        seen = self.natural.state([t, *here, *moving, *e])
        extra = seen.turns, seen.switches, seen.integrals, seen.resting
        joints = self.coordinates.motions(q), motion.rates, self.linear
        return RelativeState(self.natural.system, t, here, moving, *extra, {}, *joints), motion

    def _forces(self, state: RelativeState, motion: Kinematics) -> tuple[dict[int, Wrench], dict[int, list[Scalar]]]:
        """All forces but gravity: wrenches on nodes, and efforts along their motions."""
        pulls: dict[int, Scalar] = {}
        efforts: dict[int, list[Scalar]] = {}
        for target, effort in applied_loads(state):
            for i, x in state.gradient(target, effort).items():
                if i < 0:
                    efforts[-1 - i] = [efforts.get(-1 - i, [0.0])[0] + x]
                else:
                    pulls[i] = pulls.get(i, 0.0) + x
        return self.view.wrenches(motion, pulls), efforts


def joint_efforts(tree: Tree, placements: Sequence[Placement], wrenches: Mapping[int, Wrench]) -> list[list[Scalar]]:
    """The efforts along the motions of the nodes that do the same work as wrenches on nodes."""
    total = dict(wrenches)
    found: list[list[Scalar]] = [[0.0] * (3 if node.kind == "ball" else 1) for node in tree.nodes]
    waiting = [-k for k in total]
    heapq.heapify(waiting)
    while waiting:  # from the leaves to the root
        k = -heapq.heappop(waiting)
        node, place = tree.nodes[k], placements[k]
        found[k] = along(node.kind, total[k])
        if node.parent >= 0:
            pull = apply_transposed(place.turn, total[k][1])
            moment = add(apply_transposed(place.turn, total[k][0]), vector_product(place.shift, pull))
            before = total.get(node.parent)
            if before is None:
                total[node.parent] = moment, pull
                heapq.heappush(waiting, -node.parent)
            else:
                total[node.parent] = add(before[0], moment), add(before[1], pull)
    return found

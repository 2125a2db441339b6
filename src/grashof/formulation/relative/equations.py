"""The equations of motion of a tree in relative coordinates.

Forces, measures and everything above them see the mechanism in natural coordinates, which follow from the tree (see
`view`); only what they ask for becomes part of the machine code. The accelerations are those of the articulated-body
algorithm. A position of the tree satisfies all of its joints; those that close loops, couplings, motors and limits are
further rows (see `rows`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.formulation.layout import Layout
from grashof.formulation.natural.equations import EPSILON, UNHELD, Dynamics
from grashof.formulation.natural.forms import Gradient
from grashof.formulation.natural.resting import held_by_row
from grashof.formulation.natural.slips import SlipRows
from grashof.formulation.natural.state import SystemState
from grashof.formulation.relative.articulated import Articulated
from grashof.formulation.relative.bearings import Solution, TreeBearing, find_bearings, solve_with_bearings
from grashof.formulation.relative.closures import SAMPLES, Closure, find_closures, without_identities
from grashof.formulation.relative.constrained import Constrained
from grashof.formulation.relative.coordinates import TreeCoordinates
from grashof.formulation.relative.grips import TreeGrips
from grashof.formulation.relative.impact import TreeImpacts
from grashof.formulation.relative.kinematics import Efforts, Kinematics
from grashof.formulation.relative.placement import Wrench, place_node
from grashof.formulation.relative.positions import TreePositions
from grashof.formulation.relative.projection import project
from grashof.formulation.relative.props import Prop, find_props, propped, split_props
from grashof.formulation.relative.rows import (
    Entries,
    RowsPlace,
    TreeRows,
    are_regular,
    left_after_removal,
    make_tree_rows,
)
from grashof.formulation.relative.rows_at_states import tree_rows_of
from grashof.formulation.relative.solving import FIRM, RowsSolving, find_solving
from grashof.formulation.relative.start import own_coordinates
from grashof.formulation.relative.state import LinearMeasure, RelativeState
from grashof.formulation.relative.tree import Node, Tree, make_tree
from grashof.formulation.relative.vectors import in_space, scale
from grashof.formulation.relative.view import NaturalView, find_sources, frame_rates
from grashof.model.measures import MeasureBase
from grashof.model.model import Model
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar, atan2, cos, minimum, sin
from grashof.tape import trace
from grashof.tape.open import value_of

SAME = 1e-12
"""A measure is a sum of coordinates of the tree if its weights at some positions differ by no more than this."""

EXAMPLES = 8
"""Number of these positions: a direction that can swing past the axis of its angle is on either side of it at half of
them."""

PROPPED = 2
"""Number of these positions at which motions without inertia are looked for."""

Example = tuple[list[list[Scalar]], Kinematics, SystemState]
"""A position: the motions of the nodes, their kinematics, and the state."""


@dataclass(frozen=True, eq=False)
class Relative:
    """A tree prepared for evaluation.

    natural   the same mechanism in natural coordinates
    solving   how rows that may become linearly dependent are solved; None where all are independent everywhere
    decided   the same mechanism for other values of its numbers, for which everything is decided
    """

    natural: Dynamics
    tree: Tree
    solving: RowsSolving | None = None
    decided: Relative | None = None

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
        extra = known.angles, known.works, known.switches, known.integrals, known.resting
        return Layout(count, count, *extra, rubbing=known.rubbing, held=known.held)

    @cached_property
    def view(self) -> NaturalView:
        """The natural coordinates, seen from the tree."""
        return NaturalView(find_sources(self.natural.system, self.tree))

    @cached_property
    def rows(self) -> TreePositions:
        """The constraints by which singular positions are found: none, if rows are independent everywhere."""
        return TreePositions(self, closed=self.solving is not None)

    @cached_property
    def tree_rows(self) -> TreeRows:
        """The rows of joints that close loops, of couplings, motors and limits, and those for velocities only."""
        return make_tree_rows(self)

    @cached_property
    def closures(self) -> tuple[Closure, ...]:
        """The joints that close loops."""
        if self.decided is not None:
            return find_closures(self.model, self.tree, self.length, self.decided.closures)
        found = find_closures(self.model, self.tree, self.length)
        return without_identities(found, [self._example(k)[1] for k in range(SAMPLES)]) if found else ()

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return self.coordinates.count

    @property
    def redundant(self) -> int:
        """How many rows of positions others imply at every position."""
        return self.solving.redundant if self.solving else 0

    @property
    def unheld(self) -> float:
        """Constraints with smaller singular values are not enforced: see `UNHELD`."""
        return UNHELD

    @cached_property
    def rotors(self) -> dict[int, Scalar] | None:
        """The inertias that inerters add along the motions of nodes, by their index; None if one of them resists
        anything but the motion of a single node."""
        found: dict[int, Scalar] = {}
        for name, inertance in self.model.inertances:
            measure = self.linear(self.model.quantities[name])
            if measure is None or len(measure.weights) != 1:
                return None
            ((k, w),) = measure.weights.items()
            found[k] = found.get(k, 0.0) + w * w * inertance
        return found

    @cached_property
    def props(self) -> tuple[Prop, ...]:
        """The inertias that are added to motions which no mass resists."""
        positions = [self._example(k)[1].placements for k in range(PROPPED)]
        found = find_props(self._with_rotors, positions, self.length, self.natural.energies.typical_mass)
        if not found:
            return ()
        trees = [Articulated(self._propped_by(found), x) for x in positions]

        def shown(prop: Prop) -> list[float]:
            changes: list[float] = []
            for tree in trees:
                rates = tree.responses({prop.node: scale(prop.mass, prop.row)}).accelerations
                moving = Kinematics(self.tree, tree.placements, rates)
                changes += [float(value_of(x)) for x in frame_rates(self.natural.system, self.tree, moving)]
            return [x if abs(x) > SAME else 0.0 for x in changes]

        return split_props(found, shown)

    @property
    def tied_props(self) -> tuple[Prop, ...]:
        """Those of motions that rows determine."""
        return tuple(prop for prop in self.props if prop.tied)

    @property
    def loose_props(self) -> tuple[Prop, ...]:
        """Those of motions that no row determines: a motion without inertia moves nothing that has some, so a row must
        act along it. Rows of limits do not count, as nothing may rest there."""
        rows = self.tree_rows
        x = np.random.default_rng(1).normal(size=1 + self.layout.size).tolist() if self.tied_props else []
        jacobian = rows.jacobian(self.place(self.state(x))) if x else []
        along = {k for row in jacobian[: rows.count - len(rows.limits)] for k, own in row.items() if any(own)}
        return tuple(prop for prop in self.tied_props if prop.node not in along)

    @property
    def _with_rotors(self) -> list[Node]:
        rotors = self.rotors or {}
        return [replace(node, rotor=rotors.get(k)) for k, node in enumerate(self.tree.nodes)]

    @cached_property
    def weighted_tree(self) -> Tree:
        """The tree with the inerters and props on its nodes."""
        return self._propped_by(self.props) if self.rotors or self.props else self.tree

    def _propped_by(self, props: Sequence[Prop]) -> Tree:
        nodes = enumerate(self._with_rotors)
        return replace(
            self.tree, nodes=tuple(propped(node, [prop for prop in props if prop.node == k]) for k, node in nodes)
        )

    def over(self, natural: Dynamics) -> Relative:
        """The same mechanism for other values of its numbers, which may be open, or with further loads; everything is
        decided as here."""
        return Relative(natural, make_tree(natural.model), self.solving, self)

    def with_rows_of(self, natural: Dynamics, start: Sequence[float], *, opened: bool = False) -> Relative:
        """The tree with the same rows, of which it is now known how accurately they must be solved.

        start    the state x = [t, y] at the start of the motion, in natural coordinates
        opened   whether rows count as independent only if they are so for any values of the numbers
        """
        if not self.tree_rows.count:
            return self
        found = replace(self, natural=natural)
        regular = self.has_removable_rows if opened else self.has_regular_rows
        if not (self.closures or self.tied_props or self.model.grips) and regular:
            return found
        return replace(found, solving=find_solving(found, [start[0], *found.own_state(start)]))

    def own_state(self, x: Sequence[Scalar]) -> list[Scalar]:
        """y in relative coordinates, of a state x = [t, y] in natural ones."""
        return [*own_coordinates(self, x), *self.natural.layout.split(x)[3]]

    def weakness(self, x: Sequence[Scalar]) -> list[Scalar]:
        """How firmly rows determine motions that no mass resists; then the entries of the matrix by which rows are
        solved, S relative to their typical inverse inertias, row by row; without rows of limits and those that single
        nodes obey."""
        assert self.solving is not None
        tree = self.constrained(self.place(self.state(x)))
        first = self.tree_rows.count - len(self.tree_rows.limits)
        return [*tree.firmness, *tree.scaled_matrix(self.solving.softening, first)]

    def strengths(self, weakness: np.ndarray) -> np.ndarray:
        """How accurately rows are solved at some states (see `RowsSolving.strengths`), given `weakness`, (k, …)."""
        assert self.solving is not None
        return self.solving.strengths(weakness, len(self.tied_props))

    def is_solvable(self, x: Sequence[float]) -> bool:
        """Whether accelerations are accurate at a state x = [t, y]."""
        assert self.solving is not None
        return bool(self.strengths(np.array([self.weakness(x)], float))[0] > self.solving.least)

    @property
    def impacts(self) -> TreeImpacts:
        """Impacts, and limits against which measures rest."""
        return TreeImpacts(self)

    @property
    def slips(self) -> SlipRows:
        """The rows that hold for velocities only."""
        return self.natural.slips

    def freedom(self, implied: int) -> int:
        """Degrees of freedom."""
        return self.coordinates.freedom - self.tree_rows.positions + implied

    def gradients(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The entries of J that can be non-zero, given x = [t, q, v, e]."""
        t, q, _, e = self.layout.split(x)
        return self.rows.jacobian(t, q, self.rows.turns(e))

    def jacobians(self, t: np.ndarray, q: np.ndarray, turns: np.ndarray | None = None) -> np.ndarray:
        """J at many positions, (k, m, n)."""
        return tree_rows_of(self).jacobians(t, q, turns)

    def state(self, x: Sequence[Scalar]) -> RelativeState:
        """The state as forces see it, given x = [t, q, v, e]."""
        t, q, v, e = self.layout.split(x)
        motion = self._motion(q, v)
        here, moving, bent = self.view.coordinates(motion)
        seen = self.natural.state([t, *here, *moving, *e])
        extra = seen.turns, seen.switches, seen.integrals, seen.resting
        return RelativeState(
            self.natural.system,
            t,
            here,
            moving,
            *extra,
            motions=self.coordinates.motions(q),
            rates=motion.rates,
            linear=self.linear,
            kinematics=motion,
            bent=bent,
            slips=seen.slips,
            sticks=seen.sticks,
        )

    def derivative(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The accelerations, then the rates of the extra states, given x = [t, q, v, e]."""
        _, q, _, _ = self.layout.split(x)
        state = self.state(x)
        found = self.solve(state)
        if found.bearings:
            state = replace(state, bearings=found.bearings)
        powers = self._powers(state, found.multipliers) if self.natural.system.driving else []
        rates = self.coordinates.accelerations(q, state.rates, found.accelerations)
        return rates + self.natural.extra_rates(state, powers)

    def solve(self, state: RelativeState) -> Solution:
        """The accelerations of the joints (see `Response`), λ of the rows, and the forces in bearings."""
        if self.bearings:
            return solve_with_bearings(self, state)
        motion, gravity = state.kinematics, in_space(self.model.gravity or (0.0, 0.0, 0.0))
        wrenches, efforts = self.loads(state)
        if not self.tree_rows.count:
            articulated = Articulated(self.weighted_tree, motion.placements, (), self.shares(state.sticks))
            found = articulated.accelerations(motion.rates, gravity, wrenches, efforts)
            return Solution(found.accelerations, [], {}, response=found)
        place = self.place(state)
        tree = self.constrained(place)
        found, multipliers = tree.solve(
            lambda given: tree.articulated.accelerations(motion.rates, gravity, wrenches, efforts, given),
            self.tree_rows.bias(place),
        )
        return Solution(found.accelerations, multipliers, {}, response=found)

    @cached_property
    def gripped(self) -> tuple[int, ...]:
        """The nodes that stick by dry friction, in the order of `Model.grips`, without those of joints that close
        loops. The motion of a node is that of body b of its joint against body a."""
        nodes = {node.joint: k for k, node in enumerate(self.tree.nodes)}
        return tuple(nodes[grip.joint] for grip in self.model.grips if grip.joint in nodes)

    def shares(self, sticks: Mapping[str, Scalar]) -> dict[int, Scalar]:
        """The factors of the accelerations of nodes that may stick, by their index: 0 while they do (see
        `natural.resting.held_by_row`)."""
        found: dict[int, Scalar] = {}
        for node, grip in zip(self.gripped, self.model.grips, strict=True):
            share = 1.0 - held_by_row(sticks.get(grip.name, 0.0))
            found[node] = found[node] * share if node in found else share
        return found

    @property
    def grips(self) -> TreeGrips:
        """The joints that stick by dry friction."""
        return TreeGrips(self)

    def certainty(self, x: Sequence[Scalar]) -> Scalar:
        """Positive only where the forces that joints transmit, on which friction depends, are unique and accurate, and
        rows firmly determine the motions that no mass resists."""
        state = self.state(x)
        found = self.solve(state).margin if self.bearings else 1.0
        for firmness in self.constrained(self.place(state)).firmness if self.tied_props else ():
            found = minimum(found, firmness - FIRM)
        return found

    @cached_property
    def bearings(self) -> tuple[TreeBearing, ...]:
        """The joints on whose transmitted forces other forces depend."""
        return find_bearings(self)

    def _powers(self, state: RelativeState, multipliers: Sequence[Scalar]) -> list[Scalar]:
        """The powers of the couplings that depend on time, W."""
        rows, first = self.tree_rows, self.tree_rows.closing
        parts = zip(rows.couplings, multipliers[first:], rows.slip(self.place(state))[first:], strict=False)
        return [x * slip for row, x, slip in parts if row.timed]

    def efforts_of(self, state: RelativeState, gradient: Gradient) -> Efforts:
        """The efforts in the joints of a generalised force, as `RelativeState.gradient` gives it."""
        n = self.natural.n
        over_z = {i if i >= 0 else n - 1 - i: x for i, x in gradient.items()}
        return self.tree_rows.along_joints(state.kinematics, over_z)

    def place(self, state: RelativeState) -> RowsPlace:
        """Where rows are evaluated."""
        names = self.natural.system.tracked
        turns = self.natural.rows.turns([state.turns[name] for name in names if name in state.turns])
        sides = [state.resting.get(row.owner, 0.0) for row in self.tree_rows.limits]
        z = [*state.q, *(x[0] for x in state.motions)]
        rates, bent = [*state.v, *(x[0] for x in state.rates)], [*state.bent, *(0.0 for _ in state.rates)]
        closed = [closure.seen(state.kinematics) for closure in self.closures]
        shares = self.shares(state.sticks)
        return RowsPlace(state.time, z, rates, bent, turns, sides, state.kinematics, closed, shares)

    def constrained(self, place: RowsPlace, softness: Scalar = 0.0) -> Constrained:
        """The tree with its rows at a place.

        softness   makes rows yield that may be linearly dependent there (see `projection`)
        """
        natural, solving = self.natural, self.solving
        if solving is None:
            # before it is known how loops are solved, ε is that of rows which are independent
            usual = [EPSILON] * self.tree_rows.closing
            limited, own = natural.limited, natural.whole.epsilon[len(natural.system.rows) :]
            beyond = limited.first_stick - len(natural.system.rows), limited.first_limit - len(natural.system.rows)
            epsilon: Sequence[Scalar] = [*usual, *own[: beyond[0]], *own[beyond[1] :]]
            refinements = natural.refinements
        else:
            epsilon = [x + softness * y for x, y in zip(solving.epsilon, solving.softening, strict=True)]
            refinements = solving.refinements
        jacobian, placements = self.tree_rows.jacobian(place), place.motion.placements
        tied = self.tied_props
        return Constrained(
            self.weighted_tree, placements, jacobian, self.held, epsilon, refinements, tied, place.shares
        )

    @cached_property
    def held(self) -> Mapping[int, tuple[int, float]]:
        """The rows that prescribe the motion of a single node by a constant factor: the node and the factor, by the
        number of the row."""
        if self.decided is not None:
            return self.decided.held
        found: dict[int, tuple[int, float]] = {}
        rows = zip(self.tree_rows.couplings, self._entries, strict=True)
        for k, (row, entries) in enumerate(rows, start=self.tree_rows.closing):
            (node, _), *others = entries or [(-1, 0)]
            factor = entries.get((node, 0))
            single = not others and row.columns == {self.natural.n + node}
            if single and factor is not None and node not in [known for known, _ in found.values()]:
                found[k] = node, factor
        return found

    @cached_property
    def has_regular_rows(self) -> bool:
        """Whether the rows that hold for positions are known to be linearly independent everywhere."""
        return are_regular(self._entries)

    @property
    def has_removable_rows(self) -> bool:
        """Whether this is known whatever the numbers of the mechanism are."""
        return not left_after_removal(self._entries)

    @cached_property
    def _entries(self) -> list[Entries]:
        """J of the rows of couplings: the entries that are constant."""
        found: list[Entries] = []

        def record(x: list[Scalar], _: list[Scalar]) -> list[Scalar]:
            rows = self.tree_rows.jacobian(self.place(self.state(x)))
            for row in rows[self.tree_rows.closing : self.tree_rows.positions]:
                known = {
                    (k, i): x if isinstance(x, float) else None
                    for k, entries in row.items()
                    for i, x in enumerate(entries)
                }
                found.append({key: x for key, x in known.items() if x != 0.0})
            return []

        trace(record, 1 + self.layout.size, 0)
        return found

    def project(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The state x = [t, q, v, e] with unit quaternions, on the rows, and with tracked angles that agree with the
        positions; then the remaining squared violation (see `projection`)."""
        return project(self, x)

    def naturally(self, x: Sequence[Scalar], a: Sequence[Scalar]) -> list[Scalar]:
        """Natural coordinates, velocities and accelerations, given x = [t, q, v, e] and v̇."""
        _, q, v, _ = self.layout.split(x)
        motion = self._motion(q, v, self.coordinates.node_accelerations(q, a))
        return [number for part in self.view.coordinates(motion) for number in part]

    def natural_rates(self, x: Sequence[Scalar], rates: Sequence[Scalar]) -> list[Scalar]:
        """The rates in natural coordinates, given those of a state x = [t, y]."""
        own = self.layout.of_a
        return self.naturally(x, rates[own])[2 * self.natural.n :] + list(rates[own.stop :])

    def start_state(self, q: np.ndarray, v: np.ndarray, angles: Mapping[str, float]) -> np.ndarray:
        """The state at the start of a motion, given coordinates, velocities and tracked angles."""
        there = self.natural.start_state(np.zeros(self.natural.n), np.zeros(self.natural.n), angles)
        return np.concatenate([q, v, there[self.natural.layout.of_e]])

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
        for motions, motion, state in map(self._example, range(EXAMPLES)):
            gradient = state.gradient(measure, [1.0])
            efforts = motion.joint_efforts(self.view.wrenches(motion, gradient))
            value = state.jet_of(measure).value
            found.append((motions, efforts, value))
        total = {}
        for k in sorted({k for _, weights, _ in found for k in weights}):
            group = [weights.get(k, [0.0]) for _, weights, _ in found]
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

    def _example(self, number: int) -> Example:
        """A random position: the motions of the nodes, their kinematics, and the state."""
        if number not in self._examples:
            q = (self.length * np.random.default_rng(number).uniform(-np.pi, np.pi, self.coordinates.count)).tolist()
            motion = self._motion(q, [0.0] * len(q))
            here, still, _ = self.view.coordinates(motion)
            state = SystemState(self.natural.system, 0.0, here, still)
            self._examples[number] = self.coordinates.motions(q), motion, state
        return self._examples[number]

    @cached_property
    def _examples(self) -> dict[int, Example]:
        """Those that were needed so far: of large trees, each takes seconds."""
        return {}

    def _motion(
        self, q: Sequence[Scalar], v: Sequence[Scalar], accelerations: Sequence[Sequence[Scalar]] = ()
    ) -> Kinematics:
        motions = self.coordinates.motions(q)
        placements = [place_node(node, x) for node, x in zip(self.tree.nodes, motions, strict=True)]
        return Kinematics(self.tree, placements, self.coordinates.rates(q, v), accelerations)

    def loads(self, state: RelativeState, *, slope: bool = False) -> tuple[dict[int, Wrench], Efforts]:
        """All forces but gravity: wrenches on nodes, and efforts along their motions; or, with `slope`, their
        derivatives where forces in bearings are duals."""
        pulls: Gradient = {}
        efforts: Efforts = {}
        for i, x in self.natural.loads(state):
            if slope:
                x = x.slope if isinstance(x, Dual) else 0.0
            if i < 0:
                efforts[-1 - i] = [efforts.get(-1 - i, [0.0])[0] + x]
            else:
                pulls[i] = pulls.get(i, 0.0) + x
        return self.view.wrenches(state.kinematics, pulls), efforts


def make_relative(natural: Dynamics) -> Relative:
    """A mechanism as a tree."""
    return Relative(natural, make_tree(natural.model))

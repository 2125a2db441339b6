"""Joint reactions of a finished run.

Presolve eliminates pins, and their multipliers with them. So reactions are computed afterwards from the motion: every
body, exactly rigid, needs a wrench to move as it does (`needs`), which its joints and couplings must supply within what
each can transmit (`twists`, `solve`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from grashof.common.blas import one_thread
from grashof.formulation.natural.rigid import RigidFields
from grashof.formulation.natural.state import SystemState
from grashof.freedoms.joint_twists import Array, gradient, hold_of
from grashof.model.couplings import CouplingBase
from grashof.model.loops import SpanningTree, find_loops, spanning_tree
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory, output_times
from grashof.reactions.needs import States, needs_of_bodies
from grashof.reactions.result import Reactions
from grashof.reactions.solve import JointPull, Solution, solve

AT_ONCE = 4_000_000
"""Largest size of an array: longer runs are processed piece by piece."""


@one_thread()
def reactions(run: Trajectory, times: Sequence[float] | Array | int | None = None) -> Reactions:
    """Forces and moments of all joints, and efforts of all couplings and motors, at the run's own times, at given times
    (s, ascending), or at a given number of times.

    >>> from grashof.model.mechanism import Mechanism
    >>> from grashof.simulation.simulate import simulate
    >>> m = Mechanism("pendulum", gravity=(0, -10))
    >>> rod = m.bar("rod", length=1.0, mass=2.0)
    >>> pin = m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    >>> m.need(rod.angle, value=0.0)
    >>> found = reactions(simulate(m, 1.0))
    >>> print(round(found["pin.fy"][0], 6), found.unit("pin.fy"), found.unique["pin"])
    5.0 N True
    """
    if times is not None:
        run = Trajectory(run.program, run.steps, output_times(run.program, times, float(run.steps.t[-1])))
    system = run.program.system
    model = system.model
    tree = spanning_tree(model)
    states = States(run.t, run.q, run.v, run.a, run.y[:, run.program.dynamics.layout.of_e])
    pieces = [piece for some in _split(len(run.t), _numbers(model, 1)) for piece in _at(run, states, some, tree)]
    return Reactions(
        model=model,
        length=system.length,
        t=run.t,
        efforts=np.concatenate([piece.smallest for piece in pieces]),
        shares=np.concatenate([piece.shares for piece in pieces]),
        stresses=np.concatenate([piece.stresses for piece in pieces]),
        residual=np.concatenate([piece.residual for piece in pieces]),
        loops=find_loops(model).closed,
    )


def _numbers(model: Model, unknowns: int) -> int:
    """The count of numbers per time in the wrenches of all bodies and joints for each of the unknowns."""
    size = 3 if model.dimension == 2 else 6
    return size * (len(model.joints) + len(model.bodies)) * max(unknowns, size)


def _split(times: int, numbers: int) -> list[Array]:
    """The times in pieces of AT_ONCE numbers."""
    return np.array_split(np.arange(times), max(1, min(times, times * numbers // AT_ONCE)))


def _at(run: Trajectory, states: States, some: Array, tree: SpanningTree) -> Iterator[Solution]:
    """The solutions at some of the times, piece by piece."""
    dynamics = run.program.dynamics
    system = dynamics.system
    model, length, times = system.model, system.length, len(some)
    here = States(states.t[some], states.q[some], states.v[some], states.a[some], states.e[some])
    rigid = RigidFields(system, list(here.q.T), list(here.v.T), list(here.a.T))
    holds = {joint.name: hold_of(joint, rigid, times, slips=True) for joint in model.joints}
    center = np.mean([hold.place for hold in holds.values()], axis=0) if holds else np.zeros((times, model.dimension))
    motion = dynamics.state([here.t, *here.q.T, *here.v.T, *here.e.T])
    couplings = [_pull(coupling, motion, rigid, center) for coupling in model.own_couplings]
    needs = needs_of_bodies(dynamics, here, rigid, center)
    unknowns = sum(holds[name].holds.shape[1] for name in tree.closing) + len(couplings)
    for piece in _split(times, _numbers(model, unknowns)):
        yield solve(
            tree,
            {name: hold.at(piece) for name, hold in holds.items()},
            [coupling.at(piece) for coupling in couplings],
            {name: need[piece] for name, need in needs.items()},
            center[piece],
            length,
        )


def _pull(coupling: CouplingBase, motion: SystemState, rigid: RigidFields, center: Array) -> JointPull:
    """The wrenches that a unit effort of a coupling, in N, exerts on the bodies."""
    measures = coupling.measures(motion.system.model.quantities)
    shares = coupling.shares([motion.jet_of(measure).value for measure in measures], motion.time)
    unit = rigid.length if measures[0].unit == "rad" else 1.0
    wrenches: dict[str, Array] = {}
    for measure, factor in zip(measures, shares, strict=True):
        share = np.broadcast_to(unit * np.asarray(factor, float), len(center))[:, None]
        for body in measure.bodies:
            wrench = share * gradient(measure, rigid, body, center)
            wrenches[body] = wrenches[body] + wrench if body in wrenches else wrench
    return JointPull(wrenches)

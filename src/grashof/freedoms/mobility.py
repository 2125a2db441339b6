"""The mobility report: degrees of freedom, and which joint equations are redundant, where and why.

    freedoms           three for each body in the plane, six in space
    joint equations    the constraints of each joint, summed over the joints
    rank               how many of them are independent (see `twists`)
    degrees of freedom = freedoms − rank − idle spins − freedoms taken by motors
    redundant          = joint equations − rank
    Grübler's formula  = freedoms − joint equations: as if all of them were independent

Why a loop has redundant equations: if the motions that its joints allow belong to a group of displacements of dimension
g (`twists.Group`), its bodies never leave that group, and closing the loop repeats 6 − g equations (3 − g in the plane)
at every position. Further redundancy is due to special dimensions if it persists at nearby positions, and to the
position otherwise.
"""

from __future__ import annotations

import numpy as np

from grashof.assembly.assembled_model import assemble_model
from grashof.assembly.contradictions import blocked_couplings
from grashof.assembly.fitting import NOISE, Fit, contradiction, contradictions_told, with_fitting_geometry
from grashof.assembly.positions import closed_position, turns_near
from grashof.common.blas import one_thread
from grashof.common.wording import join_words
from grashof.formulation.natural.closing import Positions, positions_nearby
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.system import System
from grashof.freedoms.report import Mobility, Repeat, group_in_words
from grashof.freedoms.twists import Group, Motions, group_of, motions
from grashof.model.bodies import GROUND
from grashof.model.describing import motors_in_words
from grashof.model.loops import Loop, find_loops
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model

ROUNDED = 1e-3
"""Where nothing moves, and the margin is smaller, redundant joints may contradict each other by rounded numbers."""

TAKES_PART = 0.1
"""A body takes part in a free motion if it moves by more than this fraction of what the fastest body does."""


@one_thread()
def mobility(subject: Mechanism | Model | Dynamics, *, fit: float | None = None) -> Mobility:
    """Counts the degrees of freedom and the redundant constraints of a mechanism at its start, singular or not; raises
    ModelError if it cannot be assembled.
    Masses may be left out.

    fit  as in `build`: how far the geometry of a mechanism may be moved so that redundant joints fit together
    """
    if isinstance(subject, Dynamics):
        return _count_freedoms(subject, closed_position(subject).q)

    def count(nearest: Fit) -> Mobility:
        found = assemble_model(nearest, massless=True)
        q = found.position.q
        with contradictions_told(found.model):
            report = _count_freedoms(found.dynamics, q)
        if fit is None and not report.dof and report.margin < ROUNDED:
            problem = contradiction(found.model)
            if problem is not None and problem.nearest.size <= NOISE:
                raise problem
        return report

    return with_fitting_geometry(as_model(subject), fit, count)


def _count_freedoms(dynamics: Dynamics, q: np.ndarray) -> Mobility:
    system = dynamics.system
    model = system.model
    here = motions(system, model.start.time, q)
    loops = find_loops(model).closed
    groups = {joint: group_of(here, loops[joint].joints) for joint in here.repeated}
    near = _nearby(dynamics, q, here, sum(_always(here, group) for group in groups.values()))
    idle_spins = _idle_spins(system)
    return Mobility(
        mechanism=model.name,
        dimension=model.dimension,
        bodies=len(model.bodies),
        joints=len(model.joints),
        motors=sum(coupling.timed for coupling in model.own_couplings),
        couplings=sum(not (coupling.timed or coupling.for_velocities) for coupling in model.own_couplings),
        body_freedoms=here.freedoms,
        equations=here.equations,
        rank=here.rank,
        idle_spins=idle_spins,
        coupled=here.coupled,
        driven=here.driven,
        idle_motors=here.idle_couplings,
        repeats=tuple(_repeat(joint, loops[joint], here, near, group) for joint, group in groups.items()),
        dof_nearby=None if near is None else near.left - sum(idle_spins.values()),
        redundant_nearby=None if near is None else near.redundant,
        loosened=_loosened_bodies(here, near),
        margin=here.weakest,
        held=tuple(f"Motor '{name}' {what}." for name, what in motors_in_words(model, holding=True)),
        slips=len(system.slips),
        slip_rank=here.slip_rank,
        slipping=tuple(dict.fromkeys(row.owner for row in system.slips)),
        blocked=tuple(blocked_couplings(dynamics, model.start.time, q)) if here.coupled > 1 else (),
    )


def _idle_spins(system: System) -> dict[str, int]:
    """Rotations that affect no joint, force or inertia: the system gives such a body no direction across them."""
    if system.dimension == 2:
        return {name: 1 for name, frame in system.frames.items() if frame.particle}
    unseen = {0: 3, 1: 1}
    spins = {name: unseen.get(len(frame.directions), 0) for name, frame in system.frames.items()}
    return {name: count for name, count in spins.items() if count}


# -- the position


def _nearby(dynamics: Dynamics, q: np.ndarray, here: Motions, always: int) -> Motions | None:
    """The mechanism at a generic position nearby, from where no step leads to fewer freedoms; None if there is no step.

    Motors stand aside while looking: theirs are equations of time, not of the mechanism. There is nothing to look for
    where only that is redundant which is `always`, at every position, or where nothing can move.
    """
    if _is_generic(here, always) or here.freedoms == here.rank:
        return here
    system = dynamics.system
    time = system.model.start.time
    joints_only = dynamics.undriven
    turns = turns_near(system, time, q)
    best = None
    while True:
        fewest, start = best, q
        for near in positions_nearby(Positions(joints_only, time, turns=turns), start):
            there = motions(system, time, near)
            if _is_generic(there, always):
                return there
            if fewest is None or there.left < fewest.left:
                fewest, q = there, near
        if fewest is best:
            return best
        best = fewest


def _is_generic(there: Motions, always: int) -> bool:
    """Whether no position nearby can have fewer freedoms."""
    return there.redundant == always and not there.idle_couplings


def _loosened_bodies(here: Motions, near: Motions | None) -> tuple[str, ...]:
    """Bodies that take part in the free motions that are farthest from any free motion nearby."""
    more = here.left - (0 if near is None else near.left)
    if more <= 0:
        return ()
    mine, theirs = (np.linalg.qr(free)[0] for free in (here.free, here.free[:, :0] if near is None else near.free))
    only_here = np.linalg.svd(mine - theirs @ (theirs.T @ mine), full_matrices=False)[0][:, :more]
    names = [name for name in here.bodies if name != GROUND]
    amounts = np.linalg.norm(only_here.reshape(len(names), -1), axis=1)
    return tuple(name for name, x in zip(names, amounts, strict=True) if x > TAKES_PART * np.max(amounts))


# -- why


def _always(here: Motions, group: Group) -> int:
    """How many equations closing a loop repeats because its bodies never leave their group."""
    return (3 if here.dimension == 2 else 6) - group.dimension


def _repeat(joint: str, loop: Loop, here: Motions, near: Motions | None, group: Group) -> Repeat:
    count = len(here.repeated[joint])
    always = _always(here, group)
    nearby = always if near is None else min(count, len(near.repeated.get(joint, ())))
    reasons = [group_in_words(group)] if always else []
    if nearby == count and not always:
        reasons.append("special dimensions (with slightly different ones it would lock or could not be assembled)")
    elif nearby > always:
        reasons.append(f"{nearby - always} because of special dimensions")
    if count > nearby:
        reasons.append(f"{count - nearby} only at this position" if reasons else "only at this position")
    return Repeat(
        joint=joint,
        loop=loop.bodies,
        count=count,
        nearby=nearby,
        directions=_directions(here.repeated[joint]),
        kind=group.kind if always else "dimensions" if nearby else "position",
        why="; ".join(reasons),
    )


def _directions(rows: np.ndarray) -> tuple[str, ...]:
    """What orthonormal rows on twists hold, by world axes where it lies along these."""
    turns = ["rotation"] if rows.shape[1] == 3 else [f"rotation about {axis}" for axis in "xyz"]
    names = [f"translation along {axis}" for axis in "xyz"[: rows.shape[1] - len(turns)]] + turns
    shares = np.sum(rows**2, axis=0)  # how much of each unit twist the rows hold, from 0 to 1
    whole = [name for name, share in zip(names, shares, strict=True) if share > 1.0 - 1e-6]
    parts = [name for name, share in zip(names, shares, strict=True) if 1e-6 < share <= 1.0 - 1e-6]
    mixed = len(rows) - len(whole)
    if mixed == 0:
        return tuple(whole)
    kinds = [f"{kind}s" for kind in ("translation", "rotation") if any(part.startswith(kind) for part in parts)]
    return (*whole, f"{'a combination' if mixed == 1 else f'{mixed} combinations'} of {join_words(kinds)}")

"""From a description to machine code: model → system → tapes → one native library."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from grashof.analysis.assembly import Assembly, assemble
from grashof.analysis.branch import Branch, find_branch
from grashof.analysis.closing import Positions
from grashof.analysis.singular import position_ahead
from grashof.dynamics.equations import Dynamics, make_dynamics
from grashof.dynamics.kkt import refinements_needed
from grashof.integrate import Integrator
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.scalar.functions import Scalar
from grashof.system.system import System, compile_system
from grashof.tape import Library, emit, trace

TAKES_PART = 1e-6
"""A row takes part in a dependency if its weight there exceeds this."""


@dataclass(frozen=True)
class Program:
    """A mechanism assembled and compiled, ready to be run any number of times.

    joints       the mechanism as its joints alone describe it
    branch       the relations that were put in; None if none were looked for or they cannot be right
    dynamics     with these relations: what is integrated
    statements   arithmetic statements in one evaluation of the accelerations, and in one projection
    assemble_s   wall time spent on assembling, s
    compile_s    wall time spent on everything else, s
    """

    model: Model
    joints: Dynamics
    branch: Branch | None
    dynamics: Dynamics
    assembly: Assembly
    integrator: Integrator
    statements: tuple[int, int]
    assemble_s: float
    compile_s: float

    @property
    def relations(self) -> tuple[str, ...]:
        """The linear relations that were put in, in words."""
        return self.branch.relations if self.branch else ()

    @property
    def system(self) -> System:
        """The mechanism in natural coordinates, after presolve."""
        return self.dynamics.system


def build(mechanism: Mechanism | Model, *, relations: bool = True) -> Program:
    """Assembles and compiles a mechanism.

    relations  whether to look for equations that hold on its branch, and to use them (see `analysis.branch`)
    """
    began = time.perf_counter()
    model = mechanism.model if isinstance(mechanism, Mechanism) else mechanism
    joints = dynamics = make_dynamics(compile_system(model))
    ready = time.perf_counter()
    assembly = assemble(dynamics)
    assemble_s = time.perf_counter() - ready
    at, regular = assembly.time, assembly.q
    if assembly.singular:
        there, regular = position_ahead(Positions(joints, at), assembly.q, assembly.v)
        at = there.time
    dependencies = Positions(joints, at).dependencies(regular)
    branch = _branch(joints, at, regular, len(dependencies)) if relations else None
    if branch is not None:
        left = list(branch.left)
        assembly = replace(assembly, q=assembly.q[left], v=assembly.v[left])
        regular = regular[left]
        dynamics = make_dynamics(branch.system)
        dependencies = Positions(dynamics, at).dependencies(regular)
    redundant = np.flatnonzero(np.max(np.abs(dependencies), axis=0, initial=0.0) > TAKES_PART)
    dynamics = make_dynamics(dynamics.system, set(redundant.tolist()))
    assembly = replace(assembly, redundant=len(dependencies))
    jacobian = dynamics.jacobian(at, regular.tolist())
    needed = refinements_needed(dynamics.kkt, jacobian)
    # ε is large for redundant rows, and elsewhere the others may be nearer to dependent than here: twice as many do for
    # singular values of a third
    dynamics = replace(dynamics, refinements=2 * needed if redundant.size else needed)
    n, extra = dynamics.n, dynamics.extra

    def split(x: list[Scalar]) -> tuple[Scalar, list[Scalar], list[Scalar], list[Scalar]]:
        return x[0], x[1 : 1 + n], x[1 + n : 1 + 2 * n], x[1 + 2 * n :]

    size = 1 + 2 * n + extra
    tapes = {
        "derivative": trace(lambda x: dynamics.derivative(*split(x)), size),
        "project": trace(lambda x: dynamics.project(*split(x)), size),
    }
    library = Library(emit(tapes))
    return Program(
        model=model,
        joints=joints,
        branch=branch,
        dynamics=dynamics,
        assembly=assembly,
        integrator=Integrator(library, n, extra),
        statements=(len(tapes["derivative"]), len(tapes["project"])),
        assemble_s=assemble_s,
        compile_s=time.perf_counter() - began - assemble_s,
    )


def _branch(joints: Dynamics, time: float, q: np.ndarray, dependencies: int) -> Branch | None:
    """What was found on the branch of a regular position, if it leaves as many degrees of freedom as the joints do."""
    branch = find_branch(joints.system, q)
    restricted = Positions(make_dynamics(branch.system), time)
    freedom = restricted.freedom(q[list(branch.left)])
    return branch if freedom == joints.n - joints.system.m + dependencies else None

"""From a description to machine code: model → system → tapes → one native library."""

from __future__ import annotations

import time
from dataclasses import dataclass

from grashof.analysis.assembly import Assembly, assemble
from grashof.dynamics.equations import Dynamics, make_dynamics
from grashof.integrate import Integrator, integrator_ir
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.scalar.functions import Scalar
from grashof.system.system import System, compile_system
from grashof.tape import Library, emit, module, trace


@dataclass(frozen=True)
class Program:
    """A compiled mechanism, ready to be assembled and run any number of times.

    statements   arithmetic statements in one evaluation of the accelerations, and in one projection
    compile_s    wall time spent on compiling, s
    """

    model: Model
    dynamics: Dynamics
    integrator: Integrator
    statements: tuple[int, int]
    compile_s: float

    @property
    def system(self) -> System:
        """The mechanism in natural coordinates, after presolve."""
        return self.dynamics.system

    def assemble(self) -> Assembly:
        """A consistent start (see `analysis.assembly`)."""
        return assemble(self.dynamics)


def build(mechanism: Mechanism | Model) -> Program:
    """Compiles a mechanism."""
    began = time.perf_counter()
    model = mechanism.model if isinstance(mechanism, Mechanism) else mechanism
    dynamics = make_dynamics(compile_system(model))
    n, extra = dynamics.n, dynamics.extra

    def split(x: list[Scalar]) -> tuple[Scalar, list[Scalar], list[Scalar], list[Scalar]]:
        return x[0], x[1 : 1 + n], x[1 + n : 1 + 2 * n], x[1 + 2 * n :]

    size = 1 + 2 * n + extra
    tapes = {
        "derivative": trace(lambda x: dynamics.derivative(*split(x)), size),
        "project": trace(lambda x: dynamics.project(*split(x)), size),
    }
    library = Library(module([emit(tapes), integrator_ir(n, extra)]))
    return Program(
        model=model,
        dynamics=dynamics,
        integrator=Integrator(library, n, extra),
        statements=(len(tapes["derivative"]), len(tapes["project"])),
        compile_s=time.perf_counter() - began,
    )

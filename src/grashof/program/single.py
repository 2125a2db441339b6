"""A mechanism with open numbers at certain values, as a program for a single run.

It uses the machine code that is there: nothing is searched for, assembled or compiled again.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from grashof.assembly.positions import angles_near
from grashof.branch.equations import Equation, Findings, make_branch
from grashof.formulation.natural.equations import make_dynamics, softened
from grashof.formulation.natural.system import compile_system
from grashof.model.parameters import with_numbers
from grashof.program import Program
from grashof.program.open_program import OpenProgram

Matrix = NDArray[np.float64]


def single_program(opened: OpenProgram, values: Matrix, y: Matrix, coefficients: Matrix) -> Program | None:
    """The program for these values (P,), from the state y and with the coefficients that `assemble` found for them.

    None if another elimination of coordinates suits these values better, or if couplings keep values of the start: then the mechanism has to be
    built.
    """
    structure, layout = opened.structure, opened.layout
    if opened.keeping:
        return None
    model = with_numbers(opened.program.model, dict(zip(opened.names, values.tolist(), strict=True)))
    # observed angles are states, but not events of a run
    tracked = msgspec.structs.replace(model, events=opened.dynamics.model.events)
    joints = compile_system(tracked, structure.length)
    if joints.labels != structure.labels:
        return None
    system, branch = joints, None
    if structure.relations or structure.quadrics:
        rows = tuple(Equation.of(x.row(values.tolist())) for x in structure.relations)
        branch = make_branch(joints, Findings(rows, structure.quadrics))
        system = branch.system
        if branch.left != structure.left:
            return None
    dynamics = softened(make_dynamics(system), set(structure.redundant))
    assembly = opened.program.assembly
    angles = angles_near(system, assembly.time, y[layout.of_q])
    angles |= dict(zip(layout.angles, y[layout.of_angles].tolist(), strict=True))
    return replace(
        opened.program,
        model=model,
        branch=branch,
        dynamics=replace(dynamics, refinements=structure.refinements),
        assembly=replace(
            assembly, q=y[layout.of_q], v=y[layout.of_v], angles=angles, redundant=structure.implied, changes=()
        ),
        integrator=opened.integrator(coefficients),
    )

"""The functions of a live mechanism, of x = [t, q, v, e] and of coefficients c.

    setup, place, keep, launch    as those of a mechanism with open numbers (see `opened.program`); they are not there if none are open. The set-up also gives
                                  where all points and the centres of mass are in the axes of their bodies
    derivative, project           those of its motion, with the pull of a hand
    gradients, sides, far         by which steps are checked (see `integrate.lanes.sides`), if rows can depend on each other
    switches                      where forces and laws change which of their expressions are used (see `analysis.kinks`)
    observe                       the quantities asked for; then those by which runs are judged (see `opened.observed`)
    frames                        for each body a point of it and its directions (see `system.coordinates`), each followed by what it is in the body's own axes

A hand pulls at a point P = A q + b, which is linear in the coordinates, with the force k (target − P) − d Ṗ. These numbers come behind the coefficients:

    k, d, target (dimension), b (dimension), A (dimension, n)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

from grashof.analysis.clock import efforts
from grashof.analysis.kinks import Switches, find_kinks
from grashof.dynamics.equations import Dynamics
from grashof.dynamics.state import SystemState
from grashof.integrate.lanes import checked_rows
from grashof.integrate.lanes.sides import Pattern
from grashof.integrate.lanes.sides import tapes as side_tapes
from grashof.model.model import Model
from grashof.opened import OpenProgram
from grashof.opened.compiling import Functions, equations, in_stages, tracking
from grashof.opened.observed import CHECKED, observed
from grashof.program import Program
from grashof.scalar.functions import Scalar
from grashof.system.masses import mass_center
from grashof.tape import Tape
from grashof.tape.node import Recorder

Beginning = Callable[[Scalar, Sequence[Scalar], Sequence[Scalar], Sequence[Scalar]], Functions]
"""The functions that a start is found with."""


@dataclass(frozen=True, eq=False)
class Held(Dynamics):
    """A mechanism that a hand pulls at.

    pull   k, d, target, b, A
    """

    pull: Sequence[Scalar]

    def forces(self, motion: SystemState) -> list[Scalar]:
        """Q(t, q, v) with that of the hand."""
        total, size, n = super().forces(motion), self.system.dimension, self.n
        k, d, *rest = self.pull
        for i in range(size):
            row = rest[2 * size + i * n :][:n]
            place, speed = rest[size + i], 0.0
            for x, q, v in zip(row, motion.q, motion.v, strict=True):
                place, speed = place + x * q, speed + x * v
            force = k * (rest[i] - place) - d * speed
            total = [old + x * force for old, x in zip(total, row, strict=True)]
        return total


def pulling(dimension: int, n: int) -> int:
    """How many numbers a pull takes."""
    return 2 + 2 * dimension + dimension * n


@dataclass(frozen=True, eq=False)
class LiveTapes:
    """All functions.

    tapes   by name
    count   coefficients that the set-up gives
    pull    numbers behind them
    pattern    columns of the entries of the rows' gradients, by which steps are checked; and how many rows others imply
    switches   what says which expressions forces and laws use (see `analysis.kinks`)
    """

    tapes: dict[str, Tape]
    count: int
    pull: int
    pattern: Pattern
    redundant: int
    switches: Switches


def open_tapes(opened: OpenProgram, model: Model) -> LiveTapes:
    """Those of a mechanism with open numbers, which was compiled from this model."""
    recorder = Recorder(inline=True)
    found = equations(recorder, tracking(model, opened.observes), opened.structure, opened.names, opened.keeping)
    return _live(recorder, found.dynamics, opened.observes, opened.structure.implied, found.beginning)


def plain_tapes(program: Program, observe: Sequence[str]) -> LiveTapes:
    """Those of a mechanism all of whose numbers are known."""
    recorder = Recorder(inline=True)
    recorder.inputs(0)
    return _live(recorder, program.dynamics, observe, program.assembly.redundant)


def _live(
    recorder: Recorder, dynamics: Dynamics, observe: Sequence[str], redundant: int, beginning: Beginning | None = None
) -> LiveTapes:
    layout, dimension = dynamics.layout, dynamics.system.dimension
    pull = pulling(dimension, layout.n)
    x = recorder.inputs(1 + layout.size + pull)
    t, q, v, e = layout.split(x[: 1 + layout.size])
    parts = {field.name: getattr(dynamics, field.name) for field in fields(Dynamics)}
    held = Held(**parts, pull=x[1 + layout.size :])
    seen = observed(dynamics, observe, t, q, v, e)
    pattern = checked_rows(dynamics)
    functions: dict[str, Sequence[Scalar]] = {
        **(beginning(t, q, v, e) if beginning else {}),
        **({"drawn": _drawn(dynamics.system.model)} if beginning else {}),
        "derivative": held.derivative(t, q, v, e),
        "project": dynamics.project(t, q, v, e),
        "observe": [*seen[: len(observe)], *seen[-CHECKED:]],
        "frames": _frames(dynamics, q),
        "gradients": dynamics.jacobian(t, q, dynamics.turns(e)) if pattern else [],
        "switches": efforts(dynamics, t, q, v, e),
    }
    early = ("guess", "drawn") if beginning else ()
    found = in_stages(recorder, functions, early, tail=pull)
    tapes = {"setup": replace(found.setup, sizes=(found.setup.inputs, 0)), **found.tapes}
    kinks = find_kinks(tapes["switches"])
    tapes["switches"] = kinks.tape
    if pattern:
        tapes |= side_tapes(pattern, redundant)
    else:
        del tapes["gradients"]
    return LiveTapes(tapes, found.count, pull, pattern, redundant, (*kinks.in_time, *kinks.in_motion))


def _drawn(model: Model) -> list[Scalar]:
    """All points in the axes of their bodies, then the centres of mass."""
    points = [x for place in model.points.values() for x in place]
    return points + [x for body in model.bodies for x in mass_center(body, model.dimension)]


def _frames(dynamics: Dynamics, q: Sequence[Scalar]) -> list[Scalar]:
    system, found = dynamics.system, []
    for body in system.model.bodies:
        frame = system.frames[body.name]
        vectors = [(frame.origin, frame.origin_local), *zip(frame.directions, frame.directions_local, strict=True)]
        for forms, local in vectors:
            found += [*(form.at(q) for form in forms), *local]
    return found

"""The functions of a live mechanism, of x = [t, q, v, e] and of coefficients c.

    setup, place, keep, launch    as for a mechanism with open numbers (see `program.open_code`); absent if none are
                                  open. The set-up also gives all points and the centres of mass in the axes of their
                                  bodies
    derivative, project           as for the motion, with the pull of a hand added to the forces
    gradients, sides, far         checks of steps (see `integrate.lanes.sides`), if constraints can become dependent
    switches                      positions of the switches of forces and laws (see `changes.kinks`)
    indicators                    values whose signs these are, if they depend on the motion; not in pages
    observe                       the given quantities; then those by which runs are checked (see
                                  `quantities.energy_balance`)
    frames                        for each body one of its points and its directions (see
                                  `formulation.natural.coordinates`), each followed by the same vector in the body's own
                                  axes

A hand pulls at a point P = A q + b, which is linear in the coordinates, with the force k (target − P) − d Ṗ. Its
numbers follow the coefficients:

    k, d, target (dimension), b (dimension), A (dimension, n)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from grashof.changes.kinks import find_kinks
from grashof.changes.time_dependence import efforts
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.state import SystemState
from grashof.integrate.lanes import checked_rows
from grashof.model.model import Model
from grashof.program import Program
from grashof.program.observe import observed
from grashof.program.open_code import Functions, OpenCode, in_stages
from grashof.quantities.energy_balance import CHECKED
from grashof.scalar.functions import Scalar, where
from grashof.singular.sides import Pattern, side_tapes
from grashof.tape import Tape
from grashof.tape.node import Node, Recorder


@dataclass(frozen=True, eq=False)
class HeldAngles(Dynamics):
    """A mechanism that is pulled by a hand.

    pull   k, d, target, b, A
    """

    pull: Sequence[Scalar]

    def forces(self, motion: SystemState) -> list[Scalar]:
        """Q(t, q, v), including the force of the hand."""
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
    """The number of numbers that describe a pull."""
    return 2 + 2 * dimension + dimension * n


@dataclass(frozen=True, eq=False)
class LiveTapes:
    """All functions of a live mechanism.

    tapes      the functions by name
    count      number of coefficients that the set-up gives
    pull       number of numbers of the pull, which follow them
    pattern    columns of the entries of the rows' gradients, by which steps are checked
    """

    tapes: dict[str, Tape]
    count: int
    pull: int
    pattern: Pattern


def open_tapes(opened: OpenCode, *, held: bool = True) -> LiveTapes:
    """The functions of a mechanism with open numbers; `held` if a hand can pull at it, and it is drawn."""
    found = opened.equations
    redundant = opened.structure.redundant_count
    return _live(found.recorder, found.dynamics, found.x, opened.observes, redundant, found.beginning(), held=held)


def plain_tapes(program: Program, observe: Sequence[str], *, held: bool = True) -> LiveTapes:
    """The functions of a mechanism without open numbers; `held` as in `open_tapes`."""
    recorder = Recorder(inline=True)
    recorder.inputs(0)
    x = recorder.inputs(1 + program.dynamics.layout.size)
    return _live(recorder, program.dynamics, x, observe, program.assembly.redundant, held=held)


def _live(
    recorder: Recorder,
    dynamics: Dynamics,
    x: Sequence[Node],
    observe: Sequence[str],
    redundant: int,
    beginning: Functions | None = None,
    *,
    held: bool,
) -> LiveTapes:
    """The functions of the inputs x, to which the recorder's earlier inputs are known; those of `beginning` compute
    a start."""
    layout, dimension = dynamics.layout, dynamics.model.dimension
    pull = pulling(dimension, layout.nq) if held else 0
    parts = {field.name: getattr(dynamics, field.name) for field in fields(Dynamics)}
    pulled = HeldAngles(**parts, pull=recorder.inputs(pull)) if held else dynamics
    drawn: Functions = {"frames": _frames(dynamics, x[1:][layout.of_q])} if held else {}
    seen = observed(dynamics, observe, x)
    pattern = checked_rows(dynamics)
    functions: dict[str, Sequence[Scalar]] = {
        **(beginning or {}),
        **({"drawn": _drawn_points(dynamics.model)} if beginning and held else {}),
        "derivative": _where_determined(pulled, x),
        "project": dynamics.project(x),
        "observe": [*seen[: len(observe)], *seen[-CHECKED:]],
        **drawn,
        "gradients": dynamics.gradients(x) if pattern else [],
        "switches": efforts(dynamics, x),
    }
    early = () if not beginning else ("guess", "drawn") if held else ("guess",)
    found = in_stages(recorder, functions, early, tail=pull)
    if held:
        recorder.sizes.pop()  # the pull belongs to the page
    tapes = {"setup": replace(found.setup, sizes=(found.setup.inputs, 0)), **found.tapes}
    kinks = find_kinks(tapes["switches"])
    tapes["switches"] = kinks.position_tape()
    if not held:
        tapes["indicators"] = kinks.value_tape()
    if pattern:
        tapes |= side_tapes(pattern, redundant)
    else:
        del tapes["gradients"]
    return LiveTapes(tapes, found.count, pull, pattern)


def _where_determined(dynamics: Dynamics, x: Sequence[Node]) -> list[Scalar]:
    """The rates, which are infinite where the equations for friction and reactions may not have a unique solution, or
    were not solved accurately: the motion ends there."""
    rates = dynamics.derivative(x)
    if not dynamics.bearings:
        return rates
    safe = dynamics.bearing(dynamics.state(x)).margin()
    beyond = 1.0 / where(safe, 1.0, 0.0) - 1.0
    return [rate + beyond for rate in rates]


def _drawn_points(model: Model) -> list[Scalar]:
    """All points in the axes of their bodies, then the centres of mass."""
    points = [x for place in model.points.values() for x in place]
    return points + [x for body in model.bodies for x in body.mass_center(model.dimension)]


def _frames(dynamics: Dynamics, q: Sequence[Scalar]) -> list[Scalar]:
    system, found = dynamics.system, []
    for body in system.model.bodies:
        frame = system.frames[body.name]
        vectors = [(frame.origin, frame.origin_local), *zip(frame.directions, frame.directions_local, strict=True)]
        for forms, local in vectors:
            found += [*(form.at(q) for form in forms), *local]
    return found

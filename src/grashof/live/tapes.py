"""The functions of a live mechanism, of x = [t, q, v, e] and of coefficients c.

    setup, place, keep, launch    as for a mechanism with open numbers (see `program.open_code`), in natural
                                  coordinates; absent if none are open. The set-up also gives all points and the
                                  centres of mass in the axes of their bodies
    own                           a state in the coordinates of the motion, of one in natural coordinates; absent, too
    seen                          the coordinates and velocities in natural coordinates
    derivative, project           as for the motion, with the pull of a hand added to the forces
    gradients, sides, far         checks of steps (see `integrate.lanes.sides`), if constraints can become dependent
    switches                      positions of the switches of forces and laws (see `changes.kinks`)
    indicators                    values whose signs these are, if they depend on the motion
    observe                       the given quantities; then those by which runs are checked (see
                                  `quantities.energy_balance`)
    frames                        for each body one of its points and its directions (see
                                  `formulation.natural.coordinates`), each followed by the same vector in the body's own
                                  axes

A hand pulls at a point P = Σ w p of one of the bodies, where p are its vectors in `frames`, with the force
k (target − P) − d Ṗ. Its numbers follow the coefficients:

    k, d, target (dimension), w of all bodies (see `live.poses`)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from grashof.changes.kinks import find_kinks
from grashof.changes.time_dependence import efforts
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Form
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.system import System
from grashof.formulation.protocol import Formulation
from grashof.integrate.lanes import checked_rows
from grashof.model.model import Model
from grashof.program import Program
from grashof.program.observe import observed
from grashof.program.open_code import Functions, OpenCode, OpenEquations, in_stages
from grashof.quantities.energy_balance import CHECKED
from grashof.scalar.functions import Scalar, where
from grashof.singular.sides import Pattern, side_tapes
from grashof.tape import Tape
from grashof.tape.node import Node, Recorder


@dataclass(frozen=True, eq=False)
class PulledDynamics(Dynamics):
    """A mechanism that is pulled by a hand.

    pull   k, d, target, w
    """

    pull: Sequence[Scalar]

    def loads(self, motion: SystemState) -> Iterator[tuple[int, Scalar]]:
        """All loads, including the force of the hand."""
        yield from super().loads(motion)
        size, (k, d, *rest) = self.system.dimension, self.pull
        vectors = [vector for body in self.model.bodies for vector in _vectors(self.system, body.name)]
        weights = rest[size:]
        for axis in range(size):
            place: Scalar = 0.0
            speed: Scalar = 0.0
            for w, vector in zip(weights, vectors, strict=True):
                place = place + w * vector[axis].at(motion.q)
                speed = speed + w * vector[axis].rate(motion.v)
            force = k * (rest[axis] - place) - d * speed
            for w, vector in zip(weights, vectors, strict=True):
                for i, factor in vector[axis].terms.items():
                    yield i, w * factor * force


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
    return _live(found.recorder, found.running, found.x, opened.observes, opened.redundant, found, held=held)


def plain_tapes(program: Program, observe: Sequence[str], *, held: bool = True) -> LiveTapes:
    """The functions of a mechanism without open numbers; `held` as in `open_tapes`."""
    recorder = Recorder(inline=True)
    recorder.inputs(0)
    x = recorder.inputs(1 + program.formulation.layout.size)
    return _live(recorder, program.formulation, x, observe, program.redundant, held=held)


def _live(
    recorder: Recorder,
    running: Formulation,
    inputs: Sequence[Node],
    observe: Sequence[str],
    redundant: int,
    opened: OpenEquations | None = None,
    *,
    held: bool,
) -> LiveTapes:
    """The functions of the inputs, which begin with x = [t, y], and to which the recorder's earlier inputs are known;
    `opened` computes a start."""
    x, dynamics = inputs[: 1 + running.layout.size], running.natural
    pull, pulled = 0, running
    if held:
        weights = sum(len(_vectors(dynamics.system, body.name)) for body in dynamics.model.bodies)
        pull = 2 + dynamics.model.dimension + weights
        parts = {field.name: getattr(dynamics, field.name) for field in fields(Dynamics)}
        pulled = running.over(PulledDynamics(**parts, pull=recorder.inputs(pull)))
    state, beginning = running.state(x), opened.beginning() if opened else None
    drawn: Functions = {"frames": _frames(dynamics, state.q)} if held else {}
    seen = observed(running, observe, x)
    pattern = checked_rows(running)
    functions: dict[str, Sequence[Scalar]] = {
        **(beginning or {}),
        **({"own": running.own_state(opened.state)} if opened else {}),
        **({"drawn": _drawn_points(dynamics.model)} if beginning and held else {}),
        "seen": [*state.q, *state.v],
        "derivative": _where_determined(pulled, x),
        "project": running.project(x),
        "observe": [*seen[: len(observe)], *seen[-CHECKED:]],
        **drawn,
        "gradients": running.gradients(x) if pattern else [],
        "switches": efforts(dynamics, [x[0], *state.q, *state.v, *x[1:][running.layout.of_e]]),
    }
    early = () if not beginning else ("guess", "drawn") if held else ("guess",)
    found = in_stages(recorder, functions, early, tail=pull)
    if held:
        recorder.sizes.pop()  # the pull belongs to the page
    own = opened.with_own_inputs(found.tapes) if opened else found.tapes
    tapes = {"setup": replace(found.setup, sizes=(found.setup.inputs, 0)), **own}
    kinks = find_kinks(tapes["switches"])
    tapes["switches"] = kinks.position_tape()
    tapes["indicators"] = kinks.value_tape()
    if pattern:
        tapes |= side_tapes(pattern, redundant)
    else:
        del tapes["gradients"]
    return LiveTapes(tapes, found.count, pull, pattern)


def _where_determined(running: Formulation, x: Sequence[Node]) -> list[Scalar]:
    """The rates, which are infinite where they are not known, such as where the equations for friction and reactions
    may not have a unique solution: the motion ends there."""
    rates, certainty = list(running.derivative(x)), running.certainty(x)
    if isinstance(certainty, float):
        return rates
    beyond = 1.0 / where(certainty, 1.0, 0.0) - 1.0
    return [rate + beyond for rate in rates]


def _drawn_points(model: Model) -> list[Scalar]:
    """All points in the axes of their bodies, then the centres of mass."""
    points = [x for place in model.points.values() for x in place]
    return points + [x for body in model.bodies for x in body.mass_center(model.dimension)]


def _vectors(system: System, body: str) -> list[list[Form]]:
    """The point of a body and its directions, in the order of `live.poses`; in the plane with a second direction."""
    frame = system.frames[body]
    found = [frame.origin, *frame.directions]
    if system.dimension == 2 and frame.directions:
        x, y = frame.directions[0]
        found.append([y.scaled(-1.0), x])
    return found


def _frames(dynamics: Dynamics, q: Sequence[Scalar]) -> list[Scalar]:
    system, found = dynamics.system, []
    for body in system.model.bodies:
        frame = system.frames[body.name]
        vectors = [(frame.origin, frame.origin_local), *zip(frame.directions, frame.directions_local, strict=True)]
        for forms, local in vectors:
            found += [*(form.at(q) for form in forms), *local]
    return found

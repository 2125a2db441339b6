"""The bicycle in two derivations: by eight coordinates with the equations of rolling, and by its four bodies.

Both use axes with x forward, y to the left and z up, those of the problem turned by half a turn about x: angles about x
keep their signs, products of inertia x–z change theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, getcontext, localcontext

import numpy as np

from grashof.precise.collocation import integrate_second_order
from grashof.precise.derivation import Columns, Derivations
from grashof.precise.extrapolation import Done, State, integrate
from grashof.precise.jets import (
    Jet,
    JetBody,
    JetSystem,
    JetWheel,
    accelerate,
    apply,
    coordinates,
    kinetic,
    plus,
    times,
    times_vector,
    turn,
)
from grashof.precise.pins import ZERO
from grashof.precise.rigid import AXES, SENTENCE, Now, Rigid, RigidBody, Roll, hinge
from grashof.precise.trigonometry import pi, sine_and_cosine
from grashof.precise.twofold import Data, Row, angle_of
from grashof.problems.base import Case
from grashof.problems.bicycle.case import BODIES, columns_of, data_of, mechanism
from grashof.problems.certified import effect_by_simulation

DIGITS, GUARD, STEP, STAGES = 15, 12, "0.01", 6
NAMES = tuple(column.name for column in columns_of("M1")[1:])
VARY = ("g", "base", "trail", "tilts", "r_rear", "r_front", "m_frame", "x_frame", "z_frame", "speed", "rate")


def derivations(case: Case) -> Derivations:
    return derive(case.variant)


def derive(manoeuvre: str) -> Derivations:
    data = data_of(manoeuvre)

    def first(times: Sequence[str]) -> Columns:
        with localcontext(prec=DIGITS + GUARD):
            return by_coordinates(numbers(data), [Decimal(time) for time in times])

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=DIGITS + GUARD):
            return by_bodies(numbers(data), [Decimal(time) for time in times], done)

    def effect(times: Sequence[str], columns: Columns) -> dict[str, np.ndarray]:
        return effect_by_simulation(mechanism, data, VARY, columns_of(manoeuvre)[1:], times)

    words = (
        "First: place, heading, roll and pitch of the frame, steer angle and the turning of both wheels, with the "
        f"equations of rolling, integrated by collocation at Gauss points (order {2 * STAGES}) with {DIGITS} digits in "
        "decimal floating point.",
        SENTENCE.format(DIGITS),
    )
    return Derivations(first, second, effect, words, ", ".join([*VARY, "the time"]))


def numbers(data: Mapping[str, str]) -> Data:
    """The data, with π."""
    found = {name: Decimal(text) for name, text in data.items()}
    return found | {"tilt": pi(getcontext().prec + 10) / found["tilts"]}


def _inertia(data: Data, name: str) -> list[Row]:
    xx, yy, zz, xz = (data[f"{axes}_{name}"] for axes in ("xx", "yy", "zz", "xz"))
    return [[xx, ZERO, -xz], [ZERO, yy, ZERO], [-xz, ZERO, zz]]


def _column(data: Data) -> tuple[list[Row], list[Row]]:
    """The axes of the steering column, whose z points up along it, as a rotation; and the fork's inertia in them."""
    s, c = sine_and_cosine(data["tilt"])
    axes = [[c, ZERO, -s], [ZERO, Decimal(1), ZERO], [s, ZERO, c]]
    inertia = _inertia(data, "fork")
    across = list(zip(*axes, strict=True))
    half = [times_vector(inertia, column) for column in across]
    return axes, [[sum((a * b for a, b in zip(p, q, strict=True)), ZERO) for q in half] for p in across]


def _in_column(axes: Sequence[Row], x: Sequence[Decimal]) -> Row:
    """A vector of the upright bicycle in the axes of the steering column."""
    return times_vector(list(zip(*axes, strict=True)), x)


def _head(data: Data) -> Row:
    """A point of the steer axis: where it meets the road."""
    return [data["base"] + data["trail"], ZERO, ZERO]


def _rest(data: Data, name: str) -> Row:
    """The centre of a body of the upright bicycle."""
    return [data[f"x_{name}"], ZERO, -data[f"z_{name}"]]


def _minus(x: Sequence[Decimal], y: Sequence[Decimal]) -> Row:
    return [a - b for a, b in zip(x, y, strict=True)]


def _row(data: Data, roll: tuple[Decimal, Decimal, Decimal], spin: Decimal, energies: Row, steer: Row) -> list[Decimal]:
    """The official columns: roll from its sine, cosine and the rate of the sine."""
    sine, cosine, change = roll
    return [angle_of(sine, cosine), change / cosine, data["r_rear"] * spin, *energies, sum(energies, ZERO), *steer]


def in_coordinates(data: Data) -> Callable[[Sequence[Jet]], JetSystem]:
    """Rear hub x, y; heading ψ, roll φ, pitch θ: R = Rz(ψ) Rx(φ) Ry(θ); steer δ to the right; turning of the wheels."""
    axes, fork_inertia = _column(data)
    hubs = {"rear": [ZERO, ZERO, data["r_rear"]], "front": [data["base"], ZERO, data["r_front"]]}
    gravity = (ZERO, ZERO, -data["g"])

    def describe(q: Sequence[Jet]) -> JetSystem:
        x, y, heading, roll, pitch, steer, rear, front = q
        frame = times(times(turn("z", heading), turn("x", roll)), turn("y", pitch))
        hub = (x, y, data["r_rear"] * roll.sine_and_cosine()[1])
        head = plus(hub, apply(frame, _minus(_head(data), hubs["rear"])))
        fork = times(times(frame, axes), turn("z", -steer))

        def steered(place: Row) -> list[Jet | Decimal | int]:
            return plus(head, apply(fork, _in_column(axes, _minus(place, _head(data)))))

        turned = times(fork, list(zip(*axes, strict=True)))
        bodies = [
            JetBody(data["m_rear"], _inertia(data, "rear"), hub, times(frame, turn("y", rear))),
            JetBody(
                data["m_frame"],
                _inertia(data, "frame"),
                plus(hub, apply(frame, _minus(_rest(data, "frame"), hubs["rear"]))),
                frame,
            ),
            JetBody(data["m_fork"], fork_inertia, steered(_rest(data, "fork")), fork),
            JetBody(data["m_front"], _inertia(data, "front"), steered(hubs["front"]), times(turned, turn("y", front))),
        ]
        return JetSystem(
            bodies, wheels=[JetWheel(0, data["r_rear"]), JetWheel(3, data["r_front"])], gravity=gravity, rank=5
        )

    return describe


def by_coordinates(data: Data, moments: Sequence[Decimal]) -> Columns:
    """The official columns from the coordinates."""
    describe = in_coordinates(data)

    def acceleration(t: Decimal, q: Row, v: Row) -> Row:
        return accelerate(describe(coordinates(q, v)), 8)

    speed, rate = data["speed"], data["rate"]
    start = [speed, -rate * data["r_rear"], ZERO, rate, ZERO, ZERO, speed / data["r_rear"], speed / data["r_front"]]
    rows = []
    for q, v in integrate_second_order(
        acceleration, [ZERO] * 8, start, moments, Decimal(STEP), DIGITS + 2, stages=STAGES
    ):
        bodies = describe(coordinates(q, v)).bodies
        height = [x.x for x in (body.centre[2] for body in bodies) if isinstance(x, Jet)]
        weight = sum((body.mass * data["g"] * z for body, z in zip(bodies, height, strict=True)), ZERO)
        sine, cosine = sine_and_cosine(q[3])
        rows.append(_row(data, (sine, cosine, cosine * v[3]), v[6], [weight, kinetic(bodies, 8)], [q[5], v[5]]))
    return dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))


def by_bodies(data: Data, moments: Sequence[Decimal], done: Done) -> Columns:
    """Rear wheel, frame, fork and front wheel with three hinges and two equations of rolling."""
    axes, fork_inertia = _column(data)
    column = [list(row) for row in zip(*axes, strict=True)]  # rows: its axes
    hubs = {"rear": [ZERO, ZERO, data["r_rear"]], "front": [data["base"], ZERO, data["r_front"]]}
    rest = {name: _rest(data, name) for name in BODIES}
    x_axis, y_axis, z_axis = AXES
    origin = (ZERO, ZERO, ZERO)
    to_front = _in_column(axes, _minus(hubs["front"], rest["fork"]))
    to_head = _in_column(axes, _minus(_head(data), rest["fork"]))
    rules = (
        *hinge(1, _minus(hubs["rear"], rest["frame"]), 0, origin, y_axis, (x_axis, z_axis)),
        *hinge(2, to_front, 3, origin, y_axis, (x_axis, z_axis)),
        *hinge(2, to_head, 1, _minus(_head(data), rest["frame"]), z_axis, (column[0], column[1])),
        Roll(0, data["r_rear"]),
        Roll(3, data["r_front"]),
    )
    inertias = {name: fork_inertia if name == "fork" else _inertia(data, name) for name in BODIES}
    system = Rigid([RigidBody(data[f"m_{name}"], inertias[name]) for name in BODIES], rules, (ZERO, ZERO, -data["g"]))
    s, c = sine_and_cosine(data["tilt"] / 2)
    speed, rate = data["speed"], data["rate"]
    start: State = []
    for name in BODIES:
        spin = {"rear": speed / data["r_rear"], "front": speed / data["r_front"]}.get(name, ZERO)
        omega, attitude = [rate, spin, ZERO], [Decimal(1), ZERO, ZERO, ZERO]
        if name == "fork":
            omega, attitude = _in_column(axes, omega), [c, ZERO, -s, ZERO]
        start += [*rest[name], *attitude, speed, -rate * rest[name][2], ZERO, *omega]

    def observe(state: State) -> list[Decimal]:
        at = system.at(state)
        rear, frame, fork = (at[i] for i in range(3))
        axle = [row[1] for row in frame.a]
        sine = axle[2]
        cosine = (1 - sine * sine).sqrt()
        change = frame.world((-frame.w[2], ZERO, frame.w[0]))[2]  # ω × axle
        up = frame.world(column[2])
        side = frame.world(column[1])
        # the fork's y axis, turned to the right about the column
        forward = frame.world(column[0])
        own = [row[1] for row in fork.a]
        steer = angle_of(_inner(own, forward), _inner(own, side))
        turning = _inner(_minus(_world_rate(frame), _world_rate(fork)), up)
        spin = rear.w[1] - frame.w[1]
        weight = sum((data[f"m_{name}"] * data["g"] * at[i].r[2] for i, name in enumerate(BODIES)), ZERO)
        return _row(data, (sine, cosine, change), spin, [weight, system.kinetic(at)], [steer, turning])

    rows = [observe(state) for state in integrate(system.slope(), start, moments, DIGITS, done)]
    return dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True))


def _inner(x: Sequence[Decimal], y: Sequence[Decimal]) -> Decimal:
    return sum((a * b for a, b in zip(x, y, strict=True)), ZERO)


def _world_rate(body: Now) -> Row:
    return body.world(body.w)

"""Ranges of joints and transmission angles along the path of a linkage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.formulation.natural.state import SystemState
from grashof.questions.equations import Array
from grashof.questions.four_bars import FourBar, point_on
from grashof.questions.joint_motions import JointMotion
from grashof.questions.way import Reading, Way
from grashof.scalar import atan2
from grashof.scalar.jet import Jet


@dataclass(frozen=True)
class ExtremeValue:
    """Where a joint reverses: its value there (rad or m), and the place on the path (step, fraction of it)."""

    value: float
    step: int
    part: float


@dataclass(frozen=True)
class JointRange:
    """The range of a joint. A motor in this joint cannot pass its dead centres.

    low, high      rad or m; infinite if the path continues beyond where it was followed
    turns          signed number of whole turns on a closed path; 0 if the joint moves back and forth
    dead_centres   where it reverses
    """

    name: str
    bodies: tuple[str, str]
    unit: str
    low: float
    high: float
    turns: int
    dead_centres: tuple[ExtremeValue, ...]

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest value."""
        return self.low, self.high

    def __str__(self) -> str:
        of = f"'{self.name}' ({self.bodies[0]}–{self.bodies[1]})"
        if not np.isfinite(self.high - self.low):
            return f"{of}: unlimited, as far as it was followed"
        if self.high - self.low <= 1e-9 * max(abs(self.low), abs(self.high), 1e-9):
            return f"{of}: does not move"
        span = _interval(self.low, self.high, self.unit)
        back = (
            f", dead centres at {', '.join(f'{x.value:.6g}' for x in self.dead_centres)}" if self.dead_centres else ""
        )
        if self.turns:
            return f"{of}: turns fully{back}"
        return f"{of}: {span}{back}"


@dataclass(frozen=True)
class TransmissionAngle:
    """The angle between coupler and output of a four-bar along the path, 0 to π: at π/2 the coupler drives the
    output best."""

    four_bar: FourBar
    low: float
    high: float

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest value."""
        return self.low, self.high

    @property
    def worst(self) -> float:
        """The least angle between the lines of coupler and output, rad: 0 where the coupler cannot drive the output."""
        return min(self.low, np.pi - self.high)

    def __str__(self) -> str:
        _, driving, coupler, output = self.four_bar.bodies
        return (
            f"transmission angle at '{self.four_bar.joints[2]}' (input '{driving}', coupler '{coupler}', output "
            f"'{output}'): {_interval(self.low, self.high, 'rad')}, at worst {np.degrees(self.worst):.2f}°"
        )


def joint_range(way: Way, joint: JointMotion) -> JointRange:
    """The range of a joint, its whole turns and its dead centres."""
    system, winds = way.equations.system, joint.unit == "rad"

    def read(q: Array, turns: Array, along: Array) -> tuple[float, float]:
        return joint.read(SystemState(system, way.time, q.tolist(), along.tolist()))

    values, extremes = _course(way, read, winds, 1e-9 * (1.0 if winds else system.length))
    turns = round((values[-1] - values[0]) / (2.0 * np.pi)) if way.closed and winds else 0
    everything = [*values.tolist(), *(x.value for x in extremes)]
    low, high = min(everything), max(everything)
    if not way.closed and high > low:  # an extreme value at an end of the path is not a limit
        ends = (values[0], values[-1])
        low, high = -np.inf if low in ends else low, np.inf if high in ends else high
    return JointRange(joint.name, joint.bodies, joint.unit, low, high, turns, tuple(extremes))


def _course(way: Way, read: Reading, winds: bool, still: float) -> tuple[Array, list[ExtremeValue]]:
    """A quantity at all positions of the path, angles with whole turns, and where it reverses if it moves by more
    than `still`."""
    values = np.array([read(*row)[0] for row in zip(way.q, way.turns, way.along, strict=True)])
    if winds:
        values = np.unwrap(values)
    if np.ptp(values) <= still:
        return np.full(values.shape, values[0]), []
    extremes = []
    for step, part, value in way.extremes(read):
        ahead = value - values[step]
        if winds:
            ahead = float(np.angle(np.exp(1j * ahead)))
        extremes.append(ExtremeValue(float(values[step] + ahead), step, part))
    return values, extremes


def transmission_of(way: Way, four_bar: FourBar) -> TransmissionAngle:
    """The extremes of the angle between the coupler and the output of a four-bar."""
    system = way.equations.system
    joints = {joint.name: joint for joint in system.model.joints}
    _, _, coupler, output = four_bar.bodies
    into, pin, out = (joints[name] for name in four_bar.joints[1:])
    places = [(point_on(pin, coupler), point_on(into, coupler)), (point_on(pin, output), point_on(out, output))]

    def angle(q: Array, turns: Array, along: Array) -> tuple[float, float]:
        motion = SystemState(system, way.time, q.tolist(), along.tolist())
        (ax, ay), (bx, by) = (
            [x - y for x, y in zip(motion.point(end), motion.point(at), strict=True)] for at, end in places
        )
        found: Jet = atan2(ax * by - ay * bx, ax * bx + ay * by)
        return float(found.value), float(found.first)

    signed, extremes = _course(way, angle, True, 1e-9)
    everything = [*signed.tolist(), *(x.value for x in extremes)]
    low, high = min(everything), max(everything)
    # folded to 0 … π: at each multiple of π in between both lines coincide
    folded = [float(np.arccos(np.cos(x))) for x in (low, high)]
    passed = range(int(np.ceil(low / np.pi)), int(np.floor(high / np.pi)) + 1)
    ends = [0.0 if k % 2 == 0 else np.pi for k in passed]
    return TransmissionAngle(four_bar, min([*folded, *ends]), max([*folded, *ends]))


def _interval(low: float, high: float, unit: str) -> str:
    text = f"{low:.6g} to {high:.6g} {unit}"
    return f"{text} ({np.degrees(low):.2f}° to {np.degrees(high):.2f}°)" if unit == "rad" else text

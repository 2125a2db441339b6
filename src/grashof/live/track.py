"""One run of a live page in memory: its layout, its settings, and the run inside the kernels that work on it."""

from __future__ import annotations

from ctypes import c_double, c_int64, sizeof
from dataclasses import dataclass, field
from functools import cached_property

from grashof.integrate.kernel import Kernel, offsets
from grashof.integrate.lanes.control import LaneControl
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Array, Record, Value

REMEMBERED = 60
"""Number of states before the present one that are examined where a singular position may be near."""

FAR = 1e9
"""A time after all others, s."""

ROOM = 64
"""Largest number of stops at the same time, beside those of laws of time."""

CAUSES = ("SUCCESS", "STEP_TOO_SMALL", "NOT_FINITE", "CONSTRAINTS_UNMET", "TOO_MANY_STEPS", "ATTENTION")
"""The codes of trouble; those of rejected steps are numbered as in `integrate.control`."""

TOO_MANY_STEPS, ATTENTION = 4, 5


class TrackControl(LaneControl):
    """State of a run between two steps."""

    _fields_ = (  # type: ignore[assignment]  # they come behind those of runs in lanes
        ("direction", c_double),  # 1 towards later times, -1 towards earlier ones
        ("trouble", c_int64),  # why the run does not go on, see CAUSES
        ("stepped", c_int64),  # 1 if `past` is the last step
        ("stops", c_int64),  # number of stops ahead
        ("retries", c_int64),
        ("remembered", c_int64),  # number of states remembered
        ("newest", c_int64),  # where the last of them is
        ("found", c_int64),  # result of a search: 1 if there is what was searched for
        ("value", c_double),  # result of a search
        ("first", c_double),  # times of the first change of an expression in a step, and of the last one, s
        ("last", c_double),
        ("before", c_double),  # times around the first change behind the beginning of the step, s
        ("behind", c_double),
    )


@dataclass(frozen=True)
class TrackSpace:
    """The layout of a run in memory, and its settings.

    work       the layout of the workspaces: of the next step, and of the last one
    length     the mechanism's length, m
    weights    weights of the extra states that are not works
    span       duration of a run, s
    longest    longest step, s
    finest     smallest tolerance of steps
    attentive  whether singular positions are searched for
    stops      times at which steps must end, each with the time at which the motion continues
    switches   number of conditions on which forces and laws change expressions
    signs      number of values whose signs these are, if they depend on the motion
    looked     number of times within a step at which these are evaluated as well
    """

    work: Workspace
    length: float
    weights: list[float]
    span: float
    longest: float
    finest: float
    attentive: bool
    stops: list[tuple[float, float]] = field(default_factory=list)
    switches: int = 0
    signs: int = 0
    looked: int = 0

    @property
    def point(self) -> int:
        """Number of components of x = [t, q, v, e]."""
        return 1 + self.work.sizes.size

    @cached_property
    def places(self) -> dict[str, int]:
        """Offsets of the control, the workspaces, the states remembered, the stops ahead (the next one last), the
        positions of the switches, and the values whose signs they are."""
        return offsets(
            {
                "control": sizeof(TrackControl) // 8,
                "work": self.work.places["all"],
                "past": self.work.places["all"],
                "states": REMEMBERED * self.point,
                "stops": 2 * (len(self.stops) + ROOM),
                "seen": (self.looked + 2) * self.switches,
                "signs": (self.looked + 4) * self.signs,
                "probe": max(self.switches, self.signs),
            }
        )


class Track:
    """A run inside a kernel."""

    def __init__(self, k: Kernel, space: TrackSpace, place: Array) -> None:
        self.kernel, self.space, self.place = k, space, place
        self.control = Record(k, place.place, TrackControl)
        self.work, self.past, self.states, self.stops, self.seen, self.signs, self.probe = (
            place.at(space.places[name]) for name in ("work", "past", "states", "stops", "seen", "signs", "probe")
        )
        self.step, self.last = Step(k, space.work, self.work), Step(k, space.work, self.past)

    @property
    def others(self) -> Array:
        """The weights of extra states."""
        return self.step.weights.at(self.space.work.sizes.of_a.stop)

    @property
    def time(self) -> Value:
        """The time that was reached, s."""
        return self.step.start[0]

    def call(self, name: str, *arguments: Value | Array) -> None:
        """Calls one of the functions of this module."""
        self.kernel.call(name, self.place, *arguments)

    def look_inside(self, time: Value) -> None:
        """Computes the state at a time within the last step, `last.inside`."""
        self.kernel.call("inside", self.control, self.past, time)

    def push_stop(self, left: Value, right: Value) -> None:
        """Makes a time the next stop."""
        c, top = self.control, self.stops.at(self.control.stops * 2)
        top[0], top[1] = left, right
        c.stops += 1

    def forget(self) -> None:
        """Forgets the newest of the states remembered."""
        k, c = self.kernel, self.control
        with k.when(c.remembered > 0):
            c.remembered -= 1
            c.newest = k.choose(c.newest > 0, c.newest - 1, k.constant(REMEMBERED - 1, "i64"))

    def remember(self) -> None:
        """Remembers the present state."""
        k, c = self.kernel, self.control
        following = c.newest + 1
        c.newest = k.choose(following < REMEMBERED, following, k.constant(0, "i64"))
        c.remembered = k.choose(c.remembered < REMEMBERED, c.remembered + 1, c.remembered)
        k.copy(self.step.start, self.states.at(c.newest * self.space.point), self.space.point)

    def return_to_start(self) -> None:
        """Goes back to the beginning of the last step."""
        self.forget()
        self.kernel.copy(self.last.start, self.step.start, self.space.point)
        self.call("restart_track")


def begin_kernel(name: str, space: TrackSpace) -> tuple[Kernel, Track, Record]:
    """A function whose first argument is a run."""
    k = space.work.kernel(name)
    track = Track(k, space, k.array("track"))
    return k, track, track.control

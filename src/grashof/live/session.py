"""A live mechanism between the calls of its page, as native code.

    restart(memory)                                        puts it together with the numbers in `values`, and begins
                                                           anew
    run_to(memory, to)                                     integrates to a time, forwards or backwards
    begin_again(memory)                                    begins at the present state, after a change
    pull(memory, body, stiffness), release(memory)         a hand pulls at the point `own` of a body towards `target`,
                                                           with a spring; it lets go
    pose(memory)                                           computes the present poses
    turn_motor(memory, kept, integrated, by, strides)      moves what a motor of given speed holds, as a hand on its
                                                           shaft does

Two runs with step tolerances a factor apart go side by side, as in `grashof.simulate`: their difference estimates the
error over the whole run. Where it exceeds the tolerance, both are made again with finer steps; if that does not help,
`doubt` says so.
"""

from __future__ import annotations

from ctypes import Structure, c_double, sizeof
from dataclasses import dataclass
from functools import cached_property
from math import inf

from grashof.integrate.kernel import Kernel, offsets, table
from grashof.integrate.start_path import StartPath
from grashof.integrate.values import Array, Record, Value
from grashof.live.driving import track_ir
from grashof.live.poses import POSE, PoseSpace
from grashof.live.track import CAUSES, Track, TrackSpace
from grashof.quantities.energy_balance import CHECKED, EXTREMES

DAMPED = 0.5
"""The damping of a pull, relative to what would just not let the heaviest part of the mechanism swing."""

ROUNDS, DEAR = 3, 20_000
"""Largest number of runs with finer steps until the estimated error is within the tolerance, and of their steps, so
that a page does not stand still."""

TURN = 0.02
"""Angle, rad, or distance, in lengths of the mechanism, by which a motor is moved at once."""

FOLLOWED, CLOSED = 3, 1e-9
"""How often the joints are closed again then, and what they may miss by, in lengths."""

CODES = (*CAUSES, "TOLERANCE_UNMET", "INACCURATE", "NOT_ASSEMBLED", "END_OF_LAWS")
"""The codes of outcomes, by number."""

SUCCESS, NOT_FINITE, CONSTRAINTS_UNMET = 0, 2, 3
TOLERANCE_UNMET, INACCURATE, NOT_ASSEMBLED, END_OF_LAWS = range(len(CAUSES), len(CODES))

TINY = 1e-300
"""Avoids division by zero where nothing moves."""


class SessionControl(Structure):
    """What the page can read, and what is kept between its calls."""

    _fields_ = (
        ("code", c_double),  # how the last call ended, see CODES
        ("doubt", c_double),  # the code of a doubt about the motion; 0 if there is none
        ("doubtful", c_double),  # when it arose, s
        ("estimate", c_double),  # estimated error since the start or the last change
        ("mass", c_double),  # kg: mass·speed² is a kinetic energy
        ("pulled", c_double),  # 1 while a hand pulls
        ("direction", c_double),
        ("tolerance", c_double),  # of steps
        ("scale", c_double),  # of other limits on steps
        ("rounds", c_double),  # how often steps were made finer
        ("started", c_double),  # 1 if a start was found
    )


@dataclass(frozen=True)
class SessionSpace:
    """The layout of a live mechanism in memory, and its settings.

    path       how a start is found, in natural coordinates; None if no numbers are open
    state      the nominal start x, from which runs begin if no numbers are open
    natural    number of natural coordinates and velocities
    mass       kg, at the nominal start
    count      number of coefficients, and of the numbers of a pull that follow them
    observed   number of quantities observed
    poses      the sizes of frames and poses
    step_tol   initial tolerance of steps
    earliest, latest   times between which laws of time are known, s; infinite if there are none
    tol                tolerance of the error over the whole run
    coarser, safety    factor between the tolerances of the two runs that are compared, and safety factor of the
                       estimate
    longer             the factor between other limits on their steps
    """

    track: TrackSpace
    path: StartPath | None
    state: list[float]
    natural: int
    mass: float
    count: int
    pull: int
    observed: int
    poses: PoseSpace
    tol: float
    step_tol: float
    coarser: float
    longer: float
    safety: float
    earliest: float
    latest: float

    @cached_property
    def places(self) -> dict[str, int]:
        """Offsets of all vectors; "all" is the total size."""
        return offsets({**self.sizes, "fine": self.track.places["all"], "coarse": self.track.places["all"]})

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Sizes of the vectors that the page can read."""
        path, point = self.path, self.track.point
        numbers, kept, begin = (path.numbers, len(path.kept), path.point) if path else (0, 0, 0)
        return {
            "control": sizeof(SessionControl) // 8,
            "x": point,
            "origin": point,
            "values": numbers,
            "numbers": numbers,
            "begun": begin,
            "kept": kept,
            "c": self.count + self.pull,
            "drawn": path.early - path.count - 2 * path.sizes.nq - 1 if path else 0,
            "observed": self.observed + CHECKED,
            "works": self.observed,
            "frames": self.poses.inputs,
            "poses": POSE * len(self.poses.directions) + 3 * len(self.poses.directions),
            "balance": EXTREMES + CHECKED,
            "balanced": EXTREMES + 2,
            "trial_x": max(point + 1, begin),
            "seen": self.natural,
            "seen_trial": self.natural,
            "trial_c": self.count + self.pull,
            "trial_kept": kept,
            "space": path.places["all"] if path else 0,
        }

    def blocks(self) -> dict[str, tuple[int, int]]:
        """Offsets and sizes of the vectors and numbers that the page reads and writes."""
        names = ("x", "values", "numbers", "drawn", "observed", "works")
        found = {name: (self.places[name], self.sizes[name]) for name in names}
        found["c"] = self.places["c"], self.count
        found["target"] = self.places["c"] + self.count + 2, self.poses.dimension
        found["own"] = self.places["frames"] + self.poses.inputs - 4, 3
        found["poses"] = self.places["poses"], POSE * len(self.poses.directions)
        fields = [name for name, _ in SessionControl._fields_]
        return found | {name: (fields.index(name), 1) for name in fields[:5]}

    @property
    def exports(self) -> list[str]:
        """The functions that the page calls."""
        return ["restart", "run_to", "pull", "release", "pose", *(["turn_motor"] if self.path else []), "observe"]

    def text(self) -> str:
        """The code of all functions."""
        parts = [
            _restart_ir,
            _begin_again_ir,
            _run_to_ir,
            _integrate_ir,
            _check_balance_ir,
            *([_pose_ir, _pull_ir, _release_ir] if self.pull else []),
        ]
        start = self.path.text() + _turn_motor_ir(self) if self.path else table("state", self.state)
        return track_ir(self.track) + start + "".join(part(self) for part in parts)


class Session:
    """A live mechanism inside a kernel."""

    def __init__(self, k: Kernel, space: SessionSpace) -> None:
        memory = k.array("memory")
        self.kernel, self.space, self.memory = k, space, memory
        self.control = Record(k, memory.place, SessionControl)
        self._places = {name: memory.at(offset) for name, offset in space.places.items()}
        self.x = self["x"]
        self.fine, self.coarse = (Track(k, space.track, self[name]) for name in ("fine", "coarse"))

    def __getitem__(self, name: str) -> Array:
        return self._places[name]

    def copy(self, source: str, target: str) -> None:
        """Copies a vector to another one."""
        self.kernel.copy(self[source], self[target], self.space.sizes[target])

    def put_addresses(self) -> None:
        """Enters the address of the coefficients where the runs look for it."""
        for track in (self.fine, self.coarse):
            for work in (track.work, track.past):
                work.put_address(self.space.track.work.address_of("coefficients"), self["c"])

    def end(self, code: int) -> None:
        """Ends the call."""
        self.control.code = code
        self.kernel.exit()

    def find_doubt(self, code: int) -> None:
        """Doubts the motion from the present time on, unless it is doubted already."""
        with self.kernel.when(self.control.doubt.equals(0.0)):
            self.control.doubt, self.control.doubtful = code, self.x[0]


def _begin(name: str, space: SessionSpace) -> tuple[Kernel, Session, Record]:
    k = space.track.work.kernel(name)
    session = Session(k, space)
    return k, session, session.control


def _restart_ir(space: SessionSpace) -> str:
    """`restart(memory)`; where the mechanism cannot be put together, everything stays as it is."""
    k, session, c = _begin("restart", space)
    path = space.path
    if path is None:
        k.copy(Array(k, "@state"), session.x, space.track.point)
        c.mass = space.mass
    else:
        trial = session["trial_x"], session["trial_c"], session["space"]
        found = session["space"].at(path.places["found"])
        k.call("find_start", session["values"], Array(k, "@nominal"), Array(k, "@begin_at"), *trial)
        with k.when(~found[0].equals(1.0) & c.started.equals(1.0)):
            k.call("find_start", session["values"], session["numbers"], session["begun"], *trial)
        with k.when(~found[0].equals(1.0)):
            session.end(NOT_ASSEMBLED)
        early = session["space"].at(path.places["early"] + path.count + 2 * path.sizes.nq)
        c.mass = early[0]
        k.copy(early.at(1), session["drawn"], space.sizes["drawn"])
        k.copy(session["space"].at(path.places["kept"]), session["kept"], len(path.kept))
        k.copy(session["trial_c"], session["c"], space.count)
        session.copy("trial_x", "begun")
        session.x[0] = session["begun"][0]
        k.call("own", session["begun"], session["c"], session.x.at(1))
        session.copy("values", "numbers")
    for i in k.each(space.pull):
        session["c"].at(space.count)[i] = 0.0
    session.put_addresses()
    c.started, c.pulled, c.direction, c.doubt = 1.0, 0.0, 1.0, 0.0
    c.tolerance, c.scale, c.rounds = space.step_tol, 1.0, 0.0
    k.call("begin_again", session.memory)
    k.copy(session["observed"], session["works"], space.observed)
    c.code = SUCCESS
    return k.text()


def _begin_again_ir(space: SessionSpace) -> str:
    """`begin_again(memory)`: both runs begin at the present state."""
    k, session, c = _begin("begin_again", space)
    session.copy("x", "origin")
    c.estimate = 0.0
    k.call("start_track", session["fine"], session.x, c.direction, c.tolerance, c.mass, c.scale, 2.0 + c.rounds)
    looser, longer = space.coarser * c.tolerance, space.longer * c.scale
    k.call("start_track", session["coarse"], session.x, c.direction, looser, c.mass, longer, 1.0 + c.rounds)
    k.call("observe", session.x, session["c"], session["observed"])
    kinetic, potential, done = (session["observed"][space.observed + i] for i in range(3))
    for i, number in enumerate((kinetic + potential - done, kinetic, potential, potential, done, done)):
        session["balance"][i] = number
    return k.text()


def _run_to_ir(space: SessionSpace) -> str:
    """`run_to(memory, to)`: where laws of time are not known so far, to the last time at which they are."""
    k, session, c = _begin("run_to", space)
    to = k.number("to")
    end = k.math("maxnum", k.math("minnum", to, space.latest), space.earliest)
    with k.when(~(k.math("fabs", end) < inf) | ~(to - to).equals(0.0)):
        session.end(NOT_FINITE)
    ahead = end - session.x[0]
    with k.when(~ahead.equals(0.0)):
        with k.when(~(ahead * c.direction > 0.0)):
            c.direction = k.math("copysign", 1.0, ahead)
            k.call("begin_again", session.memory)
        k.call("integrate", session.memory, end)
        with k.when(~c.code.equals(SUCCESS)):
            k.exit()
    with k.when(~end.equals(to)):
        session.end(END_OF_LAWS)
    c.code = SUCCESS
    return k.text()


def _integrate_ir(space: SessionSpace) -> str:
    """`integrate(memory, to)`: goes on to a time, with finer steps if the estimated error requires it."""
    k, session, c = _begin("integrate", space)
    to, fine, coarse, point = k.number("to"), session.fine, session.coarse, space.track.point
    left = k.local(k.constant(ROUNDS, "i64"))
    with k.forever():
        fine.call("drive", to)
        with k.when(~fine.control.trouble.equals(0)):
            with k.when((fine.time - session.x[0]) * c.direction > 0.0):
                k.copy(fine.step.start, session.x, point)
            c.code = k.real(fine.control.trouble)
            k.exit()
        fine.call("locate", to, session.x)
        with k.when(~k.are_finite(session.x, point)):
            session.end(NOT_FINITE)
        coarse.call("drive", to)
        c.estimate = inf
        with k.when(coarse.control.trouble.equals(0)):
            coarse.call("locate", to, session["trial_x"])
            with k.when(k.are_finite(session["trial_x"], point)):
                c.estimate = _difference(k, session)
        known = c.estimate <= space.tol
        dear = left.value.equals(0) | (fine.control.steps > DEAR) | ~c.doubt.equals(0.0)
        dear = dear | (c.tolerance < space.coarser * space.track.finest)
        with k.when(known | dear):
            with k.when(~known):
                session.find_doubt(TOLERANCE_UNMET)
            k.call("check_balance", session.memory)
            session.end(SUCCESS)
        left.value -= 1
        c.tolerance, c.scale, c.rounds = c.tolerance / space.coarser, c.scale / space.longer, c.rounds + 1.0
        session.copy("origin", "x")
        k.call("begin_again", session.memory)
    return k.text()


def _difference(k: Kernel, session: Session) -> Value:
    """The estimated error of the present state, by that of the coarser run."""
    space, fine = session.space, session.fine.control
    sizes, n = space.track.work.sizes, space.natural // 2
    speed, energy = (k.math("maxnum", scale, TINY) for scale in (fine.speed, fine.energy))
    most, first = k.constant(0.0), 1 + sizes.of_e.start
    k.call("seen", session.x, session["c"], session["seen"])
    k.call("seen", session["trial_x"], session["c"], session["seen_trial"])
    for begin, scale in ((0, k.constant(space.track.length)), (n, speed)):
        most = k.largest_difference(session["seen"].at(begin), session["seen_trial"].at(begin), n, scale, most)
    for count, scale in ((sizes.extra - sizes.works, k.constant(1.0)), (sizes.works, energy)):
        most = k.largest_difference(session.x.at(first), session["trial_x"].at(first), count, scale, most)
        first += count
    return (space.safety / space.coarser) * most


def _check_balance_ir(space: SessionSpace) -> str:
    """`check_balance(memory)`: whether energy changes only by work, and motors keep the angles that they prescribe;
    not judged while a hand pulls."""
    k, session, c = _begin("check_balance", space)
    with k.when(c.pulled.equals(0.0)):
        k.call("observe", session.x, session["c"], session["observed"])
        k.copy(session["observed"].at(space.observed), session["balance"].at(EXTREMES), CHECKED)
        k.call("balance", session["balance"], session["c"], session["balanced"])
        k.copy(session["balanced"], session["balance"], EXTREMES)
        margin, held = (session["balanced"][EXTREMES + i] for i in range(2))
        with k.when(~(held > 0.0)):
            session.find_doubt(CONSTRAINTS_UNMET)
        with k.when(margin < 0.0):
            session.find_doubt(INACCURATE)
        with k.when(~margin.equals(margin)):
            session.find_doubt(INACCURATE)
    return k.text()


def _pose_ir(space: SessionSpace) -> str:
    """`pose(memory)`"""
    k, session, _ = _begin("pose", space)
    bodies, frames = len(space.poses.directions), session["frames"]
    k.call("frames", session.x, session["c"], frames)
    k.call("poses", frames, session["c"], session["poses"])
    k.copy(session["poses"].at(POSE * bodies), frames.at(space.poses.frames), 3 * bodies)
    return k.text()


def _pull_ir(space: SessionSpace) -> str:
    """`pull(memory, body, stiffness)`: the point is a sum of the vectors of the body (see `live.tapes`)."""
    k, session, c = _begin("pull", space)
    body, stiffness = k.number("body"), k.number("stiffness")
    pull, frames = session["c"].at(space.count), session["frames"]
    k.call("frames", session.x, session["c"], frames)
    frames[space.poses.inputs - 1] = body
    k.call("weights", frames, session["c"], pull.at(2 + space.poses.dimension))
    pull[0], pull[1] = stiffness, 2.0 * DAMPED * k.math("sqrt", stiffness * k.math("maxnum", c.mass, 0.0))
    c.pulled = 1.0
    k.call("begin_again", session.memory)
    return k.text()


def _release_ir(space: SessionSpace) -> str:
    """`release(memory)`"""
    k, session, c = _begin("release", space)
    for i in k.each(space.pull):
        session["c"].at(space.count)[i] = 0.0
    c.pulled = 0.0
    k.call("begin_again", session.memory)
    return k.text()


def _turn_motor_ir(space: SessionSpace) -> str:
    """`turn_motor(memory, kept, integrated, by, strides)`: the mechanism follows in small strides, at the present
    time. Where the joints cannot follow, everything stays as it is."""
    k, session, c = _begin("turn_motor", space)
    path, point = space.path, space.track.point
    assert path is not None
    kept, integrated = k.integer(k.number("kept")), k.integer(k.number("integrated"))
    by, strides = k.number("by"), k.number("strides")
    x, sizes = session["trial_x"], space.track.work.sizes
    session.copy("c", "trial_c")
    session.copy("kept", "trial_kept")
    k.copy(session.x, x, point)
    part = by / strides
    for _ in k.count(k.integer(strides)):
        value = session["trial_kept"].at(kept)
        value[0] = value[0] + part
        with k.when(~(integrated < 0)):
            angle = x.at(1 + sizes.of_e.start).at(integrated)
            angle[0] = angle[0] + part
        numbers, held = session["numbers"], session["trial_kept"]
        k.call("set_up", numbers, numbers, k.constant(0.0), held, session["trial_c"], session["space"])
        for _ in range(FOLLOWED):
            out = session.fine.last.inside
            k.call("project", x, session["trial_c"], out)
            k.copy(out, x.at(1), sizes.size + 1)
        missed = x[point]
        with k.when(~(missed <= (CLOSED * path.length) ** 2) | ~k.are_finite(x, point)):
            session.end(CONSTRAINTS_UNMET)
    k.copy(x, session.x, point)
    k.copy(session["trial_c"], session["c"], space.count)
    session.copy("trial_kept", "kept")
    k.call("begin_again", session.memory)
    c.code = SUCCESS
    return k.text()

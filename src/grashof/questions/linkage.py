"""Analysis of planar linkages: joint ranges, Grashof class, dead centres, transmission angles, coupler curves,
instant centres."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError, did_you_mean
from grashof.common.notebook import report_html
from grashof.common.wording import count_of
from grashof.formulation.natural.closing import Positions, freedom_nearby, positions_nearby
from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.state import SystemState
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.masses import with_unit_masses
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.questions.assemblies import Assemblies, find_assemblies
from grashof.questions.centres import Centre, instant_centres
from grashof.questions.equations import Array, FullState, QuestionEquations, assemble_equations, start_point
from grashof.questions.four_bars import FourBar, find_four_bars
from grashof.questions.given import positions_over
from grashof.questions.joint_motions import JointMotion, driven_bodies, joint_motions
from grashof.questions.ranges import JointRange, TransmissionAngle, joint_range, transmission_of
from grashof.questions.way import Way, follow

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class PlanarLinkage:
    """A planar linkage without its motors. `print(linkage)` gives a report.

    freedom        degrees of freedom
    way            the path of all positions that it can reach, if it has one degree of freedom; else None
    joints         range of every pin, slider and slot along that path
    four_bars      loops of four pins, with their Grashof class
    transmissions  transmission angles of the four-bars whose frame is the ground
    """

    equations: QuestionEquations
    assembly: Assembly
    freedom: int
    way: Way | None
    joints: tuple[JointRange, ...]
    four_bars: tuple[FourBar, ...]
    transmissions: tuple[TransmissionAngle, ...]

    @property
    def model(self) -> Model:
        """The mechanism."""
        return self.equations.system.model

    @property
    def _moving(self) -> Way:
        if self.way is None:
            raise ModelError(
                f"Mechanism '{self.model.name}' has {self.freedom} degrees of freedom; ranges and curves are found for "
                "one degree of freedom only. Weld or couple joints until one is left."
            )
        return self.way

    def __getitem__(self, joint: str) -> JointRange:
        """The range of a joint, by its name."""
        known = {found.name: found for found in self.joints}
        if joint not in known:
            hint = did_you_mean(joint, known, at_most=3)
            raise ModelError(f"There is no joint '{joint}' in mechanism '{self.model.name}'; {hint}")
        return known[joint]

    def curve(self, point: str, count: int | None = None) -> Array:
        """The curve that a point such as `coupler.P` traces, (positions, 2), m.

        count   how many points; they are then spaced evenly along the curve, and lie exactly on it
        """
        if point not in self.model.points:
            hint = did_you_mean(point, self.model.points, at_most=3)
            raise ModelError(f"There is no point '{point}' in mechanism '{self.model.name}'; {hint}")
        q = list(self._moving.q.T)
        columns = [
            np.broadcast_to(np.asarray(form.at(q), float), len(self._moving.s))
            for form in self.equations.system.point(point)
        ]
        curve = np.column_stack(columns)
        return curve if count is None else self._evenly_spaced(point, curve, count)

    def _evenly_spaced(self, point: str, curve: Array, count: int) -> Array:
        """Points of a curve at equal distances along it; a closed curve ends where it begins, without that point."""
        if count < 2:
            raise ModelError(f"A curve of {count} points was asked for; give at least 2.")
        way, forms = self._moving, self.equations.system.point(point)
        along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
        found = []
        for goal in np.linspace(0.0, along[-1], count, endpoint=not way.closed):
            step = min(int(np.searchsorted(along, goal, side="right")) - 1, len(along) - 2)
            span = along[step + 1] - along[step]
            q, _, _ = way.between(step, (goal - along[step]) / span if span else 0.0)
            found.append([float(form.at(q.tolist())) for form in forms])
        return np.array(found)

    def centres(self, step: int = 0, part: float = 0.0) -> dict[tuple[str, str], Centre]:
        """The instant centres of all pairs of bodies, at the start unless another place of the path is given."""
        q, _, along = self._moving.between(step, part)
        return instant_centres(self.equations.system, q, along)

    @cached_property
    def assemblies(self) -> Assemblies | None:
        """The assembly modes with as many inputs held as there are degrees of freedom: driven joints first, then joints
        with the ground.

        None if holding pins, sliders and slots does not fix the mechanism.
        """
        q, time = self.assembly.q, self.assembly.time
        inputs = _inputs(self.equations, start_point(self.equations, self.assembly), self.freedom)
        motion = SystemState(self.equations.system, time, q.tolist(), [0.0] * self.equations.n)
        values = [x.read(motion)[0] for x in inputs]
        if len(inputs) < self.freedom:
            return None
        return find_assemblies(self.equations.dynamics, time, q, inputs, values)

    def __str__(self) -> str:
        name, freedom = self.model.name, self.freedom
        lines = [f"{name}: {count_of(freedom, 'degree of freedom', 'degrees of freedom')} without motors."]
        if self.way is not None:
            lines[0] += (
                " Its motion is a closed cycle." if self.way.closed else " Its motion does not return to its start."
            )
            if self.way.singular:
                passed = count_of(len(self.way.singular), "change point")
                lines[0] += (
                    f" It passes {passed}, where other motions branch off; the smooth continuation was followed."
                )
        lines += [f"  {joint}" for joint in self.joints]
        lines += [f"  {four_bar}" for four_bar in self.four_bars]
        lines += [f"  {transmission}" for transmission in self.transmissions]
        return "\n".join([*lines, *([f"  {self.assemblies}"] if self.assemblies else [])])

    def _repr_html_(self) -> str:
        """The report, as a notebook shows it."""
        return report_html(str(self))

    def as_dict(self) -> dict[str, Any]:
        """All results as plain data, including all coupler curves."""
        moving = [point for point in self.model.points if body_of(point) != GROUND]
        joints, assemblies = msgspec.to_builtins(self.joints), self.assemblies
        for joint in joints:
            joint["low"], joint["high"] = (x if np.isfinite(x) else None for x in (joint["low"], joint["high"]))
        return {
            "name": self.model.name,
            "freedom": self.freedom,
            "closed": None if self.way is None else self.way.closed,
            "change_points": None if self.way is None else len(self.way.singular),
            "joints": joints,
            "four_bars": [
                {**msgspec.to_builtins(x), "kind": x.kind, "cranks": list(x.cranks), "excess_m": x.excess}
                for x in self.four_bars
            ],
            "transmission_rad": [
                {"joint": x.four_bar.joints[2], "low": x.low, "high": x.high, "worst": x.worst}
                for x in self.transmissions
            ],
            "assembly_modes": None
            if assemblies is None
            else {"found": len(assemblies), "largest": assemblies.largest, "inputs": assemblies.inputs},
            "instant_centres": {}
            if self.way is None
            else {f"{a}–{b}": msgspec.to_builtins(x) for (a, b), x in self.centres().items()},
            "curves": {} if self.way is None else {point: self.curve(point).tolist() for point in moving},
        }

    def to_pandas(self) -> pandas.DataFrame:
        """The joints as a data frame: name, bodies, unit, range, whole turns and number of dead centres, with one
        row per joint."""
        from grashof.common.data_frames import data_frame

        rows = [
            {
                "joint": joint.name,
                "first": joint.bodies[0],
                "second": joint.bodies[1],
                "unit": joint.unit,
                "low": joint.low,
                "high": joint.high,
                "turns": joint.turns,
                "dead_centres": len(joint.dead_centres),
            }
            for joint in self.joints
        ]
        return data_frame(rows, ("joint", "first", "second", "unit", "low", "high", "turns", "dead_centres"))

    def plot(self, path: str | os.PathLike[str] | None = None, points: list[str] | None = None) -> Figure:
        """Draws the mechanism at its start and the curves of its moving points (or of those named); written to a
        file if a path is given."""
        from grashof.show.curves import draw_curves

        way = self._moving
        run = positions_over(self.equations.dynamics, self.assembly, way.s, way.q)
        chosen = [point for point in self.model.points if body_of(point) != GROUND] if points is None else points
        return draw_curves(run, {point: self.curve(point) for point in chosen}, path)


@one_thread()
def linkage(mechanism: Mechanism | Model) -> PlanarLinkage:
    """Analyses what the joints of a planar mechanism permit; motors and forces are ignored, and masses may be left out.

    >>> m = Mechanism("four-bar")
    >>> crank, coupler, rocker = (m.bar(x, length=l) for x, l in (("crank", 0.3), ("coupler", 1.0), ("rocker", 0.8)))
    >>> _ = m.revolute(m.ground.at(0, 0), crank.start, name="A")
    >>> _ = m.revolute(crank.end, coupler.start, name="B")
    >>> _ = m.revolute(coupler.end, rocker.end, name="C")
    >>> _ = m.revolute(m.ground.at(1.1, 0), rocker.start, name="D")
    >>> found = linkage(m)
    >>> found.four_bars[0].kind, found.joints[0].turns in (1, -1), len(found.assemblies)
    ('crank-rocker', True, 2)
    """
    given = as_model(mechanism)
    if given.dimension != 2:
        raise ModelError(f"Mechanism '{given.name}' is spatial; linkages are analysed in the plane only.")
    everything, assembly = assemble_equations(msgspec.structs.replace(with_unit_masses(given), forces=(), events=()))
    system = everything.system
    passive = tuple(row for row in system.couplings if not row.coupling.is_motor)
    equations = QuestionEquations(make_dynamics(replace(system, couplings=passive)))
    positions = equations.positions(assembly.time, start_point(equations, assembly).turns)
    freedom = freedom_nearby(positions, assembly.q)
    four_bars = find_four_bars(given, driven_bodies(given))
    if freedom != 1:
        return PlanarLinkage(equations, assembly, freedom, None, (), four_bars, ())
    way = _way(equations, assembly, positions)
    joints = tuple(joint_range(way, joint) for joint in joint_motions(equations.system))
    four_bars = tuple(_with_limits(x, joints) for x in four_bars) if way.closed else four_bars
    framed = [x for x in four_bars if x.bodies[0] == GROUND]
    return PlanarLinkage(
        equations, assembly, freedom, way, joints, four_bars, tuple(transmission_of(way, x) for x in framed)
    )


def _way(equations: QuestionEquations, assembly: Assembly, positions: Positions) -> Way:
    """The path through the start, or through a nearby position if the start is singular."""
    q, turns = assembly.q, start_point(equations, assembly).turns
    if equations.freedoms(assembly.time, q, turns).shape[1] > 1:
        q = next((near for near in positions_nearby(positions, q) if positions.freedom(near) == 1), q)
    return follow(equations, assembly.time, q, equations.turns(q, turns))


def _with_limits(four_bar: FourBar, joints: tuple[JointRange, ...]) -> FourBar:
    """A four-bar with those of its cranks that turn fully in the loop alone, but not in the whole linkage."""
    full = {joint.name for joint in joints if joint.turns or joint.high - joint.low >= 2.0 * np.pi}
    first, _, _, last = four_bar.joints
    pins = {four_bar.bodies[1]: first, four_bar.bodies[3]: last}
    return replace(four_bar, limited=tuple(crank for crank in four_bar.cranks if pins[crank] not in full))


def _inputs(equations: QuestionEquations, start: FullState, count: int) -> tuple[JointMotion, ...]:
    """Joints which, held together, leave no freedom: driven ones first, then those with the ground, then others."""
    driven = driven_bodies(equations.system.model)
    motions = joint_motions(equations.system)

    def rank(joint: JointMotion) -> int:
        if GROUND not in joint.bodies:
            return 2
        return 0 if set(joint.bodies) & set(driven) else 1

    chosen: list[JointMotion] = []
    time, q = start.t, start.q
    free = equations.freedoms(time, q, start.turns)
    rows = np.zeros((0, free.shape[1]))
    for joint in sorted(motions, key=rank):
        motion = [
            joint.read(SystemState(equations.system, time, q.tolist(), direction.tolist()))[1] for direction in free.T
        ]
        longer = np.vstack([rows, motion])
        if len(chosen) < count and np.linalg.matrix_rank(longer, tol=1e-8) > len(chosen):
            chosen.append(joint)
            rows = longer
    return tuple(chosen)

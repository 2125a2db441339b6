"""Summaries of measurements: for each engine and problem a work-precision curve, and the least time that reaches a
goal.

The time of a setting is the least CPU time of all its samples, because disturbances only add time. A run *passes the
rule* by the problem's own error; it *agrees with the reference* if no official column deviates by more than AGREES from
it, relative to the column's largest magnitude. Both are decided by the judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from grashof.bench.messages import RESOLUTION, BenchRung, Excuse, Judged
from grashof.bench.store import Measurement
from grashof.bench.subject import BenchSubject
from grashof.common.near import AGREES


@dataclass(frozen=True)
class MeasuredPoint:
    """All measurements of one setting.

    cpu_s, wall_s  of one integration, the least of all samples, s
    calibration_s  the least time of the calibration kernel beside them, s
    samples        their number; processes: the number of processes
    """

    setting: BenchRung
    judged: Judged
    cpu_s: float
    wall_s: float
    build_s: float
    calibration_s: float
    samples: int
    processes: int

    @property
    def units(self) -> float:
        """The time in units of the calibration kernel."""
        return self.cpu_s / self.calibration_s

    @property
    def passes(self) -> bool:
        """Whether it passes the rule."""
        return self.judged.passes

    @property
    def agrees(self) -> bool:
        """Whether it agrees with the reference."""
        return agrees(self.judged)


def agrees(judged: Judged) -> bool:
    """Whether a run agrees with the reference."""
    return judged.deviation is not None and judged.deviation <= AGREES


@dataclass(frozen=True)
class CostCurve:
    """The work-precision curve of an engine on a problem and a machine.

    points   settings that ran to the end, from coarse to fine
    excuses  the settings that did not, with the reason; the setting is None if nothing could be run
    """

    machine: str
    subject: BenchSubject
    engine: str
    version: str
    notes: tuple[str, ...]
    unit: int
    points: tuple[MeasuredPoint, ...]
    excuses: tuple[tuple[BenchRung | None, Excuse], ...]

    @property
    def at_rule(self) -> MeasuredPoint | None:
        """The cheapest that passes the rule."""
        return _least(self.points, lambda point: point.passes)

    @property
    def at_agreement(self) -> MeasuredPoint | None:
        """The cheapest that agrees with the reference."""
        return _least(self.points, lambda point: point.agrees)


def _least(points: Iterable[MeasuredPoint], reached: Callable[[MeasuredPoint], bool]) -> MeasuredPoint | None:
    return min(filter(reached, points), key=lambda point: point.cpu_s, default=None)


def curves(measurements: Sequence[Measurement]) -> list[CostCurve]:
    """One curve for each machine, problem, engine and version of it, in the order in which they were first measured.

    That an engine was absent or refused the problem is ignored once it has run. Units of different versions of the
    kernel are kept apart.
    """
    groups: dict[tuple[str, str, str, str, int], list[Measurement]] = {}
    measurements = [m for m in measurements if m.done]
    ran = {(m.machine, str(m.subject), m.engine) for m in measurements if m.setting is not None}
    for m in measurements:
        if m.setting is not None or (m.machine, str(m.subject), m.engine) not in ran:
            groups.setdefault((m.machine, str(m.subject), m.engine, m.version, m.unit), []).append(m)
    return [_curve(group) for group in groups.values()]


def _curve(group: list[Measurement]) -> CostCurve:
    last = group[-1]
    settings: dict[str, list[Measurement]] = {}
    excuses: dict[str, tuple[BenchRung | None, Excuse]] = {}
    for m in group:
        name = str(m.setting and (m.setting.name, m.setting.values))
        if isinstance(m.outcome, Excuse):
            excuses[name] = (m.setting, m.outcome)
        else:
            settings.setdefault(name, []).append(m)
    points = [_point(same) for same in settings.values()]
    return CostCurve(
        machine=last.machine,
        subject=last.subject,
        engine=last.engine,
        version=last.version,
        notes=last.notes,
        unit=last.unit,
        points=tuple(sorted(points, key=lambda point: point.setting.place)),
        excuses=tuple(excuse for name, excuse in excuses.items() if name not in settings),
    )


def _point(same: list[Measurement]) -> MeasuredPoint:
    judged = [m.outcome for m in same if isinstance(m.outcome, Judged)]
    samples = [sample for m in same for sample in m.samples]
    assert same[-1].setting is not None
    return MeasuredPoint(
        setting=same[-1].setting,
        judged=judged[-1],
        cpu_s=max(RESOLUTION, min(sample.cpu_s for sample in samples)),
        wall_s=min(sample.wall_s for sample in samples),
        build_s=min(found.build_cpu_s for found in judged),
        calibration_s=min(found.calibration_s for found in judged),
        samples=len(samples),
        processes=len(same),
    )

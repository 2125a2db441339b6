"""Rows by compiled code: the mechanism is compiled once with the varied numbers as inputs, and the runs share the
vector lanes of the processor.

Unless errors are not to be checked, each row is run twice with step tolerances a factor apart, as in `simulate`. Rows
whose error is not known to be within the tolerance, whose energy does not balance, or whose runs need a closer look (a
singular position, steps that become too small) are finally run one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import ClassVar

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.common.status import Code
from grashof.formulation.natural.system import tracked_angles
from grashof.integrate import Choice, Settings, Spacing
from grashof.integrate.lanes import Ended, LaneIntegrator, LaneRuns
from grashof.model.definitions import recompute_values
from grashof.model.expressions import parse
from grashof.model.mechanism import as_model
from grashof.model.model import Model
from grashof.model.parameters import numbers
from grashof.model.paths import leaves
from grashof.program import Program, build
from grashof.program.open_code import Starts
from grashof.quantities.energy_balance import CHECKED, adds_up, balance
from grashof.simulation.accuracy import ALIKE, COARSER, FEW, SAFETY, first_tolerance, space_steps
from grashof.simulation.task import Attempt, prepare, weights_of
from grashof.simulation.trust import allowed_imbalance
from grashof.sweeps.curves import OutputCurves
from grashof.sweeps.engine import ObservedRows
from grashof.sweeps.limits import Limits
from grashof.sweeps.one_by_one import OneByOne
from grashof.sweeps.outputs import OutputColumns, Samples
from grashof.sweeps.scales import Scales
from grashof.sweeps.statuses import NOT_ASSEMBLED, NUMBERS, OUTSIDE_BOUNDS
from grashof.sweeps.study import Study

Array = np.ndarray

SUCCESS = NUMBERS[Code.SUCCESS.name.lower()]

ROUNDS = 3
"""Largest number of runs of a row in lanes, each with a smaller step tolerance than the one before; after that it is
run one by one."""

CHECKS = 8
"""Number of evenly spaced times at which the energy balance is checked and energies are compared."""

TINY = 1e-300
"""Avoids division by zero where nothing moves."""


class CompiledEngine:
    """The engine for many rows."""

    batch: ClassVar[int] = 1024
    concurrency: ClassVar[str] = "threads"

    def __init__(self, study: Study) -> None:
        self._study = study
        asked = [name for name in (*study.quantities, *study.courses) if name not in ("t", "balance")]
        names = tuple(dict.fromkeys([*asked, *_worked_along(study.model), *_some_angle(study.model)]))
        _refuse_varied_laws(study)
        self._program, self._lanes, self._limits = _prepare_parts(_Description.of(study.model), study.paths, names)
        self._opened = self._program.opened
        self._one_by_one = OneByOne(study)
        self._task = prepare(self._program, study.t_end, study.options)
        self._longest = self._longest_step()
        checks = self._opened.time + (study.t_end - self._opened.time) * np.arange(1, CHECKS + 1) / CHECKS
        checks[-1] = study.t_end
        self._times = np.unique(np.append(study.times, checks))
        self._asked, self._checks = np.searchsorted(self._times, study.times), np.searchsorted(self._times, checks)

    def _longest_step(self) -> float:
        """The longest step that laws of time allow, at the nominal values and near them; refuses mechanisms that
        need single runs."""
        task, paces = self._task, self._task.paces()
        clock = task.program.clock
        if task.watch is not None or any(pace.stops for pace in paces) or (clock and clock.kinks.in_motion):
            raise ModelError(
                f"Mechanism '{self._study.model.name}' has events, or forces or motors with kinks, so each run "
                "is made on its own."
            )
        if task.between is not None and task.between.features.may_hide:
            raise ModelError(
                f"Mechanism '{self._study.model.name}' has laws or couplings that may have features narrower "
                "than a step, so each run is made on its own."
            )
        return min(pace.longest for pace in paces)

    def observe(self, rows: Array) -> ObservedRows:
        study = self._study
        seen = ObservedRows.nothing(study, len(rows))
        possible = self._limits.allow(rows)
        starts = self._opened.assemble(rows)
        seen.codes[:] = np.where(possible, NUMBERS[NOT_ASSEMBLED], NUMBERS[OUTSIDE_BOUNDS])
        good = np.flatnonzero(possible & starts.placed)
        believed = self._run(rows[good], starts.of(good), seen, good) if good.size else np.ones(0, bool)
        left = good[~believed]
        if left.size:
            found = self._one_by_one.observe(rows[left], [self._program.started_at(rows[i], starts, i) for i in left])
            seen.codes[left], seen.errors[left] = found.codes, found.errors
            for column, single in zip(seen.columns, found.columns, strict=True):
                column[left] = single
        return replace(seen, single=int(left.size))

    def _run(self, rows: Array, starts: Starts, seen: ObservedRows, places: Array) -> Array:
        """Runs rows, stores the outputs, and returns which rows can be trusted.

        Rows whose estimated error is too large, or that of an output, are run again with smaller step tolerances; the
        run before is then the coarser one. An output is that of the first run in which the motion and this output are
        accurate enough, whatever the other outputs are.
        """
        study = self._study
        pending = np.ones((len(rows), len(study.parsed_outputs)), bool)
        left = np.arange(len(rows))
        tol = self._first if study.options.check_error else study.options.tol
        coarse = self._in_lanes(rows, starts, COARSER * tol) if study.options.check_error else None
        for _ in range(ROUNDS):
            chosen = starts.of(left)
            fine = self._in_lanes(rows[left], chosen, tol)
            with np.errstate(all="ignore"):
                scales = self._scales(rows[left], chosen, fine)
                sound = self._is_sound(fine)
                accurate = sound
                if coarse:
                    accurate = accurate & (self._error(fine, coarse, scales) <= study.options.tol)
                    accurate &= ~self._are_alike(fine, coarse)
                found, errors, sizes = self._outputs(fine, coarse, scales)
            for k, output in enumerate(found):
                good = accurate & (errors[k] <= study.options.tol * sizes[k]) & pending[left, k]
                values = OutputColumns(output.values[good], output.errors[good])
                seen.put(k, places[left[good]], values, errors[k][good])
                pending[left[good], k] = False
            again = sound & pending[left].any(axis=1)
            if not again.any() or not self._choice.method.adaptive:
                break
            left, coarse, tol = left[again], fine.of(again), tol / COARSER
        believed = ~pending.any(axis=1)
        seen.codes[places[believed]] = SUCCESS
        return np.asarray(believed)

    def _in_lanes(self, rows: Array, starts: Starts, tol: float) -> _Seen:
        study, opened = self._study, self._opened
        scales = np.column_stack([np.full(len(rows), opened.length), np.zeros(len(rows)), opened.masses(rows)])
        settings, c = self._settings(tol), starts.coefficients
        view = opened.view(c)
        y = starts.y if view is None else view.own_states(opened.time, starts.y)
        runs = self._lanes.run(y, opened.time, study.t_end, settings, c, self._times, scales, self._traced_numbers)
        if view is not None:
            runs = replace(runs, states=view.natural(runs.times, runs.states)[0])
        x = np.column_stack([np.full(len(y), opened.time), y])
        return _Seen(runs, opened.native.rows("observe", x, c))

    def _is_sound(self, seen: _Seen) -> Array:
        """Which runs reached their end with finite numbers and a balanced energy."""
        sound = (seen.runs.codes == Ended.ARRIVED) & np.all(np.isfinite(seen.runs.observed), axis=(1, 2))
        checked = np.concatenate([seen.begun[:, None, -CHECKED:], self._check_values(seen)], axis=1)
        return np.asarray(sound & adds_up(checked, allowed_imbalance(self._study.options.tol)))

    def _check_values(self, seen: _Seen) -> Array:
        """The numbers by which runs are checked, at times that do not depend on the outputs."""
        return seen.runs.observed[:, self._checks, -CHECKED:]

    def _outputs(
        self, fine: _Seen, coarse: _Seen | None, scales: Scales
    ) -> tuple[list[OutputColumns], list[Array], list[Array]]:
        """The outputs, their estimated errors, and the sizes with which these are compared, (B,) each."""
        study = self._study
        samples = self._samples(fine, scales)
        found = study.find(samples)
        errors, sizes = [x.errors for x in found], []
        if coarse is not None:
            others = study.find(self._samples(coarse, scales))
            for k, (one, other) in enumerate(zip(found, others, strict=True)):
                apart = np.abs(one.values - other.values).reshape(len(errors[k]), -1)
                errors[k] = errors[k] + SAFETY / COARSER * np.max(apart, axis=1, initial=0.0)
        for output in study.parsed_outputs:
            names = output.quantities(study.case)
            largest = [
                samples.curves[n].size if output.along else np.max(np.abs(samples.values[n]), axis=1) for n in names
            ]
            sizes.append(scales.of(study.unit(output), np.max(largest, axis=0, initial=0.0)))
        return found, errors, sizes

    def _samples(self, seen: _Seen, scales: Scales) -> Samples:
        """What outputs are found from."""
        study, opened = self._study, self._opened
        observed = seen.runs.observed[:, self._asked]
        t = np.broadcast_to(study.times, observed.shape[:2])
        values = {name: self._course(name, seen, t, lambda k: observed[..., k])[0] for name in study.quantities}
        curves, ties = {}, {}
        traces = seen.runs.traces
        if traces is not None:
            row, first = traces.row, np.append(True, traces.row[1:] != traces.row[:-1])
            times = np.column_stack([np.append(opened.time, traces.times[:-1, -1]), traces.times])
            times[first, 0] = opened.time
            length = times[:, -1] - times[:, 0]

            def trace_of(k: int) -> Array:
                inside = traces.values[..., self._traced_numbers.index(k)]
                before = np.append(0.0, inside[:-1, -1])
                before[first] = seen.begun[row[first], k]
                return np.column_stack([before, inside])

            for name in study.courses:
                x, rates = self._course(name, seen, times, trace_of, row)
                curves[name] = OutputCurves.along(len(seen.begun), row, times[:, 0], length, x, rates)
                size = scales.of(study.catalog[name].unit, curves[name].size)
                ties[name] = study.options.tol * size
        return Samples(study.times, t, values, curves, ties)

    def _course(
        self, name: str, seen: _Seen, t: Array, column: Callable[[int], Array], row: Array | slice = slice(None)
    ) -> tuple[Array, Array]:
        """A quantity and its rate at times t, (…, times), of these rows; `column` gives the k-th of the observed
        numbers there."""
        if name == "t":
            return t, np.ones_like(t)
        if name == "balance":  # in an exact motion it is constant
            checked = np.stack([column(k) for k in self._places(name)], axis=-1)
            unexplained = balance(checked) - balance(seen.begun[row, None, -CHECKED:])
            return unexplained, np.zeros_like(unexplained)
        i, rate = self._places(name)
        since = seen.begun[row, i, None] if self._study.catalog[name].since_start else 0.0
        return column(i) - since, column(rate)

    def _places(self, name: str) -> list[int]:
        """Which of the observed numbers give a quantity: its value and its rate, or those from which the energy
        balance follows."""
        observes = self._opened.observes
        if name == "balance":
            return list(range(2 * len(observes), 2 * len(observes) + CHECKED))
        return [] if name == "t" else [observes.index(name), len(observes) + observes.index(name)]

    @cached_property
    def _traced_numbers(self) -> tuple[int, ...]:
        """The observed numbers that outputs need in every step."""
        places = [k for name in self._study.courses for k in self._places(name)]
        return tuple(dict.fromkeys(places)) or ((0,) if self._study.courses else ())

    @cached_property
    def _choice(self) -> Choice:
        """The method, which is the same for all runs."""
        return self._task.choose()

    @cached_property
    def _first(self) -> float:
        """The tolerance of the first runs."""
        return first_tolerance(self._task, self._choice)

    def _settings(self, tol: float) -> Settings:
        """How to integrate at a tolerance; the longest steps of runs that are compared differ as their tolerances
        do."""
        checked = self._study.options.check_error
        spacing = space_steps(Spacing(), tol / self._first, self._choice) if checked else Spacing()
        usual = self._task.settings(Attempt(tol, self._choice, spacing), ())
        return replace(usual, weights=self._weights(), longest=self._longest)

    def _weights(self) -> list[float]:
        """The weights of other states; what serves outputs only does not influence the steps."""
        weights = weights_of(self._opened.dynamics.system)
        for k in self._only_observed:
            weights[k] = 0.0
        return weights

    def _scales(self, rows: Array, starts: Starts, seen: _Seen) -> Scales:
        """What errors are compared with: length, largest speed and energy, as far as they are known at the times of
        the checks."""
        opened, layout = self._opened, self._opened.layout
        length = np.full(len(rows), opened.length)
        checked = np.concatenate([seen.begun[:, None, -CHECKED:], self._check_values(seen)], axis=1)
        kinetic = np.max(checked[..., 0], axis=1)
        speed = np.max(np.abs(np.stack([starts.y, seen.runs.states])[..., layout.of_v]), axis=(0, 2), initial=0.0)
        speed = np.maximum(speed, np.sqrt(kinetic / opened.masses(rows)))
        energy = kinetic + np.max(np.abs(seen.runs.states[:, layout.of_works]), axis=1, initial=0.0)
        return Scales(length, speed, energy, np.full(len(rows), self._study.t_end - opened.time))

    def _error(self, fine: _Seen, coarse: _Seen, scales: Scales) -> Array:
        """The estimated error of each run as in `accuracy`, relative to length, speed and energy: of the state at
        the end, and of energies at the times of the checks. It does not depend on the outputs."""
        layout = self._opened.layout
        sizes = np.ones_like(fine.runs.states)
        sizes[:, layout.of_q], sizes[:, layout.of_v] = scales.length[:, None], scales.speed[:, None]
        sizes[:, layout.of_works] = scales.energy[:, None]
        sizes[:, layout.of_angles][:, self._only_observed] = np.inf
        error = np.max(np.abs(fine.runs.states - coarse.runs.states) / np.maximum(sizes, TINY), axis=1)
        energies = (
            np.abs(self._check_values(fine) - self._check_values(coarse))[..., :2]
            / np.maximum(scales.energy, TINY)[:, None, None]
        )
        return np.asarray(SAFETY / COARSER * np.maximum(error, np.max(energies, axis=(1, 2))))

    def _are_alike(self, fine: _Seen, coarse: _Seen) -> Array:
        """Which runs took about as many steps as those with which they are compared: something else than their
        errors limits these, as in stiff equations, and their difference says little (see `accuracy.ALIKE`)."""
        many, few = (x.runs.counters["steps"].astype(float) for x in (fine, coarse))
        ratio = (many / np.maximum(few, 1.0)) ** self._choice.method.order
        return np.asarray((many > FEW) & (ratio < ALIKE) & self._choice.method.adaptive)

    @cached_property
    def _only_observed(self) -> list[int]:
        """Which of the tracked angles serve outputs only: their positions are controlled anyway."""
        tracked = tracked_angles(self._study.model)
        return [k for k, name in enumerate(self._opened.layout.angles) if name not in tracked]


@dataclass(frozen=True, eq=False)
class _Seen:
    """Runs in lanes, and the observed quantities at their starts (B, outputs)."""

    runs: LaneRuns
    begun: Array

    def of(self, which: Array) -> _Seen:
        """Some of the runs."""
        return _Seen(self.runs.of(which), self.begun[which])


def _refuse_varied_laws(study: Study) -> None:
    """Refuses laws of time that depend on varied numbers: steps are chosen for the nominal law, and could miss short
    events of another one."""
    varied = recompute_values(study.model, {path: numbers(study.model)[path].value for path in study.paths})
    for path, leaf in leaves(study.model).items():
        law = parse(leaf.value, f"'{path}'") if isinstance(leaf.value, str) else None
        if law is not None and law.of_time and not varied.keys().isdisjoint(law.quantities):
            raise ModelError(
                f"'{path}' of mechanism '{study.model.name}' depends on time and on varied numbers, so each "
                "run is made on its own."
            )


def _worked_along(model: Model) -> list[str]:
    """The angles along which forces act: observed ones keep their whole turns, without which works and energies
    would not balance."""
    targets = [name for force in model.forces for name in force.targets()]
    return [name for name in targets if name in model.all_measures and model.all_measures[name].winds]


def _some_angle(model: Model) -> list[str]:
    """An angle that is observed in any case: the interpolation between steps differs a little with and without
    angles, and must not depend on the outputs. In space, an angle may be undefined."""
    angles = [name for name, measure in model.all_measures.items() if measure.winds]
    return angles[:1] if model.dimension == 2 else []


@dataclass(frozen=True)
class _Description:
    """A description as a key: equal descriptions have the same bytes."""

    data: bytes
    model: Model = field(compare=False)

    @classmethod
    def of(cls, model: Model) -> _Description:
        return cls(msgspec.msgpack.encode(model), model)


@lru_cache(maxsize=8)
def _prepare_parts(
    description: _Description, paths: tuple[str, ...], names: tuple[str, ...]
) -> tuple[Program, LaneIntegrator, Limits]:
    """The compiled parts, shared by all threads of a process."""
    model = as_model(description.model)
    program = build(model, numbers=paths, observe=names)
    return program, program.opened.lanes(), Limits(model, paths)

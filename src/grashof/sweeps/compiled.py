"""Rows by compiled code: the mechanism is compiled once with the varied numbers as inputs, and the runs share the vector lanes of the processor.

Unless errors are not to be checked, each row is run twice with step tolerances a factor apart, as in `simulate`. Rows whose error is not known to be within the
tolerance, whose energy does not balance, or whose runs need a closer look (a singular position, steps that become too small) are finally run one by one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

import msgspec
import numpy as np

from grashof.accuracy import COARSER, SAFETY, START
from grashof.analysis.clock import make_clock
from grashof.errors import ModelError
from grashof.integrate import Settings
from grashof.integrate.lanes import Ended, LaneIntegrator, LaneRuns
from grashof.model.definitions import recomputed
from grashof.model.expressions import parse
from grashof.model.model import Model
from grashof.model.parameters import numbers
from grashof.model.paths import leaves
from grashof.opened import OpenProgram, Starts, open_program
from grashof.opened.observed import CHECKED, adds_up, balance
from grashof.status import Code
from grashof.sweeps.engine import Observed
from grashof.sweeps.hermite import slopes
from grashof.sweeps.limits import Limits
from grashof.sweeps.one_by_one import OneByOne, Start
from grashof.sweeps.quantities import unit_of
from grashof.sweeps.statuses import NOT_ASSEMBLED, NUMBERS, OUTSIDE_BOUNDS
from grashof.sweeps.study import Study
from grashof.task import REDUNDANT_STEP, prepare, weights_of
from grashof.trust import allowed_imbalance

Array = np.ndarray

SUCCESS = NUMBERS[Code.SUCCESS.name.lower()]

ROUNDS = 3
"""Largest number of runs of a row in lanes, each with a smaller step tolerance than the one before; after that it is run one by one."""

TINY = 1e-300
"""Avoids division by zero where nothing moves."""


class Compiled:
    """The engine for many rows."""

    batch: ClassVar[int] = 1024
    concurrency: ClassVar[str] = "threads"

    def __init__(self, study: Study) -> None:
        self._study = study
        asked = [name for name in study.quantities if name not in ("t", "balance")]
        names = tuple(dict.fromkeys([*asked, *_worked_along(study.model)]))
        _refuse_varied_laws(study)
        self._opened, self._lanes, self._limits = _prepared(msgspec.msgpack.encode(study.model), study.paths, names)
        self._one_by_one = OneByOne(study)
        self._task = prepare(self._opened.program, study.t_end, study.tol, study.method, None, None, 1_000_000)
        self._longest = self._longest_step()

    def _longest_step(self) -> float:
        """The longest step that laws of time allow, at the nominal values and near them; refuses mechanisms that need single runs."""
        task, opened = self._task, self._opened
        paces = [task.pace]
        for trial in opened.structure.trials:
            clock = make_clock(trial.dynamics)
            paces += [clock.pace(opened.time, task.t_end, trial.state[1:])] if clock else []
        clock = task.program.clock
        if task.watch is not None or any(pace.stops for pace in paces) or (clock and clock.kinks.in_motion):
            raise ModelError(
                f"Mechanism '{self._study.model.name}' has events, or forces or motors with kinks, so each run is made on its own."
            )
        return min(pace.longest for pace in paces)

    def observe(self, rows: Array) -> Observed:
        study = self._study
        shape = (len(rows), len(study.times), len(study.quantities))
        seen = Observed(np.zeros(len(rows), np.uint8), np.zeros(len(rows)), np.zeros(shape), np.zeros(shape))
        possible = self._limits.allow(rows)
        starts = self._opened.assemble(rows)
        seen.codes[:] = np.where(possible, NUMBERS[NOT_ASSEMBLED], NUMBERS[OUTSIDE_BOUNDS])
        good = np.flatnonzero(possible & starts.placed)
        chosen = Starts(starts.y[good], starts.coefficients[good], starts.placed[good])
        believed = self._run(rows[good], chosen, seen, good)
        left = good[~believed]
        if left.size:
            found = self._one_by_one.observe(rows[left], [self._start(starts.y[i]) for i in left])
            seen.codes[left], seen.end[left] = found.codes, found.end
            seen.values[left], seen.rates[left] = found.values, found.rates
        return replace(seen, single=int(left.size))

    def _start(self, y: Array) -> Start:
        layout = self._opened.layout
        return Start(self._opened.dynamics.system.labels, y[layout.of_q], y[layout.of_v])

    def _run(self, rows: Array, starts: Starts, seen: Observed, places: Array) -> Array:
        """Runs rows, stores the observed quantities, and returns which rows can be trusted.

        Rows whose estimated error is too large are run again with smaller step tolerances; the run before is then the coarser one.
        """
        study = self._study
        believed = np.zeros(len(rows), bool)
        left = np.arange(len(rows))
        tol = START * study.tol if study.check_error else study.tol
        coarse = self._in_lanes(rows, starts, COARSER * tol) if study.check_error else None
        for _ in range(ROUNDS):
            chosen = Starts(starts.y[left], starts.coefficients[left], starts.placed[left])
            fine = self._in_lanes(rows[left], chosen, tol)
            begun = self._begun(chosen)
            with np.errstate(all="ignore"):
                error = self._error(chosen, fine, coarse, begun) if coarse else np.zeros(len(left))
                sound = self._is_sound(fine, begun)
            good = sound & (error <= study.tol)
            self._put(fine, begun, good, seen, places[left])
            believed[left[good]] = True
            again = sound & ~good
            if not again.any():
                break
            left, coarse, tol = left[again], _of(fine, again), tol / COARSER
        return believed

    def _in_lanes(self, rows: Array, starts: Starts, tol: float) -> LaneRuns:
        study, opened = self._study, self._opened
        scales = np.column_stack([np.full(len(rows), opened.length), np.zeros(len(rows)), opened.masses(rows)])
        return self._lanes.run(
            starts.y, opened.time, study.t_end, self._settings(tol), starts.coefficients, study.times, scales
        )

    def _begun(self, starts: Starts) -> Array:
        """The observed quantities at the starts."""
        x = np.column_stack([np.full(len(starts.y), self._opened.time), starts.y])
        return self._opened.native.rows("observe", x, starts.coefficients)

    def _is_sound(self, runs: LaneRuns, begun: Array) -> Array:
        """Which runs reached their end with finite numbers and a balanced energy."""
        sound = (runs.codes == Ended.ARRIVED) & np.all(np.isfinite(runs.observed), axis=(1, 2))
        checked = np.concatenate([begun[:, None, -CHECKED:], runs.observed[..., -CHECKED:]], axis=1)
        return np.asarray(sound & adds_up(checked, allowed_imbalance(self._study.tol)))

    def _put(self, runs: LaneRuns, begun: Array, which: Array, seen: Observed, places: Array) -> None:
        """Stores the observed quantities of some runs."""
        study, opened = self._study, self._opened
        k, at, columns = len(opened.observes), places[which], list(study.quantities)
        observed, begun = runs.observed[which], begun[which]
        for i, name in enumerate(opened.observes):
            if name not in columns:
                continue
            since = begun[:, i, None] if name.startswith("work.") else 0.0
            seen.values[at, :, columns.index(name)] = observed[..., i] - since
            seen.rates[at, :, columns.index(name)] = observed[..., k + i]
        if "t" in columns:
            seen.values[at, :, columns.index("t")], seen.rates[at, :, columns.index("t")] = study.times, 1.0
        if "balance" in columns:
            unexplained = balance(observed[..., -CHECKED:]) - balance(begun[:, None, -CHECKED:])
            seen.values[at, :, columns.index("balance")] = unexplained
            seen.rates[at, :, columns.index("balance")] = slopes(study.times, unexplained)
        seen.end[at], seen.codes[at] = study.t_end, SUCCESS

    def _settings(self, tol: float) -> Settings:
        task, system = self._task, self._opened.dynamics.system
        chosen = task.choose(task.tol)
        step = chosen.method.share * tol
        usual = task.settings(tol, chosen, None, None, ())
        redundant = bool(self._opened.structure.redundant)
        return replace(
            usual,
            tol=min(step, REDUNDANT_STEP / COARSER) if redundant else step,
            weights=weights_of(system),
            longest=self._longest,
        )

    def _error(self, starts: Starts, fine: LaneRuns, coarse: LaneRuns, begun: Array) -> Array:
        """The estimated error of each run as in `accuracy`: relative to length, speed and energy, at the end and in the observed quantities."""
        opened, layout = self._opened, self._opened.layout
        length = np.full(len(fine.states), opened.length)
        speed = np.max(np.abs(np.stack([starts.y, fine.states])[..., layout.of_v]), axis=(0, 2), initial=0.0)
        energy = np.max(np.column_stack([begun[:, -CHECKED], fine.observed[..., -CHECKED]]), axis=1)
        energy += np.max(np.abs(fine.states[:, layout.of_works]), axis=1, initial=0.0)
        sizes = {"m": length, "m/s": speed, "rad": np.ones(len(length)), "rad/s": speed / length, "J": energy}
        scales = np.ones_like(fine.states)
        scales[:, layout.of_q], scales[:, layout.of_v] = length[:, None], speed[:, None]
        scales[:, layout.of_works] = energy[:, None]
        error = np.max(np.abs(fine.states - coarse.states) / np.maximum(scales, TINY), axis=1)
        for i, name in enumerate(opened.observes):
            difference = np.max(np.abs(fine.observed[..., i] - coarse.observed[..., i]), axis=1, initial=0.0)
            error = np.maximum(error, difference / np.maximum(sizes[unit_of(opened.program.model, name)], TINY))
        return np.asarray(SAFETY / COARSER * error)


def _of(runs: LaneRuns, which: Array) -> LaneRuns:
    """Some of the runs."""
    counters = {name: column[which] for name, column in runs.counters.items()}
    return LaneRuns(runs.observed[which], runs.times[which], runs.states[which], runs.codes[which], counters)


def _refuse_varied_laws(study: Study) -> None:
    """Refuses laws of time that depend on varied numbers: steps are chosen for the nominal law, and could miss short events of another one."""
    varied = recomputed(study.model, {path: numbers(study.model)[path].value for path in study.paths})
    for path, leaf in leaves(study.model).items():
        law = parse(leaf.value, f"'{path}'") if isinstance(leaf.value, str) else None
        if law is not None and law.of_time and not varied.keys().isdisjoint(law.quantities):
            raise ModelError(
                f"'{path}' of mechanism '{study.model.name}' depends on time and on varied numbers, so each run is made on its own."
            )


def _worked_along(model: Model) -> list[str]:
    """The angles along which forces act: observed ones keep their whole turns, without which works and energies would not balance."""
    targets = [name for force in model.forces for name in force.targets()]
    return [name for name in targets if name in model.all_measures and model.all_measures[name].winds]


@lru_cache(maxsize=8)
def _prepared(
    data: bytes, paths: tuple[str, ...], names: tuple[str, ...]
) -> tuple[OpenProgram, LaneIntegrator, Limits]:
    """The compiled parts, shared by all threads of a process."""
    model = msgspec.msgpack.decode(data, type=Model)
    opened = open_program(model, paths, names)
    return opened, opened.lanes(), Limits(model, paths)

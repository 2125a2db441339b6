"""Runs an OpenSim model, and reads its results."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch
from grashof.engines.interpolation import quintic
from grashof.exchange.opensim.document import OpenSimDocument
from grashof.exchange.stages import Slot
from grashof.situation import Situation
from grashof.situation.tree import tree_motion


@dataclass
class PreparedOpenSim:
    """The model, its state at the start, and where in Simbody's coordinates those of the tree are."""

    situation: Situation
    model: Any
    start: Any
    order: np.ndarray
    slots: list[tuple[Slot, ...]]

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        import opensim

        manager = opensim.Manager(self.model)
        manager.setPerformAnalyses(False)
        manager.setIntegratorMethod(opensim.Manager.IntegratorMethod_RungeKuttaMerson)
        manager.setIntegratorAccuracy(setting.values["accuracy"])
        manager.setIntegratorConstraintTolerance(setting.values["constraint tolerance"])
        watch = Stopwatch(limit_s)
        t0, t_end = self.situation.time, float(times[-1])
        try:
            manager.initialize(opensim.State(self.start))
            # each call ends with a step of its own: few calls, but the limit is to be looked at now and then
            for part in (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1):
                with watch:
                    manager.integrate(t0 + part * (t_end - t0))
            steps, q, rates, seconds = self._steps(manager)
        except RuntimeError as problem:
            raise EngineFailed(words(problem)) from problem
        q, rates = quintic(steps, q, rates, seconds, times)
        q = q - np.array([slot.value for own in self.slots for slot in own])
        freedoms = [tuple(slot.freedom for slot in own) for own in self.slots]
        return Result(tree_motion(self.situation, times, q, rates, freedoms), watch.cpu_s, watch.wall_s, len(steps) - 1)

    def _steps(self, manager: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Times, coordinates, rates and accelerations at the integrator's steps."""
        import opensim

        table = manager.getStatesTable()
        t, rows = np.array(table.getIndependentColumn()), table.getMatrix().to_numpy()
        new = np.concatenate([np.diff(t) > 0.0, [True]])  # the end of one call is the start of the next
        t, rows = t[new], rows[new]
        found = np.empty((3, len(t), self.start.getNQ()))
        state = opensim.State(self.start)
        for k, (time, row) in enumerate(zip(t, rows, strict=True)):
            state.setTime(float(time))
            self.model.setStateVariableValues(state, opensim.Vector.createFromMat(np.ascontiguousarray(row)))
            self.model.realizeAcceleration(state)
            found[0, k] = state.getQ().to_numpy()
            found[1, k] = state.getQDot().to_numpy()
            found[2, k] = state.getQDotDot().to_numpy()
        q, rates, seconds = found[:, :, self.order]
        return t, q, rates, seconds


def ready(document: OpenSimDocument, model: Any) -> PreparedOpenSim:
    """Finds the start, and the coordinates of the tree among Simbody's."""
    import opensim

    state = model.initSystem()
    state.setTime(document.situation.time)
    marked = opensim.State(state)
    coordinates = [model.getCoordinateSet().get(named.name) for own in document.coordinates for named in own]
    for coordinate in coordinates:
        coordinate.setLocked(marked, False)
    for k, coordinate in enumerate(coordinates):
        coordinate.setValue(marked, 1.0 + k, False)
    # balls have a fourth place, which their angles leave at zero
    places = np.argsort(marked.getQ().to_numpy(), kind="stable")
    places = places[len(places) - len(coordinates) :]
    return PreparedOpenSim(document.situation, model, state, places, [hung.slots for hung in document.hung])


def words(problem: RuntimeError) -> str:
    """OpenSim's error message, without the location in its source code."""
    lines = [line.strip() for line in str(problem).splitlines()]
    said = " ".join(line for line in lines if line and "Exception thrown at" not in line)
    return said.partition("': ")[2] if said.startswith("std::exception in") else said

"""Random trees, and trees with closed loops, in natural and in relative coordinates.

Every mechanism is run in both formulations with the same settings. A run in one of them is judged by a run in the other
one at a tolerance of 1e-11, or of 1e-10 if that one does not succeed. These two are first compared with the equations
of rigid bodies in maximal coordinates, integrated by SciPy's DOP853 at relative tolerances of 1e-12 and of 1e-11, whose
difference is taken as its error. If one of them differs by more than ten times that error, both are distrusted, and all
runs are judged by maximal coordinates.

Trees with couplings, motors and rigid stops are judged in the coordinates of their joints (`tied_trees.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

import grashof as gr
from campaign.blocks import random_times
from campaign.case import KnownMotion, judge_case
from campaign.energy_integral import NotJudged
from campaign.engine import MAX_STEPS
from campaign.judge import Verdict
from campaign.structure import Array
from campaign.suite import ATTEMPTS, Rng, Suite, draw_task
from campaign.tied_trees import TIES, draw_tied_tree
from campaign.trees import random_tree
from grashof.engines.base import EngineFailed, Setting
from grashof.engines.observed import ObservedMotion
from grashof.engines.scipy import ENGINE
from grashof.motion.trajectory import Trajectory
from grashof.program import Program
from grashof.situation import situation

TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9)
FORMULATIONS = ("natural", "relative")
FINEST = (1e-11, 1e-10)
FINE = 1e-9
"""The finest runs may differ from maximal coordinates by this much in addition to ten times the error of these."""

FACTOR = 10.0
"""A run is wrong if its error exceeds this many tolerances."""

ROUNDING = 1e-12
"""Errors that rounding causes, in units of the scales."""

LONGEST_S = 120.0
"""CPU time after which a solution in maximal coordinates is given up, s."""


def _tree(rng: Rng, dimension: int, bodies: tuple[int, int], **features: object) -> gr.Mechanism:
    while True:
        seed, count = int(rng.integers(10**9)), int(rng.integers(*bodies))
        plain = random_tree(seed, dimension, count, forces=False).model
        if len(plain.joints) < count or any(joint.motions for joint in plain.joints):  # not welded throughout
            return random_tree(seed, dimension, count, moving=True, **features)  # type: ignore[arg-type]


FAMILIES: Mapping[str, Callable[[Rng], gr.Mechanism]] = {
    "plane": lambda rng: _tree(rng, 2, (2, 9)),
    "space": lambda rng: _tree(rng, 3, (2, 7)),
    "plane, no forces": lambda rng: _tree(rng, 2, (2, 9), forces=False),
    "space, no forces": lambda rng: _tree(rng, 3, (2, 7), forces=False),
    "plane, stops": lambda rng: _tree(rng, 2, (2, 7), events="stops"),
    "space, stops": lambda rng: _tree(rng, 3, (2, 6), events="stops"),
    "plane, switches": lambda rng: _tree(rng, 2, (2, 7), events="switches"),
    "space, switches": lambda rng: _tree(rng, 3, (2, 6), events="switches"),
    "plane, loops": lambda rng: _tree(rng, 2, (4, 9), loops=int(rng.integers(1, 4))),
    "space, loops": lambda rng: _tree(rng, 3, (3, 7), loops=int(rng.integers(1, 4))),
    "plane, links": lambda rng: _tree(rng, 2, (4, 9), links=int(rng.integers(1, 4)), loops=int(rng.integers(2))),
    "space, links": lambda rng: _tree(rng, 3, (3, 7), links=int(rng.integers(1, 4)), loops=int(rng.integers(2))),
}
TIED = {f"{where}, {ties}": (where == "space", ties) for ties in TIES for where in ("plane", "space")}
"""The families of trees with couplings, motors and rigid stops, which are judged in the coordinates of their joints."""

RUBBING: Mapping[str, Callable[[Rng], gr.Mechanism]] = {
    "plane, rubbing": lambda rng: _tree(rng, 2, (2, 6), rubbing=True, links=int(rng.integers(2))),
    "space, rubbing": lambda rng: _tree(rng, 3, (2, 6), rubbing=True, links=int(rng.integers(2))),
}
"""The families of trees with friction in proportion to joint reactions."""

EVERY = (*FAMILIES, *TIED, *RUBBING)
WITHOUT_MAXIMAL = ("plane, switches", "space, switches", "plane, links", "space, links", *RUBBING)
"""In the solution in maximal coordinates forces cannot be switched, bodies need mass, and friction has a given size."""


class BothFormulations(Suite):
    """Seed K is run K mod 8 of mechanism K div 8: four tolerances, each in natural and in relative coordinates."""

    name = "both-formulations"
    mechanisms = 572
    runs = len(TOLERANCES) * len(FORMULATIONS)
    families = tuple(f"{family}, {formulation}" for family in EVERY for formulation in FORMULATIONS)

    def family_of(self, mechanism: int) -> str:
        return EVERY[mechanism % len(EVERY)]

    def tolerance(self, seed: int) -> float:
        return TOLERANCES[seed % self.runs // len(FORMULATIONS)]

    def run(self, mechanism: int, seeds: Sequence[int]) -> list[Verdict]:
        try:
            cases = self.drawn(mechanism)
        except NotJudged:
            return []
        verdicts = []
        for seed in seeds:
            which = FORMULATIONS[seed % len(FORMULATIONS)]
            case = cases[which]
            # the same settings in both
            task = draw_task(seed // len(FORMULATIONS), self.tolerance(seed), case.end, case.moment)
            verdicts.append(judge_case(seed, f"{self.family_of(mechanism)}, {which}", case, task, FACTOR))
        return verdicts

    def drawn(self, mechanism: int) -> dict[str, KnownMotion]:
        """The mechanism of this number in both formulations."""
        rng, family = np.random.default_rng([mechanism, *self.name.encode()]), self.family_of(mechanism)
        if family in TIED:
            return _tied(rng, *TIED[family])
        tree = {**FAMILIES, **RUBBING}[family](rng)
        times = random_times(rng, float(rng.uniform(0.2, 1.0)))
        try:
            programs = {which: gr.build(tree, formulation=which) for which in FORMULATIONS}
        except gr.ModelError as problem:  # loops may be singular at the start
            raise NotJudged(str(problem)) from problem
        fine = {which: _finest(program, times) for which, program in programs.items()}
        known = [run for run in fine.values() if run is not None]
        if not known:
            raise NotJudged("neither formulation succeeds at the finest tolerances")
        names, scales, pace = _compared(known[0])
        judges = {which: {name: run[name] for name in names} for which, run in fine.items() if run is not None}
        exact, floor = ({}, 0.0) if family in WITHOUT_MAXIMAL else _maximally(tree, times, names, scales)
        if exact and max(_apart(exact, values, scales) for values in judges.values()) <= 10.0 * floor + FINE:
            exact = {}
        if not exact:
            floor = ROUNDING
        cases = {}
        for which, other in zip(FORMULATIONS, FORMULATIONS[::-1], strict=True):
            judge = other if other in judges else which
            what = f"{len(tree.model.bodies)} bodies, judged by {'maximal coordinates' if exact else judge}"
            cases[which] = KnownMotion(
                what,
                lambda: tree,
                times,
                exact or judges[judge],
                scales,
                1.0 / pace,
                floor=floor,
                compiled=programs[which],
            )
        return cases


def _tied(rng: Rng, space: bool, ties: str) -> dict[str, KnownMotion]:
    """A tree with couplings, motors or rigid stops in the formulations that are possible: equations of couplings that
    may become dependent need natural coordinates."""
    for _ in range(ATTEMPTS):
        try:
            tree, case = draw_tied_tree(rng, space, ties)
            programs = {which: gr.build(tree, formulation=which) for which in FORMULATIONS}
        except NotJudged:
            continue
        except gr.ModelError as problem:
            if "relative coordinates" not in str(problem):
                raise
            continue
        return {which: replace(case, compiled=program) for which, program in programs.items()}
    raise NotJudged("no draw can be judged")


def _finest(program: Program, times: Array) -> Trajectory | None:
    """A run at the finest tolerance at which it succeeds."""
    for tol in FINEST:
        run = gr.simulate(program, float(times[-1]), tol=tol, times=times, max_steps=MAX_STEPS // 10)
        if run.status.ok:
            return run
    return None


def _compared(run: Trajectory) -> tuple[list[str], dict[str, float], float]:
    """The quantities that are compared, the unit of the error of each, and the pace of the motion, 1/s."""
    model, length = run.program.model, run.program.system.length
    points = [
        f"{body.name}.{point}.{x}"
        for body in model.bodies
        for point in ("far", "side")
        if f"{body.name}.{point}" in model.points
        for x in "xyz"[: model.dimension]
    ]
    turns = [f"{body.name}.angle" for body in model.bodies] if model.dimension == 2 else []
    speed = max(float(np.max(np.abs(run[f"{name}.rate"]))) for name in points) + 1e-3 * length
    spin = max([float(np.max(np.abs(run[f"{name}.rate"]))) for name in turns], default=0.0) + speed / length
    energy = float(np.max(run["kinetic"])) + float(np.ptp(run["potential"]))
    scales = dict.fromkeys(points, length) | {f"{name}.rate": speed for name in points}
    scales |= dict.fromkeys(turns, 1.0) | {f"{name}.rate": spin for name in turns}
    scales |= {"kinetic": energy, "potential": energy}
    return list(scales), scales, speed / length


def _maximally(
    tree: gr.Mechanism, times: Array, names: Sequence[str], scales: Mapping[str, float]
) -> tuple[dict[str, Array], float]:
    """The quantities in maximal coordinates, and the error of the solution in units of the scales."""
    found = situation(tree.model)
    prepared = ENGINE.prepare(found)
    solutions = []
    for rtol in (1e-12, 1e-11):
        try:
            result = prepared.run(Setting("", {"rtol": rtol}), times, LONGEST_S)
        except EngineFailed as problem:
            raise NotJudged(str(problem)) from problem
        seen = ObservedMotion(found, result.motion)
        solutions.append({name: seen[name] for name in names})
    fine, coarse = solutions
    return fine, _apart(fine, coarse, scales)


def _apart(one: Mapping[str, Array], other: Mapping[str, Array], scales: Mapping[str, float]) -> float:
    """The largest difference, in units of the scales."""
    return max(float(np.max(np.abs(one[name] - other[name]))) / scale for name, scale in scales.items())


SUITE = BothFormulations()

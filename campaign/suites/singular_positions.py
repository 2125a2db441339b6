"""Mechanisms that go through singular positions, or have redundant constraints, or both.

Seed K is run K mod 40 of mechanism K div 40: five starts, each at eight tolerances. Mechanism, start and method depend
only on these numbers, so that every run can be repeated on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from campaign.energy_integral import NotJudged
from campaign.engine import Machine, RunSettings
from campaign.grid import Grid, make_grid, swinging
from campaign.judge import Verdict, judge
from campaign.linkage import STEP, Linkage
from campaign.plane import PlaneFrame, change_point, random_frame, row
from campaign.space import bennett, bricard, sarrus, turned
from campaign.structure import Array
from campaign.suite import METHODS, Rng, Suite
from campaign.truth import Truth, along_branch
from grashof.program import Program

TOLERANCES = tuple(10.0**-k for k in range(3, 11))
STARTS = 5
RUNS = STARTS * len(TOLERANCES)
FINEST_FIXED = 1e-6
"""No fixed step is drawn at tolerances below this: it would take too many steps."""

SAMPLES = 64
"""Number of times at which a run is judged."""

MOST_SENSITIVE = 1e4
"""More sensitive motions are drawn again, because they could not be judged."""

ATTEMPTS = 40
"""Number of attempts to draw a start before giving up; after half of them, a turning start is replaced by one at any
speed."""


@dataclass(frozen=True)
class Trial:
    """A start and the motion that must follow."""

    family: str
    program: Program
    truth: Truth

    def task(self, seed: int) -> RunSettings:
        """The settings of the run with this seed.

        A fixed step is drawn to suit a fourth-order method: the time to travel a length at the largest speed, times the
        fourth root of the tolerance, times 0.03 to 0.15.
        """
        rng = np.random.default_rng([seed, 0])
        tol = TOLERANCES[seed % len(TOLERANCES)]
        method = str(rng.choice([*METHODS], p=[*METHODS.values()]))
        if method != "rk4" or tol < FINEST_FIXED:
            return RunSettings(tol, "auto" if method == "rk4" else method)
        quick = self.truth.structure.length / self.truth.speed
        return RunSettings(tol, method, float(rng.uniform(0.03, 0.15) * tol**0.25 * quick))


# -- mechanisms


def _row(rng: Rng, kinds: list[str], frame: PlaneFrame | None = None) -> Linkage:
    square = set(kinds) == {"parallelogram"} and bool(rng.random() < 0.3)
    return row(
        rng,
        kinds,
        square=square,
        level=square or bool(rng.random() < 0.5),
        general=not square and bool(rng.random() < 0.5),
        scale=1.0 if square else 10.0 ** rng.uniform(-1.0, 1.0),
        frame=frame,
    )


def _parallelograms(rng: Rng) -> Linkage:
    return _row(rng, ["parallelogram"] * int(rng.integers(1, 13)))


def _of_one_kind(kind: str, most: int) -> Callable[[Rng], Linkage]:
    return lambda rng: _row(rng, [kind] * int(rng.integers(1, most + 1)))


def _mixed(rng: Rng) -> Linkage:
    kinds = rng.choice(["parallelogram", "antiparallelogram", "kite"], int(rng.integers(2, 5)))
    return _row(rng, kinds.tolist())


def _change_point(rng: Rng) -> Linkage:
    return change_point(rng, general=bool(rng.random() < 0.5))


def _parallelograms_in_space(rng: Rng) -> Linkage:
    return _row(rng, ["parallelogram"] * int(rng.integers(1, 5)), random_frame(rng))


def _four_bars_in_space(rng: Rng) -> Linkage:
    kind = str(rng.choice(["antiparallelogram", "kite", "folded kite", "change point"]))
    if kind == "change point":
        return change_point(rng, general=bool(rng.random() < 0.5), frame=random_frame(rng))
    return _row(rng, [kind], random_frame(rng))


def _turned(make: Callable[..., Linkage], *words: str) -> Callable[[Rng], Linkage]:
    def draw(rng: Rng) -> Linkage:
        frame = random_frame(rng)
        return turned(make(rng, *words, general=bool(rng.random() < 0.5)), frame.origin, frame.axes)

    return draw


def _grid(rng: Rng) -> Grid:
    square = bool(rng.random() < 0.5)
    most = 5 if rng.random() < 0.2 else 3
    rows, columns = (int(x) for x in rng.integers(1, most + 1, 2))
    return make_grid(rng, rows, columns, random_frame(rng), square=square)


FAMILIES: dict[str, tuple[int, Callable[[Rng], Linkage | Grid]]] = {
    "parallelograms": (8, _parallelograms),
    "antiparallelograms": (4, _of_one_kind("antiparallelogram", 3)),
    "kites": (4, _of_one_kind("kite", 3)),
    "folded kite": (2, _of_one_kind("folded kite", 1)),
    "mixed rows": (3, _mixed),
    "change point": (4, _change_point),
    "parallelograms, space": (3, _parallelograms_in_space),
    "four-bars, space": (3, _four_bars_in_space),
    "Bennett": (2, _turned(bennett)),
    "Bricard": (2, _turned(bricard)),
    "Sarrus, leaning": (1, _turned(sarrus, "leaning")),
    "Sarrus, folding": (2, _turned(sarrus, "folding")),
    "Sarrus, twin": (1, _turned(sarrus, "twin")),
    "grid": (1, _grid),
}
"""How often each family is drawn, and how."""

ROTA = tuple(name for k in range(max(n for n, _ in FAMILIES.values())) for name, (n, _) in FAMILIES.items() if k < n)
"""The family of mechanism i is ROTA[i mod len(ROTA)]."""


def family_of(mechanism: int) -> str:
    """The family a mechanism is drawn from."""
    return ROTA[mechanism % len(ROTA)]


# -- starts


UNDETERMINED = "comes to rest at flat"
"""Where several branches meet and the velocity is zero, the motion is not determined."""


NEAR = 1e-3
"""Below this distance in s from a flat position, a turning point is very near."""


def turning_family(beyond: float) -> str:
    """The family of starts that turn back this far beyond a singular position."""
    if beyond == 0.0:
        return UNDETERMINED
    return "turns near flat" if abs(beyond) >= NEAR else "turns very near flat"


class Drawn:
    """A mechanism with its five starts, created on demand."""

    def __init__(self, number: int) -> None:
        self.number, self.family = number, family_of(number)
        rng = np.random.default_rng([number])
        self.structure = FAMILIES[self.family][1](rng)
        if isinstance(self.structure, Linkage):
            self.home = self.structure.clear_place(rng)
            home = self.structure.path(np.array([self.home]))
        else:
            home = self.structure.poses(rng.uniform(0.3, 1.2, (1, len(self.structure.heights))))
        self.machine = Machine(self.structure, home)

    def trial(self, start: int) -> Trial:
        """One of the starts."""
        rng = np.random.default_rng([self.number, start])
        if isinstance(self.structure, Grid):
            return self._grid_trial(rng, self.structure, start)
        for attempt in range(ATTEMPTS):
            try:
                return self._linkage_trial(rng, self.structure, start, attempt)
            except NotJudged:
                continue
        raise NotJudged(f"no start {start} of mechanism {self.number} can be judged")

    def _linkage_trial(self, rng: Rng, linkage: Linkage, start: int, attempt: int) -> Trial:
        """From rest; slowly over the top; at any speed; turning near a singular position; turning exactly there."""
        family, at_home = self.family, start == 0 and attempt == 0
        if at_home:
            s, rate = self.home, 0.0
        elif start == 1:
            s, rate = _over_the_top(rng, linkage, linkage.clear_place(rng))
        elif start >= 3 and linkage.flats and attempt < ATTEMPTS // 2:
            beyond = 0.0 if start == 4 else float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-6.0, -1.0))
            s, rate = _turning(rng, linkage, beyond)
            family = turning_family(beyond)
        else:
            s, rate = _any_speed(rng, linkage, linkage.clear_place(rng))
        truth = along_branch(linkage, s, rate, _times(rng, linkage))
        if truth.sensitivity[-1] > MOST_SENSITIVE:
            raise NotJudged("too sensitive")
        if at_home:
            return Trial(family, self.machine.program, truth)
        return Trial(family, self.machine.started(linkage.path(np.array([s + 1j * STEP * rate]))), truth)

    def _grid_trial(self, rng: Rng, grid: Grid, start: int) -> Trial:
        """The benchmark's variants, then two at random."""
        rows = len(grid.heights)
        phi, rates = np.zeros(rows), np.zeros(rows)
        rates[0] = 2.0 * np.pi / 3.0
        if start == 1:
            rates[:] = rates[0]
        elif start == 2:
            phi[:] = np.pi
        elif start > 2:
            phi, rates = rng.uniform(-1.5, 1.5, rows), rng.normal(scale=2.0, size=rows)
        truth = swinging(grid, phi, rates, _times(rng, grid))
        return Trial(self.family, self.machine.started(grid.poses((phi + 1j * STEP * rates)[None, :])), truth)


class SingularPositions(Suite):
    """Mechanisms that go through singular positions, or have redundant constraints: five starts, each at eight
    tolerances."""

    name = "singular-positions"
    mechanisms = 280
    runs = RUNS
    families = (*FAMILIES, *(turning_family(x) for x in (1.0, 1e-9, 0.0)))
    uncounted = (UNDETERMINED,)

    def family_of(self, mechanism: int) -> str:
        return family_of(mechanism)

    def tolerance(self, seed: int) -> float:
        return TOLERANCES[seed % len(TOLERANCES)]

    def run(self, mechanism: int, seeds: Sequence[int]) -> list[Verdict]:
        drawn = Drawn(mechanism)
        verdicts = []
        for start in dict.fromkeys(seed % RUNS // len(TOLERANCES) for seed in seeds):
            try:
                trial = drawn.trial(start)
            except NotJudged:
                continue
            for seed in seeds:
                if seed % RUNS // len(TOLERANCES) == start:
                    task = trial.task(seed)
                    verdicts.append(judge(seed, trial.family, drawn.machine, trial.program, trial.truth, task))
        return verdicts


def _times(rng: Rng, structure: Linkage | Grid) -> Array:
    """Some swings."""
    end = rng.uniform(6.0, 36.0) * np.sqrt(structure.length / 9.81)
    return np.linspace(0.0, end, SAMPLES + 1)[1:]


def _over_the_top(rng: Rng, linkage: Linkage, s: float) -> tuple[float, float]:
    """With a speed of the fastest point of 0.7 to 1.5 m/s, for links of 1 m, where the potential is highest."""
    places, _, potential = linkage.survey
    top = int(np.argmax(potential))
    _, slopes = linkage.tangents(places[top : top + 1])
    speed = rng.uniform(0.7, 1.5) * np.sqrt(linkage.length)
    rate = speed / np.max(np.linalg.norm(slopes, axis=-1))
    (inertia,) = linkage.inertia(slopes)
    return s, _rate(rng, linkage, s, float(0.5 * inertia * rate**2 + potential[top]))


def _any_speed(rng: Rng, linkage: Linkage, s: float) -> tuple[float, float]:
    """With up to ten times the energy needed to go round."""
    _, _, potential = linkage.survey
    (here,) = linkage.landscape(np.array([s]))[1]
    return s, _rate(rng, linkage, s, here + 10.0 ** rng.uniform(-1.0, 1.0) * np.ptp(potential))


def _turning(rng: Rng, linkage: Linkage, beyond: float) -> tuple[float, float]:
    """From below a singular position, with the energy to come to rest this far beyond it."""
    flat = float(rng.choice(linkage.flats))
    away = np.sign(linkage.downhill(flat))
    if away == 0.0:
        raise NotJudged("level at the singular position")
    rest = flat - away * beyond
    energy = float(linkage.landscape(np.array([rest]))[1][0])
    s = flat + away * rng.uniform(0.2, 0.8)
    between = np.linspace(s, rest, 65)[:-1]
    if np.max(linkage.landscape(between)[1]) >= energy:
        raise NotJudged("it turns before")
    return s, _rate(rng, linkage, s, energy)


def _rate(rng: Rng, linkage: Linkage, s: float, energy: float) -> float:
    """ṡ with this energy, in a random direction."""
    (inertia,), (potential,) = linkage.landscape(np.array([s]))
    if energy <= potential:
        raise NotJudged("not enough energy to be there")
    return float(rng.choice([-1.0, 1.0]) * np.sqrt(2.0 * (energy - potential) / inertia))

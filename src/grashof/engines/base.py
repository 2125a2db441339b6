"""What an engine is: something that takes a situation, runs it with a setting, and hands back the motion of the bodies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from time import perf_counter, process_time
from types import TracebackType
from typing import Protocol

import numpy as np

from grashof.situation import Situation
from grashof.situation.known import unknown
from grashof.situation.motion import Motion


class NotInstalled(Exception):
    """The engine's package is not there; the message says how to get it."""


class EngineFailed(Exception):
    """The engine could not do it; the message is in its own words."""


@dataclass(frozen=True)
class Setting:
    """What we chose for a run, by the engine's own names of its options; a ladder goes from coarse to fine."""

    name: str
    values: Mapping[str, float | int | str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


class Chosen(Protocol):
    """A setting, here or in a store."""

    @property
    def values(self) -> Mapping[str, float | int | str]: ...


def families(ladder: Sequence[Chosen]) -> list[list[int]]:
    """The places of the settings of each family, from coarse to fine: an option that only ever rises or only ever falls along the ladder
    makes a run finer, and settings that differ in others are families.

    >>> steps = [Setting(f"{kind} {h}", {"kind": kind, "h": h}) for h in (0.1, 0.01) for kind in "ab"]
    >>> families(steps)
    [[0, 2], [1, 3]]
    """
    names = sorted({name for rung in ladder for name in rung.values})
    apart = [name for name in names if not _only_way([rung.values.get(name) for rung in ladder])]
    found: dict[tuple[object, ...], list[int]] = {}
    for place, rung in enumerate(ladder):
        found.setdefault(tuple(rung.values.get(name) for name in apart), []).append(place)
    return list(found.values())


def _only_way(values: Sequence[object]) -> bool:
    """Whether these are numbers that never rise, or never fall."""
    numbers = [x for x in values if isinstance(x, int | float)]
    if len(numbers) < len(values):
        return False
    return all(a <= b for a, b in pairwise(numbers)) or all(a >= b for a, b in pairwise(numbers))


@dataclass(frozen=True)
class Result:
    """A run: the motion at the times asked for, and what it cost. A motion that is not finite is a failure.

    cpu_s, wall_s  process CPU and wall time of the integration alone, s
    steps          time steps taken
    """

    motion: Motion
    cpu_s: float
    wall_s: float
    steps: int

    def __post_init__(self) -> None:
        motion = self.motion
        whole = np.ones(len(motion.times), bool)
        for values in (motion.positions, motion.rotations, motion.velocities, motion.spins):
            whole &= np.isfinite(values.reshape(len(whole), -1)).all(axis=1)
        if not whole.all():
            raise EngineFailed(f"The motion is not finite from t = {motion.times[np.argmin(whole)]:g} s on.")


class Prepared(Protocol):
    """A mechanism as the engine's own model, ready to be run any number of times from its start."""

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        """The motion at these times (sorted, from the start on); raises EngineFailed, also if it takes longer than limit_s
        of CPU time."""


class Engine(Protocol):
    """One engine; everything it imports of its package is imported when it is used.

    What derives from this class has the version of its package.
    """

    name: str
    package: str
    """Its distribution on PyPI."""
    notes: tuple[str, ...]
    """How it is used here, in sentences."""

    def version(self) -> str:
        """The installed version; raises NotInstalled."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            raise NotInstalled(
                f"The package '{self.package}' is not installed; pip install 'grashof[engines]' brings it."
            ) from None

    def refuses(self, situation: Situation) -> str | None:
        """Why it cannot do this mechanism, or None if it can."""

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        """Settings from coarse to fine."""

    def prepare(self, situation: Situation) -> Prepared:
        """Builds the engine's model; raises EngineFailed."""


def no_motors(situation: Situation, engine: str, couplings: bool = False) -> str | None:
    """Why an engine that moves joints by forces alone refuses a mechanism: it has motors, or something that is not known."""
    for motor in situation.original.motors:
        return f"Motor '{motor.name}': {engine} moves joints by forces; it has none that follows a law of time."
    return unknown(situation.original, engine, couplings=couplings)


class Stopwatch:
    """CPU and wall time of the blocks it is put around, and the limit that they must not pass together.

    >>> watch = Stopwatch(limit_s=60.0)
    >>> with watch:
    ...     _ = sum(range(1000))
    >>> 0.0 <= watch.cpu_s < 1.0
    True
    """

    def __init__(self, limit_s: float = math.inf) -> None:
        self.limit_s = limit_s
        self.cpu_s = 0.0
        self.wall_s = 0.0

    def __enter__(self) -> Stopwatch:
        self._began = process_time(), perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cpu_s += process_time() - self._began[0]
        self.wall_s += perf_counter() - self._began[1]
        if kind is None:
            self.check(self.cpu_s)

    def check(self, cpu_s: float | None = None) -> None:
        """Gives up if the limit is passed; to be called between steps, too."""
        spent = self.cpu_s + process_time() - self._began[0] if cpu_s is None else cpu_s
        if spent > self.limit_s:
            raise EngineFailed(f"Given up after {spent:.3g} s of CPU time; the limit was {self.limit_s:g} s.")

"""The interface of an engine: it takes a situation, runs it with a setting, and returns the motion of the bodies."""

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
    """The engine's package is not installed; the message says how to install it."""


class EngineFailed(Exception):
    """The engine failed; the message is the engine's own."""


@dataclass(frozen=True)
class Setting:
    """The options of one run, under the engine's own names. A ladder is a list of settings from coarse to fine."""

    name: str
    values: Mapping[str, float | int | str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


class Chosen(Protocol):
    """A setting, here or in a store."""

    @property
    def values(self) -> Mapping[str, float | int | str]: ...


def families(ladder: Sequence[Chosen]) -> list[list[int]]:
    """The indices of the settings of each family, from coarse to fine. An option that changes monotonically along the
    ladder makes runs finer; settings that differ in any other option belong to different families.

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
    """Whether these are numbers in monotonic order."""
    numbers = [x for x in values if isinstance(x, int | float)]
    if len(numbers) < len(values):
        return False
    return all(a <= b for a, b in pairwise(numbers)) or all(a >= b for a, b in pairwise(numbers))


@dataclass(frozen=True)
class Result:
    """A run: the motion at the requested times, and its cost. A motion that is not finite is a failure.

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
    """A mechanism translated to the engine's own model, which can be run from its start any number of times."""

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        """The motion at these times, which are sorted and begin with the start. Raises EngineFailed, also if the run
        takes more than limit_s of CPU time.
        """


class Engine(Protocol):
    """One engine. Its package is imported only when the engine is used.

    The version of an engine is that of its package.
    """

    name: str
    package: str
    """The name of its distribution on PyPI."""
    notes: tuple[str, ...]
    """How the engine is used here, in sentences."""

    def version(self) -> str:
        """The installed version; raises NotInstalled."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            raise NotInstalled(
                f"The package '{self.package}' is not installed; install it with pip install 'grashof[engines]'."
            ) from None

    def refuses(self, situation: Situation) -> str | None:
        """The reason why the engine cannot simulate this mechanism, or None if it can."""

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        """Settings from coarse to fine."""

    def prepare(self, situation: Situation) -> Prepared:
        """Builds the engine's model; raises EngineFailed."""


def no_motors(situation: Situation, engine: str, couplings: bool = False, inerters: bool = False) -> str | None:
    """Why an engine without prescribed motion refuses a mechanism: because of a motor, or of a part that cannot be
    translated.
    """
    for motor in situation.original.motors:
        return f"Motor '{motor.name}': {engine} has no joints whose motion is prescribed as a function of time."
    return unknown(situation.original, engine, couplings=couplings, inerters=inerters)


class Stopwatch:
    """Measures the CPU and wall time of `with` blocks, and enforces a limit on their total CPU time.

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
        """Raises EngineFailed if the limit is exceeded; may also be called between steps."""
        spent = self.cpu_s + process_time() - self._began[0] if cpu_s is None else cpu_s
        if spent > self.limit_s:
            raise EngineFailed(f"Given up after {spent:.3g} s of CPU time; the limit was {self.limit_s:g} s.")

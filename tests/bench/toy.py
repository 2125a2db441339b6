"""Engines small enough to be understood at a glance, for `MODULE:NAME`.

The N-window four-bar moves as one angle θ of its uprights from the vertical: with (N + 1) uprights and N tops of mass m
and length l,

    ((N + 1)/3 + N) m l² θ̈ = ((N + 1)/2 + N) m g l sin θ
"""

from __future__ import annotations

import ctypes
import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from grashof.engines.base import EngineFailed, NotInstalled, Result, Setting, Stopwatch
from grashof.engines.observed import Motion
from grashof.situation import Situation

G = 9.81


@dataclass(frozen=True)
class Prepared:
    """θ by the semi-implicit Euler method, with so many steps between two results."""

    situation: Situation
    before: Callable[[], None]

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        self.before()
        s = self.situation
        uprights = [name.startswith("upright") for name in s.bodies]
        n = sum(uprights) - 1
        pull = G * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
        count = int(setting.values["substeps"])
        theta, omega = 0.0, -float(s.spins[0, 2])
        angles, rates = [theta], [omega]
        with Stopwatch(limit_s) as watch:
            for begin, end in pairwise(times):
                h = (end - begin) / count
                for _ in range(count):
                    omega += h * pull * math.sin(theta)
                    theta += h * omega
                angles.append(theta)
                rates.append(omega)
                watch.check()
        return Result(_motion(s, uprights, times, angles, rates), watch.cpu_s, watch.wall_s, count * (len(times) - 1))


def _motion(s: Situation, uprights: list[bool], times: np.ndarray, angles: list[float], rates: list[float]) -> Motion:
    shape = (len(times), len(s.bodies))
    positions, rotations = np.zeros((*shape, 3)), np.zeros((*shape, 3, 3))
    velocities, spins = np.zeros((*shape, 3)), np.zeros((*shape, 3))
    sin, cos, rate = np.sin(angles), np.cos(angles), np.array(rates)
    turn = np.zeros((len(times), 3, 3))
    turn[:, 0, 0] = turn[:, 1, 1] = cos
    turn[:, 0, 1], turn[:, 1, 0], turn[:, 2, 2] = sin, -sin, 1.0
    for k, upright in enumerate(uprights):
        positions[:, k], rotations[:, k] = s.positions[k], s.rotations[k]
        if upright:
            rotations[:, k] = turn @ s.rotations[k]
            spins[:, k, 2] = -rate
        else:
            positions[:, k, :2] += np.column_stack([sin, cos - 1.0])
            velocities[:, k, :2] = np.column_stack([rate * cos, -rate * sin])
    return Motion(times, positions, rotations, velocities, spins)


@dataclass(frozen=True)
class OneAngle:
    """An engine for four-bars alone, and what it does before each run."""

    name: str = "one-angle"
    package: str = "none"
    notes: tuple[str, ...] = ("It knows that all uprights turn together.",)
    substeps: tuple[int, ...] = (1, 8, 40, 160)
    before: Callable[[], None] = lambda: None

    def version(self) -> str:
        return "1"

    def refuses(self, situation: Situation) -> str | None:
        return None if "upright0" in situation.bodies else "It knows four-bars alone."

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        return tuple(Setting(f"substeps = {n}", {"substeps": n}) for n in self.substeps)

    def prepare(self, situation: Situation) -> Prepared:
        return Prepared(situation, self.before)


@dataclass(frozen=True)
class Absent(OneAngle):
    """An engine that is not installed."""

    def version(self) -> str:
        raise NotInstalled("There is no such package.")


def _fail() -> None:
    raise EngineFailed("singular matrix in step 17")


def _abort() -> None:
    """With more last words than anybody wants to read."""
    os.write(2, b"word " * 100_000 + b"\nThe very last words.\n")
    os.abort()


def _talk() -> None:
    os.write(1, b"Welcome to the engine\n")


_runs: list[None] = []


def _busy_after_the_first() -> None:
    """From the second run on, for ever, without ever letting another thread of Python run."""
    _runs.append(None)
    if len(_runs) > 1:
        ctypes.PyDLL(None).pause()


QUICK = OneAngle()
SINGLE = OneAngle(substeps=(40,))
SLOW = OneAngle(substeps=(8, 40), before=lambda: time.sleep(0.2))
STUCK = OneAngle(before=_busy_after_the_first)
TALKATIVE = OneAngle(before=_talk)
FAILING = OneAngle(substeps=(1, 8), before=_fail)
CRASHING = OneAngle(substeps=(1,), before=_abort)
ABSENT = Absent()

"""Engines that do what Grashof does, but for one thing that is wrong on purpose; and a wheel to try them on."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np

import grashof as gr
from grashof.engines.base import Engine, NotInstalled, Prepared, Result, Setting
from grashof.engines.grashof import ENGINE as GRASHOF
from grashof.model.model import Model
from grashof.situation import Situation, situation
from grashof.situation.motion import Motion
from grashof.situation.rotations import turns

Change = Callable[[Motion, float], Motion]
"""What is wrong: from the right motion and the step h to another motion."""


def wheel(rate: float = 5.0, damped: bool = False) -> Model:
    """A wheel whose only point is its axle, which turns freely, or against a damper, whose work has no closed form."""
    m = gr.Mechanism("wheel", gravity=(0.0, -9.81))
    disc = m.body("wheel", mass=2.0, inertia=0.1, points={"axle": (0, 0)})
    m.revolute(m.ground.at(0, 0), disc.axle)
    m.need(disc.angle, value=0.0, rate=rate)
    if damped:
        m.torsion_spring(disc, stiffness=0.0, rest=0.0, damping=0.01)
    return m.model


def right(motion: Motion, h: float) -> Motion:
    """Converges with the square of the step."""
    return ahead(motion, 1e-4 * h**2 * motion.times)


def orientation_off(motion: Motion, h: float) -> Motion:
    """The wheel is ahead by 0.01 rad/s, whatever the step; its speed is right."""
    return ahead(motion, 0.01 * motion.times + 1e-4 * h**2 * motion.times)


def speed_off(motion: Motion, h: float) -> Motion:
    """The wheel is where it should be, and turns 10 % too fast."""
    return replace(right(motion, h), spins=1.1 * motion.spins)


def not_converged(motion: Motion, h: float) -> Motion:
    """From 1 s on, an error of first order in the step."""
    return ahead(motion, 0.1 * h * np.maximum(motion.times - 1.0, 0.0))


def ahead(motion: Motion, angles: np.ndarray) -> Motion:
    """All bodies turned about z by angles (T,)."""
    return replace(motion, rotations=turns(np.array([0.0, 0.0, 1.0]), angles)[:, None] @ motion.rotations)


class Toy:
    """Grashof's motion with something changed, at steps h = 1, ½, ¼, …"""

    name = "other"
    package = "other"
    notes = ()

    def __init__(
        self, change: Change = right, rungs: int = 6, problem: Exception | None = None, refusal: str | None = None
    ) -> None:
        self.change, self.rungs, self.problem, self.refusal = change, rungs, problem, refusal

    def version(self) -> str:
        if isinstance(self.problem, NotInstalled):
            raise self.problem
        return "1.0"

    def refuses(self, situation: Situation) -> str | None:
        return self.refusal

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        return tuple(Setting(f"h = {0.5**k:g}", {"h": 0.5**k}) for k in range(self.rungs))

    def prepare(self, situation: Situation) -> Prepared:
        self.prepared = GRASHOF.prepare(situation)
        return self

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        if self.problem is not None:
            raise self.problem
        h = float(setting.values["h"])
        result = self.prepared.run(Setting("", {"tol": 1e-9}), times)
        return replace(result, motion=self.change(result.motion, h), steps=round(100 / h))


class Idle(Toy):
    """Takes no notice of its settings."""

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        return super().run(Setting("", {"h": 1.0}), times)


class AtTimes(Toy):
    """Takes no notice of its settings either, but makes one step from each time to the next."""

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        h = float(times[1] - times[0])
        return replace(super().run(Setting("", {"h": h}), times), steps=len(times) - 1)


class Wavering(Toy):
    """In the place of Grashof: the wheel is ahead by a thousand tolerances a second."""

    name = "grashof"

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        result = self.prepared.run(setting, times)
        return replace(result, motion=ahead(result.motion, 1e3 * float(setting.values["tol"]) * times))


class Misled(Toy):
    """An engine that is given another mechanism than the one it is asked about."""

    def __init__(self, engine: Engine, other: Model) -> None:
        super().__init__()
        self.engine, self.other = engine, situation(other)

    def version(self) -> str:
        return self.engine.version()

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        return self.engine.ladder(self.other, t_end)

    def prepare(self, situation: Situation) -> Prepared:
        return self.engine.prepare(self.other)


class Stuck(Toy):
    """Never comes back."""

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        threading.Event().wait()
        raise AssertionError


class Crashing(Toy):
    """Takes its process with it."""

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        os._exit(3)

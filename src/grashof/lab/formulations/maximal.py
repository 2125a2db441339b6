"""Maximal coordinates: the poses of all bodies, integrated by SciPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.engines.base import EngineFailed, NotInstalled, Setting
from grashof.engines.observed import ObservedMotion
from grashof.engines.scipy import ENGINE
from grashof.lab.card import Card
from grashof.lab.member import Performed
from grashof.lab.simulated import ByTolerance
from grashof.lab.status import Ending
from grashof.lab.subject import Subject
from grashof.situation import situation


@dataclass(frozen=True)
class Maximal(ByTolerance):
    """Centres of mass and quaternions of all bodies, by the adapter of the engine `scipy`."""

    name = "maximal"
    card = Card(
        title="Maximal coordinates, SciPy's DOP853",
        equations="M a + Jᵀ λ = Q, J a = γ with six coordinates for each body and all joint equations; projected "
        "before each step",
        order=None,
        holds=("positions", "velocities"),
        reference="E. Eich, SIAM Journal on Numerical Analysis 30 (1993) 1467–1482",
    )

    def perform(self, subject: Subject, setting: float, limit_s: float) -> Performed:
        posed = situation(subject.model)
        refusal = ENGINE.refuses(posed)
        if refusal is not None:
            raise ModelError(refusal)
        times = subject.start + subject.step * np.arange(subject.intervals + 1)
        try:
            ENGINE.version()
            made = ENGINE.prepare(posed).run(Setting(f"rtol {setting:g}", {"rtol": setting}), times, limit_s)
        except NotInstalled as problem:
            raise ModelError(str(problem)) from None
        except EngineFailed as problem:
            ending = Ending.GIVEN_UP if "Given up" in str(problem) else Ending.UNSOLVED
            return Performed(None, ending, subject.start, str(problem), 0, None, None, None, limit_s)
        readings = ObservedMotion(posed, made.motion)
        return Performed(readings, Ending.FINISHED, subject.t_end, "", made.steps, None, None, None, made.cpu_s)

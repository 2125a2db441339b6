"""Cases of linkages with one degree of freedom: free, judged by the energy integral, or driven by a law of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from campaign.blocks import random_times
from campaign.case import KnownMotion
from campaign.engine import mechanism_of, point_name
from campaign.linkage import Linkage
from campaign.structure import Array
from campaign.truth import ORDINARY, along_branch, from_branch
from grashof.model.mechanism import Mechanism
from grashof.motion.trajectory import Trajectory

TURN = "turn"
"""The angle of the crank in space, from where it starts."""


@dataclass(frozen=True)
class Law:
    """An angle as a function of time: from `start` on, rate·t + swing·sin(wave·t).

    As text, which the engine reads, and in numbers, which the judge computes.
    """

    start: float
    rate: float
    swing: float = 0.0
    wave: float = 1.0

    def words(self, start: float) -> str:
        """The law in the engine's language, with another start."""
        return f"{start!r} + {self.rate!r}*t + {self.swing!r}*sin({self.wave!r}*t)"

    def at(self, t: Array) -> tuple[Array, Array]:
        """Angle and rate."""
        angle = self.start + self.rate * t + self.swing * np.sin(self.wave * t)
        return angle, self.rate + self.swing * self.wave * np.cos(self.wave * t)


def driven(linkage: Linkage, law: Law, times: Array, described: Linkage | None = None) -> KnownMotion:
    """The crank, which is the first body, follows a law for s; the engine may be given another linkage that is
    nearly the same."""
    s, rate = law.at(times)
    places, slopes = linkage.tangents(s)

    def describe() -> Mechanism:
        m, angle, home = _started(described or linkage, law.start)
        m.motor(angle, law.words(home), name="drive")
        return m

    return _case(linkage, describe, times, places, slopes * rate[:, None, None])


def free(
    linkage: Linkage,
    start: float,
    rate: float,
    times: Array,
    described: Linkage | None = None,
    off: float = 0.0,
    crank: float = 1.0,
) -> KnownMotion:
    """Only gravity acts; the engine may be given another linkage whose dimensions differ by this relative amount.

    crank   the derivative of the crank's angle by s at the start
    """
    truth = along_branch(linkage, start, rate, times)

    def describe() -> Mechanism:
        m, angle, _ = _started(described or linkage, start)
        m.need(angle, rate=crank * rate)
        return m

    growth = np.maximum(1.0, truth.sensitivity / ORDINARY)
    case = _case(linkage, describe, times, truth.places, truth.rates, growth)
    return replace(case, floor=off * np.maximum(1.0, truth.sensitivity))


def thrown(rng: np.random.Generator, linkage: Linkage) -> tuple[float, float, Array]:
    """A start away from singular positions, a rate with which s goes through its whole period, and random times."""
    start = linkage.clear_place(rng)
    (inertia,), (here,) = linkage.landscape(np.array([start]))
    _, _, potential = linkage.survey
    energy = float(potential.max() + 10.0 ** rng.uniform(-0.5, 1.0) * np.ptp(potential))
    rate = float(rng.choice([-1.0, 1.0]) * np.sqrt(2.0 * (energy - here) / inertia))
    return start, rate, random_times(rng, float(rng.uniform(3.0, 12.0) * np.sqrt(linkage.length / 9.81)))


def _started(linkage: Linkage, start: float) -> tuple[Mechanism, str, float]:
    """The mechanism at s = start, the name of the crank's angle, and its value there."""
    home = linkage.path(np.array([start]))
    m, handles = mechanism_of(linkage, home)
    crank = linkage.bodies[0].name
    axes = home[crank][1][0]
    if linkage.dimension == 2:
        return m, handles[crank].angle, float(np.arctan2(axes[1, 0], axes[0, 0]))
    (axis,) = (hinge.axis for hinge in linkage.hinges if hinge.b == crank)
    assert axis is not None
    across = np.array([axis[1], axis[2], axis[0]]) + 0.5
    m.angle(TURN, handles[crank], axis=tuple(axes @ axis), direction=tuple(axes @ np.cross(axis, across)))
    return m, TURN, 0.0


def _case(
    linkage: Linkage,
    describe: Callable[[], Mechanism],
    times: Array,
    places: Array,
    rates: Array,
    growth: Array | float = 1.0,
) -> KnownMotion:
    speed = float(np.max(np.linalg.norm(rates, axis=-1)))
    exact, scales = {}, {}
    for k, name in enumerate(_names(linkage)):
        for i, axis in enumerate("xyz"[: linkage.dimension]):
            exact[f"{name}.{axis}"], exact[f"{name}.{axis}.rate"] = places[:, k, i], rates[:, k, i]
            scales[f"{name}.{axis}"], scales[f"{name}.{axis}.rate"] = linkage.length, speed

    def astray(run: Trajectory) -> Array:
        seen = [[run[f"{name}.{axis}"] for axis in "xyz"[: linkage.dimension]] for name in _names(linkage)]
        result: Array = from_branch(linkage, np.moveaxis(np.array(seen), -1, 0)) / linkage.length
        return result

    return KnownMotion(linkage.name, describe, times, exact, scales, linkage.length / speed, growth, astray=astray)


def _names(linkage: Linkage) -> list[str]:
    """The names of the watched points, in order."""
    return [f"{body.name}.{point_name(body, k)}" for body in linkage.bodies for k in range(len(body.watched))]

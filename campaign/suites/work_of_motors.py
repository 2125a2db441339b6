"""The work of motors that follow their laws against gravity, inertia and loads.

The positions follow from the law alone, in closed form; a motor's work is then the energy gained by the bodies plus the
work done against the load, by quadrature:

    W = T + V − T₀ − V₀ − ∫ F·v dt
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

import grashof as gr
from campaign.blocks import G, random_times, wheel
from campaign.case import KnownMotion
from campaign.linkage import Linkage
from campaign.linkage_case import Law, driven
from campaign.quadrature import running_integral
from campaign.structure import Array
from campaign.suite import Cases, Rng
from campaign.suites.near_misses import four_bar, slider_crank
from grashof.model.mechanism import Mechanism
from grashof.scalar.functions import Scalar


@dataclass(frozen=True)
class Load:
    """steady + swing·cos(wave·t) − drag·rate: a torque, or a force along a direction."""

    steady: float
    swing: float
    wave: float
    drag: float

    def __call__(self, t: Scalar, rate: Scalar) -> Scalar:
        """For the engine."""
        return self.steady + self.swing * gr.cos(self.wave * t) - self.drag * rate

    def at(self, t: Array, rate: Array) -> Array:
        """For the judge."""
        result: Array = self.steady + self.swing * np.cos(self.wave * t) - self.drag * rate
        return result


def _load(rng: Rng, size: float, pace: float) -> Load:
    """A load of about this size that varies up to a hundred times faster than the motion."""
    steady, swing, drag = size * rng.normal(size=3)
    return Load(float(steady), float(swing), pace * float(10.0 ** rng.uniform(-0.5, 2.0)), abs(float(drag)) / pace)


def _law(rng: Rng, start: float) -> Law:
    rate, wave = float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-0.5, 1.0)), float(10.0 ** rng.uniform(-0.5, 1.0))
    kind = rng.random()
    if kind < 0.4:
        return Law(start, rate)
    if kind < 0.8:
        return Law(start, rate, float(rng.uniform(0.1, 2.0)), wave)
    return Law(start, 0.0, float(rng.uniform(0.5, 3.0)), wave)


def _pace(law: Law) -> float:
    return abs(law.rate) + abs(law.swing) * law.wave


def _worked(case: KnownMotion, gained: Array, power: Callable[[Array], Array], moment: float) -> KnownMotion:
    """The case with the works of `drive` and `load`, J, from the energy gained at the judged times and the load's
    power at any time."""
    load = running_integral(power, case.times, moment)
    scale = float(np.ptp(np.append(gained, 0.0))) + float(
        running_integral(lambda t: np.abs(power(t)), case.times, moment)[-1]
    )
    works = {"work.drive": gained - load, "work.load": load}
    return replace(
        case,
        exact=dict(case.exact) | works,
        scales=dict(case.scales) | dict.fromkeys(works, scale),
        moment=min(case.moment, moment),
    )


def shaft(rng: Rng) -> KnownMotion:
    """A wheel against a torque."""
    law, inertia = _law(rng, float(rng.uniform(-3.0, 3.0))), float(10.0 ** rng.uniform(-1.0, 1.0))
    pace = _pace(law)
    load = _load(rng, inertia * pace**2, pace)
    times = random_times(rng, float(rng.uniform(5.0, 60.0)) / pace)

    def describe() -> Mechanism:
        m, body = wheel(inertia)
        m.motor(body, law.words(law.start), name="drive")
        m.user_force(lambda t, x, v: [load(t, v[0])], [body.angle], name="load")
        return m

    angle, rate = law.at(times)
    _, first = law.at(np.zeros(1))
    case = KnownMotion(
        f"load {load.wave / pace:.2g} times as quick",
        describe,
        times,
        {"wheel.angle": angle, "wheel.angle.rate": rate},
        {"wheel.angle": 1.0, "wheel.angle.rate": pace},
        1.0 / pace,
    )

    def power(t: Array) -> Array:
        _, rate = law.at(t)
        result: Array = load.at(t, rate) * rate
        return result

    return _worked(case, 0.5 * inertia * (rate**2 - first**2), power, 1.0 / (pace + law.wave + load.wave))


def crank(rng: Rng) -> KnownMotion:
    """A heavy bar turned about its end, against a torque."""
    length, mass = float(10.0 ** rng.uniform(-1.0, 0.7)), float(rng.uniform(0.1, 10.0))
    law = _law(rng, float(rng.uniform(-3.0, 3.0)))
    pace = _pace(law)
    load = _load(rng, mass * G * length, pace)
    times = random_times(rng, float(rng.uniform(5.0, 60.0)) / pace)

    def describe() -> Mechanism:
        m = gr.Mechanism("crank", gravity=(0, -G))
        bar = m.bar("bar", length=length, mass=mass)
        m.revolute(m.ground.at(0, 0), bar.start)
        m.motor(bar, law.words(law.start), name="drive")
        m.user_force(lambda t, x, v: [load(t, v[0])], [bar.angle], name="load")
        return m

    def energy(t: Array) -> Array:
        angle, rate = law.at(t)
        result: Array = mass * length**2 * rate**2 / 6.0 + 0.5 * mass * G * length * np.sin(angle)
        return result

    def power(t: Array) -> Array:
        _, rate = law.at(t)
        result: Array = load.at(t, rate) * rate
        return result

    angle, _ = law.at(times)
    exact = {"bar.end.x": length * np.cos(angle), "bar.end.y": length * np.sin(angle)}
    case = KnownMotion("heavy bar", describe, times, exact, dict.fromkeys(exact, length), 1.0 / pace)
    return _worked(case, energy(times) - energy(np.zeros(1)), power, 1.0 / (pace + law.wave + load.wave))


def _with_load(make: Callable[[Rng], Linkage], point: str) -> Callable[[Rng], KnownMotion]:
    """A linkage whose last link is loaded at its end, along a random direction."""

    def draw(rng: Rng) -> KnownMotion:
        linkage = make(rng)
        law = _law(rng, float(rng.uniform(0.0, 2.0 * np.pi)))
        pace = _pace(law)
        weight = float(linkage.weights.sum()) * G
        load = _load(rng, weight, pace)
        load = replace(load, drag=load.drag / linkage.length)
        times = random_times(rng, float(rng.uniform(5.0, 30.0)) / pace)
        direction = rng.normal(size=linkage.dimension)
        direction /= np.linalg.norm(direction)
        case = driven(linkage, law, times)
        body, pin = point.split(".")

        def describe() -> Mechanism:
            m = case.describe()

            def pushed(t: Scalar, x: list[list[Scalar]], v: list[list[Scalar]]) -> list[list[Scalar]]:
                speed = sum((a * b for a, b in zip(v[0], direction.tolist(), strict=True)), start=0.0 * t)
                return [[load(t, speed) * c for c in direction.tolist()]]

            m.user_force(pushed, [point], name="load")
            return m

        def power(t: Array) -> Array:
            s, rate = law.at(t)
            origin, axes = linkage.path(s + 1e-30j)[body]
            (solid,) = (x for x in linkage.bodies if x.name == body)
            speed = (origin + axes @ solid.pins[pin]).imag / 1e-30 @ direction * rate
            result: Array = load.at(t, speed) * speed
            return result

        def energy(t: Array) -> Array:
            s, rate = law.at(t)
            inertia, potential = linkage.landscape(s)
            result: Array = 0.5 * inertia * rate**2 + potential
            return result

        gained = energy(times) - energy(np.zeros(1))
        return _worked(replace(case, describe=describe), gained, power, 0.3 / (pace + law.wave + load.wave))

    return draw


CLEAR = (-0.7, 0.0)
"""Margins of linkages that are far from singular positions, powers of ten."""

SUITE = Cases(
    "work-of-motors",
    {
        "shafts": (2, shaft),
        "cranks": (1, crank),
        "slider-cranks": (1, _with_load(lambda rng: slider_crank(rng, margins=CLEAR), "rod.end")),
        "four-bars": (1, _with_load(lambda rng: four_bar(rng, space=False, margins=CLEAR), "output.end")),
        "four-bars in space": (1, _with_load(lambda rng: four_bar(rng, space=True, margins=CLEAR), "output.end")),
    },
)

"""Forces and laws of time that change instantaneously or within a short time, compared with closed forms.

Pulses last 1e-4 to 1 of the run. A force written with `where`, `maximum`, `minimum` or `absolute` of time reveals where
it changes. A Gaussian does not: those that last less than 1/4000 of the run may lie between the times at which forces
are sampled before a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from scipy.special import erf

import grashof as gr
from campaign.blocks import mass_on_slider, random_times, wheel, with_rate
from campaign.case import KnownMotion
from campaign.structure import Array
from campaign.suite import Cases, Rng
from grashof.model.mechanism import Mechanism
from grashof.scalar.functions import Scalar

Motion = tuple[Array, Array]
"""The effect of a force of time on a unit mass initially at rest: position and velocity."""

FINEST_SEEN = 1.0 / 4000.0
"""Fraction of the run: narrower Gaussians lie between the times at which forces are sampled."""


def _moved(
    describe: Callable[[], Mechanism], name: str, times: Array, motion: Motion, what: str, moment: float
) -> KnownMotion:
    """A case of one quantity, whose scales are its largest displacement and speed."""
    place, velocity = motion
    scales = {name: float(np.max(np.abs(place - place[0]))), f"{name}.rate": float(np.max(np.abs(velocity)))}
    return KnownMotion(what, describe, times, with_rate(name, place, velocity), scales, moment)


def _forced(
    rng: Rng, force: Callable[[Scalar], Scalar], motion: Callable[[Array], Motion], end: float, width: float
) -> KnownMotion:
    """A mass or a wheel, at rest or moving, under a force of time per unit of inertia for which the motion from rest
    is known."""
    inertia = float(10.0 ** rng.uniform(-1.0, 1.0))
    times = random_times(rng, end)
    place, velocity = motion(times)
    speed = 0.0 if rng.random() < 0.5 else float(rng.normal()) * float(np.max(np.abs(velocity)))
    on_slider = bool(rng.random() < 0.5)
    quantity = "ball.p.x" if on_slider else "wheel.angle"

    def describe() -> Mechanism:
        m, body = mass_on_slider(inertia) if on_slider else wheel(inertia)
        if on_slider:
            m.user_force(lambda t, x, v: [[inertia * force(t), 0.0]], [body.p], name="push")
        else:
            m.user_force(lambda t, x, v: [inertia * force(t)], [body.angle], name="push")
        m.need(quantity, value=0.0, rate=speed)
        return m

    what = f"{'mass' if on_slider else 'wheel'}, {'moving' if speed else 'at rest'}, width {width / end:.1e}"
    return _moved(describe, quantity, times, (place + speed * times, velocity + speed), what, width)


def _ramp(t: Array) -> Array:
    result: Array = np.maximum(t, 0.0)
    return result


def _place(rng: Rng, end: float, width: float) -> float:
    """The time at which a pulse begins: anywhere, provided that it ends before the end of the run."""
    return float(rng.uniform(0.02, 0.98) * (end - width))


def _span(rng: Rng) -> float:
    return float(10.0 ** rng.uniform(-1.0, 2.0))


def pulses(rng: Rng) -> KnownMotion:
    """One to four pulses of constant force."""
    end = _span(rng)
    drawn = []
    for _ in range(int(rng.integers(1, 5))):
        width = end * float(10.0 ** rng.uniform(-4.0, 0.0))
        begin = _place(rng, end, width)
        drawn.append((begin, begin + width, float(rng.choice([-1, 1]) * rng.uniform(0.3, 1.0) / (width * end))))

    def force(t: Scalar) -> Scalar:
        return sum((gr.where((t - a) * (b - t), f, 0.0) for a, b, f in drawn), start=0.0 * t)

    return _forced(rng, force, lambda t: _pushed(drawn, t), end, min(b - a for a, b, _ in drawn))


def _pushed(drawn: Sequence[tuple[float, float, float]], t: Array) -> Motion:
    """The effect of constant forces, each from its beginning to its end."""
    velocity = sum(f * (_ramp(t - a) - _ramp(t - b)) for a, b, f in drawn)
    place = sum(0.5 * f * (_ramp(t - a) ** 2 - _ramp(t - b) ** 2) for a, b, f in drawn)
    return np.asarray(place), np.asarray(velocity)


def trains(rng: Rng) -> KnownMotion:
    """Periodic pulses, where sin ωt exceeds a threshold."""
    end, count = _span(rng), int(rng.integers(3, 30))
    wave = 2.0 * np.pi * count / end
    share = float(10.0 ** rng.uniform(-2.3, -0.3))  # of a period: at least 1/6000 of the run
    level = float(np.cos(np.pi * share))
    width = 2.0 * np.pi * share / wave
    size = 1.0 / (count * width * end)
    drawn = [(at - 0.5 * width, at + 0.5 * width, size) for at in (0.5 * np.pi + 2.0 * np.pi * np.arange(count)) / wave]

    def force(t: Scalar) -> Scalar:
        return gr.where(gr.sin(wave * t) - level, size, 0.0)

    return _forced(rng, force, lambda t: _pushed(drawn, t), end, width)


def steps(rng: Rng) -> KnownMotion:
    """A force that sets in suddenly, and perhaps a second one."""
    end = _span(rng)
    drawn = [(float(rng.uniform(0.0, end)), float(rng.normal()) / end**2) for _ in range(int(rng.integers(1, 3)))]

    def force(t: Scalar) -> Scalar:
        return sum((gr.where(t - a, f, 0.0) for a, f in drawn), start=0.0 * t)

    def motion(t: Array) -> Motion:
        velocity = sum(f * _ramp(t - a) for a, f in drawn)
        return np.asarray(sum(0.5 * f * _ramp(t - a) ** 2 for a, f in drawn)), np.asarray(velocity)

    return _forced(rng, force, motion, end, end)


def triangles(rng: Rng) -> KnownMotion:
    """A force that rises and falls evenly: max(0, 1 − |t − t₀|/w), whose second integral is a cubic spline."""
    end = _span(rng)
    width = end * float(10.0 ** rng.uniform(-4.0, -0.4))
    middle = _place(rng, end, 2.0 * width) + width
    size = 1.0 / (width * end)

    def force(t: Scalar) -> Scalar:
        return size * gr.maximum(0.0 * t, 1.0 - gr.absolute(t - middle) / width)

    def motion(t: Array) -> Motion:
        parts = [_ramp(t - middle + width), _ramp(t - middle), _ramp(t - middle - width)]
        velocity = size / width * (parts[0] ** 2 - 2.0 * parts[1] ** 2 + parts[2] ** 2) / 2.0
        return size / width * (parts[0] ** 3 - 2.0 * parts[1] ** 3 + parts[2] ** 3) / 6.0, velocity

    return _forced(rng, force, motion, end, width)


def gaussians(rng: Rng, narrowest: float, widest: float) -> KnownMotion:
    """exp(−(t − t₀)²/w²); its integrals are those of the error function."""
    end = _span(rng)
    width = end * float(np.exp(rng.uniform(np.log(narrowest), np.log(widest))))
    middle = float(rng.uniform(min(6.0 * width, 0.4 * end), max(end - 6.0 * width, 0.6 * end)))
    size = 1.0 / (width * end)

    def force(t: Scalar) -> Scalar:
        return size * gr.exp(-(((t - middle) / width) ** 2))

    def motion(t: Array) -> Motion:
        def velocity(x: Array) -> Array:
            result: Array = 0.5 * np.sqrt(np.pi) * size * width * erf(x)
            return result

        def place(x: Array) -> Array:
            result: Array = 0.5 * size * width**2 * (np.sqrt(np.pi) * x * erf(x) + np.exp(-(x**2)))
            return result

        x, begin = (t - middle) / width, np.array(-middle / width)
        return place(x) - place(begin) - velocity(begin) * t, velocity(x) - velocity(begin)

    return _forced(rng, force, motion, end, width)


def struck_oscillator(rng: Rng) -> KnownMotion:
    """A mass on a spring, at rest, that is pushed for a while."""
    end, mass = _span(rng), float(10.0 ** rng.uniform(-1.0, 1.0))
    frequency = float(rng.uniform(1.0, 50.0)) / end
    width = end * float(10.0 ** rng.uniform(-4.0, -0.3))
    begin = _place(rng, end, width)
    size = min(frequency / width, frequency**2)  # in units in which it swings by about one
    times = random_times(rng, end)

    def describe() -> Mechanism:
        m, ball = mass_on_slider(mass)
        m.spring(m.ground.at(-5, 0), ball.p, stiffness=mass * frequency**2, length=5.0)
        push = mass * size
        m.user_force(
            lambda t, x, v: [[gr.where((t - begin) * (begin + width - t), push, 0.0), 0.0]], [ball.p], name="push"
        )
        m.need("ball.p.x", value=0.0, rate=0.0)
        return m

    def since(t: Array) -> Motion:
        phase = frequency * _ramp(t)
        return 2.0 * np.sin(0.5 * phase) ** 2, frequency * np.sin(phase)

    on, off = since(times - begin), since(times - begin - width)
    share = size / frequency**2
    what = f"mass on a spring, width {width / end:.1e}"
    moved = share * (on[0] - off[0]), share * (on[1] - off[1])
    return _moved(describe, "ball.p.x", times, moved, what, min(width, 1.0 / frequency))


# -- laws


def corners(rng: Rng) -> KnownMotion:
    """A law whose rate jumps: it would require an infinite force, and may be rejected for that reason."""
    end = float(10.0 ** rng.uniform(-0.5, 1.5))
    c, rate = float(rng.uniform(0.1, 0.9)) * end, 3.0 / end
    times = random_times(rng, end)
    late = times - c
    after = late > 0.0
    laws: dict[str, Motion] = {
        f"abs(t - {c!r})": (np.abs(late), np.sign(late)),
        f"max(t - {c!r}, 0)": (_ramp(late), 1.0 * after),
        f"min(t, {c!r})": (np.minimum(times, c), 1.0 - after),
        f"where(t - {c!r}, {c!r} + 2*(t - {c!r}), t)": (times + _ramp(late), 1.0 + after),
    }
    return replace(_driven(rng, laws, rate, times), refused=lambda words: "a jump in its rate" in words)


def bends(rng: Rng) -> KnownMotion:
    """A law whose rate has a corner: the torque jumps."""
    end = float(10.0 ** rng.uniform(-0.5, 1.5))
    c, rate = float(rng.uniform(0.1, 0.9)) * end, 3.0 / end**2
    times = random_times(rng, end)
    late, first = times - c, np.minimum(times, c)
    laws: dict[str, Motion] = {
        f"max(t - {c!r}, 0)**2": (_ramp(late) ** 2, 2.0 * _ramp(late)),
        f"(t - {c!r})*abs(t - {c!r})": (late * np.abs(late), 2.0 * np.abs(late)),
        f"(t - {c!r})*sqrt((t - {c!r})**2)": (late * np.abs(late), 2.0 * np.abs(late)),
        f"min(t, {c!r})*({2.0 * c!r} - min(t, {c!r}))": (first * (2.0 * c - first), 2.0 * (c - first)),
        f"where(t - {c!r}, {c * c!r} + {2.0 * c!r}*(t - {c!r}), t**2)": (first**2 + 2.0 * c * _ramp(late), 2.0 * first),
    }
    return _driven(rng, laws, rate, times)


def _driven(rng: Rng, laws: dict[str, Motion], size: float, times: Array) -> KnownMotion:
    """A wheel that follows one of the laws, times `size`."""
    law, first, inertia = (
        str(rng.choice(list(laws))),
        float(rng.uniform(-1.0, 1.0)),
        float(10.0 ** rng.uniform(-1.0, 1.0)),
    )
    place, velocity = (size * x for x in laws[law])

    def describe() -> Mechanism:
        m, body = wheel(inertia)
        m.motor(body, f"{first!r} + {size!r}*({law})", name="drive")
        return m

    return _moved(describe, "wheel.angle", times, (first + place, velocity), law, float(times[-1]))


SUITE = Cases(
    "pulses-and-kinks",
    {
        "pulses": (2, pulses),
        "trains of pulses": (1, trains),
        "steps": (1, steps),
        "triangles": (1, triangles),
        "struck oscillators": (1, struck_oscillator),
        "Gaussians": (1, lambda rng: gaussians(rng, FINEST_SEEN, 0.3)),
        "Gaussians below 1/4000 of the run": (1, lambda rng: gaussians(rng, 1e-6, FINEST_SEEN)),
        "laws with a jump in their rate": (1, corners),
        "laws with a corner in their rate": (1, bends),
    },
    mechanisms=380,
)

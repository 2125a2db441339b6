"""What happens within a small part of a step: pegs that an arm meets, lobes that a cam passes, forces that act over a
short way.

One freedom each, so that the motion follows from the energy: with the potential V(x) and the inertia I(x) of the
coordinate x,

    t = ∫ dx / ẋ,    ẋ² = (2/I) (E − V)

integrated by SciPy's `quad` piece by piece, and continued by a straight line where nothing acts. Contacts are closed
forms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.integrate import quad
from scipy.interpolate import CubicSpline

import grashof as gr
from campaign.blocks import with_rate
from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.structure import Array
from campaign.suite import Cases, Rng
from grashof.model.handles import Handle

REACH = (-8.0, -5.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
"""Places, in widths of a feature, between which integrals are taken; nothing acts outside."""

Function = Callable[[float], float]


def _times(rng: Rng, end: float, apart: Sequence[float], gap: float) -> Array:
    """Judged times, none of them nearer than the gap to one at which the motion changes suddenly."""
    drawn = np.sort(np.append(rng.uniform(0.0, end, 12), end))
    return np.array([t for t in drawn if all(abs(t - other) > gap for other in apart)])


def _case(what: str, m: gr.Mechanism, name: str, times: Array, x: Array, v: Array, speed: float) -> KnownMotion:
    scales = {name: 1.0, f"{name}.rate": speed}
    return KnownMotion(what, lambda: m, times, with_rate(name, x, v), scales, 1.0 / speed, floor=1e-11)


def _passage(slowness: Function, middle: float, width: float) -> float:
    """The time in which x goes from 8 widths before a feature to 8 widths behind it."""
    places = [middle + k * width for k in REACH]
    pieces = [quad(slowness, a, b, epsabs=1e-15, epsrel=1e-13, limit=200) for a, b in pairwise(places)]
    if not all(np.isfinite(value) and error < 1e-11 for value, error in pieces):
        raise NotJudged("the energy integral does not converge")
    return float(sum(value for value, _ in pieces))


def _passing(
    rng: Rng,
    what: str,
    m: gr.Mechanism,
    name: str,
    place: float,
    width: float,
    speed: float,
    after: float,
    lasts: float,
) -> KnownMotion:
    """A motion at constant speeds before and behind a feature at x = place, which takes `lasts` to pass."""
    begin = (place - 8.0 * width) / speed
    behind = begin + lasts
    end = behind + float(rng.uniform(0.3, 3.0)) / after
    times = _times(rng, end, [0.5 * (begin + behind)], 0.51 * lasts)
    early = times < begin
    x = np.where(early, speed * times, place + 8.0 * width + after * (times - behind))
    return _case(what, m, name, times, x, np.where(early, speed, after), max(speed, after))


def _arm(rng: Rng) -> tuple[gr.Mechanism, float, float, float, float, float]:
    """An arm that turns towards a peg: also the peg's radius, the arm's speed, the peg's angle, half the angle that
    it covers, and the arm's inertia."""
    length, speed, at = float(rng.uniform(0.3, 2.0)), float(rng.uniform(0.3, 5.0)), float(rng.uniform(0.5, 5.5))
    m = gr.Mechanism("arm")
    mass = float(rng.uniform(0.2, 5.0))
    bar = m.bar("arm", length=length, mass=mass)
    m.revolute(m.ground.at(0.0, 0.0), bar.start)
    m.need(bar.angle, value=0.0, rate=speed)
    radius = length * float(10.0 ** rng.uniform(-5.0, -1.5))
    off = radius * float(rng.uniform(-0.9, 0.9))
    far = length + off
    m.separation("gap", m.ground.at(far * float(np.cos(at)), far * float(np.sin(at))), bar.end)
    half = float(2.0 * np.arcsin(np.sqrt((radius**2 - off**2) / (4.0 * length * far))))
    return m, radius, speed, at, half, mass * length**2 / 3.0


def rigid_pegs(rng: Rng) -> KnownMotion:
    """The arm bounces off the peg."""
    m, radius, speed, at, half, _ = _arm(rng)
    e = float(rng.uniform(0.3, 1.0))
    m.stop("gap", lower=radius, restitution=e, name="peg")
    meets = (at - half) / speed
    times = _times(rng, meets + float(rng.uniform(0.2, 1.0)) * min(at, 2.0) / speed, [meets], 1e-4 / speed)
    early = times < meets
    x = np.where(early, speed * times, (at - half) - e * speed * (times - meets))
    return _case(f"peg {radius:.1e}", m, "arm.angle", times, x, np.where(early, speed, -e * speed), speed)


def switched_brakes(rng: Rng) -> KnownMotion:
    """Passing a point switches a brake on, a constant torque against the motion."""
    m, radius, speed, at, half, inertia = _arm(rng)
    slowing = float(rng.uniform(0.05, 0.5)) * speed**2
    m.torque("arm.angle", -inertia * slowing, active=False, name="brake")
    m.event("gap", crosses=radius, direction="down", does="switch brake on", name="near")
    meets = (at - half) / speed
    times = _times(rng, meets + float(rng.uniform(0.1, 0.9)) * speed / slowing, [meets], 1e-4 / speed)
    late = np.maximum(times - meets, 0.0)
    return _case(
        f"switch {radius:.1e}",
        m,
        "arm.angle",
        times,
        speed * times - 0.5 * slowing * late**2,
        speed - slowing * late,
        speed,
    )


@dataclass(frozen=True)
class Cam:
    """A flywheel that turns at a speed, and a weight above it, at first at the height `base`; height and width of a
    lobe, and the weight's mass divided by the flywheel's inertia."""

    mechanism: gr.Mechanism
    wheel: Handle
    weight: Handle
    base: float
    speed: float
    height: float
    width: float
    share: float

    def passed(self, rng: Rng, at: float) -> KnownMotion:
        """The passage of the lobe h·exp((cos(x − at) − 1)/w²)."""

        def slowness(x: float) -> float:
            slope = -self.height * np.sin(x - at) / self.width**2 * np.exp((np.cos(x - at) - 1.0) / self.width**2)
            return float(np.sqrt(1.0 + self.share * slope**2) / self.speed)

        what = f"lobe {self.height:.1e} × {self.width:.1e}"
        lasts = _passage(slowness, at, self.width)
        return _passing(rng, what, self.mechanism, "wheel.angle", at, self.width, self.speed, self.speed, lasts)


def _cam(rng: Rng) -> Cam:
    inertia, mass = float(10.0 ** rng.uniform(-1.0, 1.0)), float(rng.uniform(0.05, 0.5))
    speed, base = float(rng.uniform(0.5, 4.0)), float(rng.uniform(0.05, 0.5))
    width = float(10.0 ** rng.uniform(-3.5, -1.5))
    height = base * float(10.0 ** rng.uniform(-2.0, -0.3))
    m = gr.Mechanism("cam")
    wheel = m.body("wheel", mass=1.0, inertia=inertia, points={"o": (0.0, 0.0)})
    weight = m.body("weight", mass=mass, inertia=1.0, points={"o": (0.0, 0.0)}, position=(0.0, base))
    m.revolute(m.ground.at(0.0, 0.0), wheel.o)
    m.prismatic(m.ground.at(0.0, 0.0), weight.o, axis=(0.0, 1.0))
    m.need(wheel.angle, value=0.0, rate=speed)
    return Cam(m, wheel, weight, base, speed, height, width, mass / inertia)


def lobes_of_couplings(rng: Rng) -> KnownMotion:
    """A coupling lifts the weight by a narrow lobe."""
    cam, at = _cam(rng), float(rng.uniform(0.6, 5.0))
    cam.mechanism.coupling(
        f"weight.o.y - {cam.base!r} - {cam.height!r}*exp((cos(wheel.angle - {at!r}) - 1)/{cam.width!r}**2)"
    )
    return cam.passed(rng, at)


def lobes_of_curves(rng: Rng) -> KnownMotion:
    """A curve in the flywheel lifts the weight by a narrow lobe, which is above its centre when the flywheel has
    turned by `at`."""
    cam, at = _cam(rng), float(rng.uniform(0.6, 4.0))
    radius = f"{cam.base!r} + {cam.height!r}*exp((cos(phi - pi/2 + {at!r}) - 1)/{cam.width!r}**2)"
    cam.mechanism.pin_on_curve(cam.wheel.curve(radius=radius), cam.weight.o)
    return cam.passed(rng, at)


def lobes_of_tables(rng: Rng) -> KnownMotion:
    """A coupling lifts the weight by a spline through the points of a narrow lobe."""
    cam, at = _cam(rng), float(rng.uniform(0.6, 5.0))
    s = np.linspace(-6.0, 6.0, 2 * int(rng.integers(12, 40)) + 1)
    x = [0.0, *(at + cam.width * s).tolist(), 2.0 * np.pi]
    y = [0.0, *(cam.height * np.exp(-0.5 * s**2) * (1.0 - (s / 6.0) ** 2) ** 3).tolist(), 0.0]
    cam.mechanism.table("lift", x, y, kind="cubic", periodic=True)
    cam.mechanism.coupling(f"weight.o.y - {cam.base!r} - lift(wheel.angle)")
    spline = CubicSpline(x, y, bc_type="periodic")
    m, start = cam.mechanism, float(spline(0.0, 1))

    def slowness(angle: float) -> float:
        inertia = 1.0 + cam.share * float(spline(angle % (2.0 * np.pi), 1)) ** 2
        return float(np.sqrt(inertia / (1.0 + cam.share * start**2)) / cam.speed)

    def time(angle: float) -> float:
        places = [0.0, *(place for place in x if 0.0 < place < angle), angle]
        return float(sum(quad(slowness, a, b, epsabs=1e-15, epsrel=1e-13)[0] for a, b in pairwise(places)))

    angles = np.array([*rng.uniform(0.0, at - 8.0 * cam.width, 3), *np.sort(rng.uniform(at + 8.0 * cam.width, 6.2, 4))])
    angles.sort()
    times = np.array([time(angle) for angle in angles])
    rates = np.array([1.0 / slowness(angle) for angle in angles])
    what = f"spline {cam.height:.1e} × {cam.width:.1e}"
    return _case(what, m, "wheel.angle", times, angles, rates, cam.speed)


def short_forces(rng: Rng) -> KnownMotion:
    """A force that acts over a short part of a straight way."""
    mass, speed, place = float(rng.uniform(0.2, 5.0)), float(rng.uniform(0.3, 5.0)), float(rng.uniform(0.3, 2.0))
    width = float(10.0 ** rng.uniform(-6.0, -2.0))
    energy = 0.5 * mass * speed**2
    gained = energy * float(rng.uniform(-0.6, 2.0))
    kind = int(rng.integers(3))
    text, area, done = [
        ("{h}*exp(-((b.o.x - {p})/{w})**2)", np.sqrt(np.pi), lambda s: np.exp(-(s**2))),
        ("{h}*max(0, 1 - abs(b.o.x - {p})/{w})", 1.0, lambda s: max(0.0, 1.0 - abs(s))),
        ("{h} if abs(b.o.x - {p}) < {w} else 0", 2.0, lambda s: float(abs(s) < 1.0)),
    ][kind]
    height = gained / (width * float(area))
    m = gr.Mechanism("slide")
    body = m.body("b", mass=mass, inertia=1.0, points={"o": (0.0, 0.0)})
    m.prismatic(m.ground.at(0.0, 0.0), body.o, axis=(1.0, 0.0))
    m.need("b.o.x", value=0.0, rate=speed)
    m.force(body.o, (text.format(h=repr(height), p=repr(place), w=repr(width)), 0.0))

    def share(s: float) -> float:
        """The work done up to s widths behind the place, as a fraction of the whole."""
        marks = [k for k in REACH if k < s] + [s]
        return float(sum(quad(done, a, b, epsabs=1e-15)[0] for a, b in pairwise(marks))) / float(area)

    def slowness(x: float) -> float:
        return float(1.0 / np.sqrt(speed**2 * (1.0 + gained / energy * share((x - place) / width))))

    lasts = _passage(slowness, place, width)
    after = float(speed * np.sqrt(1.0 + gained / energy))
    return _passing(rng, f"force {height:.1e} × {width:.1e}", m, "b.o.x", place, width, speed, after, lasts)


SUITE = Cases(
    "short-contacts-and-narrow-lobes",
    {
        "rigid pegs": (2, rigid_pegs),
        "switched brakes": (1, switched_brakes),
        "lobes of couplings": (2, lobes_of_couplings),
        "lobes of curves": (1, lobes_of_curves),
        "short forces": (2, short_forces),
        "lobes of tables": (1, lobes_of_tables),
    },
)

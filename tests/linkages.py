"""Linkages of the books, in the plane and in space, each assembled where it is drawn; one is guessed roughly."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from grashof.freedoms.report import Mobility
from grashof.model.handles import Handle, Point
from grashof.model.mechanism import Mechanism

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

# -- in the plane


CORNERS = [(0.0, 0.0), (0.5, 1.0), (3.0, 2.0), (2.5, 0.0)]
"""A four-bar's pins: of the crank on the ground, of the coupler at both ends, of the rocker on the ground."""


def planar_four_bar() -> Mechanism:
    m = Mechanism("four-bar")
    names = ("crank", "coupler", "rocker")
    crank, coupler, rocker = (m.bar(name, start=CORNERS[i], end=CORNERS[i + 1], mass=1) for i, name in enumerate(names))
    m.revolute(m.ground.at(*CORNERS[0]), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.start)
    m.revolute(rocker.end, m.ground.at(*CORNERS[3]))
    return m


def guessed_four_bar(
    lengths: tuple[float, float, float] = (0.5, 1.2, 0.9),
    ground: float = 1.0,
    *,
    off: float = 0.0,
    up: bool = True,
    seed: int = 0,
) -> Mechanism:
    """Crank, coupler, rocker; guessed with the elbow up or down, each body off by a random offset and turn of size
    `off`."""
    rng = np.random.default_rng(seed)
    crank, coupler, rocker = lengths
    side = 1.0 if up else -1.0
    m = Mechanism("four-bar", gravity=(0, -9.81))
    names = [("crank", crank, (0, 0), 1.0), ("coupler", coupler, (0.3, 0.4), 0.4), ("rocker", rocker, (ground, 0), 1.2)]
    bars = []
    for name, length, place, angle in names:
        bar = m.bar(name, mass=1.0, length=length)
        x, y = np.array(place) * (1, side) + off * rng.uniform(-1, 1, 2)
        m.guess(bar, (x, y), angle=side * angle + off * rng.uniform(-1, 1))
        bars.append(bar)
    m.revolute(m.ground.at(0, 0), bars[0].start, name="O")
    m.revolute(bars[0].end, bars[1].start, name="A")
    m.revolute(bars[1].end, bars[2].end, name="B")
    m.revolute(m.ground.at(ground, 0), bars[2].start, name="C")
    return m


def slider_crank(angle: float = 0.7, *, motor: str | None = None) -> Mechanism:
    """A crank of 1 m, a rod of 2 m and a pin in a slot along x; `motor` drives the crank."""
    m = Mechanism("slider-crank")
    pin = (math.cos(angle), math.sin(angle))
    far = pin[0] + math.sqrt(4.0 - pin[1] ** 2)
    crank = m.bar("crank", start=(0, 0), end=pin, mass=1)
    rod = m.bar("rod", start=pin, end=(far, 0), mass=1)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    if motor is not None:
        m.motor(crank, motor)
    return m


def piston_driven(angle: float) -> Mechanism:
    """The slider-crank driven at its pin: the distance from the crank's centre follows a law."""
    m = slider_crank(angle)
    reach = math.cos(angle) + math.sqrt(4.0 - math.sin(angle) ** 2)
    m.separation("reach", Point("ground", "p1"), Point("rod", "end"))
    m.motor("reach", f"{reach!r} - t**2")
    return m


def parallelogram(cranks: int) -> Mechanism:
    """Equal, parallel cranks on one coupler."""
    m = Mechanism(f"parallelogram with {cranks} cranks")
    coupler = m.body("coupler", mass=1, inertia=1, position=(0.6, 0.8))
    for i in range(cranks):
        crank = m.bar(f"crank{i}", start=(i, 0), end=(i + 0.6, 0.8), mass=1)
        m.revolute(m.ground.at(i, 0), crank.start, name=f"foot{i}")
        m.revolute(crank.end, coupler.at(i, 0), name=f"head{i}")
    return m


def windows_lying_flat(count: int, open_by: float = 0.0) -> Mechanism:
    """Four-bar windows of equal bars, all of them on the x axis, or away from it by an angle."""
    m = Mechanism("flat windows")
    x, y = math.cos(open_by), math.sin(open_by)
    uprights = [m.bar(f"upright{i}", start=(i, 0), end=(i + x, y), mass=1) for i in range(count + 1)]
    tops = [m.bar(f"top{i}", start=(i + x, y), end=(i + 1 + x, y), mass=1) for i in range(count)]
    for i, upright in enumerate(uprights):
        m.revolute(m.ground.at(i, 0), upright.start)
    for i, top in enumerate(tops):
        m.revolute(uprights[i].end, top.start)
        m.revolute(top.end, uprights[i + 1].end)
    return m


def flat_window_on_an_upright_one() -> Mechanism:
    m = Mechanism("two storeys")
    lower = [m.bar(f"lower{i}", start=(i, 0), end=(i, 1), mass=1) for i in range(2)]
    floor = m.bar("floor", start=(0, 1), end=(1, 1), mass=1)
    upper = [m.bar(f"upper{i}", start=(i, 1), end=(i + 1, 1), mass=1) for i in range(2)]
    roof = m.bar("roof", start=(1, 1), end=(2, 1), mass=1)
    for i in range(2):
        m.revolute(m.ground.at(i, 0), lower[i].start)
        m.revolute(lower[i].end, (floor.start, floor.end)[i])
        m.revolute(lower[i].end, upper[i].start)
        m.revolute(upper[i].end, (roof.start, roof.end)[i])
    return m


def arch(height: float, span: float = 2.0) -> Mechanism:
    """Two bars between fixed pins, drawn for pins 2 m apart; at another `span` the right one is torn off."""
    m = Mechanism(f"arch of {height:g} m")
    left = m.bar("left", start=(0, 0), end=(1, height), mass=1)
    right = m.bar("right", start=(1, height), end=(2, 0), mass=1)
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(left.end, right.start)
    m.revolute(right.end, m.ground.at(span, 0))
    return m


def wedges() -> Mechanism:
    """Two wedges that slide on the ground and on each other."""
    m = Mechanism("wedges")
    low = m.body("low", mass=1, inertia=1, position=(0, 0))
    high = m.body("high", mass=1, inertia=1, position=(0, 1))
    m.prismatic(m.ground.at(0, 0), low.at(0, 0), axis=(1, 0), name="floor")
    m.prismatic(m.ground.at(0, 1), high.at(0, 0), axis=(0, 1), name="wall")
    m.prismatic(low.at(0, 1), high.at(0, 0), axis=(1, 1), name="slope")
    return m


# -- in space


def block(m: Mechanism, name: str, *places: Sequence[float]) -> Callable[[Sequence[float]], Point]:
    """A rigid body whose axes are the world's at the start: gives its points by where they are."""
    center = np.mean(places, axis=0) if places else (0.0, 0.0, 0.0)
    body = m.body(name, mass=1, center=center, inertia=(1.0, 1.0, 1.0), position=(0, 0, 0))
    return lambda place: body.at(*place)


def closed_chain(
    name: str, pins: Sequence[Sequence[float]], axes: Sequence[Sequence[float]], kinds: Sequence[str]
) -> Mechanism:
    """Links with a joint at each pin; the ground is the link from the last pin to the first."""
    m = Mechanism(name, dimension=3)
    count = len(pins)
    links = [lambda place: m.ground.at(*place)]
    links += [block(m, f"link{i}", pins[i - 1], pins[i]) for i in range(1, count)]
    for i, kind in enumerate(kinds):
        join = getattr(m, kind)
        join(links[i](pins[i]), links[(i + 1) % count](pins[i]), axis=axes[i], name=f"pin{i}")
    return m


def revolute_loop(name: str, pins: Sequence[Sequence[float]], axes: Sequence[Sequence[float]]) -> Mechanism:
    return closed_chain(name, pins, axes, ["revolute"] * len(pins))


def four_bar_in_space(axis: Sequence[float] = Z) -> Mechanism:
    """The four-bar drawn in the plane across `axis`."""
    n = np.array(axis) / np.linalg.norm(axis)
    u = np.cross(n, (0.3, 0.2, 0.9) if abs(n[2]) < 0.9 else X)
    u /= np.linalg.norm(u)
    return revolute_loop("four-bar in space", [x * u + y * np.cross(n, u) for x, y in CORNERS], [n] * 4)


def spherical_four_bar(center: Sequence[float] = (0.0, 0.0, 0.0)) -> Mechanism:
    axes = [np.array(a) / np.linalg.norm(a) for a in ((1, 0, 0.2), (0.8, 0.7, 0.6), (-0.2, 1, 0.5), (-0.3, 0.6, -0.4))]
    return revolute_loop("spherical four-bar", [np.array(center) + a for a in axes], axes)


def bennett(length: float = 1.0, twist: float = 0.7, other_twist: float = 1.9, theta: float = 0.9) -> Mechanism:
    """Bennett's four-revolute loop (1903): opposite links alike, a/sin α = b/sin β, joint angles related by
    tan(θ₁/2) tan(θ₂/2) = sin((β + α)/2) / sin((β − α)/2)."""
    other = length * math.sin(other_twist) / math.sin(twist)
    ratio = math.sin(0.5 * (other_twist + twist)) / math.sin(0.5 * (other_twist - twist))
    second = 2.0 * math.atan(ratio / math.tan(0.5 * theta))
    frame = np.eye(4)
    pins, axes = [], []
    for angle, a, alpha in zip(
        (theta, second, -theta, -second), (length, other) * 2, (twist, other_twist) * 2, strict=True
    ):
        frame = frame @ _denavit_hartenberg(angle, a, alpha)
        pins.append(frame[:3, 3].copy())
        axes.append(frame[:3, 2].copy())
    assert np.allclose(frame, np.eye(4), atol=1e-12), "the loop does not close"
    return revolute_loop("Bennett linkage", pins, axes)


def _denavit_hartenberg(angle: float, a: float, alpha: float) -> np.ndarray:
    c, s, ca, sa = math.cos(angle), math.sin(angle), math.cos(alpha), math.sin(alpha)
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, 0], [0, 0, 0, 1]])


def bricard() -> Mechanism:
    """Bricard's loop (1897) along six edges of a cube, each axis at right angles to the next."""
    pins = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    return revolute_loop("Bricard", pins, [Y, Z, X, Y, Z, X])


SARRUS = ([(0, -1, 0), (0, -1.8, 0.6), (0, -1, 1.2), (-1, 0, 1.2), (-1.8, 0, 0.6), (-1, 0, 0)], [X, X, X, Y, Y, Y])
"""Sarrus's straight-line linkage (1853): two folding legs whose hinges are along x and along y. Pins and axes."""

FLAT_RHOMBUS = ([(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 0, 0)], [Z] * 4)
"""Four bars of 1 m on the x axis. Pins and axes."""


def rssr(*, slender: bool) -> Mechanism:
    """Crank and rocker with a coupler between ball joints."""
    m = Mechanism("RSSR", dimension=3)
    a, b = (0.0, 0.5, 0.0), (2.0, 0.3, 1.0)
    crank, rocker = block(m, "crank", (0, 0, 0), a), block(m, "rocker", (2, 0, 0), b)
    m.revolute(m.ground.at(0, 0, 0), crank((0, 0, 0)), axis=X)
    m.revolute(m.ground.at(2, 0, 0), rocker((2, 0, 0)), axis=(0, 1, 0.3))
    if slender:
        rod = m.bar("rod", start=a, end=b, mass=1)
        m.spherical(crank(a), rod.start)
        m.spherical(rod.end, rocker(b))
    else:
        coupler = block(m, "coupler", a, b)
        m.spherical(crank(a), coupler(a))
        m.spherical(coupler(b), rocker(b))
    return m


def sliding_on_parallel_axes() -> Mechanism:
    """Four parallel axes, two of which let their bodies slide along: revolute and cylindrical joints in turn."""
    return closed_chain("RCRC", [(x, y, 0) for x, y in CORNERS], [Z] * 4, ("revolute", "cylindrical") * 2)


def door() -> Mechanism:
    m = Mechanism("door", dimension=3)
    leaf = block(m, "leaf", (0, 0, 0), (0, 0, 2), (1, 0, 1))
    for name, height in (("lower", 0), ("upper", 2)):
        m.revolute(m.ground.at(0, 0, height), leaf((0, 0, height)), axis=Z, name=name)
    return m


def stone(m: Mechanism, name: str) -> Handle:
    """A body at the origin, in the plane or in space."""
    inertia = 1.0 if m.dimension == 2 else (1.0, 1.0, 1.0)
    return m.body(name, mass=1, inertia=inertia, position=(0.0,) * m.dimension)


def welded_twice(dimension: int) -> Mechanism:
    m = Mechanism("welded twice", dimension=dimension)
    zero, one = (0.0,) * dimension, (1.0,) + (0.0,) * (dimension - 1)
    a, b = stone(m, "left"), stone(m, "right")
    m.weld(a.at(*zero), b.at(*zero), name="first")
    m.weld(a.at(*one), b.at(*one), name="second")
    return m


def table(legs: int) -> Mechanism:
    """A plate on massless rods, none of which crosses another."""
    m = Mechanism(f"table on {legs} legs", dimension=3)
    plate = m.body("plate", mass=1, inertia=(1, 1, 2), position=(0, 0, 1))
    for i in range(legs):
        around, turned = math.pi / 3 * i, math.pi / 3 * i + (0.5 if i % 2 else -0.5)
        foot = (2 * math.cos(turned), 2 * math.sin(turned), 0)
        top = (math.cos(around), math.sin(around), 0)
        length = math.dist(foot, (top[0], top[1], 1))
        m.distance(m.ground.at(*foot), plate.at(*top), length)
    return m


def numbers(report: Mobility) -> tuple[int, int, int, int]:
    """(degrees of freedom, freedoms, joint equations, redundant ones)"""
    return report.dof, report.body_freedoms, report.equations, report.redundant

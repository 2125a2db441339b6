"""Loops and chains with two features drawn at random.

Features are gears, racks, cams, ropes, screws, friction, stops, events, controllers, motors, springs and laws: those
that work alone may not work together. Each mechanism is described twice, for the engine and in maximal coordinates
(`maximal.py`), and the two motions are compared. Errors may grow like those of a slightly perturbed start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import grashof as gr
from campaign.blocks import G, random_times
from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.maximal import Cam, OnLine, Pin, Place, Plane, Rope, Rub, Sum, Switch, Wall, smooth_sign
from campaign.maximal import Motor as Drive
from campaign.structure import Array
from campaign.suite import Cases, Rng
from grashof.model.handles import Handle

OFF = 1e-7
"""Perturbation of the start of the neighbouring motion."""

MOST_APART = 1e4
"""Mechanisms whose neighbouring motions diverge by more than this are drawn again."""


@dataclass(frozen=True)
class Link:
    """A body in both descriptions: a rod, a wheel or a slide."""

    name: str
    handle: Handle
    number: int
    length: float = 0.0

    @property
    def turn(self) -> int:
        """The place of its angle in q."""
        return 3 * self.number + 2

    @property
    def start(self) -> Place:
        return Place(self.number, -0.5 * self.length, 0.0)

    @property
    def end(self) -> Place:
        return Place(self.number, 0.5 * self.length, 0.0)


@dataclass(frozen=True)
class Turner:
    """A rod pinned to the ground, with its pin in both descriptions."""

    link: Link
    joint: str
    pin: Pin


@dataclass
class Twin:
    """A mechanism under construction, in both descriptions.

    names     the quantities that are compared, with their places in q
    turners   the rods pinned to the ground whose angles are the freedoms, or some of them
    tip       a moving point of the base, for ropes and springs
    """

    space: bool
    m: gr.Mechanism
    plane: Plane
    names: dict[str, int] = field(default_factory=dict)
    turners: list[Turner] = field(default_factory=list)
    freedoms: int = 1
    tip: tuple[Link, str, Place] | None = None
    driven: set[int] = field(default_factory=set)
    jumps: bool = False

    @classmethod
    def empty(cls, space: bool) -> Twin:
        gravity = (0.0, -G, 0.0) if space else (0.0, -G)
        return cls(space, gr.Mechanism("pair of features", gravity=gravity), Plane(G))

    def at(self, x: float, y: float) -> tuple[float, ...]:
        """A point of the plane of motion."""
        return (x, y, 0.0) if self.space else (x, y)

    def link(self, name: str, x: float, y: float, angle: float, mass: float, inertia: float, length: float) -> Link:
        """A body with its origin at (x, y) and its centre of mass half its length along its own x axis."""
        half = 0.5 * length
        handle = self.m.body(
            name,
            mass=mass,
            center=self.at(half, 0.0),
            inertia=(0.6 * inertia, 0.7 * inertia, inertia, 0.0, 0.0, 0.0) if self.space else inertia,
            points={"o": self.at(0.0, 0.0), "e": self.at(length, 0.0)} if length else {"o": self.at(0.0, 0.0)},
            position=self.at(x, y),
            angle=0.0 if self.space else angle,
            rotation=(float(np.cos(0.5 * angle)), 0.0, 0.0, float(np.sin(0.5 * angle))) if self.space else None,
        )
        number = self.plane.body(mass, inertia, x + half * np.cos(angle), y + half * np.sin(angle), angle)
        return Link(name, handle, number, length)

    def rod(self, rng: Rng, name: str, p: Array, q: Array) -> Link:
        length = float(np.hypot(*(q - p)))
        mass = float(rng.uniform(0.3, 3.0))
        inertia = mass * length**2 * float(rng.uniform(0.05, 0.2))
        link = self.link(name, float(p[0]), float(p[1]), float(np.arctan2(*(q - p)[::-1])), mass, inertia, length)
        self.names[self.angle_of(link)] = link.turn
        return link

    def angle_of(self, link: Link) -> str:
        """The name of its angle."""
        if not self.space:
            return f"{link.name}.angle"
        name = f"turn of {link.name}"
        if name not in self.names:
            angle = self.plane.start[link.turn]
            pointing = (float(np.cos(angle)), float(np.sin(angle)), 0.0)
            self.m.angle(name, link.handle, axis=(0.0, 0.0, 1.0), zero=(1.0, 0.0, 0.0), direction=pointing)
        return name

    def in_law(self, link: Link) -> str:
        """The name of its angle as laws spell it."""
        return f"`{self.angle_of(link)}`" if self.space else self.angle_of(link)

    def revolute(self, a: tuple[Handle, tuple[float, ...] | str], b: tuple[Handle, str]) -> str:
        (first, at), (second, point) = a, b
        here = first.point(at) if isinstance(at, str) else first.at(*at)
        name = f"pin {len(self.plane.rows)}"
        axis = {"axis": (0.0, 0.0, 1.0)} if self.space else {}
        self.m.revolute(here, second.point(point), name=name, **axis)
        return name

    def ground_pin(self, link: Link, p: Array) -> Turner:
        joint = self.revolute((self.m.ground, self.at(*p.tolist())), (link.handle, "o"))
        pin = Pin(Place(None, *p.tolist()), link.start)
        self.plane.rows.append(pin)
        return Turner(link, joint, pin)

    def join(self, a: Link, b: Link, to_end: bool = False) -> None:
        """The end of a is pinned to the start of b, or to its end."""
        self.revolute((a.handle, "e"), (b.handle, "e" if to_end else "o"))
        self.plane.rows.append(Pin(a.end, b.end if to_end else b.start))

    def slide(self, name: str, x: float, y: float, mass: float, along_x: bool) -> Link:
        """A body that slides along an axis without turning."""
        link = self.link(name, x, y, 0.0, mass, 1.0, 0.0)
        axis = self.at(1.0, 0.0) if along_x else self.at(0.0, 1.0)
        self.m.prismatic(self.m.ground.at(*self.at(x, y)), link.handle.point("o"), axis=axis)
        k = 3 * link.number
        self.plane.rows += [Sum({k + 2: 1.0}, 0.0), Sum({k + 1: 1.0}, y) if along_x else Sum({k: 1.0}, x)]
        self.names[f"{name}.o.{'x' if along_x else 'y'}"] = k + (0 if along_x else 1)
        return link


# -- bases


def _met(p: Array, a: float, q: Array, b: float, side: float) -> Array:
    """The point at the distance a from p and b from q."""
    d = q - p
    apart = float(np.hypot(*d))
    along = (a * a - b * b + apart * apart) / (2.0 * apart)
    if a * a - along * along < 0.01 * min(a, b) ** 2:
        raise NotJudged("it cannot be assembled, or is almost stretched")
    u = d / apart
    return np.asarray(p + along * u + side * np.sqrt(a * a - along * along) * np.array([-u[1], u[0]]))


def _toward(angle: float, length: float) -> Array:
    return length * np.array([np.cos(angle), np.sin(angle)])


def four_bar(rng: Rng, twin: Twin) -> None:
    a, b, c, g = rng.uniform(0.3, 1.0, size=4).tolist()
    left, right = np.zeros(2), np.array([g, 0.0])
    p = _toward(float(rng.uniform(-np.pi, np.pi)), a)
    q = _met(p, b, right, c, float(rng.choice([-1.0, 1.0])))
    crank, coupler, rocker = (
        twin.rod(rng, name, *ends) for name, ends in (("crank", (left, p)), ("coupler", (p, q)), ("rocker", (right, q)))
    )
    twin.turners = [twin.ground_pin(crank, left), twin.ground_pin(rocker, right)]
    twin.join(crank, coupler)
    twin.join(coupler, rocker, to_end=True)
    twin.tip = (coupler, "e", coupler.end)


def slider_crank(rng: Rng, twin: Twin) -> None:
    a, offset = float(rng.uniform(0.2, 0.6)), float(rng.uniform(-0.2, 0.2))
    b = (a + abs(offset)) * float(rng.uniform(1.15, 3.0))
    p = _toward(float(rng.uniform(-np.pi, np.pi)), a)
    q = np.array([p[0] + float(np.sqrt(b * b - (offset - p[1]) ** 2)), offset])
    crank, rod = twin.rod(rng, "crank", np.zeros(2), p), twin.rod(rng, "rod", p, q)
    twin.turners = [twin.ground_pin(crank, np.zeros(2))]
    twin.join(crank, rod)
    if twin.space:  # its guide holds the loop in its plane, as the pins do
        slider = twin.slide("slider", q[0], q[1], float(rng.uniform(0.2, 2.0)), along_x=True)
        twin.revolute((rod.handle, "e"), (slider.handle, "o"))
        twin.plane.rows.append(Pin(rod.end, slider.start))
    else:
        line = twin.m.ground.line((0.0, offset), (1.0, offset))
        twin.m.slider(line, rod.handle.point("e"))
        twin.plane.rows.append(OnLine(rod.end, 0.0, 1.0, offset))
    twin.tip = (rod, "e", rod.end)


def five_bar(rng: Rng, twin: Twin) -> None:
    a, b, c, d, g = rng.uniform(0.4, 1.0, size=5).tolist()
    right = np.array([g, 0.0])
    p = _toward(float(rng.uniform(0.3, np.pi)), a)
    s = right + _toward(float(rng.uniform(0.0, np.pi - 0.3)), d)
    q = _met(p, b, s, c, float(rng.choice([-1.0, 1.0])))
    left_rod, left_arm, right_rod, right_arm = (
        twin.rod(rng, name, *ends)
        for name, ends in (
            ("left", (np.zeros(2), p)),
            ("left arm", (p, q)),
            ("right", (right, s)),
            ("right arm", (s, q)),
        )
    )
    twin.turners = [twin.ground_pin(left_rod, np.zeros(2)), twin.ground_pin(right_rod, right)]
    twin.join(left_rod, left_arm)
    twin.join(right_rod, right_arm)
    twin.join(left_arm, right_arm, to_end=True)
    twin.freedoms, twin.tip = 2, (left_arm, "e", left_arm.end)


def pendulums(rng: Rng, twin: Twin) -> None:
    p = _toward(float(rng.uniform(-np.pi, np.pi)), float(rng.uniform(0.3, 1.0)))
    q = p + _toward(float(rng.uniform(-np.pi, np.pi)), float(rng.uniform(0.3, 1.0)))
    upper, lower = twin.rod(rng, "upper", np.zeros(2), p), twin.rod(rng, "lower", p, q)
    twin.turners = [twin.ground_pin(upper, np.zeros(2))]
    twin.join(upper, lower)
    twin.turners.append(Turner(lower, "", Pin(upper.end, lower.start)))
    twin.freedoms, twin.tip = 2, (lower, "e", lower.end)


# -- features


def _turner(rng: Rng, twin: Twin) -> Turner:
    """A rod pinned to the ground."""
    pinned = [turner for turner in twin.turners if turner.joint]
    return pinned[int(rng.integers(len(pinned)))]


def gear(rng: Rng, twin: Twin) -> str:
    turner, teeth = _turner(rng, twin), [int(x) for x in rng.integers(12, 60, size=2)]
    place = np.array([-1.0 - len(twin.names), 2.0])
    mass, angle = float(rng.uniform(0.2, 2.0)), float(rng.uniform(-3.0, 3.0))
    name = f"wheel {len(twin.names)}"
    wheel = twin.link(name, float(place[0]), float(place[1]), angle, mass, mass * float(rng.uniform(0.01, 0.1)), 0.0)
    twin.names[twin.angle_of(wheel)] = wheel.turn
    twin.revolute((twin.m.ground, twin.at(*place.tolist())), (wheel.handle, "o"))
    twin.plane.rows.append(Pin(Place(None, *place.tolist()), wheel.start))
    first, second = twin.angle_of(turner.link), twin.angle_of(wheel)
    if twin.space:
        twin.m.gear(first, second, teeth=teeth)
    else:
        twin.m.gear(turner.link.handle, wheel.handle, teeth=teeth, carrier=twin.m.ground)
    q = twin.plane.start
    terms = {turner.link.turn: float(teeth[0]), wheel.turn: float(teeth[1])}
    twin.plane.rows.append(Sum(terms, sum(c * q[k] for k, c in terms.items())))
    twin.m.need(second, value=angle)
    return f"gear {teeth[0]}:{teeth[1]}"


def rack(rng: Rng, twin: Twin) -> str:
    turner, radius = _turner(rng, twin), float(rng.choice([-1.0, 1.0]) * rng.uniform(0.05, 0.4))
    slide = twin.slide(
        f"bar {len(twin.names)}", 0.0, -2.0 - len(twin.names), float(rng.uniform(0.2, 2.0)), along_x=True
    )
    twin.m.rack(f"{slide.name}.o.x", twin.angle_of(turner.link), radius=radius)
    k, q = 3 * slide.number, twin.plane.start
    twin.plane.rows.append(Sum({k: 1.0, turner.link.turn: -radius}, q[k] - radius * q[turner.link.turn]))
    twin.m.need(f"{slide.name}.o.x", value=0.0)
    return f"rack {radius:.2f}"


def cam(rng: Rng, twin: Twin) -> str:
    turner, lift, k = _turner(rng, twin), float(rng.uniform(0.03, 0.2)), int(rng.integers(1, 4))
    top, width = float(rng.uniform(-3.0, 3.0)), float(10.0 ** rng.uniform(-1.0, 0.0))
    lobed = bool(rng.random() < 0.5)
    turn = twin.in_law(turner.link)

    def sine(x: float) -> tuple[float, float, float]:
        s, c = np.sin(k * x - top), np.cos(k * x - top)
        return float(lift * s), float(lift * k * c), float(-lift * k * k * s)

    def lobe(x: float) -> tuple[float, float, float]:
        s, c, w = np.sin(x - top), np.cos(x - top), width**2
        y = lift * np.exp((c - 1.0) / w)
        return float(y), float(-y * s / w), float(y * (s * s / w - c) / w)

    profile = lobe if lobed else sine
    text = f"{lift!r}*exp((cos({turn} - {top!r}) - 1)/{width**2!r})" if lobed else f"{lift!r}*sin({k}*{turn} - {top!r})"
    x = 3.0 + len(twin.names)
    height = profile(twin.plane.start[turner.link.turn])[0]
    slide = twin.slide(f"valve {len(twin.names)}", x, height, float(rng.uniform(0.1, 1.0)), along_x=False)
    name = f"`{slide.name}`.o.y"
    twin.m.coupling(f"{name} - {text}")
    twin.plane.rows.append(Cam(3 * slide.number + 1, turner.link.turn, profile))
    return f"cam {'lobe' if lobed else 'sine'}"


def rope(rng: Rng, twin: Twin) -> str:
    assert twin.tip is not None
    link, point, place = twin.tip
    eye = np.array([float(rng.uniform(-0.5, 1.0)), float(rng.uniform(2.5, 3.5))])
    below = float(rng.uniform(1.0, 3.0))
    load = twin.slide(
        f"load {len(twin.names)}", eye[0], eye[1] - below - 5.0, float(rng.uniform(0.1, 1.0)), along_x=False
    )
    twin.m.rope([link.handle.point(point), twin.m.ground.at(*twin.at(*eye.tolist())), load.handle.point("o")])
    x, y, _, _ = place.at(np.array(twin.plane.start))
    length = float(np.hypot(x - eye[0], y - eye[1])) + below + 5.0
    twin.plane.rows.append(Rope((place, Place(None, *eye.tolist()), load.start), length))
    return "rope"


def screw(rng: Rng, twin: Twin) -> str:
    """In space: a slide moved by a rack carries a nut, whose screw turns in a bearing and has inertia."""
    turner, radius = _turner(rng, twin), float(rng.uniform(0.1, 0.4))
    y, lead, inertia = -2.0 - len(twin.names), float(rng.uniform(0.05, 0.5)), float(10.0 ** rng.uniform(-4.0, -2.0))
    nut = twin.slide(f"nut {len(twin.names)}", 0.0, y, float(rng.uniform(0.2, 2.0)), along_x=True)
    twin.m.rack(f"{nut.name}.o.x", twin.angle_of(turner.link), radius=radius)
    k, q = 3 * nut.number, twin.plane.start
    twin.plane.rows.append(Sum({k: 1.0, turner.link.turn: -radius}, q[k] - radius * q[turner.link.turn]))
    twin.m.need(f"{nut.name}.o.x", value=0.0)
    rotor = twin.m.body(
        f"screw {k}", mass=1.0, center=(0.0, 0.0, 0.0), inertia=(inertia,) * 3 + (0.0,) * 3,
        points={"o": (0.0, 0.0, 0.0)}, position=(0.0, y, 0.0),
    )  # fmt: skip
    twin.m.revolute(twin.m.ground.at(0.0, y, 0.0), rotor.point("o"), axis=(1.0, 0.0, 0.0))
    twin.m.screw(nut.handle.point("o"), rotor.point("o"), axis=(1.0, 0.0, 0.0), lead=lead)
    twin.plane.masses[k] += inertia * (2.0 * np.pi / lead) ** 2
    return f"screw {lead:.2f}"


def rubbing(rng: Rng, twin: Twin) -> str:
    turner = _turner(rng, twin)
    coulomb, viscous, slip = float(rng.uniform(0.05, 1.0)), float(rng.uniform(0.0, 0.3)), float(rng.uniform(0.05, 0.3))
    twin.m.friction(turner.joint, coulomb=coulomb, viscous=viscous, slip_speed=slip)
    k = turner.link.turn

    def load(t: float, q: Array, v: Array, e: Array, force: Array) -> None:
        force[k] -= viscous * v[k] + coulomb * smooth_sign(float(v[k]) / slip)

    twin.plane.loads.append(load)
    return f"friction {coulomb:.2f}"


def rubbing_by_reaction(rng: Rng, twin: Twin) -> str:
    if twin.space:
        raise NotJudged("reactions of redundant pins are not determined")
    turner = _turner(rng, twin)
    mu, radius, slip = float(rng.uniform(0.05, 0.4)), float(rng.uniform(0.01, 0.05)), float(rng.uniform(0.05, 0.3))
    twin.m.friction(turner.joint, mu=mu, radius=radius, slip_speed=slip)
    twin.plane.rubs.append(Rub(turner.pin, mu * radius, slip))
    return f"μ {mu:.2f}"


def rigid_stop(rng: Rng, twin: Twin) -> str:
    turner, e = _turner(rng, twin), float(rng.uniform(0.3, 1.0))
    if turner.link.turn in twin.driven:
        raise NotJudged("a motor would drive into the stop")
    k = turner.link.turn
    room, upper = float(rng.uniform(0.05, 2.0)), bool(rng.random() < 0.5)
    place = twin.plane.start[k] + (room if upper else -room)
    lowest, highest = (None, place) if upper else (place, None)
    twin.m.stop(twin.angle_of(turner.link), lower=lowest, upper=highest, restitution=e)
    twin.plane.walls.append(Wall(k, -1.0 if upper else 1.0, place, e))
    twin.jumps = True
    return f"stop e {e:.2f}"


def soft_stop(rng: Rng, twin: Twin) -> str:
    turner, exponent = _turner(rng, twin), float(rng.choice([1.5, 1.0, 2.0]))
    stiffness, damping = float(10.0 ** rng.uniform(2.0, 4.0)), float(10.0 ** rng.uniform(0.0, 2.0))
    k, room = turner.link.turn, float(rng.uniform(0.05, 2.0))
    place = twin.plane.start[k] + room
    twin.m.stop(twin.angle_of(turner.link), upper=place, stiffness=stiffness, damping=damping, exponent=exponent)

    def load(t: float, q: Array, v: Array, e: Array, force: Array) -> None:
        depth = float(q[k]) - place
        if depth > 0.0:
            force[k] -= max(0.0, depth**exponent * (stiffness + damping * float(v[k])))

    twin.plane.loads.append(load)
    return f"buffer {stiffness:.0f}"


def event(rng: Rng, twin: Twin) -> str:
    """A torque that is switched off when an angle passes a value."""
    turner, torque, room = _turner(rng, twin), float(rng.uniform(-5.0, 5.0)), float(rng.uniform(0.1, 2.0))
    k = turner.link.turn
    place = twin.plane.start[k] + room
    name = f"push {len(twin.plane.loads)}"
    twin.m.torque(twin.angle_of(turner.link), torque, name=name)
    twin.m.event(
        twin.angle_of(turner.link), crosses=place, direction="up", does=f"switch {name} off", name=f"{name} ends"
    )

    def load(t: float, q: Array, v: Array, e: Array, force: Array) -> None:
        force[k] += torque

    twin.plane.loads.append(load)
    twin.plane.switches.append(Switch(k, place, load))
    return f"event at {room:.2f}"


def controller(rng: Rng, twin: Twin) -> str:
    turner = _turner(rng, twin)
    kp, ki, kd = float(rng.uniform(1.0, 40.0)), float(rng.uniform(0.0, 20.0)), float(rng.uniform(0.0, 3.0))
    mean, swing, pace = float(rng.uniform(-2.0, 2.0)), float(rng.uniform(0.0, 1.0)), float(rng.uniform(0.5, 5.0))
    twin.m.controller(twin.angle_of(turner.link), target=f"{mean!r} + {swing!r}*sin({pace!r}*t)", kp=kp, ki=ki, kd=kd)
    k, number = turner.link.turn, len(twin.plane.integrands)

    def load(t: float, q: Array, v: Array, e: Array, force: Array) -> None:
        miss = mean + swing * np.sin(pace * t) - q[k]
        force[k] += kp * miss + ki * e[number] + kd * (swing * pace * np.cos(pace * t) - v[k])

    twin.plane.loads.append(load)
    twin.plane.integrands.append(lambda t, q, v: float(mean + swing * np.sin(pace * t) - q[k]))
    return f"controller {kp:.0f}"


def spring(rng: Rng, twin: Twin) -> str:
    assert twin.tip is not None
    link, point, place = twin.tip
    stiffness, damping, rest = (
        float(rng.uniform(5.0, 200.0)),
        float(rng.uniform(0.0, 2.0)),
        float(rng.uniform(0.5, 2.0)),
    )
    hook = np.array([float(rng.uniform(-1.0, 1.0)), float(rng.uniform(2.5, 3.5))])
    twin.m.spring(
        twin.m.ground.at(*twin.at(*hook.tolist())), link.handle.point(point),
        stiffness=stiffness, length=rest, damping=damping,
    )  # fmt: skip
    assert place.body is not None
    k = 3 * place.body

    def load(t: float, q: Array, v: Array, e: Array, force: Array) -> None:
        x, y, rx, ry = place.at(q)
        dx, dy = x - hook[0], y - hook[1]
        length = np.hypot(dx, dy)
        rate = (dx * (v[k] - ry * v[k + 2]) + dy * (v[k + 1] + rx * v[k + 2])) / length
        pull = -(stiffness * (length - rest) + damping * rate) / length
        force[k] += pull * dx
        force[k + 1] += pull * dy
        force[k + 2] += pull * (rx * dy - ry * dx)

    twin.plane.loads.append(load)
    return f"spring {stiffness:.0f}"


def law(rng: Rng, twin: Twin) -> str:
    turner = _turner(rng, twin)
    k, turn = turner.link.turn, twin.in_law(turner.link)
    a, c, w = rng.uniform(0.2, 3.0, size=3).tolist()
    choices: list[tuple[str, Callable[[float, float, float], float]]] = [
        (f"{a!r}*sin({w!r}*t)", lambda t, x, s: a * np.sin(w * t)),
        (f"-{c!r}*{turn}.rate*abs({turn}.rate)", lambda t, x, s: -c * s * abs(s)),
        (f"{a!r}*cos({turn} - {w!r}*t)", lambda t, x, s: a * np.cos(x - w * t)),
        (f"{a!r}*tanh({w!r} - {turn}.rate)", lambda t, x, s: a * np.tanh(w - s)),
    ]
    text, effort = choices[int(rng.integers(len(choices)))]
    twin.m.torque(twin.angle_of(turner.link), text)

    def load(t: float, q: Array, v: Array, e: Array, force: Array) -> None:
        force[k] += effort(t, float(q[k]), float(v[k]))

    twin.plane.loads.append(load)
    return "law"


def motor(rng: Rng, twin: Twin) -> str:
    turner, swing, pace = _turner(rng, twin), float(rng.uniform(0.05, 0.5)), float(rng.uniform(0.5, 6.0))
    k = turner.link.turn
    if twin.freedoms - len(twin.driven) < 2 or twin.plane.walls:
        raise NotJudged("nothing would remain to be simulated, or the motor drives into a stop")
    begin = twin.plane.start[k]
    twin.m.motor(twin.angle_of(turner.link), angle=f"{begin!r} + {swing!r}*sin({pace!r}*t)")
    twin.plane.rows.append(
        Drive(
            k,
            lambda t: (
                begin + swing * float(np.sin(pace * t)),
                swing * pace * float(np.cos(pace * t)),
                -swing * pace**2 * float(np.sin(pace * t)),
            ),
        )
    )
    twin.driven.add(k)
    return "motor"


FEATURES: dict[str, Callable[[Rng, Twin], str]] = {
    feature.__name__: feature
    for feature in (
        gear, rack, cam, rope, rubbing, rubbing_by_reaction, rigid_stop, soft_stop,
        event, controller, spring, law, motor,
    )
}  # fmt: skip


def _draw(rng: Rng, base: Callable[[Rng, Twin], None], space: bool = False) -> KnownMotion:
    twin = Twin.empty(space)
    base(rng, twin)
    features = {**FEATURES, "screw": screw} if space else FEATURES
    chosen = [str(name) for name in rng.choice([*features], size=2, replace=False)]
    what = ", ".join(features[name](rng, twin) for name in chosen)
    plane, q = twin.plane, np.array(twin.plane.start)
    known: dict[int, float] = {}
    for turner in twin.turners[: twin.freedoms]:
        k = turner.link.turn
        if k in twin.driven:
            continue
        known[k] = float(rng.uniform(-6.0, 6.0))
        twin.m.need(twin.angle_of(turner.link), value=float(q[k]), rate=known[k])
    v = plane.velocities(0.0, q, known)
    times = random_times(rng, float(rng.uniform(0.5, 3.0)))
    places, speeds, hits = plane.motion(q, v, times)
    _, jacobian, _, _ = plane.system(0.0, q, v)
    *_, ways = np.linalg.svd(jacobian)
    near, _, others = plane.motion(q, v + OFF * ways[-1], times)
    if hits != others:
        raise NotJudged("the number of impacts depends on the last digits")
    pace = 1.0 + float(np.max(np.abs(speeds)))
    apart = np.max(np.abs(near - places), axis=1) / OFF
    growth = np.maximum.accumulate(np.maximum(1.0, apart / (1.0 + pace * times)))
    if growth[-1] > MOST_APART:
        raise NotJudged("neighbouring motions part")
    exact: dict[str, Array] = {}
    scales: dict[str, float | Array] = {}
    for name, k in twin.names.items():
        exact[name], scales[name] = places[:, k], 1.0
        if not twin.jumps:
            exact[f"{name}.rate"] = speeds[:, k]
            scales[f"{name}.rate"] = max(1.0, float(np.max(np.abs(speeds[:, k]))))
    return KnownMotion(
        what, lambda: twin.m, times, exact, scales, 1.0 / pace, growth=growth, floor=1e-9 * (1.0 + pace * times)
    )


SUITE = Cases(
    "pairs-of-features",
    {
        "four-bars": (2, lambda rng: _draw(rng, four_bar)),
        "slider-cranks": (1, lambda rng: _draw(rng, slider_crank)),
        "five-bars": (2, lambda rng: _draw(rng, five_bar)),
        "double pendulums": (1, lambda rng: _draw(rng, pendulums)),
        "four-bars in space": (1, lambda rng: _draw(rng, four_bar, space=True)),
        "slider-cranks in space": (1, lambda rng: _draw(rng, slider_crank, space=True)),
    },
)

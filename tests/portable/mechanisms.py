"""Mechanisms that leave Python."""

from __future__ import annotations

from collections.abc import Callable

from grashof.examples import example
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from tests.live.mechanisms import rubbing_crank

TORQUE = "drive.torque"
"""The torque of the slider-crank's drive."""


def slider_crank(torque: float | str = 0.3, speed: float | None = None) -> Mechanism:
    """A torque turns the crank, or a motor does."""
    m = Mechanism("slider crank", gravity=(0, -9.81))
    crank = m.bar("crank", length=0.2, mass=1.0)
    rod = m.bar("rod", length=0.5, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    if speed is None:
        m.motor(crank, torque=torque, name="drive")
    else:
        m.motor(crank, speed=speed, name="drive")
    m.need(crank.angle, value=0.4)
    return m


def redundant_four_bar() -> Mechanism:
    """A parallelogram with a third, redundant rocker."""
    m = Mechanism("parallelogram", gravity=(0, -9.81))
    rod = m.body("rod", mass=1.0, center=(0.5, 0), inertia=0.1, points={"a": (0, 0), "b": (0.4, 0), "c": (1, 0)})
    for name, x, point in (("left", 0.0, rod.a), ("middle", 0.4, rod.b), ("right", 1.0, rod.c)):
        rocker = m.bar(name, length=0.5, mass=0.4)
        m.revolute(m.ground.at(x, 0), rocker.start)
        m.revolute(rocker.end, point)
        m.need(rocker.angle, value=-1.2)
    return m


def arm() -> Mechanism:
    """A chain in space, which is simulated in relative coordinates here."""
    m = Mechanism("arm", gravity=(0, 0, -9.81))
    last = m.ground.at(0, 0, 0)
    for k in range(3):
        link = m.bar(f"link {k}", start=(0.3 * k, 0, 0), end=(0.3 * k + 0.3, 0, 0), mass=1.0)
        axis = (0, 1, 0) if k % 2 == 0 else (0, 0.6, 0.8)
        m.revolute(last, link.start, axis=axis)
        last = link.end
    return m


def rod_on_a_rough_line(mu: float, angle: float, rate: float) -> Mechanism:
    """Its end slides on a rough line: for μ > 4/3 there are angles at which friction has no solution, or two
    (P. Painlevé, 1895)."""
    m = Mechanism("rod", gravity=(0, -9.81))
    rod = m.bar("rod", start=(0, 0), end=(0.5, 1.0), mass=1.0)
    slot = m.pin_in_slot(m.ground.line((0, 0), (1, 0)), rod.start, name="line")
    m.friction(slot, mu=mu, name="rub")
    m.need("rod.angle", value=angle, rate=rate)
    m.need("rub.slip", value=0.0, rate=-8.0)
    return m


MANY: dict[str, tuple[Callable[[], Mechanism | Model], float, list[str], str]] = {
    "slider-crank with a motor": (lambda: slider_crank(speed=6.0), 1.0, ["rod.end.x", "kinetic"], "2.0"),
    "redundant four-bar": (redundant_four_bar, 1.0, ["rod.c.x", "rod.c.y", "kinetic"], "3.0"),
    "spatial redundant loop": (lambda: example("bennett"), 1.0, ["first.end.x", "kinetic"], "2.0"),
    "friction with a coefficient": (rubbing_crank, 1.0, ["crank.angle", "work.rub", "work.wear"], "3.0"),
    "relative coordinates": (arm, 0.5, ["link 2.end.x", "link 2.end.z", "kinetic"], "2.0"),
}
"""By name: how a mechanism is made, the end of its motion, outputs and the version of the standard."""

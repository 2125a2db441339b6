"""The reactions of a driven slider-crank against Newton and Euler by hand, and how a person asks for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import simpson

from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.motion.trajectory import Trajectory
from grashof.reactions import reactions
from grashof.simulation.simulate import simulate

from .classical import DIGITS, RUN, largest

Array = np.ndarray

G = 9.81


@dataclass(frozen=True)
class SliderCrank:
    """A crank turning at a constant rate ω drives a slider along x by a rod; motion and forces from textbook
    formulas."""

    r: float = 0.2
    l: float = 0.5
    crank_mass: float = 1.0
    rod_mass: float = 0.6
    slider_mass: float = 2.0
    omega: float = 7.0

    def run(self) -> Trajectory:
        m = Mechanism("slider-crank", gravity=(0.0, -G))
        crank = m.bar("crank", start=(0.0, 0.0), end=(self.r, 0.0), mass=self.crank_mass)
        rod = m.bar("rod", start=(self.r, 0.0), end=(self.r + self.l, 0.0), mass=self.rod_mass)
        block = m.body(
            "block", mass=self.slider_mass, inertia=0.01, points={"pin": (0.0, 0.0)}, position=(self.r + self.l, 0.0)
        )
        m.revolute(m.ground.at(0, 0), crank.start, name="O")
        m.revolute(crank.end, rod.start, name="A")
        m.revolute(rod.end, block.pin, name="B")
        m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)), name="guide")
        m.motor(crank, f"{self.omega!r}*t", name="drive")
        return simulate(m, 2.0, tol=1e-9, times=801)

    def forces(self, t: Array) -> dict[str, Array]:
        """By name: sin φ = (r/l) sin θ gives the rod's angle −φ; then the balances of slider, rod and crank, one by
        one."""
        r, l, w = self.r, self.l, self.omega
        s, c = np.sin(w * t), np.cos(w * t)
        sf = r / l * s
        cf = np.sqrt(1.0 - sf**2)
        f1 = r * w * c / (l * cf)
        f2 = (-r * w**2 * s + l * f1**2 * sf) / (l * cf)
        crank_pin = np.array([-r * w**2 * c, -r * w**2 * s])
        rod_centre = crank_pin + 0.5 * l * np.array([-f2 * sf - f1**2 * cf, -f2 * cf + f1**2 * sf])
        block = -r * w**2 * c - l * (f2 * sf + f1**2 * cf)

        # x: block, then rod; moments of the rod about A give the vertical force at B
        bx = self.slider_mass * block
        ax = self.rod_mass * rod_centre[0] + bx
        inertia = -self.rod_mass * l**2 / 12.0 * f2
        lever = np.array([0.5 * l * cf, -0.5 * l * sf])
        moment = inertia + self.rod_mass * (lever[0] * (rod_centre[1] + G) - lever[1] * rod_centre[0])
        by = -(moment + l * sf * bx) / (l * cf)  # moment = (B − A) × (−bx, −by) with B − A = l (cos φ, −sin φ)
        ay = self.rod_mass * (rod_centre[1] + G) + by
        crank_centre = 0.5 * crank_pin
        ox = self.crank_mass * crank_centre[0] + ax
        oy = self.crank_mass * (crank_centre[1] + G) + ay
        torque = r * (c * ay - s * ax) + self.crank_mass * 0.5 * r * c * G
        return {
            "O.fx": ox,
            "O.fy": oy,
            "A.fx": ax,
            "A.fy": ay,
            "B.fx": bx,
            "B.fy": by,
            "guide.fy": self.slider_mass * G - by,
            "drive.torque": torque,
        }


def test_a_driven_slider_crank_obeys_the_textbook() -> None:
    engine = SliderCrank()
    found = reactions(engine.run())
    for name, expected in engine.forces(found.t).items():
        size = found.length if found.unit(name) == "N m" else 1.0
        assert np.max(np.abs(found[name] - expected)) / size < RUN * largest(found), name
    assert np.max(np.abs(found["guide.fx"])) < DIGITS * largest(found)
    assert not found.not_unique


def test_the_work_of_a_motor_is_its_torque_along_its_angle() -> None:
    run = SliderCrank().run()
    torque = reactions(run)["drive.torque"]
    work = simpson(torque * run["crank.angle.rate"], x=run.t)
    # the run integrates the motor's own multiplier; Simpson's rule with 180 intervals a turn errs by less
    assert work == pytest.approx(run["work.drive"][-1], abs=1e-6 * np.max(np.abs(run["work.drive"])))


def test_reactions_are_asked_for_by_name_and_time() -> None:
    run = SliderCrank().run()
    found = reactions(run, [0.0, 0.5])
    assert found["A.fx"] == pytest.approx(reactions(run)["A.fx"][[0, 200]])
    assert {name: found.unit(name) for name in ("t", "A.fx", "A.mz", "drive.torque")} == {
        "t": "s",
        "A.fx": "N",
        "A.mz": "N m",
        "drive.torque": "N m",
    }
    assert set(found) == set(found.names)
    for ask in (found.__getitem__, found.unit):
        with pytest.raises(ModelError, match=r"no reaction 'A\.fz'.*did you mean .*A\.fx"):
            ask("A.fz")
    for times in ([0.5, 3.0], [0.5, 0.2], []):
        with pytest.raises(ModelError, match="The output times"):
            reactions(run, times)

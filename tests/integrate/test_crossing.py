"""Steps across positions next to which accelerations cannot be had."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from grashof.formulation.layout import Sizes
from grashof.formulation.natural.equations import UNHELD
from grashof.integrate import Steps, choose
from grashof.integrate.collocation import Crossing, collocate
from grashof.singular.critical_points import Critical

from .systems import Interpreted


def blind(acceleration: Callable[[float], float], spot: float) -> Interpreted:
    """q̈ as given, but for |q| < spot, where it is nonsense."""

    def derivative(x: Sequence[float]) -> list[float]:
        return [acceleration(x[1]) + 1e3 * max(0.0, 1.0 - abs(x[1]) / spot)]

    return Interpreted(1, 0, derivative)


@dataclass
class Spot:
    """What there is to know of the singular position q = 0: it is a node, or missed by some gap."""

    gap: float = 0.0
    freedom: int = 1
    unheld: float = UNHELD
    driven: bool = False
    open_by: float = 0.0

    def fold(self, t: float, y: np.ndarray, left: float) -> None:
        return None

    def distances(self, _: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.abs(y[:, 0]) / 3.0

    def violations(self, t: np.ndarray, _: np.ndarray) -> np.ndarray:
        return np.full(len(t), self.open_by)

    def passages(self, *_: object) -> Iterator[tuple[int, bool]]:
        return iter(())

    def continuation(self, *_: object) -> None:
        return None

    def critical_point(self, t: float, _: np.ndarray, ahead: float) -> Critical:
        return Critical(t + ahead, np.zeros(1), self.gap, simple=True)


def run(
    system: Interpreted,
    start: tuple[float, float],
    t_end: float,
    method: str = "dop853",
    *,
    spot: Spot | None = Spot(),  # noqa: B008
    **more: float,
) -> Steps:
    return system.integrator.run(
        start,
        0.0,
        t_end,
        tol=1e-10,
        length=1.0,
        speed=1.0,
        method=choose(method, 1e-8, 1),
        surroundings=spot,
        max_steps=20_000,
        **more,
    )


def swing() -> Interpreted:
    """q = cos t, which passes the blind spot at full speed."""
    return blind(lambda q: -q, 0.03)


@pytest.mark.parametrize("method", ["dop853", "bs5", "dopri5"])
def test_a_blind_spot_is_crossed_as_if_it_were_not_there(method: str) -> None:
    steps = run(swing(), (1.0, 0.0), 10.0, method)
    assert steps.status.ok
    assert len(steps.crossings) == 3
    assert np.abs(steps.y[:, 0] - np.cos(steps.t)).max() < 1e-8
    assert np.abs(steps.y[:, 1] + np.sin(steps.t)).max() < 1e-8


def test_without_crossing_it_the_nonsense_shows() -> None:
    steps = run(swing(), (1.0, 0.0), 2.0, spot=None)
    assert abs(steps.y[-1, 0] - np.cos(2.0)) > 1e-3


def test_states_and_accelerations_are_given_inside_too() -> None:
    system = swing()
    steps = run(system, (1.0, 0.0), 10.0)
    (first, *_) = steps.crossings
    times = np.linspace(first.begin, first.end, 101)
    y, rates = system.integrator.sample(steps, times)
    assert np.abs(y - np.stack([np.cos(times), -np.sin(times)], axis=1)).max() < 1e-9
    inside = slice(1, -1)
    assert np.abs(rates[inside, 0] + np.cos(times[inside])).max() < 1e-7


@pytest.mark.parametrize("beyond", [0.0, 1e-6, -1e-6, 1e-3, -1e-3])
def test_a_motion_that_turns_in_the_blind_spot_comes_back(beyond: float) -> None:
    """q = (t − 1)²/2 − beyond: it comes to rest there."""
    steps = run(blind(lambda q: 1.0, 0.01), (0.5 - beyond, -1.0), 2.0)
    assert steps.status.ok
    assert steps.crossings
    assert np.abs(steps.y[:, 0] - (0.5 * (steps.t - 1.0) ** 2 - beyond)).max() < 1e-8


def test_a_run_may_end_in_the_middle() -> None:
    t_end = 0.5 * np.pi
    steps = run(swing(), (1.0, 0.0), t_end)
    assert steps.status.ok
    assert steps.t[-1] == t_end
    assert np.abs(steps.y[-1] - (0.0, -1.0)).max() < 1e-8


def test_it_works_backwards_in_time() -> None:
    steps = run(swing(), (1.0, 0.0), -5.0)
    assert steps.status.ok
    assert steps.t[-1] == -5.0
    assert np.abs(steps.y[:, 0] - np.cos(steps.t)).max() < 1e-8


def test_evaluations_of_crossings_are_counted() -> None:
    system = swing()
    steps = run(system, (1.0, 0.0), 10.0)
    assert (steps.counters.evaluations, steps.counters.projections) == (system.evaluations, system.projections)


def test_a_wall_is_not_crossed() -> None:
    """Where accelerations jump, two steps with different points do not agree: it is met with small steps, as ever."""
    steps = run(blind(lambda q: -q - (5.0 if q < 0.0 else 0.0), 0.03), (1.0, 0.0), 2.0)
    assert not steps.crossings


def test_nothing_is_crossed_where_there_is_no_node() -> None:
    """Steps are made finer, and go on."""
    missed, crossed = run(swing(), (1.0, 0.0), 2.0, spot=Spot(gap=1e-8)), run(swing(), (1.0, 0.0), 2.0)
    assert not missed.crossings
    assert crossed.crossings
    assert missed.counters.steps > crossed.counters.steps


def test_nothing_is_crossed_with_open_joints() -> None:
    assert not run(swing(), (1.0, 0.0), 2.0, spot=Spot(open_by=1e-6)).crossings


def test_fixed_steps_cross_where_the_projection_has_much_to_do() -> None:
    """Velocities of q = cos t are put on |v| = √(1 − q²)."""

    def derivative(x: Sequence[float]) -> list[float]:
        return [-x[1] + (300.0 if abs(x[1]) < 0.03 else 0.0)]

    def project(x: Sequence[float]) -> list[float]:
        return [x[1], float(np.copysign(max(0.0, 1.0 - x[1] ** 2) ** 0.5, x[2])), 0.0]

    system = Interpreted(1, 0, derivative, project)
    steps = run(system, (0.9, -(0.19**0.5)), 1.5, "rk4", step=0.01)
    phase = float(np.arccos(0.9))
    assert steps.crossings
    assert np.abs(steps.y[:, 0] - np.cos(steps.t + phase)).max() < 1e-8


class Pendulum:
    """θ̈ = −sin θ."""

    sizes = Sizes(1, 1)

    def derivative(self, t: float, y: np.ndarray) -> np.ndarray:
        return -np.sin(y[:1])

    def projected(self, t: float, y: np.ndarray) -> np.ndarray:
        return y


def step(h: float, s: int) -> Crossing:
    crossing = collocate(Pendulum(), 0.0, np.array([1.0, 0.5]), h, s, lambda times: np.zeros((len(times), 1)))
    assert crossing is not None
    return crossing


def test_the_order_of_a_step_is_twice_the_number_of_its_points() -> None:
    def end(crossing: Crossing) -> np.ndarray:
        return crossing.at(np.array([crossing.end]))[0][0]

    errors = [float(np.abs(end(step(h, 3)) - end(step(h, 14))).max()) for h in (0.4, 0.2)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(7, abs=0.4)


def test_what_does_not_settle_is_no_step() -> None:
    class Wild(Pendulum):
        def derivative(self, t: float, y: np.ndarray) -> np.ndarray:
            return 1e4 * np.sin(1e4 * y[:1])

    assert collocate(Wild(), 0.0, np.array([1.0, 0.0]), 1.0, 6, lambda times: np.zeros((len(times), 1))) is None

"""Motions that begin where others end, at equilibria, and at given values."""

import numpy as np
import pytest

import grashof as gr


def slider_crank() -> gr.Mechanism:
    m = gr.Mechanism("slider-crank", gravity=(0, -9.81))
    crank = m.bar("crank", length=0.2, mass=1.0)
    rod = m.bar("rod", length=0.5, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.torque(crank, "0.3*sin(5*t)", name="drive")
    m.need(crank.angle, value=0.3, rate=12)
    return m


def in_space() -> gr.Mechanism:
    m = gr.Mechanism("two bodies in space", gravity=(0, 0, -9.81))
    a = m.bar("a", start=(0, 0, 0), end=(1, 0, 0), mass=1.0)
    b = m.body(
        "b", mass=1.0, inertia=(0.1, 0.2, 0.15), center=(0.3, 0.1, 0), points={"p": (0, 0, 0)}, position=(1, 0, 0)
    )
    m.spherical(m.ground.at(0, 0, 0), a.start)
    m.spherical(a.end, b.p)
    m.need(b, angular_velocity=(1, 2, 3))
    m.need("a.end.y", rate=1.0)
    return m


@pytest.mark.parametrize(
    ("mechanism", "names"),
    [
        (slider_crank(), ("crank.angle", "crank.angle.rate", "rod.end.x")),
        (in_space(), ("b.p.x", "b.p.z.rate", "b.angular_velocity.x")),
    ],
)
def test_two_runs_in_a_row_make_one_motion(mechanism: gr.Mechanism, names: tuple[str, ...]) -> None:
    whole = gr.simulate(mechanism, 1.0, tol=1e-9)
    first = gr.simulate(mechanism, 0.4, tol=1e-9)
    second = gr.simulate(mechanism, 1.0, tol=1e-9, start=first)
    assert second.t[0] == 0.4
    for name in names:
        assert second[name][0] == pytest.approx(first[name][-1], abs=1e-10)
        assert second[name][-1] == pytest.approx(whole[name][-1], abs=2e-8)


def test_a_motion_can_begin_in_the_middle_of_another_one() -> None:
    run = gr.simulate(slider_crank(), 1.0, tol=1e-9, times=[0.0, 0.25, 1.0])
    again = gr.simulate(slider_crank(), 1.0, tol=1e-9, start=run.as_start(0.25))
    assert again["crank.angle"][0] == pytest.approx(run["crank.angle"][1], abs=1e-10)
    assert again["crank.angle"][-1] == pytest.approx(run["crank.angle"][-1], abs=2e-8)
    with pytest.raises(gr.ModelError, match="2 s is not in it"):
        run.as_start(2.0)


def test_a_row_of_a_table_is_a_start() -> None:
    run = gr.simulate(slider_crank(), 1.0, tol=1e-9)
    row = {name: float(values[400]) for name, values in run.table().items()}
    again = gr.simulate(slider_crank(), 1.0, tol=1e-9, start=row)
    assert again.t[0] == pytest.approx(0.4)
    assert again["crank.angle"][-1] == pytest.approx(run["crank.angle"][-1], abs=2e-8)


def test_a_mechanism_stays_in_its_equilibrium() -> None:
    m = gr.Mechanism("pendulum on a spring", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.spring(m.ground.at(1, 0.5), rod.end, stiffness=30.0, length=0.5)
    m.need(rod.angle, value=0.9)
    rest = gr.equilibrium(m)
    run = gr.simulate(m, 5.0, start=rest)
    assert run.status.ok
    assert np.max(np.abs(run["rod.angle"] - rest["rod.angle"])) < 1e-8


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ({"crank.angle": 2.0, "rod.end.x": 3.0}, "cannot start with"),
        ({"crnk.angle": 2.0}, "did you mean 'crank.angle'"),
        ({"energy": 3.0}, "no value of a coordinate or measure"),
        ({"crank.angle": float("nan")}, "must be a finite number"),
        (gr.simulate(in_space(), 0.1).as_start(), "body 'a', which mechanism 'slider-crank' does not have"),
    ],
)
def test_impossible_starts_are_refused(start: object, words: str) -> None:
    with pytest.raises(gr.ModelError, match=words):
        gr.simulate(slider_crank(), 1.0, start=start)  # type: ignore[arg-type]


def test_what_positions_and_velocities_do_not_tell_is_refused() -> None:
    m = slider_crank()
    m.event("crank.angle", crosses=2.0, does="switch drive off")
    run = gr.simulate(m, 1.0)
    with pytest.raises(gr.ModelError, match="an event has switched force 'drive'"):
        run.as_start()
    assert run.as_start(0.05).time == 0.05

"""Events in descriptions: they survive files, and what cannot be is refused by a sentence."""

from __future__ import annotations

import re

import pytest

import grashof as gr
from grashof.model.events import Event
from grashof.model.expressions import Scope, parse_margin
from grashof.model.files import dumps, loads
from tests import classics


def slider_crank() -> gr.Mechanism:
    m, crank, rod = classics.slider_crank()
    m.torque(crank, 0.3, name="drive")
    m.torsion_spring(rod, stiffness=1.0, name="hinge")
    return m


def test_events_survive_a_file() -> None:
    m = slider_crank()
    m.event("rod.end.x", crosses=0.6, direction="up", does="stop", name="far out")
    m.event("crank.end.y < 0 and t > 0.1")
    model = loads(dumps(m.model))
    assert model.events == m.model.events
    assert model.events[0] == Event(name="far out", quantity="rod.end.x", crosses=0.6, direction="up", does="stop")
    assert [event.way for event in model.events] == [1, 1]
    assert [event.is_condition for event in model.events] == [False, True]


def test_what_events_do_survives_a_file() -> None:
    m = slider_crank()
    m.torque("crank.angle", "-0.1*crank.angle.rate", active=False, name="brake")
    m.event("rod.end.x", crosses=0.6, does="switch brake on", name="on")
    m.event("rod.end.x", crosses=0.5, does="switch brake off", name="off")
    m.event("crank.angle", crosses=20.0, does="reset crank.angle", name="again")
    m.event("rod.end.x", crosses=0.65, direction="up", does="bounce 0.4", name="wall")
    model = loads(dumps(m.model))
    assert model == m.model
    assert [force.active for force in model.forces] == [True, True, False]
    assert model.switchable == ("brake",)
    assert model.bouncing == ("wall",)
    assert [event.switches for event in model.events] == [("brake", True), ("brake", False), None, None]
    assert [event.resets for event in model.events] == [None, None, "crank.angle", None]
    assert [event.bounces for event in model.events] == [None, None, None, 0.4]


def test_whether_a_force_acts_is_true_or_false() -> None:
    with pytest.raises(gr.ModelError, match="must be True or False"):
        slider_crank().torque("crank.angle", 1.0, active="yes")  # type: ignore[arg-type]


def test_events_have_names_that_say_what_they_are() -> None:
    m = slider_crank()
    m.event("rod.end.x", crosses=0.6)
    m.event("rod.end.x < 0.4")
    m.event(m.bar("spare", length=1.0, mass=1.0))
    assert [event.name for event in m._events] == ["rod.end.x crosses 0.6", "rod.end.x < 0.4", "spare.angle"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"quantity": "rod.end.q"}, "depends on 'rod.end.q'"),
        ({"quantity": "slider.x"}, "depends on 'slider.x'"),
        ({"quantity": "2 + 3"}, "never changes"),
        ({"quantity": "rod.end.x <"}, "cannot read the law"),
        ({"quantity": "rod.end.x == 1"}, "compares by =="),
        ({"quantity": "rod.end.x < 1", "crosses": 0.5}, "leave out crosses"),
        ({"quantity": "rod.end.x", "crosses": float("inf")}, "must be finite"),
        ({"quantity": "rod.end.x", "crosses": "far"}, "must be a number"),
        ({"quantity": "rod.end.x", "direction": "sideways"}, "'up', 'down' or 'either'"),
        ({"quantity": "rod.end.x", "does": "explode"}, "does is 'explode'"),
        ({"quantity": "rod.end.x", "does": "switch brake on"}, "no force 'brake' to switch"),
        ({"quantity": "rod.end.x", "does": "switch drive"}, "does is 'switch drive'"),
        ({"quantity": "rod.end.x", "does": "reset rod.end.x"}, "no angle and no integral 'rod.end.x'"),
        ({"quantity": "rod.end.x", "does": "reset rod.angle"}, "force 'hinge' depends on the whole turns"),
        ({"quantity": "rod.end.x", "does": "bounce 1.5"}, "between 0 and 1"),
        ({"quantity": "rod.end.x", "does": "bounce 1e"}, "between 0 and 1"),
        ({"quantity": "2*rod.end.x", "does": "bounce 0.5"}, "cannot bounce"),
        ({"quantity": "rod.end.x < 1", "does": "bounce 0.5"}, "cannot bounce"),
        ({"quantity": "rod.end.x", "does": "bounce 0.5", "name": "drive"}, "rename one of them"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, object], sentence: str) -> None:
    def described() -> object:
        m = slider_crank()
        m.event(**options)  # type: ignore[arg-type]
        return m.model

    with pytest.raises(gr.ModelError, match=re.escape(sentence)):
        described()


def test_two_events_of_one_name_are_refused() -> None:
    m = slider_crank()
    m.event("rod.end.x")
    m.event("rod.end.x")
    with pytest.raises(gr.ModelError, match=r"'rod.end.x' appears twice"):
        assert m.model


@pytest.mark.parametrize("until", ["rod.end.x", "rod.end.q < 0", 3])
def test_until_takes_conditions_of_quantities_that_there_are(until: object) -> None:
    with pytest.raises(gr.ModelError):
        gr.simulate(slider_crank(), 1.0, until=until)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("t < 2", lambda t: t < 2),
        ("1 <= t < 3", lambda t: 1 <= t < 3),
        ("not (t > 1)", lambda t: not t > 1),
        ("t < 1 or t > 2 and t < 3", lambda t: t < 1 or (2 < t < 3)),
        ("t*t > 2 and not (t > 2.5 or t < 1)", lambda t: t * t > 2 and not (t > 2.5 or t < 1)),
    ],
)
def test_a_margin_is_positive_where_its_condition_holds(condition: str, holds) -> None:
    margin = parse_margin(condition, "event 'e'").at
    for k in range(400):
        t = 0.01 * k + 0.0033
        assert (margin(Scope(t)) > 0.0) == holds(t)


@pytest.mark.parametrize("name", ["left arm", "left-arm", "3rd arm"])
def test_stops_and_events_take_names_that_laws_would_need_backquotes_for(name: str) -> None:
    """At 1 rad/s the arm reaches 0.7 rad at 0.7 s, and returns from the stop at 1 rad."""
    m = gr.Mechanism("arm")
    arm = m.bar(name, length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.need(arm.angle, value=0.0, rate=1.0)
    m.stop(arm, upper=1.0, restitution=1.0, name="stop")
    m.event(arm, crosses=0.7, name="passed")
    run = gr.simulate(m, 1.5)
    assert [event.name for event in run.events] == ["passed", "stop upper", "passed"]
    assert [event.time for event in run.events] == pytest.approx([0.7, 1.0, 1.3], abs=1e-6)

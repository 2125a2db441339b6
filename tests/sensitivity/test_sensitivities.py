"""Derivatives of runs agree with closed forms, and with differences of mechanisms that are built anew with other
numbers."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import grashof as gr
from grashof.model.mechanism import as_model
from grashof.model.parameters import numbers, with_numbers
from grashof.problems import make_case
from tests import classics


def oscillator() -> gr.Mechanism:
    """x = 0.1 cos(ωt) with ω² = k/m."""
    m = gr.Mechanism("oscillator")
    block = m.body("block", mass=2.0, inertia=1.0, points={"center": (0, 0)}, position=(1.1, 0))
    m.slider(m.ground.line((0, 0), (1, 0)), block.at(0, 0))
    m.spring(m.ground.at(0, 0), block.at(0, 0), stiffness=50.0, length=1.0, name="spring")
    m.need("block.center.x", value=1.1, rate=0.0)
    return m


def slider_crank() -> gr.Mechanism:
    m = gr.Mechanism("slider crank", gravity=(0, -9.81))
    crank, rod = m.bar("crank", length=0.2, mass=1.0), m.bar("rod", length=0.5, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end, name="guide")
    m.torque(crank, 0.3, name="drive")
    m.need(crank.angle, value=0.3, rate=0.5)
    return m


def four_bar() -> gr.Mechanism:
    return classics.four_bar()[0]


def sprung_four_bar() -> gr.Mechanism:
    """With a torsion spring on an angle that is counted in whole turns, and a torque that depends on time and
    motion."""
    m = four_bar()
    m.torsion_spring("a.angle", stiffness=0.5, rest=0.1, name="spring")
    m.torque("a.angle", "30*sin(2*t) + 20 - 2*a.angle.rate")
    m.need("a.angle", value=1.0, rate=6.0)
    return m


def driven_four_bar() -> gr.Mechanism:
    m = four_bar()
    m.motor("a.angle", "pi/2 + 3*t + 0.2*sin(t)")
    m.torsion_spring("c.angle", stiffness=3.0, rest=0.1, name="spring")
    return m


def turned_four_bar() -> gr.Mechanism:
    """A motor that gives a speed: the angle begins wherever the start is."""
    m = four_bar()
    m.motor("a.angle", speed="3 + sin(t)")
    m.torsion_spring("c.angle", stiffness=3.0, rest=0.1, name="spring")
    m.need("c.angle", value=1.9)
    return m


def scaled_four_bar() -> gr.Mechanism:
    """All lengths are made from one parameter, and so is a law."""
    m = gr.Mechanism("scaled four-bar", gravity=(0, -9.81))
    size = m.parameter("size", 1.0, unit="m")
    a, b, c = (m.bar(name, length=f * size, mass=1.0) for name, f in (("a", 1.0), ("b", 2.5), ("c", 2.2)))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(2 * size, 0))
    m.torque("a.angle", "20*size - 2*a.angle.rate")
    m.need("a.angle", value=1.0, rate=3.0)
    return m


def change_point() -> gr.Mechanism:
    """A four-bar whose bars come to lie in one line (1 + 3 = 2 + 2), where two branches cross."""
    m = gr.Mechanism("change point")
    a, b, c = (m.bar(name, length=length, mass=1.0) for name, length in (("a", 1.0), ("b", 3.0), ("c", 2.0)))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(2, 0))
    return m


def rubbing_slider_crank() -> gr.Mechanism:
    """Friction in proportion to the reaction of the guide, and a compliant stop that is met."""
    m = slider_crank()
    m.friction("guide", viscous=0.5, mu=0.1, name="rubbing")
    m.stop("rod.end.x", lower=0.45, stiffness=2e4, name="buffer")
    return m


def arm_in_space() -> gr.Mechanism:
    """Two bodies on axes that are not parallel."""
    m = gr.Mechanism("arm in space", gravity=(0, 0, -9.81))
    first = m.body("first", mass=1.0, inertia=(0.1, 0.2, 0.15), points={"tip": (0.5, 0.0, 0.0)})
    second = m.body(
        "second", mass=0.7, inertia=(0.05, 0.04, 0.06), points={"tip": (0.0, 0.4, 0.1)}, position=(0.5, 0, 0)
    )
    m.revolute(m.ground.at(0, 0, 0), first.at(0, 0, 0), axis=(0, 1, 0.2))
    m.revolute(first.at(0.5, 0, 0), second.at(0, 0, 0), axis=(1, 0, 0.3))
    for angle in ("first.angle", m.angle("elbow", second, reference=first, axis=(1, 0, 0.3))):
        m.need(angle, value=0.1, rate=0.5)
    return m


def moving_change_point() -> gr.Mechanism:
    m = change_point()
    m.need("a.angle", value=0.8, rate=-2.0)
    return m


def difference(m: gr.Mechanism | gr.Model, number: str, quantity: str, t_end: float) -> float:
    """The derivative by differences of mechanisms built anew."""
    model = as_model(m)
    value = numbers(model)[number].value
    h = 3e-5 * (abs(value) or 1.0)

    def end(k: int) -> float:
        run = gr.simulate(
            with_numbers(model, {number: value + k * h}), t_end, tol=1e-11, times=[t_end], check_error=False
        )
        assert run.status.reached
        return float(run[quantity][-1])

    return (end(1) - end(-1)) / (2.0 * h)


def test_an_oscillator_has_the_derivatives_of_its_formula() -> None:
    t, k, mass, far = 2.0, 50.0, 2.0, 0.1
    w = math.sqrt(k / mass)
    wrt = ["spring.stiffness", "block.mass", "start.block.center.x", "spring.length"]
    of = ["block.center.x", "block.center.x.rate at 0.7", "max block.center.x.rate", "mean block.center.x", "kinetic"]
    of += ["peak block.center.x"]
    found = gr.sensitivities(oscillator(), wrt, of, t_end=t, tol=1e-9)
    assert found.ok
    by_w = {"spring.stiffness": w / (2 * k), "block.mass": -w / (2 * mass)}
    for number, dw in by_w.items():
        assert found["block.center.x", number] == pytest.approx(-far * t * math.sin(w * t) * dw, abs=1e-8)
        s, c = math.sin(0.7 * w), math.cos(0.7 * w)
        assert found["block.center.x.rate at 0.7", number] == pytest.approx(-far * (s + 0.7 * w * c) * dw, abs=1e-7)
        assert found["max block.center.x.rate", number] == pytest.approx(far * dw, abs=1e-7)
        mean = far * (t * math.cos(w * t) / w - math.sin(w * t) / w**2) / t * dw
        assert found["mean block.center.x", number] == pytest.approx(mean, abs=1e-8)
    assert found["block.center.x", "start.block.center.x"] == pytest.approx(math.cos(w * t), abs=1e-8)
    assert found["block.center.x", "spring.length"] == pytest.approx(1.0 - math.cos(w * t), abs=1e-8)
    assert found["kinetic", "start.block.center.x"] == pytest.approx(far * k * math.sin(w * t) ** 2, abs=1e-6)
    assert found["peak block.center.x", "start.block.center.x"] == pytest.approx(1.0, abs=1e-8)
    assert found.unit("block.center.x", "spring.stiffness") == "m/(N/m)"
    exact = -far * t * math.sin(w * t) * w / (2 * k)
    assert abs(found["block.center.x", "spring.stiffness"] - exact) <= found.error("block.center.x", "spring.stiffness")


RUNS: dict[str, tuple[Callable[[], gr.Mechanism], list[str], str, float]] = {
    "torque": (
        slider_crank,
        ["crank.length", "rod.mass", "drive.torque", "start.crank.angle", "gravity.y"],
        "crank.angle",
        1.0,
    ),
    "spring on a tracked angle": (
        sprung_four_bar,
        ["a.length", "c.mass", "spring.stiffness", "start.a.angle.rate"],
        "a.angle",
        1.5,
    ),
    "a work in closed form": (slider_crank, ["drive.torque", "start.crank.angle"], "work.drive", 0.5),
    "motor": (driven_four_bar, ["b.length", "ground.p2.y"], "c.angle", 2.0),
    "speed of a motor": (turned_four_bar, ["b.length", "start.c.angle", "spring.rest"], "a.angle", 1.0),
    "a parameter": (scaled_four_bar, ["size"], "a.angle", 1.0),
    "a singular position": (moving_change_point, ["b.mass", "start.a.angle.rate"], "b.end.x", 3.0),
    "friction and a compliant stop": (
        rubbing_slider_crank,
        ["rubbing.mu", "buffer.stiffness", "rod.mass"],
        "rod.end.x",
        0.5,
    ),
    "space": (arm_in_space, ["second.mass", "first.tip.x", "first.inertia.yy"], "second.tip.z", 0.8),
}


@pytest.mark.parametrize(("make", "wrt", "quantity", "t_end"), RUNS.values(), ids=RUNS.keys())
def test_derivatives_are_those_of_mechanisms_built_anew(make, wrt, quantity, t_end) -> None:
    found = gr.sensitivities(make(), wrt, [quantity], t_end=t_end, tol=1e-8)
    assert found.ok, str(found)
    for number in wrt:
        size = abs(numbers(as_model(make()))[number].value) or 1.0
        exact = difference(make(), number, quantity, t_end)
        assert size * found[quantity, number] == pytest.approx(size * exact, rel=1e-5, abs=1e-6)


def test_andrews_squeezer() -> None:
    model = make_case("andrews").model
    spring = next(name for name in numbers(model) if name.endswith("stiffness"))
    torque = next(name for name in numbers(model) if name.endswith("torque"))
    quantity = next(name for name in model.quantities if name.endswith(".angle"))
    found = gr.sensitivities(model, [spring, torque], [quantity], t_end=0.02, tol=1e-8)
    assert found.ok, str(found)
    for number in (spring, torque):
        exact = difference(model, number, quantity, 0.02)
        assert found[quantity, number] == pytest.approx(exact, rel=1e-6, abs=1e-9)


def test_singular_positions_are_passed() -> None:
    """All bars of the double four-bar are in one line several times; masses and gravity do not change that."""
    model = make_case("double-four-bar").model
    wrt = ["top0.mass", "gravity.y", "start.upright0.end.x.rate"]
    found = gr.sensitivities(model, wrt, ["upright0.end.x"], t_end=4.0, tol=1e-8)
    assert found.ok, str(found)
    for number in wrt:
        exact = difference(model, number, "upright0.end.x", 4.0)
        assert found["upright0.end.x", number] == pytest.approx(exact, rel=1e-5, abs=1e-7)


def test_an_event_that_changes_the_motion_is_told() -> None:
    m = gr.Mechanism("ball", gravity=(0, -9.81))
    m.body("ball", mass=0.1, points={"center": (0, 0)}, position=(0, 1))
    m.event("ball.center.y", direction="down", does="bounce 0.8", name="floor")
    found = gr.sensitivities(m, ["gravity.y"], ["ball.center.y"], t_end=1.0)
    assert not found.ok
    assert found.status.code.name == "NOT_SMOOTH"
    assert "'floor'" in str(found.status)
    assert math.isnan(found["ball.center.y", "gravity.y"])
    just_before = gr.sensitivities(m, ["gravity.y"], ["ball.center.y"], t_end=0.4515)  # it falls for 0.45152 s
    assert "'floor' nearly happens" in just_before.doubts["ball.center.y at end"]
    before = gr.sensitivities(m, ["gravity.y"], ["ball.center.y"], t_end=0.4)
    assert before.ok
    assert before["ball.center.y", "gravity.y"] == pytest.approx(0.5 * 0.4**2, rel=1e-8)


def test_an_event_that_is_narrowly_missed_is_told() -> None:
    """A ball that is thrown up turns a tenth of a millimetre below the ceiling, or far below it; it starts where
    another event is, and leaves it."""
    for height, ok in ((0.5001, False), (0.7, True)):
        m = gr.Mechanism("ball", gravity=(0, -10.0))
        m.body("ball", mass=0.1, points={"center": (0, 0)})
        m.event("ball.center.y", crosses=height, direction="up", does="bounce 0.8", name="ceiling")
        m.event("ball.center.y", crosses=0.0, direction="down", does="bounce 0.8", name="floor")
        m.need("ball.center.y", value=0.0, rate=math.sqrt(10.0))
        assert gr.sensitivities(m, ["gravity.y"], ["ball.center.y"], t_end=0.5).ok is ok


def parallelogram(speed: float) -> gr.Mechanism:
    """Its bars come to lie in one line."""
    m = gr.Mechanism("parallelogram")
    bars = [m.bar(f"bar{i}", start=(i, 0.0), end=(i, 1.0), mass=1.0) for i in range(2)]
    top = m.bar("top", start=(0.0, 1.0), end=(1.0, 1.0), mass=1.0)
    for i, bar in enumerate(bars):
        m.revolute(m.ground.at(i, 0.0), bar.start)
    m.revolute(bars[0].end, top.start)
    m.revolute(top.end, bars[1].end)
    m.need("bar0.angle", value=0.5 * math.pi, rate=speed)
    return m


def test_a_motion_that_turns_at_a_singular_position_is_told() -> None:
    """A spring brings it to rest just where all its bars are in one line: it may leave that position in two ways."""
    m = change_point()
    m.torsion_spring("a.angle", stiffness=20.0, rest=0.4)
    m.need("a.angle", value=0.8, rate=0.0)
    found = gr.sensitivities(m, ["b.mass"], ["b.end.x"], t_end=4.0)
    assert found.status.code.name == "UNDECIDED"
    assert math.isnan(found["b.end.x", "b.mass"])


def test_a_length_that_opens_a_singular_position_has_no_derivative_behind_it() -> None:
    """With bars of different lengths the parallelogram does not pass the position in which they lie in one line as
    it did."""
    m = parallelogram(-1.0)
    before = gr.sensitivities(m, ["bar0.length"], ["top.end.x"], t_end=1.0, tol=1e-8)
    assert before.ok
    assert before["top.end.x", "bar0.length"] == pytest.approx(difference(m, "bar0.length", "top.end.x", 1.0), rel=1e-5)
    assert not gr.sensitivities(m, ["bar0.length"], ["top.end.x"], t_end=3.0).ok
    assert gr.sensitivities(m, ["top.mass"], ["top.end.x"], t_end=3.0).ok


def test_a_force_that_jumps_is_told() -> None:
    """A push that sets in at a place: the time at which it does depends on the mass, which the derivative of the
    force does not know."""
    m = gr.Mechanism("pushed block")
    block = m.body("block", mass=1.0, inertia=1.0, points={"center": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.at(0, 0))
    m.force(block.at(0, 0), ("where(block.center.x - 0.5, 5, 1)", 0.0), name="push")
    m.need("block.center.x", value=0.0, rate=0.0)
    found = gr.sensitivities(m, ["block.mass"], ["block.center.x", "block.center.x at 0.9"], t_end=2.0, tol=1e-7)
    assert list(found.doubts) == ["block.center.x at end"]
    assert found["block.center.x at 0.9", "block.mass"] == pytest.approx(-0.5 * 0.9**2, rel=1e-6)


def test_the_time_of_an_extreme() -> None:
    """A pendulum swings to the other side in half a period, which is proportional to √(L/g)."""
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-0.3, rate=0.0)
    found = gr.sensitivities(m, ["rod.length", "gravity.y"], ["time of min rod.end.x"], t_end=1.5, tol=1e-9)
    assert found.ok
    time = found["time of min rod.end.x"]
    assert found["time of min rod.end.x", "rod.length"] == pytest.approx(time / 2.0, rel=1e-6)
    assert found["time of min rod.end.x", "gravity.y"] == pytest.approx(time / (2.0 * 9.81), rel=1e-6)
    assert found.unit("time of min rod.end.x", "rod.length") == "s/m"


def test_equal_extremes_are_told() -> None:
    """Both ends of the swing are as far away; with the start, only one of them changes."""
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-0.5, rate=0.0)
    found = gr.sensitivities(
        m,
        ["rod.length"],
        ["time of max rod.end.x", "max rod.end.x", "time of peak rod.angle.rate"],
        t_end=4.0,
        tol=1e-9,
    )
    assert "time of max rod.end.x" in found.doubts
    assert "time of peak rod.angle.rate" in found.doubts
    assert "max rod.end.x" not in found.doubts
    assert found["max rod.end.x", "rod.length"] == pytest.approx(math.cos(0.5), rel=1e-7)


@pytest.mark.parametrize(
    ("wrt", "of", "words"),
    [
        (["crank.lenght"], ["crank.angle"], "crank.length"),
        (["crank.length"], ["crank.angel"], "crank.angle"),
        (["crank.length"], ["crank.angle at 3"], "to 1 s"),
        (["crank.length"], ["trajectory crank.angle"], "cannot be differentiated"),
        ([], ["crank.angle"], "Give at least one output"),
    ],
)
def test_mistakes_are_named(wrt, of, words) -> None:
    with pytest.raises(gr.ModelError, match=words):
        gr.sensitivities(slider_crank(), wrt, of, t_end=1.0)


def test_names_with_blanks() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("left rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.torque(rod, 0.1, name="small drive")
    m.need(rod.angle, value=0.0, rate=0.0)
    found = gr.sensitivities(m, ["small drive.torque"], ["left rod.angle", "max left rod.angle.rate"], t_end=0.1)
    assert found.ok
    assert found["left rod.angle", "small drive.torque"] == pytest.approx(0.5 * 0.1**2 * 3.0, rel=1e-2)  # τ/I t²/2


def test_the_result_as_text_and_data() -> None:
    found = gr.sensitivities(slider_crank(), ["crank.length"], ["crank.angle"], t_end=0.2)
    assert "∂/∂ crank.length" in str(found)
    pytest.importorskip("pandas")
    row = found.to_pandas().iloc[0]
    assert (row["output"], row["derivative"], row["unit"]) == ("crank.angle at end", found.matrix[0, 0], "rad/m")
    data = found.as_dict()
    assert data["status"] == "SUCCESS"
    assert data["outputs"]["crank.angle at end"]["derivatives"]["crank.length"]["unit"] == "rad/m"
    with pytest.raises(gr.ModelError, match=r"rod\.length"):
        found["crank.angle", "rod.length"]
    assert np.isfinite(found.matrix).all()


def test_the_largest_value_of_what_is_constant(recwarn: pytest.WarningsRecorder) -> None:
    """A motor keeps the speed: its extreme does not move with a mass, and has no time of its own."""
    m = gr.Mechanism("slider crank", gravity=(0, -9.81))
    crank, rod = m.bar("crank", length=0.2, mass=1.0), m.bar("rod", length=0.5, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.motor(crank, speed=2.0)
    m.need(crank.angle, value=0.3)
    of = ["max crank.angle.rate", "time of max crank.angle.rate"]
    found = gr.sensitivities(m, ["crank.mass"], of, t_end=1.0)
    assert abs(found[of[0], "crank.mass"]) < 1e-12
    assert list(found.doubts) == of[1:]
    assert not [x for x in recwarn if issubclass(x.category, RuntimeWarning)]


def test_a_component_of_a_direction_cannot_be_changed_by_itself() -> None:
    m = gr.Mechanism("hinge", gravity=(0, 0, -9.81))
    rod = m.bar("rod", start=(0, 0, 0), end=(1, 0, 0), mass=1.0)
    m.revolute(m.ground.at(0, 0, 0), rod.start, axis=(0, 1, 0))
    m.angle("tilt", rod, axis=(0, 1, 0))
    m.need("tilt", value=0.0)
    with pytest.raises(gr.ModelError, match=r"'tilt.zero.x' cannot be changed alone\. .*of length 0\.99999"):
        gr.sensitivities(m, ["tilt.zero.x"], ["tilt"], t_end=0.5)
    with pytest.raises(gr.ModelError, match="cannot be changed alone"):
        m.objective(["tilt.zero.x"], "tilt", t_end=0.5)


@pytest.mark.parametrize("tol", [1e-2, 1e-6])
def test_the_mean_of_a_rate_is_what_the_ends_say(tol: float) -> None:
    """∫ φ̇ dt = φ(T) − φ(0), and so with the derivatives; the start is given."""
    m = gr.Mechanism("pendulum", gravity=(0.0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.0)
    found = gr.sensitivities(m, ["rod.length"], ["mean rod.angle.rate", "rod.angle"], t_end=3.0, tol=tol)
    mean, end = found.values
    assert found.ok
    assert 3.0 * mean == pytest.approx(end, abs=1e-5 * tol)
    assert 3.0 * found["mean rod.angle.rate", "rod.length"] == pytest.approx(
        found["rod.angle at end", "rod.length"], abs=0.1 * tol
    )

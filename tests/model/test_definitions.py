"""Numbers given by expressions of parameters and of other numbers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import msgspec
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.files import dumps, loads
from grashof.model.forces import Torque
from grashof.model.model import Model
from grashof.model.parameters import check_numbers, numbers, with_numbers
from grashof.scalar.dual import Dual
from grashof.scalar.jet import Jet
from grashof.situation.known import unknown
from grashof.situation.twin import in_space

FILE = """
format = "grashof 1"
name = "crank and rod"
gravity = [0, -9.81]

[[parameters]]
name = "L"
value = "100 mm"
lower = 0.05
upper = "20 cm"

[[parameters]]
name = "rho"
value = 2.5
unit = "kg/m"

[[parameters]]
name = "d"
value = 0.3
unit = "N m s/rad"

[ground]
O = [0, 0]
slot = ["L/2", "-L"]

[[bodies]]
type = "bar"
name = "crank"
length = "L"
mass = "rho*L"

[[bodies]]
type = "bar"
name = "rod"
length = "3*crank.length"
mass = "rho*rod.length"
points = { middle = ["rod.length/2", 0] }

[[joints]]
type = "revolute"
name = "A"
a = "ground.O"
b = "crank.start"

[[joints]]
type = "revolute"
name = "B"
a = "crank.end"
b = "rod.start"

[[joints]]
type = "pin in slot"
name = "C"
a = "ground.slot"
b = "rod.end"
axis_a = ["cos(L)", "sin(L)"]

[[forces]]
type = "torque"
name = "drag"
angle = "crank.angle"
torque = "-d*crank.angle.rate"

[[forces]]
type = "spring"
name = "spring"
a = "ground.O"
b = "rod.middle"
stiffness = "100*rho"
length = "rod.length"
"""


def test_expressions_are_evaluated_in_the_order_in_which_they_depend_on_each_other() -> None:
    found = {path: number.value for path, number in numbers(loads(FILE)).items()}
    expected = {
        "L": 0.1,
        "crank.length": 0.1,
        "rod.length": 0.1 * 3,
        "rod.mass": 2.5 * (0.1 * 3),
        "rod.middle.x": 0.1 * 3 / 2,
        "ground.slot.y": -0.1,
        "spring.stiffness": 250.0,
        "spring.length": 0.1 * 3,
    }
    assert {path: found[path] for path in expected} == pytest.approx(expected, rel=1e-15)


def test_units_bounds_and_expressions_are_told() -> None:
    found = numbers(loads(FILE))
    assert (found["L"].unit, found["L"].lower, found["L"].upper) == ("m", 0.05, 0.2)
    assert found["rod.length"].formula == "3*crank.length"
    assert found["crank.mass"].unit == "kg"


def test_what_is_defined_by_a_number_follows_it() -> None:
    model = with_numbers(loads(FILE), {"L": 0.12})
    assert [body.mass for body in model.bodies] == pytest.approx([2.5 * 0.12, 2.5 * 0.36])
    assert model.points["rod.end"] == pytest.approx((0.36, 0.0))
    assert model.points["ground.slot"] == pytest.approx((0.06, -0.12))
    slot = model.joints_by_name["C"]
    assert slot.directions() == [("axis_a", pytest.approx((math.cos(0.12), math.sin(0.12))))]
    assert model.defined == loads(FILE).defined


def test_a_defined_number_that_is_given_is_defined_no_longer() -> None:
    model = with_numbers(loads(FILE), {"rod.length": 0.4})
    assert (model.bodies[0].length, model.bodies[1].length) == (0.1, 0.4)  # type: ignore[union-attr]
    assert model.bodies[1].mass == 1.0
    assert "rod.length" not in model.defined
    assert with_numbers(model, {"L": 0.2}).points["rod.end"] == (0.4, 0.0)


def test_expressions_are_saved_and_loaded() -> None:
    model = loads(FILE)
    written = dumps(model)
    assert 'length = "3*crank.length"' in written
    assert 'mass = "rho*L"' in written
    assert loads(written) == model
    assert loads(dumps(with_numbers(model, {"L": 0.11}))) == with_numbers(model, {"L": 0.11})


def test_laws_and_definitions_see_scalars_of_any_kind() -> None:
    """With dual numbers, every field holds its own derivative by L, and the law that by d."""
    length, damping = Dual(0.1, 1.0), Dual(0.3, 1.0)
    model = with_numbers(loads(FILE), {"L": length, "d": damping})
    crank, rod = model.bodies
    assert crank.length is length  # type: ignore[union-attr]
    assert rod.length.slope == 3.0  # type: ignore[union-attr]
    assert rod.mass.slope == pytest.approx(7.5)  # type: ignore[attr-defined]
    assert model.joints_by_name["C"].directions()[0][1][1].slope == pytest.approx(math.cos(0.1))  # type: ignore[attr-defined]
    drag = model.forces[0]
    assert isinstance(drag, Torque)
    assert drag.reads() == ["crank.angle"]
    ((_, (torque,)),) = drag.loads(Turning())  # type: ignore[arg-type]
    assert (torque.value, torque.slope) == (pytest.approx(-0.6), -2.0)


class Turning:
    """A state in which everything turns at 2 rad/s."""

    time = 0.0
    tables: ClassVar[dict[str, Any]] = {}

    def measure(self, name: str) -> Jet:
        return Jet(0.5, 2.0, 0.0)


def test_a_run_with_a_parameter_is_that_with_the_number_in_its_place() -> None:
    """The same mechanism twice: once by parameters, once with all numbers written out."""
    model = with_numbers(loads(FILE), {"L": 0.08, "d": 0.05})
    plain = FILE.replace("-d*crank", "-0.05*crank")
    for number in numbers(model).values():
        if number.formula:
            plain = plain.replace(f'"{number.formula}"', repr(number.value))
    plain = plain[: plain.index("[[parameters]]")] + plain[plain.index("[ground]") :]
    by_hand = loads(plain)
    assert not by_hand.parameters
    assert not by_hand.defined
    first, second = (gr.simulate(each, 0.2) for each in (model, by_hand))
    assert first["rod.end.x"][-1] == pytest.approx(second["rod.end.x"][-1], rel=1e-9)
    assert first["crank.angle.rate"][-1] == pytest.approx(second["crank.angle.rate"][-1], rel=1e-7)


def changed(old: str, new: str) -> str:
    assert old in FILE
    return FILE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            changed('length = "L"', 'length = "rod.length/3"'),
            "define each other in a circle; give one of them a number",
        ),
        (
            changed('"3*crank.length"', '"3*crank.lenght"'),
            "'crank.lenght' is not a number of the mechanism; did you mean",
        ),
        (changed('"3*crank.length"', '"3*crank.angle"'), "'crank.angle' is a quantity of the motion;"),
        (changed('"3*crank.length"', '"3*t"'), "'rod.length' is defined as '3*t', which depends on time"),
        (changed('"3*crank.length"', '"sqrt(-L)"'), "'sqrt(-L)', which has no value with L = 0.1; change L."),
        (changed('"3*crank.length"', '"sqrt(1 - 20*L)*d"'), "has no value with L = 0.1 and d = 0.3; change L or d."),
        (changed('"3*crank.length"', '"sqrt(-1)"'), "has no value; "),
        (changed('"3*crank.length"', '"drag.torque"'), "'drag.torque' changes with time or motion"),
        (changed('"3*crank.length"', '"-3*L"'), "Body 'rod': mass is -0.75"),
        (changed('"3*crank.length"', '"3*"'), "cannot read the law '3*'"),
        (changed('"100 mm"', '"300 mm"'), "Parameter 'L' is 0.3 m, beyond its bounds, 0.05 to 0.2 m"),
        (changed("lower = 0.05", "lower = 0.5"), "its bounds are 0.5 and 0.2 m; the lower one must be below"),
        (changed('unit = "kg/m"', 'unit = "kg/mm"'), "unit is 'kg/mm', but numbers are kept in SI units"),
        (changed('unit = "kg/m"', 'unit = "kg/foo"'), "there is no unit 'foo'"),
        (changed('name = "d"', 'name = "L"'), "Parameter 'L' appears twice"),
        (changed('name = "d"', 'name = "sin"'), "this name means something else in an expression"),
        (changed('name = "d"', 'name = "a.b"'), "the name has a dot"),
        (changed("-d*crank", "-c*crank"), "Force 'drag': it depends on 'c', which is not a measure"),
        (changed('"100 mm"', '"100 mm/foo"'), "there is no unit 'foo'"),
        (changed('value = 2.5\nunit = "kg/m"', 'value = "2.5 g/m"'), "give its SI unit, too"),
        ("defined = {}\n" + FILE, "there is no field 'defined'"),
    ],
)
def test_what_makes_no_sense_is_told(text: str, words: str) -> None:
    with pytest.raises(ModelError) as refused:
        loads(text)
    assert words in str(refused.value)


def test_values_are_checked_where_asked() -> None:
    model = loads(FILE)
    assert check_numbers(model, {"L": 0.15}).bodies[0].mass == 0.375
    for values, words in (
        ({"L": 0.3}, "beyond its bounds"),
        ({"rho": math.nan}, "must be finite"),
        ({"rho": -1.0}, "Body 'crank': mass is"),
        ({"crank.length": 0.0}, "Body 'crank': length is"),
    ):
        with pytest.raises(ModelError, match=words):
            check_numbers(model, values)


def test_a_model_made_by_hand_may_have_laws_of_parameters() -> None:
    """Without `loads` or the builder, a law of parameters alone is a number all the same."""
    from grashof.model.bodies import Bar
    from grashof.model.parameter import Parameter

    drive = Torque(name="drive", angle="rod.angle", torque="2*M")
    model = Model("m", bodies=(Bar("rod", 1.0, 1.0),), forces=(drive,), parameters=(Parameter("M", 3.0, "N m"),))
    assert numbers(model)["drive.torque"].value == 6.0
    assert numbers(with_numbers(model, {"M": 4.0}))["drive.torque"].value == 8.0


def test_numbers_that_are_taken_away_are_not_computed() -> None:
    """Questions about the linkage alone leave forces out, and with them what they are defined by."""
    model = loads(FILE)
    without = msgspec.structs.replace(model, forces=())
    assert "spring.stiffness" in without.defined
    assert with_numbers(without, {"L": 0.12}).points["rod.end"] == pytest.approx((0.36, 0.0))
    assert "turns fully" in str(gr.linkage(model)) or "swings" in str(gr.linkage(model))


def test_other_engines_take_numbers_as_they_are() -> None:
    model = loads(FILE)
    assert unknown(model, "another engine") is None
    twin = in_space(model)
    assert not twin.defined
    assert twin.forces[0].parameters["d"] == 0.3


def test_names_that_are_no_plain_words_are_names_all_the_same() -> None:
    """µ, the sign of micro, is not the Greek letter μ, which Python takes it for; lambda is a word of Python's own."""
    m = gr.Mechanism("m")
    micro, keyword, greek = m.parameter("\u00b5", 0.25), m.parameter("lambda", 3.0), m.parameter("\u03bc", 5.0)
    m.bar("rod", length=micro + 2 * keyword, mass="\u00b5 + \u03bc")
    m.bar("left\u00b5", length=greek, mass="rod.mass")
    m.body("box", mass="left\u00b5.mass")
    found = numbers(m)
    assert found["rod.length"].value == 6.25
    assert found["box.mass"].value == 5.25
    assert loads(dumps(m.model)) == m.model


def test_a_parameter_named_like_a_constant_is_told_before_what_follows_from_it() -> None:
    """Euler's number in its place would make the root impossible, and the sentence would name the root."""
    with pytest.raises(ModelError, match="Parameter 'e': this name means something else"):
        loads(
            'format = "grashof 1"\nname = "x"\nparameters = [{ name = "e", value = "1 m" }]\nground = { O = [0, 0] }\n'
            'bodies = [{ type = "bar", name = "b", length = "sqrt(2 - e)", mass = 1 }]\n'
            'joints = [{ type = "revolute", name = "O", a = "ground.O", b = "b.start" }]\n'
        )

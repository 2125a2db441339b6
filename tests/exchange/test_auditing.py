"""Descriptions that contradict themselves or each other are found out, with what would put them right."""

from __future__ import annotations

import cmath
import math
import warnings
from pathlib import Path

import msgspec
import pytest

import grashof as gr
from grashof.exchange import load_file
from grashof.exchange.auditing import audit, fits, half_unit
from grashof.model.parameters import with_numbers
from grashof.model.start import Condition
from grashof.problems import make_case

CHAIN = Path(__file__).parent / "data" / "andrews-chain.osim"


def test_nothing_is_found_in_the_squeezer_that_opensim_wrote() -> None:
    found = audit(load_file(CHAIN).model)
    assert found.findings == ()
    assert found.values == 7


def test_a_straight_crank_keeps_the_loop_open_by_six_micrometres(tmp_path: Path) -> None:
    """θ₀ = 2.1459e-4, and E is 0.028 m from F: declared as 0, E is 6.0e-6 m off."""
    text = CHAIN.read_text()
    begin = text.index("<default_value>", text.index('name="turn_EF"')) + len("<default_value>")
    end = text.index("<", begin)
    path = tmp_path / "straight.osim"
    path.write_text(text[:begin] + "0" + text[end:])
    found = audit(load_file(path).model).findings
    straight = next(finding for finding in found if finding.item == "turn_EF")
    assert straight.expected == pytest.approx(2.1459e-4, abs=3e-6)
    assert straight.gap == pytest.approx(0.028 * abs(straight.expected or 0.0), rel=1e-3)
    assert "turn_EF is declared as 0 rad" in str(straight)


def with_angle(value: float, name: str = "AH.angle") -> gr.Model:
    model = make_case("andrews").model
    start = msgspec.structs.replace(model.start, wants=(Condition(name, value=value),))
    return msgspec.structs.replace(model, start=start)


def test_an_angle_that_is_rounded_stands_and_its_supplement_does_not() -> None:
    closing = gr.assemble(make_case("andrews").model).angles["AH.angle"]
    assert audit(with_angle(round(closing, 3))).findings == ()
    (found,) = audit(with_angle(round(-math.pi - closing, 3))).findings
    assert "supplement" in found.evidence
    assert found.expected == pytest.approx(closing, abs=1e-12)


def test_another_description_tells_masses_places_and_signs() -> None:
    """The errors of the documents for OpenSim: B mirrored, a mass off by one, a centre with a digit less."""
    right = make_case("andrews").model
    wrong = with_numbers(right, {"ground.B.x": 0.03635, "EBD.mass": 0.02372, "EBD.center.y": 0.0163})
    found = {finding.item: finding for finding in audit(wrong, right).findings}
    assert set(found) == {"ground.B.x", "EBD.mass", "EBD.center.y"}
    assert "opposite sign" in found["ground.B.x"].evidence
    assert "they do with that number alone" in found["ground.B.x"].evidence
    assert "rounded away" in found["EBD.center.y"].evidence
    assert found["EBD.mass"].expected == 0.02373
    assert audit(wrong, right).problem


def test_a_description_that_cannot_be_closed_says_so() -> None:
    wrong = with_numbers(make_case("andrews").model, {"ground.B.x": 0.03635})
    found = audit(wrong)
    assert found.problem
    assert "cannot be closed" in str(found)


def test_points_of_one_name_that_are_apart_are_told() -> None:
    m = gr.Mechanism("fork")
    stem = m.body("stem", mass=1.0, inertia=1.0, points={"O": (0, 0), "E": (1, 0)})
    tine = m.body("tine", mass=1.0, inertia=1.0, points={"E": (0, 0), "T": (1, 0)})
    other = m.body("other", mass=1.0, inertia=1.0, points={"E": (0.1, 0), "T": (1, 0)})
    m.revolute(m.ground.at(0, 0), stem.O)
    m.revolute(stem.E, tine.E)
    m.revolute(stem.E, other.at(0, 0))
    m.need(stem.angle, value=0.0)
    (found,) = audit(m).findings
    assert found.item == "other.E"
    assert "0.1 m apart" in found.evidence


def test_rounding() -> None:
    assert half_unit(0.0187) == pytest.approx(5e-5)
    assert half_unit(4530.0) == 0.0
    assert fits(2.088, 2.0884)
    assert not fits(2.088, 2.0886)
    assert not fits(0.0, 1e-9)


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
    exec(page.partition("```python\n")[2].partition("```")[0], {})
    assert "b.angle is declared as -0.65 rad, but the loops close at -0.6435 rad" in capsys.readouterr().out


def test_the_next_body_turns_towards_a_joint_as_far_as_its_own_pin_lets_it() -> None:
    """A four-bar whose coupler is declared 0.1 rad off: its end is 4·2 sin(0.05) away, and off the circle of the
    rocker by less."""
    m = gr.Mechanism("four-bar")
    crank, coupler, rocker = (
        m.bar(name, length=length, mass=1.0) for name, length in (("a", 2.0), ("b", 4.0), ("c", 3.0))
    )
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(5, 0), rocker.start)
    m.need(crank.angle, value=2.0)
    start = 2.0 * cmath.exp(2j)
    span = 5.0 - start
    bend = math.acos((16.0 + abs(span) ** 2 - 9.0) / (8.0 * abs(span)))
    angle = cmath.phase(span) + bend
    m.want(coupler.angle, value=angle + 0.1)
    (found,) = audit(m).findings
    assert found.expected == pytest.approx(angle, abs=1e-12)
    assert found.gap == pytest.approx(8.0 * math.sin(0.05), rel=1e-9)
    there = start + 4.0 * cmath.exp(1j * (angle + 0.1))
    assert found.least_gap == pytest.approx(abs(abs(there - 5.0) - 3.0), rel=1e-9)
    assert f"at least {found.least_gap:.2g} m however the next body is turned" in str(found)
    assert found.as_dict()["least_gap_m"] == found.least_gap


def test_what_follows_from_a_parameter_is_not_told_again() -> None:
    def pendulum(length: float, mass: object) -> gr.Mechanism:
        m = gr.Mechanism("pendulum")
        bar = m.bar("bar", length=m.parameter("L", length, unit="m"), mass=mass)  # type: ignore[arg-type]
        m.revolute(m.ground.at(0, 0), bar.start)
        m.need(bar.angle, value=0.0)
        return m

    assert [finding.item for finding in audit(pendulum(1.5, "2*L"), pendulum(1.6, "2*L")).findings] == ["L"]
    found = audit(pendulum(1.5, "2*L"), pendulum(1.6, "3*L")).findings
    assert {finding.item for finding in found} == {"L", "bar.mass"}


@pytest.mark.parametrize("name", ["jansen", "scissor-lift", "radial-engine", "planetary-gear", "geneva"])
@pytest.mark.parametrize("ending", [".toml", ".osim", ".xml"])
def test_nothing_is_found_in_the_gallery(name: str, ending: str, tmp_path: Path) -> None:
    """Neither round-off of zero, as in Jansen's crank, nor points whose names say what they are on each of many like
    bodies."""
    path = tmp_path / f"model{ending}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what the formats lack
        gr.save(gr.example(name), path)
        found = audit(gr.load(path))
    assert not found.findings
    assert str(found).endswith("; no contradictions were found.")

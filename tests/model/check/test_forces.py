"""Forces and motors act on what there is, with laws that exist where the motion starts."""

from __future__ import annotations

import pytest

from grashof.model.check import check
from grashof.model.couplings import Motor
from grashof.model.forces import PointForce, SpringDamper, Torque, TorsionSpring, UserForce
from grashof.model.model import Model

from .descriptions import X, planar, refusal, with_force


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (with_force(PointForce, point="rod.c", force=(1.0, 0.0)), "no point 'rod.c'"),
        (with_force(PointForce, point="rod.b", force=X), "has 3 components"),
        (with_force(PointForce, point="rod.b", force=(1.0, 0.0), axes="bodily"), "axes is 'bodily'"),
        (with_force(SpringDamper, a="rod.a", b="rod.b"), "points of the same body"),
        (with_force(SpringDamper, a="ground.pin", b="rod.b", stiffness=-1.0), "stiffness is -1.0 N/m"),
        (with_force(SpringDamper, a="ground.pin", b="rod.b", damping=-1.0), "damping is -1.0 N s/m"),
        (with_force(SpringDamper, a="ground.pin", b="rod.b", length=-1.0), "length is -1.0 m"),
        (with_force(Torque, angle="crank.angel", torque=1.0), "did you mean 'crank.angle'?"),
        (with_force(Torque, angle="stroke", torque=1.0), "'stroke' is a distance"),
        (with_force(TorsionSpring, angle="rod.angle", stiffness=-1.0), "stiffness is -1.0 N m/rad"),
        (with_force(TorsionSpring, angle="rod.angle", damping=-1.0), "damping is -1.0 N m s/rad"),
        (with_force(UserForce, on=(), function="m:f"), "'on' is empty"),
        (with_force(UserForce, on=("strok",), function="m:f"), "did you mean 'stroke'?"),
    ],
)
def test_impossible_forces(model: Model, words: str) -> None:
    text = refusal(model)
    assert text.startswith("Force 'F'")
    assert words in text


@pytest.mark.parametrize(
    ("target", "law", "words"),
    [
        ("crank", "t", "no measure 'crank' to drive; did you mean 'crank.angle'?"),
        ("crank.angle", "2*", "cannot read the law '2*'"),
        ("crank.angle", "1/t", "no finite value, rate and acceleration at the start, t = 0.0 s"),
        ("crank.angle", "sqrt(t)", "no finite value"),
        ("crank.angle", "exp(1000)", "no finite value"),
        ("stroke", "t", "starts at 0.0 m"),
    ],
)
def test_impossible_motors(target: str, law: str, words: str) -> None:
    text = refusal(planar(motors=(Motor("M", target, law),)))
    assert "otor 'M'" in text
    assert words in text


def test_one_angle_has_one_motor() -> None:
    text = refusal(planar(motors=(Motor("M", "crank.angle", "t"), Motor("N", "crank.angle", "2*t"))))
    assert "'M'" in text
    assert "'N'" in text
    assert "'crank.angle'" in text


def test_a_user_force_is_checked_without_its_code() -> None:
    check(with_force(UserForce, on=("rod.b", "stroke"), function="never_imported:law"))

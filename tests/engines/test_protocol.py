"""What holds for every engine."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.engines import ENGINES
from grashof.engines.base import EngineFailed, NotInstalled
from grashof.engines.loads import Loads
from grashof.model.fields import Fields, Scalars
from grashof.model.forces import ForceBase, Load
from grashof.model.joints import JointBase, Revolute
from grashof.model.model import Model
from grashof.model.state import State
from grashof.situation import Situation, situation
from grashof.situation.known import unknown

from . import linkages


@pytest.mark.parametrize("name", ENGINES)
def test_a_run_over_its_limit_is_given_up(name: str) -> None:
    engine, s = linkages.installed(name), situation(linkages.four_bar().model)
    with pytest.raises(EngineFailed, match="limit"):
        engine.prepare(s).run(engine.ladder(s, 10.0)[-1], np.linspace(0.0, 10.0, 101), limit_s=1e-4)


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "grashof"])
def test_an_engine_says_its_version(name: str) -> None:
    engine = linkages.installed(name)
    try:
        version = engine.version()
    except NotInstalled as problem:  # importable, but not from its distribution
        pytest.skip(str(problem))
    assert version[0].isdigit()


def test_an_engine_that_is_not_there_says_how_to_get_it() -> None:
    class Absent(type(ENGINES["mujoco"])):
        package = "grashof-none-such"

    with pytest.raises(NotInstalled, match="'grashof-none-such' is not installed; install it with pip install"):
        Absent().version()


@pytest.mark.parametrize("name", ["mujoco", "pinocchio", "exudyn", "drake", "scipy", "sundials"])
def test_whole_turns_that_nobody_can_tell_are_a_failure(name: str) -> None:
    """A bar that falls exactly through the axis of a torsion spring's angle: half a turn at once, and none can say
    which way."""
    m = gr.Mechanism("through the pole", gravity=(0.0, 0.0, -9.81))
    bar = m.body("bar", mass=1.0, inertia=(0.1, 0.1, 0.1), center=(0.5, 0.0, 0.0), points={"top": (0, 0, 0)})
    m.spherical(m.ground.at(0, 0, 0), bar.top)
    heading = m.angle("heading", bar, axis=(0.0, 0.0, 1.0), direction=(1.0, 0.0, 0.0))
    m.torsion_spring(heading, stiffness=1e-6, rest=0.0)
    engine, s = linkages.installed(name), situation(m.model)
    with pytest.raises(EngineFailed, match="The angle 'heading' jumps"):
        engine.prepare(s).run(engine.ladder(s, 1.0)[4], np.linspace(0.0, 1.0, 11))


@pytest.mark.parametrize("name", ["mujoco", "pinocchio", "drake"])
def test_engines_that_move_joints_by_forces_refuse_motors_by_name(name: str) -> None:
    assert "'motor crank.angle'" in (ENGINES[name].refuses(situation(linkages.driven().model)) or "")


class Bead(JointBase, tag="bead", frozen=True):
    """A joint that no adapter knows: the points have the same height."""

    def equations(self, fields: Fields) -> Scalars:
        return [fields.point(self.b)[1] - fields.point(self.a)[1]]


class Sticky(Revolute, tag="sticky revolute", frozen=True):
    """A joint that says more of itself than adapters know."""

    friction: float = 0.0


def with_joint(joint: JointBase) -> Model:
    m = gr.Mechanism("bead", gravity=(0.0, -9.81))
    m.bar("bar", start=(0.0, 0.0), end=(1.0, 0.0), mass=1.0)
    m.ground.at(0.0, 0.0, name="o")
    return msgspec.structs.replace(m.model, joints=(joint,))


@pytest.mark.parametrize("name", ENGINES)
def test_a_joint_that_an_adapter_does_not_know_is_refused_not_welded(name: str) -> None:
    """Engines that take joints by their equations know every kind."""
    refusal = ENGINES[name].refuses(situation(with_joint(Bead(name="wire", a="ground.o", b="bar.start"))))
    if name in ("grashof", "scipy", "sundials"):
        assert refusal is None
    else:
        assert refusal is not None
        assert refusal.startswith("Joint 'wire': a joint of type 'bead' cannot be translated for ")


@pytest.mark.parametrize("name", [name for name in ENGINES if name not in ("grashof", "scipy", "sundials")])
def test_what_a_joint_says_beyond_what_adapters_know_is_refused(name: str) -> None:
    sticky = Sticky(name="hinge", a="ground.o", b="bar.start", friction=0.3)
    refusal = ENGINES[name].refuses(situation(with_joint(sticky)))
    assert refusal is not None
    assert "'hinge'" in refusal


def test_a_joint_of_unknown_kind_has_no_twin_in_space_and_no_freedoms() -> None:
    s = situation(with_joint(Bead(name="wire", a="ground.o", b="bar.start")))
    with pytest.raises(ModelError, match="Joint 'wire': a planar joint of its type cannot be translated to space"):
        _ = s.model
    with pytest.raises(ModelError, match="Joint 'wire'"):
        _ = s.tree


def test_parts_of_a_mechanism_that_adapters_do_not_know_are_refused_by_name() -> None:
    class Later(Model, frozen=True):
        brakes: tuple[object, ...] = ()

    m = linkages.four_bar().model
    later = Later(**{field: getattr(m, field) for field in m.__struct_fields__}, brakes=(SimpleNamespace(name="shoe"),))
    assert unknown(later, "MuJoCo") == "The mechanism has brakes ('shoe'), which cannot be translated for MuJoCo."
    assert unknown(m, "MuJoCo") is None


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "grashof"])
def test_events_that_change_a_run_are_refused_and_others_are_not(name: str) -> None:
    m = linkages.four_bar()
    m.event("crank.end.y", crosses=0.0, name="level")
    before = ENGINES[name].refuses(situation(m.model))
    assert before is None or "level" not in before
    m.event("crank.end.y", crosses=-0.1, name="low", does="stop")
    assert (ENGINES[name].refuses(situation(m.model)) or "").startswith("Event 'low': the action 'stop' cannot be")


def test_grashof_does_not_tell_a_motion_beyond_the_event_that_ends_it() -> None:
    m = gr.Mechanism("pendulum", gravity=(0.0, -9.81))
    bar = m.bar("bar", start=(0.0, 0.0), end=(1.0, 0.0), mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), bar.start)
    m.event("bar.end.y", crosses=-0.5, name="low", does="stop")
    engine, s = ENGINES["grashof"], situation(m.model)
    with pytest.raises(EngineFailed, match="An event ends the run at t = 0"):
        engine.prepare(s).run(engine.ladder(s, 2.0)[4], np.linspace(0.0, 2.0, 11))


class Pressed(ForceBase, tag="pressed", frozen=True):
    """A force that asks for what no engine tells: how strongly a joint is pressed together."""

    def bearings(self) -> list[str]:
        return ["hinge"]

    def loads(self, state: State) -> list[Load]:
        return [("bar.end", [state.bearing("hinge"), 0.0])]

    def targets(self) -> list[str]:
        return ["bar.end"]


class Mistaken(ForceBase, tag="mistaken", frozen=True):
    """A force whose own code has a mistake."""

    def loads(self, state: State) -> list[Load]:
        return [("bar.end", [state.no_such_thing, 0.0])]

    def targets(self) -> list[str]:
        return ["bar.end"]


@pytest.mark.parametrize("name", ["scipy", "mujoco", "exudyn"])
def test_a_force_that_needs_more_than_the_motion_is_a_failure_told_by_name(name: str) -> None:
    engine = linkages.installed(name)
    s = pendulum_under(Pressed(name="brake"))
    with pytest.raises(EngineFailed, match="Force 'brake': it depends on more than the motion"):
        engine.prepare(s).run(engine.ladder(pendulum_under(), 1.0)[0], np.linspace(0.0, 1.0, 3))


def test_a_mistake_in_the_code_of_a_force_is_not_taken_for_a_lack_of_the_engine() -> None:
    s = pendulum_under(Mistaken(name="brake"))
    with pytest.raises(AttributeError, match="no_such_thing"):
        Loads(s)(0.0, s.positions, s.rotations, s.velocities, s.spins)


def pendulum_under(*forces: ForceBase) -> Situation:
    m = gr.Mechanism("pendulum", gravity=(0.0, -9.81))
    bar = m.bar("bar", start=(0.0, 0.0), end=(1.0, 0.0), mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), bar.start, name="hinge")
    s = situation(m.model)
    system = replace(s.system, model=msgspec.structs.replace(s.original, forces=forces))
    return replace(s, assembled=replace(s.assembled, system=system))

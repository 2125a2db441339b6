"""MuJoCo: a tree of joints in minimal coordinates, loops closed by stiff equality constraints, RK4 with a constant step."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch, installed_version
from grashof.engines.loads import Loads
from grashof.engines.motion import Motion
from grashof.engines.situation import Freedom, Situation, cut_body
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.forces import Force, PointForce, SpringDamper, Torque
from grashof.model.joints import Joint
from grashof.model.measures import Angle
from grashof.model.rotations import quaternion

FIRM = ((0.999, 2.2, 0.2), (0.9999, 2.4, 0.15), (0.9999, 0.35, 1.0))
"""Impedance, ω h and damping ratio ζ of the constraints, which pull back as oscillators of frequency ω. MuJoCo takes impedances up to
0.9999. Constraints give way by 1/ω², and RK4 takes oscillators up to ω h = 2.8, the less damped the better: this is best where
positions are singular. Where forces are large, the last one is, which is slow enough for RK4 to follow it."""

_PATIENCE = 1000  # steps between looks at the clock


class MuJoCo:
    """See the module."""

    name = "mujoco"
    package = "mujoco"
    notes = (
        "Planar mechanisms move in the plane z = 0 of space.",
        "Loops are closed by connect constraints of stiffness ω² and damping 2ζω; impedance, ω h and ζ are in the setting.",
        "RK4 with a constant step h by `mujoco.rollout`, one iteration of Newton's solver; contacts, limits, islands, sensors and warm starts off.",
        "Results between steps come from a shorter step, whose time is not counted.",
        "Torsion springs and user forces come from a callback in Python, whose time counts.",
        "An inertia of 1e-6 m ℓ² is added about axes that have none, such as a slender bar's own.",
    )

    def version(self) -> str:
        return installed_version(self.package)

    def refuses(self, situation: Situation) -> str | None:
        if situation.original.motors:
            return (
                f"motor '{situation.original.motors[0].name}': MuJoCo moves joints by forces; it has no constraint that follows "
                "a law of time."
            )
        return None

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        scale = situation.time_scale(t_end)
        steps = [scale * 2.0 ** (-0.25 * k) for k in range(27)]
        # without loops there is nothing to hold
        return tuple(_setting(step, *firm) for step in steps for firm in (FIRM if situation.closures else FIRM[-1:]))

    def prepare(self, situation: Situation) -> _Prepared:
        try:
            return _build(situation)
        except ValueError as problem:
            raise EngineFailed(str(problem)) from problem


def _setting(step: float, impedance: float, omega: float, ratio: float) -> Setting:
    return Setting(
        f"RK4, h = {step:.3g} s, impedance {impedance:g}, ω h = {omega:g}, ζ = {ratio:g}",
        {"integrator": "RK4", "timestep": step, "impedance": impedance, "omega h": omega, "damping ratio": ratio},
    )


@dataclass
class _Prepared:
    situation: Situation
    model: Any
    data: Any
    loads: Loads | None

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        model, begin = self.model, self.situation.time
        step = float(setting.values["timestep"])
        omega, ratio = float(setting.values["omega h"]) / step, float(setting.values["damping ratio"])
        model.eq_solref[:] = (-(omega**2), -2.0 * ratio * omega)
        model.eq_solimp[:, :2] = float(setting.values["impedance"])
        whole = np.floor((times - begin) / step + 1e-9).astype(int)
        rests = times - begin - whole * step
        states = np.empty((whole[-1] + 1, model.nq + model.nv + 1))
        states[0] = self._start()
        shown = np.empty((len(times), states.shape[1]))
        watch, done, seen = Stopwatch(limit_s), 0, 0
        with self._callbacks():
            for end in self._stops(whole):
                if end > done:
                    with watch:
                        states[done + 1 : end + 1] = self._rolled(states[done], step, end - done)
                    done = end
                while seen < len(times) and whole[seen] <= done:
                    shown[seen] = states[whole[seen]]
                    if rests[seen] > 1e-9 * step:
                        # between two steps, by a shorter one that leads nowhere
                        with self._turns_kept():
                            shown[seen] = self._rolled(shown[seen], rests[seen], 1)[0]
                    seen += 1
        return Result(self._motion(times, shown[:, 1:]), watch.cpu_s, watch.wall_s, done)

    def _start(self) -> np.ndarray:
        """The state as MuJoCo orders it: time, coordinates, speeds."""
        import mujoco

        data = mujoco.MjData(self.model)
        return np.concatenate([[self.situation.time], data.qpos, self._speeds(data)])

    def _stops(self, whole: np.ndarray) -> list[int]:
        """The steps at which to look at the clock; where forces count turns, at those before results, too."""
        regular = range(0, int(whole[-1]), _PATIENCE)
        return sorted({0, *regular, int(whole[-1]), *(whole.tolist() if self.loads is not None else ())})

    def _rolled(self, state: np.ndarray, step: float, count: int) -> np.ndarray:
        """The states after each of so many steps."""
        from mujoco import rollout

        self.model.opt.timestep = step
        control = np.ones((count, self.model.nu)) if self.model.nu else None
        states: np.ndarray = rollout.rollout(self.model, self.data, state, control, nstep=count)[0][0]
        _check(self.data)
        return states

    @contextmanager
    def _callbacks(self) -> Iterator[None]:
        """Forces that MuJoCo has no element for come from a callback; its warnings go to no file."""
        import mujoco

        mujoco.set_mju_user_warning(lambda text: None)
        if self.loads is not None:
            self.loads.reset()
            mujoco.set_mjcb_passive(self._apply)
        try:
            yield
        finally:
            mujoco.set_mjcb_passive(None)
            mujoco.set_mju_user_warning(None)

    @contextmanager
    def _turns_kept(self) -> Iterator[None]:
        angles = None if self.loads is None else self.loads.angles.copy()
        yield
        if self.loads is not None:
            self.loads.angles[:] = angles

    def _speeds(self, data: Any) -> np.ndarray:
        """Joint speeds from the bodies' velocities, all bodies together in least squares."""
        import mujoco

        s, model = self.situation, self.model
        mujoco.mj_forward(model, data)
        rows = []
        for name in s.bodies:
            linear, turning = np.zeros((3, model.nv)), np.zeros((3, model.nv))
            mujoco.mj_jacBody(model, data, linear, turning, model.body(name).id)
            rows += [linear, turning]
        right = np.concatenate([s.velocities, s.spins], axis=1).ravel()
        speeds: np.ndarray = np.linalg.lstsq(np.vstack(rows), right, rcond=None)[0]
        return speeds

    def _motion(self, times: np.ndarray, states: np.ndarray) -> Motion:
        import mujoco

        s, model = self.situation, self.model
        data = mujoco.MjData(model)
        ids = [model.body(name).id for name in s.bodies]
        shape = (len(times), len(ids), 3)
        motion = Motion(times, np.empty(shape), np.empty((*shape, 3)), np.empty(shape), np.empty(shape))
        velocity = np.empty(6)
        for k, state in enumerate(states):
            data.qpos[:], data.qvel[:] = state[: model.nq], state[model.nq :]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_comVel(model, data)
            motion.positions[k] = data.xpos[ids]
            motion.rotations[k] = data.xmat[ids].reshape(-1, 3, 3)
            for b, i in enumerate(ids):
                mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, i, velocity, 0)
                motion.spins[k, b], motion.velocities[k, b] = velocity[:3], velocity[3:]
        return motion

    def _apply(self, model: Any, data: Any) -> None:
        """The passive-force callback for forces that MuJoCo has no element for."""
        import mujoco

        assert self.loads is not None
        ids = [model.body(name).id for name in self.situation.bodies]
        velocities = np.empty((len(ids), 6))
        for k, i in enumerate(ids):
            mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_XBODY, i, velocities[k], 0)
        places = data.xpos[ids]
        wrenches = self.loads(data.time, places, data.xmat[ids], velocities[:, 3:], velocities[:, :3])
        for place, wrench, i in zip(places, wrenches, ids, strict=True):
            if wrench.any():
                mujoco.mj_applyFT(model, data, wrench[:3], wrench[3:], place, i, data.qfrc_passive)


def _check(data: Any) -> None:
    """MuJoCo goes on after a warning; what follows is worth nothing."""
    import mujoco

    if data.warning.number.any():
        kind = int(np.argmax(data.warning.number > 0))
        text = mujoco.mju_warningText(kind, int(data.warning[kind].lastinfo))
        raise EngineFailed(f"{text} Time = {data.time:g} s.")


# -- the model


def _build(situation: Situation) -> _Prepared:
    import mujoco

    builder = _Builder(situation)
    for link in situation.tree:
        builder.hang(link.body, link.body, link.parent, link.freedoms)
    for joint in situation.closures:
        builder.close(joint)
    rest = tuple(force for force in situation.original.forces if not builder.add_force(force))
    model = builder.spec.compile()
    return _Prepared(situation, model, mujoco.MjData(model), Loads(situation, rest) if rest else None)


class _Builder:
    """Writes a situation as MuJoCo's specification."""

    def __init__(self, situation: Situation) -> None:
        import mujoco

        self.situation = situation
        self.spec = mujoco.MjSpec()
        self.bodies = {GROUND: self.spec.worldbody}
        self.inertias = situation.positive_inertias()
        self.parts = Counter(body for joint in situation.closures if (body := cut_body(joint)))
        option, off = self.spec.option, mujoco.mjtDisableBit
        option.integrator = mujoco.mjtIntegrator.mjINT_RK4
        option.solver = mujoco.mjtSolver.mjSOL_NEWTON
        option.iterations = 1  # equalities alone are a quadratic problem: one Newton step solves it
        option.tolerance = 0.0
        option.gravity = situation.gravity
        option.disableflags = int(
            off.mjDSBL_CONTACT
            | off.mjDSBL_LIMIT
            | off.mjDSBL_FRICTIONLOSS
            | off.mjDSBL_ISLAND
            | off.mjDSBL_SENSOR
            | off.mjDSBL_WARMSTART
            | off.mjDSBL_CLAMPCTRL
            | off.mjDSBL_REFSAFE
            | off.mjDSBL_AUTORESET
        )

    def hang(self, name: str, body: str, parent: str, freedoms: tuple[Freedom, ...]) -> None:
        """Hangs a body, or a part of it under another name, on its parent."""
        import mujoco

        s, k = self.situation, self.situation.index[body]
        (base, frame), (origin, axes) = s.pose(parent), s.pose(body)
        share = 1.0 / (1 + self.parts[body])
        i = self.inertias[k] * share
        made = self.bodies[parent].add_body(
            name=name,
            pos=frame.T @ (origin - base),
            quat=quaternion(frame.T @ axes),
            mass=s.masses[k] * share,
            ipos=s.centers[k],
            fullinertia=[i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]],
            explicitinertial=True,
        )
        for freedom in freedoms:
            made.add_joint(
                type=getattr(mujoco.mjtJoint, _JOINTS[freedom.kind]),
                axis=axes.T @ freedom.axis if freedom.axis.any() else (0.0, 0.0, 1.0),
                pos=axes.T @ (freedom.through - origin) if freedom.kind in ("turn", "ball") else np.zeros(3),
            )
        self.bodies[name] = made

    def close(self, joint: Joint) -> None:
        """Closes a loop: pins by points that coincide, rods by tendons, other joints by a second part of a body, welded to it."""
        import mujoco

        s, kind = self.situation, mujoco.mjtEq
        if isinstance(joint, kinds.Distance):
            rod = self.tendon(joint.a, joint.b)
            self.equality(kind.mjEQ_TENDON, mujoco.mjtObj.mjOBJ_TENDON, rod.name, "")
        elif isinstance(joint, kinds.Revolute | kinds.Spherical):
            offsets = [np.zeros(3)]
            if isinstance(joint, kinds.Revolute) and not s.planar:
                offsets.append(s.system.length * s.heading(joint.bodies[0], joint.axis_a))
            for offset in offsets:
                a, b = self.site(joint.a, offset), self.site(joint.b, offset)
                self.equality(kind.mjEQ_CONNECT, mujoco.mjtObj.mjOBJ_SITE, a, b)
        elif body := cut_body(joint):
            a, b = joint.bodies
            part = f"{body}, at {joint.name}"
            self.hang(part, body, b if body == a else a, s.freedoms(body, joint))
            self.equality(kind.mjEQ_WELD, mujoco.mjtObj.mjOBJ_BODY, body, part, (0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0))

    def add_force(self, force: Force) -> bool:
        """Adds a force as an element of MuJoCo's own, if there is one that is the same."""

        s = self.situation
        match force:
            case SpringDamper():
                spring = self.tendon(force.a, force.b)
                spring.stiffness, spring.damping = [force.stiffness, 0.0, 0.0], [force.damping, 0.0, 0.0]
                spring.springlength = [force.length, force.length]
            case PointForce():
                world = self.mark(GROUND, np.zeros(3)) if force.axes == "world" else ""
                self.actuator(self.site(force.point), [*force.force, *(0.0,) * (6 - len(force.force))], world)
            case Torque():
                angle = s.model.all_measures[force.angle]
                assert isinstance(angle, Angle)
                if not (s.planar or self.turns_about(angle)):
                    return False
                axis = s.heading(angle.reference, angle.axis)
                for body, sign in ((angle.body, 1.0), (angle.reference, -1.0)):
                    if body != GROUND:
                        own = s.pose(body)[1].T @ axis
                        self.actuator(self.mark(body, np.zeros(3)), [0.0, 0.0, 0.0, *(sign * force.torque * own)])
            case _:
                return False
        return True

    def turns_about(self, angle: Angle) -> bool:
        """Whether a joint lets the angle's two bodies turn against each other about the angle's axis alone."""
        s = self.situation
        axis = s.heading(angle.reference, angle.axis)
        for joint in s.model.joints:
            if isinstance(joint, kinds.Revolute | kinds.Cylindrical) and set(joint.bodies) == {
                angle.body,
                angle.reference,
            }:
                return bool(np.linalg.norm(np.cross(axis, s.heading(joint.bodies[0], joint.axis_a))) < 1e-9)
        return False

    def site(self, reference: str, offset: np.ndarray | None = None) -> str:
        """A site at a point, or beside it by an offset in world axes at the start."""
        body = body_of(reference)
        place = np.array(self.situation.model.points[reference])
        return self.mark(body, place if offset is None else place + self.situation.pose(body)[1].T @ offset)

    def mark(self, body: str, place: np.ndarray) -> str:
        """A site at a place in a body's axes."""
        name = f"site {len(self.spec.sites)}"
        self.bodies[body].add_site(name=name, pos=place)
        return name

    def tendon(self, a: str, b: str) -> Any:
        """A straight tendon between two points."""
        tendon = self.spec.add_tendon(name=f"tendon {len(self.spec.tendons)}")
        tendon.wrap_site(self.site(a))
        tendon.wrap_site(self.site(b))
        return tendon

    def equality(self, kind: Any, of: Any, first: str, second: str, data: Sequence[float] = (0.0,) * 12) -> None:
        """A constraint; each run says how stiff."""
        self.spec.add_equality(type=kind, objtype=of, name1=first, name2=second, data=data)

    def actuator(self, site: str, gear: Sequence[float], axes: str = "") -> None:
        """A constant force and torque at a site, in its own axes or those of another site."""
        import mujoco

        self.spec.add_actuator(trntype=mujoco.mjtTrn.mjTRN_SITE, target=site, refsite=axes, gear=gear)


ENGINE = MuJoCo()

_JOINTS = {"turn": "mjJNT_HINGE", "slide": "mjJNT_SLIDE", "ball": "mjJNT_BALL", "free": "mjJNT_FREE"}

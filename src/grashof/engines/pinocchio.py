"""Pinocchio: a tree of joints, loops closed by `constraintDynamics` (proximal), RK4 from Python."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.base import Engine, EngineFailed, Result, Setting, Stopwatch, no_motors
from grashof.engines.cuts import cut_at, meeting, parts
from grashof.engines.joint_loads import JointLoads
from grashof.engines.loads import aside
from grashof.engines.motion import Moment, Motion
from grashof.engines.situation import IN_SPACE, MADE_POSITIVE, Freedom, Situation
from grashof.engines.tree import joint_speeds
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND
from grashof.model.fields import perpendicular
from grashof.model.joints import Joint

PULL = (0.05, 0.5, 1.0)
"""ω h of the closed loops, which pull back as critically damped oscillators of frequency ω (Baumgarte, 1972)."""

MU = 1e-6
"""Regularization of the proximal solver, and how often it is refined at most."""
REFINEMENTS = 3


class Pinocchio(Engine):
    """See the module."""

    name = "pinocchio"
    package = "pin"
    notes = (
        "Stepped from Python, which costs about three times what the same steps cost in C++.",
        IN_SPACE,
        "Loops are closed by 3D and 6D constraints with Baumgarte gains ω², 2ω; ω h is in the setting.",
        f"RK4 with a constant step h; proximal solver with μ = {MU:g}, at most {REFINEMENTS} iterations.",
        "Results between steps come from a shorter step, whose time is not counted.",
        MADE_POSITIVE,
    )

    def refuses(self, situation: Situation) -> str | None:
        for joint in situation.closures:
            if isinstance(joint, kinds.Distance):
                return f"Joint '{joint.name}': Pinocchio closes loops with points and frames, not with distances."
        return no_motors(situation, "Pinocchio")

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        return tuple(
            Setting(f"RK4, h = {step:.3g} s, ω h = {pull:g}", {"method": "RK4", "h": step, "omega h": pull})
            for step in situation.constant_steps(t_end)
            for pull in (PULL if situation.closures else PULL[:1])  # without loops there is nothing to hold
        )

    def prepare(self, situation: Situation) -> _Prepared:
        return _Builder(situation).prepared()


@dataclass
class _Held:
    """Where a body is: a joint's frame, and the body's pose in it."""

    joint: int
    placement: Any


class _Builder:
    """Writes a situation as Pinocchio's model."""

    def __init__(self, situation: Situation) -> None:
        import pinocchio as pin

        self.situation = situation
        self.model = pin.Model()
        self.model.gravity.linear = situation.gravity
        self.masses, self.inertias = parts(situation)
        self.held = {GROUND: _Held(0, pin.SE3.Identity())}
        self.at_start = {0: pin.SE3.Identity()}  # joint frames in world axes
        self.chains: dict[str, list[int]] = {}  # the joints of each body's freedoms
        self.constraints = pin.StdVec_RigidConstraintModel()

    def prepared(self) -> _Prepared:
        s = self.situation
        children = defaultdict(list)
        for link in s.tree:
            children[link.parent].append((link.body, link.body, link.freedoms))
        for joint in s.closures:
            if cut := cut_at(joint):
                body, other = cut
                children[other].append((_part(joint), body, s.freedoms(body, joint)))
        # depth first: pinocchio takes the joints of a subtree to be numbered one after the other
        waiting = [(GROUND, child) for child in reversed(children[GROUND])]
        while waiting:
            parent, child = waiting.pop()
            self.hang(parent, *child)
            if child[0] == child[1]:
                waiting += [(child[0], grandchild) for grandchild in reversed(children[child[0]])]
        for joint in s.closures:
            self.close(joint)
        held = [self.held[name] for name in s.bodies]
        layout = {
            body: [(self.model.joints[j].idx_q, self.model.joints[j].idx_v) for j in chain]
            for body, chain in self.chains.items()
        }
        loads = JointLoads(s, layout, self.model.nq, self.model.nv) if s.original.forces else None
        return _Prepared(s, self.model, self.constraints, held, loads)

    def hang(self, parent: str, name: str, body: str, freedoms: tuple[Freedom, ...]) -> None:
        """Hangs a body, or a part of it under another name, on its parent: a joint for each freedom."""
        import pinocchio as pin

        s, k = self.situation, self.situation.index[body]
        joint = self.held[parent].joint
        self.chains[name] = []
        for i, freedom in enumerate(freedoms):
            kind = {
                "turn": pin.JointModelRZ,
                "slide": pin.JointModelPZ,
                "ball": pin.JointModelSpherical,
                "free": pin.JointModelFreeFlyer,
            }[freedom.kind]
            there = pin.SE3(_frame(freedom.axis), freedom.through)
            before = self.at_start[joint]
            joint = self.model.addJoint(joint, kind(), before.inverse() * there, f"{name}/{i}")
            self.at_start[joint] = there
            self.chains[name].append(joint)
        origin, axes = s.pose(body)
        placement = self.at_start[joint].inverse() * pin.SE3(axes, origin)
        self.model.appendBodyToJoint(joint, pin.Inertia(self.masses[k], s.centers[k], self.inertias[k]), placement)
        self.held[name] = _Held(joint, placement)

    def close(self, joint: Joint) -> None:
        """Closes a loop: pins by points that coincide, other joints by a second part of a body, welded to it."""
        import pinocchio as pin

        if cut := cut_at(joint):
            self.constrain(pin.ContactType.CONTACT_6D, (cut[0], _part(joint)), (np.zeros(3), np.zeros(3)))
        else:
            for places in meeting(self.situation, joint):
                self.constrain(pin.ContactType.CONTACT_3D, joint.bodies, places)

    def constrain(self, kind: Any, bodies: tuple[str, str], places: tuple[np.ndarray, np.ndarray]) -> None:
        """Two frames, each at a place of a body, become one, or their origins do."""
        import pinocchio as pin

        ends: list[Any] = []
        for body, place in zip(bodies, places, strict=True):
            held = self.held[body]
            ends += [held.joint, held.placement * pin.SE3(np.eye(3), place)]
        self.constraints.append(pin.RigidConstraintModel(kind, self.model, *ends, pin.ReferenceFrame.LOCAL))


def _part(joint: Joint) -> str:
    """The name of the second part of a body that is cut to close a loop."""
    return f"{joint.name}/part"


def _frame(axis: np.ndarray) -> np.ndarray:
    """A rotation whose z axis is the axis; none if there is no axis."""
    if not axis.any():
        return np.eye(3)
    x = np.array(perpendicular(tuple(axis)))
    return np.column_stack([x, np.cross(axis, x), axis])


@dataclass
class _Prepared:
    situation: Situation
    model: Any
    constraints: Any
    held: list[_Held]
    loads: JointLoads | None

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        import pinocchio as pin

        h, begin = float(setting.values["h"]), self.situation.time
        omega = float(setting.values["omega h"]) / h
        for constraint in self.constraints:
            constraint.setBaumgarteCorrectorParameters(pin.BaumgarteCorrectorParameters(omega**2, 2.0 * omega))
        if self.loads is not None:
            self.loads.reset()
        stepper = _Stepper(self)
        t, q, v = begin, pin.neutral(self.model), self._speeds()
        watch, done, shown = Stopwatch(limit_s), 0, []
        for time in times:
            whole = math.floor((time - begin) / h + 1e-9)
            with watch:
                for step in range(done, whole):
                    q, v = stepper.step(t, q, v, h)
                    t = begin + (step + 1) * h
                    watch.check()
            done = max(done, whole)
            if not np.isfinite(v).all():
                raise EngineFailed(f"The speeds are not finite at t = {t:g} s.")
            rest = time - t
            if rest > 1e-9 * h:
                # between two steps, by a shorter one that leads nowhere
                with aside(self.loads):
                    shown.append(stepper.step(t, q, v, rest))
            else:
                shown.append((q, v))
        data = self.model.createData()
        motion = Motion.gathered(times, (self._moment(data, *state) for state in shown))
        return Result(motion, watch.cpu_s, watch.wall_s, done)

    def _speeds(self) -> np.ndarray:
        """Joint speeds from the bodies' velocities."""
        import pinocchio as pin

        s, data = self.situation, self.model.createData()
        pin.computeJointJacobians(self.model, data, pin.neutral(self.model))
        found = []
        for held, origin in zip(self.held, s.positions, strict=True):
            # of one column, pinocchio makes a vector
            jacobian = pin.getJointJacobian(
                self.model, data, held.joint, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
            ).reshape(6, -1)
            arm = origin - data.oMi[held.joint].translation
            found.append(np.vstack([jacobian[:3] - pin.skew(arm) @ jacobian[3:], jacobian[3:]]))
        return joint_speeds(s, found)

    def _moment(self, data: Any, q: np.ndarray, v: np.ndarray) -> Moment:
        """The bodies in a state."""
        import pinocchio as pin

        pin.forwardKinematics(self.model, data, q, v)
        count = len(self.held)
        positions, rotations = np.empty((count, 3)), np.empty((count, 3, 3))
        velocities, spins = np.empty((count, 3)), np.empty((count, 3))
        for k, held in enumerate(self.held):
            frame, pose = data.oMi[held.joint], data.oMi[held.joint] * held.placement
            twist = frame.act(data.v[held.joint])  # at the world's origin
            positions[k], rotations[k], spins[k] = pose.translation, pose.rotation, twist.angular
            velocities[k] = twist.linear + np.cross(twist.angular, pose.translation)
        return positions, rotations, velocities, spins


class _Stepper:
    """Classical Runge–Kutta steps of order four, on (q, v)."""

    def __init__(self, prepared: _Prepared) -> None:
        import pinocchio as pin

        self.pin, self.prepared, self.model = pin, prepared, prepared.model
        self.data = self.model.createData()
        self.constraint_data = pin.StdVec_RigidConstraintData()
        for constraint in prepared.constraints:
            self.constraint_data.append(constraint.createData())
        self.proximal = pin.ProximalSettings(1e-14, MU, REFINEMENTS)
        pin.initConstraintDynamics(self.model, self.data, prepared.constraints, self.constraint_data)
        self.still = np.zeros(self.model.nv)
        self.flat = self.model.nq == self.model.nv

    def step(self, t: float, q: np.ndarray, v: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
        """The state after h."""
        k1, a1 = v, self.acceleration(t, q, v)
        q2, v2 = self.moved(q, 0.5 * h * k1), v + 0.5 * h * a1
        k2, a2 = self.rate(q, q2, v2), self.acceleration(t + 0.5 * h, q2, v2)
        q3, v3 = self.moved(q, 0.5 * h * k2), v + 0.5 * h * a2
        k3, a3 = self.rate(q, q3, v3), self.acceleration(t + 0.5 * h, q3, v3)
        q4, v4 = self.moved(q, h * k3), v + h * a3
        k4, a4 = self.rate(q, q4, v4), self.acceleration(t + h, q4, v4)
        sixth = h / 6.0
        return self.moved(q, sixth * (k1 + 2.0 * (k2 + k3) + k4)), v + sixth * (a1 + 2.0 * (a2 + a3) + a4)

    def moved(self, q: np.ndarray, by: np.ndarray) -> np.ndarray:
        """q ⊕ u"""
        moved: np.ndarray = q + by if self.flat else self.pin.integrate(self.model, q, by)
        return moved

    def rate(self, q: np.ndarray, there: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The rate of u in q ⊕ u = there: v but for quaternions, where v as it is would leave order two (Munthe-Kaas, 1998)."""
        if self.flat:
            return v
        rate: np.ndarray = self.pin.dDifference(self.model, q, there, self.pin.ArgumentPosition.ARG1) @ v
        return rate

    def acceleration(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        # pinocchio hands out its own array, which the next call overwrites
        acceleration: np.ndarray = self.pin.constraintDynamics(
            self.model,
            self.data,
            q,
            v,
            self.still if self.prepared.loads is None else self.prepared.loads(t, q, v),
            self.prepared.constraints,
            self.constraint_data,
            self.proximal,
        ).copy()
        return acceleration


ENGINE = Pinocchio()

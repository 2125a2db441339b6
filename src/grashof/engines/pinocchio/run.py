"""Runs Pinocchio's model from Python, and reads its results."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch
from grashof.engines.joint_loads import JointLoads
from grashof.engines.loads import aside
from grashof.integrate import EXPLICIT, Explicit
from grashof.situation import Situation
from grashof.situation.motion import Moment, Motion
from grashof.situation.tree import joint_speeds

MU = 1e-6
"""Regularization of the proximal solver, and how often it is refined at most."""
REFINEMENTS = 3


@dataclass
class HeldState:
    """Where a body is: a joint's frame, and the body's pose in it."""

    joint: int
    placement: Any


@dataclass
class PreparedPinocchio:
    situation: Situation
    model: Any
    constraints: Any
    held: list[HeldState]
    loads: JointLoads | None

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        import pinocchio as pin

        h, begin = float(setting.values["h"]), self.situation.time
        for constraint in self.constraints:
            omega = float(setting.values["omega h"]) / h
            constraint.setBaumgarteCorrectorParameters(pin.BaumgarteCorrectorParameters(omega**2, 2.0 * omega))
        if self.loads is not None:
            self.loads.reset()
        stepper = _Stepper(self, EXPLICIT[str(setting.values["method"]).lower()])
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
        if self.loads is not None:
            self.loads.check()
        data = self.model.createData()
        motion = Motion.gather(times, (self._moment(data, *state) for state in shown))
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
    """Explicit Runge–Kutta steps on (q, v), by the articulated-body algorithm or, with loops, by
    `constraintDynamics`."""

    def __init__(self, prepared: PreparedPinocchio, method: Explicit) -> None:
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
        n = self.model.nv
        slopes, self.change = np.empty((method.stages, 2 * n)), np.empty(2 * n)
        self.stages = [
            (c, np.array([row.get(j, 0.0) for j in range(s + 1)]), slopes[: s + 1], slopes[s, :n], slopes[s, n:])
            for s, (c, row) in enumerate(zip(method.c, method.a[1:], strict=False))
        ]
        """Of each stage: its time, the weights by which its slopes and those before lead to the next, all of these,
        its rates and accelerations."""

    def step(self, t: float, q: np.ndarray, v: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
        """The state after h."""
        there, speed, change = q, v, self.change
        moved, quickened = change[: len(v)], change[len(v) :]
        for c, weights, slopes, rates, accelerations in self.stages:
            rates[:] = speed if self.flat else self.rate(q, there, speed)
            accelerations[:] = self.acceleration(t + c * h, there, speed)
            np.dot(weights, slopes, out=change)
            change *= h
            there = q + moved if self.flat else self.pin.integrate(self.model, q, moved)
            speed = v + quickened
        return there, speed

    def rate(self, q: np.ndarray, there: np.ndarray, v: np.ndarray) -> np.ndarray:
        """The rate of u in q ⊕ u = there, with quaternions, where v as it is would leave order two (Munthe-Kaas,
        1998)."""
        rate: np.ndarray = self.pin.dDifference(self.model, q, there, self.pin.ArgumentPosition.ARG1) @ v
        return rate

    def acceleration(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Pinocchio's own array, which the next call overwrites."""
        prepared, model, data = self.prepared, self.model, self.data
        efforts = self.still if prepared.loads is None else prepared.loads(t, q, v)
        if not prepared.situation.closures:
            free: np.ndarray = self.pin.aba(model, data, q, v, efforts)
            return free
        held: np.ndarray = self.pin.constraintDynamics(
            model, data, q, v, efforts, prepared.constraints, self.constraint_data, self.proximal
        )
        return held

"""Runs a MuJoCo model, and reads its results."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch
from grashof.engines.loads import Loads, aside
from grashof.situation import Situation
from grashof.situation.motion import Moment, Motion
from grashof.situation.tree import joint_speeds

_PATIENCE = 1000  # steps between looks at the clock


class PreparedMuJoCo:
    """A compiled model, and the forces that MuJoCo has no element for."""

    def __init__(self, situation: Situation, model: Any, loads: Loads | None) -> None:
        import mujoco

        self.situation, self.model, self.loads = situation, model, loads
        self.data = mujoco.MjData(model)
        self.ids = [model.body(name).id for name in situation.bodies]

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
                        states[done + 1 : end + 1] = self._roll_out(states[done], step, end - done)
                    done = end
                while seen < len(times) and whole[seen] <= done:
                    shown[seen] = states[whole[seen]]
                    if rests[seen] > 1e-9 * step:
                        # between two steps, by a shorter one that leads nowhere
                        with aside(self.loads):
                            shown[seen] = self._roll_out(shown[seen], rests[seen], 1)[0]
                    seen += 1
        if self.loads is not None:
            self.loads.check()
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

    def _roll_out(self, state: np.ndarray, step: float, count: int) -> np.ndarray:
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

    def _speeds(self, data: Any) -> np.ndarray:
        """Joint speeds from the bodies' velocities."""
        import mujoco

        mujoco.mj_forward(self.model, data)
        found = [np.zeros((6, self.model.nv)) for _ in self.ids]
        for jacobian, i in zip(found, self.ids, strict=True):
            mujoco.mj_jacBody(self.model, data, jacobian[:3], jacobian[3:], i)
        return joint_speeds(self.situation, found)

    def _motion(self, times: np.ndarray, states: np.ndarray) -> Motion:
        import mujoco

        model, data = self.model, mujoco.MjData(self.model)

        def moment(state: np.ndarray) -> Moment:
            data.qpos[:], data.qvel[:] = state[: model.nq], state[model.nq :]
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_comVel(model, data)
            return self._moment(data)

        return Motion.gather(times, map(moment, states))

    def _moment(self, data: Any) -> Moment:
        """The bodies as MuJoCo has just calculated them."""
        import mujoco

        velocities = np.empty((len(self.ids), 6))
        for velocity, i in zip(velocities, self.ids, strict=True):
            mujoco.mj_objectVelocity(self.model, data, mujoco.mjtObj.mjOBJ_XBODY, i, velocity, 0)
        return data.xpos[self.ids], data.xmat[self.ids].reshape(-1, 3, 3), velocities[:, 3:], velocities[:, :3]

    def _apply(self, model: Any, data: Any) -> None:
        """The passive-force callback for forces that MuJoCo has no element for."""
        import mujoco

        assert self.loads is not None
        moment = self._moment(data)
        wrenches = self.loads(data.time, *moment)
        for place, wrench, i in zip(moment[0], wrenches, self.ids, strict=True):
            if wrench.any():
                mujoco.mj_applyFT(model, data, wrench[:3], wrench[3:], place, i, data.qfrc_passive)


def compile_document(text: str, situation: Situation) -> Any:
    """MuJoCo's model of a document, with nothing on that the mechanism does not need."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(text)
    off = mujoco.mjtDisableBit
    model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    model.opt.iterations = 1  # equalities alone are a quadratic problem: one Newton step solves it
    model.opt.tolerance = 0.0
    model.opt.disableflags = int(
        off.mjDSBL_CONTACT
        | off.mjDSBL_LIMIT
        | off.mjDSBL_FRICTIONLOSS
        | off.mjDSBL_ISLAND
        | off.mjDSBL_SENSOR
        | off.mjDSBL_WARMSTART
        | off.mjDSBL_CLAMPCTRL
        | off.mjDSBL_REFSAFE
        | off.mjDSBL_AUTORESET
        | (0 if situation.closures or situation.model.couplings else off.mjDSBL_CONSTRAINT)
        | (0 if situation.original.forces else off.mjDSBL_SPRING | off.mjDSBL_DAMPER | off.mjDSBL_ACTUATION)
    )
    return model


def _check(data: Any) -> None:
    """MuJoCo continues after a warning, but its results are then meaningless."""
    import mujoco

    if data.warning.number.any():
        kind = int(np.argmax(data.warning.number > 0))
        text = mujoco.mju_warningText(kind, int(data.warning[kind].lastinfo))
        raise EngineFailed(f"{text} Time = {data.time:g} s.")

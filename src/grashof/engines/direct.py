"""Engines that read a file of their own format themselves: what a reader of Grashof leaves out or misunderstands is
seen by comparing with them, and not by handing them the mechanism that was read.

Each is a function of the path, the names of bodies and the output times. What the engine runs is the file, but without
its muscles and contacts, which Grashof does not simulate either, and MJCF without dry friction, of which MuJoCo has
another law at rest; everything else that is left out counts as a
difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from grashof.engines import ENGINES
from grashof.engines.base import EngineFailed
from grashof.exchange import xml

STABLE, SHORTEST = 1.0, 5e-6
"""The classical Runge–Kutta method damps e⁻ʳᵗ in steps of up to 2.8/r; and the shortest step for Pinocchio, s."""
ARM = 0.1
"""How far from the origin of a body, along its axes x and y, the marks are that show its orientation, m."""
MARKS: dict[str, tuple[float, float, float]] = {"o": (0.0, 0.0, 0.0), "x": (ARM, 0.0, 0.0), "y": (0.0, ARM, 0.0)}
"""The points of every body whose motion is compared, in its own axes, m."""


@dataclass(frozen=True)
class MarkedMotion:
    """The marks of B bodies at T times, in world axes: places (T, B, 3, 3) in m, one row for each mark, and their
    accelerations at the start, (B, 3, 3), in m/s²."""

    bodies: tuple[str, ...]
    places: np.ndarray
    accelerations: np.ndarray


Direct = Callable[[Path, Sequence[str], np.ndarray, tuple[float, ...]], MarkedMotion]
"""Runs a file; the last argument is the gravity that Grashof used, for formats whose files do not give it."""


def run_directly(name: str, path: Path, bodies: Sequence[str], times: np.ndarray, gravity: Sequence[float]) -> Any:
    """The motion of those of the bodies that an engine finds in a file; raises NotInstalled or EngineFailed."""
    ENGINES[name].version()
    try:
        found = DIRECT[name](path, bodies, times, tuple(gravity))
    except RuntimeError as problem:
        raise EngineFailed(" ".join(str(problem).split())) from problem
    if not found.bodies:
        raise EngineFailed("It has no bodies of these names.")
    if not (np.isfinite(found.places).all() and np.isfinite(found.accelerations).all()):
        raise EngineFailed("Its motion is not finite.")
    return found


def count_freedoms(name: str, path: Path) -> int:
    """How many freedoms an engine counts in a file that it reads; raises NotInstalled or EngineFailed."""
    ENGINES[name].version()
    try:
        return COUNTS[name](path)
    except (RuntimeError, ValueError) as problem:
        raise EngineFailed(" ".join(str(problem).split())) from problem


_CONTACTS = ("HuntCrossleyForce", "ElasticFoundationForce", "SmoothSphereHalfSpaceForce")


def _run_opensim(path: Path, bodies: Sequence[str], times: np.ndarray, gravity: tuple[float, ...]) -> MarkedMotion:
    """Runge–Kutta–Merson with an accuracy of 1e-9."""
    import opensim

    opensim.Logger.setLevelString("Off")
    model = opensim.Model(str(path))
    forces = model.updForceSet()
    for k in reversed(range(forces.getSize())):
        force = forces.get(k)
        if opensim.Muscle.safeDownCast(force) is not None or force.getConcreteClassName() in _CONTACTS:
            forces.remove(k)
    model.updProbeSet().clearAndDestroy()
    model.finalizeConnections()
    state = model.initSystem()
    known = model.getBodySet()
    names = [name for name in bodies if known.getIndex(name) >= 0]
    parts = [known.get(name) for name in names]
    stations = [opensim.Vec3(*place) for place in MARKS.values()]
    model.realizeAcceleration(state)
    pushed = [[_numbers(part.findStationAccelerationInGround(state, x)) for x in stations] for part in parts]
    manager = opensim.Manager(model)
    manager.setPerformAnalyses(False)
    manager.setWriteToStorage(False)
    manager.setIntegratorMethod(opensim.Manager.IntegratorMethod_RungeKuttaMerson)
    manager.setIntegratorAccuracy(1e-9)
    manager.initialize(state)
    places = np.empty((len(times), len(parts), 3, 3))
    for k, time in enumerate(times):
        now = manager.integrate(float(time)) if k else state
        model.realizePosition(now)
        places[k] = [[_numbers(part.findStationLocationInGround(now, x)) for x in stations] for part in parts]
    return MarkedMotion(tuple(names), places, np.array(pushed).reshape(-1, 3, 3))


def _numbers(vector: Any) -> list[float]:
    return [float(vector.get(k)) for k in range(3)]


def _run_mujoco(path: Path, bodies: Sequence[str], times: np.ndarray, gravity: tuple[float, ...]) -> MarkedMotion:
    """Runge–Kutta of order 4 with steps of 0.1 ms, from the first keyframe if there is one. Equality constraints, which
    MuJoCo softens and Grashof does not, are as stiff as these steps allow."""
    import mujoco

    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as problem:
        raise EngineFailed(" ".join(str(problem).split())) from problem
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    model.dof_frictionloss[:] = 0.0
    model.tendon_frictionloss[:] = 0.0
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, 1e-4
    if model.neq:
        model.eq_solref[:], model.eq_solimp[:] = (-((0.35 / 1e-4) ** 2), -0.7 / 1e-4), (0.9999, 0.9999, 1e-3, 0.5, 2.0)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    ids = {name: mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) for name in bodies}
    ids = {name: k for name, k in ids.items() if k > 0}
    offsets = np.array(list(MARKS.values()))

    def marked() -> np.ndarray:
        found = [data.xpos[k] + offsets @ data.xmat[k].reshape(3, 3).T for k in ids.values()]
        return np.array(found).reshape(-1, 3, 3)

    pushed = np.zeros((len(ids), 3, 3))
    slope, change = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    for k, (body, row) in enumerate(zip(ids.values(), marked(), strict=True)):
        for j, place in enumerate(row):
            mujoco.mj_jac(model, data, slope, None, place, body)
            mujoco.mj_jacDot(model, data, change, None, place, body)
            pushed[k, j] = slope @ data.qacc + change @ data.qvel
    places = np.empty((len(times), len(ids), 3, 3))
    for k, time in enumerate(times):
        while data.time < time - 0.5 * model.opt.timestep:
            mujoco.mj_step(model, data)
        mujoco.mj_kinematics(model, data)
        places[k] = marked()
    return MarkedMotion(tuple(ids), places, pushed)


def _run_pinocchio(path: Path, bodies: Sequence[str], times: np.ndarray, gravity: tuple[float, ...]) -> MarkedMotion:
    """Runge–Kutta of order 4 with steps of 1 ms or, where strong damping makes that unstable, shorter ones; with the
    damping of the file and without friction. Mimic joints
    follow the others: v = G u, and (Gᵀ M G) u̇ = Gᵀ (τ − n) with M and n from Pinocchio."""
    import pinocchio as pin

    if path.with_suffix(".loops.toml").exists():
        raise EngineFailed("A second file adds loops, which Pinocchio does not read.")
    try:
        model = pin.buildModelFromUrdf(str(path))
    except ValueError as problem:
        raise EngineFailed(" ".join(str(problem).split())) from problem
    model.gravity.linear = np.array(gravity)
    data = model.createData()
    gear, offset = _mimicked(path, model)
    q, u = pin.integrate(model, pin.neutral(model), offset), np.zeros(gear.shape[1])
    damping = np.array(model.damping)
    frames = {name: model.getFrameId(name, pin.FrameType.BODY) for name in bodies if model.existBodyName(name)}
    offsets = np.array(list(MARKS.values()))

    def marked() -> np.ndarray:
        pin.framesForwardKinematics(model, data, q)
        return np.array([data.oMf[k].translation + offsets @ data.oMf[k].rotation.T for k in frames.values()])

    def pushed(u: np.ndarray, q: np.ndarray) -> np.ndarray:
        v = gear @ u
        if len(u) == len(v):
            return np.array(pin.aba(model, data, q, v, -damping * v))
        mass = np.array(pin.crba(model, data, q))
        mass = np.triu(mass) + np.triu(mass, 1).T
        effort = -damping * v - np.array(pin.nonLinearEffects(model, data, q, v))
        return np.linalg.solve(gear.T @ mass @ gear, gear.T @ effort)

    upper = np.triu(np.array(pin.crba(model, data, q)))
    mass = gear.T @ (upper + np.triu(upper, 1).T) @ gear
    if not np.linalg.cond(mass) < 1.0 / np.finfo(float).eps:
        raise EngineFailed("Its mass matrix is singular: some of its links have no mass.")
    decay = np.abs(np.linalg.eigvals(np.linalg.solve(mass, gear.T @ (damping[:, None] * gear)))).max(initial=0.0)
    longest = min(1e-3, STABLE / max(float(decay), 1e-3))
    if longest < SHORTEST:
        raise EngineFailed(f"Its damping is too strong for the explicit method: time constants of {1.0 / decay:.0e} s.")
    pin.forwardKinematics(model, data, q, gear @ u, gear @ pushed(u, q))
    turned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    start = []
    for k in frames.values():  # at rest, so that only the angular acceleration tells the marks apart
        moved = pin.getFrameAcceleration(model, data, k, turned)
        pin.updateFramePlacement(model, data, k)
        start.append([moved.linear + np.cross(moved.angular, data.oMf[k].rotation @ x) for x in offsets])
    places = np.empty((len(times), len(frames), 3, 3))
    places[0] = marked()
    for k in range(1, len(times)):
        span = times[k] - times[k - 1]
        count = int(np.ceil(span / longest))
        h = span / count
        for _ in range(count):
            # in the tangent space at q, where coordinates are displacements
            rates = [u]
            pushes = [pushed(u, q)]
            for part in (0.5 * h, 0.5 * h, h):
                rates.append(u + part * pushes[-1])
                pushes.append(pushed(rates[-1], pin.integrate(model, q, part * gear @ rates[-2])))
            q = pin.integrate(model, q, gear @ (h / 6.0 * (rates[0] + 2.0 * rates[1] + 2.0 * rates[2] + rates[3])))
            u = u + h / 6.0 * (pushes[0] + 2.0 * pushes[1] + 2.0 * pushes[2] + pushes[3])
        places[k] = marked()
    return MarkedMotion(tuple(frames), places, np.array(start).reshape(-1, 3, 3))


def _mimicked(path: Path, model: Any) -> tuple[np.ndarray, np.ndarray]:
    """The matrix G that gives the velocities of all joints from those that mimic no other, and the displacements of
    joints where the others are zero. Pinocchio's parser disregards `mimic` unless it is asked for, and its algorithms
    do not know it."""
    own, known = xml.read(path), {name: model.joints[model.getJointId(name)] for name in model.names[1:]}
    ties = {}
    for joint in own.all("joint"):
        mimic = joint.first("mimic")
        if mimic is not None and joint.name in known and mimic.attributes.get("joint", "") in known:
            ties[joint.name] = (
                mimic.attributes["joint"],
                float(mimic.attributes.get("multiplier") or 1.0),
                float(mimic.attributes.get("offset") or 0.0),
            )
    free = [k for name, joint in known.items() if name not in ties for k in range(joint.idx_v, joint.idx_v + joint.nv)]
    gear, offset = np.eye(model.nv)[:, free], np.zeros(model.nv)
    for name in ties:
        factor, constant, other, steps = 1.0, 0.0, name, 0
        while other in ties and steps <= len(ties):
            other, by, more = ties[other]
            factor, constant, steps = factor * by, constant + factor * more, steps + 1
        if other in ties or known[name].nv != 1 or known[other].nv != 1:
            raise EngineFailed(f"Joint '{name}' mimics itself, or a joint with several coordinates.")
        row = known[name].idx_v
        gear[row] = factor * np.eye(model.nv)[known[other].idx_v, free]
        offset[row] = constant
    return gear, offset


def _count_opensim(path: Path) -> int:
    """Coordinates, also those that are locked or coupled."""
    import opensim

    opensim.Logger.setLevelString("Off")
    model = opensim.Model(str(path))
    model.initSystem()
    return int(model.getNumCoordinates())


def _count_mujoco(path: Path) -> int:
    import mujoco

    return int(mujoco.MjModel.from_xml_path(str(path)).nv)


def _count_pinocchio(path: Path) -> int:
    import pinocchio as pin

    return int(pin.buildModelFromUrdf(str(path)).nv)


COUNTS: dict[str, Callable[[Path], int]] = {
    "opensim": _count_opensim,
    "mujoco": _count_mujoco,
    "pinocchio": _count_pinocchio,
}
DIRECT: dict[str, Direct] = {"opensim": _run_opensim, "mujoco": _run_mujoco, "pinocchio": _run_pinocchio}
"""By the name of the engine."""
FORMATS = {"OpenSim": "opensim", "MJCF": "mujoco", "URDF": "pinocchio"}
"""The engine that reads each format."""

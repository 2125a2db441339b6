"""A mechanism as MuJoCo's specification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grashof.model import joints as kinds
from grashof.model.bodies import GROUND
from grashof.model.couplings import Coupling
from grashof.model.couplings.sum import Sum
from grashof.model.fields import body_of
from grashof.model.forces import Force, PointForce, SpringDamper, Torque
from grashof.model.joints import Joint
from grashof.model.measures import Angle
from grashof.model.rotations import quaternion
from grashof.situation import Freedom, Situation
from grashof.situation.cuts import cut_at, meeting, parts
from grashof.situation.tree import coordinate_of


def tied(situation: Situation, coupling: Coupling) -> list[tuple[str, int, float]] | None:
    """A coupling as a sum of joint coordinates, each by its body, its place among that body's freedoms and its factor; None if it is none."""
    if not isinstance(coupling, Sum) or coupling.timed:
        return None
    found = []
    for name, factor in coupling.factors().items():
        coordinate = coordinate_of(situation, situation.model.quantities[name])
        if coordinate is None:
            return None
        found.append((situation.tree[coordinate.link].body, coordinate.freedom, factor * coordinate.sign))
    return found


def _joint_name(body: str, freedom: int) -> str:
    return f"{body}, freedom {freedom}"


_JOINTS = {"turn": "mjJNT_HINGE", "slide": "mjJNT_SLIDE", "ball": "mjJNT_BALL", "free": "mjJNT_FREE"}


class MujocoModel:
    """Writes a situation as MuJoCo's specification, but for its forces."""

    def __init__(self, situation: Situation) -> None:
        import mujoco

        self.situation = situation
        self.spec = mujoco.MjSpec()
        self.bodies = {GROUND: self.spec.worldbody}
        self.masses, self.inertias = parts(situation)
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
            | (0 if situation.closures or situation.model.couplings else off.mjDSBL_CONSTRAINT)
            | (0 if situation.original.forces else off.mjDSBL_SPRING | off.mjDSBL_DAMPER | off.mjDSBL_ACTUATION)
        )
        for link in situation.tree:
            self.hang(link.body, link.body, link.parent, link.freedoms)
        for joint in situation.closures:
            self.close(joint)
        for coupling in situation.model.couplings:
            self.tie(coupling)

    def hang(self, name: str, body: str, parent: str, freedoms: tuple[Freedom, ...]) -> None:
        """Hangs a body, or a part of it under another name, on its parent."""
        import mujoco

        s, k = self.situation, self.situation.index[body]
        (base, frame), (origin, axes) = s.pose(parent), s.pose(body)
        inertia = self.inertias[k]
        made = self.bodies[parent].add_body(
            name=name,
            pos=frame.T @ (origin - base),
            quat=quaternion(frame.T @ axes),
            mass=self.masses[k],
            ipos=s.centers[k],
            fullinertia=[inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))],
            explicitinertial=True,
        )
        for i, freedom in enumerate(freedoms):
            made.add_joint(
                name=_joint_name(name, i),
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
        elif cut := cut_at(joint):
            body, other = cut
            part = f"{body}, at {joint.name}"
            self.hang(part, body, other, s.freedoms(body, joint))
            self.equality(kind.mjEQ_WELD, mujoco.mjtObj.mjOBJ_BODY, body, part, (0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0))
        else:
            for places in meeting(s, joint):
                a, b = map(self.mark, joint.bodies, places)
                self.equality(kind.mjEQ_CONNECT, mujoco.mjtObj.mjOBJ_SITE, a, b)

    def tie(self, coupling: Coupling) -> None:
        """Keeps a sum of joint coordinates, a fixed tendon, at its length."""
        import mujoco

        tendon = self.spec.add_tendon(name=f"tendon {len(self.spec.tendons)}")
        for body, freedom, factor in tied(self.situation, coupling) or ():
            tendon.wrap_joint(_joint_name(body, freedom), factor)
        self.equality(mujoco.mjtEq.mjEQ_TENDON, mujoco.mjtObj.mjOBJ_TENDON, tendon.name, "")

    def add_force(self, force: Force) -> bool:
        """Adds a force as an element of MuJoCo's own, if there is one that is the same."""
        s = self.situation
        if force.varies:
            return False
        match force:
            case SpringDamper():
                k, length, c = map(force.number, force.laws())
                spring = self.tendon(force.a, force.b)
                spring.stiffness, spring.damping = [k, 0.0, 0.0], [c, 0.0, 0.0]
                spring.springlength = [length, length]
            case PointForce():
                world = self.mark(GROUND, np.zeros(3)) if force.axes == "world" else ""
                components = [*map(force.number, force.force)]
                self.actuator(self.site(force.point), [*components, *(0.0,) * (6 - len(components))], world)
            case Torque():
                angle = s.model.all_measures[force.angle]
                assert isinstance(angle, Angle)
                if not s.coaxial(angle):
                    return False
                axis = force.number(force.torque) * s.heading(angle.reference, angle.axis)
                for body, sign in ((angle.body, 1.0), (angle.reference, -1.0)):
                    if body != GROUND:
                        own = s.pose(body)[1].T @ axis
                        self.actuator(self.mark(body, np.zeros(3)), [0.0, 0.0, 0.0, *(sign * own)])
            case _:
                return False
        return True

    def site(self, reference: str) -> str:
        """A site at a point."""
        return self.mark(body_of(reference), np.array(self.situation.model.points[reference]))

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

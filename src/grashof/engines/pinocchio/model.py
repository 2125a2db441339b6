"""A mechanism as Pinocchio's model."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from grashof.engines.joint_loads import JointLoads
from grashof.engines.pinocchio.run import HeldState, PreparedPinocchio
from grashof.model.bodies import GROUND
from grashof.model.fields import perpendicular
from grashof.model.joints import Joint
from grashof.situation import Freedom, Situation
from grashof.situation.cuts import cut_at, meeting, parts


class PinocchioModel:
    """Writes a situation as Pinocchio's model."""

    def __init__(self, situation: Situation) -> None:
        import pinocchio as pin

        self.situation = situation
        self.model = pin.Model()
        self.model.gravity.linear = situation.gravity
        self.masses, self.inertias = parts(situation)
        self.held = {GROUND: HeldState(0, pin.SE3.Identity())}
        self.at_start = {0: pin.SE3.Identity()}  # joint frames in world axes
        self.chains: dict[str, list[int]] = {}  # the joints of each body's freedoms
        self.constraints = pin.StdVec_RigidConstraintModel()

    def prepare(self) -> PreparedPinocchio:
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
        return PreparedPinocchio(s, self.model, self.constraints, held, loads)

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
        self.held[name] = HeldState(joint, placement)

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

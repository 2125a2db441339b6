"""A mechanism as an Exudyn system: the code that planar and spatial models share, and all forces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from grashof.engines.loads import CompiledLoads, Loads
from grashof.model.bodies import GROUND
from grashof.model.couplings import Motor
from grashof.model.fields import body_of
from grashof.model.forces import Force
from grashof.model.forces.base import ForceElement
from grashof.model.joints import Joint
from grashof.model.measures import angles_between
from grashof.situation import Situation
from grashof.situation.motion import Motion


@dataclass
class Translated(ABC):
    """A situation as an Exudyn system."""

    planar: ClassVar[bool]
    explicit: ClassVar[bool] = False
    """Whether there are no constraints, so that explicit methods can be used."""

    situation: Situation
    container: Any
    objects: dict[str, Any] = field(default_factory=dict)
    nodes: dict[str, Any] = field(default_factory=dict)
    computed: list[CompiledLoads] = field(default_factory=list)

    def build(self) -> None:
        """Adds all parts to the system and assembles it."""
        import exudyn
        import exudyn.itemInterface as items

        self.exudyn, self.items = exudyn, items
        self.system = self.container.AddSystem()
        self.objects[GROUND] = self.system.AddObject(items.ObjectGround())
        self.add_bodies()
        self.add_joints()
        for force in self.situation.model.forces:
            self.add_force(force)
        self.recorder: Callable[[float], None] = lambda t: None
        self.system.AddSensor(
            items.SensorUserFunction(sensorNumbers=[], factors=[], storeInternal=True, sensorUserFunction=self._record)
        )
        self.system.Assemble()
        freedom = self.system.ComputeSystemDegreeOfFreedom(verbose=False)
        self.redundant = freedom["redundantConstraints"] > 0

    @property
    def one_iteration(self) -> bool:
        """Whether one Newton iteration per step is enough: not with Euler parameters, nor with forces whose
        derivatives are unknown."""
        return self.planar and not self.computed

    def _record(self, system: Any, t: float, sensors: Any, factors: Any, configuration: Any) -> list[float]:
        self.recorder(t)
        return [0.0]

    # -- what planar bodies, spatial ones and trees do differently

    @abstractmethod
    def flat(self, vector: np.ndarray) -> np.ndarray:
        """A vector of the mechanism's world frame, in Exudyn's world frame."""

    @abstractmethod
    def local(self, body: str, direction: np.ndarray) -> np.ndarray:
        """A direction at the start, given in world axes, in the axes of Exudyn's body."""

    @abstractmethod
    def add_bodies(self) -> None:
        """Adds all bodies and their weights."""

    @abstractmethod
    def add_joints(self) -> None:
        """Adds all joints and motors as the corresponding elements of Exudyn."""

    @abstractmethod
    def motion(self, times: np.ndarray, q: np.ndarray, v: np.ndarray) -> Motion:
        """The motion of the bodies from Exudyn's coordinates and their rates, (T, n) each."""

    # -- what they share

    def center(self, body: str) -> np.ndarray:
        """The origin of Exudyn's body at the start, which is the centre of mass."""
        if body == GROUND:
            return np.zeros(3)
        origin, axes = self.situation.pose(body)
        center: np.ndarray = origin + axes @ self.situation.centers[self.situation.index[body]]
        return center

    def offset(self, reference: str) -> np.ndarray:
        """A point in the axes of Exudyn's body."""
        body = body_of(reference)
        return self.local(body, self.situation.place(reference) - self.center(body))

    def point_marker(self, reference: str) -> Any:
        body = self.objects[body_of(reference)]
        return self.system.AddMarker(
            self.items.MarkerBodyPosition(bodyNumber=body, localPosition=self.offset(reference))
        )

    def frame_marker(self, body: str, offset: np.ndarray, axes: np.ndarray) -> Any:
        """A marker whose axes are the columns of `axes`, in the axes of Exudyn's body."""
        place = np.eye(4)
        place[:3, :3], place[:3, 3] = axes, offset
        return self.system.AddMarker(self.items.MarkerBodyRigid(bodyNumber=self.objects[body], localHT=place))

    def add_force(self, force: Force) -> None:
        """Adds a force as the element that Exudyn has for it, or as functions that Exudyn calls."""
        element = None if force.varies else force.element()
        elements: dict[str, Callable[[Force, ForceElement], bool]] = {
            "spring": self._add_spring,
            "load": self._add_load,
            "drive": self._add_torque,
            "coil": self._add_torsion_spring,
        }
        if element is None or element.kind not in elements or not elements[element.kind](force, element):
            self._add_computed(force)

    def _add_spring(self, force: Force, element: ForceElement) -> bool:
        k, length, c = map(force.number, force.laws())
        markers = [self.point_marker(point) for point in element.points]
        self.system.AddObject(
            self.items.ObjectConnectorSpringDamper(
                markerNumbers=markers, referenceLength=length, stiffness=k, damping=c
            )
        )
        return True

    def _add_load(self, force: Force, element: ForceElement) -> bool:
        (point,) = element.points
        body, components = body_of(point), tuple(map(force.number, force.laws()))
        heading = self.situation.heading(body, components)
        vector = self.local(body, heading) if element.follows else self.flat(np.array(components))
        marker = self.frame_marker(body, self.offset(point), np.eye(3))
        load = self.items.LoadForceVector(markerNumber=marker, loadVector=vector, bodyFixed=element.follows)
        self.system.AddLoad(load)
        return True

    def _add_torque(self, force: Force, element: ForceElement) -> bool:
        angle = self.situation.model.quantities[element.measure]
        if angle.motion is None or not self.situation.coaxial(angle):
            return False
        axis, size = self.situation.axis_of(angle.motion, *angle.bodies), force.number(force.laws()[0])
        for body, torque in zip(angle.bodies[::-1], (size, -size), strict=True):
            if body != GROUND:
                marker = self.frame_marker(body, np.zeros(3), np.eye(3))
                vector = torque * self.local(body, axis)
                self.system.AddLoad(self.items.LoadTorqueVector(markerNumber=marker, loadVector=vector, bodyFixed=True))
        return True

    def _add_torsion_spring(self, force: Force, element: ForceElement) -> bool:
        measures = self.situation.model.all_measures
        measure = measures[element.measure]
        if not self.situation.coaxial(measure):
            return False
        reference, body = measure.bodies
        angle = next(x for x in angles_between(measures.values(), body, reference) if x.name == element.measure)
        start = self.situation.assembly.angles[element.measure]
        turns = self.system.AddNode(
            self.items.NodeGenericData(initialCoordinates=[start], numberOfDataCoordinates=1)  # keeps whole turns
        )
        axis, zero = (self.situation.heading(angle.reference, x) for x in (angle.axis, angle.zero))
        direction = self.situation.heading(angle.body, angle.direction)
        markers = []
        for body, x in ((angle.reference, zero), (angle.body, direction)):
            columns = [self.local(body, column) for column in (x, np.cross(axis, x), axis)]
            markers.append(self.frame_marker(body, np.zeros(3), np.array(columns).T))
        k, rest, c = map(force.number, force.laws())
        self.system.AddObject(
            self.items.ObjectConnectorTorsionalSpringDamper(
                markerNumbers=markers, nodeNumber=turns, stiffness=k, damping=c, offset=rest
            )
        )
        return True

    def _add_computed(self, force: Force) -> None:
        """Adds a force for which Exudyn has no element, as functions that Exudyn calls: a force and a torque on each
        body."""
        loads = Loads(self.situation, tuple(own for own in self.situation.original.forces if own.name == force.name))
        self.computed.append(loads)
        data, known = self.system.systemData, dict[bytes, np.ndarray]()

        def law(k: int, part: slice) -> Callable[..., np.ndarray]:
            def effort(system: Any, t: float, load: Any) -> np.ndarray:
                state = np.array([[t, *data.GetODE2Coordinates(), *data.GetODE2Coordinates_t()]])
                key = state.tobytes()
                if key not in known:  # asked for every body's force and torque in turn
                    n = (state.shape[1] - 1) // 2
                    now = self.motion(state[:, 0], state[:, 1 : 1 + n], state[:, 1 + n :])
                    wrenches = loads(t, now.positions[0], now.rotations[0], now.velocities[0], now.spins[0])
                    known.clear()
                    known[key] = wrenches.copy()
                return self.flat(known[key][k, part])

            return effort

        for k, name in enumerate(self.situation.bodies):
            if name not in self._bodies_under(force):
                continue
            origin = self.local(name, self.situation.positions[k] - self.center(name))
            marker, items = self.frame_marker(name, origin, np.eye(3)), self.items
            self.system.AddLoad(items.LoadForceVector(markerNumber=marker, loadVectorUserFunction=law(k, slice(0, 3))))
            self.system.AddLoad(items.LoadTorqueVector(markerNumber=marker, loadVectorUserFunction=law(k, slice(3, 6))))

    def _bodies_under(self, force: Force) -> set[str]:
        """The bodies on which a force acts."""
        touched = set()
        for target in force.targets():
            measure = self.situation.model.quantities.get(target)
            touched |= {body_of(target)} if measure is None else set(measure.bodies)
        return touched


class Separate(Translated):
    """Every body has its own coordinates, and joints are constraints."""

    def add_bodies(self) -> None:
        gravity = self.flat(self.situation.gravity)
        for k, name in enumerate(self.situation.bodies):
            self.nodes[name], self.objects[name] = self.add_body(k)
            if np.any(gravity):
                marker = self.system.AddMarker(self.items.MarkerBodyMass(bodyNumber=self.objects[name]))
                self.system.AddLoad(self.items.LoadMassProportional(markerNumber=marker, loadVector=gravity))

    def add_joints(self) -> None:
        for joint in self.situation.model.joints:
            self.add_joint(joint)
        for motor in self.situation.model.motors:
            self.add_motor(motor)

    @abstractmethod
    def add_body(self, k: int) -> tuple[Any, Any]:
        """Adds the node and the body."""

    @abstractmethod
    def add_joint(self, joint: Joint) -> None:
        """Adds a joint as the corresponding element of Exudyn."""

    @abstractmethod
    def add_motor(self, motor: Motor) -> None:
        """Adds a motor: an angle that is a given function of time."""

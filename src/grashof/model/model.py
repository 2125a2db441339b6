"""The complete description of a mechanism, as immutable data."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from grashof.model.bodies import GROUND, Body
from grashof.model.couplings import Coupling, CouplingBase, Motor
from grashof.model.displaying import Displayed
from grashof.model.events import Event
from grashof.model.fields import Vector, body_of
from grashof.model.forces import Force, ForceBase, Grip, Rub
from grashof.model.forces.switched import Switched
from grashof.model.joints import Joint
from grashof.model.measures import Angle, Coordinate, Measure, MeasureBase
from grashof.model.parameter import Parameter
from grashof.model.start import Start
from grashof.model.tables import Table
from grashof.model.units import Acceleration, Place
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism


class Model(msgspec.Struct, Displayed, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A mechanism: bodies, joints, forces, motors, couplings, measures, events, initial conditions, tables for laws.

    All numbers are in SI units. `ground` holds the named points of the ground. `parameters` are named numbers for use
    in expressions. If a number is given by an expression, `defined` holds the expression under the path of the number
    (see `parameters`), and the field itself holds its value.

    `source` holds what a file of another program says in a form of its own, such as the angles of a frame. Only the
    writers of such files use it, to write the same numbers again.
    """

    name: str
    dimension: Literal[2, 3] = 2
    gravity: tuple[Acceleration, ...] = ()
    ground: dict[str, Place] = {}
    bodies: tuple[Body, ...] = ()
    joints: tuple[Joint, ...] = ()
    forces: tuple[Force, ...] = ()
    motors: tuple[Motor, ...] = ()
    measures: tuple[Measure, ...] = ()
    start: Start = Start()
    events: tuple[Event, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    tables: tuple[Table, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    defined: dict[str, str] = {}
    source: dict[str, dict[str, str]] = {}

    def __post_init__(self) -> None:
        """Binds the parts that have laws to the tables and parameters that these may refer to."""
        if self.tables or self.parameters:
            for field in ("forces", "motors", "couplings", "events"):
                parts = (part.bound(self.tables_by_name, self.parameter_values) for part in getattr(self, field))
                msgspec.structs.force_setattr(self, field, tuple(parts))

    @cached_property
    def body_names(self) -> tuple[str, ...]:
        """The names of all bodies, beginning with the ground."""
        return (GROUND, *(body.name for body in self.bodies))

    @cached_property
    def points(self) -> dict[str, Vector]:
        """All points by their names `body.point`, in the axes of their bodies."""
        found = {f"{GROUND}.{name}": place for name, place in self.ground.items()}
        for body in self.bodies:
            places = body.ends(self.dimension) | body.points
            found |= {f"{body.name}.{name}": place for name, place in places.items()}
        return found

    @cached_property
    def integrals(self) -> dict[str, Measure]:
        """The quantities that forces integrate along the motion, by name, each with its measure."""
        found = {name: measure for force in self.all_forces for name, measure in force.integrals().items()}
        return {name: self.quantities[measure] for name, measure in found.items() if measure in self.quantities}

    @cached_property
    def held(self) -> dict[str, str]:
        """The quantities that forces hold from one sample to the next, each with its unit."""
        found: dict[str, str] = {}
        for force in self.all_forces:
            found |= force.held(self.quantities)
        return found

    @cached_property
    def force_states(self) -> tuple[str, ...]:
        """The integrals of forces, and what forces hold from one sample to the next."""
        return (*self.integrals, *self.held)

    @cached_property
    def sampled(self) -> tuple[ForceBase, ...]:
        """The forces that are determined at samples; those that can be switched are multiplied by their switch."""
        return tuple(force for force in self.acting if force.period is not None)

    @cached_property
    def tables_by_name(self) -> dict[str, Table]:
        """The tables that laws may call, by name."""
        return {table.name: table for table in self.tables}

    @cached_property
    def parameter_values(self) -> dict[str, Scalar]:
        """The values of the parameters, by name, for use in laws."""
        return {parameter.name: parameter.value for parameter in self.parameters}

    @cached_property
    def all_measures(self) -> dict[str, Measure]:
        """All measures by name: those declared, those of joints and forces and, in the plane, `body.angle` of every
        body."""
        implied = (
            {f"{b.name}.angle": Angle(f"{b.name}.angle", b.name) for b in self.bodies} if self.dimension == 2 else {}
        )
        owned = [measure for joint in self.joints for measure in joint.measures()]
        owned += [measure for force in self.forces for measure in force.measures(self.joints_by_name)]
        return implied | {measure.name: measure for measure in (*self.measures, *owned)}

    def target(self, target: str | MeasureBase) -> MeasureBase | None:
        """The measure that a load acts along; None if it acts at a point."""
        return self.quantities.get(target) if isinstance(target, str) else target

    @cached_property
    def all_forces(self) -> tuple[Force, ...]:
        """All forces, including those that joints add."""
        return (*self.forces, *(force for joint in self.joints for force in joint.forces()))

    @cached_property
    def joints_by_name(self) -> dict[str, Joint]:
        """The joints by name."""
        return {joint.name: joint for joint in self.joints}

    @cached_property
    def quantities(self) -> dict[str, Measure]:
        """All measures, and the coordinates `body.point.x` of all points that can move."""
        directions = {
            axis: tuple(1.0 if i == k else 0.0 for i in range(self.dimension))
            for k, axis in enumerate("xyz"[: self.dimension])
        }
        coordinates = {
            f"{point}.{axis}": Coordinate(f"{point}.{axis}", point, direction)
            for point in self.points
            if body_of(point) != GROUND
            for axis, direction in directions.items()
        }
        return coordinates | self.all_measures

    @cached_property
    def switchable(self) -> tuple[str, ...]:
        """The forces that events switch on and off, or that are inactive at the start."""
        switched = {event.switches[0] for event in self.all_events if event.switches}
        return tuple(force.name for force in self.all_forces if force.name in switched or not force.active)

    @cached_property
    def acting(self) -> tuple[ForceBase, ...]:
        """All forces; those that can be switched are multiplied by their switch."""
        switchable = set(self.switchable)
        return tuple(Switched(name=x.name, force=x) if x.name in switchable else x for x in self.all_forces)

    @cached_property
    def inertances(self) -> tuple[tuple[str, Scalar], ...]:
        """The measures whose accelerations inerters resist, each with its inertance."""
        return tuple(pair for force in self.all_forces for pair in force.resists)

    @cached_property
    def bouncing(self) -> tuple[str, ...]:
        """The events at which velocities jump and energy is lost."""
        return tuple(event.name for event in self.all_events if event.bounces is not None)

    @cached_property
    def rubs(self) -> tuple[Rub, ...]:
        """The friction of what bounces."""
        return tuple(rub for force in self.all_forces for rub in force.rubs())

    @cached_property
    def gripping(self) -> tuple[ForceBase, ...]:
        """The forces with dry friction by which a joint can stick exactly."""
        return tuple(force for force in self.all_forces if force.grips())

    @cached_property
    def grips(self) -> tuple[Grip, ...]:
        """The joints that can stick exactly by dry friction."""
        return tuple(grip for force in self.gripping for grip in force.grips())

    @cached_property
    def bearings(self) -> tuple[str, ...]:
        """The joints, and the events at which something may rest, on whose transmitted forces other forces depend."""
        return tuple(dict.fromkeys(joint for force in self.all_forces for joint in force.bearings()))

    @cached_property
    def all_events(self) -> tuple[Event, ...]:
        """All events, including those that forces add."""
        return (*self.events, *(event for force in self.all_forces for event in force.events()))

    def with_smooth_friction(self) -> Model:
        """The same mechanism, in which no joint sticks exactly."""
        if not self.grips:
            return self
        return msgspec.structs.replace(self, forces=tuple(force.smooth() for force in self.forces))

    def edit(self) -> Mechanism:
        """A mechanism with this description, to be changed and added to.

        >>> import grashof as gr
        >>> m = gr.example("four-bar").edit()
        >>> m.torque(m["crank"], 0.1)
        >>> len(m.model.forces) - len(gr.example("four-bar").forces)
        1
        """
        from grashof.model.mechanism import Mechanism

        return Mechanism.of(self)

    def __str__(self) -> str:
        from grashof.model.describing import describe_parts

        return describe_parts(self)

    def __getattr__(self, name: str) -> Any:
        """Raises an AttributeError that says how a description is changed."""
        from grashof.model.mechanism import Mechanism

        if not name.startswith("_") and hasattr(Mechanism, name):
            raise AttributeError(
                f"The description of '{self.name}' is not changed in place; write m = model.edit(), then m.{name}(…).",
                name=name,
                obj=None,
            )
        raise AttributeError(f"A description of a mechanism has no '{name}'.", name=name, obj=None)

    def control(self, actuator: str, law: float | str | Table) -> Model:
        """The mechanism with another control of an actuator: a number, an expression of time and of named quantities,
        or a table over time.

        actuator   its name, or the name of a measure, such as the angle of a joint, on which no other actuator acts
        """
        from grashof.model.building.controls import give_control

        return give_control(self, actuator, law)

    @property
    def own_couplings(self) -> tuple[CouplingBase, ...]:
        """The couplings, then the motors: each adds one equation to those of the joints."""
        return (*self.couplings, *self.motors)

    @cached_property
    def velocity_couplings(self) -> tuple[CouplingBase, ...]:
        """The couplings that tie rates and no positions."""
        return tuple(coupling for coupling in self.couplings if coupling.for_velocities)

    @cached_property
    def all_couplings(self) -> tuple[CouplingBase, ...]:
        """The couplings of positions, then those that belong to joints, then the motors."""
        tied = (coupling for coupling in self.couplings if not coupling.for_velocities)
        return (*tied, *(x for joint in self.joints for x in joint.couplings()), *self.motors)

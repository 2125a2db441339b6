"""Tables, forces and motors, as methods of the builder."""

from __future__ import annotations

import reprlib
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from grashof.common.errors import ModelError
from grashof.model.building.base import GivenLaw, Methods
from grashof.model.converting import measured_unit
from grashof.model.couplings import Motor
from grashof.model.forces import Actuator, Controller, PointForce, Pull, SpringDamper, Torque, TorsionSpring, UserForce
from grashof.model.forces.controller import Derivative
from grashof.model.forces.user_force import Function, register
from grashof.model.formula import value_of
from grashof.model.given import Number, given_name, number, numbers, row, text
from grashof.model.given import law as given_law
from grashof.model.handles import Handle, Point, own_point
from grashof.model.laws import Law
from grashof.model.tables import Kind, Table, add_table, table
from grashof.model.units import has_unit, is_quantity


class ForceMethods(Methods):
    """Tables, forces and motors, for the builder."""

    def table(self, name: str, x: Any, y: Any, *, kind: Kind = "linear", periodic: bool = False) -> Table:
        """Adds a named table of points, which laws can then call as a function: "cam(crank.angle)"; see `Table`."""
        m = self._mechanism
        text("The name of a table", name)
        if name in m._tables:
            raise ModelError(f"There is already a table '{name}'; give each table a name of its own.")
        m._tables[name] = table(x, y, kind=kind, periodic=periodic, name=name)
        return m._tables[name]

    def _force_name(self, name: str | None, usual: str) -> str:
        """The given name or, if there is none, the usual one, with a number if another force has it already."""
        called, count, taken = given_name(name) or usual, 1, {force.name for force in self._mechanism._forces}
        while not name and called in taken:
            count += 1
            called = f"{usual} {count}"
        return called

    def _law(self, what: str, value: GivenLaw, unit: str | None = None) -> Law:
        """A law from a number, an expression, or a table over time; the table is then added to this mechanism."""
        if not isinstance(value, Table):
            return given_law(what, value, unit)
        return add_table(self._mechanism._tables, value)

    def spring(
        self,
        a: Point,
        b: Point | None = None,
        *,
        stiffness: GivenLaw = 0.0,
        length: GivenLaw | None = None,
        damping: GivenLaw = 0.0,
        active: bool = True,
        name: str | None = None,
    ) -> None:
        """A spring-damper between two points; stiffness (N/m), free length (m) and damping (N s/m) are numbers, or
        expressions of time and named quantities. `m.spring(a, b, damping=5)` is a damper."""
        m = self._mechanism
        if b is None:
            raise ModelError(
                f"spring({a!r}, …): give the two points between which the spring acts. A spring along a named distance "
                f'or coordinate x of rest length L is m.pull("x", "-k*(x - L) - c*x.rate"), and one along an angle is '
                "m.torsion_spring(angle, stiffness=…)."
            )
        damper = length is None and isinstance(stiffness, int | float) and stiffness == 0.0
        called = self._force_name(name, f"{'damper' if damper else 'spring'} {a}~{b}")
        if length is None and not damper:
            raise ModelError(f"Force '{called}': give the free length of the spring, length=… (m).")
        m._forces.append(
            SpringDamper(
                name=called,
                active=_truth(called, active),
                a=str(own_point(m, a)),
                b=str(own_point(m, b)),
                stiffness=m._law(f"Force '{called}': stiffness", stiffness, "N/m"),
                length=m._law(f"Force '{called}': length", 0.0 if length is None else length, "m"),
                damping=m._law(f"Force '{called}': damping", damping, "N s/m"),
            )
        )

    def torsion_spring(
        self,
        angle: Handle | str,
        *,
        stiffness: GivenLaw,
        rest: GivenLaw = 0.0,
        damping: GivenLaw = 0.0,
        active: bool = True,
        name: str | None = None,
    ) -> None:
        """A torsional spring-damper on an angle; stiffness (N m/rad), rest angle (rad) and damping (N m s/rad) are
        numbers, or expressions of time and named quantities."""
        m = self._mechanism
        target = m._angle_name(angle)
        called = self._force_name(name, f"torsion spring {target}")
        m._forces.append(
            TorsionSpring(
                name=called,
                active=_truth(called, active),
                angle=target,
                stiffness=m._law(f"Force '{called}': stiffness", stiffness, "N m/rad"),
                rest=m._law(f"Force '{called}': rest", rest, "rad"),
                damping=m._law(f"Force '{called}': damping", damping, "N m s/rad"),
            )
        )

    def torque(self, angle: Handle | str, torque: GivenLaw, *, active: bool = True, name: str | None = None) -> None:
        """A torque (N m) on a named angle, or on a body; in space, about the body's revolute joint with the ground.

        It is a number, or an expression of time and named quantities, such as "-0.3*crank.angle.rate".
        """
        m = self._mechanism
        target = m._angle_name(angle)
        called = self._force_name(name, f"torque {target}")
        given = m._law(f"Force '{called}': torque", torque, "N m")
        m._forces.append(Torque(name=called, angle=target, torque=given, active=_truth(called, active)))

    def pull(self, measure: str, force: GivenLaw, *, active: bool = True, name: str | None = None) -> None:
        """A force (N) along a named distance or coordinate, acting on both of its bodies in opposite directions.

        It is a number, or an expression of time and named quantities.
        """
        m = self._mechanism
        target = m._angle_name(measure)
        called = self._force_name(name, f"pull {target}")
        given = m._law(f"Force '{called}': force", force, "N")
        m._forces.append(Pull(name=called, measure=target, force=given, active=_truth(called, active)))

    def force(
        self,
        point: Point,
        force: Sequence[GivenLaw],
        *,
        axes: Any = "world",
        active: bool = True,
        name: str | None = None,
    ) -> None:
        """A force (N) at a point, in world axes, or in body axes and turning with the body (axes="body").

        Its components are numbers, or expressions such as "5*sin(8*t)".
        """
        m = self._mechanism
        called = self._force_name(name, f"force {point}")
        given = row(f"Force '{called}'", m._sized(f"Force '{called}'", force), m.dimension)
        components = tuple(m._law(f"Force '{called}'[{i}]", x, "N") for i, x in enumerate(given))
        where = str(own_point(m, point))
        axes = text(f"Force '{called}': axes", axes)
        m._forces.append(
            PointForce(name=called, point=where, force=components, axes=axes, active=_truth(called, active))
        )

    def controller(
        self,
        measure: Handle | str,
        target: GivenLaw = 0.0,
        *,
        kp: Number = 0.0,
        ki: Number = 0.0,
        kd: Number = 0.0,
        limit: Number | None = None,
        windup: Number | None = None,
        every: Number | None = None,
        derivative: Derivative = "rate",
        active: bool = True,
        name: str | None = None,
    ) -> None:
        """A P, PI, PD or PID controller that brings an angle, distance or coordinate to a target; see `Controller`.

        every   the time between its samples, such as "1 ms", for a digital controller that holds its effort in between
        """
        m = self._mechanism
        goal = m._angle_name(measure)
        called, unit = self._force_name(name, f"controller {goal}"), m._unit_of(goal)

        def given(field: str, value: Number) -> float:
            return m._number(f"Force '{called}': {field}", value, measured_unit(field, unit))

        m._forces.append(
            Controller(
                name=called,
                measure=goal,
                target=m._law(f"Force '{called}': target", target, unit),
                kp=given("kp", kp),
                ki=given("ki", ki),
                kd=given("kd", kd),
                limit=None if limit is None else given("limit", limit),
                windup=None if windup is None else given("windup", windup),
                every=None if every is None else m._number(f"Force '{called}': every", every, "s"),
                derivative=derivative,
                active=_truth(called, active),
            )
        )

    def actuator(
        self,
        target: Handle | str | Mapping[str, float],
        control: GivenLaw = 0.0,
        *,
        gain: Sequence[float] = (1.0, 0.0, 0.0),
        bias: Sequence[float] = (0.0, 0.0, 0.0),
        control_range: Sequence[float] | None = None,
        force_range: Sequence[float] | None = None,
        active: bool = True,
        name: str | None = None,
    ) -> None:
        """A force that follows a control, along a measure or along several with factors; see `Actuator`."""
        m = self._mechanism
        terms = dict(target) if isinstance(target, Mapping) else {m._angle_name(target): 1.0}
        called = self._force_name(name, f"actuator {next(iter(terms), '')}")

        def given(field: str, values: Sequence[float], count: int) -> tuple[float, ...]:
            return numbers(f"Force '{called}': {field}", values, count)

        m._forces.append(
            Actuator(
                name=called,
                terms={text(f"Force '{called}': terms", x): number(f"Force '{called}'", w) for x, w in terms.items()},
                control=m._law(f"Force '{called}': control", control),
                gain=given("gain", gain, 3),  # type: ignore[arg-type]
                bias=given("bias", bias, 3),  # type: ignore[arg-type]
                control_range=None if control_range is None else given("control_range", control_range, 2),  # type: ignore[arg-type]
                force_range=None if force_range is None else given("force_range", force_range, 2),  # type: ignore[arg-type]
                active=_truth(called, active),
            )
        )

    def user_force(
        self, function: Function, on: Sequence[Point | Handle | str], *, active: bool = True, name: str | None = None
    ) -> None:
        """A force defined by a Python function; see `UserForce`."""
        m = self._mechanism
        if not callable(function):
            raise ModelError(f"A user force needs a Python function, not {reprlib.repr(function)}.")
        called = self._force_name(name, str(getattr(function, "__name__", type(function).__name__)))
        if isinstance(on, str) or not isinstance(on, Sequence):
            raise ModelError(f"Force '{called}': on is {reprlib.repr(on)}; it must be a list of points and measures.")
        targets = tuple(str(own_point(m, x)) if isinstance(x, Point) else m._angle_name(x) for x in on)
        m._forces.append(UserForce(name=called, on=targets, function=register(function), active=_truth(called, active)))

    def cylinder(
        self,
        a: Point,
        b: Point,
        *,
        length: GivenLaw | None = None,
        speed: GivenLaw | None = None,
        force: GivenLaw | None = None,
        name: str | None = None,
    ) -> str:
        """A hydraulic or pneumatic cylinder, a lead screw or a linear actuator between two points.

        Give one of the following, as a number, an expression of time, or a table:

        length   m, the distance of its ends: m.cylinder(frame.A, boom.B, length="0.8 + 0.1*sin(t)")
        speed    m/s, from the distance at the start
        force    N, positive where it pushes its ends apart; it may also depend on the motion

        The distance is the quantity `NAME length`, whose name is returned; the force that a driven cylinder exerts is
        `NAME.force`. Barrel and rod have no mass: give bodies and a sliding joint where these matter.

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("boom", gravity=(0, -9.81))
        >>> boom = m.bar("boom", length=2.0, mass=50.0)
        >>> _ = m.revolute(m.ground.at(0, 0), boom.start)
        >>> m.cylinder(m.ground.at(0.5, -0.8), boom.at(1.0, 0), length="0.9 + 0.1*t", name="lift")
        'lift length'
        """
        m = self._mechanism
        called = given_name(name) or f"cylinder {a}~{b}"
        given = [word for word, x in (("length", length), ("speed", speed), ("force", force)) if x is not None]
        if len(given) != 1:
            found = f"{' and '.join(given)} are" if given else "nothing is"
            raise ModelError(f"Cylinder '{called}': {found} given; give one of length=…, speed=… and force=….")
        distance = m.separation(f"{called} length", a, b)
        if force is not None:
            self.pull(distance, force, name=called)
        elif speed is not None:
            self.motor(distance, speed=speed, name=called)
        else:
            self.motor(distance, position=length, name=called)
        return distance

    def motor(
        self,
        target: Handle | str,
        law: GivenLaw | None = None,
        *,
        angle: GivenLaw | None = None,
        position: GivenLaw | None = None,
        speed: GivenLaw | None = None,
        torque: GivenLaw | None = None,
        name: str | None = None,
    ) -> None:
        """Drives an angle, a distance or a coordinate such as "rod.end.x".

        Give one of the following, as a number, an expression of time, or a table:

        speed      rad/s or m/s: m.motor(crank, speed=10), speed="60 rpm"; the motion begins at the initial position
        angle      rad, as a function of time: m.motor(crank, angle="2*pi*t"); a plain number keeps the angle constant
        position   m, the same for distances and coordinates
        torque     N m; see `torque`, which may also depend on the motion

        A law without a keyword is an angle or a position: m.motor(crank, "2*pi*t"). A plain number without a keyword is
        also taken as an angle, with a warning.

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("wheel")
        >>> wheel = m.body("wheel", mass=1.0, inertia=0.1)
        >>> _ = m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
        >>> m.motor(wheel, speed="60 rpm")
        >>> print(m.model.motors[0].in_words("rad"))
        drives wheel.angle at 6.28319 rad/s
        """
        m = self._mechanism
        given = {"law": law, "angle": angle, "position": position, "speed": speed, "torque": torque}
        chosen = [word for word, value in given.items() if value is not None]
        if len(chosen) != 1:
            found = f"{' and '.join(chosen)} are" if chosen else "nothing is"
            raise ModelError(
                f"Motor on '{m._angle_name(target)}': {found} given; give one of speed=…, angle=… (or "
                "position=…) and torque=…."
            )
        if torque is not None:
            self.torque(target, torque, name=name)
            return
        goal = m._angle_name(target)
        called, unit = given_name(name) or f"motor {goal}", m._unit_of(goal)
        if angle is not None and unit != "rad":
            raise ModelError(f"Motor '{called}': '{goal}' is not an angle; write position=… (m) or speed=… (m/s).")
        if speed is not None:
            m._motors.append(Motor(called, goal, speed=m._law(f"Motor '{called}': speed", speed, f"{unit}/s")))
            return
        value = given[chosen[0]]
        if isinstance(value, str) and is_quantity(value) and has_unit(value, f"{unit}/s"):
            raise ModelError(f"Motor '{called}': '{value}' is a speed; write m.motor(…, speed='{value}').")
        written = m._law(f"Motor '{called}': law", value, unit)  # type: ignore[arg-type]
        motor = Motor(called, goal, written if isinstance(written, str) else repr(written))
        m._motors.append(motor)
        held = motor.bound({}, {name: value_of(x.value) for name, x in m._parameters.items()})
        if law is not None and held.held is not None and not (isinstance(law, str) and is_quantity(law)):
            word = "angle" if unit == "rad" else "position"
            warnings.warn(
                f"Motor '{called}' {held.in_words(unit)}. If you mean a speed, write speed={law!s} ({unit}/s); to "
                f"hold it there, write {word}={law!s}.",
                stacklevel=2,
            )


def _truth(force: str, active: object) -> bool:
    """Whether a force is active at the start."""
    if not isinstance(active, bool):
        raise ModelError(f"Force '{force}': active is {reprlib.repr(active)}; it must be True or False.")
    return active

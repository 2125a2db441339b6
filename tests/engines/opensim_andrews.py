"""Andrews' squeezer as OpenSim itself writes it, made through its Python interface in two ways; `python -m
tests.engines.opensim_andrews FOLDER`."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

from grashof.problems.andrews.reference import IFTOMM, pose

AT = {name: complex(place.z) for name, place in pose(IFTOMM.beta0, IFTOMM).items()}
"""Where the named points are at the start."""


def links() -> dict[str, tuple[float, tuple[float, float], float, dict[str, tuple[float, float]]]]:
    """Mass, centre, inertia and points of each body, in axes that begin at the first letter of its name and lead to
    the second."""
    found: dict[str, Any] = {
        rod.start + rod.end: (rod.mass, rod.com, rod.inertia, {rod.start: (0.0, 0.0), rod.end: (rod.length, 0.0)})
        for rod in IFTOMM.rods
    }
    triangle = IFTOMM.triangle
    points = {"E": (0.0, 0.0), "B": triangle.b, "D": triangle.d}
    return {**found, "EBD": (triangle.mass, triangle.com, triangle.inertia, points)}


def attitude(name: str) -> float:
    """The angle of a body's x axis at the start."""
    first, second, own = name[0], name[1], links()[name][3]
    span = complex(*own[second]) - complex(*own[first])
    turn = (AT[second] - AT[first]) / span
    return math.atan2(turn.imag, turn.real)


class Squeezer:
    """OpenSim's model; objects are kept here, since OpenSim takes them over while Python still counts them."""

    def __init__(self, name: str) -> None:
        import opensim

        opensim.Logger.setLevelString("Off")
        self.kept: list[Any] = []
        self.model = opensim.Model()
        self.model.setName(name)
        self.model.setGravity(opensim.Vec3(0.0))
        self.bodies = {"ground": self.model.getGround()}
        for body, (mass, center, inertia, _) in links().items():
            tensor = opensim.Inertia(inertia, inertia, inertia)
            made = self.keep(opensim.Body(body, mass, opensim.Vec3(*center, 0.0), tensor))
            self.model.addBody(made)
            self.bodies[body] = made
        spring = self.keep(
            opensim.PointToPointSpring(
                self.bodies["ground"],
                self.place("ground", "C"),
                self.bodies["EBD"],
                self.place("EBD", "D"),
                IFTOMM.stiffness,
                IFTOMM.rest_length,
            )
        )
        spring.setName("spring")
        self.model.addForce(spring)

    def keep(self, made: Any) -> Any:
        self.kept.append(made)
        return made

    def place(self, body: str, point: str) -> Any:
        import opensim

        ground = {"O": (0.0, 0.0), "A": IFTOMM.a, "B": IFTOMM.b, "C": IFTOMM.c}
        return opensim.Vec3(*(ground if body == "ground" else links()[body][3])[point], 0.0)

    def actuate(self, actuator: Any, control: float) -> None:
        """An actuator with a constant prescribed control."""
        import opensim

        actuator.setName("motor")
        self.model.addForce(self.keep(actuator))
        controller = self.keep(opensim.PrescribedController())
        controller.addActuator(actuator)
        controller.prescribeControlForActuator("motor", self.keep(opensim.Constant(control)))
        self.model.addController(controller)

    def write(self, path: Path) -> None:
        self.model.finalizeConnections()
        self.model.printToXML(str(path))


def chain() -> Squeezer:
    """Pins from body to body, closed by three points that coincide; the motor is a torque between two bodies."""
    import opensim

    made = Squeezer("chain")
    angles = {"ground": 0.0} | {body: attitude(body) for body in links()}
    tree = [("ground", "OF", "O"), ("OF", "EF", "F"), ("EF", "EBD", "E"), ("EBD", "GE", "E"), ("GE", "AG", "G"), ("EBD", "HE", "E"), ("HE", "AH", "H")]  # fmt: skip
    for parent, child, point in tree:
        zero = opensim.Vec3(0.0)
        joint = made.keep(
            opensim.PinJoint(f"{parent}_{child}", made.bodies[parent], made.place(parent, point), zero, made.bodies[child], made.place(child, point), zero)
        )  # fmt: skip
        made.model.addJoint(joint)
        coordinate = joint.upd_coordinates(0)
        coordinate.setName(f"turn_{child}")
        coordinate.setDefaultValue(angles[child] - angles[parent])
    for body, point in (("EBD", "B"), ("AG", "A"), ("AH", "A")):
        ends = (made.bodies["ground"], made.place("ground", point), made.bodies[body], made.place(body, point))
        constraint = made.keep(opensim.PointConstraint(*ends))
        constraint.setName(f"close_{body}")
        made.model.addConstraint(constraint)
    made.actuate(opensim.TorqueActuator(made.bodies["OF"], made.bodies["ground"], opensim.Vec3(0, 0, 1)), IFTOMM.torque)
    return made


def planes() -> Squeezer:
    """Every body in the plane by a joint with the ground, and every pin a point on a line; the motor acts along a
    coordinate."""
    import opensim

    made = Squeezer("planes")
    for body in links():
        zero = opensim.Vec3(0.0)
        joint = made.keep(
            opensim.PlanarJoint(f"in_plane_{body}", made.bodies["ground"], zero, zero, made.bodies[body], zero, zero)
        )
        made.model.addJoint(joint)
        for k, (name, value) in enumerate((("rz", attitude(body)), ("tx", AT[body[0]].real), ("ty", AT[body[0]].imag))):
            joint.upd_coordinates(k).setName(f"{body}_{name}")
            joint.upd_coordinates(k).setDefaultValue(value)
    pins = [("ground", "OF", "O"), ("OF", "EF", "F"), ("EF", "EBD", "E"), ("HE", "EBD", "E"), ("GE", "EBD", "E"), ("GE", "AG", "G"), ("HE", "AH", "H"), ("ground", "AG", "A"), ("ground", "AH", "A"), ("ground", "EBD", "B")]  # fmt: skip
    for line, follower, point in pins:
        ends = (made.place(line, point), made.bodies[follower], made.place(follower, point))
        constraint = made.keep(opensim.PointOnLineConstraint(made.bodies[line], opensim.Vec3(0, 0, 1), *ends))
        constraint.setName(f"pin_{line}_{follower}_{point}")
        made.model.addConstraint(constraint)
    actuator = opensim.CoordinateActuator("OF_rz")
    actuator.setOptimalForce(0.5 * IFTOMM.torque)
    made.actuate(actuator, 2.0)
    return made


WAYS = {"andrews-chain": chain, "andrews-planes": planes}

if __name__ == "__main__":
    for name, way in WAYS.items():
        way().write(Path(sys.argv[1]) / f"{name}.osim")

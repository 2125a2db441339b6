"""Forces of OpenSim's documents."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.opensim.bushings import add_bushing
from grashof.exchange.opensim.functions import law, scale_law
from grashof.exchange.opensim.lepton import translate_expression
from grashof.exchange.parsing import child_number, child_truth, child_vector, direction
from grashof.exchange.pulls import spring_law
from grashof.exchange.torques import NotOurs, twist
from grashof.exchange.xml import Element, xml_text
from grashof.model.bodies import GROUND
from grashof.model.fields import unit
from grashof.model.forces import Actuator, PointForce, Pull, SpringDamper, Torque, TorsionSpring
from grashof.model.measures import Separation

if TYPE_CHECKING:
    from grashof.exchange.opensim.reader import OpenSimReader

_NUMBER = r"[-+]?[\d.]+(?:e[-+]?\d+)?"
_SPRING = re.compile(rf"({_NUMBER})\*\(d-\(({_NUMBER})\)\)\+({_NUMBER})\*ddot")
"""The form in which the writer expresses a spring with a damper."""


def add_forces(reader: OpenSimReader, forces: list[Element], controllers: list[Element]) -> None:
    """Reads all supported forces; the others are left out and reported, one sentence each."""
    controls = _controls(reader, controllers)
    for force in forces:
        if not child_truth(force, "appliesForce", not child_truth(force, "isDisabled", False)):
            continue
        try:
            _add(reader, force, controls)
        except NotOurs as problem:
            reader.leave_out(force, str(problem))
        except ModelError as problem:
            said = str(problem)
            raise ModelError(said if said.startswith("line ") else f"{force.place}: {said}") from None


def _controls(reader: OpenSimReader, controllers: list[Element]) -> dict[str, float | str | None]:
    """The control that controllers prescribe for each actuator: a law of time, or None if it is not supported. Without
    a controller the control is zero, unless one of those that are not supported determines it."""
    found: dict[str, float | str | None] = {}
    for controller in controllers:
        if controller.tag != "PrescribedController":
            reader.leave_out(controller)
            if child_truth(controller, "enabled", True):
                reader.controlled = True
            continue
        if not child_truth(controller, "enabled", True):
            continue
        functions = next((x for x in controller.all("FunctionSet", "ControlFunctions")), None)
        objects = None if functions is None else functions.first("objects")
        listed = (controller.value("socket_actuators") or controller.value("actuator_list")).split()
        names = [path.rpartition("/")[2] for path in listed]
        for k, function in enumerate([] if objects is None else objects.children):
            name = function.name if function.name in names or k >= len(names) else names[k]
            found[name] = law(function)
    return found


def _add(reader: OpenSimReader, force: Element, controls: dict[str, float | str | None]) -> None:
    draft, name = reader.draft, force.name or force.tag
    match force.tag:
        case "PointToPointSpring":
            a, b = _ends(reader, force)
            k, length = child_number(force, "stiffness", 1.0), child_number(force, "rest_length", 0.0)
            draft.push(SpringDamper(name=name, a=a, b=b, stiffness=k, length=length))
        case "ExpressionBasedPointToPointForce":
            a, b = _ends(reader, force)
            text = force.value("expression", "0.0")
            if spring := _SPRING.fullmatch(text):
                k, length, c = map(float, spring.groups())
                draft.push(SpringDamper(name=name, a=a, b=b, stiffness=k, length=length, damping=c))
                return
            measure = draft.measure(Separation(f"{name}_length", a, b))
            quoted = f"`{measure}`"
            pull = _expression(text, {"d": quoted, "ddot": f"`{measure}.rate`"}, name)
            draft.push(Pull(name=name, measure=measure, force=-pull if isinstance(pull, float) else f"-({pull})"))
        case "SpringGeneralizedForce":
            measure, factor = _coordinate(reader, force)
            k, rest, c = (child_number(force, tag, 0.0) for tag in ("stiffness", "rest_length", "viscosity"))
            if factor != 1.0:
                told = {"stiffness": k, "rest_length": rest, "viscosity": c}
                draft.source[f"force {name}"] = {tag: xml_text(x) for tag, x in told.items()}
                k, rest, c = k / factor**2, factor * rest, c / factor**2
            if draft.measures[measure].winds:
                draft.push(TorsionSpring(name=name, angle=measure, stiffness=k, rest=rest, damping=c))
            else:
                draft.push(Pull(name=name, measure=measure, force=spring_law(measure, k, rest, c)))
        case "ExpressionBasedCoordinateForce":
            measure, factor = _coordinate(reader, force)
            by = "" if factor == 1.0 else f"/{factor!r}"
            names = {"q": f"`{measure}`{by}", "qdot": f"`{measure}.rate`{by}"}
            if by:
                names = {variable: f"({meaning})" for variable, meaning in names.items()}
            _along(reader, name, measure, factor, _expression(force.value("expression", "0.0"), names, name))
        case "CoordinateActuator" | "PointActuator" | "TorqueActuator" | "PointToPointActuator" if (
            not reader.controlled and force.name not in controls
        ):
            _wait_for_control(reader, force, name)
        case "CoordinateActuator":
            _along(reader, name, *_coordinate(reader, force), _control(force, controls))
        case "CoordinateLimitForce":
            _limit(reader, force, name)
        case "PointToPointActuator":
            _between(reader, force, name, _control(force, controls))
        case "BushingForce":
            add_bushing(reader, force, name)
        case "TorqueActuator":
            a, b = (_body(reader, force, tag) for tag in ("bodyA", "bodyB"))
            axis = np.array(unit(direction(force, "axis", child_vector(force, "axis", (0.0, 0.0, 1.0)))))
            if not child_truth(force, "torque_is_global", True):
                axis = draft.placed[a].axes @ axis
            twist(draft, name, a, b, axis, _control(force, controls))
        case "PrescribedForce":
            _prescribed_functions(reader, force, name)
        case _:
            raise NotOurs(f"a {force.tag} is not supported")


def _wait_for_control(reader: OpenSimReader, force: Element, name: str) -> None:
    """An actuator whose control no controller prescribes: it is zero, and can be given where there is a measure."""
    if force.tag == "CoordinateActuator" and reader.coordinates.get(force.value("coordinate").rpartition("/")[2]):
        measure, factor = _coordinate(reader, force)
        size = child_number(force, "optimal_force", 1.0)
        reader.draft.push(Actuator(name=name, terms={measure: 1.0 / factor}, gain=(size, 0.0, 0.0)))
    else:
        reader.remarks.append(f"{force.place}: no controller prescribes its control, so it has no effect.")


def _limit(reader: OpenSimReader, force: Element, name: str) -> None:
    """A spring and a damper beyond each limit, at the depth δ: K S(δ/w) δ + c S(δ/w) δ̇ with Simbody's step
    S(x) = 10 x³ − 15 x⁴ + 6 x⁵ from 0 to 1. Along angles the numbers are per degree."""
    measure, factor = _coordinate(reader, force)
    unit = math.pi / 180.0 if reader.draft.measures[measure].winds else 1.0
    width, damping = unit * child_number(force, "transition", 1.0), child_number(force, "damping", 0.0) / unit
    if not width > 0.0:
        raise NotOurs("its transition has no width")
    q = f"`{measure}`" if factor == 1.0 else f"(`{measure}`/{factor!r})"
    rate = f"`{measure}.rate`" if factor == 1.0 else f"(`{measure}.rate`/{factor!r})"
    terms = []
    for which, sign in (("upper", 1.0), ("lower", -1.0)):
        limit = unit * child_number(force, f"{which}_limit", 0.0)
        stiffness = child_number(force, f"{which}_stiffness", 1.0) / unit
        depth = f"({q} - {limit!r})" if sign > 0.0 else f"({limit!r} - {q})"
        x = f"min(max({depth}, 0)/{width!r}, 1)"
        step = f"({x}**3*(10 - 15*{x} + 6*{x}**2))"
        if stiffness:
            terms.append(f"{-sign * stiffness!r}*{step}*{depth}")
        if damping:
            terms.append(f"{-damping!r}*{step}*{rate}")
    if terms:
        _along(reader, name, measure, factor, " + ".join(terms))


def _ends(reader: OpenSimReader, force: Element) -> tuple[str, str]:
    found, ends = [], {}
    for k in (1, 2):
        where = ends[f"body{k}"] = reader.frame(force, reader.socket(force, f"body{k}"))
        found.append(reader.at(where, child_vector(force, f"point{k}"), f"{force.name}_{k}"))
    if force.tag == "PointToPointSpring" and any(end.chain for end in ends.values()):
        reader.keep_part(force, ends)
    return found[0], found[1]


def _between(reader: OpenSimReader, force: Element, name: str, push: float | str) -> None:
    """A force that drives two points apart."""
    if child_truth(force, "points_are_global", False):
        raise NotOurs("its points are given in the axes of the ground, which is not supported")
    a, b = (
        reader.draft.point(
            _body(reader, force, f"body{x}"), f"{name}_{x}", child_vector(force, f"point{x}"), any_name=True
        )
        for x in "AB"
    )
    measure = reader.draft.measure(Separation(f"{name}_length", a, b))
    reader.draft.push(Pull(name=name, measure=measure, force=push))


def _body(reader: OpenSimReader, force: Element, tag: str) -> str:
    name = force.value(tag).rpartition("/")[2] or GROUND
    if name not in reader.draft.placed:
        raise ModelError(f"there is no body '{name}'.")
    return name


def _coordinate(reader: OpenSimReader, force: Element) -> tuple[str, float]:
    """The measure that represents a coordinate, and the ratio of the measure to the coordinate."""
    name = force.value("coordinate").rpartition("/")[2]
    if name not in reader.coordinates:
        raise NotOurs(f"there is no coordinate '{name}'")
    if not reader.coordinates[name]:
        raise NotOurs(f"forces along '{name}', a single angle of a ball or a free body, are not supported")
    return reader.coordinates[name], reader.factors[name]


def _control(force: Element, controls: dict[str, float | str | None]) -> float | str:
    """Optimal force times the prescribed control."""
    if force.name not in controls:
        raise NotOurs("no controller prescribes its control")
    control, size = controls[force.name], child_number(force, "optimal_force", 1.0)
    if control is None:
        raise NotOurs("the function that prescribes its control is not supported")
    return size * control if isinstance(control, float) else f"{size!r}*({control})"


def _expression(text: str, names: dict[str, str], owner: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return translate_expression(text, names, f"force '{owner}'")
    except ModelError as problem:
        raise NotOurs(str(problem).rstrip(".")) from None


def _along(reader: OpenSimReader, name: str, measure: str, factor: float, effort: float | str) -> None:
    """A force or torque along a coordinate: τ dq = (τ / factor) dm."""
    effort = scale_law(effort, 1.0 / factor)
    if reader.draft.measures[measure].winds:
        reader.draft.push(Torque(name=name, angle=measure, torque=effort))
    else:
        reader.draft.push(Pull(name=name, measure=measure, force=effort))


def _prescribed_functions(reader: OpenSimReader, force: Element, name: str) -> None:
    """Functions of time for the force, its point and a torque, each three."""
    draft = reader.draft
    body, (place, axes), *_ = reader.frame(force, reader.socket(force, "frame", "body"))
    laws: dict[str, list[float | str]] = {}
    for what in ("force", "point", "torque"):
        functions = next(
            (
                x
                for x in force.all("FunctionSet", f"{what}Functions")
                if x.name == f"{what}Functions" or x.tag != "FunctionSet"
            ),
            None,
        )
        objects = None if functions is None else functions.first("objects")
        found = [law(function) for function in ([] if objects is None else objects.children)]
        if len(found) not in (0, 3) or None in found:
            raise NotOurs(f"its {what} is given by functions that are not supported")
        laws[what] = [x for x in found if x is not None] or [0.0, 0.0, 0.0]
    world = child_truth(force, "forceIsGlobal", True)
    if child_truth(force, "pointIsGlobal", False) or any(isinstance(x, str) for x in laws["point"]):
        raise NotOurs("its point moves on the body, which is not supported")
    at = tuple(x for x in laws["point"] if isinstance(x, float))
    if any(place) or not np.array_equal(axes, np.eye(3)):
        if not world:
            raise NotOurs(
                "its components are along the axes of a frame that is not the body's own, which is not supported"
            )
        at = tuple(map(float, np.array(place) + axes @ np.array(at)))
    if any(x != 0.0 for x in laws["force"]):
        point = draft.point(body, f"{name}_point", at, any_name=True)
        draft.push(PointForce(name=name, point=point, force=tuple(laws["force"]), axes="world" if world else "body"))
    if any(x != 0.0 for x in laws["torque"]):
        turning = [k for k, x in enumerate(laws["torque"]) if x != 0.0]
        values = [x for x in laws["torque"] if isinstance(x, float)]
        if not world or (len(values) < 3 and len(turning) > 1):
            raise NotOurs("a torque whose direction changes is not supported")
        if len(turning) == 1:  # along x, y or z: its sign and size as they are
            twist(draft, name, body, GROUND, np.eye(3)[turning[0]], laws["torque"][turning[0]])
            return
        size = float(np.linalg.norm(values))
        twist(draft, name, body, GROUND, np.array(values) / size, size)

"""Constraints of OpenSim documents as joints and couplings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.common.errors import ModelError
from grashof.exchange.frames import GIVEN, column, rotation
from grashof.exchange.opensim.curves import read_curve
from grashof.exchange.opensim.forms import End
from grashof.exchange.parsing import child_number, child_truth, child_vector, direction, numbers
from grashof.exchange.xml import Element
from grashof.model import joints as kinds
from grashof.model.couplings.equation import Equation
from grashof.model.couplings.linear import Linear
from grashof.model.fields import unit

if TYPE_CHECKING:
    from grashof.exchange.opensim.reader import OpenSimReader


def add_constraint(reader: OpenSimReader, part: Element) -> None:
    """Adds a constraint to the draft of a document, or leaves it out."""
    draft = reader.draft
    if not is_enforced(part):
        return
    try:
        match part.tag:
            case "PointConstraint":
                draft.join(kinds.Spherical(name=part.name, **_two_points(reader, part)))
                reader.closes()
            case "ConstantDistanceConstraint":
                length = child_number(part, "constant_distance", 0.0)
                draft.join(kinds.Distance(name=part.name, **_two_points(reader, part), length=length))
            case "PointOnLineConstraint":
                line, follower = (reader.frame(part, reader.socket(part, x)) for x in ("line_body", "follower_body"))
                along = unit(direction(part, "line_direction_vec", child_vector(part, "line_direction_vec")))
                a = reader.at(line, child_vector(part, "point_on_line"), f"{part.name}_line")
                b = reader.at(follower, child_vector(part, "point_on_follower"), f"{part.name}_follower")
                draft.join(kinds.PointOnLine(name=part.name, a=a, b=b, axis_a=along))
                if line.chain or follower.chain or along != child_vector(part, "line_direction_vec"):
                    reader.keep_part(part, {"line_body": line, "follower_body": follower})
            case "WeldConstraint":
                _weld(reader, part)
            case "CoordinateCouplerConstraint":
                _couple(reader, part)
            case _:
                reader.leave_out(part)
    except ModelError as problem:
        said = str(problem)
        raise ModelError(said if said.startswith("line ") else f"{part.place}: {said}") from None


def _two_points(reader: OpenSimReader, part: Element) -> dict[str, str]:
    found, ends = {}, {}
    for side, number in (("a", 1), ("b", 2)):
        where = ends[f"body_{number}"] = reader.frame(part, reader.socket(part, f"body_{number}"))
        found[side] = reader.at(where, child_vector(part, f"location_body_{number}"), f"{part.name}_{number}")
    if any(end.chain for end in ends.values()):
        reader.keep_part(part, ends)
    return found


def _weld(reader: OpenSimReader, part: Element) -> None:
    frames = []
    for number in (1, 2):
        if part.value(f"body_{number}"):  # version 3
            body = reader.frame(part, part.value(f"body_{number}")).body
            turned = child_vector(part, f"orientation_body_{number}")
            place = child_vector(part, f"location_body_{number}")
            frames.append(End(body, (place, rotation(turned)), "", turned))
        else:
            frames.append(reader.frame(part, reader.socket(part, f"frame{number}")))
    a, b = frames
    (place_a, axes_a), (place_b, axes_b) = a.frame, b.frame
    weld = reader.draft.join(
        kinds.Weld(
            name=part.name,
            a=reader.draft.point(a.body, f"{part.name}_1", place_a, any_name=True),
            b=reader.draft.point(b.body, f"{part.name}_2", place_b, any_name=True),
            axis_a=column(axes_a, 0),
            axis_b=column(axes_b, 0),
            normal_a=column(axes_a, 1),
            normal_b=column(axes_b, 1),
        )
    )
    reader.closes()
    if max(len(a.chain), len(b.chain)) > 1:
        reader.keep_part(part, {"frame1": a, "frame2": b})
    else:
        reader.keep_angles(f"joint {weld.name}", a, b, GIVEN["WeldJoint"])


def _couple(reader: OpenSimReader, part: Element) -> None:
    """q = Σ a q_i + b, or q = f(q_1)."""
    if part.value("dependent_coordinate_name") in reader.replaced:
        return  # the joint's curves are functions of the other coordinate already
    given = (part.first("coupled_coordinates_function") or Element("")).children
    function = next((one for one in given if one.tag == "LinearFunction"), None)
    names = [*part.value("independent_coordinate_names").split(), part.value("dependent_coordinate_name")]
    measures = [reader.coordinates.get(name, "") for name in names]
    if (
        function is None
        or not all(measures)
        or len(set(measures)) < len(measures)
        or child_number(part, "scale_factor", 1.0) != 1.0
    ):
        curve = read_curve(given[0]) if len(given) == 1 and len(names) == 2 else None
        if curve is None or not all(measures) or measures[0] == measures[1]:
            reader.leave_out(part, "a coupling of these coordinates by this function is not supported")
            return
        height = curve.scaled(child_number(part, "scale_factor", 1.0)).text(reader.coordinate_text(names[0]))
        expression = f"{reader.coordinate_text(names[1])} - ({height})"
        draft, name = reader.draft, reader.draft.work_name(part.name)
        draft.couplings.append(Equation(name=name, expression=expression))
        return
    *factors, offset = numbers(function, "coefficients", function.value("coefficients", "1 0"), len(names))
    *scales, scale = (reader.factors[name] for name in names)
    terms = {measures[-1]: 1.0} | {
        m: -factor * scale / own for m, factor, own in zip(measures, factors, scales, strict=False) if factor
    }
    offset *= scale
    reader.draft.couplings.append(Linear(name=reader.draft.work_name(part.name), terms=terms, law=offset))


def is_enforced(part: Element) -> bool:
    """Whether a constraint holds."""
    return child_truth(part, "isEnforced", not child_truth(part, "isDisabled", False))

"""A file that is read, saved as TOML and written again has the numbers of the file, to the last bit: random documents with every kind of joint."""

from __future__ import annotations

import random

import pytest

from grashof.exchange import xml
from grashof.exchange.opensim_reader import read as read_osim
from grashof.exchange.opensim_writer import write as write_osim
from grashof.model.files import dumps, loads
from grashof.model.model import Model

from .documents import JOINTS, body, document, joint

NUMBERS = (
    *("mass", "mass_center", "inertia", "translation", "orientation", "default_value", "default_speed_value"),
    *("location_body_1", "location_body_2", "point_on_line", "point_on_follower", "constant_distance"),
)


def told(root: xml.Element) -> dict[tuple[str, str], list[tuple[float, ...]]]:
    """All numbers, by the name of what they belong to; of the frames of a joint, in their order."""
    found: dict[tuple[str, str], list[tuple[float, ...]]] = {}

    def walk(part: xml.Element, owner: str) -> None:
        owner = part.name if part.name and part.tag != "PhysicalOffsetFrame" else owner
        for child in part.children:
            if child.tag in NUMBERS:
                found.setdefault((owner, child.tag), []).append(tuple(float(x) for x in child.text.split()))
            walk(child, owner)

    walk(root, "")
    return found


def osim(seed: int) -> str:
    """A tree of bodies on joints of all kinds, with oblique frames, values and speeds."""
    draw = random.Random(f"osim {seed}")
    kinds = {**JOINTS, "FreeJoint": "Coordinate " * 6}
    parts, names = [body("free", draw), joint("FreeJoint", "j_free", "ground", "free", draw, 6)], ["ground"]
    for k in range(draw.randint(1, 4)):
        name, kind = f"b{k}", draw.choice([*kinds])
        parent = "ground" if kind == "FreeJoint" else draw.choice(names)
        text = joint(kind, f"j{k}", parent, name, draw, kinds[kind].count("Coordinate"))
        for _ in range(kinds[kind].count("Coordinate")):
            speed = f"<default_speed_value>{draw.choice((0.0, draw.uniform(-2.0, 2.0)))!r}</default_speed_value>"
            text = text.replace("</default_value></C", f"</default_value>{speed}</C", 1)
        if kind == "WeldJoint":  # the same frames again, in a constraint
            again = text.replace("WeldJoint", "WeldConstraint").replace(f'"j{k}"', f'"w{k}"')
            parts.append(
                again.replace("socket_parent_frame", "socket_frame1").replace("socket_child_frame", "socket_frame2")
            )
        parts += [body(name, draw), text]
        names.append(name)
    return document(*parts)


@pytest.mark.parametrize("seed", range(200))
def test_documents_of_opensim_keep_every_number(seed: int) -> None:
    root = xml.parse(osim(seed).encode())
    model, left_out = read_osim(root)
    assert left_out == []
    text, left_out = write_osim(loads(dumps(model)))
    assert left_out == []
    written = told(xml.parse(text.encode()))
    for name, numbers in told(root).items():
        assert written[name] == numbers, name
    again, _ = read_osim(xml.parse(text.encode()))
    assert unordered(again) == unordered(model)
    assert write_osim(loads(dumps(again)))[0] == text


def unordered(model: Model) -> dict[str, object]:
    """A description whose parts may be in any order."""
    fields = ("bodies", "joints", "forces", "motors", "measures", "couplings")
    found: dict[str, object] = {field: {part.name: part for part in getattr(model, field)} for field in fields}
    wants = {condition.quantity: condition for condition in model.start.wants}
    return found | {"ground": model.ground, "guesses": model.start.guesses, "wants": wants, "source": model.source}

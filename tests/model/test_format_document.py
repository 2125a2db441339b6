"""docs/file-format.md and docs/mechanism.schema.json say what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from grashof.common.errors import ModelError
from grashof.model.bodies import Body
from grashof.model.couplings import Coupling, Motor
from grashof.model.files import FORMAT, dumps, loads, schema
from grashof.model.forces import Force
from grashof.model.joints import PLANAR, SPATIAL, Joint
from grashof.model.measures import Measure
from grashof.model.model import Model
from grashof.model.parameter import Parameter
from grashof.model.start import Condition, Pose, Start
from grashof.model.tables import Table

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "file-format.md").read_text(encoding="utf-8")
EXAMPLE = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
STRUCTS = [
    *(kind for union in (Body, Joint, Force, Measure, Coupling) for kind in get_args(union)),
    *(Model, Motor, Start, Pose, Condition, Table, Parameter),
]


def test_the_example_is_a_mechanism() -> None:
    model = loads(EXAMPLE)
    assert [body.name for body in model.bodies] == ["crank", "rod", "piston"]
    assert loads(dumps(model)) == model


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_every_type_and_every_field_is_described(struct: type[msgspec.Struct]) -> None:
    tag = struct.__struct_config__.tag
    assert tag is None or f"| `{tag}` |" in PAGE
    for field in struct.__struct_fields__:
        assert re.search(rf"`(\[+)?{field}(\]+)?`", PAGE), field


@pytest.mark.parametrize("joint", get_args(Joint), ids=lambda joint: joint.__name__)
def test_joints_are_listed_where_they_exist(joint: type[msgspec.Struct]) -> None:
    row = re.search(rf"^\| `{joint.__struct_config__.tag}` \| ([^|]*) \| .* \| (\S+) / (\S+) \|$", PAGE, re.MULTILINE)
    assert row is not None
    assert ("plane" in row[1], "space" in row[1]) == (joint in PLANAR, joint in SPATIAL)
    assert (row[2] != "–", row[3] != "–") == (joint in PLANAR, joint in SPATIAL)


@pytest.mark.parametrize(
    ("old", "new"),
    [('"rod.start"', '"rod.stat"'), ("length = 0.3", "length = '0.3 s'"), ("length = 0.1", "length")],
)
def test_the_errors_shown_are_the_errors_given(old: str, new: str) -> None:
    with pytest.raises(ModelError) as refused:
        loads(EXAMPLE.replace(old, new, 1), source="crank.toml")
    assert f"\n    {refused.value}\n" in PAGE


def test_the_published_schema_is_up_to_date() -> None:
    """If not: regenerate it with the command at the end of docs/file-format.md."""
    published = json.loads((DOCS / "mechanism.schema.json").read_text(encoding="utf-8"))
    assert published == schema()


def test_the_schema_asks_for_the_format() -> None:
    top: dict[str, Any] = schema()["$defs"]["Model"]
    assert top["properties"]["format"] == {"const": FORMAT}
    assert "format" in top["required"]


def test_rows_of_a_fixed_length_are_as_draft_7_writes_them() -> None:
    """Taplo, which editors check TOML with, knows no `prefixItems`."""
    assert "prefixItems" not in json.dumps(schema())
    assert schema()["$defs"]["Gear"]["properties"]["teeth"] == {
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "items": {"type": ["number", "string"]},
    }


def test_bounds_of_parameters_may_have_a_unit() -> None:
    bound = schema()["$defs"]["Parameter"]["properties"]["lower"]
    assert {"type": ["number", "string"]} in bound["anyOf"]


@pytest.mark.parametrize(
    "line", ['"$schema" = "https://example.org/mechanism.schema.json"', "#:schema mechanism.schema.json"]
)
def test_a_file_may_name_its_schema(line: str) -> None:
    assert loads(f"{line}\n{EXAMPLE}") == loads(EXAMPLE)


def test_joints_have_the_names_that_python_gives_them() -> None:
    """`m.prismatic` writes a slider; a file may call it prismatic, too."""
    assert loads(EXAMPLE.replace('"slider"', '"prismatic"')) == loads(EXAMPLE)
    assert schema()["$defs"]["Slider"]["properties"]["type"] == {"enum": ["slider", "prismatic"]}

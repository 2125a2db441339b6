"""`grashof numbers`, and `--set` for numbers of a file's mechanism."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.files import PENDULUM
from tests.cli.test_bad_input import complaint
from tests.cli.test_run import call

PARAMETERS = '\n[[parameters]]\nname = "L"\nvalue = "1200 mm"\nlower = 0.5\n'


@pytest.fixture
def pendulum(tmp_path: Path) -> Path:
    path = tmp_path / "pendulum.toml"
    assert "length = 1.0" in PENDULUM
    path.write_text(PENDULUM.replace("length = 1.0", 'length = "L/1.2"', 1) + PARAMETERS, encoding="utf-8")
    return path


def test_numbers_are_listed_with_values_and_units(pendulum: Path) -> None:
    text = call("numbers", pendulum)
    assert [line.split() for line in text.splitlines() if line.startswith(("rod.length", "L "))] == [
        ["rod.length", "1", "m", "L/1.2"],
        ["L", "1.2", "m", "0.5", "to", "∞"],
    ]


def test_numbers_as_data(pendulum: Path) -> None:
    found = json.loads(call("numbers", pendulum, "--set", "L=0.6", "--json"))["numbers"]
    assert found["rod.length"] == {"value": 0.5, "unit": "m", "formula": "L/1.2"}
    assert found["L"] == {"value": 0.6, "unit": "m", "lower": 0.5}


def test_problems_have_numbers_too() -> None:
    found = json.loads(call("numbers", "andrews", "--json"))["numbers"]
    assert found["OF.mass"]["unit"] == "kg"


def test_a_pendulum_with_another_length_starts_with_another_energy(pendulum: Path) -> None:
    """m g l/2 above the lowest position, with the sine of the angle of the start."""
    data = json.loads(
        call("simulate", pendulum, "--t-end", "0.1", "--set", "L=720 mm", "--set", "rod.mass=2", "--json")
    )
    assert data["energy_start"] == pytest.approx(0.5 * 2 * 9.81 * 0.6 * 0.29552020666133955)
    assert data["set"] == ["L=720 mm", "rod.mass=2"]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("rod.lenght=1", "has no number 'rod.lenght'; did you mean 'rod.length'?"),
        ("L=0.1", "Parameter 'L' is 0.1 m, beyond its bounds, 0.5 to ∞ m"),
        ("L=3 kg", "--set L is '3 kg', which is a mass"),
        ("rod.mass=-1", "it must be zero or positive"),
        ("rod.mass=big", "write it as NAME=NUMBER"),
    ],
)
def test_what_cannot_be_set_is_told(pendulum: Path, setting: str, words: str) -> None:
    assert words in complaint("simulate", str(pendulum), "--t-end", "1", "--set", setting)

"""The map of the code shows all packages, in the order that the linter enforces."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_house", ROOT / "docs" / "make_house.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_picture_is_up_to_date(house: ModuleType) -> None:
    assert house.picture() == house.PICTURE.read_text(encoding="utf-8"), "run python docs/make_house.py"


def test_every_package_has_its_floor(house: ModuleType) -> None:
    packages = {path.parent.name for path in (ROOT / "src" / "grashof").glob("*/__init__.py")}
    assert {package for floor in house.floors() for package in floor} == packages


def test_the_map_in_words_has_the_same_order(house: ModuleType) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text[text.index("| packages, in order |") : text.index("`lint-imports` (part of")]
    lines = [line for line in table.splitlines()[2:] if line]
    listed = [word.strip(" `") for line in lines for word in line.split("|")[1].split(",")]
    floors = {package: number for number, floor in enumerate(house.floors()) for package in floor}
    assert set(listed) == set(floors)
    assert [floors[package] for package in listed] == sorted(floors.values())

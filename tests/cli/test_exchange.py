"""`grashof convert`, `grashof audit`, and files of other programs in other commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.files import PENDULUM
from tests.cli.test_run import call

DATA = Path(__file__).parent.parent / "exchange" / "data"


@pytest.fixture
def pendulum(tmp_path: Path) -> Path:
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM, encoding="utf-8")
    return path


def test_every_format_leads_to_every_other_one(pendulum: Path, tmp_path: Path) -> None:
    before = pendulum
    for ending in (".osim", ".xml", ".toml", ".mjcf", ".osim", ".toml"):
        after = tmp_path / f"after{ending}"
        assert json.loads(call("convert", before, after, "--strict", "--json"))["not_written"] == []
        before = tmp_path / f"step{ending}"
        before.write_bytes(after.read_bytes())
    first, last = (json.loads(call("simulate", path, "--t-end", "1", "--json")) for path in (pendulum, before))
    assert last["final"]["rod.angle"] == pytest.approx(first["final"]["rod.angle"], abs=1e-5)


@pytest.mark.parametrize("name", ["robot.sdf", "robot.dae"])
def test_an_ending_that_is_none_or_only_read_is_refused(pendulum: Path, tmp_path: Path, name: str) -> None:
    call("convert", pendulum, tmp_path / name, code=2)
    assert not (tmp_path / name).exists()


def test_commands_take_files_of_other_programs() -> None:
    path = DATA / "andrews-chain.osim"
    assert "1 degree of freedom" in call("mobility", path)
    assert "OF.mass" in call("numbers", path)
    assert "no contradictions were found" in call("audit", path)


def test_what_is_left_out_is_at_the_top_of_the_report_and_strict_refuses_it(tmp_path: Path) -> None:
    text = (DATA / "andrews-chain.osim").read_text(encoding="utf-8")
    path = tmp_path / "arm.osim"
    path.write_text(
        text.replace("<PointToPointSpring", '<Thelen2003Muscle name="biceps" /><PointToPointSpring', 1),
        encoding="utf-8",
    )
    report = call("simulate", path, "--t-end", "0.001").splitlines()
    assert report[0].startswith("left out")
    assert "Thelen2003Muscle 'biceps'" in report[0]
    data = json.loads(call("simulate", path, "--t-end", "0.001", "--json"))
    assert len(data["left_out"]) == 1
    call("simulate", path, "--t-end", "0.001", "--strict", code=2)
    call("mobility", path, "--strict", code=2)


def test_an_audit_finds_what_contradicts(pendulum: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(PENDULUM.replace("mass = 1.0", "mass = 1.5"), encoding="utf-8")
    (found,) = json.loads(call("audit", other, "--against", pendulum, "--json", code=1))["findings"]
    assert (found["item"], found["declared"], found["expected"]) == ("rod.mass", 1.5, 1.0)

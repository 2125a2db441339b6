"""The cache never answers with machine code of other sources: every module that takes part in making a program is in
its key."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grashof
from grashof.common import sources

BUILDING = """
import sys
from grashof.model.mechanism import Mechanism
from grashof.program import build

m = Mechanism("parallelogram", gravity=(0, -9.81))
a, b, c = (m.bar(name, length=length, mass=1.0) for name, length in (("a", 1.0), ("b", 2.0), ("c", 1.0)))
m.revolute(m.ground.at(0, 0), a.start)
m.revolute(a.end, b.start)
m.revolute(b.end, c.end)
m.revolute(c.start, m.ground.at(2, 0))
m.spring(a.end, m.ground.at(1, 2), stiffness=20.0, length=0.5, damping=0.1)
m.need(a.angle, value=0.5)
build(m)

m = Mechanism("pendulum", gravity=(0, 0, -9.81))
rod = m.bar("rod", start=(0, 0, 0), end=(0.6, 0, -0.8), mass=2.0)
m.spherical(m.ground.at(0, 0, 0), rod.start)
build(m)
print(*(module.__file__ for name, module in sys.modules.items() if name.split(".")[0] == "grashof"), sep="\\n")
"""

PACKAGE = Path(grashof.__file__).parent


@pytest.fixture(scope="module")
def parts() -> list[Path]:
    """The files of all modules that a process has imported after it has built two mechanisms, relative to the
    package."""
    environment = {**os.environ, "GRASHOF_CACHE": "off"}
    said = subprocess.run(
        [sys.executable, "-c", BUILDING], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    return sorted(Path(line).relative_to(PACKAGE) for line in said.stdout.split())


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package's sources, of which hashes are taken."""
    copy = tmp_path / "grashof"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "bundle", "data"))
    monkeypatch.setattr(sources, "__file__", str(copy / "common" / "sources.py"))
    return copy


def test_a_change_of_any_module_that_builds_a_program_changes_the_key(parts: list[Path], copied: Path) -> None:
    assert Path("scalar/algebra.py") in parts
    before = sources.digest.__wrapped__()
    unseen = []
    for part in parts:
        path = copied / part
        content = path.read_bytes()
        path.write_bytes(content + b"\n")
        if sources.digest.__wrapped__() == before:
            unseen.append(part.as_posix())
        path.write_bytes(content)
    assert unseen == []
    assert sources.digest.__wrapped__() == before


def test_a_module_that_nobody_has_listed_counts(copied: Path) -> None:
    before = sources.digest.__wrapped__()
    (copied / "new").mkdir()
    (copied / "new" / "module.py").write_text("")
    assert sources.digest.__wrapped__() != before


def test_a_change_of_what_only_uses_programs_leaves_the_cache_as_it_is(copied: Path) -> None:
    before, whole = sources.digest.__wrapped__(), sources.whole_digest.__wrapped__()
    with (copied / "cli" / "app.py").open("a") as file:
        file.write("\n")
    assert sources.digest.__wrapped__() == before
    assert sources.whole_digest.__wrapped__() != whole

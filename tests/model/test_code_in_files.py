"""The functions of user forces: a file names them, and they are run only if that is allowed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from grashof.common.errors import ModelError
from grashof.model.files import dumps, load, loads
from grashof.model.mechanism import Mechanism

WIND = """
format = "grashof 1"
name = "flag"
[ground]
o = [0, 0]
[[bodies]]
type = "bar"
name = "flag"
length = 1
[[forces]]
type = "user"
name = "wind"
on = ["flag.end"]
function = "{}"
"""


def write_wind(folder: Path, module: str, code: str, function: str = "blow") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{module}.py").write_text(code)
    path = folder / "flag.toml"
    path.write_text(WIND.format(f"{module}:{function}"))
    return path


def test_code_is_not_loaded_unless_allowed(tmp_path: Path) -> None:
    path = write_wind(tmp_path, "wind_refused", "raise SystemExit('this ran')")
    with pytest.raises(ModelError, match=r"flag\.toml: Force 'wind': .*allow_code=True"):
        load(path)
    assert "wind_refused" not in sys.modules


def test_allowed_code_comes_from_the_folder_of_the_file(tmp_path: Path) -> None:
    path = write_wind(
        tmp_path, "wind_allowed", "import sys\npath = list(sys.path)\ndef blow(t, p, v): return [[1.0, 0.0]]"
    )
    before = list(sys.path)
    model = load(path, allow_code=True)
    assert sys.path == before
    assert sys.modules["wind_allowed"].path[0] == str(tmp_path.resolve())
    assert load(path) == model


@pytest.mark.parametrize(
    ("module", "code", "words"),
    [
        ("wind_raises", "1/0", "ZeroDivisionError"),
        ("wind_syntax", "def", "SyntaxError"),
        ("wind_leaves", "raise SystemExit(3)", "SystemExit"),
        ("wind_empty", "", "has no attribute 'blow'"),
        ("wind_value", "blow = 3", "is 3, not a function"),
    ],
)
def test_code_that_fails_is_named(tmp_path: Path, module: str, code: str, words: str) -> None:
    with pytest.raises(ModelError, match=rf"flag\.toml: Force 'wind': .*{module}:blow.*{words}"):
        load(write_wind(tmp_path, module, code), allow_code=True)


@pytest.mark.parametrize("function", ["wind", "wind:", ":blow", "no_such_module_anywhere:blow"])
def test_a_function_is_named_by_module_and_function(function: str) -> None:
    with pytest.raises(ModelError, match=f"Force 'wind': The force function '{function}'"):
        loads(WIND.format(function), allow_code=True)


def test_two_folders_with_one_module_name_are_not_mixed_up(tmp_path: Path) -> None:
    code = "def blow(t, p, v): return [[1.0, 0.0]]"
    load(write_wind(tmp_path / "one", "wind_twice", code), allow_code=True)
    with pytest.raises(ModelError, match="another module 'wind_twice' is loaded already"):
        load(write_wind(tmp_path / "two", "wind_twice", code), allow_code=True)


def test_a_function_that_no_file_can_name_is_not_saved() -> None:
    m = Mechanism("flag")
    m.user_force(lambda t, p, v: [[1.0, 0.0]], [m.bar("flag", length=1.0).end], name="wind")
    with pytest.raises(ModelError, match=r"Force 'wind': .* at the top of a module of its own"):
        dumps(m.model)


def test_other_engines_find_code_beside_the_file(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    path = write_wind(tmp_path, "wind_elsewhere", "def blow(t, p, v): return [[1.0, 0.5]]")
    path.write_text(path.read_text().replace("length = 1", "length = 1\nmass = 1"))
    command = [sys.executable, "-c", "from grashof.cli import main; main()", "second-opinion", str(path)]
    command += ["--t-end", "0.5", "--engines", "scipy", "--allow-code", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert '"reason": null' in done.stdout.partition('"scipy"')[2]

"""The types of the engine in TypeScript are those of Python, and its constants stand in Python."""

import re

from grashof.live.typescript import live_declarations
from tests.live.node import WEB

OWN = {"STACK", "PAGE"}
"""Constants of the engine in TypeScript: sizes of the memory that WebAssembly has."""


def test_the_typescript_twin_is_current() -> None:
    assert (WEB / "src" / "live" / "data.ts").read_text(encoding="utf-8") == live_declarations()


def test_numbers_that_decide_about_a_motion_stand_in_python() -> None:
    for path in (WEB / "src" / "live").glob("*.ts"):
        found = re.findall(r"^(?:export )?const (\w+) =", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(found) <= OWN, path.name

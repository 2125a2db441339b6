"""The types and the constants of the engine in TypeScript are those of Python."""

import re

from grashof.live.typescript import CONSTANTS, live_declarations
from tests.live.node import WEB


def test_the_typescript_twin_is_current() -> None:
    assert (WEB / "src" / "live" / "data.ts").read_text(encoding="utf-8") == live_declarations()


def test_no_constant_of_python_is_written_again_by_hand() -> None:
    shared = {name for names in CONSTANTS.values() for name in names}
    for path in (WEB / "src" / "live").glob("*.ts"):
        if path.name != "data.ts":
            own = set(re.findall(r"^(?:export )?const (\w+) =", path.read_text(encoding="utf-8"), re.MULTILINE))
            assert not own & shared, path.name

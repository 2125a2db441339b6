"""The types of the engine in TypeScript are those of Python."""

from grashof.live.typescript import live_declarations
from tests.live.node import WEB


def test_the_typescript_twin_is_current() -> None:
    assert (WEB / "src" / "live" / "data.ts").read_text(encoding="utf-8") == live_declarations()

"""The viewer's types are those of Python."""

from pathlib import Path

from grashof.view.typescript import CONTENTS, declarations

TWIN = Path(__file__).parents[2] / "web" / "src" / "scene.ts"


def test_the_typescript_twin_of_what_pages_hold_is_current() -> None:
    assert TWIN.read_text(encoding="utf-8") == declarations(*CONTENTS)

"""The viewer's types are those of Python."""

from pathlib import Path

from grashof.scene import Scene
from grashof.scene.typescript import declarations

TWIN = Path(__file__).parents[2] / "web" / "src" / "scene.ts"


def test_the_typescript_twin_of_the_description_is_current() -> None:
    assert TWIN.read_text(encoding="utf-8") == declarations(Scene)

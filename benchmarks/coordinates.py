"""Which modules know that a mechanism is in natural coordinates: `python -m benchmarks.coordinates [folder]`.

Modules outside the formulations that read the matrix of the accelerations (`kkt`), the mass matrix or the frames of a
system, or that assume as many velocities as coordinates (`2 * n`); and all that import anything of natural coordinates.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

SOURCES = Path(__file__).parents[1] / "src" / "grashof"
INSIDE = ("formulation/", "engines/maximal/", "system/", "dynamics/")
"""The formulations; the last two are their former places."""


def signs(tree: ast.Module) -> Iterator[str]:
    """What a module knows about natural coordinates."""
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith(("grashof.system", "grashof.dynamics")):
                yield "imports"
            case ast.ImportFrom(module=str(module)) if module.startswith("grashof.formulation.natural"):
                yield "imports"
            case ast.Attribute(attr="kkt"):
                yield "kkt"
            case ast.Attribute(
                attr="mass" | "frames" as name, value=ast.Name(id="system") | ast.Attribute(attr="system")
            ):
                yield f"system.{name}"
            case ast.BinOp(left=ast.Constant(value=2), op=ast.Mult(), right=ast.Name(id="n") | ast.Attribute(attr="n")):
                yield "2 * n"


def readers(sources: Path = SOURCES) -> dict[str, set[str]]:
    """For each sign, the modules outside the formulations that show it."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(sources.rglob("*.py")):
        name = path.relative_to(sources).as_posix()
        if not name.startswith(INSIDE):
            for sign in signs(ast.parse(path.read_text())):
                found[sign].add(name)
    return found


def main() -> None:
    """Counts, and prints a table."""
    found = readers(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCES)
    table = Table("sign", "modules", "which")
    for sign, names in sorted(found.items(), key=lambda item: len(item[1])):
        table.add_row(sign, str(len(names)), " ".join(sorted(names)) if sign != "imports" else "")
    known = set().union(*(names for sign, names in found.items() if sign != "imports"))
    table.add_row("any but imports", str(len(known)))
    Console(width=160).print(table)


if __name__ == "__main__":
    main()

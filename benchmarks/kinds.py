"""How often code outside the kinds asks for a kind ("is it a Revolute?"): `python -m benchmarks.kinds [--places]`.

Kinds are the classes of joints, forces, measures, couplings and bodies. Found in the syntax trees of the package are
`isinstance` and `issubclass`, `case Kind()`, comparisons with a kind, and tables and lists of kinds: each such place
counts once, whatever the number of kinds in it.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import grashof

ROOT = Path(grashof.__file__).parent

HOMES = {
    "joints": "model/joints",
    "forces": "model/forces",
    "measures": "model/measures",
    "couplings": "model/couplings",
    "bodies": "model/bodies.py",
}
"""Where the kinds are defined."""


class Question(NamedTuple):
    """A place that asks for kinds of one sort."""

    sort: str
    file: str
    line: int


def kinds() -> dict[str, str]:
    """The sort of each kind, by the name of its class, of its base class or of the union of all."""
    found: dict[str, str] = {}
    for sort, home in HOMES.items():
        files = (ROOT / home).glob("*.py") if (ROOT / home).is_dir() else [ROOT / home]
        classes = [
            node for file in files for node in ast.parse(file.read_text()).body if isinstance(node, ast.ClassDef)
        ]
        union = {"bodies": "Body"}.get(sort, sort.removesuffix("s").capitalize())
        found |= dict.fromkeys([union, *(node.name for node in classes)], sort)
    return found


def questions() -> list[Question]:
    """All places outside the kinds that ask for them."""
    sorts, found = kinds(), []
    for path in sorted(ROOT.rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        if not file.startswith(tuple(HOMES.values())):
            found += [Question(sort, file, line) for sort, line in _in_file(ast.parse(path.read_text()), sorts)]
    return found


def _in_file(tree: ast.Module, sorts: dict[str, str]) -> Iterator[tuple[str, int]]:
    homes = tuple(f"grashof.{home.removesuffix('.py').replace('/', '.')}" for home in HOMES.values())
    classes, modules = {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                if node.module.startswith(homes) and name.name in sorts:
                    classes[name.asname or name.name] = sorts[name.name]
                elif f"{node.module}.{name.name}" in homes:
                    modules.add(name.asname or name.name)

    def named(*nodes: ast.AST | None) -> set[str]:
        """The sorts of the kinds that are named somewhere in these expressions."""
        found = set()
        for node in (inner for outer in nodes if outer is not None for inner in ast.walk(outer)):
            if isinstance(node, ast.Name) and node.id in classes:
                found.add(classes[node.id])
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
                found.add(sorts.get(node.attr, ""))
        return found - {""}

    def asked(node: ast.AST) -> set[str]:
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, of]):
                return named(of)
            case ast.MatchClass():
                return named(node.cls)
            case ast.Compare():
                return named(*(x for x in (node.left, *node.comparators) if not isinstance(x, ast.Call)))
            case ast.Dict():
                return named(*node.keys)
            case ast.Assign(value=ast.Tuple() | ast.List() | ast.Set() as listed):
                return named(*(x for x in listed.elts if isinstance(x, ast.Name | ast.Attribute | ast.Starred)))
        return set()

    for node in ast.walk(tree):
        for sort in sorted(asked(node)):
            yield sort, getattr(node, "lineno", 0)


def table() -> Table:
    """The number of questions, by the part of the package that asks and by sort."""
    rows: dict[str, Counter[str]] = {}
    for question in questions():
        rows.setdefault(question.file.partition("/")[0].removesuffix(".py"), Counter())[question.sort] += 1
    shown = Table("asks for kinds of", *HOMES, "together")
    for part, counts in sorted(rows.items()):
        shown.add_row(part, *(str(counts[sort]) for sort in HOMES), str(counts.total()))
    total = sum(rows.values(), Counter[str]())
    shown.add_section()
    shown.add_row("", *(str(total[sort]) for sort in HOMES), str(total.total()))
    return shown


def main() -> None:
    """Prints the table; with `--places`, also every place."""
    console = Console()
    if "--places" in sys.argv[1:]:
        for question in questions():
            console.print(f"{question.file}:{question.line} {question.sort}", highlight=False)
    console.print(table())


if __name__ == "__main__":
    main()

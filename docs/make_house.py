"""Draws the map of the code, docs/images/house.svg: `python docs/make_house.py`.

The floors and their order are those that the linter of imports enforces (pyproject.toml),
and what is said of a package is the beginning of its docstring.
"""

from __future__ import annotations

import ast
import tomllib
from html import escape
from pathlib import Path

DOCS = Path(__file__).parent
PICTURE = DOCS / "images" / "house.svg"

WAYS = {
    "a mechanism: from a file to a curve": {
        "cli": "1 grashof simulate",
        "model": "2 a checked description",
        "program": "3 build",
        "formulation": "4 equations, presolve",
        "assembly": "5 a consistent start",
        "branch": "6 equations of the branch",
        "tape": "7 machine code",
        "changes": "8 kinks, narrow changes",
        "simulation": "9 runs within tolerance",
        "integrate": "10 the time loop",
        "singular": "11 sides, crossings",
        "quantities": "12 names, units, values",
        "motion": "13 a trajectory",
        "show": "14 curves, tables",
    },
    "a result file: from a table to a verdict": {
        "cli": "1 grashof verify",
        "problems": "2 case, columns, rule",
        "exchange": "3 a storage file's table",
        "references": "5 a certified solution",
        "judge": "4 rows, 6 verdict",
        "reports": "7 a page about it",
        "server": "or: upload",
    },
    "a sweep's row: from numbers to outputs": {
        "cli": "1 grashof sweep",
        "sweeps": "2 study, 9 table",
        "model": "3 numbers by their paths",
        "program": "4 open numbers",
        "formulation": "5 one structure",
        "tape": "6 vector code",
        "integrate": "7 runs in lanes",
        "quantities": "8 the same quantities",
    },
    "a live page: simulated by the browser": {
        "cli": "1 grashof live",
        "live": "2 data of the page",
        "program": "3 open numbers",
        "formulation": "4 one structure",
        "tape": "5 WebAssembly",
        "integrate": "6 the time loop",
        "quantities": "7 the same quantities",
        "scene": "8 symbols, poses",
        "view": "9 page, viewer",
    },
}
"""What each package does on a way, in the order of the numbers."""

COLOURS = ("#1f77b4", "#b3560b", "#2a7d2a", "#8a4fb5")
ROW, TOP, NAME, TEXT, WAY = 20, 64, 14, 104, 150
WIDTH = 600 + WAY * len(WAYS)


def floors() -> list[tuple[str, ...]]:
    """The packages in the order in which data flows, those of one floor together."""
    project = tomllib.loads(
        (DOCS.parent / "pyproject.toml").read_text(encoding="utf-8")
    )
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    return [
        tuple(part.strip().removeprefix("grashof.") for part in layer.split(":"))
        for layer in reversed(layers)
    ]


def purpose(package: str) -> str:
    """The first sentence of a package's docstring, as far as there is room."""
    file = DOCS.parent / "src" / "grashof" / package / "__init__.py"
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    said = (
        " ".join(text.split("\n\n")[0].split())
        .split(". ")[0]
        .rstrip(".")
        .replace("`", "")
    )
    return said if len(said) <= 74 else said[:73].rsplit(" ", 1)[0].rstrip(",:") + " …"


def picture() -> str:
    """The map as SVG."""
    packages = [package for floor in floors() for package in floor]
    height = TOP + ROW * len(packages) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    y = TOP
    for number, floor in enumerate(floors()):
        shade = "#f3f5f8" if number % 2 else "#ffffff"
        parts.append(
            f'<rect y="{y - 14}" width="{WIDTH}" height="{ROW * len(floor)}" fill="{shade}"/>'
        )
        for package in floor:
            parts.append(f'<text x="{NAME}" y="{y}" font-weight="600">{package}</text>')
            parts.append(
                f'<text x="{TEXT}" y="{y}" fill="#444444">{escape(purpose(package))}</text>'
            )
            y += ROW
    for number, ((title, stations), colour) in enumerate(
        zip(WAYS.items(), COLOURS, strict=True)
    ):
        x = 600 + WAY * number
        for line, words in enumerate(title.split(": ")):
            weight = "600" if line == 0 else "400"
            parts.append(
                f'<text x="{x - 4}" y="{20 + 14 * line}" fill="{colour}" '
                f'font-weight="{weight}" font-size="11">{words}</text>'
            )
        heights = [TOP + ROW * packages.index(package) - 4 for package in stations]
        parts.append(
            f'<path d="M{x} {min(heights)}V{max(heights)}" stroke="{colour}" '
            'stroke-width="2" fill="none"/>'
        )
        for height_of, words in zip(heights, stations.values(), strict=True):
            parts.append(f'<circle cx="{x}" cy="{height_of}" r="4" fill="{colour}"/>')
            parts.append(
                f'<text x="{x + 9}" y="{height_of + 4}" font-size="11">{escape(words)}</text>'
            )
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")

"""The lowest versions that pyproject.toml allows, as requirements for pip: `python scripts/lowest.py sweep web`
prints them for this Python."""

from __future__ import annotations

import platform
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def lowest(extras: Sequence[str], python: str) -> list[str]:
    """`name==version` of every direct dependency, with these extras, for a version of Python such as "3.11"."""
    found: dict[str, Version] = {}
    for requirement in _requirements(extras, python):
        for bound in requirement.specifier:
            if bound.operator == ">=":
                found[requirement.name] = max(found.get(requirement.name, Version("0")), Version(bound.version))
    return [f"{name}=={version}" for name, version in found.items()]


def _requirements(extras: Sequence[str], python: str) -> Iterator[Requirement]:
    lines = list(PROJECT["dependencies"])
    for extra in extras:
        lines += PROJECT["optional-dependencies"][extra]
    for requirement in map(Requirement, lines):
        if requirement.marker and not requirement.marker.evaluate({"python_version": python}):
            continue
        if requirement.name == PROJECT["name"]:
            yield from _requirements(sorted(requirement.extras), python)
        else:
            yield requirement


if __name__ == "__main__":
    print(*lowest(sys.argv[1:], ".".join(platform.python_version_tuple()[:2])))

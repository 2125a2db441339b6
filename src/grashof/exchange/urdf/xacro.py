"""Expands the macros of xacro, in which most robots of ROS are written, by the library of that name; ROS is not needed.

xacro evaluates the expressions of a document as Python, and includes other files. Therefore this is done only if it is
allowed.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from xml.parsers import expat

from grashof.common.errors import ModelError
from grashof.exchange.xml import LARGEST, Element, parse

NEAR = 4
"""Packages are looked for beside so many folders above a document."""
_AMENT = "ament_index_python"


def read(
    path: str | os.PathLike[str],
    allow_code: bool = False,
    packages: str | os.PathLike[str] | None = None,
    arguments: str = "",
) -> Element:
    """The root of the expanded document; `packages` and `arguments` as in `load`."""
    if not allow_code:
        raise ModelError(
            "xacro evaluates the expressions of a file as Python, and includes other files: allow it for files you "
            "trust, by allow_code=True in Python or --allow-code on the command line."
        )
    try:
        import xacro
    except ModuleNotFoundError as problem:
        raise ModelError(
            f'files in xacro need {problem.name}: install it with `pip install "grashof[xacro]"`.'
        ) from None
    given = dict(_argument(word) for word in arguments.split())
    with open(path, "rb"):
        pass  # so that a file that is not there is refused as others are
    missing: list[ModelError] = []
    try:
        with _packages(Path(path), packages, missing), contextlib.redirect_stderr(io.StringIO()):
            text = xacro.process_file(os.fspath(path), mappings=given).toxml()
    except expat.ExpatError as problem:
        raise ModelError(f"this is not XML: {expat.errors.messages[problem.code]}, line {problem.lineno}.") from None
    except Exception as problem:  # whatever its expressions raise
        if missing:
            raise missing[0] from None
        said = " ".join(str(problem).split()) or type(problem).__name__
        raise ModelError(f"xacro cannot expand it: {said[:300]}.") from None
    if len(text) > LARGEST:
        raise ModelError(f"the expanded document has more than {LARGEST:,} characters.")
    return parse(text.encode())


def _argument(word: str) -> tuple[str, str]:
    name, sign, value = word.partition(":=")
    if not (name and sign):
        raise ModelError(f"arguments contain '{word}'; write NAME:=VALUE, separated by blanks.")
    return name, value


@contextlib.contextmanager
def _packages(document: Path, folder: str | os.PathLike[str] | None, missing: list[ModelError]) -> Iterator[None]:
    """Packages are found in folders instead of an installation of ROS, which xacro asks by a module of ROS; `missing`
    gets those that are not there."""

    def find(name: str) -> str:
        try:
            return find_package(name, document, folder)
        except ModelError as problem:
            missing.append(problem)
            raise

    stub, found = ModuleType(_AMENT), ModuleType(f"{_AMENT}.packages")
    found.get_package_share_directory = find  # type: ignore[attr-defined]
    names = {_AMENT: stub, f"{_AMENT}.packages": found}
    before = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def find_package(name: str, document: Path, folder: str | os.PathLike[str] | None) -> str:
    """The folder of a package: below `folder`, or one of the document's own folders or beside them."""
    if folder is not None:
        near = [path for path in Path(folder).rglob(name) if path.is_dir()]
        near.sort(key=lambda path: (not (path / "package.xml").exists(), len(path.parts)))
    else:
        above = [path for path in document.resolve().parents if path.name][: NEAR + 1]
        near = [path for path in above if path.name == name]
        near += [path.parent / name for path in above if (path.parent / name).is_dir()]
    if not near:
        raise ModelError(
            f"there is no folder of the package '{name}' {'in ' + os.fspath(folder) if folder else 'near the file'}; "
            "choose packages=FOLDER, a folder in which it is."
        )
    return str(near[0])

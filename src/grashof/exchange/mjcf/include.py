"""Files that an MJCF document refers to: other documents that it includes, and meshes.

Only files in the folder of the document, or in folders below it, are opened: a model from an untrusted source cannot
cause any other file to be read. A larger folder can be permitted explicitly.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from grashof.common.errors import ModelError
from grashof.common.writing import read_at_most
from grashof.exchange import xml
from grashof.exchange.xml import Element

DEEPEST = 20
"""The deepest nesting of included documents."""


@dataclass(frozen=True)
class FileFolder:
    """The folder of a document, and the folder in which, or below which, all files are that it may refer to."""

    path: Path
    within: Path

    @classmethod
    def of(cls, document: Path | None, within: Path | None) -> FileFolder | None:
        """Those of a document; None if it was not read from a file."""
        if document is None:
            return None
        own = document.parent
        if within is not None and not own.resolve().is_relative_to(within.resolve()):
            raise ModelError(f"the document is not in the folder '{within}', within which its files must be.")
        return cls(own, (own if within is None else within).resolve())


def expand_includes(root: Element, folder: FileFolder | None) -> Element:
    """The document with every `include` replaced by the content of the file that it names, as MuJoCo does it."""
    if any(part.tag == "include" for part in root.walk()):
        _Includer(folder).expand(root, None if folder is None else folder.path, 0)
    return root


def beside(folder: FileFolder | None, names: list[Path]) -> bytes:
    """The content of the first of these files that exists, relative to the document's folder; raises ModelError if none
    can be read.
    """
    if folder is None:
        raise ModelError(
            "the document was not read from a file, so there is no folder in which to look for other files."
        )
    top = folder.path.resolve()
    for name in names:
        try:
            found = (top / name).resolve()
            if name.is_absolute() or not found.is_relative_to(folder.within):
                raise ModelError(
                    f"'{name}' is outside the folder of the model, and only files in that folder or below it "
                    "are read; copy it there, or permit a larger folder (within=…, --within)."
                )
            if found.is_file():
                return read_at_most(found, xml.LARGEST)
        except ModelError:
            raise
        except (OSError, ValueError, RuntimeError) as problem:  # not readable, an invalid name, or circular links
            raise ModelError(f"the file '{name}' cannot be read ({problem}).") from None
    raise ModelError(f"there is no file '{names[0]}' in the folder of the model; put it there.")


class _Includer:
    """Replaces includes; each file may be included once, and all together may not be larger than one document."""

    def __init__(self, place: FileFolder | None) -> None:
        self.place, self.folder = place, None if place is None else place.path
        self.seen: set[str] = set()
        self.bytes = self.elements = 0

    def expand(self, element: Element, folder: Path | None, depth: int) -> None:
        waiting = [element]
        while waiting:
            here = waiting.pop()
            if any(child.tag == "include" for child in here.children):
                replaced: list[Element] = []
                for child in here.children:
                    replaced += self._included(child, folder, depth) if child.tag == "include" else [child]
                here.children = replaced
            waiting += here.children

    def _included(self, include: Element, folder: Path | None, depth: int) -> list[Element]:
        name = include.attributes.get("file", "")
        if not name:
            raise ModelError(f'{include.place}: the file to include is missing; add file="…".')
        if depth >= DEEPEST:
            raise ModelError(
                f"{include.place}: included documents are nested more than {DEEPEST} deep, which is not supported."
            )
        try:
            # MuJoCo looks in the folder of the model, then in that of the document which includes
            options = [Path(name)]
            if folder is not None and self.folder is not None and folder != self.folder:
                options.append(Path(os.path.relpath(folder, self.folder)) / name)
            content = beside(self.place, options)
        except ModelError as problem:
            raise ModelError(f"{include.place}: {problem}") from None
        if name in self.seen:
            raise ModelError(f"{include.place}: '{name}' has already been included; MuJoCo includes a file only once.")
        self.seen.add(name)
        try:
            root = xml.parse(content, name)
        except ModelError as problem:
            raise ModelError(f"{include.place}: in '{name}', {problem}") from None
        self.bytes += len(content)
        self.elements += sum(1 for _ in root.walk())
        if self.bytes > xml.LARGEST or self.elements > xml.MOST_ELEMENTS:
            raise ModelError(
                f"{include.place}: with this file the included documents exceed the limit of {xml.LARGEST:,} "
                f"bytes or {xml.MOST_ELEMENTS:,} elements."
            )
        below = self.folder if self.folder is None else (self.folder / name).parent
        self.expand(root, below, depth + 1)
        return root.children

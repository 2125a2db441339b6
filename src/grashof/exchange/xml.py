"""Reads and writes the XML of other programs. Documents are read within limits and treated as data only.

Declarations (DTD) are refused, so there are no entities to expand and no external files or addresses to read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.parsers import expat

from grashof.common.errors import ModelError
from grashof.common.writing import read_at_most

LARGEST = 32 * 2**20
"""Bytes of a file."""
MOST_ELEMENTS = 200_000
DEEPEST = 100
"""Elements within elements."""


@dataclass(eq=False)
class Element:
    """An element: its tag, its attributes, the line in which it begins, the pieces of its own text, and its file if
    that is not the document's own."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    line: int = 0
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    source: str = ""

    @property
    def text(self) -> str:
        """Its text."""
        return "".join(self.pieces)

    @property
    def name(self) -> str:
        """Its attribute `name`."""
        return self.attributes.get("name", "")

    @property
    def place(self) -> str:
        """Where it is, in words."""
        line = f"line {self.line} of {self.source}" if self.source else f"line {self.line}"
        return f"{line}, {self.tag}" + (f" '{self.name}'" if self.name else "")

    def all(self, *tags: str) -> list[Element]:
        """The children with one of these tags; all without."""
        return [child for child in self.children if not tags or child.tag in tags]

    def first(self, *tags: str) -> Element | None:
        """The first child with one of these tags."""
        return next(iter(self.all(*tags)), None)

    def walk(self) -> Iterator[Element]:
        """Itself, and all that is in it."""
        waiting = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting += reversed(here.children)

    def value(self, tag: str, default: str = "") -> str:
        """The text of a child."""
        found = self.first(tag)
        return default if found is None else found.text.strip()


def read(path: str | os.PathLike[str]) -> Element:
    """The root of a file. Files that are not XML, are too large or too deeply nested, or contain declarations are
    refused; the message does not name the file.
    """
    return parse(read_at_most(path, LARGEST))


def parse(content: bytes, source: str = "") -> Element:
    """The root of a document; its elements take the name of their file from `source`."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    stack: list[Element] = [Element("")]
    count = 0

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS:
            raise ModelError(f"the document exceeds the limit of {MOST_ELEMENTS:,} elements.")
        if len(stack) > DEEPEST:
            raise ModelError(
                f"line {parser.CurrentLineNumber}: elements are nested more than {DEEPEST} deep, which is not "
                "supported."
            )
        made = Element(tag, attributes, parser.CurrentLineNumber, source=source)
        stack[-1].children.append(made)
        stack.append(made)

    def end(tag: str) -> None:
        stack.pop()

    def text(data: str) -> None:
        stack[-1].pieces.append(data)

    def refuse(*given: object) -> None:
        raise ModelError(
            f"line {parser.CurrentLineNumber}: the document contains declarations (DOCTYPE or entities), which "
            "are not accepted; remove them."
        )

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, end, text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse  # type: ignore[assignment]
    try:
        parser.Parse(_declaration_first(content), True)
    except expat.ExpatError as problem:
        raise ModelError(f"this is not XML: {expat.errors.messages[problem.code]}, line {problem.lineno}.") from None
    except (ValueError, LookupError) as problem:  # unknown encoding
        if isinstance(problem, ModelError):
            raise
        raise ModelError(f"this cannot be read as XML: {problem}.") from None
    return stack[0].children[0]


def _declaration_first(content: bytes) -> bytes:
    """The document with its XML declaration moved before blank lines that precede it, as the standard wants it; lines
    keep their numbers."""
    begin = len(content) - len(content.lstrip())
    end = content.find(b"?>", begin) + 2
    if not begin or not content.startswith(b"<?xml", begin) or end < 2 or b"\n" in content[begin:end]:
        return content
    return content[begin:end] + content[:begin] + content[end:]


class Maker:
    """An element that is being written."""

    def __init__(self, tag: str, **attributes: str) -> None:
        self.element = ElementTree.Element(tag, attributes)

    def add(self, tag: str, text: object = None, **attributes: str) -> Maker:
        """Adds a child; its text may be a number or several of them, which keep their last bit."""
        made = Maker(tag, **attributes)
        made.element.text = None if text is None else xml_text(text)
        self.element.append(made.element)
        return made

    def document(self) -> str:
        """The whole document as text."""
        ElementTree.indent(self.element, "  ")
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(self.element, "unicode") + "\n"


def xml_text(value: object) -> str:
    """A number, several numbers or a text as written in XML.

    >>> xml_text((0.1, 2.0)), xml_text(True), xml_text("z")
    ('0.1 2', 'true', 'z')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(float(value) + 0.0).removesuffix(".0")
    return " ".join(xml_text(x) for x in value)  # type: ignore[attr-defined]

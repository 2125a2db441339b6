"""The text of an assembly: lines that are indented by tabs, each of which belongs to the nearest line above it that is
indented less.

Every line becomes an element whose tag is its text; a value is the first line below its name.
"""

from __future__ import annotations

import os

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.writing import read_at_most
from grashof.exchange.moves import Frame
from grashof.exchange.parsing import numbers
from grashof.exchange.xml import DEEPEST, LARGEST, MOST_ELEMENTS, Element

HEADERS = ("OndselSolver", "freeCAD: ")
"""How the first line begins."""
SKEW = 1e-5
"""Axes of a frame whose lengths and angles are off by less than this are made right; others are refused."""
SNAP = 1e-15
"""Components this close to zero or one are rounded to it."""


def read(path: str | os.PathLike[str]) -> Element:
    """The assembly in a file. Results that follow it are not read."""
    return parse(read_at_most(path, LARGEST))


def parse(content: bytes) -> Element:
    """The assembly of a document."""
    lines = content.decode("utf-8-sig", "replace").split("\n")
    if not lines[0].startswith(HEADERS):
        raise ModelError("this is not an assembly of OndselSolver, whose first line is OndselSolver.")
    root = Element("")
    stack = [root]
    for number, line in enumerate(lines[1:], 2):
        text = line.strip()
        if not text:
            continue
        depth = len(line) - len(line.lstrip("\t"))
        if depth == 0 and root.children:
            break  # results
        if number > MOST_ELEMENTS:
            raise ModelError(f"the document exceeds the limit of {MOST_ELEMENTS:,} lines.")
        if depth > DEEPEST:
            raise ModelError(f"line {number}: lines are indented more than {DEEPEST} times, which is not supported.")
        if depth >= len(stack):
            raise ModelError(f"line {number}: it is indented by {depth} tabs; {len(stack) - 1} are possible here.")
        element = Element(text, line=number)
        del stack[depth + 1 :]
        if stack[-1].tag == "Name":
            stack[-2].attributes["name"] = text
        stack[-1].children.append(element)
        stack.append(element)
    if not root.children:
        raise ModelError("the document has no assembly.")
    return root.children[0]


def value(part: Element, tag: str, default: str = "") -> str:
    """The text of a value."""
    found = part.first(tag)
    return found.children[0].tag if found is not None and found.children else default


def vector(part: Element, tag: str) -> np.ndarray:
    """Three numbers, zero if there are none."""
    text = value(part, tag)
    return np.array(numbers(part, tag, text, 3)) if text else np.zeros(3)


def scalar(part: Element, tag: str, default: float = 0.0) -> float:
    """A number."""
    text = value(part, tag)
    return numbers(part, tag, text, 1)[0] if text else default


def read_frame(part: Element, scale: float) -> Frame:
    """Position and orientation of a part; `scale` is the unit of length in m."""
    place = tuple(map(float, scale * vector(part, "Position3D")))
    given = part.first("RotationMatrix")
    if given is None:
        return place, np.eye(3)
    rows = [numbers(row, "RotationMatrix", row.tag, 3) for row in given.children]
    if len(rows) != 3:
        raise ModelError(f"{part.place}: its RotationMatrix has {len(rows)} rows; it must have 3.")
    return place, _made_right(part, np.array(rows))


def _made_right(part: Element, given: np.ndarray) -> np.ndarray:
    """The nearest rotation to a matrix that is one up to the digits of the file."""
    if np.abs(given.T @ given - np.eye(3)).max() > SKEW or np.linalg.det(given) < 0.0:
        raise ModelError(
            f"{part.place}: the columns of its RotationMatrix are not a right-handed frame of unit vectors at right "
            "angles; check its numbers."
        )
    u, _, v = np.linalg.svd(given)
    found = u @ v
    whole = np.round(found)
    snapped: np.ndarray = np.where(np.abs(found - whole) < SNAP, whole, found) + 0.0
    return snapped

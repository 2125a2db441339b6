"""Copies that MuJoCo makes of parts of a document (`replicate`), each in a frame of its own."""

from __future__ import annotations

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.mjcf.shapes import CompilerSettings, attitude
from grashof.exchange.parsing import number, numbers
from grashof.exchange.xml import MOST_ELEMENTS, Element, xml_text


def expand_copies(root: Element, settings: CompilerSettings) -> None:
    """Replaces every `replicate` in the bodies by frames that contain the copies.

    The k-th of them is at pₖ with the Euler angles k e, where pₖ₊₁ = pₖ + R(k e) · offset; its number is added to all
    names in it. Equalities, tendons and actuators that refer to such names are copied, too.
    """
    room, copies = [MOST_ELEMENTS], dict[tuple[str, str], list[str]]()
    for world in root.all("worldbody"):
        _expand(world, settings, room, copies)
    for group in root.all("equality", "tendon", "actuator") if copies else ():
        group.children = [copy for part in group.children for copy in _following(part, copies)]


_REFERENCES = {word + end: word for word in ("body", "joint", "site", "tendon") for end in ("", "1", "2")}
_REFERENCES |= {"jointinparent": "joint", "refsite": "site", "freejoint": "joint"}
"""Attributes that refer to elements, and the tags of these."""


def _following(part: Element, copies: dict[tuple[str, str], list[str]]) -> list[Element]:
    """The copies of an element that refers to copied ones; itself if it does not."""

    def endings(tag: str, name: str) -> list[str]:
        own = copies.get((tag, name), [])
        return [end + more for end in own for more in endings(tag, name + end) or [""]]

    found = [
        ends
        for one in part.walk()
        for word, tag in _REFERENCES.items()
        if (ends := endings(tag, one.attributes.get(word, "")))
    ]
    if not found:
        return [part]
    if any(ends != found[0] for ends in found):
        raise ModelError(f"{part.place}: it refers to parts that are copied in different ways, which is not supported.")
    made = []
    for end in found[0]:
        copy = _renamed(part, end, {})
        for one in copy.walk():
            for word, tag in _REFERENCES.items():
                if endings(tag, one.attributes.get(word, "")):
                    one.attributes[word] += end
        if part.name and copy.tag in ("fixed", "spatial"):
            known = copies.setdefault(("tendon", part.name), [])
            known.append(end)
        made.append(copy)
    return made


def _expand(
    element: Element, settings: CompilerSettings, room: list[int], copies: dict[tuple[str, str], list[str]]
) -> None:
    found: list[Element] = []
    for child in element.children:
        _expand(child, settings, room, copies)
        found += _copies(child, settings, room, copies) if child.tag == "replicate" else [child]
    element.children = found


def _copies(
    part: Element, settings: CompilerSettings, room: list[int], copies: dict[tuple[str, str], list[str]]
) -> list[Element]:
    given = part.attributes
    count = int(number(part, "count", given.get("count", "0")))
    offset = np.array(numbers(part, "offset", given.get("offset", "0 0 0"), 3))
    turn = np.array(numbers(part, "euler", given.get("euler", "0 0 0"), 3))
    if count < 1:
        raise ModelError(f"{part.place}: count is '{given.get('count', '')}'; it must be a positive whole number.")
    room[0] -= count * sum(1 for _ in part.walk())
    if room[0] < 0:
        raise ModelError(f"{part.place}: the copies contain more than {MOST_ELEMENTS:,} elements.")
    place, digits, frames = np.zeros(3), len(str(count - 1)), []
    for k in range(count):
        form = {"pos": xml_text(tuple(map(float, place))), "euler": xml_text(tuple(map(float, k * turn)))}
        form |= {"childclass": given["childclass"]} if "childclass" in given else {}
        frame = Element("frame", form, part.line, [], [], part.source)
        frame.children = [_renamed(child, f"{given.get('sep', '')}{k:0{digits}d}", copies) for child in part.children]
        frames.append(frame)
        place = place + attitude(frame, form, settings) @ offset
    return frames


def _renamed(element: Element, ending: str, copies: dict[tuple[str, str], list[str]]) -> Element:
    attributes = dict(element.attributes)
    if element.name:
        tag = "joint" if element.tag == "freejoint" else element.tag
        copies.setdefault((tag, element.name), []).append(ending)
        attributes["name"] += ending
    children = [_renamed(child, ending, copies) for child in element.children]
    return Element(element.tag, attributes, element.line, children, list(element.pieces), element.source)

"""What a file of another program says in a form of its own, such as the angles of a frame.

The reader keeps it as text in `Model.source`, under the name of the part that it belongs to. The writer uses it
where it still describes the mechanism, so that a file that is read and written again has the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from grashof.exchange.parsing import MOST
from grashof.model.fields import Vector
from grashof.model.model import Model

Source = Mapping[str, Mapping[str, str]]


def is_from(model: Model, form: str) -> bool:
    """Whether a mechanism was read from a file of this format."""
    return model.source.get("document", {}).get("format") == form


def closing(model: Model) -> list[str]:
    """The joints that close loops in the file that a mechanism was read from."""
    return [joint.name for joint in model.joints if "closes" in model.source.get(f"joint {joint.name}", {})]


def numbers(source: Source, part: str, field: str, count: int) -> Vector | None:
    """The numbers of a part; None if there are none, or not `count` of them. The text is not trusted, since it may come
    from any file.

    >>> numbers({"joint knee": {"values": "0.1 0.2"}}, "joint knee", "values", 2)
    (0.1, 0.2)
    """
    words = source.get(part, {}).get(field, "").split()
    if len(words) != count:
        return None
    try:
        found = tuple(float(word) + 0.0 for word in words)
    except ValueError:
        return None
    return found if all(math.isfinite(x) and abs(x) <= MOST for x in found) else None

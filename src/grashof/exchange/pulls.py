"""Springs along a slide, which other programs have as such, as a pull with a law: −k (q − rest) − c q̇."""

from __future__ import annotations

import re

from grashof.model.forces import Pull

_NUMBER = r"(-?[\d.]+(?:e[-+]?\d+)?)"
_LAW = re.compile(rf"-{_NUMBER}\*\(`(.*)` - \({_NUMBER}\)\) - {_NUMBER}\*`(.*)\.rate`", re.DOTALL)


def spring_law(measure: str, stiffness: float, rest: float, damping: float) -> str:
    """The law of a spring and damper along a measure.

    >>> spring_law("x", 30.0, -0.1, 0.5)
    '-30.0*(`x` - (-0.1)) - 0.5*`x.rate`'
    """
    return f"-{stiffness!r}*(`{measure}` - ({rest!r})) - {damping!r}*`{measure}.rate`"


def spring_of(force: Pull) -> tuple[float, float, float] | None:
    """Stiffness, rest and damping of a pull whose law is that of a spring; None if it is another law."""
    found = _LAW.fullmatch(force.force) if isinstance(force.force, str) else None
    if found is None or {found[2], found[5]} != {force.measure}:
        return None
    return float(found[1]), float(found[3]), float(found[4])

"""Limits of joints and tendons in MJCF documents, as stops.

MuJoCo holds a coordinate that is beyond its limit by r > 0 with a soft constraint. It pulls back with the reference
acceleration −B ṙ − d K r, where `solref` gives B and K and `solimp` gives d, which grows from its first number to its
second over the depth w, its third. Without other forces the coordinate then follows

    r̈ = −d B ṙ − d² K r

The stop exerts the force for this, with d of full depth and the inertia m of the coordinate in the reference position
(1/m is the diagonal entry of M⁻¹, as in MuJoCo), and engages its damper over the depth w:

    f = m (d² K r + d B φ(r/w) ṙ), never negative

Other forces that press against the limit are reduced by 1 − d in MuJoCo, which a force cannot do: under a load the
coordinate rests farther beyond its limit here, by the factor 1/(1 − d).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.parsing import number, numbers
from grashof.exchange.xml import Element
from grashof.model.forces import Stop

if TYPE_CHECKING:
    from grashof.exchange.mjcf.reader import MjcfReader

SOLREF = (0.02, 1.0)
SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)
LEAST_IMPEDANCE, LARGEST_IMPEDANCE = 1e-4, 0.9999


@dataclass(frozen=True)
class Limit:
    """A range that an element gives: `row` is its gradient in the reference position, and `offset` is by how much the
    range is larger than that of the measure."""

    part: Element
    given: dict[str, str]
    measure: str
    offset: float
    row: np.ndarray
    turns: bool


def is_limited(reader: MjcfReader, given: dict[str, str], word: str = "limited", bounds: str = "range") -> bool:
    """Whether an element is limited to a range."""
    said = given.get(word, "auto")
    return said == "true" or (said == "auto" and reader.settings.limits and bounds in given)


def add_limits(reader: MjcfReader) -> None:
    """Stops for all limits that were found."""
    for one in reader.limits:
        part, given = one.part, one.given
        lower, upper = numbers(part, "range", given.get("range", "0 0"), 2)
        margin = number(part, "margin", given.get("margin", "0"))
        if one.turns:
            lower, upper = map(reader.settings.angle, (lower, upper))
        lower, upper = lower + margin - one.offset, upper - margin - one.offset
        if not lower < upper:
            raise ModelError(f"{part.place}: its range is '{given.get('range', '')}'; the first must be the smaller.")
        name = f"limit {part.name or one.measure}"
        if reader.rigid:
            reader.draft.push(Stop(name=name, measure=one.measure, lower=lower, upper=upper, restitution=0.0))
            continue
        refs = numbers(part, "solreflimit", given.get("solreflimit", ""))
        impedances = numbers(part, "solimplimit", given.get("solimplimit", ""))
        stiffness, damping, width = soften(refs, impedances, reader)
        mobility = reader.mobility(one.row)
        if not mobility > 0.0:
            reader.leave_out(part, "its limits: no mass resists its motion in the reference position")
            continue
        reader.draft.push(
            Stop(
                name=name,
                measure=one.measure,
                lower=lower,
                upper=upper,
                stiffness=stiffness / mobility,
                exponent=1.0,
                viscous=damping / mobility,
                width=width,
            )
        )


def soften(solref: tuple[float, ...], solimp: tuple[float, ...], reader: MjcfReader) -> tuple[float, float, float]:
    """d² K in 1/s², d B in 1/s, and the width w, with d at full depth; numbers that are left out have their
    defaults."""
    stiffness, damping = reference_law(solref, solimp, reader)
    width = (*solimp, *SOLIMP[len(solimp) :])[2]
    now = impedance(solimp, width)
    return now * now * stiffness, now * damping, max(width, 1e-6)


def reference_law(solref: tuple[float, ...], solimp: tuple[float, ...], reader: MjcfReader) -> tuple[float, float]:
    """K in 1/s² and B in 1/s."""
    time, ratio = (*solref, *SOLREF[len(solref) :])[:2]
    last = (*solimp, *SOLIMP[len(solimp) :])[1]
    full = min(max(last, LEAST_IMPEDANCE), LARGEST_IMPEDANCE)
    if (time > 0.0) != (ratio > 0.0):
        time, ratio = SOLREF
    if time <= 0.0:
        return -time / full**2, -ratio / full
    if "refsafe" not in reader.settings.disabled:
        time = max(time, 2.0 * reader.step)
    return 1.0 / (full * time * ratio) ** 2, 2.0 / (full * time)


def impedance(solimp: tuple[float, ...], depth: float) -> float:
    """d, which grows from its first number to its second over the width, along two powers that meet at the midpoint."""
    first, last, width, middle, power = (*solimp, *SOLIMP[len(solimp) :])[:5]
    first, last, middle = (min(max(x, LEAST_IMPEDANCE), LARGEST_IMPEDANCE) for x in (first, last, middle))
    if not width > 0.0:
        return 0.5 * (first + last)
    x, power = min(depth / width, 1.0), max(power, 1.0)
    if x <= middle:
        return first + (last - first) * float(x**power / middle ** (power - 1.0))
    return last - (last - first) * float((1.0 - x) ** power / (1.0 - middle) ** (power - 1.0))

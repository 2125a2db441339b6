"""Impacts with friction: the impulses by Newton's or Poisson's law of restitution and Coulomb's law (docs/contact.md).

w is the change of the velocities along normal and slip of each contact by unit impulses, `before` these velocities.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from campaign.energy_integral import NotJudged
from campaign.structure import Array

WAYS = {"+": 1.0, "-": -1.0}
"""The signs of the slip of contacts that slip."""


def newton(w: Array, before: Array, mu: Sequence[float], wanted: Array) -> Array:
    """The impulses (N and T of each contact) after which the gaps open at the wanted speeds or faster; NotJudged if
    there is not exactly one solution."""
    small, found = 1e-9 * float(np.max(np.abs(before))), list[Array]()
    for kinds in product(*("s+-o" if x else "0o" for x in mu)):
        basis, rows, right = list[Array](), list[int](), list[float]()
        for i, kind in enumerate(kinds):
            if kind != "o":
                column = np.eye(len(before))[2 * i]
                column[2 * i + 1] = -WAYS.get(kind, 0.0) * mu[i]
                basis.append(column)
                rows.append(2 * i)
                right.append(wanted[i] - before[2 * i])
            if kind == "s":
                basis.append(np.eye(len(before))[2 * i + 1])
                rows.append(2 * i + 1)
                right.append(-before[2 * i + 1])
        columns = np.array(basis).reshape(-1, len(before)).T
        try:
            impulses = (
                columns @ np.linalg.solve((w @ columns)[rows], np.array(right)) if rows else np.zeros(len(before))
            )
        except np.linalg.LinAlgError:
            continue
        after, tiny = before + w @ impulses, 1e-9 * float(np.max(np.abs(impulses)))
        fits = all(
            after[2 * i] >= wanted[i] - small
            if kind == "o"
            else impulses[2 * i] >= -tiny
            and (kind != "s" or abs(impulses[2 * i + 1]) <= mu[i] * impulses[2 * i] + tiny)
            and WAYS.get(kind, 0.0) * after[2 * i + 1] >= -small
            for i, kind in enumerate(kinds)
        )
        if fits and all(np.max(np.abs(after - before - w @ other)) > 1e3 * small for other in found):
            found.append(np.asarray(impulses))
    if len(found) != 1:
        raise NotJudged(f"{len(found)} impacts are possible")
    if found[0] @ (2.0 * before + w @ found[0]) > 1e-9 * float(np.abs(found[0]) @ np.abs(before)):
        raise NotJudged("the impact gains energy")
    return found[0]


def poisson(w: Array, before: Array, mu: float, restitution: float) -> Array:
    """The impulses of one contact, followed through compression and expansion."""
    impulses, velocity = np.zeros(2), before.copy()
    rest, compressed = 1e-12 * float(np.max(np.abs(before))), np.inf
    for _ in range(50):
        slips = abs(velocity[1]) > rest
        share = float(-mu * np.sign(velocity[1]) if slips else np.clip(-w[1, 0] / w[1, 1], -mu, mu))
        rate = w @ np.array([1.0, share])
        ends = [("end", (1.0 + restitution) * compressed - impulses[0])]
        if np.isinf(compressed) and rate[0] > 0.0:
            ends.append(("compressed", -velocity[0] / rate[0]))
        if slips and velocity[1] * rate[1] < 0.0:
            ends.append(("slip ends", -velocity[1] / rate[1]))
        what, length = min(ends, key=lambda end: end[1])
        if np.isinf(length):
            break
        impulses, velocity = impulses + length * np.array([1.0, share]), velocity + length * rate
        if what == "slip ends":
            velocity[1] = 0.0
        elif what == "compressed":
            compressed = float(impulses[0])
        else:
            return np.asarray(impulses)
    raise NotJudged("the impact does not end")

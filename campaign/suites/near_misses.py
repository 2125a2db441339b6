"""Linkages that narrowly miss a singular position: two links almost become collinear, and turn back.

The links are such that the smaller of the two margins by which a crank goes round,

    (b + c) − (g + a)   and   |g − a| − |b − c|,

is δ = 10^U(−12, −1) of the length (in a slider-crank: rod less crank and offset; on a sphere: the same of arcs). Two
branches, elbow up and elbow down, come within about √δ of each other, and no motion goes from one to the other. Margins
are summed without rounding, and roots are written so that they do not cancel:

    (b + c)² − d² = margin·(b + c + g + a) + 4ga cos²(θ/2)
    d² − (b − c)² = margin·(|g − a| + |b − c|) + 4ga sin²(θ/2)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from campaign.blocks import random_times
from campaign.case import KnownMotion
from campaign.linkage import Linkage
from campaign.linkage_case import Law, driven, free
from campaign.matter import link, lump
from campaign.plane import along, laid_into_space, random_frame
from campaign.space import turned
from campaign.structure import GROUND, Array, Hinge, Pose, Poses, Slot, Solid
from campaign.suite import Cases, Rng

NARROWS = (0.0, math.pi)
"""Crank angles at which links are almost collinear."""

MARGINS = (-12.0, -1.0)
"""Powers of ten, relative to half the difference of ground and crank."""


@dataclass(frozen=True)
class Links:
    """Lengths, or arcs, of ground, crank, coupler and output, and the side of the elbow."""

    ground: float
    crank: float
    coupler: float
    output: float
    side: float

    @property
    def stretched(self) -> float:
        """(b + c) − (g + a), without rounding."""
        return math.fsum([self.coupler, self.output, -self.ground, -self.crank])

    @property
    def folded(self) -> float:
        """|g − a| − |b − c|, without rounding."""
        long, short = max(self.ground, self.crank), min(self.ground, self.crank)
        more, less = max(self.coupler, self.output), min(self.coupler, self.output)
        return math.fsum([long, -short, -more, less])


def draw_links(rng: Rng, most: float, margins: tuple[float, float] = MARGINS) -> Links:
    """A crank that goes round by a margin of 10 to a power between `margins`, stretched, folded or both."""
    ground = most * rng.uniform(0.4, 1.0)
    crank = ground * float(np.exp(rng.choice([-1, 1]) * rng.uniform(0.3, 0.9)))
    if crank > most:
        ground, crank = ground * most / crank, most
    total, difference = ground + crank, abs(ground - crank)
    margin = 10.0 ** rng.uniform(*margins) * 0.5 * difference
    kind = rng.choice(["stretched", "folded", "both"])
    reach = total + (margin if kind != "folded" else total * rng.uniform(0.05, 0.3))
    excess = difference - margin if kind != "stretched" else difference * rng.uniform(0.0, 0.85)
    coupler = 0.5 * (reach + rng.choice([-1, 1]) * excess)
    return Links(ground, crank, float(coupler), float(reach - coupler), float(rng.choice([-1.0, 1.0])))


def four_bar(rng: Rng, *, space: bool, margins: tuple[float, float] = MARGINS) -> Linkage:
    """The planar four-bar, in the plane or in a plane of space."""
    general, links = bool(rng.random() < 0.5), draw_links(rng, 2.0, margins)
    heading = float(rng.uniform(-np.pi, np.pi)) if rng.random() < 0.5 else 0.0
    there = links.ground * np.array([np.cos(heading), np.sin(heading)])
    lengths = {"crank": links.crank, "coupler": links.coupler, "output": links.output}
    dimension = 3 if space else 2
    solids = tuple(link(rng, name, x, rng.uniform(0.2, 2.0), dimension, general) for name, x in lengths.items())

    def path(s: Array) -> Poses:
        pin = links.crank * np.stack([np.cos(heading + s), np.sin(heading + s)], axis=-1)
        w = pin - there
        square = np.sum(w * w, axis=-1)
        root = _root(links, s, math.fsum([links.coupler, links.output, links.ground, links.crank]), _spread(links))
        shift = 0.5 * (links.output**2 - links.coupler**2 + square) / square
        across = np.stack([-w[:, 1], w[:, 0]], axis=-1)
        joint = there + shift[:, None] * w + (links.side * 0.5 * root / square)[:, None] * across
        return {
            "crank": along(np.zeros(2), pin, links.crank),
            "coupler": along(pin, joint, links.coupler),
            "output": along(there, joint, links.output),
        }

    hinges = (
        Hinge(GROUND, "crank", np.zeros(2), "start"),
        Hinge(GROUND, "output", there, "start"),
        Hinge("crank", "coupler", "end", "start"),
        Hinge("output", "coupler", "end", "end"),
    )
    length = float(np.mean(list(lengths.values())))
    name = f"four-bar, margins {links.stretched:.1e}, {links.folded:.1e}"
    linkage = Linkage(name, solids, hinges, np.array([0.0, -9.81]), length, path, 2.0 * np.pi, NARROWS)
    return laid_into_space(rng, linkage, random_frame(rng)) if space else linkage


def _spread(links: Links) -> float:
    return abs(links.ground - links.crank) + abs(links.coupler - links.output)


def _root(links: Links, s: Array, total: float, spread: float) -> Array:
    """√((b + c)² − d²) √(d² − (b − c)²)"""
    whole = 4.0 * links.ground * links.crank
    cosine, sine = np.cos(0.5 * s), np.sin(0.5 * s)
    result: Array = np.sqrt(links.stretched * total + whole * cosine**2) * np.sqrt(
        links.folded * spread + whole * sine**2
    )
    return result


def slider_crank(rng: Rng, *, margins: tuple[float, float] = MARGINS) -> Linkage:
    """The slot is at y = e: x = a cos θ ± √(b² − (a sin θ − e)²), and b − a − |e| is small.

    b² − (a sin θ − e)² = (b − a sin θ + e)(b + a sin θ − e); with e ≥ 0 the second factor is margin + a(1 + sin θ), the
    first, with e = 0, margin + a(1 − sin θ).
    """
    crank, general = rng.uniform(0.3, 1.5), bool(rng.random() < 0.5)
    offset = 0.0 if rng.random() < 0.5 else crank * rng.uniform(0.1, 0.8)
    rod = crank + offset + crank * 10.0 ** rng.uniform(*margins)
    side = float(rng.choice([-1.0, 1.0]))
    margin, other = math.fsum([rod, -crank, -offset]), math.fsum([rod, offset, -crank])
    solids = (
        link(rng, "crank", crank, rng.uniform(0.2, 2.0), 2, general),
        link(rng, "rod", rod, rng.uniform(0.2, 2.0), 2, general),
    )

    def path(s: Array) -> Poses:
        pin = crank * np.stack([np.cos(s), np.sin(s)], axis=-1)
        # 1 ± sin θ = 2 cos²(θ/2 ∓ π/4)
        below = margin + 2.0 * crank * np.cos(0.5 * s - 0.25 * np.pi) ** 2
        above = other + 2.0 * crank * np.cos(0.5 * s + 0.25 * np.pi) ** 2
        reach = side * np.sqrt(below) * np.sqrt(above)
        end = np.stack([pin[:, 0] + reach, offset + 0.0 * reach], axis=-1)
        return {"crank": along(np.zeros(2), pin, crank), "rod": along(pin, end, rod)}

    return Linkage(
        f"slider-crank, margin {margin:.1e}",
        solids,
        (Hinge(GROUND, "crank", np.zeros(2), "start"), Hinge("crank", "rod", "end", "start")),
        9.81 * np.array([0.6, -0.8]),
        0.5 * (crank + rod),
        path,
        2.0 * np.pi,
        (0.5 * np.pi, 1.5 * np.pi),
        slots=(Slot("rod", "end", np.array([0.0, offset]), np.array([1.0, 0.0])),),
    )


def spherical_four_bar(rng: Rng) -> Linkage:
    """All axes meet in one point. With unit vectors B and C along the moving axes and D along the output's,

        C = p B + q D + r B × D,   sin²d r = ± √((cos(b − c) − cos d)(cos d − cos(b + c))),   cos d = B·D
        cos d − cos(b + c) = 2 sin(σ/2) sin(margin/2) + 2 sin g sin a cos²(θ/2),   σ = a + b + c + g

    and likewise of cos(b − c) − cos d.
    """
    links = draw_links(rng, 1.2)
    sizes = {"crank": links.crank, "coupler": links.coupler, "output": links.output}
    solids = tuple(_shell(rng, name, arc) for name, arc in sizes.items())
    fixed, sine_g, cosine_g = np.array([0.0, 0.0, 1.0]), math.sin(links.ground), math.cos(links.ground)
    other = np.array([sine_g, 0.0, cosine_g])
    total = math.fsum([links.coupler, links.output, links.ground, links.crank])
    spread = _spread(links)
    sine_a, cosine_a = math.sin(links.crank), math.cos(links.crank)
    cosine_b, cosine_c = math.cos(links.coupler), math.cos(links.output)

    def path(s: Array) -> Poses:
        first = np.stack([sine_a * np.cos(s), sine_a * np.sin(s), cosine_a + 0.0 * s], axis=-1)
        cosine_d = first @ other
        square = 1.0 - cosine_d * cosine_d
        whole = 2.0 * sine_g * sine_a
        far = 2.0 * math.sin(0.5 * total) * math.sin(0.5 * links.stretched) + whole * np.cos(0.5 * s) ** 2
        near = 2.0 * math.sin(0.5 * spread) * math.sin(0.5 * links.folded) + whole * np.sin(0.5 * s) ** 2
        p, q = (cosine_b - cosine_c * cosine_d) / square, (cosine_c - cosine_b * cosine_d) / square
        r = links.side * np.sqrt(far) * np.sqrt(near) / square
        last = p[:, None] * first + q[:, None] * other + r[:, None] * np.cross(first, other)
        return {
            "crank": _arc(fixed, first, sine_a),
            "coupler": _arc(first, last, math.sin(links.coupler)),
            "output": _arc(other, last, math.sin(links.output)),
        }

    z = np.array([1.0, 0.0, 0.0])
    hinges = (
        Hinge(GROUND, "crank", np.zeros(3), "start", z),
        Hinge(GROUND, "output", np.zeros(3), "start", z),
        Hinge("crank", "coupler", "start", "start", z),
        Hinge("output", "coupler", "start", "start", np.array([cosine_b, math.sin(links.coupler), 0.0])),
    )
    down = rng.normal(size=3)
    linkage = Linkage(
        f"spherical four-bar, margins {links.stretched:.1e}, {links.folded:.1e}",
        solids,
        hinges,
        9.81 * down / np.linalg.norm(down),
        1.0,
        path,
        2.0 * np.pi,
        NARROWS,
    )
    frame = random_frame(rng)
    return turned(linkage, frame.origin, frame.axes)


def _shell(rng: Rng, name: str, arc: float) -> Solid:
    """A body that joins two axes, the first its own x axis, by an arc in its plane z = 0."""
    pins = {"start": np.zeros(3), "end": np.array([math.cos(arc), math.sin(arc), 0.0])}
    return lump(rng, name, pins, rng.uniform(0.2, 2.0), 0.8)


def _arc(first: Array, second: Array, sine: float) -> Pose:
    """Axes of a shell whose two axes are these unit vectors."""
    x, there = np.broadcast_arrays(first, second)
    z = np.cross(x, there) / sine
    return np.zeros(x.shape), np.stack([x + 0.0 * z, np.cross(z, x), z], axis=-1)


# -- starts


def _driven(make: Callable[[Rng], Linkage]) -> Callable[[Rng], KnownMotion]:
    """Some turns at a constant or varying rate, or back and forth across the narrow places."""

    def draw(rng: Rng) -> KnownMotion:
        linkage = make(rng)
        start, end = linkage.clear_place(rng), rng.uniform(2.0, 12.0)
        rate = float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-0.3, 0.7))
        wave = float(rng.uniform(0.3, 2.0))
        kind = rng.random()
        if kind < 0.5:
            law = Law(start, rate)
        elif kind < 0.75:
            law = Law(start, rate, 0.7 * abs(rate) / wave * rng.random(), wave)
        else:
            law = Law(start, 0.0, float(rng.uniform(1.5, 4.0)), wave)
        return driven(linkage, law, random_times(rng, end))

    return draw


def _free(make: Callable[[Rng], Linkage]) -> Callable[[Rng], KnownMotion]:
    """Released fast enough to go round."""

    def draw(rng: Rng) -> KnownMotion:
        linkage = make(rng)
        start = linkage.clear_place(rng)
        (inertia,), (here,) = linkage.landscape(np.array([start]))
        _, _, potential = linkage.survey
        energy = float(potential.max() + 10.0 ** rng.uniform(-0.5, 1.5) * np.ptp(potential))
        rate = float(rng.choice([-1.0, 1.0]) * np.sqrt(2.0 * (energy - here) / inertia))
        end = rng.uniform(3.0, 15.0) * np.sqrt(linkage.length / 9.81)
        return free(linkage, start, rate, random_times(rng, end))

    return draw


_MAKERS: dict[str, Callable[[Rng], Linkage]] = {
    "four-bar": lambda rng: four_bar(rng, space=False),
    "four-bar in space": lambda rng: four_bar(rng, space=True),
    "slider-crank": slider_crank,
    "spherical four-bar": spherical_four_bar,
}
_WEIGHTS = {"four-bar": 3, "four-bar in space": 1, "slider-crank": 2, "spherical four-bar": 1}

SUITE = Cases(
    "near-misses",
    {
        f"{name}, {kind}": (_WEIGHTS[name], start(make))
        for kind, start in (("driven", _driven), ("free", _free))
        for name, make in _MAKERS.items()
    },
)
